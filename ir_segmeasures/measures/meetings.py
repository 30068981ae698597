"""First meetings: which items share content with relevant segments that no item before has met. The measures of
MediaEval's anchoring task (2015), whose items are places in a video that people would want links from, in continuous
time.

Judged segments stand as they are, not merged: two anchors that overlap are two.
"""

from bisect import bisect_left, bisect_right
from math import inf
from typing import TYPE_CHECKING

from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register, required
from ir_segmeasures.measures.overlap import overlapping

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['RR_over', 'P_new', 'Rprec_new']


def meetings(topic: 'Topic') -> list[int]:
    """The ranks of the items that share content with a relevant segment that no item before shares content with, in
    order: those of the first item that meets each relevant segment.
    """
    from heapq import heappop, heappush  # whoever only imports has no need of it
    columns: dict[int, list[tuple[float, float, int]]] = {}
    items = topic.items
    for document, start, end, rank in zip(items.document, items.start, items.end, items.rank):
        if start < end:
            columns.setdefault(document, []).append((start, end, rank))
    found: set[float] = set()
    for document, ordered in columns.items():
        ordered.sort()
        starts = [start for start, _, _ in ordered]
        best = _Least([rank for _, _, rank in ordered])
        running: list[tuple[int, float]] = []  # the items that have started, by rank, with their ends
        first = 0
        for start, end in sorted({(start, end) for start, end, _ in topic.segments_of.get(document, ())}):
            for _, until, rank in ordered[first:(first := bisect_right(starts, start, first))]:
                heappush(running, (rank, until))
            while running and running[0][1] <= start:  # over, also for all segments that follow
                heappop(running)
            found.add(min(running[0][0] if running else inf, best(first, bisect_left(starts, end, first))))
    return sorted(int(rank) for rank in found - {inf})


class _Least:
    """The least of any stretch of a list: of each power of two, the least from each place on."""

    def __init__(self, values: list[int]):
        self._levels, half = [values], 1
        while 2 * half <= len(values):
            self._levels.append(list(map(min, self._levels[-1], self._levels[-1][half:])))
            half *= 2

    def __call__(self, low: int, high: int) -> float:
        if low >= high:
            return inf
        level = (high - low).bit_length() - 1
        return min(self._levels[level][low], self._levels[level][high - (1 << level)])


class _RR_over(SpanMeasure):
    """Reciprocal rank over overlap: of the first item that shares content with a relevant segment.

    ``RR_over = 1 / k``, 0 if there is no such item.

    Range [0, 1], higher is better. Source: MRR of the anchoring task of MediaEval 2015.
    """
    __name__ = 'RR_over'
    NAME = __name__
    PRETTY_NAME = 'Reciprocal Rank over overlap'
    SHORT_DESC = 'The reciprocal of the rank of the first item that overlaps relevant content.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        rank = next(iter(topic.once(overlapping)), inf)
        return 1 / rank if rank <= self.params.get('cutoff', inf) else 0.


RR_over = register(_RR_over())


class _P_new(SpanMeasure):
    """Precision at k of first meetings: of the first k items, those that share content with a relevant segment that no
    item before shares content with.

    ``P_new@k = |{i <= k : item i meets a relevant segment first}| / k``, over the judged segments as they are, not
    merged.

    Range [0, 1], higher is better: repeating what is found gains nothing. Source: P_10 of the anchoring task of
    MediaEval 2015.
    """
    __name__ = 'P_new'
    NAME = __name__
    PRETTY_NAME = 'Precision at k of first meetings'
    SHORT_DESC = 'The share of the top k items that meet a relevant segment which no item before has met.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return bisect_right(topic.once(meetings), self['cutoff']) / self['cutoff']


P_new = register(_P_new())


class _Rprec_new(SpanMeasure):
    """R-precision of first meetings: P_new@n, with n the number of relevant segments, identical ones once.

    ``Rprec_new = |{i <= n : item i meets a relevant segment first}| / n``

    Range [0, 1], higher is better. Source: what the program of the anchoring task of MediaEval 2015 prints as recall.
    """
    __name__ = 'Rprec_new'
    NAME = __name__
    PRETTY_NAME = 'R-precision of first meetings'
    SHORT_DESC = 'P_new at the number of relevant segments.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        n = len(set(topic.segments))
        return bisect_right(topic.once(meetings), min(n, self.params.get('cutoff', n))) / n


Rprec_new = register(_Rprec_new())
