"""The kinds of parameters that measures have, and the parameters that many measures share."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, TypeVar

from ir_measures import Measure, ParamInfo

TOO_LARGE = 10 ** 15  # no position has more digits
FINEST = 1e-9  # no position has more decimals


class Param(ParamInfo):
    """A parameter of a measure here: one of the three kinds below. ``rule`` says in words what it takes."""
    rule: str
    value: Any = None  # the default, if there is one

    def __init__(self, desc: str, **settings: Any):
        super().__init__(desc=desc, **settings)
        self.value = settings.get('default')


class Number(Param):
    """A parameter that takes a finite number from ``low``, or ``above`` one, to ``high``; an integer if ``whole``. One
    that is a length ``in_unit`` of the medium is taken to ticks, as the decimals it is written with."""

    def __init__(self, desc: str, *, low: float | None = None, above: float | None = None,
                 high: float | None = None, whole: bool = False, in_unit: bool = False, **settings: Any):
        super().__init__(desc, dtype=Integral if whole else Real, **settings)
        self.in_unit = in_unit
        self.low, self.above, self.high = low, above, high
        kind = 'a whole number' if whole else 'a number'
        bounds = ((low, '>='), (above, '>'), (high, '<='))
        self.rule = f'{kind} {" and ".join(f"{sign} {bound}" for bound, sign in bounds if bound is not None)}'.strip()
        self.rule += '' if high is not None else ', below 10^15'

    def validate(self, value: Any) -> bool:
        return (isinstance(value, self.dtype) and not isinstance(value, bool) and abs(value) < TOO_LARGE
                and (self.low is None or value >= self.low) and (self.above is None or value > self.above)
                and (self.high is None or value <= self.high))


class Length(Number):
    """The length of the whole collection: a number > 0, or the id of a dataset whose documents know their length."""

    def __init__(self, desc: str, **settings: Any):
        super().__init__(desc, above=0, in_unit=True, **settings)
        self.rule += ', or the id of a dataset whose documents know their length'

    def validate(self, value: Any) -> bool:
        return bool(value) if isinstance(value, str) else super().validate(value)


class Choice(Param):
    """A parameter that takes one of a few names."""

    def __init__(self, desc: str, *names: str, **settings: Any):
        super().__init__(desc, dtype=str, choices=names, **settings)
        self.rule = ' or '.join(map(repr, names))

    def validate(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.choices


class Flag(Param):
    """A parameter that takes True or False."""
    rule = 'True or False'

    def __init__(self, desc: str, **settings: Any):
        super().__init__(desc, dtype=bool, **settings)

    def validate(self, value: Any) -> bool:
        return isinstance(value, bool)


P = TypeVar('P', bound=Param)


def required(param: P) -> P:
    """A copy of a parameter, for measures that cannot do without it."""
    same = object.__new__(type(param))
    same.__dict__.update(vars(param), required=True)
    return same


REL = Number('minimum relevance score to be considered relevant (inclusive)', default=1)
CUTOFF = Number('only so many items of the ranking', low=1, whole=True)
CONDENSED = Flag('whether content that nobody judged, and items without judged content, are left out', default=False)
SILENCE = Flag('whether a query without relevant content has the value 1 where the run has nothing for it',
               default=False)
APART = Flag('whether relevant segments that only touch stay two spans', default=False)
RECALL_LEVEL = Number('recall level; without it, the mean over 0.01, 0.02, … 1.00', above=0, high=1)
_LEVELS = tuple(i / 100 for i in range(1, 101))


def recall_levels(measure: Measure) -> tuple[float, ...]:
    """The levels that a measure with the parameter ``recall`` (:data:`RECALL_LEVEL`) is averaged over."""
    return (measure['recall'],) if 'recall' in measure.params else _LEVELS


class Only:
    """The only values that an official program has for a parameter of a measure, None standing for not given; or a rule
    that values keep, with words for it."""

    def __init__(self, *values: Any, rule: Callable[[Any], bool] | None = None, words: str | None = None):
        self.values, self.rule = values, rule
        given = ' or '.join(repr(value) for value in values if value is not None)
        without = f'figures without it, or with {given}' if given else 'no such parameter'
        self.words = words or (without if None in values else given)

    def __contains__(self, value: Any) -> bool:
        return self.rule(value) if self.rule else value in self.values
