"""Distinct bins in the order in which a ranking first comes upon them. Bins are kept and counted in ranges, never one
by one: a segment of 10^15 seconds has 10^24 bins of a nanosecond.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ir_segmeasures.measures.passage import harmonic_difference
from ir_segmeasures.segments.spans import cut_out, first_ending_after, merged_spans, range_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir_segmeasures.evaluation.run_items import Every

__all__ = ['BinRanks', 'InBins', 'number', 'of_run', 'places', 'size', 'summed_precision', 'union', 'whole_numbers']

Bins = tuple[Hashable, range]
"""a document, and consecutive bins of it"""

Union = dict[Hashable, tuple[list[int], list[int]]]
"""for each document, where its bins begin and end, sorted, none twice"""

_FEW = 1000  # terms that are added one by one
_A_FEW_BINS = 10  # that an item has on average, where bins are counted one by one
_EXACT = 2 ** 53  # up to here floats hold every whole number


class InBins(NamedTuple):
    """The bins of segments, as arrays: which hold Python's own numbers where these are too large for others.

    Attributes:
        first: where the bins of each segment begin, 0 or more
        stop: where they end; the segment has none if that is not after ``first``
    """
    first: NDArray[Any]
    stop: NDArray[Any]

    def ranges(self) -> list[range]:
        """The bins of each segment."""
        return [range(int(first), int(stop)) for first, stop in zip(self.first.tolist(), self.stop.tolist())]


class BinRanks(NamedTuple):
    """Where bins that are wanted stand in a ranking.

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
            pieces = cut_out(*new, start, stop)
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


def whole_numbers(values: Iterable[int]) -> NDArray[Any]:
    """As an array, whatever their size."""
    numbers = list(values)
    return np.array(numbers, np.int64 if max(numbers, default=0) < _EXACT else object)


def of_run(items: Every, bins: InBins, group: NDArray[np.intp], wanted: InBins, groups: int) -> list[BinRanks]:
    """For each query, where the bins wanted stand in its ranking of distinct bins.

    Args:
        items: the items of a run
        bins: theirs
        group: for each range of bins that are wanted, its document, as in ``items.group``
        wanted: these ranges, not empty
        groups: how many documents there are
    """
    count = np.maximum(bins.stop - bins.first, 0)
    exact = all(column.dtype != object and column.max(initial=0) < _EXACT for column in (*bins, *wanted))
    if exact and count.sum() <= _A_FEW_BINS * len(count) + _FEW:
        return _one_by_one(items, bins.first, count.astype(np.intp), group, wanted)
    united = union(zip(group.tolist(), wanted.ranges()))
    # Of the documents without bins that are wanted, those of the run are numbered after all others.
    document = np.where(items.group >= 0, items.group, items.document + groups).tolist()
    ranges = bins.ranges()
    return [places(zip(document[low:high], ranges[low:high]), united)
            for low, high in zip(items.bounds, items.bounds[1:])]


def _one_by_one(items: Every, first: NDArray[Any], count: NDArray[np.intp], group: NDArray[np.intp],
                wanted: InBins) -> list[BinRanks]:
    """The same where every bin of every item can have a row."""
    item, bin = range_pairs(first, count)
    query = items.query[item]
    new = _first_of_each(query, items.document[item], bin)
    item, bin, query = item[new], bin[new], query[new]
    bounds = np.searchsorted(query, np.arange(len(items.bounds)))
    # Spans of bins, as those of time.
    spans, of = merged_spans(group, wanted.first, wanted.stop), items.group[item]
    in_context = np.flatnonzero(of >= 0)
    span = first_ending_after(spans, of[in_context], bin[in_context])
    found = in_context[(np.append(spans.group, -1)[span] == of[in_context])
                       & (np.append(spans.start, 0)[span] <= bin[in_context])]
    rank = found - bounds[query[found]] + 1
    # Bins that stand one after the other are one range.
    begins = np.ones(len(found), bool)
    begins[1:] = (found[1:] != found[:-1] + 1) | (query[found[1:]] != query[found[:-1]])
    at = np.flatnonzero(begins)
    last = rank[np.append(at[1:], len(found))[:len(at)] - 1]
    ranges = list(map(range, rank[at].tolist(), (last + 1).tolist()))
    edges = np.searchsorted(query[found[at]], np.arange(len(items.bounds))).tolist()
    return [BinRanks(ranges[low:high], n) for low, high, n in zip(edges, edges[1:], np.diff(bounds).tolist())]


def _first_of_each(*columns: NDArray[Any]) -> NDArray[np.intp]:
    """The rows whose values in all columns, which are whole numbers, no row above has."""
    n, size = len(columns[0]), 1
    most = [int(column.max(initial=0)) + 1 for column in columns]
    for count in most:
        size *= count
    if size * n < 2 ** 63 and all(column.min(initial=0) >= 0 for column in columns):
        # One number for all columns and the row, which NumPy sorts several times as fast as columns one by one.
        key = np.zeros(n, np.int64)
        for column, count in zip(columns, most):
            key = key * count + column.astype(np.int64, copy=False)
        ordered = np.sort(key * n + np.arange(n))
        key = ordered // max(1, n)
        differs = np.ones(n, bool)
        differs[1:] = key[1:] != key[:-1]
        return np.sort(ordered[differs] - key[differs] * n)
    order = np.arange(n)
    for column in reversed(columns):
        short = column.astype(np.min_scalar_type(int(column.max(initial=0))))  # which a radix sort takes
        order = order[np.argsort(short[order], kind='stable')]
    differs = np.zeros(len(order), bool)
    differs[:1] = True
    for column in columns:
        ordered = column[order]
        differs[1:] |= ordered[1:] != ordered[:-1]
    return np.sort(order[differs])


def number(ranks: Iterable[range], cutoff: float = inf) -> int:
    """How many there are, up to a rank."""
    return int(sum(max(0, min(some.stop, cutoff + 1) - some.start) for some in ranks))


def summed_precision(ranks: Iterable[range], cutoff: float = inf) -> float:
    """``Σ_k rel_k · P@k``, with ``ranks`` those where rel_k is 1."""
    hits, value = 0, 0.0
    for some in ranks:
        count = some.stop - some.start if some.stop <= cutoff else number([some], cutoff)  # len() has a limit
        if count <= _FEW:
            for rank in some[:count]:
                hits += 1
                value += hits / rank
        else:  # Σ_{i=1..L} (hits + i) / (before + i)
            before = some.start - 1
            value += count + (hits - before) * harmonic_difference(before, count)
            hits += count
    return value
