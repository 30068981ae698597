"""Files of pools: CSV for people and spreadsheets, qrels of TREC with -1, JSON lines."""

from __future__ import annotations

import csv
import io
import json

from ir_segmeasures.study.campaign.judging_units import Pool

__all__ = ['POOL_FORMATS', 'pool_text']


def pool_text(pool: Pool, format: str = 'csv') -> str:
    """The text of a file with a pool, a line for each unit, in the order in which units are judged.

    Args:
        pool: from :func:`~ir_segmeasures.study.pool`
        format: ``'csv'``, with the fields of :class:`~ir_segmeasures.study.JudgingUnit` as columns, and in the column
            ``runs`` each run with its ranks, such as ``good:1,4 poor:2``; ``'trec'``, qrels whose relevance is -1;
            ``'jsonl'``, the fields as an object of JSON

    Raises:
        ValueError: another format

    Examples:
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures.study import pool, pool_text
        >>> run = [ScoredDoc('q1', 'talk#t=10,30', 2), ScoredDoc('q1', 'talk#t=20,60', 1)]
        >>> units = pool({'a': run}, depth=2, margin=5)
        >>> print(pool_text(units), end='')
        query_id,doc_id,start,end,context_start,context_end,runs
        q1,"talk#t=10,60",10,60,5,65,"a:1,2"
        >>> print(pool_text(units, 'trec'), end='')
        q1 0 talk#t=10,60 -1
    """
    if format not in _TEXTS:
        raise ValueError(f'format={format!r} is no format of pools: take {" or ".join(map(repr, _TEXTS))}')
    return _TEXTS[format](pool)


def _csv(pool: Pool) -> str:
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator='\n')
    writer.writerow(['query_id', 'doc_id', 'start', 'end', 'context_start', 'context_end', 'runs'])
    for unit in pool:
        runs = ' '.join(f'{name}:{",".join(map(str, ranks))}' for name, ranks in unit.ranks.items())
        writer.writerow([*unit[:-1], runs])
    return lines.getvalue()


def _trec(pool: Pool) -> str:
    return ''.join(f'{row.query_id} 0 {row.doc_id} {row.relevance}\n' for row in pool.judgements())


def _jsonl(pool: Pool) -> str:
    return ''.join(json.dumps(unit._asdict(), ensure_ascii=False) + '\n' for unit in pool)


_TEXTS = {'csv': _csv, 'trec': _trec, 'jsonl': _jsonl}
POOL_FORMATS = tuple(_TEXTS)
