"""Judgements of TRECVID's shot tasks, and of the Video Browser Showdown (VBS) where it judges shots.

What is judged are shots, ``shotV_N``: ids without times. A table of shots makes segments of them
(:mod:`ir_segmeasures.formats.trecvid.shot_tables`).
Source: the judgements of Ad hoc Video Search (AVS), https://www-nlpir.nist.gov/projects/trecvid/trecvid.data.html.
"""

import functools
import os
import re
import warnings
from collections.abc import Hashable, Sequence
from functools import partial
from sys import intern
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.columns import once as judged_once
from ir_segmeasures.formats.files.format import Files, Format, Lines, one_row
from ir_segmeasures.formats.files.reading import (
    FormatError,
    Rows,
    StrPath,
    TrecQrel,
    numbered_rows,
    read_rows,
    wrong_fields,
)
from ir_segmeasures.formats.files.writing import grade, judged_lines, left_out, word, write_text
from ir_segmeasures.formats.trecvid.topics import qrels_topic, read_topics
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import parse_segment
from ir_segmeasures.segments.tables.text_columns import Pieces

__all__ = ['SHOTS', 'STRATA', 'ShotQrel', 'contradiction', 'once', 'parse_sampled', 'parse_stratum', 'read_shots',
           'read_strata', 'shot_id', 'write_shots', 'write_strata']

SHOT_FIELDS = 'topic 0 shot relevance'
STRATA_FIELDS = 'topic 0 shot stratum relevance'

_INTEGER = re.compile(r'-?[0-9]{1,9}')
_DIGITS = re.compile(r'[0-9]{1,9}')


class ShotQrel(NamedTuple):
    """A judged shot of a pool that was sampled by strata.

    Attributes:
        query_id: the topic
        doc_id: the shot
        relevance: 1 relevant, 0 not relevant, -1 in the pool, but not in the sample: nobody has looked at it
        iteration: the second column of the file
        stratum: of the pool, 1 for its top
    """

    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    stratum: int


def read_shots(path: StrPath) -> Sequence[TrecQrel]:
    """Reads judgements, one a line: ``topic 0 shot relevance`` (search 2003–09, instance search), in file order.

    Lines that are repeated exactly count once.

    Raises:
        FormatError: a line does not have 4 fields; the relevance is not a whole number from -1 up; two lines contradict
            each other
        OSError: the file cannot be opened
    """
    return once(path, read_rows(path, _shot, _shots))


def read_strata(path: StrPath) -> Sequence[ShotQrel]:
    """Reads judgements, one a line: ``topic 0 shot stratum relevance`` (AVS from 2016 on, VBS), in file order.

    Lines that are repeated exactly count once, as thousands are in those of the VBS.

    Raises:
        FormatError: a line does not have 5 fields; the stratum is not a whole number from 0 up; the relevance is not
            -1, 0 or 1; two lines contradict each other
        OSError: the file cannot be opened
    """
    return once(path, read_rows(path, _stratum, _strata))


