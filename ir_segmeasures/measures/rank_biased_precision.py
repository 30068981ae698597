"""Rank-biased precision of content, and its residual, which says how much of it unjudged content leaves open: Moffat &
Zobel, ACM TOIS 27(1), 2008.
"""

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, Number, SpanMeasure, register_measure
from ir_segmeasures.measures.unread_content import unread_in_run
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import first_ending_after, first_starting_from, range_pairs

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['RBP_residual', 'RBP_seg']

P = Number('persistence: how likely the user goes on from an item to the next', above=0, high=1, default=0.8)


def new_shares(topic: 'Topic') -> dict[int, float]:
    """Rank → the share of the item that is relevant and in no item before, where there is any."""
    unseen, items = topic.unseen(), topic.items
    shares = {}
    for rank, start, end, ahead in zip(items.rank, items.start, items.end, items.ahead):
        new = sum(high - low for low, high in unseen.cut(ahead, start, end))
        if new:
            shares[rank] = new / (end - start)
    return shares


def unjudged_shares(run: 'RunItems') -> list[list[float]]:
    """For each query, the share of each item that is neither judged nor in an item before; of a run whose relevant
    spans are what is judged.
    """
    items, spans, unread = run.all_items, run.relevant.spans, run.cached(unread_in_run)
    group = items.group[unread.item]
    first = first_ending_after(spans, group, unread.start)
    stop = first_starting_from(spans, group, unread.end)
    # Of each unread piece, what lies before its first span, between its spans, and after the last one.
    piece, gap = range_pairs(first, stop - first + 1)
    start = np.where(gap > first[piece], np.append(spans.end, inf)[gap - 1], unread.start[piece])
    end = np.where(gap < stop[piece], np.append(spans.start, inf)[gap], unread.end[piece])
    new = np.bincount(unread.item[piece], np.maximum(end - start, 0), len(items.start))
    shares = np.divide(new, items.end - items.start, out=np.zeros(len(new)), where=new > 0).tolist()
    return [shares[low:high] for low, high in pairwise(items.bounds)]


class _RankBiasedMeasure(SpanMeasure):
    def check(self) -> None:
        if self['p'] == 1:
            raise ValueError(f'{self.NAME} has p={quoted(self["p"])}, with which the user never stops: give a number '
                             'below 1')


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
    PRETTY_NAME = 'Rank-biased precision of content'
    SHORT_DESC = 'The share of new relevant content in the items, for a user who stops after each with a probability.'
    SUPPORTED_PARAMS = {'p': P, 'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        p = self['p']
        return (1 - p) * sum(p ** (rank - 1) * share for rank, share in topic.cached(new_shares).items()
                             if rank <= self.cutoff)


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
    PRETTY_NAME = 'Residual of rank-biased precision of content'
    SHORT_DESC = 'How much RBP_seg could grow if all content without a judgement was relevant. Lower is better.'
    LOWER_IS_BETTER = True
    SUPPORTED_PARAMS = {'p': P, 'cutoff': CUTOFF}

    def compute(self, topic: 'Topic') -> float:
        p, n = self['p'], int(min(self.cutoff, topic.n))
        shares = topic.computed_on_run(unjudged_shares)[:n]
        return (1 - p) * sum(p ** place * share for place, share in enumerate(shares)) + p ** n


RBP_residual = register_measure(_RBP_residual())
