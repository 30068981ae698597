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
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.fields import all_whole, finite_number
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, has_suffix, read_bytes, refuse
from ir_segmeasures.formats.files.row_types import FileRows, TrecQrel, row_type_of
from ir_segmeasures.formats.files.sheets import UTF_16_MARKS, Line, Sheet, given, read_sheets, readings
from ir_segmeasures.formats.files.writing import left_out, write_text
from ir_segmeasures.formats.parquet import cells_of, rows_of_parts
from ir_segmeasures.formats.trec import SCORED
from ir_segmeasures.segments.basics import Array, bare_cell, cell_of, joined, plain_number, quoted
from ir_segmeasures.segments.segment import RECORDINGS, parse_segment, quote_id
from ir_segmeasures.segments.tables.adapters import TIMES, VALUE
from ir_segmeasures.segments.user_warnings import warn_user

# The names of columns, without blanks and signs; of several that are there, the first in this order.
_FILES = ('videoid', 'video', 'recordingid', 'recording', 'filename', 'file', 'infile', 'audio',
          'audiofilename', 'beginfile', 'beginpath', 'segmentid', 'episode')
_QUERY = ('queryid', 'qid', 'topicid', 'topic', 'query', 'question')
_TEXT = ('querytext', 'question', 'query', 'topic')  # of a query, in a column beside that of its id
# In tables of events, the query: of DCASE and DESED, of Raven and BirdNET, of EPIC-Kitchens and AudioSet.
_EVENTS = ('eventlabel', 'species', 'commonname', 'scientificname', 'narration', 'annotation', 'calltype', 'class',
           'description', 'episode', 'label')
DOCUMENT = ('docno', 'docid', 'documentid', 'document', 'doc', *_FILES, 'corpusid', 'pid', 'filepath', 'path')
_START = ('start', 'starttime', 'begin', 'begintime', 'from', 'onset', 'starttimestamp')
_END = ('end', 'endtime', 'stop', 'to', 'until', 'stoptimestamp', 'endtimestamp')
_LENGTH = ('length', 'duration', 'deltatime')
_VALUE = {'qrels': ('relevance', 'grade', 'label', 'rel', 'relevant', 'judgement', 'judgment', 'score'),
          'run': ('score', 'rank', 'confidence')}
_OTHER_UNITS = {'char', 'character', 'word', 'line', 'page', 'frame', 'm', 'millisecond'}  # without the s of plurals
_SUCH_AS = 'query,file,start,end, and grade for judgements or score for a run'

_UNIT = re.compile(r'[\W_]+(?:s|secs?|seconds|(?:hh:)?mm:ss)\W*$')
# Extensions of recordings, of their transcripts and of texts, by whose names without them ids are made elsewhere.
_EXTENSION = re.compile(rf'(?<=[^/.])\.({RECORDINGS}|vtt|srt|trs|[cs]tm|txt)$', re.IGNORECASE)


def is_header(cells: Sequence[str]) -> bool:
    """True where the cells of a line name the columns of a spreadsheet."""
    names = {*map(folded, cells)}
    queries, documents = names & {*_QUERY, *(_EVENTS if names & {*_START, 'offset'} else ())}, names & {*DOCUMENT}
    return bool(queries and documents) and len(queries | documents) > 1


def folded(name: str) -> str:
    """The name of a column without case, blanks, signs and the unit of its times."""
    return re.sub(r'[\W_]+', '', _UNIT.sub('', name.strip().casefold()))


def is_spreadsheet(path: StrPath) -> bool:
    """True where a file whose name ends as that of a spreadsheet is one, and not one of TREC with such a name: its
    first line does not have TREC's fields. One that ends in ``.txt`` has names of columns with tabs between them."""
    text = read_bytes(path, 1 << 16)
    decoded = text.decode('utf-16' if text[:2] in UTF_16_MARKS else 'utf-8-sig', 'replace')
    line = next((line for line in decoded.splitlines() if line.strip()), '')
    fields = line.split()
    number = {4: 3, 6: 4}.get(len(fields))
    named = not has_suffix(path, ('.txt',)) or len({*map(folded, line.split('\t'))} & {
        *_QUERY, *_EVENTS, *DOCUMENT, *_START, *_END}) > 1
    return named and (number is None or finite_number(fields[number]) is None)


