"""The cells of a spreadsheet as texts: CSV with any separator, or the visible sheets of a file of Excel."""

import csv
import io
import os
import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.reading import ZIP, FormatError, StrPath, decode_text, read_bytes
from ir_segmeasures.segments.extras import needed
from ir_segmeasures.segments.quoting import joined, quoted

_SEPARATORS = ',;\t|'
_TOLD = 'sep='  # in the first line, by which Excel tells the separator
_NONE = '\x1f'  # a separator that no line has
_NO_SIGNS = re.compile(r'\[[^]]*\]|"[^"]*"|\\.|am/pm|a/p')  # of a number format: locales, colours, words; not [ss]
_ELAPSED = re.compile(r'\[(h+|m+|s+)\]')


class Sheet(NamedTuple):
    """The cells of a spreadsheet.

    Attributes:
        lines: the number of each line that is not blank, from 1, and its cells
        separator: of the cells; empty for a file of Excel
        name: of the file and, where it has several, of the sheet
    """
    lines: Sequence[tuple[int, Sequence[str]]]
    separator: str
    name: str


def read_sheets(path: StrPath, is_header: Callable[[Sequence[str]], bool], such_as: str) -> list[Sheet]:
    """The cells of a file, ``.gz`` by suffix; of a file of Excel, those of the visible sheets that name columns.

    Args:
        path: of the file
        is_header: cells → whether they name columns; the separator is the one by which those of the first line do
        such_as: columns that there may be, for the error

    Raises:
        FormatError: the file is no text, or a damaged file of Excel; no separator parts names in the first line; a
            cell of Excel is a formula without a value, or hides seconds
        ImportError: the file is one of Excel, and openpyxl is not installed
        OSError: the file cannot be opened
    """
    data = read_bytes(path)
    if data.startswith(b'\xd0\xcf\x11\xe0'):
        raise FormatError('this is a file of Excel before 2007, which is not read: save it as .xlsx or as CSV', path)
    if data.startswith((b'\xff\xfe', b'\xfe\xff')):  # "Unicode text" of Excel
        data = data.decode('utf-16', 'replace').encode()
    found = _of_excel(data, path) if data.startswith(ZIP) else [_of_text(data, path, is_header)]
    filled = [sheet for sheet in found if sheet.lines]
    named = [sheet for sheet in filled if is_header(sheet.lines[0][1])]
    if filled and not named:
        number, cells = filled[0].lines[0]
        raise FormatError(f'the first line does not name columns of queries and documents (it is {joined(cells)}): '
                          f'write names above the columns, such as {such_as}', path, number)
    return named or found[:1]


def _of_text(data: bytes, path: StrPath, is_header: Callable[[Sequence[str]], bool]) -> Sheet:
    lines = decode_text(data, path).split('\n')
    first = next((place for place, line in enumerate(lines) if line.strip()), len(lines))
    separators = _SEPARATORS
    if first < len(lines) and len(told := lines[first].strip().removeprefix(_TOLD)) == 1:
        first, separators = first + 1, told
    header = lines[first] if first < len(lines) else ''
    separator = next((sign for sign in separators if is_header(header.replace('"', '').split(sign))), _NONE)
    reader = csv.reader(io.StringIO('\n'.join(lines[first:])), delimiter=separator, strict=separator != _NONE)
    found: list[tuple[int, Sequence[str]]] = []
    number = first
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                found.append((number + 1, cells))
            number = first + reader.line_num
    except csv.Error as error:
        raise FormatError(f'the line is no CSV ({error}): close its quotes, and write each quote inside of them twice',
                          path, number + 1) from None
    return Sheet(found, separator, os.fspath(path))


def _of_excel(data: bytes, path: StrPath) -> list[Sheet]:
    openpyxl = needed('openpyxl', 'files of Excel, unless saved as CSV, are read with openpyxl', 'excel')
    try:
        shown, written = (
            openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=values) for values in (True, False))
        visible = [sheet for sheet in shown.worksheets if sheet.sheet_state == 'visible']
        names = [os.fspath(path) if len(visible) == 1 else f'{os.fspath(path)}, sheet {sheet.title}'
                 for sheet in visible]
        return [Sheet(_cells_of_excel(sheet, written[sheet.title], name), '', name)
                for sheet, name in zip(visible, names)]
    except FormatError:
        raise
    except Exception as error:  # whatever its parts lack
        raise FormatError(f'this is no complete file of Excel ({type(error).__name__}): save it again, or as CSV',
                          path) from None


def _cells_of_excel(sheet: Any, written: Any, name: str) -> list[tuple[int, Sequence[str]]]:
    """The lines of a sheet that are not blank; ``written`` is the sheet with its formulas."""
    rows: list[tuple[int, Sequence[str]]] = []
    for part in (sheet, written):
        part.reset_dimensions()
    for number, (cells, formulas) in enumerate(zip(sheet.iter_rows(), written.iter_rows()), 1):
        for cell, formula in zip(cells, formulas):
            if cell.value is None and formula.value is not None:
                raise FormatError(f'the cell {formula.coordinate} is the formula {quoted(formula.value)} without a '
                                  'value: open the file in a spreadsheet program and save it, or write the value',
                                  name, number)
        try:
            texts = [_shown(cell.value, getattr(cell, 'number_format', '')) for cell in cells]
        except ValueError as error:
            raise FormatError(str(error), name, number) from None
        while texts and not texts[-1].strip():
            texts.pop()
        if texts:
            rows.append((number, texts))
    return rows


def _shown(value: Any, number_format: str) -> str:
    """The text of a cell. A time is what the sheet shows: of a cell in the form h:mm, ``1:30``, as in CSV. Raises
    ValueError for a time of which the sheet hides seconds."""
    if value is None:
        return ''
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if not (hasattr(value, 'microsecond') or hasattr(value, 'microseconds')) or hasattr(value, 'year'):
        return str(value)
    time = value if isinstance(value, timedelta) else timedelta(
        hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
    minutes, seconds = divmod(time, timedelta(minutes=1))
    shown = f'{minutes // 60}:{minutes % 60:02}'
    exact = f'{shown}:{seconds.seconds:02}.{seconds.microseconds:06}'.rstrip('0').removesuffix('.')
    if 's' in _NO_SIGNS.sub('', _ELAPSED.sub(r'\1', number_format.lower())):
        return exact
    if seconds:
        raise ValueError(f'a cell shows {quoted(shown)}, but holds {exact}: give the column a format with seconds, '
                         'such as [h]:mm:ss, or write the times as text')
    return shown
