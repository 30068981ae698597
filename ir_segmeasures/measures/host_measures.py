"""Measures of ir-measures beside those of segments: they compare the ids of documents."""

from collections.abc import Iterable

from ir_measures import Measure

from ir_segmeasures.measures.base import SegmentMeasure

__all__ = ['measure_of_documents']

_COUNTS = ('NumQ', 'NumRel', 'NumRet')  # they compare nothing


def measure_of_documents(measures: Iterable[Measure]) -> Measure | None:
    """One of the measures that compare document ids, or None. Measures that :func:`ir_measures.define` made are left
    out, since nobody knows what they compare.
    """
    found = [measure for measure in measures if not isinstance(measure, SegmentMeasure)
             and measure.NAME not in _COUNTS and not hasattr(measure, 'runtime_impl')]
    return min(found, key=str, default=None)
