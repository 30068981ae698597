"""The base of the providers of official programs' numbers: which measures they take, and the sentences about others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ir_measures import Evaluator, Measure, Provider

from ir_segmeasures.evaluation.outcomes import Outcome, distinct_measures
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.base import add_tool
from ir_segmeasures.measures.parameters import Only

NO_PARAMETER = Only(None)
WHOLE = Only(rule=lambda value: isinstance(value, int), words='whole numbers')


class Figure(NamedTuple):
    """A figure of an official program.

    Attributes:
        measure: the measure that the figure is, without parameters
        compute: (the run on an axis, the measure with its parameters) → the program's value for each query
        limits: the only values that the program has for some parameters
        mode: the program's option for it, if it has several
        empty: the program's value for a query without relevant content
    """
    measure: SegmentMeasure
    compute: Callable[[Any, Any], Any]
    limits: Mapping[str, Only]
    mode: str = ''
    empty: float = 0.


Figures = Mapping[str, Figure]


def needed_columns(measures: Iterable[Measure]) -> list[str]:
    """The columns that the qrels must have for these measures, beside the segments."""
    return list(dict.fromkeys(name for measure in measures if isinstance(measure, SegmentMeasure)
                              for name in measure.NEEDS))


def checked_measures(measures: Iterable[Measure], is_supported: Callable[[SegmentMeasure], bool]
                     ) -> list[SegmentMeasure]:
    """The measures, each once. Raises ``ValueError`` for wrong parameters and for a measure that is not supported."""
    found: list[SegmentMeasure] = []
    for measure in distinct_measures(measures):
        if isinstance(measure, SegmentMeasure):
            measure.check_params()
        if not isinstance(measure, SegmentMeasure) or not is_supported(measure):
            raise ValueError(f'unsupported measure {measure}')
        found.append(measure)
    return found


class ToolProvider(Provider):
    """A provider of the numbers of the official program ``NAME``, a class with its ``figures``. Their measures take the
    parameter ``tool``, and the provider supports them.
    """
    figures: tuple[Figure, ...]
    FIGURES: Figures  # by the names of their measures
    EVALUATOR = 'SpanEvaluator'  # of ir_segmeasures.providers.evaluators

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.FIGURES = {figure.measure.NAME: figure for figure in cls.figures}
        cls.SUPPORTED_MEASURES = [figure.measure for figure in cls.FIGURES.values()]
        for figure in cls.FIGURES.values():
            # No program condenses lists, or keeps segments that touch apart.
            no_more = {name: Only(False) for name in ('condensed', 'apart', 'silence')
                       if name in figure.measure.SUPPORTED_PARAMS}
            add_tool(figure.measure, cls.NAME, {**figure.limits, **no_more})

    def supports(self, measure: Measure) -> bool:
        return (isinstance(measure, SegmentMeasure) and measure.NAME in self.FIGURES and measure.has_valid_params()
                and measure.params.get('tool', self.NAME) == self.NAME and measure.conflict(self.NAME) is None)

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        return [*super().qrel_inputs(measures), *needed_columns(measures)]

    def _evaluator(self, measures: Iterable[Measure], qrels: Any) -> Evaluator:
        ours = checked_measures(measures, lambda measure: measure.NAME in self.FIGURES)
        for conflict in filter(None, (measure.conflict(self.NAME) for measure in ours)):
            raise ValueError(conflict)
        from ir_segmeasures.providers import evaluators  # imported when they are needed
        evaluator = getattr(evaluators, self.EVALUATOR)
        return evaluator(ours, qrels, self._outcome if issubclass(evaluator, evaluators.SpanEvaluator) else self._value)

    def _outcome(self, measure: Any, run: Any) -> Outcome:
        return Outcome(self._value(measure, run))

    def _value(self, measure: SegmentMeasure, computed_on: Any) -> Any:
        return self.FIGURES[measure.NAME].compute(computed_on, measure)