def read(path: StrPath, kind: str, lines: bool = False, faults: list[FormatError] | None = None) -> FileRows[Any]:
    """Reads judgements (``kind='qrels'``) or retrieved items (``'run'``) of a spreadsheet, a row each, in file order.
    With ``lines``, columns such as ``start_line`` are those of starts and ends, too. Errors are added to the faults, if
    there is such a list.

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats import read_qrels
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'judgements.csv'
        >>> _ = path.write_text('Grade;Query;Recording;From;To\\n2;q1;Lecture 01;0:31;1:02,5\\n')
        >>> read_qrels(path)
        FileRows([SegmentQrel(query_id='q1', doc_id='Lecture%2001', start=31, end=62.5, relevance=2, iteration='0')])

    Raises:
        FormatError: a column is missing, a cell is not a number or no time, or a column has several readings
        ImportError: the file is one of Excel, and openpyxl is not installed
        OSError: the file cannot be opened
    """
    with errors_in(path, faults=faults):
        parts = [(sheet.name, _rows_of(sheet, kind, faults, lines)) for sheet in read_sheets(path, is_header, _SUCH_AS)]
        return rows_of_parts([part for part in parts if len(part[1])] or parts[:1])
    return FileRows.of(TrecQrel, ())  # of a file, or a first line, that cannot be read


