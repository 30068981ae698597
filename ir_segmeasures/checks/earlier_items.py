"""Earlier items of a file: those that an item repeats, and those that it overlaps."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterator
from math import inf
from operator import itemgetter

from ir_segmeasures.checks.checked_lines import Item
from ir_segmeasures.formats.files.row_types import Number

__all__ = ['overlapping_items', 'repeated_items', 'segment_key']

Piece = tuple[Number, Number, Item]
_START, _END = itemgetter(0), itemgetter(1)
_LONGEST = 1000  # pieces of a block


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
        # Disjoint pieces (start, end, item) in order, each of the latest item there: it takes the place of those that
        # it covers, so that a piece comes and goes once. They stand in blocks, so that few move when one does.
        self._blocks: list[list[Piece]] = [[]]
        self._first: list[Number] = [-inf]  # from where on a piece belongs to the block
        self._elements: dict[str, Item] = {}
        self._around: dict[str, Item] = {}  # path → an element inside

    def times(self, item: Item, start: Number, end: Number) -> Item | None:
        """Adds an item with offsets. Returns an earlier one that it overlaps, or None."""
        blocks = self._blocks
        a = bisect_right(self._first, start) - 1
        i = bisect_right(blocks[a], start, key=_END)
        if i == len(blocks[a]) and a + 1 < len(blocks):
            a, i = a + 1, 0
        b = max(a, bisect_left(self._first, end) - 1)
        j = bisect_left(blocks[b], end, i if a == b else 0, key=_START)
        pieces: list[Piece] = [(start, end, item)]
        found = None
        if a < b or i < j:  # the pieces from i of block a to j of block b overlap it
            before, _, found = blocks[a][i]
            _, after, last = blocks[b][j - 1]
            if before < start:
                pieces.insert(0, (before, start, found))
            if end < after:
                pieces.append((end, after, last))
        self._replace(a, i, b, j, pieces)
        return found

    def _replace(self, a: int, i: int, b: int, j: int, pieces: list[Piece]) -> None:
        block = self._blocks[a]
        if a < b:
            block[i:] = pieces + self._blocks[b][j:]
            del self._blocks[a + 1:b + 1], self._first[a + 1:b + 1]
        else:
            block[i:j] = pieces
        if len(block) > _LONGEST:
            half = len(block) // 2
            self._blocks.insert(a + 1, block[half:])
            self._first.insert(a + 1, block[half][0])
            del block[half:]
        if a:
            self._first[a] = block[0][0]

    def paths(self, item: Item, path: str) -> Item | None:
        """Adds an element without offsets. Returns an earlier one around it or inside it, or None."""
        steps = path.split('/')
        around = ['/'.join(steps[:depth]) for depth in range(2, len(steps))]
        found = next((self._elements[above] for above in around if above in self._elements), self._around.get(path))
        self._elements[path] = item
        for above in around:
            self._around.setdefault(above, item)
        return found
