"""The reference of the set measures, ASP, the coverage filter, and the passage and moment measures, by hand."""

from fractions import Fraction
from typing import Any

import pytest
import reference
import strategies
from hypothesis import given, settings
from query_values import MEASURES
from query_values import value as measured
from reference_cases import SPANS, entries, value
from strategies import Qrels, Run

from ir_segmeasures.measures import coverage

Case = tuple[Qrels, Run]


# By hand


def test_asp() -> None:
    run = [('v', 0, 20), ('v', 20, 40)]
    # rel: watched to 25, V = 10, W = 25; then 20–40 with 30–35 new, V = 15, W = 45. (10/25 + 15/45) / 2
    assert reference.ASP(SPANS, run) == Fraction(11, 30)
    # ret: V = 5, W = 20; then 20–25 and 30–35 are new, V = 15, W = 40. (5/20 + 15/40) / 2
    assert reference.ASP(SPANS, run, user='ret') == Fraction(5, 16)
    # The second span is never met.
    assert reference.ASP(SPANS, run, cutoff=1) == Fraction(1, 5)


def test_asp_credits_the_end_of_the_item_that_first_meets_the_span() -> None:
    # The item runs on to 100 after both spans: 15 of 100, although V/W was 15/35 at 35.
    assert reference.ASP(SPANS, [('v', 0, 100), ('v', 15, 25)]) == Fraction(15, 100)
    # An entry point and an item that ends where the span begins do not meet it.
    assert reference.ASP(SPANS, [('v', 16, 16), ('v', 10, 15), ('v', 15, 25)]) == Fraction(10, 15) / 2
    # Each goes on to the end of the unseen part, and nothing but the span is ever watched.
    assert reference.ASP([('v', 0, 100, 1)], [('v', 50, 60), ('v', 20, 30), ('v', 0, 10)]) == 1


def test_set_measures() -> None:
    # 0–20 twice over: retrieved 20, relevant 15, both 5.
    run = [('v', 0, 20), ('v', 10, 20)]
    assert reference.SegP(SPANS, run) == Fraction(5, 20)
    assert reference.SegR(SPANS, run) == Fraction(5, 15)
    assert reference.SegF(SPANS, run) == Fraction(2, 7)  # 2 · 1/4 · 1/3 / (1/4 + 1/3)
    assert reference.SegF(SPANS, run, beta=0) == Fraction(1, 4)
    assert reference.SegF(SPANS, run, beta=2) == Fraction(5, 16)  # 5 · 1/4 · 1/3 / (4 · 1/4 + 1/3)
    assert reference.SegIoU(SPANS, run) == Fraction(1, 6)  # 5 / (20 + 15 - 5)
    assert reference.SegMiss(SPANS, run) == Fraction(10, 15)
    assert reference.SegNoise(SPANS, run) == Fraction(15, 20)
    assert reference.SegFallout(SPANS, run, D=115) == Fraction(15, 100)  # 100 are irrelevant
    assert reference.SegGenerality(SPANS, run, D=120) == Fraction(1, 8)


def test_set_measures_over_several_documents() -> None:
    # Retrieved 20 + 10 + 5, relevant 15 + 10, both 5 + 4; in w nothing is relevant.
    qrels = [*SPANS, ('u', 6, 16, 1), ('x', 0, 5, 0)]
    run = [('v', 0, 20), ('u', 0, 10), ('w', 15, 20)]
    assert reference.SegP(qrels, run) == Fraction(9, 35)
    assert reference.SegR(qrels, run) == Fraction(9, 25)
    assert reference.SegIoU(qrels, run) == Fraction(9, 51)
    assert reference.SegFallout(qrels, run, D=285) == Fraction(26, 260)
    # Only the first two items: 9 of 30.
    assert reference.SegP(qrels, run, cutoff=2) == Fraction(9, 30)


def test_budget_cuts_the_item_in_which_it_ends() -> None:
    run = [('v', 10, 20), ('v', 10, 20), ('v', 20, 40)]
    # 10–20, again 10–20, then 8 more: 20–28. Retrieved 18, both 15–25.
    assert reference.SegP(SPANS, run, budget=28) == Fraction(10, 18)
    assert reference.SegR(SPANS, run, budget=28) == Fraction(10, 15)
    # 5.5 units: 10–15.5, of which 0.5 is relevant.
    assert reference.SegP(SPANS, run, budget=5.5) == Fraction(1, 11)
    # All spent on reading 10–20 twice: the third item adds nothing.
    assert reference.SegP(SPANS, run, budget=20) == Fraction(5, 10)
    assert reference.SegMiss(SPANS, run, budget=20) == Fraction(10, 15)
    # More than there is: everything, 15 of 30.
    assert reference.SegP(SPANS, run, budget=1000) == Fraction(1, 2)
    # First the items, then the budget: of the first item and a half of the second, 10–20 is retrieved.
    assert reference.SegP(SPANS, run, cutoff=2, budget=28) == Fraction(5, 10)
    assert reference.SegFallout(SPANS, run, D=115, budget=28) == Fraction(8, 100)
    assert reference.SegNoise(SPANS, run, budget=28) == Fraction(8, 18)
    assert reference.SegIoU(SPANS, run, budget=28) == Fraction(10, 23)  # 18 + 15 - 10
    assert reference.SegF(SPANS, run, budget=28) == Fraction(20, 33)  # 2·10 / (18 + 15)


