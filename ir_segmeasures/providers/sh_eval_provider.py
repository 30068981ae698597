"""The provider ``sh_eval``: the measures of MediaEval Search & Hyperlinking as the campaign's own tool has them."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from ir_measures import Evaluator, Measure, Metric, providers

from ir_segmeasures import measures
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.providers.base import ToolProvider
from ir_segmeasures.segments.table import SegmentTable

__all__ = ['ShEvalProvider', 'sh_eval']


class ShEvalProvider(ToolProvider):
    """
    robinaly/sh_eval, the official tool of MediaEval Search & Hyperlinking 2014-15 and TRECVID Video Hyperlinking
    2015-16. Published MAP-over, MAP-bin, MAP-tol and MAiSP figures come from it: ``MAiSP(tool='sh_eval')`` in any
    pipeline, or all measures of a call with ``--provider sh_eval`` and ``ir_segmeasures.sh_eval.calc_aggregate(…)``.

    Its numbers differ from the definitions in known ways, all kept:

    - a segment that ends where another starts overlaps it (``over``, MAiSP);
    - an item in tolerance is checked against what was seen as a whole, not from its start (``tol``);
    - MAiSP has the constant 1 at recall 0, a last recall point that can lie beyond the relevant content, loses a second
      where a span is cut, and moves on by too much after an item's second span;
    - it knows whole seconds: times with fractions are an error;
    - it averages over the queries that a run answers. Per-query values are its own; the mean, as everywhere in
      ir-measures, is over all judged queries.
    """
    NAME = 'sh_eval'
    SUPPORTED_MEASURES = [
        measures.AP_over, measures.P_over, measures.Judged_over,
        measures.AP_bin, measures.P_bin, measures.Judged_bin,
        measures.T2I_AP, measures.P_tol, measures.Judged_tol,
        measures.AiSP, measures.iSP,
    ]

    def _tool_evaluator(self, measures: list[SegmentMeasure], qrels: Any) -> Evaluator:
        return ShEvalEvaluator(measures, qrels)


class ShEvalEvaluator(Evaluator):
    """The tool's values for each judged query."""

    def __init__(self, measures: list[SegmentMeasure], qrels: Any):
        table = SegmentTable.from_qrels(qrels)
        _check_whole_seconds(table)
        self._judged: list[list[tuple[str, int, int, float]]] = [[] for _ in table.query_ids]
        for query, document, start, end, relevance in zip(*_plain_columns(table), table.value.tolist()):
            self._judged[query].append((document, start, end, relevance))
        super().__init__(measures, table.query_ids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        table = SegmentTable.from_run(run)
        _check_whole_seconds(table)
        ranked: dict[str, list[tuple[str, int, int]]] = {query_id: [] for query_id in self.qrel_qids}
        lists = [ranked.get(query_id, []) for query_id in table.query_ids]
        for query, document, start, end in zip(*_plain_columns(table)):
            lists[query].append((document, start, end))
        for query_id, judged in zip(self.qrel_qids, self._judged):
            figures = _Figures(judged, ranked[query_id])
            for measure in self.measures:
                yield Metric(query_id, measure, float(FIGURES[str(measure.NAME)](figures, measure)))


class _Figures:
    """What the tool makes of one query, each part computed when it is first asked for."""

    def __init__(self, judged: list[Any], items: list[Any]):
        from ir_segmeasures.providers import sh_eval_figures as tool  # most calls have no need of it
        self.over = lru_cache(lambda: tool.over(judged, items))
        self.binned = lru_cache(lambda width: tool.binned(judged, items, width))
        self.tolerance = lru_cache(lambda tau: tool.tolerance(judged, items, tau))
        self.segment_precision = lru_cache(lambda: tool.segment_precision(judged, items))
        self.precision, self.judged_share = tool.precision, tool.judged_share
        self.precision_at_recall, self.average_precision = tool.precision_at_recall, tool.average_precision

    def average(self, flags: Any) -> float:
        return self.average_precision(flags.relevant, flags.R)


FIGURES: dict[str, Callable[[_Figures, Measure], float]] = {
    'AP_over': lambda f, m: f.average(f.over()),
    'P_over': lambda f, m: f.precision(f.over().relevant, m['cutoff']),
    'Judged_over': lambda f, m: f.judged_share(f.over().judged, m['cutoff']),
    'AP_bin': lambda f, m: f.average(f.binned(m['bin'])),
    'P_bin': lambda f, m: f.precision(f.binned(m['bin']).relevant, m['cutoff']),
    'Judged_bin': lambda f, m: f.judged_share(f.binned(m['bin']).judged, m['cutoff']),
    'T2I_AP': lambda f, m: f.average(f.tolerance(m['tau'])),
    'P_tol': lambda f, m: f.precision(f.tolerance(m['tau']).relevant, m['cutoff']),
    'Judged_tol': lambda f, m: f.judged_share(f.tolerance(m['tau']).judged, m['cutoff']),
    'AiSP': lambda f, m: f.segment_precision().maisp,
    'iSP': lambda f, m: f.precision_at_recall(f.segment_precision().isp, round(100 * m['recall'])),
}


def _plain_columns(table: SegmentTable) -> tuple[list[int], list[str], list[int], list[int]]:
    documents = table.document_ids
    return (table.query.tolist(), [documents[i] for i in table.document.tolist()],
            table.start.astype(int).tolist(), table.end.astype(int).tolist())


def _check_whole_seconds(table: SegmentTable) -> None:
    wrong = table.fractions() | np.isinf(table.end)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise table.error(row, f'start {table.start[row]:g} and end {table.end[row]:g} are not whole seconds, and '
                               'sh_eval knows no others: round them, or compute the measure by its definition')


sh_eval = providers.register(ShEvalProvider())
