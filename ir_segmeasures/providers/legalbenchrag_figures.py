"""The numbers of legalbenchrag, the program of LegalBench-RAG (Pipitone & Alami 2024), for one query that has snippets,
its quirks included. A snippet is a relevant segment as it was judged, not merged with others.

Where the program differs from the measures' definitions, a docstring says *quirk*.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures import measures
from ir_segmeasures.measures.base import Only
from ir_segmeasures.measures.moments import overlapping_pairs, true_windows
from ir_segmeasures.providers.base import NO_PARAMETER, Figure, figures_by_name
from ir_segmeasures.providers.chunking_evaluation_figures import counted_lengths

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures import SegmentMeasure

__all__ = ['FIGURES', 'common_characters']


def common_characters(run: RunItems, cutoff: float) -> list[float]:
    """For each query, the number of characters that are in the first ``cutoff`` chunks and in the snippets.

    Quirk: summed over all pairs of a chunk and a snippet, so that overlapping chunks count twice.
    """
    items, snippets = run.overlapping_items, run.relevant.cached(true_windows).windows
    item, snippet = run.cached(overlapping_pairs)
    common = np.minimum(items.end[item], snippets.end[snippet]) - np.maximum(items.start[item],
                                                                             snippets.start[snippet])
    read = items.rank[item] <= cutoff
    found: list[float] = np.bincount(run.relevant.query[items.group[item[read]]], common[read], len(run.n)).tolist()
    return found


def _precision(topic: Topic, measure: SegmentMeasure) -> float:
    """The program's precision. Quirk: content of several chunks counts in each of them."""
    cutoff = measure.params.get('cutoff', inf)
    retrieved = topic.computed_on_run(counted_lengths, cutoff).retrieved
    return topic.computed_on_run(common_characters, cutoff) / retrieved if retrieved else 0.0


def _recall(topic: Topic, measure: SegmentMeasure) -> float:
    """The program's recall. Quirk: content of several chunks counts in each of them, so that it can exceed 1."""
    cutoff = measure.params.get('cutoff', inf)
    return topic.computed_on_run(common_characters, cutoff) / topic.computed_on_run(counted_lengths, cutoff).references


_LIMITS = {'budget': NO_PARAMETER, 'rel': Only(1)}

FIGURES = figures_by_name(
    Figure(measures.SegP, _precision, _LIMITS),
    Figure(measures.SegR, _recall, _LIMITS),
)
