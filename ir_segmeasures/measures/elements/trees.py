"""Trees of elements of XML documents: the judged and the retrieved elements of one query.

Elements nest: the interval of an ancestor contains those of its descendants, and its path is the beginning of theirs.
Where all elements of a document have offsets, these make the tree, elements of equal extent are ordered by their paths,
and the paths must agree; else the paths make it. A row without a path is the element of its extent; a whole document
contains its elements and is none of them. An element without content (``start == end``) stands outside the tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, nan
from typing import Any

from ir_segmeasures.measures.base import RowTopic
from ir_segmeasures.segments.basics import format_number, quoted

# An element and where it lies: document, path, start, end.
Key = tuple[str, str | None, float, float]


class Node:
    """An element that is judged, retrieved, or both, in the tree of its document.

    Attributes:
        document: its document, without a fragment
        path: such as ``/article[1]/bdy[1]``, or None
        start, end: its offsets in the document's unit; NaN, or an end of ``inf``, where they are not known
        exhaustivity: from 0 to 3, as judged; 0 where it is not judged
        specificity: from 0 to 3 or from 0 to 1, as judged; 0 where it is not judged
        parent: the next element around it of those that are judged or retrieved, or None
        relevant: whether it is judged relevant
        parts: the next relevant elements inside it
        first, ticks: its start and the length of its content in ticks, 0 where they are not known
    """

    def __init__(self, key: Key, topic: RowTopic, rows: Any, place: int):
        self.document, self.path, start, self.end = key
        self.start = start if self.path is None or self.known else nan
        self.first = topic.ticks(start) if self.known else 0
        self.ticks = topic.ticks(self.end) - self.first if self.known else 0
        self.exhaustivity, self.specificity, self.relevant = 0., 0., False
        self.parent: Node | None = None
        self.parts: list[Node] = []
        self.rows, self.place = rows, place  # of the first in which it stands

    def __str__(self) -> str:
        interval = f'[{format_number(self.start)}, {format_number(self.end)})' if self.known else ''
        return ' '.join(filter(None, (quoted(self.path) if self.path else '', interval))) or 'the whole document'

    def error(self, sentence: str) -> ValueError:
        """The error for the row in which it stands first."""
        return self.rows.error(self.place, sentence)

    @property
    def known(self) -> bool:
        """Says whether its offsets are known."""
        return self.end < inf

    @property
    def size(self) -> float:
        """The length of its content, NaN where it is not known."""
        return self.end - self.start if self.known else nan

    def around(self) -> Iterator[Node]:
        """The elements that contain it, from the inside out."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def contains(self, other: Node) -> bool:
        """Says whether the other element is a descendant of it."""
        return self in other.around()


class Seen:
    """The content that the reader of a ranking has seen: how much of each element, in ticks."""

    def __init__(self) -> None:
        self._read: set[Node] = set()
        self._parts: dict[Node, float] = {}

    def whole(self, node: Node) -> bool:
        """Says whether all of it has been seen: by itself, in an element around it, or in elements that fill it."""
        return (node in self._read or any(around in self._read for around in node.around())
                or (node.known and self.part(node) == node.ticks))

    def part(self, node: Node) -> float:
        """How much of it has been seen in itself and in elements inside it; NaN if that is not known."""
        return self._parts.get(node, 0)

    def unseen(self, node: Node, length: float) -> float:
        """How much of the first ``length`` of an element, in ticks, has not been seen; offsets are known."""
        if self.whole(node):
            return 0
        inside = [read for read in self._read if node.contains(read) and self._read.isdisjoint(read.around())]
        return length - sum(max(0, min(read.ticks, length - (read.first - node.first))) for read in inside)

    def read(self, node: Node) -> float:
        """Take an element as read, and return how much of it is new; NaN if that is not known."""
        new = 0 if self.whole(node) else node.ticks - self.part(node) if node.known else nan
        self._read.add(node)
        if new:
            for seen in (node, *node.around()):
                self._parts[seen] = self.part(seen) + new
        return new


