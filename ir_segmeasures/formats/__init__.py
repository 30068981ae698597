"""Readers and writers of the campaigns' files: rows out, rows in. One table says which formats there are.

Formats know files and nothing else: what the rows are measured with is decided elsewhere.
"""

from __future__ import annotations

import os
import re
from collections import namedtuple
from collections.abc import Mapping, Sequence
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, read_bytes
from ir_segmeasures.formats.files.row_types import FileRows, SegmentQrel, SegmentScoredDoc, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.registry import FORMATS, HEADS, HOMES, MODULES, SUFFIXES, imported
from ir_segmeasures.segments.basics import quoted

if TYPE_CHECKING:
    from ir_segmeasures.formats.requests import ReadRequest
    from ir_segmeasures.ids.resolving import Extent

__all__ = ['DresQrel', 'FORMATS', 'FileRows', 'Files', 'Format', 'FormatError', 'GenomicsQrel', 'InexElement',
           'InexPathScoredDoc', 'InexQrel', 'InexScoredDoc', 'Lines', 'MODULES', 'MomentQrel', 'ReadRequest', 'Rules',
           'SUFFIXES', 'SegmentQrel', 'SegmentScoredDoc', 'ShotQrel', 'ShotScoredDoc', 'TrecQrel', 'TrecScoredDoc',
           'WriteError', 'answers', 'described', 'format_at', 'format_of', 'genomics', 'in_file', 'inex',
           'inex_assessments', 'inex_xml', 'mediaeval', 'moments', 'podcasts',
           'read_qrels', 'read_run', 'read_transcript', 'read_transcripts', 'shots', 'transcripts', 'trec', 'trecvid',
           'vbs', 'write_qrels', 'write_run']


def __getattr__(name: str) -> Any:
    if name in __all__:
        return imported(HOMES.get(name, f'.{name}'))
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


def read_qrels(path: StrPath, format: str = 'trec', *, ids: str | None = None,
               table: Mapping[str, Extent] | StrPath | None = None, unit: str | None = None,
               segments: bool = False, subset: str | None = None,
               texts: Mapping[str, str] | StrPath | None = None, unlocated: str | None = None,
               lines_from: int | None = None, inclusive: bool = False) -> Sequence[Any]:
    """Reads judgements in one of ``FORMATS``.

    A file that ends in ``.gz`` is unpacked. The endings ``.parquet``, ``.csv``, ``.tsv`` and ``.xlsx`` choose their
    format where no other format than ``'trec'`` is named.

    Args:
        path: the file
        format: the name of its format
        ids, table, unit, segments, lines_from, inclusive: as for :func:`read_run`
        subset: for the format ``activitynet``, the subset of the videos whose judgements are read, such as
            ``'validation'``
        texts: document → its text, or the path of a folder of texts or of JSON lines
            (:func:`~ir_segmeasures.formats.texts.read_collection`), in which quotes are looked for
        unlocated: what becomes of quotes without a single place in their texts: ``'error'`` refuses them, ``'warn'``
            leaves them out with a warning that lists them, ``'first'`` takes the first of several places. In formats of
            evidence

    Examples:
        >>> from ir_segmeasures import sample
        >>> from ir_segmeasures.formats import read_qrels
        >>> read_qrels(sample.path('qrels.txt'))[0].doc_id
        'bees-01#t=0,22.7'

    Raises:
        FormatError: the file breaks a rule of the format, or an id is not a segment where all have to be segments
        ValueError: there is no such format, it has no such option, or ``ids`` and ``table`` are both given
        OSError: the file, or that of the table, cannot be opened
    """
    from ir_segmeasures.formats.requests import ReadRequest  # which imports this module
    return _rows(ReadRequest(path, 'qrels', format, ids, table, unit, subset=subset, texts=texts, unlocated=unlocated,
                             lines_from=lines_from, inclusive=inclusive), segments)


