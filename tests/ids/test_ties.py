"""Ties are broken: by hand, in every shape, and as pytrec_eval has them."""

from random import Random
from typing import Any

import ir_measures
import numpy as np
import pytest
from hypothesis import given, strategies as st
from ir_measures import AP, RR, Qrel, ScoredDoc, nDCG

from ir_segmeasures import T2I_AP, MAiSP, break_ties
from ir_segmeasures.segments.tables.columns import RowError

IDS = [f'v{number}#t=0,60' for number in range(4)]
TIED = [ScoredDoc('q', id, 1.) for id in IDS]
JUDGED = [Qrel('q', IDS[0], 1)]


def order(run: Any) -> list[str]:
    """The ids of a run by score, which has no ties."""
    scores = [item.score for item in run]
    with np.errstate(over='ignore'):
        assert len(set(map(np.float32, scores))) == len(scores)
    return [item.doc_id for item in sorted(run, key=lambda item: -item.score)]


def test_two_orders_of_a_run() -> None:
    # What the page of measures shows.
    for run, value in ((TIED, 1), (TIED[::-1], 0.25)):
        assert MAiSP.calc_aggregate(JUDGED, run) == value
        assert AP.calc_aggregate(JUDGED, run) == 0.25
        assert MAiSP.calc_aggregate(JUDGED, break_ties(run)) == AP.calc_aggregate(JUDGED, break_ties(run)) == 0.25
        kept = break_ties(run, by='order')
        assert MAiSP.calc_aggregate(JUDGED, kept) == AP.calc_aggregate(JUDGED, kept) == value


def test_by_random() -> None:
    orders = {tuple(order(break_ties(TIED, by='random', seed=seed))) for seed in range(50)}
    assert len(orders) > 10
    shuffled = Random(1).sample(TIED, len(TIED))
    assert order(break_ties(TIED, by='random', seed=3)) == order(break_ties(shuffled, by='random', seed=3))
    two = [*TIED, *(item._replace(query_id='p') for item in TIED)]
    again = break_ties([*two[4:], *two[:4]], by='random')
    assert order(again[4:]) == order(break_ties(two, by='random')[:4]) == order(break_ties(TIED, by='random'))


def test_scores_below_a_tie_stay_below() -> None:
    below = float(np.nextafter(np.float32(1), np.float32(0)))
    run = break_ties([*TIED, ScoredDoc('q', 'last', below), ScoredDoc('q', 'far', 0.5)])
    assert order(run) == [*IDS[::-1], 'last', 'far']
    assert run[-1].score == 0.5
    assert run[3].score == 1.


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match=r"by='ids': what decides between items of one score is one of 'order', 'id'"):
        break_ties(TIED, by='ids')
    with pytest.raises(ValueError, match=r'seed=0\.5: the seed of a random order is a whole number'):
        break_ties(TIED, by='random', seed=0.5)  # type: ignore[arg-type]
    with pytest.raises(RowError, match='the score is missing or infinite'):
        break_ties([ScoredDoc('q', 'a', float('nan'))])


@given(st.lists(st.tuples(st.sampled_from('pq'), st.sampled_from('abcdefgh'), st.sampled_from([0., .5, 1., 7.25])),
                unique_by=lambda row: row[:2], min_size=1),
       st.sets(st.tuples(st.sampled_from('pq'), st.sampled_from('abcdefgh')), min_size=1))
def test_pytrec_eval_has_the_same_order(rows: list[Any], relevant: set[Any]) -> None:
    pytest.importorskip('pytrec_eval')
    run, qrels = [ScoredDoc(*row) for row in rows], [Qrel(*row, 1) for row in relevant]
    values = ir_measures.calc_aggregate([AP, RR, nDCG], qrels, run)
    assert ir_measures.calc_aggregate([AP, RR, nDCG], qrels, break_ties(run)) == pytest.approx(values)
    lines = [item._replace(doc_id=f'{item.doc_id}#t=0,9') for item in run]
    judged = [qrel._replace(doc_id=f'{qrel.doc_id}#t=0,9') for qrel in qrels]
    # Where each judged segment has a document of its own, both are AP.
    broken = break_ties(lines)
    assert T2I_AP.calc_aggregate(judged, broken) == pytest.approx(AP.calc_aggregate(judged, broken))
