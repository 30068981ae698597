"""Segment precision: Racca & Jones. Evaluating Search and Hyperlinking: An Example of the Design, Test, Refine Cycle
for Metric Development. MediaEval 2015, section 2.1; after Eskevich, Magdy & Jones, ECIR 2012.

The user watches the items in rank order. :func:`watch` follows the time watched and the relevant time newly seen, and
both measures are read off it.
"""

from math import inf
from typing import TYPE_CHECKING

from ir_segmeasures.measures.base import (
    CUTOFF,
    REL,
    TOLERANCE,
    Choice,
    Number,
    SpanMeasure,
    reached,
    register,
)

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['AiSP', 'MAiSP', 'iSP', 'ASP', 'MASP']

_USER = Choice("whether the user watches the returned segment ('ret'), or goes on to the end of the unseen relevant "
               "content in it ('rel')", 'rel', 'ret', default='rel')


# The end of a stretch of unseen relevant content: the item's rank, the relevant time seen (V) and the time watched (W)
# until then, and how much of the item is left. Within a stretch precision V/W rises, so these are its local maxima.
Point = tuple[int, float, float, float]


def watch(topic: 'Topic', user: str) -> list[Point]:
    """The ends of all stretches of unseen relevant content that the user watches.

    ``user='ret'`` watches each item from its start to its end; ``user='rel'`` to the end of the unseen part of any span
    that shares content with it, if that is later. What has been seen counts as watched, but not as relevant again.
    """
    return _watch_to_relevant_end(topic) if user == 'rel' else _watch_returned(topic)


def _watch_returned(topic: 'Topic') -> list[Point]:
    items, starts, cut, points, V = topic.items, topic.starts, topic.unseen().cut, [], 0.0
    for rank, start, end, i, before in zip(items.rank, items.start, items.end, items.ahead, items.before):
        if starts[i] >= end:
            continue
        for left, right in cut(i, start, end):
            V += right - left
            points.append((rank, V, before + right - start, end - right))
    return points


def _watch_to_relevant_end(topic: 'Topic') -> list[Point]:
    # This user sees every span from somewhere to its end, so the unseen part is always its beginning.
    items, starts, points = topic.items, topic.starts, []
    unseen_to = topic.ends.copy()
    unseen = list(range(len(starts)))  # of each span: itself, or one after it once all of it is seen (union-find)
    V = beyond = 0.0  # relevant time seen, and time watched after the items' ends
    for rank, start, end, i, before in zip(items.rank, items.start, items.end, items.ahead, items.before):
        if start == end:
            continue
        stop = end
        while True:
            while unseen[i] != i:
                unseen[i] = i = unseen[unseen[i]]
            left, right = starts[i], unseen_to[i]
            if left >= end:
                break
            if left < start:
                left = start
            else:
                unseen[i] = i + 1
            if left < right:
                V += right - left
                stop = right
                points.append((rank, V, before + beyond + right - start, end - right))
                unseen_to[i] = left
            i += 1
        if stop > end:
            beyond += stop - end
    return points


def interpolated(points: list[Point], wanted: float) -> float:
    """The best precision V/W where V is ``wanted`` or more, 0 if it never is."""
    return max((V / W for _, V, W, _ in points if reached(V, wanted)), default=0.0)


def average_interpolated(points: list[Point], T_rel: float, levels: int) -> float:
    """The mean of :func:`interpolated` over as many equally spaced shares of ``T_rel``, from 0 to all of it."""
    # At the end of a stretch the recall points i/last up to i = reach are reached.
    last = levels - 1
    scale = last / T_rel * (1 + TOLERANCE)
    total = best = 0.0
    before = 0
    for _, V, W, _ in reversed(points):
        precision = V / W
        if precision > best:  # those before have the best of what follows them
            reach = int(V * scale)
            total += best * (before - reach)
            before, best = reach, precision
    return (total + best * (before + 1)) / levels


class _Watched(SpanMeasure):
    def _watch(self, topic: 'Topic') -> list[Point]:
        points, cutoff = topic.once(watch, self['user']), self.params.get('cutoff', inf)
        return points if cutoff >= topic.n else [point for point in points if point[0] <= cutoff]


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
        return average_interpolated(self._watch(topic), topic.T_rel, self['points'])


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
        return interpolated(self._watch(topic), self['recall'] * topic.T_rel)


iSP = register(_iSP())


def first_met(topic: 'Topic') -> dict[int, int]:
    """For each item that shares content with spans that none before it met, by rank: the number of these spans."""
    items, starts, met = topic.items, topic.starts, dict[int, int]()
    unmet = list(range(len(starts)))  # of each span: itself, or one after it once it is met (union-find)
    for rank, start, end, i in zip(items.rank, items.start, items.end, items.ahead):
        while start < end:
            while unmet[i] != i:
                unmet[i] = i = unmet[unmet[i]]
            if starts[i] >= end:
                break
            met[rank] = met.get(rank, 0) + 1
            unmet[i] = i + 1
    return met


class _ASP(_Watched):
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
        met = topic.once(first_met)
        # Of the stretches of an item the last counts, and what is left of the item is watched as well.
        after = {rank: V / (W + max(0.0, rest)) for rank, V, W, rest in self._watch(topic)}
        return sum(met.get(rank, 0) * precision for rank, precision in after.items()) / topic.R


ASP = MASP = register(_ASP(), ['MASP'])
