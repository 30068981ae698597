"""
The numbers of the official tool of MediaEval Search & Hyperlinking 2014–15 and TRECVID Video Hyperlinking 2015–16
(public as robinaly/sh_eval), for one query, its quirks included: published MAP-over, MAP-bin, MAP-tol and MAiSP
figures come from it.

``over``, ``binned`` and ``tolerance`` say of every rank whether the tool takes it for relevant and for judged;
``average_precision``, ``precision`` and ``judged_share`` make its figures of that (``map`` and ``map_bin``, ``P_10``
and ``P_10_tol`` and so on). ``segment_precision`` has the figures of MAiSP. Times are whole seconds and no judged
segment ends before it starts.

Where the tool differs from the measures' definitions, a docstring says *quirk*. The known oddities:

- a segment that ends where another one starts overlaps it (``over``, ``segment_precision``);
- an item in tolerance is checked against what was seen as a whole, not from its start; one without content never
  counts as seen, so it is relevant as often as it is repeated (``tolerance``);
- a constant 1 stands for recall 0, the last recall point can lie beyond the relevant content, a second is lost where
  a span is cut, and the position in an item moves on by too much after its second span (``segment_precision``);
- the tool averages over the queries that the run answers; that is the caller's matter, here is one query only.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple

from ir_segmeasures import measures
from ir_segmeasures.measures import bins
from ir_segmeasures.measures.base import Only
from ir_segmeasures.providers.base import NOT_THERE, WHOLE, Figure, by_name

__all__ = ['FIGURES', 'BinFlags', 'JudgedQuery', 'Flags', 'SegmentPrecision', 'over', 'binned', 'tolerance',
           'segment_precision', 'average_precision', 'precision', 'judged_share', 'precision_at_recall']

Judgement = tuple[Hashable, int, int, int]
"""video, start, end, relevance (relevant if > 0)"""

Item = tuple[Hashable, int, int]
"""video, start, end"""

Span = tuple[int, int]

_SHORTEST = 0.01  # what is left of a window stays from this length on


class Flags(NamedTuple):
    """What the tool makes of a ranking: one flag per rank.

    Attributes:
        relevant: does the rank count as relevant (the tool's ``num_rel_ret`` is how many do)
        judged: does it, or is it judged in another way
        R: what average precision divides by (``num_rel``)
    """

    relevant: list[bool]
    judged: list[bool]
    R: int


class BinFlags(NamedTuple):
    """The same for the ranking of bins, of which there can be too many to have a flag each.

    Attributes:
        relevant: the ranks that count as relevant, from 1, as ranges
        judged: those, and what is judged in another way
        n: number of ranks
        R: what average precision divides by
    """

    relevant: list[range]
    judged: list[range]
    n: int
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


def over(judged: Iterable[Judgement], items: Iterable[Item]) -> Flags:
    """``map``, ``P_n``, ``Judged_n``: an item is relevant if it overlaps a relevant span, again and again.

    Quirk: overlap is inclusive, so touching is enough.
    """
    judged = list(judged)
    spans, others = _Spans.by_video(judged, relevant=True), _Spans.by_video(judged, relevant=False)
    flags = Flags([], [], _number(spans))
    for video, start, end in items:
        relevant = video in spans and spans[video].overlap(start, end)
        flags.relevant.append(relevant)
        flags.judged.append(relevant or (video in others and others[video].overlap(start, end)))
    return flags


def binned(judged: Iterable[Judgement], items: Iterable[Item], width: int = 300) -> BinFlags:
    """``map_bin``, ``P_n_bin``, ``Judged_n_bin``: the ranking is the list of distinct bins, ``width`` seconds each.

    Every bin of an item stands where it first appears, so ranks are bins, not items. An item without content has none.
    """
    judged = list(judged)
    relevant, known = (bins.union((video, _bins(start, end, width)) for video, start, end, relevance in judged
                                  if relevance > least) for least in (0, -inf))
    ranking = [(video, _bins(start, end, width)) for video, start, end in items]
    (ranks, n), (judged_ranks, _) = bins.places(ranking, relevant), bins.places(ranking, known)
    return BinFlags(ranks, judged_ranks, n, bins.size(relevant))


def tolerance(judged: Iterable[Judgement], items: Iterable[Item], tol: int = 15) -> Flags:
    """``map_tol``, ``P_n_tol``, ``Judged_n_tol``: an item is relevant if a relevant span that was not seen before
    starts less than ``tol`` seconds after it or holds its start.

    Quirks: whether it was seen, and whether it meets what is judged not relevant, is decided by the item's whole
    interval, not by where the user starts; an item without content is never seen; of an interval that ends at 0 counts
    the second at its start.
    """
    judged = list(judged)
    merged = _Spans.by_video(judged, relevant=True)
    spans = {video: _seconds(own) for video, own in merged.items()}
    others = {video: _seconds(own) for video, own in _Spans.by_video(judged, relevant=False).items()}
    seen: dict[Hashable, _Spans] = defaultdict(lambda: _Spans([], []))
    flags = Flags([], [], _number(merged))
    for video, start, end in items:
        own = spans.get(video)
        whole = _second(start, end)
        limit = _second(start, start + tol)[1]
        if own is not None and own.meet(start, limit):
            new = not seen[video].meet(*whole)
            if new:
                # Of the spans met, the last one ends last: spans are disjoint.
                latest = own.ends[bisect_left(own.starts, limit) - 1]
                seen[video].add(start, max(start + tol, latest))
            flags.relevant.append(new)
            flags.judged.append(True)
        else:
            flags.relevant.append(False)
            flags.judged.append(video in others and others[video].meet(*whole))
    return flags


def segment_precision(judged: Iterable[Judgement], items: Iterable[Item]) -> SegmentPrecision:
    """``maisp`` and its company: the user watches every item, and on to the end of the unseen spans that it overlaps.

    Quirks: overlap is inclusive; of a span that is cut, the second before the cut is lost; after each span of an item
    the position moves on by all that was watched of the item, not by the span's share.
    """
    unseen = {video: list(zip(spans.starts, spans.ends))
              for video, spans in _Spans.by_video(judged, relevant=True).items()}
    rel_secs = sum(f - b for windows in unseen.values() for b, f in windows)
    points = _recall_points(rel_secs)
    recorded: list[float] = []
    ret = rel_ret = 0
    for video, start, end in items:
        windows = unseen.get(video)
        if windows is None:
            ret += max(end - start, 0)
            continue
        w0, w1, c = start, end, 0
        stay: list[Span] = []
        # Windows are sorted and disjoint, so the ones before i end too early, the ones from j on start too late.
        i = j = bisect_left(windows, w0, key=itemgetter(1))
        while j < len(windows) and windows[j][0] <= max(w0, w1):
            b, f = window = windows[j]
            j += 1
            if not (b <= w0 <= f or w0 <= b <= w1):
                stay.append(window)
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
        windows[i:j] = stay
        ret += max(c, end - start)
    isp = list(accumulate(reversed(recorded), max))[::-1]
    maisp = (1 + sum(isp)) / len(points) if isp else 0.
    return SegmentPrecision(isp, maisp, rel_secs, ret, rel_ret)


def average_precision(relevant: Sequence[bool], R: int) -> float:
    """``map`` of one query: the precisions at the relevant ranks over ``R``, 0 without relevant content.

    Quirk: the relevant ranks may outnumber ``R``, so it can exceed 1. At a cut-off it is that of ``relevant[:k]``.
    """
    hits, total = 0, 0.
    for rank, hit in enumerate(relevant, 1):
        if hit:
            hits += 1
            total += hits / rank
    return total / R if R else 0.


def precision(relevant: Sequence[bool], k: int) -> float:
    """``P_k``: the relevant ones of the first ``k`` ranks over ``k``, however many there are."""
    return sum(relevant[:k]) / k


def judged_share(judged: Sequence[bool], k: int) -> float:
    """``Judged_k``: the judged ones of the first ``k`` ranks over ``k``, however many there are."""
    return sum(judged[:k]) / k


def precision_at_recall(isp: Sequence[float], percent: int) -> float:
    """``maisp_0.05`` for 5 percent, and so on; 0 if so many recall points were not reached.

    Quirks: it is ``isp[5]``, where ``isp[0]`` belongs to the first recall point after 0, so it is one point late; and
    points are hundredths of the relevant content only roughly, or whole seconds.
    """
    return isp[percent] if percent < len(isp) else 0.


class _Spans(NamedTuple):
    """Intervals of one video, sorted by start and by end: as two lists for ``bisect``."""

    starts: list[int]
    ends: list[int]

    @classmethod
    def by_video(cls, judged: Iterable[Judgement], relevant: bool) -> 'dict[Hashable, _Spans]':
        """The segments of one kind, merged where they overlap or touch."""
        segments: dict[Hashable, list[Span]] = defaultdict(list)
        for video, start, end, relevance in judged:
            if (relevance > 0) == relevant:
                segments[video].append((start, end))
        merged = {}
        for video, own in segments.items():
            merged[video] = spans = cls([], [])
            for start, end in sorted(own):
                if spans.ends and start <= spans.ends[-1]:
                    spans.ends[-1] = max(spans.ends[-1], end)
                else:
                    spans.starts.append(start)
                    spans.ends.append(end)
        return merged

    def overlap(self, start: int, end: int) -> bool:
        """Does any of them overlap, ends included: ``s1 <= s2 <= e1`` or ``s2 <= s1 <= e2``?"""
        i = bisect_right(self.starts, start)
        return (i > 0 and start <= self.ends[i - 1]) or (i < len(self.starts) and self.starts[i] <= end)

    def meet(self, start: int, end: int) -> bool:
        """Does any of them have a whole second in common with ``[start, end)``?"""
        i = bisect_right(self.ends, start)
        return start < end and i < len(self.ends) and self.starts[i] < end

    def add(self, start: int, end: int) -> None:
        """Adds an interval and merges it with those it overlaps or touches."""
        i, j = bisect_left(self.ends, start), bisect_right(self.starts, end)
        if i < j:
            start, end = min(start, self.starts[i]), max(end, self.ends[j - 1])
        self.starts[i:j] = [start]
        self.ends[i:j] = [end]


def _number(spans: dict[Hashable, _Spans]) -> int:
    return sum(len(own.starts) for own in spans.values())


def _bins(start: int, end: int, width: int) -> range:
    return range(start // width, (end - 1) // width + 1) if start < end else range(0)


def _second(start: int, end: int) -> Span:
    """Quirk of ``tolerance``: an end of 0 stands for a missing one."""
    return start, end if end != 0 else start + 1


def _seconds(spans: _Spans) -> _Spans:
    """Those of the spans that have a second, in the way of ``_second``."""
    own = [span for span in map(_second, *spans) if span[0] < span[1]]
    return _Spans([start for start, _ in own], [end for _, end in own])


def _recall_points(rel_secs: int) -> Sequence[int]:
    """Every hundredth of the relevant seconds, roughly; every second if there are no more than 100.

    Quirk: the remainder goes to the last point, which may so lie beyond ``rel_secs``, out of reach.
    """
    if rel_secs <= 100:
        return range(rel_secs + 1)
    floor, rest = divmod(rel_secs, 100)
    points = list(range(0, rel_secs, floor if rest <= 50 else floor + 1))
    points[-1] += rest
    return points


class JudgedQuery:
    """What the tool makes of one query, each part computed when it is first asked for."""

    def __init__(self, judged: list[Any], items: list[Any]):
        self.over = lru_cache(lambda: over(judged, items))
        self.binned = lru_cache(lambda width: binned(judged, items, width))
        self.tolerance = lru_cache(lambda tau: tolerance(judged, items, tau))
        self.segment_precision = lru_cache(lambda: segment_precision(judged, items))


def _average(flags: Flags) -> float:
    return average_precision(flags.relevant, flags.R)


def _bin_average(flags: BinFlags) -> float:
    return bins.summed_precision(flags.relevant) / flags.R if flags.R else 0.


def _share(ranks: list[range], k: int) -> float:
    return bins.number(ranks, k) / k


_REL = {'rel': Only(1)}
_LIST = {'cutoff': NOT_THERE, **_REL}  # the tool has no averages of cut lists
_BIN = {'bin': WHOLE, 'expand': Only(True)}
_TOL = {'tau': WHOLE, 'keepviewing': Only(False), 'init': Only(0), **_REL}
_MAISP = {'cutoff': NOT_THERE, 'user': Only('rel'), **_REL}

FIGURES = by_name(
    Figure(measures.AP_over, lambda q, m: _average(q.over()), _LIST),
    Figure(measures.P_over, lambda q, m: precision(q.over().relevant, m['cutoff']), _REL),
    Figure(measures.Judged_over, lambda q, m: judged_share(q.over().judged, m['cutoff']), {}),
    Figure(measures.AP_bin, lambda q, m: _bin_average(q.binned(m['bin'])), {'cutoff': NOT_THERE, **_BIN, **_REL}),
    Figure(measures.P_bin, lambda q, m: _share(q.binned(m['bin']).relevant, m['cutoff']), {**_BIN, **_REL}),
    Figure(measures.Judged_bin, lambda q, m: _share(q.binned(m['bin']).judged, m['cutoff']), _BIN),
    Figure(measures.T2I_AP, lambda q, m: _average(q.tolerance(m['tau'])), {'cutoff': NOT_THERE, **_TOL}),
    Figure(measures.P_tol, lambda q, m: precision(q.tolerance(m['tau']).relevant, m['cutoff']), _TOL),
    Figure(measures.Judged_tol, lambda q, m: judged_share(q.tolerance(m['tau']).judged, m['cutoff']), {'tau': WHOLE}),
    Figure(measures.AiSP, lambda q, m: q.segment_precision().maisp, {**_MAISP, 'points': Only(101)}),
    Figure(measures.iSP, lambda q, m: precision_at_recall(q.segment_precision().isp, round(100 * m['recall'])),
           {'recall': Only(0.05, 0.1, 0.2), **_MAISP}),
)
