"""TREC's qrels and run files, read and written: the formats that ir-measures reads, with errors that name the line.

Relevance is an integer or a decimal number; whole ones become ``int``, the only kind that trec_eval's family takes.
A run is ranked by score; its rank column is not read, as in trec_eval, but ranks that contradict the scores are warned
of. Ids are left as they are: those of segments (``v1#t=10,20``) are parsed by whoever needs the segments.
Source: ``trec_eval``, https://github.com/usnistgov/trec_eval (README, "Format of the files").
"""

import os
from math import nan
from typing import Any

import numpy as np

from ir_segmeasures.formats.files import fields, writing
from ir_segmeasures.formats.files.fields import interned
from ir_segmeasures.formats.files.format import RETRIEVED, Format, Rules
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.row_types import FileRows, StrPath, TrecQrel, TrecScoredDoc
from ir_segmeasures.segments.tables.table_warnings import rank_warning
from ir_segmeasures.segments.warnings import warn

# The rules of runs that are ranked by score, and by nothing else.
SCORED = Rules(RETRIEVED.violations, ('tied_scores', *RETRIEVED.warnings))


def _qrel(query_id: Any, iteration: Any, doc_id: Any, relevance: Any) -> TrecQrel:
    return TrecQrel(interned(query_id), doc_id, grades(relevance), interned(iteration))  # type: ignore[arg-type]


def _scored_doc(query_id: Any, _: Any, doc_id: Any, rank: Any, score: Any, run: Any) -> TrecScoredDoc:
    return TrecScoredDoc(interned(query_id), doc_id, fields.scores(score))  # type: ignore[arg-type]


def _judged(row: Any, unit: str | None) -> list[str]:
    return [row.query_id, row.iteration, writing.written_id(row, unit), writing.decimal(row.relevance, 'relevance')]


def _retrieved(row: Any, unit: str | None, rank: int) -> list[str]:
    return [row.query_id, 'Q0', writing.written_id(row, unit), str(rank), writing.decimal(row.score, 'score'),
            writing.run_of(row)]


def _held_against_ranks(path: StrPath, rows: FileRows[TrecScoredDoc]) -> FileRows[TrecScoredDoc]:
    texts = rows.beside['rank'].tolist()
    try:
        ranks = fields.finite_numbers(texts)
    except ValueError:  # nothing reads ranks, so that some may be none
        ranks = np.array([nan if (rank := fields.finite_number(text)) is None else rank for text in texts])
    query_ids = rows.columns['query_id']
    warn([rank_warning(list(dict.fromkeys(query_ids)), fields.codes_of_column(query_ids), ranks, rows.columns['score'],
                       f'{os.fspath(path)}: the ranks')])
    return rows


grades = fields.converter(fields.numbers, 'relevance {} is not a number, but it has to be an integer or a finite '
                                          'decimal number: write it as 0, 1 or 0.5')
_QRELS = Lines('TREC qrels', 'query iteration doc relevance', _qrel, _judged, held=('iteration',), paths=True)
_RUN = Lines('a TREC run', 'query Q0 doc rank score run', _scored_doc, _retrieved, beside=('rank', 'run'),
             held=('run',), paths=True, ranked='rows', finish=_held_against_ranks)
read_qrels, write_qrels, read_run, write_run = _QRELS.read, _QRELS.write, _RUN.read, _RUN.write
TREC = Format(
    'trec', 'TREC: 4-column qrels, 6-column runs, ids of any kind', None,
    _QRELS.files(mended={'score': 'relevance'}),
    _RUN.files(rules=SCORED, mended={'score': 'score', 'rank': 'rank'}), lists=('queries', 'anchors', 'videos'))
