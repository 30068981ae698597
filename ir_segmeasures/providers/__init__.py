"""The providers. Importing this registers them with ir-measures and appends them to its default pipeline."""

from ir_segmeasures.providers.segmeasures import SegMeasuresProvider, segmeasures

__all__ = ['SegMeasuresProvider', 'segmeasures']
