"""Judgements of the INEX ad hoc track in text files (2008–10): one document a line, with its passages.

Source: the judgements of INEX 2010.
"""

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from ir_segmeasures.formats.files.fields import wrong_fields
from ir_segmeasures.formats.files.lines import rows_of_lines
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import FileRows, Number
from ir_segmeasures.formats.inex.fields import QRELS_FIELDS, whole_number
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.user_warnings import warn_user
from ir_segmeasures.segments.warnings import SegmentWarning

__all__ = ['InexQrel', 'PassageQrel', 'check_qrels', 'read_qrels']

_COUNTS_FOR_NOTHING = 'has no content, which counts for nothing: correct the length, or take the passage out'
_EMPTY = re.compile(r'[0-9]+:0+')
_IN_QRELS = f'a line is {QRELS_FIELDS}'


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
    rows = _rows(path)
    places: dict[tuple[str, str], int] = {}
    for row, line in zip(rows, rows.lines.tolist() if rows.lines is not None else ()):
        first = places.setdefault((row.query_id, row.doc_id), line)
        if first != line:
            raise FormatError(f'document {quoted(row.doc_id)} of topic {quoted(row.query_id)} is already judged in '
                              f'line {first}, but all of its passages stand on one line: join the two, or take one '
                              'out', path, line)
    return rows


def check_qrels(path: StrPath) -> tuple[FileRows[InexQrel], list[FormatError]]:
    """The judgements that can be read, and the errors of the other lines."""
    faults: list[FormatError] = []
    return _rows(path, faults), faults


def _rows(path: StrPath, faults: list[FormatError] | None = None) -> FileRows[InexQrel]:
    empty: list[str] = []

    def parse(fields: list[str]) -> list[InexQrel]:
        rows = _qrel(fields)
        empty.extend(text for text in fields[6:] if _EMPTY.fullmatch(text))
        return rows
    rows = rows_of_lines(path, parse, InexQrel, faults)
    if empty:
        passages = f'passage {quoted(empty[0])}' if len(empty) == 1 else (
            f'each of {len(empty)} passages, such as {quoted(empty[0])},')
        warn_user(f'{os.fspath(path)}: {passages} {_COUNTS_FOR_NOTHING}', SegmentWarning)
    return rows


def _qrel(fields: list[str]) -> list[InexQrel]:
    if len(fields) == 5:
        query_id, iteration, doc_id, relevant, size = fields
        doc_size = whole_number(size, 'docsize', _IN_QRELS)
        if whole_number(relevant, 'rsize', _IN_QRELS):
            raise ValueError(f'rsize is {relevant}, but the line has no passages, as those of documents that are not '
                             'relevant: write 0, or add the best entry point and the passages')
        return [InexQrel(query_id, doc_id, 0, doc_size, 0, iteration, doc_size)]
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
    return [InexQrel(query_id, doc_id, start, end, 1, iteration, doc_size, bep) for start, end in passages]


def _judged_passage(text: str) -> tuple[int, int]:
    offset, colon, length = text.partition(':')
    if not colon:
        raise ValueError(f'passage {quoted(text)} has no colon, but passages are offset:length: a line is '
                         f'{QRELS_FIELDS}')
    start, size = whole_number(offset, 'offset', _IN_QRELS), whole_number(length, 'length', _IN_QRELS)
    return start, start + size
