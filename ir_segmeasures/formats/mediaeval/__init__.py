"""Files of MediaEval Search & Hyperlinking (2013-15) and TRECVID Video Hyperlinking (2015-17).

Times in these files are ``minutes.seconds``, not decimal numbers: ``17.5`` is 17 min 5 s. Rows have seconds.

Beside these files stand lists: queries and anchors in XML, videos with durations.

Judgements of search and linking have relevance > 0 where they are relevant, and may end after their video's listed
duration, as some official ones do. The known items of 2013 have relevance 1. The judged anchors of 2015 have the video
as query.

Rows of search and linking runs come in the official order: queries as they first appear, within each by the rank
column, whatever the score says. Ranks are whole numbers from 0 up, in any order and with gaps: only their order counts
here, runs that start at 0 are common, and that a submission has to count from 1 is for the campaign's own check to say.
A jump-in point outside its segment is accepted; the name of a search run may be missing, as in the public ones.
Anchoring runs are in the order of the lines: neither ranks nor scores count.

Runs are written with ranks from 1 in the order by ``score``. The score column is the rows' ``run_score`` where they
have one; where they have no jump-in point, it is the start.
Source: the campaigns' evaluation tool, https://github.com/robinaly/sh_eval, and the judgements and runs it comes with.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files import fields, writing
from ir_segmeasures.formats.files.format import JUDGED, Format, Rules
from ir_segmeasures.formats.files.lines import Lines, by_rank_column, in_file_order, pairs_of_lines
from ir_segmeasures.formats.files.row_types import SegmentQrel, SegmentScoredDoc, StrPath
from ir_segmeasures.formats.files.xml import XmlElement, read_records
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.segment import clock_seconds

_DURATION = re.compile(r'[0-9]{1,9}:[0-5][0-9]:[0-5][0-9]')
# Lengths are bounded because Python refuses to convert very long digit strings, in a sentence of its own.
_TIME = re.compile(r'([0-9]{1,9})\.([0-9]{1,2})')


class SearchQuery(NamedTuple):
    """A text query of the search task."""

    query_id: str
    text: str


class Anchor(NamedTuple):
    """A query of the linking task: a segment of a video, ``start`` and ``end`` in seconds from its beginning."""

    query_id: str
    doc_id: str
    start: int
    end: int


class Video(NamedTuple):
    """A video of the collection. ``duration`` is in seconds."""

    doc_id: str
    duration: int


def read_queries(path: StrPath) -> list[SearchQuery]:
    """Reads the queries of the search task from XML: ``queryId`` (2014) or ``itemId`` (2013, 2015), and ``queryText``.

    Other children are ignored, the name of the element around them does not matter, and the text may be empty.

    Raises:
        FormatError: the XML is malformed or declares entities; a query lacks its id or its text element
        OSError: the file cannot be opened
    """
    return read_records(path, lambda record: SearchQuery(record.id('queryId', 'itemId'), record.text('queryText')))


def read_anchors(path: StrPath) -> list[Anchor]:
    """Reads the anchors of the linking task from XML.

    Each has ``anchorId``, ``fileName`` or ``video``, ``startTime`` and ``endTime``, in ``minutes.seconds``. Other
    children are ignored.

    Raises:
        FormatError: the XML is malformed or declares entities; an anchor lacks one of its elements; a time cannot be
            read; an anchor ends before it starts
        OSError: the file cannot be opened
    """
    return read_records(path, _anchor)


def read_videos(path: StrPath) -> Sequence[Video]:
    """Reads a list of videos with durations, one a line: ``id HH:MM:SS``, in file order.

    Raises:
        FormatError: a line does not have 2 fields, or its duration cannot be read; a video is there twice
        OSError: the file cannot be opened
    """
    return list(map(Video._make, pairs_of_lines(path, 'video', 'id HH:MM:SS', _duration)))


def _anchor(record: XmlElement) -> Anchor:
    start, end = spans([record.text('startTime')], [record.text('endTime')])
    return Anchor(record.id('anchorId'), record.id('fileName', 'video'), int(start[0]), int(end[0]))


def _duration(text: str) -> int:
    if not _DURATION.fullmatch(text):
        raise ValueError(f'duration {quoted(text)} cannot be read, but durations are hours:minutes:seconds with '
                         'minutes and seconds from 00 to 59: write 5 minutes 54 seconds as 00:05:54')
    return int(clock_seconds(text) or 0)


def parse_minutes(text: str, what: str = 'time', rule: str = '') -> int:
    """Reads ``minutes.seconds``, with one or two digits for the seconds, as whole seconds: ``17.5`` is 1025.

    Raises:
        ValueError: not of this form, or 60 seconds and more
    """
    match = _TIME.fullmatch(text)
    if match is None or int(match[2]) > 59:
        raise ValueError(f'{what} {quoted(text)} cannot be read, but times are minutes.seconds with seconds from 00 to '
                         f'59: 5 seconds past 17 minutes is written 17.05{rule}')
    return 60 * int(match[1]) + int(match[2])


def format_minutes(seconds: float) -> str:
    """Writes seconds, 0 or more, as ``minutes.seconds`` with two digits for the whole ones: 1025 is ``17.05``."""
    minutes, rest = divmod(int(seconds), 60)
    return f'{minutes}.{rest:02d}'


def spans(starts: list[str], ends: list[str]) -> tuple[Any, Any]:
    """Columns of starts and ends in seconds. Raises ``ValueError`` for what is not a time, or ends before it starts."""
    start, end = (fields.each_text(partial(parse_minutes, what=f'{what} time'))(texts)
                  for what, texts in (('start', starts), ('end', ends)))
    fields.refuse_backwards(np.less(end, start).any(), starts[0], ends[0])
    return start, end


SEARCH_FIELDS = 'query Q0 video start end jump-in rank score run'
LINKING_FIELDS = 'anchor Q0 video start end rank score run'

_NAME = 'Search and Hyperlinking'
# A search run without its last column has as many fields as a linking run: only a value in the wrong column tells.
_KINDS = f'a line of a search run is {SEARCH_FIELDS}, of a linking run {LINKING_FIELDS}'


_relevance = fields.whole_numbers('relevance', 'such as 0 or 1', -fields.LARGEST)
_jump_ins = fields.each_text(partial(parse_minutes, what='jump-in time', rule=f'; {_KINDS}'))
_rank = fields.whole_numbers('rank', f"which orders a query's items, 1, 2, 3 and so on; {_KINDS}")


def _places(columns: dict[str, list[str]]) -> tuple[Any, ...]:
    """The columns of queries, videos, starts and ends."""
    query, video = (fields.interned(columns[name]) for name in (next(iter(columns)), 'video'))
    return query, video, *spans(columns['start'], columns['end'])


def _judged(columns: dict[str, list[str]]) -> SegmentQrel:
    query, video, start, end = _places(columns)
    relevance: Any = _relevance(columns['relevance']) if 'relevance' in columns else np.ones(len(start), np.int64)
    fields.refuse_empty(((relevance > 0) & np.equal(start, end)).any())
    return SegmentQrel._make((query, video, start, end, relevance, columns.get('Q0', '0')))


def _retrieved(columns: dict[str, list[str]]) -> SegmentScoredDoc:
    jump_in = _jump_ins(columns['jump-in']) if 'jump-in' in columns else None
    rank = _rank(columns['rank'])
    return SegmentScoredDoc._make((*_places(columns), -rank, rank, fields.scores(columns['score']), jump_in,
                                   [name or None for name in columns['run']]))


def _written(names: list[str], row: Any, unit: str | None, rank: int = 0) -> list[str]:
    """The fields of the line of a row. Raises ``ValueError`` for what it cannot hold."""
    video, *places = writing.whole_span(row, unit, 't', _NAME)
    start, end = map(format_minutes, places)
    cells = {'start': start, 'end': end, 'video': video, names[0]: row.query_id, 'rank': str(rank)}
    if names[0] == 'video' and row.query_id != video:
        raise ValueError(f'the segment of {quoted(video)} is of the query {quoted(row.query_id)}, but in '
                         'anchoring the query is the video itself: convert to sh-linking')
    if 'rank' in names:
        point = getattr(row, 'jump_in', None)
        cells |= {'Q0': 'Q0', 'score': writing.decimal(writing.own_score(row), 'score'), 'run': writing.run_of(row),
                  'jump-in': start if point is None else format_minutes(writing.whole(point, 'jump-in point', _NAME))}
        if 'jump-in' in names and getattr(row, 'run', None) is None:  # the name of a search run may be missing
            names = names[:-1]
    else:
        if 'relevance' not in names:
            writing.refuse_grades(row, 'known items')
        cells |= {'Q0': row.iteration, 'relevance': writing.grade(row, _NAME)}
        fields.refuse_empty(row.relevance > 0 and start == end)
    return [cells[name] for name in names]


def _lines(kind: str, line: str, columns: Callable[[dict[str, list[str]]], Any] = _judged, **settings: Any) -> Lines:
    names = line.split()
    return Lines(kind, line, lambda *texts: columns(dict(zip(names, texts))),
                 lambda *row: _written(names, *row), **settings)


_run = partial(_lines, columns=_retrieved, held=('run_score', 'run'), beside=('rank', 'run'), ranked='rank',
               finish=by_rank_column)
_JUDGED = _lines('search and linking qrels', 'query Q0 video start end relevance', held=('iteration',)).files()
_SEARCH_RUN = _run('a search run', SEARCH_FIELDS, optional=1, held=('jump_in', 'run_score', 'run'))
_LINKING_RUN = _run('a linking run', LINKING_FIELDS)
# The program reads a video's lines as one list, in file order, and neither ranks nor scores.
_ANCHORING_RUN = _run('an anchoring run', 'video Q0 start end rank score run', finish=in_file_order)

_OF_RUNS = ('one_run', 'scores_follow_ranks', 'judged_query', 'answered_queries', 'within_the_document')
_SEARCH = Rules(('apart_from_earlier_ones', 'consecutive_ranks', 'lines_together', 'known_query', 'known_video'),
                _OF_RUNS, most=1000)
_LINKING = Rules((*_SEARCH.violations, 'target_length', 'apart_from_the_anchor'), _OF_RUNS, most=1000)
_ANCHORING = Rules(('retrieved_once', 'lines_together', 'known_video'), (*_OF_RUNS, 'overlap'), most=1000)

SH_SEARCH = Format(
    'sh-search', 'MediaEval Search & Hyperlinking, search: times in minutes.seconds, runs with jump-in points', 't',
    _JUDGED, _SEARCH_RUN.files(rules=_SEARCH, order='rank', mended={'rank': 'rank'}), lists=('queries', 'videos'),
    shown=format_minutes)
SH_LINKING = Format(
    'sh-linking', 'MediaEval and TRECVID hyperlinking: times in minutes.seconds, runs without jump-in points', 't',
    _JUDGED, _LINKING_RUN.files(rules=_LINKING, order='rank', mended={'rank': 'rank'}),
    lists=('queries', 'anchors', 'videos'), shown=format_minutes)
SH_KNOWN_ITEM = Format(
    'sh-known-item', 'MediaEval Search & Hyperlinking 2013, known items: 4-column judgements, no runs', 't',
    _lines('known-item qrels', 'item video start end').files(), lists=('queries', 'videos'),
    shown=format_minutes)
SH_ANCHORING = Format(
    'sh-anchoring', 'MediaEval 2015, anchors of a video, which is the query: times in minutes.seconds', 't',
    _lines('anchoring qrels', 'video start end relevance').files(
        rules=Rules(('judged_once', 'judged_without_contradiction', 'known_video'), JUDGED.warnings)),
    _ANCHORING_RUN.files(rules=_ANCHORING, order='line'), lists=('videos',), shown=format_minutes)
