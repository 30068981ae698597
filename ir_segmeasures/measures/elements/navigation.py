"""Navigation models of PRUM: how the user looks around from an element of the list, and which units are in sight at
which rank.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.elements.named_functions import NamedFunction
from ir_segmeasures.measures.elements.plain_queries import plain_judged, plain_retrieved
from ir_segmeasures.measures.elements.quantisation import element_forest
from ir_segmeasures.measures.elements.recall_base import OF_ROWS, ideal_base, ideal_rows
from ir_segmeasures.measures.elements.trees import Forest, Node
from ir_segmeasures.measures.rounding import reached
from ir_segmeasures.segments.arrays import Ints
from ir_segmeasures.segments.quoting import quoted

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.row_topic import RowTopic
    from ir_segmeasures.evaluation.run_rows import RunRows

__all__ = ['NAVIGATION', 'Sight', 'register_navigation', 'sights', 'sights_of_queries']

# The element consulted, the units of its document in order → how probable it is that the user sees each.
Navigation = Callable[[Node, Sequence[Node]], Sequence[float]]


class Units:
    """The units of a document, in order, prepared so that the units in sight are found without a look at all of them.

    Attributes:
        listed: the units
        place: where each stands
    """

    def __init__(self, listed: list[Node]):
        self.listed = listed
        self.place = {unit: place for place, unit in enumerate(listed)}
        self.passed = set[int]()  # from which the user of t2i has read on

    @cached_property
    def inside(self) -> dict[Node, list[int]]:
        """The places of the units in each element that has some, itself among them."""
        inside: dict[Node, list[int]] = {}
        for place, unit in enumerate(self.listed):
            for node in (unit, *unit.around()):
                inside.setdefault(node, []).append(place)
        return inside

    @cached_property
    def reach(self) -> list[float]:
        """How far each unit and those before it reach."""
        return list(accumulate((unit.end for unit in self.listed), max))


def none(element: Node, units: Units) -> dict[int, float]:
    """The user sees only the element itself."""
    return {units.place[element]: 1.} if element in units.place else {}


def hierarchical(element: Node, units: Units) -> dict[int, float]:
    """The user sees the element, every unit inside it, and a unit around it with a probability that is the element's
    share of its size.
    """
    seen = dict.fromkeys(units.inside.get(element, []), 1.)
    seen |= {units.place[node]: element.size / node.size for node in element.around() if node in units.place}
    return dict(sorted(seen.items()))


def t2i(element: Node, units: Units, tau: float) -> dict[int, float]:
    """The user reads on from the start of the element until ``tau`` has been read outside units, and sees every unit on
    the way. Units from which this user has read on before are left out, and so is what is seen from there.
    """
    position, seen = element.start, dict[int, float]()
    place = bisect_right(units.reach, position)  # the first unit that ends after it
    while place < len(units.reach) and place not in units.passed:
        gap = units.listed[place].start - position
        if gap > 0 and reached(gap, tau):
            break
        position, seen[place] = units.listed[place].end, 1.
        units.passed.add(place)
        place = bisect_right(units.reach, position, place)
    return seen


NAVIGATION = NamedFunction('how the user looks around from an element', {
    'none': none, 'hierarchical': hierarchical, 't2i': t2i}, 'register_navigation', default='none')


def register_navigation(name: str, function: Navigation) -> None:
    """Let PRUM take a navigation model of your own by name: ``PRUM(navigation='mine')`` after
    ``register_navigation('mine', function)``.

    Measures carry only the name, in strings and to other processes: a process that computes them has to register the
    function itself, best in a module that it imports.

    Args:
        name: an identifier, and no name of a model of this package; a name of your own may be given again
        function: (element, units) → for each unit the probability that the user sees it from the element; ``units`` are
            those of the element's document, in order. Elements have ``path``, ``start``, ``end``, ``size`` and
            ``contains(other)`` (:class:`ir_segmeasures.measures.elements.trees.Node`).

    Raises:
        ValueError: a name that cannot be taken
        TypeError: no function

    Examples:
        >>> from ir_segmeasures import PRUM, register_navigation
        >>> register_navigation('same_path', lambda element, units: [float(unit is element) for unit in units])
        >>> PRUM(navigation='same_path')@0.5
        PRUM(navigation='same_path')@0.5
    """
    NAVIGATION.register(name, function)


class Sight(NamedTuple):
    """The units that the user may see at a rank (from 1) for the first time: places, with probabilities above 0."""
    rank: int
    units: dict[int, float]


def sights(topic: RowTopic, quant: str, specificity: str, method: str, navigation: str, tau: float,
           cutoff: int) -> list[Sight]:
    """The ranks up to ``cutoff`` from which units may be seen that have not been seen for certain. An element that is
    consulted again leads to nothing new. ValueError where a navigation model needs offsets that are not known.
    """
    found, places = element_forest(topic, specificity, quant), dict[str, list[int]]()
    units = list(topic.cached(ideal_base, quant, specificity, method))
    for place in sorted(range(len(units)), key=lambda place: units[place].start if units[place].known else 0):
        places.setdefault(units[place].document, []).append(place)
    documents = {document: Units([units[place] for place in inside]) for document, inside in places.items()}
    certain, result = set[int](), []
    first: dict[Node, int] = {}
    for rank, node in enumerate(found.ranking[:cutoff], 1):
        if first.setdefault(node, rank) == rank and node.document in places:
            seen = _seen(found, node, documents[node.document], navigation, tau).items()
            new = {place: p for place, p in ((places[node.document][i], p) for i, p in seen)
                   if p > 0 and place not in certain}
            certain.update(place for place, p in new.items() if p == 1)
            if new:
                result.append(Sight(rank, new))
    return result


def sights_of_queries(run: RunRows, quant: str, specificity: str,
                      method: str) -> Sequence[tuple[list[float], list[Sight]] | None]:
    """For each query, the worth of its units and what :func:`sights` gives for ``navigation='none'``; None where it is
    not plain, or for a method that needs trees."""
    if method not in OF_ROWS:
        return [None] * len(run.bounds)
    judged, retrieved = run.judged, run.cached(plain_retrieved, specificity, quant)
    worth = judged.cached(plain_judged, specificity, quant).worth
    is_unit = judged.cached(ideal_rows, quant, specificity, method)
    place: Ints = np.cumsum(is_unit) - is_unit  # of a unit among all units
    bounds = np.append(place, is_unit.sum())[judged.bounds].tolist()
    rows = retrieved.first_rows()
    rows = rows[is_unit[retrieved.judged[rows]]]
    seen: list[list[Sight]] = [[] for _ in run.bounds]
    for query, rank, unit in zip(*(column.tolist() for column in (
            run.query[rows], run.rank[rows], place[retrieved.judged[rows]]))):
        seen[query].append(Sight(rank, {unit - bounds[query]: 1.}))
    worths = worth[is_unit].tolist()
    return [(worths[begin:end], of_query) if plain else None for plain, (begin, end), of_query in zip(
        retrieved.is_plain.tolist(), pairwise(bounds), seen)]


def _seen(elements: Forest, node: Node, units: Units, navigation: str, tau: float) -> dict[int, float]:
    if navigation == 't2i':
        nodes = [] if units.passed else units.listed
        elements.check_offsets([*nodes, *([node] if isnan(node.start) else [])], 'and the user reads on from them')
        return t2i(node, units, tau)
    if navigation == 'hierarchical':
        found = hierarchical(node, units)
        elements.check_offsets([end for place, p in found.items() if isnan(p) for end in (node, units.listed[place])],
                               'and a unit around an element is seen by their sizes')
        return found
    if navigation == 'none':
        return none(node, units)
    seen = NAVIGATION.functions[navigation](node, units.listed)
    try:
        if len(seen) == len(units.listed) and all(0 <= float(p) <= 1 for p in seen):
            return dict(enumerate(map(float, seen)))
    except (OverflowError, TypeError, ValueError):
        pass
    raise ValueError(f'the navigation {quoted(navigation)} gives {quoted(seen)} for {len(units.listed)} units: it '
                     'gives each unit a probability from 0 to 1')
