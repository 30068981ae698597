"""Judgements of MediaEval Search & Hyperlinking (2013-15) and TRECVID Video Hyperlinking (2015-17).

Source: the campaigns' evaluation tool, https://github.com/robinaly/sh_eval, and the judgements it comes with.
"""

import functools
import re
from collections.abc import Sequence
from typing import Any

from ir_segmeasures.formats.files.columns import ColumnFile
from ir_segmeasures.formats.files.fields import anywhere, each_text, interned
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import SegmentQrel
from ir_segmeasures.formats.files.writing import grade, refuse_empty, refuse_grades, segment_of, whole, word
from ir_segmeasures.formats.mediaeval.times import format_minutes, span
from ir_segmeasures.segments.quoting import quoted

__all__ = ['ANCHORS', 'JUDGED', 'KNOWN_ITEMS', 'LARGEST', 'RULE', 'anchor_fields', 'read_anchor_qrels',
           'read_known_items', 'read_qrels', 'write_anchor_qrels', 'write_known_items', 'write_qrels', 'written_fields']

RULE = 'times in minutes.seconds are whole seconds'
LARGEST = 60 * 10 ** 9 - 1

_NAME = 'Search and Hyperlinking'
_INTEGER = re.compile(r'-?[0-9]{1,9}')


def read_qrels(path: StrPath) -> Sequence[SegmentQrel]:
    """Reads judgements, one a line: ``query Q0 video start end relevance``, in file order.

    Times are ``minutes.seconds``, relevance is an integer, relevant if > 0. Segments may end after their video's listed
    duration, as some official ones do.

    Raises:
        FormatError: a line does not have 6 fields; a time or the relevance cannot be read; a segment ends before it
            starts, or where it starts although it is relevant
        OSError: the file cannot be opened
    """
    return JUDGED.read(path)


def read_known_items(path: StrPath) -> Sequence[SegmentQrel]:
    """Reads the known items of 2013, one a line: ``item video start end``, in file order. Each has relevance 1.

    Raises:
        FormatError: a line does not have 4 fields; a time cannot be read; a segment ends where it starts or before
        OSError: the file cannot be opened
    """
    return KNOWN_ITEMS.read(path)


def read_anchor_qrels(path: StrPath) -> Sequence[SegmentQrel]:
    """Reads the judged anchors of 2015, one a line: ``video start end relevance``. The video is the query.

    Raises:
        FormatError: a line does not have 4 fields; a time or the relevance cannot be read; a segment ends before it
            starts, or where it starts although it is relevant
        OSError: the file cannot be opened
    """
    return ANCHORS.read(path)


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements of search or linking, in the order of the rows.

    Args:
        rows: of any reader, in whole seconds, with whole grades
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there
    """
    return JUDGED.write(rows, path, unit)


def write_known_items(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes known items, in the order of the rows, all of which are relevant, without grades.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    return KNOWN_ITEMS.write(rows, path, unit)


def write_anchor_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judged anchors, in the order of the rows, each of which is of its own video.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    return ANCHORS.write(rows, path, unit)


def anchor_fields(row: Any, unit: str | None) -> tuple[str, str, str]:
    """Video, start and end of an anchor, as files write them. Raises ``ValueError`` if the query is another video."""
    query_id, video, start, end = written_fields(row, unit)
    if query_id != video:
        raise ValueError(f'the segment of {quoted(video)} is of the query {quoted(query_id)}, but in anchoring the '
                         'query is the video itself: convert to sh-linking')
    return video, start, end


def written_fields(row: Any, unit: str | None) -> tuple[str, str, str, str]:
    """Query, video, start and end of a row, as files write them. Raises ``ValueError`` for what they cannot hold."""
    segment = segment_of(row, unit, 't', _NAME)
    start, end = whole(segment.start, 'start', RULE, LARGEST), whole(segment.end, 'end', RULE, LARGEST)
    return word(row.query_id, 'query'), word(segment.document, 'video'), format_minutes(start), format_minutes(end)


def _judged_line(row: Any, unit: str | None) -> str:
    query_id, video, start, end = written_fields(row, unit)
    relevance = grade(row.relevance, _NAME)
    refuse_empty(relevance > 0 and start == end)
    return f'{query_id} {word(row.iteration, "second column")} {video} {start} {end} {relevance}'


def _known_item_line(row: Any, unit: str | None) -> str:
    query_id, video, start, end = written_fields(row, unit)
    refuse_grades(row, start == end, 'known items')
    return f'{query_id} {video} {start} {end}'


def _anchor_line(row: Any, unit: str | None) -> str:
    video, start, end = anchor_fields(row, unit)
    relevance = grade(row.relevance, _NAME)
    refuse_empty(relevance > 0 and start == end)
    return f'{video} {start} {end} {relevance}'


def _qrel(query: Any, iteration: Any, video: Any, start: Any, end: Any, relevance: Any) -> SegmentQrel:
    return _judgement(query, video, start, end, _relevance(relevance), iteration)


def _known_item(item: Any, video: Any, start: Any, end: Any) -> SegmentQrel:
    return _judgement(item, video, start, end, 1, '0')


def _anchor(video: Any, start: Any, end: Any, relevance: Any) -> SegmentQrel:
    return _judgement(video, video, start, end, _relevance(relevance), '0')


def _judgement(query: Any, video: Any, start: Any, end: Any, relevance: Any, iteration: Any) -> SegmentQrel:
    first, last = span(start, end)
    if anywhere((relevance > 0) & (first == last)):
        raise ValueError(f'the segment starts and ends at {quoted(start)}, but a relevant judgement needs content: '
                         'move its end, or judge it 0')
    return SegmentQrel(interned(query), interned(video), first, last, relevance, iteration)


@each_text
@functools.lru_cache(maxsize=1024)
def _relevance(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError(f'relevance {quoted(text)} is not an integer, but judgements are whole grades: '
                         'write it as 0 or 1')
    return int(text)


JUDGED = ColumnFile('search and linking qrels', 'query Q0 video start end relevance', (6,), _qrel, _judged_line,
                    ('iteration',))
KNOWN_ITEMS = ColumnFile('known-item qrels', 'item video start end', (4,), _known_item, _known_item_line)
ANCHORS = ColumnFile('anchoring qrels', 'video start end relevance', (4,), _anchor, _anchor_line)
