"""Spreadsheets of judgements and of runs: columns by name, in CSV, TSV or the files of Excel.

Names of columns, separators, decimal commas and clock times are recognised as people write them. Rows have columns of
the query, of the document (``file``, ``video``, ``doc`` …), of its start and end (or length), unless ids of segments
tell these, and of the grade, or of the score or the rank of a run (minus which is the score). Where there is no grade
it is 1, and where there is neither score nor rank, the order of the rows counts, of which a warning tells. A row with
neither query nor times names a clip without events.

Times are seconds, or those of a clock (``mm:ss``, ``hh:mm:ss.f``). A column has one reading: clocks with hours and
without in the same file have to differ in their seconds, and decimal commas and dots do not stand in one column. Names
that no id can hold are percent-encoded. The extension of a recording or text (``.mp4``, ``.vtt``, ``.txt`` …) is left
out in a column of files, as in the ids of transcripts.
"""

import csv
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.formats.files.folders import stem
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.headers import SheetColumns, is_header, is_spreadsheet, named_columns
from ir_segmeasures.formats.files.order import ranks_by_score
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in
from ir_segmeasures.formats.files.row_types import (
    FileRows,
    Number,
    SegmentQrel,
    SegmentScoredDoc,
    TrecQrel,
    TrecScoredDoc,
)
from ir_segmeasures.formats.files.sheets import Sheet, cell_text, read_sheets
from ir_segmeasures.formats.files.writing import decimal, judged_lines, left_out, write_text
from ir_segmeasures.formats.trec import SCORED
from ir_segmeasures.segments.quoting import cell_of, quoted
from ir_segmeasures.segments.segment import Segment, clock_seconds, format_segment, parse_segment, quote_id
from ir_segmeasures.segments.spans import plain_number
from ir_segmeasures.segments.tables.adapters import VALUE
from ir_segmeasures.segments.user_warnings import warn_user

__all__ = ['CSV', 'TSV', 'is_header', 'is_spreadsheet', 'read_qrels', 'read_run', 'write_qrels', 'write_run']

# Extensions of recordings, of their transcripts and of texts, by whose names without them ids are made elsewhere.
_EXTENSION = re.compile(r'(?<=[^/.])\.(mp[34]|m4[av]|mkv|avi|mov|webm|mpe?g|og[gv]|flv|wmv|wav|flac|aac|opus|vtt|srt'
                        r'|trs|[cs]tm|txt)$', re.IGNORECASE)
_THOUSANDS = re.compile(r'[+-]?[1-9][0-9]{0,2},[0-9]{3}')  # or three decimals
_COMMA = re.compile(r'[+-]?(?:[0-9]+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+),[0-9]+')
_DOT = re.compile(r'[+-]?(?:[0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+)\.[0-9]+|[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3}){2,}')
_CLOCK = re.compile(r'[0-9]+:[0-9]{2}(?:[.,][0-9]+)?')  # without hours
_WHOLE_MINUTES = re.compile(r'[0-9]+:[0-9]{2}:00(?:[.,]0+)?')
_LARGEST = 10 ** 15  # as in segment ids
_SUCH_AS = 'query,file,start,end, and grade for judgements or score for a run'

Cells = list[str]
Faults = dict[int, str]  # the number of a row → what is wrong in it


def read_qrels(path: StrPath) -> Sequence[Any]:
    """Reads judgements of a spreadsheet, a row each, in file order.

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats import read_qrels
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'judgements.csv'
        >>> _ = path.write_text('Grade;Query;Recording;From;To\\n2;q1;Lecture 01;0:31;1:02,5\\n')
        >>> read_qrels(path)
        FileRows([SegmentQrel(query_id='q1', doc_id='Lecture%2001', start=31, end=62.5, relevance=2, iteration='0')])

    Raises:
        FormatError: a column is missing, a cell is no number or no time, or a column has several readings
        ImportError: the file is one of Excel, and openpyxl is not installed
        OSError: the file cannot be opened
    """
    return _read(path, 'qrels')


