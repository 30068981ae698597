"""The judged rows and the retrieved rows of all queries at once, on arrays; topics show them query by query."""

from functools import cached_property

import numpy as np

from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.caching import Caching
from ir_segmeasures.segments.spans import first_equal
from ir_segmeasures.segments.tables.matching import Match, document_key
from ir_segmeasures.segments.tables.table import SegmentTable

__all__ = ['JudgedRows', 'RunRows']


class JudgedRows(Caching):
    """The judged rows of all queries, as arrays, query by query in the order of the judgements. Values of functions
    that :meth:`cached` keeps serve every run.

    Attributes:
        table: the qrels
        place: where each row stands in the table
        query: the place of its query in the qrels
        relevance: of each row
        bounds: where each query begins, and the last one ends
    """

    def __init__(self, table: SegmentTable):
        self.table, self.place = table, np.argsort(table.query, kind='stable')
        self.query, self.relevance = table.query[self.place], table.value[self.place]
        self.bounds: list[int] = np.searchsorted(self.query, np.arange(len(table.query_ids) + 1)).tolist()

    def beside(self, name: str) -> Floats:
        """A column of the qrels (one of ``EXTRAS``), NaN where there is no value."""
        column = self.table.extra.get(name)
        return np.full(len(self.place), np.nan) if column is None else column[self.place]

    @cached_property
    def key(self) -> Ints:
        """A number for the document of the query of each row."""
        return document_key(self.table, self.query, self.table.document[self.place])

    @cached_property
    def first_equal(self) -> Ints:
        """For each row, the first row that is equal: itself, unless it repeats an earlier row."""
        return _first_equal((self.key, self.table, self.place))


class RunRows(Caching):
    """The retrieved rows of a run beside the judged ones, as arrays. Values of functions that :meth:`cached` keeps
    serve every query.

    Attributes:
        judged: the judged rows
        table: the run
        query: for each row, the place of its query in the qrels, or -1
        rank: of each row, from 1
        bounds: for each query of the qrels, where its rows begin and end in the run
    """

    def __init__(self, judged: JudgedRows, match: Match):
        self.judged, self.table, self.query, self.rank = judged, match.run, match.query, match.rank
        self._key = match.key
        blocks = match.blocks
        self.bounds = [blocks.get(query, (0, 0)) for query in range(len(judged.table.query_ids))]

    @cached_property
    def found(self) -> Ints:
        """For each row of the run, the first of the judged rows that is equal, or -1."""
        judged, n, rows = self.judged, len(self.judged.place), np.flatnonzero(self._key >= 0)
        first = _first_equal((judged.key, judged.table, judged.place), (self._key[rows], self.table, rows))[n:]
        found = np.full(len(self.table), -1)
        found[rows] = np.where(first < n, first, -1)
        return found

    @cached_property
    def key(self) -> Ints:
        """A number for the document of the query of each row: that of the judged rows where the qrels have it."""
        qrels, run = self.judged.table, self.table
        known = len(qrels.query_ids) * max(1, len(qrels.document_ids))
        return np.where(self._key >= 0, self._key, known + self.query * len(run.document_ids) + run.document)

    @cached_property
    def found_places(self) -> list[int]:
        """For each row of the run, the place among the judgements of its query of the first equal row, or -1."""
        query, bounds = self.judged.query[self.found], np.array(self.judged.bounds)
        places: list[int] = np.where(self.found < 0, -1, self.found - bounds[query]).tolist()
        return places


def _first_equal(*parts: tuple[Ints, SegmentTable, Ints]) -> Ints:
    """For each of the rows of tables, one table after the other, the first one that is equal: with the same number for
    its document, start, end and path.
    """
    columns = [np.concatenate(column) for column in zip(*(
        (key, table.start[rows], table.end[rows]) for key, table, rows in parts))]
    if any(table.paths for _, table, _ in parts):
        codes: dict[str | None, int] = {}
        columns.append(np.array([codes.setdefault(path, len(codes)) for _, table, rows in parts
                                 for path in table.paths_of(rows)], np.intp))
    return first_equal(*columns)
