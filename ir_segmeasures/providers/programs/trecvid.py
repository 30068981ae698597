"""The figures of TRECVID's program for judgements of sampled strata.

Source: sample_eval.pl, https://www-nlpir.nist.gov/projects/trecvid/trecvid.tools/sample_eval/.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ir_segmeasures.evaluation.row_evaluator import RowEvaluator
from ir_segmeasures.measures import xinfAP
from ir_segmeasures.providers.programs.program import FigureValues, Program, means
from ir_segmeasures.providers.sample_eval_provider import (
    LIMIT,
    InferredNumbers,
    inferred_numbers,
    interpolated_precisions,
)

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.row_evaluator import RowTopic

_RANKS = (10, 100, LIMIT)


def sample_eval_by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """``infAP``, ``infNDCG``, the inferred precisions ``iP10``, ``iP100`` and ``iP1000``, ``inum_rel_ret`` and
    ``inum_rel`` (the relevant items that are inferred in the ranking and in the pool) and ``num_ret`` of each judged
    query that the run answers."""
    return _of_queries(_numbers(qrels, run), run)


def _of_queries(numbers: dict[str, InferredNumbers], run: Any) -> dict[str, FigureValues]:
    sizes = Counter(row.query_id for row in run)
    return {query: {'infAP': found.ap, 'infNDCG': found.ndcg, **{f'iP{rank}': found.precision(rank) for rank in _RANKS},
                    'inum_rel_ret': found.found[-1], 'inum_rel': found.relevant, 'num_ret': sizes[query]}
            for query, found in numbers.items() if sizes[query]}


def sample_eval_figures(qrels: Any, run: Any) -> FigureValues:
    """The means over the queries that the run answers, and ``iprec@rec0.00`` … ``iprec@rec1.00``; the sums of
    ``inum_rel_ret``, of ``inum_rel`` over all judged queries, and of ``num_ret`` up to the 1,000th item of a query."""
    numbers = _numbers(qrels, run)
    queries = _of_queries(numbers, run)
    figures, answered = means(queries), [numbers[query] for query in queries]
    levels = zip(*(interpolated_precisions(found.found, found.relevant) for found in answered))
    return {**{name: figures[name] for name in ('infAP', 'infNDCG')},
            **{f'iprec@rec{place / 10:.2f}': sum(level) / len(queries) for place, level in enumerate(levels)},
            **figures,
            'inum_rel_ret': sum(found.found[-1] for found in answered),
            'inum_rel': sum(found.relevant for found in numbers.values()),
            'num_ret': sum(len(found.found) for found in answered)}


def _numbers(qrels: Any, run: Any) -> dict[str, InferredNumbers]:
    """The numbers of each judged query."""
    numbers: dict[str, InferredNumbers] = {}

    def compute(_: Any, topic: RowTopic) -> float:
        numbers[topic.query_id] = inferred_numbers(topic)
        return numbers[topic.query_id].ap
    list(RowEvaluator([xinfAP(tool='sample_eval')], qrels, compute).iter_calc(run))
    return numbers


SAMPLE_EVAL = Program(
    'sample_eval', 'TRECVID Ad-hoc Video Search 2016-, sample_eval (https://www-nlpir.nist.gov/projects/trecvid)',
    'qrels: topic, 0, shot, stratum, judgement', 'a run: topic, Q0 or 0, shot, rank, score, run', 'trecvid-strata',
    ('trec', 'trecvid-avs'), sample_eval_figures, 4, by_query=sample_eval_by_query)