def read_run(path: StrPath) -> Sequence[Any]:
    """Reads retrieved items of a spreadsheet, as :func:`read_qrels` does judgements."""
    rows = _read(path, 'run')
    if len(rows) and isinstance(rows, FileRows) and 'rank' in rows.columns:
        rows.columns['rank'] = ranks_by_score(rows.columns['query_id'], rows.columns['score'])
    return rows


def _read(path: StrPath, kind: str) -> Sequence[Any]:
    rows, faults = _checked(path, kind)
    if faults:
        raise faults[0]
    return rows if len(rows) else []


def _check(path: StrPath, kind: str) -> tuple[FileRows[Any], list[FormatError]]:
    try:
        return _checked(path, kind)
    except FormatError as error:  # about the file or its header
        return FileRows.of(TrecQrel, ()), [error]


def _checked(path: StrPath, kind: str) -> tuple[FileRows[Any], list[FormatError]]:
    parts, faults = [], list[FormatError]()
    for sheet in read_sheets(path, is_header, _SUCH_AS):
        if sheet.lines:
            rows, wrong = _rows_of(sheet, path, kind)
            faults += wrong
            parts.append((sheet.name, rows))
    if not parts:
        return FileRows.of(TrecQrel, ()), faults
    first = parts[0][1]
    if len(parts) == 1:
        return first, faults
    for name, rows in parts:
        if rows.row_type is not first.row_type:
            raise FormatError('the sheets do not all have columns of times, but those of a file are alike: give all of '
                              'them the same columns', name)
    return FileRows.joined(parts), faults


def _rows_of(sheet: Sheet, path: StrPath, kind: str) -> tuple[FileRows[Any], list[FormatError]]:
    """The rows of a sheet that can be read, and the errors of all others."""
    number, header = sheet.lines[0]
    with errors_in(sheet.name, number):
        columns = named_columns(header, kind)
        faults: Faults = {}
        needed = [columns.query, *columns.times]
        lines = [(line, cells) for line, cells in sheet.lines[1:]  # without clips that have no event
                 if not columns.times or any(cells[place].strip() for place in needed if place < len(cells))]
        for row, (_, cells) in enumerate(lines):
            if any(cells[len(header):]):
                faults[row] = (f'the line has {len(cells)} cells, but the first line names {len(header)} columns: put '
                               f'a text that holds {quoted(sheet.separator or "a comma")} between quotes')
        wanted = [columns.query, columns.document, *columns.times]
        texts = [[cell_text(' '.join(cells[place].split())) if place < len(cells) else '' for _, cells in lines]
                 for place in (wanted if columns.value is None else [*wanted, columns.value])]
        found = _converted(texts, columns, kind, sheet.separator == ';', faults, path)
    kept = [row for row in range(len(lines)) if row not in faults]
    rows = FileRows(*found, [line for line, _ in lines])
    errors = [FormatError(sentence, sheet.name, lines[row][0]) for row, sentence in sorted(faults.items())]
    return (rows.taken(kept) if faults else rows), errors


def _converted(cells: list[Cells], columns: SheetColumns, kind: str, comma: bool, faults: Faults,
               path: StrPath) -> tuple[Any, list[Any]]:
    """The type of the rows and their columns; what is wrong goes to ``faults``."""
    queries, names, *others = cells
    name = 'rank' if columns.has_rank else {'qrels': 'grade', 'run': 'score'}[kind]
    if columns.value is not None:
        value = _each(others.pop(), _number_of(_decimal_sign(cells[-1], name, comma), name), faults)
        value = [-number for number in value] if columns.has_rank else value
    elif kind == 'qrels':
        value = [1] * len(queries)
        warn_user(f'{os.fspath(path)}: there is no column of grades, so that each row has the grade 1')
    else:
        value = list(range(0, -len(queries), -1))
        warn_user(f'{os.fspath(path)}: there is no column of scores or ranks, so that the order of the rows counts')
    queries = _each(queries, _query, faults)
    if columns.of_files:
        names = [_EXTENSION.sub('', name) for name in names]
    segments = {name: _is_segment(name) for name in dict.fromkeys(names)}
    documents = _each(names, _id, faults)
    if not columns.times or all(segments.values()):  # the id is the truth
        if kind == 'run':
            return TrecScoredDoc, [queries, documents, [float(number) for number in value]]
        return TrecQrel, [queries, documents, value, ['0'] * len(queries)]
    start, end = _times(others[0], others[1], 'length' if columns.has_length else 'end', comma, faults)
    for row, document in enumerate(names):
        if segments[document]:
            faults.setdefault(row, f'{quoted(document)} is a segment with a start and an end beside it, but the ids '
                                   'of others are documents: write all of them as segments, or none')
        if columns.has_length:
            end[row] = plain_number(round(start[row] + end[row], 6))
        if end[row] < start[row]:
            faults.setdefault(row, f'{quoted(document)} ends at {quoted(others[1][row])}, before it starts at '
                                   f'{quoted(others[0][row])}: swap the two, or correct one')
    place = [queries, documents, start, end, value]
    if kind == 'qrels':
        return SegmentQrel, [*place, ['0'] * len(queries)]
    nothing = [None] * len(queries)
    return SegmentScoredDoc, [*place, [0] * len(queries), place[-1], nothing, nothing]


