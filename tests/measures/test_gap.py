"""Generalised average precision: worked examples and properties. Its reference stands beside the others'."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from query_values import value

from ir_segmeasures import GAP, mGAP

SPANS = [('v', 100, 130, 1), ('v', 300, 310, 1)]


def run(*starts: float) -> list[tuple[str, float, float]]:
    return [('v', start, start + 5) for start in starts]


def test_rewards_by_hand() -> None:
    # 10 s from the onset: no whole step of 15 s; 40 s: two of them, so 1 - 30/150; the third finds no onset left.
    assert value(GAP, SPANS, run(110, 340, 100)) == pytest.approx((1 + (1 + .8) / 2) / 2)
    # 160 s are beyond the window, and use up no onset.
    assert value(GAP, SPANS, run(460, 300)) == pytest.approx((1 / 2) / 2)
    assert value(mGAP(grain=10, window=20), SPANS, run(89)) == pytest.approx(.5 / 2)


def test_steps_are_whole() -> None:
    # 0.3 are three steps of 0.1, although 0.3 / 0.1 is less than 3 in floats.
    assert value(GAP(grain=.1, window=1), [('v', .3, .4, 1)], run(0)) == pytest.approx(.7)


def test_of_two_equally_near_the_earlier_one() -> None:
    # 100 s from both: the onset at 100 is used up, the one at 300 is left.
    assert value(GAP, SPANS, run(200, 300)) == pytest.approx((.4 + (.4 + 1) / 2) / 2)
    assert value(GAP, SPANS, run(200, 100)) == pytest.approx(.4 / 2)
    near = [('v', .1, .15, 1), ('v', .3, .4, 1)]
    assert value(GAP(grain=.01, window=1), near, run(.2, .3)) > value(GAP(grain=.01, window=1), near, run(.2, .1))


@given(starts=st.lists(st.integers(0, 500), min_size=1, max_size=6), again=st.data())
def test_one_answer_an_onset(starts: list[int], again: st.DataObject) -> None:
    """A start at an onset that is used up gains nothing where no other is within the window."""
    spans = [('v', start * 1000, start * 1000 + 10, 1) for start in range(len(starts))]
    items = [('v', place * 1000 + start % 100, place * 1000 + 200) for place, start in enumerate(starts)]
    repeated = again.draw(st.sampled_from(items))
    assert value(GAP, spans, [*items, repeated]) == value(GAP, spans, items)
