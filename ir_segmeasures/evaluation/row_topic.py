"""One query with its judged rows and its retrieved rows, not merged, as the measures of rows see it."""

from collections.abc import Iterator
from functools import cached_property
from itertools import count, repeat
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.caching import Caching
from ir_segmeasures.segments.tables.table import RowError, SegmentTable

__all__ = ['Row', 'RowsOfQuery', 'Judgements', 'RowTopic']


class Row(NamedTuple):
    """A judged or retrieved segment.

    Attributes:
        document: without a fragment
        start, end: in the document's unit; ``[0, inf)`` where they are not known
        path: of the element that it is, or None
    """
    document: str
    start: float
    end: float
    path: str | None


class RowsOfQuery:
    """The rows of one query in a table.

    Args:
        table: the qrels or the run
        places: which rows of the table, as an array
    """

    def __init__(self, table: SegmentTable, places: Any):
        self.table, self.places = table, places

    def column(self, column: Any) -> list[float]:
        """The values of a column of the table in these rows."""
        return column[self.places].tolist()

    def keys(self) -> Iterator[tuple[Any, ...]]:
        """The fields of each row, in the order of :class:`Row`."""
        table = self.table
        documents = map(table.document_ids.__getitem__, table.document[self.places].tolist())
        paths = repeat(None) if table.paths is None else map(table.paths.__getitem__, self.places.tolist())
        return zip(documents, self.column(table.start), self.column(table.end), paths)

    def rows(self) -> list[Row]:
        """The rows as named tuples."""
        return list(map(Row._make, self.keys()))


class Judgements(Caching):
    """The judgements of one query, row by row. Values of functions that :meth:`cached` keeps serve every run.

    Attributes:
        query_id: the query
    """

    def __init__(self, query_id: str, block: RowsOfQuery):
        self.query_id, self._block = query_id, block

    @cached_property
    def rows(self) -> list[Row]:
        """The judged rows, in the order of the judgements."""
        return self._block.rows()

    @cached_property
    def relevance(self) -> list[float]:
        """The relevance of each row."""
        return self._block.column(self._block.table.value)

    @property
    def first_equal(self) -> list[int]:
        """For each row, the place of the first row that is equal: its own place, unless it repeats an earlier row."""
        return self._identity[1]

    def find(self, ranking: RowsOfQuery) -> list[int]:
        """For each row of a ranking, the place of the first judged row that is equal, or -1."""
        return list(map(self._identity[0].get, ranking.keys(), repeat(-1)))

    @cached_property
    def _identity(self) -> tuple[dict[tuple[Any, ...], int], list[int]]:
        places: dict[tuple[Any, ...], int] = {}
        return places, list(map(places.setdefault, self._block.keys(), count()))

    def beside(self, name: str) -> list[float]:
        """A column of the qrels (one of ``EXTRAS``), for each row; a ValueError if it is missing or has gaps."""
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
        """The error for the row at a place; the sentence names the row as the input does."""
        return self._block.table.error(int(self._block.places[place]), sentence)


class RowTopic(Caching):
    """One judged query with its judgements and its ranking, row by row.

    Attributes:
        query_id: the query
        judgements: the judgements of the query, which are the same object for every run
    """

    def __init__(self, judgements: Judgements, run: RowsOfQuery):
        self.query_id, self.judgements = judgements.query_id, judgements
        self._run = run

    @property
    def judged(self) -> list[Row]:
        """The judged rows, in the order of the judgements."""
        return self.judgements.rows

    @property
    def relevance(self) -> list[float]:
        """The relevance of each judged row."""
        return self.judgements.relevance

    @cached_property
    def ranking(self) -> list[Row]:
        """The retrieved rows, by rank."""
        return self._run.rows()

    @cached_property
    def score(self) -> list[float]:
        """The score of each retrieved row."""
        return self._run.column(self._run.table.value)

    @cached_property
    def found(self) -> list[int]:
        """For each retrieved row, the place of the first judged row that is equal, or -1."""
        return self.judgements.find(self._run)

    def beside(self, name: str) -> list[float]:
        """A column of the qrels (one of ``EXTRAS``), for each judged row; a ValueError if it is missing or has gaps."""
        return self.judgements.beside(name)

    def error(self, rank: int, sentence: str) -> RowError:
        """The error for the retrieved row at ``rank`` (from 0); the sentence names the row as the input does."""
        return self._run.table.error(int(self._run.places[rank]), sentence)
