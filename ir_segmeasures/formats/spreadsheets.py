"""Spreadsheets of judgements and of runs: columns by name, in CSV, TSV or the files of Excel.

Names of columns, separators, decimal commas and clock times are recognised as people write them.
"""

import os
import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.fields import finite_number
from ir_segmeasures.formats.files.folders import stem
from ir_segmeasures.formats.files.format import Files, Format, Lines, one_row
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in
from ir_segmeasures.formats.files.row_types import Number, SegmentQrel, SegmentScoredDoc, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.files.sheets import first_cells, sheet_rows
from ir_segmeasures.formats.files.writing import decimal, judged_lines, left_out, rank_numbers, write_text
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.segment import Segment, clock_seconds, format_segment, parse_segment, quote_id
from ir_segmeasures.segments.spans import plain_number
from ir_segmeasures.segments.tables.adapters.base import VALUE

__all__ = ['CSV', 'TSV', 'is_header', 'is_spreadsheet', 'read_qrels', 'read_run', 'write_qrels', 'write_run']

# The names of columns, without blanks and signs; of several that are there, the first in this order.
_FILES = ('videoid', 'video', 'recordingid', 'recording', 'filename', 'file', 'audio')
_QUERY = ('queryid', 'qid', 'topicid', 'topic', 'query', 'question')
_DOCUMENT = ('docno', 'docid', 'documentid', 'document', 'doc', *_FILES, 'corpusid', 'pid')
_START = ('start', 'starttime', 'begin', 'begintime', 'from')
_END = ('end', 'endtime', 'stop', 'to', 'until')
_LENGTH = ('length', 'duration')
_VALUE = {'qrels': ('relevance', 'grade', 'label', 'rel', 'relevant', 'judgement', 'judgment', 'score'),
          'run': ('score', 'rank')}
_REPAIRS = {'queries': 'query', 'documents': 'file', 'qrels': 'grade', 'run': 'score'}

_UNIT = re.compile(r'[\W_]+(?:s|secs?|seconds|(?:hh:)?mm:ss)\W*$')
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
    if rows and hasattr(rows[0], 'rank'):
        rows = [row._replace(rank=rank) for row, rank in zip(rows, rank_numbers(rows))]
    return rows


def _read(path: StrPath, kind: str) -> list[Any]:
    rows = []
    for number, fields in _records(path, kind):
        try:
            rows.append(_PARSERS[kind](fields))
        except ValueError as error:
            raise FormatError(str(error), path, number) from None
    return rows


class _Columns(NamedTuple):
    """The places of columns in a spreadsheet; None where there is no such column."""
    query: int
    document: int
    value: int
    start: int | None
    end: int | None


def is_header(cells: Sequence[str]) -> bool:
    """Whether the cells of a line name the columns of a spreadsheet."""
    names = list(map(_folded, cells))
    return all(any(name in names for name in wanted) for wanted in (_QUERY, _DOCUMENT))


def is_spreadsheet(path: StrPath) -> bool:
    """Whether a file whose name ends as that of a spreadsheet is one, and none of TREC with such a name: its first line
    names columns, or it is parted by commas."""
    name = os.fspath(path).lower().removesuffix('.gz')
    if not name.endswith(('.csv', '.tsv')):
        return True
    cells = first_cells(path)
    blanks = ','.join(cells.get(',', ())).split()
    of_trec = len(blanks) in (4, 6) and len(cells[','][0].split()) == 3  # the first comma is that of a segment's id
    return any(map(is_header, cells.values())) or (
        name.endswith('.csv') and not cells.keys().isdisjoint(',;') and not of_trec)


def _folded(name: str) -> str:
    return re.sub(r'[\W_]+', '', _UNIT.sub('', name.strip().casefold()))


def _columns(cells: Sequence[str], kind: str) -> _Columns:
    """The columns that the cells of the first line name. Raises ``ValueError`` where one is missing."""
    names = list(map(_folded, cells))

    def place(wanted: Sequence[str]) -> int | None:
        found = next((name for name in wanted if name in names), None)
        if found is None:
            return None
        if names.count(found) > 1:
            raise ValueError(f'two columns are called {quoted(cells[names.index(found)])}: give each a name of its own')
        return names.index(found)

    def needed(wanted: Sequence[str], what: str) -> int:
        found = place(wanted)
        if found is None:
            raise ValueError(f'the first line names no column of {_SHOWN.get(what, what)} (it has {joined(cells)}), '
                             f'but each row of a spreadsheet has one: call it {quoted(_REPAIRS[what])}')
        return found
    columns = _Columns(needed(_QUERY, 'queries'), needed(_DOCUMENT, 'documents'), needed(_VALUE[kind], kind),
                       place(_START), place([*_END, *_LENGTH]))
    if (columns.start is None) != (columns.end is None):
        have, lack = ('start', 'end') if columns.end is None else ('end', 'start')
        raise ValueError(f'the first line names a column of {have}s and none of {lack}s (it has {joined(cells)}), but '
                         f'a segment takes both: add a column {quoted(lack)}')
    if columns.start is None:
        for cell in cells:
            if re.split(r'[\W_]+', cell.strip().casefold())[0] in (*_START, *_END):
                raise ValueError(f'the column {quoted(cell)} is not in seconds as its name tells, but times are '
                                 "seconds or mm:ss: convert them, and call the columns 'start' and 'end'")
    return columns


_SHOWN = {'qrels': 'grades', 'run': 'scores or ranks'}


def _records(path: StrPath, kind: str) -> list[Record]:
    """The number of each line that is not blank, and its fields: query, document, value and its name; and start, end,
    and what the end is, ``'end'`` or ``'length'``, where there are columns of these."""
    rows = sheet_rows(path, is_header)
    if not rows.lines:
        return []
    number, header = rows.lines[0]
    with errors_in(path, number):
        columns = _columns(header, kind)
    names = list(map(_folded, header))
    times = [] if columns.start is None or columns.end is None else [columns.start, columns.end]
    wanted = [columns.query, columns.document, columns.value, *times]
    found = []
    for number, cells in rows.lines[1:]:
        if any(cells[len(header):]):
            raise FormatError(f'the line has {len(cells)} cells, but the first line names {len(header)} columns: put '
                              f'a text that holds {quoted(rows.separator)} between quotes', path, number)
        row = [' '.join(cells[place].split()) if place < len(cells) else '' for place in wanted]
        if rows.separator == ';':  # of countries with a decimal comma
            row[2:] = [text.replace(',', '.') if _COMMA.fullmatch(text) else text for text in row[2:]]
        found.append((number, [*row[:3], 'rank' if names[columns.value] == 'rank' else VALUE[kind], *row[3:],
                               *['length' if names[place] in _LENGTH else 'end' for place in times[1:]]]))
    if names[columns.document] in _FILES:
        _cut_extension(found)
    if times and all(_is_segment(fields[1]) for _, fields in found):
        return [(number, fields[:4]) for number, fields in found]  # the id is the truth
    return found


def _cut_extension(records: Sequence[Record]) -> None:
    """Takes an extension that all names have off them; where the other file keeps it, the evaluation tells so."""
    found = {match and match[1] for match in (_EXTENSION.fullmatch(fields[1]) for _, fields in records)}
    extension = found.pop() if len(found) == 1 else None
    for _, fields in records:
        fields[1] = fields[1].removesuffix(extension or '')


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
