"""Moment retrieval: the measures of QVHighlights (Lei, Berg, Bansal. QVHighlights: Detecting Moments and Highlights in
Videos via Natural Language Queries. NeurIPS 2021), by temporal intersection over union, IoU = |∩| / |∪|.
"""

from bisect import bisect_left, bisect_right
from functools import cmp_to_key
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from ir_segmeasures.measures.base import CUTOFF, REL, Flag, Number, SpanMeasure, register_measure, required
from ir_segmeasures.segments.spans import billionths

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.relevant_spans import RelevantSpans
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['IoU_AP', 'mIoU_AP', 'IoU_R', 'mIoU']

_IOU = Number('IoU from which on a prediction is right', above=0, high=1, required=True)


class WindowOverlap(NamedTuple):
    """The overlap of an item and a true window.

    Attributes:
        common: the length of their common content, in billionths of the unit
        union: the length of their union, in billionths of the unit
        place: the place of the window among the judgements of the query
    """
    common: int
    union: int
    place: int

    def reaches(self, iou: int) -> bool:
        """Whether the IoU is at least so many billionths, exactly."""
        return self.common * 10 ** 9 >= iou * self.union

    def exceeds(self, iou: int) -> bool:
        """Whether the IoU is above so many billionths, exactly."""
        return self.common * 10 ** 9 > iou * self.union


Overlaps = list[tuple[int, list[WindowOverlap]]]
"""items by rank, each with its overlaps with true windows"""


