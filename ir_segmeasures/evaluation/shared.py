"""What all evaluators share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ir_measures import Measure

from ir_segmeasures.segments.quoting import quoted

__all__ = ['Shared', 'check_measure', 'in_order']

T = TypeVar('T')


class Shared:
    """What is shared by the measures of one query, of a run, or of qrels."""

    def __init__(self) -> None:
        self._known: dict[Any, Any] = {}

    def once(self, function: Callable[..., T], *arguments: Any) -> T:
        """``function(self, *arguments)``, computed once: how measures share the walk of one user model."""
        key = (function, *arguments)
        if key not in self._known:
            self._known[key] = function(self, *arguments)
        return self._known[key]


def check_measure(measure: Any) -> None:
    """Raise a TypeError for a measure as text, which the functions of ir-measures do not parse."""
    if isinstance(measure, str):
        raise TypeError(f'the measure {quoted(measure)} is text, and evaluation takes measures: give '
                        f'ir_measures.parse_measure({quoted(measure)})')


def in_order(measures: Iterable[Measure]) -> list[Measure]:
    """Each measure once. The host gives a set, which has another order in every process; tables should not.

    Raises:
        TypeError: a measure as text
    """
    measures = measures if isinstance(measures, set) else list(measures)
    for measure in measures:
        check_measure(measure)
    return sorted(measures, key=str) if isinstance(measures, set) else list(dict.fromkeys(measures))
