"""Navigation models of PRUM: how the user looks around from an element of the list, and which units are in sight at
which rank.
"""


from collections.abc import Callable, Sequence
from math import isnan
from typing import NamedTuple

from ir_segmeasures.measures.base import RowTopic
from ir_segmeasures.measures.elements.named_functions import NamedFunction
from ir_segmeasures.measures.elements.quantisation import element_forest
from ir_segmeasures.measures.elements.recall_base import ideal_base
from ir_segmeasures.measures.elements.trees import Forest, Node
from ir_segmeasures.measures.rounding import reached
from ir_segmeasures.segments.quoting import quoted

__all__ = ['NAVIGATION', 'Sight', 'register_navigation', 'sights']

# The element consulted, the units of its document in order → how probable it is that the user sees each.
Navigation = Callable[[Node, Sequence[Node]], Sequence[float]]


def none(element: Node, units: Sequence[Node]) -> list[float]:
    """The user sees only the element itself."""
    return [float(unit is element) for unit in units]


def hierarchical(element: Node, units: Sequence[Node]) -> list[float]:
    """The user sees the element, every unit inside it, and a unit around it with a probability that is the element's
    share of its size.
    """
    around = {*element.around()}
    return [element.size / unit.size if unit in around else float(unit is element or element.contains(unit))
            for unit in units]


def t2i(element: Node, units: Sequence[Node], tau: float) -> list[float]:
    """The user reads on from the start of the element until ``tau`` has been read outside units, and sees every unit on
    the way.
    """
    position, seen = element.start, [0.] * len(units)
    for place, unit in enumerate(units):
        if unit.end > position:
            if unit.start > position and reached(unit.start - position, tau):
                break
            position, seen[place] = unit.end, 1.
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
    certain, consulted, result = set[int](), set[Node](), []
    for rank, node in enumerate(found.ranking[:cutoff], 1):
        if node in consulted or node.document not in places:
            continue
        consulted.add(node)
        of_document = places[node.document]
        seen = _seen(found, node, [units[place] for place in of_document], navigation, tau)
        new = {place: p for place, p in zip(of_document, seen) if p > 0 and place not in certain}
        certain.update(place for place, p in new.items() if p == 1)
        if new:
            result.append(Sight(rank, new))
    return result


def _seen(elements: Forest, node: Node, units: list[Node], navigation: str, tau: float) -> list[float]:
    if navigation == 't2i':
        elements.check_offsets([*units, *([node] if isnan(node.start) else [])], 'and the user reads on from them')
        return t2i(node, units, tau)
    seen = NAVIGATION.functions[navigation](node, units)
    if navigation == 'hierarchical':
        elements.check_offsets([end for unit, p in zip(units, seen) if isnan(p) for end in (node, unit)],
                               'and a unit around an element is seen by their sizes')
    try:
        if len(seen) == len(units) and all(0 <= float(p) <= 1 for p in seen):
            return [*map(float, seen)]
    except (OverflowError, TypeError, ValueError):
        pass
    raise ValueError(f'the navigation {quoted(navigation)} gives {quoted(seen)} for {len(units)} units: it gives each '
                     'unit a probability from 0 to 1')
