"""Readers of tables of extents: where shots, elements, passages … lie in their documents, and where documents end."""

import os
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.fields import finite_number, interned, wrong_fields
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.reading import FormatError, StrPath, numbered_rows, refuse_twice
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, parse_segment
from ir_segmeasures.segments.spans import plain_number

__all__ = ['Extents', 'read_extents', 'read_sizes']

_FIELDS = 'id document start end'
_FORMS = ('id document start end; id segment, which tells its unit, such as d#char=0,80; or the length of a document, '
          'document length')


class _Extent(NamedTuple):
    """A line: an id, and the fields of its segment."""

    id: str
    document: str
    start: float
    end: float
    unit: str | None
    path: str | None


class Extents(Mapping[str, Segment]):
    """A table of extents that was read: id → its segment, kept as the columns of the file.

    Attributes:
        path: of the file
    """

    def __init__(self, rows: FileRows[_Extent], path: StrPath) -> None:
        self.path = path
        self._rows = rows

    @cached_property
    def _segments(self) -> dict[str, tuple[Any, ...]]:
        return {id: segment for id, *segment in self._rows} if len(self._rows) else {}  # type: ignore[misc]

    def __getitem__(self, id: str) -> Segment:
        return Segment(*self._segments[id])

    def __iter__(self) -> Iterator[str]:
        return iter(self._segments)

    def __len__(self) -> int:
        return len(self._segments)

    def __repr__(self) -> str:
        return f'{type(self).__name__}({dict(self)!r})'


def read_extents(path: StrPath, unit: str | None = None) -> Mapping[str, Segment]:
    """Reads a table for :func:`~ir_segmeasures.resolve`: lines ``id document start end``, ``id segment``, or ``document
    length``.

    Args:
        path: of the file, ``.gz`` by suffix, whose fields are split at white space; or of a folder of XML documents,
            whose elements are found when they are looked up (:class:`~ir_segmeasures.texts.elements.Elements`)
        unit: of start and end in lines with four fields, and of lengths; seconds if it is not given

    Raises:
        FormatError: a line with another number of fields; a position that is no number from 0 up, or an end before its
            start; a second field that is no segment with offsets; an id that is there with two extents
        ValueError: a unit for a folder, whose elements have characters
        OSError: the file cannot be opened
    """
    if os.path.isdir(path):
        if unit is not None:
            raise ValueError(f'unit={quoted(unit)} is not for a table of XML documents, whose elements have '
                             'characters: leave it out')
        from ir_segmeasures.texts.elements import Elements
        return Elements(path)
    rows: Any = Lines('a table of segments', _FIELDS, partial(_extents, unit=unit or 't'), optional=2,
                      wrong=_wrong).read(path)
    first: dict[str, int] = {}
    for place, id in enumerate(rows.columns['id'] if len(rows) else ()):
        other = first.setdefault(id, place)
        if other != place and rows[other] != rows[place]:
            raise FormatError(f'{quoted(id)} stands on line {rows.lines[other]} with another extent, but an id has '
                              'one: correct one of the two', path, int(rows.lines[place]))
    return Extents(rows, path)


def _extents(ids: list[str], documents: list[str], starts: list[str], ends: list[str], *, unit: str) -> _Extent:
    columns: Any = map(list, zip(*(map(_extent, ids, documents, starts, ends, [unit] * len(ids)))))
    return _Extent._make(columns)._replace(id=interned(ids))  # type: ignore[arg-type]


def _extent(id: str, document: str, start: str, end: str, unit: str) -> _Extent:
    if not end:
        if start:
            raise _wrong([id, document, start])
        length = finite_number(document)
        if length is not None:
            return _Extent(id, id, 0, _position(document), unit, None)
        segment = parse_segment(document)
        if segment.unit is None:
            raise ValueError(f'{quoted(document)} has no offsets, but a table tells where ids lie: write {_FORMS}')
        return _Extent(id, *segment)
    first, last = _position(start), _position(end)
    if last < first:
        raise ValueError(f'{quoted(id)} ends at {last}, before its start at {first}: write the smaller '
                         'position first')
    return _Extent(id, document, first, last, unit, None)


def _position(text: str) -> float:
    number = finite_number(text)
    if number is None or number < 0:
        raise ValueError(f'{quoted(text)} is no position, but start and end are numbers from 0 up: write {_FORMS}')
    return plain_number(number)


def _wrong(fields: Any) -> ValueError:
    return wrong_fields(fields, 'a table of segments', _FORMS, '4, or 2')


def read_sizes(path: StrPath) -> dict[str, float]:
    """Reads the lengths of documents, document → length: lines ``document length``; a line ``doc_id …`` is a head.

    Raises:
        FormatError: a line has no length, or a document is there twice
        OSError: the file cannot be opened
    """
    numbers, rows = numbered_rows(path, _size)
    refuse_twice(path, numbers, (document for document, _ in rows), 'document')
    return {document: size for document, size in rows if document != 'doc_id'}


def _size(fields: list[str]) -> tuple[str, float]:
    if fields[0] == 'doc_id':  # the head
        return 'doc_id', 0
    try:
        return fields[0], parse_segment(f'd#t=0,{fields[1]}').end
    except (IndexError, ValueError):
        raise ValueError(f'{quoted(" ".join(fields))} is no document with its length: write its id and a number, or '
                         'hh:mm:ss') from None
