"""The measures of bins of MediaEval Search & Hyperlinking: Aly, Eskevich, Ordelman, Jones. Adapting Binary Information
Retrieval Evaluation Metrics for Segment-based Retrieval Tasks. arXiv:1312.1913, 2013; criticised in Racca & Jones 2015.
Every document is cut into bins, and the ranking is one of bins (bin_ranges.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import FINEST, REL, Flag, Number, SpanMeasure, register_measure, required
from ir_segmeasures.measures.bin_ranges import (
    BinRanges,
    BinRanks,
    bin_ranks_of_run,
    count_ranks,
    found_bins,
    summed_precision,
    whole_numbers,
)
from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.spans import billionths

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.relevant_spans import RelevantSpans
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['AP_bin', 'MAP_bin', 'P_bin', 'Judged_bin']

_FINE = 1e9  # positions below it have their decimals in a float
_BINS = Number('only so many bins of the ranking of bins', low=1, whole=True)
_BIN = {
    'bin': Number('length of a bin, in the unit of the medium', low=FINEST, default=300),
    'expand': Flag('whether an item stands for all bins that it overlaps, or for that of its start', default=True),
}


class BinsOfSpans(NamedTuple):
    """The bins of the relevant spans of all queries.

    Attributes:
        group: the document of each span
        bins: the bins of each span
        total: for each query, the number of distinct bins
    """
    group: Ints
    bins: BinRanges
    total: list[int]


def bins_of_spans(relevant: RelevantSpans, bin: float) -> BinsOfSpans:
    """The bins that relevant spans overlap."""
    group, start, end = relevant.spans
    bins = _bins(start, end, bin)
    # Spans are in order, so that bins which earlier ones have too stand at the beginning.
    counted = np.where(group[1:] == group[:-1], bins.stop[:-1], 0)
    count = bins.stop - np.maximum(bins.first, np.append(bins.first[:1], counted))
    whole = count if count.dtype == object else count.astype(np.int64)
    edges = np.searchsorted(relevant.query[group], np.arange(len(relevant.query_ids) + 1))
    return BinsOfSpans(group, bins, np.diff(np.append([0], np.cumsum(whole))[edges]).tolist())


RelevantBins = tuple[BinRanks, int]
"""the ranks of the relevant bins in the ranking of distinct bins, and the number of all relevant bins"""


def relevant_bins(run: RunItems, bin: float, expand: bool, keep: bool = False) -> list[RelevantBins]:
    """The relevant bins of each query: those that a relevant span overlaps; ``keep`` keeps the rankings of bins."""
    items, relevant = run.all_items, run.relevant
    group, wanted, total = relevant.cached(bins_of_spans, bin)
    bins = _bins(items.start, items.end, bin, expand)
    found = bin_ranks_of_run(items, bins, group, wanted, len(relevant.keys), keep)
    return list(zip(found, total))


def _bins(start: Floats, end: Floats, bin: float, expand: bool = True) -> BinRanges:
    """The bins that each segment overlaps, or the bin of its start."""
    if bin == int(bin) and end.max(initial=0) < _FINE:  # floats are exact for whole bins
        first = np.floor(np.floor(start) / bin)
        return BinRanges(first, np.where(start < end, np.ceil(np.ceil(end) / bin), first) if expand else first + 1)
    length = billionths(bin)  # in whole numbers, so that no bin is missed or met by a rounding
    first = whole_numbers(billionths(position) // length for position in start.tolist())
    if not expand:
        return BinRanges(first, first + 1)
    stop = whole_numbers(-(-billionths(position) // length) for position in end.tolist())
    return BinRanges(first, np.where(start < end, stop, first))


class _BinMeasure(SpanMeasure):
    KIND = 'relevant'  # the kind of the bins, in sentences

    def _relevant(self, topic: Topic, *keep: bool) -> RelevantBins:
        return topic.computed_on_run(relevant_bins, self['bin'], self['expand'], *keep)

    def _adds(self, ranks: range, hits: int, R: int) -> float:
        """The part of the value that the relevant bins at these ranks are, with ``hits`` relevant ones before."""
        raise NotImplementedError

    def _follows(self, topic: Topic) -> str:
        """The end of the sentence, which says how the value follows."""
        raise NotImplementedError

    def steps(self, topic: Topic) -> Steps:
        from ir_segmeasures.measures.steps import BinsOfItem, make_steps  # imported when it is needed
        found, R = self._relevant(topic, True)
        rows, hits, bin = [], 0, self['bin']
        for rank, item, first, count in found_bins(found, self.cutoff):
            adds = self._adds(range(rank, rank + count), hits, R)
            hits += count
            start, end = (round(place * bin, 9) for place in (first, first + count))
            rows.append((item, topic.document_id(item), start, end, rank, count, hits, adds))
        sentence = f'The ranking has {hits} of {R} {self.KIND} bins{self._follows(topic)} {self.compute(topic):.4f}.'
        return make_steps(BinsOfItem, rows, sentence)


class _AP_bin(_BinMeasure):
    """Average precision over bins (MAP-bin). Every document is cut into bins ``[i · bin, (i + 1) · bin)``, each item
    stands for bins, and the ranking is that of the distinct bins, each at its best rank.

    ``AP_bin = (1/R_bin) · Σ_k rel_k · P@k`` over the ranking of bins; a bin is relevant if a relevant span overlaps
    it, and R_bin is the number of relevant bins. With ``expand`` an item stands for all bins that it overlaps, in order
    (an entry point for none), else for the bin of its start.

    Range [0, 1], higher is better. ``@`` counts bins. Source: Aly et al. 2013. Racca & Jones 2015, section 2.1, judge
    an item by the bin of its start: ``expand=False``.

    Examples:
        >>> from ir_segmeasures import AP_bin
        >>> qrels = {'q': {'v#t=15,25': 1}}
        >>> run = {'q': {'v#t=25,35': 2, 'v#t=0,20': 1}}  # bins 2, 3, 0, 1 of 10 s; 1 and 2 are relevant
        >>> AP_bin(bin=10).calc_aggregate(qrels, run)  # (1/1 + 2/4) / 2
        0.75
    """
    PRETTY_NAME = 'Average Precision over bins'
    SHORT_DESC = 'AP over the bins of fixed length that the items fall into.'
    SUPPORTED_PARAMS = {'cutoff': _BINS, **_BIN, 'rel': REL}

    def compute(self, topic: Topic) -> float:
        found, R = self._relevant(topic)
        return summed_precision(found.ranks, self.cutoff) / R

    def _adds(self, ranks: range, hits: int, R: int) -> float:
        return summed_precision([ranks], hits=hits) / R

    def _follows(self, topic: Topic) -> str:
        found, R = self._relevant(topic)
        total = f'{summed_precision(found.ranks, self.cutoff):.4f}'
        return f'. The precisions at their ranks sum to {total}, and {total} / {R} ='


AP_bin = register_measure(_AP_bin(), ['MAP_bin'])
MAP_bin = AP_bin.called('MAP_bin')


class _P_bin(_BinMeasure):
    """Precision at k over bins: the share of the first k distinct bins that a relevant span overlaps.

    ``P_bin@k = Σ_{i<=k} rel_i / k`` over the ranking of bins, as in ``AP_bin``.

    Range [0, 1], higher is better. ``@`` counts bins. Source: Aly et al. 2013.

    Examples:
        >>> from ir_segmeasures import P_bin
        >>> qrels = {'q': {'v#t=15,25': 1}}
        >>> run = {'q': {'v#t=25,35': 2, 'v#t=0,20': 1}}  # bins 2, 3, 0, 1 of 10 s; 1 and 2 are relevant
        >>> (P_bin(bin=10)@2).calc_aggregate(qrels, run)
        0.5
    """
    PRETTY_NAME = 'Precision at k over bins'
    SHORT_DESC = 'The share of the top k bins that overlap relevant content.'
    SUPPORTED_PARAMS = {'cutoff': required(_BINS), **_BIN, 'rel': REL}

    def compute(self, topic: Topic) -> float:
        found, _ = self._relevant(topic)
        return count_ranks(found.ranks, self['cutoff']) / self['cutoff']

    def _adds(self, ranks: range, hits: int, R: int) -> float:
        return (ranks.stop - ranks.start) / self['cutoff']

    def _follows(self, topic: Topic) -> str:
        return f' among the first {self["cutoff"]}:'


P_bin = register_measure(_P_bin())


# The judgement rate is the precision over spans of judged segments: it has no rel.
class _Judged_bin(_P_bin):
    """Judgement rate at k over bins: the share of the first k distinct bins that a judged segment of any relevance
    overlaps.

    ``Judged_bin@k = Σ_{i<=k} judged_i / k`` over the ranking of bins, as in ``AP_bin``.

    Range [0, 1]; also for queries without relevant spans, as ``Judged_over``. Source: Aly et al. 2013.

    Examples:
        >>> from ir_segmeasures import Judged_bin
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=31,32': 0}}
        >>> run = {'q': {'v#t=25,35': 2, 'v#t=40,60': 1}}  # bins 2, 3, 4, 5 of 10 s; 2 and 3 are judged
        >>> (Judged_bin(bin=10)@4).calc_aggregate(qrels, run)
        0.5
    """
    PRETTY_NAME = 'Judgement rate at k over bins'
    SHORT_DESC = 'The share of the top k bins that overlap a judged segment.'
    KIND = 'judged'
    SUPPORTED_PARAMS = {'cutoff': required(_BINS), **_BIN}


Judged_bin = register_measure(_Judged_bin())
