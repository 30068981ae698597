"""Roundings of quotients and products of decimals."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ir_segmeasures.measures.rounding import round_each_up, round_up

NUMBERS = st.integers(0, 10 ** 6)


@given(st.lists(st.one_of(st.builds(lambda part, whole: part / 100 * whole, NUMBERS, NUMBERS), st.floats(0, 1e6))))
def test_each_value_is_rounded_up_as_one_is(values: list[float]) -> None:
    assert round_each_up(np.array(values, float)).tolist() == [round_up(value) for value in values]
