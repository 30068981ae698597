"""What is fuzzed: the id parser, every reader, and every writer with its reader. Each target takes bytes, and fails
where an input does not end in rows or in one sentence of ours, or is not read back as it was written."""

import atexit
import gzip
import json
import linecache
import math
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from traceback import walk_tb
from typing import Any

import ir_measures
import numpy as np
from ir_measures import AP, P
from readers import READERS

from ir_segmeasures.checks import check
from ir_segmeasures.commands.parser import UsageError
from ir_segmeasures.commands.runs import named_measures
from ir_segmeasures.formats import FORMATS, FormatError, WriteError, trec
from ir_segmeasures.formats.files.reading import TooLarge
from ir_segmeasures.ids.documents import align, to_documents
from ir_segmeasures.ids.encoding import with_ids
from ir_segmeasures.ids.patterns import IdPattern
from ir_segmeasures.ids.resolving import offsets_of, resolve
from ir_segmeasures.segments.segment import UNITS, Segment, format_segment, parse_segment
from ir_segmeasures.segments.tables.positions import exact_decimals
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.study.runs.score_file import ScoreFile
from ir_segmeasures.texts.cutting import read_spans, transcript_lines
from ir_segmeasures.texts.xml import compile_xpath, read_elements

MEASURES = [ir_measures.parse_measure(name) for line in (
    'AiSP iSP@0.5 ASP CharAP PassageAP T2I_AP P_tol@5 Judged_tol@5 T2I_P@50 ESL(D=100)@1 ESLRF(D=100) ESD(D=100)',
    'Precall(D=100) AgP gP@5 gR@5 igP@0.5 AigP iP@0.5 AiP AP_over P_over@5 AP_bin P_bin@5 Judged_over@5 Judged_bin@5',
    'RR_over P_new@5 Rprec_new GAP P_cov R_cov SegP SegR SegF') for name in line.split()]
TARGETS: dict[str, Callable[[bytes], None]] = {}
LONGEST = 2400  # characters of a sentence, however long the values are: some become ten when they are shown

FOLDER = tempfile.mkdtemp(dir='/dev/shm' if os.path.isdir('/dev/shm') else None)


def _tidy(pid: int = os.getpid()) -> None:
    if os.getpid() == pid:  # forked processes end before
        shutil.rmtree(FOLDER, ignore_errors=True)


atexit.register(_tidy)


def _file(data: bytes, name: str = 'file') -> Path:
    path = Path(FOLDER, f'{os.getpid()}-{name}')  # forked processes have their own
    path.write_bytes(gzip.compress(data) if name.endswith('.gz') else data)
    return path


