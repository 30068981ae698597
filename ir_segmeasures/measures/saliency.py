"""Highlights: the measures of QVHighlights (Lei, Berg, Bansal. QVHighlights: Detecting Moments and Highlights in Videos
via Natural Language Queries. NeurIPS 2021) for the clips of a video, ranked by predicted saliency.
"""

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import Number, RowMeasure, register_measure, required
from ir_segmeasures.segments.arrays import Bools, Floats, Ints
from ir_segmeasures.segments.spans import ordered_pairs

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.row_topic import RowTopic
    from ir_segmeasures.evaluation.run_rows import JudgedRows, RunRows

__all__ = ['HL_AP', 'HL_Hit']

_WORKERS = ('saliency_1', 'saliency_2', 'saliency_3')


def clip_average_precisions(positive: Bools, scores: Floats, bounds: Sequence[int]) -> Floats:
    """For each ranking (row) and worker (column) the mean of the interpolated precision at each threshold at which
    recall grows, each counted once however many positive clips share it; 0 without a positive clip.

    Args:
        positive: whether a clip (column) is a highlight for a worker (row)
        scores: of the clips
        bounds: where the clips of each ranking begin, and those of the last one end

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures.measures.saliency import clip_average_precisions
        >>> positive, scores = np.array([[True, False, True, True]]), np.array([.9, .5, .1, .1])
        >>> clip_average_precisions(positive, scores, [0, 4]).tolist()
        [[0.875]]
    """
    first = np.asarray(bounds, np.intp)
    ranking = np.repeat(np.arange(len(first) - 1), np.diff(first))
    order = np.lexsort((-scores, ranking))
    step = (np.diff(scores[order]) != 0) | (np.diff(ranking) > 0)
    last = np.flatnonzero(np.append(step, True)[:len(order)])  # of each distinct score of a ranking
    ranking = ranking[last]
    precisions = []
    for worker in positive:
        found = np.append(0, np.cumsum(worker[order]))
        precision = (found[last + 1] - found[first[ranking]]) / (last + 1 - first[ranking])
        best = np.maximum.accumulate(ordered_pairs(-ranking, precision)[::-1]).imag  # from the last threshold to here
        grows = np.diff(found[last + 1], prepend=0)[::-1] > 0
        number = np.bincount(ranking[::-1][grows], minlength=len(first) - 1)
        precisions.append(_means(best[grows], number[::-1])[::-1])
    return np.column_stack(precisions)


def _means(values: Floats, number: Ints) -> Floats:
    """The mean of each stretch of so many values, to the last bit that of NumPy; 0 of none."""
    means, first = np.zeros(len(number)), np.cumsum(number) - number
    for n in (np.flatnonzero(np.bincount(number)[1:]) + 1).tolist():
        these = np.flatnonzero(number == n)
        means[these] = values[first[these, None] + np.arange(n)].mean(axis=1)
    return means


def worker_scores(judged: 'JudgedRows') -> Floats:
    """The scores that each worker (row) gave each clip (column)."""
    return np.array([judged.beside(worker) for worker in _WORKERS])


def doubtful_queries(judged: 'JudgedRows') -> list[bool]:
    """For each query, whether a clip is judged twice or lacks a score."""
    wrong = np.isnan(judged.cached(worker_scores)).any(axis=0) | (judged.first_equal < np.arange(len(judged.query)))
    doubts: list[bool] = (np.bincount(judged.query, wrong) > 0).tolist()
    return doubts


def check_clips(topic: 'RowTopic') -> None:
    """Raise the error for the first clip of the query that is judged twice, or else for the first without a score."""
    if not topic.computed_on_qrels(doubtful_queries):
        return
    judgements = topic.judgements
    for place, first in enumerate(judgements.first_equal):
        if place != first:
            raise judgements.error(place, 'an earlier row has the scores of this clip, but a clip has one of each '
                                          'worker: take one of the two rows out')
    for worker in _WORKERS:
        judgements.beside(worker)


def predicted_scores(run: 'RunRows') -> Floats:
    """The predicted score of each judged clip, 0 for clips that are not retrieved."""
    scores = np.zeros(len(run.judged.query))
    rows = np.flatnonzero(run.found >= 0)[::-1]  # of what is written to one place the last stays: the first of a clip
    scores[run.found[rows]] = run.table.value[rows]
    return scores


