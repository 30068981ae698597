"""TREC's qrels and run files, read and written: the formats that ir-measures reads, with errors that name the line.

Ids are left as they are: those of segments (``v1#t=10,20``) are parsed by whoever needs the segments.
Source: ``trec_eval``, https://github.com/usnistgov/trec_eval (README, "Format of the files").
"""

import functools
from collections.abc import Iterator, Sequence
from typing import Any

from ir_segmeasures.formats.files.columns import decimals
from ir_segmeasures.formats.files.format import Files, Format, Lines, one_row
from ir_segmeasures.formats.files.large import columns_by_query, large_columns
from ir_segmeasures.formats.files.reading import (
    Number,
    Rows,
    StrPath,
    TrecQrel,
    TrecScoredDoc,
    finite_number,
    parse_score,
    read_rows,
    wrong_fields,
)
from ir_segmeasures.formats.files.writing import (
    NAMELESS,
    decimal,
    judged_lines,
    left_out,
    ranked,
    scored_in_order,
    word,
    write_text,
)
from ir_segmeasures.segments.quoting import shown
from ir_segmeasures.segments.segment import Segment, format_segment
from ir_segmeasures.segments.tables.text_columns import Pieces

__all__ = ['TREC', 'read_qrels', 'read_run', 'read_run_by_query', 'write_qrels', 'write_run']

QRELS_FIELDS = 'query iteration doc relevance'
RUN_FIELDS = 'query Q0 doc rank score run'

_LARGE = RUN_FIELDS.split(), ('query', 'doc'), 'score'

DECIMALS = 6  # of a position in a segment id


def read_qrels(path: StrPath) -> Sequence[TrecQrel]:
    """Reads judgements, one a line: ``query iteration doc relevance``, in file order.

    Relevance is an integer or a decimal number; whole ones become ``int``, the only kind that trec_eval's family takes.

    Raises:
        FormatError: a line does not have 4 fields, or its relevance is not a finite number
        OSError: the file cannot be opened
    """
    return read_rows(path, _qrel, _qrels)


def read_run(path: StrPath) -> Sequence[TrecScoredDoc]:
    """Reads retrieved items, one a line: ``query Q0 doc rank score run``, in file order.

    The ranking is by score; the rank column is not read, as in trec_eval.

    Raises:
        FormatError: a line does not have 6 fields, or its score is not a finite number
        OSError: the file cannot be opened
    """
    columns = large_columns(path, *_LARGE)
    if columns is not None:
        return Rows(TrecScoredDoc, columns)
    return read_rows(path, _scored_doc, _scored_docs)


def read_run_by_query(path: StrPath) -> Iterator[Rows[TrecScoredDoc]]:
    """The same of a large file (:func:`~ir_segmeasures.formats.files.large.is_large`), some queries at a time.

    Raises:
        NotByQuery: the lines of a query do not stand together
        ValueError: a line is wrong, or fields are not separated by single blanks: :func:`read_run` finds out
    """
    for columns in columns_by_query(path, *_LARGE):
        yield Rows(TrecScoredDoc, columns)


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements, in the order of the rows.

    Args:
        rows: of any reader; those with ``start`` and ``end`` get segment ids, ids of TREC files stay as they are
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there; also WriteError: a row has no id, or one with white space; its relevance is not a finite number
    """
    def line(row: Any) -> str:
        iteration = word(row.iteration, 'second column')
        return f'{word(row.query_id, "query")} {iteration} {_id(row, unit)} {decimal(row.relevance, "relevance")}'
    write_text(judged_lines(rows, line), path)
    return left_out(rows, ('iteration',), paths=True) + _rounded(rows)


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes retrieved items, in the order of the rows, with ranks from 1 in the order by ``score``. Scores of tied
    items are lowered as little as trec_eval sees, so that it keeps this order.

    Args, Returns, Raises:
        as :func:`write_qrels`, with the score in the place of the relevance
    """
    rows = scored_in_order(rows)
    ranks = [0] * len(rows)
    for positions in ranked(rows).values():
        for rank, position in enumerate(positions, 1):
            ranks[position] = rank
    next_rank = iter(ranks)

    def line(row: Any) -> str:
        name = word(getattr(row, 'run', None) or NAMELESS, 'name of the run')
        return (f'{word(row.query_id, "query")} Q0 {_id(row, unit)} {next(next_rank)} {decimal(row.score, "score")} '
                f'{name}')
    write_text(judged_lines(rows, line), path)
    return left_out(rows, ('run',), paths=True) + _rounded(rows)


def _id(row: Any, unit: str | None) -> str:
    if not hasattr(row, 'end'):
        return word(row.doc_id, 'id')
    id = format_segment(Segment(row.doc_id, row.start, row.end, unit))
    if round(row.start, DECIMALS) == round(row.end, DECIMALS) and row.start != row.end:
        raise ValueError(f'the segment is empty in an id, which has {DECIMALS} decimals: take the row out')
    return word(id, 'id')


def _rounded(rows: Sequence[Any]) -> list[str]:
    finer = any(time != round(time, DECIMALS) for row in rows if hasattr(row, 'end') for time in (row.start, row.end))
    return [f'decimals of times after the {DECIMALS}th'] if finer else []


def _qrel(fields: list[str]) -> TrecQrel:
    if len(fields) != 4:
        raise wrong_fields(fields, 'TREC qrels', QRELS_FIELDS, '4')
    query_id, iteration, doc_id, relevance = fields
    return TrecQrel(query_id, doc_id, _relevance(relevance), iteration)  # type: ignore[arg-type]  # may be a decimal


def _qrels(columns: list[Pieces]) -> Rows[TrecQrel]:
    query_ids, iterations, doc_ids, relevances = columns
    return Rows(TrecQrel, (query_ids.coded(), doc_ids.ids(), relevances.coded().map(_relevance), iterations))


def _scored_docs(columns: list[Pieces]) -> Rows[TrecScoredDoc]:
    query_ids, _, doc_ids, _, texts, _ = columns
    return Rows(TrecScoredDoc, (query_ids.coded(), doc_ids.ids(), decimals(texts)))


def _scored_doc(fields: list[str]) -> TrecScoredDoc:
    if len(fields) != 6:
        raise wrong_fields(fields, 'a TREC run', RUN_FIELDS, '6')
    query_id, _, doc_id, _, score, _ = fields
    return TrecScoredDoc(query_id, doc_id, parse_score(score))


@functools.lru_cache(maxsize=1024)
def _relevance(text: str) -> Number:
    relevance = finite_number(text)
    if relevance is None:
        raise ValueError(f'relevance {shown(text)} is not a number, but it has to be an integer or a finite decimal '
                         'number: write it as 0, 1 or 0.5')
    return int(relevance) if relevance.is_integer() else relevance


TREC = Format(
    'trec', 'TREC: 4-column qrels, 6-column runs, ids of any kind', None,
    Files(read_qrels, write_qrels, Lines(one_row(_qrel))),
    Files(read_run, write_run, Lines(one_row(_scored_doc), columns={'rank': 3, 'run': 5}), unread=("the run's name",),
          read_by_query=read_run_by_query),
    lists=('queries', 'anchors', 'videos'))
