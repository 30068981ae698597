"""The worked examples of the binary measures of Search & Hyperlinking, by hand."""

import pytest
from query_values import value

SPANS = [('v', 15, 25, 1), ('v', 30, 35, 1)]


class TestOver:
    def test_redundant_items_are_rewarded_again(self) -> None:
        assert value('AP_over', SPANS, [('v', 14, 16), ('w', 0, 9), ('v', 31, 32)]) == pytest.approx((1 + 2 / 3) / 2)
        assert value('AP_over', SPANS, [('v', 14, 16)] * 6) == pytest.approx(6 / 2)
        assert value('AP_over@3', SPANS, [('v', 14, 16)] * 6) == pytest.approx(3 / 2)
        assert value('P_over@4', SPANS, [('v', 14, 16)] * 6) == 1
        assert value('P_over@8', SPANS, [('v', 14, 16)] * 6) == pytest.approx(6 / 8)

    def test_touching_is_not_overlap_and_an_entry_point_has_no_content(self) -> None:
        assert value('AP_over', SPANS, [('v', 0, 15), ('v', 25, 30), ('v', 20, 20)]) == 0


class TestBin:
    def test_only_the_bin_of_the_start(self) -> None:
        # 0 | 1 | w0 | 2
        run = [('v', 5, 15), ('v', 12, 13), ('w', 0, 5), ('v', 29, 40)]
        assert value('AP_bin(bin=10,expand=False)', SPANS, run) == pytest.approx((1 / 2 + 2 / 4) / 3)
        assert value('AP_bin(bin=10,expand=False)', SPANS, [('v', 15, 15)]) == pytest.approx(1 / 3)
        assert value('AP_bin(bin=10)', SPANS, [('v', 15, 15)]) == 0

    def test_bins_are_exact_on_decimals(self) -> None:
        # 0.3 / 0.1 is less than 3 in floats, and 0.7 / 0.1 is less than 7.
        assert value('AP_bin(bin=0.1)', [('v', 0.3, 0.4, 1)], [('v', 0.3, 0.4)]) == 1
        assert value('P_bin(bin=0.1)@1', [('v', 0.6, 0.7, 1)], [('v', 0.7, 0.8)]) == 0

    def test_bins_are_exact_near_their_bounds(self) -> None:
        # The item ends its first bin a millionth before the bound, and starts in it.
        judged, run = [('v', 3599.9, 3599.95, 1)], [('v', 3599.999999, 3700)]
        assert value('AP_bin(expand=False)', judged, run) == 1
        assert value('AP_bin', judged, run) == 1
        assert value('AP_bin(expand=False)', judged, [('v', 3600, 3700)]) == 0
        assert value('AP_bin', judged, [('v', 3600, 3600.000001)]) == 0
        assert value('AP_bin(bin=0.1)', [('v', 1234567.3, 1234567.4, 1)], [('v', 1234567.3, 1234567.4)]) == 1
