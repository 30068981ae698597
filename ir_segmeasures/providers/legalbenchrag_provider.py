"""The provider ``legalbenchrag``: content of chunks as the program of LegalBench-RAG counts it."""

from ir_measures import providers

from ir_segmeasures.providers.base import ToolProvider
from ir_segmeasures.providers.legalbenchrag_figures import FIGURES

__all__ = ['LegalBenchRAGProvider', 'legalbenchrag']


class LegalBenchRAGProvider(ToolProvider):
    """ZeroEntropy-AI/legalbenchrag, the program of LegalBench-RAG (Pipitone & Alami 2024): its precision and recall at
    k are ``SegP(tool='legalbenchrag')@k`` and ``SegR(tool='legalbenchrag')@k``. Judgements are the snippets, in
    characters.

    Its numbers differ from the definitions in known ways, all kept:

    - what chunks and snippets share is summed over all their pairs, so that what several chunks have counts in each,
      and recall can exceed 1;
    - what several chunks have counts once in each, in what is retrieved (SegP); what several snippets have, in what is
      relevant (SegR);
    - its mean over several sub-benchmarks has weights. Per-query values are its own; the mean, as everywhere in
      ir-measures, is over all judged queries, each with the same weight.
    """
    NAME = 'legalbenchrag'
    FIGURES = FIGURES


legalbenchrag = providers.register(LegalBenchRAGProvider())
