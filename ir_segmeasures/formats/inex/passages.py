"""The INEX ad hoc track's text files (2008–10): judgements and runs as file, offset and length.

Offsets and lengths, here called characters, are whole numbers in the unit that a run shares with its judgements (INEX'
sources say characters or bytes); nothing converts them. Rows have half-open intervals.
Source: the judgements of INEX 2010 and the program that scored its runs, ``inex_eval`` 3.1.
"""

import os
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.columns import ColumnFile
from ir_segmeasures.formats.files.fields import anywhere, interned
from ir_segmeasures.formats.files.format import Files, Format, Lines
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import Number, Rows
from ir_segmeasures.formats.inex.end_column import maybe_ends, surely_ends
from ir_segmeasures.formats.inex.fields import (
    BEP_FIELDS,
    ENDS_FIELDS,
    LARGEST,
    NO_PASSAGE,
    RUN_FIELDS,
    rank_of,
    rsv_of,
    whole_number,
    wrong_run,
)
from ir_segmeasures.formats.inex.judgements import (
    InexQrel,
    PassageQrel,
    doubt_of_passages,
    parse_qrels,
    qrels_in_parts,
    read_qrels,
)
from ir_segmeasures.formats.inex.writing import write_qrels, write_run
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.text_columns import TextColumn
from ir_segmeasures.segments.user_warnings import warn_user
from ir_segmeasures.segments.warnings import SegmentWarning

__all__ = ['FOL', 'InexQrel', 'InexScoredDoc', 'read_qrels', 'read_run', 'write_qrels', 'write_run']


