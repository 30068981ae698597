"""Moment retrieval: the measures of QVHighlights (Lei, Berg, Bansal. QVHighlights: Detecting Moments and Highlights in
Videos via Natural Language Queries. NeurIPS 2021), by temporal intersection over union, IoU = |∩| / |∪|.
"""

from itertools import pairwise
from math import gcd, inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, Flag, Number, SpanMeasure, register_measure, required
from ir_segmeasures.segments.spans import (
    Spans,
    billionths,
    first_ending_after,
    first_starting_from,
    ordered_pairs,
    range_pairs,
    whole_billionths,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ir_segmeasures.evaluation.relevant_spans import RelevantSpans
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.segments.spans import Floats, Ints

__all__ = ['IoU_AP', 'mIoU_AP', 'IoU_R', 'mIoU']

_PAIRS = 1 << 18  # of items and windows that are in memory at once, whatever their IoU
_IOU = Number('IoU from which on a prediction is right', above=0, high=1, required=True)


class TrueWindows(NamedTuple):
    """The true windows of all queries: relevant judged segments, not merged.

    Attributes:
        windows: sorted by document, start, end and place in the judgements; a group is the place of a document
            (``relevant.keys``)
        reach: for each window, the latest end of it and of those before it in its document
        n: for each query, the number of windows
    """
    windows: Spans
    reach: 'Floats'
    n: list[int]


def true_windows(relevant: 'RelevantSpans') -> TrueWindows:
    """The true windows, sorted."""
    query, *columns = relevant.judged
    group, start, end = columns
    order = np.lexsort((end, start, group))
    windows = Spans._make(column[order] for column in columns)
    reach = np.maximum.accumulate(ordered_pairs(windows.group, windows.end)).imag
    return TrueWindows(windows, reach, np.bincount(query, minlength=len(relevant.query_ids)).tolist())


class WindowOverlaps(NamedTuple):
    """The pairs of an item and a true window that share content, of all queries, as arrays: query by query, by rank,
    those of an item by start, then end of the window.

    Attributes:
        query: its place in the qrels
        rank: of the item
        window: the place of the window (:class:`TrueWindows`)
        common: the length of their common content, in billionths of the unit
        union: the length of their union, in billionths of the unit
    """
    query: 'Ints'
    rank: 'Ints'
    window: 'Ints'
    common: 'Ints'
    union: 'Ints'

    def selected(self, pairs: 'Ints | NDArray[np.bool_]') -> 'WindowOverlaps':
        """Some of the pairs."""
        return WindowOverlaps._make(column[pairs] for column in self)

    def reaching(self, iou: int) -> 'WindowOverlaps':
        """The pairs whose IoU is at least so many billionths, exactly."""
        return self.selected(self._beyond(iou) >= 0)

    def exceeding(self, iou: int) -> 'WindowOverlaps':
        """The pairs whose IoU is above so many billionths, exactly."""
        return self.selected(self._beyond(iou) > 0)

    def _beyond(self, iou: int) -> 'Ints':
        """A number for each pair that is as far above 0 as its IoU is above so many billionths."""
        shared = gcd(iou, 10 ** 9)
        part, whole = iou // shared, 10 ** 9 // shared
        common, union = _exact(self.common, whole), _exact(self.union, whole)
        return common * whole - part * union


def _exact(values: 'Ints', factor: int) -> 'Ints':
    """Whole numbers as they are, if they can be multiplied by a factor, else as Python's, which have no bounds."""
    return values if int(values.max(initial=0)) * factor < 2 ** 63 else values.astype(object)


def _pair_parts(run: 'RunItems', cutoff: float = inf) -> 'Iterator[tuple[Ints, Ints]]':
    """The pairs of an item up to a rank and a true window that share content, some at a time."""
    items, (windows, reach, _) = run.overlapping_items, run.relevant.cached(true_windows)
    first = first_ending_after(windows._replace(end=reach), items.group, items.start)
    stop = first_starting_from(windows, items.group, items.end)
    count = np.where(items.rank <= cutoff, np.maximum(stop - first, 0), 0)
    for low, high in _parts(count):
        item, window = range_pairs(first[low:high], count[low:high])
        found = items.start[item + low] < windows.end[window]
        yield item[found] + low, window[found]


def overlapping_pairs(run: 'RunItems') -> 'tuple[Ints, Ints]':
    """The pairs of an item and a true window that share content: the places of the items in ``run.overlapping_items``,
    and those of the windows (:class:`TrueWindows`)."""
    item, window = map(np.concatenate, zip(*_pair_parts(run)))
    return item, window


def window_overlaps(run: 'RunItems', iou: int = 0, cutoff: float = inf) -> WindowOverlaps:
    """The items up to a rank that share content with true windows, and these windows, where the IoU is at least so many
    billionths. Pairs of a lower IoU, which are many where all overlap all, are not kept."""
    items, windows = run.overlapping_items, run.relevant.cached(true_windows).windows
    left, right = whole_billionths(items.start), whole_billionths(items.end)
    starts, ends = whole_billionths(windows.start), whole_billionths(windows.end)
    query = run.relevant.query[items.group]
    parts = []
    for item, window in _pair_parts(run, cutoff):
        common = np.minimum(right[item], ends[window]) - np.maximum(left[item], starts[window])
        union = np.maximum(right[item], ends[window]) - np.minimum(left[item], starts[window])
        pairs = WindowOverlaps(query[item], items.rank[item], window, common, union)
        parts.append(pairs.selected(common > 0).reaching(iou))
    return WindowOverlaps._make(map(np.concatenate, zip(*parts)))


def _parts(count: 'Ints') -> list[tuple[int, int]]:
    """Ranges of items that together have about so many pairs as are in memory at once."""
    changes = np.flatnonzero(np.diff(np.cumsum(count) // _PAIRS)) + 1
    return list(pairwise([0, *changes.tolist(), len(count)]))


def best_first(pairs: WindowOverlaps) -> WindowOverlaps:
    """The pairs of each item by their IoU, the best first; of equal IoUs the window that starts, then ends, first."""
    if not ((pairs.query[1:] == pairs.query[:-1]) & (pairs.rank[1:] == pairs.rank[:-1])).any():
        return pairs
    # In units of which all lengths are multiples, the IoUs of few units differ by more than floats are apart.
    unit = np.gcd(np.gcd.reduce(pairs.common), np.gcd.reduce(pairs.union))
    common, union = pairs.common // unit, pairs.union // unit
    longest = int(union.max())
    if longest <= 2 ** 26:
        return pairs.selected(np.lexsort((-(common / union).astype(float), pairs.rank, pairs.query)))
    # Multiplied by the square of the longest union, different fractions have different whole parts.
    level = [-(part * longest ** 2 // whole) for part, whole in zip(common.tolist(), union.tolist())]
    keys = list(zip(pairs.query.tolist(), pairs.rank.tolist(), level))
    return pairs.selected(np.array(sorted(range(len(keys)), key=keys.__getitem__)))


Matches = list[tuple[int, list[int]]]
"""the items of a query that are right, by rank, each with the windows that make it so, the one of the best IoU first"""


def matches_of_queries(pairs: WindowOverlaps) -> dict[int, Matches]:
    """The items of each query that has any, from pairs with the :func:`best_first`."""
    first = np.ones(len(pairs.rank), bool)
    first[1:] = (pairs.query[1:] != pairs.query[:-1]) | (pairs.rank[1:] != pairs.rank[:-1])
    places = np.flatnonzero(first)
    window, bounds = pairs.window.tolist(), [*places.tolist(), len(first)]
    queries: dict[int, Matches] = {}
    for query, rank, (low, high) in zip(pairs.query[places].tolist(), pairs.rank[places].tolist(), pairwise(bounds)):
        queries.setdefault(query, []).append((rank, window[low:high]))
    return queries


def average_precision(found: Matches, N: int) -> float:
    """The area under the curve of precision over recall, where precision is the best at this recall or a higher one.

    Args:
        found: the items that are right, if no item before them is matched with their windows
        N: the number of true windows
    """
    matched: set[int] = set()
    precisions = []
    for rank, windows in found:
        for window in windows:
            if window not in matched:
                matched.add(window)
                precisions.append(len(matched) / rank)
                break
    best = total = 0.0
    for precision in reversed(precisions):
        best = max(best, precision)
        total += best
    return total / N


def summed_precisions(run: 'RunItems', ious: tuple[int, ...], cutoff: float) -> list[float]:
    """For each query, the sum of :func:`average_precision` over IoUs, in billionths, from the lowest up."""
    pairs, n = best_first(run.cached(window_overlaps, ious[0], cutoff)), run.relevant.cached(true_windows).n
    sums = [0.0] * len(n)
    for iou in ious:
        pairs = pairs.reaching(iou)  # what reaches no lower IoU reaches none above
        for query, found in matches_of_queries(pairs).items():
            sums[query] += average_precision(found, n[query])
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
    __name__ = 'IoU_AP'
    NAME = __name__
    PRETTY_NAME = 'Average Precision at an IoU'
    SHORT_DESC = 'AP with an item right if it matches a true window with at least this IoU.'
    SUPPORTED_PARAMS = {'iou': _IOU, 'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return topic.computed_on_run(summed_precisions, (billionths(self['iou']),), self.params.get('cutoff', inf))


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
        ious = tuple(range(5 * 10 ** 8, 10 ** 9, 5 * 10 ** 7))
        return topic.computed_on_run(summed_precisions, ious, self.params.get('cutoff', inf)) / len(ious)


mIoU_AP = register_measure(_mIoU_AP())


def reached_queries(run: 'RunItems', iou: int, strict: bool, cutoff: float) -> list[float]:
    """For each query, 1 if one of the first items has an IoU of so many billionths, or above them, else 0."""
    pairs = run.cached(window_overlaps, iou, cutoff)
    found = pairs.exceeding(iou) if strict else pairs
    return (np.bincount(found.query, minlength=len(run.n)) > 0).astype(float).tolist()


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
        return topic.computed_on_run(reached_queries, billionths(self['iou']), self['strict'], self['cutoff'])


IoU_R = register_measure(_IoU_R())


def best_window_ious(run: 'RunItems', cutoff: float) -> list[float]:
    """For each query, the best IoU of one of the first items."""
    pairs = run.cached(window_overlaps, 0, cutoff)
    best = np.zeros(len(run.n))
    # Below 2^53 floats are exact, and so are the quotients of Python's numbers.
    common, union = (_exact(column, 2 ** 10) for column in (pairs.common, pairs.union))
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
    __name__ = 'mIoU'
    NAME = __name__
    PRETTY_NAME = 'Mean IoU at k'
    SHORT_DESC = 'The best IoU of one of the top k items with a true window.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return topic.computed_on_run(best_window_ious, self['cutoff'])


mIoU = register_measure(_mIoU())
