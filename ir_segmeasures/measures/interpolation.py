"""Interpolated precision: the precision at a level of recall is the best one at this level or a higher one. AiSP, AiP
and AigP are means of it over equally spaced levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import SpanMeasure
from ir_segmeasures.measures.rounding import TOLERANCE, reached
from ir_segmeasures.segments.arrays import Floats
from ir_segmeasures.segments.spans import ordered_pairs

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['AtLevel', 'BestSteps', 'InterpolatedMeasure', 'OverLevels', 'average_interpolated', 'best_steps',
           'interpolated', 'levels_of_each']

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
    if not best:  # which is so for many queries
        return 0.0
    return sum([n * precision for n, (_, _, precision) in zip(levels_of_each(best, total, levels), best)]) / levels


class InterpolatedMeasure(SpanMeasure):
    """A measure of interpolated precision. A subclass has the best steps of a query, and shows all of them."""

    def best(self, topic: Topic) -> BestSteps:
        """The best steps of the query."""
        raise NotImplementedError

    def amount(self, topic: Topic) -> float:
        """The amount that is recalled at the level 1."""
        return topic.T_rel

    def level_steps(self, topic: Topic, at_levels: dict[int, int], levels: int, sentence: str) -> Steps:
        """The steps of the query: ``at_levels`` says for how many of the levels each is the best one."""
        raise NotImplementedError


class AtLevel(InterpolatedMeasure):
    """Interpolated precision at one level of recall, which stands behind ``@``."""
    HIGHEST: str  # what is the highest at the level, in the sentence

    def _at_level(self, topic: Topic) -> tuple[int, float]:
        return interpolated(self.best(topic), self[self.AT_PARAM] * self.amount(topic))

    def compute(self, topic: Topic) -> float:
        return self._at_level(topic)[1]

    def steps(self, topic: Topic) -> Steps:
        step, value = self._at_level(topic)
        return self.level_steps(topic, {step: 1}, 1, f'The highest {self.HIGHEST} where recall is '
                                                     f'{self[self.AT_PARAM]:g} or more is {value:.4f}.')


class OverLevels(InterpolatedMeasure):
    """Interpolated precision averaged over equally spaced levels of recall."""
    HIGHEST: tuple[str, str, str]  # what counts at a level, the steps that have it, and one of these, in the sentence

    def levels(self) -> int:
        """The number of the levels."""
        return self['points']

    def compute(self, topic: Topic) -> float:
        return average_interpolated(self.best(topic), self.amount(topic), self.levels())

    def steps(self, topic: Topic) -> Steps:
        best, levels, (precision, steps, step) = self.best(topic), self.levels(), self.HIGHEST
        counts = levels_of_each(best, self.amount(topic), levels)
        return self.level_steps(
            topic, {place: n for (place, _, _), n in zip(best, counts)}, levels,
            f'At each of {levels} recall levels the highest {precision} of the {steps} that reach the level counts, '
            f'and 0 where no {step} reaches it. The mean is {self.compute(topic):.4f}.')