class InexScoredDoc(NamedTuple):
    """A retrieved passage, or a document that was retrieved without one. The official order is that of the lines.

    Attributes:
        query_id: the topic
        doc_id: the document, without a fragment
        start, end: in characters from the beginning of the document, half-open; both 0 for a document without a passage
        score: minus the position in the file
        rank, run_score: the file's own rank and score, which nothing reads; None where these columns hold no whole
            number up to ``LARGEST`` and no finite number
        run: name of the run
        no_passage: whether the document was retrieved without a passage
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    score: Number
    rank: int | None
    run_score: float | None
    run: str | None
    no_passage: bool = False


def read_run(path: StrPath, last: str | None = None) -> Sequence[InexScoredDoc]:
    """Reads a run, one item a line: ``topic Q0 docid rank rsv runid offset length``, in file order, which is official.

    The offset ``X`` or ``-1`` is a document without a passage; its length is not read. A length of 0 is accepted, and
    nothing is said about overlap, which is for measures to treat. Rank and rsv may be anything.

    Args:
        path: of the run
        last: what the last column is: ``'length'``; ``'end'`` for runs that have the end offset there, by mistake;
            ``'bep'`` for best entry points, with 7 columns, of which the last is an offset. If it is not given, it is
            the length, unless it has to be the end: no item has less there than its offset, and at least ten
            documents have items that would overlap with lengths, but none has with ends. Where nothing overlaps, or
            ends do too, that is not certain: there is a warning, if at least 100 items have an offset above 0 and none
            of them has less in the last column.

    Raises:
        FormatError: a line does not have 8 fields (7 for ``'bep'``); an offset or length is not a whole number from 0
            up; an end is before its offset; the last column is the end, as said above
        ValueError: ``last`` is something else
        OSError: the file cannot be opened
    """
    if last not in (None, 'length', 'end', 'bep'):
        raise ValueError(f"last={quoted(last)}: the last column of a run is its 'length', 'end' or 'bep' (runs with "
                         'paths are read with formats.inex_paths.read_run)')
    rows: Any = _run_file(last).read(path)
    if not rows:
        return rows
    rows.columns['score'] = -np.arange(1, len(rows) + 1)
    if last is None:
        _refuse_ends(path, rows.columns)
        suspicion = maybe_ends(rows.columns)
        if suspicion is not None:
            warn_user(f'{os.fspath(path)}: {suspicion}', SegmentWarning)
    return rows


@cache
def _run_file(last: str | None = None) -> ColumnFile:
    fields = {'bep': BEP_FIELDS, 'end': ENDS_FIELDS}.get(last or '', RUN_FIELDS)
    return ColumnFile('an INEX run', fields, (len(fields.split()),), partial(_scored_doc, last=last, kind=fields),
                      late='score', wrong=partial(wrong_run, kind=fields), refuse=_refuse_lines_with_ends)


def _scored_doc(topic: Any, _: Any, docid: Any, rank: Any, rsv: Any, runid: Any, offset: Any, number: Any = '0', *,
                last: str | None, kind: str) -> InexScoredDoc:
    start, end, no_passage = (_places if isinstance(offset, TextColumn) else _place)(offset, number, last, kind)
    if anywhere(end < start):
        raise ValueError(f"end {quoted(number)} is before offset {quoted(offset)}, but a passage cannot end before it "
                         "starts: if the column is the length, leave out last='end'")
    return InexScoredDoc(interned(topic), interned(docid), start, end, 0, rank_of(rank), rsv_of(rsv), runid, no_passage)


def _places(offsets: TextColumn, numbers: TextColumn | str, last: str | None, kind: str) -> tuple[Any, Any, Any]:
    no_passage = np.logical_or.reduce([offsets.equal(text) for text in NO_PASSAGE])
    rows = np.flatnonzero(~no_passage)
    start, number = np.zeros((2, len(offsets)), np.int64)
    if rows.size:
        start[rows] = offsets[rows].whole_numbers(LARGEST)
        number[rows] = 0 if isinstance(numbers, str) else numbers[rows].whole_numbers(LARGEST)
    return start, number if last == 'end' else start + number, no_passage


def _place(offset: str, number: str, last: str | None, kind: str) -> tuple[int, int, bool]:
    if offset.startswith('/') and number.startswith('/'):
        raise ValueError(f"offset {quoted(offset)} and length {quoted(number)} are elements' paths, but a line is "
                         f'{kind}: read ranges of elements in Python, with formats.inex_paths.read_run')
    if offset.startswith('/'):
        raise ValueError(f"offset {quoted(offset)} is an element's path, but a line is {kind}: if the path is all "
                         'there is, take the last column out and read the run in Python, with '
                         'formats.inex_paths.read_run')
    if offset in NO_PASSAGE:
        return 0, 0, True
    where = f'a line is {kind}; an offset X or -1 is a document without a passage'
    start = whole_number(offset, 'offset', where)
    return start, whole_number(number, kind.split()[-1], where) + (0 if last == 'end' else start), False


def _refuse_lines_with_ends(path: StrPath, lines: list[Sequence[Any] | None]) -> None:
    """Refuses ends in the last column, as :func:`_refuse_ends` does, if all lines can be read."""
    if lines and None not in lines:
        _refuse_ends(path, Rows.from_rows(InexScoredDoc, [row for rows in lines for row in rows or ()]).columns)


def _refuse_ends(path: StrPath, columns: Mapping[str, Any]) -> None:
    """Raises ``FormatError`` if the last column has to be the end, although it was read as the length."""
    overlapping = surely_ends(columns)
    if overlapping:
        raise FormatError('the last column looks like the end offset, not the length: it is never below the offset, '
                          f'and items of {overlapping} documents overlap with lengths, but of none with ends: take the '
                          "offset off it, or read the run in Python, with formats.inex.read_run(path, last='end'), or "
                          "with last='length' if these are lengths", path)


def _read_topics(path: StrPath) -> Sequence[Any]:
    from ir_segmeasures.formats.inex.topics import read_topics  # judgements and runs have no need of it
    return read_topics(path)


FOL = Format(
    'inex-fol', 'INEX 2008 to 2010, ad hoc: text files with documents, offsets and lengths', 'char',
    Files(read_qrels, write_qrels, Lines(parse_qrels, doubt=doubt_of_passages), read_parts=qrels_in_parts),
    _run_file().files(read_run, write_run),
    dataset_row=PassageQrel, lists=('queries',), read_queries=_read_topics)
