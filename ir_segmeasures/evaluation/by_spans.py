"""
What every provider shares: the relevant spans of each query, and the ranking beside them.

A :class:`SegmentEvaluator` is built once for the qrels and given run after run. The work on a whole run (ids, ranks,
lengths, which items lie in documents with relevant spans) is done on arrays; a :class:`Topic` then shows one query to
the measures, with the few items that matter as plain lists to walk over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from math import inf
from typing import Any, NamedTuple, TypeVar

import numpy as np
from ir_measures import Evaluator, Measure, Metric

from ir_segmeasures.evaluation.relevant import Relevant
from ir_segmeasures.segments.match import Match
from ir_segmeasures.segments.spans import ahead, common_length, merge
from ir_segmeasures.segments.table import RowError, SegmentTable

__all__ = ['Items', 'Ranking', 'InContext', 'Shared', 'Topic', 'SegmentEvaluator', 'in_order']

T = TypeVar('T')


class Items(NamedTuple):
    """
    The items of a ranking that have relevant content after their start in their document, as columns, by rank.

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
    """
    All items of a ranking, as columns, by rank.

    Attributes:
        document: which of the topic's documents it lies in, or another number for each document without relevant spans
        start, end: in the document's unit
    """
    document: list[int]
    start: list[float]
    end: list[float]


class InContext(NamedTuple):
    """
    A retrieved document that has relevant spans, and the lengths of its content.

    Attributes:
        rank: from 1, over the documents of the query, each at its first item
        retrieved: content of all its items in the list, overlap counted once
        common: what of this is relevant
        relevant: content of its relevant spans
    """
    rank: int
    retrieved: float
    common: float
    relevant: float


class Shared:
    """What is shared by the measures of one query."""

    def __init__(self) -> None:
        self._known: dict[Any, Any] = {}

    def once(self, function: Callable[..., T], *arguments: Any) -> T:
        """``function(topic, *arguments)``, computed once: how measures share the walk of one user model."""
        key = (function, *arguments)
        if key not in self._known:
            self._known[key] = function(self, *arguments)
        return self._known[key]


class Topic(Shared):
    """
    One query with at least one relevant span, and its ranking.

    Attributes:
        query_id: the query
        R: number of its relevant spans
        T_rel: their total length
        Nrel: number of documents that have any
        starts, ends: the spans, document by document, in order; an infinite one closes each document
        first: where in ``starts`` each document begins, and behind the last the length of ``starts``
        n: number of items in its ranking
    """

    def __init__(self, query: int, relevant: Relevant, ranking: _Ranking):
        super().__init__()
        self._query, self._relevant, self._ranking = query, relevant, ranking
        self.query_id = relevant.query_ids[query]
        self.R = relevant.R[query]
        self.T_rel = relevant.T_rel[query]
        low, high = relevant.groups[query], relevant.groups[query + 1]
        self.Nrel = high - low
        self.first = [i - relevant.first[low] for i in relevant.first[low:high + 1]]
        self.starts = relevant.starts[relevant.first[low]:relevant.first[high]]
        self.ends = relevant.ends[relevant.first[low]:relevant.first[high]]
        self.n = ranking.n[query]

    @cached_property
    def items(self) -> Items:
        """The items that have relevant content after their start."""
        bounds = self._ranking.bounds
        low, high = bounds[self._query], bounds[self._query + 1]
        return Items._make(column[low:high] for column in self._ranking.items)

    @property
    def in_context(self) -> list[InContext]:
        """The retrieved documents that have relevant spans, by rank."""
        bounds = self._ranking.in_context_bounds
        return self._ranking.in_context[bounds[self._query]:bounds[self._query + 1]]

    @cached_property
    def ranking(self) -> Ranking:
        """All items, by rank."""
        return self._ranking.all_items(self._query)

    @cached_property
    def no_passage(self) -> list[bool]:
        """For each item, by rank, whether it is a document without a passage."""
        return self._ranking.no_passage(self._query)

    def error(self, rank: int, sentence: str) -> RowError:
        """The error for the item at a rank."""
        return self._ranking.error(self._query, rank, sentence)

    @cached_property
    def segments(self) -> list[tuple[int, float, float]]:
        """The relevant judged segments, not merged, in the order of the judgements: document, start, end."""
        return self._relevant.segments(self._query)

    @cached_property
    def segments_of(self) -> dict[int, list[tuple[float, float, int]]]:
        """The same by document: start, end, and the place in ``segments``."""
        segments: dict[int, list[tuple[float, float, int]]] = {}
        for place, (document, start, end) in enumerate(self.segments):
            segments.setdefault(document, []).append((start, end, place))
        return segments

    def check_whole_positions(self, reason: str) -> None:
        """Raise an error that names the row and the reason if a position of the run or of the spans has a fraction."""
        row = self._ranking.fraction
        if row >= 0:
            raise self._ranking.run.error(row, f'the segment has fractions, but {reason}: give whole positions')
        if any(position % 1 for bounds in (self.starts, self.ends) for position in bounds if position < inf):
            raise ValueError(f'query {self.query_id!r} has judgements with fractions, but {reason}: give whole ones')

    def beside(self, name: str) -> list[float]:
        """
        A column of the qrels that has one value a document (:data:`~ir_segmeasures.segments.columns.EXTRAS`), for each
        of the topic's documents: a finite number >= 0. Raises a ValueError where the column is not there, and a
        RowError where a document has no such number, or two, where it is shorter than its relevant content, and where
        its best entry point lies after its end.
        """
        groups = self._relevant.groups
        return self._relevant.beside(name)[groups[self._query]:groups[self._query + 1]]


