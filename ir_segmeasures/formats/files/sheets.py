"""The cells of a spreadsheet as texts: CSV with any separator, or the visible sheets of a file of Excel."""

import csv
import io
import os
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from zipfile import ZipFile

from ir_segmeasures.formats.files.reading import (
    LARGEST,
    RATIO,
    ZIP,
    FormatError,
    StrPath,
    TooLarge,
    decode_text,
    read_bytes,
)
from ir_segmeasures.segments.quoting import cell_of, joined, quoted

__all__ = ['SEPARATORS', 'Sheet', 'cell_text', 'first_cells', 'read_sheets', 'sheet_rows']

SEPARATORS = ',;\t|'
_WIDEST = 1 << 16  # of a line of names
_TOLD = 'sep='  # in the first line, by which Excel tells the separator
_FURTHEST = 256  # column in which a name stands
_NO_SIGNS = re.compile(r'\[[^]]*\]|"[^"]*"|\\.|am/pm|a/p')  # of a number format: locales, colours, words; not [ss]
_ELAPSED = re.compile(r'\[(h+|m+|s+)\]')
_OLD, _UTF_16 = b'\xd0\xcf\x11\xe0', (b'\xff\xfe', b'\xfe\xff')


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


def sheet_rows(path: StrPath, is_header: Callable[[Sequence[str]], bool],
               such_as: str = 'query,file,start,end, and grade for judgements or score for a run') -> Sheet:
    """The cells of a file of one sheet, as :func:`read_sheets` reads them."""
    return read_sheets(path, is_header, such_as)[0]


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
    if data.startswith(ZIP):
        found = _of_excel(data, path)
        named = [sheet for sheet in found if sheet.lines and is_header(sheet.lines[0][1])]
        if named or not any(sheet.lines for sheet in found):
            return named or found[:1]
        number, cells = next(sheet.lines[0] for sheet in found if sheet.lines)
        raise _no_header(cells, such_as, path, number)
    if data.startswith(_OLD):
        raise FormatError('this is a file of Excel before 2007, which is not read: save it as .xlsx or as CSV', path)
    if data.startswith(_UTF_16):  # "Unicode text" of Excel
        data = data.decode('utf-16', 'replace').encode()
    return [_of_text(data, path, is_header, such_as)]


def _of_text(data: bytes, path: StrPath, is_header: Callable[[Sequence[str]], bool], such_as: str) -> Sheet:
    lines = decode_text(data, path).split('\n')
    first = next((place for place, line in enumerate(lines) if line.strip()), len(lines))
    if first == len(lines):
        return Sheet([], '', os.fspath(path))
    named = lines[first].strip().removeprefix(_TOLD)
    if len(named) == 1:
        first, separators = first + 1, named
    else:
        separators = SEPARATORS
    header = ''.join(lines[first:first + 1])[:_WIDEST]
    separator = next((sign for sign in separators if is_header(_cells(header, sign))), None)
    if separator is None:
        raise _no_header([header], such_as, path, first + 1)
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
    return Sheet(found, separator, os.fspath(path))


def _no_header(cells: Sequence[str], such_as: str, path: StrPath, line: int) -> FormatError:
    return FormatError(f'the first line does not name columns of queries and documents (it is {joined(cells)}): write '
                       f'names above the columns, such as {such_as}', path, line)


def first_cells(path: StrPath) -> dict[str, list[str]]:
    """The cells of the first line of a file that is not blank, ``.gz`` by suffix, by each separator that parts it; none
    if none does, or the file cannot be read."""
    try:
        text = read_bytes(path, _WIDEST).decode('utf-8-sig', 'replace')
    except (OSError, FormatError):
        return {}
    line = next((line for line in text.splitlines() if line.strip() and not line.startswith(_TOLD)), '')
    return {sign: cells for sign in SEPARATORS if len(cells := _cells(line, sign)) > 1}


