"""Judgements of the INEX ad hoc track in text files (2008–10): one document a line, with its passages.

Source: the judgements of INEX 2010.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from sys import intern
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.blocks import buffer_of, fields_of, taken_column
from ir_segmeasures.formats.files.fields import wrong_fields
from ir_segmeasures.formats.files.parts import line_blocks, plain_lines, refuse_known
from ir_segmeasures.formats.files.reading import UTF_8, FormatError, StrPath, decode_text, numbered_rows_of, read_bytes
from ir_segmeasures.formats.files.row_types import Number, Rows
from ir_segmeasures.formats.inex.fields import LARGEST, QRELS_FIELDS, whole_number
from ir_segmeasures.segments.arrays import Array
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.text_columns import first_rows
from ir_segmeasures.segments.user_warnings import warn_user
from ir_segmeasures.segments.warnings import SegmentWarning

__all__ = ['InexQrel', 'PassageQrel', 'doubt_of_passages', 'parse_qrels', 'qrels_in_parts', 'read_qrels']

_COUNTS_FOR_NOTHING = 'has no content, which counts for nothing: correct the length, or take the passage out'
_EMPTY = re.compile(r'(?<!\S)[0-9]+:0+(?!\S)')
_IN_QRELS = f'a line is {QRELS_FIELDS}'

JudgedLine = list[tuple[Any, ...]]  # the rows of a line, as tuples


class InexQrel(NamedTuple):
    """A relevant passage, or a document that was judged and is not relevant.

    Attributes:
        query_id: the topic
        doc_id: the document, without a fragment
        start, end: in characters from the beginning of the document, half-open; of a document that is not relevant, all
            of it
        relevance: 1, or 0 for a document that is not relevant
        iteration: the second column of the file, not used by measures
        doc_size: of the document, in characters; None if it is not known
        bep: offset of the document's best entry point; None if it is not relevant
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: Number = 1
    iteration: str = 'Q0'
    doc_size: int | None = None
    bep: int | None = None


