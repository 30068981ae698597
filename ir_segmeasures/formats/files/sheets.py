"""The cells of a spreadsheet as texts: CSV with any separator, or the visible sheets of a file of Excel."""

import csv
import io
import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.reading import ZIP, FormatError, StrPath, decode_text, read_bytes
from ir_segmeasures.segments.basics import needed, quoted

Line = tuple[int, Sequence[str]]
UTF_16_MARKS = (b'\xff\xfe', b'\xfe\xff')

_SEPARATORS = ',;\t|'
_SHOWN = 20  # cells of a first line that names nothing
_TOLD = 'sep='  # in the first line, by which Excel tells the separator
_NONE = '\x1f'  # a separator that no line has
_NO_SIGNS = re.compile(r'\[(?!h+\]|m+\]|s+\])[^]]*\]|"[^"]*"|[\\_*].|am/pm|a/p')  # of a format: locales, colours, words
_ZERO = datetime(1899, 12, 31)  # the date of Excel's time 0


class Sheet(NamedTuple):
    """The cells of a spreadsheet.

    Attributes:
        lines: the number of each line that is not blank, from 1, and its cells
        separator: of the cells; empty for a file of Excel
        name: of the file and, where it has several, of the sheet
        minutes: the times of Excel that are shown without seconds, so that they are hours and minutes in the file
        unread: line, place of a cell → the sentence about a formula of Excel without a value, or a time that is hidden
    """
    lines: Sequence[Line]
    separator: str
    name: str
    minutes: Collection[str] = ()
    unread: Mapping[tuple[int, int], str] = {}


def read_sheets(path: StrPath, is_header: Callable[[Sequence[str]], bool], such_as: str) -> list[Sheet]:
    """The cells of a file, ``.gz`` by suffix; of a file of Excel, those of the visible sheets that name columns.

    Args:
        path: of the file
        is_header: cells → whether they name columns; the separator is the one by which those of the first line do
        such_as: columns that there may be, for the error

    Raises:
        FormatError: the file is not text, or a damaged file of Excel; no separator parts names in the first line
        ImportError: the file is one of Excel, and openpyxl is not installed
        OSError: the file cannot be opened
    """
    data = read_bytes(path)
    if data.startswith(b'\xd0\xcf\x11\xe0'):
        raise FormatError('this is a file of Excel before 2007, which is not read: save it as .xlsx or as CSV', path)
    if data[:2] in UTF_16_MARKS:  # "Unicode text" of Excel
        data = data.decode('utf-16', 'replace').encode()
    found = _of_excel(data, path) if data.startswith(ZIP) else [_of_text(data, path, is_header)]
    filled = [sheet for sheet in found if sheet.lines]
    named = [sheet for sheet in filled if is_header(sheet.lines[0][1])]
    for sheet in filled:
        late = next((number for number, cells in sheet.lines if is_header(cells)), None)
        if sheet not in named and late is not None:
            raise FormatError('the names of the columns are not in the first line, but other lines stand above: take '
                              'those out', sheet.name, late)
    if filled and not named:
        number, cells = filled[0].lines[0]
        if len(cells) == 1:
            cells = max((cells[0].split(sign) for sign in _SEPARATORS), key=len)
        shown = ', '.join(map(quoted, cells[:_SHOWN]))
        raise FormatError(f'the first line does not name columns of queries and documents (it is {shown}): write names '
                          f'above the columns, such as {such_as}', path, number)
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
    found: list[Line] = []
    number = first
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                found.append((number + 1, cells))
            number = first + reader.line_num
    except csv.Error as error:
        raise FormatError(f'the line is not CSV ({error}): close its quotes, and write each quote inside of them twice',
                          path, number + 1) from None
    return Sheet(found, separator, os.fspath(path))


