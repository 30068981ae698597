"""One axis of whole ticks for a run and its judgements, and the operations on it that carry all measures of spans.

The contract:

- A tick is 10^-d of the unit of the medium, d the fewest decimals (0 to 9) that hold all positions of both tables and
  the parameters that are lengths (``Number(in_unit=True)``). Positions, lengths and their sums are int64 ticks, so
  they are exact in any order; no two of them are compared with a tolerance. Ratios are formed last.
- Every document of every query has a stretch of its own on one axis, query by query; intervals of different documents
  do not meet, so that no operation knows queries or documents. A stretch is as long as what stands in it.
- :class:`Cover` is a union of intervals; ``before(x)`` is how much of it lies before x, ``common(start, end)`` how much
  of each interval lies in it. :func:`first_pieces` gives the pieces of a cover with the first interval that holds each.
- :func:`sums` adds up per place, :func:`running` within each query, both exactly.

:class:`ir_segmeasures.evaluation.run_on_axis.RunOnAxis` puts the rows of the tables on the axis.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.basics import Array, Floats, Ints


class Ground(NamedTuple):
    """The rows that a measure looks at, and how; measures of one ground share a walk.

    Attributes:
        rel: the relevance from which content is relevant; minus infinity for all that is judged
        condensed: whether content that nobody judged, and items without judged content, are left out
        apart: whether relevant segments that only touch stay two spans
        everywhere: whether items in documents without relevant content are needed too
        sized: whether the whole of each document is, from 0 to the column ``doc_size``
    """
    rel: float = 1
    condensed: bool = False
    apart: bool = False
    everywhere: bool = False
    sized: bool = False


class SplitPositions(NamedTuple):
    """Positions as whole units and billionths, as arrays of whole numbers: no digit of a float is lost in either."""
    whole: Array[np.int64]
    nanos: Array[np.int64]


def split_positions(positions: Floats) -> SplitPositions:
    """Finite positions in two parts. The noise of binary fractions goes: 9 decimals stay, from 10^6 on 6, and from
    4·10^9 on, where floats hold fewer, 3.
    """
    whole = np.floor(positions)
    rest = positions - whole
    nanos = np.rint(rest * 1e9) if rest.any() else rest
    if positions.max(initial=0) >= 1e6:
        nanos = np.where(positions >= 4e9, np.rint(rest * 1e3) * 1e6,
                         np.where(positions >= 1e6, np.rint(rest * 1e6) * 1e3, nanos))
    return SplitPositions(whole.astype(np.int64), nanos.astype(np.int64))


def most_decimals(nanos: Array[np.int64]) -> int:
    """The fewest decimals that hold all of these billionths."""
    decimals = 0
    while decimals < 9 and nanos.any() and (nanos % 10 ** (9 - decimals)).any():
        decimals += 1
    return decimals


class Cover(NamedTuple):
    """Disjoint intervals on the axis, in order.

    Attributes:
        start: where each begins
        end: where each ends
        sums: the length of all intervals before each, and of all of them
    """
    start: Ints
    end: Ints
    sums: Ints

    @classmethod
    def union(cls, start: Ints, end: Ints, apart: bool = False) -> Cover:
        """The union of intervals in any order. Those that overlap are one, and, unless ``apart``, those that touch.

        Examples:
            >>> import numpy as np
            >>> from ir_segmeasures.evaluation.axis import Cover
            >>> cover = Cover.union(np.array([5, 0, 20]), np.array([15, 5, 30]))
            >>> cover.start.tolist(), cover.end.tolist(), cover.common(np.array([10]), np.array([25])).tolist()
            ([0, 20], [15, 30], [10])
        """
        order = np.argsort(start)
        start, reach = start[order], np.maximum.accumulate(end[order])
        new = np.ones(len(order), bool)
        new[1:] = start[1:] >= reach[:-1] if apart else start[1:] > reach[:-1]
        return cls.ordered(start[new], reach[np.append(new[1:], True)[:len(order)]])

    @classmethod
    def ordered(cls, start: Ints, end: Ints) -> Cover:
        """The intervals as they are, which are disjoint and in order."""
        return cls(start, end, np.append(0, np.cumsum(end - start)))

    def before(self, x: Ints) -> Ints:
        """How much of the cover lies before each place."""
        i = np.searchsorted(self.start, x, 'right')
        return self.sums[i] - np.maximum(np.append(np.iinfo(np.int64).min // 2, self.end)[i] - x, 0)

    def common(self, start: Ints, end: Ints) -> Ints:
        """How much of each interval is covered."""
        return self.before(end) - self.before(start)

    def first_after(self, x: Ints) -> Ints:
        """The number of the first interval that ends after each place."""
        return np.searchsorted(self.end, x, 'right')

    def met(self, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        """The intervals that share content with each of these: from the first to before the second number."""
        first = self.first_after(start)
        return first, np.where(start < end, np.maximum(np.searchsorted(self.start, end, 'left'), first), first)


def cut_at(*bounds: Ints) -> tuple[Ints, list[Ints]]:
    """The distinct places of all bounds, in order, and for each bound the number of its place."""
    every = np.concatenate(bounds)
    order = np.argsort(every)
    ordered = every[order]
    new = np.ones(len(every), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    place = np.empty(len(every), np.int64)
    place[order] = np.cumsum(new) - 1
    return ordered[new], np.split(place, np.cumsum(list(map(len, bounds)))[:-1])


def first_holding(first: Ints, stop: Ints, n: int) -> Ints:
    """The number of the first of the ranges ``[first, stop)`` that each of ``n`` places lies in, or of all ranges where
    it lies in none::

        [min((i for i in range(len(first)) if first[i] <= place < stop[i]), default=len(first)) for place in range(n)]
    """
    found = np.full(n, len(first))
    # A range is the union of two whose lengths are a power of two, and each of these of two of half its length: from
    # the longest down, ``found`` is for the ranges of this length that begin at each place.
    power = np.frexp(np.maximum(stop - first, 0))[1] - 1
    for exponent in range(int(power.max(initial=-1)), -1, -1):
        length = 1 << exponent
        found[length:] = np.minimum(found[length:], found[:-length])
        these = np.flatnonzero(power == exponent)[::-1]  # NumPy keeps what is written last
        for begin in (first[these], stop[these] - length):
            found[begin] = np.minimum(found[begin], these)
    return found


class Pieces(NamedTuple):
    """Pieces of a cover, interval by interval, and in order in each.

    Attributes:
        owner: the number of the interval that is the first to hold the piece
        start, end: the piece
    """
    owner: Ints
    start: Ints
    end: Ints


def first_pieces(cover: Cover, start: Ints, end: Ints) -> Pieces:
    """The pieces of a cover that each interval, in their order, is the first to hold. A piece is as long as it can be
    within one interval of the cover.

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures.evaluation.axis import Cover, first_pieces
        >>> cover = Cover.union(np.array([0]), np.array([10]))
        >>> pieces = first_pieces(cover, np.array([4, 0]), np.array([6, 9]))
        >>> list(zip(*(column.tolist() for column in pieces)))
        [(0, 4, 6), (1, 0, 4), (1, 6, 9)]
    """
    points, (begin, stop, first, last) = cut_at(cover.start, cover.end, start, end)
    owner = first_holding(first, last, max(len(points) - 1, 0))
    opens, closes = np.zeros((2, len(points)), bool)
    opens[begin], closes[stop] = True, True
    found = np.flatnonzero((owner < len(start)) & (np.cumsum(opens) > np.cumsum(closes))[:-1])
    # Neighbours that one interval holds first are one piece; where an interval of the cover begins, a piece does.
    begins = np.ones(len(found), bool)
    begins[1:] = (np.diff(found) > 1) | (np.diff(owner[found]) != 0) | opens[found[1:]]
    ends = np.append(begins[1:], True)[:len(found)]
    order = np.argsort(owner[found[begins]], kind='stable')
    return Pieces(owner[found[begins]][order], points[found[begins]][order], points[found[ends] + 1][order])


def sums(values: Ints, place: Ints, n: int) -> Ints:
    """The sum of the whole numbers at each of ``n`` places, exactly."""
    total = np.zeros(n, np.int64)
    np.add.at(total, place, values)
    return total


def running(values: Ints, query: Ints) -> Ints:
    """The sum of the whole numbers up to each, within its query; rows of a query stand together."""
    total = np.cumsum(values)
    first = np.flatnonzero(np.diff(query, prepend=-1))
    return total - np.repeat((total - values)[first], np.diff(np.append(first, len(query))))


def float_running(values: Floats, query: Ints) -> Floats:
    """The sum of the floats up to each, within its query: no query's sum loses digits to another's."""
    total = np.array(values, float)
    bounds = np.append(np.flatnonzero(np.diff(query, prepend=-1)), len(query))
    several = np.diff(bounds) > 1
    for low, high in zip(bounds[:-1][several].tolist(), bounds[1:][several].tolist()):
        np.cumsum(values[low:high], out=total[low:high])
    return total


def at_place(values: Any, query: Ints, n: int) -> Floats:
    """The sum of the values of each of ``n`` queries, as floats."""
    return np.bincount(query, values, n).astype(np.float64, copy=False)


def share(part: Any, whole: Any) -> Floats:
    """The quotient of each, 0 where the whole is 0."""
    part, whole = np.broadcast_arrays(np.asarray(part, float), np.asarray(whole, float))
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


def times(values: Ints, factor: int) -> Array[Any]:
    """Whole numbers from 0 on times another; floats where 64 bits do not hold the products."""
    return values * (factor if int(values.max(initial=0)) * factor < 2 ** 62 else float(factor))


def ranges(first: Ints, count: Ints) -> tuple[Ints, Ints]:
    """The pairs of the number of a range and a place in it, for ranges of ``count`` places from ``first`` on."""
    one = np.repeat(np.arange(len(count)), count)
    return one, np.arange(len(one)) + np.repeat(first - np.cumsum(count) + count, count)
