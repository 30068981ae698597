"""The alignment of a run with judged segments: the segment that each item takes, and the ids of the items then."""

from bisect import bisect_left, bisect_right
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import format_segment, parse_segment
from ir_segmeasures.segments.tables.adapters import Adapter
from ir_segmeasures.segments.tables.matching import Match, document_key
from ir_segmeasures.segments.tables.table import SegmentTable


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


def assigned(run: SegmentTable, ids: list[Any], judged: ReadRows, least: float | None) -> Ints:
    """The row of the judged segment that each item takes, by the rules of :func:`~.documents.align`, or -1.

    Args:
        run: the items, in the order of the input
        ids: their ids
        judged: the qrels
        least: the least intersection over union; None for any overlap

    Raises:
        RowError: a comparison depends on an end that is not known
    """
    qrels, match = judged.table, Match(judged.table, run)
    run_times, times = _exact((run.start, run.end), (qrels.start, qrels.end))
    row_of: dict[tuple[int, Any], int] = {}  # each id once
    for number, key in enumerate(zip(qrels.query.tolist(), judged.ids)):
        row_of.setdefault(key, number)
    row = np.fromiter(row_of.values(), np.intp, len(row_of))
    group = document_key(qrels, qrels.query[row], qrels.document[row])
    order = np.lexsort((row, times[0][row], group))  # document by document (of a query), by start
    row, group = row[order], group[order]
    start, end = times[0][row], times[1][row]
    length, reach, starts = end - start, end.copy(), start.tolist()
    for low, high in pairwise(np.flatnonzero(np.diff(group, prepend=-1, append=-1)).tolist()):
        reach[low:high] = np.maximum.accumulate(end[low:high])
    ends = reach.tolist()  # the latest one so far in the document
    lows, highs = (np.searchsorted(group, match.key, side).tolist() for side in ('left', 'right'))
    firsts, lasts = (column.tolist() for column in run_times)
    has_open = bool(np.isinf(run.end).any() or np.isinf(qrels.end).any())
    taken = np.full(len(run), -1, np.intp)
    for item in np.argsort(-run.value, kind='stable').tolist():
        first, last = firsts[item], lasts[item]
        low = bisect_right(ends, first, lows[item], highs[item])
        high = bisect_left(starts, last, low, highs[item])
        if low == high:
            continue
        shared = np.minimum(end[low:high], last) - np.maximum(start[low:high], first)
        at = low + np.flatnonzero(shared > 0)
        if not len(at):
            continue
        unknown = has_open and (end[at] == inf).astype(int) + (last == inf)  # ends, of both
        if has_open and (unclear := (unknown > (least is None)) & ((unknown < 2) | (start[at] != first))).any():
            other = judged.ids[row[at[np.argmax(unclear)]]]
            raise run.error(item, f'how much {quoted(ids[item])} and the judged {quoted(other)} have in common depends '
                                  'on the end of the document, which is not known: resolve() the ids with a table of '
                                  'the ends')
        shared = value = shared[at - low]
        if least is not None:
            with np.errstate(invalid='ignore'):  # inf / inf, of two that are the same to the open end
                value = shared / ((last - first) + (length[at] - shared))
            value[np.isnan(value)] = 1
            if value.max() < least * (1 - 1e-9):  # the relative tolerance of all thresholds here
                continue
        ties = np.flatnonzero(value == value.max())
        at, shared = at[ties], shared[ties]
        if len(at) > 1:  # of equal ones the shortest, or the one with most in common, the item's own, the first
            other = row[at] != row_of.get((int(match.query[item]), ids[item]), -1)
            at = at[np.lexsort((row[at], other, np.where(np.isinf(length[at]), -start[at], 0),
                                length[at] if least is None else -shared))]
        taken[item] = row[at[0]]
        end[at[0]] = -inf  # it shares nothing with anything any more
    return taken


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
    count: dict[tuple[str, Any], int] = {}
    for item in repeats:
        key = query[item], ids[item]
        number = count.get(key, 2)
        while (query[item], new := _repeat(run, item, ids[item], number)) in used:
            number += 1
        count[key] = number + 1
        used.add((query[item], new))
        ids[item] = new
    return ids


def _repeat(run: SegmentTable, item: int, id: Any, number: int) -> str:
    """Another id of a segment, with a path that says which repetition it is."""
    segment = parse_segment(str(id))
    path = f'{segment.path or ""}/repeat[{number}]'
    return format_segment(segment._replace(unit=segment.unit or 't', path=path))
