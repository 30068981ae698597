"""Rows of a run in the order that their campaign evaluates, and their places in it."""

from typing import Any

import numpy as np

from ir_segmeasures.formats.files.fields import codes_of_column
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.segments.arrays import Array, Ints
from ir_segmeasures.segments.quoting import quoted


def ordered_by(rows: FileRows[Any], *keys: Array[Any]) -> FileRows[Any]:
    """The rows query by query, as the queries first appear, within each by the first key, then by the second …, ties in
    the order of the rows."""
    return rows.taken(np.lexsort((*keys[::-1], codes_of_column(rows.columns['query_id']))))


def places_in_queries(query: Ints) -> Ints:
    """The place of each row among those of its query, from 1; rows of a query stand together."""
    first = np.flatnonzero(np.append(True, query[1:] != query[:-1]))
    return np.arange(1, len(query) + 1) - np.repeat(first, np.diff(np.append(first, len(query))))


def ranks_by_score(query_id: Any, score: Any) -> Ints:
    """The rank of each row among those of its query, from 1: by descending score, ties in the order of the rows. It
    takes columns of rows."""
    query = codes_of_column(query_id)
    order = np.lexsort((-np.asarray(score, np.float64), query))
    rank = np.empty(len(order), np.intp)
    rank[order] = places_in_queries(query[order])
    return rank


def in_file_order(path: StrPath, rows: FileRows[Any]) -> FileRows[Any]:
    """The rows with minus their position in the file as ``score``."""
    rows.columns['score'] = -np.arange(1, len(rows) + 1)
    return rows


def by_rank_column(path: StrPath, rows: FileRows[Any]) -> FileRows[Any]:
    """The rows query by query in the order of their ``rank``. Raises ``FormatError`` where a query repeats one."""
    ordered = ordered_by(rows, rows.columns['rank'])
    query, rank, lines = codes_of_column(ordered.columns['query_id']), ordered.columns['rank'], ordered.lines
    again = np.flatnonzero((query[1:] == query[:-1]) & (rank[1:] == rank[:-1]))
    if again.size:
        assert lines is not None
        second = again[np.argmin(lines[again + 1])] + 1
        first = np.flatnonzero((query == query[second]) & (rank == rank[second]))[0]
        raise FormatError(f'rank {rank[second]} of {quoted(ordered.columns["query_id"][second])} is already in line '
                          f'{lines[first]}, but every item of a query has a rank of its own: number the items 1, 2, 3 '
                          'and so on', path, int(lines[second]))
    return ordered
