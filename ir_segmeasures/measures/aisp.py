"""Segment precision: Racca & Jones. Evaluating Search and Hyperlinking: An Example of the Design, Test, Refine Cycle
for Metric Development. MediaEval 2015, section 2.1; after Eskevich, Magdy & Jones, ECIR 2012.

The user watches the items in rank order. :func:`watch` follows the time watched and the relevant time newly seen, and
both measures are read off it.
"""

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, TOLERANCE, Choice, Number, SpanMeasure, reached, register
from ir_segmeasures.segments.spans import first_over, in_order, ordered_pairs, preceding

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.segments.spans import Floats, Ints

__all__ = ['AiSP', 'MAiSP', 'iSP', 'ASP', 'MASP']

_USER = Choice("whether the user watches the returned segment ('ret'), or goes on to the end of the unseen relevant "
               "content in it ('rel')", 'rel', 'ret', default='rel')


class Watched(NamedTuple):
    """The ends of all stretches of unseen relevant content that the user watches, in order, as arrays. Within a stretch
    precision V/W rises, so these are its local maxima.

    Attributes:
        item: which of the items (``run.meeting``) it is in
        rank: that of the item
        V: the relevant time seen until then
        W: the time watched until then
        rest: how much of the item is left
    """
    item: 'Ints'
    rank: 'Ints'
    V: 'Floats'
    W: 'Floats'
    rest: 'Floats'


def watch(run: 'RunItems', user: str) -> tuple[Watched, list[int]]:
    """What the user watches, of all queries, and where each query begins.

    ``user='ret'`` watches each item from its start to its end; ``user='rel'`` to the end of the unseen part of any span
    that shares content with it, if that is later. What has been seen counts as watched, but not as relevant again.
    """
    items = run.meeting
    item, _, left, right = run.once(returned) if user == 'ret' else _to_relevant_end(run)
    start, end = items.start[item], items.end[item]
    bounds = np.searchsorted(item, items.bounds).tolist()
    gain = right - left
    # What was watched after the ends of the items before; of an item only the last stretch goes on after its end.
    further = preceding(np.maximum(right - end, 0), pairwise(bounds))
    return Watched(item, items.rank[item], preceding(gain, pairwise(bounds)) + gain,
                   items.before[item] + further + right - start, end - right), bounds


def watched(run: 'RunItems', user: str) -> list[Watched]:
    """What the user watches, for each query."""
    all, bounds = run.once(watch, user)
    return [Watched._make(column[low:high] for column in all) for low, high in pairwise(bounds)]


class Stretches(NamedTuple):
    """Relevant content that had not been seen, as arrays, by item, and in order in each.

    Attributes:
        item: which of the items (``run.meeting``) shows it
        span: which of the relevant spans it is of
        start, end: in the document's unit
    """
    item: 'Ints'
    span: 'Ints'
    start: 'Floats'
    end: 'Floats'


def returned(run: 'RunItems') -> Stretches:
    """What is seen where each item is watched from its start to its end."""
    items, spans = run.meeting, run.relevant.spans
    # The starts and ends of items cut the spans they lie in into cells. Of each cell an item shows all or nothing.
    n, last = len(spans.start), items.stop - 1
    inside, ending = np.flatnonzero(spans.start[items.first] < items.start), np.flatnonzero(items.end < spans.end[last])
    span = np.concatenate([np.arange(n), np.arange(n), items.first[inside], last[ending]])
    position = np.concatenate([spans.start, spans.end, items.start[inside], items.end[ending]])
    order = in_order(span, position)
    span, position = span[order], position[order]
    new = np.ones(len(order), bool)
    new[1:] = (span[1:] != span[:-1]) | (position[1:] != position[:-1])
    cell = np.empty(len(order), np.intp)
    cell[order] = np.cumsum(new) - 1
    span, position = span[new], position[new]
    first, stop = cell[items.first], cell[n + last]
    first[inside], stop[ending] = cell[2 * n:2 * n + len(inside)], cell[2 * n + len(inside):]
    item = first_over(first, stop, len(position))
    # An end of a span is followed by what is not relevant, and cells that one item shows first are one stretch.
    cells = np.flatnonzero((item[:-1] < len(first)) & (span[1:] == span[:-1]))
    begins = np.ones(len(cells), bool)
    begins[1:] = (cells[1:] != cells[:-1] + 1) | (item[cells[1:]] != item[cells[:-1]])
    ends = np.append(begins[1:], True)[:len(cells)]
    order = np.argsort(item[cells[begins]], kind='stable')
    begins, ends = cells[begins][order], cells[ends][order]
    return Stretches(item[begins], span[begins], position[begins], position[ends + 1])


def _to_relevant_end(run: 'RunItems') -> Stretches:
    items, spans = run.meeting, run.relevant.spans
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
    return Stretches(item[order], np.concatenate([span[new], seen])[order],
                     np.concatenate([left[new], spans.start[seen]])[order],
                     np.concatenate([right[new], ends[seen]])[order])


Best = list[tuple[float, float]]
"""The stretches that have a better precision than all after them, from the last on: the relevant time seen, V/W."""


def best(run: 'RunItems', user: str, cutoff: float) -> list[Best]:
    """Those of each query, of the items up to a rank."""
    all, bounds = run.once(watch, user)
    query = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))[::-1]
    V, precision = all.V[::-1], np.where(all.rank <= cutoff, all.V / all.W, 0)[::-1]
    after = np.maximum.accumulate(ordered_pairs(-query, precision)).imag
    better = precision > 0
    better[1:] &= (after[1:] > after[:-1]) | (query[1:] != query[:-1])
    found = list(zip(V[better].tolist(), precision[better].tolist()))
    ends = np.searchsorted(-query[better], -np.arange(len(bounds) - 1), 'right').tolist()
    return [found[low:high] for low, high in zip([*ends[1:], 0], ends)]


