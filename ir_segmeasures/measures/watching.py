"""Measures of a user who watches the items one after the other: segment precision, time-biased gain and the U-measure.

Segment precision: Racca & Jones. Evaluating Search and Hyperlinking: An Example of the Design, Test, Refine Cycle
for Metric Development. MediaEval 2015, section 2.1; after Eskevich, Magdy & Jones, ECIR 2012.

The user watches the items in rank order (:func:`~ir_segmeasures.measures.walks.watching`); all measures are stops on
that walk.

Content that counts by the effort it takes to reach it: Smucker & Clarke. Time-based Calibration of Effectiveness
Measures. SIGIR 2012 (time-biased gain); Sakai & Dou. Summaries, Ranked Retrieval and Sessions: A Unified Framework for
Information Access Evaluation. SIGIR 2013 (U-measure).

Both are stops on the walk of segment precision (above), as ``SegR(budget=…)`` is: one walk under three discounts.
"""

from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import running
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure, register_measure, register_named
from ir_segmeasures.measures.parameters import CONDENSED, CUTOFF, REL, Choice, Flag, Number, required
from ir_segmeasures.measures.stops import AtLevel, InterpolatedMeasure, Outcome, OverLevels, added
from ir_segmeasures.measures.walks import Walk, first_meetings, watching

__all__ = ['AiSP', 'MAiSP', 'iSP', 'ASP', 'MASP', 'TBG', 'U']


def USER(default: str) -> Choice:
    """The parameter ``user``."""
    return Choice("whether the user watches the returned segment ('ret'), or goes on to the end of the unseen relevant "
                  "content in it ('rel')", 'rel', 'ret', default=default)


class _StretchMeasure(InterpolatedMeasure):
    WALK = (watching, 'user')
    SEEN = 'The user sees'


class _AiSP(_StretchMeasure, OverLevels):
    """Average interpolated segment precision (MAiSP): the mean of iSP over equally spaced recall levels. Recall and
    precision are shares of time.

    ``AiSP = (1/points) · Σ_{i=0..points-1} iSP(i / (points - 1))``, with
    ``iSP(x) = max{ V_e / W_e : V_e >= x · T_rel }`` over the ends e of the stretches of unseen relevant content that
    the user watches: V_e is the relevant time seen until then, W_e all the time watched, T_rel all relevant time.

    Range [0, 1], higher is better; the unit of the medium cancels out. An entry point has no content, so it is not
    watched. Source: Racca & Jones 2015, section 2.1 (MAiSP-ret, MAiSP-rel). Exact in continuous time, which is this
    project's choice.

    ``condensed=True`` leaves content without judgements out of the documents, and items without judged content out of
    the ranking. This needs judgements below ``rel``: where only relevant content is judged, nothing else stays.

    Examples:
        >>> from ir_segmeasures import AiSP
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=20,40': 1}}
        >>> round(AiSP.calc_aggregate(qrels, run), 6)  # 10/25 up to recall 10/15, then 15/40
        0.391584
        >>> round(AiSP(user='ret').calc_aggregate(qrels, run), 6)  # at most 15/35, at every level
        0.428571
        >>> qrels['q']['v#t=0,5'] = 0
        >>> round(AiSP(condensed=True).calc_aggregate(qrels, run), 6)  # 10 s leave the first item: 10/15, then 15/25
        0.644224
    """
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'user': USER('rel'), 'points': Number(
        'number of recall levels from 0 to 1', low=2, whole=True, default=101), 'rel': REL, 'condensed': CONDENSED}
    HIGHEST = 'V/W', 'stretches', 'stretch'


AiSP, MAiSP = register_named(_AiSP(), 'MAiSP')


class _iSP(_StretchMeasure, AtLevel):
    """Interpolated segment precision at recall x: the best precision, in time, at this recall or a higher one.

    ``iSP@x = max{ V_e / W_e : V_e >= x · T_rel }``, 0 if there is none; V, W and T_rel as in ``AiSP``.

    Range [0, 1], higher is better. Source: Racca & Jones 2015, section 2.1.

    Examples:
        >>> from ir_segmeasures import iSP
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=20,40': 1}}
        >>> (iSP@0.5).calc_aggregate(qrels, run), (iSP@0.9).calc_aggregate(qrels, run)  # 10/25 and 15/40
        (0.4, 0.375)
    """
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {'recall': Number('recall level, a share of the relevant time', low=0, high=1, required=True),
                        'user': USER('rel'), 'rel': REL, 'cutoff': CUTOFF, 'condensed': CONDENSED}
    HIGHEST = 'V/W of the stretches'


