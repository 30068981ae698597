"""The items of a run beside the relevant spans, for all queries at once; topics show them query by query."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ir_segmeasures.evaluation.relevant_spans import RelevantSpans
from ir_segmeasures.segments.arrays import Bools, Floats, Ints
from ir_segmeasures.segments.caching import Caching
from ir_segmeasures.segments.spans import (
    Spans,
    common_length,
    first_ending_after,
    first_starting_from,
    in_order,
    merged_spans,
)
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.table import RowError

__all__ = ['AllDocuments', 'AllItems', 'CandidateItems', 'Candidates', 'DocumentLengths', 'ElementaryIntervals',
           'OverlappingItems', 'Ranking', 'RetrievedDocuments', 'RunItems']


class Candidates(NamedTuple):
    """The items of a ranking that can meet relevant content, which lies after their start in their document; as
    columns, by rank.

    Attributes:
        rank: from 1, over all items of the query
        start, end: in the document's unit
        document: which of the topic's documents it lies in
        ahead: where in the topic's ``starts`` and ``ends`` the first span stands that ends after ``start``
        before: the length of all items at better ranks
    """
    rank: list[int]
    start: list[float]
    end: list[float]
    document: list[int]
    ahead: list[int]
    before: list[float]


class Ranking(NamedTuple):
    """All items of a ranking, as columns, by rank.

    Attributes:
        document: which of the topic's documents it lies in, or another number for each document without relevant spans
        start, end: in the document's unit
    """
    document: list[int]
    start: list[float]
    end: list[float]


class RetrievedDocuments(NamedTuple):
    """The retrieved documents of a query that have relevant spans, as arrays, by rank.

    Attributes:
        document: which of the topic's documents it is
        rank: from 1, over the documents of the query, each at its first item
        relevant: the length of its relevant spans
    """
    document: Ints
    rank: Ints
    relevant: Floats


class DocumentLengths(NamedTuple):
    """The lengths of the content that was retrieved of documents with relevant spans, as arrays.

    Attributes:
        retrieved: length of the content of all items in the list, overlap counted once
        common: length of the relevant part of this content
    """
    retrieved: Floats
    common: Floats


class AllDocuments(NamedTuple):
    """The retrieved documents of a run that have relevant spans, as arrays, query by query in the order of the qrels,
    by rank.

    Attributes:
        group: the place of the document among those with relevant spans (``relevant.keys``)
        rank: from 1, over the documents of the query, each at its first item
        relevant: the length of its relevant spans
        bounds: where each query begins, and the last one ends
    """
    group: Ints
    rank: Ints
    relevant: Floats
    bounds: list[int]


class AllItems(NamedTuple):
    """All items of a run, as arrays, query by query in the order of the qrels, by rank.

    Attributes:
        query: its place in the qrels
        document: a number for its document, whatever the query
        group: the place of its document among those with relevant spans (``relevant.keys``), or -1
        start, end: in the document's unit
        bounds: where each query begins, and the last one ends
    """
    query: Ints
    document: Ints
    group: Ints
    start: Floats
    end: Floats
    bounds: list[int]


class CandidateItems(NamedTuple):
    """The items of a run that have relevant content after their start, as arrays, query by query in the order of the
    qrels, by rank.

    Attributes:
        rank: from 1, over all items of the query
        start: in the document's unit
        group: the place of its document among those with relevant spans (``relevant.keys``)
        first: which of ``relevant.spans`` is the first of its document that ends after its start
        place: where this span stands in ``relevant.starts``
        bounds: where each query begins, and the last one ends
    """
    rank: Ints
    start: Floats
    group: Ints
    first: Ints
    place: Ints
    bounds: Ints


class OverlappingItems(NamedTuple):
    """The items of a run that share content with relevant spans, as arrays, query by query in the order of the qrels,
    by rank.

    Attributes:
        rank: from 1, over all items of the query
        start, end: in the document's unit
        before: the length of all items of the query at better ranks
        group: the place of its document among those with relevant spans (``relevant.keys``)
        first, stop: the spans it shares content with are ``relevant.spans[first:stop]``
        bounds: where each query begins, and the last one ends
    """
    rank: Ints
    start: Floats
    end: Floats
    before: Floats
    group: Ints
    first: Ints
    stop: Ints
    bounds: Ints


class ElementaryIntervals(NamedTuple):
    """The elementary intervals of documents: the documents, cut at the starts and ends of their relevant segments as
    these were judged. A segment and an item share content exactly where they share an elementary interval.

    Attributes:
        n: number of intervals
        first, stop: each segment (``relevant.judged``) consists of the intervals from ``first`` to before ``stop``
        item_first, item_stop: each item (``overlapping_items``) lies in these intervals
    """
    n: int
    first: Ints
    stop: Ints
    item_first: Ints
    item_stop: Ints


class RunItems(Caching):
    """The items of a run beside the relevant spans for one ``rel``, on arrays of all queries. Values of functions that
    :meth:`cached` keeps serve every query.

    Attributes:
        n: for each query, the number of items in its ranking
        relevant: the relevant spans
    """

    def __init__(self, relevant: RelevantSpans, match: Match):
        self.relevant, self._match = relevant, match
        self.n = [0] * len(relevant.query_ids)
        for query, (low, high) in match.blocks.items():
            self.n[query] = high - low
        # The items that lie in documents with relevant spans: their rows, and the places of these documents.
        rows = np.flatnonzero(match.key >= 0)
        group = np.searchsorted(relevant.keys, match.key[rows])
        known = np.append(relevant.keys, -1)[group] == match.key[rows]
        # By the query's place in the qrels, so that each query's items stand together; ranks keep their order.
        rows, group = rows[known], group[known]
        query = match.query[rows]
        if (query[1:] < query[:-1]).any():
            order = np.argsort(query, kind='stable')
            rows, group = rows[order], group[order]
        self._rows, self._group = rows, group

    def candidates(self, query: int) -> Candidates:
        """The items of a query that have relevant content after their start."""
        columns, bounds = self._candidates
        low, high = bounds[query], bounds[query + 1]
        return Candidates._make(column[low:high] for column in columns)

    def _bounds(self, query: Ints) -> Ints:
        """Where the items of each query begin, and the last one's end, in a column of their queries."""
        return np.searchsorted(query, np.arange(len(self.n) + 1))

    @cached_property
    def _candidate_rows(self) -> tuple[Ints, Ints, Ints]:
        """The rows of items with relevant content after their start, the documents of these items, and for each item
        the first span that ends after its start.
        """
        spans = self.relevant.spans
        first = first_ending_after(spans, self._group, self._match.run.start[self._rows])
        found = np.append(spans.group, -1)[first] == self._group
        return self._rows[found], self._group[found], first[found]

    @cached_property
    def candidate_items(self) -> CandidateItems:
        """The items that have relevant content after their start."""
        rows, group, first = self._candidate_rows
        bounds = self._bounds(self._match.query[rows])
        # In relevant.starts an infinite span closes each document.
        return CandidateItems(self._match.rank[rows], self._match.run.start[rows], group, first, first + group, bounds)

    @cached_property
    def overlapping_items(self) -> OverlappingItems:
        """The items that share content with relevant spans."""
        match, spans, run = self._match, self.relevant.spans, self._match.run
        rows, group, first = self._candidate_rows
        found = (spans.start[first] < run.end[rows]) & (run.start[rows] < run.end[rows])
        rows, group, first, end = rows[found], group[found], first[found], run.end[rows[found]]
        return OverlappingItems(match.rank[rows], run.start[rows], end, match.before[rows], group, first,
                                first_starting_from(spans, group, end), self._bounds(match.query[rows]))

    @cached_property
    def elementary_intervals(self) -> ElementaryIntervals:
        """The elementary intervals of the documents with relevant segments."""
        items, (_, group, start, end) = self.overlapping_items, self.relevant.judged
        groups, positions = np.concatenate([group, group]), np.concatenate([start, end])
        order = in_order(groups, positions)
        n, place = len(order), np.empty(len(order), np.intp)
        place[order] = np.arange(n)
        bounds = Spans(groups[order], positions[order], positions[order])
        before = np.searchsorted(bounds.group, items.group)  # an item may start before all segments
        return ElementaryIntervals(n, place[:n // 2], place[n // 2:],
                                   np.maximum(first_ending_after(bounds, items.group, items.start) - 1, before),
                                   first_starting_from(bounds, items.group, items.end))

    @cached_property
    def _candidates(self) -> tuple[Candidates, list[int]]:
        """The candidates of all queries, and where each query begins."""
        match, relevant = self._match, self.relevant
        items, (rows, _, _) = self.candidate_items, self._candidate_rows
        first_group = np.array(relevant.groups)[match.query[rows]]  # the first document of the query
        # A topic sees relevant.starts from its query's first document on.
        place = items.place - np.array(relevant.first)[first_group]
        columns = Candidates(items.rank.tolist(), items.start.tolist(), match.run.end[rows].tolist(),
                             (items.group - first_group).tolist(), place.tolist(), match.before[rows].tolist())
        return columns, items.bounds.tolist()

    def retrieved_documents(self, query: int) -> RetrievedDocuments:
        """The retrieved documents of a query that have relevant spans, by rank."""
        group, rank, relevant, bounds = self.all_documents
        rows = slice(bounds[query], bounds[query + 1])
        return RetrievedDocuments(group[rows] - self.relevant.groups[query], rank[rows], relevant[rows])

    @cached_property
    def all_documents(self) -> AllDocuments:
        """The retrieved documents of all queries that have relevant spans."""
        match, relevant = self._match, self.relevant
        first = np.full(len(relevant.keys), -1)
        first[self._group[::-1]] = self._rows[::-1]  # of what is written to one place the last stays: the best rank
        group = np.flatnonzero(first >= 0)
        rank, query = match.document_rank[first[group]], match.query[first[group]]
        order = np.lexsort((rank, query))
        group, query = group[order], query[order]
        return AllDocuments(group, rank[order], relevant.relevant[group], self._bounds(query).tolist())

    @cached_property
    def document_lengths(self) -> DocumentLengths:
        """The lengths of content retrieved of each document with relevant spans (``relevant.keys``)."""
        run, relevant = self._match.run, self.relevant
        parts = merged_spans(self._group, run.start[self._rows], run.end[self._rows])
        return DocumentLengths._make(np.bincount(parts.group, length, len(relevant.keys)).astype(np.float64, copy=False)
                                     for length in (parts.end - parts.start, common_length(parts, relevant.spans)))

    @cached_property
    def _rows_of_queries(self) -> Ints:
        rows = np.flatnonzero(self._match.query >= 0)
        query = self._match.query[rows]
        return rows if (query[1:] >= query[:-1]).all() else rows[np.argsort(query, kind='stable')]

    @cached_property
    def all_items(self) -> AllItems:
        """The items of all judged queries."""
        run, rows = self._match.run, self._rows_of_queries
        query = self._match.query[rows]
        group = np.full(len(run), -1)
        group[self._rows] = self._group
        return AllItems(query, run.document[rows], group[rows], run.start[rows], run.end[rows],
                        self._bounds(query).tolist())

    @cached_property
    def judged_not_relevant(self) -> Bools:
        """Whether each item of :attr:`all_items` shares content with judgements that are not relevant."""
        spans, key, items = self.relevant.not_relevant, self._match.key[self._rows_of_queries], self.all_items
        met = first_ending_after(spans, key, items.start) < first_starting_from(spans, key, items.end)
        return met & (items.start < items.end)

    def ranking(self, query: int) -> Ranking:
        """All items of a query."""
        _, document, group, start, end, bounds = self.all_items
        rows, first = slice(bounds[query], bounds[query + 1]), self.relevant.groups[query]
        # The documents of the topic are numbered from 0; the others come after them.
        others = document[rows] + len(self.relevant.keys)
        document = np.where(group[rows] >= 0, group[rows] - first, others)
        return Ranking(document.tolist(), start[rows].tolist(), end[rows].tolist())

    def listed(self, query: int) -> list[int]:
        """The items of a query in the order of the input, as places in the ranking, from 0."""
        bounds = self.all_items.bounds
        return np.argsort(self._match.run.row[self._rows_of_queries[bounds[query]:bounds[query + 1]]]).tolist()

    @cached_property
    def no_passage(self) -> Bools:
        """Whether each item of :attr:`all_items` is a document without a passage."""
        column = self._match.run.extra.get('no_passage')
        return np.zeros(len(self.all_items.query), bool) if column is None else column[self._rows_of_queries] > 0

    def document_id(self, query: int, rank: int) -> str:
        """The id of the document of the item of a query at a rank, from 1."""
        run = self._match.run
        return run.document_ids[int(run.document[self._match.blocks[query][0] + rank - 1])]

    def check_whole_positions(self, reason: str) -> None:
        """Raise the error for the first row of a judged query with a position that has a fraction, if there is one."""
        row = self._match.fraction
        if row >= 0:
            raise self._match.run.error(row, f'the segment has fractions, but {reason}: give whole positions')

    def error(self, query: int, rank: int, sentence: str) -> RowError:
        """The error for the item of a query at a rank, from 1."""
        return self._match.run.error(self._match.blocks[query][0] + rank - 1, sentence)
