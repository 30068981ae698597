"""Micro averages: the ratio of the sums over the queries, beside the mean of the queries' values (macro) that
evaluation gives. Source: Eibl's lecture on evaluation, on content.
"""

from collections.abc import Iterable
from math import fsum
from typing import Any

from ir_measures import Measure

from ir_segmeasures.evaluation.relevant import Relevant
from ir_segmeasures.evaluation.run_items import RunItems
from ir_segmeasures.evaluation.topic import Topic
from ir_segmeasures.measures.sets import ContentMeasure
from ir_segmeasures.segments.tables.pairing import Match
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.scores import parsed

__all__ = ['micro']


def micro(measures: Iterable[Measure | str] | Measure | str, qrels: Any, run: Any) -> dict[Measure, float]:
    """The micro average of ratios of content: the sum of the numerators over all judged queries, over the sum of the
    denominators. A query with much content weighs more than one with little; what is retrieved for queries without
    relevant content counts, too. ``D`` is the collection of each query.

    Args:
        measures: ``SegP``, ``SegR``, ``SegF``, ``SegIoU``, ``SegFallout``, ``SegRejection``, ``SegMiss``, ``SegNoise``
            and ``SegGenerality``, as objects or strings, with any of their parameters
        qrels, run: in any shape of ir-measures

    Returns:
        the value of each measure, 0 where both sums are

    Raises:
        ValueError: another measure, or what evaluation raises
    """
    asked: list[ContentMeasure] = []
    for measure in parsed(measures):
        measure.validate_params()
        if not isinstance(measure, ContentMeasure) or 'tool' in measure.params:
            raise ValueError(f'{measure} is no ratio of content, so it has no micro average: take SegP, SegR, SegF, '
                             'SegIoU, SegFallout, SegRejection, SegMiss, SegNoise or SegGenerality')
        asked.append(measure)
    judged, table = SegmentTable.from_qrels(qrels), SegmentTable.from_run(run)
    match = Match(judged, table)
    if any(measure.CONTENT for measure in asked):
        match.check_ends()
    sums: dict[Measure, tuple[list[float], list[float]]] = {measure: ([], []) for measure in asked}
    for rel in {measure['rel'] for measure in asked}:
        relevant = Relevant(judged, rel)
        items = RunItems(relevant, match)
        for query in range(len(judged.query_ids)):
            topic = Topic(query, relevant, items)
            for measure in asked:
                if measure['rel'] == rel:
                    for side, value in zip(sums[measure], measure.ratio(*measure.content(topic))):
                        side.append(value)
    return {measure: fsum(part) / fsum(whole) if any(whole) else 0. for measure, (part, whole) in sums.items()}
