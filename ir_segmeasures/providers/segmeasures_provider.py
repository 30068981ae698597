"""The provider ``segmeasures``: every measure by its definition, on whole ticks of the unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ir_measures import Evaluator, Measure, Metric, Provider, Qrel, providers

from ir_segmeasures.measures import RowMeasure, SegmentMeasure, SpanMeasure
from ir_segmeasures.measures.base import DECLARED
from ir_segmeasures.measures.host_measures import measure_of_documents, refuse_rows
from ir_segmeasures.providers.base import checked_measures, needed_columns
from ir_segmeasures.providers.call_private import measures_of_call

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator


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
        if of_documents is None and not of_rows:
            return _of_spans(spans, qrels)
        from ir_segmeasures.evaluation.row_evaluator import RowEvaluator  # imported when they are needed
        from ir_segmeasures.segments.tables.adapters import adapter_of
        from ir_segmeasures.segments.tables.table import SegmentTable
        rows, judged = qrels, []
        if of_documents is not None:
            rows = adapter_of(qrels, 'qrels')
            judged = list(map(Qrel, *map(rows.values, ('query_id', 'doc_id', 'relevance'))))
            refuse_rows(judged, 'qrels', list(asked))  # a host that cannot take them does not say which row it is
        # Once for all evaluators, and for what can be read only once.
        table = SegmentTable.from_qrels(rows, elements=True) if of_rows else rows
        evaluators = [*([_of_spans(spans, table)] if spans else []),
                      *([RowEvaluator(of_rows, table, _compute, warns=not spans)] if of_rows else [])]
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


def _of_spans(measures: list[SpanMeasure], qrels: Any) -> SpanEvaluator:
    from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator  # imported when it is needed
    return SpanEvaluator(measures, qrels)


def _compute(measure: RowMeasure, topic: Any) -> float:
    return measure.compute(topic)


segmeasures = providers.register(SegMeasuresProvider())
