"""Properties of the references of content, characters and coverage, and coverage where many references nest."""

from fractions import Fraction
from typing import Any

import pytest
import reference
import strategies
from hypothesis import given, settings
from query_values import MEASURES
from query_values import value as measured
from strategies import Qrels, Run

from ir_segmeasures.measures import coverage

Case = tuple[Qrels, Run]


def value(name: str, qrels: Qrels, run: Run, keywords: dict[str, Any]) -> Fraction:
    """A measure of the reference by its name."""
    return getattr(reference, name)(qrels, run, **keywords)


@settings(deadline=None)
@given(case=strategies.cases, params=strategies.parameters('SegP'))
def test_ratios_and_their_complements(case: Case, params: dict[str, Any]) -> None:
    P, R, F, iou, miss, noise = (value(name, *case, params) for name in
                                 ('SegP', 'SegR', 'SegF', 'SegIoU', 'SegMiss', 'SegNoise'))
    rel = params.get('rel', 1)
    assert R + miss == (1 if reference.relevant_spans(case[0], rel) else 0)
    assert P + noise in (0, 1)
    assert iou == F / (2 - F)  # the Jaccard index from Dice's
    assert min(P, R) <= F <= max(P, R)
    if P:
        # Fallout follows from the others: recall · (1 - precision) / precision · generality / (1 - generality).
        G = reference.SegGenerality(*case, D=strategies.WHOLE, rel=rel)
        assert value('SegFallout', *case, params | {'D': strategies.WHOLE}) == R * (1 - P) / P * G / (1 - G)


def test_coverage_of_references_in_references(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few of the pairs are looked at together, and whatever the order."""
    n = 40
    qrels = [('v', i, 3 * n - i, 1) for i in range(n)]
    run = [('v', i * 7 % n, 3 * n - i * 7 % n) for i in range(n)]
    for pairs in (1, 7, 1000, 1 << 20):
        monkeypatch.setattr(coverage, '_PAIRS', pairs)
        for parameters in ({'ki': 0.9}, {'ki': 0.9, 'cutoff': 2}, {'ki': 0.9, 'ri': 0.9, 'cutoff': 5}):
            for name in ('P_cov', 'R_cov'):
                expected = getattr(reference, name)(qrels, run, **parameters)
                assert measured(MEASURES[name](**parameters), qrels, run) == pytest.approx(float(expected))
    assert 0 < reference.R_cov(qrels, run, ki=0.9, cutoff=2) < reference.R_cov(qrels, run, ki=0.9)
