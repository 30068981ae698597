"""The measures of MediaEval's anchoring task (2015), whose items are places in a video that people would want links
from, in continuous time. An item meets a relevant segment if it shares content with it. Judged segments are not merged:
two anchors that overlap are two.
"""


import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, RunOnAxis, SpanMeasure, register_measure, required
from ir_segmeasures.measures.sharing import first_items, segments_of_queries
from ir_segmeasures.measures.stops import Outcome, added, at_rank, hits_so_far
from ir_segmeasures.measures.walks import Walk, item_walk

__all__ = ['P_new', 'Rprec_new']


def meeting_new(run: RunOnAxis) -> Walk:
    """The user who counts judged segments. A look is an item that shares content with a relevant segment which no
    earlier item shares content with; its cost is its rank, its gain 1::

        met_here = the relevant segments that the item shares content with
        look at the item if met_here has a segment that is not in met
        met = met | met_here
    """
    item = np.sort(run.cached(first_items))
    item = item[np.diff(item, prepend=-1) > 0]
    return item_walk(run, item[item < len(run.row)], run.cached(segments_of_queries))


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
    PRETTY_NAME = 'Precision at k of first meetings'
    SHORT_DESC = 'The share of the top k items that meet a relevant segment which no item before has met.'
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
    PRETTY_NAME = 'R-precision of first meetings'
    SHORT_DESC = 'P_new at the number of relevant judgements.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = run.cached(meeting_new).up_to(self.cutoff)
        walk = walk.where(walk.rank <= walk.total[walk.query])
        hits, n = hits_so_far(walk), walk.total[walk.query]
        return added(walk, 1 / n, lambda query, value: (
            f'The parts of the items that meet a relevant segment first, of {walk.total[query]}, sum to {value:.4f}.'),
                     hits=hits, precision=hits / walk.rank)


Rprec_new = register_measure(_Rprec_new())
