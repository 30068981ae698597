"""The cells of a spreadsheet as texts: CSV with any separator, or the first sheet of a file of Excel."""

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.archives import open_zip
from ir_segmeasures.formats.files.reading import (
    ZIP,
    FormatError,
    StrPath,
    TooLarge,
    decode_text,
    open_bytes,
    read_bytes,
)
from ir_segmeasures.segments.quoting import joined

__all__ = ['SEPARATORS', 'Sheet', 'first_cells', 'sheet_rows']

SEPARATORS = ',;\t|'
_WIDEST = 1 << 16  # of a line of names
_TOLD = 'sep='  # in the first line, by which Excel tells the separator
_OLD, _UTF_16 = b'\xd0\xcf\x11\xe0', (b'\xff\xfe', b'\xfe\xff')


class Sheet(NamedTuple):
    """The cells of a spreadsheet.

    Attributes:
        lines: the number of each line that is not blank, from 1, and its cells
        separator: of the cells; empty for a file of Excel
    """
    lines: Sequence[tuple[int, Sequence[str]]]
    separator: str


def sheet_rows(path: StrPath, is_header: Callable[[Sequence[str]], bool], data: bytes | None = None,
               such_as: str = 'query,file,start,end, and grade for judgements or score for a run') -> Sheet:
    """The cells of a file, ``.gz`` by suffix.

    Args:
        path: of the file
        is_header: cells → whether they name columns; the separator is the one by which those of the first line do
        data: its bytes, where they have been read
        such_as: columns that there may be, for the error

    Raises:
        FormatError: the file is no text, or a damaged file of Excel; no separator parts names in the first line
        ImportError: the file is one of Excel, and openpyxl is not installed
        OSError: the file cannot be opened
    """
    data = read_bytes(path) if data is None else data
    if data.startswith(ZIP):
        return Sheet(_of_excel(data, path), '')
    if data.startswith(_OLD):
        raise FormatError('this is a file of Excel before 2007, which is not read: save it as .xlsx or as CSV', path)
    if data.startswith(_UTF_16):  # "Unicode text" of Excel
        data = data.decode('utf-16', 'replace').encode()
    lines = decode_text(data, path).split('\n')
    first = next((place for place, line in enumerate(lines) if line.strip()), len(lines))
    if first == len(lines):
        return Sheet([], '')
    named = lines[first].strip().removeprefix(_TOLD)
    if len(named) == 1:
        first, separators = first + 1, named
    else:
        separators = SEPARATORS
    header = ''.join(lines[first:first + 1])[:_WIDEST]
    separator = next((sign for sign in separators if is_header(_cells(header, sign))), None)
    if separator is None:
        raise FormatError('the first line does not name columns of queries and documents (it is '
                          f'{joined([header])}): write names above the columns, such as {such_as}', path, first + 1)
    found: list[tuple[int, Sequence[str]]] = []
    number = first
    reader = csv.reader(io.StringIO('\n'.join(lines[first:])), delimiter=separator, strict=True)
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                found.append((number + 1, cells))
            number = first + reader.line_num
    except csv.Error as error:
        raise FormatError(f'the line is no CSV ({error}): close its quotes, and write each quote inside of them twice',
                          path, number + 1) from None
    return Sheet(found, separator)


def first_cells(path: StrPath) -> dict[str, list[str]]:
    """The cells of the first line of a file that is not blank, ``.gz`` by suffix, by each separator that parts it; none
    if none does, or the file cannot be read."""
    try:
        with open_bytes(path) as file:
            text = file.read(_WIDEST).decode('utf-8-sig', 'replace')
    except (OSError, FormatError):
        return {}
    line = next((line for line in text.splitlines() if line.strip() and not line.startswith(_TOLD)), '')
    return {sign: cells for sign in SEPARATORS if len(cells := _cells(line, sign)) > 1}


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


def _of_excel(data: bytes, path: StrPath) -> list[tuple[int, Sequence[str]]]:
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise ImportError(f'files of Excel are read with openpyxl, which cannot be imported ({error}): install '
                          "'ir_segmeasures[excel]', or save the sheet as CSV") from error
    try:
        open_zip(data, path)
        sheet = load_workbook(io.BytesIO(data), read_only=True, data_only=True).worksheets[0]
        rows = [(number, [_shown(cell.value, getattr(cell, 'number_format', '')) for cell in cells])
                for number, cells in enumerate(sheet.iter_rows(), 1)]
    except TooLarge:
        raise
    except Exception as error:  # whatever its parts lack
        raise FormatError(f'this is no complete file of Excel ({type(error).__name__}): save it again, or as CSV',
                          path) from None
    return [(number, cells) for number, cells in rows if any(map(str.strip, cells))]


def _shown(value: Any, number_format: str) -> str:
    """The text of a cell. A time is what the sheet shows: of a cell in the form h:mm, ``1:30``, as in CSV."""
    if value is None:
        return ''
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if not (hasattr(value, 'microsecond') or hasattr(value, 'microseconds')) or hasattr(value, 'year'):
        return str(value)
    from datetime import timedelta
    time = value if isinstance(value, timedelta) else timedelta(
        hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
    minutes, seconds = divmod(time, timedelta(minutes=1))
    shown = f'{minutes // 60}:{minutes % 60:02}'
    if 's' not in number_format.lower():
        return shown
    return f'{shown}:{seconds.seconds:02}.{seconds.microseconds:06}'
