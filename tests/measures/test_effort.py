"""Effort: one walk under three discounts, and what all measures of spans say about silence, effort and their names."""

from itertools import pairwise
from math import log
from typing import Any

import ir_measures
import pytest
import reference
import strategies
from hypothesis import given
from ir_measures import Qrel, ScoredDoc, parse_measure
from query_values import as_qrels, as_run, value

from ir_segmeasures import T2I_AP, TBG, MAiSP, MAP_tol, SegR, U, explain
from ir_segmeasures.measures.base import DECLARED, SpanMeasure

Case = tuple[strategies.Qrels, strategies.Run]


@given(strategies.cases, strategies.budgets)
def test_one_walk_under_three_discounts(case: Case, effort: float) -> None:
    judged, run = as_qrels(case[0]), as_run(case[1])
    explanation, = explain(U(L=effort), judged, run)
    steps, T_rel = explanation.steps, float(reference.total(reference.relevant_spans(case[0])))
    gains = [after - before for before, after in pairwise([0, *(step.V for step in steps)])]
    pieces = [(step.W - gain, step.W) for step, gain in zip(steps, gains)]
    integrals = {
        TBG(halflife=effort): lambda t: -effort / log(2) * 2 ** (-t / effort),
        U(L=effort): lambda t: min(t, effort) - min(t, effort) ** 2 / (2 * effort),
        SegR(budget=effort): lambda t: min(t, effort),
    }
    for measure, integral in integrals.items():
        expected = sum(integral(end) - integral(start) for start, end in pieces) / T_rel if T_rel else 0
        assert measure.calc_aggregate(judged, run) == pytest.approx(expected, abs=1e-9)


@given(strategies.cases)
def test_without_discount_it_is_recall(case: Case) -> None:
    assert value(TBG(halflife=1e14), *case) == pytest.approx(value(SegR, *case), abs=1e-9)


def silent(measure: Any) -> bool:
    return 'silence' in measure.SUPPORTED_PARAMS


def test_which_measures_reward_silence() -> None:
    assert {measure.NAME for measure in DECLARED if isinstance(measure, SpanMeasure) and not silent(measure)} == {
        'ESL', 'ESLRF', 'ESD', 'Precall', 'AP_over', 'Judged_over', 'Judged_bin', 'Judged_tol', 'Judged_content',
        'SegFallout', 'SegMiss', 'SegNoise', 'SegGenerality', 'RBP_residual', 'alpha_nDCG_seg'}
    for text in ('T2I_Found(silence=True)@9', "T2I_P(norm='effort',silence=True)@15", 'U(L=9,norm=False,silence=True)'):
        with pytest.raises(ValueError, match='silence=True and'):
            value(parse_measure(text), [('v', 0, 9, 1)], [])


@pytest.mark.parametrize('name', ['T2I_AP', 'AiSP(condensed=True)', 'AgP', 'SegP', 'P_over@5', 'mIoU@1', 'U(L=9)'])
def test_silence(name: str) -> None:
    measure = parse_measure(name)
    qrels = [Qrel('silent', 'v#t=0,9', 0), Qrel('loud', 'v#t=0,9', 0), Qrel('asked', 'v#t=0,9', 1)]
    run = [ScoredDoc('loud', 'w#t=0,9', 1), ScoredDoc('other', 'v#t=0,9', 1)]
    for silence, expected in ((True, 1), (False, 0)):
        metrics = ir_measures.iter_calc([measure(silence=silence)], qrels, run)
        found = {metric.query_id: metric.value for metric in metrics}
        assert found == {'silent': expected, 'loud': 0, 'asked': 0}
    sentences = [explanation.sentence for explanation in explain(T2I_AP(silence=True), qrels, run)]
    assert sentences[0] == 'The query has no relevant content, so the value is 1.'


@pytest.mark.parametrize('name', ['T2I_AP', 'P_tol@3', 'T2I_P@15', 'ESL(D=900)', 'ESLRF(D=900)', 'Precall(D=900)'])
def test_effort_of_starting_counts_only_where_effort_is_summed(name: str) -> None:
    assert value(parse_measure(name)(init=0), [('v', 0, 9, 1)], []) >= 0
    with pytest.raises(ValueError, match='has init=2, but counts hits and timeouts'):
        value(parse_measure(name)(init=2), [('v', 0, 9, 1)], [])


def test_measures_print_by_the_name_that_was_asked_for() -> None:
    assert (repr(MAP_tol(tau=5)), str(MAiSP)) == ('MAP_tol(tau=5)', 'MAiSP')
    assert MAP_tol(tau=5) == T2I_AP(tau=5) != T2I_AP and hash(MAP_tol) == hash(T2I_AP)
    assert {MAP_tol: 1}[T2I_AP] == 1


@pytest.mark.parametrize(('levels', 'expected'), [('AigP(points=10,zero=False)', (5 + 5 * 2 / 3) / 10),
                                                  ('AigP', (6 + 5 * 2 / 3) / 11)])
def test_the_standard_points(levels: str, expected: float) -> None:
    judged, run = [('v', 0, 10, 1), ('u', 0, 10, 1)], [('v', 0, 10), ('w', 0, 10), ('u', 0, 10)]
    assert value(parse_measure(levels), judged, run) == pytest.approx(expected)
