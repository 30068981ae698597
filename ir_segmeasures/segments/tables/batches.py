"""Warnings and errors of an evaluation inside of an experiment, as PyTerrier's: batch by batch, system by system.

A part is known by the labels of its rows in the frame that they were selected from. A part with new labels is the next
one; labels that come again begin anew, for they are those of the next system or of another experiment.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from threading import local
from typing import Any, NamedTuple

__all__ = ['FrameRows', 'not_yet_said', 'set_experiment', 'system_name']

_VARIABLE = re.compile(r"""(['"]).*?\1|\d+(?:\.\d+)?""")  # the examples and counts of a sentence


class FrameRows(NamedTuple):
    """Rows that may be selected from a frame of pandas.

    Attributes:
        first: the label of the first row
        rows: how many there are
        opens: whether they are the first rows of the frame, or all of them
    """
    first: Any
    rows: int
    opens: bool


class _Parts(local):
    """The parts of the same qrels that this thread has evaluated."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}  # by their first labels, in order of their evaluation
        self.latest: FrameRows | None = None
        self.opening = 0  # how many rows the part has that opens the frame
        self.said: dict[str, int] = {}  # sentence without examples and counts → the part that it was first said of

    def number(self, part: FrameRows) -> int:
        """The number of a part, from 1; that of the latest if it is the same, as for another evaluator or system."""
        if part != self.latest and (
                part.first in self.numbers or part.first in range(1, self.opening)
                or (part.opens and any(first in range(1, part.rows) for first in self.numbers))):
            self.__init__()  # type: ignore[misc]
        self.latest = part
        if part.opens:
            self.opening = part.rows
        return self.numbers.setdefault(part.first, len(self.numbers) + 1)


_PARTS = _Parts()


def _no_experiment() -> None:
    return None


_experiment: Callable[[], str | None] = _no_experiment


def set_experiment(system: Callable[[], str | None]) -> None:
    """Lets ``system`` name what :func:`system_name` returns."""
    global _experiment
    _experiment = system


def system_name() -> str | None:
    """The name of the system that an experiment evaluates now; empty where none is known, None for no experiment."""
    return _experiment()


def not_yet_said(part: FrameRows, sentences: Iterable[str | None]) -> Iterator[str]:
    """The sentences about a part of the qrels but those that an experiment said of an earlier part, with other examples
    and counts.

    Args:
        part: the part, or whole qrels, of which every sentence is said
        sentences: what is doubtful about the part and a run, None for nothing

    Examples:
        >>> from ir_segmeasures.segments.tables.batches import FrameRows, not_yet_said
        >>> parts = [FrameRows(first, rows=2, opens=False) for first in (7, 12)]
        >>> [list(not_yet_said(part, [f'none of {part.first}'])) for part in parts]  # here is no experiment
        [['none of 7'], ['none of 12']]
    """
    number = _PARTS.number(part)
    return (sentence for sentence in sentences if sentence and (
        _PARTS.said.setdefault(_VARIABLE.sub('', sentence), number) == number or system_name() is None))
