"""Walks: one user goes through the rankings of all queries of a run. A measure is a walk and a stop (stops.py).

The contract: a walk is a function of a :class:`~ir_segmeasures.evaluation.run_on_axis.RunOnAxis` and plain arguments,
asked for by ``run.cached(walk, …)``, so that measures share it. It gives a :class:`Walk`: the looks of the user, query
by query, in order, as arrays. ``shown`` has the columns that an explanation prints, under the walk's own words; it is
called for explanations alone. A stop turns a walk into one value a query.

A new kind of walk is a function here or in the module of its family; its docstring says what the user does as a plain
loop, which tests/reference.py holds it to.

Here are also the judged segments, not merged, with the items that share content with them, and the checks of items that
a reader in rank order may have to refuse.
"""

from collections.abc import Mapping
from functools import partial
from math import inf
from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import cut_at, first_holding, first_pieces, running, sums, times
from ir_segmeasures.evaluation.outcomes import Walk as Walk
from ir_segmeasures.measures.base import RunOnAxis
from ir_segmeasures.segments.basics import Bools, Ints


def tolerating(run: RunOnAxis, tau: float, keepviewing: bool) -> Walk:
    """The user with a tolerance to irrelevance: de Vries, Kazai, Lalmas. RIAO 2004, section 4. A look is a span found;
    its cost is the number of timeouts before, its gain 1.

    The user takes the items in rank order and looks only at their entry points::

        while True:
            span = the first unseen span [a, b) of the item's document with b > p, if there is one
            if not (a <= p or a - p < tau):
                break                       # the tolerance runs out
            find the span, and take it as seen
            if not keepviewing:
                break
            p = b
    """
    spans, limit = run.spans, max(min(run.ticks(tau), int(run.base[-1]) + 1), 1)
    first, stops = spans.first_after(run.start), np.searchsorted(spans.start, run.base[1:])
    near = np.flatnonzero(first < stops[run.stretch])
    near = near[spans.start[first[near]] - run.start[near] < limit]
    starts, ends = spans.start.tolist(), spans.end.tolist()
    unseen = list(range(len(starts) + 1))  # each span: itself, or one after it once it is seen (union-find)
    found = list[tuple[int, int, int]]()
    for item, position, i, stop in zip(*(column.tolist() for column in (
            near, run.start[near], first[near], stops[run.stretch[near]]))):
        while True:
            while unseen[i] != i:
                unseen[i] = i = unseen[unseen[i]]
            if i >= stop or starts[i] - position >= limit:
                break
            found.append((item, i, position))
            unseen[i] = i + 1
            if not keepviewing:
                break
            position = ends[i]
    item, span, position = np.array(found, np.int64).reshape(-1, 3).T
    query, rank, start = run.query[item], run.rank[item], spans.start[span]
    timeouts = rank - 1 if keepviewing else rank - running(np.ones(len(item), np.int64), query)
    return Walk('Find', run, query, rank, item, start, spans.end[span], timeouts, np.ones(len(item), np.int64), run.R,
                {'waste': np.maximum(start - position, 0)},
                lambda walk: {'waste': walk.run.units(walk.beside['waste'])})


def wasted(walk: Walk, tau: int, init: int) -> Any:
    """The effort wasted up to each span found, in ticks: ``tau`` for each timeout before, the way from each start or
    span to the next span, and ``init`` for every item inspected."""
    return times(walk.cost, tau) + times(walk.rank, init) + running(walk.beside['waste'], walk.query)


def watching(run: RunOnAxis, user: str = 'ret', overhead: float = 0) -> Walk:
    """The user who watches the items in rank order, each from its start to its end; ``user='rel'`` goes on to the end
    of the unseen part of any span that shares content with the item. A look is a stretch of new relevant content;
    its cost is all that was watched until its end, in ticks, with ``overhead`` before every item, its gain the length
    of the stretch. Content that was seen counts as watched, but not as relevant again::

        for each item [start, end) by rank:
            for each unseen stretch of relevant content in it ('rel': and on, to the end of its span), in order:
                V += its length, and W is overhead · rank + the length of all items before + what was watched after
                                                                         their ends + its end - start
    """
    first, stop = run.met
    meeting = np.flatnonzero(first < stop)
    start, end = run.start[meeting], run.end[meeting]
    watched = np.maximum(end, run.spans.end[stop[meeting] - 1]) if user == 'rel' else end
    pieces = first_pieces(run.spans, start, watched)
    item = meeting[pieces.owner]
    further = np.maximum(pieces.end - run.end[item], 0)  # only the last piece of an item goes on after its end
    query, rank, gain = run.query[item], run.rank[item], pieces.end - pieces.start
    cost = (run.before[item] + running(further, query) - further + times(rank, run.ticks(overhead))
            + pieces.end - run.start[item])
    return Walk('WatchedStretch', run, query, rank, item, pieces.start, pieces.end, cost, gain, run.T_rel,
                shown=partial(_so_far, 'V', 'W'))


def _so_far(found: str, read: str, walk: Walk) -> Mapping[str, Any]:
    gain = running(walk.gain, walk.query)
    return {found: walk.run.units(gain), read: walk.run.units(walk.cost), 'recall': gain / walk.total[walk.query],
            'precision': gain / walk.cost}


def meeting(run: RunOnAxis) -> Walk:
    """The user who looks at items as wholes. A look is an item that shares content with a relevant span, whatever was
    there before; its cost is its rank, its gain 1, and there are all spans to find."""
    first, stop = run.met
    item = np.flatnonzero(first < stop)
    return item_walk(run, item, run.R)


