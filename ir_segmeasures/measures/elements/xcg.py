"""Cumulated gain for XML (XCG): Kazai, Lalmas, de Vries. The Overlap Problem in Content-Oriented XML Retrieval
Evaluation. SIGIR 2004, as Kazai. Notes on What to Measure in INEX. INEX 2005 Workshop on Element Retrieval Methodology,
section 4.1 and appendix A.3, restates it.

What a retrieved element gains depends on what has been seen. Unseen, it gains its quantised worth q; seen as a whole,
in itself, in an element around it or in elements that fill it, ``(1 - α)·q``; seen in part (content of an element
inside it was retrieved), ``rv(c) = α · Σ rv(c_j)·|c_j| / |c| + (1 - α)·q`` (Eq. 8), the sum over the next relevant
elements inside it, so that a leaf gains ``(1 - α)·q``. All that is retrieved of an element of the ideal recall base,
itself included, gains no more than it is worth (Eq. 9); an element around ideal ones has no such limit.

Effort-precision and gain-recall ask the other way round: how many ranks the ideal recall base takes for a gain, over
those that the ranking takes. Kazai, Lalmas. eXtended Cumulated Gain Measures for the Evaluation of Content-oriented XML
Retrieval. TOIS 24(4), 2006, and INEX 2005 Evaluation Measures. LNCS 3977, 2006, have them; these are not checked
against their text.

Tasks that want all relevant elements, such as INEX' thorough retrieval of 2005 and 2006, take the full recall base for
the ideal one and let nothing lose by overlap: ``ideal='full'`` with ``alpha=0``.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from math import inf, isnan
from typing import TYPE_CHECKING, Any

from ir_segmeasures.measures.base import CUTOFF, Choice, Number, least, reached, register, required
from ir_segmeasures.measures.elements.base import ElementMeasure
from ir_segmeasures.measures.elements.quantisation import QUANT, SPECIFICITY, Worth, elements, worth
from ir_segmeasures.measures.elements.recall_base import IDEAL, ideal
from ir_segmeasures.measures.elements.trees import Forest, Node, Seen

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.row_topic import RowTopic

__all__ = ['XCG', 'nXCG', 'MAnXCG', 'EffortP', 'ep', 'GainR', 'MAep', 'iMAep']

_PARAMS: dict[str, Any] = {
    'quant': QUANT,
    'ideal': Choice(f"{IDEAL.desc}; or 'full', all elements that are worth something", *IDEAL.choices, 'full',
                    default=IDEAL.value),
    'alpha': Number('how much of its worth an element loses that has been seen', low=0, high=1, default=1),
    'specificity': SPECIFICITY,
}


def base(topic: RowTopic, quant: str, specificity: str, method: str) -> Worth:
    """The ideal recall base, or the full one."""
    if method == 'full':
        return topic.once(worth, quant, specificity)
    return topic.once(ideal, quant, specificity, method)


def gained(topic: RowTopic, quant: str, specificity: str, method: str, alpha: float, cutoff: int) -> list[float]:
    """What the ranking has gained after each rank (Eq. 6), up to ``cutoff``. ValueError where an element was seen in
    part and offsets that Eq. 8 needs are not known.
    """
    found = elements(topic, specificity, quant)
    value = _Value(found, topic.once(worth, quant, specificity), alpha)
    left = dict(base(topic, quant, specificity, method))  # of what each ideal element is worth
    gains = []
    for node in found.ranking[:cutoff]:
        gain = value.of(node)
        nested = (node,) if method == 'full' else (node, *node.around())
        limit = next((around for around in nested if around in left), None)
        if limit is not None:
            gain = min(gain, left[limit])
            left[limit] -= gain
        gains.append(gain)
        value.seen.read(node)
    return list(accumulate(gains))


class _Value:
    """The relevance value of elements, rv (Eq. 7 and 8)."""

    def __init__(self, elements: Forest, worths: Worth, alpha: float):
        self._elements, self._worths, self._alpha = elements, worths, alpha
        self.seen = Seen()

    def of(self, node: Node) -> float:
        q, part = self._worths.get(node, 0), self.seen.part(node)
        if self._alpha == 0:
            return q
        if self.seen.whole(node):
            return (1 - self._alpha) * q
        if not part:
            return q
        inside = 0.0
        if node.parts:
            self._elements.check_offsets((node, *node.parts), 'and what has been seen in part gains by sizes')
            if isnan(part) and self._alpha < 1:  # with 1, what fills it leaves nothing inside either
                raise self._elements.error(node, f'some of {node} was retrieved before it in elements without offsets, '
                                                 'so that nobody knows how much: resolve() the run with a table of the '
                                                 'offsets')
            inside = sum(self.of(child) * child.size for child in node.parts) / node.size
        return self._alpha * inside + (1 - self._alpha) * q


def best(topic: RowTopic, quant: str, specificity: str, method: str) -> list[float]:
    """What the ideal recall base has gained after each rank, best elements first."""
    return list(accumulate(sorted(base(topic, quant, specificity, method).values(), reverse=True)))


class _Gain(ElementMeasure):
    SUPPORTED_PARAMS: Any = {'cutoff': CUTOFF, **_PARAMS}

    def _gained(self, topic: RowTopic) -> list[float]:
        params = [self[name] for name in ('quant', 'specificity', 'ideal', 'alpha')]
        return topic.once(gained, *params, self._cutoff(topic))

    def _best(self, topic: RowTopic) -> list[float]:
        return topic.once(best, self['quant'], self['specificity'], self['ideal'])


class _XCG(_Gain):
    """Cumulated gain for XML: what the elements of the ranking gain, where nothing gains twice.

    ``XCG@k = Σ_{i<=k} G[i]``, with the gains of Eq. 7 to 9 (see ``nXCG``); without ``@k`` over the whole ranking.

    Range [0, ∞), higher is better. Offsets are needed where an element is retrieved after parts of it. Source: Kazai
    2005, Eq. 6-9.
    """
    __name__ = 'XCG'
    NAME = __name__
    PRETTY_NAME = 'Cumulated Gain for XML'
    SHORT_DESC = 'The quantised worth of the elements retrieved, less what has been seen before.'

    def compute(self, topic: RowTopic) -> float:
        return (self._gained(topic) or [0.0])[-1]


XCG = register(_XCG())


class _nXCG(_Gain):
    """Normalised cumulated gain for XML: what the ranking gains after k elements, over what the ideal recall base
    gains.

    ``nXCG@k = XCG@k / Σ_{i<=k} I[i]``, with I the worth of the ideal elements, highest first. A retrieved element c
    gains its worth q(c) if it has not been seen, ``(1 - alpha)·q(c)`` if it has been seen as a whole, and
    ``alpha · Σ_j rv(c_j)·|c_j| / |c| + (1 - alpha)·q(c)``, over the next relevant elements inside it, if it has been
    seen in part (Eq. 8); all elements of one ideal element together gain no more than it is worth (Eq. 9). Behind the
    ends of the ranking and of the ideal recall base their gains stay as they are. Without ``@k`` all of both.

    Range [0, ∞), higher is better; 1 is the ideal ranking. It can exceed 1, since an element around ideal ones has no
    limit and may gain what the ideal ones inside it may not. Offsets are needed where an element is retrieved after
    parts of it. Source: Kazai 2005, Eq. 6-9, section 4.1; that only relevant parts count in Eq. 8, that a relevant leaf
    seen in part gains nothing (with alpha 1) and the default quantisation are this project's choices.
    """
    __name__ = 'nXCG'
    NAME = __name__
    PRETTY_NAME = 'Normalised Cumulated Gain for XML'
    SHORT_DESC = 'The gain of the top k elements, over that of the k best elements of the ideal recall base.'

    def compute(self, topic: RowTopic) -> float:
        best, gained = self._best(topic), self._gained(topic)
        return gained[-1] / best[min(self.params.get('cutoff', inf), len(best)) - 1] if best and gained else 0.0


nXCG = register(_nXCG())


class _MAnXCG(_Gain):
    """Mean average normalised cumulated gain for XML: the mean of nXCG over the ranks up to k.

    ``MAnXCG@k = Σ_{i<=k} nXCG@i / k``

    Range [0, ∞), as nXCG; higher is better. Source: Kazai 2005, Eq. 6-9.
    """
    __name__ = 'MAnXCG'
    NAME = __name__
    PRETTY_NAME = 'Mean Average Normalised Cumulated Gain for XML'
    SHORT_DESC = 'The mean of nXCG over the ranks up to k.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), **_PARAMS}

    def compute(self, topic: RowTopic) -> float:
        best, gained, k = self._best(topic), self._gained(topic), self['cutoff']
        if not (best and gained):
            return 0.0
        ranks = min(k, max(len(best), len(gained)))  # behind them nothing changes
        values = [gained[min(i, len(gained) - 1)] / best[min(i, len(best) - 1)] for i in range(ranks)]
        return (sum(values) + (k - ranks) * values[-1]) / k


MAnXCG = register(_MAnXCG())


def rank_of(gains: list[float], wanted: float) -> int:
    """The first rank after which so much is gained; behind the last one if it never is."""
    return bisect_left(gains, least(wanted)) + 1


def effort(best: list[float], gained: list[float], wanted: float) -> float:
    """The ranks that the ideal recall base takes to gain so much, over those of the ranking; 0 if it never does."""
    rank = rank_of(gained, wanted)
    return rank_of(best, wanted) / rank if rank <= len(gained) else 0.0


class _EffortP(_Gain):
    """Effort-precision (ep) at a level of gain-recall: how many ranks the ideal recall base takes to gain so much, over
    those that the ranking takes.

    ``EffortP@x = i_ideal / i_run``, the first ranks after which the ideal recall base, best elements first, and the
    ranking have gained x of all that the ideal recall base gains; 0 if the ranking never does. Gains are those of
    ``XCG``.

    Range [0, ∞), higher is better; 1 is the ideal ranking. As ``nXCG`` it can exceed 1. Source: Kazai & Lalmas 2006
    (not checked against it), with the gains of Kazai 2005, Eq. 6-9.
    """
    __name__ = 'EffortP'
    NAME = __name__
    PRETTY_NAME = 'Effort-precision at gain-recall'
    SHORT_DESC = 'The ranks that the ideal recall base takes to gain so much, over those that the ranking takes.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': Number('gain-recall: the share of what the ideal recall base gains', above=0, high=1, required=True),
        **_PARAMS,
        'cutoff': CUTOFF,
    }

    def compute(self, topic: RowTopic) -> float:
        best = self._best(topic)
        return effort(best, self._gained(topic), self['recall'] * best[-1]) if best else 0.0


EffortP = ep = register(_EffortP(), ['ep'])


class _GainR(_Gain):
    """Gain-recall (gr): what the ranking gains after k elements, over all that the ideal recall base gains.

    ``GainR@k = XCG@k / Σ_i I[i]``, with I what the ideal elements are worth; without ``@k`` over the whole ranking.

    Range [0, ∞), higher is better. As ``nXCG`` it can exceed 1. Source: Kazai & Lalmas 2006 (not checked against it),
    with the gains of Kazai 2005, Eq. 6-9.
    """
    __name__ = 'GainR'
    NAME = __name__
    PRETTY_NAME = 'Gain-recall'
    SHORT_DESC = 'The gain of the top k elements, over that of the whole ideal recall base.'

    def compute(self, topic: RowTopic) -> float:
        best, gained = self._best(topic), self._gained(topic)
        return gained[-1] / best[-1] if best and gained else 0.0


GainR = register(_GainR())


class _MAep(_Gain):
    """Mean average effort-precision (MAep): effort-precision, averaged over the ranks at which the ranking gains.

    ``MAep = Σ_i (i_ideal / i) / max(n, |ideal|)``, the sum over the n ranks i that gain something, with i_ideal the
    first rank after which the ideal recall base has gained as much as the ranking after i; its last rank where the
    ranking has gained more than all of it. What is not retrieved counts as 0.

    Range [0, ∞), higher is better; 1 is the ideal ranking. Source: Kazai & Lalmas 2006 (not
    checked against it); the divisor is this project's choice. Where the full recall base is the ideal one, it is the
    number of relevant elements; else more elements than ideal ones may gain.
    """
    __name__ = 'MAep'
    NAME = __name__
    PRETTY_NAME = 'Mean Average effort-precision'
    SHORT_DESC = 'Effort-precision, averaged over the ranks at which the ranking gains.'

    def compute(self, topic: RowTopic) -> float:
        best, gained = self._best(topic), self._gained(topic)
        ranks = [rank for rank, gain in enumerate(gained, 1)
                 if not reached(gained[rank - 2] if rank > 1 else 0, gain)]
        total = sum(min(rank_of(best, gained[rank - 1]), len(best)) / rank for rank in ranks)
        return total / max(len(ranks), len(best)) if best else 0.0


MAep = register(_MAep())


class _iMAep(_Gain):
    """Interpolated mean average effort-precision (iMAep): effort-precision, averaged over levels of gain-recall.

    ``iMAep = (1/points) · Σ_i EffortP@x_i`` with ``x_i = i / points``, i = 1 … points.

    Range [0, ∞), higher is better; 1 is the ideal ranking. Source: Kazai & Lalmas 2006 (not checked against it).
    """
    __name__ = 'iMAep'
    NAME = __name__
    PRETTY_NAME = 'interpolated Mean Average effort-precision'
    SHORT_DESC = 'Effort-precision, averaged over equally spaced levels of gain-recall.'
    SUPPORTED_PARAMS = {
        'cutoff': CUTOFF,
        'points': Number('number of levels of gain-recall, up to 1', low=1, high=10001, whole=True, default=100),
        **_PARAMS,
    }

    def compute(self, topic: RowTopic) -> float:
        best, gained, points = self._best(topic), self._gained(topic), self['points']
        if not best:
            return 0.0
        return sum(effort(best, gained, i / points * best[-1]) for i in range(1, points + 1)) / points


iMAep = register(_iMAep())