def _rows_of(sheet: Sheet, kind: str, faults: list[FormatError] | None, of_lines: bool) -> FileRows[Any]:
    """The rows of a sheet that can be read; the errors about the others are added to the faults."""
    number, header = sheet.lines[0] if sheet.lines else (1, ('query', 'doc'))
    with errors_in(sheet.name, number):
        places = _columns(header, kind, of_lines)
        names, lines = list(map(folded, header)), sheet.lines[1:]
        if {'selection', 'view'} <= {*names}:  # Raven has a line for each view of a selection
            keys = [tuple(cell for name, cell in zip(names, cells) if name != 'view') for _, cells in lines]
            lines = [*map(dict(zip(keys[::-1], lines[::-1])).__getitem__, dict.fromkeys(keys))]
        texts = {name: [bare_cell(' '.join(''.join(cells[place:place + 1]).split())) for _, cells in lines]
                 for name, place in places.items()}
        if 'start' in texts:  # without clips of no event
            filled = [*map(any, zip(*(texts[name] for name in ('query', *TIMES) if name in texts)))]
            lines, texts = [*compress(lines, filled)], {
                name: [*compress(column, filled)] for name, column in texts.items()}
        if 'start' in texts and not of_lines and 'unit' in names:
            units = {cell.casefold().rstrip('s') for _, cells in lines for cell in cells[names.index('unit'):][:1]}
            if others := units & _OTHER_UNITS:
                raise ValueError(f'the column of units has {joined(sorted(others))}, but starts and ends in a '
                                 'spreadsheet are seconds: write others into the ids, such as v#char=10,20')
        files = _files_in(names[places['query']], names[places['document']], header, texts, sheet.name)
        segments = [row for row, id in enumerate(texts['document']) if _is_segment(id)]
        if len(segments) == len(lines):  # the id is the truth
            texts = {name: column for name, column in texts.items() if name not in TIMES}
        elif 'start' not in texts and len(header) > len(places):
            warn_user(f'{sheet.name}: no column is called start or end (there are {joined(map(quoted, header))}), so '
                      'that each row is a whole document: call the columns of times so if there are any')
        silent = _silent(sheet, lines, texts, kind)
        numbers = readings({name: column for name, column in texts.items() if name not in ('query', 'document')},
                           sheet.separator == ';', sheet.minutes)
    used = sorted((places[name] for name in texts), reverse=True)
    wrong = {row: sheet.unread[line, place] for row, (line, _) in enumerate(lines) for place in used
             if (line, place) in sheet.unread} if sheet.unread else {
        row: f'the line has {len(cells)} cells, but the first line names {len(header)} columns: put a text that '
             'holds the separator between quotes'
        for row, (_, cells) in enumerate(lines) if sheet.separator and any(cells[len(header):])}
    found = {'query': _converted(texts['query'], partial(given, 'query'), wrong, object),
             'document': _converted(texts['document'], partial(_id, 'document'), wrong, object),
             **{name: _converted(texts[name], convert, wrong) for name, convert in numbers.items()}}
    if 'start' in found:
        if 'offset' in found:  # of a file in a sequence of files, by whose times all others are
            found['length'], found['start'] = found['end'] - found['start'], found['offset']
        if 'length' in found:
            found['end'] = np.round(found['start'] + found['length'], 6)
        for row in np.flatnonzero(found['end'] < found['start']).tolist():
            wrong.setdefault(row, f'{quoted(texts["document"][row])} ends at {quoted(texts["end"][row])}, before it '
                                  f'starts at {quoted(texts["start"][row])}: swap the two, or correct one')
        for row in segments:
            wrong.setdefault(row, f'{quoted(texts["document"][row])} is a segment with a start and an end beside it, '
                                  'but the ids of others are documents: write all of them as segments, or none')
    value = -found['rank'] if 'rank' in found else found.get('grade', found.get('score'))
    if value is None:
        value = np.ones(len(lines)) if kind == 'qrels' else -np.arange(len(lines))
        value[silent] = 0
        if sheet.lines:
            lack = ('grades, so that each row has the grade 1' if kind == 'qrels' else
                    'scores or ranks, so that the order of the rows counts')
            warn_user(f'{sheet.name}: there is no column of {lack}')
    for row, sentence in sorted(wrong.items()):
        refuse(FormatError(sentence, sheet.name, lines[row][0]), faults)
    kept = [row for row in range(len(lines)) if row not in wrong and not (kind == 'run' and row in silent)]
    columns = {'query_id': found['query'], 'doc_id': found['document'],
               **{name: found[name] for name in ('start', 'end') if 'start' in found}, VALUE[kind]: value}
    columns = {name: column[kept] if column.dtype == object else all_whole(column[kept])
               for name, column in columns.items()} | ({'iteration': ['0'] * len(kept)} if kind == 'qrels' else {})
    return FileRows(row_type_of(tuple(columns)), columns.values(), [lines[row][0] for row in kept], {
        'file': [_id('document', files[row]) for row in kept]} if files else None)  # with their extensions


def _files_in(query: str, document: str, header: Sequence[str], texts: dict[str, list[str]], name: str) -> list[str]:
    """The names of files, where documents are such, which lose their extensions as documents. Those of events are
    without the folders of a machine. Raises ValueError for two of one name, and where queries are numbers."""
    files = texts['document'] if document in _FILES else []
    if query in _EVENTS:
        if query == 'label' and any(finite_number(label) is not None for label in texts['query']):
            raise ValueError(f'the first line has no column of queries ({joined(header)}): name one of them query')
        files, first = [re.split(r'[/\\]', path)[-1] or path for path in texts['document']], dict[str, str]()
        for file, path in zip(files, texts['document']):
            if first.setdefault(file, path) != path:
                raise ValueError(f'the files {quoted(first[file])} and {quoted(path)} have one name, by which files of '
                                 'events are told apart: rename one of them')
    if files:
        texts['document'] = [_EXTENSION.sub('', file) for file in files]
        last = dict(zip(texts['document'], files))
        if other := next((file for id, file in zip(texts['document'], files) if file != last[id]), None):
            warn_user(f'{name}: {quoted(other)} and {quoted(last[_EXTENSION.sub("", other)])} are one recording, '
                      'since extensions are left out of a column of files: call it doc_id if they are two')
    return files


