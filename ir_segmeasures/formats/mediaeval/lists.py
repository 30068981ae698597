"""Lists beside MediaEval's and TRECVID's hyperlinking files: queries and anchors in XML, videos with durations.

Times of these campaigns are ``minutes.seconds``, not decimal numbers: ``17.5`` is 17 min 5 s.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.fields import each_text, refuse_backwards
from ir_segmeasures.formats.files.lines import pairs_of_lines
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.xml import XmlElement, read_records
from ir_segmeasures.segments.quoting import quoted
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


def parse_minutes(text: str) -> int:
    """Reads ``minutes.seconds``, with one or two digits for the seconds, as whole seconds: ``17.5`` is 1025.

    Raises:
        ValueError: not of this form, or 60 seconds and more
    """
    match = _TIME.fullmatch(text)
    if match is None or int(match[2]) > 59:
        raise ValueError(f'time {quoted(text)} cannot be read, but times are minutes.seconds with seconds from 00 to '
                         '59: 5 seconds past 17 minutes is written 17.05')
    return 60 * int(match[1]) + int(match[2])


each_time = each_text(parse_minutes)


def format_minutes(seconds: float) -> str:
    """Writes seconds, 0 or more, as ``minutes.seconds`` with two digits for the whole ones: 1025 is ``17.05``."""
    minutes, rest = divmod(int(seconds), 60)
    return f'{minutes}.{rest:02d}'


def spans(starts: list[str], ends: list[str]) -> tuple[Any, Any]:
    """Columns of starts and ends in seconds. Raises ``ValueError`` for what is no time, or ends before it starts."""
    found = []
    for what, texts in (('start', starts), ('end', ends)):
        try:
            found.append(each_time(texts))
        except ValueError as error:
            raise ValueError(f'{what} {error}') from None
    refuse_backwards(np.less(found[1], found[0]).any(), starts[0], ends[0])
    return found[0], found[1]
