"""Positions of the rows of a run or of qrels: documents, starts and ends, from segment ids or the columns beside."""

from math import inf
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Array, Floats, Ints
from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.segment import NO_TEXT, TOO_LARGE, UNITS, Segment, parse_segment, quote_id, unquote_id
from ir_segmeasures.segments.tables.columns import Columns, RowError
from ir_segmeasures.segments.tables.id_columns import ArrowTexts, Coded, coded, codes_of
from ir_segmeasures.segments.tables.text_columns import TextColumn

__all__ = ['NO_UNIT', 'Positions', 'exact_decimals', 'read_positions']

NO_UNIT = -1  # of bare columns, and of whole documents: they go with every unit


class Positions(NamedTuple):
    """The documents, intervals, units and paths of all rows, as columns of a ``SegmentTable``."""
    document_ids: list[str]
    document: Ints
    start: Floats
    end: Floats
    unit: Array[np.int8]
    paths: list[str | None] | None = None


def read_positions(columns: Columns, elements: bool) -> Positions:
    """The positions of all rows, to the decimals of :func:`exact_decimals`.

    Args:
        columns: the columns of a run or of qrels
        elements: whether ids may be those of elements without offsets

    Raises:
        RowError: an id that is no segment, or columns that give a row no start and end
    """
    ids = columns.columns['doc_id']
    plain = _read_texts(ids) if isinstance(ids, ArrowTexts) else None
    plain = plain or _read_plain(
        ids if isinstance(ids, TextColumn) else ids.distinct if isinstance(ids, Coded) else columns.values('doc_id'))
    if plain and isinstance(ids, Coded):  # of which each is read once
        plain = Positions(plain.document_ids, plain.document[ids.code], plain.start[ids.code], plain.end[ids.code],
                          plain.unit[ids.code], plain.paths and [plain.paths[i] for i in ids.code.tolist()])
    positions = plain or _read(columns, elements)
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
    if (position == np.floor(position)).all():
        return position
    if position.max(initial=0) < 1e6:
        return np.rint(position * 1e9) / 1e9
    scale = np.where(position < 1e6, 1e9, 1e6)
    return np.where(position < 4e9, np.rint(position * scale) / scale, position)


def _read_plain(ids: TextColumn | list[Any]) -> Positions | None:
    """The positions in ids that are all ``document#unit=start,end``, or all ``document#xpath=path&unit=start,end``, in
    plain decimals of one unit, many times as fast as by :func:`_read`; None where any id is not.
    tests/segments/tables/test_table.py holds that both read the same.
    """
    first = str(ids[0]) if len(ids) else ''
    mark = '&' if '#xpath=' in first else '#'
    unit = next((unit for unit in UNITS if f'{mark}{unit}=' in first), None)
    if unit is None or unit == 'page':  # a single page has no end
        return None
    try:
        pieces = ids if isinstance(ids, TextColumn) else TextColumn.from_texts(ids)
        documents, fragments = pieces.cut('#')
        elements = None
        if mark == '&':
            paths, fragments = fragments.without('xpath=').cut('&')
            elements = paths.strip().coded()
        starts, ends = fragments.without(f'{unit}=').cut(',')
        start, end = (texts.decimals(signed=False) if unit == 't' else texts.whole_numbers().astype(np.float64)
                      for texts in (starts, ends))
        known = documents.coded()
    except (TypeError, ValueError):
        return None
    found = _plain(known.distinct, known.code, start, end, unit)
    if not (found and elements):
        return found
    if not _are_plain(elements.distinct):
        return None
    names = [unquote_id(path) for path in elements.distinct]
    return found._replace(paths=[names[i] for i in elements.code.tolist()])


def _read_texts(ids: ArrowTexts) -> Positions | None:
    """The positions of :func:`_read_plain` in ids that Arrow holds, which it reads in a third of the time."""
    import pyarrow
    unit = next((unit for unit in UNITS if len(ids) and f'#{unit}=' in ids[0]), None)
    if unit is None or unit == 'page':
        return None

    mark = f'#{unit}='
    documents, starts, ends = list[Any](), list[Any](), list[Any]()
    for texts in ids.array.chunks if isinstance(ids.array, pyarrow.ChunkedArray) else [ids.array]:
        if not len(texts):
            continue
        kind, integer = (pyarrow.LargeStringArray, np.int64) if pyarrow.types.is_large_string(texts.type) else (
            pyarrow.StringArray, np.int32)
        bounds = np.frombuffer(texts.buffers()[1], integer)[texts.offset:texts.offset + len(texts) + 1]
        signs = np.frombuffer(texts.buffers()[2], np.uint8)
        span = slice(int(bounds[0]), int(bounds[-1]))
        marks, commas = (np.flatnonzero(signs[span] == ord(sign)) + bounds[0] for sign in '#,')
        # One mark in each id, and one comma after it, where its times begin.
        if not len(marks) == len(commas) == len(texts) or not (
                (bounds[:-1] <= marks) & (marks + len(mark) <= commas) & (commas < bounds[1:])).all() or any(
                (signs[marks + place] != ord(sign)).any() for place, sign in enumerate(mark)):
            return None
        # The texts cut there, without a copy: document, mark, start, comma, end.
        cuts = np.column_stack([bounds[:-1], marks, marks + len(mark), commas, commas + 1]).astype(integer)
        offsets = pyarrow.py_buffer(np.append(cuts, bounds[-1:]))
        pieces = kind.from_buffers(5 * len(texts), offsets, texts.buffers()[2])
        documents.append(pieces.take(np.arange(0, len(pieces), 5)).dictionary_encode())
        for place, numbers in ((2, starts), (4, ends)):
            half = pieces.take(np.arange(place, len(pieces), 5))
            if not _are_digits(np.frombuffer(half.buffers()[2] or b'', np.uint8), unit):
                return None
            try:
                numbers.append(half.cast(pyarrow.float64()).to_numpy())
            except pyarrow.ArrowInvalid:
                return None
    known = coded(pyarrow.chunked_array(documents))
    return _plain(known.distinct, known.code, np.concatenate(starts), np.concatenate(ends), unit)


