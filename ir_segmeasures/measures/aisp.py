"""Segment precision: Racca & Jones. Evaluating Search and Hyperlinking: An Example of the Design, Test, Refine Cycle
for Metric Development. MediaEval 2015, section 2.1; after Eskevich, Magdy & Jones, ECIR 2012.

The user watches the items in rank order (:func:`~ir_segmeasures.measures.walks.watching`); all measures are stops on
that walk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.evaluation.axis import running
from ir_segmeasures.measures.base import CONDENSED, CUTOFF, REL, Choice, Number, SpanMeasure, register_measure
from ir_segmeasures.measures.interpolation import AtLevel, InterpolatedMeasure, OverLevels, Recalled
from ir_segmeasures.measures.stops import Outcome, added
from ir_segmeasures.measures.walks import Walk, first_meetings, watching

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

__all__ = ['AiSP', 'MAiSP', 'iSP', 'ASP', 'MASP']



def USER(default: str) -> Choice:
    """The parameter ``user``."""
    return Choice("whether the user watches the returned segment ('ret'), or goes on to the end of the unseen relevant "
                  "content in it ('rel')", 'rel', 'ret', default=default)


class _StretchMeasure(InterpolatedMeasure):
    def recalled(self, run: RunOnAxis) -> Recalled:
        walk: Walk = run.cached(watching, self['user'])
        walk = walk.up_to(self.cutoff)
        V = running(walk.gain, walk.query)
        return Recalled(walk, V / walk.total[walk.query], V / walk.cost, 'The user sees')


class _AiSP(_StretchMeasure, OverLevels):
    """Average interpolated segment precision (MAiSP): the mean of iSP over equally spaced recall levels. Recall and
    precision are shares of time.

    ``AiSP = (1/points) · Σ_{i=0..points-1} iSP(i / (points - 1))``, with
    ``iSP(x) = max{ V_e / W_e : V_e >= x · T_rel }`` over the ends e of the stretches of unseen relevant content that
    the user watches: V_e is the relevant time seen until then, W_e all the time watched, T_rel all relevant time.

    Range [0, 1], higher is better; the unit of the medium cancels out. An entry point has no content, so it is not
    watched. Source: Racca & Jones 2015, section 2.1 (MAiSP-ret, MAiSP-rel). Exact in continuous time, which is this
    project's choice.

    With ``condensed=True`` content that nobody judged leaves the documents, and an item without judged content the
    list. Judgements below ``rel`` are needed for that: where only relevant content is judged, no other content stays.

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
    PRETTY_NAME = 'Average interpolated Segment Precision'
    SHORT_DESC = 'The share of the watched time that is new relevant content, averaged over recall.'
    SUPPORTED_PARAMS = {
        'cutoff': CUTOFF,
        'user': USER('rel'),
        'points': Number('number of recall levels from 0 to 1', low=2, whole=True, default=101),
        'rel': REL,
        'condensed': CONDENSED,
    }
    HIGHEST = 'V/W', 'stretches', 'stretch'


AiSP = register_measure(_AiSP(), ['MAiSP'])
MAiSP = AiSP.called('MAiSP')


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
    PRETTY_NAME = 'Interpolated Segment Precision at recall'
    SHORT_DESC = 'The share of the watched time that is new relevant content, at a recall level.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': Number('recall level, a share of the relevant time', low=0, high=1, required=True),
        'user': USER('rel'),
        'rel': REL,
        'cutoff': CUTOFF,
        'condensed': CONDENSED,
    }
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
    PRETTY_NAME = 'Average Segment Precision'
    SHORT_DESC = 'The share of the watched time that is new relevant content, at the items that meet a new span.'
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


ASP = register_measure(_ASP(), ['MASP'])
MASP = ASP.called('MASP')
