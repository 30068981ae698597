"""Rows of a run in the order that their campaign evaluates, and their places in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.formats.files.blocks import codes_of_column, taken
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import Rows
from ir_segmeasures.segments.arrays import Array, Ints
from ir_segmeasures.segments.quoting import quoted

if TYPE_CHECKING:
    from ir_segmeasures.formats.files.columns import Numbers

__all__ = ['by_rank_column', 'in_file_order', 'ordered_by', 'places_in_queries', 'places_of_same', 'ranks_by_score']


def ordered_by(rows: Rows[Any], *keys: Array[Any]) -> Rows[Any]:
    """The rows query by query, as the queries first appear, within each by the first key, then by the second …, ties in
    the order of the rows."""
    keys = codes_of_column(rows.columns['query_id']), *keys
    return rows if _in_order(keys) else taken(rows, np.lexsort(keys[::-1]))


def places_in_queries(rows: Rows[Any]) -> Ints:
    """The place of each row among those of its query, from 1; rows of a query stand together."""
    return places_of_same(codes_of_column(rows.columns['query_id']))


def places_of_same(query: Ints) -> Ints:
    """The place of each number among those that equal it, from 1; equal ones stand together."""
    first = np.flatnonzero(np.append(True, query[1:] != query[:-1]))
    return np.arange(1, len(query) + 1) - np.repeat(first, np.diff(np.append(first, len(query))))


def ranks_by_score(query_id: Any, score: Any) -> Ints:
    """The rank of each row among those of its query, from 1: by descending score, ties in the order of the rows. It
    takes columns of rows."""
    query = codes_of_column(query_id)
    order = np.lexsort((-np.asarray(score, np.float64), query))
    rank = np.empty(len(order), np.intp)
    rank[order] = places_of_same(query[order])
    return rank


def in_file_order(path: StrPath, rows: Rows[Any], numbers: Numbers) -> Rows[Any]:
    """The rows with minus their position in the file as ``score``."""
    rows.columns['score'] = -np.arange(1, len(rows) + 1)
    return rows


def by_rank_column(path: StrPath, rows: Rows[Any], numbers: Numbers) -> Rows[Any]:
    """The rows query by query in the order of their ``rank``. Raises ``FormatError`` where a query repeats one."""
    ordered = ordered_by(rows, rows.columns['rank'])
    query, rank = codes_of_column(ordered.columns['query_id']), ordered.columns['rank']
    if ((query[1:] == query[:-1]) & (rank[1:] == rank[:-1])).any():
        raise _repeated_rank(path, rows, numbers())
    return ordered


def _repeated_rank(path: StrPath, rows: Sequence[Any], numbers: list[int]) -> FormatError:
    seen: dict[tuple[str, int], int] = {}
    for number, row in zip(numbers, rows, strict=True):
        first = seen.setdefault((row.query_id, row.rank), number)
        if first != number:
            break
    return FormatError(f'rank {row.rank} of {quoted(row.query_id)} is already in line {first}, but every item of a '
                       'query has a rank of its own: number the items 1, 2, 3 and so on', path, number)


def _in_order(keys: Sequence[Array[Any]]) -> bool:
    equal = np.ones(len(keys[0]) - 1, bool)
    for key in keys:
        if (equal & (key[1:] < key[:-1])).any():
            return False
        equal &= key[1:] == key[:-1]
    return True
