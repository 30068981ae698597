"""Highlights: the measures of QVHighlights (Lei, Berg, Bansal. QVHighlights: Detecting Moments and Highlights in Videos
via Natural Language Queries. NeurIPS 2021) for the clips of a video, ranked by predicted saliency.
"""

import numpy as np

from ir_segmeasures.measures.base import RowMeasure, RowTopic, register_measure
from ir_segmeasures.measures.parameters import Number, required
from ir_segmeasures.segments.basics import Bools, Floats

__all__ = ['HL_AP', 'HL_Hit']

_WORKERS = ('saliency_1', 'saliency_2', 'saliency_3')


def clip_average_precision(positive: Bools, scores: Floats) -> float:
    """The mean of the interpolated precision at each threshold at which recall grows, each counted once however many
    positive clips share it; 0 without a positive clip.

    Args:
        positive: whether each clip is a highlight
        scores: of the clips

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures.measures.saliency import clip_average_precision
        >>> clip_average_precision(np.array([True, False, True, True]), np.array([.9, .5, .1, .1]))
        0.875
    """
    if not positive.any():
        return 0.0
    order = np.argsort(-scores, kind='stable')
    last = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))  # of each distinct score
    found = np.cumsum(positive[order])[last]
    best = np.maximum.accumulate((found / (last + 1))[::-1])  # from the last threshold to each
    return float(best[np.diff(found, prepend=0)[::-1] > 0].mean())


def worker_scores(topic: RowTopic) -> list[list[float]]:
    """The scores that each worker gave each clip; a ValueError where a clip is judged twice or lacks a score."""
    for place, first in enumerate(topic.first_equal):
        if place != first:
            raise topic.judged.error(place, 'an earlier row has the scores of this clip: take one out')
    return [topic.judged.beside(worker) for worker in _WORKERS]


class _HighlightMeasure(RowMeasure):
    NEEDS = _WORKERS
    SUPPORTED_PARAMS = {'min': required(Number(
        'saliency score from which on a clip is a highlight for a worker: 2 Fair, 3 Good, 4 VeryGood', above=0))}


class _HL_AP(_HighlightMeasure):
    """Average Precision of highlights: AP of the clips of a video, ranked by saliency, as the mean over the workers who
    judged them.

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

    def compute(self, topic: RowTopic) -> float:
        if not len(topic.retrieved):
            return 0.0
        workers, scores = topic.cached(worker_scores), np.zeros(len(topic.judged) + 1)  # the last: if not judged
        scores[topic.found[::-1]] = topic.retrieved.values[::-1]  # NumPy keeps what is written last: a clip's first
        return sum(clip_average_precision(np.array(worker) >= self['min'], scores[:-1])
                   for worker in workers) / len(workers)


HL_AP = register_measure(_HL_AP())


class _HL_Hit(_HighlightMeasure):
    """Hit of the first highlight: whether the clip ranked first is a highlight for one of the workers who judged it.

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

    def compute(self, topic: RowTopic) -> float:
        if not topic.found or topic.found[0] < 0:
            return 0.0
        return float(any(worker[topic.found[0]] >= self['min'] for worker in topic.cached(worker_scores)))


HL_Hit = register_measure(_HL_Hit())
