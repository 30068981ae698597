"""
The passage measures of the INEX ad hoc track, 2007 to 2010: for focused retrieval the interpolated precision of Kamps,
Pehcevski, Kazai, Lalmas, Robertson. INEX 2007 Evaluation Measures. INEX 2007; best in context and reading effort as the
track's program, inex_eval 3.1, describes them. Retrieval in context is in agp.py.

These are the definitions, computed exactly: every judged topic, 0 without relevant content, recall levels without
bins. An item that is a document without a passage (``X`` in INEX runs) has no content. The program's own numbers are
``tool='inex_eval'``.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import chain, pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from ir_measures import measures

from ir_segmeasures.measures.agp import (
    DOCUMENTS,
    REQUIRED_DOCUMENTS,
    Generalised,
    Recalled,
    average,
    generalised,
    precision_at,
)
from ir_segmeasures.measures.aisp import Point, average_interpolated, interpolated
from ir_segmeasures.measures.base import CUTOFF, REL, TOLERANCE, Choice, Number, SegmentMeasure, tool_param
from ir_segmeasures.segments.spans import cut, merge

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir_segmeasures.evaluation.by_spans import Topic

    Floats = NDArray[np.float64]
    Span = tuple[float, float]

__all__ = ['iP', 'AiP', 'MAiP', 'AgP_bep', 'gP_bep', 'AgP_reading', 'gP_reading']

_LEVELS = 101
_TOOL = {'tool': tool_param('inex_eval')}
_FOCUSED = {
    'overlap': Choice("what an item is that repeats content of an earlier one of its document: counted without it "
                      "('trim'), or an error ('error')", 'trim', 'error', default='trim'),
    'rel': REL,
}


def repeats(document: NDArray[np.intp], start: Floats, end: Floats) -> list[tuple[int, float]]:
    """The items that repeat content of earlier ones of their document: their places, in order, and how much it is."""
    order = np.lexsort((start, document))
    of, left, right = document[order], start[order], end[order]
    # If any items of a document share content, then two that stand side by side here do.
    shared = set(of[1:][(of[1:] == of[:-1]) & (left[1:] < right[:-1])].tolist())
    if not shared:
        return []
    found = []
    unread: dict[int, tuple[list[float], list[float]]] = {key: ([0.0], [inf]) for key in shared}
    for place, (key, first, last) in enumerate(zip(document.tolist(), start.tolist(), end.tolist())):
        if key in shared and first < last:
            pieces = cut(*unread[key], first, last)
            if pieces != [(first, last)]:
                found.append((place, last - first - sum(right - left for left, right in pieces)))
    return found


def repeated(topic: Topic) -> list[tuple[int, float]]:
    """The ranks of the items that repeat content, and how much it is."""
    return [(place + 1, length) for place, length in repeats(*map(np.array, topic.ranking))] if topic.n else []


def passage_too(start: float, end: float) -> str:
    """The sentence about an item that is said to have no passage and has one."""
    return (f"it is a document without a passage ('no_passage'), but has one from {start:.12g} to {end:.12g}: make "
            "both 0, or leave 'no_passage' out")


def without_passage(topic: Topic) -> list[bool]:
    """For each item, by rank, whether it is a document without a passage. RowError if it is, and has one."""
    if any(topic.no_passage):
        for rank, (no_passage, start, end) in enumerate(zip(topic.no_passage, *topic.ranking[1:]), 1):
            if no_passage and end > 0:
                raise topic.error(rank, passage_too(start, end))
    return topic.no_passage


def retrieve(topic: Topic) -> list[Point]:
    """
    The items that hold relevant content which none before them holds: the rank, the relevant content retrieved until
    then (V) and all content retrieved until then (W), each counted once; and 0, as nothing of the item is left.
    """
    topic.once(without_passage)
    items, unseen, points = topic.items, dict[int, tuple[list[float], list[float]]](), []
    rest = iter([*topic.once(repeated), (inf, 0.0)])
    next_rank, length = next(rest)
    V = again = 0.0
    for rank, start, end, document, before in zip(items.rank, items.start, items.end, items.document, items.before):
        if document not in unseen:
            low, high = topic.first[document], topic.first[document + 1]
            unseen[document] = topic.starts[low:high], topic.ends[low:high]
        pieces = cut(*unseen[document], start, end)
        if pieces:
            while next_rank <= rank:
                again += length
                next_rank, length = next(rest)
            V += sum(right - left for left, right in pieces)
            points.append((rank, V, before + end - start - again, 0.0))
    return points


class _Focused(SegmentMeasure):
    def _points(self, topic: Topic) -> list[Point]:
        cutoff = self.params.get('cutoff', inf)
        if self['overlap'] == 'error':
            for rank, _ in topic.once(repeated)[:1]:
                if rank <= cutoff:
                    raise topic.error(rank, f'it repeats content of an earlier item of its document, which {self} '
                                            "refuses: cut it out, or leave overlap='error' out")
        return [point for point in topic.once(retrieve) if point[0] <= cutoff]


class _iP(_Focused):
    """
    Interpolated precision at recall x, of content: the best precision at this recall or a higher one.

    ``iP@x = max{ P_k : R_k >= x }``, 0 if there is none: after item k, ``P_k`` is the share of the content retrieved so
    far that is relevant, ``R_k`` the share of the relevant content that is retrieved. What an item repeats of earlier
    items of its document counts in neither (``overlap='trim'``).

    Range [0, 1], higher is better; the unit of the medium cancels out. Unlike ``iSP@x``, items are read as a whole, and
    no content twice. Source: Kamps et al. 2007 (iP[x]).
    """
    __name__ = 'iP'
    NAME = __name__
    PRETTY_NAME = 'Interpolated Precision at recall'
    SHORT_DESC = 'The share of the retrieved content that is relevant, at a recall level.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': Number('recall level, a share of the relevant content', low=0, high=1, required=True),
        **_FOCUSED,
        'cutoff': CUTOFF,
        **_TOOL,
    }
    TOOLS = {'inex_eval': {'rel': (1,), 'cutoff': (None,)}}

    def conflict(self, tool: str) -> str | None:
        if round(100 * self['recall']) / 100 != self['recall']:
            return (f'iP has recall={self["recall"]!r}, but {tool} has only 0, 0.01, … 1: take one of these, or leave '
                    'out the tool')
        return super().conflict(tool)

    def compute(self, topic: Topic) -> float:
        return interpolated(self._points(topic), self['recall'] * topic.T_rel)


iP = _iP()
measures.register(iP)


class _AiP(_Focused):
    """
    Average interpolated precision (MAiP): the mean of iP over 101 recall levels.

    ``AiP = (1/101) · Σ_{i=0..100} iP(i / 100)``

    Range [0, 1], higher is better; the unit of the medium cancels out. ``overlap='error'`` refuses runs with items that
    share content, as INEX' focused task does; the default counts what is new of each, in every document (INEX' thorough
    task). Source: Kamps et al. 2007 (AiP, MAiP).
    """
    __name__ = 'AiP'
    NAME = __name__
    PRETTY_NAME = 'Average interpolated Precision'
    SHORT_DESC = 'The share of the retrieved content that is relevant, averaged over recall.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_FOCUSED, **_TOOL}
    TOOLS = {'inex_eval': {'cutoff': (None,), 'rel': (1,)}}

    def compute(self, topic: Topic) -> float:
        return average_interpolated(self._points(topic), topic.T_rel, _LEVELS)


AiP = MAiP = _AiP()
measures.register(AiP, ['MAiP'])


def retrieved_documents(topic: Topic) -> list[int]:
    """Which of the topic's documents were retrieved, in the order of ``topic.in_context``."""
    return list(dict.fromkeys(document for document in topic.ranking.document if document < topic.Nrel))


