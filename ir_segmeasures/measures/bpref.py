"""Binary preference on content, for judgements with holes: Buckley & Voorhees. Retrieval Evaluation with Incomplete
Information. SIGIR 2004.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register_measure
from ir_segmeasures.segments.spans import first_over

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['bpref_seg']


class Preferences(NamedTuple):
    """The relevant items of a query, and what stands before them.

    Attributes:
        ranks: the ranks of the items that are the first to share content with a relevant span
        before: for each of them, the number of items judged not relevant at better ranks
        N: the number of judged spans that are not relevant
    """
    ranks: list[int]
    before: list[int]
    N: int


def preferences(run: RunItems) -> list[Preferences]:
    """The relevant items of each query."""
    items, relevant = run.overlapping_items, run.relevant
    first = first_over(items.first, items.stop, len(relevant.spans.start))
    hits = np.flatnonzero(np.bincount(first, minlength=len(items.rank))[:len(items.rank)])
    bounds = run.all_items.bounds
    other = run.judged_not_relevant.copy()
    query = np.searchsorted(items.bounds, np.arange(len(items.rank)), 'right') - 1
    other[np.array(bounds)[query] + items.rank - 1] = False
    before = np.append(0, np.cumsum(other))  # each hit's own place is no such item
    found = []
    for (low, high), start, N in zip(pairwise(np.searchsorted(hits, items.bounds).tolist()), bounds,
                                     relevant.not_relevant_counts):
        ranks = items.rank[hits[low:high]]
        found.append(Preferences(ranks.tolist(), (before[start + ranks - 1] - before[start]).tolist(), N))
    return found


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

    def _credits(self, topic: Topic) -> dict[int, float]:
        """Rank → the part of the value of the relevant item there."""
        ranks, before, N = topic.computed_on_run(preferences)
        m, last = min(topic.R, N), self.cutoff
        return {rank: (1 - min(n, m) / m if n else 1) / topic.R for rank, n in zip(ranks, before) if rank <= last}

    def compute(self, topic: Topic) -> float:
        return min(1., sum(self._credits(topic).values()))  # a sum of shares

    def steps(self, topic: Topic) -> Steps:
        from ir_segmeasures.measures.steps import relevant_items  # imported when it is needed
        credits = self._credits(topic)
        return relevant_items(topic, list(credits), list(credits.values()), (
            f'Over {topic.R} relevant spans the parts sum to {self.compute(topic):.4f}.'))


bpref_seg = register_measure(_bpref_seg())
