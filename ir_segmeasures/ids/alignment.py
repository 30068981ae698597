"""The alignment of a run with judged segments: the segment that each item takes, and the ids of the items then."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from itertools import count, pairwise
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.basics import Floats, Ints, quoted
from ir_segmeasures.segments.segment import format_segment, parse_segment
from ir_segmeasures.segments.tables.adapters import Adapter
from ir_segmeasures.segments.tables.matching import Match, document_key
from ir_segmeasures.segments.tables.table import SegmentTable

_NOTHING = (np.empty(0, np.intp), np.empty(0), np.empty(0))


class ReadRows(NamedTuple):
    """A run or qrels, and their table.

    Attributes:
        rows: the adapter of their shape
        table: their rows, in the order of the input
        ids: their document ids, as they are
        bare: whether these are bare documents with start and end beside them
    """
    rows: Adapter
    table: SegmentTable
    ids: list[Any]
    bare: bool


class Assignment:
    """The assignment of judged segments to the items of a run, by the rules of :func:`~.documents.align`.

    Args:
        run: the items, in the order of the input
        ids: their ids
        judged: the qrels
        least: the least intersection over union; None for any overlap
    """

    def __init__(self, run: SegmentTable, ids: list[Any], judged: ReadRows, least: float | None):
        qrels, match = judged.table, Match(judged.table, run)
        self.run, self.ids, self.judged, self.query, self.least = run, ids, judged.ids, match.query, least
        # The thresholds of this project have a relative tolerance of 1e-9.
        self._enough = 0 if least is None else least * (1 - 1e-9)
        run_times, times = _exact((run.start, run.end), (qrels.start, qrels.end))
        self.run_start, self.run_end = (column.tolist() for column in run_times)
        self.open_ends = bool(np.isinf(run.end).any() or np.isinf(qrels.end).any())
        keys = list(zip(qrels.query.tolist(), judged.ids))
        self.row_of = dict(zip(reversed(keys), reversed(range(len(keys)))))  # the first row of each id
        rows = np.fromiter(self.row_of.values(), np.intp, len(self.row_of))
        group = document_key(qrels, qrels.query[rows], qrels.document[rows])
        order = np.lexsort((rows, times[0][rows], group))  # document by document (of a query), by start
        self.row, group = rows[order], group[order]
        self.start, self.end, self.grade = times[0][self.row], times[1][self.row], qrels.value[self.row]
        self.length, self.starts, self.group, self.key = self.end - self.start, self.start.tolist(), group, match.key
        self.reach = _reach(group, self.end).tolist()  # the latest end so far in the document
        self.by_rank: list[int] = np.argsort(-run.value, kind='stable').tolist()
        self.low, self.high = (np.searchsorted(group, match.key, side).tolist() for side in ('left', 'right'))

    def taken(self) -> Ints:
        """The row of the judgement that each item takes, or -1."""
        match = np.full(len(self.run), -1, np.intp)
        for item in self.by_rank:
            at = self._best(item)
            if at is not None:
                match[item] = self.row[at]
                self.end[at] = -inf  # taken: it shares nothing with anything any more
        return match

    def most(self) -> Ints:
        """The row of the judgement that each item takes where as many as can be are taken, of the highest grades first;
        or -1. Each judged segment in turn is reached from an item that is free, maybe over items that take others."""
        for item in range(len(self.run)) if self.open_ends else ():
            self._met(item)  # for its error
        start, end = np.array(self.run_start), np.array(self.run_end)
        items = np.lexsort((start, self.key))
        start, end, reach = start[items], end[items], _reach(self.key[items], end[items])
        lows, highs = (np.searchsorted(self.key[items], self.group, side).tolist() for side in ('left', 'right'))
        takes = np.full(len(self.run), -1, np.intp)  # the judged segment of each item
        taken_by: dict[int, int] = {}
        for first in np.argsort(-self.grade, kind='stable').tolist():
            low, high = lows[first], highs[first]
            reached: dict[int, int] = {}  # item → the judged segment from which it was reached first
            places = [first]
            for place in places:
                some = slice(low + np.searchsorted(reach[low:high], self.start[place], 'right'),
                             low + np.searchsorted(start[low:high], self.end[place]))
                shared = np.minimum(self.end[place], end[some]) - np.maximum(self.start[place], start[some])
                value = _iou(shared, end[some] - start[some], self.length[place])
                met = items[some][(shared > 0) & (value >= self._enough)]
                free = met[takes[met] < 0][:1].tolist()
                new = free or [item for item in met.tolist() if item not in reached]
                reached.update(dict.fromkeys(new, place))
                if free:
                    taker: int | None = free[0]
                    while taker is not None:
                        takes[taker] = at = reached[taker]
                        taken_by[at], taker = taker, taken_by.get(at)
                    break
                places += takes[new].tolist()
        return np.where(takes < 0, -1, self.row[takes]) if len(self.row) else takes

    def _best(self, item: int) -> int | None:
        at, shared, value = self._met(item)
        if not at.size or (best := value.max()) < self._enough:
            return None
        ties = np.flatnonzero(value == best)
        at, shared = at[ties], shared[ties]
        if len(at) > 1:  # the shortest, or the one with most in common; the item's own; the first
            other = self.row[at] != self.row_of.get((int(self.query[item]), self.ids[item]), -1)
            at = at[np.lexsort((self.row[at], other, np.where(np.isinf(self.length[at]), -self.start[at], 0),
                                self.length[at] if self.least is None else -shared))]
        return int(at[0])

    def _met(self, item: int) -> tuple[Ints, Floats, Floats]:
        """The judged segments with which an item shares content, how much, and their overlap or their IoU."""
        start, end = self.run_start[item], self.run_end[item]
        low = bisect_right(self.reach, start, self.low[item], self.high[item])
        high = bisect_left(self.starts, end, low, self.high[item])
        if low == high:
            return _NOTHING
        shared = np.minimum(self.end[low:high], end) - np.maximum(self.start[low:high], start)
        at = np.flatnonzero(shared > 0)
        shared = shared[at]
        at += low
        if self.open_ends and at.size:
            self._check_open_ends(item, at)
        return at, shared, shared if self.least is None else _iou(shared, end - start, self.length[at])

    def _check_open_ends(self, item: int, at: Ints) -> None:
        """Raises a RowError for a comparison that depends on an end that is not known."""
        is_open, others = self.run_end[item] == inf, np.isinf(self.end[at])
        same = is_open & others & (self.start[at] == self.run_start[item])
        unclear = (is_open & others if self.least is None else is_open | others) & ~same
        if unclear.any():
            other = self.judged[self.row[at[np.argmax(unclear)]]]
            raise self.run.error(item, f'how much {quoted(self.ids[item])} and the judged {quoted(other)} have in '
                                       'common depends on the end of the document: resolve() the ids by a table')


def _reach(group: Ints, end: Floats) -> Floats:
    """The latest end so far in each group."""
    reach = end.copy()
    for low, high in pairwise(np.flatnonzero(np.diff(group, prepend=-1, append=-1)).tolist()):
        reach[low:high] = np.maximum.accumulate(reach[low:high])
    return reach


def _iou(shared: Floats, own: Any, other: Any) -> Floats:
    with np.errstate(invalid='ignore'):  # inf / inf, of two that are the same to the open end
        value = shared / (own + (other - shared))
    value[np.isnan(value)] = 1
    return value


def _exact(*tables: tuple[Floats, Floats]) -> list[tuple[Floats, Floats]]:
    """Positions as whole numbers, so that equal lengths are equal whatever their decimals (0.3 - 0.1 and 0.2)."""
    columns = [column[np.isfinite(column)] for table in tables for column in table]
    scale = 1 if all((column == np.floor(column)).all() for column in columns) else 1e9
    return [(np.rint(start * scale), np.rint(end * scale)) for start, end in tables]


def unique_ids(run: SegmentTable, given: list[Any], judged: ReadRows, match: Ints) -> list[Any]:
    """The new ids of a run, none twice in a query: those of judged segments, and of ``given`` where there is none."""
    ids = [given[item] if row < 0 else judged.ids[row] for item, row in enumerate(match.tolist())]
    query = [run.query_ids[code] for code in run.query.tolist()]
    used = {(query[item], ids[item]) for item in np.flatnonzero(match >= 0).tolist()}
    repeats = []
    by_rank = np.argsort(-run.value, kind='stable')
    for item in by_rank[match[by_rank] < 0].tolist():
        key = query[item], ids[item]
        if key in used:
            repeats.append(item)
        used.add(key)
    if repeats:
        judged_queries = judged.table.query_ids
        used |= {(judged_queries[code], id) for code, id in zip(judged.table.query.tolist(), judged.ids)}
    numbers: defaultdict[tuple[str, Any], Iterator[int]] = defaultdict(lambda: count(2))
    for item in repeats:
        names = (_repeat(ids[item], number) for number in numbers[query[item], ids[item]])
        ids[item] = next(name for name in names if (query[item], name) not in used)
        used.add((query[item], ids[item]))
    return ids


def _repeat(id: Any, number: int) -> str:
    """Another id of a segment, with a path that says which repetition it is."""
    segment = parse_segment(str(id))
    path = f'{segment.path or ""}/repeat[{number}]'
    return format_segment(segment._replace(unit=segment.unit or 't', path=path))
