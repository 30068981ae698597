"""The passage measures of TREC Genomics 2007: Hersh, Cohen, Ruslen, Roberts. TREC 2007 Genomics Track Overview; as the
track's official scorer computes them.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register_measure
from ir_segmeasures.measures.harmonic import harmonic_difference
from ir_segmeasures.measures.new_content import new_stretches
from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.spans import first_over, least_in, preceding

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['CharAP', 'CharMAP', 'PassageAP']


class NewCharacters(NamedTuple):
    """Stretches of new relevant characters, in the order in which they are read, as lists.

    Attributes:
        rank: the rank of the item
        L: how many characters the stretch has
        d: how many characters count before it
        irrelevant: how many of these are not relevant
    """
    rank: list[int]
    L: list[float]
    d: list[float]
    irrelevant: list[float]


def new_characters(run: 'RunItems') -> list[NewCharacters]:
    """The stretches of new relevant characters of each query."""
    items, spans, (item, span, left, right) = run.overlapping_items, run.relevant.spans, run.cached(new_stretches)
    # Relevant content up to a place in a span, or to where an item starts or ends.
    length = spans.end - spans.start
    before = np.cumsum(length) - length
    last = items.stop - 1
    to_start = before[items.first] + np.maximum(items.start - spans.start[items.first], 0)
    to_end = before[last] + np.minimum(items.end, spans.end[last]) - spans.start[last]
    to_left = before[span] + left - spans.start[span]
    relevant, irrelevant = to_end - to_start, left - items.start[item] - (to_left - to_start[item])
    # What is not relevant of the items before, and of this one before the stretch.
    irrelevant += (items.before - preceding(relevant, items.bounds))[item]
    L, bounds = right - left, np.searchsorted(item, items.bounds).tolist()
    columns = [column.tolist() for column in (items.rank[item], L, preceding(L, bounds) + irrelevant,
                                              irrelevant)]
    return [NewCharacters(*(column[low:high] for column in columns)) for low, high in pairwise(bounds)]


class _CharAP(SpanMeasure):
    """Average precision over characters (PASSAGE2, character-level MAP). The characters of the items are read in rank
    order. A relevant character that is new adds 1 to n and to d, and then n/d to the sum. A relevant character that was
    read before is skipped. Any other character adds 1 to d.

    ``CharAP = Σ n/d over the new relevant characters / |relevant|``. Over a stretch of L new relevant characters the
    sum is ``Σ_{i=1..L} (n + i) / (d + i) = L - (d - n) · (H(d + L) - H(d))``, with H the harmonic numbers.

    Range [0, 1], higher is better. Positions are counted in whole units, so they must be whole numbers: characters,
    words, or whole seconds. Source: Hersh et al. 2007 (PASSAGE2).

    Examples:
        >>> from ir_segmeasures import CharAP
        >>> qrels = {'q': {'d#char=10,14': 1}}
        >>> run = {'q': {'d#char=8,12': 1}}  # two characters that are not relevant, then two that are: (1/3 + 2/4) / 4
        >>> round(CharAP.calc_aggregate(qrels, run), 4)
        0.2083
    """
    PRETTY_NAME = 'Average Precision over characters'
    SHORT_DESC = 'AP with every character an item, repeated relevant ones skipped.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        topic.check_whole_positions(f'{self} counts characters')
        found, cutoff = topic.computed_on_run(new_characters), self.cutoff
        return sum(L - irrelevant * harmonic_difference(d, L)
                   for rank, L, d, irrelevant in zip(*found) if rank <= cutoff) / topic.T_rel


CharAP = register_measure(_CharAP(), ['CharMAP'])
CharMAP = CharAP.called('CharMAP')


class MatchedItems(NamedTuple):
    """The items that overlap a relevant judged segment, by rank, as arrays.

    Attributes:
        rank: from 1, over all items
        segment: the first that the item overlaps, in the order of the judgements
        precision: n/d after the item
    """
    rank: Ints
    segment: Ints
    precision: Floats


def matched_items(run: 'RunItems') -> list[MatchedItems]:
    """The items of each query that overlap a relevant judged segment."""
    items, (_, _, start, end), intervals = run.overlapping_items, run.relevant.judged, run.elementary_intervals
    segment = least_in(first_over(intervals.first, intervals.stop, intervals.n), intervals.item_first,
                       intervals.item_stop)
    common = np.minimum(items.end, end[segment]) - np.maximum(items.start, start[segment])
    bounds = items.bounds.tolist()
    n = preceding(common, bounds) + common
    precision = n / (items.before + (items.end - items.start))
    return [MatchedItems(items.rank[low:high], segment[low:high], precision[low:high])
            for low, high in pairwise(bounds)]


class _PassageAP(SpanMeasure):
    """Average precision over passages (PASSAGE). An item counts by how much of it is relevant.

    ``PassageAP = Σ n/d / (relevant items + relevant segments without a matched item)``. Item by item, d grows by
    the length of the item. An item that overlaps relevant judged segments is relevant and is matched with the first of
    these segments, in the order of the judgements: n grows by their common length, and n/d is added to the sum. So the
    value depends on the order of the judgements where an item overlaps several. A segment that is judged twice counts
    once.

    Range [0, 1], higher is better. Segments are not merged. Source: Hersh et al. 2007 (PASSAGE).

    Examples:
        >>> from ir_segmeasures import PassageAP
        >>> qrels = {'q': {'d#char=10,20': 1}}
        >>> run = {'q': {'d#char=5,15': 2, 'd#char=15,20': 1}}  # 5/10 after the first item, 10/15 after the second
        >>> round(PassageAP.calc_aggregate(qrels, run), 4)
        0.5833
    """
    PRETTY_NAME = 'Average Precision over passages'
    SHORT_DESC = 'AP over items that overlap a relevant passage, by the share of what is read that is relevant.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        found = topic.computed_on_run(matched_items)
        hits = int(np.searchsorted(found.rank, self.cutoff, 'right'))
        matched = len(set(found.segment[:hits].tolist()))
        return float(found.precision[:hits].sum()) / (hits + len(set(topic.segments)) - matched)


PassageAP = register_measure(_PassageAP())
