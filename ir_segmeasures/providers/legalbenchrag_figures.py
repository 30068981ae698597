"""The numbers of legalbenchrag, the program of LegalBench-RAG (Pipitone & Alami 2024), for one query that has snippets,
its quirks included. A snippet is a relevant segment as it was judged, not merged with others.

Where the program differs from the measures' definitions, a docstring says *quirk*.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from ir_segmeasures import measures
from ir_segmeasures.measures.base import Only
from ir_segmeasures.providers.base import NOT_THERE, Figure, by_name

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures import SegmentMeasure

__all__ = ['FIGURES', 'common']


def common(topic: Topic, cutoff: float) -> float:
    """The characters that the first ``cutoff`` chunks and the snippets share.

    Quirk: summed over all pairs of a chunk and a snippet, so that overlapping chunks count twice.
    """
    items = topic.items
    return sum(max(0, min(end, last) - max(start, first))
               for rank, document, start, end in zip(items.rank, items.document, items.start, items.end)
               if rank <= cutoff for first, last, _ in topic.segments_of[document])


def _precision(topic: Topic, measure: SegmentMeasure) -> float:
    """Quirk: what several chunks have counts in each."""
    cutoff = measure.params.get('cutoff', inf)
    _, start, end = topic.ranking
    n = int(min(cutoff, topic.n))
    retrieved = sum(end[:n]) - sum(start[:n])
    return topic.once(common, cutoff) / retrieved if retrieved else 0.0


def _recall(topic: Topic, measure: SegmentMeasure) -> float:
    """Quirk: what several chunks have counts in each, so that it can exceed 1."""
    return topic.once(common, measure.params.get('cutoff', inf)) / sum(end - start for _, start, end in topic.segments)


_LIMITS = {'budget': NOT_THERE, 'rel': Only(1)}

FIGURES = by_name(
    Figure(measures.SegP, _precision, _LIMITS),
    Figure(measures.SegR, _recall, _LIMITS),
)
