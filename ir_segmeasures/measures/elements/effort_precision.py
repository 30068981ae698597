"""Effort-precision: how many ranks the ideal recall base takes for a gain, over the number that the ranking takes.
Kazai, Lalmas. eXtended Cumulated Gain Measures for the Evaluation of Content-oriented XML Retrieval. TOIS 24(4), 2006,
and INEX 2005 Evaluation Measures. LNCS 3977, 2006, define it; these texts were not at hand, so the measures are not
checked against them. The gains are those of xcg.py.
"""

from bisect import bisect_left
from itertools import pairwise

from ir_segmeasures.measures.base import RowTopic, register_measure
from ir_segmeasures.measures.elements.xcg import GAIN_PARAMS, GainMeasure
from ir_segmeasures.measures.parameters import CUTOFF, Number
from ir_segmeasures.measures.stops import lowest_reaching

__all__ = ['EffortP', 'ep', 'MAep', 'iMAep']


def rank_reaching(gains: list[float], wanted: float) -> int:
    """The first rank after which the gain ``wanted`` is reached; the rank behind the last if it never is."""
    return bisect_left(gains, lowest_reaching(wanted)) + 1


def effort_precision(ideal: list[float], gains: list[float], level: float) -> float:
    """The ranks that the ideal recall base takes to gain the share ``level`` of its gain, over those that the ranking
    takes; 0 if it never does."""
    wanted = level * ideal[-1] if gains else 0.0
    rank = rank_reaching(gains, wanted)
    return rank_reaching(ideal, wanted) / rank if rank <= len(gains) else 0.0


class _EffortP(GainMeasure):
    """Effort-precision (ep) at a level of gain-recall: the number of ranks that the ideal recall base takes for a gain,
    over the number of ranks that the ranking takes for it.

    ``EffortP@x = i_ideal / i_run``: the first ranks after which the ideal recall base, best elements first, and the
    ranking have gained the share x of the gain of the whole ideal recall base; 0 if the ranking never gains so much.
    Gains are those of ``XCG``.

    Range [0, ∞), higher is better; 1 is the ideal ranking. As ``nXCG`` it can exceed 1. Source: Kazai & Lalmas 2006
    (not checked against it), with the gains of Kazai 2005, Eq. 6-9.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import EffortP
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['d#xpath=/a[1]/s[1]', 'd#xpath=/a[1]/s[2]'],
        ...                       'relevance': 1, 'exhaustivity': [3, 2], 'specificity': [3, 3]})  # worth 1 and 0.9
        >>> run = {'q': {'d#xpath=/a[1]/s[3]': 3, 'd#xpath=/a[1]/s[1]': 2, 'd#xpath=/a[1]/s[2]': 1}}
        >>> (EffortP@0.5).calc_aggregate(qrels, run)  # 0.95 is gained after rank 1 of the ideal, and rank 2 of the run
        0.5
    """
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': Number('gain-recall: the share of what the ideal recall base gains', above=0, high=1, required=True),
        **GAIN_PARAMS,
        'cutoff': CUTOFF,
    }

    def compute(self, topic: RowTopic) -> float:
        return effort_precision(*self.both_gains(topic), self['recall'])


EffortP = register_measure(_EffortP(), ['ep'])
ep = EffortP.called('ep')


class _MAep(GainMeasure):
    """Mean average effort-precision (MAep): effort-precision, averaged over the ranks at which the ranking gains.

    ``MAep = Σ_i (i_ideal / i) / max(n, |ideal|)``, the sum over the n ranks i that gain something. The rank i_ideal is
    the first rank after which the ideal recall base has gained as much as the ranking after i, or its last rank where
    the ranking has gained more than the whole of it. Elements that are not retrieved count as 0.

    Range [0, ∞), higher is better; 1 is the ideal ranking. Source: Kazai & Lalmas 2006 (not checked against it); the
    divisor is this project's choice. Where the full recall base is the ideal one, the divisor is the number of relevant
    elements; else more elements than ideal ones may gain.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import MAep
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['d#xpath=/a[1]/s[1]', 'd#xpath=/a[1]/s[2]'],
        ...                       'relevance': 1, 'exhaustivity': [3, 2], 'specificity': [3, 3]})  # worth 1 and 0.9
        >>> run = {'q': {'d#xpath=/a[1]/s[3]': 3, 'd#xpath=/a[1]/s[1]': 2, 'd#xpath=/a[1]/s[2]': 1}}
        >>> round(MAep.calc_aggregate(qrels, run), 4)  # (1/2 + 2/3) / 2
        0.5833
    """

    def compute(self, topic: RowTopic) -> float:
        ideal, gains = self.both_gains(topic)
        if not gains:
            return 0.0
        ranks = [rank for rank, (before, gain) in enumerate(pairwise([0., *gains]), 1)
                 if before < lowest_reaching(gain)]
        total = sum(min(rank_reaching(ideal, gains[rank - 1]), len(ideal)) / rank for rank in ranks)
        return total / max(len(ranks), len(ideal))


MAep = register_measure(_MAep())


class _iMAep(GainMeasure):
    """Interpolated mean average effort-precision (iMAep): effort-precision, averaged over levels of gain-recall.

    ``iMAep = (1/points) · Σ_i EffortP@x_i`` with ``x_i = i / points``, i = 1 … points.

    Range [0, ∞), higher is better; 1 is the ideal ranking. Source: Kazai & Lalmas 2006 (not checked against it).

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import iMAep
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['d#xpath=/a[1]/s[1]', 'd#xpath=/a[1]/s[2]'],
        ...                       'relevance': 1, 'exhaustivity': [3, 2], 'specificity': [3, 3]})  # worth 1 and 0.9
        >>> run = {'q': {'d#xpath=/a[1]/s[3]': 3, 'd#xpath=/a[1]/s[1]': 2, 'd#xpath=/a[1]/s[2]': 1}}
        >>> round(iMAep(points=2).calc_aggregate(qrels, run), 4)  # (1/2 + 2/3) / 2
        0.5833
    """
    SUPPORTED_PARAMS = {
        'cutoff': CUTOFF,
        'points': Number('number of levels of gain-recall, up to 1', low=1, high=10001, whole=True, default=100),
        **GAIN_PARAMS,
    }

    def compute(self, topic: RowTopic) -> float:
        (ideal, gains), points = self.both_gains(topic), self['points']
        return sum(effort_precision(ideal, gains, i / points) for i in range(1, points + 1)) / points


iMAep = register_measure(_iMAep())
