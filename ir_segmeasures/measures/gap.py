"""Generalised average precision of starting points: Liu, Oard. One-Sided Measures for Evaluating Ranked Retrieval
Effectiveness with Spontaneous Conversational Speech. SIGIR 2006; restated for video search by Galuščáková, Pecina,
Hajič 2012 (mGAP).

Only the start of an item matters: the nearer it is to the onset (start) of a relevant span, the higher is the reward.
"""

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, FINEST, REL, Number, SpanMeasure, register_measure
from ir_segmeasures.measures.rounding import round_down
from ir_segmeasures.segments.spans import first_starting_from

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['GAP', 'mGAP']


def onset_rewards(run: 'RunItems', grain: float, window: float) -> list[list[tuple[int, float]]]:
    """For each query, the items that are rewarded, by rank, and their rewards ``max(0, 1 - grain · ⌊d / grain⌋ /
    window)``.

    The walk equals this loop (tests/reference.py holds it against such a loop)::

        for each item by rank:
            onset = the free onset of its document that is nearest to the item's start, of two equally near the earlier
            if its reward is above 0: give it, and the onset is no longer free
    """
    items, relevant = run.all_items, run.relevant
    item = np.flatnonzero(items.group >= 0)
    # On either side of each document stands an infinite onset, which no item is rewarded for.
    onsets = np.array([inf, *relevant.starts])
    place = first_starting_from(relevant.spans, items.group[item], items.start[item]) + items.group[item] + 1
    nearest = np.minimum(onsets[place] - items.start[item], abs(onsets[place - 1] - items.start[item]))
    near = nearest < window + grain  # the others have no reward
    item, place = item[near], place[near]
    starts, free = onsets.tolist(), bytearray(b'1') * len(onsets)
    rewarded, found = list[int](), list[float]()
    for candidate, start, i in zip(item.tolist(), items.start[item].tolist(), place.tolist()):
        # A search through bytes is as quick as a step of a union-find, and many of them fit into the cache.
        after, before = free.find(b'1', i), free.rfind(b'1', 0, i)
        ahead, back = starts[after] - start, abs(starts[before] - start)
        # As written in decimals: 0.3 - 0.2 is as far as 0.2 - 0.1.
        distance, onset = (back, before) if round(back - ahead, 9) <= 0 else (ahead, after)
        if distance == inf:
            continue
        reward = 1 - grain * round_down(distance / grain) / window
        if round(reward, 9) > 0:
            rewarded.append(candidate)
            found.append(reward)
            free[onset] = 0
    ranks = np.array(rewarded, np.intp)
    bounds = np.searchsorted(ranks, items.bounds).tolist()
    return [list(zip((ranks[low:high] - first + 1).tolist(), found[low:high]))
            for (low, high), first in zip(pairwise(bounds), items.bounds)]


class _GAP(SpanMeasure):
    """Generalised average precision (mGAP): average precision over starting points. The nearer an item starts to the
    onset of a relevant span, the more it counts; each onset rewards one item.

    ``GAP = (1/N) · Σ_{k: R_k > 0} p_k`` with ``p_k = Σ_{i<=k} R_i / k``, N the number of onsets (starts of the relevant
    spans), and the reward ``R_k = max(0, 1 - grain · ⌊d / grain⌋ / window)``. The distance d is that of the item's
    start to the nearest onset of its document for which no earlier item was rewarded, of two equally near ones the
    earlier. An item without reward uses up no onset.

    Range [0, 1], higher is better. Unit of grain and window: that of the medium. Source: Liu & Oard 2006; Galuščáková,
    Pecina & Hajič 2012. The defaults are those of CLEF CL-SR, but no source was at hand to check them: give grain and
    window where figures are to be compared.

    Examples:
        >>> from ir_segmeasures import GAP
        >>> qrels = {'q': {'v#t=100,200': 1, 'v#t=500,600': 1}}
        >>> run = {'q': {'v#t=130,150': 2, 'v#t=500,550': 1}}  # 30 s away: 1 - 30/150, and exact: 1
        >>> round(GAP.calc_aggregate(qrels, run), 4)  # (0.8/1 + (0.8 + 1)/2) / 2
        0.85
    """
    PRETTY_NAME = 'Generalised Average Precision of starting points'
    SHORT_DESC = 'AP over starting points, which count by how near they are to the start of a relevant span.'
    CONTENT = False
    SUPPORTED_PARAMS = {
        'cutoff': CUTOFF,
        'grain': Number('step of the reward, in the unit of the medium', low=FINEST, default=15),
        'window': Number('distance from which on there is no reward, in the unit of the medium', above=0, default=150),
        'rel': REL,
    }

    def compute(self, topic: 'Topic') -> float:
        cutoff, total, value = self.cutoff, 0., 0.
        for rank, reward in topic.computed_on_run(onset_rewards, self['grain'], self['window']):
            if rank <= cutoff:
                total += reward
                value += total / rank
        return value / topic.R


GAP = register_measure(_GAP(), ['mGAP'])
mGAP = GAP.called('mGAP')
