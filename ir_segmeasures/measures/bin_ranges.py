"""Rankings of distinct bins: each bin stands at the best rank of an item that has it. Bins are kept and counted in
ranges where there are many of them: a segment of 10^15 seconds has 10^24 bins of a nanosecond.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from itertools import repeat
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ir_segmeasures.measures.harmonic import FEW_TERMS, harmonic_difference
from ir_segmeasures.segments.arrays import Array, Ints
from ir_segmeasures.segments.spans import cut_out, first_ending_after, merged_spans, range_pairs

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import AllItems

__all__ = ['BinPiece', 'BinRanges', 'BinRanks', 'bin_ranks', 'bin_ranks_of_run', 'count_bins',
           'count_ranks', 'found_bins', 'summed_precision', 'united_bins', 'whole_numbers']

DocumentBins = tuple[Hashable, range]
"""a document, and consecutive bins of it"""

UnitedBins = dict[Hashable, tuple[list[int], list[int]]]
"""for each document, where its bins begin and end, sorted, none twice"""

_FEW_BINS = 10  # that an item has on average, where bins are counted one by one
_EXACT = 2 ** 53  # up to here floats hold every whole number


class BinRanges(NamedTuple):
    """The bins of segments, as arrays, which hold Python's own numbers where these are too large for others.

    Attributes:
        first: where the bins of each segment begin, 0 or more
        stop: where they end; the segment has none if that is not after ``first``
    """
    first: Array[Any]
    stop: Array[Any]

    def ranges(self) -> list[range]:
        """The bins of each segment."""
        return [range(int(first), int(stop)) for first, stop in zip(self.first.tolist(), self.stop.tolist())]


BinPiece = tuple[int, int, int, int]
"""consecutive bins that one item brings into the ranking of distinct bins: the rank of the first of them there, the
rank of the item, the first bin, and how many they are
"""


class BinRanks(NamedTuple):
    """The ranks of wanted bins in a ranking of distinct bins.

    Attributes:
        ranks: their ranks, from 1, as ranges, in order
        n: the length of the ranking
        pieces: a function that gives the ranking itself, piece by piece, if it is kept
    """
    ranks: list[range]
    n: int
    pieces: Callable[[], Iterable[BinPiece]] = tuple


def united_bins(bins: Iterable[DocumentBins]) -> UnitedBins:
    """The bins, none twice.

    Examples:
        >>> from ir_segmeasures.measures.bin_ranges import united_bins
        >>> united_bins([('v', range(0, 3)), ('v', range(2, 5)), ('u', range(1, 2))])
        {'v': ([0], [5]), 'u': ([1], [2])}
    """
    united: UnitedBins = {}
    ranges: dict[Hashable, list[range]] = {}
    for document, found in bins:
        if found.start < found.stop:
            ranges.setdefault(document, []).append(found)
    for document, in_document in ranges.items():
        starts: list[int] = []
        ends: list[int] = []
        united[document] = starts, ends
        for found in sorted(in_document, key=lambda bins: bins.start):
            if ends and found.start <= ends[-1]:
                ends[-1] = max(ends[-1], found.stop)
            else:
                starts.append(found.start)
                ends.append(found.stop)
    return united


def count_bins(united: UnitedBins) -> int:
    """How many bins there are."""
    return sum(end - start for bounds in united.values() for start, end in zip(*bounds))


def bin_ranks(items: Iterable[DocumentBins], wanted: UnitedBins, keep: bool = False) -> BinRanks:
    """The ranks of the wanted bins in the ranking of the distinct bins of the items; ``keep`` keeps the ranking itself.

    Examples:
        >>> from ir_segmeasures.measures.bin_ranges import bin_ranks
        >>> found = bin_ranks([('v', range(0, 2)), ('v', range(1, 4))], {'v': ([1], [3])})
        >>> found.ranks, found.n  # the ranking is 0, 1, 2, 3 of v
        ([range(2, 3), range(3, 4)], 4)
    """
    unseen: dict[Hashable, tuple[list[float], list[float]]] = {}
    ranks, n, brought = [], 0, list[tuple[int, int, list[tuple[float, float]]]]()
    for item, (document, bins) in enumerate(items, 1):
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
        if keep:
            brought.append((n, item, pieces))
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
    return BinRanks(ranks, n, partial(_pieces_of_items, brought))


def _pieces_of_items(brought: list[tuple[int, int, list[tuple[float, float]]]]) -> Iterator[BinPiece]:
    for n, item, pieces in brought:
        for first, last in pieces:
            count = int(last) - int(first)
            yield n + 1, item, int(first), count
            n += count


def whole_numbers(values: Iterable[int]) -> Array[Any]:
    """An array of whole numbers of any size."""
    numbers = list(values)
    return np.array(numbers, np.int64 if max(numbers, default=0) < _EXACT else object)


def bin_ranks_of_run(items: AllItems, bins: BinRanges, group: Ints, wanted: BinRanges, groups: int,
                     keep: bool = False) -> list[BinRanks]:
    """For each query, the ranks of the wanted bins in the ranking of the distinct bins of its items.

    Args:
        items: the items of a run
        bins: the bins of these items
        group: for each range of wanted bins, its document, as in ``items.group``
        wanted: the ranges of wanted bins, not empty
        groups: how many documents there are
        keep: whether to keep the rankings themselves
    """
    count = np.maximum(bins.stop - bins.first, 0)
    exact = all(column.dtype != object and column.max(initial=0) < _EXACT for column in (*bins, *wanted))
    if exact and count.sum() <= _FEW_BINS * len(count) + FEW_TERMS:
        return _one_by_one(items, bins.first, count.astype(np.intp), group, wanted, keep)
    united = united_bins(zip(group.tolist(), wanted.ranges()))
    # Of the documents without bins that are wanted, those of the run are numbered after all others.
    document = np.where(items.group >= 0, items.group, items.document + groups).tolist()
    ranges = bins.ranges()
    return [bin_ranks(zip(document[low:high], ranges[low:high]), united, keep)
            for low, high in zip(items.bounds, items.bounds[1:])]


def _one_by_one(items: AllItems, first: Array[Any], count: Ints, group: Ints,
                wanted: BinRanges, keep: bool) -> list[BinRanks]:
    """The value of :func:`bin_ranks_of_run` where every bin of every item can have a row in an array."""
    item, bin = range_pairs(first, count)
    query = items.query[item]
    new = _first_rows(query, items.document[item], bin)
    item, bin, query = item[new], bin[new], query[new]
    bounds = np.searchsorted(query, np.arange(len(items.bounds)))
    # Spans of bins, as those of time.
    spans, bin_group = merged_spans(group, wanted.first, wanted.stop), items.group[item]
    judged = np.flatnonzero(bin_group >= 0)
    span = first_ending_after(spans, bin_group[judged], bin[judged])
    found = judged[(np.append(spans.group, -1)[span] == bin_group[judged])
                   & (np.append(spans.start, 0)[span] <= bin[judged])]
    rank = found - bounds[query[found]] + 1
    # Bins that stand one after the other are one range.
    begins = np.ones(len(found), bool)
    begins[1:] = (found[1:] != found[:-1] + 1) | (query[found[1:]] != query[found[:-1]])
    at = np.flatnonzero(begins)
    last = rank[np.append(at[1:], len(found))[:len(at)] - 1]
    ranges = list(map(range, rank[at].tolist(), (last + 1).tolist()))
    edges = np.searchsorted(query[found[at]], np.arange(len(items.bounds))).tolist()
    cuts = bounds.tolist()
    pieces: Iterable[Callable[[], Iterable[BinPiece]]] = repeat(tuple)
    if keep:
        pieces = [partial(_single_bins, item[first:last], bin[first:last], before)
                  for first, last, before in zip(cuts, cuts[1:], items.bounds)]
    return [BinRanks(ranges[low:high], last - first, of_query)
            for low, high, first, last, of_query in zip(edges, edges[1:], cuts, cuts[1:], pieces)]


def _single_bins(item: Array[Any], bin: Array[Any], before: int) -> Iterator[BinPiece]:
    """The pieces of a ranking of bins one by one; ``before`` is the place of the first item of the query."""
    for rank, (place, first) in enumerate(zip(item.tolist(), bin.tolist()), 1):
        yield rank, place - before + 1, int(first), 1


def _first_rows(*columns: Array[Any]) -> Ints:
    """The first row of each combination of values in the columns, which are whole numbers."""
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


def count_ranks(ranks: Iterable[range], cutoff: float = inf) -> int:
    """How many ranks there are, up to a cut-off.

    Examples:
        >>> from ir_segmeasures.measures.bin_ranges import count_ranks
        >>> count_ranks([range(2, 5), range(9, 12)], 9)  # 2, 3, 4 and 9
        4
    """
    return int(sum(max(0, min(found.stop, cutoff + 1) - found.start) for found in ranks))


def summed_precision(ranks: Iterable[range], cutoff: float = inf, hits: int = 0) -> float:
    """Return ``Σ_k rel_k · P@k``, where rel_k is 1 at the given ranks and 0 at all others.

    Args:
        ranks: the ranks, in order
        cutoff: the last rank that counts
        hits: how many ranks count before the first of these

    Examples:
        >>> from ir_segmeasures.measures.bin_ranges import summed_precision
        >>> summed_precision([range(2, 3), range(4, 5)])  # 1/2 + 2/4
        1.0
    """
    value = 0.0
    for found in ranks:
        count = found.stop - found.start if found.stop <= cutoff else count_ranks([found], cutoff)  # len() has a limit
        if count <= FEW_TERMS:
            for rank in found[:count]:
                hits += 1
                value += hits / rank
        else:  # Σ_{i=1..L} (hits + i) / (before + i)
            before = found.start - 1
            value += count + (hits - before) * harmonic_difference(before, count)
            hits += count
    return value


def found_bins(found: BinRanks, cutoff: float = inf) -> list[BinPiece]:
    """The wanted bins up to a cut-off in the ranking of bins, item by item."""
    together: list[BinPiece] = []
    wanted = iter(found.ranks)
    ranks = next(wanted, None)
    for rank, item, bin, count in found.pieces():
        while ranks is not None and ranks.start < rank + count:
            low, high = max(rank, ranks.start), int(min(rank + count, ranks.stop, cutoff + 1))
            if low < high:
                _add(together, (low, item, bin + low - rank, high - low))
            if ranks.stop > rank + count:
                break
            ranks = next(wanted, None)
    return together


def _add(pieces: list[BinPiece], piece: BinPiece) -> None:
    """Add a piece; it goes on with the last one if the same item brings the bins before it."""
    rank, item, bin, count = piece
    first, last_item, first_bin, bins = pieces[-1] if pieces else (0, 0, 0, 0)
    if (item, bin, rank) == (last_item, first_bin + bins, first + bins):
        pieces[-1] = first, item, first_bin, bins + count
    else:
        pieces.append(piece)