def by_entry(topic: Topic, n: float) -> list[Recalled]:
    """The ranking of documents that are scored by how close their entry is to their best entry point."""
    entries: dict[int, float] = {}
    for document, start, no_passage in zip(topic.ranking.document, topic.ranking.start,
                                           topic.once(without_passage)):
        if document < topic.Nrel and not no_passage:
            entries.setdefault(document, start)
    bep = topic.beside('bep')
    return generalised(topic, [max(0.0, n - abs(entries[document] - bep[document])) / n if document in entries else 0.0
                               for document in retrieved_documents(topic)])


class _Average(Generalised):
    def compute(self, topic: Topic) -> float:
        return average(self._recalled(topic))


class _AtRank(Generalised):
    def compute(self, topic: Topic) -> float:
        return precision_at(self._scored(topic), self['cutoff'])


class _ByEntry(Generalised):
    CONTENT = False
    NEEDS = ('bep',)
    PARAMS = {
        'n': Number('distance from the best entry point, in the unit of the medium, from which on a document scores 0',
                    above=0, default=500),
        'rel': REL,
        **_TOOL,
    }
    TOOLS = {'inex_eval': {'n': int, 'rel': (1,)}}

    def _scored(self, topic: Topic) -> list[Recalled]:
        return topic.once(by_entry, self['n'])


