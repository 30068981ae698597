"""True windows and the items that fit them, by temporal intersection over union, IoU = |∩| / |∪|."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

Window = tuple[Any, Any]
_LEAF = 16  # windows that are looked at one by one


class Fit(NamedTuple):
    """A window that an item fits.

    Attributes:
        place: of the window
        common, union: the lengths of their intersection and union
    """
    place: int
    common: Any
    union: Any

    @property
    def iou(self) -> float:
        """The nearest float; infinity where both are empty."""
        return self.common / self.union if self.union else inf

    def above(self, iou: Fraction | float) -> Any:
        """A number that is as far above 0 as the IoU is above another one: exactly for a fraction and whole numbers."""
        if isinstance(iou, Fraction):
            return self.common * iou.denominator - self.union * iou.numerator
        return self.iou - iou


class _Part:
    """Some windows of a tree: all those of a leaf, or two halves by start or end. ``bounds`` are those of the starts
    and ends, ``first`` is the first place, ``free`` has the bits that are free of any of the windows."""
    __slots__ = ('bounds', 'first', 'free', 'halves', 'places', 'split', 'whole')

    def __init__(self, whole: _Part | None, places: list[int], windows: Sequence[Window], free: int):
        self.whole, self.places, self.first, self.free = whole, places, min(places), free
        starts, ends = zip(*(windows[place] for place in places))
        self.bounds = min(starts), max(starts), min(ends), max(ends)
        self.halves: tuple[_Part, _Part] | None = None
        self.split: tuple[int, Any] = (0, 0)  # of the halves: whether by end, and where the second one begins


class WindowTree:
    """The true windows of a document, for the one of the free windows that an item fits best: a k-d tree over starts
    and ends, so that 32,000 items find theirs among as many windows that all overlap in 1 s, where a look at each takes
    30 s.

    Args:
        windows: their starts and ends; of windows that an item fits equally well the first is the best
        times: how many times each can be taken
        exact: whether positions are whole numbers, whose IoUs are compared exactly; floats are compared as a program
            with doubles compares them, where two empty windows fit better than any others

    Attributes:
        free: for each window the times that are left, as bits
    """

    def __init__(self, windows: Sequence[Window], times: int = 1, exact: bool = True):
        self._windows, self._exact = windows, exact
        self.free = [(1 << times) - 1] * len(windows)
        self._leaf: dict[int, _Part] = {}
        self._root = self._part(None, list(range(len(windows))))

    def _part(self, whole: _Part | None, places: list[int]) -> _Part:
        part = _Part(whole, places, self._windows, self.free[0])
        if len(places) <= _LEAF or not self._exact:
            self._leaf.update(dict.fromkeys(places, part))
        else:
            first_start, last_start, first_end, last_end = part.bounds
            axis, half = int(last_end - first_end > last_start - first_start), len(places) // 2
            ordered = sorted(places, key=lambda place: (self._windows[place][axis], place))
            part.halves = self._part(part, ordered[:half]), self._part(part, ordered[half:])
            part.split = axis, self._windows[ordered[half]][axis]
        return part

    def best(self, start: Any, end: Any, wanted: int = 1, least: float = 0) -> Fit | None:
        """The window that an item fits best of those with a bit of ``wanted`` that is free, or None where no IoU is
        above 0 and at least ``least``."""
        windows, free, exact = self._windows, self.free, self._exact
        best, best_iou, best_common, best_union = len(windows), least, 0, 1
        parts = [self._root]
        while parts:
            part = parts.pop()
            if not part.free & wanted:
                continue
            if exact and len(part.places) > 1:
                first_start, last_start, first_end, last_end = part.bounds
                common = (end if end < last_end else last_end) - (start if start > first_start else first_start)
                union = (end if end > first_end else first_end) - (start if start < last_start else last_start)
                bound = common / union  # rounding keeps the order: no IoU of the part is greater, exact or rounded
                if bound <= 0 or bound < best_iou or (bound == best_iou and part.first > best
                                                      and common * best_union <= best_common * union):
                    continue
            if part.halves:
                axis, middle = part.split
                near = (end if axis else start) > middle
                parts += (part.halves[not near], part.halves[near])
                continue
            for place in part.places:
                if not free[place] & wanted:
                    continue
                first, last = windows[place]
                common = (end if end < last else last) - (start if start > first else first)
                if common < 0:
                    common = 0
                union = (end - start) + (last - first) - common
                iou = common / union if union else inf
                if iou < best_iou or not iou:
                    continue
                if iou == best_iou:
                    more = common * best_union - best_common * union if exact else 0
                    if more < 0 or (more == 0 and place > best):
                        continue
                best, best_iou, best_common, best_union = place, iou, common, union
        return Fit(best, best_common, best_union) if best < len(windows) else None

    def take(self, place: int, bits: int) -> None:
        """Take these bits of a window, which are free."""
        self.free[place] ^= bits
        part: _Part | None = self._leaf[place]
        while part:
            left = 0
            for free in [half.free for half in part.halves] if part.halves else [self.free[i] for i in part.places]:
                left |= free
            if left == part.free:
                break
            part.free, part = left, part.whole


def matches(items: Iterable[Window], windows: Sequence[Window], ious: Sequence[Fraction] | Sequence[float],
            exact: bool = True) -> Iterator[tuple[int, int, int]]:
    """The matches of the items of a document with its windows: each item takes the window that it fits best of those
    that no item before it took, if their IoU is at least so much, for each of some IoUs by itself.

    Args:
        items: by rank
        windows: see :class:`WindowTree`
        ious: in ascending order; fractions if exact

    Returns:
        the number of the item, that of its window, and the places of the IoUs at which they match, as bits

    Examples:
        >>> from fractions import Fraction
        >>> from ir_segmeasures.measures.windows import matches
        >>> list(matches([(0, 8), (0, 10)], [(0, 10), (2, 10)], [Fraction(1, 2), Fraction(9, 10)]))
        [(0, 0, 1), (1, 0, 2), (1, 1, 1)]
    """
    if not windows:
        return
    tree, least = WindowTree(windows, len(ious), exact), [float(iou) for iou in ious]
    for number, (start, end) in enumerate(items):
        wanted = (1 << len(ious)) - 1
        while wanted:
            fit = tree.best(start, end, wanted, least[(wanted & -wanted).bit_length() - 1])
            if fit is None:
                break
            free = tree.free[fit.place] & wanted  # where it is free, no other window fits better
            wanted ^= free
            reached = free & (1 << bisect_right(ious, 0, key=lambda iou: -fit.above(iou))) - 1
            if reached:
                tree.take(fit.place, reached)
                yield number, fit.place, reached
