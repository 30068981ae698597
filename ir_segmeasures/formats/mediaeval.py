"""Files of MediaEval Search & Hyperlinking (2013–15) and TRECVID Video Hyperlinking (2015–17).

Times in these files are ``minutes.seconds``, not decimal numbers: ``17.5`` is 17 min 5 s. Rows have seconds.
Source: the campaigns' evaluation tool, https://github.com/robinaly/sh_eval, and the judgements and runs it comes with.
"""

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from operator import attrgetter
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_segmeasures.formats.files.reading import (
    FormatError,
    SegmentQrel,
    SegmentScoredDoc,
    StrPath,
    numbered_rows,
    parse_score,
    read_rows,
    wrong_fields,
)
from ir_segmeasures.formats.files.writing import (
    NAMELESS,
    decimal,
    grade,
    judged_lines,
    left_out,
    own_score,
    ranked_lines,
    refuse_empty,
    refuse_grades,
    segment_of,
    whole,
    word,
    write_text,
)

if TYPE_CHECKING:
    from ir_segmeasures.formats.files.xml import Record

__all__ = ['Anchor', 'Query', 'Video', 'format_time', 'parse_time', 'read_anchors', 'read_known_items',
           'read_linking_run', 'read_qrels', 'read_queries', 'read_search_run', 'read_videos', 'write_known_items',
           'write_linking_run', 'write_qrels', 'write_search_run']

QRELS_FIELDS = 'query Q0 video start end relevance'
KNOWN_ITEM_FIELDS = 'item video start end'
SEARCH_FIELDS = 'query Q0 video start end jump-in rank score run'
LINKING_FIELDS = 'anchor Q0 video start end rank score run'
VIDEO_FIELDS = 'id HH:MM:SS'

# A search run without its last column has as many fields as a linking run: only a value in the wrong column tells.
_KINDS = f'a line of a search run is {SEARCH_FIELDS}, of a linking run {LINKING_FIELDS}'

# Lengths are bounded because Python refuses to convert very long digit strings, in a sentence of its own.
_TIME = re.compile(r'([0-9]{1,9})\.([0-9]{1,2})')
_DIGITS = re.compile(r'[0-9]{1,9}')
_INTEGER = re.compile(r'-?[0-9]{1,9}')
_DURATION = re.compile(r'([0-9]{1,9}):([0-5][0-9]):([0-5][0-9])')

_NAME = 'Search and Hyperlinking'
_RULE = 'times in minutes.seconds are whole seconds'
_LARGEST = 60 * 10 ** 9 - 1


class Query(NamedTuple):
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


def read_qrels(path: StrPath) -> Sequence[SegmentQrel]:
    """Reads judgements, one a line: ``query Q0 video start end relevance``, in file order.

    Times are ``minutes.seconds``, relevance is an integer, relevant if > 0. Segments may end after their video's listed
    duration, as some official ones do.

    Raises:
        FormatError: a line does not have 6 fields; a time or the relevance cannot be read; a segment ends before it
            starts, or where it starts although it is relevant
        OSError: the file cannot be opened
    """
    return read_rows(path, _qrel)


def read_known_items(path: StrPath) -> Sequence[SegmentQrel]:
    """Reads the known items of 2013, one a line: ``item video start end``, in file order. Each has relevance 1.

    Raises:
        FormatError: a line does not have 4 fields; a time cannot be read; a segment ends where it starts or before
        OSError: the file cannot be opened
    """
    return read_rows(path, _known_item)


def read_search_run(path: StrPath) -> list[SegmentScoredDoc]:
    """Reads a search run, one item a line: ``query Q0 video start end jump-in rank score run``; ``run`` may be missing.

    Rows come in the official order: queries as they first appear, within each by the rank column, whatever the score
    says. Ranks are whole numbers from 0 up, in any order and with gaps: only their order counts here, runs that start
    at 0 are common, and that a submission has to count from 1 is for the campaign's own check to say. A jump-in point
    outside its segment is accepted.

    Raises:
        FormatError: a line does not have 8 or 9 fields; a time, rank or score cannot be read; a segment ends before it
            starts; a query repeats a rank
        OSError: the file cannot be opened
    """
    return _read_ranked(path, _search_result)


