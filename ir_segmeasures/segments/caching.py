"""Values that several measures need: computed when they are first asked for, and kept."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

T = TypeVar('T')


class Caching:
    """An object that keeps what functions compute of it, so that one walk serves all measures that are read off it."""

    @cached_property
    def _values(self) -> dict[Any, Any]:
        return {}

    def cached(self, function: Callable[..., T], *arguments: Any) -> T:
        """Return ``function(self, *arguments)``, which is computed at the first such call and kept for the next."""
        key = (function, *arguments)
        if key not in self._values:
            self._values[key] = function(self, *arguments)
        return self._values[key]
