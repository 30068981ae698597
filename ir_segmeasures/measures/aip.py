"""
Focused retrieval, the interpolated precision of content of the INEX ad hoc track, 2007 to 2010: Kamps, Pehcevski,
Kazai, Lalmas, Robertson. INEX 2007 Evaluation Measures. INEX 2007.

These are the definitions, computed exactly: every judged topic, 0 without relevant content, recall levels without
bins. An item that is a document without a passage (``X`` in INEX runs) has no content. The program's own numbers are
``tool='inex_eval'``.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.aisp import Point, average_interpolated, interpolated
from ir_segmeasures.measures.base import CUTOFF, REL, Choice, Number, SpanMeasure, register
from ir_segmeasures.segments.spans import cut

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir_segmeasures.evaluation.topic import Topic

    Floats = NDArray[np.float64]

__all__ = ['iP', 'AiP', 'MAiP']

_LEVELS = 101
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
    items, unseen, points = topic.items, topic.unseen(), []
    rest = iter([*topic.once(repeated), (inf, 0.0)])
    next_rank, length = next(rest)
    V = again = 0.0
    for rank, start, end, i, before in zip(items.rank, items.start, items.end, items.ahead, items.before):
        pieces = unseen.cut(i, start, end)
        if pieces:
            while next_rank <= rank:
                again += length
                next_rank, length = next(rest)
            V += sum(right - left for left, right in pieces)
            points.append((rank, V, before + end - start - again, 0.0))
    return points


class _Focused(SpanMeasure):
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
    }

    def compute(self, topic: Topic) -> float:
        return interpolated(self._points(topic), self['recall'] * topic.T_rel)


iP = register(_iP())


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
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_FOCUSED}

    def compute(self, topic: Topic) -> float:
        return average_interpolated(self._points(topic), topic.T_rel, _LEVELS)


AiP = MAiP = register(_AiP(), ['MAiP'])
