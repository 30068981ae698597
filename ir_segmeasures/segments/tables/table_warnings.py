"""Warnings about one table, a run or qrels: columns that contradict the ids, and ranks that contradict the scores."""

import re
from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Array, Floats, Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.columns import Columns

_NEAR = re.compile(r'(t_)?(start|begin|end|stop|offset)([ _]?(time|secs?|seconds|s|ms|offset|char|idx|index|pos|line))?'
                   r'|time_(start|end)', re.IGNORECASE)
_APART = 0.05  # more than rounding to a frame or to a tenth


def column_warning(columns: Columns, start: Floats, end: Floats, unit: Array[np.int8]) -> str | None:
    """Columns of starts and ends contradict the ids beside them, or have names that nothing reads.

    Args:
        columns: the columns, as they were read
        start, end, unit: the positions of all rows, read from the ids or from the columns
    """
    has_unit = bool((unit >= 0).any())
    near = [str(name) for name in columns.names if _NEAR.fullmatch(str(name))]
    if len(start) and not has_unit and not columns.have_times() and len(near) > 1:
        return (f'the documents of the {columns.kind} stand beside columns {quoted(near[0])} and {quoted(near[1])}, '
                "which nothing reads, so that they are whole documents: name the columns 'start' and 'end'")
    beside = columns.beside if has_unit and columns.have_both() else None
    if beside is None:
        return None
    # A missing value contradicts nothing, and neither does an end that one of both does not know.
    with np.errstate(invalid='ignore'):
        apart = (unit >= 0) & ((np.abs(beside.start - start) > _APART) | (
            np.isfinite(end) & np.isfinite(beside.end) & (np.abs(beside.end - end) > _APART)))
    if not apart.any():
        return None
    row = int(np.argmax(apart))
    return (f'{np.count_nonzero(apart)} of the {len(start)} segment ids of the {columns.kind} contradict the columns '
            f'beside them, such as {quoted(columns.values("doc_id")[row])} beside start {beside.start[row]:.12g} and '
            f'end {beside.end[row]:.12g}, and the ids count: correct the ids, or take the columns out')


def rank_warning(query_ids: Any, query: Ints, rank: Floats, score: Floats, what: str = 'the ranks of the run') -> (
        str | None):
    """Scores that rise with the rank all through a query: distances. A rank that is old, as behind a step that scores
    anew, contradicts some scores and not all.

    Args:
        query_ids: the queries
        query, rank, score: of each row; the rank is NaN where there is none
        what: the subject of the sentence
    """
    same = query[1:] == query[:-1]
    if np.count_nonzero(~same) >= len(query_ids) or (same & (rank[1:] < rank[:-1])).any():
        order = np.lexsort((rank, query))
        query, rank, score = query[order], rank[order], score[order]
    later = (query[1:] == query[:-1]) & (rank[1:] > rank[:-1])
    apart, alike = (np.bincount(query[1:][later & kind], minlength=len(query_ids)) for kind in (
        score[1:] > score[:-1], score[1:] < score[:-1]))
    turned = (apart > 0) & (alike == 0)
    # Seven neighbours of one query, or of all, that contradict each other are no chance where none agrees.
    if max(apart[turned].max(initial=0), 0 if alike.any() else apart.sum()) < 7:
        return None
    rows = np.flatnonzero(query == np.argmax(apart * turned))
    first, last = rows[np.argmin(rank[rows])], rows[np.argmax(rank[rows])]
    return (f'{what} contradict the scores in {np.count_nonzero(turned)} of the {len(query_ids)} queries, such as in '
            f'{quoted(query_ids[query[first]])}, where rank {rank[first]:.12g} has the score {score[first]:.12g} and '
            f'rank {rank[last]:.12g} the score {score[last]:.12g}, but the highest score is the best: give minus the '
            'scores if they are distances, and minus the ranks if they are ranks')
