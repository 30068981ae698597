"""The INEX ad hoc track's text files (2008–10): judgements and runs as file, offset and length.

Offsets and lengths, here called characters, are whole numbers in the unit that a run shares with its judgements (INEX'
sources say characters or bytes); nothing converts them. Rows have half-open intervals.
Source: the judgements of INEX 2010 and the program that scored its runs, ``inex_eval`` 3.1.
"""

import functools
import os
import warnings
from collections.abc import Mapping, Sequence
from sys import intern
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.format import Files, Format, Lines, one_row
from ir_segmeasures.formats.files.reading import (
    FormatError,
    Number,
    Rows,
    StrPath,
    finite_number,
    read_rows,
)
from ir_segmeasures.formats.inex.ends import maybe_ends, surely_ends
from ir_segmeasures.formats.inex.fields import (
    BEP_FIELDS,
    ENDS_FIELDS,
    LARGEST,
    NO_PASSAGE,
    RUN_FIELDS,
    rank_of,
    whole_number,
    wrong_run,
)
from ir_segmeasures.formats.inex.judgements import InexQrel, PassageQrel, doubt_of_passages, parse_qrels, read_qrels
from ir_segmeasures.formats.inex.writing import write_qrels, write_run
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.text_columns import Later, Pieces
from ir_segmeasures.segments.tables.warnings import SegmentWarning

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
    rows = read_rows(path, functools.partial(_scored_doc, last=last), functools.partial(_scored_docs, last=last))
    if not isinstance(rows, Rows):  # read line by line
        rows = Rows.from_rows(InexScoredDoc, rows)
    rows.columns['score'] = -np.arange(1, len(rows) + 1)
    if last is None:
        _refuse_ends(path, rows.columns)
        suspicion = maybe_ends(rows.columns)
        if suspicion is not None:
            warnings.warn(f'{os.fspath(path)}: {suspicion}', SegmentWarning, stacklevel=2)
    return rows


def _scored_docs(columns: list[Pieces], last: str | None) -> Rows[InexScoredDoc]:
    if len(columns) != (7 if last == 'bep' else 8):
        raise ValueError
    query_ids, _, doc_ids, ranks, scores, runs, offsets, *lasts = columns
    no_passage = np.logical_or.reduce([offsets.equal(text) for text in NO_PASSAGE])
    rows = np.flatnonzero(~no_passage)
    starts, numbers = np.zeros((2, len(offsets)), np.int64)
    if rows.size:
        starts[rows] = offsets[rows].whole_numbers(LARGEST)
        numbers[rows] = lasts[0][rows].whole_numbers(LARGEST) if lasts else 0
    if last == 'end' and (numbers < starts).any():
        raise ValueError
    ends = numbers if last == 'end' else starts + numbers
    return Rows(InexScoredDoc, (query_ids.coded(), doc_ids.coded(), starts, ends, starts, Later(ranks, _ranks),
                                Later(scores, _own_scores), runs, no_passage))


def _ranks(texts: Pieces) -> list[int | None]:
    return list(map(rank_of, texts.tolist()))


def _own_scores(texts: Pieces) -> list[float | None]:
    return list(map(finite_number, texts.tolist()))


def _scored_doc(fields: list[str], last: str | None = None) -> InexScoredDoc:
    kind = {'bep': BEP_FIELDS, 'end': ENDS_FIELDS}.get(last or '', RUN_FIELDS)
    if len(fields) != len(kind.split()):
        raise wrong_run(fields, kind)
    query_id, _, doc_id, rank, score, run, offset, number = fields if len(fields) == 8 else [*fields, '0']
    if offset.startswith('/') and number.startswith('/'):
        raise ValueError(f"offset {quoted(offset)} and length {quoted(number)} are elements' paths, but a line is "
                         f'{kind}: read ranges of elements in Python, with formats.inex_paths.read_run')
    if offset.startswith('/'):
        raise ValueError(f"offset {quoted(offset)} is an element's path, but a line is {kind}: if the path is all "
                         'there is, take the last column out and read the run in Python, with '
                         'formats.inex_paths.read_run')
    where = f'a line is {kind}; an offset X or -1 is a document without a passage'
    start = end = 0
    if offset not in NO_PASSAGE:
        start = whole_number(offset, 'offset', where)
        end = whole_number(number, kind.split()[-1], where) + (0 if last == 'end' else start)
    if end < start:
        raise ValueError(f"end {quoted(number)} is before offset {quoted(offset)}, but a passage cannot end before it "
                         "starts: if the column is the length, leave out last='end'")
    return InexScoredDoc(intern(query_id), intern(doc_id), start, end, 0, rank_of(rank), finite_number(score),
                         intern(run), offset in NO_PASSAGE)


def _refuse_lines_with_ends(path: StrPath, lines: list[Sequence[Any] | None]) -> None:
    """As :func:`_refuse_ends`, if all lines can be read."""
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
    Files(read_qrels, write_qrels, Lines(parse_qrels, doubt=doubt_of_passages)),
    Files(read_run, write_run, Lines(one_row(_scored_doc), late='score', refuse=_refuse_lines_with_ends)),
    dataset_row=PassageQrel, lists=('queries',), read_queries=_read_topics)
