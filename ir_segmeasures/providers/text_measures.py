"""A provider that refuses measures given as text with a sentence, where ir-measures has an AttributeError."""

from typing import Any

from ir_measures import Provider

from ir_segmeasures.evaluation.measure_lists import check_measure

__all__ = ['TextProvider']


class TextProvider(Provider):
    """A provider that supports no measure. It stands before all others, and for a measure as text it raises the error
    that says what to give instead.
    """
    NAME = 'ir_segmeasures.texts'
    SUPPORTED_MEASURES: list[Any] = []

    def supports(self, measure: Any) -> bool:
        check_measure(measure)
        return False
