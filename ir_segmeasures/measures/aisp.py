"""Segment precision: Racca & Jones. Evaluating Search and Hyperlinking: An Example of the Design, Test, Refine Cycle
for Metric Development. MediaEval 2015, section 2.1; after Eskevich, Magdy & Jones, ECIR 2012.

The user watches the items in rank order, as watched_time.py follows it, and all measures are read off that walk.
"""

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import CONDENSED, CUTOFF, REL, Choice, Number, SpanMeasure, register_measure
from ir_segmeasures.measures.interpolation import AtLevel, BestSteps, InterpolatedMeasure, OverLevels, best_steps
from ir_segmeasures.measures.watched_time import span_meetings, watched_stretches

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['AiSP', 'MAiSP', 'iSP', 'ASP', 'MASP']

_USER = Choice("whether the user watches the returned segment ('ret'), or goes on to the end of the unseen relevant "
               "content in it ('rel')", 'rel', 'ret', default='rel')


def best_stretches(run: 'RunItems', user: str, cutoff: float) -> list[BestSteps]:
    """For each query, the stretches with a better V/W than all later ones, of the items up to a rank."""
    found = run.cached(watched_stretches, user)
    return best_steps(found.V, np.where(found.rank <= cutoff, found.V / found.W, 0), found.bounds)


def stretches_of(run: 'RunItems', user: str) -> list[list[tuple[int, float, float, float, float]]]:
    """For each query, the stretches that the user watches: rank, start, end, V, W."""
    found = run.cached(watched_stretches, user)
    columns = (found.rank, found.start, found.end, found.V, found.W)
    stretches = list(zip(*(column.tolist() for column in columns)))
    return [stretches[low:high] for low, high in pairwise(found.bounds)]


class _StretchMeasure(InterpolatedMeasure):
    def best(self, topic: 'Topic') -> BestSteps:
        return topic.computed_on_run(best_stretches, self['user'], self.cutoff)

    def level_steps(self, topic: 'Topic', at_levels: dict[int, int], levels: int, sentence: str) -> 'Steps':
        """The stretches as steps. ``at_levels`` has, for the stretches whose precision counts, at how many levels."""
        from ir_segmeasures.measures.steps import WatchedStretch, make_steps  # imported when it is needed
        rows = [(rank, topic.document_id(rank), start, end, V, W, V / topic.T_rel, V / W, at_levels.get(step, 0),
                 at_levels.get(step, 0) * (V / W) / levels)
                for step, (rank, start, end, V, W) in enumerate(topic.computed_on_run(stretches_of, self['user']))
                if rank <= self.cutoff]
        seen = rows[-1][4] if rows else 0.
        return make_steps(WatchedStretch, rows, f'The user sees {seen:.6g} of {topic.T_rel:.6g} relevant. {sentence}')


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
        'user': _USER,
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
        'user': _USER,
        'rel': REL,
        'cutoff': CUTOFF,
        'condensed': CONDENSED,
    }
    HIGHEST = 'V/W of the stretches'


iSP = register_measure(_iSP())


def precision_sums(run: 'RunItems', user: str, cutoff: float) -> list[float]:
    """For each query, the sum of V/W after the first item that shares content with a span, over the spans."""
    bounds, met = run.overlapping_items.bounds, run.cached(span_meetings, user, cutoff)
    query = np.searchsorted(bounds, met.item, 'right') - 1
    sums: list[float] = np.bincount(query, met.V / met.W, len(bounds) - 1).tolist()
    return sums


def met_spans(run: 'RunItems', user: str, cutoff: float) -> list[list[tuple[int, float, float, float, float]]]:
    """For each query, the spans that items share content with: rank of the first such item, start, end, V, W."""
    items, spans, met = run.overlapping_items, run.relevant.spans, run.cached(span_meetings, user, cutoff)
    span = np.argsort(met.of_span, kind='stable')
    span = span[np.append(items.rank, inf)[met.of_span[span]] <= cutoff][:len(met.item)]
    columns = items.rank[met.item], spans.start[span], spans.end[span], met.V, met.W
    found = list(zip(*(column.tolist() for column in columns)))
    bounds = np.searchsorted(met.item, items.bounds).tolist()
    return [found[low:high] for low, high in pairwise(bounds)]


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
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'user': _USER, 'rel': REL, 'condensed': CONDENSED}

    def compute(self, topic: 'Topic') -> float:
        return topic.computed_on_run(precision_sums, self['user'], self.cutoff) / topic.R

    def steps(self, topic: 'Topic') -> 'Steps':
        from ir_segmeasures.measures.steps import SpanMeeting, make_steps  # imported when it is needed
        spans = topic.computed_on_run(met_spans, self['user'], self.cutoff)
        rows = [(rank, topic.document_id(rank), start, end, V, W, V / W, V / W / topic.R)
                for rank, start, end, V, W in spans]
        sentence = (f'Items share content with {len(rows)} of {topic.R} relevant spans. The sum of V/W over these '
                    f'spans, divided by {topic.R}, is {self.compute(topic):.4f}.')
        return make_steps(SpanMeeting, rows, sentence)


ASP = register_measure(_ASP(), ['MASP'])
MASP = ASP.called('MASP')
