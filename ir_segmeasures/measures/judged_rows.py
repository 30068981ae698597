"""Measures of rows that are judged as they stand: highlights of videos and sampled pools.

Highlights: the measures of QVHighlights (Lei, Berg, Bansal. QVHighlights: Detecting Moments and Highlights in Videos
via Natural Language Queries. NeurIPS 2021) for the clips of a video, ranked by predicted saliency.

Inferred AP over strata: Yilmaz, Kanoulas, Aslam. A Simple and Efficient Sampling Method for Estimating AP and NDCG.
SIGIR 2008. The smoothing is that of TRECVID's tool.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, Number, RowMeasure, RowTopic, register_measure, required
from ir_segmeasures.segments.arrays import Bools, Floats

__all__ = ['HL_AP', 'HL_Hit', 'xinfAP']

_WORKERS = ('saliency_1', 'saliency_2', 'saliency_3')


def clip_average_precision(positive: Bools, scores: Floats) -> float:
    """The mean of the interpolated precision at each threshold at which recall grows, each counted once however many
    positive clips share it; 0 without a positive clip.

    Args:
        positive: whether each clip is a highlight
        scores: of the clips

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures.measures.judged_rows import clip_average_precision
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
            raise topic.judged.error(place, 'an earlier row has the scores of this clip, but a clip has one of each '
                                            'worker: take one of the two rows out')
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
        workers, scores = topic.cached(worker_scores), np.zeros(len(topic.judged))
        for place, score in reversed(list(zip(topic.found, topic.retrieved.values))):  # the first of a clip stays
            if place >= 0:
                scores[place] = score
        return sum(clip_average_precision(np.array(worker) >= self['min'], scores) for worker in workers) / len(workers)


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


EPSILON = 0.00001
NOT_SAMPLED = -1  # the relevance of rows that were pooled, and that nobody looked at


class PoolSample(NamedTuple):
    """The judged sample of the pool of a query.

    Attributes:
        stratum: of each judged row
        weight: how many pooled rows of its stratum each judged row stands for if it was sampled: N_c / n_c
        R: the relevant rows in the pool, as inferred
    """
    stratum: list[float]
    weight: list[float]
    R: float


def pool_sample(topic: RowTopic, rel: float) -> PoolSample:
    """The sample of the pool that the judgements of a query are.

    Raises:
        RowError: a row that is judged in two ways, or has a relevance without a meaning
    """
    judged = topic.judged
    stratum, relevance = judged.beside('stratum'), judged.values
    counts: dict[float, list[int]] = defaultdict(lambda: [0, 0, 0])  # of each stratum: pooled, sampled, relevant
    for place, first in enumerate(topic.first_equal):
        if (stratum[place], relevance[place]) != (stratum[first], relevance[first]):
            raise judged.error(place, f'it is judged {relevance[place]:g} in stratum {stratum[place]:g}, and an '
                               f'earlier row has {relevance[first]:g} in stratum {stratum[first]:g}: give it one '
                               'judgement')
    for place, first in enumerate(topic.first_equal):
        grade = relevance[place]
        if grade < 0 and grade != NOT_SAMPLED:
            raise judged.error(place, f'the relevance {grade:g} says nothing of the sample: it is -1 for what was '
                                      'pooled and not sampled, and 0 or more for what was judged')
        if place == first:  # a row that repeats another is the same row
            of_stratum = counts[stratum[place]]
            for i, counted in enumerate((True, grade >= 0, grade >= rel)):
                of_stratum[i] += counted
    weight = {c: pooled / max(sampled, 1) for c, (pooled, sampled, _) in counts.items()}
    R = sum(weight[c] * relevant for c, (_, _, relevant) in counts.items())
    return PoolSample(stratum, [weight[c] for c in stratum], R)


def inferred(topic: RowTopic, ranking: Iterable[int], rel: float) -> float:
    """Inferred AP.

    Args:
        topic: the query
        ranking: for each retrieved row its place among the judgements, -1 for a row that is not among them
        rel: the relevance from which on a row is relevant
    """
    stratum, weight, R = topic.cached(pool_sample, rel)
    relevance = topic.judged.values
    total = 0.0
    counts: dict[float, tuple[int, int, int]] = {}  # d_c, s_c, q_c
    expected: dict[float, float] = {}  # of the rows so far, how many are relevant
    seen = {-1}
    for rank, place in enumerate(ranking, 1):
        if place in seen:
            continue
        seen.add(place)
        c, grade = stratum[place], relevance[place]
        if grade >= rel:
            total += weight[place] * (1 + sum(expected.values())) / rank
        d, s, q = counts.get(c, (0, 0, 0))
        counts[c] = d, s, q = d + 1, s + (grade >= 0), q + (grade >= rel)
        expected[c] = d * (q + EPSILON) / (s + 3 * EPSILON)
    return total / R if R else 0.0


class _xinfAP(RowMeasure):
    """Inferred average precision over sampled strata: AP of a pool of which only a sample was judged, more of it at the
    top of the runs than further down. The column ``stratum`` of the qrels has the stratum of each row. Rows that were
    pooled and not sampled have the relevance -1.

    In stratum c, N_c rows are pooled, n_c of them are sampled (relevance >= 0), and r_c of these are relevant
    (>= ``rel``), so that ``R_c = r_c · N_c / n_c`` relevant rows are inferred; ``R = Σ R_c``. Before a relevant item at
    rank k stand d_c rows of c in the list, s_c of them sampled and q_c relevant. Its precision is
    ``p = 1/k + Σ_c d_c/k · (q_c + ε) / (s_c + 3ε)``, ε = 0.00001. ``xinfAP = Σ_c R_c/R · Σ p / r_c``; 0 where R is 0.

    Range [0, 1], higher is better. An item is the judged row with the same document, start, end and path: shots are
    compared by their ids, segments by their times. An item that is not in the pool, or that repeats an earlier item,
    is not relevant. An item ranked before any sampled row of its stratum counts as a third of a relevant
    item; strata without sampled rows have R_c = 0. Where all rows are sampled, the value is AP (up to 2ε). Source:
    Yilmaz et al. 2008; smoothing: TRECVID's tool, which looks at 1,000 items: ``xinfAP@1000``, or
    ``xinfAP(tool='sample_eval')`` for its own number.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import xinfAP
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['shot1', 'shot2', 'shot3', 'shot4'],
        ...                       'relevance': [1, 0, -1, 1], 'stratum': ['1', '1', '1', '2']})
        >>> run = {'q': {'shot1': 2, 'shot4': 1}}  # R = 1 · 3/2 + 1, and 1/1 and 2/2 are the precisions
        >>> round(xinfAP.calc_aggregate(qrels, run), 4)
        1.0
    """
    NEEDS = ('stratum',)
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': Number(REL.desc, low=0, default=1)}

    def compute(self, topic: RowTopic) -> float:
        return inferred(topic, islice(topic.found, self.params.get('cutoff')), self['rel'])


xinfAP = register_measure(_xinfAP())
