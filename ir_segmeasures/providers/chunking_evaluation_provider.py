"""The provider ``chunking_evaluation``: content of chunks as Chroma's program for chunking counts it."""

from ir_measures import providers

from ir_segmeasures.providers.base import ToolProvider
from ir_segmeasures.providers.chunking_evaluation_figures import FIGURES

__all__ = ['ChunkingEvaluationProvider', 'chunking_evaluation']


class ChunkingEvaluationProvider(ToolProvider):
    """brandonstarxel/chunking_evaluation, the program of Chroma's study of chunking (2024): its recall, precision, IoU
    and precision Ω are ``SegR(tool='chunking_evaluation')``, ``SegP``, ``SegIoU`` and ``SegP_omega``. Judgements are
    the references, in characters; for ``SegP_omega`` the run has all chunks of the question's text.

    Its numbers differ from the definitions in known ways, all kept:

    - content that several chunks have counts once in each of them, in the retrieved content (SegP, SegIoU);
    - content that several references have counts once in each of them, in the relevant content (SegR) and in the
      missed content (SegIoU);
    - a chunk that only touches a reference contains it (SegP_omega).
    """
    NAME = 'chunking_evaluation'
    FIGURES = FIGURES


chunking_evaluation = providers.register(ChunkingEvaluationProvider())
