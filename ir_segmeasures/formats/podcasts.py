"""Judgements, runs and topics of the TREC Podcasts Track (2020–21): segments of two minutes, named by where they start.

``spotify:episode:<id>_2220.0`` is the part of an episode from 2220 s to 2340 s. A new segment starts every minute, so
that neighbours overlap. Rows have the bare episode with start and end in seconds.
Source: the track's judgements, https://trecpodcasts.github.io/resources.html.
"""

import functools
from collections.abc import Sequence
from sys import intern
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.columns import ColumnFile, Numbers
from ir_segmeasures.formats.files.fields import each_text, interned, parse_score, position, refuse_again
from ir_segmeasures.formats.files.format import Format
from ir_segmeasures.formats.files.order import ranks_by_score
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number, Rows, SegmentQrel, SegmentScoredDoc
from ir_segmeasures.formats.files.writing import decimal, grade, run_of, scored_in_order, segment_of, word
from ir_segmeasures.formats.files.xml import Record, read_records
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.text_columns import TextColumn

__all__ = ['PODCASTS', 'PodcastTopic', 'read_qrels', 'read_run', 'read_topics', 'write_qrels', 'write_run']

QRELS_FIELDS = 'topic 0 episode_start grade'
RUN_FIELDS = 'topic Q0 episode_start rank score run'
LENGTH = 120  # seconds

_GRADES = ('0', '1', '2', '3', '4')
_NAME = 'podcasts'


class PodcastTopic(NamedTuple):
    """A topic of the track.

    Attributes:
        query_id: its number
        query: in a few words
        type: ``'topical'``, ``'refinding'`` or ``'known item'``; empty where the file has none
        description: what is wanted
    """

    query_id: str
    query: str
    type: str
    description: str

    def default_text(self) -> str:
        """The text of the query, under the name that ir_datasets and PyTerrier ask for."""
        return self.query


def read_topics(path: StrPath) -> list[PodcastTopic]:
    """Reads topics from XML: ``num``, ``query``, ``type`` (which some files do not have) and ``description``, white
    space in them reduced to single blanks.

    Other children are ignored, and the name of the element around them does not matter.

    Raises:
        FormatError: the XML is malformed or declares entities; a topic lacks its number, query or description, or is
            there twice
        OSError: the file cannot be opened
    """
    seen: set[str] = set()

    def topic(record: Record) -> PodcastTopic:
        query_id = record.id('num')
        refuse_again(query_id, seen)
        seen.add(query_id)
        type = record.text('type') if 'type' in record.children else ''
        return PodcastTopic(query_id, record.text('query'), type, record.text('description'))
    return read_records(path, topic)


def read_qrels(path: StrPath) -> Sequence[SegmentQrel]:
    """Reads judgements, one a line: ``topic 0 episode_start grade``, in file order, separated by blanks or tabs.

    Grades are 0 to 4. A segment has 120 s.

    Raises:
        FormatError: a line does not have 4 fields; an id has no start; the grade is not 0 to 4
        OSError: the file cannot be opened
    """
    return _QRELS.read(path)


def read_run(path: StrPath) -> Sequence[SegmentScoredDoc]:
    """Reads a run in TREC's format with the ids of the judgements: ``topic Q0 episode_start rank score run``.

    Rows come in the order of the file. The ranking is by score, ties in file order; ``rank`` is the position in it, as
    the rank column is not read, as in trec_eval.

    Raises:
        FormatError: a line does not have 6 fields; an id has no start; the score is not a finite number
        OSError: the file cannot be opened
    """
    return _RUN.read(path)


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements, in the order of the rows.

    Args:
        rows: of any reader; segments of 120 s, with grades from 0 to 4
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there
    """
    return _QRELS.write(rows, path, unit)


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes a run, query by query, with ranks from 1 in the order by ``score``. Scores of tied items are lowered as
    little as trec_eval sees, so that it keeps this order.

    Args, Returns, Raises:
        as :func:`write_qrels`, with the score in the place of the grade
    """
    return _RUN.write(scored_in_order(rows), path, unit)


