"""The provider ``sample_eval``: inferred AP over strata as TRECVID's own tool has it."""

from math import inf
from typing import TYPE_CHECKING, Any

from ir_measures import Evaluator, providers

from ir_segmeasures import measures
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.base import Only
from ir_segmeasures.measures.xinfap import inferred, pool_sample
from ir_segmeasures.providers.base import NO_PARAMETER, Figure, ToolProvider, figures_by_name
from ir_segmeasures.segments.quoting import format_number

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.row_topic import Row, RowTopic

__all__ = ['SampleEvalProvider', 'sample_eval']

LIMIT = 1000


def _figure(topic: 'RowTopic', measure: SegmentMeasure) -> float:
    found = topic.found
    ranking = [found[i] for i in _order(topic)[:LIMIT]]
    R = topic.judgements.cached(pool_sample, measure['rel']).R
    return inferred(topic, ranking, measure['rel']) * max(1, R / LIMIT)


def _order(topic: 'RowTopic') -> list[int]:
    """The ranks (from 0) of the items in the tool's order."""
    rows, score = topic.ranking, topic.score
    if len(set(rows)) < len(rows):
        again = next(rank for rank, row in enumerate(rows) if row in rows[:rank])
        raise topic.error(again, 'it stands in the ranking twice, and what sample_eval makes of that is not known: '
                                 'leave one out, or compute the measure by its definition')
    order = list(range(len(rows)))
    if len(set(score)) < len(score):
        order.sort(key=lambda rank: (score[rank], _id(rows[rank])), reverse=True)
    return order


def _id(row: 'Row') -> str:
    # As it is written, but for the unit, which is the same in all.
    if row.start == 0 and row.end == inf and row.path is None:
        return row.document
    end = '' if row.end == inf else format_number(row.end)
    return f'{row.document}#{"" if row.path is None else row.path}&={format_number(row.start)},{end}'


FIGURES = figures_by_name(Figure(measures.xinfAP, _figure, {'cutoff': NO_PARAMETER, 'rel': Only(1)}))


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
