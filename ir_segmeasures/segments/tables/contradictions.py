"""Contradictions between the columns of a table and its ids, and columns with other names than start and end."""

from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Array, Bools, Floats, Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.columns import Columns, RowError

__all__ = ['column_warnings']

# Names that other tools give the columns of start and end.
_NEAR = {f'{edge}{sign}{kind}' for edge in ('start', 'begin', 'end') for sign in ('_', '')
         for kind in ('time', 'sec', 'secs', 'seconds', 's', 'ms', 'offset', 'char', 'idx', 'index', 'pos')}
_NEAR |= {'t_start', 't_end', 'time_start', 'time_end', 'begin', 'end', 'stop', 'offset'}
_ROWS = 20  # whose lengths are all beyond their starts; of real segments, those far behind in their document never are
# Which share of the rows that start so many usual lengths late, or later, have a length that is their start and at most
# so many usual lengths: in ActivityNet, where long moments are in short videos, 0.06.
_SHARE_OF_LATE, _LATE, _USUAL = 0.08, 4, 2
# How many rows that are longer than they start late, and which share of them, end how many times as far as all other
# rows of their document, of which there are so many: up to 0.02 in real runs and judgements, and as many as 0.07 or
# more where a tenth of the lengths are ends, as half of these reach up to twice as far.
_FEW, _SHARE, _PAST, _OTHERS = 5, 0.07, 1.3, 4
_APART = 0.05  # more than rounding to a frame or to a tenth


def column_warnings(columns: Columns, document: Ints, start: Floats, end: Floats, unit: Array[np.int8]) -> list[str]:
    """Warnings about the columns of a table, in sentences.

    Args:
        columns: the columns, as they were read
        document, start, end, unit: the positions of all rows, read from the ids or from the columns
    """
    if not len(start):
        return []
    if not columns.have_times():
        return _other_names(columns) if unit[0] < 0 and (unit < 0).all() else []
    found = []
    with np.errstate(invalid='ignore'):  # columns that do not count may be infinite
        if columns.have_both() and (unit >= 0).any():
            found.append(_against_ids(columns, start, end, unit))
        if {'start', 'end', 'length'} <= columns.columns.keys():
            found.append(_against_lengths(columns))
        elif not (unit >= 0).any():
            found.append(_end_as_length(columns, document, start, end - start) if 'length' in columns.columns else
                         _some_ends_as_lengths(columns, start, end - start, (start > 0) & np.isfinite(end)))
    return list(filter(None, found))


def _other_names(columns: Columns) -> list[str]:
    near = [str(name) for name in columns.names if str(name).lower().replace(' ', '_') in _NEAR]
    if len(near) < 2:
        return []
    return [f'the documents of the {columns.kind} stand beside columns {quoted(near[0])} and {quoted(near[1])}, which '
            "nothing reads, so that they are whole documents: name the columns 'start' and 'end'"]


def _against_ids(columns: Columns, start: Floats, end: Floats, unit: Array[np.int8]) -> str | None:
    beside = _times(columns)
    if beside is None:
        return None
    # A missing value contradicts nothing.
    apart = (unit >= 0) & ((np.abs(beside[0] - start) > _APART) | (np.isfinite(end) & np.isfinite(beside[1])
                                                                   & (np.abs(beside[1] - end) > _APART)))
    if not apart.any():
        return None
    row = int(np.argmax(apart))
    return (f'{np.count_nonzero(apart)} of the {len(start)} segment ids of the {columns.kind} contradict the columns '
            f'beside them, such as {quoted(columns.values("doc_id")[row])} beside start {beside[0][row]:.12g} and end '
            f'{beside[1][row]:.12g}, and the ids count: correct the ids, or take the columns out')