def _each(texts: Cells, convert: Callable[[str], Any], faults: Faults) -> list[Any]:
    """The values of a column, of which each distinct text is converted once; 0 where it cannot be."""
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        try:
            values[text] = convert(text)
        except ValueError as error:
            values[text], wrong[text] = 0, str(error)
    for row, text in enumerate(texts) if wrong else ():
        if text in wrong:
            faults.setdefault(row, wrong[text])
    return list(map(values.__getitem__, texts))


def _is_segment(id: str) -> bool:
    try:
        return '#' in id and parse_segment(id, elements=True).unit is not None
    except ValueError:
        return False


def _id(name: str) -> str:
    """The id of a name, percent-encoded where it is none."""
    if not name:
        raise ValueError('the cell of the document is empty, but each row has one: fill it in')
    if name.split() == [name] and '"' not in name:
        return name
    document, sign, fragment = name.rpartition('#')
    return f'{quote_id(document)}#{fragment}' if sign and _is_segment(f'x#{fragment}') else quote_id(name)


def _query(text: str) -> str:
    if not text:
        raise ValueError('the cell of the query is empty, but each row has one: fill it in, in rows below another too')
    return text


def _decimal_sign(texts: Cells, what: str, comma: bool) -> str | None:
    """The sign before the decimals of a column, ``','`` or ``'.'``; None where nothing tells. ``comma`` says that cells
    are separated by semicolons, as where commas are decimal. Raises ValueError for a column with both."""
    with_comma = next((text for text in texts if _COMMA.fullmatch(text) and (comma or not _THOUSANDS.fullmatch(text))),
                      None)
    with_dot = None if not any(',' in text for text in texts) else next(filter(_DOT.fullmatch, texts), None)
    if with_comma and with_dot:
        raise ValueError(f'the column of {what}s has {quoted(with_comma)}, with a decimal comma, and '
                         f'{quoted(with_dot)}, with a decimal dot: write all of them alike')
    return ',' if with_comma else '.' if with_dot else None


def _number_of(sign: str | None, what: str) -> Callable[[str], Number]:
    def number(text: str) -> Number:
        if _THOUSANDS.fullmatch(text) and sign is None:
            raise ValueError(f'{what} {quoted(text)} is either {text.replace(",", "")} or {text.replace(",", ".")}: '
                             'write it without a comma')
        plain = text
        if sign == ',' and _COMMA.fullmatch(text):
            plain = text.replace('.', '').replace(',', '.')
        elif sign == '.' and (_DOT.fullmatch(text) or _THOUSANDS.fullmatch(text)):
            plain = text.replace(',', '')
        found = finite_number(plain)
        if found is None:
            raise ValueError(f'{what} {quoted(text)} is not a number, but each row has one: write digits, such as 1 or '
                             f'0.5' if text else f'the cell of the {what} is empty, but each row has a number: fill it '
                             'in')
        return int(found) if found.is_integer() and abs(found) < _LARGEST else found
    return number


