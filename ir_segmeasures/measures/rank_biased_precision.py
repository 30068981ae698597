"""Rank-biased precision of content, and its residual, which says how much of it unjudged content leaves open: Moffat &
Zobel, ACM TOIS 27(1), 2008.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.evaluation.axis import at_place, share
from ir_segmeasures.measures.base import CUTOFF, REL, Number, SpanMeasure, register_measure
from ir_segmeasures.measures.stops import Outcome, added
from ir_segmeasures.measures.walks import Walk, unread_content, watching
from ir_segmeasures.segments.quoting import quoted

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

__all__ = ['RBP_residual', 'RBP_seg']

P = Number('persistence: how likely the user goes on from an item to the next', above=0, high=1, default=0.8)


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
    PRETTY_NAME = 'Residual of rank-biased precision of content'
    SHORT_DESC = 'How much RBP_seg could grow if all content without a judgement was relevant. Lower is better.'
    LOWER_IS_BETTER = True
    EVERYWHERE = True
    SUPPORTED_PARAMS = {'p': P, 'cutoff': CUTOFF}

    def values(self, run: RunOnAxis) -> Any:
        p, (length, judged) = self['p'], run.cached(unread_content)
        unjudged = share(length - judged, run.end - run.start) * (run.rank <= self.cutoff)
        return ((1 - p) * at_place(p ** (run.rank - 1.) * unjudged, run.query, run.queries)
                + p ** np.minimum(run.n, self.cutoff).astype(float))


RBP_residual = register_measure(_RBP_residual())
