"""Pairs of an item and a true window that share content, and their temporal intersection over union, IoU = |∩| / |∪|,
exactly.
"""

from itertools import pairwise
from math import gcd, inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Bools, Floats, Ints
from ir_segmeasures.segments.spans import (
    Spans,
    first_ending_after,
    first_starting_from,
    ordered_pairs,
    range_pairs,
    whole_billionths,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ir_segmeasures.evaluation.relevant_spans import RelevantSpans
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.segments.arrays import Floats, Ints

__all__ = ['TrueWindows', 'WindowOverlaps', 'best_first', 'exact_numbers', 'one_by_one', 'overlapping_pairs',
           'true_windows', 'window_overlaps', 'window_ranges']

_PAIRS = 1 << 16  # of items and windows that are in memory at once, whatever their IoU
_NEAR = 32  # windows on each side of an item's start, which are looked at first
_EXACT = 2 ** 26  # the quotients of whole numbers up to it are different floats where they are different


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

    def selected(self, pairs: 'Ints | Bools') -> 'WindowOverlaps':
        """Some of the pairs."""
        return WindowOverlaps._make(column[pairs] for column in self)

    def reach(self, iou: int) -> 'Bools':
        """Whether the IoU of each pair is at least so many billionths, exactly."""
        return self._beyond(iou) >= 0

    def reaching(self, iou: int) -> 'WindowOverlaps':
        """The pairs whose IoU is at least so many billionths, exactly."""
        return self.selected(self.reach(iou))

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


def window_ranges(run: 'RunItems', iou: int = 0, cutoff: float = inf) -> 'tuple[Ints, Ints]':
    """For each item (``run.overlapping_items``) a range of windows, as its first place and its length, 0 for items
    beyond a rank: all others share no content with the item, or their IoU is below so many billionths."""
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
    return first, np.where(items.rank <= cutoff, np.maximum(stop - first, 0), 0)


def _pair_parts(run: 'RunItems', first: 'Ints', count: 'Ints') -> 'Iterator[tuple[Ints, Ints]]':
    """The pairs of an item and a true window of its range that share content, some at a time."""
    items, windows = run.overlapping_items, run.relevant.cached(true_windows).windows
    for low, high in _parts(count):
        item, window = range_pairs(first[low:high], count[low:high])
        found = items.start[item + low] < windows.end[window]
        yield item[found] + low, window[found]


def overlapping_pairs(run: 'RunItems') -> 'tuple[Ints, Ints]':
    """The pairs of an item and a true window that share content: the places of the items in ``run.overlapping_items``,
    and those of the windows (:class:`TrueWindows`)."""
    item, window = map(np.concatenate, zip(*_pair_parts(run, *window_ranges(run))))
    return item, window


def window_overlaps(run: 'RunItems', iou: int, first: 'Ints', count: 'Ints') -> 'Iterator[WindowOverlaps]':
    """The items that share content with true windows of their ranges (:func:`window_ranges`), and these windows, where
    the IoU is at least so many billionths: some items at a time, since pairs can be many."""
    items, windows = run.overlapping_items, run.relevant.cached(true_windows).windows
    left, right = whole_billionths(items.start), whole_billionths(items.end)
    starts, ends = whole_billionths(windows.start), whole_billionths(windows.end)
    query = run.relevant.query[items.group]
    for item, window in _pair_parts(run, first, count):
        common = np.minimum(right[item], ends[window]) - np.maximum(left[item], starts[window])
        union = np.maximum(right[item], ends[window]) - np.minimum(left[item], starts[window])
        pairs = WindowOverlaps(query[item], items.rank[item], window, common, union)
        yield pairs.selected(common > 0).reaching(iou)


def one_by_one(run: 'RunItems', crowded: 'Ints', ious: tuple[int, ...]) -> 'Iterator[tuple[int, int]]':
    """The items of some documents that are matched at one of some IoUs, in billionths, each with the free window of the
    best IoU: the place of the item in ``run.overlapping_items``, and a number that has the bit of this IoU.

    Args:
        crowded: the places of all items of these documents, which have too many windows for all pairs to be looked at
    """
    items, windows = run.overlapping_items, run.relevant.cached(true_windows).windows
    crowded = crowded[np.argsort(items.group[crowded], kind='stable')]
    changes = np.flatnonzero(np.diff(items.group[crowded])) + 1
    for those in filter(len, np.split(crowded, changes)):
        low, high = np.searchsorted(windows.group, items.group[those[0]] + np.arange(2))
        columns = items.start[those], items.end[those], windows.start[low:high], windows.end[low:high]
        for item, right in _matches(ious, *map(whole_billionths, columns)):
            yield int(those[item]), right


def _matches(ious: tuple[int, ...], left: 'Ints', right: 'Ints', starts: 'Ints',
             ends: 'Ints') -> 'Iterator[tuple[int, int]]':
    """The matches of the items of a document, from ``left`` to ``right`` by rank, with its windows, sorted by start,
    end and place: see :func:`one_by_one`. The windows that start nearest to an item come first, and those that start
    further away only where they may have a higher IoU."""
    unit = np.gcd.reduce(np.concatenate([left, right, starts, ends]))
    longest = int(max(right.max(), ends.max())) // int(unit)
    left, right, starts, ends = ((column // unit).astype(np.int64 if longest <= _EXACT else object)
                                 for column in (left, right, starts, ends))

    def quotient(part: Any, whole: Any) -> Any:
        return part / whole if longest <= _EXACT else part * longest ** 2 // whole
    least = np.array([quotient(iou, 10 ** 9) for iou in ious]) * (1 - 1e-6)
    free = np.ones((len(ious), len(starts)), bool)
    for item, (start, end) in enumerate(zip(left.tolist(), right.tolist())):
        middle, reach = int(np.searchsorted(starts, start)), _NEAR
        while True:
            near = slice(max(0, middle - reach), middle + reach)
            common = np.minimum(ends[near], end) - np.maximum(starts[near], start)
            union = np.maximum(ends[near], end) - np.minimum(starts[near], start)
            found = np.where(free[:, near], quotient(common, union), -1)
            # The IoU of a window is at most that of the one with its start that ends with the item.
            further = [quotient(end - max(start, place), end - min(start, place)) for place in (
                *starts[max(0, near.start - 1):near.start].tolist(), *starts[near.stop:near.stop + 1].tolist())]
            if (np.maximum(found.max(axis=1), least) > max(further, default=-1)).all():
                break
            reach *= 4
        for number, (iou, window) in enumerate(zip(ious, found.argmax(axis=1).tolist())):
            if free[number, near.start + window] and common[window] * 10 ** 9 >= iou * union[window]:
                free[number, near.start + window] = False
                yield item, 1 << number


def _parts(count: 'Ints') -> list[tuple[int, int]]:
    """Ranges of items that together have about so many pairs as are in memory at once."""
    changes = np.flatnonzero(np.diff(np.cumsum(count) // _PAIRS)) + 1
    return list(pairwise([0, *changes.tolist(), len(count)]))


def best_first(pairs: WindowOverlaps) -> WindowOverlaps:
    """The pairs of each item by their IoU, the best first; of equal IoUs the window that starts, then ends, first."""
    if not ((pairs.query[1:] == pairs.query[:-1]) & (pairs.rank[1:] == pairs.rank[:-1])).any():
        return pairs
    # In units of which all lengths are multiples, the IoUs of few units differ by more than floats are apart.
    unit = gcd(np.gcd.reduce(pairs.common), np.gcd.reduce(pairs.union))
    common, union = pairs.common // unit, pairs.union // unit
    longest = int(union.max())
    if longest <= _EXACT:
        return pairs.selected(np.lexsort((-(common / union).astype(float), pairs.rank, pairs.query)))
    # Multiplied by the square of the longest union, different fractions have different whole parts.
    level = [-(part * longest ** 2 // whole) for part, whole in zip(common.tolist(), union.tolist())]
    keys = list(zip(pairs.query.tolist(), pairs.rank.tolist(), level))
    return pairs.selected(np.array(sorted(range(len(keys)), key=keys.__getitem__)))