def read_run(path: StrPath, format: str = 'trec', *, ids: str | None = None,
             table: Mapping[str, Extent] | StrPath | None = None, unit: str | None = None, segments: bool = False,
             task: str | None = None, clip: bool = False, durations: Mapping[str, float] | None = None,
             normalised: bool = False, videos: Mapping[str, str] | None = None,
             texts: Mapping[str, str] | StrPath | None = None, unlocated: str | None = None,
             lines_from: int | None = None, inclusive: bool = False) -> Sequence[Any]:
    """Reads a run in one of ``FORMATS``; the ending of the file counts as for :func:`read_qrels`.

    Args:
        path: the file
        format: the name of its format
        ids: a pattern that makes segments of the file's ids, such as ``'{doc}_{start}-{end}'``
            (:class:`~ir_segmeasures.ids.patterns.IdPattern`)
        table: a table of the segments that the file's ids stand for, as :func:`~ir_segmeasures.resolve` takes it; or
            its path (:func:`~ir_segmeasures.formats.extents.read_extents`). Ids that are segments stay what they are
        unit: what the numbers of ``ids`` or ``table`` count, such as ``'char'``; characters for ``ids`` and seconds for
            ``table`` if it is not given
        segments: whether every row has to be a segment, an element or a whole document, as measures of segments take
            them. With ``ids`` or ``table`` it has to be one
        task: for the format ``tvr``, which predictions are read: ``'VCMR'``, ``'SVMR'`` or ``'VR'``
        clip: for the formats ``moments``, ``tvr``, ``ego4d-nlq``, ``activitynet`` and ``answers``, whether a window may
            start before its video; such a window is not changed
        durations: video → its duration, for the formats of ``clip``; windows are cut off at 0 and at the duration
        normalised: for the formats of ``clip`` but ``tvr``, whether times are fractions of
            ``durations`` (0 to 1), or percentages where most of the windows end after 1. Without ``durations``, the
            durations in the file count
        videos: query → its video, for the format ``answers``, where answers name no video
        texts, unlocated: as for :func:`read_qrels`, for the format ``chunks``
        lines_from: the number of the first line of a document, 0 or 1, where starts and ends are lines of code
        inclusive: whether the line with the number of the end belongs to the segment. Either makes ids such as
            ``main.py#line=18,40`` of columns, and counts in ids of ``unit`` (``'line'`` if it is not given), but for
            ``main.py#L19-L40``, which is the same anyway

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures.formats import read_run
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'my.run'
        >>> _ = path.write_text('q1 Q0 shot1_1 1 12.5 mine')
        >>> read_run(path, table={'shot1_1': ('rec', 0, 19.5)})[0]
        ScoredDoc(query_id='q1', doc_id='rec#t=0,19.5', score=12.5)
        >>> from ir_segmeasures import formats, sample
        >>> run = formats.read_run(sample.path('good.run'))
        >>> len(run), run[0].query_id
        (189, 'q1')

    Raises:
        FormatError: the file breaks a rule of the format, or an id is not a segment where all have to be segments; the
            error names the file, and the line where one is wrong
        ValueError: there is no such format, it has judgements only, or it has no such option; ``ids`` and ``table`` are
            both given
        OSError: the file, or that of the table, cannot be opened
    """
    from ir_segmeasures.formats.requests import ReadRequest
    request = ReadRequest(path, 'run', format, ids, table, unit, task, clip or durations is not None,
                          normalised=normalised, videos=videos, texts=texts, unlocated=unlocated,
                          lines_from=lines_from, inclusive=inclusive)
    return _rows(request, segments, durations)


def _rows(request: ReadRequest, segments: bool, durations: Mapping[str, float] | None = None) -> Any:
    rows = request.read()
    if request.normalised:
        rows, _ = request.in_seconds(rows, durations or {})
    if durations is not None:
        from ir_segmeasures.formats.extents import clipped
        rows, _ = clipped(rows, durations)
    rows = request.with_segment_ids(rows)
    return request.checked(rows) if segments or request.ids is not None or request.table is not None else rows


def write_qrels(rows: Sequence[Any], path: StrPath, format: str = 'trec', unit: str | None = None) -> list[str]:
    """Writes judgements, such as a reader gives, in one of ``FORMATS``.

    A file that ends in ``.gz`` is packed. The file appears as a whole, or not at all.

    Args:
        rows: judgements in any shape that measures take, or rows of this package; with ``start`` and ``end``, or with
            segment ids
        path: the file
        format: the name of its format
        unit: the unit of ``start`` and ``end``, which is the ``unit`` of the format that the rows were read from; if it
            is not given, the unit of ``format``

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures import formats
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'qrels.txt'
        >>> formats.write_qrels([formats.SegmentQrel('q1', 'talk', 60, 90, 1)], path, 'sh-search')
        []
        >>> print(path.read_text(), end='')
        q1 0 talk 1.00 1.30 1
        >>> formats.write_qrels(formats.read_qrels(path, 'sh-search'), path, 'trec', unit='t')
        []
        >>> print(path.read_text(), end='')
        q1 0 talk#t=60,90 1

    Returns:
        what the rows have and the file cannot hold, in words

    Raises:
        WriteError: a row that the format cannot hold, or only with another meaning; nothing is written
        ValueError: there is no such format, or it cannot be written
        OSError: the file cannot be written
    """
    return _write('qrels', rows, path, format, unit)


