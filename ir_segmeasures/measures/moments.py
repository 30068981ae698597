"""
Moment retrieval: the measures of QVHighlights (Lei, Berg, Bansal. QVHighlights: Detecting Moments and Highlights in
Videos via Natural Language Queries. NeurIPS 2021), by temporal intersection over union, IoU = |∩| / |∪|.
"""

from math import inf
from typing import TYPE_CHECKING

from ir_segmeasures.measures.base import CUTOFF, REL, TOLERANCE, Number, SpanMeasure, register, required

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['IoU_AP', 'mIoU_AP', 'IoU_R']

_IOU = Number('IoU from which on a prediction is right', above=0, high=1, required=True)


def overlaps(topic: 'Topic') -> list[tuple[int, list[tuple[float, int]]]]:
    """
    The items that share content with true windows (relevant judged segments, not merged), by rank, each with the IoU
    and the place of these windows, the best first.
    """
    found = []
    items, windows = topic.items, topic.segments_of
    for rank, start, end, document in zip(items.rank, items.start, items.end, items.document):
        ious = []
        for first, last, place in windows[document]:
            common = min(end, last) - max(start, first)
            if common > 0:
                ious.append((-common / (max(end, last) - min(start, first)), place))
        if ious:
            found.append((rank, [(-iou, place) for iou, place in sorted(ious)]))
    return found


def average_precision_at(topic: 'Topic', iou: float, cutoff: float) -> float:
    """The area under precision over recall, with precision the best at that recall or a higher one."""
    matched: set[int] = set()
    precisions = []
    for rank, ious in topic.once(overlaps):
        if rank > cutoff:
            break
        right = next((place for value, place in ious if place not in matched and value >= iou * (1 - TOLERANCE)), None)
        if right is not None:
            matched.add(right)
            precisions.append(len(matched) / rank)
    best = total = 0.0
    for precision in reversed(precisions):
        best = max(best, precision)
        total += best
    return total / len(topic.segments)


class _IoU_AP(SpanMeasure):
    """
    Average precision at an IoU: an item is right if, of the true windows not matched yet, the one with the highest IoU
    has at least ``iou``; it is then matched.

    ``IoU_AP = (1/N) · Σ over the right items of max{ P@k' : k' >= k }``, with N the number of true windows, not merged.

    Range [0, 1], higher is better. Source: Lei, Berg & Bansal 2021 (mAP at an IoU).
    """
    __name__ = 'IoU_AP'
    NAME = __name__
    PRETTY_NAME = 'Average Precision at an IoU'
    SHORT_DESC = 'AP with an item right if it matches a true window with at least this IoU.'
    SUPPORTED_PARAMS = {'iou': _IOU, 'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return average_precision_at(topic, self['iou'], self.params.get('cutoff', inf))


IoU_AP = register(_IoU_AP())


class _mIoU_AP(SpanMeasure):
    """
    Average precision, averaged over IoUs.

    ``mIoU_AP = (1/10) · Σ_θ IoU_AP(iou=θ)`` over θ = 0.50, 0.55, … 0.95.

    Range [0, 1], higher is better. Source: Lei, Berg & Bansal 2021 (average mAP).
    """
    __name__ = 'mIoU_AP'
    NAME = __name__
    PRETTY_NAME = 'Average Precision over IoUs'
    SHORT_DESC = 'The mean of IoU_AP over IoUs from 0.5 to 0.95.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        cutoff = self.params.get('cutoff', inf)
        return sum(average_precision_at(topic, percent / 100, cutoff) for percent in range(50, 100, 5)) / 10


mIoU_AP = register(_mIoU_AP())


class _IoU_R(SpanMeasure):
    """
    Recall at k at an IoU: whether any of the first k items has at least this IoU with a true window.

    ``IoU_R(iou=θ)@k = 1`` if it has, else 0.

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
    }

    def compute(self, topic: 'Topic') -> float:
        return float(any(rank <= self['cutoff'] and ious[0][0] >= self['iou'] * (1 - TOLERANCE)
                         for rank, ious in topic.once(overlaps)))


IoU_R = register(_IoU_R())