def interpolated(best: Best, wanted: float) -> float:
    """The best precision V/W where V is ``wanted`` or more, 0 if it never is."""
    return max((precision for V, precision in best if reached(V, wanted)), default=0.0)


def average_interpolated(best: Best, T_rel: float, levels: int) -> float:
    """The mean of :func:`interpolated` over as many equally spaced shares of ``T_rel``, from 0 to all of it."""
    # At the end of a stretch the recall points i/last up to i = reach are reached; those before have the best precision
    # of what follows them.
    last = levels - 1
    scale = last / T_rel * (1 + TOLERANCE)
    total = after = 0.0
    before = 0
    for V, precision in best:
        reach = int(V * scale)
        total += after * (before - reach)
        before, after = reach, precision
    return (total + after * (before + 1)) / levels


class _Watched(SpanMeasure):
    def _best(self, topic: 'Topic') -> Best:
        return topic.of_run(best, self['user'], self.params.get('cutoff', inf))


class _AiSP(_Watched):
    """Average interpolated segment precision (MAiSP): the mean of iSP over equally spaced recall points, recall and
    precision being shares of time.

    ``AiSP = (1/points) · Σ_{i=0..points-1} iSP(i / (points - 1))``, with
    ``iSP(x) = max{ V_e / W_e : V_e >= x · T_rel }`` over the ends e of the stretches of unseen relevant content that
    the user watches: V_e is the relevant time seen until then, W_e all the time watched, T_rel all relevant time.

    Range [0, 1], higher is better; the unit of the medium cancels out. An entry point has no content, so it is not
    watched. Source: Racca & Jones 2015, section 2.1 (MAiSP-ret, MAiSP-rel). Exact in continuous time, which is this
    project's choice.
    """
    __name__ = 'AiSP'
    NAME = __name__
    PRETTY_NAME = 'Average interpolated Segment Precision'
    SHORT_DESC = 'The share of the watched time that is new relevant content, averaged over recall.'
    SUPPORTED_PARAMS = {
        'cutoff': CUTOFF,
        'user': _USER,
        'points': Number('how many recall points from 0 to 1', low=2, whole=True, default=101),
        'rel': REL,
    }

    def compute(self, topic: 'Topic') -> float:
        return average_interpolated(self._best(topic), topic.T_rel, self['points'])


AiSP = MAiSP = register(_AiSP(), ['MAiSP'])


class _iSP(_Watched):
    """Interpolated segment precision at recall x: the best precision, in time, at this recall or a higher one.

    ``iSP@x = max{ V_e / W_e : V_e >= x · T_rel }``, 0 if there is none; V, W and T_rel as in ``AiSP``.

    Range [0, 1], higher is better. Source: Racca & Jones 2015, section 2.1.
    """
    __name__ = 'iSP'
    NAME = __name__
    PRETTY_NAME = 'Interpolated Segment Precision at recall'
    SHORT_DESC = 'The share of the watched time that is new relevant content, at a recall level.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': Number('recall level, a share of the relevant time', low=0, high=1, required=True),
        'user': _USER,
        'rel': REL,
        'cutoff': CUTOFF,
    }

    def compute(self, topic: 'Topic') -> float:
        return interpolated(self._best(topic), self['recall'] * topic.T_rel)


iSP = register(_iSP())


def met_precision(run: 'RunItems', user: str, cutoff: float) -> list[float]:
    """For each query, the sum of V/W over the spans that are met, after the item that first shares content with each,
    of the items up to a rank.
    """
    items, (all, _) = run.meeting, run.once(watch, user)
    item = first_over(items.first, items.stop, len(run.relevant.spans.start))
    item = np.sort(item[item < len(items.rank)])
    item = item[items.rank[item] <= cutoff]
    # Of the stretches of an item the last counts, and what is left of the item is watched as well.
    last = np.searchsorted(all.item, item, 'right') - 1
    precision = all.V[last] / (all.W[last] + np.maximum(all.rest[last], 0))
    queries = len(items.bounds) - 1
    total: list[float] = np.bincount(np.searchsorted(items.bounds, item, 'right') - 1, precision, queries).tolist()
    return total


class _ASP(SpanMeasure):
    """Average segment precision (MASP): every relevant span is credited with the share of the watched time that was
    relevant and new, after the item that first meets it.

    ``ASP = (1/R) · Σ_k met_k · V_k / W_k``, with met_k the spans that item k is the first to share content with, V_k
    the relevant time seen and W_k the time watched after it, and R the number of spans.

    Range [0, 1], higher is better. Source: Eskevich, Magdy & Jones 2012, as Racca & Jones 2015, section 2.1, describe
    it: segment precision at rank levels. The original equations are not at hand, so the details are this project's
    choice.
    """
    __name__ = 'ASP'
    NAME = __name__
    PRETTY_NAME = 'Average Segment Precision'
    SHORT_DESC = 'The share of the watched time that is new relevant content, at the items that meet a new span.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'user': _USER, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return topic.of_run(met_precision, self['user'], self.params.get('cutoff', inf)) / topic.R


ASP = MASP = register(_ASP(), ['MASP'])
