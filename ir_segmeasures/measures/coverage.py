"""The coverage filter of TRECVID 2001, as described by de Vries, Kazai, Lalmas. Tolerance to Irrelevance. RIAO 2004,
sections 3.1 and 3.2: an item hits a reference segment that it covers enough of, if not too much of the item lies
outside.
"""


from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import ranges, share
from ir_segmeasures.measures.base import CUTOFF, REL, Number, RunOnAxis, SpanMeasure, register_measure
from ir_segmeasures.measures.stops import RECALL_TOLERANCE
from ir_segmeasures.segments.arrays import Ints

__all__ = ['P_cov', 'R_cov']

_COVER = {
    'ki': Number('share of a reference that must be in the item', above=0, high=1, default=1 / 3),
    'ri': Number('share of the item that must be in a reference', above=0, high=1, default=2 / 3),
}

_PAIRS = 1 << 20  # that are looked at together


def coverage_hits(run: RunOnAxis, ki: float, ri: float, cutoff: float) -> tuple[Ints, Ints]:
    """For each query, the number of the first items that hit references, and of the references that these hit: pairs
    with ``|item ∩ reference| >= ki · |reference|`` and ``|item ∩ reference| >= ri · |item|``.
    """
    item = np.flatnonzero((run.rank <= cutoff) & (run.start < run.end))
    order = np.argsort(run.segments.start, kind='stable')
    query, start, end = (column[order] for column in (run.segments.query, run.segments.start, run.segments.end))
    # Nothing that begins earlier reaches the item, nothing that begins later begins in it.
    first = np.searchsorted(np.maximum.accumulate(end), run.start[item], 'right')
    count = np.searchsorted(start, run.end[item], 'left') - first
    hits, met = np.zeros(len(item), bool), np.zeros(len(start), bool)
    # So many pairs at a time that they fit into the memory, however many references overlap.
    for those in np.split(np.arange(len(item)), np.flatnonzero(np.diff(np.cumsum(count) // _PAIRS)) + 1):
        place, reference = ranges(first[those], count[those])
        place = those[place]
        low, high = run.start[item[place]], run.end[item[place]]
        common = np.minimum(high, end[reference]) - np.maximum(low, start[reference])
        hit = (common > 0) & _reached(common, ki, (end - start)[reference]) & _reached(common, ri, high - low)
        hits[place[hit]] = True
        met[reference[hit]] = True
    return (np.bincount(run.query[item[hits]], minlength=run.queries),
            np.bincount(query[met], minlength=run.queries))


def _reached(part: Ints, level: float, whole: Ints) -> Any:
    """Whether each part is at least so large a share of the whole, where 1/3 is 0.3333333333333333."""
    return part >= level * (1 - RECALL_TOLERANCE) * whole


class _CoverageMeasure(SpanMeasure):
    def _covered(self, run: RunOnAxis) -> tuple[Ints, Ints]:
        """How many items of each query hit references, and how many references they hit."""
        found: tuple[Ints, Ints] = run.cached(coverage_hits, self['ki'], self['ri'], self.cutoff)
        return found


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

    def values(self, run: RunOnAxis) -> Any:
        return share(self._covered(run)[0], self.params.get('cutoff', run.n))


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

    def values(self, run: RunOnAxis) -> Any:
        return share(self._covered(run)[1], np.bincount(run.segments.query, minlength=run.queries))


R_cov = register_measure(_R_cov())
