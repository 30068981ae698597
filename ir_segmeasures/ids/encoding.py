"""Rows by the positions of their segments: ids for bare documents that have start and end beside them, and bands of
judgements by length (short, middle, long), as moment retrieval reports them.
"""

from dataclasses import replace
from math import inf
from numbers import Real
from typing import Any

import numpy as np

from ir_segmeasures.ids.resolving import is_segment
from ir_segmeasures.segments.basics import Floats, format_number, plain_numbers, quoted
from ir_segmeasures.segments.segment import UNIT_NAMES, UNITS, Segment, format_segment
from ir_segmeasures.segments.tables.adapters import TIMES, Adapter, adapter_of
from ir_segmeasures.segments.tables.columns import Columns, RowError, from_pyterrier, to_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable


def with_ids(rows: Any, unit: str = 't', *, kind: str | None = None, lines_from: int = 0, inclusive: bool = False) -> (
        Any):
    """Writes the columns ``start`` and ``end`` of a run or of qrels into their document ids, which become segment ids.

    Qrels need this before a run is aligned with them; measure with the qrels that come out. Segment ids stay as they
    are, beside bare documents, too; so do whole documents where there are no columns of start and end. Where there are
    both, ``end`` and ``length`` must agree.

    Args:
        rows: a run or qrels in any of the shapes that :meth:`SegmentTable.from_run
            <ir_segmeasures.SegmentTable.from_run>` takes, or with PyTerrier's names of columns
        unit: the unit of the columns: ``'t'`` (seconds), ``'char'``, ``'word'``, ``'line'`` or ``'page'``
        kind: ``'run'`` or ``'qrels'``; not given: qrels where rows have ``relevance`` and no ``score``, else a run (and
            a dict of dicts, which has neither, is a run). It names the rows in errors, and the column of their value.
        lines_from: the number of the first line (word, character …) in columns, and in ids such as ``#line=19,40`` of
            this unit: 0 or 1. Ids such as ``#L19-L40`` count from 1 anyway
        inclusive: whether the line with the number of the end belongs to the segment there, as it does in ``#L19-L40``

    Returns:
        The shape it was given (a list for any iterable of rows), rows and other columns as they were. Frames, tables
        and dicts lose ``start``, ``end`` and ``length``, since the id is the truth; named tuples and dataclasses keep
        these fields.

    Raises:
        ValueError: another unit, or missing columns
        RowError: rows that are not segments, have no id in this unit (half characters) or start before the first line,
            or whose ``end`` is not ``start`` and ``length``
        TypeError: an input in none of the shapes

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import with_ids
        >>> run = pd.DataFrame({'query_id': ['q1'], 'doc_id': ['v1'], 'score': [1.5], 'start': [0], 'end': [60.5]})
        >>> with_ids(run)
          query_id       doc_id  score
        0       q1  v1#t=0,60.5    1.5
    """
    check_unit(unit)
    if (unit == 't' and (lines_from or inclusive)) or lines_from not in (0, 1):
        raise ValueError(f'lines_from={quoted(lines_from)}, inclusive={quoted(inclusive)}, unit={quoted(unit)}: '
                         "lines are counted from 0 or 1, and seconds are not counted: take 'line', or leave them out")
    if (named := from_pyterrier(rows)) is not rows:
        return to_pyterrier(with_ids(named, unit, kind=kind, lines_from=lines_from, inclusive=inclusive))
    given = adapter_of(rows, kind)
    ids, have_times = given.values('doc_id'), Columns(given, given.kind).have_times()
    segments = np.array([have_times and is_segment(id) for id in ids], bool)
    start, end = np.zeros(len(ids)), np.full(len(ids), inf)
    for at in np.flatnonzero(segments), np.flatnonzero(~segments):  # a table has either
        if not len(at) and len(ids):
            continue
        try:
            columns = Columns(given if len(at) == len(ids) else given.take(at.tolist()), given.kind)
            table = SegmentTable.from_columns(columns)
            bare = have_times and not segments[at].any()
            if bare:
                _check_lengths(table, columns)
            counted = np.array([bare or f'#{unit}=' in str(ids[row]) for row in at.tolist()], bool)
            table.refuse(counted & (table.start < lines_from), 'it starts at 0, but lines are counted from 1 here: '
                         'count them so, or from 0 (lines_from=0, --lines-from 0)')
            table = replace(table, start=table.start - counted * lines_from,  # half-open lines from 0
                            end=table.end + counted * (inclusive - lines_from))
            start[at], end[at] = table.start, table.end
            if bare or ((lines_from or inclusive) and counted.any()):
                for row, id, new in zip(at.tolist(), segment_ids(table, unit), counted.tolist()):
                    ids[row] = id if new else ids[row]
        except RowError as error:
            raise RowError(given.kind, int(at[error.row]), error.sentence) from None
    return with_new_ids(given, ids, start, end)