def _times(starts: Cells, ends: Cells, name: str, comma: bool, faults: Faults) -> Iterator[list[Any]]:
    """The columns of starts and of ends or lengths. Raises ValueError where times of a clock have two readings."""
    together = [*starts, *ends]
    short = next(filter(_CLOCK.fullmatch, together), None)
    long = [text for text in together if text.count(':') == 2]
    if short and long and all(map(_WHOLE_MINUTES.fullmatch, long)):
        raise ValueError(f'the times have {quoted(short)} and {quoted(long[0])}, so that {quoted(short)} is either '
                         f'minutes and seconds, or hours and minutes as {quoted(f"{short}:00")}: write all times of '
                         'the clock with hours, minutes and seconds')

    def time_of(what: str, sign: str | None) -> Callable[[str], Number]:
        number = _number_of(sign, what)

        def time(text: str) -> Number:
            try:
                clock = clock_seconds(text.replace(',', '.'))
            except ValueError as error:
                raise ValueError(f'{what} has the {error}') from None
            found = number(text) if clock is None else plain_number(clock)
            if not 0 <= found < _LARGEST:
                raise ValueError(f'{what} {quoted(text)} is outside of the recording, but times are seconds from its '
                                 'beginning, below 10^15: correct it')
            return found
        return time
    for what, texts in (('start', starts), (name, ends)):
        yield _each(texts, time_of(what, _decimal_sign(texts, what, comma)), faults)


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None, separator: str = ',') -> list[str]:
    """Writes judgements, in the order of the rows, below the names of the columns.

    Args:
        rows: of any reader; ``start`` and ``end`` become columns if they are seconds, and parts of the ids if not
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`
        separator: of cells

    Returns, Raises:
        as there; also ValueError: the path is that of a file of Excel
    """
    return _write(rows, path, unit, 'qrels', separator)


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None, separator: str = ',') -> list[str]:
    """Writes retrieved items, as :func:`write_qrels` does judgements."""
    return _write(rows, path, unit, 'run', separator)


def _write(rows: Sequence[Any], path: StrPath, unit: str | None, kind: str, separator: str) -> list[str]:
    if stem(path, ('.xlsx', '.xls')) != stem(path, ()):
        raise ValueError(f'{path} would be a file of Excel, but spreadsheets are written as text: let its name end in '
                         '.csv')
    rows = list(rows)
    times = bool(rows) and hasattr(rows[0], 'end')
    columns = times and unit in (None, 't')

    def line(row: Any) -> str:
        place = [row.doc_id]
        if columns:
            if not 0 <= row.start <= row.end or _is_segment(row.doc_id):
                raise ValueError('a segment starts at 0 or later and ends at or after its start, and its document has '
                                 'no fragment: correct the row')
            place += [decimal(row.start, 'start'), decimal(row.end, 'end')]
        elif times:
            place = [format_segment(Segment(row.doc_id, row.start, row.end, unit))]
        return _joined([row.query_id, *place, decimal(getattr(row, VALUE[kind]), VALUE[kind])])

    def _joined(cells: Sequence[str]) -> str:
        if not all(map(str.strip, cells)):
            raise ValueError('an id is empty, but queries and documents are told apart by them: give both an id')
        text = io.StringIO()
        csv.writer(text, delimiter=separator, lineterminator='').writerow(map(cell_of, cells))
        return text.getvalue()
    header = ['query_id', 'doc_id', *(['start', 'end'] if columns else []), VALUE[kind]]
    write_text([_joined(header), *judged_lines(rows, line)], path)
    return left_out(rows, (), paths=True)


CSV = Format(
    'csv', 'a spreadsheet, CSV or .xlsx: named columns, such as query, file, start, end, and grade or score', 't',
    Files(read_qrels, write_qrels, partial(_check, kind='qrels')),
    Files(read_run, write_run, partial(_check, kind='run'), rules=SCORED), lists=('queries', 'anchors', 'videos'))
TSV = Format(
    'tsv', 'a spreadsheet with tabs: named columns, as in csv', 't',
    replace(CSV.qrels, write=partial(write_qrels, separator='\t')),
    replace(CSV.run, write=partial(write_run, separator='\t')), lists=CSV.lists)  # type: ignore[type-var]
