"""The content of each item that no earlier item of its document has, relevant or not."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Bools, Floats, Ints
from ir_segmeasures.segments.spans import clusters, cut_out

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems

__all__ = ['Unread', 'check_no_passage', 'no_passage_sentence', 'repeated_lengths', 'unread_in_run', 'unread_pieces']


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


def unread_in_run(run: RunItems) -> Unread:
    """The unread content of the items of all queries; items are places in ``run.all_items``."""
    items = run.all_items
    documents = int(items.document.max(initial=0)) + 1
    return unread_pieces(items.query * documents + items.document, items.start, items.end)


def repeated_lengths(run: RunItems) -> list[list[tuple[int, float]]]:
    """For each query, the ranks of the items that repeat content, and how much they repeat."""
    repeating, bounds = run.cached(unread_in_run).repeating, run.all_items.bounds
    places = [place for place, _ in repeating]
    edges = [bisect_left(places, bound) for bound in bounds]
    return [[(place - first + 1, length) for place, length in repeating[low:high]]
            for first, (low, high) in zip(bounds, pairwise(edges))]


def no_passage_sentence(start: float, end: float) -> str:
    """The sentence about an item that is said to have no passage and has one."""
    return (f"it is a document without a passage ('no_passage'), but has one from {start:.12g} to {end:.12g}: make "
            "both 0, or leave 'no_passage' out")


def check_no_passage(run: RunItems) -> Bools:
    """For each item of the run, whether it is a document without a passage.

    Raises:
        RowError: an item is said to be one, and has a passage
    """
    items = run.all_items
    wrong = np.flatnonzero(run.no_passage & (items.end > 0) & (np.array(run.relevant.R) > 0)[items.query])
    if wrong.size:
        place = int(wrong[0])
        query = int(items.query[place])
        raise run.error(query, place - items.bounds[query] + 1,
                        no_passage_sentence(items.start[place], items.end[place]))
    return run.no_passage
