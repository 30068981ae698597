"""Generalised average precision of starting points: Liu, Oard. One-Sided Measures for Evaluating Ranked Retrieval
Effectiveness with Spontaneous Conversational Speech. SIGIR 2006; restated for video search by Galuščáková, Pecina,
Hajič 2012 (mGAP).

Only the start of an item matters: the nearer it is to the onset (start) of a relevant span, the higher is the reward.
"""


from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import at_place, float_running
from ir_segmeasures.measures.base import CUTOFF, FINEST, REL, Number, RunOnAxis, SpanMeasure, register_measure
from ir_segmeasures.segments.arrays import Floats, Ints

__all__ = ['GAP', 'mGAP']


def onset_rewards(run: RunOnAxis, grain: float, window: float) -> tuple[Ints, Floats]:
    """The items that are rewarded, and their rewards ``max(0, 1 - grain · ⌊d / grain⌋ / window)``.

    The walk equals this loop (tests/reference.py holds it against such a loop)::

        for each item by rank:
            onset = the free onset of its document that is nearest to the item's start, of two equally near the earlier
            if its reward is above 0: give it, and the onset is no longer free
    """
    step, reach, starts = run.ticks(grain), run.ticks(window), run.spans.start
    # From so far on there is no reward: grain · ⌊d / grain⌋ >= window.
    limit = min(-(-reach // step) * step, int(run.base[-1]) + 1)
    place = np.searchsorted(starts, run.start)
    far = np.iinfo(np.int64).max // 2
    nearest = np.minimum(np.append(starts, far)[place] - run.start, run.start - np.append(-far, starts)[place])
    near = np.flatnonzero(nearest < limit)
    free, onsets = bytearray(b'1') * len(starts), starts.tolist()
    rewarded, distances = list[int](), list[int]()
    low, high = (np.searchsorted(starts, run.base[run.stretch[near] + side]).tolist() for side in (0, 1))
    for item, start, i, first, stop in zip(near.tolist(), run.start[near].tolist(), place[near].tolist(), low, high):
        # A search through bytes is as quick as a step of a union-find, and many of them fit into the cache.
        after, before = free.find(b'1', i, stop), free.rfind(b'1', first, i)
        ahead = onsets[after] - start if after >= 0 else limit
        back = start - onsets[before] if before >= 0 else limit
        distance, onset = (back, before) if back <= ahead else (ahead, after)
        if distance < limit:
            rewarded.append(item)
            distances.append(distance)
            free[onset] = 0
    distance = np.array(distances, np.int64) // step * step
    return np.array(rewarded, np.int64), 1 - distance / reach


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
        'grain': Number('step of the reward, in the unit of the medium', low=FINEST, default=15,
                        in_unit=True),
        'window': Number('distance from which on there is no reward, in the unit of the medium', above=0, default=150,
                         in_unit=True),
        'rel': REL,
    }

    def values(self, run: RunOnAxis) -> Any:
        item, reward = run.cached(onset_rewards, self['grain'], self['window'])
        kept = run.rank[item] <= self.cutoff
        query, rank = run.query[item[kept]], run.rank[item[kept]]
        return at_place(float_running(reward[kept], query) / rank / run.R[query], query, run.queries)


GAP = register_measure(_GAP(), ['mGAP'])
mGAP = GAP.called('mGAP')
