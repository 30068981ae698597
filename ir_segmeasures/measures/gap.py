"""Generalised average precision of starting points: Liu, Oard. One-Sided Measures for Evaluating Ranked Retrieval
Effectiveness with Spontaneous Conversational Speech. SIGIR 2006; restated for video search by Galuščáková, Pecina,
Hajič 2012 (mGAP).

Only where an item starts matters: it is rewarded for how near it starts to the onset of a relevant span.
"""

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, FINEST, REL, Number, SpanMeasure, register, round_down
from ir_segmeasures.segments.spans import first_starting_from

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['GAP', 'mGAP']


def rewards(run: 'RunItems', grain: float, window: float) -> list[list[tuple[int, float]]]:
    """For each query, the items that are rewarded, by rank, with what they get: ``max(0, 1 - grain · ⌊d / grain⌋ /
    window)``, with d the distance to the nearest onset that no item before was rewarded for, of two equally near the
    earlier one.
    """
    items, relevant = run.every, run.relevant
    some = np.flatnonzero(items.group >= 0)
    # On either side of each document stands an infinite onset, which no item is rewarded for.
    onsets = np.array([inf, *relevant.starts])
    place = first_starting_from(relevant.spans, items.group[some], items.start[some]) + items.group[some] + 1
    nearest = np.minimum(onsets[place] - items.start[some], abs(onsets[place - 1] - items.start[some]))
    some, place = some[nearest < window + grain], place[nearest < window + grain]  # the others have no reward
    starts, free = onsets.tolist(), bytearray(b'1') * len(onsets)
    rewarded, found = list[int](), list[float]()
    for item, start, i in zip(some.tolist(), items.start[some].tolist(), place.tolist()):
        # A search through bytes is as quick as a step of a union-find, and many of them fit into the cache.
        after, before = free.find(b'1', i), free.rfind(b'1', 0, i)
        ahead, back = starts[after] - start, abs(starts[before] - start)
        # As written in decimals: 0.3 - 0.2 is as far as 0.2 - 0.1.
        distance, onset = (back, before) if round(back - ahead, 9) <= 0 else (ahead, after)
        if distance == inf:
            continue
        reward = 1 - grain * round_down(distance / grain) / window
        if round(reward, 9) > 0:
            rewarded.append(item)
            found.append(reward)
            free[onset] = 0
    ranks = np.array(rewarded, np.intp)
    bounds = np.searchsorted(ranks, items.bounds).tolist()
    return [list(zip((ranks[low:high] - first + 1).tolist(), found[low:high]))
            for (low, high), first in zip(pairwise(bounds), items.bounds)]


class _GAP(SpanMeasure):
    """Generalised average precision (mGAP): average precision over starting points, where an item counts by how near it
    starts to the onset of a relevant span that no item before was rewarded for.

    ``GAP = (1/N) · Σ_{k: R_k > 0} p_k`` with ``p_k = Σ_{i<=k} R_i / k``, N the number of onsets (starts of the relevant
    spans), and the reward ``R_k = max(0, 1 - grain · ⌊d / grain⌋ / window)`` for the distance d, in the document, to
    the nearest onset left; an item without reward uses up none.

    Range [0, 1], higher is better. Unit of grain and window: that of the medium. Source: Liu & Oard 2006; Galuščáková,
    Pecina & Hajič 2012. The defaults are those of CLEF CL-SR, not checked against a source:
    give grain and window where figures are to be compared.
    """
    __name__ = 'GAP'
    NAME = __name__
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
        cutoff, total, value = self.params.get('cutoff', inf), 0., 0.
        for rank, reward in topic.of_run(rewards, self['grain'], self['window']):
            if rank <= cutoff:
                total += reward
                value += total / rank
        return value / topic.R


GAP = mGAP = register(_GAP(), ['mGAP'])
