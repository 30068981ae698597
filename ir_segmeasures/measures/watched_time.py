"""The time that a user watches who goes through the items in rank order, and the relevant time newly seen: the walk of
segment precision (aisp.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.new_content import NewStretches, new_stretches
from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.spans import first_over, ordered_pairs, preceding

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems

__all__ = ['SpanMeetings', 'WatchedStretches', 'span_meetings', 'watched_stretches']


class WatchedStretches(NamedTuple):
    """The stretches of unseen relevant content that the user watches, of all queries, in order, as arrays. Within a
    stretch precision V/W rises, so the ends of the stretches are its local maxima.

    Attributes:
        item: which of the items (``run.overlapping_items``) shows the stretch
        rank: the rank of this item
        start, end: the stretch, in the document's unit
        V: the relevant time seen until its end
        W: the time watched until its end
        rest: how much of the item is left after it
        bounds: where the stretches of each query begin, and those of the last query end
    """
    item: Ints
    rank: Ints
    start: Floats
    end: Floats
    V: Floats
    W: Floats
    rest: Floats
    bounds: list[int]


def watched_stretches(run: RunItems, user: str) -> WatchedStretches:
    """The stretches that the user watches.

    ``user='ret'`` watches each item from its start to its end; ``user='rel'`` to the end of the unseen part of any span
    that shares content with it, if that is later. Content that has been seen counts as watched, but not as relevant
    again. The walk equals this loop (tests/reference.py holds it against such a loop)::

        for each item [start, end) by rank:
            for each unseen stretch of relevant content in it ('rel': and on, to the end of its span), in order:
                V += its length, and W is the length of all items before + what was watched after their ends
                                                                         + its end - start
    """
    items = run.overlapping_items
    item, _, left, right = run.cached(new_stretches) if user == 'ret' else _to_relevant_end(run)
    start, end = items.start[item], items.end[item]
    bounds = np.searchsorted(item, items.bounds).tolist()
    gain = right - left
    # What was watched after the ends of the items before; of an item only the last stretch goes on after its end.
    further = preceding(np.maximum(right - end, 0), bounds)
    W = items.before[item] + further + right - start
    # What is relevant and new was watched: sums of fractions in another order may be the last digit larger.
    V = np.minimum(preceding(gain, bounds) + gain, W)
    return WatchedStretches(item, items.rank[item], left, right, V, W, end - right, bounds)


def _to_relevant_end(run: RunItems) -> NewStretches:
    items, spans = run.overlapping_items, run.relevant.spans
    # This user sees every span from somewhere to its end, so the unseen part is always its beginning: until the first
    # item that shows the span from its start, it is what lies before the least start of an item.
    inside = spans.start[items.first] < items.start  # of its first span the item shows a part
    whole = first_over(items.first + inside, items.stop, len(spans.start))
    part = np.flatnonzero(inside & (np.arange(len(inside)) < whole[items.first]))
    part = part[np.argsort(items.first[part], kind='stable')]
    span, left = items.first[part], items.start[part]
    unseen_to = -np.maximum.accumulate(ordered_pairs(span, -left)).imag
    right = spans.end[span]
    np.copyto(right[1:], unseen_to[:-1], where=span[1:] == span[:-1])
    ends = spans.end.copy()
    ends[span] = unseen_to  # the last of each span stays
    new, seen = left < right, np.flatnonzero(whole < len(inside))
    # An item shows a part of its first span only, so that the parts come first.
    item = np.concatenate([part[new], whole[seen]])
    order = np.argsort(item, kind='stable')
    return NewStretches(item[order], np.concatenate([span[new], seen])[order],
                        np.concatenate([left[new], spans.start[seen]])[order],
                        np.concatenate([right[new], ends[seen]])[order])


class SpanMeetings(NamedTuple):
    """The items that are the first to share content with a span, once for each span, of all queries, as arrays.

    Attributes:
        of_span: for each span the item (``run.overlapping_items``), or the number of items
        item: these items, in order, up to the cut-off
        V: the relevant time seen after each
        W: the time watched after each
    """
    of_span: Ints
    item: Ints
    V: Floats
    W: Floats


def span_meetings(run: RunItems, user: str, cutoff: float) -> SpanMeetings:
    """The first item that shares content with each span, of the items up to a rank."""
    items, found = run.overlapping_items, run.cached(watched_stretches, user)
    of_span = first_over(items.first, items.stop, len(run.relevant.spans.start))
    item = np.sort(of_span[of_span < len(items.rank)])
    item = item[items.rank[item] <= cutoff]
    # Of the stretches of an item the last counts, and what is left of the item is watched as well.
    last = np.searchsorted(found.item, item, 'right') - 1
    return SpanMeetings(of_span, item, found.V[last], found.W[last] + np.maximum(found.rest[last], 0))
