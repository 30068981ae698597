"""A run beside its judgements on one axis (axis.py): what walks go through."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.evaluation.axis import Cover, SplitPositions, cut_at, most_decimals, running, split_positions, sums
from ir_segmeasures.evaluation.judgements import Judgements, TableTicks, table_ticks
from ir_segmeasures.segments.basics import Bools, Caching, Floats, Ints, quoted
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.table import RowError

_LONGEST = 2 ** 61  # ticks of an axis and of all items together, so that no sum of two lengths passes 64 bits


class Segments(NamedTuple):
    """Judged segments, not merged, in the order of the judgements.

    Attributes:
        row: the row of the qrels
        query: its place in the qrels
        stretch: the number of the document's stretch
        start, end: on the axis
    """
    row: Ints
    query: Ints
    stretch: Ints
    start: Ints
    end: Ints


def runs_on_axes(match: Match, judgements: Judgements, decimals: int) -> Iterator[tuple[slice, RunOnAxis]]:
    """A run beside its judgements on as few axes as hold it: nearly always on one for all queries.

    Args:
        match: the run beside the qrels
        judgements: of the ground of the measures
        decimals: the fewest that hold the parameters of the measures that are lengths

    Returns:
        pairs of the queries on an axis and the run on it. A query that would pass an axis by itself loses decimals
    """
    decimals = max(decimals, *(side.cached(table_ticks).decimals for side in (match.index, match)))
    if judgements.ground.sized:
        decimals = max(decimals, most_decimals(split_positions(judgements.of_documents('doc_size')).nanos))
    parts = [(0, len(match.qrels.query_ids), decimals)]
    while parts:
        low, high, decimals = parts.pop()
        try:
            on_axis = RunOnAxis(match, judgements, decimals, low, high)
        except OverflowError:
            middle = (low + high) // 2
            if high - low > 1:
                parts += [(middle, high, decimals), (low, middle, decimals)]
            elif decimals:
                parts.append((low, high, decimals - 1))
            else:
                raise ValueError(f'query {quoted(match.qrels.query_ids[low])} has segments that are too long together '
                                 'for whole numbers of 64 bits: give positions in a larger unit') from None
        else:
            yield slice(low, high), on_axis


class RunOnAxis(Caching):
    """The items of a run and the relevant spans on one axis, for all queries from ``low`` to before ``high``. What
    functions compute of it is kept by :meth:`cached`, so that measures share their walks.

    Arrays of one value a query have one for each query of the qrels. The items stand query by query in the order of the
    qrels, by rank; without ``ground.everywhere`` only those in documents with relevant content.

    Attributes:
        scale: ticks of one unit of the medium
        base: where the stretch of each document begins on the axis, and the last one ends
        query_of: the query of each stretch
        spans: the relevant spans, a :class:`Cover`
        query: for each item the place of its query in the qrels
        rank: from 1, over all items of the query
        stretch: the number of its document's stretch
        start: its start on the axis
        end: its end on the axis; an end that is not known is the start
        row: its row in ``match.run``
        n: for each query, the number of all its items
        answered: whether the run has any item for each query, be it condensed or not

    Raises:
        OverflowError: the axis would pass the largest number
    """

    def __init__(self, match: Match, judgements: Judgements, decimals: int, low: int, high: int):
        qrels, run, ground = match.qrels, match.run, judgements.ground
        self.match, self.judgements = match, judgements
        self.query_ids, self.queries = qrels.query_ids, len(qrels.query_ids)
        self.scale = 10 ** decimals
        self._nanos = 10 ** (9 - decimals)
        self._documents = len(qrels.document_ids) + len(run.document_ids)

        def here(query: Ints) -> Ints:
            return np.flatnonzero((query >= low) & (query < high))
        self._here = here(qrels.query[judgements.rows])  # in judgements.rows
        rows = relevant = judgements.rows[self._here]
        if ground.condensed or ground.everywhere:
            rows = judgements.judged
            rows = rows[here(qrels.query[rows])]
        self._rows, items = rows, here(match.query)
        key = qrels.query[rows] * self._documents + qrels.document[rows]
        judged, found = match.index.cached(table_ticks), match.cached(table_ticks)
        # Sums that pass 64 bits elsewhere do no harm, since they wrap around and come back.
        lengths = (found.end.whole - found.start.whole + 1)[items].sum(dtype=float)
        document = match.document[items]
        item_key = match.query[items] * self._documents + np.where(
            document < 0, len(qrels.document_ids) + run.document[items], document)
        if ground.everywhere:
            self._keys, (place, self.stretch) = cut_at(key, item_key)
        else:
            self._keys, (place,) = cut_at(key)
            self.stretch = np.searchsorted(self._keys, item_key)
            known = np.append(self._keys, -1)[self.stretch] == item_key
            items, self.stretch = items[known], self.stretch[known]
        self.row = items
        self.query_of = self._keys // max(1, self._documents)
        self._stretch = np.zeros(len(qrels), np.int64)  # of each judged row
        self._stretch[rows] = place
        self._lay(judged, found, lengths)
        self.start, self.end = (self._on_axis(self.stretch, column, items) for column in found[:2])
        self.segments = self._segments(relevant)
        self.spans = Cover.union(self.segments.start, self.segments.end, ground.apart)
        if ground.condensed:
            self._condense(self._segments(rows))
        self.query = self.match.query[self.row]
        if (np.diff(self.query) < 0).any():
            order = np.argsort(self.query, kind='stable')
            self.query, self.row, self.stretch, self.start, self.end = (
                column[order] for column in (self.query, self.row, self.stretch, self.start, self.end))
        self.rank = self.match.rank[self.row]
        self.n = np.zeros(self.queries, np.int64)
        answered, bounds = self.match.rankings
        self.n[answered] = bounds[:, 1] - bounds[:, 0]
        self.answered = np.bincount(match.rankings[0], minlength=self.queries) > 0

    def _lay(self, judged: TableTicks, found: TableTicks, lengths: float) -> None:
        """Lay out the stretches, each from the least start to the greatest end that stand in it; ``lengths`` is that of
        all items of the queries."""
        n = len(self._keys)
        self._origin, last = np.full(n, np.iinfo(np.int64).max), np.zeros(n, np.int64)
        for stretch, ticks, those in ((self._stretch[self._rows], judged, self._rows), (self.stretch, found, self.row)):
            np.minimum.at(self._origin, stretch, ticks.start.whole[those])
            np.maximum.at(last, stretch, ticks.end.whole[those])
        if self.judgements.ground.sized:
            size = split_positions(self.judgements.of_documents('doc_size')[self._here])
            self._origin[:] = 0
            stretch = self._stretch[self.judgements.rows[self._here]]
            np.maximum.at(last, stretch, size.whole)
            self._size = stretch, size
        extent = last + 2 - self._origin
        if (extent.sum(dtype=float) + lengths) * self.scale > _LONGEST:
            raise OverflowError('the axis passes 64 bits')
        self.base = np.append(0, np.cumsum(extent * self.scale))

    def _on_axis(self, stretch: Ints, positions: SplitPositions, rows: Ints | slice = slice(None)) -> Ints:
        zero = self.base[:-1] - self._origin * self.scale  # where the documents begin
        return zero[stretch] + positions.whole[rows] * self.scale + positions.nanos[rows] // self._nanos

    def _segments(self, rows: Ints) -> Segments:
        judged = self.match.index.cached(table_ticks)
        stretch = self._stretch[rows]
        return Segments(rows, self.match.qrels.query[rows], stretch,
                        *(self._on_axis(stretch, column, rows) for column in judged[:2]))

    def _condense(self, judged: Segments) -> None:
        """Leave out content that nobody judged, and items without judged content. Spans between which nothing is judged
        touch, but stay apart."""
        content = Cover.union(judged.start, judged.end)
        kept = content.common(self.start, np.maximum(self.open_ends(), self.start + 1)) > 0
        rows = self.row[kept]

        def condensed(stretch: Ints, x: Ints) -> Ints:
            return content.before(x) + stretch  # a tick between documents
        self.match = Match(self.match.qrels, self.match.run.in_order(rows), self.match.index)
        self.row, self.stretch = np.arange(len(rows)), self.stretch[kept]
        self.start, self.end = (condensed(self.stretch, x[kept]) for x in (self.start, self.end))
        of_span = self.stretch_at(self.spans.start)
        self.segments = self.segments._replace(start=condensed(self.segments.stretch, self.segments.start),
                                               end=condensed(self.segments.stretch, self.segments.end))
        self.spans = Cover.ordered(*(condensed(of_span, x) for x in (self.spans.start, self.spans.end)))
        self.base = np.append(content.before(self.base[:-1]), content.sums[-1]) + np.arange(len(self.base))

    def open_ends(self) -> Ints:
        """The end of each item; one that is not known is that of its stretch."""
        return np.where(np.isinf(self.match.run.end[self.row]), self.base[self.stretch + 1], self.end)

    def stretch_at(self, x: Ints) -> Ints:
        """The number of the stretch that each place on the axis lies in."""
        return np.searchsorted(self.base, x, 'right') - 1

    @cached_property
    def not_relevant(self) -> Segments:
        """The judged segments that are not relevant, for a ground that is everywhere. An end that is not known is that
        of the stretch."""
        segments = self._segments(self._rows[~np.isin(self._rows, self.segments.row)])
        is_open = np.isinf(self.match.qrels.end[segments.row])
        return segments._replace(end=np.where(is_open, self.base[segments.stretch + 1], segments.end))

    @cached_property
    def span_query(self) -> Ints:
        """The query of each span."""
        return self.query_of[self.stretch_at(self.spans.start)]

    @cached_property
    def R(self) -> Ints:
        """The number of spans of each query."""
        return np.bincount(self.span_query, minlength=self.queries)

    @cached_property
    def T_rel(self) -> Ints:
        """The length of the spans of each query, in ticks."""
        return sums(self.spans.end - self.spans.start, self.span_query, self.queries)

    @cached_property
    def relevant(self) -> Ints:
        """The length of the spans of each stretch, in ticks."""
        return self.spans.common(self.base[:-1], self.base[1:])

    @cached_property
    def Nrel(self) -> Ints:
        """The number of documents with relevant content of each query."""
        return np.bincount(self.query_of[self.relevant > 0], minlength=self.queries)

    @cached_property
    def before(self) -> Ints:
        """For each item the length of all items of its query at better ranks, in ticks."""
        if self.judgements.ground.condensed or self.judgements.ground.everywhere:
            return running(self.end - self.start, self.query) - (self.end - self.start)
        start, end, _ = self.match.cached(table_ticks)
        length = (end.whole - start.whole) * self.scale + (end.nanos - start.nanos) // self._nanos
        return (running(length, self.match.run.query) - length)[self.row]

    @cached_property
    def no_passage(self) -> Bools:
        """Tells whether each item is a document without a passage."""
        column = self.match.run.extra.get('no_passage')
        return np.zeros(len(self.row), bool) if column is None else column[self.row] > 0

    @cached_property
    def met(self) -> tuple[Ints, Ints]:
        """The spans that each item shares content with: from the first to before the second number."""
        return self.spans.met(self.start, self.end)

    def ticks(self, value: float) -> int:
        """A length that is a parameter, in ticks."""
        return round(Fraction(str(value)) * self.scale)

    def units(self, ticks: Any) -> Any:
        """Lengths in the unit of the medium."""
        return np.asarray(ticks) / self.scale

    def positions(self, stretch: Ints, x: Ints) -> list[float]:
        """Places on the axis as positions in their documents, the nearest floats."""
        origin, base = self._origin[stretch].tolist(), self.base[stretch].tolist()
        return [(low * self.scale + place - first) / self.scale for low, first, place in zip(origin, base, x.tolist())]

    @property
    def origins(self) -> Any:
        """The beginning of each stretch in its document, in ticks; Python's numbers where these pass 64 bits."""
        exact = self._origin.max(initial=0) < _LONGEST // self.scale
        return (self._origin if exact else self._origin.astype(object)) * self.scale

    def document_ids(self, stretch: Ints) -> list[str]:
        """The names of the documents of stretches."""
        judged, others = self.match.qrels.document_ids, self.match.run.document_ids
        return [judged[i] if i < len(judged) else others[i - len(judged)]
                for i in (self._keys[stretch] % max(1, self._documents)).tolist()]

    def of_stretches(self, name: str) -> Floats:
        """A column of the qrels that has one value a document, for each stretch; NaN where no row is relevant."""
        values = np.full(len(self.base) - 1, np.nan)
        values[self.segments.stretch] = self.judgements.of_documents(name)[self._here]
        return values

    @cached_property
    def documents(self) -> Cover:
        """The whole of each document with relevant content, where the ground is sized."""
        stretch, size = self._size
        return Cover.union(self.base[stretch], self._on_axis(stretch, size))

    def forget(self) -> None:
        """Let go of walks, which hold this run: so its memory is free when nobody looks at it any more."""
        vars(self).pop('_values', None)

    def error(self, item: int, sentence: str) -> RowError:
        """The error for an item."""
        return self.match.run.error(int(self.row[item]), sentence)
