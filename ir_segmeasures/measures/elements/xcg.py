"""Gains of cumulated gain for XML, by Eq. 6 to 9, in words below: those of a ranking and of the ideal recall
base.

Cumulated gain for XML (XCG): Kazai, Lalmas, de Vries. The Overlap Problem in Content-Oriented XML Retrieval
Evaluation. SIGIR 2004, as Kazai. Notes on What to Measure in INEX. INEX 2005 Workshop on Element Retrieval Methodology,
section 4.1 and appendix A.3, restates it.

The gain of a retrieved element depends on how much of it has been seen:

- An element that has not been seen gains its quantised worth q.
- An element that has been seen as a whole (itself, in an element around it, or in elements that fill it) gains
  ``(1 - α)·q``.
- An element that has been seen in part (content of an element inside it was retrieved) gains
  ``rv(c) = α · Σ rv(c_j)·|c_j| / |c| + (1 - α)·q`` (Eq. 8), the sum over the next relevant elements inside it. So a
  leaf gains ``(1 - α)·q``.
- An element of the ideal recall base and all elements inside it together gain no more than it is worth (Eq. 9). An
  element around ideal ones has no such limit.

Effort-precision compares ranks at equal gains: Kazai, Lalmas. eXtended Cumulated Gain Measures for the Evaluation of
Content-oriented XML Retrieval. TOIS 24(4), 2006, and INEX 2005 Evaluation Measures. LNCS 3977, 2006, define it; these
texts were not at hand, so the measures are not checked against them.

Tasks that want all relevant elements,
such as INEX' thorough retrieval of 2005 and 2006, take the full recall base as the ideal one, and overlap costs
nothing: ``ideal='full'`` with ``alpha=0``.
"""

from bisect import bisect_left
from itertools import accumulate, pairwise
from math import isnan
from typing import Any

from ir_segmeasures.measures.base import RowTopic, register_measure, register_named
from ir_segmeasures.measures.elements.base import QUANT, SPECIFICITY, ElementMeasure, Worth, element_forest, worth
from ir_segmeasures.measures.elements.recall_base import IDEAL, ideal_base
from ir_segmeasures.measures.elements.trees import Forest, Node, Seen
from ir_segmeasures.measures.parameters import CUTOFF, Choice, Number, required
from ir_segmeasures.measures.stops import lowest_reaching

__all__ = ['XCG', 'nXCG', 'MAnXCG', 'GainR', 'EffortP', 'ep', 'MAep', 'iMAep']


def cumulated_gains(topic: RowTopic, quant: str, specificity: str, method: str, alpha: float,
                    cutoff: int) -> list[float]:
    """The gain cumulated after each rank (Eq. 6), up to ``cutoff``.

    Raises:
        ValueError: an element was seen in part, and offsets that Eq. 8 needs are not known
    """
    found = element_forest(topic, specificity, quant)
    values = _RelevanceValues(found, topic.cached(worth, quant, specificity), alpha)
    left = dict(topic.cached(ideal_base, quant, specificity, method))  # of the worth of each ideal element
    gains = list[float]()
    for node in found.ranking[:cutoff]:
        gain = values.gain(node)
        nested = (node,) if method == 'full' else (node, *node.around())
        limit = next((around for around in nested if around in left), None)
        if limit is not None:
            gain = min(gain, left[limit])
            left[limit] -= gain
        gains.append(gain)
        values.seen.read(node)
    return list(accumulate(gains))


class _RelevanceValues:
    """The relevance values of elements, rv (Eq. 7 and 8)."""

    def __init__(self, elements: Forest, worths: Worth, alpha: float):
        self._elements, self._worths, self._alpha = elements, worths, alpha
        self.seen = Seen()

    def gain(self, node: Node) -> float:
        """The relevance value of an element, with what has been seen until now."""
        q, part = self._worths.get(node, 0.), self.seen.part(node)
        if self.seen.whole(node):
            return (1 - self._alpha) * q
        if self._alpha == 0 or not part:
            return q
        inside = 0.0
        if node.parts:
            self._elements.check_offsets((node, *node.parts), 'and what has been seen in part gains by sizes')
            if isnan(part) and self._alpha < 1:  # with 1, what fills it leaves nothing inside either
                raise node.error(f'some of {node} was retrieved before it in elements without offsets, '
                                 'so that nobody knows how much: resolve() the run with a table')
            inside = sum(self.gain(child) * child.ticks for child in node.parts) / node.ticks
        return self._alpha * inside + (1 - self._alpha) * q


