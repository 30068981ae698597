"""Micro averages: the lecture's example, and the ratio of sums by a plain reference."""

from fractions import Fraction
from typing import Any

import pytest
import reference
import strategies
from hypothesis import given, strategies as st
from ir_measures import Qrel, ScoredDoc
from query_values import as_qrels, as_run

from ir_segmeasures import (
    AgP,
    SegF,
    SegFallout,
    SegGenerality,
    SegIoU,
    SegMiss,
    SegNoise,
    SegP,
    SegR,
    SegRejection,
)
from ir_segmeasures.study import micro


def test_the_example_of_the_lecture() -> None:
    found, existing = (10, 5, 20, 1, 30), (100, 5, 30, 10, 40)
    qrels = [Qrel(f'q{i}', f'd#char=0,{length}', 1) for i, length in enumerate(existing)]
    run = [ScoredDoc(f'q{i}', f'd#char=0,{length}', 1.) for i, length in enumerate(found)]
    # The slide has 66 / 158 = .418, but its numbers add up to 185: digits that changed places.
    assert sum(found) / 158 == pytest.approx(.418, abs=5e-4)
    assert micro(SegR, qrels, run)[SegR] == pytest.approx(66 / 185)
    assert round(SegR.calc_aggregate(qrels, run), 3) == .523
    assert round(micro('SegR', qrels[:2], run[:2])[SegR], 3) == .143


@given(cases=st.lists(strategies.cases, min_size=1, max_size=3))
def test_the_ratio_of_the_sums(cases: list[Any]) -> None:
    contents = [reference.retrieved_contents(qrels, run, 1, None, None) for qrels, run in cases]
    retrieved, relevant, common = map(sum, zip(*contents))
    D, zero = Fraction(10 ** 6), Fraction(0)
    expected = {
        SegP: common / retrieved if retrieved else zero, SegR: common / relevant if relevant else zero,
        SegMiss: (relevant - common) / relevant if relevant else zero,
        SegNoise: (retrieved - common) / retrieved if retrieved else zero,
        SegF: 2 * common / (retrieved + relevant) if retrieved + relevant else zero,
        SegIoU: common / (retrieved + relevant - common) if retrieved + relevant else zero,
        SegFallout(D=10 ** 6): (retrieved - common) / (len(cases) * D - relevant),
        SegRejection(D=10 ** 6): 1 - (retrieved - common) / (len(cases) * D - relevant),
        SegGenerality(D=10 ** 6): relevant / (len(cases) * D),
    }
    qrels = [row for number, (judged, _) in enumerate(cases) for row in as_qrels(judged, f'q{number}')]
    run = [row for number, (_, ranked) in enumerate(cases) for row in as_run(ranked, f'q{number}')]
    found = micro(list(expected), qrels, run)
    assert found == {measure: pytest.approx(float(value), rel=1e-9, abs=1e-12) for measure, value in expected.items()}


def test_other_measures_have_none() -> None:
    with pytest.raises(ValueError, match=r'^AgP is no ratio of content, so it has no micro average: take SegP, SegR, '):
        micro(AgP, [], [])
