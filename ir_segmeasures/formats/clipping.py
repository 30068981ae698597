"""Windows as models print them are cut off at the bounds of their video, or made seconds; numbers are rounded for files
of whole ones."""

from collections.abc import Mapping, Sequence
from math import floor, inf, isfinite
from typing import Any

from ir_segmeasures.formats.files.writing import WriteError
from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.segment import format_segment, parse_segment
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


_WHOLE = ('start', 'end', 'jump_in', 'bep', 'doc_size', 'relevance')


def rounded(rows: Sequence[Any]) -> tuple[list[Any], int]:
    """The rows with the nearest whole positions (also those in ids) and grades, halves up, and how many changed.

    Args:
        rows: of any reader

    Raises:
        WriteError: a segment with content would have none
    """
    found = []
    for place, row in enumerate(rows):
        new = row._replace(**{name: _nearest(getattr(row, name)) for name in _WHOLE if hasattr(row, name)})
        before, after = row, new
        if not hasattr(row, 'end'):
            try:
                before = parse_segment(row.doc_id, elements=True)
            except ValueError as error:
                raise WriteError(f'query {quoted(row.query_id)}: {error}', place) from None
            after = before._replace(start=_nearest(before.start), end=_nearest(before.end))
            new = new._replace(doc_id=row.doc_id if after == before else format_segment(after))
        if before.start < before.end and after.start == after.end:
            raise WriteError(f'query {quoted(row.query_id)}, {quoted(row.doc_id)}: from {before.start} to {before.end} '
                             'nothing is left between whole numbers: choose a format with decimals', place)
        found.append(new)
    return found, sum(new != old for new, old in zip(found, rows))


def _nearest(value: Any) -> Any:
    if not isinstance(value, int | float) or not isfinite(value):
        return value
    return floor(value + 0.5) if value != floor(value) else value
