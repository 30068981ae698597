"""Condensed lists: worked examples, a plain reference, and what they leave as it is."""

from fractions import Fraction
from typing import Any
from unittest.mock import patch

import ir_measures
import pytest
import reference
import strategies
from hypothesis import given, strategies as st
from ir_measures import Qrel
from query_values import MEASURES, as_qrels, as_run, made, value, values

from ir_segmeasures import T2I_AP, AgP, AiSP, explain
from ir_segmeasures.study.view import page

CONDENSED = sorted(name for name, measure in MEASURES.items() if 'condensed' in measure.SUPPORTED_PARAMS)
QRELS = [('v', 15, 25, 1), ('v', 30, 35, 1), ('v', 40, 60, 0), ('u', 0, 10, 0)]


@st.composite
def asked(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A measure that takes ``condensed``, with parameters."""
    name = draw(st.sampled_from(CONDENSED))
    return name, draw(strategies.PARAMETERS[name]())


class Plain:
    """Judged content, one span after the other."""

    def __init__(self, qrels: strategies.Qrels):
        self.judged = reference.relevant_spans(qrels, 0)

    def position(self, document: str, position: Fraction) -> Fraction:
        return sum((max(Fraction(0), min(position, end) - start) for start, end in self.judged.get(document, [])),
                   Fraction(0))

    def spans(self, qrels: strategies.Qrels, rel: int) -> dict[str, list[reference.Span]]:
        return {document: [(self.position(document, start), self.position(document, end)) for start, end in spans]
                for document, spans in reference.relevant_spans(qrels, rel).items()}

    def run(self, run: strategies.Run) -> list[tuple[str, Fraction, Fraction]]:
        kept = []
        for document, first, last in run:
            start, end = reference.exact(first), reference.exact(last)
            if any(low <= start < high if start == end else max(start, low) < min(end, high)
                   for low, high in self.judged.get(document, [])):
                kept.append((document, self.position(document, start), self.position(document, end)))
        return kept


def test_measures_that_take_it() -> None:
    assert CONDENSED == ['ASP', 'AgP', 'AiSP', 'AigP', 'P_tol', 'R_tol', 'T2I_AP', 'T2I_Found', 'T2I_P', 'TBG', 'U',
                         'gP', 'gR', 'iSP', 'igP']


def test_by_hand() -> None:
    run = [('w', 0, 50), ('v', 0, 20), ('v', 60, 90), ('v', 20, 50)]
    assert value(AiSP(user='ret', condensed=True) @ 1, QRELS, run) == pytest.approx(34 / 101)  # 5 of 5 s, of 15
    # 25 s of v are retrieved and judged, 15 of these are relevant: P = 0.6 and R = 1.
    assert value(AgP(condensed=True), QRELS, run) == pytest.approx(.75)
    # Between 25 and 30 nothing is judged: from 24 the next span is 1 s away, from 24.5 half a second.
    assert value(T2I_AP(tau=1, condensed=True), QRELS, [('x', 0, 9), ('v', 20, 30), ('v', 24, 25), ('v', 24.5, 26)]) \
        == pytest.approx((1 + 2 / 3) / 2)


def test_judgements_below_0_judge_nothing() -> None:
    run = as_run([('v', 5, 60)])
    for relevance in (0, -1):  # after 5 s that are relevant come 10 s that are not, or nothing
        pool = [Qrel('q', 'v#t=0,10', 1), Qrel('q', 'v#t=50,60', relevance)]
        assert AiSP(condensed=True, user='ret').calc_aggregate(pool, run) == pytest.approx(51 / 101)
        assert AgP(score='P', condensed=True).calc_aggregate(pool, run) == pytest.approx(5 / 15 if not relevance else 1)


@given(strategies.cases, asked())
def test_reference(case: tuple[strategies.Qrels, strategies.Run], asked: tuple[str, dict[str, Any]]) -> None:
    (qrels, run), (name, params) = case, asked
    params = {name: param for name, param in params.items() if name != 'apart'}  # spans that touch stay apart as it is
    plain = Plain(qrels)
    rel = params.get('rel', 1)
    spans = plain.spans(qrels, rel)
    if not any(spans.values()):
        return
    with patch.object(reference, 'relevant_spans', lambda *_: spans), patch.object(reference, 'exact', as_fraction):
        function = getattr(reference, name)
        expected = float(function(qrels, plain.run(run), **params))
    assert value(made(MEASURES[name], {**params, 'condensed': True}), qrels, run) == pytest.approx(expected, abs=1e-9)


def as_fraction(number: Any) -> Fraction:
    return number if isinstance(number, Fraction) else Fraction(str(number))


@given(strategies.cases, asked())
def test_a_list_whose_documents_are_judged_whole_keeps_its_value(
        case: tuple[strategies.Qrels, strategies.Run], asked: tuple[str, dict[str, Any]]) -> None:
    (qrels, run), (name, params) = case, asked
    # No judgement leaves a hole, and the end of each document is behind all items.
    whole = [*qrels, *((document, 0, 2 * strategies.LAST_TIME, 0)
                       for document in (*strategies.DOCUMENTS, strategies.UNJUDGED))]
    plain, condensed = values([made(MEASURES[name], params), made(MEASURES[name], {**params, 'condensed': True})],
                              whole, run)
    assert condensed == pytest.approx(plain, abs=1e-12)


def test_other_queries_and_runs_that_have_nothing_judged() -> None:
    qrels = [*as_qrels(QRELS), *as_qrels(QRELS, 'p'), *as_qrels([('v', 0, 9, 0)], 'r')]
    run = [*as_run([('v', 0, 20)], 'p'), *as_run([('w', 0, 20), ('v', 90, 99)]), *as_run([('v', 0, 20)], 'unknown')]
    found = {metric.query_id: metric.value for metric in ir_measures.iter_calc([AgP(condensed=True)], qrels, run)}
    assert found == {'q': 0, 'p': pytest.approx(2 * (5 / 15) / (1 + 5 / 15)), 'r': 0}


def test_items_to_the_end_of_their_document_have_all_judged_content_behind_their_start() -> None:
    run = [as_run([('v', 0, 1)])[0]._replace(doc_id='v#t=26')]
    assert T2I_AP(tau=1, condensed=True).calc_aggregate(as_qrels(QRELS), run) == .5


def test_refusals() -> None:
    with pytest.raises(ValueError, match='AiSP has condensed=True, but sh_eval has only False: leave it out, or leave'):
        ir_measures.calc_aggregate([AiSP(tool='sh_eval', condensed=True)], as_qrels(QRELS), as_run([]))
    with pytest.raises(ValueError, match='without a tool, and with lists that are not condensed'):
        explain(AiSP(condensed=True), as_qrels(QRELS), as_run([]))
    assert page(as_qrels(QRELS), {'a': as_run([('v', 0, 9)])}, [AiSP(condensed=True)])
