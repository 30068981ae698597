"""Operations on spans: sorted, disjoint half-open intervals ``[start, end)``.

The array functions work on many documents at once: a span has a ``group`` (a document of a query), and spans are
sorted by (group, start). All comparisons are exact; lengths are sums of few terms, so nothing is lost to cancellation.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.intp]

__all__ = ['Spans', 'billionths', 'clusters', 'common_length', 'cut_out', 'first_ending_after', 'first_over',
           'first_starting_from', 'in_order', 'least_in', 'lies_within', 'merged_spans', 'ordered_pairs', 'preceding',
           'range_pairs']


class Spans(NamedTuple):
    """Arrays of one length: sorted by (group, start), disjoint and not touching within a group."""
    group: Ints
    start: Floats
    end: Floats


def ordered_pairs(group: Ints, position: Floats) -> NDArray[np.complex128]:
    """Positions that compare by group first, then by position."""
    # NumPy orders complex numbers by real part, then imaginary part: exact pairs that sort, search and accumulate.
    pairs = np.empty(len(group), np.complex128)
    pairs.real = group
    pairs.imag = position
    return pairs


def in_order(group: Ints, position: Floats) -> Ints:
    """The places of positions, group by group, from low to high, equal ones in any order."""
    # NumPy sorts single numbers several times as fast as pairs, or by two keys, and numbers faster than their places.
    # So group, position and place become the parts of one number, if it can hold them.
    n, bits = len(position), len(position).bit_length()
    room = 2 ** (63 - bits) // (int(group.max(initial=0)) + 1)
    if position.max(initial=0) < room and (position == np.floor(position)).all():
        level, levels = position.astype(np.int64), int(position.max(initial=0)) + 1
    else:
        level, levels = np.empty(n, np.int64), max(1, n)
        level[np.argsort(position)] = np.arange(n)
    if levels > room:
        return np.argsort(group * levels + level)
    number = (group * levels + level) << bits | np.arange(n)
    number.sort()
    return number & 2 ** bits - 1


def clusters(group: Ints, start: Floats, end: Floats) -> Ints:
    """For each interval, a number that it shares with those of its group that it is linked to by common content."""
    order = in_order(group, start)
    ordered, reach = group[order], np.maximum.accumulate(ordered_pairs(group[order], end[order])).imag
    first = np.ones(len(order), bool)
    first[1:] = (ordered[1:] != ordered[:-1]) | (start[order[1:]] >= reach[:-1])
    number = np.empty(len(order), np.intp)
    number[order] = np.cumsum(first) - 1
    return number


def merged_spans(group: Ints, start: Floats, end: Floats) -> Spans:
    """The union of any intervals: those of a group that overlap or touch become one span."""
    order = in_order(group, start)
    group, start, end = group[order], start[order], end[order]
    reach = np.maximum.accumulate(ordered_pairs(group, end)).imag
    first = np.ones(len(group), bool)
    first[1:] = (group[1:] != group[:-1]) | (start[1:] > reach[:-1])
    first_at = np.flatnonzero(first)
    last_at = np.append(first_at[1:], len(group))[:len(first_at)] - 1
    return Spans(group[first_at], start[first_at], reach[last_at])


def first_ending_after(spans: Spans, group: Ints, position: Floats) -> Ints:
    """For each position, where in ``spans`` the first one of its group stands that ends after it, or the next group."""
    return _places(spans.group, spans.end, group, position, 'right')


def first_starting_from(spans: Spans, group: Ints, position: Floats) -> Ints:
    """For each position, where in ``spans`` the first one of its group stands that starts at it or after it, or the
    next group.
    """
    return _places(spans.group, spans.start, group, position, 'left')


def _places(groups: Ints, positions: Floats, group: Ints, position: Floats, side: Literal['left', 'right']) -> Ints:
    # Searched in order, long lists stay in the processor's cache.
    order = in_order(group, position)
    places = np.empty(len(order), np.intp)
    places[order] = np.searchsorted(
        ordered_pairs(groups, positions), ordered_pairs(group[order], position[order]), side)
    return places


def first_over(first: Ints, stop: Ints, n: int) -> Ints:
    """For each of ``n`` places, the first of the ranges ``[first, stop)`` that it lies in, or the number of ranges."""
    found = np.full(n, len(first))
    # A range is the union of two whose lengths are a power of two, and each of these of two of half its length: from
    # the longest down, ``found`` is for the ranges of this length that begin at each place.
    power = np.frexp(np.maximum(stop - first, 0))[1] - 1
    for exponent in range(int(power.max(initial=-1)), -1, -1):
        length = 1 << exponent
        found[length:] = np.minimum(found[length:], found[:-length])
        these = np.flatnonzero(power == exponent)[::-1]  # of what is written to one place the last stays
        for begin in (first[these], stop[these] - length):
            mine = np.full(n, len(first))
            mine[begin] = these
            np.minimum(found, mine, out=found)
    return found


def common_length(spans: Spans, others: Spans) -> Floats:
    """For each of ``spans``, the length of its content that lies in ``others`` as well."""
    first = first_ending_after(others, spans.group, spans.start)
    stop = first_starting_from(others, spans.group, spans.end)
    count = np.maximum(stop - first, 0)  # of an entry point that stands in both, -1
    one, other = range_pairs(first, count)
    length = np.minimum(spans.end[one], others.end[other]) - np.maximum(spans.start[one], others.start[other])
    return np.bincount(one, length, len(count)).astype(np.float64, copy=False)


def range_pairs(first: NDArray[Any], count: Ints) -> tuple[Ints, NDArray[Any]]:
    """The pairs of each range with each place in it, of ranges of so many places."""
    one = np.repeat(np.arange(len(count)), count)
    return one, np.arange(len(one)) + np.repeat(first - np.cumsum(count) + count, count)


def preceding(values: Floats, stretches: Iterable[tuple[int, int]]) -> Floats:
    """For each of ``values`` in a stretch ``[low, high)`` the sum of those before it there; no sum is subtracted."""
    total = np.zeros(len(values))
    for low, high in stretches:
        if high - low > 1:
            np.cumsum(values[low:high - 1], out=total[low + 1:high])
    return total


def least_in(values: Ints, first: Ints, stop: Ints) -> Ints:
    """The least of ``values`` in each of the ranges ``[first, stop)``, none of which is empty."""
    least = np.empty(len(first), np.intp)
    power = np.frexp(stop - first)[1] - 1  # as in first_over, from the shortest up
    for exponent in range(int(power.max(initial=-1)) + 1):
        length = 1 << exponent
        these = np.flatnonzero(power == exponent)
        least[these] = np.minimum(values[first[these]], values[stop[these] - length])
        values = np.minimum(values[:-length], values[length:])
    return least


def cut_out(starts: list[Any], ends: list[Any], start: float, end: float) -> list[tuple[float, float]]:
    """Cut ``[start, end)`` out of the spans of one document, in place, and return the pieces that were cut out, in
    order.
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
    """Whether ``[start, end)``, or an entry point, lies in one of the spans of a document."""
    i = bisect_right(ends, start)
    return i < len(ends) and starts[i] <= start and end <= ends[i]


def billionths(position: float) -> int:
    """A finite decimal of at most 9 places, from 10^6 on 6, as a whole number of billionths: for exact quotients."""
    whole = int(position)
    rest = position - whole
    if not rest:
        return whole * 10 ** 9
    return whole * 10 ** 9 + (round(rest * 10 ** 9) if whole < 10 ** 6 else round(rest * 10 ** 6) * 1000)
