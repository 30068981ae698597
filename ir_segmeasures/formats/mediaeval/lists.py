"""Lists beside MediaEval's and TRECVID's hyperlinking files: queries and anchors in XML, videos with durations."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ir_segmeasures.formats.files.fields import wrong_fields
from ir_segmeasures.formats.files.reading import StrPath, numbered_rows, refuse_twice
from ir_segmeasures.formats.files.xml import XmlElement, read_records
from ir_segmeasures.formats.mediaeval.times import spans
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import clock_seconds

VIDEO_FIELDS = 'id HH:MM:SS'

_DURATION = re.compile(r'[0-9]{1,9}:[0-5][0-9]:[0-5][0-9]')


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
    numbers, videos = numbered_rows(path, _video)
    refuse_twice(path, numbers, (video.doc_id for video in videos), 'video')
    return videos


def _anchor(record: XmlElement) -> Anchor:
    start, end = spans([record.text('startTime')], [record.text('endTime')])
    return Anchor(record.id('anchorId'), record.id('fileName', 'video'), int(start[0]), int(end[0]))


def _video(fields: list[str]) -> Video:
    if len(fields) != 2:
        raise wrong_fields(fields, 'a list of videos', VIDEO_FIELDS, '2')
    doc_id, duration = fields
    if not _DURATION.fullmatch(duration):
        raise ValueError(f'duration {quoted(duration)} cannot be read, but durations are hours:minutes:seconds with '
                         'minutes and seconds from 00 to 59: write 5 minutes 54 seconds as 00:05:54')
    return Video(doc_id, int(clock_seconds(duration) or 0))