class PassageQrel(NamedTuple):
    """A judged passage of a dataset, the length of its document and the best entry point there, None if nothing is
    relevant."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    doc_size: int
    bep: int


def read_qrels(path: StrPath) -> Sequence[InexQrel]:
    """Reads judgements, one document a line: ``topic Q0 docid rsize docsize [bep off:len off:len …]``.

    Rows come in the order of the lines, one for every passage, those of a line by offset. A line without passages is a
    document that is not relevant: one row from 0 to its size, with relevance 0 (empty if the size is 0). Passages
    without content, beside others, are left out with a warning: inex_eval takes them, and they hold nothing.

    Raises:
        FormatError: a line has 6 fields or less than 5; a size, offset or length is not a whole number from 0 up; rsize
            is not the length of all passages; a passage is empty, overlaps another or ends after the document, or the
            best entry point lies after it; a document is judged twice for a topic
        OSError: the file cannot be opened
    """
    data = read_bytes(path, lines=True)
    with suppress(ValueError):
        return _qrels(np.frombuffer(buffer_of(data), np.uint8))
    text = decode_text(data, path)
    numbers, lines = numbered_rows_of(text, path, _qrel)
    empty = _EMPTY.findall(text)
    if empty:
        passages = f'passage {quoted(empty[0])}' if len(empty) == 1 else (
            f'each of {len(empty)} passages, such as {quoted(empty[0])},')
        warn_user(f'{os.fspath(path)}: {passages} {_COUNTS_FOR_NOTHING}', SegmentWarning)
    if len({rows[0][:2] for rows in lines}) < len(lines):
        raise _judged_twice(path, numbers, lines)
    return Rows.from_rows(InexQrel, chain.from_iterable(lines))


def qrels_in_parts(path: StrPath) -> Iterator[Sequence[InexQrel]]:
    """The judgements that :func:`read_qrels` has, some lines at a time, the first line at once.

    Raises:
        ValueError: a line is wrong, or a passage has no content: :func:`read_qrels` finds out
        OSError: the file cannot be opened
    """
    known: set[tuple[str, str]] = set()
    for number, data in enumerate(line_blocks(path)):
        rows = None
        with suppress(ValueError):  # such as lines without a relevant document
            rows = _qrels(np.frombuffer(buffer_of(data), np.uint8)) if number else None
        if rows is None:
            text = plain_lines(data, UTF_8)
            if _EMPTY.search(text):  # of which a warning tells
                raise ValueError
            lines = [_qrel(line.split()) for line in text.split('\n') if line.strip()]
            refuse_known([line[0][:2] for line in lines], known)
            found = chain.from_iterable(lines)
            yield Rows.from_rows(InexQrel, found) if number else list(map(InexQrel._make, found))
        else:
            columns = (rows.columns[name].tolist() for name in ('query_id', 'doc_id'))
            refuse_known(list(dict.fromkeys(zip(*columns))), known)
            yield rows


def parse_qrels(fields: list[str]) -> tuple[str, list[InexQrel]]:
    """The topic and the judgements of a line. Raises ``ValueError`` with a sentence."""
    rows = list(map(InexQrel._make, _qrel(fields)))
    return rows[0].query_id, rows


def doubt_of_passages(fields: list[str]) -> str | None:
    """The sentence about a possible mistake in a line that can be read: a passage without content, beside others."""
    empty = _EMPTY.search(' '.join(fields[6:]))
    return empty and f'passage {quoted(empty[0])} {_COUNTS_FOR_NOTHING}'


def _qrels(signs: 'Array[np.uint8]') -> Rows[InexQrel]:
    """All rows of a file, by columns. Raises ``ValueError``, without a sentence: where the mistake is will be found
    line by line."""
    fields, newlines = fields_of(signs)
    # Which of the fields is the first of each line, and how many a line has.
    bounds = np.append(0, np.searchsorted(fields.start, newlines))
    first, fields_in = bounds[:-1], np.diff(bounds)
    if ((fields_in < 5) | (fields_in == 6)).any():
        raise ValueError
    query_ids, iterations, doc_ids = (fields[first + place].coded() for place in range(3))
    length, size = (fields[first + place].whole_numbers(LARGEST) for place in (3, 4))
    relevant = np.flatnonzero(fields_in > 5)
    pairs = first_rows((query_ids.code * len(query_ids) + doc_ids.code).astype(np.uint64))
    if not relevant.size or (pairs != np.arange(len(pairs))).any():  # a document stands there twice
        raise ValueError
    bep = fields[first[relevant] + 5].whole_numbers(LARGEST)
    count = fields_in[relevant] - 6
    line = np.repeat(np.arange(len(count)), count)
    last = np.cumsum(count) - 1
    passages = fields[np.arange(len(line)) + np.repeat(first[relevant] + 6 - (last + 1 - count), count)]
    starts, lengths = (column.whole_numbers(LARGEST) for column in passages.cut(':'))
    order = np.lexsort((starts, line))
    start, end = starts[order], (starts + lengths)[order]
    if ((end <= start).any() or ((end[:-1] > start[1:]) & (line[:-1] == line[1:])).any()
            or (np.bincount(line, end - start) != length[relevant]).any()
            or (end[last] > size[relevant]).any() or (bep > size[relevant]).any()
            or np.delete(length, relevant).any()):
        raise ValueError
    rows = np.ones(len(first), np.intp)
    rows[relevant] = count
    place = np.repeat(np.arange(len(first)), rows)
    judged = np.zeros(len(first), bool)
    judged[relevant] = True
    has_passage = judged[place]
    starts, ends, beps = np.zeros(len(place), np.int64), size[place], np.full(len(place), None)
    starts[has_passage], ends[has_passage], beps[has_passage] = start, end, np.repeat(bep, count)
    queries, documents, seconds = (taken_column(column, place) for column in (query_ids, doc_ids, iterations))
    return Rows(InexQrel, (queries, documents, starts, ends, has_passage.astype(np.int64), seconds, size[place], beps))


def _qrel(fields: list[str]) -> JudgedLine:
    if len(fields) == 5:
        query_id, iteration, doc_id, relevant, size = fields
        doc_size = whole_number(size, 'docsize', _IN_QRELS)
        if whole_number(relevant, 'rsize', _IN_QRELS):
            raise ValueError(f'rsize is {relevant}, but the line has no passages, as those of documents that are not '
                             'relevant: write 0, or add the best entry point and the passages')
        return [(intern(query_id), intern(doc_id), 0, doc_size, 0, iteration, doc_size, None)]
    if len(fields) < 7:
        raise wrong_fields(fields, 'FOL judgements', QRELS_FIELDS, '5, or at least 7 if it is relevant')
    query_id, iteration, doc_id, relevant, size, entry, *texts = fields
    doc_size, bep = whole_number(size, 'docsize', _IN_QRELS), whole_number(entry, 'bep', _IN_QRELS)
    passages = sorted(map(_judged_passage, texts))
    passages = [passage for passage in passages if passage[0] < passage[1]] or passages
    if passages[0][0] == passages[0][1]:
        raise ValueError(f'passage {quoted(texts[0])} has no content, but a relevant document needs some: correct the '
                         'length, or take the best entry point and the passage out')
    total = last = 0
    for start, end in passages:
        if start < last:
            raise ValueError(f'the passages from {start} and up to {last} overlap, but those of a document do not: '
                             'join the two, or correct one')
        total, last = total + end - start, end
    if total != whole_number(relevant, 'rsize', _IN_QRELS):
        raise ValueError(f'rsize is {relevant}, but the passages have {total} characters together: correct one of the '
                         'two')
    if last > doc_size:
        raise ValueError(f'a passage ends at {last}, but docsize is {size}: correct one of the two')
    if bep > doc_size:
        raise ValueError(f'bep is {entry}, but docsize is {size}: correct one of the two')
    query_id, doc_id = intern(query_id), intern(doc_id)
    return [(query_id, doc_id, start, end, 1, iteration, doc_size, bep) for start, end in passages]


def _judged_passage(text: str) -> tuple[int, int]:
    offset, colon, length = text.partition(':')
    if not colon:
        raise ValueError(f'passage {quoted(text)} has no colon, but passages are offset:length: a line is '
                         f'{QRELS_FIELDS}')
    start, size = whole_number(offset, 'offset', _IN_QRELS), whole_number(length, 'length', _IN_QRELS)
    return start, start + size


def _judged_twice(path: StrPath, numbers: list[int], lines: list[JudgedLine]) -> FormatError:
    seen: dict[tuple[str, str], int] = {}
    for number, rows in zip(numbers, lines):
        query_id, doc_id = rows[0][:2]
        first = seen.setdefault((query_id, doc_id), number)
        if first != number:
            break
    return FormatError(f'document {quoted(doc_id)} of topic {quoted(query_id)} is already judged in line {first}, but '
                       'all of its passages stand on one line: join the two, or take one out', path, number)
