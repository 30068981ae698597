"""Measures of ir-measures beside those of segments: they compare the ids of documents."""

from collections.abc import Collection, Iterable, Iterator

from ir_measures import Measure, Metric

from ir_segmeasures.measures.base import SegmentMeasure

__all__ = ['measure_of_documents', 'values_of_measures']

_COUNTS = ('NumQ', 'NumRel', 'NumRet')  # they compare nothing


def measure_of_documents(measures: Iterable[Measure]) -> Measure | None:
    """One of the measures that compare document ids, or None. Measures that :func:`ir_measures.define` made are left
    out, since nobody knows what they compare.
    """
    found = [measure for measure in measures if not isinstance(measure, SegmentMeasure)
             and measure.NAME not in _COUNTS and not hasattr(measure, 'runtime_impl')]
    return min(found, key=str, default=None)


def values_of_measures(measures: Collection[Measure], values: Iterable[Metric]) -> Iterator[Metric]:
    """The values that an evaluator gives for measures, as they come.

    Raises:
        ValueError: a measure of ir-measures divides by 0, as Accuracy does without items that are not relevant
    """
    try:
        yield from values
    except ArithmeticError as error:
        of_host = sorted(str(measure) for measure in measures if not isinstance(measure, SegmentMeasure))
        if not of_host:
            raise
        raise ValueError(f'{" or ".join(of_host)} of ir_measures has no value for a query of the run, since it ends in '
                         f'{type(error).__name__} ({error}): leave the measure out') from error
