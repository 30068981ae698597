"""The matching of a run with qrels: each row of the run with its query and document in the qrels, and its rank."""

from functools import cached_property
from itertools import pairwise, repeat

import numpy as np

from ir_segmeasures.segments.basics import Caching, Ints, end_repair, quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.table import NO_UNIT, SegmentTable


class QrelsIndex(Caching):
    """Indices of the queries and documents of qrels, made once for one run after the other. What functions find in the
    qrels alone serves every run, too (:meth:`cached`).

    Attributes:
        qrels: the table
        queries, documents: the position of each id in ``query_ids`` or ``document_ids`` of the qrels
    """

    def __init__(self, qrels: SegmentTable):
        self.qrels = qrels
        self.queries, self.documents = (dict(zip(ids, range(len(ids)))) for ids in (
            qrels.query_ids, qrels.document_ids))

    @cached_property
    def repeated(self) -> list[tuple[int, int]]:
        """Pairs of rows that judge one segment of a query, the earlier row first."""
        qrels = self.qrels
        # Equal rows have equal sums, and rows with equal sums are nearly always equal: one sort of numbers finds them.
        number = (qrels.query * 1.6180339887 + qrels.document * 1.3247179572 + qrels.start * 0.7548776662
                  + qrels.end * 0.5698402910)
        ordered = np.sort(number)  # several times as fast as the order, which is seldom needed
        again = ordered[1:][ordered[1:] == ordered[:-1]]
        rows = np.flatnonzero(np.isin(number, again)) if len(again) else np.zeros(0, np.intp)  # sums may be equal
        columns = qrels.query, qrels.document, qrels.start, qrels.end
        rows = rows[np.lexsort([column[rows] for column in columns[::-1]])].tolist()
        return [(one, other) for one, other in pairwise(rows) if all(column[one] == column[other] for column in columns)
                and (qrels.paths is None or qrels.paths[one] == qrels.paths[other])]


class Match(Caching):
    """The rows of a run with the queries and documents of the qrels.

    Args:
        qrels, run: the tables; ranks are those of the rows of the run, so that it is in rank order
        index: the index of the qrels; not given: it is made here

    Attributes:
        query_places, document_places: for each id of the run, its position in the qrels, or -1
        query, document: for each row, the position of its query or of its document in the qrels, or -1; both are -1
            in a query that is not judged
        key: for each row, a number for the document of its query in the qrels, or -1

    Raises:
        RowError: a segment of the run is in another unit than the judgements of its document
    """

    def __init__(self, qrels: SegmentTable, run: SegmentTable, index: QrelsIndex | None = None):
        self.qrels, self.run = qrels, run
        self.index = index or QrelsIndex(qrels)
        self.query_places, self.document_places = (
            np.fromiter(map(places.get, ids, repeat(-1)), np.intp, len(ids)) for places, ids in (
                (self.index.queries, run.query_ids), (self.index.documents, run.document_ids)))
        self.query = self.query_places[run.query]
        self.document = np.where(self.query < 0, -1, self.document_places[run.document])
        self.key = np.where(self.document < 0, -1, document_key(qrels, self.query, self.document))
        self._check_units()

    def _check_units(self) -> None:
        if len(self.qrels.units() | self.run.units()) < 2:
            return
        known = self.qrels.unit != NO_UNIT
        keys = document_key(self.qrels, self.qrels.query, self.qrels.document)[known]
        judged = dict(zip(keys.tolist(), self.qrels.unit[known].tolist()))
        for row in np.flatnonzero((self.key >= 0) & (self.run.unit != NO_UNIT)).tolist():
            unit, other = int(self.run.unit[row]), judged.get(int(self.key[row]), NO_UNIT)
            if other not in (unit, NO_UNIT):
                raise self.run.error(row, f'it is in {quoted(UNITS[unit])}, but the judgements of the document are in '
                                          f'{quoted(UNITS[other])}: give both in one unit')

    @cached_property
    def _bounds(self) -> Ints:
        """Tells where the rows of each query of the run begin, and those of the last one end."""
        return np.searchsorted(self.run.query, np.arange(len(self.run.query_ids) + 1))

    @cached_property
    def rankings(self) -> tuple[Ints, Ints]:
        """The judged queries that have results, and where the rows of each begin and end, as two columns."""
        low, high = self._bounds[:-1], self._bounds[1:]
        judged = (self.query_places >= 0) & (low < high)
        return self.query_places[judged], np.column_stack([low[judged], high[judged]])

    def check_ends(self) -> None:
        """Raises a RowError for a row of a judged query whose end is not known."""
        self.run.refuse(np.isinf(self.run.end) & (self.query >= 0), lambda row: (
            "it runs to the document's end, which is not known and which measures of content need: "
            f'{end_repair("run", self.run.document_ids[self.run.document[row]])}'))

    @cached_property
    def rank(self) -> Ints:
        """The rank of each row, from 1."""
        return np.arange(1, len(self.run) + 1) - self._bounds[self.run.query]

    @cached_property
    def document_rank(self) -> Ints:
        """The number of different documents among the rows of a query up to each row: at the first item of a document,
        the rank of the document. In a query whose rows begin at ``low``, it is ``len(set(document[low:row + 1]))``.
        """
        # A stable sort by document leaves each document's rows in rank order; on short integers it is a radix sort.
        document, query = self.run.document, self.run.query
        order = np.argsort(document.astype(np.min_scalar_type(len(self.run.document_ids))), kind='stable')
        document, query = document[order], query[order]
        first = np.ones(len(order), np.intp)
        first[order[1:]] = (document[1:] != document[:-1]) | (query[1:] != query[:-1])
        rank = np.cumsum(first)
        return rank - (rank - first)[self._bounds[self.run.query]]


def document_key(qrels: SegmentTable, query: Ints, document: Ints) -> Ints:
    """A number for each document of a query of the qrels."""
    return query * max(1, len(qrels.document_ids)) + document
