"""The provider ``segmeasures``: every measure by its definition, on whole ticks of the unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ir_measures import Evaluator, Measure, Metric, Provider, providers

from ir_segmeasures.evaluation.measure_lists import distinct_measures
from ir_segmeasures.measures import RowMeasure, SegmentMeasure, SpanMeasure
from ir_segmeasures.measures.base import DECLARED
from ir_segmeasures.measures.host_measures import measure_of_documents
from ir_segmeasures.providers.base import needed_columns
from ir_segmeasures.providers.call_private import measures_of_call

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator

__all__ = ['SegMeasuresProvider', 'segmeasures']


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
        of_documents = measure_of_documents(measures_of_call())
        if of_documents is None:
            return self._of_segments(measures, qrels)
        from ir_segmeasures.providers.beside_documents import BesideDocuments  # imported when it is needed
        return BesideDocuments(str(of_documents), qrels, lambda rows: self._of_segments(measures, rows))

    def _of_segments(self, measures: Iterable[Measure], qrels: Any) -> Evaluator:
        spans: list[SpanMeasure] = []
        of_rows: list[RowMeasure] = []
        for measure in distinct_measures(measures):
            if isinstance(measure, SegmentMeasure):
                measure.check_params()
            if not isinstance(measure, (SpanMeasure, RowMeasure)) or 'tool' in measure.params:
                raise ValueError(f'unsupported measure {measure}')
            if isinstance(measure, RowMeasure):
                of_rows.append(measure)
            else:
                spans.append(measure)
        if not of_rows:
            return _of_spans(spans, qrels)
        from ir_segmeasures.evaluation.row_evaluator import RowEvaluator  # imported when it is needed
        from ir_segmeasures.segments.tables.table import SegmentTable
        qrels = SegmentTable.from_qrels(qrels, elements=True)  # once for both, and for what can be read only once
        rows = RowEvaluator(of_rows, qrels, _compute, warns=not spans)
        return _Both(_of_spans(spans, qrels), rows) if spans else rows


class _Both(Evaluator):
    """The evaluators of the measures of spans and of the measures of rows together."""

    def __init__(self, *evaluators: Evaluator):
        super().__init__([measure for evaluator in evaluators for measure in evaluator.measures],
                         evaluators[0].qrel_qids)
        self._evaluators = evaluators

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        from ir_segmeasures.segments.tables.table import SegmentTable
        run = SegmentTable.from_run(run, elements=True)
        for evaluator in self._evaluators:
            yield from evaluator.iter_calc(run)


def _of_spans(measures: list[SpanMeasure], qrels: Any) -> SpanEvaluator:
    from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator  # imported when it is needed
    return SpanEvaluator(measures, qrels)


def _compute(measure: RowMeasure, topic: Any) -> float:
    return measure.compute(topic)


segmeasures = providers.register(SegMeasuresProvider())
