"""The relevant spans of the qrels, merged, and the columns of the qrels beside the judged segments."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segments.caching import Caching
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import TOO_LARGE
from ir_segmeasures.segments.spans import Spans, first_ending_after, merged_spans
from ir_segmeasures.segments.tables.matching import document_key
from ir_segmeasures.segments.tables.table import SegmentTable

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.condensed_lists import CondensedDocuments

__all__ = ['RelevantSpans']


class RelevantSpans(Caching):
    """The relevant spans of all queries, for one ``rel``. A group is a document of a query. Values of functions that
    :meth:`cached` keeps serve every run.

    Args:
        qrels: the judgements
        rel: the relevance from which content is relevant
        condensed: documents without the content that nobody judged; then ``spans``, ``starts`` and ``ends`` lie in
            these, and spans between which nothing is judged touch, but stay apart

    Attributes:
        spans: relevant content, merged
        judged: the relevant segments as they were judged, as arrays: query, group, start, end
        keys: the key of each group (:func:`~ir_segmeasures.segments.tables.matching.document_key`), sorted
        query: the query of each group
        groups: where the groups of each query begin in ``keys``, and where those of the last query end
        relevant: the length of the relevant content of each group
        R, T_rel: the number and the length of the spans of each query
        starts, ends: the bounds of the spans, as lists, in which an infinite span closes each group
        first: where each group begins in ``starts``
    """

    def __init__(self, qrels: SegmentTable, rel: float, condensed: CondensedDocuments | None = None):
        rows = qrels.relevant_rows(rel)
        start, end = qrels.start[rows], qrels.end[rows]
        self.query_ids = qrels.query_ids
        n = len(self.query_ids)
        key = document_key(qrels, qrels.query[rows], qrels.document[rows])
        ordered = np.sort(key)
        self.keys = ordered[np.diff(ordered, prepend=-1) > 0]  # np.unique would import numpy.ma, 12 ms of a command
        group = np.searchsorted(self.keys, key)
        self.judged = qrels.query[rows], group, start, end
        self._qrels, self._rows, self._beside = qrels, rows, dict[str, list[float]]()
        self.spans = merged_spans(group, start, end)
        if condensed:
            keys = self.keys[self.spans.group]
            self.spans = Spans(self.spans.group, *(condensed.positions(keys, bound) for bound in self.spans[1:]))
        length = self.spans.end - self.spans.start
        self.query = query = self.keys // max(1, len(qrels.document_ids))
        self.R: list[int] = np.bincount(query[self.spans.group], minlength=n).tolist()
        self.T_rel: list[float] = np.bincount(query[self.spans.group], length, n).tolist()
        self.relevant = np.bincount(self.spans.group, length, len(self.keys)).astype(np.float64, copy=False)
        self.groups: list[int] = np.searchsorted(query, np.arange(n + 1)).tolist()
        # Each document is closed by an infinite span, so that a walk needs no bounds.
        last = np.searchsorted(self.spans.group, np.arange(len(self.keys)), 'right')
        self.starts: list[float] = np.insert(self.spans.start, last, inf).tolist()
        self.ends: list[float] = np.insert(self.spans.end, last, inf).tolist()
        self.first: list[int] = [0, *(last + np.arange(1, len(last) + 1)).tolist()]

    @cached_property
    def not_relevant(self) -> Spans:
        """The spans judged with a relevance from 0 to below ``rel``, merged. Their group is the key of the document, as
        in ``keys``; what a span shares with relevant ones stays.
        """
        qrels = self._qrels
        rest = (qrels.value >= 0) & (qrels.end > qrels.start)
        rest[self._rows] = False
        rows = np.flatnonzero(rest)
        return merged_spans(document_key(qrels, qrels.query[rows], qrels.document[rows]), qrels.start[rows],
                            qrels.end[rows])

    @cached_property
    def not_relevant_counts(self) -> list[int]:
        """For each query, the number of the spans :attr:`not_relevant` that are not wholly in relevant ones."""
        key, start, end = self.not_relevant
        spans = Spans(self.keys[self.spans.group], self.spans.start, self.spans.end)
        around = first_ending_after(spans, key, start)
        reach = np.where(np.append(spans.group, -1)[around] == key, np.append(spans.end, -inf)[around], -inf)
        outside = (np.append(spans.start, inf)[around] > start) | (reach < end)
        query = key[outside] // max(1, len(self._qrels.document_ids))
        counts: list[int] = np.bincount(query, minlength=len(self.query_ids)).tolist()
        return counts

    def beside(self, name: str) -> list[float]:
        """A column of the qrels that has one value a document, for each group; see :meth:`Topic.beside
        <ir_segmeasures.evaluation.topic.Topic.beside>` for its errors.
        """
        if name not in self._beside:
            qrels, rows, group = self._qrels, self._rows, self.judged[1]
            value = qrels.beside(name)[rows]
            known = ~np.isnan(value)
            values = self._of_documents(value)
            other, missing = known & (value != values[group]), np.isnan(values[group])
            wrong = known & ~((value >= 0) & (value < TOO_LARGE))
            if wrong.any():
                row = np.argmax(wrong)
                raise qrels.error(int(rows[row]), f'the {quoted(name)} is {value[row]:.12g}, but it is a place or a '
                                                  'length in a document: give a number from 0 to below 10^15')
            if other.any():
                raise qrels.error(int(rows[np.argmax(other)]), f'another row has another {quoted(name)} for this '
                                  'document: give all rows of a document of a query the same one')
            if missing.any():
                raise qrels.no_value(name, int(rows[np.argmax(missing)]))
            self._check_size(name, values[group])
            self._beside[name] = values.tolist()
        return self._beside[name]

    def flags(self, name: str) -> Any:
        """A column of the qrels that is 0 or 1, as booleans, one for each of ``judged``; others are a RowError."""
        value = self._qrels.beside(name)[self._rows]
        order = self._segments[0]
        wrong = order[~np.isin(value[order], (0, 1))]
        if wrong.size:
            row, value = int(self._rows[wrong[0]]), value[wrong[0]]
            if np.isnan(value):
                raise self._qrels.no_value(name, row)
            raise self._qrels.error(row, f'the {quoted(name)} is {value:.12g}, but it is 1 or 0: give one of these')
        return value == 1

    def column(self, name: str) -> Any:
        """A column of the qrels, or ``'relevance'``, as an array: one value for each of ``judged``."""
        return (self._qrels.value if name == 'relevance' else self._qrels.beside(name))[self._rows]

    def of_queries(self, values: Any) -> list[list[Any]]:
        """An array with one value for each of ``judged``, as lists: for each query the values of its segments, in the
        order of the judgements."""
        order, *_, bounds = self._segments
        listed = values[order].tolist()
        return [listed[low:high] for low, high in pairwise(bounds)]

    def _of_documents(self, value: Any) -> Any:
        known = ~np.isnan(value)
        values = np.full(len(self.keys), nan)
        values[self.judged[1][known]] = value[known]
        return values

    def _check_size(self, name: str, value: Any) -> None:
        qrels, rows, (_, group, _, end) = self._qrels, self._rows, self.judged
        if name == 'doc_size':
            place, size, what = end, value, 'it is relevant up to'
        elif name == 'bep' and 'doc_size' in qrels.extra:
            place, size, what = value, self._of_documents(qrels.extra['doc_size'][rows])[group], "the 'bep' is"
        else:
            return
        if (place > size).any():
            row = np.argmax(place > size)
            raise qrels.error(int(rows[row]), f"{what} {place[row]:.12g}, but the 'doc_size' of its document is "
                                              f'{size[row]:.12g}: correct one of them')

    def segments(self, query: int) -> list[tuple[int, float, float]]:
        """The relevant judged segments of a query, not merged, in the order of the judgements: document, start, end."""
        _, groups, starts, ends, bounds = self._segments
        rows = slice(bounds[query], bounds[query + 1])
        document = groups[rows] - self.groups[query]
        return list(zip(document.tolist(), starts[rows].tolist(), ends[rows].tolist()))

    @cached_property
    def _segments(self) -> tuple[Any, ...]:
        order = np.argsort(self.judged[0], kind='stable')
        queries, groups, starts, ends = (column[order] for column in self.judged)
        return order, groups, starts, ends, np.searchsorted(queries, np.arange(len(self.query_ids) + 1)).tolist()
