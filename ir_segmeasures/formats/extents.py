"""Tables of extents, which say where segments and documents lie, and windows of models, which are cut off at the bounds
of their video or made seconds, and numbers are rounded for files of whole ones."""

import os
from collections.abc import Mapping, Sequence
from math import floor, inf, isfinite
from operator import ne
from typing import Any

from ir_segmeasures.formats.files.fields import finite_number, refuse_backwards, wrong_fields
from ir_segmeasures.formats.files.reading import StrPath, numbered_rows
from ir_segmeasures.formats.files.writing import judged_lines
from ir_segmeasures.segments.basics import format_number, plain_number, quoted
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment
from ir_segmeasures.segments.tables.columns import RowError

_FORMS = ('id document start end; id segment, which tells its unit, such as d#char=0,80; or the length of a document, '
          'document length')


def read_extents(path: StrPath, unit: str | None = None) -> Mapping[str, Segment]:
    """Reads a table for :func:`~ir_segmeasures.resolve`: lines ``id document start end``, ``id segment``, or ``document
    length``.

    Args:
        path: of the file, ``.gz`` by suffix, whose fields are split at white space; or of a folder of XML documents,
            whose elements are found when they are looked up (:class:`~ir_segmeasures.texts.elements.Elements`)
        unit: of start and end in lines with four fields, and of lengths; seconds if it is not given

    Raises:
        FormatError: a line with another number of fields; a position that is not a number from 0 up, or an end before
            its start; a second field that is not a segment with offsets; an id that is there with two extents
        ValueError: a unit for a folder, whose elements have characters
        OSError: the file cannot be opened
    """
    if os.path.isdir(path):
        if unit is not None:
            raise ValueError(f'unit={quoted(unit)}: elements of XML documents have characters, so leave it out')
        from ir_segmeasures.texts.elements import Elements
        return Elements(path)
    table: dict[str, Segment] = {}

    def add(fields: list[str]) -> None:
        if '#' in fields or len(fields) not in (2, 4):
            raise wrong_fields(fields, 'a table of segments', _FORMS, '4, or 2')
        id, document, *places = fields
        if places or finite_number(document) is not None:
            start, end = places or ('0', document)
            first, last = _position(start), _position(end)
            refuse_backwards(last < first, start, end)
            segment = Segment(document if places else id, first, last, unit or 't')
        elif (segment := parse_segment(document)).unit is None:
            raise ValueError(f'{quoted(document)} has no offsets, but a table tells where ids lie: write {_FORMS}')
        if table.setdefault(id, segment) != segment:
            raise ValueError(f'{quoted(id)} stands above with another extent: correct one of the two')
    numbered_rows(path, add)
    return table


def _position(text: str) -> float:
    number = finite_number(text)
    if number is None or number < 0:
        raise ValueError(f'{quoted(text)} is not a position, but start and end are numbers from 0 up: write {_FORMS}')
    return plain_number(number)


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
        >>> from ir_segmeasures.formats.extents import in_seconds
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
    lasts = [durations.get(row.doc_id, inf) for row in rows]
    found = [row._replace(start=min(max(row.start, 0), last), end=min(max(row.end, 0), last))
             for row, last in zip(rows, lasts)]
    return found, sum(map(ne, found, rows))


_WHOLE = ('start', 'end', 'jump_in', 'bep', 'doc_size', 'relevance')


def rounded(rows: Sequence[Any]) -> tuple[list[Any], int]:
    """The rows with the nearest whole positions (also those in ids) and grades, halves up, and how many changed.

    Args:
        rows: of any reader

    Raises:
        WriteError: a segment with content would have none
    """
    found = judged_lines(rows, _rounded)
    return found, sum(map(ne, found, rows))


def _rounded(row: Any) -> Any:
    new = row._replace(**{name: _nearest(getattr(row, name)) for name in _WHOLE if hasattr(row, name)})
    before, after = row, new
    if not hasattr(row, 'end'):
        before = parse_segment(row.doc_id, elements=True)
        after = before._replace(start=_nearest(before.start), end=_nearest(before.end))
        new = new._replace(doc_id=row.doc_id if after == before else format_segment(after))
    if before.start < before.end and after.start == after.end:
        raise ValueError(f'nothing from {before.start} to {before.end} is left between whole numbers: keep decimals')
    return new


def _nearest(value: Any) -> Any:
    is_whole = not isinstance(value, int | float) or not isfinite(value) or value == floor(value)
    return value if is_whole else floor(value + 0.5)
