"""Judged content: what assessors say of each moment of the documents that they judged.

A moment of a document counts by its length, so that it does not matter how assessors cut what they judged. Judgements
of negative relevance are none, as in pools.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import Spans
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.matching import QrelsIndex
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import contradicted, warn
from ir_segmeasures.study.campaign.judging_units import Pool
from ir_segmeasures.study.campaign.layers import Groups, Layer, lay, pieces, spans_at

__all__ = ['Judged', 'judged_by']


class Judged(NamedTuple):
    """The content that assessors judged, in pieces on which each of them says one thing.

    Attributes:
        groups: the documents of queries
        spans: the pieces, sorted and disjoint
        query: for each piece its query
        grade: assessors × pieces: the grade, NaN where an assessor did not judge it
    """
    groups: Groups
    spans: Spans
    query: Ints
    grade: Floats


def judged_by(judgements: Mapping[str, Any], extent: Any = None, rel: float = 1,
              lengths: Mapping[str, float] | None = None) -> Judged:
    """The content that assessors judged, in pieces.

    Args:
        judgements, extent, rel, lengths: see :func:`~ir_segmeasures.study.agreement_of`
    """
    asked = not (extent is None or (isinstance(extent, str) and extent == 'judged'))
    laid = lay(_layers(judgements, extent, asked, rel), lengths)
    spans = pieces(laid.group, laid.start, laid.end)
    grade = laid.highest(spans, len(judgements) + asked)
    if asked:
        inside = ~np.isnan(grade[-1])
        spans, grade = spans_at(spans, inside), np.nan_to_num(grade[:-1, inside], nan=0.)
    return Judged(laid.groups, spans, laid.groups.query[spans.group], grade)


def _layers(judgements: Mapping[str, Any], extent: Any, asked: bool, rel: float) -> Iterator[Layer]:
    """The judgements of each assessor, and the extent last, if it is asked for."""
    for name in judgements:
        table = SegmentTable.from_qrels(from_pyterrier(judgements[name]))
        if extent is None and not ((table.value >= 0) & (table.value < rel)).any():
            raise ValueError(f'{quoted(name)} has no judgement below relevance {quoted(rel)}, so that what was '
                             'looked at and found not relevant is not known: give extent=, such as the pool, or '
                             "extent='judged' if all content that was looked at is in the judgements")
        sentence = contradicted(QrelsIndex(table))
        warn([sentence and f'{name}: {sentence}'])
        yield Layer(name, table, np.flatnonzero(table.value >= 0))
    if asked:
        yield Layer('the extent', SegmentTable.from_qrels(
            extent.judgements() if isinstance(extent, Pool) else from_pyterrier(extent)))
