"""Blocks of lines as columns: lines are cut into fields some megabytes at a time, and rows of blocks are put together.

Lines that cannot be read by columns raise a ValueError without a sentence: they are then gone through one by one.
"""

from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.fields import column_of
from ir_segmeasures.formats.files.reading import UTF_8
from ir_segmeasures.formats.files.row_types import Rows
from ir_segmeasures.segments.arrays import Array, Bools, Ints
from ir_segmeasures.segments.tables.id_columns import Coded, codes_of
from ir_segmeasures.segments.tables.text_columns import (
    PADDING,
    CodedTexts,
    LazyColumn,
    TextColumn,
    first_rows,
    holds_blank,
)

__all__ = ['buffer_of', 'codes_of_column', 'columns_of', 'fields_of', 'joined_blocks', 'read_blocks', 'rows_of_lines',
           'taken', 'taken_column']

BLOCK = 1 << 22  # bytes of lines whose columns are in memory at once
_PIECE = 1 << 17  # bytes that are looked at together, which stay in a processor's cache
_WIDEST = 64  # fields of a line of any format, and of what is none: each column takes its time


def buffer_of(data: bytes, encoding: str = UTF_8, separator: str = '') -> bytes:
    """The lines of a file as a buffer of columns of texts: in UTF-8, with LF behind each line."""
    if data.startswith(BOM_UTF8):
        data = data.removeprefix(BOM_UTF8)
    elif encoding != UTF_8 and not data.isascii():
        data = data.decode(encoding).encode()
    if b'\r' in data:
        data = data.replace(b'\r\n', b'\n').replace(b'\r', b'\n')
    return b''.join([PADDING, data.rstrip(b'\n' if separator else b' \t\n'), b'\n'])


def fields_of(signs: Array[np.uint8], first: int = len(PADDING), last: int | None = None,
              separator: str = '') -> tuple[TextColumn, Ints]:
    """All fields of lines, and where in the buffer the lines end.

    Args:
        signs: the buffer
        first, last: where the first line begins, and where the last one ends, behind its line end
        separator: of fields, which may then be empty and hold blanks; blanks and tabs in a row if it is not given

    Raises a ValueError where a sign is in no field (control characters, a byte order mark), at other white space that
    separates fields, and where there is no field.
    """
    last = len(signs) if last is None else last
    region = signs[first - 1:last]
    newlines = _positions(signs, first, last, lambda piece: piece[1:] == ord('\n'))
    if not len(newlines) or not region.all():
        raise ValueError
    if int(region.max()) > 0x7f:
        text = region.tobytes().decode()
        if '\n\ufeff' in text or (not separator and holds_blank(text)):
            raise ValueError

    def gaps(piece: Array[np.uint8]) -> Bools:
        if separator:
            return (piece == ord('\n')) | (piece == ord(separator))
        gap = piece <= ord(' ')
        if np.count_nonzero(gap) != sum(np.count_nonzero(piece == sign) for sign in b' \n\t'):
            raise ValueError
        return gap
    end = _positions(signs, first, last, lambda piece: gaps(piece)[1:])
    start = np.append(first, end[:-1])
    start[1:] += 1
    if separator or (end > start).all():  # a single sign behind each field
        return TextColumn(signs, start, end), newlines
    edges = _positions(signs, first, last, lambda piece: np.diff(gaps(piece)))
    if not len(edges):
        raise ValueError
    return TextColumn(signs, edges[::2], edges[1::2]), newlines


def _positions(signs: Array[np.uint8], first: int, last: int, test: Callable[[Array[np.uint8]], Bools]) -> Ints:
    """Where a test holds; it takes a piece of the signs at a time, with the sign before it."""
    found = []
    for low in range(first, last, _PIECE):
        found.append(np.flatnonzero(test(signs[low - 1:min(low + _PIECE, last)])))
        found[-1] += low
    return np.concatenate(found)


def columns_of(buffer: bytes, first: int = len(PADDING), last: int | None = None,
               separator: str = '') -> list[TextColumn]:
    """The columns of lines that all have the same number of fields.

    Args:
        buffer: as :func:`buffer_of` makes it
        first, last: where the lines begin, and where they end, behind a line end
        separator: of fields; white space if it is not given
    """
    signs = np.frombuffer(buffer, np.uint8)
    fields, newlines = fields_of(signs, first, last, separator)
    width, lines = int(np.searchsorted(fields.start, newlines[0], 'right')), len(newlines)
    if width > _WIDEST or len(fields) != width * lines or (fields.end[width - 1::width] > newlines).any() or (
            fields.start[width::width] < newlines[:-1]).any():
        raise ValueError
    return [TextColumn(signs, fields.start[column::width].copy(), fields.end[column::width].copy())
            for column in range(width)]


