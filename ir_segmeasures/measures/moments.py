"""Moment retrieval: the measures of QVHighlights (Lei, Berg, Bansal. QVHighlights: Detecting Moments and Highlights in
Videos via Natural Language Queries. NeurIPS 2021), by temporal intersection over union, IoU = |∩| / |∪|.
"""

from bisect import bisect_left, bisect_right
from functools import cmp_to_key
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from ir_segmeasures.measures.base import CUTOFF, REL, Flag, Number, SpanMeasure, register, required
from ir_segmeasures.segments.spans import billionths

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.relevant import Relevant
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['IoU_AP', 'mIoU_AP', 'IoU_R', 'mIoU']

_IOU = Number('IoU from which on a prediction is right', above=0, high=1, required=True)


class SharedLength(NamedTuple):
    """What an item and a true window share, their union (both in billionths of the unit), and the window's place."""
    common: int
    union: int
    place: int

    def reaches(self, iou: int) -> bool:
        """Whether the IoU is at least so many billionths, exactly."""
        return self.common * 10 ** 9 >= iou * self.union

    def exceeds(self, iou: int) -> bool:
        """Whether the IoU is above so many billionths, exactly."""
        return self.common * 10 ** 9 > iou * self.union


Found = list[tuple[int, list[SharedLength]]]
"""items by rank, each with the true windows that it shares content with"""


