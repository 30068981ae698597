"""Micro averages of ratios of content: the sum of the numerators over the sum of the denominators. Evaluation gives
macro averages, the mean of the queries' values. Source: Eibl's lecture on evaluation, on content.
"""

from collections.abc import Iterable
from math import fsum
from typing import Any

import numpy as np
from ir_measures import Measure

from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator
from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.measures.sets import ContentMeasure
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.scores import parse_measures

__all__ = ['micro']


def micro(measures: Iterable[Measure | str] | Measure | str, qrels: Any, run: Any) -> dict[Measure, float]:
    """The micro average of ratios of content: the sum of the numerators over all judged queries, over the sum of their
    denominators. A query with much content weighs more than one with little. Content that is retrieved for a query
    without relevant content counts, too. ``D`` is the length of the collection, for each query.

    Args:
        measures: ``SegP``, ``SegR``, ``SegF``, ``SegIoU``, ``SegFallout``, ``SegRejection``, ``SegMiss``, ``SegNoise``
            and ``SegGenerality``, as objects or strings, with any of their parameters
        qrels, run: in any shape of ir-measures

    Returns:
        the value of each measure, 0 where both sums are 0

    Raises:
        ValueError: a measure that is no ratio of content, or qrels or a run that evaluation refuses

    Examples:
        >>> from ir_measures import Qrel, ScoredDoc
        >>> from ir_segmeasures import SegP
        >>> from ir_segmeasures.study import micro
        >>> qrels = [Qrel('q1', 'talk#t=0,10', 1), Qrel('q2', 'talk#t=50,80', 1)]
        >>> run = [ScoredDoc('q1', 'talk#t=0,10', 1.), ScoredDoc('q2', 'talk#t=0,60', 1.)]
        >>> round(micro(SegP, qrels, run)[SegP], 3)  # (10 + 10) / (10 + 60)
        0.286
        >>> round(SegP.calc_aggregate(qrels, run), 3)  # the mean of 10/10 and 10/60
        0.583
    """
    asked: list[ContentMeasure] = []
    for measure in parse_measures(measures):
        if isinstance(measure, SegmentMeasure):
            measure.check_params()
        if not isinstance(measure, ContentMeasure) or 'tool' in measure.params:
            raise ValueError(f'{measure} is no ratio of content, so it has no micro average: take SegP, SegR, SegF, '
                             'SegIoU, SegFallout, SegRejection, SegMiss, SegNoise or SegGenerality')
        asked.append(measure)
    judged, table = SegmentTable.from_qrels(qrels), SegmentTable.from_run(run)
    sums: dict[Measure, tuple[float, float]] = {}
    for together, queries, on_axis in SpanEvaluator(asked, judged).axes(table):
        for measure in together:
            part, whole = (fsum(on_axis.units(np.asarray(side, float))[queries]) for side in measure.sides(on_axis))
            before = sums.get(measure, (0., 0.))
            sums[measure] = before[0] + part, before[1] + whole
    return {measure: part / whole if whole else 0. for measure, (part, whole) in sums.items()}