def read_linking_run(path: StrPath) -> list[SegmentScoredDoc]:
    """Reads a linking run, one item a line: ``anchor Q0 video start end rank score run``.

    Order and ranks as in ``read_search_run``; there are no jump-in points.

    Raises:
        FormatError: a line does not have 8 fields; a time, rank or score cannot be read; a segment ends before it
            starts; an anchor repeats a rank
        OSError: the file cannot be opened
    """
    return _read_ranked(path, _linking_result)


def read_queries(path: StrPath) -> list[Query]:
    """Reads the queries of the search task from XML: ``queryId`` (2014) or ``itemId`` (2013, 2015), and ``queryText``.

    Other children are ignored, the name of the element around them does not matter, and the text may be empty.

    Raises:
        FormatError: the XML is malformed or declares entities; a query lacks its id or its text element
        OSError: the file cannot be opened
    """
    from ir_segmeasures.formats.files.xml import read_records  # runs have no need of it
    return read_records(path, lambda record: Query(record.id('queryId', 'itemId'), record.text('queryText')))


def read_anchors(path: StrPath) -> list[Anchor]:
    """Reads the anchors of the linking task from XML.

    Each has ``anchorId``, ``fileName`` or ``video``, ``startTime`` and ``endTime``, in ``minutes.seconds``. Other
    children are ignored.

    Raises:
        FormatError: the XML is malformed or declares entities; an anchor lacks one of its elements; a time cannot be
            read; an anchor ends before it starts
        OSError: the file cannot be opened
    """
    from ir_segmeasures.formats.files.xml import read_records
    return read_records(path, _anchor)


