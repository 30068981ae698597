"""The reader of tables of extents: where shots, elements, passages … lie in their documents, one a line."""

from functools import partial

from ir_segmeasures.formats.files.reading import FormatError, StrPath, finite_number, numbered_rows, wrong_fields
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, parse_segment

__all__ = ['read_extents']

_FORMS = 'id document start end, or id segment, which tells its unit, such as d#char=0,80'


def read_extents(path: StrPath, unit: str = 't') -> dict[str, Segment]:
    """Reads a table for :func:`~ir_segmeasures.resolve`: lines ``id document start end``, or ``id segment``.

    Args:
        path: of the file, ``.gz`` by suffix; fields are split at white space
        unit: of start and end in lines with four fields

    Raises:
        FormatError: a line with another number of fields; a position that is no number from 0 up, or an end before its
            start; a second field that is no segment with offsets; an id that is there with two extents
        OSError: the file cannot be opened
    """
    table: dict[str, Segment] = {}
    lines: dict[str, int] = {}
    for number, (id, segment) in zip(*numbered_rows(path, partial(_extent, unit=unit))):
        if table.setdefault(id, segment) != segment:
            raise FormatError(f'{quoted(id)} stands on line {lines[id]} with another extent, but an id has one: '
                              'correct one of the two', path, number)
        lines.setdefault(id, number)
    return table


def _extent(fields: list[str], unit: str) -> tuple[str, Segment]:
    if len(fields) == 2:
        segment = parse_segment(fields[1])
        if segment.unit is None:
            raise ValueError(f'{quoted(fields[1])} has no offsets, but a table tells where ids lie: write {_FORMS}')
        return fields[0], segment
    if len(fields) != 4:
        raise wrong_fields(fields, 'a table of segments', _FORMS, '4, or 2')
    id, document, *positions = fields
    start, end = map(_position, positions)
    if end < start:
        raise ValueError(f'{quoted(id)} ends at {end}, before its start at {start}: write the smaller '
                         'position first')
    return id, Segment(document, start, end, unit)


def _position(text: str) -> float:
    number = finite_number(text)
    if number is None or number < 0:
        raise ValueError(f'{quoted(text)} is no position, but start and end are numbers from 0 up: write {_FORMS}')
    return int(number) if number.is_integer() else number
