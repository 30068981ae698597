"""The coverage filter of TRECVID 2001, as described by de Vries, Kazai, Lalmas. Tolerance to Irrelevance. RIAO 2004,
sections 3.1 and 3.2: an item hits a reference segment that it covers enough of, if not too much of the item lies
outside.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, Number, SpanMeasure, register_measure
from ir_segmeasures.measures.rounding import lowest_reaching
from ir_segmeasures.segments.arrays import Ints
from ir_segmeasures.segments.spans import (
    Spans,
    first_ending_after,
    first_starting_from,
    in_order,
    ordered_pairs,
    range_pairs,
)

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['P_cov', 'R_cov']

_COVER = {
    'ki': Number('share of a reference that must be in the item', above=0, high=1, default=1 / 3),
    'ri': Number('share of the item that must be in a reference', above=0, high=1, default=2 / 3),
}

_PAIRS = 1 << 20  # that are looked at together


class Hits(NamedTuple):
    """The items of a query that hit references, and the references that are hit, as arrays, in order of rank. There may
    be too many pairs of an item and a reference to keep them.

    Attributes:
        items: the rank of each item that hits a reference, from 1
        references: for each reference that is hit, the rank of the first item that hits it
    """
    items: Ints
    references: Ints


def coverage_hits(run: 'RunItems', ki: float, ri: float) -> list[Hits]:
    """The hits of each query: pairs of an item and a reference with ``|item ∩ reference| >= ki · |reference|`` and
    ``|item ∩ reference| >= ri · |item|``.
    """
    items, (_, group, start, end) = run.overlapping_items, run.relevant.judged
    order = in_order(group, start)
    group, start, end = group[order], start[order], end[order]
    # Nothing that begins earlier reaches the item, nothing that begins later begins in it.
    references = Spans(group, start, np.maximum.accumulate(ordered_pairs(group, end)).imag)
    first = first_ending_after(references, items.group, items.start)
    count = first_starting_from(references, items.group, items.end) - first
    least_of_item, least_of_reference = (lowest_reaching(share) for share in (ri * (items.end - items.start),
                                                                              ki * (end - start)))
    hits = np.zeros(len(count), bool)
    by = np.full(len(start), len(count))  # of each reference, the first item that hits it
    # So many pairs at a time that they fit into the memory, however many references overlap.
    until = np.cumsum(count)
    blocks = np.searchsorted(until, np.arange(_PAIRS, until[-1:].sum(), _PAIRS), 'right')
    for high, low in pairwise([len(count), *reversed(blocks.tolist()), 0]):
        item, reference = range_pairs(first[low:high], count[low:high])
        item += low
        common = np.minimum(items.end[item], end[reference]) - np.maximum(items.start[item], start[reference])
        hit = (common > 0) & (common >= least_of_reference[reference]) & (common >= least_of_item[item])
        item = item[hit]
        hits[item] = True
        by[reference[hit][::-1]] = item[::-1]  # of what is written to one place the last stays
    hitting, by = np.flatnonzero(hits), np.sort(by)
    bounds = [np.searchsorted(found, items.bounds).tolist() for found in (hitting, by)]
    return [Hits(items.rank[hitting[low:high]], items.rank[by[lower:upper]])
            for (low, high), (lower, upper) in zip(*map(pairwise, bounds))]


class _CoverageMeasure(SpanMeasure):
    def _covered(self, topic: 'Topic') -> tuple[int, int]:
        """How many items hit references, and how many references they hit."""
        items, references = topic.computed_on_run(coverage_hits, self['ki'], self['ri'])
        hits, met = np.searchsorted(items, self.cutoff, 'right'), np.searchsorted(references, self.cutoff, 'right')
        return int(hits), int(met)


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
    PRETTY_NAME = 'Precision with coverage'
    SHORT_DESC = 'The share of the items that cover a relevant segment well enough. Rewards redundancy.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_COVER, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        n = self.params.get('cutoff', topic.n)
        return self._covered(topic)[0] / n if n else 0.0


P_cov = register_measure(_P_cov())


class _R_cov(_CoverageMeasure):
    """Recall with the coverage filter: the share of the references that an item hits. A reference is a judged segment
    that is relevant.

    ``R_cov = references hit / references``; an item hits a reference under the conditions of ``P_cov``.

    Range [0, 1], higher is better. A reference counts once. Source: TRECVID 2001; de Vries, Kazai & Lalmas 2004,
    sections 3.1 and 3.2.

    Examples:
        >>> from ir_segmeasures import R_cov
        >>> qrels = {'q': {'v#t=0,30': 1, 'v#t=60,90': 1}}
        >>> run = {'q': {'v#t=0,15': 3, 'v#t=10,20': 2, 'v#t=85,100': 1}}
        >>> R_cov.calc_aggregate(qrels, run)
        0.5
    """
    PRETTY_NAME = 'Recall with coverage'
    SHORT_DESC = 'The share of the relevant segments that an item covers well enough.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_COVER, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return self._covered(topic)[1] / len(topic.segments)


R_cov = register_measure(_R_cov())
