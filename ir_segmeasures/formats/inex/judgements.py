"""Judgements of the INEX ad hoc track in text files (2008–10): one document a line, with its passages.

Source: the judgements of INEX 2010.
"""

import os
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ir_segmeasures.formats.files.fields import wrong_fields
from ir_segmeasures.formats.files.lines import rows_of_lines
from ir_segmeasures.formats.files.reading import FormatError, StrPath, refuse_twice
from ir_segmeasures.formats.files.row_types import FileRows, Number
from ir_segmeasures.formats.inex.fields import QRELS_FIELDS, whole_number
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.user_warnings import warn_user
from ir_segmeasures.segments.warnings import SegmentWarning

__all__ = ['InexQrel', 'PassageQrel', 'check_qrels', 'judged_document', 'read_qrels']

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
    lines = [] if rows.lines is None else rows.lines.tolist()
    refuse_twice(path, lines, (f'{row.query_id} {row.doc_id}' for row in rows), 'the judgement of topic and document',
                 'all passages of a document stand on one line: join the two, or take one out')
    return rows


def check_qrels(path: StrPath) -> tuple[FileRows[InexQrel], list[FormatError]]:
    """The judgements that can be read, and the errors of the other lines."""
    faults: list[FormatError] = []
    return _rows(path, faults), faults


def _rows(path: StrPath, faults: list[FormatError] | None = None) -> FileRows[InexQrel]:
    empty: list[str] = []

    def parse(fields: list[str]) -> list[InexQrel]:
        rows = judged_document(fields)
        empty.extend(text for text in fields[6:] if _EMPTY.fullmatch(text))
        return rows
    rows = rows_of_lines(path, parse, InexQrel, faults)
    if empty:
        warn_user(f'{os.fspath(path)}: {len(empty)} passages (such as {quoted(empty[0])}) have no content, which '
                  'counts for nothing: correct their lengths, or take them out', SegmentWarning)
    return rows


def judged_document(fields: list[str]) -> list[InexQrel]:
    """The rows of the fields of a line. Raises ``ValueError`` with a sentence."""
    if len(fields) not in (5, *range(7, len(fields) + 1)):
        raise wrong_fields(fields, 'FOL judgements', QRELS_FIELDS, '5, or at least 7 if it is relevant')
    query_id, iteration, doc_id, relevant, docsize, *places = fields
    size, total = (whole_number(text, what, _IN_QRELS) for text, what in ((docsize, 'docsize'), (relevant, 'rsize')))
    if not places:
        if total:
            raise ValueError(f'rsize is {relevant}, but the line has no passages, as those of documents that are not '
                             'relevant: write 0, or add the best entry point and the passages')
        return [InexQrel(query_id, doc_id, 0, size, 0, iteration, size)]
    bep = whole_number(places[0], 'bep', _IN_QRELS)
    passages = [passage for passage in sorted(map(_judged_passage, places[1:])) if passage[0] < passage[1]]
    if not passages:
        raise ValueError(f'passage {quoted(places[1])} has no content, but a relevant document needs some: correct the '
                         'length, or take the best entry point and the passage out')
    for (_, end), (start, _) in pairwise(passages):
        if start < end:
            raise ValueError(f'the passages from {start} and up to {end} overlap, but those of a document do not: '
                             'join the two, or correct one')
    length = sum(end - start for start, end in passages)
    if total != length:
        raise ValueError(f'rsize is {relevant}, but the passages have {length} characters together: correct one of the '
                         'two')
    if max(passages[-1][1], bep) > size:
        raise ValueError(f'a passage ends at {passages[-1][1]} and bep is {bep}, but docsize is {size}, and both lie '
                         'in the document: correct one')
    return [InexQrel(query_id, doc_id, start, end, 1, iteration, size, bep) for start, end in passages]


def _judged_passage(text: str) -> tuple[int, int]:
    offset, colon, length = text.partition(':')
    if not colon:
        raise ValueError(f'passage {quoted(text)} has no colon, but passages are offset:length: a line is '
                         f'{QRELS_FIELDS}')
    start, size = whole_number(offset, 'offset', _IN_QRELS), whole_number(length, 'length', _IN_QRELS)
    return start, start + size
