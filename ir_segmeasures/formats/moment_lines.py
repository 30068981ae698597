"""The lines of moment retrieval's files: each is a JSON object of one query in one video."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from ir_segmeasures.formats.files.format import Files
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.formats.json_files import json_lines, record_of
from ir_segmeasures.formats.moment_windows import Id, Notes, RowColumns, warn_of
from ir_segmeasures.segments.quoting import quoted

__all__ = ['MomentLine', 'QueryLines', 'TvrLine', 'query_records']


class MomentLine(msgspec.Struct, kw_only=True):
    """A line of a query in a video."""
    qid: int | Id
    vid: Id


class TvrLine(msgspec.Struct, kw_only=True, rename={'qid': 'desc_id', 'vid': 'vid_name'}):
    """A line of a query in a video, as TVR has it."""
    qid: int | Id
    vid: Id


@dataclass(frozen=True)
class QueryLines:
    """The judgements or the runs of a format whose lines are objects of one query each.

    Attributes:
        row_type: of the rows, a named tuple
        kind: the type of a line's record
        columns: record, notes, options of the reader → the columns of its rows; raises ``ValueError`` with a sentence,
            and adds to the notes what is odd
        of_tvr: the type of the record of TVR's lines, where the format has these too
    """
    row_type: Any
    kind: Any
    columns: Callable[..., Sequence[Sequence[Any]]]
    of_tvr: Any = None

    def read(self, path: StrPath, text: str | None = None, faults: list[FormatError] | None = None,
             **options: Any) -> FileRows[Any]:
        """The rows of a file, in file order.

        Args:
            path: of the file
            text: of the file, if it has been read already
            faults: where the errors about lines belong; the first is raised if it is not given
            options: of ``columns``

        Raises:
            FormatError: a line is not such an object, or a query is on two lines
            OSError: the file cannot be opened
        """
        notes: Notes = []
        lines: list[int] = []
        rows = RowColumns(self.row_type)

        def parse(line: str) -> tuple[str, Sequence[Sequence[Any]], Notes]:
            record, those = _record(line, self.kind, self.of_tvr), Notes()
            return str(record.qid), self.columns(record, those, **options), those
        for number, (_, columns, those) in _each_query(path, parse, text, faults):
            rows.add(columns)
            lines += [number] * len(columns[0]) if columns else []
            notes += [(what, f'{example} in line {number}') for what, example in those]
        warn_of(os.fspath(path), notes)
        return rows.rows(lines)

    def check(self, path: StrPath, **options: Any) -> tuple[FileRows[Any], list[FormatError]]:
        """The rows of the lines that can be read, and the errors of all others."""
        faults: list[FormatError] = []
        return self.read(path, faults=faults, **options), sorted(faults, key=lambda fault: fault.line or 0)

    def files(self, read: Callable[..., Any], **others: Any) -> Files:
        """What commands, checks and datasets ask about these files; ``read`` is what users call."""
        return Files(read, check=self.check, **others)


def query_records(path: StrPath, kind: Any, of_tvr: Any = None) -> list[tuple[int, Any]]:
    """The number of each line and its record, of a type, or of another where the line is TVR's.

    Raises:
        FormatError: a line is no such object; a query is on two lines
        OSError: the file cannot be opened
    """
    def parse(line: str) -> tuple[str, Any]:
        record = _record(line, kind, of_tvr)
        return str(record.qid), record
    return [(number, record) for number, (_, record) in _each_query(path, parse)]


def _record(line: str, kind: Any, of_tvr: Any) -> Any:
    return record_of(line, of_tvr if of_tvr is not None and '"desc_id"' in line else kind)


def _each_query(path: StrPath, parse: Callable[[str], Any], text: str | None = None,
                faults: list[FormatError] | None = None) -> list[tuple[int, Any]]:
    """What is made of each line, beginning with its query, with the number of the line."""
    known: dict[str, int] = {}
    found = []
    for number, parsed in json_lines(path, parse, text, faults):
        if known.setdefault(parsed[0], number) == number:
            found.append((number, parsed))
            continue
        error = FormatError(f'query {quoted(parsed[0])} is already in line {known[parsed[0]]}, but all windows of a '
                            'query stand on one line: join the two', path, number)
        if faults is None:
            raise error
        faults.append(error)
    return found
