"""The rankings of one query as the official tool of MediaEval Search & Hyperlinking 2014–15 and TRECVID Video
Hyperlinking 2015–16 (public as robinaly/sh_eval) goes through them, its quirks included.

``over``, ``binned`` and ``tolerance`` say of every rank whether the tool takes it for relevant and for judged;
``segment_precision`` has the figures of MAiSP. Times are whole seconds and no judged segment ends before it starts.

Where the tool differs from the measures' definitions, a docstring says *quirk*. The known oddities:

- a segment that ends where another one starts overlaps it (``over``, ``segment_precision``);
- an item in tolerance is checked against what was seen as a whole, not from its start; one without content never
  counts as seen, so it is relevant as often as it is repeated (``tolerance``);
- a constant 1 stands for recall 0, the last recall point can lie beyond the relevant content, a second is lost where
  a span is cut, and the position in an item moves on by too much after its second span (``segment_precision``).
"""

from bisect import bisect_left
from collections.abc import Hashable
from functools import lru_cache
from itertools import accumulate
from math import inf
from typing import NamedTuple

from ir_segmeasures.providers.sh_eval_judged import QueryItems, QueryJudgements, VideoSpans, with_second

__all__ = ['Flags', 'JudgedQuery', 'SegmentPrecision', 'binned', 'over', 'segment_precision', 'tolerance']

_MOST_BINS = 10 ** 7  # of the items of a query
_SHORTEST = 0.01  # what is left of a window stays from this length on


class Flags(NamedTuple):
    """The flags that the tool gives the ranks of a ranking.

    Attributes:
        relevant: whether each rank counts as relevant (the tool's ``num_rel_ret`` is their number)
        judged: whether each rank counts as relevant or is judged not relevant
        R: what average precision divides by (``num_rel``)
    """

    relevant: list[bool]
    judged: list[bool]
    R: int


class SegmentPrecision(NamedTuple):
    """The figures of the MAiSP family.

    Attributes:
        isp: interpolated precisions at the recall points that were reached, without the one at recall 0
        maisp: their mean over all recall points
        num_rel_secs: length of the relevant content
        num_ret_secs: seconds watched
        num_rel_ret_secs: relevant seconds found
    """

    isp: list[float]
    maisp: float
    num_rel_secs: int
    num_ret_secs: int
    num_rel_ret_secs: int


def over(judged: QueryJudgements, items: QueryItems) -> Flags:
    """The flags of ``map``, ``P_n``, ``Judged_n``: an item is relevant if it overlaps a relevant span, again and again.

    Quirk: overlap is inclusive, so touching is enough.
    """
    flags = Flags([False] * items.n, [False] * items.n, judged.R)
    for place, video, start, end, _ in items.judged:
        spans, others = judged.relevant.get(video), judged.others.get(video)
        flags.relevant[place] = relevant = spans is not None and spans.overlap(start, end)
        flags.judged[place] = relevant or (others is not None and others.overlap(start, end))
    return flags


