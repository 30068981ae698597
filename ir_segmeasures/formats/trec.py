"""TREC's qrels and run files, read and written: the formats that ir-measures reads, with errors that name the line.

Ids are left as they are: those of segments (``v1#t=10,20``) are parsed by whoever needs the segments.
Source: ``trec_eval``, https://github.com/usnistgov/trec_eval (README, "Format of the files").
"""

import functools
import os
from collections.abc import Iterator, Sequence
from math import nan
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.columns import ColumnFile
from ir_segmeasures.formats.files.fields import each_text, finite_number, interned, parse_score
from ir_segmeasures.formats.files.format import Format
from ir_segmeasures.formats.files.parts import rows_by_query
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number, Rows, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.files.writing import (
    decimal,
    judged_lines,
    left_out,
    rank_numbers,
    run_of,
    scored_in_order,
    word,
    write_text,
)
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment
from ir_segmeasures.segments.spans import plain_number
from ir_segmeasures.segments.tables.id_columns import Coded
from ir_segmeasures.segments.tables.text_columns import TextColumn
from ir_segmeasures.segments.warnings import rank_warning, warn

__all__ = ['NamedScoredDoc', 'TREC', 'lost_decimals', 'parse_relevance', 'read_named_run', 'read_qrels', 'read_run',
           'read_run_by_query', 'write_qrels', 'write_run', 'written_id']

DECIMALS = 6  # of a position in a segment id


def read_qrels(path: StrPath) -> Sequence[TrecQrel]:
    """Reads judgements, one a line: ``query iteration doc relevance``, in file order.

    Relevance is an integer or a decimal number; whole ones become ``int``, the only kind that trec_eval's family takes.

    Raises:
        FormatError: a line does not have 4 fields, or its relevance is not a finite number
        OSError: the file cannot be opened
    """
    return _QRELS.read(path)


def read_run(path: StrPath) -> Sequence[TrecScoredDoc]:
    """Reads retrieved items, one a line: ``query Q0 doc rank score run``, in file order.

    The ranking is by score; the rank column is not read, as in trec_eval.

    Raises:
        FormatError: a line does not have 6 fields, or its score is not a finite number
        OSError: the file cannot be opened

    Warns:
        SegmentWarning: ranks that contradict the scores
    """
    rows = _RANKED_RUN.read(path)
    if not isinstance(rows, Rows):  # there are none
        return rows
    query, doc_id, score, rank = rows.columns.values()
    if isinstance(query, Coded):
        warn([rank_warning(query.distinct, query.code, np.asarray(rank, float), np.asarray(score, float),
                           f'{os.fspath(path)}: the ranks')])
    return Rows(TrecScoredDoc, (query, doc_id, score))


class _RankedDoc(NamedTuple):
    query_id: str
    doc_id: str
    score: float
    rank: float


class NamedScoredDoc(NamedTuple):
    """A retrieved item with the name of its run, which ir-measures' own type leaves out."""
    query_id: str
    doc_id: str
    score: float
    run: str


def read_named_run(path: StrPath) -> Sequence[NamedScoredDoc]:
    """Reads retrieved items, as :func:`read_run` does, each with the name of the run in its line."""
    return _NAMED_RUN.read(path)


def read_run_by_query(path: StrPath) -> Iterator[Rows[TrecScoredDoc]]:
    """Reads a run, as :func:`read_run` does, some queries at a time, in the memory that these take.

    Raises:
        NotByQuery: the lines of a query do not stand together
        ValueError: a line is wrong, or not plain: :func:`read_run` finds out
    """
    return rows_by_query(path, _RUN.parse_fields)


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements, in the order of the rows.

    Args:
        rows: of any reader; those with ``start`` and ``end`` get segment ids, ids of TREC files stay as they are
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there; also WriteError: a row has no id, or one with white space; its relevance is not a finite number
    """
    return _QRELS.write(rows, path, unit) + lost_decimals(rows)


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes retrieved items, in the order of the rows, with ranks from 1 in the order by ``score``. Scores of tied
    items are lowered as little as trec_eval sees, so that it keeps this order.

    Args, Returns, Raises:
        as :func:`write_qrels`, with the score in the place of the relevance
    """
    rows = scored_in_order(rows)
    next_rank = iter(rank_numbers(rows))

    def line(row: Any) -> str:
        return (f'{word(row.query_id, "query")} Q0 {written_id(row, unit)} {next(next_rank)} '
                f'{decimal(row.score, "score")} {word(run_of(row), "name of the run")}')
    write_text(judged_lines(rows, line), path)
    return left_out(rows, ('run',), paths=True) + lost_decimals(rows)


