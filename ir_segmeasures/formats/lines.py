"""Files line by line, as far as they can be read, and the line that a row stands on."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import TextIOWrapper
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.blocks import taken
from ir_segmeasures.formats.files.format import Files, Format, Lines
from ir_segmeasures.formats.files.reading import (
    FormatError,
    StrPath,
    encoding_of,
    numbered_rows,
    open_bytes,
    read_text,
    refuse_signs,
)
from ir_segmeasures.formats.files.row_types import Rows
from ir_segmeasures.segments.tables.columns import RowError

__all__ = ['FileLine', 'file_line', 'in_file', 'line_of', 'read_lines', 'read_parts', 'walk_rows']


class FileLine(NamedTuple):
    """A line that is not blank.

    Attributes:
        number: from 1
        query_id: the query, anchor or topic; of a line that cannot be read, its first field
        rows: of the line; none of a header, or of a line that cannot be read
        error: why the line cannot be read; None if it can
        columns: fields that rows lack, by name, as :class:`~ir_segmeasures.formats.files.format.Lines` lists them
        doubt: what may be a mistake, though the line can be read; None if nothing is
    """

    number: int
    query_id: str
    rows: Sequence[Any]
    error: str | None = None
    columns: Mapping[str, str] = {}
    doubt: str | None = None


def read_lines(path: StrPath, lines: Lines) -> tuple[list[FileLine], FormatError | None]:
    """The lines of a file, and the fault of the file as a whole, None if it has none.

    Raises:
        FormatError: the file is no text
        OSError: the file cannot be opened
    """
    number = 0

    def split(line: str) -> list[str]:  # every line, also a blank one
        nonlocal number
        number += 1
        return lines.split(line)

    if lines.records is None:
        found = numbered_rows(path, lambda fields: file_line(number, fields, lines), split, lines.encoding)[1]
    try:
        if lines.records is not None:
            found = []
            found = [file_line(place, fields, lines) for place, fields in lines.records(path)]
        if lines.refuse is not None:
            lines.refuse(path, [line.rows if line.error is None else None for line in found])
    except FormatError as error:
        return found, error
    return found, None


def file_line(number: int, fields: list[str], lines: Lines) -> FileLine:
    """The line of a number, from 1, and of its fields."""
    try:
        query_id, rows = lines.parse(fields)
        columns = {name: fields[place] for name, place in lines.columns.items()} if rows else {}
        doubt = None if lines.doubt is None else lines.doubt(fields)
        return FileLine(number, query_id, rows, columns=columns, doubt=doubt)
    except ValueError as error:
        return FileLine(number, fields[0].strip(), (), str(error))


def walk_rows(path: StrPath, format: Format, kind: str) -> Iterator[Any]:
    """The rows of a file, a line in memory at a time where each line is rows by itself.

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> rows = formats.walk_rows(sample.path('good.run'), formats.FORMATS['trec'], 'run')
        >>> next(rows).query_id
        'q1'

    Raises:
        FormatError: the file breaks a rule of the format
        OSError: the file cannot be opened
    """
    files = format.files(kind)
    assert files is not None
    lines = files.lines
    if lines is None or lines.together or lines.records or lines.late is not None or lines.refuse is not None:
        yield from files.read(path)
        return
    number = 0
    try:
        with open_bytes(path, lines=True) as file:
            encoding = encoding_of(file.peek(4)[:4], path, lines.encoding)
            for line in TextIOWrapper(file, encoding):
                number += 1
                if '\0' in line or (line[0] == '\ufeff' and number > 1):
                    refuse_signs(f'\n{line}', path, number - 2)
                fields = lines.split(line.rstrip('\n'))
                if fields:
                    yield from lines.parse(fields)[1]
    except UnicodeDecodeError:
        read_text(path, lines.encoding)  # for its error, which names the line
        raise
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(str(error), path, number) from None


def read_parts(path: StrPath, files: Files, read_all: Callable[[StrPath], Sequence[Any]] | None = None,
               ) -> Iterator[Sequence[Any]]:
    """The rows that a reader has, some at a time: first the first one, which is there at once, then those of
    more and more lines. All of them come together where they cannot be read so.

    Args:
        path, files: of which format
        read_all: the reader, where it has settings; that of ``files`` if it is not given

    Raises:
        FormatError: the file breaks a rule of the format; rows that stand before the mistake may have come
        OSError: the file cannot be opened
    """
    read = 0
    parts = iter(()) if files.read_parts is None else files.read_parts(path)
    while files.read_parts is not None:
        try:
            part = next(parts, None)
        except ValueError:  # something is wrong or not plain
            break
        if part is None:
            return
        if len(part) > 1 and not read:  # the first row alone, since a line may have many
            read = 1
            yield [part[0]]
            part = part[1:]
        read += len(part)
        if part:
            yield part
    rows = (read_all or files.read)(path)
    yield (taken(rows, np.arange(read, len(rows))) if isinstance(rows, Rows) else rows[read:]) if read else rows


def line_of(path: StrPath, format: Format, kind: str, rows: Sequence[Any], row: int) -> int | None:
    """The number, from 1, of the line that a row stands on; None where that cannot be told.

    Args:
        path, format, kind: of the file, ``'run'`` or ``'qrels'``
        rows: what the format's reader made of it; other segments may stand in them since
        row: position of the row, from 0

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> run = formats.read_run(sample.path('good.run'))
        >>> formats.line_of(sample.path('good.run'), formats.FORMATS['trec'], 'run', run, 6)
        7
    """
    files = format.files(kind)
    if files is None or files.lines is None or not os.path.isfile(path):  # a pipe is read once
        return None
    late = files.lines.late

    def as_parsed(row: Any) -> Any:
        return row if late is None else row._replace(**{late: None})

    def without_segment(row: Any) -> Any:
        return as_parsed(row)._replace(**{name: None for name in ('doc_id', 'start', 'end') if hasattr(row, name)})
    parsed = [(line.number, found) for line in read_lines(path, files.lines)[0] for found in line.rows]
    # Segments may have been looked up for ids, or cut off, since.
    for key in (as_parsed, *((without_segment,) if len(parsed) == len(rows) else ())):
        wanted = key(rows[row])
        before = sum(key(other) == wanted for other in rows[:row])
        numbers = [number for number, found in parsed if key(found) == wanted]
        if before < len(numbers):
            return numbers[before]
    return None


def in_file(error: RowError, path: StrPath, format: Format, rows: Sequence[Any]) -> FormatError:
    """The error about a row of a file, with the line of the row, or with its number from 1 where no line is told.

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
    files, row = format.files(error.kind), error.row
    if files is not None and files.place is not None:
        path, row = files.place(path, row)
    line = line_of(path, format, error.kind, rows, error.row)
    return FormatError(error.sentence if line else f'row {row + 1}: {error.sentence}', path, line)
