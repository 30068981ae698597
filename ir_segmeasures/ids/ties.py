"""Ties: items of a query with one score. Here the order of the rows decides between them, as official programs do; in
trec_eval, and so in the measures of documents of pytrec_eval, the ids decide, the last one first.
"""

import random
from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.tables.adapters import Adapter, adapter_of
from ir_segmeasures.segments.tables.columns import Columns, RowError

ORDERS = ('order', 'id', 'random')


def break_ties(run: Any, by: str = 'id', seed: int = 0) -> Any:
    """The run with scores that differ in each query, so that every measure and every program has one order of its
    items. Source: this project's own; the order by ids is that of trec_eval.

    Args:
        run: in any of the shapes that :meth:`SegmentTable.from_run <ir_segmeasures.SegmentTable.from_run>` takes; its
            ids need not be segments
        by: what decides between items of one score: ``'id'``, the last one in the order of characters first, as in
            trec_eval; ``'random'``, a random order, the same for a run whatever the order of its rows; ``'order'``, the
            order of the rows, as in the measures of segments
        seed: of the random order

    Returns:
        The shape it was given, rows in the order of the input. Of tied items the first one keeps its score, and each
        other has the next lower number of single precision, which is the least step that trec_eval sees; so have
        items below them whose scores would not be lower. A ``rank`` is counted anew, from the least that there was.

    Raises:
        ValueError: another ``by``, a seed that is not a whole number, or missing columns
        RowError: a score that is missing or no number, or the lowest one where a lower one is needed
        TypeError: an input in none of the shapes

    Examples:
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures import break_ties
        >>> run = [ScoredDoc('q', 'v1#t=0,60', 1.), ScoredDoc('q', 'v2#t=0,60', 1.), ScoredDoc('q', 'v3#t=0,60', .5)]
        >>> for item in break_ties(run):
        ...     print(item.doc_id, item.score)
        v1#t=0,60 0.9999999403953552
        v2#t=0,60 1.0
        v3#t=0,60 0.5
    """
    if by not in ORDERS:
        raise ValueError(f'by={quoted(by)}: what decides between items of one score is one of '
                         f'{", ".join(map(repr, ORDERS))}')
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool):
        raise ValueError(f'seed={quoted(seed)}: the seed of a random order is a whole number')
    rows = adapter_of(run, 'run')
    columns = Columns(rows, 'run')
    (query_ids, query), (ids, code) = map(columns.codes, ('query_id', 'doc_id'))
    score = columns.numbers('score')
    for row in np.flatnonzero(~np.isfinite(score))[:1].tolist():
        raise RowError('run', row, 'the score is missing or infinite: give every row a number')
    place = np.arange(len(score))
    if by != 'order':
        place = np.argsort(sorted(range(len(ids)), key=ids.__getitem__, reverse=True))[code]
    if by == 'random':
        rows_by_id, shuffled = np.lexsort((place, query)), list[int]()
        for query_id, count in zip(query_ids, np.bincount(query, minlength=len(query_ids)).tolist()):
            places = list(range(count))
            random.Random(f'{seed} {query_id}').shuffle(places)  # no secret
            shuffled += places
        place[rows_by_id] = shuffled
    order = np.lexsort((place, -score, query))
    with np.errstate(over='ignore'):
        single = score.astype(np.float32)
    follows = [False, *(single[order[1:]] >= single[order[:-1]]).tolist()][:len(order)]
    lowered = np.empty(len(score))
    lowered[order] = descending(query[order].tolist(), score[order].tolist(), follows)
    if (lowered == -inf).any():
        raise RowError('run', int(np.argmin(lowered)), 'the order of rows of one query needs a score below '
                                                       f'{score.min():.17g}, and no number is: give higher ones')
    changed: dict[str, list[Any]] = {'score': [old if new == float(old) else new for new, old in zip(
        lowered.tolist(), rows.values('score'))]}
    if 'rank' in rows.names and len(order):
        rank = np.empty(len(order), np.int64)
        rank[order] = counted_ranks(rows, query[order].tolist())
        changed['rank'] = rank.tolist()
    return rows.assign(changed).rows


def counted_ranks(rows: Adapter, queries: Sequence[Any]) -> list[int]:
    """Ranks for rows of these queries, counted anew from the least rank that the rows had."""
    least = min((int(rank) for rank in rows.values('rank') if rank is not None and rank == rank), default=1)
    begin = {query: at for at, query in reversed(list(enumerate(queries)))}
    return [least + at - begin[query] for at, query in enumerate(queries)]


def descending(query: Sequence[Any], score: Sequence[float], follows: Sequence[bool]) -> list[float]:
    """Scores that reproduce an order of rows which their own scores do not.

    A score that is not below that of the row before, in its query, becomes the next lower number of single precision:
    the smallest step that trec_eval still sees. Equal scores stay equal where neither was lowered; those of rows that
    ``follow`` the row before (a further piece of an item, a further part of a document, a tie that is broken) are
    always lower.
    """
    lowered: list[float] = []
    current: Any = None
    last = before = inf
    with np.errstate(over='ignore', under='ignore'):  # single precision ends before double
        for code, value, follow in zip(query, map(float, score), follows):
            same = bool(lowered) and code == current
            if same and (value > last or (value == last and (follow or last != before))
                         or (follow and np.float32(value) >= np.float32(last))):
                lower = float(np.nextafter(np.float32(last), np.float32(-inf)))
                last = lower if lower > -inf else float(np.nextafter(last, -inf))  # single precision has no lower one
            else:
                last = value
            lowered.append(last)
            current, before = code, value
    return lowered