class TrueWindows:
    """The true windows of a document of a query, by start, then end.

    Args:
        windows: start and end of each, in billionths of the unit, and its place among the judgements of the query
    """

    def __init__(self, windows: list[tuple[int, int, int]]):
        self._windows = sorted(windows)
        self._starts = [start for start, _, _ in self._windows]
        self._reach = list(accumulate((end for _, end, _ in self._windows), max))  # of each and those before it

    def overlapping(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """The windows that share content with an item."""
        low, high = bisect_right(self._reach, start), bisect_left(self._starts, end)
        return [window for window in self._windows[low:high] if start < window[1]]


def true_windows(relevant: 'RelevantSpans') -> list[dict[int, TrueWindows]]:
    """The true windows of each query and document."""
    queries = []
    for query in range(len(relevant.query_ids)):
        windows: dict[int, list[tuple[int, int, int]]] = {}
        for place, (document, start, end) in enumerate(relevant.segments(query)):
            windows.setdefault(document, []).append((billionths(start), billionths(end), place))
        queries.append({document: TrueWindows(in_document) for document, in_document in windows.items()})
    return queries


def window_overlaps(topic: 'Topic') -> Overlaps:
    """The items that share content with true windows (relevant judged segments, not merged), by rank, each with these
    windows by IoU, the best first; of equal ones the one that starts, then ends, first.
    """
    found = []
    items, starts, windows = topic.items, topic.starts, topic.computed_on_qrels(true_windows)
    for rank, left, right, document, i in zip(items.rank, items.start, items.end, items.document, items.ahead):
        if left == right or starts[i] >= right:
            continue
        start, end = billionths(left), billionths(right)
        met = [WindowOverlap((end if end < last else last) - (start if start > first else first),
                      (end if end > last else last) - (start if start < first else first), place)
               for first, last, place in windows[document].overlapping(start, end)]
        if len(met) > 1:
            met.sort(key=cmp_to_key(_by_iou))  # stable: windows stand in order
        found.append((rank, met))
    return found


def _by_iou(one: WindowOverlap, other: WindowOverlap) -> int:
    # Of fractions as they are, so that ties are ties.
    return other.common * one.union - one.common * other.union


def reaching_iou(found: Overlaps, iou: int) -> Overlaps:
    """Of :func:`window_overlaps`, the items whose best IoU is at least so many billionths."""
    return [(rank, windows) for rank, windows in found if windows[0].reaches(iou)]


def average_precision_at(found: Overlaps, iou: int, cutoff: float, N: int) -> float:
    """The area under the curve of precision over recall, where precision is the best at this recall or a higher one.

    Args:
        found: the overlaps of items whose best IoU is at least ``iou``
        iou: the IoU from which on an item is right, in billionths
        cutoff: the last rank that counts
        N: the number of true windows
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
    """Average precision at an IoU. An item is right if its IoU with a true window that no earlier item is matched with
    is at least ``iou``. It is then matched with the window of the highest IoU among these.

    ``IoU_AP = (1/N) · Σ over the right items of max{ P@k' : k' >= k }``, with N the number of true windows, not merged.

    Range [0, 1], higher is better. Source: Lei, Berg & Bansal 2021 (mAP at an IoU).

    Examples:
        >>> from ir_segmeasures import IoU_AP
        >>> qrels = {'q': {'v#t=0,10': 1, 'v#t=20,30': 1}}
        >>> run = {'q': {'v#t=0,8': 3, 'v#t=1,9': 2, 'v#t=22,30': 1}}  # the window of the second is matched
        >>> round(IoU_AP(iou=0.7).calc_aggregate(qrels, run), 4)  # (1/1 + 2/3) / 2
        0.8333
    """
    __name__ = 'IoU_AP'
    NAME = __name__
    PRETTY_NAME = 'Average Precision at an IoU'
    SHORT_DESC = 'AP with an item right if it matches a true window with at least this IoU.'
    SUPPORTED_PARAMS = {'iou': _IOU, 'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        iou = billionths(self['iou'])
        found = reaching_iou(topic.cached(window_overlaps), iou)
        return average_precision_at(found, iou, self.params.get('cutoff', inf), len(topic.segments))


IoU_AP = register_measure(_IoU_AP())


class _mIoU_AP(SpanMeasure):
    """Average precision, averaged over IoUs.

    ``mIoU_AP = (1/10) · Σ_θ IoU_AP(iou=θ)`` over θ = 0.50, 0.55, … 0.95.

    Range [0, 1], higher is better. Source: Lei, Berg & Bansal 2021 (average mAP).

    Examples:
        >>> from ir_segmeasures import mIoU_AP
        >>> qrels = {'q': {'v#t=0,10': 1}}
        >>> run = {'q': {'v#t=0,8': 1}}  # an IoU of 0.8: right at 7 of the 10 IoUs
        >>> mIoU_AP.calc_aggregate(qrels, run)
        0.7
    """
    __name__ = 'mIoU_AP'
    NAME = __name__
    PRETTY_NAME = 'Average Precision over IoUs'
    SHORT_DESC = 'The mean of IoU_AP over IoUs from 0.5 to 0.95.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        found, cutoff, total = topic.cached(window_overlaps), self.params.get('cutoff', inf), 0.0
        for percent in range(50, 100, 5):
            iou = percent * 10 ** 7
            found = reaching_iou(found, iou)  # what reaches no lower IoU reaches none above
            total += average_precision_at(found, iou, cutoff, len(topic.segments))
        return total / 10


mIoU_AP = register_measure(_mIoU_AP())


class _IoU_R(SpanMeasure):
    """Recall at k at an IoU: whether any of the first k items has at least this IoU with a true window.

    ``IoU_R(iou=θ)@k = 1`` if there is such an item, else 0. With ``strict``, the IoU must be above θ, as Ego4D counts.

    Range {0, 1}, higher is better. Source: Lei, Berg & Bansal 2021 (R1 at an IoU).

    Examples:
        >>> from ir_segmeasures import IoU_R
        >>> qrels = {'q': {'v#t=0,10': 1}}
        >>> run = {'q': {'v#t=5,15': 2, 'v#t=0,8': 1}}
        >>> [(IoU_R(iou=0.7)@k).calc_aggregate(qrels, run) for k in (1, 2)]  # IoUs of 5/15 and 8/10
        [0.0, 1.0]
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
        right = WindowOverlap.exceeds if self['strict'] else WindowOverlap.reaches
        iou = billionths(self['iou'])
        return float(any(rank <= self['cutoff'] and right(windows[0], iou)
                         for rank, windows in topic.cached(window_overlaps)))


IoU_R = register_measure(_IoU_R())


class _mIoU(SpanMeasure):
    """Mean IoU at k: the highest IoU of any of the first k items with a true window. Papers report its mean over the
    queries.

    ``mIoU@k = max{ IoU(item i, window) : i <= k }``, 0 if no such item shares content with a window.

    Range [0, 1], higher is better. Source: Yuan, Mei & Zhu. To Find Where You Talk: Temporal Sentence Localization in
    Video with Attention Based Location Regression. AAAI 2019 (mIoU, k = 1).

    Examples:
        >>> from ir_segmeasures import mIoU
        >>> qrels = {'q': {'v#t=0,10': 1}}
        >>> run = {'q': {'v#t=0,8': 1}}
        >>> (mIoU@1).calc_aggregate(qrels, run)
        0.8
    """
    __name__ = 'mIoU'
    NAME = __name__
    PRETTY_NAME = 'Mean IoU at k'
    SHORT_DESC = 'The best IoU of one of the top k items with a true window.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return max((windows[0].common / windows[0].union for rank, windows in topic.cached(window_overlaps)
                    if rank <= self['cutoff']), default=0.0)


mIoU = register_measure(_mIoU())