def cell_text(cell: str) -> str:
    """The text of a cell without the sign by which :func:`~ir_segmeasures.segments.quoting.cell_of` keeps spreadsheets
    from running it."""
    return cell[1:] if cell.startswith("'") and cell_of(cell[1:]) != cell[1:] else cell


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


def _of_excel(data: bytes, path: StrPath) -> list[Sheet]:
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise ImportError(f'files of Excel are read with openpyxl, which cannot be imported ({error}): install '
                          "'ir_segmeasures[excel]', or save the sheet as CSV") from error
    try:
        size = sum(part.file_size for part in ZipFile(io.BytesIO(data)).infolist())
        if size > LARGEST and size > RATIO * len(data):
            raise TooLarge(f'the file unpacks to more than {LARGEST / 2 ** 30:.3g} GiB, more than {RATIO} times its '
                           'size, as no judgements and no run do: save it as CSV', path)
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == 'visible']
        found = []
        for sheet in visible:
            name = os.fspath(path) if len(visible) == 1 else f'{os.fspath(path)}, sheet {sheet.title}'
            rows, blank = _cells_of_excel(sheet, name)
            if blank:
                formulas = load_workbook(io.BytesIO(data), read_only=True)[sheet.title]
                _refuse_formulas(formulas, blank, name)
            found.append(Sheet(rows, '', name))
        return found
    except FormatError:
        raise
    except Exception as error:  # whatever its parts lack
        raise FormatError(f'this is no complete file of Excel ({type(error).__name__}): save it again, or as CSV',
                          path) from None


def _cells_of_excel(sheet: Any, name: str) -> tuple[list[tuple[int, Sequence[str]]], set[tuple[int, int]]]:
    """The lines of a sheet that are not blank, and the places, from 1, of cells without a value."""
    rows: list[tuple[int, Sequence[str]]] = []
    blank: set[tuple[int, int]] = set()
    width = _FURTHEST  # until the line of names tells: cells far away take no time
    sheet.reset_dimensions()
    empty: Any = None  # a row that openpyxl makes once for all that are missing before a cell far away
    for number, cells in enumerate(sheet.iter_rows(max_col=width), 1):
        if cells is empty:
            continue
        if not any(hasattr(cell, 'row') for cell in cells):
            empty = cells
            continue
        texts = []
        for column, cell in enumerate(cells[:width], 1):
            if cell.value is None and hasattr(cell, 'row'):
                blank.add((number, column))
            try:
                texts.append(_shown(cell.value, getattr(cell, 'number_format', '')))
            except ValueError as error:
                raise FormatError(str(error), name, number) from None
        if any(map(str.strip, texts)):
            if not rows:
                width = min(max(place for place, text in enumerate(texts, 1) if text.strip()) + 1, _FURTHEST)
                texts = texts[:width - 1]
            rows.append((number, texts))
    return rows, blank


def _refuse_formulas(sheet: Any, blank: set[tuple[int, int]], name: str) -> None:
    sheet.reset_dimensions()
    last, width = (max(places) for places in zip(*blank))
    for number, cells in enumerate(sheet.iter_rows(max_row=last, max_col=width), 1):
        for column, cell in enumerate(cells, 1):
            if cell.value is not None and (number, column) in blank:
                raise FormatError(f'the cell {cell.coordinate} is the formula {quoted(cell.value)} without a value: '
                                  'open the file in a spreadsheet program and save it, or write the value', name,
                                  number)


def _shown(value: Any, number_format: str) -> str:
    """The text of a cell. A time is what the sheet shows: of a cell in the form h:mm, ``1:30``, as in CSV. Raises
    ValueError for a time of which the sheet hides seconds."""
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
    exact = f'{shown}:{seconds.seconds:02}.{seconds.microseconds:06}'.rstrip('0').removesuffix('.')
    if 's' in _NO_SIGNS.sub('', _ELAPSED.sub(r'\1', number_format.lower())):
        return exact
    if seconds:
        raise ValueError(f'a cell shows {quoted(shown)}, but holds {exact}: give the column a format with seconds, '
                         'such as [h]:mm:ss, or write the times as text')
    return shown
