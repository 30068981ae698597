"""Measures for judgements with holes: of sampled pools, of what unjudged content leaves open, and of preference.

Inferred AP over strata: Yilmaz, Kanoulas, Aslam. A Simple and Efficient Sampling Method for Estimating AP and NDCG.
SIGIR 2008. The smoothing is that of TRECVID's tool.

Rank-biased precision of content, and its residual, which says how much of it unjudged content leaves open: Moffat &
Zobel, ACM TOIS 27(1), 2008.

Binary preference on content, for judgements with holes: Buckley & Voorhees. Retrieval Evaluation with Incomplete
Information. SIGIR 2004.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

import numpy as np

from ir_segmeasures.evaluation.axis import Cover, at_place, running, share
from ir_segmeasures.measures.base import RowMeasure, RowTopic, RunOnAxis, SpanMeasure, register_measure
from ir_segmeasures.measures.parameters import CUTOFF, REL, Number
from ir_segmeasures.measures.stops import Outcome, added, first_ones
from ir_segmeasures.measures.walks import Walk, first_meetings, item_walk, unread_content, watching

__all__ = ['xinfAP', 'RBP_residual', 'RBP_seg', 'bpref_seg']

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
                               f'earlier row has {relevance[first]:g} in stratum {stratum[first]:g}: give it one')
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


def inferred(topic: RowTopic, ranking: Iterable[int], rel: float) -> tuple[float, list[float]]:
    """Inferred AP, and how many of the first 1, 2, 3 … rows of a ranking are inferred to be relevant.

    Args:
        topic: the query
        ranking: for each retrieved row its place among the judgements, -1 for a row that is not among them
        rel: the relevance from which on a row is relevant
    """
    stratum, weight, R = topic.cached(pool_sample, rel)
    relevance = topic.judged.values
    total, found = 0.0, list[float]()
    counts: dict[float, tuple[int, int, int]] = {}  # d_c, s_c, q_c
    expected: dict[float, float] = {}  # of the rows so far, how many are relevant
    seen = {-1}
    for rank, place in enumerate(ranking, 1):
        if place not in seen:
            seen.add(place)
            c, grade = stratum[place], relevance[place]
            if grade >= rel:
                total += weight[place] * (1 + (found or [0.0])[-1]) / rank
            d, s, q = counts.get(c, (0, 0, 0))
            counts[c] = d, s, q = d + 1, s + (grade >= 0), q + (grade >= rel)
            expected[c] = d * (q + EPSILON) / (s + 3 * EPSILON)
        found.append(sum(expected.values()))
    return total / R if R else 0.0, found


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
        return inferred(topic, islice(topic.found, self.params.get('cutoff')), self['rel'])[0]


xinfAP = register_measure(_xinfAP())


P = Number('persistence: how likely the user goes on from an item to the next', above=0, high=1, default=0.8)


class _RankBiasedMeasure(SpanMeasure):
    def check(self) -> None:
        if self['p'] == 1:
            raise ValueError(f'{self.NAME} has p=1, with which the user never stops: give a number below 1')


class _RBP_seg(_RankBiasedMeasure):
    """Rank-biased precision of content: the share of new relevant content in an item, for a user who goes on from each
    item to the next with the probability ``p``.

    ``RBP_seg = (1 - p) · Σ_k p^(k-1) · g_k``, where g_k is the share of item k that is relevant and in no item before.

    Range [0, 1), higher is better. What is not judged counts as not relevant; ``RBP_residual`` says how much the value
    could grow if all of it was relevant. An entry point, which has no content, adds nothing. Source: Moffat & Zobel
    2008, Eq. 3, on content.

    Examples:
        >>> from ir_segmeasures import RBP_seg
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=50,60': 0}}
        >>> run = {'q': {'v#t=20,40': 2, 'v#t=10,30': 1}}  # 5 of 20 s, then 5 new ones of 20 s
        >>> RBP_seg(p=0.5).calc_aggregate(qrels, run)  # 0.5 · (0.25 + 0.5 · 0.25)
        0.1875
    """
    SUPPORTED_PARAMS = {'p': P, 'cutoff': CUTOFF, 'rel': REL}

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk: Walk = run.cached(watching, 'ret').up_to(self.cutoff)
        new = walk.gain / (run.end - run.start)[walk.item]
        return added(walk, (1 - self['p']) * self['p'] ** (walk.rank - 1.) * new, lambda query, value: (
            f'The shares of the items, each times the probability that the user stops after it, sum to {value:.4f}.'))


RBP_seg = register_measure(_RBP_seg())


# The residual is of judged segments of any relevance: it has no rel.
class _RBP_residual(_RankBiasedMeasure):
    """Residual of rank-biased precision: how much ``RBP_seg`` could grow if all content without a judgement was
    relevant.

    ``RBP_residual = (1 - p) · Σ_k p^(k-1) · u_k + p^n``, where u_k is the share of item k that is neither judged nor in
    an item before, and n the number of items.

    Range (0, 1], **lower is better**: less is open. It is computed for queries without relevant spans as well. Source:
    Moffat & Zobel 2008, section 4, on content.

    Examples:
        >>> from ir_segmeasures import RBP_residual
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=25,30': 0}}
        >>> run = {'q': {'v#t=20,40': 2, 'v#t=10,30': 1}}  # 10 of 20 s are not judged, then 5 new ones
        >>> RBP_residual(p=0.5).calc_aggregate(qrels, run)  # 0.5 · (0.5 + 0.5 · 0.25) + 0.5²
        0.5625
    """
    LOWER_IS_BETTER = True
    EVERYWHERE = True
    SUPPORTED_PARAMS = {'p': P, 'cutoff': CUTOFF}

    def outcome(self, run: RunOnAxis) -> Outcome:
        p, (length, judged) = self['p'], run.cached(unread_content)
        item = np.flatnonzero((length > judged) & (run.rank <= self.cutoff))
        walk, unjudged = item_walk(run, item, run.R), share(length - judged, run.end - run.start)[item]
        rest, parts = p ** np.minimum(run.n, self.cutoff).astype(float), p ** (walk.rank - 1.) * unjudged
        values = (1 - p) * at_place(parts, walk.query, run.queries) + rest
        return Outcome(values, walk, {'unjudged': unjudged, 'residual': (1 - p) * parts}, lambda query: (
            f'The residuals of the items, and {rest[query]:.4f} of what comes after them, sum to {values[query]:.4f}.'))


RBP_residual = register_measure(_RBP_residual())


class _bpref_seg(SpanMeasure):
    """Binary preference of content: how seldom items that are judged not relevant stand before relevant ones. What is
    not judged is skipped, so that holes in the judgements change little.

    An item is relevant if it shares content with a relevant span that no earlier item shares content with. It is not
    relevant if it shares content with judgements below ``rel`` and with no relevant span. All other items are skipped.

    ``bpref_seg = (1/R) · Σ_r (1 - min(n_r, m) / m)`` over the relevant items r, with n_r the number of items that are
    not relevant before r, R the number of relevant spans, N that of the spans judged below ``rel`` that are not wholly
    in relevant ones, and m = min(R, N).

    Range [0, 1], higher is better. A judgement of negative relevance means *not judged*, as in pools. An item that
    is the first to share content with two spans counts once. Source: Buckley & Voorhees 2004, as trec_eval computes it,
    on content.

    Examples:
        >>> from ir_segmeasures import bpref_seg
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=50,60': 1, 'v#t=30,40': 0, 'u#t=0,9': 0}}
        >>> run = {'q': {'v#t=30,35': 5, 'w#t=0,9': 4, 'v#t=10,20': 3, 'v#t=20,25': 2, 'v#t=50,55': 1}}
        >>> bpref_seg.calc_aggregate(qrels, run)  # one of two before each: (1/2 + 1/2) / 2
        0.5
    """

    EVERYWHERE = True

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = run.cached(first_meetings).up_to(self.cutoff)
        walk = walk.where(first_ones(walk))
        walk = walk._replace(kind='RelevantItem', start=run.start[walk.item], end=run.end[walk.item])
        others = Cover.union(run.not_relevant.start, run.not_relevant.end)
        outside = run.spans.common(others.start, others.end) < others.end - others.start
        N = np.bincount(run.query_of[run.stretch_at(others.start[outside])], minlength=run.queries)
        first, stop = run.met
        not_relevant = (others.common(run.start, run.end) > 0) & (first == stop)
        before = running(not_relevant.astype(np.int64), run.query)[walk.item]
        m = np.minimum(run.R, N)[walk.query]
        adds = (1 - np.minimum(before, m) / np.maximum(m, 1)) / run.R[walk.query]
        outcome = added(walk, adds, lambda query, value: f'Over {run.R[query]} relevant spans the parts sum to '
                                                         f'{value:.4f}.', not_relevant_before=before)
        return outcome._replace(values=np.minimum(outcome.values, 1))


bpref_seg = register_measure(_bpref_seg())