def check_unit(unit: Any) -> None:
    """Raises a ``ValueError`` for a value that is not a unit."""
    if unit not in UNITS:
        raise ValueError(f'unit={quoted(unit)}: the unit of start and end is {UNIT_NAMES}')


def segment_ids(table: SegmentTable, unit: str) -> list[str]:
    """The segment ids of all rows, whose positions are in ``unit``. Raises a RowError for a row that has no id."""
    ids: list[str] = []
    known: dict[tuple[int, float, float], str] = {}
    for key in zip(table.document.tolist(), plain_numbers(table.start), plain_numbers(table.end)):
        if key not in known:
            document, start, end = key
            try:
                known[key] = format_segment(Segment(table.document_ids[document], start, end, unit))
            except ValueError as error:
                raise RowError(table.kind, len(ids), str(error)) from None
        ids.append(known[key])
    return ids


def _check_lengths(table: SegmentTable, columns: Columns) -> None:
    """Raises a RowError for an end that is not start and length, in the 6 decimals of an id."""
    if {'end', 'length'} <= columns.columns.keys():
        length = columns.numbers('length')
        with np.errstate(invalid='ignore'):  # open ends of infinite length agree
            wrong = np.abs(table.start + length - table.end) > 1e-6
        table.refuse(wrong, lambda row: (
            f'start {format_number(table.start[row])} and length {format_number(length[row])} do not end at '
            f"{format_number(table.end[row])}: correct one of them, or leave out 'end' or 'length'"))


def with_new_ids(rows: Adapter, ids: list[Any], start: Floats, end: Floats) -> Any:
    """The rows in their shape, with other ids; ``start`` and ``end`` are left out, or, where rows have fixed fields,
    those of the new ids.
    """
    if not rows.fixed:
        return rows.without(TIMES).assign({'doc_id': ids}).rows
    columns = {'start': start, 'end': end, 'length': np.round(end - start, 9)}
    numbers = {name: plain_numbers(column) for name, column in columns.items() if name in rows.names}
    return rows.assign({'doc_id': ids, **numbers}).rows


def within_lengths(qrels: Any, longer: float = 0, upto: float = inf) -> Any:
    """The judgements whose segments are longer than ``longer`` and at most ``upto`` long, of queries with a relevant
    one. Means over these qrels are those of a band of lengths; QVHighlights has (0, 10], (10, 30] and (30, 150]
    seconds.

    Args:
        qrels: in any of the shapes that :meth:`SegmentTable.from_qrels <ir_segmeasures.SegmentTable.from_qrels>` takes
        longer, upto: in the unit of the segments

    Returns:
        The shape it was given (a list for any iterable of rows), the rows that are left as they were.

    Raises:
        ValueError: ``longer`` is not below ``upto``, or columns are missing
        RowError: rows that are not segments, or a relevant one without an end, so that its length is not known
        TypeError: an input in none of the shapes

    Examples:
        >>> from ir_segmeasures import within_lengths
        >>> qrels = {'q1': {'v1#t=0,8': 1, 'v1#t=20,60': 1}, 'q2': {'v2#t=0,90': 1}}
        >>> within_lengths(qrels, upto=10)
        {'q1': {'v1#t=0,8': 1}}
        >>> within_lengths(qrels, longer=30)
        {'q1': {'v1#t=20,60': 1}, 'q2': {'v2#t=0,90': 1}}
    """
    if not all(isinstance(bound, Real) for bound in (longer, upto)) or not 0 <= longer < upto:
        raise ValueError(f'longer={quoted(longer)} and upto={quoted(upto)} leave no length, since a band goes from '
                         'above longer to upto: give longer from 0 up, and a larger upto')
    if isinstance(qrels, SegmentTable):
        raise TypeError('the qrels are a SegmentTable, of which no rows can be left out: give what it was made of')
    rows = adapter_of(qrels, 'qrels')
    table = SegmentTable.from_qrels(rows)
    relevant = table.value > 0
    table.refuse(relevant & (table.end == inf), 'it is judged relevant up to the end of its document, which is not '
                 'known: write the end into the id or resolve() the qrels with a table of the documents')
    length = np.round(table.end - table.start, 9)  # 20.3 - 10.3 is 10, not above it
    kept = (length > longer) & (length <= upto)
    queries = np.zeros(len(table.query_ids), bool)
    queries[table.query[kept & relevant]] = True
    kept &= queries[table.query]
    return rows.take(np.flatnonzero(kept).tolist()).rows
