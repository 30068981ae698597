"""Earlier items of a file: those that an item repeats, and those that it overlaps."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterator

from ir_segmeasures.checks.checked_lines import Item
from ir_segmeasures.formats.files.reading import Number

__all__ = ['overlapping_items', 'repeated_items', 'segment_key']


def segment_key(item: Item) -> Hashable:
    """The query and the segment of an item, by which repeated ones are found."""
    return item.query_id, item.segment


def repeated_items(items: list[Item], what: Callable[[Item], Hashable]) -> Iterator[tuple[Item, Item]]:
    """Pairs of an item and the first item of its query with its segment, where both have the same ``what``."""
    first: dict[Hashable, Item] = {}
    for item in items:
        earlier = first.setdefault((segment_key(item), what(item)), item)
        if earlier is not item:
            yield item, earlier


def overlapping_items(items: list[Item]) -> Iterator[tuple[Item, Item, bool]]:
    """Triples of an item that shares content with an earlier one of its query and document, one such earlier item, and
    whether both are the same segment. An element without offsets shares content with those around it and inside it; a
    whole document, and a segment without content, with none.
    """
    first: dict[Hashable, Item] = {}
    covered: dict[Hashable, _Covered] = {}
    for item in items:
        earlier = first.setdefault(segment_key(item), item)
        if earlier is not item:
            yield item, earlier, True
            continue
        document, start, end, unit, path = item.segment
        if start == end or (unit is None and path is None):
            continue
        before = covered.setdefault((item.query_id, document, unit), _Covered())
        found = before.paths(item, path) if unit is None and path is not None else before.times(item, start, end)
        if found is not None:
            yield item, found, False


class _Covered:
    """The parts of a document that earlier items cover."""

    def __init__(self) -> None:
        # Disjoint pieces in order, each of the latest item there: it takes the place of those that it covers, so that a
        # piece comes and goes once.
        self._starts: list[Number] = []
        self._ends: list[Number] = []
        self._owners: list[Item] = []
        self._elements: dict[str, Item] = {}
        self._around: dict[str, Item] = {}  # path → an element inside

    def times(self, item: Item, start: Number, end: Number) -> Item | None:
        """Adds an item with offsets. Returns an earlier one that it overlaps, or None."""
        starts, ends, owners = self._starts, self._ends, self._owners
        i = bisect_right(ends, start)
        j = bisect_left(starts, end, i)
        found = owners[i] if i < j else None
        pieces: list[tuple[Number, Number, Item]] = [(start, end, item)]
        if i < j:
            if starts[i] < start:
                pieces.insert(0, (starts[i], start, owners[i]))
            if end < ends[j - 1]:
                pieces.append((end, ends[j - 1], owners[j - 1]))
        starts[i:j], ends[i:j], owners[i:j] = map(list, zip(*pieces))
        return found

    def paths(self, item: Item, path: str) -> Item | None:
        """Adds an element without offsets. Returns an earlier one around it or inside it, or None."""
        steps = path.split('/')
        around = ['/'.join(steps[:depth]) for depth in range(2, len(steps))]
        found = next((self._elements[above] for above in around if above in self._elements), self._around.get(path))
        self._elements[path] = item
        for above in around:
            self._around.setdefault(above, item)
        return found
