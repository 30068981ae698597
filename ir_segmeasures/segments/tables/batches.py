"""Warnings and errors of an evaluation inside of an experiment, as PyTerrier's, which evaluates batch by batch and
system by system, each with an evaluator of its own.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

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


def _no_experiment() -> Experiment | None:
    return None


_current: Callable[[], Experiment | None] = _no_experiment


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
        >>> from ir_segmeasures.segments.tables.batches import not_yet_said
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