def first_meetings(run: RunOnAxis) -> Walk:
    """The user of :func:`meeting`, who counts spans: a look is a relevant span at the first item that shares content
    with it; its cost is the rank, its gain 1."""
    of_span = first_holding(*run.met, len(run.spans.start))
    span = np.flatnonzero(of_span < len(run.row))
    span = span[np.argsort(of_span[span], kind='stable')]
    item = of_span[span]
    return item_walk(run, item, run.R)._replace(kind='SpanMeeting', start=run.spans.start[span],
                                                end=run.spans.end[span])


def item_walk(run: RunOnAxis, item: Ints, total: Any) -> Walk:
    """The walk whose looks are these items, each with the gain 1 at its rank."""
    rank = run.rank[item]
    return Walk('RelevantItem', run, run.query[item], rank, item, run.start[item], run.end[item], rank,
                np.ones(len(item), np.int64), total)


def read_ends(run: RunOnAxis, cutoff: float, budget: float | None) -> Ints:
    """The end of what is read of each of the first ``cutoff`` items until ``budget`` is spent: the last one is cut
    there, and nothing is read of those behind it. Content that is read again is paid for again."""
    left = 2 ** 62 if budget is None else min(run.ticks(budget), 2 ** 62) - run.before
    return np.where(run.rank <= cutoff, np.minimum(run.end, run.start + np.maximum(left, 0)), run.start)


def unread_content(run: RunOnAxis, cutoff: float = inf, budget: float | None = None) -> tuple[Ints, Ints]:
    """The length of the content of each item that no earlier item has, and of the relevant part of it, in ticks; see
    :func:`reading`."""
    points, (first, last) = cut_at(run.start, read_ends(run, cutoff, budget))
    item = first_holding(first, last, max(len(points) - 1, 0))
    new, relevant = (sums(np.diff(x), item, len(run.row) + 1)[:-1] for x in (points, run.spans.before(points)))
    return new, relevant


def reading(run: RunOnAxis, cutoff: float = inf, budget: float | None = None) -> Walk:
    """The reader of items in rank order, each up to :func:`read_ends`, who reads no content twice. A look is an item
    with relevant content that no earlier item has; its cost is all content read until then, its gain the relevant part
    of what is new, in ticks::

        for each item by rank:
            unread = the item without the content of earlier items of its document
            relevant, retrieved += the lengths of unread ∩ relevant spans, and of unread
    """
    length, relevant = run.cached(unread_content, cutoff, budget)
    retrieved, item = running(length, run.query), np.flatnonzero(relevant)
    return item_walk(run, item, run.T_rel)._replace(
        kind='RetrievedItem', end=read_ends(run, cutoff, budget)[item], cost=retrieved[item], gain=relevant[item],
        shown=partial(_so_far, 'relevant', 'retrieved'))


def first_sharing(start: Ints, end: Ints, other_start: Ints, other_end: Ints) -> Ints:
    """For each interval the number of the first of the others, in their order, that shares content with it, or the
    number of the others where none does::

        [next((i for i, (s, e) in enumerate(others) if max(s, start) < min(e, end)), len(others))
         for start, end in intervals]

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures.measures.walks import first_sharing
        >>> first_sharing(np.array([0, 10]), np.array([5, 12]), np.array([11, 0]), np.array([20, 11])).tolist()
        [1, 0]
    """
    points, (low, high, other_low, other_high) = cut_at(start, end, other_start, other_end)
    least = first_holding(other_low, other_high, max(len(points) - 1, 0))
    first = np.full(len(start), len(other_start))
    # The least number in a range is that in two ranges whose lengths are a power of two.
    power = np.frexp(high - low)[1] - 1
    for exponent in range(int(power.max(initial=-1)) + 1):
        length = 1 << exponent
        these = np.flatnonzero(power == exponent)
        first[these] = np.minimum(least[low[these]], least[high[these] - length])
        least = np.minimum(least[:-length], least[length:])
    return first


def first_segments(run: RunOnAxis) -> tuple[Ints, Ints]:
    """The items that share content with relevant segments, by rank, and the first such segment of each, in the order of
    the judgements."""
    first, stop = run.met
    item = np.flatnonzero(first < stop)
    return item, first_sharing(run.start[item], run.end[item], run.segments.start, run.segments.end)


def first_items(run: RunOnAxis) -> Ints:
    """For each relevant segment the first item that shares content with it, or the number of items."""
    return first_sharing(run.segments.start, run.segments.end, run.start, run.end)


def segments_of_queries(run: RunOnAxis) -> Ints:
    """The number of the relevant segments of each query."""
    return np.bincount(run.segments.query, minlength=run.queries)


def repeated_content(run: RunOnAxis) -> Ints:
    """How much of each item an earlier item of its document has, in ticks."""
    return run.end - run.start - run.cached(unread_content)[0]


def refuse_repeats(run: RunOnAxis, cutoff: float, measure: str) -> None:
    """Raise a RowError for the first item up to a rank that repeats content of an earlier one."""
    again = np.flatnonzero((run.cached(repeated_content) > 0) & (run.rank <= cutoff) & (run.R > 0)[run.query])
    if again.size:
        raise run.error(int(again[0]), f'it repeats content of an earlier item of its document, which {measure} '
                                       "refuses: cut it out, or leave overlap='error' out")


def check_no_passage(run: RunOnAxis) -> Bools:
    """Tells whether each item is a document without a passage.

    Raises:
        RowError: an item is said to be one, and has a passage
    """
    table = run.match.run
    wrong = np.flatnonzero(run.no_passage & (table.end[run.row] > 0) & (run.R > 0)[run.query])
    if wrong.size:
        row = int(run.row[wrong[0]])
        raise run.error(int(wrong[0]), "it is a document without a passage ('no_passage'), but has one from "
                                       f'{table.start[row]:.12g} to {table.end[row]:.12g}: make both 0, or drop it')
    return run.no_passage
