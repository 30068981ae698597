"""Positions of the rows of a run or of qrels: documents, starts and ends, from segment ids or the columns beside.

A whole column of ids of one form is cut at once. Any other column is read id by id, which also finds the row at fault.
"""

import sys
from collections.abc import Sequence
from functools import reduce
from math import inf
from operator import or_
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments import segment
from ir_segmeasures.segments.basics import Array, Floats, Ints, format_number, quoted
from ir_segmeasures.segments.tables.columns import Columns, RowError, codes_of
from ir_segmeasures.segments.tables.shapes import Coded

NO_UNIT = -1  # of bare columns, and of whole documents: they go with every unit


class Positions(NamedTuple):
    """The documents, intervals, units and paths of all rows, as columns of a ``SegmentTable``."""
    document_ids: list[str]
    document: Ints
    start: Floats
    end: Floats
    unit: Array[np.int8]
    paths: list[str | None] | None = None

    def take(self, rows: Ints) -> 'Positions':
        """Some of the rows, in this order."""
        return Positions(self.document_ids, self.document[rows], self.start[rows], self.end[rows], self.unit[rows],
                         self.paths and [self.paths[row] for row in rows.tolist()])


def read_positions(columns: Columns, elements: bool) -> Positions:
    """The positions of all rows, to the decimals of :func:`exact_decimals`.

    Args:
        columns: the columns of a run or of qrels
        elements: whether ids may be those of elements without offsets

    Raises:
        RowError: an id that is not a segment, or columns that give a row no start and end
    """
    ids = columns.columns['doc_id']
    is_coded = isinstance(ids, Coded)
    positions = _cut(ids.distinct if is_coded else ids)
    if positions and is_coded:
        positions = positions.take(ids.code)
    if positions is None:
        positions = _read(columns, elements)
        positions = _beside(columns, positions)
    return positions._replace(start=exact_decimals(positions.start), end=exact_decimals(positions.end))


def exact_decimals(position: Floats) -> Floats:
    """Positions rounded to 9 decimals, from 10^6 on to 6, as the nearest floats to these decimals.

    The digits behind them are the noise of binary fractions: without it, 0.1 + 0.2 is 0.3, and two spans of which one
    ends where the other starts touch. From 4·10^9 on a float holds fewer decimals, and is left as it is.

    Examples:
        >>> import numpy as np
        >>> from ir_segmeasures.segments.tables.positions import exact_decimals
        >>> exact_decimals(np.array([0.1 + 0.2, 12.5])).tolist()
        [0.3, 12.5]
    """
    scale = np.where(position < 1e6, 1e9, 1e6)
    with np.errstate(over='ignore'):  # of what is far too large
        return np.where(position < 4e9, np.rint(position * scale) / scale, position)


def _cut(ids: Sequence[Any]) -> Positions | None:
    """The positions in ids that are all ``document#unit=start,end`` or all ``document#xpath=path&unit=start,end``, in
    decimals of one unit; None where any id is not. A million take 0.8 s (0.2 s by Arrow), and id by id 4 s.
    """
    first = str(ids[0]) if len(ids) else ''
    is_element = '#xpath=' in first
    unit = next((unit for unit in segment.UNITS if f'{"&" if is_element else "#"}{unit}=' in first), 'page')
    if unit == 'page':  # a single page has no end
        return None
    marks = [mark.encode() for mark in (['#xpath=', f'&{unit}=', ','] if is_element else [f'#{unit}=', ','])] + [b'\n']
    try:
        text = '\n'.join([*ids, '']).encode()
        signs = np.frombuffer(text, np.uint8)
        is_mark = reduce(or_, (signs == mark[0] for mark in marks))
        # Each id has each mark once, and all of them in this order: the pieces between these are its parts.
        places = np.flatnonzero(is_mark).reshape(len(ids), len(marks)).T.copy()
        if any((signs[place + at] != sign).any() for mark, place in zip(marks, places) for at, sign in enumerate(mark)):
            return None
        parts = [_pieces(text, np.append(0, places[-1, :-1] + 1), places[0]),
                 *(_pieces(text, place + len(mark), end) for mark, place, end in zip(marks, places, places[1:]))]
        start, end = (_numbers(part, b'0123456789.' if unit == 't' else b'0123456789') for part in parts[-2:])
        (documents, document), *elements = map(_distinct, parts[:-2])
    except (IndexError, TypeError, ValueError):
        return None
    if (end < start).any():
        return None
    paths = None
    for names, code in elements:
        names = list(map(segment.unquote_id, names))
        paths = [names[path] for path in code.tolist()]
    return Positions(documents, document, start, end, np.full(len(ids), segment.UNITS.index(unit), np.int8), paths)


