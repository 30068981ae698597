"""The passage measures of TREC Genomics 2007, and the first of them for any text: Hersh, Cohen, Ruslen, Roberts. TREC
2007 Genomics Track Overview; as the track's official scorer computes them.
"""

from itertools import pairwise
from math import inf, log1p
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.aisp import returned
from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register
from ir_segmeasures.segments.spans import first_over, least_in, preceding

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir_segmeasures.evaluation.run_items import RunItems
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


class Characters(NamedTuple):
    """Stretches of new relevant characters, in the order in which they are read, as lists.

    Attributes:
        rank: that of the item
        L: how many the stretch has
        d: how many count before it
        irrelevant: how many of these are not relevant
    """
    rank: list[int]
    L: list[float]
    d: list[float]
    irrelevant: list[float]


def characters(run: 'RunItems') -> list[Characters]:
    """Those of each query."""
    items, spans, (item, span, left, right) = run.meeting, run.relevant.spans, run.once(returned)
    # Relevant content up to a place in a span, or to where an item starts or ends.
    length = spans.end - spans.start
    before = np.cumsum(length) - length
    last = items.stop - 1
    to_start = before[items.first] + np.maximum(items.start - spans.start[items.first], 0)
    to_end = before[last] + np.minimum(items.end, spans.end[last]) - spans.start[last]
    to_left = before[span] + left - spans.start[span]
    relevant, irrelevant = to_end - to_start, left - items.start[item] - (to_left - to_start[item])
    # What is not relevant of the items before, and of this one before the stretch.
    irrelevant += (items.before - preceding(relevant, pairwise(items.bounds.tolist())))[item]
    L, bounds = right - left, np.searchsorted(item, items.bounds).tolist()
    columns = [column.tolist() for column in (items.rank[item], L, preceding(L, pairwise(bounds)) + irrelevant,
                                           irrelevant)]
    return [Characters(*(column[low:high] for column in columns)) for low, high in pairwise(bounds)]


class _CharAP(SpanMeasure):
    """Average precision over characters (PASSAGE2, character-level MAP). The retrieved characters are walked in rank
    order: a relevant one that is new counts in n and d and adds n/d; a relevant one seen before is skipped; any other
    counts in d.

    ``CharAP = Σ n/d over the new relevant characters / |relevant|``. Over a stretch of L new relevant characters the
    sum is ``Σ_{i=1..L} (n + i) / (d + i) = L - (d - n) · (H(d + L) - H(d))``, with H the harmonic numbers.

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
        found, cutoff = topic.of_run(characters), self.params.get('cutoff', inf)
        return sum(L - irrelevant * harmonic_difference(d, L)
                   for rank, L, d, irrelevant in zip(*found) if rank <= cutoff) / topic.T_rel


CharAP = CharMAP = register(_CharAP(), ['CharMAP'])


class Passages(NamedTuple):
    """The items that overlap a relevant judged segment, by rank, as arrays.

    Attributes:
        rank: from 1, over all items
        segment: the first that the item overlaps, in the order of the judgements
        precision: n/d after the item
    """
    rank: 'NDArray[np.intp]'
    segment: 'NDArray[np.intp]'
    precision: 'NDArray[np.float64]'


def passages(run: 'RunItems') -> list[Passages]:
    """Those of each query."""
    items, (_, _, start, end), cells = run.meeting, run.relevant.judged, run.cells
    segment = least_in(first_over(cells.first, cells.stop, cells.n), cells.item_first, cells.item_stop)
    common = np.minimum(items.end, end[segment]) - np.maximum(items.start, start[segment])
    bounds = items.bounds.tolist()
    n = preceding(common, pairwise(bounds)) + common
    precision = n / (items.before + (items.end - items.start))
    return [Passages(items.rank[low:high], segment[low:high], precision[low:high]) for low, high in pairwise(bounds)]


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
        found = topic.of_run(passages)
        hits = int(np.searchsorted(found.rank, self.params.get('cutoff', inf), 'right'))
        matched = len(set(found.segment[:hits].tolist()))
        return float(found.precision[:hits].sum()) / (hits + len(topic.segments) - matched)


PassageAP = register(_PassageAP())