def test_nothing_retrieved() -> None:
    for run in ([], entries(16, 31)):
        assert all(value(name, SPANS, run, {}) == 0 for name in ('SegP', 'SegR', 'SegF', 'SegIoU', 'SegNoise'))
        assert reference.SegMiss(SPANS, run) == 1
        assert reference.SegFallout(SPANS, run, D=100) == 0
        assert reference.SegGenerality(SPANS, run, D=100) == Fraction(15, 100)


def test_coverage() -> None:
    qrels = [('v', 0, 30, 1), ('v', 20, 50, 1), ('u', 0, 10, 1)]
    # 0–15 has 15 of the first reference's 30 and of its own 15; 15–35 has 15 of the 30 of each and of its own 20.
    run = [('v', 0, 15), ('v', 15, 35), ('v', 15, 35), ('w', 0, 10)]
    assert reference.P_cov(qrels, run) == Fraction(3, 4)
    assert reference.R_cov(qrels, run) == Fraction(2, 3)
    assert reference.P_cov(qrels, run, cutoff=10) == Fraction(3, 10)
    assert reference.R_cov(qrels, run, cutoff=1) == Fraction(1, 3)
    # 15–35 has 3/4 of its own; neither has more than a half of a reference.
    assert reference.P_cov(qrels, run, ri=0.76) == Fraction(1, 4)
    assert reference.P_cov(qrels, run, ki=0.51) == 0


def test_coverage_thresholds_are_reached_exactly() -> None:
    # 10 of the reference's 30, 10 of the item's 15: just a third and two thirds.
    assert reference.P_cov([('v', 0, 30, 1)], [('v', 20, 35)]) == 1
    assert reference.R_cov([('v', 0, 30, 1)], [('v', 20, 35)]) == 1
    assert reference.P_cov([('v', 0, 30, 1)], [('v', 20, 35.01)]) == 0  # 10 of 15.01
    assert reference.P_cov([('v', 0, 30.01, 1)], [('v', 0, 10)]) == 0  # 10 of 30.01
    assert reference.fraction_near(1 / 3) == Fraction(1, 3)
    assert reference.fraction_near(0.05) == Fraction(1, 20)


def test_one_reference_must_meet_both_conditions() -> None:
    # The item covers all of the short reference, which is 1/10 of it, and 8/10 of it are 8/80 of the long one.
    assert reference.P_cov([('v', 0, 1, 1), ('v', 2, 82, 1)], [('v', 0, 10)]) == 0


def test_char_ap() -> None:
    # 2–4 is relevant, and 6–7. 0–5: characters 0, 1 no; 2 is 1 of 3, 3 is 2 of 4; 4 no: n = 2, d = 5.
    qrels = [('v', 2, 4, 1), ('v', 6, 7, 1)]
    assert reference.CharAP(qrels, [('v', 0, 5)]) == (Fraction(1, 3) + Fraction(2, 4)) / 3
    # 3–7: 3 is skipped, 4 and 5 are not relevant (4 for the second time), d = 7; 6 is 3 of 8.
    assert reference.CharAP(qrels, [('v', 0, 5), ('v', 3, 7)]) == (Fraction(1, 3) + Fraction(2, 4) + Fraction(3, 8)) / 3
    assert reference.CharAP(qrels, [('v', 0, 5), ('v', 3, 7)], cutoff=1) == Fraction(5, 18)
    # Another document and an entry point: 2 of nothing relevant, then 6 is 1 of 3.
    assert reference.CharAP(qrels, [('w', 2, 4), ('v', 3, 3), ('v', 6, 7)]) == Fraction(1, 9)
    with pytest.raises(ValueError, match='whole'):
        reference.CharAP(qrels, [('v', 0.5, 5)])


def test_passage_ap() -> None:
    # 0–10 shares 5 with 5–15: n = 5, d = 10. 20–30 shares nothing: d = 20. 12–18 shares 3 with the first of the two
    # passages it meets: n = 8, d = 26. The passages 12–20 and that of u are never matched.
    qrels = [('v', 5, 15, 1), ('v', 12, 20, 1), ('u', 0, 10, 1)]
    run = [('v', 0, 10), ('v', 20, 30), ('v', 12, 18)]
    assert reference.PassageAP(qrels, run) == (Fraction(5, 10) + Fraction(8, 26)) / (2 + 2)
    assert reference.PassageAP(qrels, run, cutoff=1) == Fraction(5, 10) / (1 + 2)
    # In the other order 12–18 is all in 12–20: n = 11, d = 26, and only the passage of u is left out.
    others = [qrels[1], qrels[0], qrels[2]]
    assert reference.PassageAP(others, run) == (Fraction(5, 10) + Fraction(11, 26)) / (2 + 1)
    # What is read twice is relevant twice.
    assert reference.PassageAP(qrels[:1], [('v', 0, 10)] * 2) == (Fraction(5, 10) + Fraction(10, 20)) / 2


