"""Readers and writers of the campaigns' files: rows out, rows in. One table says which formats there are.

Formats know files and nothing else: what the rows are measured with is decided elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ir_segmeasures.formats.files.format import Files, Format, Lines, one_row
from ir_segmeasures.formats.files.reading import (
    FormatError,
    SegmentQrel,
    SegmentScoredDoc,
    StrPath,
    TrecQrel,
    TrecScoredDoc,
)
from ir_segmeasures.segments.quoting import quoted

if TYPE_CHECKING:
    from ir_segmeasures.formats import genomics, inex, mediaeval, moments, podcasts, transcripts, trec, trecvid
    from ir_segmeasures.formats.files.writing import WriteError
    from ir_segmeasures.formats.genomics import GenomicsQrel
    from ir_segmeasures.formats.inex import assessments as inex_assessments
    from ir_segmeasures.formats.inex import paths as inex_paths
    from ir_segmeasures.formats.inex import xml as inex_xml
    from ir_segmeasures.formats.inex.assessments import InexElement
    from ir_segmeasures.formats.inex.passages import InexQrel, InexScoredDoc
    from ir_segmeasures.formats.inex.paths import InexPathScoredDoc
    from ir_segmeasures.formats.lines import in_file, line_of, walk_rows
    from ir_segmeasures.formats.moments import MomentQrel
    from ir_segmeasures.formats.transcripts import read_transcript, read_transcripts
    from ir_segmeasures.formats.trecvid import known_items, vbs
    from ir_segmeasures.formats.trecvid import shot_tables as shots
    from ir_segmeasures.formats.trecvid.judged_shots import ShotQrel
    from ir_segmeasures.formats.trecvid.shot_runs import ShotScoredDoc
    from ir_segmeasures.formats.trecvid.vbs import DresQrel

    Qrels = (Sequence[TrecQrel] | Sequence[SegmentQrel] | Sequence[GenomicsQrel] | Sequence[MomentQrel]
             | Sequence[InexQrel] | Sequence[InexElement] | Sequence[ShotQrel] | Sequence[DresQrel])
    Run = (Sequence[TrecScoredDoc] | Sequence[SegmentScoredDoc] | Sequence[InexScoredDoc]
           | Sequence[InexPathScoredDoc] | Sequence[ShotScoredDoc])

__all__ = ['DresQrel', 'FORMATS', 'Files', 'Format', 'FormatError', 'GenomicsQrel', 'InexElement', 'InexPathScoredDoc',
           'InexQrel', 'InexScoredDoc', 'Lines', 'MODULES', 'MomentQrel', 'SUFFIXES', 'SegmentQrel', 'SegmentScoredDoc',
           'ShotQrel', 'ShotScoredDoc', 'TrecQrel', 'TrecScoredDoc', 'WriteError', 'described', 'format_at',
           'format_of', 'genomics', 'in_file', 'inex', 'inex_assessments', 'inex_paths', 'inex_xml', 'known_items',
           'line_of', 'mediaeval', 'moments', 'one_row', 'podcasts', 'read_qrels', 'read_run', 'read_transcript',
           'read_transcripts', 'shots', 'transcripts', 'trec', 'trecvid', 'vbs', 'walk_rows', 'write_qrels',
           'write_run']

# Where the object of a format is. A command needs one format of many, so each is imported when it is first used.
MODULES = {
    'trec': '.trec:TREC',
    'sh-search': '.mediaeval:SEARCH',
    'sh-linking': '.mediaeval:LINKING',
    'sh-known-item': '.mediaeval:KNOWN_ITEM',
    'sh-anchoring': '.mediaeval:ANCHORING',
    'genomics': '.genomics:GENOMICS',
    'moments': '.moments:MOMENTS',
    'tvr': '.tvr:TVR',
    'inex-fol': '.inex.passages:FOL',
    'inex-xml': '.inex.xml:XML',
    'trecvid-shots': '.trecvid.judged_shots:SHOTS',
    'trecvid-strata': '.trecvid.judged_shots:STRATA',
    'trecvid-avs': '.trecvid.shot_runs:AVS',
    'trecvid-search': '.trecvid.shot_runs:SEARCH',
    'vbs-dres': '.trecvid.vbs:DRES',
    'vbs-kis': '.trecvid.vbs_tasks:KIS',
    'vbs-server': '.trecvid.vbs_server:SERVER',
    'trecvid-2001': '.trecvid.known_items:KNOWN_ITEMS',
    'podcasts': '.podcasts:PODCASTS',
    'parquet': '.parquet:PARQUET',
}
# The endings of files that are in one format whoever wrote them.
SUFFIXES = {'.parquet': 'parquet'}
# What can be had from here, beside the modules themselves, and where it is.
_HOMES = {
    'DresQrel': '.trecvid.vbs:DresQrel', 'GenomicsQrel': '.genomics:GenomicsQrel',
    'InexElement': '.inex.assessments:InexElement', 'InexPathScoredDoc': '.inex.paths:InexPathScoredDoc',
    'InexQrel': '.inex.passages:InexQrel', 'InexScoredDoc': '.inex.passages:InexScoredDoc',
    'MomentQrel': '.moments:MomentQrel', 'ShotQrel': '.trecvid.judged_shots:ShotQrel',
    'ShotScoredDoc': '.trecvid.shot_runs:ShotScoredDoc', 'WriteError': '.files.writing:WriteError',
    'genomics': '.genomics', 'in_file': '.lines:in_file', 'inex': '.inex', 'inex_assessments': '.inex.assessments',
    'inex_paths': '.inex.paths', 'inex_xml': '.inex.xml', 'known_items': '.trecvid.known_items',
    'line_of': '.lines:line_of', 'mediaeval': '.mediaeval', 'moments': '.moments', 'podcasts': '.podcasts',
    'read_transcript': '.transcripts:read_transcript', 'read_transcripts': '.transcripts:read_transcripts',
    'shots': '.trecvid.shot_tables', 'transcripts': '.transcripts', 'trec': '.trec', 'trecvid': '.trecvid',
    'vbs': '.trecvid.vbs', 'walk_rows': '.lines:walk_rows'}


def _imported(place: str) -> Any:
    module, _, name = place.partition(':')
    found = import_module(module, __name__)
    return getattr(found, name) if name else found


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return _imported(_HOMES[name])
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


class _Formats(Mapping[str, Format]):
    """The formats by name, as :data:`MODULES` lists them."""

    def __getitem__(self, name: str) -> Format:
        format: Format = _imported(MODULES[name])
        return format

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)

    def __contains__(self, name: object) -> bool:  # without the import of its module
        return name in MODULES


FORMATS: Mapping[str, Format] = _Formats()


def read_qrels(path: StrPath, format: str = 'trec') -> Qrels:
    """Reads judgements in one of ``FORMATS``; ``.gz`` by suffix, and ``.parquet`` where no other format is named.

    Raises:
        FormatError: the file breaks a rule of the format
        ValueError: there is no such format
        OSError: the file cannot be opened
    """
    return format_of(format_at(path, format)).qrels.read(path)


def read_run(path: StrPath, format: str = 'trec', **options: Any) -> Run:
    """Reads a run in one of ``FORMATS``; ``.gz`` by suffix, and ``.parquet`` where no other format is named.

    Args:
        path, format: of the file
        options: those that the format's reader has, such as ``task='SVMR'`` of ``tvr``

    Raises:
        FormatError: the file breaks a rule of the format
        ValueError: there is no such format, or it has judgements only
        OSError: the file cannot be opened
    """
    format = format_at(path, format)
    files = _files(format, 'run')
    for name in options.keys() - set(files.options):
        having = ', '.join(other for other, entry in FORMATS.items() if entry.run and name in entry.run.options)
        raise ValueError(f'runs of format {quoted(format)} have no option {quoted(name)} (formats with it: '
                         f'{having or "none"})')
    return files.read(path, **options)


def write_qrels(rows: Sequence[Any], path: StrPath, format: str = 'trec', unit: str | None = None) -> list[str]:
    """Writes judgements, those of any reader, in one of ``FORMATS``; ``.gz`` by suffix. The file appears as a whole.

    Args:
        rows: judgements; with ``start`` and ``end``, or with segment ids
        path, format: of the file
        unit: of ``start`` and ``end``, the ``unit`` of the format that the rows were read from; that of the format of
            the file if it is not given

    Returns:
        what the rows have and the file cannot hold, in words

    Raises:
        WriteError: a row that the format cannot hold, or only with another meaning; nothing is written
        ValueError: there is no such format, or it cannot be written
        OSError: the file cannot be written
    """
    return _write('qrels', rows, path, format_at(path, format), unit)


def write_run(rows: Sequence[Any], path: StrPath, format: str = 'trec', unit: str | None = None,
              **options: Any) -> list[str]:
    """Writes a run, as :func:`write_qrels` does judgements. What counts is the order by ``score``.
    ``options`` are those that the format's writer has, such as ``task='SVMR'`` of ``tvr``."""
    format = format_at(path, format)
    allowed = _files(format, 'run').write_options
    for name in options.keys() - set(allowed):
        raise ValueError(f'runs of format {quoted(format)} are written without an option {quoted(name)}: leave it out')
    return _write('run', rows, path, format, unit, **options)


