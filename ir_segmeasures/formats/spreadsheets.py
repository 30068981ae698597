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
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.fields import each_text, finite_number, interned
from ir_segmeasures.formats.files.folders import stem
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.order import ranks_by_score
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, read_bytes
from ir_segmeasures.formats.files.row_types import (
    FileRows,
    Number,
    SegmentQrel,
    SegmentScoredDoc,
    TrecQrel,
    TrecScoredDoc,
)
from ir_segmeasures.formats.files.sheets import Sheet, read_sheets
from ir_segmeasures.formats.files.writing import decimal, judged_lines, left_out, place_of, write_text
from ir_segmeasures.formats.trec import SCORED
from ir_segmeasures.segments.quoting import bare_cell, cell_of, joined, quoted
from ir_segmeasures.segments.segment import clock_seconds, parse_segment, quote_id
from ir_segmeasures.segments.spans import plain_number
from ir_segmeasures.segments.tables.adapters import VALUE
from ir_segmeasures.segments.user_warnings import warn_user

__all__ = ['CSV', 'TSV', 'is_header', 'is_spreadsheet', 'read', 'write']

# The names of columns, without blanks and signs; of several that are there, the first in this order. Those behind the
# usual ones are of tables of events: of DCASE and DESED, of Raven and BirdNET, and of EPIC-Kitchens.
_FILES = ('videoid', 'video', 'recordingid', 'recording', 'filename', 'file', 'audio', 'beginfile', 'beginpath')
_QUERY = ('queryid', 'qid', 'topicid', 'topic', 'query', 'question', 'eventlabel', 'species', 'commonname',
          'scientificname', 'narration', 'episode')
_DOCUMENT = ('docno', 'docid', 'documentid', 'document', 'doc', *_FILES, 'corpusid', 'pid')
_START = ('start', 'starttime', 'begin', 'begintime', 'from', 'onset', 'starttimestamp')
_END = ('end', 'endtime', 'stop', 'to', 'until', 'stoptimestamp', 'endtimestamp')
_LENGTH = ('length', 'duration')
_VALUE = {'qrels': ('relevance', 'grade', 'label', 'rel', 'relevant', 'judgement', 'judgment', 'score'),
          'run': ('score', 'rank', 'confidence')}
_SUCH_AS = 'query,file,start,end, and grade for judgements or score for a run'

_UNIT = re.compile(r'[\W_]+(?:s|secs?|seconds|(?:hh:)?mm:ss)\W*$')
# Extensions of recordings, of their transcripts and of texts, by whose names without them ids are made elsewhere.
_EXTENSION = re.compile(r'(?<=[^/.])\.(mp[34]|m4[av]|mkv|avi|mov|webm|mpe?g|og[gv]|flv|wmv|wav|flac|aac|opus|vtt|srt'
                        r'|trs|[cs]tm|txt)$', re.IGNORECASE)
_THOUSANDS = re.compile(r'[+-]?[1-9][0-9]{0,2},[0-9]{3}')  # or three decimals
_COMMA = re.compile(r'[+-]?(?:[0-9]+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+),[0-9]+')
_DOT = re.compile(r'[+-]?(?:[0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+)\.[0-9]+|[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3}){2,}')
_CLOCK = re.compile(r'[0-9]+:[0-9]{2}(?:[.,][0-9]+)?')  # without hours
_WHOLE_MINUTES = re.compile(r'[0-9]+:[0-9]{2}:00(?:[.,]0+)?')
_LARGEST = 10 ** 15  # as in segment ids


def is_header(cells: Sequence[str]) -> bool:
    """True where the cells of a line name the columns of a spreadsheet."""
    names = list(map(_folded, cells))
    return all(any(name in names for name in wanted) for wanted in (_QUERY, _DOCUMENT))


def _folded(name: str) -> str:
    return re.sub(r'[\W_]+', '', _UNIT.sub('', name.strip().casefold()))


def is_spreadsheet(path: StrPath) -> bool:
    """True where a file whose name ends as that of a spreadsheet is one, and not one of TREC with such a name: its
    first line does not have TREC's fields."""
    text = read_bytes(path, 1 << 16)
    fields = next((line for line in text.decode('utf-8-sig', 'replace').splitlines() if line.strip()), '').split()
    number = {4: 3, 6: 4}.get(len(fields))
    return number is None or finite_number(fields[number]) is None