def _against_lengths(columns: Columns) -> str | None:
    try:
        start, end, length = map(columns.numbers, ('start', 'end', 'length'))
    except (RowError, ValueError):  # a column that nothing reads may hold anything
        return None
    apart = np.abs(end - start - length) > _APART
    if not apart.any():
        return None
    row = int(np.argmax(apart))
    return (f'the length of {np.count_nonzero(apart)} of the {len(start)} rows of the {columns.kind} is not that from '
            f'start to end, such as {length[row]:.12g} from {start[row]:.12g} to {end[row]:.12g} in row {row}, and the '
            "end counts: correct one of the two columns, or take 'length' out")


def _end_as_length(columns: Columns, document: Ints, start: Floats, length: Floats) -> str | None:
    """Lengths that are all beyond their start, most of them by less than it, as ends are."""
    later = (start > 0) & np.isfinite(length)
    if np.count_nonzero(later) < _ROWS:
        return None
    if (length <= start)[later].any():
        return _some_ends_as_lengths(columns, start, length, later) or _past_the_others(
            columns, document, start, length, later)
    if np.count_nonzero((length < 2 * start)[later]) * 2 < np.count_nonzero(later):
        return None
    row = int(np.argmax(later))
    return (f'the length of all {np.count_nonzero(later)} rows of the {columns.kind} that start after 0 is beyond '
            f"their start, such as {length[row]:.12g} from {start[row]:.12g} in row {row}, as if 'length' held the "
            "end: name the column 'end' if it does")


def _some_ends_as_lengths(columns: Columns, start: Floats, length: Floats, later: Bools) -> str | None:
    """Lengths of some rows that are their start, which is several usual lengths, and one or two of these."""
    beyond = later & (length > start)
    if not 0 < np.count_nonzero(beyond) < np.count_nonzero(later):
        return None
    usual = float(np.median(length[later & ~beyond]))
    late = later & (start >= _LATE * usual)
    rows = late & beyond & (length - start <= _USUAL * usual)
    if np.count_nonzero(rows) < max(_FEW, _SHARE_OF_LATE * np.count_nonzero(late)):
        return None
    held = ("'length' held the end there: give all rows their length" if 'length' in columns.columns else
            'the end had been added to the start there: give all rows their end')
    row = int(np.argmax(rows))
    return (f'the length of {np.count_nonzero(rows)} of the {np.count_nonzero(late)} rows of the {columns.kind} that '
            f'start {_LATE} usual lengths ({usual:.12g} each) late or later is their start and at most {_USUAL} usual '
            f'lengths, such as {length[row]:.12g} from {start[row]:.12g} in row {row}, as if {held}')


def _past_the_others(columns: Columns, document: Ints, start: Floats, length: Floats, later: Bools) -> str | None:
    """Lengths of some rows that are beyond their start and, behind it, reach far past the last end of the other rows
    of their document, though the starts and the lengths alone do not."""
    beyond = later & (length > start)
    others = np.isfinite(length) & ~beyond
    last, end = np.zeros(int(document.max()) + 1), start + length
    np.maximum.at(last, document[others], end[others])
    last = last[document]
    near = (beyond & (np.bincount(document[others], minlength=int(document.max()) + 1)[document] >= _OTHERS)
            & (start <= last) & (length <= last))
    usual = float(np.median(length[later & others])) if (later & others).any() else np.inf
    rows = near & (end > _PAST * last) & (length >= 2 * usual)
    if np.count_nonzero(rows) < max(_FEW, _SHARE * np.count_nonzero(near)):
        return None
    row = int(np.argmax(rows))
    return (f'{np.count_nonzero(rows)} of the {np.count_nonzero(later)} rows of the {columns.kind} that start after 0 '
            f'are longer than they start late, and end {_PAST} times as far as the other rows of their document or '
            f'farther, such as {length[row]:.12g} from {start[row]:.12g} in row {row}, where these end at '
            f"{last[row]:.12g}, as if 'length' held the end there: give all rows their length")


def _times(columns: Columns) -> Any:
    try:
        return columns.times(None, 0)
    except (RowError, ValueError):  # a column that nothing reads may hold anything
        return None
