"""Readers of tables of extents: where shots, elements, passages … lie in their documents, and where documents end."""

import os
from collections.abc import Mapping

from ir_segmeasures.formats.files.fields import finite_number, refuse_backwards, wrong_fields
from ir_segmeasures.formats.files.lines import pairs_of_lines
from ir_segmeasures.formats.files.reading import StrPath, numbered_rows
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, parse_segment
from ir_segmeasures.segments.spans import plain_number

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
        FormatError: a line with another number of fields; a position that is no number from 0 up, or an end before its
            start; a second field that is no segment with offsets; an id that is there with two extents
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
        raise ValueError(f'{quoted(text)} is no position, but start and end are numbers from 0 up: write {_FORMS}')
    return plain_number(number)


def read_sizes(path: StrPath) -> dict[str, float]:
    """Reads the lengths of documents, document → length: lines ``document length``, maybe with other
    fields behind; a line ``doc_id …`` is a head.

    Raises:
        FormatError: a line has no length, or a document is there twice
        OSError: the file cannot be opened
    """
    return dict(pairs_of_lines(path, 'document', 'document length', _size,
                               lambda line: [] if line.startswith('doc_id') else line.split()[:2]))


def _size(text: str) -> float:
    try:
        return parse_segment(f'd#t=0,{text}').end
    except ValueError:
        raise ValueError(f'{quoted(text)} is not the length of a document: write a number, or hh:mm:ss') from None
