"""Gains of cumulated gain for XML, by Eq. 6 to 9, which xcg.py has in words: those of a ranking and of the ideal recall
base, query by query in trees and for all plain queries at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.measures.elements.plain_queries import (
    PlainJudged,
    PlainRetrieved,
    ancestors,
    plain_judged,
    plain_retrieved,
)
from ir_segmeasures.measures.elements.quantisation import Worth, element_forest, worth
from ir_segmeasures.measures.elements.recall_base import OF_ROWS, ideal_base, ideal_rows
from ir_segmeasures.measures.elements.trees import Forest, Node, Seen
from ir_segmeasures.measures.rounding import reached
from ir_segmeasures.segments.arrays import Ints

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.row_topic import RowTopic
    from ir_segmeasures.evaluation.run_rows import JudgedRows, RunRows

__all__ = ['cumulated_gains', 'gains_of_queries', 'ideal_gains', 'ideal_gains_of_queries']


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
    limit = np.where(ideal, np.arange(len(ideal)), -1)  # the ideal element that a relevant element is or lies in
    if method != 'full':
        for at, around in ancestors(judged.parent, np.arange(len(ideal))):
            limit[at] = np.where((limit[at] < 0) & ideal[around], around, limit[at])
    limit = np.append(limit, -1)[retrieved.judged if method == 'full' else retrieved.around]  # of each row
    limited = np.flatnonzero((gain > 0) & (limit >= 0))
    left: dict[int, float] = {}
    for row, element in zip(limited.tolist(), limit[limited].tolist()):
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
