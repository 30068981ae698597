"""Generalised average precision of starting points: Liu, Oard. One-Sided Measures for Evaluating Ranked Retrieval
Effectiveness with Spontaneous Conversational Speech. SIGIR 2006; restated for video search by Galuščáková, Pecina,
Hajič 2012 (mGAP).

Only where an item starts matters: it is rewarded for how near it starts to the onset of a relevant span.
"""

from bisect import bisect_left
from math import inf
from typing import TYPE_CHECKING

from ir_segmeasures.measures.base import CUTOFF, FINEST, REL, Number, SpanMeasure, register, round_down

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['GAP', 'mGAP']


def rewards(topic: 'Topic', grain: float, window: float) -> list[tuple[int, float]]:
    """The items that are rewarded, by rank, with what they get: ``max(0, 1 - grain · ⌊d / grain⌋ / window)``, with d
    the distance to the nearest onset that no item before was rewarded for, of two equally near the earlier one.
    """
    onsets = [topic.starts[low:high - 1] for low, high in zip(topic.first, topic.first[1:])]
    # Of each onset, and the ends: itself, or the one that follows (comes before) once it is used up (union-find).
    after = [list(range(len(starts) + 1)) for starts in onsets]
    before = [list(range(len(starts) + 1)) for starts in onsets]
    found = []
    for rank, (document, start) in enumerate(zip(topic.ranking.document, topic.ranking.start), 1):
        if document >= topic.Nrel:
            continue
        starts = onsets[document]
        place = bisect_left(starts, start)
        right, left = _free(after[document], place), _free(before[document], place) - 1
        ahead = starts[right] - start if right < len(starts) else inf
        behind = start - starts[left] if left >= 0 else inf
        # As written in decimals: 0.3 - 0.2 is as far as 0.2 - 0.1.
        distance, onset = (behind, left) if round(behind - ahead, 9) <= 0 else (ahead, right)
        if distance == inf:
            continue
        reward = 1 - grain * round_down(distance / grain) / window
        if round(reward, 9) > 0:
            found.append((rank, reward))
            after[document][onset] = onset + 1
            before[document][onset + 1] = onset
    return found


def _free(next: list[int], place: int) -> int:
    while next[place] != place:
        next[place] = place = next[next[place]]
    return place


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
        for rank, reward in topic.once(rewards, self['grain'], self['window']):
            if rank <= cutoff:
                total += reward
                value += total / rank
        return value / topic.R


GAP = mGAP = register(_GAP(), ['mGAP'])
