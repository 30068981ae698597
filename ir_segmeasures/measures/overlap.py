"""The measures of overlap of MediaEval Search & Hyperlinking: Aly, Eskevich, Ordelman, Jones. Adapting Binary
Information Retrieval Evaluation Metrics for Segment-based Retrieval Tasks. arXiv:1312.1913, 2013; criticised in Racca &
Jones 2015. An item is relevant if it shares content with a relevant span.

The measures of bins of the same source are in bins.py, those of tolerance (``tol``) in t2i.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import APART, CUTOFF, REL, SpanMeasure, register_measure, required
from ir_segmeasures.measures.stops import Outcome, added, at_rank, average_precision, recall_at
from ir_segmeasures.measures.walks import first_meetings, meeting

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

__all__ = ['AP_over', 'MAP_over', 'P_over', 'R_over', 'Judged_over', 'RR_over']


class _AP_over(SpanMeasure):
    """Average precision over overlap (MAP-over): an item is relevant if it shares content with a relevant span.

    ``AP_over = (1/R) · Σ_k rel_k · P@k``, with R the number of relevant spans.

    Range [0, ∞), higher is better. An item is rewarded even if earlier items share content with the same span, so the
    value can exceed 1. This flaw is known, and kept. Source: Aly et al. 2013; Racca & Jones 2015, section 2.1.

    Examples:
        >>> from ir_segmeasures import AP_over
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=20,40': 3, 'v#t=0,10': 2, 'v#t=22,24': 1}}
        >>> round(AP_over.calc_aggregate(qrels, run), 4)  # (1/1 + 2/3) / 2
        0.8333
    """
    PRETTY_NAME = 'Average Precision over overlap'
    SHORT_DESC = 'AP with every item relevant that overlaps relevant content. Rewards redundancy.'
    SILENCE = False
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL, 'apart': APART}

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = run.cached(meeting).up_to(self.cutoff)
        return average_precision(walk, lambda query: 'The precisions at the items that overlap relevant content')


AP_over = register_measure(_AP_over(), ['MAP_over'])
MAP_over = AP_over.called('MAP_over')


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
    PRETTY_NAME = 'Precision at k over overlap'
    SHORT_DESC = 'The share of the top k items that overlap relevant content.'
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
    PRETTY_NAME = 'Recall at k over overlap'
    SHORT_DESC = 'The share of the relevant spans that the top k items overlap.'
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
    PRETTY_NAME = 'Judgement rate at k over overlap'
    SHORT_DESC = 'The share of the top k items that overlap a judged segment.'
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
    PRETTY_NAME = 'Reciprocal Rank over overlap'
    SHORT_DESC = 'The reciprocal of the rank of the first item that overlaps relevant content.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = run.cached(meeting).up_to(self.cutoff)
        walk = walk.where(np.diff(walk.query, prepend=-1) != 0)
        return added(walk, 1 / walk.rank, lambda query, value: f'The reciprocal of the rank of the first such item is '
                                                               f'{value:.4f}.')


RR_over = register_measure(_RR_over())
