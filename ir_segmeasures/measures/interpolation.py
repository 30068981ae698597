"""Interpolated precision: the precision at a level of recall is the best one at this level or a higher one. AiSP, AiP
and AigP are means of it over equally spaced levels.
"""


from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ir_segmeasures.evaluation.axis import at_place
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure
from ir_segmeasures.measures.stops import Outcome, equal_levels, interpolated, one_level
from ir_segmeasures.measures.walks import Walk
from ir_segmeasures.segments.arrays import Floats

__all__ = ['AtLevel', 'InterpolatedMeasure', 'OverLevels', 'Recalled']


class Recalled(NamedTuple):
    """A walk with recall and precision after each look; ``begin`` begins the sentence: 'The user sees'."""
    walk: Walk
    recall: Floats
    precision: Floats
    begin: str
    columns: Mapping[str, Any] = {}


class InterpolatedMeasure(SpanMeasure):
    """A measure of interpolated precision. A subclass has the walk."""

    def recalled(self, run: RunOnAxis) -> Recalled:
        """The walk up to the cut-off, with recall and precision."""
        raise NotImplementedError

    def seen(self, run: RunOnAxis, recalled: Recalled) -> Callable[[int], str]:
        """(query) → the sentence that says how much is recalled."""
        found = run.units(at_place(recalled.walk.gain, recalled.walk.query, run.queries))
        return lambda query: f'{recalled.begin} {found[query]:.6g} of {run.T_rel[query] / run.scale:.6g} relevant.'


class AtLevel(InterpolatedMeasure):
    """Interpolated precision at one level of recall, which stands behind ``@``."""
    HIGHEST: str  # what is the highest at the level, in the sentence

    def outcome(self, run: RunOnAxis) -> Outcome:
        found, level = self.recalled(run), self[self.AT_PARAM]
        seen = self.seen(run, found)
        return interpolated(found.walk, found.recall, found.precision, one_level(level), 1, lambda query, value: (
            f'{seen(query)} The highest {self.HIGHEST} where recall is {level:g} or more is '
            f'{value:.4f}.'), **found.columns)


class OverLevels(InterpolatedMeasure):
    """Interpolated precision averaged over equally spaced levels of recall."""
    HIGHEST: tuple[str, str, str]  # what counts at a level, the steps that have it, and one of these, in the sentence

    def levels(self) -> int:
        """The number of the levels."""
        return self['points']

    def outcome(self, run: RunOnAxis) -> Outcome:
        found, levels, (precision, steps, step) = self.recalled(run), self.levels(), self.HIGHEST
        seen = self.seen(run, found)
        reached = equal_levels(levels, self.params.get('zero', True))
        return interpolated(
            found.walk, found.recall, found.precision, reached, levels, lambda query, value: (
                f'{seen(query)} At each of {levels} recall levels the highest {precision} of the '
                f'{steps} that reach the level counts, and 0 where no {step} reaches it. The mean is {value:.4f}.'),
            **found.columns)
