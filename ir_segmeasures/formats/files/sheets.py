"""Spreadsheets as texts and numbers: the cells of CSV with any separator or of the visible sheets of a file of Excel,
and the numbers and times of columns, each of which has one reading."""

import csv
import io
import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.formats.files.reading import ZIP, FormatError, StrPath, decode_text, read_bytes
from ir_segmeasures.segments.basics import needed, quoted
from ir_segmeasures.segments.segment import TOO_LARGE, clock_seconds, points_beside_clocks
from ir_segmeasures.segments.tables.shapes import TIMES

Line = tuple[int, Sequence[str]]
UTF_16_MARKS = (b'\xff\xfe', b'\xfe\xff')

_SEPARATORS = ',;\t|'
_NO_SIGNS = re.compile(r'\[(?!h+\]|m+\]|s+\])[^]]*\]|"[^"]*"|[\\_*].|am/pm|a/p')  # of a format: locales, colours, words
_ZERO = datetime(1899, 12, 31)  # the date of Excel's time 0

_THOUSANDS = re.compile(r'[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}')  # or three decimals
_COMMA = re.compile(r'[+-]?(?:[0-9]+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+),[0-9]+')
_DOT = re.compile(r'[+-]?(?:[0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+)\.[0-9]+|[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3}){2,}')
_CLOCK = re.compile(r'[0-9]+:[0-5][0-9](?:[.,][0-9]+)?')  # without hours
_WHOLE_MINUTES = re.compile(r'[0-9]+:[0-5][0-9]:00(?:[.,]0+)?')
_LATE = re.compile('(?:[0-9]{3,}|2[4-9]|[3-9][0-9]):')  # more hours than a day has
# Other things that people write where numbers belong, and their repair.
_OTHERS = {
    r'\d{4}-\d\d?-\d\d?.*|\d\d?[/.]\d\d?[/.]\d{4}.*': ('a date', 'subtract that of the beginning'),
    r'[\d:. ]+[aApP]\.?[mM]\.?': ('a time of day', 'subtract that of the beginning'),
    r'\d+:\d+:\d+[:;]\d+': ('a timecode with frames', 'divide the frames by those of a second, and write decimals'),
    r'-?[\d.,]+ ?%': ('a percentage', 'write a decimal, such as 0.95 for 95%'),
    r"\d+(?:[.' \u2019]\d{3})+(?:[.,]\d+)?": ('a number in groups of three digits', 'take out the signs between'),
    r'-[\d:.,]+': ('below 0', 'correct it'),
    r'(?!.*:[^\W\d])\d.*[^\W\d].*|[pP].*[tT].*\d.*': (
        'a text with units', 'write the number alone, of times in seconds'),
    '.*': ('not a number', 'write digits, such as 1 or 12.5')}


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
    filled, named = [sheet for sheet in found if sheet.lines], []
    for sheet in filled:
        header = next((line for line in sheet.lines if is_header(line[1])), None)
        if header == sheet.lines[0]:
            named.append(sheet)
        elif header is not None:
            raise FormatError('the names of the columns are not in the first line: move them', sheet.name, header[0])
    if filled and not named:
        number, cells = filled[0].lines[0]
        if len(cells) == 1:
            cells = max((cells[0].split(sign) for sign in _SEPARATORS), key=len)
        raise FormatError('the first line does not name columns (it is '
                          f'{", ".join(map(quoted, cells[:20]))}): write names above the columns, such as {such_as}',
                          path, number)
    return named or found[:1]


def _of_text(data: bytes, path: StrPath, is_header: Callable[[Sequence[str]], bool]) -> Sheet:
    lines, separators = decode_text(data, path).split('\n'), _SEPARATORS
    first = next((place for place, line in enumerate(lines) if line.strip()), 0)
    if len(told := lines[first].strip().removeprefix('sep=')) == 1:  # by which Excel tells the separator
        first, separators = first + 1, told
    header = ''.join(lines[first:first + 1]).replace('"', '')
    separator = next((sign for sign in separators if is_header(header.split(sign))), '')
    reader = csv.reader(io.StringIO('\n'.join(lines[first:])), delimiter=separator or '\x1f', strict=bool(separator))
    found: list[Line] = []
    number = first + 1
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                found.append((number, cells))
            number = first + reader.line_num + 1
    except csv.Error as error:
        raise FormatError(f'the line is not CSV ({error}): close quotes, double those inside', path, number) from None
    return Sheet(found, separator or '\x1f', os.fspath(path))


