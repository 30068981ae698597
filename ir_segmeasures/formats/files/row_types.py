"""The rows that most readers give: judged segments, retrieved ones, and rows that know where in a file they stand."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
from ir_measures import Qrel as TrecQrel
from ir_measures import ScoredDoc as TrecScoredDoc

from ir_segmeasures.segments.arrays import Ints
from ir_segmeasures.segments.tables.rows import Rows

__all__ = ['FileRows', 'Number', 'Rows', 'SegmentQrel', 'SegmentScoredDoc', 'TrecQrel', 'TrecScoredDoc', 'column_of',
           'joined_columns']

Number = int | float
Row = TypeVar('Row')
StrPath = str | os.PathLike[str]


class SegmentQrel(NamedTuple):
    """A judged segment.

    Attributes:
        query_id: the query, anchor or known item
        doc_id: the bare document (video), without a fragment
        start, end: in the unit of the format (seconds, characters) from the beginning of the document, half-open
        relevance: relevant if > 0
        iteration: the second column of the file, not used by measures
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: Number
    iteration: str = '0'


class SegmentScoredDoc(NamedTuple):
    """A retrieved segment. Where the format's official order is the rank column, ``score`` reproduces that order.

    Attributes:
        query_id: the query or anchor
        doc_id: the bare document (video), without a fragment
        start, end: in the unit of the format (seconds, characters) from the beginning of the document, half-open
        score: minus the rank, or what the format's own page says
        rank: as in the file; where the file has none, the position in the order by score, from 1
        run_score: the file's own score, which has ties and need not agree with the rank
        jump_in: where playback starts, in seconds; None in formats without jump-in points
        run: name of the run; None if the file has none
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    score: Number
    rank: int
    run_score: float
    jump_in: Number | None
    run: str | None


class FileRows(Rows[Row]):
    """The rows of a reader, kept as columns, and where in the file they stand.

    Args, Attributes:
        row_type, columns: as in :class:`~ir_segmeasures.segments.tables.rows.Rows`; columns are lists or arrays
        lines: the number of the line of each row, from 1; None where no line is told
        beside: name → column of what the file has beside the fields of the rows, such as ``'rank'`` and ``'run'``
        files: where the rows come from several files or sheets, the name of each and the number of its rows
    """

    def __init__(self, row_type: type[Row], columns: Iterable[Any], lines: Any = None,
                 beside: Mapping[str, Any] | None = None, files: Sequence[tuple[str, int]] = ()) -> None:
        super().__init__(row_type, columns)
        self.lines: Ints | None = None if lines is None else np.asarray(lines, np.intp)
        self.beside = dict(beside or {})
        self.files = files

    @classmethod
    def of(cls, row_type: type[Row], rows: Iterable[Any], lines: Any = None) -> FileRows[Row]:
        """The rows of named tuples that came one by one, each with the number of its line."""
        fields = row_type._fields  # type: ignore[attr-defined]
        return cls(row_type, map(column_of, zip(*rows)) if (rows := list(rows)) else [()] * len(fields), lines)

    def taken(self, places: Any) -> FileRows[Row]:
        """Some of the rows, or all in another order."""
        def of_column(column: Any) -> Any:
            return column[places] if isinstance(column, np.ndarray) else list(map(column.__getitem__, places))
        places = np.asarray(places, np.intp)
        return FileRows(self.row_type, map(of_column, self.columns.values()),
                        None if self.lines is None else self.lines[places],
                        {name: of_column(column) for name, column in self.beside.items()})

    def place(self, row: int, path: StrPath) -> tuple[str, int | None, int]:
        """The file of a row, its line (None where no line is told), and its number in the file, from 0."""
        line = None if self.lines is None else int(self.lines[row])
        for name, count in self.files:
            if row < count:
                return name, line, row
            row -= count
        return os.fspath(path), line, row


def column_of(values: Sequence[Any]) -> Any:
    """Values as the column of rows: an array where all are floats, all integers or all booleans, else a list."""
    kinds = set(map(type, values))
    if kinds <= {float} or kinds == {bool} or (kinds == {int} and max(map(abs, values)) < 1 << 62):
        return np.array(values, float if not kinds else kinds.pop())
    return list(values)


def joined_columns(parts: Sequence[Any]) -> Any:
    """A column of its parts, one behind the other."""
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, np.ndarray) and part.dtype == parts[0].dtype for part in parts):
        return np.concatenate(parts)
    return list(chain.from_iterable(part.tolist() if isinstance(part, np.ndarray) else part for part in parts))
