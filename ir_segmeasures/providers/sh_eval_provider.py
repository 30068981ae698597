"""The provider ``sh_eval``: the measures of MediaEval Search & Hyperlinking as the campaign's own tool has them."""

from typing import Any

from ir_measures import Evaluator, providers

from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.providers.base import ToolProvider
from ir_segmeasures.providers.sh_eval_figures import FIGURES

__all__ = ['ShEvalProvider', 'sh_eval']


class ShEvalProvider(ToolProvider):
    """robinaly/sh_eval, the official tool of MediaEval Search & Hyperlinking 2014-15 and TRECVID Video Hyperlinking
    2015-16. Published MAP-over, MAP-bin, MAP-tol and MAiSP figures come from it: ``MAiSP(tool='sh_eval')`` in any
    pipeline, or all measures of a call with ``--provider sh_eval`` and ``ir_segmeasures.sh_eval.calc_aggregate(…)``.

    Its numbers differ from the definitions in known ways, all kept:

    - a segment that ends where another starts overlaps it (``over``, MAiSP);
    - an item in tolerance is checked against what was seen as a whole, not from its start (``tol``);
    - MAiSP has the constant 1 at recall 0, a last recall point that can lie beyond the relevant content, loses a second
      where a span is cut, and moves on by too much after an item's second span;
    - it knows whole seconds: times with fractions are an error;
    - it averages over the queries that a run answers. The values of the queries are those of the tool; the mean, as
      everywhere in ir-measures, is over all judged queries.
    """
    NAME = 'sh_eval'
    FIGURES = FIGURES

    def _tool_evaluator(self, measures: list[SegmentMeasure], qrels: Any) -> Evaluator:
        from ir_segmeasures.providers.sh_eval_evaluator import ShEvalEvaluator
        return ShEvalEvaluator(measures, qrels)


sh_eval = providers.register(ShEvalProvider())