def _judged_line(row: Any, unit: str | None) -> str:
    relevance = _grade(str(grade(row.relevance, _NAME)))
    return f'{word(row.query_id, "topic")} {word(row.iteration, "second column")} {_id(row, unit)} {relevance}'


def _retrieved_line(row: Any, unit: str | None, rank: int) -> str:
    run = word(run_of(row), 'name of the run')
    return f'{word(row.query_id, "topic")} Q0 {_id(row, unit)} {rank} {decimal(row.score, "score")} {run}'


def _id(row: Any, unit: str | None) -> str:
    segment = segment_of(row, unit, 't', _NAME)
    # Of decimals, so that 0.1 to 120.1 is 120 s long
    if round(segment.end - segment.start, 6) != LENGTH:
        raise ValueError(f'the segment is {decimal(round(segment.end - segment.start, 6), "length")} s long, but every '
                         f'segment of {_NAME} has {LENGTH} s, and only its start is written: cut it to that length')
    return f'{word(segment.document, "episode")}_{decimal(float(segment.start), "start")}'


def _qrel(topic: Any, iteration: Any, id: Any, relevance: Any) -> SegmentQrel:
    return SegmentQrel(interned(topic), *_segment(id), _grade(relevance), iteration)


def _scored_doc(topic: Any, _: Any, id: Any, rank: Any, score: Any, run: Any) -> SegmentScoredDoc:
    score = parse_score(score)
    return SegmentScoredDoc(interned(topic), *_segment(id), score, 0, score, None, run)


def _segment(id: Any) -> tuple[Any, Any, Any]:
    """Episode, start and end of the id of a segment, or of a column of ids."""
    if not isinstance(id, TextColumn):
        return _segment_of_id(id)
    episode, text = id.cut('_')
    start = position(text)
    if start.max() >= 10 ** 15:
        raise ValueError
    end = start + LENGTH
    if start.dtype != np.int64:
        end = np.array([round(number, 9) for number in end.tolist()])
    return episode.strip().coded(), start, end


@functools.lru_cache(maxsize=1 << 15)
def _segment_of_id(id: str) -> tuple[str, Number, Number]:
    episode, _, text = id.rpartition('_')
    first = position(text)
    if not episode or first is None or first >= 10 ** 15:
        raise ValueError(f'{quoted(id)} is no segment, but ids are an episode, _ and its start in seconds: write it '
                         'as spotify:episode:0BrvXC9DNmicnpCtHmFltv_2220.0')
    return intern(episode), first, round(first + LENGTH, 9)


@each_text
def _grade(text: str) -> int:
    if text not in _GRADES:
        raise ValueError(f'grade {quoted(text)} is not a whole number from 0 to 4, but judgements of podcasts are: a '
                         f'line is {QRELS_FIELDS}')
    return int(text)


def _ranked(path: StrPath, rows: Rows[SegmentScoredDoc], numbers: Numbers) -> Rows[SegmentScoredDoc]:
    """The rows with their places in the order by score, ties in the order of the file."""
    rows.columns['rank'] = ranks_by_score(rows.columns['query_id'], rows.columns['score'])
    return rows


_QRELS = ColumnFile('judgements of podcasts', QRELS_FIELDS, (4,), _qrel, _judged_line, ('iteration',))
_RUN = ColumnFile('a run of podcasts', RUN_FIELDS, (6,), _scored_doc, _retrieved_line, ('run',), ranked=True,
                  arrange=_ranked, late='rank', columns={'rank': 3})
PODCASTS = Format(
    'podcasts', 'TREC Podcasts 2020: segments of 120 s as episode_start, grades 0-4, 6-column runs', 't',
    _QRELS.files(read_qrels, write_qrels), _RUN.files(read_run, write_run), lists=('queries',),
    read_queries=read_topics)
