"""Agreement between measures and sensitivity to parameters: by hand, and against the sums written out."""

from itertools import combinations
from math import sqrt
from typing import Any

import pandas as pd
import pytest
from ir_measures import Measure, Qrel, ScoredDoc
from query_values import as_qrels, as_run
from strategies import Run

from ir_segmeasures import T2I_AP, AgP, SegNoise, SegP, segmeasures
from ir_segmeasures.study import agreement, sensitivity, without_overlap

SPANS = [('v', 15, 25, 1), ('v', 30, 35, 1), ('u', 0, 50, 1)]
RUNS: dict[str, Run] = {
    'exact': [('v', 15, 25), ('v', 30, 35), ('u', 0, 50)],
    'early': [('v', 2, 25), ('v', 28, 35), ('u', 0, 60)],
    'whole': [('v', 0, 100), ('u', 0, 100)],
    'half': [('u', 10, 35), ('v', 0, 5)],
}
QRELS = [*as_qrels(SPANS, '1'), *as_qrels(SPANS[:2], '2'), Qrel('3', 'v#t=0,10', 0)]
SYSTEMS = {name: [*as_run(run, '1'), *as_run(run[1:], '2'), *as_run(run, '3')] for name, run in RUNS.items()}


def values(measure: Measure, name: str) -> list[float]:
    """The values of a run for the two queries with relevant content."""
    found = {metric.query_id: metric.value for metric in segmeasures.iter_calc([measure], QRELS, SYSTEMS[name])}
    return [found['1'], found['2']]


def r(x: list[float], y: list[float]) -> float:
    """Pearson's r, as the textbook has it."""
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sqrt(
        sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))


def tau_b(x: list[float], y: list[float]) -> float:
    """Kendall's tau-b, pair by pair."""
    signs = [((a > b) - (a < b), (c > d) - (c < d)) for (a, c), (b, d) in combinations(zip(x, y), 2)]
    return sum(first * second for first, second in signs) / sqrt(
        sum(first != 0 for first, _ in signs) * sum(second != 0 for _, second in signs))


class TestAgreement:
    @pytest.mark.parametrize('over', ['rankings', 'systems'])
    def test_each_pair_of_measures(self, over: str) -> None:
        measures = [AgP, SegP, SegNoise]
        rows = agreement([AgP, 'SegP', SegNoise], iter(QRELS), SYSTEMS, over=over)
        assert [(row.first, row.second) for row in rows] == list(combinations(measures, 2))
        for row in rows:
            x, y = ([value for name in RUNS for value in (
                values(measure, name) if over == 'rankings' else [sum(values(measure, name)) / 2])]
                    for measure in (row.first, row.second))
            assert row.n == len(x) == (8 if over == 'rankings' else 4)  # nothing is relevant for the third query
            assert row.pearson == pytest.approx(r(x, y))
            assert row.kendall == pytest.approx(tau_b(x, y))
        assert rows[2].pearson == pytest.approx(-1)

    @pytest.mark.parametrize('measures, arguments, message', [
        ([AgP, SegP], {'over': 'queries'}, "over='queries' is none of"),
        ([AgP, 'MAgP'], {}, 'the only measure is AgP, and agreement is between two'),
        ([AgP, SegP], {'runs': {}}, 'there is no run'),
        ([AgP, SegP], {'runs': [[]]}, 'the runs are a list: give a dict'),
    ])
    def test_errors(self, measures: list[Any], arguments: dict[str, Any], message: str) -> None:
        with pytest.raises((TypeError, ValueError), match=message):
            agreement(measures, QRELS, **{'runs': SYSTEMS, **arguments})


class TestWithoutOverlap:
    def test_every_shape_keeps_its_order(self) -> None:
        rows = [ScoredDoc('q', 'v#t=8,12', 1), ScoredDoc('q', 'v#t=0,10', 2), ScoredDoc('q', 'v#t=10,20', 3),
                ScoredDoc('q', 'w#t=0,10', 0), ScoredDoc('p', 'v#t=5,6', 0), ScoredDoc('q', 'v#t=5,5', 0)]
        left = [rows[i] for i in (1, 2, 3, 4, 5)]
        assert without_overlap(rows) == without_overlap(iter(rows)) == left
        frame = pd.DataFrame(rows).assign(rank=range(6))
        assert without_overlap(frame).equals(frame.drop(0))
        by_query = {query: {row.doc_id: row.score for row in rows if row.query_id == query} for query in 'qp'}
        assert without_overlap(by_query) == {'q': {row.doc_id: row.score for row in left if row.query_id == 'q'},
                                             'p': by_query['p']}
        bare = pd.DataFrame([['q', 'v', 0, 10, 2], ['q', 'v', 9, 1, 1]],
                            columns=['query_id', 'doc_id', 'start', 'length', 'score'])
        assert list(without_overlap(bare).start) == [0]


class TestSensitivity:
    def test_a_tolerance_that_turns_the_order_round(self) -> None:
        # 'near' starts 4 before one span; 'far' starts 12 before each of the two.
        qrels = as_qrels([('v', 20, 30, 1), ('w', 20, 30, 1)])
        runs = {'near': as_run([('v', 16, 30)]), 'far': as_run([('v', 8, 30), ('w', 8, 30)])}
        rows = sensitivity(T2I_AP, 'tau', (2, 5, 15, 60), qrels, runs)
        assert [row.value for row in rows] == [2, 5, 15, 60]
        assert [row.measure for row in rows] == [T2I_AP(tau=2), T2I_AP(tau=5), T2I_AP(tau=15), T2I_AP(tau=60)]
        assert [list(row.means.values()) for row in rows] == [[0, 0], [.5, 0], [.5, 1], [.5, 1]]
        assert list(rows[0].means) == ['near', 'far']
        assert [row.kendall for row in rows] == [None, -1, 1, 1]
        needed = sensitivity('IoU_R@1', 'iou', (.3, .7), qrels, runs)  # which the measure lacks
        assert [str(row.measure) for row in needed] == ['IoU_R(iou=0.3)@1', 'IoU_R(iou=0.7)@1']

    @pytest.mark.parametrize('measure, parameter, tried, message', [
        (T2I_AP, 'tau', [], 'there is no value of tau to try'),
        (T2I_AP, 'tau', [5, -1], r'T2I_AP has tau=-1: tau .* is a number >= 0'),
        (AgP, 'tau', [5], "AgP has no parameter 'tau'"),
    ])
    def test_errors(self, measure: Measure, parameter: str, tried: list[float], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            sensitivity(measure, parameter, tried, QRELS, SYSTEMS)
