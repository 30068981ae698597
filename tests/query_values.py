"""What tests of measures share: the value of a measure for one query, from plain lists."""

from typing import Any

import ir_measures
from ir_measures import Measure, Qrel, ScoredDoc
from strategies import Qrels, Run

import ir_segmeasures
from ir_segmeasures import Segment, format_segment
from ir_segmeasures.measures import SpanMeasure

# Those that need no more than segments; the others have tests of their own.
MEASURES = {measure.NAME: measure for measure in vars(ir_segmeasures.measures).values()
            if isinstance(measure, SpanMeasure) and not measure.NEEDS}


def as_qrels(qrels: Qrels, query_id: str = 'q') -> list[Qrel]:
    """The judgements as ir-measures has them, and one that is not relevant, so that the query is always judged."""
    judged = [*qrels, ('elsewhere', 0, 1, 0)]
    return [Qrel(query_id, format_segment(Segment(document, start, end, 't')), relevance)
            for document, start, end, relevance in judged]


def as_run(run: Run, query_id: str = 'q') -> list[ScoredDoc]:
    """The ranking as ir-measures has it."""
    return [ScoredDoc(query_id, format_segment(Segment(document, start, end, 't')), -rank)
            for rank, (document, start, end) in enumerate(run)]


def values(measures: list[Measure], qrels: Qrels, run: Run) -> list[float]:
    """The values of several measures for one query, computed together."""
    metrics = ir_measures.iter_calc(measures, as_qrels(qrels), as_run(run))
    by_measure = {metric.measure: metric.value for metric in metrics}
    return [by_measure[measure] for measure in measures]


def value(measure: Measure | str, qrels: Qrels, run: Run) -> float:
    """The value of a measure for one query."""
    return values([ir_measures.parse_measure(measure)], qrels, run)[0]


def made(measure: Measure, params: dict[str, Any]) -> Measure:
    """The measure with the parameters that are given (None is not)."""
    return measure(**{name: param for name, param in params.items() if param is not None})