def highlight_precisions(run: 'RunRows', least: float) -> list[float]:
    """For each query, the mean average precision over the workers."""
    positive = run.judged.cached(worker_scores) >= least
    means: list[float] = clip_average_precisions(
        positive, run.cached(predicted_scores), run.judged.bounds).mean(axis=1).tolist()
    return means


def first_clip_scores(run: 'RunRows') -> list[float]:
    """For each query, the highest score that a worker gave the first clip of the ranking; minus infinity if it
    is not judged."""
    low, high = np.array(run.bounds).reshape(-1, 2).T
    first = np.append(run.found, -1)[np.where(low < high, low, -1)]
    best: list[float] = np.append(run.judged.cached(worker_scores).max(axis=0), -inf)[first].tolist()
    return best


class _HighlightMeasure(RowMeasure):
    NEEDS = _WORKERS
    SUPPORTED_PARAMS = {'min': required(Number(
        'saliency score from which on a clip is a highlight for a worker: 2 Fair, 3 Good, 4 VeryGood', above=0))}


class _HL_AP(_HighlightMeasure):
    """Average precision of the clips of a video as highlights, the mean over the workers who judged them.

    A clip is positive for a worker who gave it a score of at least ``min`` (columns ``saliency_1``, ``saliency_2`` and
    ``saliency_3`` of the qrels, which have a row for each clip). Clips that are not retrieved have the score 0, and
    retrieved clips that are not judged do not count. Each distinct score is a threshold; ``P`` of a threshold is the
    share of positive clips among those with at least this score, and ``P_max`` the greatest ``P`` of this threshold and
    those below it. ``HL_AP = (1/3) · Σ over workers of the mean of P_max over the thresholds at which recall grows``,
    where a worker without a positive clip counts 0, and one without another clip 1. An empty ranking has the value 0.

    Range [0, 1], higher is better. Source: Lei, Berg & Bansal 2021 (HL-mAP).

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import HL_AP
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['v#t=0,2', 'v#t=2,4', 'v#t=4,6'], 'relevance': [9, 3, 8],
        ...                       'saliency_1': [4, 1, 3], 'saliency_2': [4, 0, 1], 'saliency_3': [1, 2, 4]})
        >>> run = {'q': {'v#t=0,2': .9, 'v#t=2,4': .8, 'v#t=4,6': .1}}
        >>> round(HL_AP(min=4).calc_aggregate(qrels, run), 4)  # (1 + 1 + 1/3) / 3
        0.7778
    """
    PRETTY_NAME = 'Average Precision of highlights'
    SHORT_DESC = 'AP of the clips of a video, ranked by saliency, as the mean over the workers who judged them.'

    def compute(self, topic: 'RowTopic') -> float:
        if not topic.n:
            return 0.0
        check_clips(topic)
        return topic.computed_on_run(highlight_precisions, self['min'])


HL_AP = register_measure(_HL_AP())


class _HL_Hit(_HighlightMeasure):
    """Whether the first clip of a ranking is a highlight for one of the workers who judged it.

    ``HL_Hit = 1`` if a worker gave the first clip a score of at least ``min`` (columns ``saliency_1``, ``saliency_2``
    and ``saliency_3`` of the qrels), else 0, as for a clip that is not judged.

    Range {0, 1}, higher is better. Source: Lei, Berg & Bansal 2021 (HL-Hit1, the hit ratio of the clip that is scored
    highest).

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import HL_Hit
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['v#t=0,2', 'v#t=2,4'], 'relevance': [9, 3],
        ...                       'saliency_1': [3, 1], 'saliency_2': [3, 0], 'saliency_3': [3, 2]})
        >>> run = {'q': {'v#t=0,2': .9, 'v#t=2,4': .8}}
        >>> [HL_Hit(min=least).calc_aggregate(qrels, run) for least in (3, 4)]
        [1.0, 0.0]
    """
    PRETTY_NAME = 'Hit of the first highlight'
    SHORT_DESC = 'Whether the clip ranked first is a highlight for one of the workers who judged it.'

    def compute(self, topic: 'RowTopic') -> float:
        score = topic.computed_on_run(first_clip_scores)
        if score == -inf:
            return 0.0
        check_clips(topic)
        return float(score >= self['min'])


HL_Hit = register_measure(_HL_Hit())
