"""Columns of ranks that contradict the scores beside them, by which a run is ranked."""

from collections.abc import Sequence

import numpy as np

from ir_segmeasures.segments.arrays import Bools, Floats, Ints
from ir_segmeasures.segments.quoting import quoted

__all__ = ['rank_warning']

_PAIRS = 7  # of neighbours in one query that contradict each other, and none that does not
_ALL = 20  # such pairs, where most queries have them alone
_SWAPPED = 8  # rows whose score may be a rank, but whose rank is none


def rank_warning(query_ids: Sequence[str], query: Ints, rank: Floats, score: Floats,
                 what: str = 'the ranks of the run') -> str | None:
    """The warning about queries in which the score rises with the rank all through, or about a rank and a score that
    are in each other's place; None where there is no doubt. A rank that is old, as behind a step that scores anew,
    contradicts some scores and not all.

    Args:
        query_ids: the queries
        query, rank, score: of each row; the rank is NaN where there is none
        what: the subject of the sentence
    """
    if len(query) < 2:
        return None
    turn = np.flatnonzero(query[1:] != query[:-1])
    if len(turn) >= len(query_ids):  # the rows of a query do not stand together
        order = np.argsort(query, kind='stable')
        query, rank, score = query[order], rank[order], score[order]
        turn = np.flatnonzero(query[1:] != query[:-1])
    with np.errstate(over='ignore'):
        sign = (rank[1:] - rank[:-1]) * (score[1:] - score[:-1])  # NaN is none
    sign[turn] = 0
    against = sign > 0
    odd = (rank > np.floor(rank)) | (rank < 0)
    if not (against.any() or odd.any()):
        return None
    apart = np.bincount(query[1:][against], minlength=len(query_ids))
    alike = np.bincount(query[1:][sign < 0], minlength=len(query_ids))
    turned = (apart > 0) & (alike == 0)
    if (apart[turned] >= _PAIRS).any() or (2 * np.count_nonzero(turned) > np.count_nonzero(apart + alike)
                                           and apart[turned].sum() >= _ALL):
        rows = np.flatnonzero(query == np.argmax(apart * turned))
        first, last = rows[np.argmin(rank[rows])], rows[np.argmax(rank[rows])]
        return (f'{what} contradict the scores in {np.count_nonzero(turned)} of the {len(query_ids)} queries, such as '
                f'in {quoted(query_ids[query[first]])}, where rank {rank[first]:.12g} has the score '
                f'{score[first]:.12g} and rank {rank[last]:.12g} the score {score[last]:.12g}, but the highest score '
                'is the best: give minus the scores if they are distances, and minus the ranks if they are ranks')
    return _swapped(query, rank, score, odd, what)


def _swapped(query: Ints, rank: Floats, score: Floats, odd: Bools, what: str) -> str | None:
    rows = np.flatnonzero(np.isin(query, query[odd]))
    if len(rows) < _SWAPPED or ((score[rows] != np.floor(score[rows])) | (score[rows] < 0)).any():
        return None
    row = int(rows[np.argmax(odd[rows])])
    return (f'{what} are none in {len(rows)} of the {len(query)} rows, such as {rank[row]:.12g} beside the score '
            f'{score[row]:.12g}, which may be one, as if the columns of ranks and scores were swapped: '
            'give each in the place of the other')
