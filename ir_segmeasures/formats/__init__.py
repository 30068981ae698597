"""Readers and writers of the campaigns' files: rows out, rows in. One table says which formats there are.

Formats know files and nothing else: what the rows are measured with is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_segmeasures.formats.files.reading import (
    FormatError,
    SegmentQrel,
    SegmentScoredDoc,
    StrPath,
    TrecQrel,
    TrecScoredDoc,
    line_of_row,
)

if TYPE_CHECKING:
    from ir_segmeasures.formats import genomics, mediaeval, moments, podcasts, transcripts, trec
    from ir_segmeasures.formats.genomics import GenomicsQrel
    from ir_segmeasures.formats.inex import assessments as inex_assessments
    from ir_segmeasures.formats.inex import passages as inex
    from ir_segmeasures.formats.inex import paths as inex_paths
    from ir_segmeasures.formats.inex import xml as inex_xml
    from ir_segmeasures.formats.inex.assessments import InexElement
    from ir_segmeasures.formats.inex.passages import InexQrel, InexScoredDoc
    from ir_segmeasures.formats.inex.paths import InexPathScoredDoc
    from ir_segmeasures.formats.moments import MomentQrel
    from ir_segmeasures.formats.transcripts import read_transcript, read_transcripts
    from ir_segmeasures.formats.trecvid import judged_shots as trecvid
    from ir_segmeasures.formats.trecvid import known_items, vbs
    from ir_segmeasures.formats.trecvid import shot_tables as shots
    from ir_segmeasures.formats.trecvid.judged_shots import ShotQrel, ShotScoredDoc
    from ir_segmeasures.formats.trecvid.vbs import DresQrel

    Qrels = (Sequence[TrecQrel] | Sequence[SegmentQrel] | Sequence[GenomicsQrel] | Sequence[MomentQrel]
             | Sequence[InexQrel] | Sequence[InexElement] | Sequence[ShotQrel] | Sequence[DresQrel])
    Run = (Sequence[TrecScoredDoc] | Sequence[SegmentScoredDoc] | Sequence[InexScoredDoc]
           | Sequence[InexPathScoredDoc] | Sequence[ShotScoredDoc])
    Writer = Callable[[Sequence[Any], StrPath, str | None], list[str]]

__all__ = ['DresQrel', 'FORMATS', 'Format', 'FormatError', 'GenomicsQrel', 'InexElement', 'InexPathScoredDoc',
           'InexQrel', 'InexScoredDoc', 'MomentQrel', 'SegmentQrel', 'SegmentScoredDoc', 'ShotQrel', 'ShotScoredDoc',
           'TrecQrel', 'TrecScoredDoc', 'WriteError', 'described', 'genomics', 'inex', 'inex_assessments', 'inex_paths',
           'inex_xml', 'known_items', 'line_of_row', 'mediaeval', 'moments', 'podcasts', 'read_qrels', 'read_run',
           'read_transcript', 'read_transcripts', 'shots', 'transcripts', 'trec', 'trecvid', 'vbs', 'write_qrels',
           'write_run']

# A command needs one format of many, so each is imported when it is first used.
_MODULES = {
    'genomics': 'genomics', 'inex': 'inex.passages', 'inex_assessments': 'inex.assessments',
    'inex_paths': 'inex.paths', 'inex_writing': 'inex.writing', 'inex_xml': 'inex.xml',
    'known_items': 'trecvid.known_items', 'mediaeval': 'mediaeval', 'moments': 'moments', 'podcasts': 'podcasts',
    'shots': 'trecvid.shot_tables', 'trec': 'trec', 'trecvid': 'trecvid.judged_shots', 'vbs': 'trecvid.vbs',
    'transcripts': 'transcripts', 'writing': 'files.writing'}
_HOMES = {'GenomicsQrel': 'genomics', 'InexElement': 'inex_assessments', 'InexPathScoredDoc': 'inex_paths',
          'InexQrel': 'inex', 'InexScoredDoc': 'inex', 'MomentQrel': 'moments', 'ShotQrel': 'trecvid',
          'ShotScoredDoc': 'trecvid', 'DresQrel': 'vbs', 'WriteError': 'writing',
          'read_transcript': 'transcripts', 'read_transcripts': 'transcripts'}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f'{__name__}.{_MODULES[name]}')
    if name in _HOMES:
        return getattr(import_module(f'{__name__}.{_MODULES[_HOMES[name]]}'), name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


def _of(module: str, function: str) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        return getattr(import_module(f'{__name__}.{_MODULES[module]}'), function)(*arguments)
    return call


class Format(NamedTuple):
    """What a campaign's judgements and runs look like.

    Attributes:
        read_qrels: path → judgements
        read_run: path → retrieved items; None if there is no run file of this kind
        write_qrels: judgements of any format, path, the unit of their starts and ends → what the file cannot hold
        write_run: the same for retrieved items; None if there is no run file of this kind
        unit: of starts and ends, ``'t'`` (seconds) or ``'char'``; None where the ids tell
        description: one line for people who choose
    """

    read_qrels: Callable[[StrPath], Qrels]
    read_run: Callable[[StrPath], Run] | None
    write_qrels: Writer | None
    write_run: Writer | None
    unit: str | None
    description: str


def _entry(module: str, qrels: str, run: str | None, unit: str | None, description: str) -> Format:
    functions = (_of(module, f'{verb}_{kind}') if kind else None for verb in ('read', 'write') for kind in (qrels, run))
    return Format(*functions, unit, description)  # type: ignore[call-arg, arg-type]


FORMATS: dict[str, Format] = {
    'trec': _entry('trec', 'qrels', 'run', None, 'TREC: 4-column qrels, 6-column runs, ids of any kind'),
    'sh-search': _entry(
        'mediaeval', 'qrels', 'search_run', 't',
        'MediaEval Search & Hyperlinking, search: times in minutes.seconds, runs with jump-in points'),
    'sh-linking': _entry(
        'mediaeval', 'qrels', 'linking_run', 't',
        'MediaEval and TRECVID hyperlinking: times in minutes.seconds, runs without jump-in points'),
    'sh-known-item': _entry(
        'mediaeval', 'known_items', None, 't',
        'MediaEval Search & Hyperlinking 2013, known items: 4-column judgements, no runs'),
    'genomics': _entry(
        'genomics', 'qrels', 'run', 'char',
        'TREC Genomics 2006 and 2007, gold standard and passage runs: offset and length in characters'),
    'moments': _entry(
        'moments', 'qrels', 'run', 't',
        'moment retrieval (QVHighlights, TVR): one JSON object a line with the windows of a query'),
    'inex-fol': _entry(
        'inex', 'qrels', 'run', 'char',
        'INEX 2008 to 2010, ad hoc: text files with documents, offsets and lengths'),
    'inex-xml': _entry(
        'inex_xml', 'qrels', 'run', None,
        'INEX 2002 to 2008, ad hoc: XML files with paths of elements')._replace(
            read_qrels=_of('inex_assessments', 'read_qrels'), write_qrels=None,
            write_run=_of('inex_writing', 'write_xml_run')),
    'trecvid-shots': _entry(
        'trecvid', 'shots', None, None,
        'TRECVID search 2003-09 and instance search: 4-column judgements of shots (runs: trec)'),
    'trecvid-strata': _entry(
        'trecvid', 'strata', None, None,
        'TRECVID AVS and VBS: 5-column judgements of shots with strata (runs: trec, trecvid-avs)'),
    'trecvid-avs': _entry(
        'trecvid', 'strata', 'avs_run', None,
        'TRECVID AVS: runs of shots in XML, judgements as in trecvid-strata'),
    'vbs-dres': _entry(
        'vbs', 'dres', None, 't',
        'Video Browser Showdown: judgements with times and strata, no runs')._replace(write_qrels=None),
    'trecvid-2001': _entry(
        'known_items', 'qrels', 'run', 't',
        'TREC-10 Video Track (2001): topics with their known items, runs, both XML')._replace(write_qrels=None),
    'podcasts': _entry(
        'podcasts', 'qrels', 'run', 't',
        'TREC Podcasts 2020: segments of 120 s as episode_start, grades 0-4, 6-column runs'),
}


def read_qrels(path: StrPath, format: str = 'trec') -> Qrels:
    """Reads judgements in one of ``FORMATS``; ``.gz`` by suffix.

    Raises:
        FormatError: the file breaks a rule of the format
        ValueError: there is no such format
        OSError: the file cannot be opened
    """
    return _format(format).read_qrels(path)


def read_run(path: StrPath, format: str = 'trec') -> Run:
    """Reads a run in one of ``FORMATS``; ``.gz`` by suffix.

    Raises:
        FormatError: the file breaks a rule of the format
        ValueError: there is no such format, or it has judgements only
        OSError: the file cannot be opened
    """
    reader = _format(format).read_run
    if reader is None:
        raise _no_runs(format)
    return reader(path)


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
    writer = _format(format).write_qrels
    if writer is None:
        raise _only_read(format)
    return writer(rows, path, unit)


def write_run(rows: Sequence[Any], path: StrPath, format: str = 'trec', unit: str | None = None) -> list[str]:
    """Writes a run, as :func:`write_qrels` does judgements. What counts is the order by ``score``."""
    writer = _format(format).write_run
    if writer is None:
        raise _no_runs(format) if _format(format).read_run is None else _only_read(format)
    return writer(rows, path, unit)


def described() -> str:
    """The formats, one a line with its description, for the help of commands."""
    width = max(map(len, FORMATS))
    return '\n'.join(f'  {name:{width}}  {format.description}' for name, format in FORMATS.items())


def _only_read(format: str) -> ValueError:
    return ValueError(f'format {format!r} can be read, but not written')


def _no_runs(format: str) -> ValueError:
    having = ', '.join(name for name, entry in FORMATS.items() if entry.read_run is not None)
    return ValueError(f'format {format!r} has judgements only, no runs (formats with runs: {having})')


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise ValueError(f'unknown format {name!r} (there are: {", ".join(FORMATS)})')
    return FORMATS[name]
