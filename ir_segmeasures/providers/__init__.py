"""The providers. Importing this registers them with ir-measures and appends them to its default pipeline, in order."""

import ir_measures

from ir_segmeasures.providers.segmeasures import SegMeasuresProvider, segmeasures
from ir_segmeasures.providers.sh_eval import ShEvalProvider, sh_eval

__all__ = ['SegMeasuresProvider', 'segmeasures', 'ShEvalProvider', 'sh_eval']

for _provider in (segmeasures, sh_eval):
    if _provider.NAME not in {provider.NAME for provider in ir_measures.DefaultPipeline.providers}:
        ir_measures.DefaultPipeline.providers.append(_provider)
