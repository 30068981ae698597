"""Which items are there before, as they are or in part."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterator

from ir_segmeasures.checks.reading import Item
from ir_segmeasures.formats.files.reading import Number

__all__ = ['identity', 'overlaps', 'repeated']


def identity(item: Item) -> Hashable:
    """What is retrieved or judged for which query."""
    return item.query_id, item.segment


def repeated(items: list[Item], what: Callable[[Item], Hashable]) -> Iterator[tuple[Item, Item]]:
    """Items whose segment was there before for the query, with the same of what is asked for, and the first such."""
    first: dict[Hashable, Item] = {}
    for item in items:
        earlier = first.setdefault((identity(item), what(item)), item)
        if earlier is not item:
            yield item, earlier


def overlaps(items: list[Item]) -> Iterator[tuple[Item, Item, bool]]:
    """Items that have content in common with an earlier one of the query and document, one such earlier item, and
    whether the two are the same segment. Elements without offsets have it with those around them and inside them;
    whole documents, and what has no content, have none."""
    first: dict[Hashable, Item] = {}
    covered: dict[Hashable, _Covered] = {}
    for item in items:
        earlier = first.setdefault(identity(item), item)
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
    """What is covered so far of a document."""

    def __init__(self) -> None:
        # Disjoint pieces in order, each of the latest item there: it takes the place of those that it covers, so that a
        # piece comes and goes once.
        self._starts: list[Number] = []
        self._ends: list[Number] = []
        self._owners: list[Item] = []
        self._elements: dict[str, Item] = {}
        self._around: dict[str, Item] = {}  # path → an element inside

    def times(self, item: Item, start: Number, end: Number) -> Item | None:
        """Adds an item. An earlier one that it overlaps, or None."""
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
        """The same for an element without offsets."""
        steps = path.split('/')
        around = ['/'.join(steps[:depth]) for depth in range(2, len(steps))]
        found = next((self._elements[above] for above in around if above in self._elements), self._around.get(path))
        self._elements[path] = item
        for above in around:
            self._around.setdefault(above, item)
        return found
