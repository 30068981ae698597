"""The passage measures of TREC Genomics: the official scorer's figures, and what its closed form stands for."""


import pytest
from hypothesis import given, strategies as st
from query_values import value

from ir_segmeasures import PassageAP

SPANS = [('v', 10, 20, 1), ('v', 30, 35, 1)]


class TestCharAP:
    def test_character_by_character(self) -> None:
        # 2 irrelevant, 3 relevant: 1/3, 2/4, 3/5; again: skipped; then 5 irrelevant and 2 relevant: 4/11, 5/12
        run = [('v', 8, 13), ('v', 10, 12), ('w', 0, 5), ('v', 18, 20)]
        assert value('CharAP', SPANS, run) == pytest.approx((1 / 3 + 2 / 4 + 3 / 5 + 4 / 11 + 5 / 12) / 15)
        assert value('CharAP@1', SPANS, run) == pytest.approx((1 / 3 + 2 / 4 + 3 / 5) / 15)

    def test_positions_are_whole(self) -> None:
        with pytest.raises(ValueError, match=r'row 0 of the run: .*fractions, but CharAP counts characters'):
            value('CharAP', SPANS, [('v', 1, 2.5)])
        with pytest.raises(ValueError, match="query 'q' has judgements with fractions"):
            value('CharAP', [('v', 1.5, 3, 1)], [('v', 1, 2)])


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)).map(sorted), max_size=8),
       st.tuples(st.integers(-1, 13), st.integers(-1, 13)).map(sorted))
def test_the_first_passage_that_is_met(segments: list[list[int]], item: list[int]) -> None:
    """Of passages within passages, that is the one judged first; the reference looks at one after the other."""
    judged = [('v', first, last, 1) for first, last in segments if first < last]
    start, end = (max(bound, 0) for bound in item)
    met = [min(end, last) - max(start, first) for _, first, last, _ in judged]
    common = next((length for length in met if length > 0), 0)
    expected = common / (end - start) / len(set(judged)) if common else 0.0
    if judged:
        assert value(PassageAP, judged, [('v', start, end)]) == pytest.approx(expected, abs=1e-12)
