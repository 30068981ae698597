"""The figures of TRECVID's program for judgements of sampled strata.

Source: sample_eval.pl, https://www-nlpir.nist.gov/projects/trecvid/trecvid.tools/sample_eval/.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ir_segmeasures.measures import xinfAP
from ir_segmeasures.providers.programs.campaigns.measured import means, values_by_query
from ir_segmeasures.providers.programs.program import FigureValues, Program

__all__ = ['SAMPLE_EVAL', 'sample_eval_by_query', 'sample_eval_figures']

_LIMIT = 1000  # items of a query that count


def sample_eval_by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """``infAP`` and ``num_ret`` of each judged query. ``infNDCG`` and the inferred precisions are not computed."""
    sizes = Counter(row.query_id for row in run)
    return {query: {**figures, 'num_ret': min(_LIMIT, sizes[query])}
            for query, figures in values_by_query({'infAP': xinfAP(tool='sample_eval')}, qrels, run).items()}


def sample_eval_figures(qrels: Any, run: Any) -> FigureValues:
    """The mean of ``infAP`` over the judged queries, and the sum of ``num_ret``."""
    queries = sample_eval_by_query(qrels, run)
    return {**means(queries), 'num_ret': sum(figures['num_ret'] for figures in queries.values())}


SAMPLE_EVAL = Program(
    'sample_eval', 'TRECVID Ad-hoc Video Search 2016-, sample_eval (https://www-nlpir.nist.gov/projects/trecvid)',
    'qrels: topic, 0, shot, stratum, judgement', 'a run: topic, Q0 or 0, shot, rank, score, run', 'trecvid-strata',
    ('trec', 'trecvid-avs'), sample_eval_figures, 4, by_query=sample_eval_by_query)