def _are_digits(signs: Array[np.uint8], unit: str) -> bool:
    # float() takes more than an id may hold (1e5, nan, 1_000, blanks): let only digits and, for seconds, '.' pass.
    return bool(signs.size and signs.max() <= ord('9') and signs.min() >= ord('.' if unit == 't' else '0'))


def _plain(documents: list[str], document: Ints, start: Floats, end: Floats, unit: str) -> Positions | None:
    if not _are_plain(documents):
        return None
    if (end < start).any() or (end >= TOO_LARGE).any():  # let the other way find the sentence
        return None
    return Positions(documents, document, start, end, np.full(len(document), UNITS.index(unit), np.int8))


def _are_plain(names: list[str]) -> bool:
    text = ' '.join(names)
    return '"' not in text and text.isprintable() and text.split() == names


def _read(columns: Columns, elements: bool) -> Positions:
    document_ids, document = columns.codes('doc_id')
    positions = Positions(document_ids, document, np.zeros(len(document)), np.full(len(document), inf),
                          np.full(len(document), NO_UNIT, np.int8))
    if not columns.have_times():
        return _read_each(columns, positions, False, elements)
    if '#' in ''.join(document_ids):
        positions = _read_each(columns, positions, True, elements)
    bare = positions.unit == NO_UNIT
    open_end = ~bare & np.isinf(positions.end)
    needed = np.flatnonzero(bare | open_end if columns.have_both() else bare)
    if not needed.size:
        return positions
    start, end = columns.times(None if bare.all() else needed, int(needed[0]))

    def error(row: int, sentence: str) -> RowError:
        query, document = columns.values('query_id')[row], positions.document_ids[positions.document[row]]
        return RowError(columns.kind, row, f'query {quoted(str(query))}, document {quoted(document)}: {sentence}')

    unclear = open_end[needed] & np.isfinite(end)
    if unclear.any():
        row = int(needed[np.argmax(unclear)])
        raise error(row, f'{quoted(columns.values("doc_id")[row])} is ambiguous, the part of this document from '
                         f'{format_number(positions.start[row])} to its end, or a document of that name with the start '
                         'and end beside it: write the end into the id, or percent-encode its last #')
    if bare.any() and not bare.all():
        row = int(np.argmax(bare != bare[0]))
        raise error(row, 'segment ids and bare documents with start and end stand in one table, so that their units '
                         'may differ: write all of them as segment ids, or none')
    return _with_ids(positions)._replace(start=start, end=end) if bare.all() else positions


def _with_ids(positions: Positions) -> Positions:
    """The positions with the names of documents that no id can hold percent-encoded, as cutters make ids of them."""
    names = positions.document_ids
    text = ' '.join(names)
    if '"' not in text and text.split() == names:
        return positions
    document_ids, document = codes_of([
        quote_id(name) if ('"' in name or name.split() != [name]) and not NO_TEXT.search(name) else name
        for name in names])
    return positions._replace(document_ids=document_ids, document=document[positions.document])


def _read_each(columns: Columns, positions: Positions, bare: bool, elements: bool) -> Positions:
    # Only what is an id by itself is held to what ids may hold.
    ids, code = positions.document_ids, positions.document
    if not bare:
        text = ' '.join(ids)
        if '#' not in text and '"' not in text and text.split() == ids and text.isprintable():
            return positions  # whole documents, or shots
    segments = []
    for i, id in enumerate(ids):
        try:
            segments.append(parse_segment(id, elements) if '#' in id or not bare else Segment(id))
        except ValueError as error:
            raise RowError(columns.kind, int(np.argmax(code == i)), str(error)) from None
    document_ids, document = codes_of([segment.document for segment in segments])
    return Positions(
        document_ids, document[code],
        np.array([segment.start for segment in segments], float)[code],
        np.array([segment.end for segment in segments], float)[code],
        np.array([UNITS.index(s.unit) if s.unit else NO_UNIT for s in segments], np.int8)[code],
        [segments[i].path for i in code.tolist()] if any(s.path is not None for s in segments) else None)