def test_iou_ap() -> None:
    # IoU of 0–10 with 0–8 is 0.8; of 20–30 with 22–32 it is 8/12; of 40–50 with 0–8 nothing.
    qrels = [('v', 0, 8, 1), ('v', 22, 32, 1)]
    run = [('v', 40, 50), ('v', 0, 10), ('v', 0, 10), ('v', 20, 30)]
    # Hits at 2 and 4 (0–8 is matched only once): precisions 1/2 and 2/4, interpolated 1/2 and 1/2.
    assert reference.IoU_AP(qrels, run, iou=0.5) == Fraction(1, 2)
    # Without the repetition 2/3 at the second hit lifts the first: (2/3 + 2/3) / 2.
    assert reference.IoU_AP(qrels, [*run[:2], run[3]], iou=0.5) == Fraction(2, 3)
    assert reference.IoU_AP(qrels, run, iou=0.7) == Fraction(1, 4)
    assert reference.IoU_AP(qrels, run, iou=0.8) == Fraction(1, 4)
    assert reference.IoU_AP(qrels, run, iou=0.81) == 0
    # Up to 0.65 both are found (4 thresholds), up to 0.80 one (3 thresholds): (4/2 + 3/4) / 10.
    assert reference.mIoU_AP(qrels, run) == Fraction(11, 40)
    assert reference.mIoU_AP(qrels, run, cutoff=2) == Fraction(7, 40)  # 7 · 1/4 / 10


def test_an_item_takes_the_free_window_it_fits_best() -> None:
    # 0–10 has 10/12 with 0–12 and 10/20 with 0–20: it takes the former, again the latter, then none is left.
    qrels = [('v', 0, 20, 1), ('v', 0, 12, 1)]
    assert reference.IoU_AP(qrels, [('v', 0, 10)] * 3, iou=0.5) == 1
    assert reference.IoU_AP(qrels, [('v', 0, 10), ('v', 0, 20)], iou=0.9) == Fraction(1, 2) / 2
    # 5–15 has 5/15 with 0–10 and with 10–20 and takes the one judged first; 0–10 fits only the other.
    qrels = [('v', 0, 10, 1), ('v', 10, 20, 1)]
    assert reference.IoU_AP(qrels, [('v', 5, 15), ('v', 0, 10)], iou=0.3) == Fraction(1, 2)
    assert reference.IoU_AP(qrels[::-1], [('v', 5, 15), ('v', 0, 10)], iou=0.3) == 1


def test_windows_are_those_of_the_items_document() -> None:
    qrels = [('v', 0, 10, 1), ('u', 0, 10, 1)]
    assert reference.IoU_AP(qrels, [('w', 0, 10), ('u', 0, 10)], iou=1) == Fraction(1, 2) / 2
    assert reference.IoU_R(qrels, [('w', 0, 10), ('u', 0, 10)], iou=1, cutoff=1) == 0
    assert reference.IoU_R(qrels, [('w', 0, 10), ('u', 0, 10)], iou=1, cutoff=2) == 1


def test_iou_r() -> None:
    # 0–10 has 5/15 with 5–15, 0–12 has 7/15.
    run = [('v', 0, 10), ('v', 0, 12)]
    assert reference.IoU_R([('v', 5, 15, 1)], run, iou=0.4, cutoff=1) == 0
    assert reference.IoU_R([('v', 5, 15, 1)], run, iou=0.4, cutoff=2) == 1
    assert reference.IoU_R([('v', 5, 15, 1)], run, iou=0.47, cutoff=9) == 0
    # Windows that overlap are not merged: merged it would be 10/15.
    assert reference.IoU_R([('v', 0, 10, 1), ('v', 5, 15, 1)], [('v', 0, 10)], iou=1, cutoff=1) == 1


# Properties


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


@settings(deadline=None)
@given(case=strategies.whole_cases, params=strategies.parameters('CharAP'))
def test_char_ap_character_by_character(case: Case, params: dict[str, Any]) -> None:
    # As the official scorer walks: every position is a place of its own.
    qrels, run = case
    relevant = {(document, place) for document, start, end, relevance in qrels if relevance >= params.get('rel', 1)
                for place in range(start, end)}
    unseen = set(relevant)
    credit, n, d = Fraction(0), 0, 0
    for document, start, end in run[:params.get('cutoff')]:
        for place in range(start, end):
            if (document, place) in unseen:
                unseen.remove((document, place))
                n, d = n + 1, d + 1
                credit += Fraction(n, d)
            elif (document, place) not in relevant:
                d += 1
    assert reference.CharAP(qrels, run, **params) == (credit / len(relevant) if relevant else 0)


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
