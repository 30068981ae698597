"""Inferred AP over strata: a slow reference, what follows from the definition, the official tool's figures."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import ir_measures
import pytest
from hypothesis import given, strategies as st
from ir_measures import AP, Measure, Qrel, ScoredDoc, infAP

from ir_segmeasures import sample_eval, segmeasures, xinfAP
from ir_segmeasures.segments.tables.columns import RowError

TOOL = xinfAP(tool='sample_eval')
E = Fraction(1, 100_000)


class Judged(NamedTuple):
    query_id: str
    doc_id: str
    relevance: float
    stratum: float | None


Case = tuple[Sequence[Any], Sequence[Any]]
# Stratum 1: 2 pooled, 2 sampled, 1 relevant; stratum 2: 4 pooled, 2 sampled, 1 relevant, so 2 inferred
QRELS = [Judged('q', 'a', 1, 1), Judged('q', 'b', 0, 1), Judged('q', 'c', 1, 2), Judged('q', 'd', 0, 2),
         Judged('q', 'e', -1, 2), Judged('q', 'f', -1, 2)]


def ranked(*ids: str) -> list[ScoredDoc]:
    return [ScoredDoc('q', id, -rank) for rank, id in enumerate(ids)]


def value(qrels: Any, run: Any, measure: Measure = xinfAP) -> float:
    """Of the query q."""
    values = {metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], qrels, run)}
    return values['q']


def relevant_above(judged: dict[str, Judged], above: Sequence[str], rel: float = 1) -> Fraction:
    """How many of the items are relevant, as the judged ones of each stratum let one expect."""
    pooled = [judged[id] for id in dict.fromkeys(above) if id in judged]
    total = Fraction(0)
    for stratum in {row.stratum for row in pooled}:
        grades = [row.relevance for row in pooled if row.stratum == stratum]
        sampled = [grade for grade in grades if grade >= 0]
        total += len(grades) * (sum(grade >= rel for grade in sampled) + E) / (len(sampled) + 3 * E)
    return total


def reference(qrels: list[Judged], ids: Sequence[str], rel: float = 1) -> tuple[Fraction, Fraction]:
    """Inferred AP and R, from nothing but the definition; everything is counted again for each item."""
    judged = {row.doc_id: row for row in qrels}
    R_of, r_of, A_of = {}, {}, {}
    for stratum in {row.stratum for row in qrels}:
        grades = [row.relevance for row in judged.values() if row.stratum == stratum]
        n = sum(grade >= 0 for grade in grades)
        r_of[stratum] = sum(grade >= rel for grade in grades)
        R_of[stratum] = Fraction(r_of[stratum] * len(grades), n) if n else Fraction(0)
        A_of[stratum] = Fraction(0)
    for k, id in enumerate(ids, 1):
        above = ids[:k - 1]
        if id in judged and id not in above and judged[id].relevance >= rel:
            A_of[judged[id].stratum] += (1 + relevant_above(judged, above, rel)) / k
    R = sum(R_of.values(), Fraction(0))
    return sum((R_of[c] / R * A_of[c] / r_of[c] for c in R_of if r_of[c]), Fraction(0)), R


IDS = 'abcdefghijkl'
grades = st.sampled_from((-1, -1, 0, 1, 1, 2))


@st.composite
def samples(draw: st.DrawFn, grades: st.SearchStrategy[float] = grades) -> list[Judged]:
    """Judgements of one query: few strata, one of them often without anything sampled."""
    strata = draw(st.lists(st.sampled_from((1, 2, 3, 0, -1.5, 40)), min_size=1, max_size=3))
    ids = draw(st.permutations(IDS[:10]))[:draw(st.integers(1, 10))]
    return [Judged('q', id, draw(grades), draw(st.sampled_from(strata))) for id in ids]


rankings = st.lists(st.sampled_from(IDS), max_size=14)  # unjudged items and repeats
distinct = st.permutations(IDS).flatmap(lambda ids: st.integers(0, len(ids)).map(lambda n: ids[:n]))


class TestDefinition:
    def test_by_hand(self) -> None:
        # Before c, at rank 4, stand a (of stratum 1: 1 of 1 relevant), e (of stratum 2: none sampled, 1/3) and x.
        p = Fraction(1, 4) * (1 + (1 + E) / (1 + 3 * E) + Fraction(1, 3))
        assert value(QRELS, ranked('a', 'e', 'x', 'c')) == pytest.approx(float(Fraction(1, 3) * 1 + Fraction(2, 3) * p))
        assert value(QRELS, ranked('a', 'e', 'x', 'c'), xinfAP@3) == pytest.approx(1 / 3)

    @given(qrels=samples(), ids=rankings, rel=st.sampled_from((1, 1, 2, 0)), cutoff=st.one_of(
        st.none(), st.integers(1, 14)))
    def test_agrees_with_the_reference(self, qrels: list[Judged], ids: list[str], rel: int, cutoff: int | None) -> None:
        measure = xinfAP(rel=rel) if cutoff is None else xinfAP(rel=rel)@cutoff
        expected, _ = reference(qrels, ids[:cutoff], rel)
        assert value(qrels, ranked(*ids), measure) == pytest.approx(float(expected), rel=1e-9, abs=1e-15)

    @given(qrels=samples(st.sampled_from((0, 0, 1, 2))), ids=distinct)
    def test_it_is_AP_where_all_was_sampled(self, qrels: list[Judged], ids: list[str]) -> None:
        run = ranked(*ids)
        assert value(qrels, run) == pytest.approx(value(qrels, run, AP) if run else 0, abs=2 * float(E))

    def test_every_judged_query(self) -> None:
        qrels = [*QRELS, Judged('nothing relevant', 'a', 0, 1), Judged('nothing sampled', 'a', -1, 1)]
        run = [*ranked('a'), ScoredDoc('nothing relevant', 'a', 1), ScoredDoc('unknown', 'a', 1)]
        for measure in (xinfAP, TOOL):
            values = {metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], qrels, run)}
            assert values == {'q': pytest.approx(1 / 3), 'nothing relevant': 0, 'nothing sampled': 0}
            assert ir_measures.calc_aggregate([measure], qrels, []) == {measure: 0}


@given(samples(), distinct.filter(bool))
def test_segments_as_well_as_shots(judged: list[Judged], ids: list[str]) -> None:
    """Several items of one document, of which some differ in their ends alone."""
    names = {id: f'v{place % 2}#t={place // 4}.5,{place // 4 + 1 + place}' for place, id in enumerate(IDS)}
    for measure in (xinfAP, TOOL):
        assert value([row._replace(doc_id=names[row.doc_id]) for row in judged], ranked(*map(names.__getitem__, ids)),
                     measure) == value(judged, ranked(*ids), measure)


class TestTool:
    @given(qrels=samples(), ids=distinct, data=st.data())
    def test_ties_by_id_from_the_end_of_the_alphabet(self, qrels: list[Judged], ids: list[str],
                                                     data: st.DataObject) -> None:
        scores = [data.draw(st.sampled_from((1, 2, 3.5))) for _ in ids]
        order = [id for _, id in sorted(zip(scores, ids), reverse=True)]
        got = value(qrels, [ScoredDoc('q', id, score) for id, score in zip(ids, scores)], TOOL)
        assert got == pytest.approx(float(reference(qrels, order)[0]), rel=1e-9, abs=1e-15)

    @pytest.mark.parametrize('ids, first', [
        (('v#t=10,20', 'v#t=9,20'), 'v#t=9,20'),  # as text, not as numbers
        (('v#t=1,20', 'v#t=1,3'), 'v#t=1,3'),
        (('v#t=5', 'v'), 'v#t=5'),
        (('a#xpath=/x[1]', 'a#xpath=/x[2]'), 'a#xpath=/x[2]'),
    ])
    def test_ties_of_segments_by_their_ids_as_well(self, ids: tuple[str, str], first: str) -> None:
        run = [ScoredDoc('q', id, 1.0) for id in ids]
        assert value([Judged('q', id, id == first, 1) for id in ids], run, TOOL) == pytest.approx(1)

    def test_it_sees_1000_items(self) -> None:
        noise = [f'x{i}' for i in range(1000)]
        for place, expected in ((999, 1 / 3000), (1000, 0)):
            run = ranked(*noise[:place], 'a')
            assert value(QRELS, run, TOOL) == pytest.approx(expected, rel=1e-9)
            assert value(QRELS, run) == pytest.approx(1 / 3 / (place + 1), rel=1e-9)


class TestRouting:
    def test_the_definition_unless_the_tool_is_asked_for(self) -> None:
        # 1,500 pooled rows, so that the two differ.
        qrels = [Judged('q', f's{i}', 1 if i < 3 else -1, 1) for i in range(1500)]
        run = ranked('s0', 's2', 'x', 's1')
        values = ir_measures.calc_aggregate([xinfAP, TOOL, infAP, xinfAP@1], qrels, run)
        assert values[xinfAP] == segmeasures.calc_aggregate([xinfAP], qrels, run)[xinfAP]
        assert values[TOOL] == sample_eval.calc_aggregate([xinfAP], qrels, run)[xinfAP]
        assert values[TOOL] == sample_eval.calc([TOOL], qrels, run).aggregated[TOOL] > values[xinfAP]
        assert values[infAP] == ir_measures.calc_aggregate([infAP], qrels, run)[infAP]


class TestErrors:
    @pytest.mark.parametrize('measure', [xinfAP, TOOL])
    @pytest.mark.parametrize('more, sentence', [
        (None, "row 6 of the qrels: query 'q', document 'g': there is no 'stratum'"),
        (Judged('q', 'g', -2, 1), 'row 6 of the qrels: .* the relevance -2 says nothing of the sample'),
        (Judged('q', 'c', 0, 2), 'row 6 of the qrels: .* it is judged 0 in stratum 2, and an earlier row has 1'),
        (Judged('q', 'c', 1, 1), 'it is judged 1 in stratum 1, and an earlier row has 1 in stratum 2'),
    ])
    def test_judgements(self, measure: Measure, more: Judged | None, sentence: str) -> None:
        with pytest.raises(ValueError, match=sentence):
            ir_measures.calc_aggregate([measure], [*QRELS, more or Judged('q', 'g', 1, None)], ranked('a'))
        with pytest.raises(ValueError, match="the qrels lack the column 'stratum'"):
            ir_measures.calc_aggregate([measure], [Qrel('q', 'a', 1)], ranked('a'))

    def test_the_tool_takes_an_item_once(self) -> None:
        run = [ScoredDoc('q', 'b', 1), *ranked('a', 'e', 'a')]
        with pytest.raises(RowError, match="row 3 of the run: query 'q', document 'a': it stands in the ranking"):
            value(QRELS, run, TOOL)
