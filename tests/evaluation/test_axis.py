"""The axis: covers against sets of ticks, exact figures anywhere, and more queries than one axis holds."""

from itertools import pairwise
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from ir_measures import parse_measure

from ir_segmeasures import GAP, T2I_AP, IoU_R, R_cov, SegNovelty
from ir_segmeasures.evaluation.axis import Cover, first_pieces, most_decimals, split_positions

INTERVALS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9)).map(lambda pair: (pair[0], sum(pair))),
                     max_size=9)
MEASURES = [parse_measure(text) for text in (
    'T2I_AP', 'ESL(D=1000000000)', 'MAiSP', 'MAgP', 'SegF(budget=0.5)', 'AiP', 'RBP_residual', 'P_cov', 'AP_over',
    'GAP', 'T2I_AP(condensed=True)', 'mIoU@3', 'PassageAP', 'bpref_seg')]


def columns(intervals: list[tuple[int, int]]) -> tuple[Any, Any]:
    start, end = np.array(intervals, np.int64).reshape(-1, 2).T
    return start, end


def ticks(intervals: list[tuple[int, int]]) -> set[int]:
    return {tick for start, end in intervals for tick in range(start, end)}


@given(INTERVALS.map(lambda intervals: [pair for pair in intervals if pair[0] < pair[1]]), INTERVALS, st.booleans())
def test_covers(content: list[tuple[int, int]], others: list[tuple[int, int]], apart: bool) -> None:
    cover, covered = Cover.union(*columns(content), apart), ticks(content)
    assert cover.common(*columns(others)).tolist() == [len(covered & ticks([other])) for other in others]
    assert ticks(list(zip(cover.start.tolist(), cover.end.tolist()))) == covered
    assert apart or (cover.start[1:] > cover.end[:-1]).all()
    first, stop = cover.met(*columns(others))
    assert [list(range(*bounds)) for bounds in zip(first.tolist(), stop.tolist())] == [
        [i for i, span in enumerate(zip(cover.start.tolist(), cover.end.tolist())) if ticks([span]) & ticks([other])]
        for other in others]


@given(INTERVALS.map(lambda intervals: [pair for pair in intervals if pair[0] < pair[1]]), INTERVALS)
def test_first_pieces(content: list[tuple[int, int]], items: list[tuple[int, int]]) -> None:
    pieces = first_pieces(Cover.union(*columns(content)), *columns(items))
    left = ticks(content)
    for number, item in enumerate(items):
        mine = pieces.owner == number
        found = list(zip(pieces.start[mine].tolist(), pieces.end[mine].tolist()))
        assert ticks(found) == left & ticks([item])
        assert found == sorted(found) and all(end < start for (_, end), (start, _) in pairwise(found))
        left -= ticks([item])


@given(st.integers(0, 10 ** 15 - 1), st.integers(0, 999_999))
def test_positions_are_the_decimals_that_were_written(whole: int, rest: int) -> None:
    digits = 6 if whole < 4 * 10 ** 9 else 3 if whole < 10 ** 12 else 0
    fraction = rest // 10 ** (6 - digits)
    position = float(f'{whole}.{fraction:0{digits}d}' if digits else whole)
    split = split_positions(np.array([position]))
    assert (split.whole[0], split.nanos[0]) == (whole, fraction * 10 ** (9 - digits))
    assert most_decimals(split.nanos) == (len(f'{fraction:0{digits}d}'.rstrip('0')) if digits else 0)


def tables(queries: int, far: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Queries of documents that are so long."""
    draw = np.random.default_rng(queries)
    query = np.repeat([f'q{i}' for i in range(queries)], 8)

    def rows(**more: Any) -> pd.DataFrame:
        start = np.round(draw.choice([0, far], len(query)) + draw.integers(0, 20, len(query)) / 4, 2)
        return pd.DataFrame({'query_id': query, 'doc_id': draw.choice(['a', 'b'], len(query)), 'start': start,
                             'end': np.round(start + draw.integers(1, 9, len(query)) / 4, 2), **more})
    return (rows(relevance=draw.integers(0, 2, len(query))),
            rows(score=-np.tile(np.arange(8.), queries)))


def figures(qrels: pd.DataFrame, run: pd.DataFrame) -> dict[Any, float]:
    return {(metric.query_id, str(metric.measure)): metric.value
            for metric in ir_measures.iter_calc(MEASURES, qrels, run)}


def test_queries_that_pass_one_axis_are_computed_in_groups() -> None:
    qrels, run = tables(600, 5e6)
    fine = {'query_id': 'fine', 'doc_id': 'a', 'start': 0.000000001, 'end': 0.000000002}
    together = figures(pd.concat([qrels, pd.DataFrame([{**fine, 'relevance': 1}])]),
                       pd.concat([run, pd.DataFrame([{**fine, 'score': 1.}])]))
    assert together['fine', 'SegF(budget=0.5)'] == 1
    for query in ('q0', 'q299', 'q300', 'q599'):
        alone = figures(*(frame[frame.query_id == query] for frame in (qrels, run)))
        assert {key: together[key] for key in alone} == pytest.approx(alone, abs=1e-12)


def test_a_query_that_passes_an_axis_by_itself_loses_decimals() -> None:
    qrels = {'q': {'v#t=0.000000001,10': 1, 'v#t=900000000000000,900000000000010': 1}}
    run = {'q': {'v#t=0,10': 2, 'v#t=900000000000000,900000000000020': 1}}
    assert {str(measure): round(value, 6) for measure, value in ir_measures.calc_aggregate(
        [parse_measure(name) for name in ('T2I_AP', 'SegP', 'SegR')], qrels, run).items()} == {
        'T2I_AP': 1, 'SegP': 0.666667, 'SegR': 1}


@pytest.mark.parametrize('origin', [0, 3600, 360_000, 5_000_000, 9_000_000, 10 ** 9])
def test_thresholds_far_from_0(origin: int) -> None:
    def at(*bounds: float) -> str:
        return 'v#t=' + ','.join(f'{origin + bound:.1f}' for bound in bounds)
    qrels, run = {'q': {at(.3, .9): 1}}, {'q': {at(.5, .7): 1}}
    assert R_cov.calc_aggregate(qrels, run) == 1
    assert GAP(grain=.2, window=1).calc_aggregate(qrels, run) == .8
    assert (IoU_R(iou=.3333333) @ 1).calc_aggregate(qrels, run) == 1


def test_a_budget_is_spent_to_the_last_tick() -> None:
    qrels = pd.DataFrame({'query_id': ['q'], 'doc_id': ['v#t=12.5,20'], 'relevance': [1], 'known': [0]})
    run = {'q': {'w#t=3600.1,3610.2': 2, 'v#t=12.5,20': 1}}
    assert [SegNovelty(budget=budget).calc_aggregate(qrels, run) for budget in (10.1, 10.100001)] == [0, 1]


@pytest.mark.parametrize('tau', [0, 1e-6])
def test_condensed_spans_that_touch(tau: float) -> None:
    qrels, run = {'q': {'v#t=0,5': 1, 'v#t=10,15': 1}}, {'q': {'v#t=10,11': 2, 'v#t=1,2': 1}}
    assert T2I_AP(tau=tau, keepviewing=True, condensed=True).calc_aggregate(qrels, run) == 1
