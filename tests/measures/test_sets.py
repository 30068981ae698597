"""Content as sets, the budget, and the coverage filter, by hand."""

import pytest
import strategies
from hypothesis import given, settings
from query_values import value, values
from strategies import Qrels, Run

from ir_segmeasures import SegF, SegIoU, SegMiss, SegNoise, SegP, SegR

SPANS = [('v', 15, 25, 1), ('v', 30, 35, 1)]


class TestContent:
    def test_ratios_of_the_contingency_table(self) -> None:
        run = [('v', 10, 20), ('w', 0, 10)]
        assert value('SegFallout(D=115)', SPANS, run) == pytest.approx(15 / 100)
        assert value('SegMiss', SPANS, run) == pytest.approx(10 / 15)
        assert value('SegNoise', SPANS, run) == pytest.approx(15 / 20)
        assert value('SegGenerality(D=150)', SPANS, run) == pytest.approx(15 / 150)
        with pytest.raises(ValueError, match=r'the whole collection is D=15: give the length'):
            value('SegFallout(D=15)', SPANS, run)

    def test_a_collection_shorter_than_what_was_retrieved(self) -> None:
        run = [('v', 0, 35)]
        assert value('SegFallout(D=35)', SPANS, run) == 1
        with pytest.raises(ValueError, match=r"query 'q.*' has 20 of irrelevant content retrieved, but in .* D=34, of "
                                             'which 19 is irrelevant: give the length of the whole collection'):
            value('SegFallout(D=34)', SPANS, run)

    def test_the_budget_cuts_the_last_item(self) -> None:
        run = [('v', 10, 20), ('v', 15, 20), ('v', 30, 40)]
        assert value('SegR(budget=18)', SPANS, run) == pytest.approx((5 + 3) / 15)
        assert value('SegR(budget=10)', SPANS, run) == pytest.approx(5 / 15)
        assert value('SegP(budget=3)', SPANS, run) == 0
        assert value('SegR(budget=18)@2', SPANS, run) == pytest.approx(5 / 15)

    @settings(deadline=None)
    @given(case=strategies.cases)
    def test_how_they_hang_together(self, case: tuple[Qrels, Run]) -> None:
        p, r, f, iou, miss, noise = values([SegP, SegR, SegF, SegIoU, SegMiss, SegNoise], *case)
        assert iou <= f + 1e-12
        assert f == pytest.approx(2 * iou / (1 + iou))
        if r:
            assert miss == pytest.approx(1 - r)
            assert noise == pytest.approx(1 - p)


class TestCoverage:
    def test_shares_reached_exactly(self) -> None:
        assert value('R_cov', [('v', 0, 0.3, 1)], [('v', 0.2, 0.35)]) == 1
        assert value('R_cov', [('v', 0, 0.31, 1)], [('v', 0.21, 0.36)]) == 0

    def test_references_are_not_merged(self) -> None:
        assert value('R_cov', [('v', 0, 10, 1), ('v', 10, 20, 1)], [('v', 0, 10)]) == pytest.approx(1 / 2)
