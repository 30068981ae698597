"""The numbers of the official tool of MediaEval Search & Hyperlinking 2014–15 and TRECVID Video Hyperlinking 2015–16
(public as robinaly/sh_eval), for one query: published MAP-over, MAP-bin, MAP-tol and MAiSP figures come from it.

``mean_of_precisions``, ``flagged_precision`` and ``judged_share`` make its figures (``map`` and ``map_bin``, ``P_10``
and ``P_10_tol`` and so on) of the flags that the tool gives the ranks, :mod:`~ir_segmeasures.providers.sh_eval_walks`.
Where it differs from the measures' definitions, a docstring says *quirk*. The tool averages over the queries that the
run answers; here the figures are those of one query.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, count
from typing import TYPE_CHECKING

from ir_segmeasures import measures
from ir_segmeasures.measures.base import Only
from ir_segmeasures.providers.base import NO_PARAMETER, WHOLE, Figure, figures_by_name

if TYPE_CHECKING:
    from ir_segmeasures.providers.sh_eval_walks import Flags

__all__ = ['FIGURES', 'flagged_precision', 'judged_share', 'mean_of_precisions', 'precision_at_recall']


def mean_of_precisions(relevant: Sequence[bool], R: int) -> float:
    """The figure ``map`` of one query: the precisions at the relevant ranks over ``R``, 0 without relevant content.

    Quirk: the relevant ranks may outnumber ``R``, so it can exceed 1. At a cut-off it is that of ``relevant[:k]``.
    """
    total = 0.
    for hits, rank in enumerate(compress(count(1), relevant), 1):
        total += hits / rank
    return total / R if R else 0.


def flagged_precision(relevant: Sequence[bool], k: int) -> float:
    """The figure ``P_k``: the number of relevant ranks up to ``k``, over ``k``, however long the ranking is."""
    return sum(relevant[:k]) / k


def judged_share(judged: Sequence[bool], k: int) -> float:
    """The figure ``Judged_k``: the number of judged ranks up to ``k``, over ``k``, however long the ranking is."""
    return sum(judged[:k]) / k


def precision_at_recall(isp: Sequence[float], percent: int) -> float:
    """The figure ``maisp_0.05`` for 5 percent, and so on; 0 if so many recall points were not reached.

    Quirks: it is ``isp[5]``, where ``isp[0]`` belongs to the first recall point after 0, so it is one point late; and
    points are hundredths of the relevant content only roughly, or whole seconds.
    """
    return isp[percent] if percent < len(isp) else 0.


def _average(flags: Flags) -> float:
    return mean_of_precisions(flags.relevant, flags.R)


_REL = {'rel': Only(1)}
_LIST = {'cutoff': NO_PARAMETER, **_REL}  # the tool has no averages of cut lists
_BIN = {'bin': WHOLE, 'expand': Only(True)}
_TOL = {'tau': WHOLE, 'keepviewing': Only(False), 'init': Only(0), **_REL}
_MAISP = {'cutoff': NO_PARAMETER, 'user': Only('rel'), **_REL}

FIGURES = figures_by_name(
    Figure(measures.AP_over, lambda q, m: _average(q.over()), _LIST),
    Figure(measures.P_over, lambda q, m: flagged_precision(q.over().relevant, m['cutoff']), _REL),
    Figure(measures.Judged_over, lambda q, m: judged_share(q.over().judged, m['cutoff']), {}),
    Figure(measures.AP_bin, lambda q, m: _average(q.binned(m['bin'])), {'cutoff': NO_PARAMETER, **_BIN, **_REL}),
    Figure(measures.P_bin, lambda q, m: flagged_precision(q.binned(m['bin']).relevant, m['cutoff']), {**_BIN, **_REL}),
    Figure(measures.Judged_bin, lambda q, m: judged_share(q.binned(m['bin']).judged, m['cutoff']), _BIN),
    Figure(measures.T2I_AP, lambda q, m: _average(q.tolerance(m['tau'])), {'cutoff': NO_PARAMETER, **_TOL}),
    Figure(measures.P_tol, lambda q, m: flagged_precision(q.tolerance(m['tau']).relevant, m['cutoff']), _TOL),
    Figure(measures.Judged_tol, lambda q, m: judged_share(q.tolerance(m['tau'], True).judged, m['cutoff']),
           {'tau': WHOLE}),
    Figure(measures.AiSP, lambda q, m: q.segment_precision().maisp, {**_MAISP, 'points': Only(101)}),
    Figure(measures.iSP, lambda q, m: precision_at_recall(q.segment_precision().isp, round(100 * m['recall'])),
           {'recall': Only(0.05, 0.1, 0.2), **_MAISP}),
)