def ideal_gains(topic: RowTopic, quant: str, specificity: str, method: str) -> list[float]:
    """The gain of the ideal recall base after each rank, best elements first."""
    return list(accumulate(sorted(topic.cached(ideal_base, quant, specificity, method).values(), reverse=True)))


GAIN_PARAMS: dict[str, Any] = {
    'quant': QUANT, 'ideal': Choice(
        f"{IDEAL.desc}; or 'full', all elements that are worth something", *IDEAL.choices, 'full', default=IDEAL.value),
    'alpha': Number('how much of its worth an element loses that has been seen', low=0, high=1, default=1),
    'specificity': SPECIFICITY}


class GainMeasure(ElementMeasure):
    """A measure of cumulated gain."""
    SUPPORTED_PARAMS: Any = {'cutoff': CUTOFF, **GAIN_PARAMS}

    def gains(self, topic: RowTopic) -> list[float]:
        """The gain cumulated after each rank, up to the cut-off."""
        return topic.cached(cumulated_gains, self['quant'], self['specificity'], self['ideal'], self['alpha'],
                            self._cutoff(topic))

    def both_gains(self, topic: RowTopic) -> tuple[list[float], list[float]]:
        """The gains of the ideal recall base and those of the ranking; no gains where either gains nothing."""
        ideal = topic.cached(ideal_gains, self['quant'], self['specificity'], self['ideal'])
        gains = self.gains(topic)
        return (ideal, gains) if ideal and gains and gains[-1] else ([], [])


class _XCG(GainMeasure):
    """Cumulated gain for XML: the gain of the elements of the ranking, where content that has been seen gains less.

    ``XCG@k = Σ_{i<=k} G[i]``, with the gains of Eq. 7 to 9 (see ``nXCG``); without ``@k`` over the whole ranking.

    Range [0, ∞), higher is better. Offsets are needed where an element is retrieved after parts of it. Source: Kazai
    2005, Eq. 6-9.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import XCG
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['d#xpath=/a[1]/s[1]', 'd#xpath=/a[1]/s[2]'],
        ...                       'relevance': 1, 'exhaustivity': [3, 2], 'specificity': [3, 3]})  # worth 1 and 0.9
        >>> run = {'q': {'d#xpath=/a[1]/s[3]': 3, 'd#xpath=/a[1]/s[1]': 2, 'd#xpath=/a[1]/s[2]': 1}}
        >>> [(XCG@k).calc_aggregate(qrels, run) for k in (1, 2, 3)]
        [0.0, 1.0, 1.9]
    """

    def compute(self, topic: RowTopic) -> float:
        return (self.gains(topic) or [0.0])[-1]


XCG = register_measure(_XCG())


class _nXCG(GainMeasure):
    """Normalised cumulated gain for XML: the gain of the ranking after k elements, over the gain of the ideal recall
    base after k elements.

    ``nXCG@k = XCG@k / Σ_{i<=k} I[i]``, with I the worth of the ideal elements, highest first. A retrieved element c
    gains its worth q(c) if it has not been seen, ``(1 - alpha)·q(c)`` if it has been seen as a whole, and
    ``alpha · Σ_j rv(c_j)·|c_j| / |c| + (1 - alpha)·q(c)``, over the next relevant elements inside it, if it has been
    seen in part (Eq. 8). An ideal element and the elements inside it together gain no more than the ideal element is
    worth (Eq. 9). After the end of the ranking, or of the ideal recall base, its gain stays as it is. Without ``@k``
    the whole of both counts.

    Range [0, ∞), higher is better; 1 is the ideal ranking. It can exceed 1, since an element around ideal ones has no
    limit and may gain what the ideal ones inside it may not. Offsets are needed where an element is retrieved after
    parts of it. Source: Kazai 2005, Eq. 6-9, section 4.1; that only relevant parts count in Eq. 8, that a relevant leaf
    seen in part gains nothing (with alpha 1) and the default quantisation are this project's choices.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import nXCG
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['d#xpath=/a[1]/s[1]', 'd#xpath=/a[1]/s[2]'],
        ...                       'relevance': 1, 'exhaustivity': [3, 2], 'specificity': [3, 3]})  # worth 1 and 0.9
        >>> run = {'q': {'d#xpath=/a[1]/s[3]': 3, 'd#xpath=/a[1]/s[1]': 2, 'd#xpath=/a[1]/s[2]': 1}}
        >>> round((nXCG@2).calc_aggregate(qrels, run), 4)  # 1 / 1.9
        0.5263
    """

    def compute(self, topic: RowTopic) -> float:
        ideal, gains = self.both_gains(topic)
        return gains[-1] / ideal[int(min(self.cutoff, len(ideal))) - 1] if gains else 0.0


