"""Measures as text, in a call of ir-measures: they end in a sentence, where the host has an AttributeError."""

from typing import Any

from ir_measures import Provider

from ir_segmeasures.evaluation.shared import check_measure

__all__ = ['TextProvider']


class TextProvider(Provider):
    """Supports nothing, and says of measures as text what to give. It stands before all others."""
    NAME = 'ir_segmeasures.texts'
    SUPPORTED_MEASURES: list[Any] = []

    def supports(self, measure: Any) -> bool:
        check_measure(measure)
        return False
