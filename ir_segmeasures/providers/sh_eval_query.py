"""The numbers of the official tool of MediaEval Search & Hyperlinking 2014–15 and TRECVID Video Hyperlinking 2015–16
(public as robinaly/sh_eval), for one query: published MAP-over, MAP-bin, MAP-tol and MAiSP figures come from it.

Times are whole seconds and no judged segment ends before it starts. Where the tool differs from the measures'
definitions, a docstring says *quirk*. The tool averages over the queries that the run answers; here the figures are
those of one query.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Sequence
from functools import cache, cached_property
from itertools import accumulate
from math import inf
from typing import NamedTuple

__all__ = ['Item', 'Judgement', 'ShEvalQuery', 'precision_at_recall']

Judgement = tuple[Hashable, int, int, float]
"""video, start, end, relevance (relevant if > 0)"""

Item = tuple[Hashable, int, int]
"""video, start, end"""

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

    def average_precision(self) -> float:
        """The figure ``map``: the precisions at the relevant ranks over ``R``, 0 without relevant content.

        Quirk: the relevant ranks may outnumber ``R``, so it can exceed 1.
        """
        ranks = [rank for rank, relevant in enumerate(self.relevant, 1) if relevant]
        total = 0.
        for hits, rank in enumerate(ranks, 1):  # in order: sum() is more precise from Python 3.12 on
            total += hits / rank
        return total / self.R if self.R else 0.

    def precision(self, k: int) -> float:
        """The figure ``P_k``, however long the ranking is."""
        return sum(self.relevant[:k]) / k

    def judged_share(self, k: int) -> float:
        """The figure ``Judged_k``, however long the ranking is."""
        return sum(self.judged[:k]) / k


class SegmentPrecision(NamedTuple):
    """The figures of the MAiSP family.

    Attributes:
        isp: interpolated precisions at the recall points that were reached, without the one at recall 0
        maisp: their mean over all recall points
        ret, rel_ret: seconds watched, and relevant seconds found
    """
    isp: list[float]
    maisp: float
    ret: int
    rel_ret: int


class _Spans(NamedTuple):
    """Disjoint intervals of one video, sorted by start and by end."""
    starts: list[int]
    ends: list[int]

    def overlap(self, start: int, end: int) -> bool:
        """Tells whether any span overlaps ``[start, end]``, ends included: ``s1 <= s2 <= e1`` or ``s2 <= s1 <= e2``."""
        i = bisect_right(self.starts, start)
        return (i > 0 and start <= self.ends[i - 1]) or (i < len(self.starts) and self.starts[i] <= end)

    def meet(self, start: int, end: int) -> bool:
        """Tells whether any span has a whole second in common with ``[start, end)``."""
        i = bisect_right(self.ends, start)
        return start < end and i < len(self.ends) and self.starts[i] < end

    def add(self, start: int, end: int) -> None:
        """Adds an interval, and merges it with the spans that it overlaps or touches."""
        i, j = bisect_left(self.ends, start), bisect_right(self.starts, end)
        if i < j:
            start, end = min(start, self.starts[i]), max(end, self.ends[j - 1])
        self.starts[i:j], self.ends[i:j] = [start], [end]

    def seconds(self) -> _Spans:
        """The spans that have a second, as tolerance takes them."""
        found = [span for span in map(_with_second, *self) if span[0] < span[1]]
        return _Spans([start for start, _ in found], [end for _, end in found])


def _with_second(start: int, end: int) -> tuple[int, int]:
    """The bounds of an interval as tolerance takes them. Quirk: an end of 0 stands for a missing end."""
    return start, end if end != 0 else start + 1


def _merged(judged: Iterable[Judgement], relevant: bool) -> dict[Hashable, _Spans]:
    """The segments of one kind by video, merged where they overlap or touch."""
    merged: dict[Hashable, _Spans] = {}
    for video, start, end, relevance in judged:
        if (relevance > 0) == relevant:
            merged.setdefault(video, _Spans([], [])).add(start, end)
    return merged


class ShEvalQuery:
    """A query as the tool sees it: its judgements, and the items of a run by rank.

    Attributes:
        judged, items: as given
        relevant, others: the spans that are relevant, and those that are judged not relevant, by video
        R: the number of relevant spans
        rel_secs: their length
    """

    def __init__(self, judged: Sequence[Judgement], items: Sequence[Item]):
        self.judged, self.items = judged, items
        self.relevant, self.others = _merged(judged, True), _merged(judged, False)
        self.R = sum(len(spans.starts) for spans in self.relevant.values())
        self.rel_secs = sum(sum(spans.ends) - sum(spans.starts) for spans in self.relevant.values())
        self.binned, self.tolerance = cache(self._binned), cache(self._tolerance)

    @cached_property
    def over(self) -> Flags:
        """The flags of ``map``, ``P_n``, ``Judged_n``: an item is relevant if it overlaps a relevant span, again and
        again.

        Quirk: overlap is inclusive, so touching is enough.
        """
        empty = _Spans([], [])
        relevant = [self.relevant.get(video, empty).overlap(start, end) for video, start, end in self.items]
        return Flags(relevant, [known or self.others.get(video, empty).overlap(start, end)
                                for known, (video, start, end) in zip(relevant, self.items)], self.R)

    def _binned(self, width: int) -> Flags:
        """The flags of ``map_bin``, ``P_n_bin``, ``Judged_n_bin``: the ranking is the list of distinct bins, ``width``
        seconds each.

        Every bin of an item stands where it first appears, so ranks are bins, not items. An item without content has
        the bin that it lies in, or none at the edge between two.

        Raises:
            ValueError: the items of the query lie in more than 10^7 bins
        """
        if sum(max(0, end - start) // width for _, start, end in [*(row[:3] for row in self.judged), *self.items]
               ) > _MOST_BINS:
            raise ValueError(f'the segments of a query lie in more than {_MOST_BINS:,} bins of {width} s, and each bin '
                             'is looked at: give a longer bin')
        relevant, known = ({bin for video, start, end, relevance in self.judged if relevance > lowest
                            for bin in _bins(video, start, end, width)} for lowest in (0, -inf))
        ranking = dict.fromkeys(bin for item in self.items for bin in _bins(*item, width))
        return Flags([bin in relevant for bin in ranking], [bin in known for bin in ranking], len(relevant))

    def _tolerance(self, tol: int) -> Flags:
        """The flags of ``map_tol``, ``P_n_tol``, ``Judged_n_tol``: an item is relevant if a relevant span that was not
        seen before starts less than ``tol`` seconds after it or holds its start.

        Quirks: whether it was seen, and whether it meets what is judged not relevant, is decided by the item's whole
        interval, not by where the user starts; an item without content is never seen; of an interval that ends at 0
        counts the second at its start.
        """
        relevant, others = ({video: spans.seconds() for video, spans in kind.items()}
                            for kind in (self.relevant, self.others))
        seen: dict[Hashable, _Spans] = {}
        flags = Flags([False] * len(self.items), [False] * len(self.items), self.R)
        for place, (video, start, end) in enumerate(self.items):
            limit = start + tol or start + 1  # as _with_second() has it
            if video in relevant and relevant[video].meet(start, limit):
                flags.judged[place] = True
                past, spans = seen.setdefault(video, _Spans([], [])), relevant[video]
                if not past.meet(*_with_second(start, end)):
                    # The last span met ends last, since spans are disjoint.
                    past.add(start, max(start + tol, spans.ends[bisect_left(spans.starts, limit) - 1]))
                    flags.relevant[place] = True
            elif video in others:
                flags.judged[place] = others[video].meet(*_with_second(start, end))
        return flags

    @cached_property
    def segment_precision(self) -> SegmentPrecision:
        """The figures of ``maisp``: the user watches every item, and on to the end of the unseen spans that it
        overlaps.

        Quirks: overlap is inclusive; of a span that is cut, the second before the cut is lost; after each span of an
        item the position moves on by all that was watched of the item, not by the span's share; a constant 1 stands for
        recall 0.
        """
        unseen = {video: list(zip(*spans)) for video, spans in self.relevant.items()}
        points, recorded = _recall_points(self.rel_secs), list[float]()
        ret = rel_ret = 0
        for video, start, end in self.items:
            position, watched, left = start, 0, list[tuple[int, int]]()
            for first, last in unseen.get(video, ()):
                if not (first <= position <= last or position <= first <= end):
                    left.append((first, last))
                    continue
                begin = max(first, position)
                gain = max(last - begin, 0)
                rel_ret += gain
                watched += (begin - position) + gain
                while len(recorded) + 1 < len(points) and points[len(recorded) + 1] <= rel_ret:
                    point = points[len(recorded) + 1]
                    recorded.append(point / (ret + watched - (rel_ret - point)))
                if first < begin and (begin - 1) - first >= _SHORTEST:
                    left.append((first, begin - 1))
                position += watched
            if video in unseen:
                unseen[video] = left
            ret += max(watched, end - start)
        isp = list(accumulate(reversed(recorded), max))[::-1]
        return SegmentPrecision(isp, (1 + sum(isp)) / len(points) if isp else 0., ret, rel_ret)


def _bins(video: Hashable, start: int, end: int, width: int) -> list[tuple[Hashable, int]]:
    return [(video, place) for place in range(start // width, (end - 1) // width + 1)]


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


def precision_at_recall(isp: Sequence[float], percent: int) -> float:
    """The figure ``maisp_0.05`` for 5 percent, and so on; 0 if so many recall points were not reached.

    Quirks: it is ``isp[5]``, where ``isp[0]`` belongs to the first recall point after 0, so it is one point late; and
    points are hundredths of the relevant content only roughly, or whole seconds.
    """
    return isp[percent] if percent < len(isp) else 0.
