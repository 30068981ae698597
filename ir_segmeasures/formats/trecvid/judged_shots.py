"""Judgements of TRECVID's shot tasks, and of the Video Browser Showdown (VBS) where it judges shots.

What is judged are shots, ``shotV_N``: ids without times. A table of shots makes segments of them
(:mod:`ir_segmeasures.formats.trecvid.shot_tables`).
Source: the judgements of Ad hoc Video Search (AVS), https://www-nlpir.nist.gov/projects/trecvid/trecvid.data.html.
"""

import functools
import os
import re
from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.blocks import codes_of_column, taken
from ir_segmeasures.formats.files.columns import ColumnFile, Numbers
from ir_segmeasures.formats.files.fields import each_text, interned, nine_digits
from ir_segmeasures.formats.files.format import Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import Rows, TrecQrel
from ir_segmeasures.formats.files.writing import grade, judged_lines, left_out, word, write_text
from ir_segmeasures.formats.trecvid.topics import qrels_topic, read_topics
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import parse_segment
from ir_segmeasures.segments.tables.text_columns import first_rows
from ir_segmeasures.segments.user_warnings import warn_user

__all__ = ['SHOTS', 'STRATA', 'ShotQrel', 'contradiction', 'without_repeats', 'parse_sampled', 'parse_stratum',
           'read_shots', 'read_strata', 'shot_id', 'write_shots', 'write_strata']

SHOT_FIELDS = 'topic 0 shot relevance'
STRATA_FIELDS = 'topic 0 shot stratum relevance'

_INTEGER = re.compile(r'-?[0-9]{1,9}')


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
    return _SHOTS.read(path)


def read_strata(path: StrPath) -> Sequence[ShotQrel]:
    """Reads judgements, one a line: ``topic 0 shot stratum relevance`` (AVS from 2016 on, VBS), in file order.

    Lines that are repeated exactly count once, as thousands are in those of the VBS.

    Raises:
        FormatError: a line does not have 5 fields; the stratum is not a whole number from 0 up; the relevance is not
            -1, 0 or 1; two lines contradict each other
        OSError: the file cannot be opened
    """
    return _STRATA.read(path)


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


def without_repeats(path: StrPath, rows: Rows[Any], numbers: Numbers, judged: int = 2) -> Rows[Any]:
    """The rows of a file without exact repeats, of whose number a warning tells.

    Args:
        path: of the file
        rows: in the order of the lines
        numbers: of these lines
        judged: how many fields of a row say what is judged: two rows with the same ones are the same row

    Raises:
        FormatError: two rows contradict each other
    """
    columns = list(rows.columns.values())
    first = codes_of_column(columns[0])
    for column in columns[1:judged]:
        first = first_rows((first * len(rows) + codes_of_column(column)).astype(np.uint64))
    kept = np.flatnonzero(first == np.arange(len(rows)))
    if len(kept) == len(rows):
        return rows
    differs = np.logical_or.reduce([code != code[first] for code in map(codes_of_column, columns[judged:])])
    if differs.any():
        row = int(np.argmax(differs))
        lines = numbers()
        sentence = contradiction(rows[row], rows[int(first[row])], f'in line {lines[first[row]]}')
        count = np.count_nonzero(differs & (first < row))
        raise FormatError(f'{sentence}; {count} lines contradict an earlier one' if count > 1 else sentence, path,
                          lines[row])
    warn_user(f'{os.fspath(path)}: {len(rows) - len(kept)} of {len(rows)} lines repeat an earlier one exactly, '
              'and count once')
    return taken(rows, kept)


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


def _shot(topic: Any, iteration: Any, shot: Any, relevance: Any) -> TrecQrel:
    return TrecQrel(interned(topic), interned(shot), _relevance(relevance), iteration)


def _stratum(topic: Any, iteration: Any, shot: Any, stratum: Any, relevance: Any) -> ShotQrel:
    return ShotQrel(interned(topic), interned(shot), parse_sampled(relevance), iteration, parse_stratum(stratum))


@each_text
@functools.lru_cache(maxsize=1024)
def _relevance(text: str) -> int:
    if not _INTEGER.fullmatch(text) or int(text) < -1:
        raise ValueError(f'relevance {quoted(text)} is not a whole number from -1 up, but judgements of shots are '
                         'grades, or -1 for what was not sampled: write it as 0 or 1')
    return int(text)


@each_text
@functools.lru_cache(maxsize=1024)
def parse_sampled(text: str) -> int:
    """1, 0 or -1. Raises ``ValueError`` for anything else."""
    if text not in ('-1', '0', '1'):
        raise ValueError(f'relevance {quoted(text)} is not 1 (relevant), 0 (not relevant) or -1 (in the pool, but not '
                         f'in the sample), which judgements of strata are: a line is {STRATA_FIELDS}')
    return int(text)


@each_text
@functools.lru_cache(maxsize=1024)
def parse_stratum(text: str) -> int:
    """A whole number from 0 up. Raises ``ValueError`` for anything else."""
    stratum: int | None = nine_digits(text)
    if stratum is None:
        raise ValueError(f'stratum {quoted(text)} is not a whole number from 0 up, but strata are numbered: a line is '
                         f'{STRATA_FIELDS}')
    return stratum


_SHOTS = ColumnFile('judgements of shots without strata', SHOT_FIELDS, (4,), _shot, arrange=without_repeats, judged=2)
_STRATA = ColumnFile('judgements of shots with strata', STRATA_FIELDS, (5,), _stratum, arrange=without_repeats,
                     judged=2)
SHOTS = Format(
    'trecvid-shots', 'TRECVID search, instance and known-item search: 4-column judgements (runs: trec, trecvid-search)',
    None, _SHOTS.files(read_shots, write_shots), lists=('queries',), read_queries=read_topics)
STRATA = Format(
    'trecvid-strata', 'TRECVID AVS and VBS: 5-column judgements of shots with strata (runs: trec, trecvid-avs)', None,
    _STRATA.files(read_strata, write_strata), dataset_row=ShotQrel, lists=('queries',),
    read_queries=partial(read_topics, topic=qrels_topic))
