"""The provider ``legalbenchrag``: content of chunks as the program of LegalBench-RAG counts it, its quirks included. A
snippet is a relevant segment as it was judged, not merged with others.

Where the program differs from the measures' definitions, a docstring says *quirk*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from ir_measures import providers

from ir_segmeasures import measures
from ir_segmeasures.evaluation.axis import share, sums
from ir_segmeasures.measures.parameters import Only
from ir_segmeasures.providers.base import NO_PARAMETER, Figure, ToolProvider, figures_by_name
from ir_segmeasures.providers.chunking_evaluation_provider import summed_items, summed_references

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

__all__ = ['LegalBenchRAGProvider', 'legalbenchrag']


def common_characters(run: RunOnAxis, cutoff: float) -> Any:
    """For each query the characters that are in the chunks and in the snippets. Quirk: summed over all pairs of a chunk
    and a snippet, so that overlapping chunks count twice.
    """
    def before(x: Any) -> Any:
        """How much of all snippets lies before each place, each by itself."""
        total = 0
        for bounds, sign in ((np.sort(run.segments.start), 1), (np.sort(run.segments.end), -1)):
            number = np.searchsorted(bounds, x)
            total = total + sign * (number * x - np.append(0, np.cumsum(bounds))[number])
        return total
    read = run.rank <= cutoff
    return sums((before(run.end) - before(run.start))[read], run.query[read], run.queries)


_LIMITS = {'budget': NO_PARAMETER, 'rel': Only(1)}


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
    FIGURES = figures_by_name(
        Figure(measures.SegP, lambda run, m: share(common_characters(run, m.cutoff), summed_items(run, m.cutoff)),
               _LIMITS),
        Figure(measures.SegR, lambda run, m: share(common_characters(run, m.cutoff), summed_references(run)), _LIMITS))


legalbenchrag = providers.register(LegalBenchRAGProvider())
