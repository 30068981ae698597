"""The providers. Importing this registers them with ir-measures and appends them to its default pipeline, in order: the
host's own providers stay before them."""

import ir_measures

from ir_segmeasures.providers.benchmark_providers import (
    ChunkingEvaluationProvider,
    LegalBenchRAGProvider,
    QVHighlightsProvider,
    TVRProvider,
    TVRRankingProvider,
    chunking_evaluation,
    legalbenchrag,
    qvhighlights,
    tvr,
    tvr_ranking,
)
from ir_segmeasures.providers.campaign_providers import SampleEvalProvider, ShEvalProvider, sample_eval, sh_eval
from ir_segmeasures.providers.inex_eval_provider import InexEvalProvider, inex_eval
from ir_segmeasures.providers.segmeasures_provider import SegMeasuresProvider, segmeasures

__all__ = ['SegMeasuresProvider', 'segmeasures', 'ShEvalProvider', 'sh_eval', 'InexEvalProvider', 'inex_eval',
           'SampleEvalProvider', 'sample_eval', 'ChunkingEvaluationProvider', 'chunking_evaluation',
           'LegalBenchRAGProvider', 'legalbenchrag', 'TVRProvider', 'tvr', 'QVHighlightsProvider', 'qvhighlights',
           'TVRRankingProvider', 'tvr_ranking']

for _provider in (segmeasures, sh_eval, inex_eval, sample_eval, chunking_evaluation, legalbenchrag, tvr,
                  qvhighlights, tvr_ranking):
    if _provider.NAME not in {provider.NAME for provider in ir_measures.DefaultPipeline.providers}:
        ir_measures.DefaultPipeline.providers.append(_provider)