iSP = register_measure(_iSP())


class _ASP(SpanMeasure):
    """Average segment precision (MASP): every relevant span is credited with the share of the watched time that was
    relevant and new, after the first item that shares content with the span.

    ``ASP = (1/R) · Σ_k met_k · V_k / W_k``, with met_k the number of spans that item k is the first to share content
    with, V_k the relevant time seen and W_k the time watched after it, and R the number of spans.

    Range [0, 1], higher is better. Source: Eskevich, Magdy & Jones 2012, as Racca & Jones 2015, section 2.1, describe
    it: segment precision at rank levels. The original equations are not at hand, so the details are this project's
    choice.

    Examples:
        >>> from ir_segmeasures import ASP
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=20,40': 1}}
        >>> ASP.calc_aggregate(qrels, run)  # 10/25 after the first item, 15/45 after the second
        0.3666666666666667
    """
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'user': USER('rel'), 'rel': REL, 'condensed': CONDENSED}

    def outcome(self, run: RunOnAxis) -> Outcome:
        watched: Walk = run.cached(watching, self['user'])
        met: Walk = run.cached(first_meetings).up_to(self.cutoff)
        # What counts at an item is its last stretch, and what is left of the item is watched as well.
        last = np.searchsorted(watched.item, met.item, 'right') - 1
        V = running(watched.gain, watched.query)[last]
        W = watched.cost[last] + np.maximum(run.end[met.item] - watched.end[last], 0)
        met_spans = np.bincount(met.query, minlength=run.queries)
        return added(met, V / W, lambda query, value: (
            f'Items share content with {met_spans[query]} of {run.R[query]} relevant spans. The sum of V/W over these '
            f'spans, divided by {run.R[query]}, is {value:.4f}.'),
            run.R, V=run.units(V), W=run.units(W), precision=V / W)


ASP, MASP = register_named(_ASP(), 'MASP')


_EFFORT = {'user': USER('ret'), 'overhead': Number(
    'effort of every item before it is watched, in the unit of the medium', low=0, default=0, in_unit=True),
    'norm': Flag('whether the gain is divided by all there is to gain', default=True), 'rel': REL, 'cutoff': CUTOFF,
    'condensed': CONDENSED}


class _EffortMeasure(SpanMeasure):
    """A measure of the effort at which new relevant content is watched."""
    WALK = (watching, 'user', 'overhead')

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
    are of web search, and not a default here. Source: Smucker & Clarke 2012, in continuous time.

    Examples:
        >>> from ir_segmeasures import TBG
        >>> qrels = {'q': {'v#t=10,20': 1}}
        >>> run = {'q': {'v#t=0,20': 1}}  # 10 s after 10 s: (10 / ln 2) · (2^-1 - 2^-2) / 10
        >>> round(TBG(halflife=10).calc_aggregate(qrels, run), 4)
        0.3607
        >>> TBG(halflife=10, gain='spans').calc_aggregate(qrels, run)  # 2^-1
        0.5
    """
    SUPPORTED_PARAMS = {
        'halflife': required(Number('effort after which content counts half, in the unit of the medium', above=0)),
        'gain': Choice('what is gained: relevant content, or spans', 'content', 'spans', default='content'), **_EFFORT}

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk, h = self.walk(run), self['halflife']
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
    BUDGET = 'L'
    SUPPORTED_PARAMS = {'L': required(Number(
        'effort from which on content counts nothing, in the unit of the medium', above=0)), **_EFFORT}

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk, L = self.walk(run), self['L']
        begin, end = (np.minimum(run.units(effort), L) for effort in (walk.cost - walk.gain, walk.cost))
        gains = (end - begin) * (1 - (begin + end) / (2 * L))
        return self.gained(run, walk, gains, run.units(run.T_rel), 'relevant content')


U = register_measure(_U())
