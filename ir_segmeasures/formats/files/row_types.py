"""The rows that most readers give: judged segments, retrieved ones, and rows that know where in a file they stand."""

from __future__ import annotations

import copyreg
import os
from collections import namedtuple
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
from ir_measures import Qrel as TrecQrel, ScoredDoc as TrecScoredDoc

from ir_segmeasures.segments.basics import Array, Ints
from ir_segmeasures.segments.tables.shapes import TIMES, Rows

__all__ = ['FileRows', 'Number', 'Rows', 'SegmentQrel', 'SegmentScoredDoc', 'StrPath', 'TrecQrel', 'TrecScoredDoc',
           'column_of', 'row_type_of', 'without_rank']

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


def without_rank(row_type: type[Row]) -> type[Row]:
    """Leaves ``rank`` out of what ``_asdict`` of named tuples gives: ir-measures writes runs for gdeval with that and
    with ranks of its own, and would be given two."""
    row_type._asdict = lambda row: {  # type: ignore[attr-defined]
        name: value for name, value in zip(row._fields, row) if name != 'rank'}
    return row_type


@without_rank
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
        row_type: of the rows
        columns: arrays of numbers or of objects, or lists that become such
        lines: the number of the line of each row, from 1; None where no line is told
        beside: name → column of what the file has beside the fields of the rows, such as ``'rank'`` and ``'run'``
        files: where the rows come from several files or sheets, the name of each and the number of its rows
    """

    def __init__(self, row_type: type[Row], columns: Iterable[Any], lines: Any = None,
                 beside: Mapping[str, Any] | None = None, files: Sequence[tuple[str, int]] = ()) -> None:
        super().__init__(row_type, (column if isinstance(column, np.ndarray) else column_of(column)
                                    for column in columns))
        self.lines: Ints | None = None if lines is None else np.asarray(lines, np.intp)
        self.beside = {name: np.asarray(column, object) for name, column in (beside or {}).items()}
        self.files = files

    @classmethod
    def of(cls, row_type: type[Row], rows: Iterable[Any], lines: Any = None) -> FileRows[Row]:
        """The rows of named tuples that came one by one, each with the number of its line."""
        fields = row_type._fields  # type: ignore[attr-defined]
        return cls(row_type, zip(*rows) if (rows := list(rows)) else [()] * len(fields), lines)

    def taken(self, places: Any) -> FileRows[Row]:
        """Some of the rows, or all in another order."""
        places = np.asarray(places, np.intp)
        return FileRows(self.row_type, (column[places] for column in self.columns.values()),
                        None if self.lines is None else self.lines[places],
                        {name: column[places] for name, column in self.beside.items()})

    @classmethod
    def joined(cls, parts: Sequence[tuple[StrPath, FileRows[Row]]]) -> FileRows[Row]:
        """The rows of several files or sheets, each with its name, one behind the other; all of one type."""
        columns = zip(*(rows.columns.values() for _, rows in parts))
        lines = [rows.lines for _, rows in parts if rows.lines is not None]
        return cls(parts[0][1].row_type, map(np.concatenate, columns),
                   np.concatenate(lines) if len(lines) == len(parts) else None,
                   files=[(os.fspath(name), len(rows)) for name, rows in parts])

    def with_run(self) -> FileRows[Any]:
        """The rows with the name of the run in each, where it stands beside them."""
        is_beside = 'run' in self.beside and 'run' not in self.columns
        return self._with(self.columns | {'run': self.beside['run']}) if is_beside else self

    def with_segments(self, ids: list[Any]) -> FileRows[Any]:
        """The rows with the ids of segments, and without columns of times."""
        columns = {name: column for name, column in self.columns.items() if name not in TIMES}
        return self._with({**columns, 'doc_id': column_of(ids)})

    def _with(self, columns: Mapping[str, Any]) -> FileRows[Any]:
        return FileRows(row_type_of(tuple(columns)), columns.values(), self.lines, self.beside, self.files)

    def place(self, row: int, path: StrPath) -> tuple[str, int | None, int]:
        """The file of a row, its line (None where no line is told), and its number in the file, from 0."""
        line = None if self.lines is None else int(self.lines[row])
        for name, count in self.files:
            if row < count:
                return name, line, row
            row -= count
        return os.fspath(path), line, row


class _RowType(type):
    """A type of rows that no module has: it pickles by its fields, and so do its rows."""


@cache
def row_type_of(fields: tuple[str, ...], name: str = 'TableRow') -> Any:
    """The type of rows with these fields."""
    known = next((row for row in (SegmentQrel, TrecQrel, TrecScoredDoc) if row._fields == fields), None)
    return known or _RowType(name, (namedtuple(name, fields),), {'__slots__': ()})


copyreg.pickle(_RowType, lambda row: (row_type_of, (row._fields, row.__name__)))  # type: ignore[attr-defined]


def column_of(values: Iterable[Any]) -> Array[Any]:
    """Values as the column of rows: floats, integers or booleans where all are such, else objects, which take no time
    of the garbage collector as those of a list do."""
    values = list(values)
    kinds = set(map(type, values))
    plain = kinds <= {float} or kinds == {bool} or (kinds == {int} and max(map(abs, values)) < 1 << 62)
    found: Array[Any] = np.empty(len(values), kinds.pop() if plain and kinds else object)
    found[:] = values
    return found
