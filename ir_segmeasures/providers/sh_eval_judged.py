"""One query as the official tool of Search & Hyperlinking sees it: its judgements, prepared once for all runs, and the
items of a run, of which those in other videos than judged ones are only counted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

__all__ = ['QueryItems', 'Item', 'QueryJudgements', 'Judgement', 'VideoSpans', 'with_second']

Judgement = tuple[Hashable, int, int, float]
"""video, start, end, relevance (relevant if > 0)"""

Item = tuple[Hashable, int, int]
"""video, start, end"""


class VideoSpans(NamedTuple):
    """Intervals of one video, sorted by start and by end: as two lists for ``bisect``."""

    starts: list[int]
    ends: list[int]

    @classmethod
    def by_video(cls, judged: Iterable[Judgement], relevant: bool) -> dict[Hashable, VideoSpans]:
        """The segments of one kind, merged where they overlap or touch."""
        segments: dict[Hashable, list[tuple[int, int]]] = defaultdict(list)
        for video, start, end, relevance in judged:
            if (relevance > 0) == relevant:
                segments[video].append((start, end))
        merged = {}
        for video, in_video in segments.items():
            merged[video] = spans = cls([], [])
            for start, end in sorted(in_video):
                if spans.ends and start <= spans.ends[-1]:
                    spans.ends[-1] = max(spans.ends[-1], end)
                else:
                    spans.starts.append(start)
                    spans.ends.append(end)
        return merged

    def overlap(self, start: int, end: int) -> bool:
        """Whether any span overlaps ``[start, end]``, ends included: ``s1 <= s2 <= e1`` or ``s2 <= s1 <= e2``."""
        i = bisect_right(self.starts, start)
        return (i > 0 and start <= self.ends[i - 1]) or (i < len(self.starts) and self.starts[i] <= end)

    def meet(self, start: int, end: int) -> bool:
        """Whether any span has a whole second in common with ``[start, end)``."""
        i = bisect_right(self.ends, start)
        return start < end and i < len(self.ends) and self.starts[i] < end

    def add(self, start: int, end: int) -> None:
        """Add an interval, and merge it with the spans that it overlaps or touches."""
        i, j = bisect_left(self.ends, start), bisect_right(self.starts, end)
        if i < j:
            start, end = min(start, self.starts[i]), max(end, self.ends[j - 1])
        self.starts[i:j] = [start]
        self.ends[i:j] = [end]


def with_second(start: int, end: int) -> tuple[int, int]:
    """The bounds of an interval as ``tolerance`` takes them. Quirk: an end of 0 stands for a missing end."""
    return start, end if end != 0 else start + 1


def _seconds(spans: VideoSpans) -> VideoSpans:
    """The spans that have a second, with the bounds of :func:`with_second`."""
    found = [span for span in map(with_second, *spans) if span[0] < span[1]]
    return VideoSpans([start for start, _ in found], [end for _, end in found])


class QueryJudgements:
    """The judgements of a query; each part is made when it is first asked for.

    Attributes:
        rows: the judgements
    """

    def __init__(self, rows: Iterable[Judgement]):
        self.rows = list(rows)

    @cached_property
    def relevant(self) -> dict[Hashable, VideoSpans]:
        """The relevant spans, by video."""
        return VideoSpans.by_video(self.rows, relevant=True)

    @cached_property
    def others(self) -> dict[Hashable, VideoSpans]:
        """The spans that are judged not relevant, by video."""
        return VideoSpans.by_video(self.rows, relevant=False)

    @cached_property
    def seconds(self) -> tuple[dict[Hashable, VideoSpans], dict[Hashable, VideoSpans]]:
        """The relevant spans and the other judged spans that have a second, by video."""
        relevant, others = ({video: _seconds(spans) for video, spans in kind.items()}
                            for kind in (self.relevant, self.others))
        return relevant, others

    @cached_property
    def R(self) -> int:
        """The number of relevant spans."""
        return sum(len(spans.starts) for spans in self.relevant.values())

    @cached_property
    def rel_secs(self) -> int:
        """The length of the relevant spans."""
        return sum(sum(spans.ends) - sum(spans.starts) for spans in self.relevant.values())

    @cached_property
    def points(self) -> Sequence[int]:
        """The recall points, in relevant seconds."""
        return _recall_points(self.rel_secs)


class QueryItems:
    """The items of a query, by rank.

    Args:
        n: the number of items
        seconds: their length
        judged: for the items in judged videos (at least): the place, from 0, video, start, end, and the length of all
            items before
        all_items: a function that gives all items
    """

    def __init__(self, n: int, seconds: int, judged: list[tuple[int, Hashable, int, int, int]],
                 all_items: Callable[[], list[Item]]):
        self.n, self.seconds, self.judged, self.all_items = n, seconds, judged, all_items

    @classmethod
    def from_items(cls, items: Iterable[Item]) -> QueryItems:
        """The items of a query, given one by one."""
        items = list(items)
        *before, seconds = accumulate((max(end - start, 0) for _, start, end in items), initial=0)
        judged = [(place, *item, length) for place, (item, length) in enumerate(zip(items, before))]
        return cls(len(items), seconds, judged, lambda: items)


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
