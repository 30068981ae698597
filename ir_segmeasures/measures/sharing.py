"""Judged segments, not merged, and the items that share content with them."""


from typing import NamedTuple

import numpy as np

from ir_segmeasures.evaluation.axis import first_holding
from ir_segmeasures.measures.base import RunOnAxis
from ir_segmeasures.segments.arrays import Ints

__all__ = ['FirstSegments', 'first_items', 'first_segments', 'first_sharing', 'segments_of_queries']


def first_sharing(start: Ints, end: Ints, other_start: Ints, other_end: Ints) -> Ints:
    """For each interval the number of the first of the others, in their order, that shares content with it, or the
    number of the others where none does::

        [next((i for i, (s, e) in enumerate(others) if max(s, start) < min(e, end)), len(others))
         for start, end in intervals]

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures.measures.sharing import first_sharing
        >>> first_sharing(np.array([0, 10]), np.array([5, 12]), np.array([11, 0]), np.array([20, 11])).tolist()
        [1, 0]
    """
    points = np.sort(np.concatenate([start, end, other_start, other_end]))
    points = points[np.diff(points, prepend=-1) > 0]
    low, high, other_low, other_high = (np.searchsorted(points, x) for x in (start, end, other_start, other_end))
    least = first_holding(other_low, other_high, max(len(points) - 1, 0))
    first = np.full(len(start), len(other_start))
    # The least number in a range is that in two ranges whose lengths are a power of two.
    power = np.frexp(high - low)[1] - 1
    for exponent in range(int(power.max(initial=-1)) + 1):
        length = 1 << exponent
        these = np.flatnonzero(power == exponent)
        first[these] = np.minimum(least[low[these]], least[high[these] - length])
        least = np.minimum(least[:-length], least[length:])
    return first


class FirstSegments(NamedTuple):
    """The items that share content with relevant segments, as arrays, by rank.

    Attributes:
        item: which item of the run it is
        segment: the first of these segments, in the order of the judgements
    """
    item: Ints
    segment: Ints


def first_segments(run: RunOnAxis) -> FirstSegments:
    """The items of all queries, each with the first relevant segment that it shares content with."""
    first, stop = run.met
    item = np.flatnonzero(first < stop)
    return FirstSegments(item, first_sharing(run.start[item], run.end[item], run.segments.start, run.segments.end))


def first_items(run: RunOnAxis) -> Ints:
    """For each relevant segment the first item that shares content with it, or the number of items."""
    return first_sharing(run.segments.start, run.segments.end, run.start, run.end)


def segments_of_queries(run: RunOnAxis) -> Ints:
    """The number of the relevant segments of each query."""
    return np.bincount(run.segments.query, minlength=run.queries)
