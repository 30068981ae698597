"""Warnings that point at the line of the user, not at ours or at one of the packages between the two; those of an
evaluation, which may be collected; errors about a row; and both inside of an experiment, as PyTerrier's, which
evaluates batch by batch and system by system, each with an evaluator of its own.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from inspect import currentframe
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ir_segmeasures.segments.basics import quoted

_VARIABLE = re.compile(r"""(['"]).*?\1|\d+(?:\.\d+)?""")  # the examples and counts of a sentence


class Experiment(NamedTuple):
    """The system that an experiment evaluates now.

    Attributes:
        sign: an object that lives as long as the experiment, and no longer
        system: the name of the system; empty where none is known
    """
    sign: Any
    system: str


_SAID: WeakKeyDictionary[Any, set[tuple[str, str]]] = WeakKeyDictionary()


_current: Callable[[], Experiment | None] = type(None)  # which returns None


def set_experiment(current: Callable[[], Experiment | None]) -> None:
    """Lets ``current`` find the experiment that calls; None for no experiment."""
    global _current
    _current = current


def system_name() -> str | None:
    """The name of the system that an experiment evaluates now; empty where none is known, None for no experiment."""
    experiment = _current()
    return None if experiment is None else experiment.system


def not_yet_said(sentences: Iterable[str | None]) -> Iterator[str]:
    """The sentences about a run and qrels, but those that the experiment said of the system before, with the examples
    and counts of another batch. Outside of experiments these are all.

    Examples:
        >>> from ir_segmeasures.segments.user_warnings import not_yet_said
        >>> list(not_yet_said(['none of 7', None, 'none of 12']))
        ['none of 7', 'none of 12']
    """
    experiment = _current()
    said = set() if experiment is None else _SAID.setdefault(experiment.sign, set())
    for sentence in filter(None, sentences):
        key = '' if experiment is None else experiment.system, _VARIABLE.sub('', sentence)
        if experiment is None or key not in said:
            said.add(key)
            yield sentence


class RowError(ValueError):
    """A row of a run or of qrels that is not a segment, or none that can be measured.

    Attributes:
        kind: ``'run'`` or ``'qrels'``
        row: its number in the input, from 0
        sentence: what is wrong with it, the rule and the repair; of a run in an experiment, with its name in front
    """

    def __init__(self, kind: str, row: int, sentence: str):
        if kind == 'run' and (name := system_name()):
            sentence = f'run {quoted(name)}: {sentence}'
        super().__init__(kind, row, sentence)  # all three, for pickle
        self.kind, self.row, self.sentence = kind, row, sentence

    def __str__(self) -> str:
        return f'row {self.row} of the {self.kind}: {self.sentence}'


# Packages that call this one for the user, or that this one calls.
_BETWEEN = ('ir_segmeasures', 'ir_measures', 'ir_datasets', 'pyterrier', 'pyterrier_alpha', 'pandas', 'joblib', 'tqdm',
            'contextlib', 'functools', 'importlib')


def warn_user(sentence: str | Warning, category: type[Warning] = UserWarning) -> None:
    """Issues a warning at the innermost line that is neither in this package nor in one between it and the user, so
    that Python shows a sentence once that two evaluators issue for one line. A warning has its own category.

    Examples:
        >>> import warnings
        >>> from ir_segmeasures import MAiSP
        >>> with warnings.catch_warnings(record=True) as found:
        ...     warnings.simplefilter('always')
        ...     values = MAiSP.calc_aggregate({'q1': {'rec#t=0,60': 1}}, {'q2': {'rec#t=0,60': 1.5}})
        >>> 'ir_segmeasures/' in found[0].filename, 'ir_measures/' in found[0].filename
        (False, False)
    """
    frame = currentframe()
    assert frame is not None  # CPython has frames
    while frame.f_back and frame.f_globals.get('__name__', '').partition('.')[0] in _BETWEEN:
        frame = frame.f_back
    names = frame.f_globals
    warnings.warn_explicit(sentence, category, frame.f_code.co_filename, frame.f_lineno, names.get('__name__', ''),
                           names.setdefault('__warningregistry__', {}))


_HEARD: ContextVar[list[str] | None] = ContextVar('heard', default=None)  # of this thread
_UNWANTED: list[str] = []  # what is heard where nobody listens


class SegmentWarning(UserWarning):
    """A warning about a run or qrels that can be measured, although the figures probably do not mean what they should.

    Examples:
        Let an experiment stop where its figures would mean little:

        >>> import warnings
        >>> import ir_measures
        >>> from ir_segmeasures import MAiSP, SegmentWarning
        >>> qrels, run = {'1': {'v1#t=0,60': 1}}, {'q1': {'v1#t=0,60': 1.5}}
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter('error', SegmentWarning)
        ...     ir_measures.calc_aggregate([MAiSP], qrels, run)
        Traceback (most recent call last):
            ...
        ir_segmeasures.segments.user_warnings.SegmentWarning: none of the 1 queries of the run is among the 1 of the ...
    """


class SegmentNote(SegmentWarning):
    """A warning about what judgements may have on purpose, such as queries without an answer; ``--strict`` passes."""


def warn(sentences: Iterable[str | None], of_batch: bool = False,
         category: type[SegmentWarning] = SegmentWarning) -> None:
    """Issues a :class:`SegmentWarning` for each sentence, all at this line, so that Python shows a sentence once that
    two evaluators issue. Inside of :func:`collected_warnings` the sentences are collected instead.

    Args:
        sentences: None for nothing to say
        of_batch: whether they are about a run that may be one batch of many; inside of an experiment, a sentence is
            issued for one batch of a system only
        category: of the warnings
    """
    listening = _HEARD.get()
    if listening is _UNWANTED:
        return
    if of_batch:
        sentences = not_yet_said(sentences)
    for sentence in filter(None, sentences):
        if name := system_name():
            sentence = with_run_name(sentence, name)
        if listening is None:
            warn_user(sentence, category)
        elif sentence not in listening:
            listening.append(sentence)


def is_listened_to() -> bool:
    """Tells whether the sentences of this thread's warnings are wanted."""
    return _HEARD.get() is not _UNWANTED


@contextmanager
def collected_warnings(wanted: bool = True) -> Iterator[list[str]]:
    """Collects the sentences that this thread would be warned of, in a list; whoever collects them passes them on. If
    they are not wanted, the list stays empty, and nobody spends time on finding them."""
    sentences: list[str] = [] if wanted else _UNWANTED
    token = _HEARD.set(sentences)
    try:
        yield sentences
    finally:
        _HEARD.reset(token)


def with_run_name(sentence: str, name: str) -> str:
    """A sentence of a warning with the name of the run in front, if it speaks of a run; else as it is."""
    return f'run {quoted(name)}: {sentence}' if 'the run' in sentence and not sentence.startswith('run ') else sentence


@contextmanager
def naming_run(name: str) -> Iterator[None]:
    """Errors about a row of a run, raised below, with the name of the run."""
    try:
        yield
    except RowError as error:
        if error.kind == 'qrels' or not name:
            raise
        raise RowError(error.kind, error.row, f'run {quoted(name)}: {error.sentence}') from None
