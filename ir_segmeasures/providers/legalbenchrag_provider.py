"""The provider ``legalbenchrag``: content of chunks as the program of LegalBench-RAG counts it, its quirks included. A
snippet is a relevant segment as it was judged, not merged with others.

Where the program differs from the measures' definitions, a docstring says *quirk*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from ir_measures import providers

from ir_segmeasures import measures
from ir_segmeasures.measures.base import Only
from ir_segmeasures.measures.window_pairs import overlapping_pairs, true_windows
from ir_segmeasures.providers.base import NO_PARAMETER, Figure, ToolProvider, figures_by_name
from ir_segmeasures.providers.chunking_evaluation_provider import summed_lengths

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures import SegmentMeasure

__all__ = ['LegalBenchRAGProvider', 'legalbenchrag']


class CharacterCounts(NamedTuple):
    """Numbers of characters, as the program counts them.

    Attributes:
        common: those that are in the chunks and in the snippets. Quirk: summed over all pairs of a chunk and a snippet,
            so that overlapping chunks count twice
        retrieved: those of all chunks. Quirk: content of several chunks counts in each of them
        snippets: those of all snippets
    """
    common: float
    retrieved: float
    snippets: float


def character_counts(run: RunItems, cutoff: float) -> list[CharacterCounts]:
    """The numbers for the first ``cutoff`` chunks of each query."""
    items, snippets = run.overlapping_items, run.relevant.cached(true_windows).windows
    item, snippet = run.cached(overlapping_pairs)
    common = np.minimum(items.end[item], snippets.end[snippet]) - np.maximum(items.start[item], snippets.start[snippet])
    read = items.rank[item] <= cutoff
    found = np.bincount(run.relevant.query[items.group[item[read]]], common[read], len(run.n)).tolist()
    return list(map(CharacterCounts, found, *summed_lengths(run, cutoff)))


def _precision(topic: Topic, measure: SegmentMeasure) -> float:
    counts = topic.computed_on_run(character_counts, measure.cutoff)
    return counts.common / counts.retrieved if counts.retrieved else 0.0


def _recall(topic: Topic, measure: SegmentMeasure) -> float:
    """The program's recall. Quirk: content of several chunks counts in each of them, so that it can exceed 1."""
    counts = topic.computed_on_run(character_counts, measure.cutoff)
    return counts.common / counts.snippets


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
    FIGURES = figures_by_name(Figure(measures.SegP, _precision, _LIMITS), Figure(measures.SegR, _recall, _LIMITS))


legalbenchrag = providers.register(LegalBenchRAGProvider())
