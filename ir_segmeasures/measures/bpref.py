"""Binary preference on content, for judgements with holes: Buckley & Voorhees. Retrieval Evaluation with Incomplete
Information. SIGIR 2004.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.evaluation.axis import Cover, running
from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register_measure
from ir_segmeasures.measures.stops import Outcome, added, first_ones
from ir_segmeasures.measures.walks import first_meetings

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

__all__ = ['bpref_seg']


class _bpref_seg(SpanMeasure):
    """Binary preference of content: how seldom items that are judged not relevant stand before relevant ones. What is
    not judged is skipped, so that holes in the judgements change little.

    An item is relevant if it shares content with a relevant span that no earlier item shares content with. It is not
    relevant if it shares content with judgements below ``rel`` and with no relevant span. All other items are skipped.

    ``bpref_seg = (1/R) · Σ_r (1 - min(n_r, m) / m)`` over the relevant items r, with n_r the number of items that are
    not relevant before r, R the number of relevant spans, N that of the spans judged below ``rel`` that are not wholly
    in relevant ones, and m = min(R, N).

    Range [0, 1], higher is better. Judgements of negative relevance are none, as in pools. An item that is the first
    to share content with two spans counts once. Source: Buckley & Voorhees 2004, as trec_eval computes it, on content.

    Examples:
        >>> from ir_segmeasures import bpref_seg
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=50,60': 1, 'v#t=30,40': 0, 'u#t=0,9': 0}}
        >>> run = {'q': {'v#t=30,35': 5, 'w#t=0,9': 4, 'v#t=10,20': 3, 'v#t=20,25': 2, 'v#t=50,55': 1}}
        >>> bpref_seg.calc_aggregate(qrels, run)  # one of two before each: (1/2 + 1/2) / 2
        0.5
    """
    PRETTY_NAME = 'Binary preference of content'
    SHORT_DESC = 'How seldom items judged not relevant stand before relevant ones; what is not judged is skipped.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    EVERYWHERE = True

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = run.cached(first_meetings).up_to(self.cutoff)
        walk = walk.where(first_ones(walk))
        walk = walk._replace(kind='RelevantItem', start=run.start[walk.item], end=run.end[walk.item])
        others = Cover.union(run.not_relevant.start, run.not_relevant.end)
        outside = run.spans.common(others.start, others.end) < others.end - others.start
        N = np.bincount(run.query_of[run.stretch_at(others.start[outside])], minlength=run.queries)
        first, stop = run.met
        not_relevant = (others.common(run.start, run.end) > 0) & (first == stop)
        before = running(not_relevant.astype(np.int64), run.query)[walk.item]
        m = np.minimum(run.R, N)[walk.query]
        adds = (1 - np.minimum(before, m) / np.maximum(m, 1)) / run.R[walk.query]
        outcome = added(walk, adds, lambda query, value: f'Over {run.R[query]} relevant spans the parts sum to '
                                                         f'{value:.4f}.', not_relevant_before=before)
        return outcome._replace(values=np.minimum(outcome.values, 1))


bpref_seg = register_measure(_bpref_seg())
