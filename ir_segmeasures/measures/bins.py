"""The measures of bins of MediaEval Search & Hyperlinking: Aly, Eskevich, Ordelman, Jones. Adapting Binary Information
Retrieval Evaluation Metrics for Segment-based Retrieval Tasks. arXiv:1312.1913, 2013; criticised in Racca & Jones 2015.
Every document is cut into bins, and the ranking is one of bins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ir_segmeasures.evaluation.axis import ranges, running
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure, register_measure, register_named
from ir_segmeasures.measures.parameters import FINEST, REL, Flag, Number, required
from ir_segmeasures.measures.stops import Outcome, added, average_precision
from ir_segmeasures.measures.walks import Walk
from ir_segmeasures.segments.basics import Ints

__all__ = ['AP_bin', 'MAP_bin', 'P_bin', 'Judged_bin']

_MOST = 10 ** 7  # bins that are looked at one by one
_LONGEST = 2 ** 61  # an axis is shorter, so that a longer bin holds all that stands in a document
_BINS = Number('only so many bins of the ranking of bins', low=1, whole=True)
_BIN = {'bin': Number('length of a bin, in the unit of the medium', low=FINEST, default=300, in_unit=True),
        'expand': Flag('whether an item stands for all bins that it overlaps, or for that of its start', default=True)}


def binning(run: RunOnAxis, bin: float, expand: bool) -> Walk:
    """The user who goes through distinct bins ``[i · bin, (i + 1) · bin)`` of the documents, each at its first item. A
    look is a bin that a relevant span overlaps; its rank and its cost are those in the ranking of bins, its gain 1::

        for each item by rank:
            for each bin that it overlaps (not expand: the bin of its start), in order:
                if the bin is in no earlier item: rank += 1, and look at it if a relevant span overlaps it
    """
    wanted = _bins(run, bin, run.stretch_at(run.spans.start), run.spans.start, run.spans.end).key
    wanted = wanted[np.diff(wanted, prepend=-1) > 0]
    bins = _bins(run, bin, run.stretch, run.start, run.end if expand else None)
    bins = bins.at(np.sort(np.unique(bins.key, return_index=True)[1]))
    rank = running(np.ones(len(bins.key), np.int64), run.query[bins.segment])
    these = np.flatnonzero(np.append(wanted, -1)[np.searchsorted(wanted, bins.key)] == bins.key)
    (item, _, start, end), rank = bins.at(these), rank[these]
    total = np.bincount(run.query_of[run.stretch_at(wanted)], minlength=run.queries)
    return Walk('RelevantBin', run, run.query[item], rank, item, start, end, rank, np.ones(len(item), np.int64), total,
                shown=lambda walk: {'bin_rank': walk.rank})


class _Bins(NamedTuple):
    """Bins on the axis.

    Attributes:
        segment: the number of the segment that lies in the bin
        key: a place of the bin's own, which lies in its document
        start, end: of the bin, which may lie before or behind what stands in its document
    """
    segment: Ints
    key: Ints
    start: Ints
    end: Ints

    def at(self, places: Ints) -> _Bins:
        """Some of the bins."""
        return _Bins._make(column[places] for column in self)


def _bins(run: RunOnAxis, bin: float, stretch: Ints, start: Ints, end: Ints | None) -> _Bins:
    """The bins that segments overlap, or those of their starts."""
    length = min(run.ticks(bin), _LONGEST)
    # How far the first bin of a stretch begins before it.
    into = np.minimum(run.origins % run.ticks(bin), _LONGEST)
    base, into = run.base[stretch], into.astype(np.int64)[stretch]
    first = (start - base + into) // length
    stop = first + 1 if end is None else np.where(start < end, (end - base + into - 1) // length + 1, first)
    if (stop - first).sum(dtype=float) > _MOST:
        raise ValueError(f'the segments of the qrels or of the run lie in more than {_MOST:,} bins of the length '
                         f'{bin:.12g}, and each bin is looked at: give a longer bin')
    segment, number = ranges(first, stop - first)
    begin = base[segment] + number * length - into[segment]
    return _Bins(segment, np.maximum(begin, base[segment]), begin, begin + length)


class _BinMeasure(SpanMeasure):
    EVERYWHERE = True
    WALK = (binning, 'bin', 'expand')

    @property
    def CONTENT(self) -> bool:  # type: ignore[override]
        return bool(self['expand'])


class _AP_bin(_BinMeasure):
    """Average Precision over bins (MAP-bin): AP over the bins of fixed length that the items fall into. Every document
    is cut into bins ``[i · bin, (i + 1) · bin)``, each item stands for bins, and the ranking is that of the distinct
    bins, each at its best rank.

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
    SUPPORTED_PARAMS = {'cutoff': _BINS, **_BIN, 'rel': REL}

    def outcome(self, run: RunOnAxis) -> Outcome:
        return average_precision(self.walk(run), lambda query: 'The precisions at the ranks of the relevant bins')


AP_bin, MAP_bin = register_named(_AP_bin(), 'MAP_bin')


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
    SUPPORTED_PARAMS = {'cutoff': required(_BINS), **_BIN, 'rel': REL}

    KIND = 'relevant'

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk, k = self.walk(run), self['cutoff']
        count = np.bincount(walk.query, minlength=run.queries)
        return added(walk, walk.gain, lambda query, value: (
            f'{count[query]} of the first {k} bins are {self.KIND}: {value:.4f}.'), k)


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
    SILENCE = False
    KIND = 'judged'
    SUPPORTED_PARAMS = {'cutoff': required(_BINS), **_BIN}


Judged_bin = register_measure(_Judged_bin())
