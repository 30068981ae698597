"""Explanations: how the value of a measure comes about for each query, as the steps of the walk that computes it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ir_measures import Measure

from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator
from ir_segmeasures.evaluation.topic import Topic
from ir_segmeasures.measures.base import DECLARED, SegmentMeasure, SpanMeasure
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.study.scores import parse_measures

__all__ = ['Explanation', 'explain']


class Explanation(NamedTuple):
    """How the value of a measure came about for a query.

    Attributes:
        query_id: the query
        value: the value of the measure
        steps: a named tuple for each step, in order. For most measures the value is the sum of their fields ``adds``
        sentence: how the value follows from the steps
    """
    query_id: str
    value: float
    steps: Sequence[Any]
    sentence: str


def explain(measure: Measure | str, qrels: Any, run: Any) -> list[Explanation]:
    """How the value of a measure comes about, query by query, as the steps of the walk that computes it.

    Args:
        measure: a measure that has steps, or its name: T2I_AP, P_tol, T2I_P, ESL, AiSP, ASP, AgP, AigP, AiP, AP_over,
            AP_bin and others of their families, with any parameters
        qrels, run: in any shape of ir-measures, or frames of PyTerrier, with segments

    Returns:
        an explanation for each judged query, in the order of the qrels. A query without relevant content has no steps

    Raises:
        ValueError: a measure without steps, a figure of an official program, or what evaluation raises

    Examples:
        >>> from ir_segmeasures import explain
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=20,40': 1}}
        >>> explanation, = explain('AP_over', qrels, run)
        >>> for step in explanation.steps:
        ...     print(step)
        RelevantItem(rank=1, document='v', start=0.0, end=20.0, hits=1, precision=1.0, adds=0.5)
        RelevantItem(rank=2, document='v', start=20.0, end=40.0, hits=2, precision=1.0, adds=0.5)
        >>> explanation.value, explanation.sentence
        (1.0, 'The precisions at the items that overlap relevant content sum to 2.0000, and 2.0000 / 2 = 1.0000.')
    """
    wanted = parse_measures([measure])[0]
    if isinstance(wanted, SegmentMeasure):
        wanted.check_params()
    if not isinstance(wanted, SpanMeasure) or not has_steps(wanted):
        others = ', '.join(known.NAME for known in DECLARED if isinstance(known, SpanMeasure) and has_steps(known))
        raise ValueError(f'{wanted} has no steps that could be shown: take one of {others}, without a tool, and with '
                         'lists that are not condensed')
    found: dict[str, Explanation] = {}

    def look(measure: SpanMeasure, topic: Topic) -> float:
        value, steps = measure.compute(topic), measure.steps(topic)
        if steps is not None:
            found[topic.query_id] = Explanation(topic.query_id, value, *steps)
        return value
    evaluator = SpanEvaluator([wanted], from_pyterrier(qrels), look, wanted.CONTENT)
    nothing = 'The query has no relevant content, so the value is 0.'
    return [found.get(metric.query_id) or Explanation(metric.query_id, 0., [], nothing)
            for metric in evaluator.iter_calc(from_pyterrier(run))]


def has_steps(measure: SpanMeasure) -> bool:
    """Whether a measure has steps: its class has, the figure of no official program is asked for, and positions are
    those of the documents, not of condensed ones.
    """
    return (type(measure).steps is not SpanMeasure.steps and 'tool' not in measure.params
            and not measure.params.get('condensed'))
