"""Measures that compare items with single references: how near they start, and how well they cover them.

Generalised average precision of starting points: Liu, Oard. One-Sided Measures for Evaluating Ranked Retrieval
Effectiveness with Spontaneous Conversational Speech. SIGIR 2006; restated for video search by Galuščáková, Pecina,
Hajič 2012 (mGAP).

Only the start of an item matters: the nearer it is to the onset (start) of a relevant span, the higher is the reward.

The coverage filter of TRECVID 2001, as described by de Vries, Kazai, Lalmas. Tolerance to Irrelevance. RIAO 2004,
sections 3.1 and 3.2: an item hits a reference segment that it covers enough of, if not too much of the item lies
outside.
"""


import numpy as np

from ir_segmeasures.evaluation.axis import float_running, ranges
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure, register_measure, register_named
from ir_segmeasures.measures.parameters import CUTOFF, FINEST, REL, Number
from ir_segmeasures.measures.stops import Outcome, added, lowest_reaching
from ir_segmeasures.measures.walks import Walk, item_walk, segments_of_queries
from ir_segmeasures.segments.basics import Bools, Floats, Ints

__all__ = ['GAP', 'mGAP', 'P_cov', 'R_cov']


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
    CONTENT = False
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'grain': Number(
        'step of the reward, in the unit of the medium', low=FINEST, default=15, in_unit=True), 'window': Number(
        'distance from which on there is no reward, in the unit of the medium', above=0, default=150, in_unit=True),
        'rel': REL}

    def outcome(self, run: RunOnAxis) -> Outcome:
        item, reward = run.cached(onset_rewards, self['grain'], self['window'])
        kept = run.rank[item] <= self.cutoff
        walk, reward = item_walk(run, item[kept], run.R), reward[kept]
        precision = float_running(reward, walk.query) / walk.rank
        return added(walk, precision / run.R[walk.query], lambda query, value: (
            f'The precisions, over {run.R[query]} onsets, sum to {value:.4f}.'), reward=reward, precision=precision)


GAP, mGAP = register_named(_GAP(), 'mGAP')


_COVER = {'ki': Number('share of a reference that must be in the item', above=0, high=1, default=1 / 3),
          'ri': Number('share of the item that must be in a reference', above=0, high=1, default=2 / 3)}

_PAIRS = 1 << 20  # that are looked at together


def covered(one: tuple[Ints, Ints], others: tuple[Ints, Ints], own: float, share: float) -> Bools:
    """Tells for each interval whether one of the others has in common with it at least ``own`` of the interval and
    ``share`` of the other."""
    (start, end), (starts, ends) = one, others
    length, exponents = end - start, np.frexp(ends - starts)[1]
    own, share, found = lowest_reaching(own), lowest_reaching(share), np.zeros(len(start), bool)
    # Others of nearly one length at a time, so that nearly all that begin in a range have enough in common.
    for exponent in np.flatnonzero(np.bincount(exponents)).tolist():
        low, high = 1 << exponent - 1, 1 << exponent
        these = np.flatnonzero(exponents == exponent)
        these = these[np.argsort(starts[these])]
        rest = np.flatnonzero(~found & (own * length < high) & (share * low <= length))
        least = np.maximum(own * length[rest], share * low).astype(np.int64)
        first = np.searchsorted(starts[these], start[rest] + least - high)
        stop = np.searchsorted(starts[these], end[rest] - least, 'right')
        while len(rest):
            step = max(1, _PAIRS // len(rest))
            place, other = ranges(first, np.clip(stop - first, 0, step))
            item, other = rest[place], these[other]
            common = np.minimum(end[item], ends[other]) - np.maximum(start[item], starts[other])
            found[item[(common > 0) & (common >= own * length[item]) & (
                common >= share * (ends - starts)[other])]] = True
            left = (first + step < stop) & ~found[rest]
            rest, first, stop = rest[left], first[left] + step, stop[left]
    return found


class _CoverageMeasure(SpanMeasure):
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_COVER, 'rel': REL}

    def _intervals(self, run: RunOnAxis) -> tuple[Ints, tuple[Ints, Ints], tuple[Ints, Ints]]:
        """The items that count, where they lie, and where the references lie."""
        item = np.flatnonzero((run.rank <= self.cutoff) & (run.start < run.end))
        return item, (run.start[item], run.end[item]), (run.segments.start, run.segments.end)


class _P_cov(_CoverageMeasure):
    """Precision with the coverage filter: the share of the items that hit a reference. A reference is a judged segment
    that is relevant.

    An item hits a reference if ``|item ∩ reference| >= ki · |reference|`` and ``|item ∩ reference| >= ri · |item|``.
    ``P_cov = hitting items / items``; ``P_cov@k = hitting items in the first k / k``. References are not merged.

    Range [0, 1], higher is better. Repeated hits of one reference all count, which rewards redundancy: the measure is
    defined so. Source: TRECVID 2001; de Vries, Kazai & Lalmas 2004, sections 3.1 and 3.2.

    Examples:
        >>> from ir_segmeasures import P_cov
        >>> qrels = {'q': {'v#t=0,30': 1}}
        >>> run = {'q': {'v#t=0,15': 3, 'v#t=10,20': 2, 'v#t=25,40': 1}}  # the third has 5 of its 15 s in the reference
        >>> round(P_cov.calc_aggregate(qrels, run), 4)
        0.6667
    """

    def outcome(self, run: RunOnAxis) -> Outcome:
        item, items, references = self._intervals(run)
        walk = item_walk(run, item[covered(items, references, self['ri'], self['ki'])], run.R)
        return added(walk, walk.gain, lambda query, value: f'The share of the items that are hits is {value:.4f}.',
                     self.params.get('cutoff', run.n))


P_cov = register_measure(_P_cov())


class _R_cov(_CoverageMeasure):
    """Recall with the coverage filter: the share of the references that an item hits. A reference is a judged segment
    that is relevant.

    ``R_cov = references hit / references``; an item hits a reference under the conditions of ``P_cov``.

    Range [0, 1], higher is better. A reference that several items hit counts once. Source: TRECVID 2001; de Vries,
    Kazai & Lalmas 2004, sections 3.1 and 3.2.

    Examples:
        >>> from ir_segmeasures import R_cov
        >>> qrels = {'q': {'v#t=0,30': 1, 'v#t=60,90': 1}}
        >>> run = {'q': {'v#t=0,15': 3, 'v#t=10,20': 2, 'v#t=85,100': 1}}
        >>> R_cov.calc_aggregate(qrels, run)
        0.5
    """

    def outcome(self, run: RunOnAxis) -> Outcome:
        _, items, references = self._intervals(run)
        hit = np.flatnonzero(covered(references, items, self['ki'], self['ri']))
        hit = hit[np.argsort(run.segments.query[hit], kind='stable')]
        _, query, stretch, start, end = (column[hit] for column in run.segments)
        walk = Walk('Reference', run, query, None, None, start, end, None, np.ones(len(hit)), run.R, {},
                    lambda _: {'document': run.document_ids(stretch), 'start': run.positions(stretch, start),
                               'end': run.positions(stretch, end)})
        return added(walk, walk.gain, lambda query, value: f'The share of the references hit is {value:.4f}.',
                     run.cached(segments_of_queries))


R_cov = register_measure(_R_cov())