def _silent(sheet: Sheet, lines: Sequence[Line], texts: dict[str, list[str]], kind: str) -> list[int]:
    """The rows of queries without times, which get zeros: in judgements nothing there is relevant."""
    times = [texts[name] for name in TIMES if name in texts]
    values = next((texts[name] for name in ('grade', 'score', 'rank') if name in texts), [''] * len(lines))
    silent = [row for row, value in enumerate(values) if times and value in ('', '0')
              and not any(column[row] for column in times)
              and not (sheet.separator and len(lines[row][1]) < len(sheet.lines[0][1]))]  # which is a part of a line
    if silent:
        warn_user(f'{sheet.name}: {len(silent)} rows have no times (such as line {lines[silent[0]][0]}), so that '
                  f'{"nothing there is relevant" if kind == "qrels" else "they retrieve nothing"}')
    for row in silent:
        for column in (*times, values):
            column[row] = '0'
    return silent


def _converted(texts: list[str], convert: Callable[[str], Any], wrong: dict[int, str], kind: Any = float) -> Array[Any]:
    """The column of texts, NaN or None for those that cannot be converted; the sentences about their rows are added to
    the wrong ones."""
    values: dict[str, Any] = dict.fromkeys(texts)
    faults: dict[str, str] = {}
    for text in values:
        try:
            values[text] = convert(text)
        except ValueError as error:
            faults[text] = str(error)
    wrong |= {row: faults[text] for row, text in enumerate(texts) if text in faults and row not in wrong}
    return np.array(list(map(values.get, texts)), kind)


def _columns(cells: Sequence[str], kind: str, of_lines: bool) -> dict[str, int]:
    """The places of the columns that the cells of the first line name: ``'query'``, ``'document'``; maybe ``'start'``
    and ``'end'`` or ``'length'``; ``'grade'``, ``'score'`` or ``'rank'``. Raises ``ValueError`` where one is missing.
    """
    names = list(map(folded, cells))
    bare = [re.sub('line(s(?!t))?', '', name) for name in names]
    if of_lines:
        names = [name if name in (*_START, *_END) else other for other, name in zip(names, bare)]

    def place(wanted: Sequence[str]) -> int | None:
        found = next((name for name in wanted if name in names), None)
        if found is not None and names.count(found) > 1:
            raise ValueError(f'two columns are called {quoted(cells[names.index(found)])}: give each a name of its own')
        return None if found is None else names.index(found)
    # The offset of an event is an end beside an onset, and else a start; that of a text counts characters.
    is_event, offset = not {*_QUERY} & {*names}, ['offset'] * ('offset' in names)
    start, end = place([*_START, *offset * is_event]), place([*_END, *_LENGTH, *offset * ('onset' in names)])
    found = {'query': place([name for name in _EVENTS if {*DOCUMENT} & {*names} - {name}]
                            if is_event and start is not None else _QUERY), 'start': start}
    if found['query'] is not None:
        names[found['query']] = ''  # which may be a name of documents or grades, too
    value, judged = place(_VALUE[kind]), place(_VALUE['qrels'])
    if kind == 'run' and value is None and judged is not None:
        raise ValueError('the first line names no column of scores or ranks, but one of grades, '
                         f"{quoted(cells[judged])}: give the file as judgements, or add a column 'score'")
    if (start is None) != (end is None):
        have, lack = ('start', 'end') if end is None else ('end', 'start')
        raise ValueError(f'the first line names a column of {have}s and none of {lack}s (it has {joined(cells)}), but '
                         f'a segment takes both: add a column {quoted(lack)}')
    for cell, name in zip(cells, bare) if start is None else ():
        if {name, *re.split(r'[\W_]+', cell.strip().casefold())} & {*_START, *_END, 'line', 'lines'}:
            raise ValueError(f'the column {quoted(cell)} is not in seconds as its name tells, but times are seconds or '
                             "mm:ss in columns 'start' and 'end': convert them; lines of code take --lines-from 1 "
                             '--inclusive (lines_from=1, inclusive=True), or are ids such as main.py#L19-L40')
    found |= {'document': place(DOCUMENT),
              'offset': place(['fileoffset']) if start is not None and names[start] == 'begintime' else None,
              'length' if end is not None and names[end] in _LENGTH else 'end': end,
              'grade' if kind == 'qrels' else 'score' if value is None or names[value] != 'rank' else 'rank': value}
    return {name: place for name, place in found.items() if place is not None}