class _AgP_bep(_ByEntry, _Average):
    """
    Average generalised precision for best in context: each document counts by how close the list's entry into it is to
    its best entry point.

    ``AgP_bep = (1/Nrel) · Σ_j gP_bep[j]`` over the ranks j of the relevant documents; a document scores
    ``S(d) = max(0, n - |entry - bep|) / n``. Its entry is the start of its first item in the list; items without a
    passage are no entries. Lengths do not matter.

    Range [0, 1], higher is better. ``@`` counts documents. The judgements need the column ``bep``. Source: INEX ad hoc
    track 2009-10, best in context (inex_eval -b).
    """
    __name__ = 'AgP_bep'
    NAME = __name__
    PRETTY_NAME = 'Average generalised Precision of entry points'
    SHORT_DESC = 'AP over documents that count by how close they are entered to their best entry point.'
    SUPPORTED_PARAMS = {'cutoff': DOCUMENTS, **_ByEntry.PARAMS}
    TOOLS = {'inex_eval': {'cutoff': (None,), **_ByEntry.TOOLS['inex_eval']}}


AgP_bep = _AgP_bep()
measures.register(AgP_bep)


class _gP_bep(_ByEntry, _AtRank):
    """
    Generalised precision at document rank r for best in context.

    ``gP_bep@r = Σ_{j<=r} S(d_j) / r``, with S as in ``AgP_bep``; documents beyond the end of the list score 0.

    Range [0, 1], higher is better. The judgements need the column ``bep``. Source: as ``AgP_bep``.
    """
    __name__ = 'gP_bep'
    NAME = __name__
    PRETTY_NAME = 'Generalised Precision of entry points at r documents'
    SHORT_DESC = 'The mean score of the entries into the top r documents.'
    SUPPORTED_PARAMS = {'cutoff': REQUIRED_DOCUMENTS, **_ByEntry.PARAMS}


gP_bep = _gP_bep()
measures.register(gP_bep)


def reading_score(parts: list[Span], starts: list[float], ends: list[float], size: float, irr: float) -> float:
    """
    The share of what is read of a document that is relevant: first its retrieved ``parts`` in order, then the rest of
    its ``size`` in order, until ``irr`` irrelevant content has been read. Parts and relevant spans are disjoint and in
    order, and an infinite span closes the latter.
    """
    edges = [0.0, *chain.from_iterable(parts), size]
    rest = [(left, min(right, size)) for left, right in zip(edges[::2], edges[1::2]) if left < size]
    relevant = irrelevant = 0.0
    for left, right in chain(parts, rest):
        i = bisect_right(ends, left)
        while True:
            irrelevant += max(0.0, min(starts[i], right) - left)
            if irrelevant >= irr * (1 - TOLERANCE):
                return relevant / (relevant + irr)
            if starts[i] >= right:
                break
            relevant += min(ends[i], right) - max(starts[i], left)
            left = ends[i]
            i += 1
    return relevant / (relevant + irrelevant)


