"""Coverage where many references nest."""

import pytest
import reference
from query_values import MEASURES, value

from ir_segmeasures.measures import coverage


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
                assert value(MEASURES[name](**parameters), qrels, run) == pytest.approx(float(expected))
    assert 0 < reference.R_cov(qrels, run, ki=0.9, cutoff=2) < reference.R_cov(qrels, run, ki=0.9)
