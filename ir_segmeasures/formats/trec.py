"""Readers of TREC's qrels and run files, the formats that ir-measures reads, with errors that name the line.

Ids are left as they are: those of segments (``v1#t=10,20``) are parsed by whoever needs the segments.
Source: ``trec_eval``, https://github.com/usnistgov/trec_eval (README, "Format of the files").
"""

import functools
import math
from collections.abc import Sequence

from ir_segmeasures.formats.base import (
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

__all__ = ['read_qrels', 'read_run']

QRELS_FIELDS = 'query iteration doc relevance'
RUN_FIELDS = 'query Q0 doc rank score run'


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
    return read_rows(path, _scored_doc, _scored_docs)


def _qrel(fields: list[str]) -> TrecQrel:
    if len(fields) != 4:
        raise wrong_fields(fields, 'TREC qrels', QRELS_FIELDS, '4')
    query_id, iteration, doc_id, relevance = fields
    return TrecQrel(query_id, doc_id, _relevance(relevance), iteration)


def _qrels(columns: list[tuple[str, ...]]) -> Rows[TrecQrel]:
    query_ids, iterations, doc_ids, relevances = columns
    return Rows(TrecQrel, (query_ids, doc_ids, list(map(_relevance, relevances)), iterations))


def _scored_docs(columns: list[tuple[str, ...]]) -> Rows[TrecScoredDoc]:
    query_ids, _, doc_ids, _, texts, _ = columns
    scores = list(map(float, texts))
    if not all(map(math.isfinite, scores)) or '_' in ''.join(texts):
        raise ValueError
    return Rows(TrecScoredDoc, (query_ids, doc_ids, scores))


def _scored_doc(fields: list[str]) -> TrecScoredDoc:
    if len(fields) != 6:
        raise wrong_fields(fields, 'a TREC run', RUN_FIELDS, '6')
    query_id, _, doc_id, _, score, _ = fields
    return TrecScoredDoc(query_id, doc_id, parse_score(score))


@functools.lru_cache(maxsize=1024)
def _relevance(text: str) -> Number:
    relevance = finite_number(text)
    if relevance is None:
        raise ValueError(f'relevance {text!r} is not a number, but it has to be an integer or a finite decimal number '
                         '(such as 0, 1 or 0.5)')
    return int(relevance) if relevance.is_integer() else relevance
