"""Content that counts by the effort it takes to reach it: Smucker & Clarke. Time-based Calibration of Effectiveness
Measures. SIGIR 2012 (time-biased gain); Sakai & Dou. Summaries, Ranked Retrieval and Sessions: A Unified Framework for
Information Access Evaluation. SIGIR 2013 (U-measure).

Both are stops on the walk of segment precision (aisp.py), as ``SegR(budget=…)`` is: one walk under three discounts.
"""


from typing import Any

import numpy as np

from ir_segmeasures.measures.aisp import USER
from ir_segmeasures.measures.base import (
    CONDENSED,
    CUTOFF,
    REL,
    Choice,
    Flag,
    Number,
    RunOnAxis,
    SpanMeasure,
    register_measure,
    required,
)
from ir_segmeasures.measures.stops import Outcome, added
from ir_segmeasures.measures.walks import Walk, watching

__all__ = ['TBG', 'U']

_EFFORT = {
    'user': USER('ret'),
    'overhead': Number('effort of every item before it is watched, in the unit of the medium', low=0, default=0,
                       in_unit=True),
    'norm': Flag('whether the gain is divided by all there is to gain', default=True),
    'rel': REL,
    'cutoff': CUTOFF,
    'condensed': CONDENSED,
}


class _EffortMeasure(SpanMeasure):
    """A measure of the effort at which new relevant content is watched."""

    def watched(self, run: RunOnAxis) -> Walk:
        """The stretches of new relevant content up to the cut-off."""
        walk: Walk = run.cached(watching, self['user'], self['overhead'])
        return walk.up_to(self.cutoff)

    def gained(self, run: RunOnAxis, walk: Walk, gains: Any, total: Any, what: str) -> Outcome:
        """The outcome whose values are the sums of the gains, divided by the total of each query with ``norm``."""
        gains = gains / total[walk.query] if self['norm'] else gains
        divided = f', divided by the {what},' if self['norm'] else ''
        return added(walk, gains, lambda query, value: f'The sum of the discounted gains{divided} is {value:.4f}.')

    def check(self) -> None:
        self.check_silence(self['norm'], 'norm=False')


class _TBG(_EffortMeasure):
    """Time-biased gain: new relevant content counts by how probable it is that the user still goes on when it is
    watched, which halves with each ``halflife`` of effort.

    ``TBG = (1/T_rel) · Σ_pieces ∫ 2^(-t/halflife) dt`` over the effort t at which each piece of new relevant content is
    watched. With ``gain='spans'``: ``(1/R) · Σ_spans 2^(-t/halflife)``, t the effort at the beginning of the first
    piece of the span. The effort is all that is watched, content seen before included, and ``overhead`` for every item.
    ``norm=False``: without 1/T_rel or 1/R, the expected gain.

    Range [0, 1], with ``norm=False`` [0, ∞); higher is better. Unit of halflife and overhead: that of the medium. For
    ever longer half-lives the value comes to SegR (``user='ret'``, no overhead). The 224 s that the authors calibrated
    are of web search, and no default here. Source: Smucker & Clarke 2012, in continuous time.

    Examples:
        >>> from ir_segmeasures import TBG
        >>> qrels = {'q': {'v#t=10,20': 1}}
        >>> run = {'q': {'v#t=0,20': 1}}  # 10 s after 10 s: (10 / ln 2) · (2^-1 - 2^-2) / 10
        >>> round(TBG(halflife=10).calc_aggregate(qrels, run), 4)
        0.3607
        >>> TBG(halflife=10, gain='spans').calc_aggregate(qrels, run)  # 2^-1
        0.5
    """
    PRETTY_NAME = 'Time-biased Gain'
    SHORT_DESC = 'New relevant content, discounted by the effort at which it is watched, which halves it.'
    SUPPORTED_PARAMS = {
        'halflife': required(Number('effort after which content counts half, in the unit of the medium', above=0)),
        'gain': Choice('what is gained: relevant content, or spans', 'content', 'spans', default='content'),
        **_EFFORT,
    }

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk, h = self.watched(run), self['halflife']
        begin, length = run.units(walk.cost - walk.gain), run.units(walk.gain)
        if self['gain'] == 'content':
            # 2^(-t0/h) - 2^(-t1/h), without a difference of nearly equal numbers.
            gains = h / np.log(2) * 2. ** (-begin / h) * -np.expm1(-np.log(2) * length / h)
            return self.gained(run, walk, gains, run.units(run.T_rel), 'relevant content')
        span = run.spans.first_after(walk.start)
        first = np.full(len(run.spans.start), len(span))
        np.minimum.at(first, span, np.arange(len(span)))
        gains = np.where(first[span] == np.arange(len(span)), 2. ** (-begin / h), 0)
        return self.gained(run, walk, gains, run.R, 'number of relevant spans')


TBG = register_measure(_TBG())


class _U(_EffortMeasure):
    """U-measure: new relevant content counts by what of the effort ``L`` is left when it is watched.

    ``U = (1/T_rel) · Σ_pieces ∫ max(0, 1 - t/L) dt`` over the effort t at which each piece of new relevant content is
    watched. The effort is all that is watched, content seen before included, and ``overhead`` for every item.
    ``norm=False``: without 1/T_rel.

    Range [0, 1], with ``norm=False`` [0, ∞); higher is better. Unit of L and overhead: that of the medium. Source:
    Sakai & Dou 2013, in continuous time.

    Examples:
        >>> from ir_segmeasures import U
        >>> qrels = {'q': {'v#t=10,20': 1}}
        >>> run = {'q': {'v#t=0,20': 1}}  # 10 s after 10 s, for which on average 1 - 15/40 is left
        >>> U(L=40).calc_aggregate(qrels, run)
        0.625
    """
    PRETTY_NAME = 'U-measure'
    SHORT_DESC = 'New relevant content, discounted by the share of the effort L that is left when it is watched.'
    SUPPORTED_PARAMS = {
        'L': required(Number('effort from which on content counts nothing, in the unit of the medium', above=0)),
        **_EFFORT,
    }

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk, L = self.watched(run), self['L']
        begin, end = (np.minimum(run.units(effort), L) for effort in (walk.cost - walk.gain, walk.cost))
        gains = (end - begin) * (1 - (begin + end) / (2 * L))
        return self.gained(run, walk, gains, run.units(run.T_rel), 'relevant content')


U = register_measure(_U())
