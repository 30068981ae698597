"""Items of a run that have the score of another item of their query."""

from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Array, Bools
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import SegmentTable

__all__ = ['about_ties', 'tie_sentence', 'tied', 'with_ties_by']


def tied(run: SegmentTable) -> Bools:
    """For each row of a run, whether another item of its query has its score."""
    same = np.zeros(len(run) + 1, bool)
    same[1:-1] = (run.query[1:] == run.query[:-1]) & (run.value[1:] == run.value[:-1])
    return same[1:] | same[:-1]


def with_ties_by(run: SegmentTable, key: Array[Any]) -> SegmentTable:
    """The run with the items of one score and query in the order of a key, which has a number for each row."""
    change = np.ones(len(run), bool)
    change[1:] = (run.query[1:] != run.query[:-1]) | (run.value[1:] != run.value[:-1])
    return run.in_order(np.lexsort((key, np.cumsum(change))))


def about_ties(run: SegmentTable) -> str | None:
    """Says how many items of a run are tied, with an example, and what decides between them; None if there are none."""
    rows = np.flatnonzero(tied(run))
    if not len(rows):
        return None
    row = int(rows[0])
    return tie_sentence(len(rows), len(run), float(run.value[row]), run.query_ids[run.query[row]])


def tie_sentence(count: int, items: int, score: float, query_id: str) -> str:
    """The sentence about so many tied items of a run, with the score and the query of one of them."""
    return (f'{count} of the {items} items of the run have the score of another item of their query, such as '
            f'{score:.12g} in query {quoted(query_id)}, and the order of the lines decides between them (in trec_eval, '
            'the ids)')
