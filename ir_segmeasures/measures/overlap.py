"""The binary measures of MediaEval Search & Hyperlinking: Aly, Eskevich, Ordelman, Jones. Adapting Binary Information
Retrieval Evaluation Metrics for Segment-based Retrieval Tasks. arXiv:1312.1913, 2013; criticised in Racca & Jones 2015.

``over`` takes an item that shares content with a relevant span for relevant; ``bin`` cuts every document into bins and
ranks those. The third of them, ``tol``, is the tolerance-to-irrelevance user (t2i.py).
"""

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import (
    CUTOFF,
    FINEST,
    REL,
    Flag,
    Number,
    SpanMeasure,
    register,
    required,
)
from ir_segmeasures.measures.bins import InBins, number, of_run, size, summed_precision, union, whole_numbers
from ir_segmeasures.segments.spans import billionths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir_segmeasures.evaluation.relevant import Relevant
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

    Floats = NDArray[np.float64]

__all__ = ['AP_over', 'MAP_over', 'P_over', 'AP_bin', 'MAP_bin', 'P_bin', 'Judged_over', 'Judged_bin']

_FINE = 1e9  # positions below it have their decimals in a float
_BINS = Number('only so many bins of the ranking of bins', low=1, whole=True)
_BIN = {
    'bin': Number('length of a bin, in the unit of the medium', low=FINEST, default=300),
    'expand': Flag('whether an item stands for all bins that it overlaps, or for that of its start', default=True),
}


def overlapping(run: 'RunItems') -> list[list[int]]:
    """For each query, the ranks of the items that share content with a relevant span, in order."""
    items = run.meeting
    return [items.rank[low:high].tolist() for low, high in pairwise(items.bounds.tolist())]


class BinsOfRelevant(NamedTuple):
    """The bins of the relevant spans.

    Attributes:
        group: the document of each span
        bins: those of each span
        total: for each query, the number of distinct ones
    """
    group: 'NDArray[np.intp]'
    bins: InBins
    total: list[int]


def bins_of_relevant(relevant: 'Relevant', bin: float) -> BinsOfRelevant:
    """The bins of all queries' relevant spans."""
    group, start, end = relevant.spans
    bins = _bins(start, end, bin)
    united = union(zip(group.tolist(), bins.ranges()))
    return BinsOfRelevant(group, bins, [size({of: united[of] for of in range(low, high)})
                                        for low, high in pairwise(relevant.groups)])


def relevant_bins(run: 'RunItems', bin: float, expand: bool) -> list[tuple[list[range], int]]:
    """For each query, where in the ranking of distinct bins, from 1, those stand that overlap a relevant span, as
    ranges, in order; and the number of all bins that do.
    """
    items, relevant = run.every, run.relevant
    group, wanted, total = relevant.once(bins_of_relevant, bin)
    ranks = of_run(items, _bins(items.start, items.end, bin, expand), group, wanted, len(relevant.keys))
    return [(some.ranks, R) for some, R in zip(ranks, total)]


