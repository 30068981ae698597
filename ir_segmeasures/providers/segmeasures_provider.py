"""The provider ``segmeasures``: every measure by its definition, exact to 1e-9 (with decimals, up to some 10^7)."""

from collections.abc import Iterable, Iterator
from typing import Any

from ir_measures import Evaluator, Measure, Metric, Provider, providers

from ir_segmeasures import measures
from ir_segmeasures.evaluation.by_spans import SegmentEvaluator, in_order
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.segments.table import SegmentTable

__all__ = ['SegMeasuresProvider', 'segmeasures']


class SegMeasuresProvider(Provider):
    """
    ir_segmeasures: measures for retrieval without a predefined unit, as their papers define them.

    Runs and qrels hold segments: in the document ids (``v1#t=12.5,60``), or in fields ``start`` and ``end`` (or
    ``length``) beside them. Items are ranked by score, ties in the order of the input. Every judged query is yielded;
    one without a result has the value of the empty ranking, one without relevant content 0.
    """
    NAME = 'segmeasures'
    SUPPORTED_MEASURES = [
        measures.T2I_AP, measures.P_tol, measures.T2I_P,
        measures.ESL, measures.ESLRF, measures.ESD, measures.Precall,
        measures.AiSP, measures.iSP, measures.ASP,
        measures.AgP, measures.gP, measures.gR, measures.igP,
        measures.AiP, measures.iP, measures.AgP_bep, measures.gP_bep, measures.AgP_reading, measures.gP_reading,
        measures.AP_over, measures.P_over, measures.AP_bin, measures.P_bin,
        measures.Judged_over, measures.Judged_bin, measures.Judged_tol,
        measures.P_cov, measures.R_cov,
        measures.SegP, measures.SegR, measures.SegF, measures.SegIoU,
        measures.SegFallout, measures.SegMiss, measures.SegNoise, measures.SegGenerality,
        measures.CharAP, measures.PassageAP,
        measures.IoU_AP, measures.mIoU_AP, measures.IoU_R,
        measures.I2_Precall, measures.I3_R, measures.I3_P,
        measures.XCG, measures.nXCG, measures.MAnXCG, measures.PRUM,
        measures.xinfAP,
    ]

    def supports(self, measure: Measure) -> bool:
        # A tool's number is for its own provider to give.
        return super().supports(measure) and 'tool' not in measure.params

    def _evaluator(self, measures: Iterable[Measure], qrels: Any) -> Evaluator:
        spans: list[SegmentMeasure] = []
        of_rows: list[SegmentMeasure] = []
        for measure in in_order(measures):
            if not isinstance(measure, SegmentMeasure) or 'tool' in measure.params:
                raise ValueError(f'unsupported measure {measure}')
            measure.validate_params()
            (of_rows if measure.ROWS else spans).append(measure)
        if not of_rows:
            return _of_spans(spans, qrels)
        from ir_segmeasures.evaluation.by_rows import RowEvaluator  # most calls have no need of it
        qrels = SegmentTable.from_qrels(qrels, elements=True)  # once for both, and for what can be read only once
        rows = RowEvaluator(of_rows, qrels, _compute)
        return _Both(_of_spans(spans, qrels), rows) if spans else rows


class _Both(Evaluator):
    """What looks at rows and what looks at spans, of one set of measures."""

    def __init__(self, *evaluators: Evaluator):
        super().__init__([measure for evaluator in evaluators for measure in evaluator.measures],
                         evaluators[0].qrel_qids)
        self._evaluators = evaluators

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        run = SegmentTable.from_run(run, elements=True)
        for evaluator in self._evaluators:
            yield from evaluator.iter_calc(run)


def _of_spans(measures: list[SegmentMeasure], qrels: Any) -> SegmentEvaluator:
    return SegmentEvaluator(measures, qrels, _compute, any(measure.CONTENT for measure in measures))


def _compute(measure: SegmentMeasure, topic: Any) -> float:
    return measure.compute(topic)


segmeasures = providers.register(SegMeasuresProvider())