def write_shots(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements of shots without strata, in the order of the rows.

    Args:
        rows: of any reader; ids that are no segments, with whole grades from -1 up
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there; also WriteError: a row contradicts another
    """
    return _write_judged(rows, path, strata=False)


def write_strata(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements of shots with strata, in the order of the rows.

    Args, Returns, Raises:
        as :func:`write_shots`; every row has a stratum, and its relevance is -1, 0 or 1
    """
    return _write_judged(rows, path, strata=True)


def once(path: StrPath, rows: Sequence[Any], numbers: list[int] | None = None, judged: int = 2) -> Sequence[Any]:
    """The rows of a reader without exact repeats, of whose number a warning tells.

    Args:
        path: of the file
        rows: in file order
        numbers: of their lines, if they are known
        judged: how many fields of a row say what is judged: two rows with the same ones are the same row

    Raises:
        FormatError: two rows contradict each other
    """
    if isinstance(rows, Rows):  # columns are only taken where there are no repeats
        return rows
    first: dict[Hashable, int] = {}
    kept = []
    for position, row in enumerate(rows):
        earlier = first.setdefault(row[:judged], position)
        if earlier == position:
            kept.append(row)
        elif rows[earlier] != row:
            lines = numbers or numbered_rows(path, len)[0]
            before, line = lines[earlier], lines[position]
            contradicting = sum(rows[first[other[:judged]]] != other for other in rows[position:]
                                if other[:judged] in first)
            sentence = contradiction(row, rows[earlier], f'in line {before}')
            more = f'; {contradicting} lines contradict an earlier one' if contradicting > 1 else ''
            raise FormatError(f'{sentence}{more}', path, line)
    if len(kept) < len(rows):
        warnings.warn(f'{os.fspath(path)}: {len(rows) - len(kept)} of {len(rows)} lines repeat an earlier one exactly, '
                      'and count once', stacklevel=2)
    return kept


def contradiction(row: Any, other: Any, place: str) -> str:
    """The sentence about two different judgements of a shot; ``place`` is where the other stands."""
    fields = [f'{name} {getattr(row, field)} is {getattr(other, field)} {place}'
              for field, name in (('relevance', 'relevance'), ('stratum', 'stratum'), ('iteration', 'second column'))
              if getattr(row, field, None) != getattr(other, field, None)]
    return (f'{quoted(row.doc_id)} is judged for {quoted(row.query_id)} twice, and {", ".join(fields)}, but only one '
            'can be meant: take the wrong one out')


def _write_judged(rows: Sequence[Any], path: StrPath, strata: bool) -> list[str]:
    first: dict[Hashable, Any] = {}
    name = 'trecvid-strata' if strata else 'trecvid-shots'

    def line(row: Any) -> str:
        stratum = getattr(row, 'stratum', None)
        if strata and stratum is None:
            raise ValueError(f'the judgement has no stratum, but every one of {name} has: write it as trecvid-shots')
        fields = [word(row.query_id, 'topic'), word(row.iteration, 'second column'), shot_id(row)]
        if strata:
            fields.append(str(parse_stratum(str(grade(stratum, name)))))
        relevance = grade(row.relevance, name)
        fields.append(str(parse_sampled(str(relevance)) if strata else _relevance(str(relevance))))
        earlier = first.setdefault((row.query_id, row.doc_id), row)
        if any(getattr(earlier, field, None) != getattr(row, field, None)
               for field in ('relevance', 'iteration', *(('stratum',) if strata else ()))):
            raise ValueError(contradiction(row, earlier, 'in a row before'))
        return ' '.join(fields)
    write_text(judged_lines(rows, line), path)
    return left_out(rows, ('iteration', 'stratum') if strata else ('iteration',))


def shot_id(row: Any) -> str:
    """The id of a row's shot. Raises ``ValueError`` for a segment."""
    if hasattr(row, 'end') or parse_segment(word(row.doc_id, 'shot')).unit is not None:
        raise ValueError('this is a segment, but what has ids of shots holds no times: choose a format that does, such '
                         'as trec')
    return word(row.doc_id, 'shot')


def _shot(fields: list[str]) -> TrecQrel:
    if len(fields) != 4:
        raise wrong_fields(fields, 'judgements of shots without strata', SHOT_FIELDS, '4')
    query_id, iteration, doc_id, relevance = fields
    return TrecQrel(intern(query_id), doc_id, _relevance(relevance), iteration)


def _stratum(fields: list[str]) -> ShotQrel:
    if len(fields) != 5:
        raise wrong_fields(fields, 'judgements of shots with strata', STRATA_FIELDS, '5')
    query_id, iteration, doc_id, stratum, relevance = fields
    return ShotQrel(intern(query_id), doc_id, parse_sampled(relevance), intern(iteration), parse_stratum(stratum))


def _shots(columns: list[Pieces]) -> Rows[TrecQrel]:
    query_ids, iterations, doc_ids, relevances = (column.coded() for column in columns)
    if not judged_once(query_ids, doc_ids):
        raise ValueError
    return Rows(TrecQrel, (query_ids, doc_ids, relevances.map(_relevance), iterations))


def _strata(columns: list[Pieces]) -> Rows[ShotQrel]:
    query_ids, iterations, doc_ids, strata, relevances = (column.coded() for column in columns)
    if not judged_once(query_ids, doc_ids):
        raise ValueError
    return Rows(ShotQrel, (query_ids, doc_ids, relevances.map(parse_sampled), iterations, strata.map(parse_stratum)))


@functools.lru_cache(maxsize=1024)
def _relevance(text: str) -> int:
    if not _INTEGER.fullmatch(text) or int(text) < -1:
        raise ValueError(f'relevance {quoted(text)} is not a whole number from -1 up, but judgements of shots are '
                         'grades, or -1 for what was not sampled: write it as 0 or 1')
    return int(text)


@functools.lru_cache(maxsize=1024)
def parse_sampled(text: str) -> int:
    """1, 0 or -1. Raises ``ValueError`` for anything else."""
    if text not in ('-1', '0', '1'):
        raise ValueError(f'relevance {quoted(text)} is not 1 (relevant), 0 (not relevant) or -1 (in the pool, but not '
                         f'in the sample), which judgements of strata are: a line is {STRATA_FIELDS}')
    return int(text)


@functools.lru_cache(maxsize=1024)
def parse_stratum(text: str) -> int:
    """A whole number from 0 up. Raises ``ValueError`` for anything else."""
    if not _DIGITS.fullmatch(text):
        raise ValueError(f'stratum {quoted(text)} is not a whole number from 0 up, but strata are numbered: a line is '
                         f'{STRATA_FIELDS}')
    return int(text)


SHOTS = Format(
    'trecvid-shots', 'TRECVID search, instance and known-item search: 4-column judgements (runs: trec, trecvid-search)',
    None, Files(read_shots, write_shots, Lines(one_row(_shot))), lists=('queries',), read_queries=read_topics)
STRATA = Format(
    'trecvid-strata', 'TRECVID AVS and VBS: 5-column judgements of shots with strata (runs: trec, trecvid-avs)', None,
    Files(read_strata, write_strata, Lines(one_row(_stratum))), dataset_row=ShotQrel, lists=('queries',),
    read_queries=partial(read_topics, topic=qrels_topic))