def read(path: StrPath, kind: str) -> Sequence[Any]:
    """Reads judgements (``kind='qrels'``) or retrieved items (``'run'``) of a spreadsheet, a row each, in file order.

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
    rows = _read(path, kind, None)
    return rows if len(rows) else []


def _check(path: StrPath, kind: str) -> tuple[FileRows[Any], list[FormatError]]:
    faults: list[FormatError] = []
    try:
        return _read(path, kind, faults), faults
    except FormatError as error:  # about the file or its header
        return FileRows.of(TrecQrel, ()), [error]


def _read(path: StrPath, kind: str, faults: list[FormatError] | None) -> FileRows[Any]:
    parts = [(sheet.name, _rows_of(sheet, path, kind, faults)) for sheet in read_sheets(path, is_header, _SUCH_AS)
             if sheet.lines]
    parts = [(name, rows) for name, rows in parts if len(rows)]
    if len(parts) < 2:
        return parts[0][1] if parts else FileRows.of(TrecQrel, ())
    for name, rows in parts:
        if rows.row_type is not parts[0][1].row_type:
            raise FormatError('the sheets do not all have columns of times, but those of a file are alike: give all of '
                              'them the same columns', name)
    rows = FileRows.joined(parts)
    return _ranked(rows) if kind == 'run' else rows


def _ranked(rows: FileRows[Any]) -> FileRows[Any]:
    if 'rank' in rows.columns:
        rows.columns['rank'] = ranks_by_score(rows.columns['query_id'], rows.columns['score'])
    return rows


def _rows_of(sheet: Sheet, path: StrPath, kind: str, faults: list[FormatError] | None) -> FileRows[Any]:
    """The rows of a sheet that can be read."""
    number, header = sheet.lines[0]
    with errors_in(sheet.name, number):
        places = _columns(header, kind)
        needed = [places[name] for name in ('query', 'start', 'end', 'length') if name in places]
        lines = [(line, cells) for line, cells in sheet.lines[1:]  # without clips that have no event
                 if 'start' not in places or any(cells[place].strip() for place in needed if place < len(cells))]
        texts = {name: [bare_cell(' '.join(cells[place].split())) if place < len(cells) else '' for _, cells in lines]
                 for name, place in places.items()}
        if _folded(header[places['document']]) in _FILES:
            texts['document'] = [_EXTENSION.sub('', name) for name in texts['document']]
        if all(map(_is_segment, texts['document'])):  # the id is the truth
            texts = {name: column for name, column in texts.items() if name not in ('start', 'end', 'length')}
        converters = _converters(texts, sheet.separator == ';')
    texts['more'] = [f'{len(cells)}' if sheet.separator and any(cells[len(header):]) else '' for _, cells in lines]

    def row(*columns: list[str]) -> Any:
        return _row(dict(zip(texts, columns)), converters, kind, len(header))
    rows = Lines('a spreadsheet', ' '.join(texts), row).rows_from(
        sheet.name, [([line for line, _ in lines], list(map(list, zip(*texts.values()))))], faults)
    if not {'grade', 'score', 'rank'} & texts.keys():
        lack, rule = ('grades', 'each row has the grade 1') if kind == 'qrels' else (
            'scores or ranks', 'the order of the rows counts')
        warn_user(f'{os.fspath(path)}: there is no column of {lack}, so that {rule}')
        if kind == 'run' and len(rows):
            rows.columns |= dict.fromkeys({'score', 'run_score'} & rows.columns.keys(), -np.arange(len(rows)))
    return _ranked(rows) if kind == 'run' else rows


def _columns(cells: Sequence[str], kind: str) -> dict[str, int]:
    """The places of the columns that the cells of the first line name: ``'query'``, ``'document'``; maybe ``'start'``
    and ``'end'`` or ``'length'``; ``'grade'``, ``'score'`` or ``'rank'``. Raises ``ValueError`` where one is missing.
    """
    names = list(map(_folded, cells))

    def place(wanted: Sequence[str]) -> int | None:
        found = next((name for name in wanted if name in names), None)
        if found is not None and names.count(found) > 1:
            raise ValueError(f'two columns are called {quoted(cells[names.index(found)])}: give each a name of its own')
        return None if found is None else names.index(found)
    # The offset is an end beside an onset, and a start beside a length.
    start, end = place(_START), place([*_END, *_LENGTH, *(['offset'] if 'onset' in names else [])])
    value, judged = place(_VALUE[kind]), place(_VALUE['qrels'])
    if kind == 'run' and value is None and judged is not None:
        raise ValueError(f'the first line names no column of scores or ranks, but one of grades, '
                         f"{quoted(cells[judged])}: give the file as judgements, or add a column 'score'")
    if (start is None) != (end is None):
        have, lack = ('start', 'end') if end is None else ('end', 'start')
        raise ValueError(f'the first line names a column of {have}s and none of {lack}s (it has {joined(cells)}), but '
                         f'a segment takes both: add a column {quoted(lack)}')
    for cell in cells if start is None else ():
        if re.split(r'[\W_]+', cell.strip().casefold())[0] in (*_START, *_END):
            raise ValueError(f'the column {quoted(cell)} is not in seconds as its name tells, but times are '
                             "seconds or mm:ss: convert them, and call the columns 'start' and 'end'")
    found = {'query': place(_QUERY), 'document': place(_DOCUMENT), 'start': start,
             'length' if end is not None and names[end] in _LENGTH else 'end': end,
             'grade' if kind == 'qrels' else 'rank' if value is not None and names[value] == 'rank' else 'score': value}
    return {name: place for name, place in found.items() if place is not None}


def _converters(texts: dict[str, list[str]], comma: bool) -> dict[str, Callable[[list[str]], Any]]:
    """The converter of each column of numbers, whose reading all of its texts decide. ``comma`` says that cells are
    separated by semicolons, as where commas are decimal. Raises ValueError for a column with two readings."""
    times = [text for name in ('start', 'end', 'length') for text in texts.get(name, ())]
    short = next(filter(_CLOCK.fullmatch, times), None)
    long = [text for text in times if text.count(':') == 2]
    if short and long and all(map(_WHOLE_MINUTES.fullmatch, long)):
        raise ValueError(f'the times have {quoted(short)} and {quoted(long[0])}, so that {quoted(short)} is either '
                         f'minutes and seconds, or hours and minutes as {quoted(f"{short}:00")}: write all times of '
                         'the clock with hours, minutes and seconds')
    return {name: each_text(partial(_number if name in ('grade', 'score', 'rank') else _time, name,
                                    _decimal_sign(column, name, comma)))
            for name, column in texts.items() if name not in ('query', 'document')}


def _decimal_sign(texts: list[str], what: str, comma: bool) -> str | None:
    """The sign before the decimals of a column, ``','`` or ``'.'``; None where nothing tells."""
    with_comma = next((text for text in texts if _COMMA.fullmatch(text) and (comma or not _THOUSANDS.fullmatch(text))),
                      None)
    with_dot = None if not any(',' in text for text in texts) else next(filter(_DOT.fullmatch, texts), None)
    if with_comma and with_dot:
        raise ValueError(f'the column of {what}s has {quoted(with_comma)}, with a decimal comma, and '
                         f'{quoted(with_dot)}, with a decimal dot: write all of them alike')
    return ',' if with_comma else '.' if with_dot else None


def _number(what: str, sign: str | None, text: str) -> Number:
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
        raise ValueError(f'{what} {quoted(text)} is not a number, but each row has one: write digits, such as 1 or 0.5'
                         if text else _empty(what))
    return int(found) if found.is_integer() and abs(found) < _LARGEST else found


def _time(what: str, sign: str | None, text: str) -> Number:
    try:
        clock = clock_seconds(text.replace(',', '.'))
    except ValueError as error:
        raise ValueError(f'{what} has the {error}') from None
    found = _number(what, sign, text) if clock is None else plain_number(clock)
    if not 0 <= found < _LARGEST:
        raise ValueError(f'{what} {quoted(text)} is outside of the recording, but times are seconds from its '
                         'beginning, below 10^15: correct it')
    return found


def _empty(what: str) -> str:
    return f'the cell of the {what} is empty, but each row has one: fill it in, in rows below another too'


def _row(texts: dict[str, list[str]], converters: dict[str, Callable[[list[str]], Any]], kind: str, width: int) -> Any:
    """The row of columns. Raises ``ValueError`` if one is wrong."""
    if any(texts['more']):
        raise ValueError(f'the line has {texts["more"][0]} cells, but the first line names {width} columns: put a text '
                         'that holds the separator between quotes')
    if not all(texts['query']):
        raise ValueError(_empty('query'))
    found = {name: convert(texts[name]) for name, convert in converters.items()}
    documents = each_text(_id)(texts['document'])
    value: Any = -found['rank'] if 'rank' in found else found.get('grade', found.get('score', 1))
    place: list[Any] = [interned(texts['query']), documents]
    if 'start' in found:
        if any(map(_is_segment, texts['document'])):
            raise ValueError(f'{quoted(documents[0])} is a segment with a start and an end beside it, but the ids of '
                             'others are documents: write all of them as segments, or none')
        start, end = found['start'], found.get('end')
        if end is None:
            end = np.round((start + found['length']).astype(float), 6)
        if (end < start).any():
            raise ValueError(f'{quoted(documents[0])} ends at {quoted(texts["end"][0])}, before it starts at '
                             f'{quoted(texts["start"][0])}: swap the two, or correct one')
        place += [start, end]
    if kind == 'qrels':
        return (SegmentQrel if 'start' in found else TrecQrel)._make((*place, value, '0'))
    if 'start' in found:
        return SegmentScoredDoc._make((*place, value, 0, value, None, None))
    return TrecScoredDoc._make((*place, np.asarray(value, float) if found else 0.))


def _is_segment(id: str) -> bool:
    try:
        return '#' in id and parse_segment(id, elements=True).unit is not None
    except ValueError:
        return False


def _id(name: str) -> str:
    """The id of a name, percent-encoded where it is none."""
    if not name:
        raise ValueError(_empty('document'))
    if name.split() == [name] and '"' not in name:
        return name
    document, sign, fragment = name.rpartition('#')
    return f'{quote_id(document)}#{fragment}' if sign and _is_segment(f'x#{fragment}') else quote_id(name)


def write(rows: Sequence[Any], path: StrPath, unit: str | None = None, *, kind: str, separator: str = ',') -> list[str]:
    """Writes judgements or retrieved items, in the order of the rows, below the names of the columns.

    Args:
        rows: of any reader; ``start`` and ``end`` become columns if they are seconds, and parts of the ids if not
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`
        kind: ``'qrels'`` or ``'run'``
        separator: of cells

    Returns, Raises:
        as there; also ValueError: the path is that of a file of Excel
    """
    if stem(path, ('.xlsx', '.xls')) != stem(path, ()):
        raise ValueError(f'{path} would be a file of Excel, but spreadsheets are written as text: let its name end in '
                         '.csv')
    rows, text = list(rows), io.StringIO()
    sheet = csv.writer(text, delimiter=separator, lineterminator='\n')

    def cells(row: Any) -> dict[str, str]:
        place = {name: value if name == 'doc_id' else decimal(plain_number(value), name)
                 for name, value in place_of(row, unit).items()}
        if not row.query_id.strip() or not row.doc_id.strip():
            raise ValueError('an id is empty, but queries and documents are told apart by them: give both an id')
        if 'start' in place and _is_segment(row.doc_id):
            raise ValueError('a row with a start and an end has a document without a fragment: correct the row')
        return {'query_id': row.query_id, **place, VALUE[kind]: decimal(getattr(row, VALUE[kind]), VALUE[kind])}
    lines = judged_lines(rows, cells)
    sheet.writerow(lines[0] if lines else ['query_id', 'doc_id', VALUE[kind]])
    sheet.writerows(map(cell_of, line.values()) for line in lines)
    write_text(text.getvalue().removesuffix('\n').split('\n'), path)
    return left_out(rows, (), paths=True)


def _files(kind: str, separator: str = ',') -> Files:
    return Files(partial(read, kind=kind), partial(write, kind=kind, separator=separator), partial(_check, kind=kind),
                 rules=SCORED if kind == 'run' else None)


CSV = Format(
    'csv', 'a spreadsheet, CSV or .xlsx: named columns, such as query, file, start, end, and grade or score', 't',
    _files('qrels'), _files('run'), lists=('queries', 'anchors', 'videos'))
TSV = replace(CSV, name='tsv', description='a spreadsheet with tabs: named columns, as in csv',
              qrels=_files('qrels', '\t'), run=_files('run', '\t'))
