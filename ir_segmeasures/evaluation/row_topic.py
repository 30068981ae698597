"""One query with its judged rows and its retrieved rows, not merged, as the measures of rows see it."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ir_segmeasures.evaluation.run_rows import JudgedRows, RunRows
from ir_segmeasures.segments.arrays import Ints
from ir_segmeasures.segments.caching import Caching
from ir_segmeasures.segments.tables.table import RowError, SegmentTable

__all__ = ['Row', 'Judgements', 'RowTopic']

T = TypeVar('T')


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


def _rows(table: SegmentTable, places: Ints) -> list[Row]:
    documents = map(table.document_ids.__getitem__, table.document[places].tolist())
    return list(map(Row, documents, table.start[places].tolist(), table.end[places].tolist(),
                    table.paths_of(places)))


class Judgements(Caching):
    """The judgements of one query, row by row. Values of functions that :meth:`cached` keeps serve every run.

    Attributes:
        query: the place of the query in the qrels
        query_id: the query
    """

    def __init__(self, query: int, judged: JudgedRows):
        self.query, self.query_id, self._judged = query, judged.table.query_ids[query], judged
        self._bounds = slice(*judged.bounds[query:query + 2])

    @cached_property
    def rows(self) -> list[Row]:
        """The judged rows, in the order of the judgements."""
        return _rows(self._judged.table, self._judged.place[self._bounds])

    @cached_property
    def relevance(self) -> list[float]:
        """The relevance of each row."""
        return self._judged.relevance[self._bounds].tolist()

    @cached_property
    def first_equal(self) -> list[int]:
        """For each row, the place of the first row that is equal: its own place, unless it repeats an earlier row."""
        return (self._judged.first_equal[self._bounds] - self._bounds.start).tolist()

    def beside(self, name: str) -> list[float]:
        """A column of the qrels (one of ``EXTRAS``), for each row; a ValueError if it is missing or has gaps."""
        table, places = self._judged.table, self._judged.place[self._bounds]
        column = table.beside(name)[places]
        missing = np.isnan(column)
        if missing.any():
            raise table.no_value(name, int(places[np.argmax(missing)]))
        return column.tolist()

    def number(self, place: int) -> int:
        """The number of a row in the input, from 0."""
        return int(self._judged.table.row[self._row(place)])

    def error(self, place: int, sentence: str) -> RowError:
        """The error for the row at a place; the sentence names the row as the input does."""
        return self._judged.table.error(self._row(place), sentence)

    def _row(self, place: int) -> int:
        return int(self._judged.place[self._bounds][place])


class RowTopic(Caching):
    """One judged query with its judgements and its ranking, row by row.

    Attributes:
        query_id: the query
        judgements: the judgements of the query, which are the same object for every run
        n: number of rows in its ranking
    """

    def __init__(self, judgements: Judgements, run: RunRows):
        self.query_id, self.judgements = judgements.query_id, judgements
        self._query, self._run = judgements.query, run
        low, high = run.bounds[self._query]
        self._bounds, self.n = slice(low, high), high - low

    def computed_on_run(self, function: Callable[..., Sequence[T]], *arguments: Any) -> T:
        """Return this query's value of ``function(run, *arguments)``, which computes the values of all queries of a
        run at once, on arrays. ``run`` is a :class:`~ir_segmeasures.evaluation.run_rows.RunRows`.
        """
        return self._run.cached(function, *arguments)[self._query]

    def computed_on_qrels(self, function: Callable[..., Sequence[T]], *arguments: Any) -> T:
        """Return this query's value of ``function(judged, *arguments)``, which computes the values of all queries once
        for every run. ``judged`` is a :class:`~ir_segmeasures.evaluation.run_rows.JudgedRows`.
        """
        return self._run.judged.cached(function, *arguments)[self._query]

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
        return _rows(self._run.table, np.arange(self._bounds.start, self._bounds.stop))

    @cached_property
    def score(self) -> list[float]:
        """The score of each retrieved row."""
        return self._run.table.value[self._bounds].tolist()

    @cached_property
    def found(self) -> list[int]:
        """For each retrieved row, the place of the first judged row that is equal, or -1."""
        return self._run.found_places[self._bounds]

    def beside(self, name: str) -> list[float]:
        """A column of the qrels (one of ``EXTRAS``), for each judged row; a ValueError if it is missing or has gaps."""
        return self.judgements.beside(name)

    def error(self, rank: int, sentence: str) -> RowError:
        """The error for the retrieved row at ``rank`` (from 0); the sentence names the row as the input does."""
        return self._run.table.error(self._bounds.start + rank, sentence)
