"""
Precision-recall with user modelling (PRUM): Piwowarski, Gallinari, Dupret, as Kazai. Notes on What to Measure in INEX.
INEX 2005 Workshop on Element Retrieval Methodology, appendix A.5, restates its idea: the probability that an element of
the list leads the user to a relevant unit not seen before, for a user who wants a share of the relevant units and looks
around from each element (Eq. 10). How the authors estimate it is not given there; the estimator here is this project's
own, and so are the navigation models. No figure of theirs is reproduced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from ir_measures import measures

from ir_segmeasures.measures.base import CUTOFF, Number, reached, round_down
from ir_segmeasures.measures.elements import ElementMeasure
from ir_segmeasures.measures.functions import Function
from ir_segmeasures.measures.quantisation import IDEAL, QUANT, SPECIFICITY, forest, ideal
from ir_segmeasures.measures.trees import Forest, Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir_segmeasures.rows import RowTopic

    Floats = NDArray[np.float64]

__all__ = ['PRUM', 'register_navigation']

# The element consulted, the units of its document in order → how probable it is that the user sees each.
Navigation = Callable[[Node, Sequence[Node]], Sequence[float]]


def none(element: Node, units: Sequence[Node]) -> list[float]:
    """The user sees only the element itself."""
    return [float(unit is element) for unit in units]


def hierarchical(element: Node, units: Sequence[Node]) -> list[float]:
    """
    The user sees the element, every unit inside it, and a unit around it with a probability that is the element's share
    of its size.
    """
    return [1. if unit is element or element.contains(unit) else
            element.size / unit.size if unit.contains(element) else 0. for unit in units]


def t2i(element: Node, units: Sequence[Node], tau: float) -> list[float]:
    """
    The user reads on from the start of the element until ``tau`` has been read outside units, and sees every unit on
    the way.
    """
    position, seen = element.start, [0.] * len(units)
    for i, unit in enumerate(units):
        gap = unit.start - position
        if gap > 0 and reached(gap, tau):
            break
        if unit.end > position:
            position, seen[i] = unit.end, 1.
    return seen


NAVIGATION = Function('how the user looks around from an element', {'none': none, 'hierarchical': hierarchical,
                                                                    't2i': t2i}, 'register_navigation', default='none')


def register_navigation(name: str, function: Navigation) -> None:
    """
    Let PRUM take a navigation model of your own by name: ``PRUM(navigation='mine')`` after
    ``register_navigation('mine', function)``.

    Measures carry only the name, in strings and to other processes: a process that computes them has to register the
    function itself, best in a module that it imports.

    Args:
        name: an identifier, none of those that are here; a name of your own may be given again
        function: (element, units) → for each unit the probability that the user sees it from the element; ``units`` are
            those of the element's document, in order. Elements have ``path``, ``start``, ``end``, ``size`` and
            ``contains(other)`` (:class:`ir_segmeasures.measures.trees.Node`).

    Raises:
        ValueError: a name that cannot be taken
        TypeError: no function
    """
    NAVIGATION.register(name, function)


class Sight(NamedTuple):
    """What the user may see at a rank (from 1) for the first time: places of units, with probabilities above 0."""
    rank: int
    units: dict[int, float]


def sights(topic: RowTopic, quant: str, specificity: str, method: str, navigation: str, tau: float,
           cutoff: int) -> list[Sight]:
    """
    The ranks up to ``cutoff`` from which units may be seen that have not been seen for certain. An element that is
    consulted again leads to nothing new. ValueError where a navigation model needs offsets that are not known.
    """
    elements, places = topic.once(forest, specificity), dict[str, list[int]]()
    units = list(topic.once(ideal, quant, specificity, method))
    for place in sorted(range(len(units)), key=lambda place: units[place].start if units[place].known else 0):
        places.setdefault(units[place].document, []).append(place)
    certain, result = set[int](), []
    first: dict[Node, int] = {}
    for rank, node in enumerate(elements.ranking[:cutoff], 1):
        if first.setdefault(node, rank) == rank and node.document in places:
            seen = _seen(elements, node, [units[place] for place in places[node.document]], navigation, tau)
            new = {place: p for place, p in zip(places[node.document], seen) if p > 0 and place not in certain}
            certain.update(place for place, p in new.items() if p == 1)
            if new:
                result.append(Sight(rank, new))
    return result


def _seen(elements: Forest, node: Node, units: list[Node], navigation: str, tau: float) -> list[float]:
    look = NAVIGATION.functions[navigation]
    if navigation == 't2i':
        elements.check_offsets([*units, *([node] if isnan(node.start) else [])], 'and the user reads on from them')
        return t2i(node, units, tau)
    seen = look(node, units)
    if navigation == 'hierarchical':
        elements.check_offsets([end for unit, p in zip(units, seen) if isnan(p) for end in (node, unit)],
                               'and a unit around an element is seen by their sizes')
    try:
        if len(seen) == len(units) and all(0 <= float(p) <= 1 for p in seen):
            return list(map(float, seen))
    except (TypeError, ValueError):
        pass
    raise ValueError(f'the navigation {navigation!r} gives {seen!r} for {len(units)} units: it gives each unit a '
                     'probability from 0 to 1')


class _User:
    """
    How many relevant units the user has seen, of how many, as probabilities. Units are relevant independently.

    Args:
        worths: the probability of each unit to be relevant
        order: the units by the rank from which they may first be seen
        levels: the shares of the relevant units that the user may want
    """

    def __init__(self, worths: list[float], order: list[int], levels: list[float]):
        self._worths, self._order = worths, order
        self._touched = 0  # units in order that may have been seen
        self._certain: Floats = np.ones(1)  # how probable it is that so many of those seen for certain are relevant
        self._maybe: dict[int, float] = {}  # place → probability, for units that may have been seen and may not
        # tails[i][m]: how probable it is that at least m of order[i:] are relevant
        pmf, self._tails = np.ones(1), [np.array([1., 0.])]
        for place in reversed(order):
            pmf = _grow(pmf[:, None], 1 - worths[place], worths[place], 0)[:, 0]
            self._tails.append(np.append(np.cumsum(pmf[::-1])[::-1], 0))
        self._tails.reverse()
        # With a relevant units seen, the user wants more if so many are unseen: a < l·(a + b), or b > a·(1 - l)/l.
        self._need = np.array([[round_down(a * (1 - level) / level) + 1 for a in range(len(order) + 1)]
                               for level in levels], np.intp)

    def wants(self, sight: Mapping[int, float]) -> Floats:
        """
        For each level, how probable it is that the user wants to see more and that nothing relevant is in sight: the
        probabilities of units to be seen now.
        """
        touched = self._touched + sum(place not in self._maybe for place in sight)
        joint = self._certain[:, None]  # rows: relevant units seen; columns: those not seen but touched
        for place in (*self._maybe, *self._order[self._touched:touched]):
            q, before = self._worths[place], self._maybe.get(place, 0)
            joint = _grow(joint, 1 - q, q * before, q * (1 - before) * (1 - sight.get(place, 0)))
        tail, need = self._tails[touched], self._need[:, :len(joint)]
        wants = np.zeros(len(need))
        for b in range(joint.shape[1]):
            wants += tail[np.clip(need - b, 0, len(tail) - 1)] @ joint[:, b]
        return wants

    def see(self, sight: Mapping[int, float]) -> None:
        """Let the user see units with these probabilities."""
        for place, p in sight.items():
            self._touched += place not in self._maybe
            before = self._maybe.pop(place, 0)
            if p == 1:
                q = self._worths[place]
                self._certain = _grow(self._certain[:, None], 1 - q, q, 0)[:, 0]
            else:
                self._maybe[place] = before + (1 - before) * p


def _grow(joint: Floats, irrelevant: float, seen: float, unseen: float) -> Floats:
    """One more unit: it adds a row if it is relevant and seen, a column if it is relevant and not."""
    rows, columns = joint.shape
    grown = np.zeros((rows + (seen > 0), columns + (unseen > 0)))
    grown[:rows, :columns] = joint * irrelevant
    if seen:
        grown[1:, :columns] += joint * seen
    if unseen:
        grown[:rows, 1:] += joint * unseen
    return grown


class _PRUM(ElementMeasure):
    """
    Precision-recall with user modelling: the probability that an element which the user consults leads to a relevant
    unit not seen before, for a user who wants the share l of the relevant units.

    ``PRUM@l = E[elements consulted that lead to a relevant unit not seen before] / E[elements consulted]``; without
    ``@l`` the mean over l = 0.01, 0.02, … 1.00. Units are the elements of the ideal recall base, each relevant with the
    probability of its quantised worth, independently; with TR of them relevant, the user goes down the list until
    ``⌈l·TR⌉`` are seen, or to its end. From an element the user sees by ``navigation``

    - ``none``: a unit only if it is the element itself,
    - ``hierarchical``: also the units inside it, and a unit around it with a probability that is the element's share of
      its size,
    - ``t2i``: the units that are met on reading from the start of the element until ``tau`` has been read outside
      units,

    or what a function says that was given to ``register_navigation``. An element that is consulted again leads to
    nothing new.

    Range [0, 1], higher is better. Offsets are needed by ``t2i``, and by ``hierarchical`` for elements inside units.
    Source: Kazai 2005, Eq. 10, after Piwowarski et al. 2005. The estimator and the navigation models are this project's
    choices, since their own are not given there; so none of the defaults is official.
    """
    __name__ = 'PRUM'
    NAME = __name__
    PRETTY_NAME = 'Precision-Recall with User Modelling'
    SHORT_DESC = 'The probability that an element leads the user to a relevant unit not seen before.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': Number('share of the relevant units wanted; without it, the mean over 0.01, 0.02, … 1.00', above=0,
                         high=1),
        'quant': QUANT,
        'ideal': IDEAL,
        'navigation': NAVIGATION,
        'tau': Number("how much the user of navigation='t2i' reads outside units, in the unit of the offsets", above=0),
        'specificity': SPECIFICITY,
        'cutoff': CUTOFF,
    }

    def check(self) -> None:
        super().check()
        if ('tau' in self.params) != (self['navigation'] == 't2i'):
            raise ValueError("PRUM has navigation='t2i' without tau: give how much the user reads outside units"
                             if self['navigation'] == 't2i' else f"PRUM has tau={self['tau']!r} with navigation="
                                                                 f"{self['navigation']!r}: only 't2i' takes it")

    def compute(self, topic: RowTopic) -> float:
        params = [self[name] for name in ('quant', 'specificity', 'ideal')]
        worths, n = list(topic.once(ideal, *params).values()), self._cutoff(topic)
        seen = topic.once(sights, *params, self['navigation'], self.params.get('tau'), n)
        levels = [self['recall']] if 'recall' in self.params else [i / 100 for i in range(1, 101)]
        # In the order of first sight; what the user cannot see comes last.
        order = dict.fromkeys([*(place for sight in seen for place in sight.units), *range(len(worths))])
        user, last = _User(worths, list(order), levels), 0
        consulted, leading = np.zeros(len(levels)), np.zeros(len(levels))
        for rank, units in seen:
            wants = user.wants({})
            consulted += wants * (rank - last)
            leading += wants - user.wants(units)
            user.see(units)
            last = rank
        consulted += user.wants({}) * (n - last)
        return float(np.divide(leading, consulted, out=np.zeros(len(levels)), where=consulted > 0).mean())


PRUM = _PRUM()
measures.register(PRUM)
