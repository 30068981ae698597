"""Measures of items that meet relevant content: over overlap, and by first meetings.

The measures of overlap of MediaEval Search & Hyperlinking: Aly, Eskevich, Ordelman, Jones. Adapting Binary
Information Retrieval Evaluation Metrics for Segment-based Retrieval Tasks. arXiv:1312.1913, 2013; criticised in Racca &
Jones 2015. An item is relevant if it shares content with a relevant span.

The measures of bins of the same source are in bins.py, those of tolerance (``tol``) in t2i.py.

The measures of MediaEval's anchoring task (2015), whose items are places in a video that people would want links
from, in continuous time. An item meets a relevant segment if it shares content with it. Judged segments are not merged:
two anchors that overlap are two.
"""

import numpy as np

from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure, register_measure, register_named
from ir_segmeasures.measures.parameters import APART, CUTOFF, REL, required
from ir_segmeasures.measures.stops import Outcome, added, at_rank, average_precision, hits_so_far, recall_at
from ir_segmeasures.measures.walks import Walk, first_items, first_meetings, item_walk, meeting, segments_of_queries

__all__ = ['AP_over', 'MAP_over', 'P_over', 'R_over', 'Judged_over', 'RR_over', 'P_new', 'Rprec_new']


class _AP_over(SpanMeasure):
    """Average precision over overlap (MAP-over): AP with every item relevant that shares content with a relevant span.

    ``AP_over = (1/R) · Σ_k rel_k · P@k``, with R the number of relevant spans.

    Range [0, ∞), higher is better. An item is rewarded even if earlier items share content with the same span, so the
    value can exceed 1. The paper's definition has this flaw. Source: Aly et al. 2013; Racca & Jones 2015, section 2.1.

    Examples:
        >>> from ir_segmeasures import AP_over
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=20,40': 3, 'v#t=0,10': 2, 'v#t=22,24': 1}}
        >>> round(AP_over.calc_aggregate(qrels, run), 4)  # (1/1 + 2/3) / 2
        0.8333
    """
    SILENCE = False
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL, 'apart': APART}

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = run.cached(meeting).up_to(self.cutoff)
        return average_precision(walk, lambda query: 'The precisions at the items that overlap relevant content')


AP_over, MAP_over = register_named(_AP_over(), 'MAP_over')


class _P_over(SpanMeasure):
    """Precision at k over overlap: the share of the first k items that share content with a relevant span.

    ``P_over@k = Σ_{i<=k} rel_i / k``

    Range [0, 1], higher is better. Source: Aly et al. 2013.

    Examples:
        >>> from ir_segmeasures import P_over
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=20,40': 3, 'v#t=0,10': 2, 'v#t=22,24': 1}}
        >>> (P_over@2).calc_aggregate(qrels, run)
        0.5
    """
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL, 'apart': APART}

    KIND = 'relevant'

    def outcome(self, run: RunOnAxis) -> Outcome:
        return at_rank(run.cached(meeting), self['cutoff'], f'share content with {self.KIND} segments')


P_over = register_measure(_P_over())


class _R_over(SpanMeasure):
    """Recall at k over overlap: the share of the relevant spans that share content with one of the first k items.

    ``R_over@k = |{span that shares content with an item i <= k}| / R``, with R the number of relevant spans.

    Range [0, 1], higher is better. Source: this project, beside the precision of Aly et al. 2013.

    Examples:
        >>> from ir_segmeasures import R_over
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=20,24': 3, 'v#t=0,10': 2, 'v#t=22,32': 1}}
        >>> [(R_over@k).calc_aggregate(qrels, run) for k in (2, 3)]
        [0.5, 1.0]
    """
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL, 'apart': APART}

    def outcome(self, run: RunOnAxis) -> Outcome:
        return recall_at(run.cached(first_meetings), self['cutoff'],
                         'The parts of the spans that share content with the first items sum to')


R_over = register_measure(_R_over())


