"""What a reader of items in rank order meets: items that repeat content, and documents without a passage."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.walks import unread_content
from ir_segmeasures.segments.arrays import Bools, Floats, Ints
from ir_segmeasures.segments.spans import clusters, cut_out

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

__all__ = ['check_no_passage', 'check_no_repeats', 'no_passage_sentence', 'repeated_content']


def repeated_content(run: RunOnAxis) -> Ints:
    """How much of each item an earlier item of its document has, in ticks."""
    return run.end - run.start - run.cached(unread_content).length


def check_no_repeats(run: RunOnAxis, cutoff: float, measure: str) -> None:
    """Raise a RowError for the first item up to a rank that repeats content of an earlier one."""
    again = np.flatnonzero((run.cached(repeated_content) > 0) & (run.rank <= cutoff) & (run.R > 0)[run.query])
    if again.size:
        raise run.error(int(again[0]), f'it repeats content of an earlier item of its document, which {measure} '
                                       "refuses: cut it out, or leave overlap='error' out")


def no_passage_sentence(start: float, end: float) -> str:
    """The sentence about an item that is said to have no passage and has one."""
    return (f"it is a document without a passage ('no_passage'), but has one from {start:.12g} to {end:.12g}: make "
            "both 0, or leave 'no_passage' out")


def check_no_passage(run: RunOnAxis) -> Bools:
    """Whether each item is a document without a passage.

    Raises:
        RowError: an item is said to be one, and has a passage
    """
    table = run.match.run
    wrong = np.flatnonzero(run.no_passage & (table.end[run.row] > 0) & (run.R > 0)[run.query])
    if wrong.size:
        row = int(run.row[wrong[0]])
        raise run.error(int(wrong[0]), no_passage_sentence(table.start[row], table.end[row]))
    return run.no_passage


class Unread(NamedTuple):
    """The content of each item that no earlier item of its document has, as pieces.

    Attributes:
        item: for each piece the place of its item
        start, end: of each piece
        repeating: the places of the items that repeat content of earlier ones, in order, and how much they repeat
    """
    item: Ints
    start: Floats
    end: Floats
    repeating: list[tuple[int, float]]


def unread_pieces(document: Ints, start: Floats, end: Floats) -> Unread:
    """The unread content of items in rank order.

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures.measures.unread_content import unread_pieces
        >>> document, start, end = np.array([0, 0]), np.array([0., 5.]), np.array([10., 20.])
        >>> unread = unread_pieces(document, start, end)
        >>> sorted(zip(unread.item.tolist(), unread.start.tolist(), unread.end.tolist())), unread.repeating
        ([(0, 0.0, 10.0), (1, 10.0, 20.0)], [(1, 5.0)])
    """
    items = np.flatnonzero(start < end)
    cluster = clusters(document[items], start[items], end[items])
    alone = np.bincount(cluster)[cluster] == 1
    linked = items[~alone]
    pieces: list[tuple[int, float, float]] = []
    repeating: list[tuple[int, float]] = []
    unread: dict[int, tuple[list[float], list[float]]] = {}
    for item, key, first, last in zip(linked.tolist(), cluster[~alone].tolist(), start[linked].tolist(),
                                      end[linked].tolist()):
        if key not in unread:
            unread[key] = [0.0, last], [first, inf]
            pieces.append((item, first, last))
            continue
        found = cut_out(*unread[key], first, last)
        pieces += [(item, left, right) for left, right in found]
        if found != [(first, last)]:
            repeating.append((item, last - first - sum(right - left for left, right in found)))
    single = items[alone]
    item, left, right = zip(*pieces) if pieces else ((), (), ())
    return Unread(np.append(single, np.array(item, np.intp)), np.append(start[single], left),
                  np.append(end[single], right), repeating)
