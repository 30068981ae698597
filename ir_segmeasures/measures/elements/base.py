"""The parts that all measures of XML elements share: functions chosen by name, quantisations, and the base class.

Parameters whose values are names of functions, so that the string of a measure can name a function of the user.

Quantisations, which map the exhaustivity and the specificity of an element to its worth. Kazai. Notes on What to
Measure in INEX. INEX 2005 Workshop on Element Retrieval Methodology, sections 3, 6.1 and A.1.

The worth of an element with exhaustivity e and specificity s is a number from 0 to 1. A quantisation is applied to
relevant elements only (e > 0 and s > 0); all other elements are worth 0. ``strict``, ``gen`` and ``sog`` are for grades
from 0 to 3; ``product`` is ``e/3 · s`` for a specificity from 0 to 1, and takes ``s/3`` for grades; ``binary`` is 1 for
every relevant element, on either scale.

The quantisations of INEX 2005 are for an exhaustivity from 0 to 2 and a specificity from 0 to 1: ``strict2005`` is 1
for (2, 1) and else 0, ``gen2005`` is ``e·s`` over its greatest value, 2, ``lifted2005`` is ``(e + 1)·s`` over 3. For
``lifted2005``, elements that are too small to judge (e = 0 and s > 0) are relevant as well. No source was at hand for
these three: Kazai & Lalmas. INEX 2005 Evaluation Measures. LNCS 3977, 2006, defines them, and they are not checked
against it. The divisors are this project's choice: gains over those of an ideal list do not depend on them.

The base of the measures of judged elements.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ir_segmeasures.measures.base import RowMeasure, RowTopic
from ir_segmeasures.measures.elements.trees import Forest, Node
from ir_segmeasures.measures.parameters import Choice, Param
from ir_segmeasures.segments.basics import quoted


class NamedFunction(Param):
    """A parameter that takes the name of a function, of this package or one that was registered.

    Args:
        functions: name → function of this package
        aliases: other name → name
        register: the name of the function that registers other functions
    """

    def __init__(self, desc: str, functions: Mapping[str, Callable[..., Any]], register: str,
                 aliases: Mapping[str, str] | None = None, **settings: Any):
        self.functions, self.aliases = dict(functions), dict(aliases or {})
        self._here = (*self.functions, *self.aliases)
        super().__init__(desc, dtype=str, choices=self.functions, **settings)
        self.rule = f'{", ".join(map(repr, self._here))}, or a name given to {register}() in this process'

    def validate(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.functions

    def register(self, name: str, function: Callable[..., Any]) -> None:
        """Let ``name`` stand for ``function``; a registered name may be given to another function.

        Raises:
            ValueError: a name that no string of a measure can hold, or that a function of this package has
            TypeError: an object that is not a function
        """
        if not isinstance(name, str) or not name.isidentifier() or name in self._here:
            raise ValueError(f'{quoted(name)} cannot be the name of a function here: take letters, digits and _, and '
                             f'none of {", ".join(map(repr, self._here))}')
        if not callable(function):
            raise TypeError(f'{quoted(function)} is not a function: give the name {quoted(name)} to one')
        self.functions[name] = function


Worth = dict[Node, float]  # of the elements that are worth more than 0

_GEN = {(3, 3): 1, (2, 3): .75, (1, 3): .5, (3, 2): .75, (2, 2): .5, (1, 2): .25, (3, 1): .75, (2, 1): .5, (1, 1): .25}
_SOG = {(3, 3): 1, (2, 3): .9, (1, 3): .75, (3, 2): .75, (2, 2): .5, (1, 2): .25, (3, 1): .25, (2, 1): .1, (1, 1): .1}
_QUANTISATIONS: dict[str, Callable[[float, float], float]] = {
    'strict': lambda e, s: float((e, s) == (3, 3)),
    'gen': lambda e, s: _GEN[int(e), int(s)],
    'sog': lambda e, s: _SOG[int(e), int(s)],
    'product': lambda e, s: e / 3 * s,
    'binary': lambda e, s: 1.,
    'strict2005': lambda e, s: float((e, s) == (2, 1)),
    'gen2005': lambda e, s: e * s / 2,
    'lifted2005': lambda e, s: (e + 1) * s / 3,
}
OF_GRADES = ('strict', 'gen', 'sog')
OF_2005 = ('strict2005', 'gen2005', 'lifted2005')
QUANT = NamedFunction('quantisation: the worth of an element, from its exhaustivity and specificity', _QUANTISATIONS,
                      'register_quantisation', {'so': 'product'}, default='sog')
SPECIFICITY = Choice("scale of the specificity: grades from 0 to 3 ('grades'), or the share of an element's content "
                     "that is relevant, from 0 to 1 ('share')", 'grades', 'share', default='grades')


def register_quantisation(name: str, function: Callable[[float, float], float]) -> None:
    """Let measures take a quantisation of your own by name: ``XCG(quant='mine')@10`` after
    ``register_quantisation('mine', function)``.

    Measures carry only the name, in strings and to other processes: a process that computes them has to register the
    function itself, best in a module that it imports.

    Args:
        name: an identifier that this package does not use for a quantisation; a name of your own may be given again
        function: (exhaustivity, specificity) → worth from 0 to 1, for exhaustivity from 1 to 3 and specificity > 0 on
            the scale of the judgements

    Raises:
        ValueError: a name that cannot be taken
        TypeError: an object that is not a function

    Examples:
        >>> from ir_segmeasures import XCG, register_quantisation
        >>> register_quantisation('halved', lambda e, s: e * s / 9 / 2)
        >>> XCG(quant='halved')@10
        XCG(quant='halved')@10
    """
    QUANT.register(name, function)


def as_share(s: Any, specificity: str) -> Any:
    """A specificity as a share, from 0 to 1."""
    return s / 3 if specificity == 'grades' else s


def element_forest(topic: RowTopic, specificity: str, quant: str | None = None) -> Forest:
    """The elements of a query in their trees; the quantisation says which of them are relevant."""
    return topic.cached(Forest, specificity == 'grades', quant == 'lifted2005')


def value_of_grades(quant: str, specificity: str, e: float, s: float) -> float:
    """The worth of a relevant element, from its exhaustivity and its specificity as judged.

    Raises:
        ValueError: the quantisation gives no number from 0 to 1
    """
    s = as_share(s, specificity) if quant == 'product' else s
    value = QUANT.functions[quant](e, s)
    try:
        if not 0 <= float(value) <= 1:
            raise ValueError
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f'the quantisation {quoted(quant)} gives {quoted(value)} for exhaustivity {e:.12g} and '
                         f'specificity {s:.12g}: it gives a number from 0 to 1') from None
    return float(value)


def worth(topic: RowTopic, quant: str, specificity: str) -> Worth:
    """The worth of the judged elements, where it is above 0, in the order of the judgements."""
    worths, found = Worth(), element_forest(topic, specificity, quant)
    for node in found.judged:
        if quant in OF_2005 and node.exhaustivity > 2:
            raise node.error(f'the exhaustivity is {node.exhaustivity:.12g}, but in 2005 it was from 0 to 2: '
                             "take another quantisation, such as quant='product'")
        if node.relevant:
            value = value_of_grades(quant, specificity, node.exhaustivity, node.specificity)
            if value > 0:
                worths[node] = value
    return worths


class ElementMeasure(RowMeasure):
    """A measure of elements that are judged by exhaustivity and specificity."""
    NEEDS: tuple[str, ...] = ('exhaustivity', 'specificity')

    def __init__(self, **params: Any):
        quant = params.get('quant')
        if isinstance(quant, str):
            params = {**params, 'quant': QUANT.aliases.get(quant, quant)}
        super().__init__(**params)
        if self.params.get('ideal') == 'given':
            self.NEEDS = (*self.NEEDS, 'ideal')

    def check(self) -> None:
        if 'quant' in self.SUPPORTED_PARAMS and self['quant'] in OF_GRADES and self['specificity'] == 'share':
            raise ValueError(f"{self.NAME} has specificity='share' with quant={quoted(self['quant'])}, which is for "
                             "grades: take quant='product', 'binary' or one of your own")
        if 'quant' in self.SUPPORTED_PARAMS and self['quant'] in OF_2005 and self['specificity'] == 'grades':
            raise ValueError(f"{self.NAME} has quant={quoted(self['quant'])} with specificity='grades', but it is for "
                             "shares: give it specificity='share' too")

    def _forest(self, topic: RowTopic) -> Forest:
        return element_forest(topic, self['specificity'], self['quant'] if 'quant' in self.SUPPORTED_PARAMS else None)

    def _cutoff(self, topic: RowTopic) -> int:
        return int(min(self.cutoff, len(topic.retrieved)))