class Windows:
    """The true windows of a document of a query, by start, then end: both in billionths of the unit, and the place."""

    def __init__(self, windows: list[tuple[int, int, int]]):
        self._windows = sorted(windows)
        self._starts = [start for start, _, _ in self._windows]
        self._reach = list(accumulate((end for _, end, _ in self._windows), max))  # of each and those before it

    def met(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Those that share content with an item."""
        low, high = bisect_right(self._reach, start), bisect_left(self._starts, end)
        return [window for window in self._windows[low:high] if start < window[1]]


def windows_of(relevant: 'Relevant') -> list[dict[int, Windows]]:
    """The true windows of each query and document."""
    queries = []
    for query in range(len(relevant.query_ids)):
        windows: dict[int, list[tuple[int, int, int]]] = {}
        for place, (document, start, end) in enumerate(relevant.segments(query)):
            windows.setdefault(document, []).append((billionths(start), billionths(end), place))
        queries.append({document: Windows(some) for document, some in windows.items()})
    return queries


def overlaps(topic: 'Topic') -> Found:
    """The items that share content with true windows (relevant judged segments, not merged), by rank, each with these
    windows by IoU, the best first; of equal ones the one that starts, then ends, first.
    """
    found = []
    items, starts, windows = topic.items, topic.starts, topic.of_judgements(windows_of)
    for rank, left, right, document, i in zip(items.rank, items.start, items.end, items.document, items.ahead):
        if left == right or starts[i] >= right:
            continue
        start, end = billionths(left), billionths(right)
        met = [SharedLength((end if end < last else last) - (start if start > first else first),
                      (end if end > last else last) - (start if start < first else first), place)
               for first, last, place in windows[document].met(start, end)]
        if len(met) > 1:
            met.sort(key=cmp_to_key(_by_iou))  # stable: windows stand in order
        found.append((rank, met))
    return found


def _by_iou(one: SharedLength, other: SharedLength) -> int:
    # Of fractions as they are, so that ties are ties.
    return other.common * one.union - one.common * other.union


def reaching(found: Found, iou: int) -> Found:
    """Of :func:`overlaps`, the items whose best IoU is at least so many billionths."""
    return [(rank, windows) for rank, windows in found if windows[0].reaches(iou)]


def average_precision_at(found: Found, iou: int, cutoff: float, N: int) -> float:
    """The area under precision over recall, with precision the best at that recall or a higher one; of items that reach
    the IoU.
    """
    matched: set[int] = set()
    precisions = []
    for rank, windows in found:
        if rank > cutoff:
            break
        for shared in windows:
            if not shared.reaches(iou):  # nor does any after it
                break
            if shared.place not in matched:
                matched.add(shared.place)
                precisions.append(len(matched) / rank)
                break
    best = total = 0.0
    for precision in reversed(precisions):
        best = max(best, precision)
        total += best
    return total / N


class _IoU_AP(SpanMeasure):
    """Average precision at an IoU: an item is right if, of the true windows not matched yet, the one with the highest
    IoU has at least ``iou``; it is then matched.

    ``IoU_AP = (1/N) · Σ over the right items of max{ P@k' : k' >= k }``, with N the number of true windows, not merged.

    Range [0, 1], higher is better. Source: Lei, Berg & Bansal 2021 (mAP at an IoU).
    """
    __name__ = 'IoU_AP'
    NAME = __name__
    PRETTY_NAME = 'Average Precision at an IoU'
    SHORT_DESC = 'AP with an item right if it matches a true window with at least this IoU.'
    SUPPORTED_PARAMS = {'iou': _IOU, 'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        iou = billionths(self['iou'])
        found = reaching(topic.once(overlaps), iou)
        return average_precision_at(found, iou, self.params.get('cutoff', inf), len(topic.segments))


IoU_AP = register(_IoU_AP())


class _mIoU_AP(SpanMeasure):
    """Average precision, averaged over IoUs.

    ``mIoU_AP = (1/10) · Σ_θ IoU_AP(iou=θ)`` over θ = 0.50, 0.55, … 0.95.

    Range [0, 1], higher is better. Source: Lei, Berg & Bansal 2021 (average mAP).
    """
    __name__ = 'mIoU_AP'
    NAME = __name__
    PRETTY_NAME = 'Average Precision over IoUs'
    SHORT_DESC = 'The mean of IoU_AP over IoUs from 0.5 to 0.95.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        found, cutoff, total = topic.once(overlaps), self.params.get('cutoff', inf), 0.0
        for percent in range(50, 100, 5):
            iou = percent * 10 ** 7
            found = reaching(found, iou)  # what reaches no lower IoU reaches none above
            total += average_precision_at(found, iou, cutoff, len(topic.segments))
        return total / 10


mIoU_AP = register(_mIoU_AP())


class _IoU_R(SpanMeasure):
    """Recall at k at an IoU: whether any of the first k items has at least this IoU with a true window.

    ``IoU_R(iou=θ)@k = 1`` if it has, else 0. With ``strict``, the IoU must be above θ, as Ego4D counts.

    Range {0, 1}, higher is better. Source: Lei, Berg & Bansal 2021 (R1 at an IoU).
    """
    __name__ = 'IoU_R'
    NAME = __name__
    PRETTY_NAME = 'Recall at k at an IoU'
    SHORT_DESC = 'Whether one of the top k items matches a true window with at least this IoU.'
    SUPPORTED_PARAMS = {
        'cutoff': required(CUTOFF),
        'iou': _IOU,
        'rel': REL,
        'strict': Flag('whether the IoU must be above iou, and not just reach it', default=False),
    }

    def compute(self, topic: 'Topic') -> float:
        right = SharedLength.exceeds if self['strict'] else SharedLength.reaches
        least = billionths(self['iou'])
        return float(any(rank <= self['cutoff'] and right(windows[0], least)
                         for rank, windows in topic.once(overlaps)))


IoU_R = register(_IoU_R())


class _mIoU(SpanMeasure):
    """Mean IoU at k: the highest IoU of one of the first k items with a true window, of which the mean over queries is
    reported.

    ``mIoU@k = max{ IoU(item i, window) : i <= k }``, 0 if no such item shares content with a window.

    Range [0, 1], higher is better. Source: Yuan, Mei & Zhu. To Find Where You Talk: Temporal Sentence Localization in
    Video with Attention Based Location Regression. AAAI 2019 (mIoU, k = 1).
    """
    __name__ = 'mIoU'
    NAME = __name__
    PRETTY_NAME = 'Mean IoU at k'
    SHORT_DESC = 'The best IoU of one of the top k items with a true window.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return max((windows[0].common / windows[0].union for rank, windows in topic.once(overlaps)
                    if rank <= self['cutoff']), default=0.0)


mIoU = register(_mIoU())
