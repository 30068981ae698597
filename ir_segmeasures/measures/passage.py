"""The passage measures of TREC Genomics 2007, and the first of them for any text: Hersh, Cohen, Ruslen, Roberts. TREC
2007 Genomics Track Overview; as the track's official scorer computes them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import inf, log1p
from typing import TYPE_CHECKING

from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['CharAP', 'CharMAP', 'PassageAP']


def harmonic_difference(d: float, L: float) -> float:
    """``H(d + L) - H(d) = Σ_{i=1..L} 1 / (d + i)`` for whole d and L, in constant time."""
    total = 0.0
    while d < 16 and L > 0:  # the expansion is exact to double precision from here on
        d, L = d + 1, L - 1
        total += 1 / d
    return total + log1p(L / d) + _harmonic(d + L) - _harmonic(d) if L else total


def _harmonic(n: float) -> float:
    # H(n) without the constant and log(n): the expansion of digamma(n + 1) at infinity.
    s = 1 / (n * n)
    return 1 / (2 * n) - s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s / 132))))


class _CharAP(SpanMeasure):
    """Average precision over characters (PASSAGE2, character-level MAP). The retrieved characters are walked in rank
    order: a relevant one that is new counts in n and d and adds n/d; a relevant one seen before is skipped; any other
    counts in d.

    ``CharAP = Σ n/d over the new relevant characters / |relevant|``. Over a stretch of L new relevant characters the
    sum is ``Σ_{i=1..L} (n + i) / (d + i) = L + (n - d) · (H(d + L) - H(d))``, with H the harmonic numbers.

    Range [0, 1], higher is better. The unit is what is counted, so positions must be whole numbers: characters, words,
    or whole seconds. Source: Hersh et al. 2007 (PASSAGE2).
    """
    __name__ = 'CharAP'
    NAME = __name__
    PRETTY_NAME = 'Average Precision over characters'
    SHORT_DESC = 'AP with every character an item, repeated relevant ones skipped.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        topic.check_whole_positions(f'{self} counts characters')
        items, cutoff = topic.items, self.params.get('cutoff', inf)
        starts, ends, first = topic.starts, topic.ends, topic.first
        relevant_before = [0.0, *accumulate(end - start if start < inf else 0.0 for start, end in zip(starts, ends))]

        def irrelevant(left: float, right: float, low: int, high: int) -> float:
            """The content from left to right that is in no span of the document, whose spans stand from low to high."""
            total = right - left
            for position, sign in ((left, 1), (right, -1)):
                i = bisect_right(starts, position, low, high) - 1
                if i >= low:
                    total += sign * (relevant_before[i] - relevant_before[low] + min(position, ends[i]) - starts[i])
            return total

        unseen = topic.unseen()
        n = skipped = total = 0.0
        # All that was retrieved before an item counts in d, but for the relevant characters that were skipped.
        for rank, start, end, document, i, before in zip(items.rank, items.start, items.end, items.document,
                                                         items.ahead, items.before):
            if rank > cutoff:
                break
            d, position = before - skipped, start
            low, high = first[document], first[document + 1] - 1
            for left, right in unseen.cut(i, start, end):
                d += irrelevant(position, left, low, high)
                L = right - left
                total += L + (n - d) * harmonic_difference(d, L)
                n, d, position = n + L, d + L, right
            d += irrelevant(position, end, low, high)
            skipped = before + end - start - d
        return total / topic.T_rel


CharAP = CharMAP = register(_CharAP(), ['CharMAP'])


class _First:
    """The first of the judged segments of a document, in the order of the judgements, that others overlap: for each
    piece between neighbouring bounds the first segment that has it, and for each range of 1, 2, 4, … pieces the least
    of these.
    """

    def __init__(self, segments: Sequence[tuple[float, float, int]]):
        self._segments = segments
        self._bounds = sorted({bound for first, last, _ in segments for bound in (first, last)})
        place = {bound: i for i, bound in enumerate(self._bounds)}
        pieces = [len(segments)] * (len(self._bounds) - 1)  # no segment
        free = list(range(len(self._bounds)))  # from a piece on, one that no segment has yet, or one nearer to it
        for number, (first, last, _) in enumerate(segments):
            i, stop = place[first], place[last]
            while i < stop:
                if free[i] == i:
                    pieces[i], free[i] = number, i + 1
                free[i], i = free[free[i]], free[i]
        self._least = [pieces]
        width = 1
        while 2 * width <= len(pieces):
            self._least.append(list(map(min, self._least[-1], self._least[-1][width:])))
            width *= 2

    def met_by(self, start: float, end: float) -> tuple[float, float, int] | None:
        """The first segment with content between the two, None if there is none."""
        low = max(bisect_right(self._bounds, start) - 1, 0)
        high = min(bisect_left(self._bounds, end), len(self._bounds) - 1)
        if start >= end or low >= high:
            return None
        level = (high - low).bit_length() - 1
        number = min(self._least[level][low], self._least[level][high - (1 << level)])
        return self._segments[number] if number < len(self._segments) else None


class _PassageAP(SpanMeasure):
    """Average precision over passages (PASSAGE), an item counting by how much of it is relevant.

    Item by item, ``d`` grows by its length and, if it overlaps a relevant judged segment (the first that it overlaps,
    in the order of the judgements), ``n`` by the overlap, and n/d is added. ``PassageAP = Σ n/d / (relevant items +
    relevant segments never matched)``

    Range [0, 1], higher is better. Segments are not merged. Source: Hersh et al. 2007 (PASSAGE).
    """
    __name__ = 'PassageAP'
    NAME = __name__
    PRETTY_NAME = 'Average Precision over passages'
    SHORT_DESC = 'AP over items that overlap a relevant passage, by the share of what is read that is relevant.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        ranking, gold = topic.ranking, topic.segments_of
        n = d = total = 0.0
        hits, matched = 0, set()
        firsts: dict[int, _First] = {}
        cutoff = int(min(self.params.get('cutoff', inf), topic.n))
        for document, start, end in zip(ranking.document[:cutoff], ranking.start, ranking.end):
            d += end - start
            if document not in firsts:
                firsts[document] = _First(gold.get(document, ()))
            met = firsts[document].met_by(start, end)
            if met is not None:
                first, last, place = met
                n += min(end, last) - max(start, first)
                total += n / d
                hits += 1
                matched.add(place)
        return total / (hits + len(topic.segments) - len(matched))


PassageAP = register(_PassageAP())