def read_blocks(buffer: bytes, parse: Callable[[list[TextColumn]], Any], first: int = len(PADDING),
                separator: str = '') -> Rows[Any]:
    """The rows of all lines of a buffer from ``first`` on.

    Args:
        buffer, separator: as in :func:`columns_of`
        parse: columns → a row of columns, and of values that are the same in all rows
    """
    rows: list[Any] = []
    counts: list[int] = []
    while first < len(buffer):
        last = buffer.find(b'\n', first + BLOCK) + 1 or len(buffer)
        columns = columns_of(buffer, first, last, separator)
        rows.append(parse(columns))
        counts.append(len(columns[0]))
        first = last
    if not rows:
        raise ValueError
    return joined_blocks(rows, counts)


def joined_blocks(rows: Sequence[Any], counts: Sequence[int]) -> Rows[Any]:
    """The rows of rows of columns, one for each block of lines, with so many lines."""
    return Rows(type(rows[0]), (_joined(parts, counts) for parts in zip(*rows)))


def rows_of_lines(rows: Sequence[Any]) -> Sequence[Any]:
    """The rows of a file whose lines were parsed one by one, with the columns that :func:`read_blocks` makes."""
    return Rows(type(rows[0]), map(column_of, zip(*rows))) if rows else []


def _joined(parts: Sequence[Any], counts: Sequence[int]) -> Any:
    """A column of its parts, one for each block of lines."""
    first, *others = parts = list(map(_spread, parts, counts))
    if not others:
        return first
    if {(type(part), getattr(part, 'dtype', None)) for part in parts} != {(type(first), getattr(first, 'dtype', None))}:
        return list(chain.from_iterable(part if isinstance(part, list) else part.tolist() for part in parts))
    if isinstance(first, np.ndarray):
        return np.concatenate(parts)
    if isinstance(first, TextColumn):
        return TextColumn(first.signs, *(np.concatenate([getattr(part, name) for part in parts])
                                         for name in ('start', 'end')))
    if isinstance(first, LazyColumn):
        return LazyColumn(_joined([part.texts for part in parts], counts), first.convert)
    if isinstance(first, CodedTexts):
        texts = _joined([part.texts for part in parts], counts).coded()  # of all parts, one behind the other
        before = np.cumsum([0, *(len(part.texts) for part in parts)]).tolist()
        return _with_codes(texts, texts.code[np.concatenate([part.code + count for part, count in zip(parts, before)])])
    if isinstance(first, Coded):
        places: dict[str, int] = {}
        code = [np.array([places.setdefault(text, len(places)) for text in part.distinct])[part.code] for part in parts]
        return Coded(list(places), np.concatenate(code))
    return list(chain.from_iterable(parts))


def _spread(column: Any, count: int) -> Any:
    """A column, also of a value that is the same in all rows."""
    if hasattr(column, '__len__') and not isinstance(column, str):
        return column
    if isinstance(column, str):
        return Coded([column], np.zeros(count, np.intp))
    return [column] * count if column is None else np.full(count, column)


def codes_of_column(column: Any) -> Ints:
    """A number for each value of a column, the same for the same value, below the number of rows; of texts in the
    order of appearance."""
    if isinstance(column, np.ndarray):
        return first_rows((column + 0.0).view(np.uint64))
    if not isinstance(column, Coded):
        column = column.coded() if isinstance(column, TextColumn) else Coded(*codes_of(column))
    return column.code


def taken(rows: Rows[Any], places: Ints) -> Rows[Any]:
    """Rows in another order, or some of them."""
    return Rows(rows.row_type, (taken_column(column, places) for column in rows.columns.values()))


def taken_column(column: Any, places: Ints | slice) -> Any:
    """The values of a column at these places."""
    if isinstance(column, Coded):
        return _with_codes(column, column.code[places])
    if isinstance(places, slice) or not isinstance(column, (list, tuple)):
        return column[places]
    return [column[place] for place in places.tolist()]


def _with_codes(column: Coded, code: Ints) -> Coded:
    """The column of these codes of the texts of another: those that appear, in the order of appearance."""
    count = len(column.texts) if isinstance(column, CodedTexts) else len(column.distinct)
    first = np.full(count, -1)
    first[code[::-1]] = np.arange(len(code) - 1, -1, -1)  # of what is written to one place the last stays
    is_first = np.zeros(len(code), bool)
    is_first[first[first >= 0]] = True
    found = code[is_first]
    place = np.empty(count, np.intp)
    place[found] = np.arange(len(found))
    if isinstance(column, CodedTexts):
        return CodedTexts(column.texts[found], place[code])
    return Coded([column.distinct[text] for text in found.tolist()], place[code])
