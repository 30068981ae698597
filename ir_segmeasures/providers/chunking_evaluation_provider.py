"""The provider ``chunking_evaluation``: content of chunks as Chroma's program for chunking counts it, its quirks
included. A reference is a relevant segment as it was judged, not merged with others.

Where the program differs from the measures' definitions, a docstring says *quirk*.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from ir_measures import providers

from ir_segmeasures import measures
from ir_segmeasures.measures.base import Only
from ir_segmeasures.measures.sets import content_lengths
from ir_segmeasures.providers.base import NO_PARAMETER, Figure, ToolProvider, figures_by_name
from ir_segmeasures.segments.arrays import Bools
from ir_segmeasures.segments.spans import Spans, common_length, merged_spans

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures import SegmentMeasure

__all__ = ['ChunkingEvaluationProvider', 'chunking_evaluation', 'summed_lengths']


class CountedLengths(NamedTuple):
    """Lengths of content, as the program counts them.

    Attributes:
        found: the content that is in chunks and in references, counted once
        retrieved: the content of all chunks. Quirk: content of several chunks counts in each of them
        references: the content of all references. Quirk: content of several references counts in each of them
        missed: the content of the references that no chunk has. Quirk: content of several counts in each of them
    """
    found: float
    retrieved: float
    references: float
    missed: float


def is_read(run: RunItems, cutoff: float) -> Bools:
    """Whether each of ``run.all_items`` is among the first ``cutoff`` ones of its query."""
    items = run.all_items
    return np.arange(len(items.query)) - np.array(items.bounds)[items.query] < cutoff


def summed_lengths(run: RunItems, cutoff: float) -> tuple[list[float], list[float]]:
    """For each query, the length of the first ``cutoff`` chunks and that of the references, as
    :class:`CountedLengths` has them."""
    items, read, n = run.all_items, is_read(run, cutoff), len(run.n)
    judged, _, start, end = run.relevant.judged
    return (np.bincount(items.query[read], (items.end - items.start)[read], n).tolist(),
            np.bincount(judged, end - start, n).tolist())


def counted_lengths(run: RunItems, cutoff: float) -> list[CountedLengths]:
    """The lengths for the first ``cutoff`` chunks of each query."""
    _, _, group, start, end, _ = run.all_items
    judged, *columns = run.relevant.judged
    references = Spans._make(columns)
    known = is_read(run, cutoff) & (group >= 0)
    missed = references.end - references.start - common_length(
        references, merged_spans(group[known], start[known], end[known]))
    return [CountedLengths(found.common, *others) for found, *others in zip(
        run.cached(content_lengths, cutoff, inf), *summed_lengths(run, cutoff),
        np.bincount(judged, missed, len(run.n)).tolist())]


def precision_omega(topic: Topic) -> float:
    """The program's ``precision_omega``, where the ranking has all chunks of the text.

    Quirk: a chunk that ends where a reference starts, or starts where one ends, contains it.
    """
    containing = merged_spans(*_columns(
        (document, start, end) for document, start, end in zip(*topic.ranking)
        if any(first <= end and start <= last for first, last, _ in topic.segments_of.get(document, ()))))
    found = topic.computed_on_run(content_lengths, inf, inf).common
    return found / (float((containing.end - containing.start).sum()) + topic.T_rel - found)


def _columns(segments: Iterable[tuple[int, float, float]]) -> Spans:
    document, start, end = zip(*segments) if (segments := list(segments)) else ((), (), ())
    return Spans(np.array(document, np.intp), np.array(start, float), np.array(end, float))


def _counts(topic: Topic, measure: SegmentMeasure) -> CountedLengths:
    return topic.computed_on_run(counted_lengths, measure.cutoff)


def _precision(topic: Topic, measure: SegmentMeasure) -> float:
    counts = _counts(topic, measure)
    return counts.found / counts.retrieved if counts.retrieved else 0.0


def _recall(topic: Topic, measure: SegmentMeasure) -> float:
    counts = _counts(topic, measure)
    return counts.found / counts.references


def _iou(topic: Topic, measure: SegmentMeasure) -> float:
    counts = _counts(topic, measure)
    return counts.found / (counts.retrieved + counts.missed)


_REL = {'rel': Only(1)}
_READ = {'budget': NO_PARAMETER, **_REL}


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
    FIGURES = figures_by_name(
        Figure(measures.SegP, _precision, _READ),
        Figure(measures.SegR, _recall, _READ),
        Figure(measures.SegIoU, _iou, _READ),
        Figure(measures.SegP_omega, lambda topic, _: precision_omega(topic), {'cutoff': NO_PARAMETER, **_REL}),
    )


chunking_evaluation = providers.register(ChunkingEvaluationProvider())
