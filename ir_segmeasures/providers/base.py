"""The base of the providers of official programs' numbers (which measures they take, and the sentences about others),
and the provider ``segmeasures``: every measure by its definition, on whole ticks of the unit.

A private ground of ir-measures is the measures of a whole call, of which each provider is given its own alone. The
public way that is missing is an argument of ``Provider.evaluator``; until then the variable ``orig_measures`` of the
pipeline of providers is looked up.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from inspect import currentframe
from typing import Any, NamedTuple

from ir_measures import Evaluator, Measure, Provider, providers
from ir_measures.providers import FallbackProvider

from ir_segmeasures.evaluation.outcomes import distinct_measures
from ir_segmeasures.measures import RowMeasure, SegmentMeasure, SpanMeasure
from ir_segmeasures.measures.base import DECLARED, add_tool
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


class _SegmentProvider(Provider):
    """The base of all providers: it asks for the columns of the qrels that measures need, and refuses other measures
    than those of segments that it has, and wrong parameters, with a ``ValueError``."""

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        needed = (name for measure in measures if isinstance(measure, SegmentMeasure) for name in measure.NEEDS)
        return [*super().qrel_inputs(measures), *dict.fromkeys(needed)]

    def _evaluator(self, measures: Iterable[Measure], qrels: Any) -> Evaluator:
        ours = distinct_measures(measures)
        for measure in ours:
            if isinstance(measure, SegmentMeasure):
                measure.check_params()
            if not isinstance(measure, SegmentMeasure) or not self._has(measure):
                raise ValueError(f'unsupported measure {measure}')
        return self._evaluator_of(ours, qrels)

    def _has(self, measure: SegmentMeasure) -> bool:
        raise NotImplementedError

    def _evaluator_of(self, measures: list[Any], qrels: Any) -> Evaluator:
        raise NotImplementedError


class ToolProvider(_SegmentProvider):
    """A provider of the numbers of the official program ``NAME``, a class with its ``figures``. Their measures take the
    parameter ``tool``, and the provider supports them.
    """
    figures: tuple[Figure, ...]
    FIGURES: Mapping[str, Figure]  # by the names of their measures

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.FIGURES = {figure.measure.NAME: figure for figure in cls.figures}
        cls.SUPPORTED_MEASURES = [figure.measure for figure in cls.figures]
        for measure, _, limits, *_ in cls.figures:
            # No program condenses lists, or keeps segments that touch apart.
            no_more = [name for name in ('condensed', 'apart', 'silence') if name in measure.SUPPORTED_PARAMS]
            add_tool(measure, cls.NAME, {**limits, **dict.fromkeys(no_more, Only(False))})

    def supports(self, measure: Measure) -> bool:
        return (isinstance(measure, SegmentMeasure) and measure.NAME in self.FIGURES and measure.has_valid_params()
                and measure.params.get('tool', self.NAME) == self.NAME and measure.conflict(self.NAME) is None)

    def _has(self, measure: SegmentMeasure) -> bool:
        if measure.NAME in self.FIGURES and (conflict := measure.conflict(self.NAME)):
            raise ValueError(conflict)
        return measure.NAME in self.FIGURES

    def _evaluator_of(self, measures: list[Any], qrels: Any) -> Evaluator:
        """The evaluator of measures that the program computes; by default it is one of measures of spans."""
        from ir_segmeasures.evaluation.evaluators import SpanEvaluator  # imported when it is needed
        return SpanEvaluator(measures, qrels, self._value)

    def _value(self, measure: SegmentMeasure, computed_on: Any) -> Any:
        return self.FIGURES[measure.NAME].compute(computed_on, measure)


def measures_of_call() -> Collection[Measure]:
    """All measures that ir-measures is asked for in the call that reached this line; none outside of one."""
    frame = currentframe()
    while frame is not None and frame.f_code is not FallbackProvider._evaluator.__code__:
        frame = frame.f_back
    return () if frame is None else frame.f_locals.get('orig_measures', ())


class SegMeasuresProvider(_SegmentProvider):
    """ir_segmeasures: measures for retrieval without a predefined unit, as their papers define them.

    Runs and qrels hold segments: in the document ids (``v1#t=12.5,60``), or in fields ``start`` and ``end`` (or
    ``length``) beside them. Items are ranked by score, ties in the order of the input. Every judged query is yielded;
    one without a result has the value of the empty ranking, one without relevant content 0.
    """
    NAME = 'segmeasures'
    SUPPORTED_MEASURES = DECLARED

    def supports(self, measure: Measure) -> bool:
        # A tool's number is for its own provider to give. Wrong parameters are taken: evaluating says what is wrong.
        return isinstance(measure, SegmentMeasure) and (not measure.has_valid_params() or (
            'tool' not in measure.params and super().supports(measure)))

    def _has(self, measure: SegmentMeasure) -> bool:
        return isinstance(measure, SpanMeasure | RowMeasure) and 'tool' not in measure.params

    def _evaluator_of(self, measures: list[Any], qrels: Any) -> Evaluator:
        from ir_segmeasures.providers.evaluators import evaluator_of  # imported when it is needed
        return evaluator_of(measures, qrels, measures_of_call())


segmeasures = providers.register(SegMeasuresProvider())
