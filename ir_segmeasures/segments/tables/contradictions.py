"""Contradictions between the columns of a table and its ids, and columns with other names than start and end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.columns import Columns, RowError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ['column_warnings']

# Names that other tools give the columns of start and end.
_NEAR = {f'{edge}{sign}{kind}' for edge in ('start', 'begin', 'end') for sign in ('_', '')
         for kind in ('time', 'sec', 'secs', 'seconds', 's', 'ms', 'offset', 'char', 'idx', 'index', 'pos')}
_NEAR |= {'t_start', 't_end', 'time_start', 'time_end', 'begin', 'end', 'stop', 'offset'}
_APART = 0.05  # more than rounding to a frame or to a tenth


def column_warnings(columns: Columns, start: Floats, end: Floats, unit: NDArray[np.int8]) -> list[str]:
    """Warnings about the columns of a table, in sentences.

    Args:
        columns: the columns, as they were read
        start, end, unit: the positions of all rows, read from the ids or from the columns
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
    return list(filter(None, found))


def _other_names(columns: Columns) -> list[str]:
    near = [str(name) for name in columns.names if str(name).lower().replace(' ', '_') in _NEAR]
    if len(near) < 2:
        return []
    return [f'the documents of the {columns.kind} stand beside columns {quoted(near[0])} and {quoted(near[1])}, which '
            "nothing reads, so that they are whole documents: name the columns 'start' and 'end'"]


def _against_ids(columns: Columns, start: Floats, end: Floats, unit: NDArray[np.int8]) -> str | None:
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


def _times(columns: Columns) -> Any:
    try:
        return columns.times(None, 0)
    except (RowError, ValueError):  # a column that nothing reads may hold anything
        return None