def described() -> str:
    """The formats, one a line with its description, for the help of commands."""
    width = max(map(len, FORMATS))
    return '\n'.join(f'  {name:{width}}  {format.description}' for name, format in FORMATS.items())


def format_at(path: StrPath, format: str = 'trec') -> str:
    """The name of the format of a file: that of its ending (:data:`SUFFIXES`), also of the files of a folder, where
    none but TREC's is named, which is the default."""
    if format != 'trec':
        return format
    names = [os.fspath(path)]
    if os.path.isdir(path):
        names = [name for name in os.listdir(path) if name[0] not in '._']
    found = {SUFFIXES.get(os.path.splitext(name)[1].lower(), format) for name in names}
    return found.pop() if len(found) == 1 else format


def format_of(name: str) -> Format:
    """The format of a name. Raises ``ValueError`` if there is none."""
    if name not in FORMATS:
        raise ValueError(f'unknown format {quoted(name)} (there are: {", ".join(FORMATS)})')
    return FORMATS[name]


def _files(format: str, kind: str) -> Files:
    files = format_of(format).files(kind)
    if files is None:
        having = ', '.join(name for name, entry in FORMATS.items() if entry.run is not None)
        raise ValueError(f'format {quoted(format)} has judgements only, no runs (formats with runs: {having})')
    return files


def _write(kind: str, rows: Sequence[Any], path: StrPath, format: str, unit: str | None, **options: Any) -> list[str]:
    write: Any = _files(format, kind).write
    if write is None:
        raise ValueError(f'format {quoted(format)} can be read, but not written')
    return write(rows, path, unit, **options)