def _of_excel(data: bytes, path: StrPath) -> list[Sheet]:
    openpyxl = needed('openpyxl', 'files of Excel, unless saved as CSV, are read with openpyxl', 'excel')
    try:
        shown = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        visible = [sheet for sheet in shown.worksheets if sheet.sheet_state == 'visible']
        names = [os.fspath(path) if len(visible) == 1 else f'{os.fspath(path)}, sheet {sheet.title}'
                 for sheet in visible]
        return [_of_cells(sheet, name, lambda title: openpyxl.load_workbook(io.BytesIO(data), read_only=True)[title])
                for sheet, name in zip(visible, names)]
    except FormatError:
        raise
    except Exception as error:  # whatever its parts lack
        raise FormatError(f'this is not a complete file of Excel ({type(error).__name__}): save it again, or as CSV',
                          path) from None


def _of_cells(sheet: Any, name: str, with_formulas: Callable[[str], Any]) -> Sheet:
    """The lines of a sheet of Excel that are not blank; ``with_formulas`` gives the sheet of a title with formulas in
    the place of values, which takes as long again."""
    rows: dict[int, list[str]] = {}
    blank: set[tuple[int, int]] = set()  # cells that the file has, without a value
    minutes: set[str] = set()
    unread: dict[tuple[int, int], str] = {}
    sheet.reset_dimensions()
    for number, cells in enumerate(sheet.iter_rows(), 1):
        texts: list[str] = []
        for place, cell in enumerate(cells):
            shown = held = cell.value
            if shown is None and cell.data_type != 'str' and hasattr(cell, 'coordinate'):  # 'str' has the text ''
                blank.add((number, place))
            elif shown is not None and not isinstance(shown, str):
                shown, held = _shown(shown, cell.number_format or '')
                if shown.count(':') == 1:
                    minutes.add(shown)
            texts.append(shown or '')
            if shown != held:
                unread[number, place] = (
                    f'the cell {cell.coordinate} shows {quoted(shown)}, but holds {quoted(held)}: give the column a '
                    'format that shows all of it, such as [h]:mm:ss, or write the times as text')
        while texts and not texts[-1].strip():
            texts.pop()
        if texts:
            rows[number] = texts
    if blank:
        formulas = with_formulas(sheet.title)
        formulas.reset_dimensions()
        for cell in (cell for cells in formulas.iter_rows() for cell in cells if cell.value is not None):
            at = cell.row, cell.column - 1
            if at in blank:
                unread[at] = (f'the cell {cell.coordinate} is the formula {quoted(cell.value)} without a value: open '
                              'the file in a spreadsheet program and save it, or write the value')
                texts = rows.setdefault(cell.row, [])
                texts += [''] * (cell.column - len(texts))
                texts[cell.column - 1] = str(cell.value)
    return Sheet(sorted(rows.items()), '', name, minutes, unread)


def _shown(value: Any, number_format: str) -> tuple[str, str]:
    """The text of a cell as the sheet shows it, a time of the form h:mm as ``1:30``, and as the file holds it, which is
    another one where days, hours or seconds of a time are hidden."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and number_format and not number_format.strip('0'):
        value = str(value).zfill(len(number_format))  # an id such as 007
    is_time = hasattr(value, 'microsecond') or hasattr(value, 'microseconds')
    code = _NO_SIGNS.sub('', number_format.lower()).partition(';')[0] if is_time else ''
    if not is_time or {*'yd'} & {*code}:
        text = str(value).removesuffix(' 00:00:00')
        return text, text
    time = value if isinstance(value, timedelta) else value - _ZERO if isinstance(value, datetime) else timedelta(
        hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
    part = time if '[' in code else time % timedelta(hours=24 if 'h' in code else 1)
    held, shown = _clock(time), _clock(part)
    if 's' not in code:
        shown, held = shown[:shown.rindex(':')], held.removesuffix(':00')
    return shown, held


def _clock(time: timedelta) -> str:
    minutes, seconds = divmod(abs(time), timedelta(minutes=1))
    text = f'{minutes // 60}:{minutes % 60:02}:{seconds.seconds:02}.{seconds.microseconds:06}'
    return ('-' if time < timedelta() else '') + text.rstrip('0').removesuffix('.')
