"""Holes in judgements: what is drawn and left out, and the figures beside evaluations written out."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import AiSP, AP_over, bpref_seg
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study import holes
from ir_segmeasures.study.missing_judgements import _drawn

stats = pytest.importorskip('scipy.stats')

QUERIES = [f'q{number}' for number in range(6)]
QRELS = [Qrel(query, f'v#t={10 * place},{10 * place + 8}', int((place + number) % 3 == 0))
         for number, query in enumerate(QUERIES) for place in range(12)]


def ranking(order: list[int]) -> list[ScoredDoc]:
    return [ScoredDoc(query, f'v#t={10 * place},{10 * place + 8}', -rank)
            for query in QUERIES for rank, place in enumerate(order)]


RUNS = {name: ranking(np.random.default_rng(seed).permutation(12)[:6].tolist())
        for seed, name in enumerate(('a-1', 'a-2', 'b-1', 'c'))}


def means(measure: Any, qrels: list[Qrel]) -> list[float]:
    queries = {row.query_id for row in qrels if row.relevance}
    found = []
    for run in RUNS.values():
        values = [metric.value for metric in measure.iter_calc(qrels, run) if metric.query_id in queries]
        found.append(sum(values) / len(values))
    return found


class TestDrawnSamples:
    def test_each_stratum_loses_the_share(self) -> None:
        table, random = SegmentTable.from_qrels(QRELS), np.random.default_rng(1)
        sizes = []
        for _ in range(60):
            rows = _drawn(table, .25, 1, random)
            assert len(set(rows.tolist())) == len(rows)
            for query in range(len(QUERIES)):
                mine = table.value[rows][table.query[rows] == query]
                assert (mine >= 1).sum() == 3
                assert (mine < 1).sum() == 6
            sizes.append(len(_drawn(table, .7, 1, random)))
        assert np.mean(sizes) == pytest.approx(.3 * len(table), rel=.04)

    def test_one_relevant_judgement_stays(self) -> None:
        table = SegmentTable.from_qrels(QRELS)
        rows = _drawn(table, .99, 1, np.random.default_rng(1))
        assert set(table.query[rows[table.value[rows] >= 1]].tolist()) == set(range(len(QUERIES)))


class TestTeams:
    def test_figures_are_those_of_the_judgements_that_are_left(self) -> None:
        teams = {name: name[0] for name in RUNS}
        whole = means(AiSP, QRELS)
        found = holes(AiSP, QRELS, RUNS, 'teams', teams=teams, depth=3)
        assert [row.left_out for row in found] == [None, 'a', 'b', 'c']
        brought = {name: {row.doc_id for row in run if row.score > -3} for name, run in RUNS.items()}
        for row in found[1:]:
            others = set().union(*(ids for name, ids in brought.items() if name[0] != row.left_out))
            mine = set().union(*(ids for name, ids in brought.items() if name[0] == row.left_out))
            left = [judged for judged in QRELS if judged.doc_id not in mine - others]
            expected = means(AiSP, left)
            assert row.judgements == len(left)
            assert row.dropped == pytest.approx(1 - len(left) / len(QRELS))
            assert row.mean == pytest.approx(sum(expected) / 4)
            assert row.change == pytest.approx(sum(expected) / 4 - sum(whole) / 4)
            assert row.kendall == pytest.approx(stats.kendalltau(whole, expected).statistic)

    def test_a_run_without_team_is_one(self) -> None:
        assert [row.left_out for row in holes(AiSP, QRELS, RUNS, 'teams')][1:] == list(RUNS)


def test_without_holes_nothing_moves() -> None:
    for row in holes([AiSP, bpref_seg], QRELS, RUNS, drop=[.01], repeats=1)[::2]:
        whole = means(row.measure, QRELS)
        assert row.mean == pytest.approx(sum(whole) / 4)
        assert (row.change, row.kendall, row.judgements) == (0, 1, len(QRELS))
        apart = 0
        for first, second in combinations(RUNS.values(), 2):
            of_first, of_second = ([metric.value for metric in row.measure.iter_calc(QRELS, run)]
                                   for run in (first, second))
            apart += stats.ttest_rel(of_first, of_second).pvalue < .05
        assert row.separated == pytest.approx(apart / 6)


def test_samples_are_those_of_the_seed_in_any_number_of_processes() -> None:
    joblib = pytest.importorskip('joblib')
    settings: dict[str, Any] = {'drop': [.3, .7], 'repeats': 3}
    found = holes([AiSP, AP_over], QRELS, RUNS, **settings)
    with joblib.parallel_config('threading'):  # processes take seconds to begin
        assert found == holes([AiSP, AP_over], SegmentTable.from_qrels(QRELS), RUNS, n_jobs=2, **settings)
    assert found != holes([AiSP, AP_over], QRELS, RUNS, seed=1, **settings)


@pytest.mark.parametrize(('change', 'sentence'), [
    ({'runs': {'a-1': RUNS['a-1']}}, 'fewer runs than 2'), ({'drop': []}, r'drop=\[\]: give'),
    ({'drop': [1]}, r'drop=\[1\]'), ({'drop': 'team'}, "drop='team'"),
    ({'repeats': 0}, 'repeats=0'), ({'depth': 0}, 'depth=0'), ({'test': 'z'}, "test='z'"), ({'level': 1}, 'level=1')])
def test_settings_that_mean_nothing(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        holes(**{'measures': AiSP, 'qrels': QRELS, 'runs': RUNS, **change})