def written_id(row: Any, unit: str | None) -> str:
    """The id of a row as files of TREC hold it, that of its segment. Raises ``ValueError`` where they cannot."""
    if not hasattr(row, 'end'):
        return word(row.doc_id, 'id')
    id = format_segment(Segment(row.doc_id, row.start, row.end, unit))
    if round(row.start, DECIMALS) == round(row.end, DECIMALS) and row.start != row.end:
        raise ValueError(f'the segment is empty in an id, which has {DECIMALS} decimals: take the row out')
    return word(id, 'id')


def lost_decimals(rows: Sequence[Any]) -> list[str]:
    """The decimals of times that :func:`written_id` rounds, in words; none if there are none."""
    finer = any(time != round(time, DECIMALS) for row in rows if hasattr(row, 'end') for time in (row.start, row.end))
    return [f'decimals of times after the {DECIMALS}th'] if finer else []


def _qrel(query_id: Any, iteration: Any, doc_id: Any, relevance: Any) -> TrecQrel:
    return TrecQrel(interned(query_id), _ids(doc_id), parse_relevance(relevance), iteration)


def _scored_doc(query_id: Any, _: Any, doc_id: Any, rank: Any, score: Any, run: Any) -> TrecScoredDoc:
    return TrecScoredDoc(interned(query_id), _ids(doc_id), parse_score(score))


def _ranked_doc(query_id: Any, _: Any, doc_id: Any, rank: Any, score: Any, run: Any) -> _RankedDoc:
    return _RankedDoc(interned(query_id), _ids(doc_id), parse_score(score), _rank(rank))


def _rank(text: Any) -> Any:
    """A rank; NaN for what is no number, since nothing reads it."""
    try:
        return parse_score(text)
    except ValueError:
        return nan


def _named_doc(query_id: Any, _: Any, doc_id: Any, rank: Any, score: Any, run: Any) -> NamedScoredDoc:
    return NamedScoredDoc(interned(query_id), _ids(doc_id), parse_score(score), interned(run))


def _ids(text: Any) -> Any:
    return text.ids() if isinstance(text, TextColumn) else text


def _line(row: Any, unit: str | None) -> str:
    iteration = word(row.iteration, 'second column')
    return f'{word(row.query_id, "query")} {iteration} {written_id(row, unit)} {decimal(row.relevance, "relevance")}'


@each_text
@functools.lru_cache(maxsize=1024)
def parse_relevance(text: str) -> Number:
    """A finite number, ``int`` where it is whole. Raises ``ValueError`` for any other text."""
    relevance = finite_number(text)
    if relevance is None:
        raise ValueError(f'relevance {quoted(text)} is not a number, but it has to be an integer or a finite decimal '
                         'number: write it as 0, 1 or 0.5')
    return plain_number(relevance)


_QRELS = ColumnFile('TREC qrels', 'query iteration doc relevance', (4,), _qrel, _line, ('iteration',), paths=True)
_RUN = ColumnFile('a TREC run', 'query Q0 doc rank score run', (6,), _scored_doc, columns={'rank': 3, 'run': 5})
_NAMED_RUN, _RANKED_RUN = _RUN._replace(parse=_named_doc), _RUN._replace(parse=_ranked_doc)
TREC = Format(
    'trec', 'TREC: 4-column qrels, 6-column runs, ids of any kind', None, _QRELS.files(read_qrels, write_qrels),
    _RUN.files(read_run, write_run, unread=("the run's name",), read_named=read_named_run,
               read_by_query=read_run_by_query),
    lists=('queries', 'anchors', 'videos'))
