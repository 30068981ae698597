"""One query with its judged and its retrieved rows as they stand there, as the measures of rows see it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import count, repeat
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.evaluation.shared import Shared
from ir_segmeasures.segments.tables.table import RowError, SegmentTable

__all__ = ['Row', 'RowsOfQuery', 'Judgements', 'RowTopic']


class Row(NamedTuple):
    """A judged or retrieved segment.

    Attributes:
        document: without a fragment
        start, end: in the document's unit; ``[0, inf)`` where nobody told them
        path: of the element that it is, or None
    """
    document: str
    start: float
    end: float
    path: str | None


class RowsOfQuery:
    """The rows of one query in a table."""

    def __init__(self, table: SegmentTable, places: Any):
        self.table, self.places = table, places

    def column(self, column: Any) -> list[float]:
        return column[self.places].tolist()

    def keys(self) -> Iterator[tuple[Any, ...]]:
        """What :class:`Row` holds, of each row."""
        table = self.table
        documents = map(table.document_ids.__getitem__, table.document[self.places].tolist())
        paths = repeat(None) if table.paths is None else map(table.paths.__getitem__, self.places.tolist())
        return zip(documents, self.column(table.start), self.column(table.end), paths)

    def rows(self) -> list[Row]:
        return list(map(Row._make, self.keys()))


class Judgements(Shared):
    """The judgements of one query, as they stand there. What is computed of them :meth:`once` holds for every run.

    Attributes:
        query_id: the query
    """

    def __init__(self, query_id: str, block: RowsOfQuery):
        super().__init__()
        self.query_id, self._block = query_id, block

    @cached_property
    def rows(self) -> list[Row]:
        """The judged rows, in the order of the judgements."""
        return self._block.rows()

    @cached_property
    def relevance(self) -> list[float]:
        """Of each row."""
        return self._block.column(self._block.table.value)

    @property
    def first(self) -> list[int]:
        """For each row, the place of the first row that is equal: its own, unless it repeats another."""
        return self._identity[1]

    def find(self, ranking: RowsOfQuery) -> list[int]:
        """For each row of a ranking, the place of the first judged row that is equal, or -1."""
        return list(map(self._identity[0].get, ranking.keys(), repeat(-1)))

    @cached_property
    def _identity(self) -> tuple[dict[tuple[Any, ...], int], list[int]]:
        places: dict[tuple[Any, ...], int] = {}
        return places, list(map(places.setdefault, self._block.keys(), count()))

    def beside(self, name: str) -> list[float]:
        """A column beside the rows (``EXTRAS``). ValueError if it has gaps."""
        table, places = self._block.table, self._block.places
        column = table.beside(name)[places]
        missing = np.isnan(column)
        if missing.any():
            raise table.no_value(name, int(places[np.argmax(missing)]))
        return column.tolist()

    def number(self, place: int) -> int:
        """The number of a row in the input, from 0."""
        return int(self._block.table.row[self._block.places[place]])

    def error(self, place: int, sentence: str) -> RowError:
        """The error for a row, which it names as the input does."""
        return self._block.table.error(int(self._block.places[place]), sentence)


class RowTopic(Shared):
    """One judged query, with its judgements and its ranking as they stand there.

    Attributes:
        query_id: the query
        judgements: of the query, the same for every run
    """

    def __init__(self, judgements: Judgements, run: RowsOfQuery):
        super().__init__()
        self.query_id, self.judgements = judgements.query_id, judgements
        self._run = run

    @property
    def judged(self) -> list[Row]:
        """The judged rows, in the order of the judgements."""
        return self.judgements.rows

    @property
    def relevance(self) -> list[float]:
        """Of each judged row."""
        return self.judgements.relevance

    @cached_property
    def ranking(self) -> list[Row]:
        """The retrieved rows, by rank."""
        return self._run.rows()

    @cached_property
    def score(self) -> list[float]:
        """Of each retrieved row."""
        return self._run.column(self._run.table.value)

    @cached_property
    def found(self) -> list[int]:
        """For each retrieved row, the place of the first judged row that is equal, or -1."""
        return self.judgements.find(self._run)

    def beside(self, name: str) -> list[float]:
        """A column beside the judged rows (``EXTRAS``). ValueError if it has
        gaps."""
        return self.judgements.beside(name)

    def error(self, rank: int, sentence: str) -> RowError:
        """The error for the retrieved row at ``rank`` (from 0), which it names as the input does."""
        return self._run.table.error(int(self._run.places[rank]), sentence)
