"""Readers of the campaigns' files: a path in, the rows out. One table says which formats there are.

Formats know files and nothing else: what the rows are measured with is decided elsewhere.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ir_segmeasures.formats import mediaeval, trec
from ir_segmeasures.formats.base import (
    FormatError,
    SegmentQrel,
    SegmentScoredDoc,
    StrPath,
    TrecQrel,
    TrecScoredDoc,
    line_of_row,
)

__all__ = ['FORMATS', 'Format', 'FormatError', 'SegmentQrel', 'SegmentScoredDoc', 'TrecQrel', 'TrecScoredDoc',
           'line_of_row', 'mediaeval', 'read_qrels', 'read_run', 'trec']

Qrels = Sequence[TrecQrel] | Sequence[SegmentQrel]
Run = Sequence[TrecScoredDoc] | Sequence[SegmentScoredDoc]


class Format(NamedTuple):
    """What a campaign's judgements and runs look like.

    Attributes:
        read_qrels: path → judgements
        read_run: path → retrieved items; None if there is no run file of this kind
        description: one line for people who choose
    """

    read_qrels: Callable[[StrPath], Qrels]
    read_run: Callable[[StrPath], Run] | None
    description: str


FORMATS: dict[str, Format] = {
    'trec': Format(trec.read_qrels, trec.read_run, 'TREC: 4-column qrels, 6-column runs, ids of any kind'),
    'sh-search': Format(mediaeval.read_qrels, mediaeval.read_search_run,
                        'MediaEval Search & Hyperlinking, search: times in minutes.seconds, runs with jump-in points'),
    'sh-linking': Format(mediaeval.read_qrels, mediaeval.read_linking_run,
                         'MediaEval and TRECVID hyperlinking: times in minutes.seconds, runs without jump-in points'),
    'sh-known-item': Format(mediaeval.read_known_items, None,
                            'MediaEval Search & Hyperlinking 2013, known items: 4-column judgements, no runs'),
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
        having = ', '.join(name for name, entry in FORMATS.items() if entry.read_run is not None)
        raise ValueError(f'format {format!r} has judgements only, no runs (formats with runs: {having})')
    return reader(path)


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise ValueError(f'unknown format {name!r} (there are: {", ".join(FORMATS)})')
    return FORMATS[name]
