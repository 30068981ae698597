"""Declarations of measures: a class and one call of :func:`register_measure`, from which all else follows, such as the
names that the package exports, the provider's list and the tables of the documentation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import cached_property
from math import inf
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import ir_measures
import numpy as np
from ir_measures import Measure

from ir_segmeasures.evaluation.axis import Ground
from ir_segmeasures.evaluation.outcomes import Outcome, Walk
from ir_segmeasures.measures.parameters import CUTOFF, REL, SILENCE, TOO_LARGE, Choice, Only
from ir_segmeasures.segments.basics import quoted

if TYPE_CHECKING:
    from typing_extensions import Self

    from ir_segmeasures.evaluation.evaluators import RowTopic as RowTopic
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis as RunOnAxis
else:
    RowTopic = RunOnAxis = Any  # they would double the time that the package takes to be imported

_DESCRIPTION = re.compile(r'([^:.]+?)(?: \([^:]*\))?: (.+?\.)(?: |$)')


class SegmentMeasure(Measure):
    """A measure of segments: a :class:`SpanMeasure` or a :class:`RowMeasure`, declared by :func:`register_measure`.

    Parameters are made canonical when a measure is made: in the order of their declaration, 3.0 as 3, NumPy scalars
    as Python's, so that equal measures have equal strings. Wrong parameters are errors of :meth:`check_params`,
    before anything is computed.

    Attributes:
        NAME: the name; unless a class states it, that of the class, without the _ before it
        PRETTY_NAME, SHORT_DESC: the title and one sentence; unless a class states them, they are the first sentence of
            its docstring, ``Title (other names): sentence.`` (under ``python -OO`` there is none)
        CONTENT: whether items are measured by their content, so that their ends must be known
        LOWER_IS_BETTER: whether 0 is the best value
        BUDGET: the parameter that is the effort at which the user stops
        NEEDS: the columns that the qrels must have beside the segments
            (:data:`~ir_segmeasures.segments.tables.columns.EXTRAS`), as :func:`ir_measures.qrel_inputs` tells
        TOOLS: the official programs that compute it, each with the only values that it has for some parameters; their
            providers add themselves (:func:`add_tool`)
        find_datasets: the module of the datasets, whose ids ``D`` may be; the root, which knows it, sets this
    """
    CONTENT = True
    LOWER_IS_BETTER = False
    BUDGET = 'budget'
    NEEDS: tuple[str, ...] = ()
    TOOLS: Mapping[str, Mapping[str, Only]] = {}
    NAME: str
    PRETTY_NAME: str
    SHORT_DESC: str
    SUPPORTED_PARAMS: Any = {}  # name → Param
    find_datasets: ClassVar[Callable[[], Any]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if 'NAME' not in vars(cls):
            cls.NAME = cls.__qualname__.rpartition('.')[2].removeprefix('_')
        if described := _DESCRIPTION.match(' '.join((cls.__doc__ or '').replace('``', '').split())):
            title, sentence = described.groups()
            cls.PRETTY_NAME = vars(cls).get('PRETTY_NAME', title)
            cls.SHORT_DESC = vars(cls).get('SHORT_DESC', sentence[0].upper() + sentence[1:] + (
                ' Lower is better.' if cls.LOWER_IS_BETTER else ''))

    @property
    def __name__(self) -> str:  # by which the host prints and registers measures
        return self.NAME

    def __init__(self, **params: Any):
        order = {name: i for i, name in enumerate(self.SUPPORTED_PARAMS)}
        names = sorted(params, key=lambda name: (order.get(name, len(order)), name))
        super().__init__(**{name: _canonical(params[name]) for name in names})
        self._asked = self.NAME

    def called(self, name: str) -> Self:
        """This measure under one of its other names: it prints as asked for, and equals this one.

        Examples:
            >>> from ir_segmeasures import AiSP, MAiSP
            >>> MAiSP(user='ret'), str(MAiSP(user='ret')), MAiSP == AiSP
            (MAiSP(user='ret'), "MAiSP(user='ret')", True)
        """
        measure = copy(self)
        measure._asked = name
        return measure

    def __call__(self, **params: Any) -> Self:
        measure: Self = super().__call__(**params)
        return measure.called(self._asked)

    def conflict(self, tool: str) -> str | None:
        """The sentence that says why ``tool`` has no figure for this measure, or None if it has one."""
        for param, only in self.TOOLS[tool].items():
            value = self.params.get(param, self.SUPPORTED_PARAMS[param].value)
            if value not in only:
                have = only.words if only.values == (None,) else f'only {only.words}'
                repair = 'take one of these' if self.SUPPORTED_PARAMS[param].required else 'leave it out'
                return f'{self._asked} has {param}={quoted(value)}, but {tool} has {have}: {repair}, or leave tool out'
        return None

    def check(self) -> None:
        """Raise a ValueError for values that are right each alone, but not together."""

    @property
    def cutoff(self) -> float:
        """How many items of the ranking count; infinity without the parameter."""
        return self.params.get('cutoff', inf)

    @property
    def D(self) -> float:
        """The length of the whole collection. Raises ValueError for an id of no dataset, or of one whose documents do
        not know their length, and OSError where its files are missing."""
        if not isinstance(self['D'], str):
            return self['D']
        try:
            return SegmentMeasure.find_datasets().length(self['D'])
        except ImportError as error:
            raise ValueError(f'{self} names a dataset, and {error}, or give D as a number') from None

    def validate_params(self) -> None:
        """Nothing: providers call this when they are asked whether they support a measure, to which the answer is False
        for wrong parameters, not an error. Evaluators call :meth:`check_params`."""

    def check_params(self) -> None:
        """Raise a ValueError for a parameter that the measure does not have or lacks, or a value out of its range."""
        if self.validated:
            return
        name = self._asked
        for param, value in self.params.items():
            info = self.SUPPORTED_PARAMS.get(param)
            if info is None:
                raise ValueError(f'{name} has no parameter {quoted(param)}: it has {", ".join(self.SUPPORTED_PARAMS)}')
            if not info.validate(value):
                raise ValueError(f'{name} has {param}={quoted(value)}: {param} ({info.desc}) is {info.rule}')
        lacking = [param for param, info in self.SUPPORTED_PARAMS.items() if info.required and param not in self.params]
        if lacking:
            written = {param: repr(value) for param, value in self.params.items()} | dict.fromkeys(lacking, '…')
            at = written.pop(self.AT_PARAM, None)
            example = f'{name}({", ".join(map("=".join, written.items()))})'.removesuffix('()') + (
                '' if at is None else f'@{self.AT_PARAM if at == "…" else at}')
            info = self.SUPPORTED_PARAMS[lacking[0]]
            raise ValueError(f'{name} lacks {lacking[0]} ({info.desc}), {info.rule}: write {example}')
        self.check()
        if 'tool' in self.params and (conflict := self.conflict(self.params['tool'])):
            raise ValueError(conflict)
        self.validated = True

    def has_valid_params(self) -> bool:
        """Tells whether :meth:`check_params` raises nothing."""
        try:
            self.check_params()
        except ValueError:
            return False
        return True

    @cached_property
    def _canonical(self) -> str:
        # Not the host's text, which fails for unknown parameters, and for which rel=True is the default 1.
        given = [f'{name}={value!r}' for name, value in self.params.items() if name != self.AT_PARAM and not (
            name in self.SUPPORTED_PARAMS and repr(value) == repr(self.SUPPORTED_PARAMS[name].default))]
        at = f'@{self.params[self.AT_PARAM]!r}' if self.AT_PARAM in self.params else ''
        return f'{self.NAME}({",".join(given)}){at}' if given else f'{self.NAME}{at}'

    def __repr__(self) -> str:
        return f'{self._asked}{self._canonical[len(self.NAME):]}'

    # Measures are equal under all of their names; the host compares their texts, for every value of every query.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, SegmentMeasure) and self._canonical == other._canonical

    def __hash__(self) -> int:
        return hash(self._canonical)


class SpanMeasure(SegmentMeasure):
    """A measure of the relevant spans of a query: its relevant segments, merged where they overlap or touch. It is a
    walk and a stop: see measures/walks.py and measures/stops.py.

    A class has :meth:`outcome`; and :meth:`values`, where these are found sooner without the steps.

    Attributes:
        WALK: the function that walks, of a run and the parameters that are named behind it
        EVERYWHERE: whether items in documents without relevant content are needed too
        SIZED: whether the whole of each document is, by the column ``doc_size``
        SILENCE: whether 1 is the best value, so that it takes the parameter ``silence``, unless lower values are better
        COUNTS: whether it counts documents, each as 1, where whole documents are judged
    """
    SUPPORTED_PARAMS: Any = {'cutoff': CUTOFF, 'rel': REL}
    WALK: tuple[Any, ...] = ()
    EVERYWHERE = False
    SIZED = False
    COUNTS = False
    SILENCE = True

    @property
    def ground(self) -> Ground:
        """The rows that the measure looks at. A measure without the parameter ``rel`` takes all judged segments."""
        rel = self['rel'] if 'rel' in self.SUPPORTED_PARAMS else -inf
        condensed, apart = (bool(self.params.get(name)) for name in ('condensed', 'apart'))
        return Ground(rel, condensed, apart, self.EVERYWHERE, self.SIZED)

    def check_silence(self, bounded: bool, reason: str) -> None:
        """Raise a ValueError where silence is rewarded and a parameter lets values pass 1."""
        if self.params.get('silence') and not bounded:
            raise ValueError(f'{self._asked} has silence=True and {reason}, with which 1 is not best: leave one out')

    def lengths(self) -> list[float]:
        """The parameters that are lengths in the unit of the medium."""
        lengths = [self.params.get(name, param.value) for name, param in self.SUPPORTED_PARAMS.items()
                   if getattr(param, 'in_unit', False)]
        return [float(length) for length in lengths if isinstance(length, Real)]

    def walk(self, run: RunOnAxis) -> Walk:
        """The looks of :attr:`WALK` up to the cut-off."""
        function, *params = self.WALK
        return run.cached(function, *map(self.__getitem__, params)).up_to(self.cutoff)

    def outcome(self, run: RunOnAxis) -> Outcome:
        """The values for all queries, and how they come about. Values of queries without relevant content are not
        asked for: they are 0."""
        return Outcome(self.values(run))

    def values(self, run: RunOnAxis) -> Any:
        """The values for all queries, as an array."""
        return self.outcome(run).values

    def irrelevant(self, run: RunOnAxis) -> Any:
        """The irrelevant content of the collection of length ``D`` for each query, in ticks, as Python's numbers.

        Raises:
            ValueError: the whole collection is not longer than the relevant content of a query
        """
        length = run.ticks(self.D)
        short = (run.T_rel >= min(length, 2 ** 62)) & (run.R > 0)
        for query in np.flatnonzero(short)[:1]:
            raise ValueError(f'query {quoted(run.query_ids[query])} has {run.T_rel[query] / run.scale:.12g} of relevant'
                             f' content, but in {self} the whole collection is D={quoted(self.D)}: give the length')
        return length - run.T_rel.astype(object)


class RowMeasure(SegmentMeasure):
    """A measure of judged rows as they stand in the qrels, such as elements or sampled shots."""
    CONTENT = False

    def compute(self, topic: RowTopic) -> float:
        """The value for one judged query, which may have nothing relevant."""
        raise NotImplementedError


DECLARED: list[Measure] = []  # every measure, once
NAMES: dict[str, SegmentMeasure] = {}  # every measure under its name and each alias

M = TypeVar('M', bound=SegmentMeasure)


def register_measure(measure: M, aliases: Iterable[str] = ()) -> M:
    """Declare a measure, with its aliases: ir-measures parses these names, this package exports them, its provider
    computes the measure, and its lists show it. Each alias is :meth:`the measure so called <SegmentMeasure.called>`.
    """
    return register_named(measure, *aliases)[0]


def register_named(measure: M, *aliases: str) -> list[M]:
    """Registers a measure as :func:`register_measure` does; gives it, and under each alias."""
    kind = type(measure)
    if isinstance(measure, SpanMeasure) and measure.SILENCE and not measure.LOWER_IS_BETTER:
        kind.SUPPORTED_PARAMS = {**kind.SUPPORTED_PARAMS, 'silence': SILENCE}
    named = [measure, *map(measure.called, aliases)]
    for name, so_called in zip((measure.NAME, *aliases), named):
        ir_measures.measures.register(so_called, name=name)
        NAMES[name] = so_called
    DECLARED.append(measure)
    return named


def aliases_of(measure: SegmentMeasure) -> list[str]:
    """The names of a measure beside the one that it has here."""
    return [name for name, other in NAMES.items() if type(other) is type(measure) and name != str(measure)]


def add_tool(measure: SegmentMeasure, tool: str, limits: Mapping[str, Only]) -> None:
    """Let a measure take ``tool=…`` for an official program, which has only the values of parameters in ``limits``."""
    kind = type(measure)
    kind.TOOLS = {**vars(kind).get('TOOLS', {}), tool: limits}
    kind.SUPPORTED_PARAMS = {**kind.SUPPORTED_PARAMS, 'tool': Choice(
        'official program whose number is wanted; not given: the definition', *kind.TOOLS)}


def _canonical(value: Any) -> Any:
    if hasattr(value, 'dtype') and getattr(value, 'ndim', None) == 0:
        value = value.item()
    if isinstance(value, float) and value.is_integer() and abs(value) < TOO_LARGE:
        return int(value)
    return value
