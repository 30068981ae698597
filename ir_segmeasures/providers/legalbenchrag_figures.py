"""The numbers of legalbenchrag, the program of LegalBench-RAG (Pipitone & Alami 2024), for one query that has snippets,
its quirks included. A snippet is a relevant segment as it was judged, not merged with others.

Where the program differs from the measures' definitions, a docstring says *quirk*.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from ir_segmeasures import measures
from ir_segmeasures.measures.base import Only
from ir_segmeasures.providers.base import NO_PARAMETER, Figure, figures_by_name

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures import SegmentMeasure

__all__ = ['FIGURES', 'common_characters']


def common_characters(topic: Topic, cutoff: float) -> float:
    """The number of characters that are in the first ``cutoff`` chunks and in the snippets.

    Quirk: summed over all pairs of a chunk and a snippet, so that overlapping chunks count twice.
    """
    items = topic.items
    return sum(max(0, min(end, last) - max(start, first))
               for rank, document, start, end in zip(items.rank, items.document, items.start, items.end)
               if rank <= cutoff for first, last, _ in topic.segments_of[document])


def _precision(topic: Topic, measure: SegmentMeasure) -> float:
    """The program's precision. Quirk: content of several chunks counts in each of them."""
    cutoff = measure.params.get('cutoff', inf)
    _, start, end = topic.ranking
    n = int(min(cutoff, topic.n))
    retrieved = sum(end[:n]) - sum(start[:n])
    return topic.cached(common_characters, cutoff) / retrieved if retrieved else 0.0


def _recall(topic: Topic, measure: SegmentMeasure) -> float:
    """The program's recall. Quirk: content of several chunks counts in each of them, so that it can exceed 1."""
    snippets = sum(end - start for _, start, end in topic.segments)
    return topic.cached(common_characters, measure.params.get('cutoff', inf)) / snippets


_LIMITS = {'budget': NO_PARAMETER, 'rel': Only(1)}

FIGURES = figures_by_name(
    Figure(measures.SegP, _precision, _LIMITS),
    Figure(measures.SegR, _recall, _LIMITS),
)