def _pieces(text: bytes, start: Ints, end: Ints) -> Any:
    """Pieces of a text: as an array of Arrow where that is at work, which reads them in a fifth of the time, or a list.
    """
    if 'pyarrow' not in sys.modules:
        return [text[first:last] for first, last in zip(start.tolist(), end.tolist())]
    import pyarrow
    bounds = np.stack([start, end], axis=1).ravel()
    texts = pyarrow.LargeStringArray.from_buffers(len(bounds) - 1, *map(pyarrow.py_buffer, (bounds, text)))
    return texts.take(np.arange(0, len(bounds), 2))  # without those between two pieces


def _distinct(pieces: Any) -> tuple[list[str], Ints]:
    """The distinct pieces, which are to be ids, and which of them each is."""
    if isinstance(pieces, list):
        found, code = codes_of(pieces)
        names = [piece.decode() for piece in found]
    else:
        coded = pieces.dictionary_encode()
        names, code = coded.dictionary.to_pylist(), coded.indices.to_numpy().astype(np.intp)
    if not _are_ids(names, ' '.join(names)):
        raise ValueError
    return names, code


def _numbers(pieces: Any, digits: bytes) -> Floats:
    """The pieces as numbers. Both ways take more than an id may hold, such as 1e5 and nan: it is of these digits."""
    is_list = isinstance(pieces, list)
    if (b''.join(pieces) if is_list else bytes(pieces.buffers()[2])).translate(None, digits):
        raise ValueError
    number: Floats = np.fromiter(map(float, pieces), float) if is_list else pieces.cast('double').to_numpy()
    if not (number < segment.TOO_LARGE).all():
        raise ValueError
    return number


def _are_ids(names: list[str], text: str) -> bool:
    return '"' not in text and text.isprintable() and text.split() == names


def _read(columns: Columns, elements: bool) -> Positions:
    """The positions in ids of any forms, each read once; documents with columns beside them are not held to what ids
    may hold."""
    ids, code = columns.documents
    found, text = [], ' '.join(ids)
    if '#' not in text and not (':' in text and any(map(segment.lines_behind_colon, ids))) and _are_ids(ids, text):
        whole = np.zeros(len(code)), np.full(len(code), inf), np.full(len(code), NO_UNIT, np.int8)
        return Positions(ids, code, *whole)
    for number, id in enumerate(ids):
        try:
            bare = columns.beside and '#' not in id
            found.append(segment.Segment(_id_of(id)) if bare else segment.parse_segment(id, elements))
        except ValueError as error:
            raise RowError(columns.kind, int(np.argmax(code == number)), str(error)) from None
    start, end = (np.array([one[place] for one in found], float) for place in (1, 2))
    return Positions(
        *codes_of([one.document for one in found]), start, end,
        np.array([segment.UNITS.index(one.unit) if one.unit else NO_UNIT for one in found], np.int8),
        [one.path for one in found] if any(one.path for one in found) else None).take(code)


def _id_of(name: str) -> str:
    """The name of a document as an id; one that no id can hold is percent-encoded, as cutters make ids of names."""
    needs_quotes = ('"' in name or name.split() != [name]) and not segment.NO_TEXT.search(name)
    return segment.quote_id(name) if needs_quotes else name


def _beside(columns: Columns, positions: Positions) -> Positions:
    """The positions, with starts and ends from the columns where ids have none."""
    beside = columns.beside
    if beside is None:
        return positions
    bare = positions.unit == NO_UNIT
    open_end = ~bare & np.isinf(positions.end) & (beside.lack is None)
    needed = bare | open_end
    unclear = open_end & np.isfinite(beside.end)

    def refuse(rows: Any, sentence: str) -> None:
        if not rows.any():
            return
        row = int(np.argmax(rows))
        ids, code = columns.documents
        raise RowError(columns.kind, row, sentence.format(
            id=quoted(ids[code[row]]), document=quoted(positions.document_ids[positions.document[row]]),
            start=format_number(positions.start[row])))

    if beside.lack:
        refuse(needed, beside.lack)
    for row, sentence in beside.faults.items():
        if needed[row]:
            raise RowError(columns.kind, row, sentence)
    refuse(unclear, '{id} is ambiguous, the part of this document from {start} to its end, or a document of that name '
                    'with the start and end beside it: write the end into the id, or percent-encode its last #')
    if not bare.all():
        refuse(bare != bare[:1] if bare.any() else bare, 'document {document}: segment ids and bare documents with '
               'start and end stand in one table, so that their units may differ: write all as segment ids, or none')
        return positions
    return positions._replace(start=beside.start, end=beside.end)
