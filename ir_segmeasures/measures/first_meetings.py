"""The measures of MediaEval's anchoring task (2015), whose items are places in a video that people would want links
from, in continuous time. An item meets a relevant segment if it shares content with it. Judged segments are not merged:
two anchors that overlap are two.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register_measure, required
from ir_segmeasures.measures.overlap import OverlapMeasure
from ir_segmeasures.segments.spans import first_over, least_in

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['RR_over', 'P_new', 'Rprec_new']


def first_meeting_ranks(run: RunItems) -> list[list[int]]:
    """For each query, the ranks of the items that meet a relevant segment which no earlier item meets, in order.

    It equals this loop over the items by rank (tests/reference.py holds it against such a loop)::

        met_here = the relevant segments that the item shares content with
        give the rank if met_here has a segment that is not in met
        met = met | met_here
    """
    items, intervals = run.overlapping_items, run.elementary_intervals
    first = first_over(intervals.item_first, intervals.item_stop, intervals.n)
    item = np.sort(least_in(first, intervals.first, intervals.stop))
    item = item[np.diff(item, prepend=-1) > 0]
    return [items.rank[item[low:high]].tolist() for low, high in pairwise(np.searchsorted(item, items.bounds).tolist())]


class _RR_over(OverlapMeasure):
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

    def compute(self, topic: Topic) -> float:
        rank = next(iter(self.ranks(topic)), inf)
        return 1 / rank

    def steps(self, topic: Topic) -> Steps:
        value = self.compute(topic)
        return self.item_steps(topic, [value], f'The reciprocal of the rank of the first such item is {value:.4f}.')


RR_over = register_measure(_RR_over())


class _MeetingMeasure(SpanMeasure):
    def _k(self, topic: Topic) -> int:
        """The number of items that the value is a share of."""
        raise NotImplementedError

    def _count(self, topic: Topic, k: int) -> int:
        """How many of the first k items, and up to the cut-off, meet a relevant segment first."""
        return bisect_right(topic.computed_on_run(first_meeting_ranks), min(k, self.params.get('cutoff', k)))

    def compute(self, topic: Topic) -> float:
        k = self._k(topic)
        return self._count(topic, k) / k

    def steps(self, topic: Topic) -> Steps:
        from ir_segmeasures.measures.steps import relevant_items  # imported when it is needed
        k = self._k(topic)
        ranks = topic.computed_on_run(first_meeting_ranks)[:self._count(topic, k)]
        return relevant_items(topic, ranks, [1 / k] * len(ranks), (
            f'{len(ranks)} of the first {k} items meet a relevant segment first: {self.compute(topic):.4f}.'))


class _P_new(_MeetingMeasure):
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
    PRETTY_NAME = 'Precision at k of first meetings'
    SHORT_DESC = 'The share of the top k items that meet a relevant segment which no item before has met.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL}

    def _k(self, topic: Topic) -> int:
        return self['cutoff']


P_new = register_measure(_P_new())


class _Rprec_new(_MeetingMeasure):
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
    PRETTY_NAME = 'R-precision of first meetings'
    SHORT_DESC = 'P_new at the number of relevant judgements.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def _k(self, topic: Topic) -> int:
        return len(topic.segments)


Rprec_new = register_measure(_Rprec_new())
