"""Rank-biased precision of content and its residual: worked examples, and what both say together."""

import pytest
import strategies
from hypothesis import given
from query_values import value

from ir_segmeasures import RBP_residual, RBP_seg

QRELS = [('v', 15, 25, 1), ('v', 25, 30, 0), ('w', 0, 10, 2)]


class TestWorkedExamples:
    @pytest.mark.parametrize(('run', 'precision', 'residual'), [
        ([], 0, 1),
        ([('v', 15, 25)], .5, .5),
        ([('v', 15, 30)], .5 * 10 / 15, .5),
        ([('v', 20, 40), ('v', 10, 30)], .5 * (5 / 20 + .5 * 5 / 20), .5 * (10 / 20 + .5 * 5 / 20) + .25),
        ([('v', 15, 25), ('v', 15, 25)], .5, .25),  # what was seen is neither new nor open
        ([('x', 0, 10), ('x', 5, 15), ('w', 0, 10)], .5 * .25, .5 * (1 + .5 * .5) + .125),
        ([('v', 20, 20), ('w', 0, 10)], .25, .25)])  # an entry point has no content
    def test_values(self, run: strategies.Run, precision: float, residual: float) -> None:
        assert value(RBP_seg(p=.5), QRELS, run) == pytest.approx(precision)
        assert value(RBP_residual(p=.5), QRELS, run) == pytest.approx(residual)

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
