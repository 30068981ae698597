"""
Distinct bins in the order in which a ranking first comes upon them. Bins are kept and counted in ranges, never one by
one: a segment of 10^15 seconds has 10^24 bins of a nanosecond.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable
from math import inf
from typing import NamedTuple

from ir_segmeasures.measures.passage import harmonic_difference
from ir_segmeasures.segments.spans import cut

__all__ = ['BinRanks', 'number', 'places', 'size', 'summed_precision', 'union']

Bins = tuple[Hashable, range]
"""a document, and consecutive bins of it"""

Union = dict[Hashable, tuple[list[int], list[int]]]
"""for each document, where its bins begin and end, sorted, none twice"""

_FEW = 1000  # terms that are added one by one


class BinRanks(NamedTuple):
    """
    Where bins that are wanted stand in a ranking.

    Attributes:
        ranks: theirs, from 1, as ranges, in order
        n: the length of the ranking
    """
    ranks: list[range]
    n: int


def union(bins: Iterable[Bins]) -> Union:
    """The bins, none twice."""
    united: Union = {}
    ranges: dict[Hashable, list[range]] = {}
    for document, some in bins:
        if some.start < some.stop:
            ranges.setdefault(document, []).append(some)
    for document, own in ranges.items():
        starts: list[int] = []
        ends: list[int] = []
        united[document] = starts, ends
        for some in sorted(own, key=lambda some: some.start):
            if ends and some.start <= ends[-1]:
                ends[-1] = max(ends[-1], some.stop)
            else:
                starts.append(some.start)
                ends.append(some.stop)
    return united


def size(united: Union) -> int:
    """How many bins there are in a union."""
    return sum(end - start for bounds in united.values() for start, end in zip(*bounds))


def places(items: Iterable[Bins], wanted: Union) -> BinRanks:
    """Where the bins wanted stand in the ranking of the distinct bins of the items."""
    unseen: dict[Hashable, tuple[list[float], list[float]]] = {}
    ranks, n = [], 0
    for document, bins in items:
        new, start, stop = unseen.get(document), bins.start, bins.stop
        if start >= stop:
            continue
        pieces: list[tuple[float, float]]
        if new is None:
            unseen[document] = [0, stop], [start, inf]
            pieces = [(start, stop)]
        elif new[0][bisect_right(new[1], start)] >= stop:  # many items of a long list lie in bins seen
            continue
        else:
            pieces = cut(*new, start, stop)
        if document not in wanted:
            for first, last in pieces:
                n += int(last) - int(first)
            continue
        starts, ends = wanted[document]
        for first, last in pieces:
            left, right = int(first), int(last)
            i = bisect_right(ends, left)
            while i < len(starts) and starts[i] < right:
                ranks.append(range(n + max(left, starts[i]) - left + 1, n + min(right, ends[i]) - left + 1))
                i += 1
            n += right - left
    return BinRanks(ranks, n)


def number(ranks: Iterable[range], cutoff: float = inf) -> int:
    """How many there are, up to a rank."""
    return int(sum(max(0, min(some.stop, cutoff + 1) - some.start) for some in ranks))


def summed_precision(ranks: Iterable[range], cutoff: float = inf) -> float:
    """``Σ_k rel_k · P@k``, with ``ranks`` those where rel_k is 1."""
    hits, value = 0, 0.0
    for some in ranks:
        count = number([some], cutoff)
        if count <= _FEW:
            for rank in some[:count]:
                hits += 1
                value += hits / rank
        else:  # Σ_{i=1..L} (hits + i) / (before + i)
            before = some.start - 1
            value += count + (hits - before) * harmonic_difference(before, count)
            hits += count
    return value
