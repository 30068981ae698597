"""Navigation models of PRUM: how the user looks around from an element of the list, and which units are in sight at
which rank.

Precision-recall with user modelling (PRUM): Piwowarski, Gallinari, Dupret, as Kazai. Notes on What to Measure in
INEX. INEX 2005 Workshop on Element Retrieval Methodology, appendix A.5, restates its idea: the probability that an
element of the list leads the user to a relevant unit not seen before, for a user who wants a share of the relevant
units and looks around from each element (Eq. 10). That text does not say how the authors estimate it; the estimators
and the navigation models here are this project's choices.

Section 6.2 works out two cases of Figure 1, where sec[6] is worth 1 and sec[4] .5. TR is the number of relevant
elements among the two: 1 or 2, each with probability .5. (In the text the two elements have changed places: "only
sec[4] is relevant", but by SOG sec[6] is certainly relevant.) TR = 1: the ideal and the full recall base have precision
1, the reversed ideal 1/2, and the leaves nearly 0, since all elements of the database may have to be inspected. TR = 2:
up to recall .5 the precisions are those of TR = 1. Beyond .5, the probability that sec[4] is relevant is still .5,
although it must be relevant, so that the second unit is searched in the whole database and precision is nearly 0. The
curves are the averages of both cases. It follows that

- whether a unit is relevant does not depend on TR, and precisions are averaged over TR;
- a user who has not found enough goes on through the rest of the collection;
- the user goes on until the *expected* number of units seen is the number wanted. If each user stopped as soon as
  enough is found, the reversed ideal would have 2/3: 1 element consulted with probability .5, 2 with .5, 1 / 1.5.

``PRUM(collection=N)`` computes this. Without ``collection``, each user stops when enough is found, or at the end of the
list, and knows which units are relevant. That user ranks the runs differently above recall .5, where sec[4] is wanted
as well if it is relevant: for a user who sees elements alone, sec[4] is the seventh element of the full recall base,
(.5·1 + .5·2) / (.5·1 + .5·7) = .375, whereas the reversed ideal has (.5·1 + .5·2) / (.5·2 + .5·2) = .75.
"""

from collections.abc import Callable, Sequence
from math import isnan

import numpy as np

from ir_segmeasures.measures.base import RowTopic, register_measure
from ir_segmeasures.measures.elements import base
from ir_segmeasures.measures.elements.prum_users import ExpectingUser, Sight, StoppingUser
from ir_segmeasures.measures.elements.recall_base import IDEAL, ideal_base
from ir_segmeasures.measures.elements.trees import Forest, Node
from ir_segmeasures.measures.parameters import CUTOFF, Number, recall_levels
from ir_segmeasures.measures.stops import lowest_reaching
from ir_segmeasures.segments.basics import quoted

__all__ = ['PRUM']

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
            if unit.start > position and unit.start - position >= lowest_reaching(tau):
                break
            position, seen[place] = unit.end, 1.
    return seen


NAVIGATION = base.NamedFunction('how the user looks around from an element', {
    'none': none, 'hierarchical': hierarchical, 't2i': t2i}, 'register_navigation', default='none')


def register_navigation(name: str, function: Navigation) -> None:
    """Let PRUM take a navigation model of your own by name: ``PRUM(navigation='mine')`` after
    ``register_navigation('mine', function)``.

    Measures carry only the name, in strings and to other processes: a process that computes them has to register the
    function itself, best in a module that it imports.

    Args:
        name: an identifier that this package does not use for a model; a name of your own may be given again
        function: (element, units) → for each unit the probability that the user sees it from the element; ``units`` are
            those of the element's document, in order. Elements have ``path``, ``start``, ``end``, ``size`` and
            ``contains(other)`` (:class:`ir_segmeasures.measures.elements.trees.Node`).

    Raises:
        ValueError: a name that cannot be taken
        TypeError: an object that is not a function

    Examples:
        >>> from ir_segmeasures import PRUM, register_navigation
        >>> register_navigation('same_path', lambda element, units: [float(unit is element) for unit in units])
        >>> PRUM(navigation='same_path')@0.5
        PRUM(navigation='same_path')@0.5
    """
    NAVIGATION.register(name, function)


def sights(topic: RowTopic, quant: str, specificity: str, method: str, navigation: str, tau: float,
           cutoff: int) -> list[Sight]:
    """The ranks up to ``cutoff`` from which units may be seen that have not been seen for certain. An element that is
    consulted again leads to nothing new. ValueError where a navigation model needs offsets that are not known.
    """
    found, places = base.element_forest(topic, specificity, quant), dict[str, list[int]]()
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


