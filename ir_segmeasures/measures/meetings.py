"""First meetings: which items share content with relevant segments that no item before has met. The measures of
MediaEval's anchoring task (2015), whose items are places in a video that people would want links from, in continuous
time.

Judged segments stand as they are, not merged: two anchors that overlap are two.
"""

from bisect import bisect_right
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register, required
from ir_segmeasures.measures.overlap import overlapping
from ir_segmeasures.segments.spans import first_over, least_in

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['RR_over', 'P_new', 'Rprec_new']


def meetings(run: 'RunItems') -> list[list[int]]:
    """For each query, the ranks of the items that share content with a relevant segment that no item before shares
    content with, in order: those of the first item that meets each relevant segment.
    """
    items, cells = run.meeting, run.cells
    item = np.sort(least_in(first_over(cells.item_first, cells.item_stop, cells.n), cells.first, cells.stop))
    item = item[np.diff(item, prepend=-1) > 0]
    return [items.rank[item[low:high]].tolist() for low, high in pairwise(np.searchsorted(item, items.bounds).tolist())]


class _RR_over(SpanMeasure):
    """Reciprocal rank over overlap: of the first item that shares content with a relevant segment.

    ``RR_over = 1 / k``, 0 if there is no such item.

    Range [0, 1], higher is better. Source: MRR of the anchoring task of MediaEval 2015.
    """
    __name__ = 'RR_over'
    NAME = __name__
    PRETTY_NAME = 'Reciprocal Rank over overlap'
    SHORT_DESC = 'The reciprocal of the rank of the first item that overlaps relevant content.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        rank = next(iter(topic.of_run(overlapping)), inf)
        return 1 / rank if rank <= self.params.get('cutoff', inf) else 0.


RR_over = register(_RR_over())


class _P_new(SpanMeasure):
    """Precision at k of first meetings: of the first k items, those that share content with a relevant segment that no
    item before shares content with.

    ``P_new@k = |{i <= k : item i meets a relevant segment first}| / k``, over the judged segments as they are, not
    merged.

    Range [0, 1], higher is better: repeating what is found gains nothing. Source: P_10 of the anchoring task of
    MediaEval 2015.
    """
    __name__ = 'P_new'
    NAME = __name__
    PRETTY_NAME = 'Precision at k of first meetings'
    SHORT_DESC = 'The share of the top k items that meet a relevant segment which no item before has met.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return bisect_right(topic.of_run(meetings), self['cutoff']) / self['cutoff']


P_new = register(_P_new())


class _Rprec_new(SpanMeasure):
    """R-precision of first meetings: P_new@n, with n the number of relevant segments, identical ones once.

    ``Rprec_new = |{i <= n : item i meets a relevant segment first}| / n``

    Range [0, 1], higher is better. Source: what the program of the anchoring task of MediaEval 2015 prints as recall.
    """
    __name__ = 'Rprec_new'
    NAME = __name__
    PRETTY_NAME = 'R-precision of first meetings'
    SHORT_DESC = 'P_new at the number of relevant segments.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        n = len(set(topic.segments))
        return bisect_right(topic.of_run(meetings), min(n, self.params.get('cutoff', n))) / n


Rprec_new = register(_Rprec_new())
