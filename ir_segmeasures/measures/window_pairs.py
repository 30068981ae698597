"""Pairs of an item and a true window that share content, and their temporal intersection over union, IoU = |∩| / |∪|,
exactly.
"""

from itertools import pairwise
from math import gcd, inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.segments.spans import (
    Spans,
    first_ending_after,
    first_starting_from,
    ordered_pairs,
    range_pairs,
    whole_billionths,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from ir_segmeasures.evaluation.relevant_spans import RelevantSpans
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.segments.arrays import Floats, Ints

__all__ = ['TrueWindows', 'WindowOverlaps', 'best_first', 'exact_numbers', 'overlapping_pairs', 'true_windows',
           'window_overlaps']

_PAIRS = 1 << 16  # of items and windows that are in memory at once, whatever their IoU


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
        common, union = exact_numbers(self.common, whole), exact_numbers(self.union, whole)
        return common * whole - part * union


def exact_numbers(values: 'Ints', factor: int) -> 'Ints':
    """Whole numbers as they are, if they can be multiplied by a factor, else as Python's, which have no bounds."""
    return values if int(values.max(initial=0)) * factor < 2 ** 63 else values.astype(object)


def _pair_parts(run: 'RunItems', cutoff: float = inf, iou: int = 0) -> 'Iterator[tuple[Ints, Ints]]':
    """The pairs of an item up to a rank and a true window that share content, some at a time; some whose IoU is below
    so many billionths are left out."""
    items, (windows, reach, _) = run.overlapping_items, run.relevant.cached(true_windows)
    first = first_ending_after(windows._replace(end=reach), items.group, items.start)
    stop = first_starting_from(windows, items.group, items.end)
    if iou and np.maximum(stop - first, 0).sum() > _PAIRS:
        # With an item of the length L, windows that start more than L / IoU - L before it or L - L · IoU after its
        # start have a lower IoU. Positions are rounded to billionths, and more is added for the floats.
        share, length = iou / 10 ** 9 * (1 - 1e-6), items.end - items.start
        earliest, latest = items.start - (length / share - length), items.start + (length - length * share)
        first = np.maximum(first, first_starting_from(windows, items.group, earliest - 1e-8))
        stop = np.minimum(stop, first_starting_from(windows, items.group, latest + 1e-8))
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


def window_overlaps(run: 'RunItems', iou: int = 0, cutoff: float = inf,
                    free: 'Callable[[], NDArray[np.bool_]] | None' = None) -> 'Iterator[WindowOverlaps]':
    """The items up to a rank that share content with true windows, and these windows, where the IoU is at least so many
    billionths: some items at a time, since pairs are many where all overlap all. ``free`` gives for each window whether
    its pairs are wanted, which is asked for before each part."""
    items, windows = run.overlapping_items, run.relevant.cached(true_windows).windows
    left, right = whole_billionths(items.start), whole_billionths(items.end)
    starts, ends = whole_billionths(windows.start), whole_billionths(windows.end)
    query = run.relevant.query[items.group]
    for item, window in _pair_parts(run, cutoff, iou):
        if free is not None:
            wanted = free()[window]
            item, window = item[wanted], window[wanted]
        common = np.minimum(right[item], ends[window]) - np.maximum(left[item], starts[window])
        union = np.maximum(right[item], ends[window]) - np.minimum(left[item], starts[window])
        pairs = WindowOverlaps(query[item], items.rank[item], window, common, union)
        yield pairs.selected(common > 0).reaching(iou)


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