def by_reading(topic: Topic, irr: float) -> list[Recalled]:
    """The ranking of documents that are scored by :func:`reading_score`."""
    topic.once(without_passage)
    sizes, bounds = topic.beside('doc_size'), list(pairwise(topic.first))
    if not topic.in_context:
        return []
    document, start, end = map(np.array, topic.ranking)
    some = (document < topic.Nrel) & (start < end)
    parts: dict[int, list[Span]] = {}
    for group, left, right in zip(*(column.tolist() for column in merge(document[some], start[some], end[some]))):
        parts.setdefault(group, []).append((left, right))
    return generalised(topic, [
        reading_score(parts.get(i, []), topic.starts[slice(*bounds[i])], topic.ends[slice(*bounds[i])], sizes[i], irr)
        for i in retrieved_documents(topic)])


class _ByReading(Generalised):
    NEEDS = ('doc_size',)
    PARAMS = {
        'irr': Number('irrelevant content after which the user leaves a document, in the unit of the medium', above=0,
                      default=300),
        'rel': REL,
        **_TOOL,
    }
    TOOLS = {'inex_eval': {'irr': int, 'rel': (1,)}}

    def _scored(self, topic: Topic) -> list[Recalled]:
        return topic.once(by_reading, self['irr'])


class _AgP_reading(_ByReading, _Average):
    """
    Average generalised precision for a user with a tolerance to irrelevance, who reads the retrieved parts of a
    document in order, then the rest of it in order, and leaves it when ``irr`` irrelevant content has been read, also
    right before relevant content.

    ``AgP_reading = (1/Nrel) · Σ_j gP_reading[j]`` over the ranks j of the relevant documents; a document scores
    ``S(d) = relevant content read / all content read``.

    Range [0, 1], higher is better; as the rest is read as well, the perfect run usually scores below 1. ``@`` counts
    documents. The judgements need the column ``doc_size``; what an item holds beyond the end is irrelevant. Source:
    INEX ad hoc track 2009-10 (inex_eval -i, which calls it T2I; it is not the user of ``T2I_AP``).
    """
    __name__ = 'AgP_reading'
    NAME = __name__
    PRETTY_NAME = 'Average generalised Precision of reading'
    SHORT_DESC = 'AP over documents that count by how much of what is read of them is relevant.'
    SUPPORTED_PARAMS = {'cutoff': DOCUMENTS, **_ByReading.PARAMS}
    TOOLS = {'inex_eval': {'cutoff': (None,), **_ByReading.TOOLS['inex_eval']}}


AgP_reading = _AgP_reading()
measures.register(AgP_reading)


class _gP_reading(_ByReading, _AtRank):
    """
    Generalised precision at document rank r for a user with a tolerance to irrelevance.

    ``gP_reading@r = Σ_{j<=r} S(d_j) / r``, with S as in ``AgP_reading``; documents beyond the end of the list score 0.

    Range [0, 1], higher is better. The judgements need the column ``doc_size``. Source: as ``AgP_reading``.
    """
    __name__ = 'gP_reading'
    NAME = __name__
    PRETTY_NAME = 'Generalised Precision of reading at r documents'
    SHORT_DESC = 'The mean share of what is read of the top r documents that is relevant.'
    SUPPORTED_PARAMS = {'cutoff': REQUIRED_DOCUMENTS, **_ByReading.PARAMS}


gP_reading = _gP_reading()
measures.register(gP_reading)
