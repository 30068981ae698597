"""The reference itself: the definitions' worked examples, exact values of generated cases, and bounds."""

from fractions import Fraction

import pytest
import reference
from reference_cases import SPANS, entries


def test_decimals_are_as_written() -> None:
    assert reference.exact(0.1) == Fraction(1, 10)
    assert reference.exact('12.5') == Fraction(25, 2)
    assert reference.exact(1e-7) == Fraction(1, 10**7)


def test_spans_that_overlap_or_touch_are_one() -> None:
    qrels = [('v', 10, 20, 1), ('v', 20, 25, 2), ('v', 22, 23, 1), ('v', 25.5, 30, 1), ('v', 25, 25.5, 0),
             ('u', 20, 25, 1), ('u', 20, 25, 0)]
    assert reference.relevant_spans(qrels) == {'v': [(10, 25), (Fraction('25.5'), 30)], 'u': [(20, 25)]}
    assert reference.relevant_spans(qrels, rel=2) == {'v': [(20, 25)]}


def test_t2i_ap_example() -> None:
    run = entries(0, 5, 10, 23, 27)
    assert reference.T2I_AP(SPANS, run, tau=10) == Fraction(5, 12)
    assert reference.T2I_AP(SPANS, run, tau=10, cutoff=3) == Fraction(1, 6)
    assert reference.P_tol(SPANS, run, tau=10, cutoff=4) == Fraction(1, 2)
    assert reference.P_tol(SPANS, run, tau=10, cutoff=10) == Fraction(1, 5)


def test_repeated_item_finds_the_next_span_without_keepviewing() -> None:
    assert reference.T2I_AP(SPANS, entries(12), tau=20) == Fraction(1, 2)
    assert reference.T2I_AP(SPANS, entries(12, 12), tau=20) == 1


def test_keepviewing_finds_both_spans_at_once() -> None:
    assert reference.T2I_AP(SPANS, entries(12), tau=20, keepviewing=True) == 1
    assert reference.T2I_AP(SPANS, entries(12, 12), tau=20, keepviewing=True) == 1


def test_tolerance_is_open_and_0_needs_an_entry_inside() -> None:
    assert reference.T2I_AP(SPANS, entries(5), tau=10) == 0
    assert reference.T2I_AP(SPANS, entries(5), tau=10.01) == Fraction(1, 2)
    assert reference.T2I_AP(SPANS, entries(15), tau=0) == Fraction(1, 2)
    assert reference.T2I_AP(SPANS, entries(14.99, 35), tau=0) == 0


def test_t2i_p_by_hand() -> None:
    # Two timeouts (0 and 5), a hit (10), a hit (23), a timeout (27).
    run = entries(0, 5, 10, 23, 27)
    assert reference.T2I_P(SPANS, run, tau=10, T=40) == (Fraction(2, 5) + Fraction(2, 6)) / 4
    assert reference.T2I_P(SPANS, run, tau=10, T=40, norm='effort') == (Fraction(2, 3) + Fraction(2, 4)) / 4
    with pytest.raises(ValueError, match='multiple'):
        reference.T2I_P(SPANS, run, tau=10, T=45)


def test_esl_example() -> None:
    run = entries(0)
    assert reference.ESL(SPANS, run, tau=10, D=1000) == Fraction(199, 3)
    assert reference.ESLRF(SPANS, run, tau=10, D=1000) == Fraction(-1, 198)


@pytest.mark.parametrize('S', [None, 1, 2, 0.5, 7])
def test_effort_of_the_empty_ranking(S: float | None) -> None:
    wanted = 2 if S is None else min(2, Fraction(str(S)))
    assert reference.ESL(SPANS, [], tau=10, D=1000, S=S) == wanted * 99 / Fraction(3)
    assert reference.ESLRF(SPANS, [], tau=10, D=1000, S=S) == 0
    assert reference.ESD(SPANS, [], tau=10, D=1000, S=S) == wanted * 985 / Fraction(3)


