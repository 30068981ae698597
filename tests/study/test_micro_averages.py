"""Micro averages: the lecture's example, and the ratio of sums by a plain reference."""

from fractions import Fraction
from typing import Any, NamedTuple

import ir_measures
import pytest
import reference
import strategies
from hypothesis import given, strategies as st
from ir_measures import Qrel, ScoredDoc
from query_values import as_qrels, as_run

from ir_segmeasures import (
    AgP,
    MAiSP,
    SegCoverage,
    SegF,
    SegFallout,
    SegGenerality,
    SegIoU,
    SegMiss,
    SegNoise,
    SegNovelty,
    SegP,
    SegR,
    SegRejection,
)
from ir_segmeasures.study import micro


class Known(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    known: int


@pytest.mark.parametrize('documents', [False, True])
def test_the_example_of_the_lecture(documents: bool) -> None:
    found, existing = (10, 5, 20, 1, 30), (100, 5, 30, 10, 40)
    ids = {number: [f'd{n}' for n in range(number)] if documents else [f'd#char=0,{number}']
           for number in (*found, *existing)}
    qrels = [Qrel(f'q{i}', id, 1) for i, number in enumerate(existing) for id in ids[number]]
    run = [ScoredDoc(f'q{i}', id, 1.) for i, number in enumerate(found) for id in ids[number]]
    # The slide has 66 / 158 = .418, but its numbers add up to 185: digits that changed places.
    assert sum(found) / 158 == pytest.approx(.418, abs=5e-4)
    assert micro(SegR, qrels, run)[SegR] == pytest.approx(66 / 185)
    assert round(SegR.calc_aggregate(qrels, run), 3) == .523
    first = [[row for row in rows if row.query_id in ('q0', 'q1')] for rows in (qrels, run)]
    assert round(micro('SegR', *first)[SegR], 3) == .143


SETS = st.sets(st.sampled_from('abcdef'), max_size=5)


@given(relevant=SETS, found=SETS, known=SETS)
def test_whole_documents_count_1(relevant: set[str], found: set[str], known: set[str]) -> None:
    qrels = [Known('q', id, int(id in relevant), int(id in known)) for id in 'abcdef']
    run = [ScoredDoc('q', id, 1.) for id in found]
    t, R, S, known = len(relevant & found), len(relevant), len(found), relevant & known
    expected = {SegP: (t, S), SegR: (t, R), SegF: (2 * t, R + S), SegIoU: (t, R + S - t), SegMiss: (R - t, R),
                SegNoise: (S - t, S), SegFallout(D=20): (S - t, 20 - R), SegRejection(D=20): (20 - R - S + t, 20 - R),
                SegGenerality(D=20): (R, 20), SegCoverage: (len(known & found), len(known)),
                SegNovelty: (t - len(known & found), t)}
    assert ir_measures.calc_aggregate(list(expected), qrels, run) == {
        measure: pytest.approx(part / whole if R and whole else 0) for measure, (part, whole) in expected.items()}


def test_whole_documents_are_not_mixed_with_segments() -> None:
    qrels, run = {'q': {'a': 1}}, {'q': {'a#t=0,5': 1}}
    with pytest.raises(ValueError, match=r'row 0 of the run.* it is a segment, but the judgements are whole documents'):
        SegP.calc_aggregate(qrels, run)
    with pytest.raises(ValueError, match=r"row 0 of the qrels.* the document's end, which is not known"):
        ir_measures.calc_aggregate([SegP, MAiSP], qrels, run)


@given(cases=st.lists(strategies.cases, min_size=1, max_size=3))
def test_the_ratio_of_the_sums(cases: list[Any]) -> None:
    contents = [reference.retrieved_contents(qrels, run, 1, None, None) for qrels, run in cases]
    retrieved, relevant, common = map(sum, zip(*contents))
    D, zero = Fraction(10 ** 6), Fraction(0)
    expected = {
        SegP: common / retrieved if retrieved else zero, SegR: common / relevant if relevant else zero,
        SegMiss: (relevant - common) / relevant if relevant else zero,
        SegNoise: (retrieved - common) / retrieved if retrieved else zero,
        SegF: 2 * common / (retrieved + relevant) if retrieved + relevant else zero,
        SegIoU: common / (retrieved + relevant - common) if retrieved + relevant else zero,
        SegFallout(D=10 ** 6): (retrieved - common) / (len(cases) * D - relevant),
        SegRejection(D=10 ** 6): 1 - (retrieved - common) / (len(cases) * D - relevant),
        SegGenerality(D=10 ** 6): relevant / (len(cases) * D),
    }
    qrels = [row for number, (judged, _) in enumerate(cases) for row in as_qrels(judged, f'q{number}')]
    run = [row for number, (_, ranked) in enumerate(cases) for row in as_run(ranked, f'q{number}')]
    found = micro(list(expected), qrels, run)
    assert found == {measure: pytest.approx(float(value), rel=1e-9, abs=1e-12) for measure, value in expected.items()}


def test_other_measures_have_none() -> None:
    with pytest.raises(ValueError, match=r'^AgP is not a ratio of content, so it has no micro average: take SegP, '):
        micro(AgP, [], [])
