"""Windows as models print them, beyond their video or as parts of it: cut off at its bounds, or made seconds."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.tables.columns import RowError

_PLACES = 6  # as in segment ids


def in_seconds(rows: Sequence[Any], durations: Mapping[str, float], clip: bool = False) -> tuple[list[Any], int]:
    """The rows with their times in seconds, and what stood for the end of a video: 1, or 100 (per cent) where most of
    the windows end after 1.

    Args:
        rows: of a reader of moments
        durations: video → its duration in seconds
        clip: whether windows may go beyond their video; they stay so

    Raises:
        RowError: a video has no duration, or a window goes beyond its end

    Examples:
        >>> from ir_segmeasures.formats import SegmentScoredDoc
        >>> from ir_segmeasures.formats.clipping import in_seconds
        >>> rows, whole = in_seconds([SegmentScoredDoc('q', 'v', 10, 25.5, 1, 1, 1, None, None)], {'v': 60})
        >>> rows[0].start, rows[0].end, whole
        (6.0, 15.3, 100)
    """
    whole = 1 if 2 * sum(row.end <= 1 for row in rows) > len(rows) else 100
    found = []
    for place, row in enumerate(rows):
        window = f'window {format_number(row.start)}-{format_number(row.end)} of video {quoted(row.doc_id)}'
        duration = durations.get(row.doc_id)
        if duration is None:
            raise RowError('run', place, f'{window} is a part of its duration, which is not known: give judgements '
                                         'with the durations of videos')
        if row.end > whole and not clip:
            raise RowError('run', place, f'{window} goes beyond {whole}, but normalised times of this file are from 0 '
                                         f'to {whole}: correct it, or cut all windows off with --clip')
        start, end = (round(time * duration / whole, _PLACES) for time in (row.start, row.end))
        found.append(row._replace(start=start, end=end))
    return found, whole


def clipped(rows: Sequence[Any], durations: Mapping[str, float]) -> tuple[list[Any], int]:
    """The rows with their windows cut off at 0 and at the duration of the video, and how many were cut.

    Args:
        rows: of a reader of moments
        durations: video → its duration in seconds; the windows of others are cut off at 0 alone
    """
    found, count = [], 0
    for row in rows:
        last = durations.get(row.doc_id, inf)
        start, end = (min(max(place, 0), last) for place in (row.start, row.end))
        if (start, end) != (row.start, row.end):
            row, count = row._replace(start=start, end=end), count + 1
        found.append(row)
    return found, count
