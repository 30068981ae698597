"""TREC's qrels and run files, read and written: the formats that ir-measures reads, with errors that name the line.

Relevance is an integer or a decimal number; whole ones become ``int``, the only kind that trec_eval's family takes.
A run is ranked by score; its rank column is not read, as in trec_eval, but ranks that contradict the scores are warned
of. Ids are left as they are: those of segments (``v1#t=10,20``) are parsed by whoever needs the segments.
Source: ``trec_eval``, https://github.com/usnistgov/trec_eval (README, "Format of the files").
"""

import os
from collections.abc import Sequence
from math import nan
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.fields import (
    codes_of_column,
    converter,
    finite_number,
    finite_numbers,
    interned,
    numbers,
    scores,
)
from ir_segmeasures.formats.files.format import RETRIEVED, Format
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.order import ranks_by_score
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import FileRows, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.files.writing import (
    decimal,
    judged_lines,
    left_out,
    lost_decimals,
    run_of,
    scored_in_order,
    word,
    write_text,
    written_id,
)
from ir_segmeasures.segments.warnings import rank_warning, warn

__all__ = ['SCORED', 'TREC', 'grades', 'read_qrels', 'read_run', 'write_qrels', 'write_run']

# The rules of runs that are ranked by score, and by nothing else.
SCORED = RETRIEVED.with_warnings('tied_scores')


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes retrieved items, in the order of the rows, with ranks from 1 in the order by ``score``. Scores of tied
    items are lowered as little as trec_eval sees, so that it keeps this order.

    Args:
        rows: of any reader; those with ``start`` and ``end`` get segment ids, ids of TREC files stay as they are
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there; also WriteError: a row has no id, or one with white space; its score is not a finite number
    """
    rows = scored_in_order(rows)
    next_rank = iter(ranks_by_score([row.query_id for row in rows], [row.score for row in rows]).tolist())

    def line(row: Any) -> str:
        return (f'{word(row.query_id, "query")} Q0 {written_id(row, unit)} {next(next_rank)} '
                f'{decimal(row.score, "score")} {word(run_of(row), "name of the run")}')
    write_text(judged_lines(rows, line), path)
    return left_out(rows, ('run',), paths=True) + lost_decimals(rows)


def _qrel(query_id: Any, iteration: Any, doc_id: Any, relevance: Any) -> TrecQrel:
    return TrecQrel(interned(query_id), doc_id, grades(relevance), interned(iteration))  # type: ignore[arg-type]


def _scored_doc(query_id: Any, _: Any, doc_id: Any, rank: Any, score: Any, run: Any) -> TrecScoredDoc:
    return TrecScoredDoc(interned(query_id), doc_id, scores(score))  # type: ignore[arg-type]


def _judged_line(row: Any, unit: str | None) -> str:
    iteration = word(row.iteration, 'second column')
    return f'{word(row.query_id, "query")} {iteration} {written_id(row, unit)} {decimal(row.relevance, "relevance")}'


def _held_against_ranks(path: StrPath, rows: FileRows[TrecScoredDoc]) -> FileRows[TrecScoredDoc]:
    try:
        ranks = finite_numbers(rows.beside['rank'].tolist())
    except ValueError:  # nothing reads ranks, so that some may be none
        found = map(finite_number, rows.beside['rank'])
        ranks = np.array([nan if rank is None else rank for rank in found])
    query_ids = rows.columns['query_id']
    warn([rank_warning(list(dict.fromkeys(query_ids)), codes_of_column(query_ids), ranks, rows.columns['score'],
                       f'{os.fspath(path)}: the ranks')])
    return rows


grades = converter(numbers, 'relevance {} is not a number, but it has to be an integer or a finite decimal number: '
                                'write it as 0, 1 or 0.5')
_QRELS = Lines('TREC qrels', 'query iteration doc relevance', _qrel, _judged_line, held=('iteration',), paths=True)
_RUN = Lines('a TREC run', 'query Q0 doc rank score run', _scored_doc, beside=('rank', 'run'),
             finish=_held_against_ranks)
read_qrels, write_qrels, read_run = _QRELS.read, _QRELS.write, _RUN.read
TREC = Format(
    'trec', 'TREC: 4-column qrels, 6-column runs, ids of any kind', None,
    _QRELS.files(mended={'score': 'relevance'}),
    _RUN.files(write=write_run, rules=SCORED, mended={'score': 'score', 'rank': 'rank'}),
    lists=('queries', 'anchors', 'videos'))
