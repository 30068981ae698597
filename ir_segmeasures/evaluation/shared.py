"""What all evaluators share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ir_measures import Measure

__all__ = ['Shared', 'in_order']

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


def in_order(measures: Iterable[Measure]) -> list[Measure]:
    """Each measure once. The host gives a set, which has another order in every process; tables should not."""
    return sorted(measures, key=str) if isinstance(measures, set) else list(dict.fromkeys(measures))