def test_esd_by_hand() -> None:
    # 3 + 10 for the timeout, 3 + 5 until the first span, 3 until the second, which the entry at 23 reaches after 7.
    run = entries(0, 10, 23)
    assert reference.ESD(SPANS, run, tau=10, D=1000, init=3, S=1) == 21
    assert reference.ESD(SPANS, run, tau=10, D=1000, init=3) == 31
    assert reference.ESD(SPANS, run[:1], tau=10, D=1000) == 10 + Fraction(2 * 975, 3)
    # The second span ends the search inside the first item, before that item's timeout.
    assert reference.ESD(SPANS, entries(12), tau=10, D=1000, keepviewing=True) == 8


def test_effort_is_clamped_at_the_whole_collection() -> None:
    run = entries(*[100] * 5)
    assert reference.ESL(SPANS, run, tau=10, D=45) == 5
    assert reference.ESD(SPANS, run, tau=10, D=45) == 50


def test_precall_by_hand() -> None:
    run = entries(0, 10)
    assert reference.Precall(SPANS, run, tau=10, D=1000, recall=0.5) == Fraction(1, 2)
    assert reference.Precall(SPANS, run, tau=10, D=1000, recall=0.25) == Fraction(1, 3)
    assert reference.Precall(SPANS, run, tau=10, D=1000, recall=1) == Fraction(2, 2 + 1 + 49)


def test_aisp_examples() -> None:
    run = [('v', 0, 20), ('v', 20, 40)]
    assert reference.AiSP(SPANS, run, user='ret') == Fraction(3, 7)
    assert reference.AiSP(SPANS, run) == (67 * Fraction('0.4') + 34 * Fraction('0.375')) / 101
    assert reference.iSP(SPANS, run, recall=0.66) == Fraction('0.4')
    assert reference.iSP(SPANS, run, recall=0.67) == Fraction('0.375')


def test_aisp_goes_on_to_the_end_of_the_unseen_part() -> None:
    assert reference.AiSP([('v', 0, 100, 1)], [('v', 50, 60), ('v', 20, 30), ('v', 0, 10)]) == 1


def test_an_entry_point_is_not_watched() -> None:
    run = [('v', 0, 20), ('v', 20, 40)]
    points = entries(16, 31)
    assert reference.AiSP(SPANS, points) == 0
    assert reference.AiSP(SPANS, points + run) == reference.AiSP(SPANS, run)


def test_agp_example() -> None:
    run = [('v', 0, 20)]
    assert reference.AgP(SPANS, run, score='P') == Fraction(1, 4)
    assert reference.AgP(SPANS, run, score='R') == Fraction(1, 3)
    assert reference.AgP(SPANS, run) == Fraction(2, 7)
    assert reference.AgP(SPANS, run, beta=0) == Fraction(1, 4)


def test_in_context_by_hand() -> None:
    # u: 10 relevant, half of it retrieved and nothing else, F = 2/3; w: not relevant; v: as in the example above.
    qrels = [*SPANS, ('u', 0, 10, 1)]
    run = [('u', 0, 5), ('w', 0, 5), ('v', 0, 20), ('v', 5, 15), ('u', 2, 4)]
    third = (Fraction(2, 3) + Fraction(2, 7)) / 3
    assert reference.gP(qrels, run, cutoff=2) == Fraction(1, 3)
    assert reference.gP(qrels, run, cutoff=3) == third
    assert reference.gR(qrels, run, cutoff=2) == Fraction(1, 2)
    assert reference.gR(qrels, run, cutoff=2, recall='length') == Fraction(10, 25)
    assert reference.AgP(qrels, run) == (Fraction(2, 3) + third) / 2
    assert reference.AgP(qrels, run, recall='length') == Fraction(10, 25) * Fraction(2, 3) + Fraction(15, 25) * third
    assert reference.AgP(qrels, run, recall='length', scaled=True, cutoff=2) == Fraction(10, 25) * Fraction(2, 3)
    assert reference.igP(qrels, run, level=0.5) == Fraction(2, 3)
    assert reference.igP(qrels, run, level=0.51) == third
    # The parts of a document come from the whole list, also where the cut-off stops before them.
    assert reference.gP(qrels, [*run, ('u', 5, 10)], cutoff=1) == 1