class SegmentEvaluator(Evaluator):
    """
    Scores runs for a set of measures and qrels. Every judged query has a value for every measure in every run.

    Args:
        measures: measures of this package, their parameters validated
        qrels: in any shape of ir-measures, or a :class:`~ir_segmeasures.segments.table.SegmentTable`
        compute: the value of a measure for a query that has relevant spans
        content: whether a measure needs the content of the items, so that their ends must be known

    Raises:
        ValueError: qrels or a run that the measures cannot be computed on; the sentence names the row or the query.
    """

    def __init__(self, measures: Iterable[Measure], qrels: Any, compute: Callable[[Any, Topic], float], content: bool):
        measures = in_order(measures)
        self._compute, self._content = compute, content
        self._by_rel: dict[float, list[Measure]] = {}
        for measure in measures:
            # What asks for judged segments of any relevance has no such parameter.
            rel = measure['rel'] if 'rel' in measure.SUPPORTED_PARAMS else -inf
            self._by_rel.setdefault(rel, []).append(measure)
        self._qrels = SegmentTable.from_qrels(qrels)
        self._relevant = {rel: Relevant(self._qrels, rel) for rel in self._by_rel}
        super().__init__(measures, self._qrels.query_ids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each measure for each judged query."""
        table = SegmentTable.from_run(run)
        match = Match(self._qrels, table)
        if self._content:
            match.check_ends()
        for rel, measures in self._by_rel.items():
            relevant = self._relevant[rel]
            ranking = _Ranking(relevant, match)
            for query, query_id in enumerate(self.qrel_qids):
                if not relevant.R[query]:
                    yield from (Metric(query_id, measure, 0.) for measure in measures)
                    continue
                topic = Topic(query, relevant, ranking)
                for measure in measures:
                    yield Metric(query_id, measure, float(self._compute(measure, topic)))


def in_order(measures: Iterable[Measure]) -> list[Measure]:
    """Each measure once. The host gives a set, which has another order in every process; tables should not."""
    return sorted(measures, key=str) if isinstance(measures, set) else list(dict.fromkeys(measures))


class _Ranking:
    """The items of a run that lie in documents with relevant spans, for one ``rel``."""

    def __init__(self, relevant: Relevant, match: Match):
        self._relevant, self._match = relevant, match
        self.n = [0] * len(relevant.query_ids)
        for query, (low, high) in match.blocks.items():
            self.n[query] = high - low
        rows = np.flatnonzero(match.key >= 0)
        group = np.searchsorted(relevant.keys, match.key[rows])
        known = np.append(relevant.keys, -1)[group] == match.key[rows]
        # By the query's place in the qrels, so that each query's items stand together; ranks keep their order.
        order = np.argsort(match.query[rows[known]], kind='stable')
        self._rows, self._group = rows[known][order], group[known][order]

    @cached_property
    def items(self) -> Items:
        return self._items[0]

    @cached_property
    def bounds(self) -> list[int]:
        return self._items[1]

    @cached_property
    def _items(self) -> tuple[Items, list[int]]:
        match, relevant, run = self._match, self._relevant, self._match.run
        rows, group, groups = self._rows, self._group, relevant.groups
        span = ahead(relevant.spans, group, run.start[rows])
        some = np.append(relevant.spans.group, -1)[span] == group
        rows, group, span = rows[some], group[some], span[some]
        query = match.query[rows]
        document = group - np.array(groups)[query]
        place = span + document - (np.array(relevant.first) - np.arange(len(relevant.first)))[np.array(groups)[query]]
        items = Items(match.rank[rows].tolist(), run.start[rows].tolist(), run.end[rows].tolist(), document.tolist(),
                      place.tolist(), match.before[rows].tolist())
        return items, np.searchsorted(query, np.arange(len(self.n) + 1)).tolist()

    def all_items(self, query: int) -> Ranking:
        run, first = self._match.run, self._relevant.groups[query]
        rows = slice(*self._match.blocks.get(query, (0, 0)))
        # The documents of the topic are numbered from 0; the others come after them.
        others = run.document[rows] + len(self._relevant.keys)
        keys = self._match.key[rows]
        group = np.minimum(np.searchsorted(self._relevant.keys, keys), len(self._relevant.keys) - 1)
        document = np.where(self._relevant.keys[group] == keys, group - first, others)
        return Ranking(document.tolist(), run.start[rows].tolist(), run.end[rows].tolist())

    def no_passage(self, query: int) -> list[bool]:
        low, high = self._match.blocks.get(query, (0, 0))
        column = self._match.run.extra.get('no_passage')
        return [False] * (high - low) if column is None else (column[low:high] > 0).tolist()

    def error(self, query: int, rank: int, sentence: str) -> RowError:
        return self._match.run.error(self._match.blocks[query][0] + rank - 1, sentence)

    @property
    def run(self) -> SegmentTable:
        return self._match.run

    @property
    def fraction(self) -> int:
        """The first row of a judged query with a position that is no whole number, or -1."""
        return self._match.fraction

    @cached_property
    def in_context(self) -> list[InContext]:
        return self._in_context[0]

    @cached_property
    def in_context_bounds(self) -> list[int]:
        return self._in_context[1]

    @cached_property
    def _in_context(self) -> tuple[list[InContext], list[int]]:
        match, relevant = self._match, self._relevant
        first = np.full(len(relevant.keys), -1)
        first[self._group[::-1]] = self._rows[::-1]  # of what is written to one place the last stays: the best rank
        group = np.flatnonzero(first >= 0)
        rank, query = match.document_rank[first[group]], match.query[first[group]]
        start, end = match.run.start[self._rows], match.run.end[self._rows]
        parts = merge(self._group, start, end)
        retrieved = np.bincount(parts.group, parts.end - parts.start, len(relevant.keys))
        common = np.bincount(parts.group, common_length(parts, relevant.spans), len(relevant.keys))
        order = np.lexsort((rank, query))
        group = group[order]
        documents = map(InContext._make, zip(rank[order].tolist(), retrieved[group].tolist(), common[group].tolist(),
                                             relevant.relevant[group].tolist()))
        return list(documents), np.searchsorted(query[order], np.arange(len(self.n) + 1)).tolist()