class Forest:
    """The elements of one query, in their trees.

    Args:
        topic: the query
        grades: whether specificities are grades, not shares
        lifted: whether a specificity above 0 alone makes an element relevant, not only with an exhaustivity above 0

    Attributes:
        judged: the distinct judged elements, in the order of the judgements
        rows: the element of each row of the judgements
        ranking: the retrieved elements, by rank; an element that stands there twice is one node
        leaves: the relevant elements without relevant ones inside them
    """

    def __init__(self, topic: RowTopic, grades: bool, lifted: bool = False):
        self._topic = topic
        self._nodes: dict[Key, Node] = {}
        judged, retrieved = _keys(topic)
        self.judged = self._judge(judged, grades, lifted)
        self.rows = [self._nodes[key] for key in judged]
        self.ranking = [self._node(key, topic.retrieved, place) for place, key in enumerate(retrieved)]
        documents: dict[str, list[Node]] = {}
        for node in self._nodes.values():
            if node.start != node.end:
                documents.setdefault(node.document, []).append(node)
        for nodes in documents.values():
            if len(nodes) > 1:
                self._nest(nodes)
        for node in self.judged:
            for around in node.around() if node.relevant else ():
                around.parts.append(node)
                if around.relevant:
                    break
        self.leaves = [node for node in self.judged if node.relevant and not node.parts]

    def check_offsets(self, nodes: Iterable[Node], reason: str) -> None:
        """Raise an error that names the row and the reason if the offsets of an element are not known."""
        for node in nodes:
            if not node.known:
                raise node.error(f'the offsets of {node} are not known, {reason}: write them into the id, or resolve() '
                                 'the ids with a table of the offsets')

    def _node(self, key: Key, rows: Any, place: int) -> Node:
        if key not in self._nodes:
            self._nodes[key] = Node(key, self._topic, rows, place)
        return self._nodes[key]

    def _judge(self, keys: Sequence[Key], grades: bool, lifted: bool) -> list[Node]:
        judgements = self._topic.judged
        exhaustivity, specificity = judgements.beside('exhaustivity'), judgements.beside('specificity')
        judged: dict[Node, None] = {}
        for place, (key, e, s) in enumerate(zip(keys, exhaustivity, specificity)):
            if e not in (0, 1, 2, 3):
                raise judgements.error(place, f'the exhaustivity is {e:.12g}: it is a grade, 0, 1, 2 or 3')
            if grades and s not in (0, 1, 2, 3):
                raise judgements.error(place, f"the specificity is {s:.12g}, but a grade is 0, 1, 2 or 3: if it is the "
                                              "share of content that is relevant, give the measure specificity='share'")
            if not 0 <= s <= (3 if grades else 1):
                raise judgements.error(place, f'the specificity is {s:.12g}, but a share is a number from 0 to 1: if '
                                              "it is a grade, leave out specificity='share'")
            node = self._node(key, judgements, place)
            if node in judged and (node.exhaustivity, node.specificity) != (e, s):
                raise judgements.error(place, f'the element is judged twice, ({e:.12g}, {s:.12g}) here and ('
                                              f'{node.exhaustivity:.12g}, {node.specificity:.12g}) before: leave one')
            judged[node] = None
            node.exhaustivity, node.specificity = e, s
            node.relevant = s > 0 and (lifted or e > 0)
            if node.relevant and node.start == node.end:
                raise judgements.error(place, 'it is judged relevant and has no content: give an end after its start')
        return list(judged)

    def _nest(self, nodes: list[Node]) -> None:
        """Find the parents of the elements of one document."""
        placed = [node for node in nodes if node.known or node.path is None]
        placed.sort(key=lambda node: (node.start, -node.end, (node.path or '').count('/')))
        open: list[Node] = []
        for node in placed:
            while open and open[-1].end <= node.start:
                open.pop()
            if open and open[-1].end < node.end:
                raise node.error(f'{node} and {open[-1]} overlap and neither contains the other: correct the offsets')
            node.parent = open[-1] if open else None
            open.append(node)
        by_path = {node.path: node for node in placed if node.path is not None}
        for path, node in by_path.items():
            by_offsets = next((around for around in node.around() if around.path is not None), None)
            above = _above(path, by_path)
            if by_offsets is not above:
                other, by, not_by = (above, 'path', 'offsets') if above and not above.contains(node) else (
                    by_offsets, 'offsets', 'path')
                raise node.error(f'{node} lies in {other} by its {by}, but not by its {not_by}: correct one')
        if len(placed) < len(nodes):
            self._nest_by_path(nodes)

    def _nest_by_path(self, nodes: list[Node]) -> None:
        by_path = {node.path or '': node for node in nodes if node.path or not node.known}  # '' is the whole document
        for node in nodes:
            if node.path is None and node.known:
                other = next(node for node in nodes if node.path and not node.known)
                raise node.error(f'{node} has no path and {other} no offsets, so that nobody knows which contains '
                                 'which: write both into the ids')
            node.parent = _above(node.path, by_path) if node.path else None


def _above(path: str, by_path: Mapping[str, Node]) -> Node | None:
    """The next element around the one of a path."""
    while path:
        path = path.rpartition('/')[0]
        if path in by_path:
            return by_path[path]
    return None


def _keys(topic: RowTopic) -> list[list[Key]]:
    """For each row of the qrels and of the run, which element it is."""
    sides = topic.judged, topic.retrieved
    extents: dict[tuple[str, str], tuple[float, float]] = {}
    paths: dict[tuple[str, float, float], dict[str, None]] = {}
    for side in sides:
        for place, (document, start, end, path) in enumerate(side.rows):
            if path is None or end == inf:
                continue
            paths.setdefault((document, start, end), {})[path] = None
            if (known := extents.setdefault((document, path), (start, end))) != (start, end):
                raise side.error(place, f'the element {quoted(path)} has other offsets in another row of the query, '
                                        f'{",".join(map(format_number, known))}: give it the same ones everywhere')

    def key(side: Any, place: int) -> Key:
        document, start, end, path = side.rows[place]
        if path is not None:
            return document, path, *extents.get((document, path), (0, inf))
        if end == inf and start > 0:
            raise side.error(place, "it runs to the document's end, which is not known: write it into the id")
        same = list(paths.get((document, start, end), ()) if start < end else ())
        if len(same) > 1:
            raise side.error(place, f'it has no path, and {" and ".join(map(quoted, same))} have the same offsets: '
                                    'write the path into the id')
        return document, same[0] if same else None, start, end

    return [[key(side, place) for place in range(len(side))] for side in sides]