@contextmanager
def said(*kinds: type[Exception]) -> Iterator[None]:
    """Errors may be of these kinds, and not of kinds that are made of them: a UnicodeError is not ours."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            yield
    except kinds as error:
        if type(error) not in kinds and not (type(error) is TooLarge and FormatError in kinds):
            raise
        sentence = str(error)
        assert '\n' not in sentence and ': ' in sentence, sentence
        *_, (frame, line) = walk_tb(error.__traceback__)
        assert linecache.getline(frame.f_code.co_filename, line).lstrip().startswith('raise'), f'of Python: {sentence}'
        assert len(sentence) <= LONGEST, f'{len(sentence)} characters: {sentence}'


def target(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def add(function: Callable[..., None]) -> Callable[..., None]:
        TARGETS[name] = function
        return function
    return add


def _text(data: bytes) -> str:
    return data.decode('utf-8', 'surrogateescape')  # half of a surrogate pair is what some tools leave


@target('id')
def _id(data: bytes) -> None:
    id = _text(data)
    table = segment = None
    with said(RowError):
        table = SegmentTable.from_qrels([{'query_id': 'q', 'doc_id': id, 'relevance': 1}], elements=True)
    with said(ValueError):
        segment = parse_segment(id, elements=True)
        assert table is not None and table.document_ids == [segment.document]
        assert (table.start[0], table.end[0]) == tuple(exact_decimals(np.array([segment.start, segment.end])))
        again = format_segment(segment) if segment.unit or not segment.path else None
        if again is not None:
            assert format_segment(parse_segment(again)) == again
            return
    assert segment is not None or table is None or table.unit[0] < 0


@target('pattern')
def _pattern(data: bytes) -> None:
    pattern, _, id = _text(data).partition('\n')
    with said(ValueError):
        segment = IdPattern(pattern, UNITS[len(id) % 4]).segment(id)
        if segment is not None:
            format_segment(segment)


@target('measure')
def _measure(data: bytes) -> None:
    with said(UsageError):
        list(map(str, named_measures([''.join(_text(data).split())])))


def _scores_of(path: Path) -> ScoreFile:
    return ScoreFile(path, [AP, P@5], True, 'x')


@target('two-writers')
def _two_writers(data: bytes) -> None:
    """Two processes on one file, which take turns, end without a word, and are begun anew: no finished run is lost."""
    path = _file(b'', 'shared.csv')
    path.unlink(missing_ok=True)
    writers = [_scores_of(path) for _ in range(2)]
    added: dict[str, set[float]] = {}
    for byte in data[:24]:
        who, step, run, value = byte & 1, byte >> 1 & 3, f'r{byte >> 3 & 3}', (byte >> 5) / 8
        if step:
            writers[who].add(run, str(byte), {'q': [value, value]})
            added.setdefault(run, set()).add(value)
        else:  # killed while it wrote a line
            with open(path, 'ab') as scores:
                scores.write(b'killed,q,AP,0.')
            writers[who] = _scores_of(path)
    runs = _scores_of(path).runs
    assert runs.keys() == added.keys(), (runs, added)
    assert all(set(runs[run].values['q']) <= values for run, values in added.items()), (runs, added)


def _json(data: bytes) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(data)
    return []


@target('rows')
def _rows(data: bytes) -> None:
    for make in (SegmentTable.from_run, SegmentTable.from_qrels, with_ids, to_documents, lambda rows: align(rows, rows),
                 lambda rows: resolve(rows, {'v': Segment('w', 0, 1, 't')})):
        rows = _json(data)
        with said(RowError, ValueError, TypeError):
            make(rows)


@target('corpora')
def _corpora(data: bytes) -> None:
    path = _file(data)
    with said(ValueError):
        offsets_of(['a#1', 'b'], path, {
            'id': 'docid', 'start': 'start_char', 'end': 'end_char', 'doc': 'doc' if data.startswith(b' ') else None})


@target('evaluate')
def _evaluate(data: bytes) -> None:
    """Judgements, an empty line and a run: every measure has a number, or one sentence says why not."""
    judged, _, found = data.partition(b'\n\n')
    with suppress(FormatError):
        qrels, run = trec.read_qrels(_file(judged)), trec.read_run(_file(found, 'run'))
        with said(RowError, ValueError):
            for metric in ir_measures.iter_calc(MEASURES, qrels, run):
                assert not math.isnan(metric.value), metric


@target('lines')
def _lines(data: bytes) -> None:
    value = _json(data)
    with said(ValueError):
        transcript_lines(value)
    with said(ValueError):
        read_spans(value, 't' if data[-1:] == b' ' else 'char', 99)


@target('xml')
def _xml(data: bytes) -> None:
    source: Any = data if data[:1] == b'<' else _text(data)
    with said(ValueError):
        text, elements = read_elements(source)
        assert all(0 <= element.start <= element.end <= len(text) for element in elements)


@target('xpath')
def _xpath(data: bytes) -> None:
    with said(ValueError):
        compile_xpath(_text(data))
        read_elements('<a><b><c/>x</b>y</a>', xpath=_text(data))


def _reader(read: Callable[..., Any], name: str, data: bytes) -> None:
    with said(FormatError):
        read(_file(data, name))


TARGETS.update({name: partial(_reader, read, file) for name, (read, file) in READERS.items()})


def _format(name: str, kind: str, data: bytes) -> None:
    """A reader; what it reads is a table, has a line for each row, and goes through the format's own writer; what it
    refuses is refused by the check of the format too, and what it reads can be checked."""
    format = FORMATS[name]
    files, path, rows = format.files(kind), _file(data, 'file'), None
    assert files is not None
    with said(FormatError):
        found = files.read(path)
        rows = list(found)
        lines = getattr(found, 'lines', None)
        assert lines is None or len(lines) == len(rows), 'lines'
    with said(FormatError, ValueError):
        findings = check(path, name, kind)
        # A single frame can be read where the rate of its video is given.
        assert rows is not None or not all(finding.is_warning and finding.rule != 'single_frame'
                                           for finding in findings), 'not checked'
    if rows is None:
        return
    with said(RowError, ValueError):
        make = SegmentTable.from_run if kind == 'run' else SegmentTable.from_qrels
        assert len(make(rows, elements=True)) == len(rows)
        assert not any(finding.rule == 'readable' and not finding.is_warning and finding.line is None
                       for finding in findings), 'refused'
    if files.write is not None:
        _round(rows, name, kind)


def _round(rows: Any, name: str, kind: str, lossless: bool = False) -> None:
    files = FORMATS[name].files(kind)
    assert files is not None and files.write is not None
    path = Path(FOLDER, f'{os.getpid()}-written')
    with said(WriteError, FormatError):
        files.write(rows, path, None)
        read = list(files.read(path))
        files.write(read, path, None)
        assert list(files.read(path)) == read, 'written again'
        if lossless:
            assert set(map(_place, read)) == set(map(_place, rows)), 'read back'


def _place(row: Any) -> tuple[Any, ...]:
    if hasattr(row, 'end'):
        return row.query_id, row.doc_id, row.start, row.end
    segment = parse_segment(row.doc_id, elements=True)
    return row.query_id, segment.document, segment.start, segment.end


def _written(name: str, kind: str, data: bytes) -> None:
    """Rows of TREC's files through the writer and the reader of a format."""
    trec = FORMATS['trec'].files(kind)
    assert trec is not None
    try:
        rows = trec.read(_file(data, 'file'))
        times = [time for row in rows for time in _place(row)[2:]]
    except ValueError:
        return
    # Some formats round, and INEX' runs in XML have paths without offsets: the writers say so.
    exact = all(time == math.floor(time) for time in times if time < math.inf) and not any(
        '#xpath=' in row.doc_id for row in rows)
    _round(rows, name, kind, exact)


for _name in FORMATS:
    for _kind in ('qrels', 'run'):
        _files = FORMATS[_name].files(_kind)
        if _files is not None:
            TARGETS[f'{_name}-{_kind}'] = partial(_format, _name, _kind)
            if _files.write is not None:
                TARGETS[f'write-{_name}-{_kind}'] = partial(_written, _name, _kind)
