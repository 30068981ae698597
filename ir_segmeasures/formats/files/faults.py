"""Errors about rows of files, with the file and the line of the row."""

import os
from collections.abc import Sequence
from typing import Any

from ir_segmeasures.formats.files.format import Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.segments.tables.columns import RowError


def in_file(error: RowError, path: StrPath, format: Format, rows: Sequence[Any]) -> FormatError:
    """The error about a row of a file, with the line of the row, or with its number from 1 where no line is told.

    Args:
        error: about a row
        path, format: of the file
        rows: what the format's reader made of it; other segments may stand in them since

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures import SegmentTable, formats
        >>> from ir_segmeasures.segments.tables.table import RowError
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'my.run'
        >>> _ = path.write_text('q1 Q0 talk#t=60,90 1 2.5 me\\n\\nq1 Q0 talk#t=90,60 2 1.5 me\\n')
        >>> run = formats.read_run(path)
        >>> try:
        ...     table = SegmentTable.from_run(run)
        ... except RowError as error:
        ...     formats.in_file(error, path, formats.FORMATS['trec'], run).line
        3
    """
    name, line, row = _place(path, format, error.kind, rows, error.row)
    return FormatError(error.sentence if line else f'row {row + 1}: {error.sentence}', name, line)


def line_of(path: StrPath, format: Format, kind: str, rows: Sequence[Any], row: int) -> int | None:
    """The number, from 1, of the line that a row stands on; None where no line is told.

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> run = formats.read_run(sample.path('good.run'))
        >>> formats.line_of(sample.path('good.run'), formats.FORMATS['trec'], 'run', run, 6)
        7
    """
    return _place(path, format, kind, rows, row)[1]


def _place(path: StrPath, format: Format, kind: str, rows: Sequence[Any], row: int) -> tuple[str, int | None, int]:
    found: Any = rows
    files = format.files(kind)
    if not isinstance(found, FileRows) and files is not None and os.path.exists(path):
        found = files.read(path)  # since rows with other ids or times have no lines
    if isinstance(found, FileRows) and len(found) == len(rows):
        return found.place(row, path)
    return os.fspath(path), None, row
