"""Cumulated gain for XML (XCG): Kazai, Lalmas, de Vries. The Overlap Problem in Content-Oriented XML Retrieval
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

Effort-precision, which compares ranks at equal gains, is in effort_precision.py. Tasks that want all relevant elements,
such as INEX' thorough retrieval of 2005 and 2006, take the full recall base as the ideal one, and overlap costs
nothing: ``ideal='full'`` with ``alpha=0``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, Choice, Number, register_measure, required
from ir_segmeasures.measures.elements.base import ElementMeasure
from ir_segmeasures.measures.elements.plain_queries import (
    PlainJudged,
    PlainRetrieved,
    ancestors,
    plain_judged,
    plain_retrieved,
)
from ir_segmeasures.measures.elements.quantisation import QUANT, SPECIFICITY, Worth, element_forest, worth
from ir_segmeasures.measures.elements.recall_base import IDEAL, OF_ROWS, ideal_base, ideal_rows
from ir_segmeasures.measures.elements.trees import Forest, Node, Seen
from ir_segmeasures.measures.rounding import reached
from ir_segmeasures.segments.arrays import Ints

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.row_topic import RowTopic
    from ir_segmeasures.evaluation.run_rows import JudgedRows, RunRows

__all__ = ['XCG', 'nXCG', 'MAnXCG', 'GainR']

GAIN_PARAMS: dict[str, Any] = {
    'quant': QUANT,
    'ideal': Choice(f"{IDEAL.desc}; or 'full', all elements that are worth something", *IDEAL.choices, 'full',
                    default=IDEAL.value),
    'alpha': Number('how much of its worth an element loses that has been seen', low=0, high=1, default=1),
    'specificity': SPECIFICITY,
}


def chosen_base(topic: RowTopic, quant: str, specificity: str, method: str) -> Worth:
    """The ideal recall base, or the full one."""
    if method == 'full':
        return topic.cached(worth, quant, specificity)
    return topic.cached(ideal_base, quant, specificity, method)


def cumulated_gains(topic: RowTopic, quant: str, specificity: str, method: str, alpha: float,
                    cutoff: int) -> list[float]:
    """The gain cumulated after each rank (Eq. 6), up to ``cutoff``.

    Raises:
        ValueError: an element was seen in part, and offsets that Eq. 8 needs are not known
    """
    found, worths = element_forest(topic, specificity, quant), topic.cached(worth, quant, specificity)
    values = _RelevanceValues(found, worths, alpha)
    left = dict(chosen_base(topic, quant, specificity, method))  # of the worth of each ideal element
    gains = list[float]()
    for node in found.ranking[:cutoff]:
        if node.parent is None and not node.parts and node not in worths:  # it gains nothing, and no other loses by it
            gains.append(0.0)
            continue
        gain = values.gain(node)
        nested = (node,) if method == 'full' else (node, *node.around())
        limit = next((around for around in nested if around in left), None)
        if limit is not None:
            gain = min(gain, left[limit])
            left[limit] -= gain
        gains.append(gain)
        values.seen.read(node)
    return list(accumulate(gains))


def gains_of_queries(run: RunRows, quant: str, specificity: str, method: str,
                     alpha: float) -> Sequence[list[float] | None]:
    """For each query, the gain cumulated after each rank; None where it is not plain, or for a method that needs trees.
    """
    if method not in OF_ROWS:
        return [None] * len(run.bounds)
    judged, retrieved = (run.judged.cached(plain_judged, specificity, quant),
                         run.cached(plain_retrieved, specificity, quant))
    ideal = run.judged.cached(ideal_rows, quant, specificity, method)
    q, seen = np.append(judged.worth, 0)[retrieved.judged], retrieved.new < retrieved.size
    gain = np.where(seen, (1 - alpha) * q, q) if alpha else q
    if alpha:
        in_part = np.flatnonzero(seen & (retrieved.new > 0))
        gain[in_part] += [alpha * inside for inside in _inside(run, judged, retrieved, alpha, in_part)]
    limit = np.where(ideal, np.arange(len(ideal)), -1)  # the ideal element that an element is or lies in
    if method != 'full':
        for at, around in ancestors(judged.parent, np.arange(len(ideal))):
            limit[at] = np.where((limit[at] < 0) & ideal[around], around, limit[at])
    limited = np.flatnonzero((gain > 0) & (np.append(limit, -1)[retrieved.judged] >= 0))
    left: dict[int, float] = {}
    for row, element in zip(limited.tolist(), limit[retrieved.judged[limited]].tolist()):
        rest = left.get(element, judged.worth[element])
        gain[row] = min(gain[row], rest)
        left[element] = rest - gain[row]
    gains = gain.tolist()
    return [[*accumulate(gains[low:high])] if plain else None for plain, (low, high) in zip(
        retrieved.is_plain.tolist(), run.bounds)]


def _inside(run: RunRows, judged: PlainJudged, retrieved: PlainRetrieved, alpha: float, in_part: Ints) -> list[float]:
    """For each row of plain queries that was seen in part before it, ``Σ rv(c_j)·|c_j| / |c|`` of Eq. 8."""
    keys = np.intersect1d(run.key[in_part], run.judged.key[judged.relevant])
    elements = np.flatnonzero(judged.relevant & np.isin(run.judged.key, keys))
    places = run.judged.place[elements]
    start = dict(zip(elements.tolist(), run.judged.table.start[places].tolist()))
    size = dict(zip(elements.tolist(), (run.judged.table.end[places] - run.judged.table.start[places]).tolist()))
    children: dict[Any, list[int]] = {}  # of each element, by its row, and of each document, by its key and None
    for element, parent, key in sorted(zip(elements.tolist(), judged.parent[elements].tolist(),
                                           run.judged.key[elements].tolist()), key=lambda one: start[one[0]]):
        children.setdefault(parent if parent >= 0 else (key, None), []).append(element)
    part = dict.fromkeys(elements.tolist(), 0.)  # how much of each has been seen in it and in elements inside it

    def value(element: int, row: int) -> float:
        q = float(judged.worth[element])
        if retrieved.covered[element] < row or reached(part[element], size[element]):
            return (1 - alpha) * q
        if not part[element]:
            return q
        return alpha * share(children.get(element, []), size[element], row) + (1 - alpha) * q

    def share(inside: list[int], of_size: float, row: int) -> float:
        return sum(value(element, row) * size[element] for element in inside) / of_size

    rows = np.flatnonzero(np.isin(run.key, keys) & (run.query >= 0))
    found = dict.fromkeys(in_part.tolist(), 0.)
    for row, key, near, first, length, new in zip(*(column[rows].tolist() for column in (
            np.arange(len(run.key)), run.key, retrieved.around, run.table.start, retrieved.size, retrieved.new))):
        if row in found:
            inside = children.get(near if near >= 0 else (key, None), [])
            if near < 0 or retrieved.judged[row] != near:
                low, high = (bisect_left(inside, at, key=start.__getitem__) for at in (first, first + length))
                inside = inside[low:high]
            found[row] = share(inside, length, row)
        while new and near >= 0:
            part[near] += new
            near = int(judged.parent[near])
    return [*found.values()]


class _RelevanceValues:
    """The relevance values of elements, rv (Eq. 7 and 8)."""

    def __init__(self, elements: Forest, worths: Worth, alpha: float):
        self._elements, self._worths, self._alpha = elements, worths, alpha
        self.seen = Seen()

    def gain(self, node: Node) -> float:
        """The relevance value of an element, with what has been seen until now."""
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
            inside = sum(self.gain(child) * child.size for child in node.parts) / node.size
        return self._alpha * inside + (1 - self._alpha) * q


def ideal_gains_of_queries(judged: JudgedRows, quant: str, specificity: str,
                           method: str) -> Sequence[list[float] | None]:
    """For each query, what :func:`ideal_gains` gives; None where it is not plain, or for a method that needs trees."""
    if method not in OF_ROWS:
        return [None] * len(judged.table.query_ids)
    judgements, ideal = (judged.cached(plain_judged, specificity, quant),
                         judged.cached(ideal_rows, quant, specificity, method))
    values = np.where(ideal, judgements.worth, 0).tolist()
    return [[*accumulate(sorted(filter(None, values[low:high]), reverse=True))] if plain else None
            for plain, (low, high) in zip(judgements.is_plain.tolist(), pairwise(judged.bounds))]


def ideal_gains(topic: RowTopic, quant: str, specificity: str, method: str) -> list[float]:
    """The gain of the ideal recall base after each rank, best elements first."""
    return list(accumulate(sorted(chosen_base(topic, quant, specificity, method).values(), reverse=True)))


class GainMeasure(ElementMeasure):
    """A measure of cumulated gain."""
    SUPPORTED_PARAMS: Any = {'cutoff': CUTOFF, **GAIN_PARAMS}

    @cached_property
    def _choices(self) -> tuple[str, str, str, float]:
        return self['quant'], self['specificity'], self['ideal'], self['alpha']

    def gains(self, topic: RowTopic) -> list[float]:
        """The gain cumulated after each rank, up to the cut-off."""
        gains, k = topic.computed_on_run(gains_of_queries, *self._choices), self._cutoff(topic)
        return topic.cached(cumulated_gains, *self._choices, k) if gains is None else gains[:k]

    def ideal_gains(self, topic: RowTopic) -> list[float]:
        """The gain of the ideal recall base after each rank."""
        gains = topic.computed_on_qrels(ideal_gains_of_queries, *self._choices[:-1])
        return topic.cached(ideal_gains, *self._choices[:-1]) if gains is None else gains

    def both_gains(self, topic: RowTopic) -> tuple[list[float], list[float]]:
        """The gains of the ideal recall base and those of the ranking; no gains where either gains nothing."""
        ideal, gains = self.ideal_gains(topic), self.gains(topic)
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
    PRETTY_NAME = 'Cumulated Gain for XML'
    SHORT_DESC = 'The quantised worth of the elements retrieved, less what has been seen before.'

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
    PRETTY_NAME = 'Normalised Cumulated Gain for XML'
    SHORT_DESC = 'The gain of the top k elements, over that of the k best elements of the ideal recall base.'

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
    PRETTY_NAME = 'Mean Average Normalised Cumulated Gain for XML'
    SHORT_DESC = 'The mean of nXCG over the ranks up to k.'
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
    PRETTY_NAME = 'Gain-recall'
    SHORT_DESC = 'The gain of the top k elements, over that of the whole ideal recall base.'

    def compute(self, topic: RowTopic) -> float:
        ideal, gains = self.both_gains(topic)
        return gains[-1] / ideal[-1] if gains else 0.0


GainR = register_measure(_GainR())
