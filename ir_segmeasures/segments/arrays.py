"""Types of NumPy's arrays, for annotations (``numpy.typing`` has them too, but takes longer to import); the spans of
one document, from which a reader cuts what was seen, as lists of starts and ends: disjoint, in order; and values that
several measures need: computed when they are first asked for, and kept."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

Number = TypeVar('Number', bound=np.generic)

Array = np.ndarray[Any, np.dtype[Number]]
Bools = Array[np.bool_]
Floats = Array[np.float64]
Ints = Array[np.intp]


def cut_out(starts: list[Any], ends: list[Any], start: float, end: float) -> list[tuple[float, float]]:
    """Cuts ``[start, end)`` out of the spans of one document, which change in place; gives the pieces that were cut
    out, in order.

    Examples:
        >>> from ir_segmeasures.segments.arrays import cut_out
        >>> starts, ends = [0, 20], [10, 30]
        >>> cut_out(starts, ends, 5, 25), starts, ends
        ([(5, 10), (20, 25)], [0, 25], [5, 30])
    """
    i = bisect_right(ends, start)
    j = bisect_left(starts, end, i)
    if i == j or start == end:
        return []
    left, right = starts[i], ends[j - 1]
    pieces = list(zip(starts[i:j], ends[i:j]))
    pieces[0] = (max(left, start), pieces[0][1])
    pieces[-1] = (pieces[-1][0], min(right, end))
    starts[i:j] = [left] * (left < start) + [end] * (right > end)
    ends[i:j] = [start] * (left < start) + [right] * (right > end)
    return pieces


def lies_within(starts: list[float], ends: list[float], start: float, end: float) -> bool:
    """Tells whether ``[start, end)``, or an entry point, lies in one of the spans of a document."""
    i = bisect_right(ends, start)
    return i < len(ends) and starts[i] <= start and end <= ends[i]


def plain_number(value: float) -> int | float:
    """The value as a number of Python, a whole one as an integer."""
    value = float(value)
    return int(value) if value.is_integer() else value


def plain_numbers(values: Floats) -> list[int | float]:
    """The values as numbers of Python, whole ones as integers."""
    return [*map(plain_number, values.tolist())]


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