# The judgement rate is the precision over spans of judged segments: it has no rel.
class _Judged_over(_P_over):
    """Judgement rate at k over overlap: the share of the first k items that share content with a judged segment of any
    relevance.

    ``Judged_over@k = Σ_{i<=k} judged_i / k``

    Range [0, 1]. The rate says how far the values of other measures can be trusted, so it is computed for queries
    without relevant spans as well, as ir-measures' Judged is. Source: Aly et al. 2013.

    Examples:
        >>> from ir_segmeasures import Judged_over
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=50,60': 0}}
        >>> run = {'q': {'v#t=20,40': 3, 'v#t=0,10': 2, 'v#t=55,58': 1}}
        >>> round((Judged_over@3).calc_aggregate(qrels, run), 4)  # the first and the third item
        0.6667
    """
    SILENCE = False
    KIND = 'judged'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF)}


Judged_over = register_measure(_Judged_over())


class _RR_over(SpanMeasure):
    """Reciprocal rank over overlap: the reciprocal of the rank of the first item that shares content with a relevant
    segment.

    ``RR_over = 1 / k``, with k the rank of that item; 0 if there is no such item.

    Range [0, 1], higher is better. Source: MRR of the anchoring task of MediaEval 2015.

    Examples:
        >>> from ir_segmeasures import RR_over
        >>> qrels = {'q': {'v#t=15,25': 1}}
        >>> run = {'q': {'v#t=0,10': 2, 'v#t=20,40': 1}}
        >>> RR_over.calc_aggregate(qrels, run)
        0.5
    """

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = run.cached(meeting).up_to(self.cutoff)
        walk = walk.where(np.diff(walk.query, prepend=-1) != 0)
        return added(walk, 1 / walk.rank, lambda query, value: f'The reciprocal rank of the first one is {value:.4f}.')


RR_over = register_measure(_RR_over())


def meeting_new(run: RunOnAxis) -> Walk:
    """The user who counts judged segments. A look is an item that shares content with a relevant segment which no
    earlier item shares content with; its cost is its rank, its gain 1::

        met_here = the relevant segments that the item shares content with
        look at the item if met_here has a segment that is not in met
        met = met | met_here
    """
    item = np.flatnonzero(np.bincount(run.cached(first_items))[:len(run.row)])
    return item_walk(run, item, run.cached(segments_of_queries))


class _P_new(SpanMeasure):
    """Precision at k of first meetings: the share of the first k items that share content with a relevant segment which
    no earlier item shares content with.

    ``P_new@k = |{i <= k : item i meets a relevant segment first}| / k``, over the judged segments, not merged.

    Range [0, 1], higher is better. An item that repeats content found before gains nothing. Source: P_10 of the
    anchoring task of MediaEval 2015.

    Examples:
        >>> from ir_segmeasures import P_new
        >>> qrels = {'q': {'v#t=10,30': 1, 'v#t=20,40': 1}}
        >>> run = {'q': {'v#t=0,15': 4, 'v#t=5,15': 3, 'v#t=25,35': 2, 'u#t=0,9': 1}}
        >>> (P_new@4).calc_aggregate(qrels, run)  # the first item, and the third
        0.5
    """
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL}

    def outcome(self, run: RunOnAxis) -> Outcome:
        return at_rank(run.cached(meeting_new), self['cutoff'], 'meet a relevant segment first')


P_new = register_measure(_P_new())


class _Rprec_new(SpanMeasure):
    """R-precision of first meetings: P_new@n, with n the number of relevant judgements. A segment that is judged twice
    counts twice, as in the program.

    ``Rprec_new = |{i <= n : item i meets a relevant segment first}| / n``

    Range [0, 1], higher is better. Source: the figure that the program of the anchoring task of MediaEval 2015 prints
    as recall.

    Examples:
        >>> from ir_segmeasures import Rprec_new
        >>> qrels = {'q': {'v#t=10,30': 1, 'v#t=20,40': 1}}
        >>> run = {'q': {'v#t=0,15': 3, 'v#t=5,15': 2, 'v#t=25,35': 1}}
        >>> Rprec_new.calc_aggregate(qrels, run)  # n = 2: the first item, and not the second
        0.5
    """

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = run.cached(meeting_new).up_to(self.cutoff)
        walk = walk.where(walk.rank <= walk.total[walk.query])
        hits, n = hits_so_far(walk), walk.total[walk.query]
        return added(walk, 1 / n, lambda query, value: (
            f'The parts of the items that meet a relevant segment first, of {walk.total[query]}, sum to {value:.4f}.'),
                     hits=hits, precision=hits / walk.rank)


Rprec_new = register_measure(_Rprec_new())