def _bins(start: 'Floats', end: 'Floats', bin: float, expand: bool = True) -> InBins:
    """The bins that each segment overlaps, or that of its start."""
    if bin == int(bin) and end.max(initial=0) < _FINE:  # floats are exact for whole bins
        first = np.floor(np.floor(start) / bin)
        return InBins(first, np.where(start < end, np.ceil(np.ceil(end) / bin), first) if expand else first + 1)
    length = billionths(bin)  # in whole numbers, so that no bin is missed or met by a rounding
    first = whole_numbers(billionths(position) // length for position in start.tolist())
    if not expand:
        return InBins(first, first + 1)
    stop = whole_numbers(-(-billionths(position) // length) for position in end.tolist())
    return InBins(first, np.where(start < end, stop, first))


def average_precision(places: list[int], total: int, cutoff: float) -> float:
    """``Σ_k rel_k · P@k / total``, with ``places`` the ranks where rel_k is 1."""
    return sum(hits / place for hits, place in enumerate(places, 1) if place <= cutoff) / total


class _AP_over(SpanMeasure):
    """Average precision over overlap (MAP-over): an item is relevant if it shares content with a relevant span.

    ``AP_over = (1/R) · Σ_k rel_k · P@k``, with R the number of relevant spans.

    Range [0, ∞), higher is better: items that overlap a span again are rewarded again, so it can exceed 1. That known
    flaw is the measure. Source: Aly et al. 2013; Racca & Jones 2015, section 2.1.
    """
    __name__ = 'AP_over'
    NAME = __name__
    PRETTY_NAME = 'Average Precision over overlap'
    SHORT_DESC = 'AP with every item relevant that overlaps relevant content. Rewards redundancy.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return average_precision(topic.of_run(overlapping), topic.R, self.params.get('cutoff', inf))


AP_over = MAP_over = register(_AP_over(), ['MAP_over'])


class _P_over(SpanMeasure):
    """Precision at k over overlap: of the first k items, those that share content with a relevant span.

    ``P_over@k = Σ_{i<=k} rel_i / k``

    Range [0, 1], higher is better. Source: Aly et al. 2013.
    """
    __name__ = 'P_over'
    NAME = __name__
    PRETTY_NAME = 'Precision at k over overlap'
    SHORT_DESC = 'The share of the top k items that overlap relevant content.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return sum(rank <= self['cutoff'] for rank in topic.of_run(overlapping)) / self['cutoff']


P_over = register(_P_over())


class _AP_bin(SpanMeasure):
    """Average precision over bins (MAP-bin): every document is cut into bins ``[i · bin, (i + 1) · bin)``, each item
    stands for bins, and the ranking is that of the distinct ones, each at its best rank.

    ``AP_bin = (1/R_bin) · Σ_k rel_k · P@k`` over the ranking of bins; a bin is relevant if a relevant span overlaps
    it, and R_bin is the number of those. With ``expand`` an item stands for all bins that it overlaps, in order (an
    entry point for none), else for that of its start.

    Range [0, 1], higher is better. ``@`` counts bins. Source: Aly et al. 2013. Racca & Jones 2015, section 2.1, judge
    an item by the bin of its start: ``expand=False``.
    """
    __name__ = 'AP_bin'
    NAME = __name__
    PRETTY_NAME = 'Average Precision over bins'
    SHORT_DESC = 'AP over the bins of fixed length that the items fall into.'
    SUPPORTED_PARAMS = {'cutoff': _BINS, **_BIN, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        ranks, total = topic.of_run(relevant_bins, self['bin'], self['expand'])
        return summed_precision(ranks, self.params.get('cutoff', inf)) / total


AP_bin = MAP_bin = register(_AP_bin(), ['MAP_bin'])


class _P_bin(SpanMeasure):
    """Precision at k over bins: of the first k distinct bins, those that a relevant span overlaps.

    ``P_bin@k = Σ_{i<=k} rel_i / k`` over the ranking of bins, as in ``AP_bin``.

    Range [0, 1], higher is better. ``@`` counts bins. Source: Aly et al. 2013.
    """
    __name__ = 'P_bin'
    NAME = __name__
    PRETTY_NAME = 'Precision at k over bins'
    SHORT_DESC = 'The share of the top k bins that overlap relevant content.'
    SUPPORTED_PARAMS = {'cutoff': required(_BINS), **_BIN, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        ranks, _ = topic.of_run(relevant_bins, self['bin'], self['expand'])
        return number(ranks, self['cutoff']) / self['cutoff']


P_bin = register(_P_bin())


# The judgement rates are the precisions, over spans of judged segments: they have no rel.
class _Judged_over(_P_over):
    """Judgement rate at k over overlap: of the first k items, those that share content with a judged segment of any
    relevance.

    ``Judged_over@k = Σ_{i<=k} judged_i / k``

    Range [0, 1]. It says how far the other values can be trusted, so it is computed for queries without relevant spans
    as well, as ir-measures' Judged is. Source: Aly et al. 2013.
    """
    __name__ = 'Judged_over'
    NAME = __name__
    PRETTY_NAME = 'Judgement rate at k over overlap'
    SHORT_DESC = 'The share of the top k items that overlap a judged segment.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF)}


Judged_over = register(_Judged_over())


class _Judged_bin(_P_bin):
    """Judgement rate at k over bins: of the first k distinct bins, those that a judged segment of any relevance
    overlaps.

    ``Judged_bin@k = Σ_{i<=k} judged_i / k`` over the ranking of bins, as in ``AP_bin``.

    Range [0, 1]; also for queries without relevant spans, as ``Judged_over``. Source: Aly et al. 2013.
    """
    __name__ = 'Judged_bin'
    NAME = __name__
    PRETTY_NAME = 'Judgement rate at k over bins'
    SHORT_DESC = 'The share of the top k bins that overlap a judged segment.'
    SUPPORTED_PARAMS = {'cutoff': required(_BINS), **_BIN}


Judged_bin = register(_Judged_bin())
