"""The base of the providers of official programs' numbers (which measures they take, and the sentences about others),
and the provider ``segmeasures``: every measure by its definition, on whole ticks of the unit.

A private ground of ir-measures is the measures of a whole call, of which each provider is given its own alone. The
public way that is missing is an argument of ``Provider.evaluator``; until then the variable ``orig_measures`` of the
pipeline of providers is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from inspect import currentframe
from typing import Any, NamedTuple

from ir_measures import Evaluator, Measure, Metric, Provider, Qrel, providers
from ir_measures.providers import FallbackProvider

from ir_segmeasures.evaluation.outcomes import Outcome, distinct_measures
from ir_segmeasures.measures import RowMeasure, SegmentMeasure, SpanMeasure
from ir_segmeasures.measures.base import DECLARED, add_tool
from ir_segmeasures.measures.host_measures import measure_of_documents, refuse_rows
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
        return self._tool_evaluator(ours, qrels)

    def _tool_evaluator(self, measures: list[SegmentMeasure], qrels: Any) -> Evaluator:
        """The evaluator of measures that the program computes; by default it is one of measures of spans."""
        from ir_segmeasures.evaluation.evaluators import SpanEvaluator  # imported when it is needed
        return SpanEvaluator(measures, qrels, self._outcome)

    def _outcome(self, measure: Any, run: Any) -> Outcome:
        return Outcome(self._value(measure, run))

    def _value(self, measure: SegmentMeasure, computed_on: Any) -> Any:
        return self.FIGURES[measure.NAME].compute(computed_on, measure)


def measures_of_call() -> Collection[Measure]:
    """All measures that ir-measures is asked for in the call that reached this line; none outside of one."""
    frame = currentframe()
    while frame is not None and frame.f_code is not FallbackProvider._evaluator.__code__:
        frame = frame.f_back
    return () if frame is None else frame.f_locals.get('orig_measures', ())


class SegMeasuresProvider(Provider):
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

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        return [*super().qrel_inputs(measures), *needed_columns(measures)]

    def _evaluator(self, measures: Iterable[Measure], qrels: Any) -> Evaluator:
        asked = measures_of_call()
        of_documents = measure_of_documents(asked)
        ours = checked_measures(measures, lambda measure: (
            isinstance(measure, SpanMeasure | RowMeasure) and 'tool' not in measure.params))
        of_rows = [measure for measure in ours if isinstance(measure, RowMeasure)]
        spans = [measure for measure in ours if isinstance(measure, SpanMeasure)]
        from ir_segmeasures.evaluation.evaluators import RowEvaluator, SpanEvaluator  # imported when they are needed
        if of_documents is None and not of_rows:
            return SpanEvaluator(spans, qrels)
        from ir_segmeasures.segments.tables.adapters import adapter_of
        from ir_segmeasures.segments.tables.table import SegmentTable
        rows, judged = qrels, []
        if of_documents is not None:
            rows = adapter_of(qrels, 'qrels')
            judged = list(map(Qrel, *map(rows.values, ('query_id', 'doc_id', 'relevance'))))
            refuse_rows(judged, 'qrels', list(asked))  # a host that cannot take them does not say which row it is
        # Once for all evaluators, and for what can be read only once.
        table = SegmentTable.from_qrels(rows, elements=True) if of_rows else rows
        evaluators = [*([SpanEvaluator(spans, table)] if spans else []),
                      *([RowEvaluator(of_rows, table, warns=not spans)] if of_rows else [])]
        return _Together(evaluators, of_documents, judged) if of_documents or len(evaluators) > 1 else evaluators[0]


class _Together(Evaluator):
    """The evaluators of the measures of spans and of the measures of rows together. Where the call has a measure of
    documents too, it warns that this measure is 0 on segments of a system.

    Args:
        evaluators: of qrels that are the same for all
        of_documents: a measure of documents, or None
        judged: rows of the qrels, where there is such a measure
    """

    def __init__(self, evaluators: list[Evaluator], of_documents: Measure | None, judged: list[Qrel]):
        super().__init__([measure for evaluator in evaluators for measure in evaluator.measures],
                         evaluators[0].qrel_qids)
        self._evaluators, self._of_documents, self._judged = evaluators, of_documents, judged

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The values of the measures of segments, after the warning."""
        from ir_segmeasures.ids.documents import document_measure_warning
        from ir_segmeasures.segments.tables.adapters import adapter_of
        from ir_segmeasures.segments.tables.table import SegmentTable
        from ir_segmeasures.segments.user_warnings import is_listened_to, warn
        if self._of_documents:
            run = adapter_of(run, 'run')
            if is_listened_to():
                pairs = zip(*map(run.values, ('query_id', 'doc_id')))
                warn([document_measure_warning(str(self._of_documents), self._judged, pairs)], of_batch=True)
        if len(self._evaluators) > 1:
            run = SegmentTable.from_run(run, elements=True)
        for evaluator in self._evaluators:
            yield from evaluator.iter_calc(run)


segmeasures = providers.register(SegMeasuresProvider())
