"""The provider ``sample_eval``: inferred AP over strata as TRECVID's own tool has it."""

from typing import TYPE_CHECKING, Any

from ir_measures import Evaluator, providers

from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.providers.base import ToolProvider
from ir_segmeasures.providers.sample_eval_figures import FIGURES

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.row_topic import RowTopic

__all__ = ['SampleEvalProvider', 'sample_eval']


class SampleEvalProvider(ToolProvider):
    """sample_eval, TRECVID's tool for judgements of sampled strata. The xinfAP figures of Ad-hoc Video Search come from
    it: ``xinfAP(tool='sample_eval')`` in any pipeline, or ``ir_segmeasures.sample_eval.calc_aggregate([xinfAP], …)``.

    Its numbers differ from the definition in known ways, all kept:

    - items with the same score stand in the order of their ids, the last in the alphabet first;
    - it looks at the first 1,000 items, and at no others;
    - where more than 1,000 relevant rows are inferred for a query, it multiplies the value by this number / 1,000, so
      that it can exceed 1.

    What it does with an item that stands in a ranking twice is not known: that is an error here. The values of the
    queries are those of the program; the mean, as everywhere in ir-measures, is over all judged queries.
    """
    NAME = 'sample_eval'
    FIGURES = FIGURES

    def _tool_evaluator(self, measures: list[SegmentMeasure], qrels: Any) -> Evaluator:
        from ir_segmeasures.evaluation.row_evaluator import RowEvaluator  # imported when it is needed
        return RowEvaluator(measures, qrels, _compute)


def _compute(measure: SegmentMeasure, topic: 'RowTopic') -> float:
    return FIGURES[measure.NAME].compute(topic, measure)


sample_eval = providers.register(SampleEvalProvider())
