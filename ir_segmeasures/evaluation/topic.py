"""One query with its relevant spans and its ranking, as the measures of spans see it: few items, in plain lists to walk
over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from typing import Any, TypeVar

from ir_segmeasures.evaluation.relevant_spans import RelevantSpans
from ir_segmeasures.evaluation.run_items import Candidates, Ranking, RetrievedDocuments, RunItems
from ir_segmeasures.segments.caching import Caching
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import cut_out
from ir_segmeasures.segments.tables.table import RowError

__all__ = ['Candidates', 'Ranking', 'RetrievedDocuments', 'UnseenSpans', 'Topic']

T = TypeVar('T')


class UnseenSpans:
    """The parts of a topic's relevant spans that the user has not seen yet, while the items are walked through."""

    def __init__(self, topic: Topic):
        # Of each span, from where and to where it has not been seen; there are gaps between where it is in ``_parts``.
        self._from, self._to = topic.starts.copy(), topic.ends.copy()
        # Of each span: itself, or one after it once all of it is seen (union-find).
        self._next = list(range(len(topic.starts)))
        self._parts: dict[int, tuple[list[float], list[float]]] = {}

    def cut(self, ahead: int, start: float, end: float) -> list[tuple[float, float]]:
        """Take an item as seen, and return its relevant pieces that were unseen before, in order. ``ahead`` is the
        place of the first span that ends after the item's start, as in :class:`Candidates`.
        """
        pieces: list[tuple[float, float]] = []
        following, begins, ends, i = self._next, self._from, self._to, ahead
        while True:
            while following[i] != i:
                following[i] = i = following[following[i]]
            left, right = begins[i], ends[i]
            if left >= end or start == end:
                return pieces
            if i in self._parts:
                # A span has a list of its own, so that a document of many spans is not moved for each of its items.
                parts = self._parts[i]
                pieces += cut_out(*parts, start, end)
                if parts[0]:
                    begins[i], ends[i] = parts[0][0], parts[1][-1]
                else:
                    following[i] = i + 1
            elif start <= left:
                if right <= end:
                    pieces.append((left, right))
                    following[i] = i + 1
                else:
                    pieces.append((left, end))
                    begins[i] = end
            elif start < right:
                if right <= end:
                    pieces.append((start, right))
                    ends[i] = start
                else:
                    pieces.append((start, end))
                    self._parts[i] = [left, end], [start, right]
            i += 1


class Topic(Caching):
    """One query with at least one relevant span, and its ranking.

    Attributes:
        query_id: the query
        R: number of its relevant spans
        T_rel: their total length
        Nrel: number of documents that have any
        starts, ends: the spans, document by document, in order; an infinite one closes each document
        first: where in ``starts`` each document begins, and behind the last the length of ``starts``
        n: number of items in its ranking
    """

    def __init__(self, query: int, relevant: RelevantSpans, run: RunItems):
        self._query, self._relevant, self._run = query, relevant, run
        self.query_id = relevant.query_ids[query]
        self.R = relevant.R[query]
        self.T_rel = relevant.T_rel[query]
        self.n = run.n[query]

    @property
    def Nrel(self) -> int:
        return self._relevant.groups[self._query + 1] - self._relevant.groups[self._query]

    @cached_property
    def first(self) -> list[int]:
        groups, first = self._relevant.groups, self._relevant.first
        low, high = groups[self._query], groups[self._query + 1]
        return [i - first[low] for i in first[low:high + 1]]

    @cached_property
    def starts(self) -> list[float]:
        return self._relevant.starts[self._spans]

    @cached_property
    def ends(self) -> list[float]:
        return self._relevant.ends[self._spans]

    @property
    def _spans(self) -> slice:
        groups, first = self._relevant.groups, self._relevant.first
        return slice(first[groups[self._query]], first[groups[self._query + 1]])

    def computed_on_run(self, function: Callable[..., Sequence[T]], *arguments: Any) -> T:
        """Return this query's value of ``function(run, *arguments)``, which computes the values of all queries of a
        run at once, on arrays, since a walk over the items of one query after the other would be slow. ``run`` is a
        :class:`~ir_segmeasures.evaluation.run_items.RunItems`.
        """
        return self._run.cached(function, *arguments)[self._query]

    def computed_on_qrels(self, function: Callable[..., Sequence[T]], *arguments: Any) -> T:
        """Return this query's value of ``function(relevant, *arguments)``, which computes the values of all queries
        once for every run. ``relevant`` is a :class:`~ir_segmeasures.evaluation.relevant_spans.RelevantSpans`.
        """
        return self._relevant.cached(function, *arguments)[self._query]

    @cached_property
    def items(self) -> Candidates:
        """The items that have relevant content after their start."""
        return self._run.candidates(self._query)

    @cached_property
    def retrieved_documents(self) -> RetrievedDocuments:
        """The retrieved documents that have relevant spans, by rank."""
        return self._run.retrieved_documents(self._query)

    @cached_property
    def ranking(self) -> Ranking:
        """All items, by rank."""
        return self._run.ranking(self._query)

    @cached_property
    def listed(self) -> list[int]:
        """The items in the order of the input, as places in the ranking, from 0."""
        return self._run.listed(self._query)

    @cached_property
    def no_passage(self) -> list[bool]:
        """For each item, by rank, whether it is a document without a passage."""
        run, bounds = self._run, self._run.all_items.bounds
        return run.no_passage[bounds[self._query]:bounds[self._query + 1]].tolist()

    def unseen(self) -> UnseenSpans:
        """The relevant spans, to be cut as the items are walked through; new at each call."""
        return UnseenSpans(self)

    def document_id(self, rank: int) -> str:
        """The id of the document of the item at a rank, without a fragment."""
        return self._run.document_id(self._query, rank)

    def span(self, place: int) -> tuple[float, float]:
        """The start and the end of the span at a place in ``starts`` of
        :class:`~ir_segmeasures.evaluation.relevant_spans.RelevantSpans`.
        """
        return self._relevant.starts[place], self._relevant.ends[place]

    def error(self, rank: int, sentence: str) -> RowError:
        """The error for the item at a rank."""
        return self._run.error(self._query, rank, sentence)

    @cached_property
    def segments(self) -> list[tuple[int, float, float]]:
        """The relevant judged segments, not merged, in the order of the judgements: document, start, end."""
        return self._relevant.segments(self._query)

    @cached_property
    def segments_of(self) -> dict[int, list[tuple[float, float, int]]]:
        """The relevant judged segments of each document: start, end, and the place in ``segments``."""
        segments: dict[int, list[tuple[float, float, int]]] = {}
        for place, (document, start, end) in enumerate(self.segments):
            segments.setdefault(document, []).append((start, end, place))
        return segments

    def check_whole_positions(self, reason: str) -> None:
        """Raise an error that names the row and the reason if a position of the run or of the spans has a fraction."""
        self._run.check_whole_positions(reason)
        if any(position % 1 for bounds in (self.starts, self.ends) for position in bounds if position < inf):
            raise ValueError(f'query {quoted(self.query_id)} has judgements with fractions, but {reason}: give whole '
                             'ones')

    def beside(self, name: str) -> list[float]:
        """A column of the qrels (one of ``EXTRAS``) that has one value a document, for each of the topic's documents: a
        number from 0 to below 10^15.

        Raises:
            ValueError: the column is missing
            RowError: a document without such a number or with two of them, a document that is shorter than its relevant
                content, or a best entry point after the end of its document
        """
        groups = self._relevant.groups
        return self._relevant.beside(name)[groups[self._query]:groups[self._query + 1]]
