"""
Precision-recall with user modelling (PRUM): Piwowarski, Gallinari, Dupret, as Kazai. Notes on What to Measure in INEX.
INEX 2005 Workshop on Element Retrieval Methodology, appendix A.5, restates its idea: the probability that an element of
the list leads the user to a relevant unit not seen before, for a user who wants a share of the relevant units and looks
around from each element (Eq. 10). How the authors estimate it is not given there; the estimator here is this project's
own, and so are the navigation models. No figure of theirs is reproduced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isnan, prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, Number, reached, recall_levels, register, round_down
from ir_segmeasures.measures.elements.base import ElementMeasure
from ir_segmeasures.measures.elements.functions import Function
from ir_segmeasures.measures.elements.quantisation import IDEAL, QUANT, SPECIFICITY, forest, ideal
from ir_segmeasures.measures.elements.trees import Forest, Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir_segmeasures.evaluation.row_topic import RowTopic

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
            ``contains(other)`` (:class:`ir_segmeasures.measures.elements.trees.Node`).

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


class _Joint(NamedTuple):
    """
    How probable it is that so many relevant units have been seen (rows) and so many not (columns), from the numbers
    ``seen`` and ``unseen`` on.
    """
    p: Floats
    seen: int
    unseen: int

    def grown(self, irrelevant: float, seen: float, unseen: float) -> _Joint:
        """With one more unit: it adds a row if it is relevant and seen, a column if it is relevant and not."""
        rows, columns = self.p.shape
        p = np.zeros((rows + (seen > 0), columns + (unseen > 0)))
        np.multiply(self.p, irrelevant, out=p[:rows, :columns])
        if seen:
            p[1:, :columns] += self.p * seen
        if unseen:
            p[:rows, 1:] += self.p * unseen
        return self._replace(p=p)

    def trimmed(self, negligible: float) -> _Joint:
        """Without the outer rows and columns that together are no more probable than this, on each of four sides."""
        rows, columns = self.p.sum(1), self.p.sum(0)
        (top, bottom), (left, right) = ((int((line.cumsum() <= negligible).sum()),
                                         len(line) - int((line[::-1].cumsum() <= negligible).sum()))
                                        for line in (rows, columns))
        return _Joint(self.p[top:bottom, left:right], self.seen + top, self.unseen + left)


class _User:
    """
    How probable it is that the user wants to see more, rank by rank. Units are relevant independently.

    Args:
        worths: the probability of each unit to be relevant
        in_sight: what may be seen, by rank
        levels: the shares of the relevant units that the user may want
    """

    def __init__(self, worths: list[float], in_sight: list[Sight], levels: list[float]):
        self._worths, self._sights = worths, in_sight
        # With a relevant units seen, the user wants more if so many are unseen: a < l·(a + b), or b > a·(1 - l)/l.
        self._need = np.array([[round_down(a * (1 - level) / level) + 1 for a in range(len(worths) + 1)]
                               for level in levels], np.intp)
        self._seen = [0.] * len(worths)  # how probable it is that each unit has been seen
        # What cannot be noticed: the elements consulted are no fewer than the probability that anything is relevant.
        self._negligible = 1e-25 * -float(np.expm1(np.log1p(-np.minimum(worths, 1 - 1e-16)).sum()))

    def walk(self) -> Iterator[tuple[Floats, Floats]]:
        """
        For each sight, and once more after the last, for each level: how probable it is that the user wants to see
        more, and that this is so and nothing relevant is in sight.
        """
        sights = [*self._sights, Sight(0, {})]
        if all(p == 1 for sight in sights for p in sight.units.values()):
            return self._certain(sights)
        return self._perhaps(sights, _Joint(np.ones((1, 1)), 0, 0), range(len(self._worths)))

    def _certain(self, sights: list[Sight]) -> Iterator[tuple[Floats, Floats]]:
        """Where a unit has been seen or it has not, how many are relevant of both kinds is independent."""
        order = [place for sight in sights for place in sight.units]
        pmf = np.ones(1)
        for place in set(range(len(self._worths))).difference(order):
            pmf = self._one_more(pmf, place)
        tails = {len(order): _at_least(pmf)}  # of the units that come after so many of order
        for i in range(len(order) - 1, -1, -1):
            pmf = self._one_more(pmf, order[i])
            tails[i] = _at_least(pmf)
        i, pmf = 0, np.ones(1)
        for sight in sights:
            now, then = (tail[np.minimum(self._need[:, :len(pmf)], len(tail) - 1)] @ pmf
                         for tail in (tails[i], tails[i + len(sight.units)]))
            yield now, then * prod(1 - self._worths[place] for place in sight.units)
            for place in sight.units:
                pmf = self._one_more(pmf, place)
            i += len(sight.units)

    def _one_more(self, pmf: Floats, place: int) -> Floats:
        return np.convolve(pmf, [1 - self._worths[place], self._worths[place]])

    def _perhaps(self, sights: list[Sight], joint: _Joint, others: Iterable[int]) -> Iterator[tuple[Floats, Floats]]:
        """
        The same for any sights, of which ``joint`` has all units but ``others``.

        Sights are halved until one is left, and what is in none of a half's sights goes into its joint first: so no
        unit is ever taken out of a joint, by a division that would lose digits.
        """
        open = {place for sight in sights for place in sight.units}
        for place in others:
            if place not in open:
                joint = self._with(joint, place, 0)
        joint = joint.trimmed(self._negligible)
        if len(sights) > 1:
            half = len(sights) // 2
            yield from self._perhaps(sights[:half], joint, open)
            yield from self._perhaps(sights[half:], joint, open)
            return
        now = then = joint
        for place, p in sights[0].units.items():
            now, then = self._with(now, place, 0), self._with(then, place, p)
        yield self._wants(now), self._wants(then)
        for place, p in sights[0].units.items():
            self._seen[place] += (1 - self._seen[place]) * p

    def _with(self, joint: _Joint, place: int, p: float) -> _Joint:
        """With one more unit, if it is not both relevant and in sight for the first time, by probability ``p``."""
        q, seen = self._worths[place], self._seen[place]
        return joint.grown(1 - q, q * seen, q * (1 - seen) * (1 - p))

    def _wants(self, joint: _Joint) -> Floats:
        rows, columns = joint.p.shape
        tails = np.zeros((rows, columns + 1))  # [a, b]: how probable it is that a have been seen and b or more have not
        tails[:, :columns] = joint.p[:, ::-1].cumsum(1)[:, ::-1]
        need = self._need[:, joint.seen:joint.seen + rows] - joint.unseen
        return tails[np.arange(rows), np.clip(need, 0, columns)].sum(1)


def _at_least(pmf: Floats) -> Floats:
    """[m]: how probable m or more are, up to a last 0."""
    return np.append(pmf[::-1].cumsum()[::-1], 0)


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
    Computed exactly, up to rounding. Where units may be seen with a probability below 1 (``hierarchical``), the time
    grows with sights · log(sights) · units, else with sights · units, and with the number of levels.
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
        levels = recall_levels(self)
        consulted, leading, last = np.zeros(len(levels)), np.zeros(len(levels)), 0
        ranks = [*(sight.rank for sight in seen), n]
        for rank, (wants, in_vain) in zip(ranks, _User(worths, seen, levels).walk()):
            consulted += wants * (rank - last)
            leading += wants - in_vain
            last = rank
        return float(np.divide(leading, consulted, out=np.zeros(len(levels)), where=consulted > 0).mean())


PRUM = register(_PRUM())
