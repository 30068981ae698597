"""New relevant content: the stretches of relevant content in an item that no item before it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.spans import first_over, in_order

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems

__all__ = ['NewStretches', 'new_stretches']


class NewStretches(NamedTuple):
    """Stretches of relevant content that no earlier item has, as arrays, item by item, and in order in each.

    Attributes:
        item: which of the items (``run.overlapping_items``) has the stretch
        span: which of the relevant spans it is a part of
        start, end: in the document's unit
    """
    item: Ints
    span: Ints
    start: Floats
    end: Floats


def new_stretches(run: RunItems) -> NewStretches:
    """The new relevant content of all items of a run.

    It equals this loop (tests/measures/test_steps.py holds it against the loop)::

        for each item by rank:
            for each span that shares content with it:
                give the unseen parts of span ∩ item, and take them as seen
    """
    items, spans = run.overlapping_items, run.relevant.spans
    # The starts and ends of items cut the spans they lie in into pieces. Of each piece an item shows all or nothing.
    n, last = len(spans.start), items.stop - 1
    inside, ending = np.flatnonzero(spans.start[items.first] < items.start), np.flatnonzero(items.end < spans.end[last])
    span = np.concatenate([np.arange(n), np.arange(n), items.first[inside], last[ending]])
    position = np.concatenate([spans.start, spans.end, items.start[inside], items.end[ending]])
    order = in_order(span, position)
    span, position = span[order], position[order]
    new = np.ones(len(order), bool)
    new[1:] = (span[1:] != span[:-1]) | (position[1:] != position[:-1])
    piece = np.empty(len(order), np.intp)
    piece[order] = np.cumsum(new) - 1
    span, position = span[new], position[new]
    first, stop = piece[items.first], piece[n + last]
    first[inside], stop[ending] = piece[2 * n:2 * n + len(inside)], piece[2 * n + len(inside):]
    item = first_over(first, stop, len(position))
    # An end of a span is followed by what is not relevant, and pieces that one item shows first are one stretch.
    pieces = np.flatnonzero((item[:-1] < len(first)) & (span[1:] == span[:-1]))
    begins = np.ones(len(pieces), bool)
    begins[1:] = (pieces[1:] != pieces[:-1] + 1) | (item[pieces[1:]] != item[pieces[:-1]])
    ends = np.append(begins[1:], True)[:len(pieces)]
    order = np.argsort(item[pieces[begins]], kind='stable')
    begins, ends = pieces[begins][order], pieces[ends][order]
    return NewStretches(item[begins], span[begins], position[begins], position[ends + 1])