def write_run(rows: Sequence[Any], path: StrPath, format: str = 'trec', unit: str | None = None,
              **options: Any) -> list[str]:
    """Writes a run in one of ``FORMATS``, as :func:`write_qrels` writes judgements. Items are ranked by ``score``.

    Args:
        rows: the items of the run, in any shape that measures take; with ``start`` and ``end``, or with segment ids
        path, format, unit: as for :func:`write_qrels`
        options: options of the format's writer, such as ``task='SVMR'`` of ``tvr``

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures import formats
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'mine.run'
        >>> formats.write_run([ScoredDoc('q1', 'talk#t=60,90', 2.5)], path)
        []
        >>> print(path.read_text(), end='')
        q1 Q0 talk#t=60,90 1 2.5 ir_segmeasures

    Returns:
        what the rows have and the file cannot hold, in words

    Raises:
        WriteError, ValueError, OSError: as for :func:`write_qrels`
    """
    return _write('run', rows, path, format, unit, **options)


def described() -> str:
    """The formats, one a line with its description, for the help of commands.

    Examples:
        >>> from ir_segmeasures import formats
        >>> print(formats.described().splitlines()[0])
          trec            TREC: 4-column qrels, 6-column runs, ids of any kind
    """
    width = max(map(len, FORMATS))
    return '\n'.join(f'  {name:{width}}  {format.description}' for name, format in FORMATS.items())


def format_at(path: StrPath, format: str = 'trec') -> str:
    """The name of the format of a file: that of its ending (:data:`SUFFIXES`), also of the files of a folder, or, in
    JSON, that of its beginning, where none but TREC's is named, which is the default.

    Examples:
        >>> from ir_segmeasures import formats
        >>> formats.format_at('my.run'), formats.format_at('my.parquet'), formats.format_at('my.parquet', 'genomics')
        ('trec', 'parquet', 'genomics')
    """
    if format != 'trec':
        return format
    names = [name for name in os.listdir(path) if name[0] not in '._'] if os.path.isdir(path) else [os.fspath(path)]
    suffixes = {os.path.splitext(name.removesuffix('.gz'))[1].lower() for name in names}
    found = SUFFIXES.get(min(suffixes), format) if len(suffixes) == 1 else format
    if suffixes <= {'.csv', '.tsv', '.txt'} and os.path.isfile(path):
        from ir_segmeasures.formats.spreadsheets import is_spreadsheet
        return SUFFIXES.get(min(suffixes), 'tsv') if is_spreadsheet(path) else format
    if suffixes == {'.json'} and os.path.isfile(path):
        return next((name for name, head in HEADS.items() if re.match(head, read_bytes(path, 1 << 10))), format)
    return found


def format_of(name: str) -> Format:
    """The format of a name. Raises ``ValueError`` if there is none.

    Examples:
        >>> from ir_segmeasures import formats
        >>> formats.format_of('genomics').unit
        'char'
    """
    if name not in FORMATS:
        raise ValueError(f'unknown format {quoted(name)} (there are: {", ".join(FORMATS)})')
    return FORMATS[name]


def _write(kind: str, rows: Sequence[Any], path: StrPath, format: str, unit: str | None, **options: Any) -> list[str]:
    from ir_segmeasures.formats.requests import files_of_kind
    format = format_at(path, format)
    files = files_of_kind(format, kind)
    for name in options.keys() - {*files.write_options}:
        raise ValueError(f'runs of format {quoted(format)} are written without an option {quoted(name)}: leave it out')
    if files.write is None:
        raise ValueError(f'format {quoted(format)} can be read, but not written')
    rows = _as_rows(rows, kind, unit or FORMATS[format].unit or 't')
    return files.write(rows, path, unit, **options)


def _as_rows(rows: Any, kind: str, unit: str) -> Sequence[Any]:
    """Return rows of any shape that measures take as named tuples with segment ids; those with all fields of TREC as
    they are."""
    from ir_segmeasures.ids.encoding import with_ids
    from ir_segmeasures.segments.tables.adapters import TIMES, adapter_of
    from ir_segmeasures.segments.tables.columns import from_pyterrier
    fields = TrecQrel._fields if kind == 'qrels' else TrecScoredDoc._fields
    rows = rows if isinstance(rows, Sequence | Mapping) or hasattr(rows, 'columns') else list(rows)
    if isinstance(rows, Sequence) and (not len(rows) or set(fields) <= set(getattr(rows[0], '_fields', ()))):
        return rows
    given = adapter_of(with_ids(from_pyterrier(rows), unit, kind=kind), kind)
    columns = {name: given.values(name) for name in given.names if str(name).isidentifier() and name not in TIMES
               and name[0] != '_' and not iskeyword(name)}
    if kind == 'qrels':
        columns.setdefault('iteration', ['0'] * len(columns['doc_id']))
    make = namedtuple('Row', columns)  # type: ignore[misc]
    return list(map(make._make, zip(*columns.values())))
