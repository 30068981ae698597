"""Spreadsheets of judgements and of runs: columns by name, in CSV, TSV or the files of Excel.

Names of columns, separators, decimal commas and clock times are recognised as people write them.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.blocks import buffer_of, columns_of, joined_blocks
from ir_segmeasures.formats.files.fields import MixedNumbers, each_text, finite_number, parse_score
from ir_segmeasures.formats.files.folders import stem
from ir_segmeasures.formats.files.format import Files, Format, Lines, one_row
from ir_segmeasures.formats.files.order import ranks_by_score
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, read_bytes
from ir_segmeasures.formats.files.row_types import (
    Number,
    Rows,
    SegmentQrel,
    SegmentScoredDoc,
    TrecQrel,
    TrecScoredDoc,
)
from ir_segmeasures.formats.files.sheets import SEPARATORS, sheet_rows
from ir_segmeasures.formats.files.writing import decimal, judged_lines, left_out, rank_numbers, write_text
from ir_segmeasures.formats.spreadsheet_header import is_header, is_spreadsheet, named_columns
from ir_segmeasures.segments.arrays import Floats
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, clock_seconds, format_segment, parse_segment, quote_id
from ir_segmeasures.segments.spans import plain_number
from ir_segmeasures.segments.tables.adapters import VALUE
from ir_segmeasures.segments.tables.id_columns import Coded
from ir_segmeasures.segments.tables.text_columns import PADDING, TextColumn

__all__ = ['CSV', 'TSV', 'is_header', 'is_spreadsheet', 'read_qrels', 'read_run', 'write_qrels', 'write_run']

_EXTENSION = re.compile(r'.*[^/.](\.[a-z][a-z0-9]{1,4})', re.IGNORECASE)
_COMMA = re.compile(r'[+-]?[0-9]+,[0-9]+')
_THOUSANDS = re.compile(r'[+-]?[1-9][0-9]{0,2},[0-9]{3}')
_LARGEST = 10 ** 15  # as in segment ids

Record = tuple[int, list[str]]  # the number of a line, and its fields: query, document, value, its name, maybe times


def read_qrels(path: StrPath) -> Sequence[SegmentQrel] | Sequence[TrecQrel]:
    """Reads judgements of a spreadsheet, a row each, in file order: columns of the query, of the document (``file``,
    ``video``, ``doc`` …), of its start and end (or length), unless ids of segments tell these, and of the grade.

    Times are seconds, or those of a clock (``mm:ss``, ``hh:mm:ss.f``). Names that no id can hold are percent-encoded.
    An extension that all names in a column of files have is left out, as in the ids of transcripts.

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats import read_qrels
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'judgements.csv'
        >>> _ = path.write_text('Grade;Query;Recording;From;To\\n2;q1;Lecture 01;0:31;1:02,5\\n')
        >>> read_qrels(path)
        [SegmentQrel(query_id='q1', doc_id='Lecture%2001', start=31, end=62.5, relevance=2, iteration='0')]

    Raises:
        FormatError: a column is missing, or a cell is no number or no time
        ImportError: the file is one of Excel, and openpyxl is not installed
        OSError: the file cannot be opened
    """
    return _read(path, 'qrels')


def read_run(path: StrPath) -> Sequence[SegmentScoredDoc] | Sequence[TrecScoredDoc]:
    """Reads retrieved items of a spreadsheet, as :func:`read_qrels` does judgements, with a score in the place of the
    grade, or else a rank, of which minus the rank is the score."""
    rows = _read(path, 'run')
    if not rows or not hasattr(rows[0], 'rank'):
        return rows
    if isinstance(rows, Rows):
        rows.columns['rank'] = ranks_by_score(rows.columns['query_id'], rows.columns['score'])
        return rows
    return [row._replace(rank=rank) for row, rank in zip(rows, rank_numbers(rows))]


def _read(path: StrPath, kind: str) -> Sequence[Any]:
    data = read_bytes(path)
    with suppress(ValueError):
        return _read_columns(data, kind)
    rows = []
    for number, fields in _records(path, kind, data):
        try:
            rows.append(_PARSERS[kind](fields))
        except ValueError as error:
            raise FormatError(str(error), path, number) from None
    return rows


def _read_columns(data: bytes, kind: str) -> Rows[Any]:
    """The rows of a text without quotes and decimal commas, parsed by columns: those that its lines give. Raises
    ``ValueError`` where a line is wrong or not plain."""
    buffer = buffer_of(data, separator=SEPARATORS)
    first = buffer.find(b'\n', len(PADDING)) + 1
    header = buffer[len(PADDING):first - 1].decode()
    separator = next((sign for sign in SEPARATORS if is_header(header.split(sign))), ';')
    cells = header.split(separator)
    columns = named_columns(cells, kind)
    texts = columns_of(buffer, first, separator=separator)
    if b'"' in data or separator == ';' or len(texts) != len(cells):
        raise ValueError
    query, coded = _plain_query(texts[columns.query]), texts[columns.document].coded()
    names = list(map(_one_blank, coded.distinct))
    if columns.times and any('#' in name for name in names):
        raise ValueError
    ids = list(map(_id, _without_extension(names) if columns.of_files else names))
    if len(set(ids)) < len(ids):
        raise ValueError
    document: Any = Coded(ids, coded.code)
    numbers = parse_score(texts[columns.value])
    value = _plain_numbers(-numbers if columns.has_rank else numbers)
    times = [_plain_times(texts[column]) for column in columns.times]
    if columns.has_length:
        pairs = zip(*(column.tolist() for column in times))
        times[1] = np.array([round(start + length, 6) for start, length in pairs])
    if times and (times[1] < times[0]).any():
        raise ValueError
    place = [query, document, *map(_plain_numbers, times)]
    if kind == 'qrels':
        row: Any = (SegmentQrel if times else TrecQrel)._make([*place, value, '0'])
    else:
        row = SegmentScoredDoc._make([*place, value, 0, value, None, None]) if times else (
            TrecScoredDoc._make([*place, np.asarray(value, float)]))
    return joined_blocks([row], [len(query)])


def _one_blank(text: str) -> str:
    return ' '.join(text.split())


def _plain_numbers(numbers: Floats) -> Any:
    """Numbers as a column, whole ones as those of Python."""
    whole = (numbers == np.rint(numbers)) & (np.abs(numbers) < _LARGEST)
    return numbers.astype(np.int64) if whole.all() else MixedNumbers(numbers, whole)


def _plain_times(texts: TextColumn) -> Floats:
    try:
        return texts.decimals(signed=False)
    except ValueError:  # times of a clock
        return np.asarray(_each_time(texts), np.float64)


def _records(path: StrPath, kind: str, data: bytes | None = None) -> list[Record]:
    """The number of each line that is not blank, and its fields: query, document, value and its name; and start, end,
    and what the end is, ``'end'`` or ``'length'``, where there are columns of these."""
    rows = sheet_rows(path, is_header, data)
    if not rows.lines:
        return []
    number, header = rows.lines[0]
    with errors_in(path, number):
        columns = named_columns(header, kind)
    wanted = [columns.query, columns.document, columns.value, *columns.times]
    value, end = 'rank' if columns.has_rank else VALUE[kind], 'length' if columns.has_length else 'end'
    found = []
    for number, cells in rows.lines[1:]:
        if any(cells[len(header):]):
            raise FormatError(f'the line has {len(cells)} cells, but the first line names {len(header)} columns: put '
                              f'a text that holds {quoted(rows.separator)} between quotes', path, number)
        row = [_one_blank(cells[place]) if place < len(cells) else '' for place in wanted]
        if rows.separator == ';':  # of countries with a decimal comma
            row[2:] = [text.replace(',', '.') if _COMMA.fullmatch(text) else text for text in row[2:]]
        found.append((number, [*row[:3], value, *row[3:], *([end] if columns.times else [])]))
    if columns.of_files:
        for (_, fields), name in zip(found, _without_extension([fields[1] for _, fields in found])):
            fields[1] = name
    if columns.times and all(_is_segment(fields[1]) for _, fields in found):
        return [(number, fields[:4]) for number, fields in found]  # the id is the truth
    return found


def _without_extension(names: Sequence[str]) -> list[str]:
    """The names without an extension that all have; where the other file keeps it, the evaluation tells so."""
    found = {match and match[1] for match in map(_EXTENSION.fullmatch, names)}
    extension = found.pop() if len(found) == 1 else None
    return [name.removesuffix(extension or '') for name in names]


def _is_segment(id: str) -> bool:
    try:
        return '#' in id and parse_segment(id, elements=True).unit is not None
    except ValueError:
        return False


@lru_cache(maxsize=1 << 15)  # names and times come again
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


@each_text
def _plain_query(text: str) -> str:
    return _query(_one_blank(text))


def _number(text: str, what: str) -> Number:
    number = finite_number(text)
    if number is None and _COMMA.fullmatch(text):
        if _THOUSANDS.fullmatch(text):
            raise ValueError(f'{what} {quoted(text)} is either {text.replace(",", "")} or {text.replace(",", ".")}: '
                             'write it without a comma')
        number = finite_number(text.replace(',', '.'))
    if number is None:
        raise ValueError(f'{what} {quoted(text)} is not a number, but each row has one: write digits, such as 1 or 0.5'
                         if text else f'the cell of the {what} is empty, but each row has a number: fill it in')
    return int(number) if number.is_integer() and abs(number) < _LARGEST else number


@lru_cache(maxsize=1 << 15)
def _time(text: str, what: str) -> Number:
    try:
        clock = clock_seconds(text.replace(',', '.'))
    except ValueError as error:
        raise ValueError(f'{what} has the {error}') from None
    time = _number(text, what) if clock is None else plain_number(clock)
    if not 0 <= time < _LARGEST:
        raise ValueError(f'{what} {quoted(text)} is outside of the recording, but times are seconds from its '
                         'beginning, below 10^15: correct it')
    return time


@each_text
def _each_time(text: str) -> Number:
    return _time(_one_blank(text), 'time')


def _place(fields: list[str]) -> tuple[str, Number, Number]:
    """The document of a record with its start and end."""
    _, document, _, _, start, end, name = fields
    if _is_segment(document):
        raise ValueError(f'{quoted(document)} is a segment with a start and an end beside it, but the ids of others '
                         'are documents: write all of them as segments, or none')
    first, last = _time(start, 'start'), _time(end, name)
    last = round(first + last, 6) if name == 'length' else last
    if last < first:
        raise ValueError(f'{quoted(document)} ends at {quoted(end)}, before it starts at {quoted(start)}: swap the '
                         'two, or correct one')
    return _id(document), first, last


def _parse_qrel(fields: list[str]) -> SegmentQrel | TrecQrel:
    query, relevance = _query(fields[0]), _number(fields[2], 'grade')
    if len(fields) > 4:
        return SegmentQrel(query, *_place(fields), relevance)
    return TrecQrel(query, _id(fields[1]), relevance, '0')  # type: ignore[arg-type]  # as in trec


def _parse_scored_doc(fields: list[str]) -> SegmentScoredDoc | TrecScoredDoc:
    query, score = _query(fields[0]), _number(fields[2], fields[3])
    score = -score if fields[3] == 'rank' else score
    if len(fields) > 4:
        return SegmentScoredDoc(query, *_place(fields), score, 0, score, None, None)  # the rank comes late
    return TrecScoredDoc(query, _id(fields[1]), float(score))


_PARSERS: dict[str, Callable[[list[str]], Any]] = {'qrels': _parse_qrel, 'run': _parse_scored_doc}


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
    import csv
    import io
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
        csv.writer(text, delimiter=separator, lineterminator='').writerow(cells)
        return text.getvalue()
    header = ['query_id', 'doc_id', *(['start', 'end'] if columns else []), VALUE[kind]]
    write_text([_joined(header), *judged_lines(rows, line)], path)
    return left_out(rows, (), paths=True)


def _lines(kind: str) -> Lines:
    return Lines(one_row(_PARSERS[kind]), late='rank' if kind == 'run' else None, records=partial(_records, kind=kind))


CSV = Format(
    'csv', 'a spreadsheet, CSV or .xlsx: named columns, such as query, file, start, end, and grade or score', 't',
    Files(read_qrels, write_qrels, _lines('qrels')), Files(read_run, write_run, _lines('run')),
    lists=('queries', 'anchors', 'videos'))
TSV = CSV._replace(
    name='tsv', description='a spreadsheet with tabs: named columns, as in csv',
    qrels=CSV.qrels._replace(write=partial(write_qrels, separator='\t')),
    run=Files(read_run, partial(write_run, separator='\t'), _lines('run')))
