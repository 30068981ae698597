"""Values that several measures need: computed when they are first asked for, and kept."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

__all__ = ['Caching']

T = TypeVar('T')
_NONE = object()  # what is not kept


class Caching:
    """An object that keeps what functions compute of it, so that one walk serves all measures that are read off it."""

    @cached_property
    def _values(self) -> dict[Any, Any]:
        return {}

    def cached(self, function: Callable[..., T], *arguments: Any) -> T:
        """Return ``function(self, *arguments)``, which is computed at the first such call and kept for the next."""
        key = (function, *arguments)
        value = self._values.get(key, _NONE)
        if value is _NONE:
            value = self._values[key] = function(self, *arguments)
        return value