def _of_excel(data: bytes, path: StrPath) -> list[Sheet]:
    openpyxl = needed('openpyxl', 'files of Excel, unless saved as CSV, are read with openpyxl', 'excel')
    try:
        shown = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        visible = [sheet for sheet in shown.worksheets if sheet.sheet_state == 'visible']
        return [_of_cells(
            sheet, os.fspath(path) if len(visible) == 1 else f'{os.fspath(path)}, sheet {sheet.title}',
            lambda title: openpyxl.load_workbook(io.BytesIO(data), read_only=True)[title]) for sheet in visible]
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
        for place, cell in enumerate(cells):
            shown, held = _shown(cell.value, cell.number_format or '')
            rows.setdefault(number, []).append(shown)
            if cell.value is None and cell.data_type != 'str' and hasattr(cell, 'coordinate'):  # 'str' has the text ''
                blank.add((number, place))
            elif shown.count(':') == 1 and not isinstance(cell.value, str):
                minutes.add(shown)
            if shown != held:
                unread[number, place] = (
                    f'the cell {cell.coordinate} shows {quoted(shown)}, but holds {quoted(held)}: give the column a '
                    'format that shows all of it, such as [h]:mm:ss, or write the times as text')
    if blank:
        formulas = with_formulas(sheet.title)
        formulas.reset_dimensions()
        for cell in (cell for cells in formulas.iter_rows() for cell in cells if cell.value is not None):
            if (at := (cell.row, cell.column - 1)) in blank:
                unread[at] = (f'the cell {cell.coordinate} is the formula {quoted(cell.value)} without a value: open '
                              'the file in a spreadsheet program and save it, or write the value')
                rows[at[0]][at[1]] = str(cell.value)
    ends = {number: max((place for place, text in enumerate(texts, 1) if text.strip()), default=0)
            for number, texts in rows.items()}
    return Sheet([(number, rows[number][:end]) for number, end in ends.items() if end], '', name, minutes, unread)


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
        text = '' if value is None else str(value) if isinstance(value, str) else str(value).removesuffix(' 00:00:00')
        return text, text
    time = value if isinstance(value, timedelta) else value - _ZERO if isinstance(value, datetime) else timedelta(
        hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
    part = time if '[' in code else time % timedelta(hours=24 if 'h' in code else 1)
    held, shown = _clock(time), _clock(part)
    return (shown, held) if 's' in code else (shown[:shown.rindex(':')], held.removesuffix(':00'))


def _clock(time: timedelta) -> str:
    minutes, seconds = divmod(abs(time), timedelta(minutes=1))
    text = f'{minutes // 60}:{minutes % 60:02}:{seconds.seconds:02}.{seconds.microseconds:06}'
    return ('-' if time < timedelta() else '') + text.rstrip('0').removesuffix('.')


def given(what: str, text: str) -> str:
    """The text of a cell. Raises ValueError for an empty one."""
    if not text:
        raise ValueError(f'the cell of the {what} is empty, but each row has one: fill it in, in rows below, too')
    return text


def readings(columns: Mapping[str, list[str]], comma: bool, minutes: Collection[str]) -> dict[str, partial[float]]:
    """The converter of each column: name of the column, text → the number. A column has one reading: the converter
    raises ValueError for the texts that have another one.

    Args:
        columns: name, of times as in :data:`TIMES` → texts, which all decide on the reading
        comma: whether cells are separated by semicolons, as where commas are decimal
        minutes: the times that Excel holds as hours and minutes, though they look like minutes and seconds
    """
    times = [text for name in TIMES for text in columns.get(name, ())]
    short = [text for text in times if text in minutes] or [*filter(_CLOCK.fullmatch, times)]
    long = [text for text in times if text.count(':') == 2]
    late = [text for text in long if _LATE.match(text)]  # Excel makes 25:30:00 of the minutes and seconds 25:30
    other = late if all(map(_WHOLE_MINUTES.fullmatch, late)) and (short or len(late) == len(long)) else []
    if short and not other and (short[0] in minutes or all(map(_WHOLE_MINUTES.fullmatch, long))):
        other = long
    odd = points_beside_clocks([*columns.get('start', ()), *columns.get('end', ())]) | points_beside_clocks(
        columns.get('length', ()))
    if short and other:
        odd |= dict.fromkeys(other if len(other) < len(short) else short, (
            f'the times have {quoted(short[0])} and {quoted(other[0])}, and {quoted(short[0])} is '
            f'either minutes and seconds, or {quoted(f"{short[0]}:00")}: write all times as h:mm:ss, such as '
            f'0:{short[0]:0>5}'))
    elif other:
        odd |= dict.fromkeys(other, (
            f'the time {quoted(other[0])} is either hours and minutes, or the minutes and seconds '
            f'{quoted(other[0].rpartition(":")[0])}, of which Excel makes it: write seconds, such as 1530'))
    return {name: partial(_number, name, sign, odd if name in TIMES else {})
            for name, sign in _decimal_signs(columns, comma).items()}


def _decimal_signs(columns: Mapping[str, list[str]], comma: bool) -> dict[str, str | None]:
    """The sign before the decimals of each column, ``','`` or ``'.'``, which most of its numbers have; None where
    nothing tells, and ``''`` where other columns have both."""
    found: dict[str, str | None] = dict.fromkeys(columns)
    if not any(',' in text for texts in columns.values() for text in texts):
        return found
    dots = {name: list(filter(_DOT.fullmatch, texts)) for name, texts in columns.items()}
    for name, texts in columns.items():
        commas = [text for text in texts if _COMMA.fullmatch(text) and not _THOUSANDS.fullmatch(text)]
        found[name] = ',' if len(commas) > len(dots[name]) else '.' if commas or not all(
            map(_THOUSANDS.fullmatch, dots[name])) else None
    clear = {*found.values()}
    for name in (name for name, sign in found.items() if sign is None):
        if clear >= {',', '.'}:
            found[name] = ''
        elif ',' in clear or (comma and '.' not in clear and not dots[name]):
            found[name] = ','
    return found


def _number(what: str, sign: str | None, odd: Mapping[str, str], text: str) -> float:
    """The number of a cell, of a time its seconds. Raises ValueError for a text with two readings or none, and with the
    sentence about it for an odd one."""
    if text in odd:
        raise ValueError(odd[text])
    clock = None
    if what in TIMES:
        try:
            clock = clock_seconds(text.replace(',', '.'))
        except ValueError as error:
            raise ValueError(f'{what} has the {error}') from None
    if _THOUSANDS.fullmatch(text) and {*text} & {*{'': ',.', ',': '.', None: ','}.get(sign, '')}:
        raise ValueError(f'{what} {quoted(text)} is either {re.sub("[.,]", "", text)} or {text.replace(",", ".")}: '
                         'write it without a sign of thousands, and decimals of all numbers alike')
    if sign and not _THOUSANDS.fullmatch(text) and {',': _DOT, '.': _COMMA}[sign].fullmatch(text):
        one = 'comma' if sign == '.' else 'dot'
        raise ValueError(f'{what} {quoted(text)} has a decimal {one}, and others do not: write all of them alike')
    plain = text
    if sign == ',' and _COMMA.fullmatch(text):
        plain = text.replace('.', '').replace(',', '.')
    elif sign == '.' and (_DOT.fullmatch(text) or _THOUSANDS.fullmatch(text)):
        plain = text.replace(',', '')
    found = finite_number(plain) if clock is None else clock
    if found is None:
        kind, repair = next(said for pattern, said in _OTHERS.items() if re.fullmatch(pattern, text))
        rule = 'times are seconds, or those of a clock' if what in TIMES else 'each row has a number'
        raise ValueError(f'{what} {quoted(given(what, text))} is {kind}, but {rule}: {repair}')
    if what in TIMES and not 0 <= found < TOO_LARGE:
        raise ValueError(f'{what} {quoted(text)} is outside of the recording, whose seconds are 0 to 10^15: correct it')
    return found