def binned(judged: QueryJudgements, items: QueryItems, width: int = 300) -> Flags:
    """The flags of ``map_bin``, ``P_n_bin``, ``Judged_n_bin``: the ranking is the list of distinct bins, ``width``
    seconds each.

    Every bin of an item stands where it first appears, so ranks are bins, not items. An item without content has the
    bin that it lies in, or none at the edge between two.

    Raises:
        ValueError: the items of the query lie in more than 10^7 bins
    """
    segments = [*(row[:3] for row in judged.rows), *items.all_items()]
    if sum(max(0, end - start) // width for _, start, end in segments) > _MOST_BINS:
        raise ValueError(f'the segments of a query lie in more than {_MOST_BINS:,} bins of {width} s, and each bin '
                         'is looked at: give a longer bin')
    relevant, known = ({bin for video, start, end, relevance in judged.rows if relevance > lowest
                        for bin in _bins(video, start, end, width)} for lowest in (0, -inf))
    ranking = dict.fromkeys(bin for video, start, end in items.all_items() for bin in _bins(video, start, end, width))
    return Flags([bin in relevant for bin in ranking], [bin in known for bin in ranking], len(relevant))


def tolerance(judged: QueryJudgements, items: QueryItems, tol: int = 15, known: bool = True) -> Flags:
    """The flags of ``map_tol``, ``P_n_tol``, ``Judged_n_tol``: an item is relevant if a relevant span that was not seen
    before starts less than ``tol`` seconds after it or holds its start.

    Quirks: whether it was seen, and whether it meets what is judged not relevant, is decided by the item's whole
    interval, not by where the user starts; an item without content is never seen; of an interval that ends at 0 counts
    the second at its start.

    Without ``known``, only relevant items are flagged as judged.
    """
    relevant, others = judged.seconds
    seen: dict[Hashable, VideoSpans] = {}
    flags = Flags([False] * items.n, [False] * items.n, judged.R)
    for place, video, start, end, _ in items.judged:
        spans = relevant.get(video)
        if spans is None and not known:
            continue
        limit = start + tol or start + 1  # as with_second() has it
        if spans is not None and spans.meet(start, limit):
            flags.judged[place] = True
            past = seen.setdefault(video, VideoSpans([], []))
            if not past.meet(*with_second(start, end)):
                # Of the spans met, the last one ends last: spans are disjoint.
                past.add(start, max(start + tol, spans.ends[bisect_left(spans.starts, limit) - 1]))
                flags.relevant[place] = True
        elif known and video in others:
            flags.judged[place] = others[video].meet(*with_second(start, end))
    return flags


def segment_precision(judged: QueryJudgements, items: QueryItems) -> SegmentPrecision:
    """The figures of ``maisp`` and its company: the user watches every item, and on to the end of the unseen spans that
    it overlaps.

    Quirks: overlap is inclusive; of a span that is cut, the second before the cut is lost; after each span of an item
    the position moves on by all that was watched of the item, not by the span's share.
    """
    # What is unseen of each span that was cut, and of each span, by video: itself, or one after it once it is seen.
    unseen: dict[tuple[Hashable, int], tuple[list[int], list[int]]] = {}
    following: dict[Hashable, list[int]] = {}
    points, recorded = judged.points, list[float]()
    beyond = rel_ret = 0  # what was watched after the items' ends, and what of all was relevant
    for _, video, start, end, before in items.judged:
        spans = judged.relevant.get(video)
        if spans is None:
            continue
        n = len(spans.starts)
        next = following.get(video) or following.setdefault(video, list(range(n + 1)))
        w0, c, ret, k, over = start, 0, before + beyond, bisect_left(spans.ends, start), False
        while not over:
            while next[k] != k:
                next[k] = k = next[next[k]]
            if k == n or spans.starts[k] > max(w0, end):
                break
            starts, ends = unseen.get((video, k)) or ([spans.starts[k]], [spans.ends[k]])
            # The parts are sorted and disjoint, so the ones before i end too early, the ones from j on start too late.
            i = j = bisect_left(ends, start)
            stay: list[tuple[int, int]] = []
            while j < len(starts) and starts[j] <= max(w0, end):
                b, f = starts[j], ends[j]
                j += 1
                if not (b <= w0 <= f or w0 <= b <= end):
                    stay.append((b, f))
                    continue
                o = max(b, w0)
                gain = max(f - o, 0)
                rel_ret += gain
                c += (o - w0) + gain
                while len(recorded) + 1 < len(points) and points[len(recorded) + 1] <= rel_ret:
                    p = points[len(recorded) + 1]
                    recorded.append(p / (ret + c - (rel_ret - p)))
                if b < o and (o - 1) - b >= _SHORTEST:
                    stay.append((b, o - 1))
                w0 += c
            over = j < len(starts)
            starts[i:j] = [b for b, _ in stay]
            ends[i:j] = [f for _, f in stay]
            unseen[video, k] = starts, ends
            if not starts:
                next[k] = k + 1
            k += 1
        beyond += max(c, end - start) - max(end - start, 0)
    isp = list(accumulate(reversed(recorded), max))[::-1]
    maisp = (1 + sum(isp)) / len(points) if isp else 0.
    return SegmentPrecision(isp, maisp, judged.rel_secs, items.seconds + beyond, rel_ret)


def _bins(video: Hashable, start: int, end: int, width: int) -> list[tuple[Hashable, int]]:
    return [(video, place) for place in range(start // width, (end - 1) // width + 1)]


class JudgedQuery:
    """The walks of the tool through one query, each computed when it is first asked for."""

    def __init__(self, judged: QueryJudgements, items: QueryItems):
        self.over = lru_cache(lambda: over(judged, items))
        self.binned = lru_cache(lambda width: binned(judged, items, width))
        self.tolerance = lru_cache(lambda tau, known=False: tolerance(judged, items, tau, known))
        self.segment_precision = lru_cache(lambda: segment_precision(judged, items))