nXCG = register_measure(_nXCG())


class _MAnXCG(GainMeasure):
    """Mean average normalised cumulated gain for XML: the mean of nXCG over the ranks up to k.

    ``MAnXCG@k = Σ_{i<=k} nXCG@i / k``

    Range [0, ∞), as nXCG; higher is better. Source: Kazai 2005, Eq. 6-9.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import MAnXCG
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['d#xpath=/a[1]/s[1]', 'd#xpath=/a[1]/s[2]'],
        ...                       'relevance': 1, 'exhaustivity': [3, 2], 'specificity': [3, 3]})  # worth 1 and 0.9
        >>> run = {'q': {'d#xpath=/a[1]/s[3]': 3, 'd#xpath=/a[1]/s[1]': 2, 'd#xpath=/a[1]/s[2]': 1}}
        >>> round((MAnXCG@2).calc_aggregate(qrels, run), 4)  # (0 / 1 + 1 / 1.9) / 2
        0.2632
    """
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), **GAIN_PARAMS}

    def compute(self, topic: RowTopic) -> float:
        (ideal, gains), k = self.both_gains(topic), self['cutoff']
        if not gains:
            return 0.0
        ranks = min(k, max(len(ideal), len(gains)))  # behind them nothing changes
        values = [gains[min(i, len(gains) - 1)] / ideal[min(i, len(ideal) - 1)] for i in range(ranks)]
        return (sum(values) + (k - ranks) * values[-1]) / k


MAnXCG = register_measure(_MAnXCG())


class _GainR(GainMeasure):
    """Gain-recall (gr): the gain of the ranking after k elements, over the gain of the whole ideal recall base.

    ``GainR@k = XCG@k / Σ_i I[i]``, with I the worth of the ideal elements; without ``@k`` over the whole ranking.

    Range [0, ∞), higher is better. As ``nXCG`` it can exceed 1. Source: Kazai & Lalmas 2006 (not checked against it),
    with the gains of Kazai 2005, Eq. 6-9.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import GainR
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['d#xpath=/a[1]/s[1]', 'd#xpath=/a[1]/s[2]'],
        ...                       'relevance': 1, 'exhaustivity': [3, 2], 'specificity': [3, 3]})  # worth 1 and 0.9
        >>> run = {'q': {'d#xpath=/a[1]/s[3]': 3, 'd#xpath=/a[1]/s[1]': 2, 'd#xpath=/a[1]/s[2]': 1}}
        >>> round((GainR@2).calc_aggregate(qrels, run), 4)  # 1 / 1.9
        0.5263
    """

    def compute(self, topic: RowTopic) -> float:
        ideal, gains = self.both_gains(topic)
        return gains[-1] / ideal[-1] if gains else 0.0


GainR = register_measure(_GainR())


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
    SUPPORTED_PARAMS = {'recall': Number('gain-recall: the share of what the ideal recall base gains', above=0, high=1,
                                         required=True), **GAIN_PARAMS, 'cutoff': CUTOFF}

    def compute(self, topic: RowTopic) -> float:
        return effort_precision(*self.both_gains(topic), self['recall'])


EffortP, ep = register_named(_EffortP(), 'ep')


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
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'points': Number(
        'number of levels of gain-recall, up to 1', low=1, high=10001, whole=True, default=100), **GAIN_PARAMS}

    def compute(self, topic: RowTopic) -> float:
        (ideal, gains), points = self.both_gains(topic), self['points']
        return sum(effort_precision(ideal, gains, i / points) for i in range(1, points + 1)) / points


iMAep = register_measure(_iMAep())
