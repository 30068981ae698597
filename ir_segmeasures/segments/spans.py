"""Operations on spans: sorted, disjoint half-open intervals ``[start, end)``.

The array functions work on many documents at once: a span has a ``group`` (a document of a query), and spans are
sorted by (group, start). All comparisons are exact; lengths are sums of few terms, so nothing is lost to cancellation.
Where a function is an algorithm, its docstring has the plain loop that it equals; tests/segments/test_spans.py holds it
to that.
"""

from bisect import bisect_left, bisect_right
from typing import Any, Literal, NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Array, Floats, Ints

__all__ = ['Spans', 'clusters', 'common_length', 'cut_out', 'first_ending_after', 'first_starting_from', 'in_order',
           'lies_within', 'merged_spans', 'ordered_pairs', 'plain_number', 'plain_numbers', 'range_pairs']


class Spans(NamedTuple):
    """Arrays of one length: sorted by (group, start), disjoint and not touching within a group."""
    group: Ints
    start: Floats
    end: Floats


def ordered_pairs(group: Ints, position: Floats) -> Array[np.complex128]:
    """The pairs ``list(zip(group, position))`` as an array that NumPy sorts, searches and accumulates as such pairs:
    complex numbers, which it orders by their real parts, then by their imaginary parts.
    """
    pairs = np.empty(len(group), np.complex128)
    pairs.real = group
    pairs.imag = position
    return pairs


def in_order(group: Ints, position: Floats) -> Ints:
    """The indices that sort positions group by group, from low to high; those of equal positions come in any order::

        sorted(range(len(group)), key=lambda i: (group[i], position[i]))

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures.segments.spans import in_order
        >>> in_order(np.array([1, 0, 1]), np.array([3., 5., 2.])).tolist()
        [1, 2, 0]
    """
    return np.lexsort((position, group))


def clusters(group: Ints, start: Floats, end: Floats) -> Ints:
    """A number for each interval: two intervals of a group have one number where they share content, or where others
    link them, each of which shares content with the next.
    """
    order = in_order(group, start)
    ordered, reach = group[order], np.maximum.accumulate(ordered_pairs(group[order], end[order])).imag
    first = np.ones(len(order), bool)
    first[1:] = (ordered[1:] != ordered[:-1]) | (start[order[1:]] >= reach[:-1])
    number = np.empty(len(order), np.intp)
    number[order] = np.cumsum(first) - 1
    return number


def merged_spans(group: Ints, start: Floats, end: Floats) -> Spans:
    """The union of intervals in any order: intervals of a group that overlap or touch become one span. The plain loop::

        for group, start, end in sorted(zip(group, start, end)):
            if spans and spans[-1].group == group and start <= spans[-1].end:
                spans[-1] = spans[-1]._replace(end=max(end, spans[-1].end))
            else:
                spans.append(Spans(group, start, end))

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures.segments.spans import merged_spans
        >>> spans = merged_spans(np.array([0, 0, 0]), np.array([5., 0., 20.]), np.array([15., 10., 30.]))
        >>> list(zip(spans.start.tolist(), spans.end.tolist()))
        [(0.0, 15.0), (20.0, 30.0)]
    """
    order = in_order(group, start)
    group, start, end = group[order], start[order], end[order]
    reach = np.maximum.accumulate(ordered_pairs(group, end)).imag
    first = np.ones(len(group), bool)
    first[1:] = (group[1:] != group[:-1]) | (start[1:] > reach[:-1])
    first_at = np.flatnonzero(first)
    last_at = np.append(first_at[1:], len(group))[:len(first_at)] - 1
    return Spans(group[first_at], start[first_at], reach[last_at])


def first_ending_after(spans: Spans, group: Ints, position: Floats) -> Ints:
    """The index of the first of ``spans`` that ends after each position, in its group; where none does, the index of
    the next group::

        [sum((g, end) <= pair for g, end in zip(spans.group, spans.end)) for pair in zip(group, position)]
    """
    return _places(spans.group, spans.end, group, position, 'right')


def first_starting_from(spans: Spans, group: Ints, position: Floats) -> Ints:
    """The index of the first of ``spans`` that starts at each position or after it, in its group; where none does, the
    index of the next group::

        [sum((g, start) < pair for g, start in zip(spans.group, spans.start)) for pair in zip(group, position)]
    """
    return _places(spans.group, spans.start, group, position, 'left')


def _places(groups: Ints, positions: Floats, group: Ints, position: Floats, side: Literal['left', 'right']) -> Ints:
    # Searched in order, long lists stay in the processor's cache.
    order = in_order(group, position)
    places = np.empty(len(order), np.intp)
    places[order] = np.searchsorted(
        ordered_pairs(groups, positions), ordered_pairs(group[order], position[order]), side)
    return places


def common_length(spans: Spans, others: Spans) -> Floats:
    """The length of the content of each of ``spans`` that lies in ``others``, too::

        [sum(max(0, min(end, e) - max(start, s)) for g, s, e in zip(*others) if g == group)
         for group, start, end in zip(*spans)]

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures.segments.spans import common_length, merged_spans
        >>> spans = merged_spans(np.array([0]), np.array([0.]), np.array([15.]))
        >>> others = merged_spans(np.array([0, 0]), np.array([5., 12.]), np.array([8., 30.]))
        >>> common_length(spans, others).tolist()
        [6.0]
    """
    first = first_ending_after(others, spans.group, spans.start)
    stop = first_starting_from(others, spans.group, spans.end)
    count = np.maximum(stop - first, 0)  # of an entry point that stands in both, -1
    one, other = range_pairs(first, count)
    length = np.minimum(spans.end[one], others.end[other]) - np.maximum(spans.start[one], others.start[other])
    return np.bincount(one, length, len(count)).astype(np.float64, copy=False)


def range_pairs(first: Array[Any], count: Ints) -> tuple[Ints, Array[Any]]:
    """The pairs of the index of a range and a place in it, for all places of ranges with ``count`` places from
    ``first`` on::

        [(i, place) for i in range(len(count)) for place in range(first[i], first[i] + count[i])]
    """
    one = np.repeat(np.arange(len(count)), count)
    return one, np.arange(len(one)) + np.repeat(first - np.cumsum(count) + count, count)


def cut_out(starts: list[Any], ends: list[Any], start: float, end: float) -> list[tuple[float, float]]:
    """Cuts ``[start, end)`` out of the spans of one document, which change in place; gives the pieces that were cut
    out, in order.

    Examples:
        >>> from ir_segmeasures.segments.spans import cut_out
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
    """Whether ``[start, end)``, or an entry point, lies in one of the spans of a document."""
    i = bisect_right(ends, start)
    return i < len(ends) and starts[i] <= start and end <= ends[i]


def plain_number(value: float) -> int | float:
    """The value as a number of Python, a whole one as an integer."""
    value = float(value)
    return int(value) if value.is_integer() else value


def plain_numbers(values: Floats) -> list[int | float]:
    """The values as numbers of Python, whole ones as integers."""
    return [*map(plain_number, values.tolist())]