class _PRUM(base.ElementMeasure):
    """Precision-recall with user modelling: the probability that an element which the user consults leads to a relevant
    unit not seen before. The user wants the share l of the relevant units.

    ``PRUM@l = E[elements consulted that lead to a relevant unit not seen before] / E[elements consulted]``; without
    ``@l`` the mean over l = 0.01, 0.02, … 1.00. Units are the elements of the ideal recall base, each relevant with the
    probability of its quantised worth, independently; with TR of them relevant, the user goes down the list until
    ``⌈l·TR⌉`` are seen, or to its end. From an element the user sees by ``navigation``

    - ``none``: a unit only if it is the element itself,
    - ``hierarchical``: also the units inside it, and a unit around it with a probability that is the element's share of
      its size,
    - ``t2i``: the units on the way when the user reads from the start of the element until ``tau`` has been read
      outside units,

    or by a function that was given to ``register_navigation``. An element that is consulted again leads to nothing new.

    ``collection`` is the number of elements in the collection. With it, the user is the one of Kazai's section 6.2, and
    its two cases come out: ``Σ_t P(TR=t) · E[elements that lead to a unit wanted] / elements consulted / P(TR>0)``.
    This user goes on until ``⌈l·t⌉`` relevant units are expected to have been seen, each relevant with its worth
    whatever t is, if need be through the rest of the collection in random order. Then the full recall base is as good
    as the ideal one, and both are better than the reversed ideal and the leaves. Without ``collection``, a user who
    knows that both units are relevant has to go to rank 7 of the full recall base, (.5·1 + .5·2)/(.5·1 + .5·7) = .375,
    and to rank 2 of the reversed ideal, (.5·1 + .5·2)/(.5·2 + .5·2) = .75.

    Range [0, 1], higher is better. Offsets are needed by ``t2i``, and by ``hierarchical`` for elements inside units.
    Computed exactly, up to rounding, in a time that grows with sights · log(sights) · units and the number of levels.
    Source: Kazai 2005, Eq. 10, after Piwowarski et al. 2005. That text does not give its estimator and its navigation
    models, so these are this project's choices, and no default is official.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import PRUM
        >>> qrels = pd.DataFrame({'query_id': ['q'], 'doc_id': ['d#xpath=/a[1]/s[1]'], 'relevance': [1],
        ...                       'exhaustivity': [3], 'specificity': [3]})
        >>> run = {'q': {'d#xpath=/a[1]/s[2]': 2, 'd#xpath=/a[1]/s[1]': 1}}  # two consulted, one leads to the unit
        >>> (PRUM@1).calc_aggregate(qrels, run)
        0.5
    """
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': Number('share of the relevant units wanted; without it, the mean over 0.01, 0.02, … 1.00', above=0,
                         high=1), 'quant': base.QUANT, 'ideal': IDEAL, 'navigation': NAVIGATION,
        'tau': Number("how much the user of navigation='t2i' reads outside units, in the unit of the offsets", above=0),
        'specificity': base.SPECIFICITY, 'collection': Number(
            'how many elements the collection has, for a user who goes on through all of them', low=1, whole=True),
        'cutoff': CUTOFF}

    def check(self) -> None:
        super().check()
        if ('tau' in self.params) != (self['navigation'] == 't2i'):
            raise ValueError("PRUM has navigation='t2i' without tau: give how much the user reads outside units"
                             if self['navigation'] == 't2i' else f"PRUM has tau={quoted(self['tau'])} with navigation="
                                                                 f"{quoted(self['navigation'])}: only 't2i' takes it")

    def compute(self, topic: RowTopic) -> float:
        params, n = (self['quant'], self['specificity'], self['ideal']), self._cutoff(topic)
        levels, units = recall_levels(self), topic.cached(ideal_base, *params)
        seen: list[Sight] = topic.cached(sights, *params, self['navigation'], self.params.get('tau'), n)
        if 'collection' in self.params:
            user = self._expecting(topic, units, seen, n)
            return sum(map(user.precision, levels)) / len(levels)
        if not seen:
            return 0.0
        consulted, leading, last = np.zeros(len(levels)), np.zeros(len(levels)), 0
        ranks = [*(sight.rank for sight in seen), n]
        for rank, (wants, in_vain) in zip(ranks, StoppingUser([*units.values()], seen, levels).walk()):
            consulted += wants * (rank - last)
            leading += wants - in_vain
            last = rank
        return float(np.divide(leading, consulted, out=np.zeros(len(levels)), where=consulted > 0).mean())

    def _expecting(self, topic: RowTopic, units: base.Worth, seen: list[Sight], n: int) -> ExpectingUser:
        elements, size = self._forest(topic), self['collection']
        known = len({*elements.judged, *elements.ranking})
        if size < known:
            raise ValueError(f'query {quoted(topic.query_id)} has {known} elements that are judged or retrieved, but '
                             f'in {self} the whole collection has {size}: give the number of elements in the '
                             'collection')
        consulted = set(elements.ranking[:n])
        return ExpectingUser([*units.values()], seen, n, [unit in consulted for unit in units], size - len(consulted))


PRUM = register_measure(_PRUM())