def _is_segment(id: str) -> bool:
    try:
        return ('#' in id or ':' in id) and parse_segment(id, elements=True).unit is not None
    except ValueError:
        return False


def _id(what: str, name: str) -> str:
    """The id of a name, percent-encoded where it is none."""
    if given(what, name).split() == [name] and '"' not in name:
        return name
    document, sign, fragment = name.rpartition('#')
    return f'{quote_id(document)}#{fragment}' if sign and _is_segment(f'x#{fragment}') else quote_id(name)


def document_in(column: str, name: str) -> str:
    """The id of the document of a name in a column, as the rows of a spreadsheet have it."""
    return _id('document', _EXTENSION.sub('', name) if column in _FILES else name)


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
    if has_suffix(path, ('.xlsx', '.xlsm', '.xls', '.ods')):
        raise ValueError(f'{path} would be a file of Excel, but sheets are written as text: let its name end in .csv')
    rows, text = list(rows), io.StringIO()
    if not all(row.query_id.strip() and row.doc_id.strip() for row in rows):
        raise ValueError('an id is empty, but queries and documents are told apart by them: give both an id')
    table = cells_of(rows, kind, unit)
    sheet = csv.writer(text, delimiter=separator, lineterminator='\n')
    sheet.writerow(table)
    sheet.writerows([cell_of(str(plain_number(cell) if isinstance(cell, float) else cell)) for cell in line]
                    for line in zip(*table.values()))
    write_text(text.getvalue().removesuffix('\n').split('\n'), path)
    return left_out(rows, (), paths=True)


def read_query_texts(path: StrPath) -> dict[str, str]:
    """Query → its text, of sheets that have a column of texts, such as ``question``, beside that of ids."""
    found: dict[str, str] = {}
    for sheet in read_sheets(path, is_header, _SUCH_AS):
        lines = [[bare_cell(' '.join(cell.split())) for cell in cells] for _, cells in sheet.lines]
        names = list(map(folded, lines[0])) if lines else []
        ids = next((names.index(name) for name in _QUERY if name in names), None)
        texts = next((names.index(name) for name in _TEXT if name in names and names.index(name) != ids), None)
        if ids is not None and texts is not None:
            found |= {cells[ids]: cells[texts] for cells in lines[:0:-1] if max(ids, texts) < len(cells)}
    return found


def _files(kind: str, separator: str = ',') -> Files:
    return Files(partial(read, kind=kind), partial(write, kind=kind, separator=separator),
                 partial(read, kind=kind), rules=SCORED if kind == 'run' else None,
                 options=('lines',), texts=read_query_texts if kind == 'qrels' else None)


CSV = Format(
    'csv', 'a spreadsheet, CSV or .xlsx: named columns, such as query, file, start, end, and grade or score', 't',
    _files('qrels'), _files('run'), lists=('queries', 'anchors', 'videos'))
TSV = replace(CSV, name='tsv', description='a spreadsheet with tabs: named columns, as in csv',
              qrels=_files('qrels', '\t'), run=_files('run', '\t'))