def read_videos(path: StrPath) -> Sequence[Video]:
    """Reads a list of videos with durations, one a line: ``id HH:MM:SS``, in file order.

    Raises:
        FormatError: a line does not have 2 fields, or its duration cannot be read
        OSError: the file cannot be opened
    """
    return read_rows(path, _video)


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements of search or linking, in the order of the rows.

    Args:
        rows: of any reader, in whole seconds, with whole grades
        path: packed if it ends in ``.gz``
        unit: of the rows' ``start`` and ``end``, where these are not in the ids

    Returns:
        what the rows have and the file has not, in words

    Raises:
        WriteError: a row cannot be held
        OSError: the file cannot be written
    """
    def line(row: Any) -> str:
        query_id, video, start, end = _fields(row, unit)
        relevance = grade(row.relevance, _NAME)
        refuse_empty(relevance > 0 and start == end)
        return f'{query_id} {word(row.iteration, "second column")} {video} {start} {end} {relevance}'
    write_text(judged_lines(rows, line), path)
    return left_out(rows, ('iteration',))


def write_known_items(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes known items, in the order of the rows, all of which are relevant, without grades.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    def line(row: Any) -> str:
        query_id, video, start, end = _fields(row, unit)
        refuse_grades(row, start == end, 'known items')
        return f'{query_id} {video} {start} {end}'
    write_text(judged_lines(rows, line), path)
    return left_out(rows, ())


def write_search_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes a search run, query by query, with ranks from 1 in the order by ``score``.

    The score column is the rows' ``run_score`` where they have one; where they have no jump-in point, it is the start;
    where they have no name of the run, that column is left out, as in the public runs.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    def line(row: Any, rank: int) -> str:
        query_id, video, start, end = _fields(row, unit)
        point = getattr(row, 'jump_in', None)
        jump_in = start if point is None else format_time(whole(point, 'jump-in point', _RULE, _LARGEST))
        run = '' if getattr(row, 'run', None) is None else f' {word(row.run, "name of the run")}'
        return f'{query_id} Q0 {video} {start} {end} {jump_in} {rank} {_own_score(row)}{run}'
    write_text(ranked_lines(rows, line), path)
    return left_out(rows, ('jump_in', 'run_score', 'run'))


def write_linking_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes a linking run, as :func:`write_search_run` does without jump-in points. The run always has a name.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    def line(row: Any, rank: int) -> str:
        query_id, video, start, end = _fields(row, unit)
        run = word(getattr(row, 'run', None) or NAMELESS, 'name of the run')
        return f'{query_id} Q0 {video} {start} {end} {rank} {_own_score(row)} {run}'
    write_text(ranked_lines(rows, line), path)
    return left_out(rows, ('run_score', 'run'))


def _fields(row: Any, unit: str | None) -> tuple[str, str, str, str]:
    segment = segment_of(row, unit, 't', _NAME)
    start, end = whole(segment.start, 'start', _RULE, _LARGEST), whole(segment.end, 'end', _RULE, _LARGEST)
    return word(row.query_id, 'query'), word(segment.document, 'video'), format_time(start), format_time(end)


def _own_score(row: Any) -> str:
    return decimal(own_score(row), 'score')


@functools.lru_cache(maxsize=1 << 15)
def parse_time(text: str) -> int:
    """Reads ``minutes.seconds``, with one or two digits for the seconds, as whole seconds: ``17.5`` is 1025.

    Raises:
        ValueError: not of this form, or 60 seconds and more
    """
    match = _TIME.fullmatch(text)
    if match:
        minutes, seconds = int(match[1]), int(match[2])
        if seconds < 60:
            return 60 * minutes + seconds
        fault = f'has {seconds} seconds'
        repair = f'{seconds} seconds past {minutes} minutes is written {format_time(60 * minutes + seconds)}'
    elif _DIGITS.fullmatch(text):
        fault = 'has no dot'
        repair = f'{text} seconds is written {format_time(int(text))}, {text} minutes {format_time(60 * int(text))}'
    else:
        fault = 'cannot be read'
        repair = '5 seconds past 17 minutes is written 17.05, without signs, colons or fractions of a second'
    raise ValueError(f'time {text!r} {fault}, but times are minutes.seconds with seconds from 00 to 59 ({repair})')


def format_time(seconds: int) -> str:
    """Writes whole seconds, 0 or more, as ``minutes.seconds`` with two digits for the seconds: 1025 is ``17.05``."""
    minutes, rest = divmod(seconds, 60)
    return f'{minutes}.{rest:02d}'


def _span(start: str, end: str) -> tuple[int, int]:
    try:
        first = parse_time(start)
    except ValueError as error:
        raise ValueError(f'start {error}') from None
    try:
        last = parse_time(end)
    except ValueError as error:
        raise ValueError(f'end {error}') from None
    if last < first:
        raise ValueError(f'end time {end!r} is before start time {start!r}, but a segment cannot end before it starts '
                         '(swap the two, or correct one)')
    return first, last


def _judgement(query_id: str, doc_id: str, start: str, end: str, relevance: int, iteration: str) -> SegmentQrel:
    first, last = _span(start, end)
    if relevance > 0 and first == last:
        raise ValueError(f'the segment starts and ends at {start!r}, but a relevant judgement needs content '
                         '(move its end, or judge it 0)')
    return SegmentQrel(intern(query_id), intern(doc_id), first, last, relevance, iteration)


def _qrel(fields: list[str]) -> SegmentQrel:
    if len(fields) != 6:
        raise wrong_fields(fields, 'search and linking qrels', QRELS_FIELDS, '6')
    query_id, iteration, doc_id, start, end, relevance = fields
    return _judgement(query_id, doc_id, start, end, _relevance(relevance), iteration)


def _known_item(fields: list[str]) -> SegmentQrel:
    if len(fields) != 4:
        raise wrong_fields(fields, 'known-item qrels', KNOWN_ITEM_FIELDS, '4')
    query_id, doc_id, start, end = fields
    return _judgement(query_id, doc_id, start, end, 1, '0')


def _search_result(fields: list[str]) -> SegmentScoredDoc:
    run: str | None = None
    if len(fields) == 8:
        query_id, _, doc_id, start, end, jump_in, rank, score = fields
    elif len(fields) == 9:
        query_id, _, doc_id, start, end, jump_in, rank, score, run = fields
    else:
        raise wrong_fields(fields, 'a search run', SEARCH_FIELDS, '9, or 8 without the last')
    try:
        jump = parse_time(jump_in)
    except ValueError as error:
        raise ValueError(f'jump-in {error}; {_KINDS}') from None
    return _result(query_id, doc_id, start, end, jump, rank, score, run)


def _linking_result(fields: list[str]) -> SegmentScoredDoc:
    if len(fields) != 8:
        raise wrong_fields(fields, 'a linking run', LINKING_FIELDS, '8')
    query_id, _, doc_id, start, end, rank, score, run = fields
    return _result(query_id, doc_id, start, end, None, rank, score, run)


def _result(query_id: str, doc_id: str, start: str, end: str, jump_in: int | None, rank: str, score: str,
            run: str | None) -> SegmentScoredDoc:
    first, last = _span(start, end)
    place = _rank(rank)
    # A run repeats few ids on many lines: interned, they take less memory and compare by identity.
    return SegmentScoredDoc(intern(query_id), intern(doc_id), first, last, -place, place, parse_score(score), jump_in,
                            run)


def _anchor(record: 'Record') -> Anchor:
    start, end = _span(record.text('startTime'), record.text('endTime'))
    return Anchor(record.id('anchorId'), record.id('fileName', 'video'), start, end)


def _video(fields: list[str]) -> Video:
    if len(fields) != 2:
        raise wrong_fields(fields, 'a list of videos', VIDEO_FIELDS, '2')
    doc_id, duration = fields
    match = _DURATION.fullmatch(duration)
    if not match:
        raise ValueError(f'duration {duration!r} cannot be read, but durations are hours:minutes:seconds with minutes '
                         'and seconds from 00 to 59 (5 minutes 54 seconds is written 00:05:54)')
    hours, minutes, seconds = map(int, match.groups())
    return Video(doc_id, 3600 * hours + 60 * minutes + seconds)


@functools.lru_cache(maxsize=1024)
def _relevance(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError(f'relevance {text!r} is not an integer, but judgements are whole grades (such as 0 or 1)')
    return int(text)


@functools.lru_cache(maxsize=1 << 15)
def _rank(text: str) -> int:
    if not _DIGITS.fullmatch(text):
        raise ValueError(f'rank {text!r} is not a whole number from 0 up, but items are ordered by rank (number a '
                         f"query's items 1, 2, 3 and so on); {_KINDS}")
    return int(text)


def _read_ranked(path: StrPath, parse: Callable[[list[str]], SegmentScoredDoc]) -> list[SegmentScoredDoc]:
    numbers, rows = numbered_rows(path, parse)
    queries: dict[str, list[SegmentScoredDoc]] = defaultdict(list)
    for row in rows:
        queries[row.query_id].append(row)
    rank = attrgetter('rank')
    for ranking in queries.values():
        ranking.sort(key=rank)
        if len(set(map(rank, ranking))) < len(ranking):
            raise _repeated_rank(path, numbers, rows)
    return [row for ranking in queries.values() for row in ranking]


def _repeated_rank(path: StrPath, numbers: list[int], rows: list[SegmentScoredDoc]) -> FormatError:
    seen: dict[tuple[str, int], int] = {}
    for number, row in zip(numbers, rows, strict=True):
        first = seen.setdefault((row.query_id, row.rank), number)
        if first != number:
            break
    return FormatError(f'rank {row.rank} of {row.query_id!r} is already in line {first}, but every item of a query has '
                       'a rank of its own (number the items 1, 2, 3 and so on)', path, number)
