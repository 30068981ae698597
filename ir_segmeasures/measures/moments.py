"""Moment retrieval: the measures of QVHighlights (Lei, Berg, Bansal. QVHighlights: Detecting Moments and Highlights in
Videos via Natural Language Queries. NeurIPS 2021), by temporal intersection over union, IoU = |∩| / |∪|.
"""

from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, Flag, Number, SpanMeasure, register_measure, required
from ir_segmeasures.measures.window_pairs import (
    best_first,
    exact_numbers,
    one_by_one,
    true_windows,
    window_overlaps,
    window_ranges,
)
from ir_segmeasures.segments.spans import billionths

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['IoU_AP', 'mIoU_AP', 'IoU_R', 'mIoU']

_IOU = Number('IoU from which on a prediction is right', above=0, high=1, required=True)
_CROWDED = 256  # windows for each item of a document, from which on looking at one item after the other costs less


def average_precision(ranks: list[int], N: int) -> float:
    """The area under the curve of precision over recall, where precision is the best at this recall or a higher one.

    Args:
        ranks: of the items that are right
        N: the number of true windows
    """
    best = total = 0.0
    for hits, rank in zip(range(len(ranks), 0, -1), reversed(ranks)):
        best = max(best, hits / rank)
        total += best
    return total / N


def summed_precisions(run: 'RunItems', ious: tuple[int, ...], cutoff: float) -> list[float]:
    """For each query, the sum of :func:`average_precision` over IoUs, in billionths, from the lowest up. A set of these
    IoUs is a number here, with a bit for each."""
    items, (first, count) = run.overlapping_items, window_ranges(run, ious[0], cutoff)
    windows, _, n = run.relevant.cached(true_windows)
    found: dict[int, list[tuple[int, int]]] = {}  # query → the ranks of items, with the IoUs at which they are right
    crowded = (np.bincount(items.group, count) > _CROWDED * np.bincount(items.group))[items.group]
    for item, right in one_by_one(run, np.flatnonzero(crowded & (count > 0)), ious):
        found.setdefault(int(run.relevant.query[items.group[item]]), []).append((int(items.rank[item]), right))
    every = (1 << len(ious)) - 1
    free, last = [every] * len(windows.start), (-1, 0)  # the IoUs at which no item is matched with a window
    for part in window_overlaps(run, ious[0], first, np.where(crowded, 0, count)):
        pairs = best_first(part)
        reached = np.sum([np.where(pairs.reach(iou), 1 << number, 0) for number, iou in enumerate(ious)], axis=0)
        for query, rank, window, reaches in zip(*(column.tolist() for column in (*pairs[:3], reached))):
            if (query, rank) != last:
                last, unmatched = (query, rank), every
            if right := reaches & free[window] & unmatched:
                free[window] ^= right
                unmatched ^= right
                found.setdefault(query, []).append((rank, right))
    sums = [0.] * len(n)
    for query, items_right in found.items():
        items_right.sort()
        for number in range(len(ious)):
            sums[query] += average_precision([rank for rank, right in items_right if right >> number & 1], n[query])
    return sums


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
    PRETTY_NAME = 'Average Precision at an IoU'
    SHORT_DESC = 'AP with an item right if it matches a true window with at least this IoU.'
    SUPPORTED_PARAMS = {'iou': _IOU, 'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return topic.computed_on_run(summed_precisions, (billionths(self['iou']),), self.cutoff)


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
    PRETTY_NAME = 'Average Precision over IoUs'
    SHORT_DESC = 'The mean of IoU_AP over IoUs from 0.5 to 0.95.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        ious = tuple(range(5 * 10 ** 8, 10 ** 9, 5 * 10 ** 7))
        return topic.computed_on_run(summed_precisions, ious, self.cutoff) / len(ious)


mIoU_AP = register_measure(_mIoU_AP())


def reached_queries(run: 'RunItems', iou: int, strict: bool, cutoff: float) -> list[float]:
    """For each query, 1 if one of the first items has an IoU of so many billionths, or above them, else 0."""
    reached = np.zeros(len(run.n))
    for pairs in window_overlaps(run, iou, *window_ranges(run, iou, cutoff)):
        reached[(pairs.exceeding(iou) if strict else pairs).query] = 1
    return reached.tolist()


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
    PRETTY_NAME = 'Recall at k at an IoU'
    SHORT_DESC = 'Whether one of the top k items matches a true window with at least this IoU.'
    SUPPORTED_PARAMS = {
        'cutoff': required(CUTOFF),
        'iou': _IOU,
        'rel': REL,
        'strict': Flag('whether the IoU must be above iou, and not just reach it', default=False),
    }

    def compute(self, topic: 'Topic') -> float:
        return topic.computed_on_run(reached_queries, billionths(self['iou']), self['strict'], self['cutoff'])


IoU_R = register_measure(_IoU_R())


def best_window_ious(run: 'RunItems', cutoff: float) -> list[float]:
    """For each query, the best IoU of one of the first items."""
    best = np.zeros(len(run.n))
    for pairs in window_overlaps(run, 0, *window_ranges(run, 0, cutoff)):
        # Below 2^53 floats are exact, and so are the quotients of Python's numbers.
        common, union = (exact_numbers(column, 2 ** 10) for column in (pairs.common, pairs.union))
        np.maximum.at(best, pairs.query, (common / union).astype(float))
    return best.tolist()


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
    PRETTY_NAME = 'Mean IoU at k'
    SHORT_DESC = 'The best IoU of one of the top k items with a true window.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return topic.computed_on_run(best_window_ious, self['cutoff'])


mIoU = register_measure(_mIoU())
