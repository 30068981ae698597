"""Interpolated precision: the precision at a level of recall is the best one at this level or a higher one. AiSP, AiP
and AigP are means of it over equally spaced levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.rounding import TOLERANCE, reached
from ir_segmeasures.segments.spans import ordered_pairs

if TYPE_CHECKING:
    from ir_segmeasures.segments.spans import Floats

__all__ = ['BestSteps', 'average_interpolated', 'best_steps', 'interpolated', 'levels_of_each']

BestSteps = list[tuple[int, float, float]]
"""the steps of a ranking with a higher precision than every later step, from the last on: place, amount recalled,
precision there"""


def best_steps(recalled: Floats, precision: Floats, bounds: Sequence[int]) -> list[BestSteps]:
    """The best steps of each query. Only their precisions are interpolated precisions of some level.

    Args:
        recalled: the amount recalled after each step of all queries, which grows within a query
        precision: the precision after each step; 0 takes a step out
        bounds: where the steps of each query begin, and those of the last query end
    """
    n = len(bounds) - 1
    query = np.repeat(np.arange(n), np.diff(bounds))[::-1]
    backwards = precision[::-1]
    after = np.maximum.accumulate(ordered_pairs(-query, backwards)).imag
    better = backwards > 0
    better[1:] &= (after[1:] > after[:-1]) | (query[1:] != query[:-1])
    step = len(precision) - 1 - np.flatnonzero(better)
    query = query[better]
    place = step - np.asarray(bounds, np.intp)[query]
    best = list(zip(place.tolist(), recalled[step].tolist(), precision[step].tolist()))
    ends = np.searchsorted(-query, -np.arange(n), 'right').tolist()
    return [best[low:high] for low, high in zip([*ends[1:], 0], ends)]


def interpolated(best: BestSteps, wanted: float) -> tuple[int, float]:
    """The step with the best precision where ``wanted`` or more is recalled, and this precision; (-1, 0) without one.

    Examples:
        >>> from ir_segmeasures.measures.interpolation import interpolated
        >>> best = [(2, 15.0, 0.375), (0, 10.0, 0.4)]
        >>> interpolated(best, 5), interpolated(best, 12), interpolated(best, 16)
        ((0, 0.4), (2, 0.375), (-1, 0.0))
    """
    found = -1, 0.0
    for step, recalled, precision in best:  # precision grows
        if not reached(recalled, wanted):
            break
        found = step, precision
    return found


def levels_of_each(best: BestSteps, total: float, levels: int) -> list[int]:
    """For each of the best steps, at how many of the recall levels its precision is the interpolated one. The levels
    are so many equally spaced shares of ``total``, from 0 to all of it.

    Examples:
        >>> from ir_segmeasures.measures.interpolation import levels_of_each
        >>> levels_of_each([(2, 15.0, 0.375), (0, 10.0, 0.4)], 15, 101)  # up to 10/15 the first is better
        [34, 67]
    """
    scale = (levels - 1) / total * (1 + TOLERANCE)
    last = [int(recalled * scale) for _, recalled, _ in best]  # the last level that each step reaches
    return [reach - before for reach, before in zip(last, [*last[1:], -1])]


def average_interpolated(best: BestSteps, total: float, levels: int) -> float:
    """The mean of :func:`interpolated` over the levels.

    Examples:
        >>> from ir_segmeasures.measures.interpolation import average_interpolated
        >>> round(average_interpolated([(2, 15.0, 0.375), (0, 10.0, 0.4)], 15, 101), 6)  # (67 * .4 + 34 * .375) / 101
        0.391584
    """
    return sum([n * precision for n, (_, _, precision) in zip(levels_of_each(best, total, levels), best)]) / levels
