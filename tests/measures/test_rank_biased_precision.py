"""Rank-biased precision of content and its residual: worked examples, and what both say together."""

import pytest
import strategies
from hypothesis import given
from query_values import value

from ir_segmeasures import RBP_residual, RBP_seg

QRELS = [('v', 15, 25, 1), ('v', 25, 30, 0), ('w', 0, 10, 2)]


class TestWorkedExamples:
    def test_cutoff(self) -> None:
        run = [('v', 15, 25), ('w', 0, 10), ('x', 0, 10)]
        for k in (1, 2, 3, 9):
            assert value(RBP_seg(p=.5) @ k, QRELS, run) == pytest.approx(value(RBP_seg(p=.5), QRELS, run[:k]))
            assert value(RBP_residual(p=.5) @ k, QRELS, run) == pytest.approx(value(RBP_residual(p=.5), QRELS, run[:k]))

    def test_queries_without_relevant_content_have_a_residual(self) -> None:
        assert value(RBP_residual(p=.5), [('v', 0, 10, 0)], [('v', 0, 20)]) == pytest.approx(.5 * .5 + .5)


@given(strategies.cases_of(min_qrels=1), strategies.persistences)
def test_what_is_found_and_what_is_open_are_no_more_than_everything(
        case: tuple[strategies.Qrels, strategies.Run], p: float) -> None:
    assert value(RBP_seg(p=p), *case) + value(RBP_residual(p=p), *case) <= 1 + 1e-9


@pytest.mark.parametrize('measure', [RBP_seg, RBP_residual])
def test_a_user_who_never_stops(measure: type) -> None:
    with pytest.raises(ValueError, match='has p=1, with which the user never stops: give a number below 1'):
        value(measure(p=1), QRELS, [])
