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

    - the common content of chunks and snippets is summed over all their pairs: content that several chunks have counts
      once in each of them, so that recall can exceed 1;
    - content that several chunks have counts once in each of them, in the retrieved content (SegP), and content that
      several snippets have in the relevant content (SegR);
    - its mean over several sub-benchmarks has weights. The values of the queries are those of the program; the mean, as
      everywhere in ir-measures, is over all judged queries, each with the same weight.
    """
    NAME = 'legalbenchrag'
    FIGURES = FIGURES


legalbenchrag = providers.register(LegalBenchRAGProvider())
