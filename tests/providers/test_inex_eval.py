"""The provider inex_eval: the figures and the rejections of INEX' own program, wherever a measure can be asked for."""

from math import floor, isnan
from typing import Any

import ir_measures
import pytest
import reference
import strategies
from hypothesis import given

from ir_segmeasures import (
    AgP,
    AgP_bep,
    AgP_reading,
    AiP,
    AiSP,
    gP,
    gP_bep,
    gP_reading,
    gR,
    iP,
    segmeasures,
)
from ir_segmeasures.formats import InexQrel, InexScoredDoc
from ir_segmeasures.providers import inex_eval
from ir_segmeasures.segments.tables.columns import RowError

QRELS = [InexQrel('T1', 'A', 200, 260, 1, 'Q0', 1000, 200), InexQrel('T1', 'A', 400, 440, 1, 'Q0', 1000, 200),
         InexQrel('T1', 'B', 0, 50, 1, 'Q0', 500, 0), InexQrel('T1', 'N', 0, 300, 0, 'Q0', 300),
         InexQrel('T3', 'Z', 0, 10, 0, 'Q0', 10)]


def row(document: str, start: int, end: int, place: int, query_id: str = 'T1', X: bool = False) -> InexScoredDoc:
    return InexScoredDoc(query_id, document, start, end, -place, place, 0., 'r', X)


def run_of(*rows: Any) -> list[InexScoredDoc]:
    """A ranking of T1: (document, start, end), or a document without a passage."""
    return [row(*(item if isinstance(item, tuple) else (item, 0, 0)), place, X=isinstance(item, str))
            for place, item in enumerate(rows)]


class TestQuirks:

    def test_topics_without_relevant_documents_and_without_results(self) -> None:
        measures = [AgP, AgP_bep, AgP_reading, gP@5, gP_bep@5, gP_reading@5, gR@5, AiP, iP@0]
        for run in ([], [row('Z', 0, 5, 0, 'T3')]):
            metrics = {(m.query_id, m.measure): m.value for m in inex_eval.iter_calc(measures, QRELS, run)}
            assert len(metrics) == 2 * len(measures)
            # The program speaks of no topic without results.
            assert all(isnan(metrics['T3', measure]) is bool(run) for measure in (*measures[:3], gR@5))
            assert all(metrics['T3', measure] == 0 for measure in measures[3:] if measure != gR@5)
            assert all(metrics['T1', measure] == 0 for measure in measures)
        assert isnan(inex_eval.calc_aggregate([AgP], QRELS, run)[AgP])
        assert ir_measures.calc_aggregate([AgP], QRELS, run) == {AgP: 0}

    @given(case=strategies.whole_cases)
    def test_focused_and_thorough_to_the_letter(self, case: tuple[strategies.Qrels, strategies.Run]) -> None:
        judged = [InexQrel('T1', document, start, end, relevance) for document, start, end, relevance in case[0]]
        run = run_of(*case[1])
        relevant = {(document, place) for document, start, end, relevance in case[0] if relevance
                    for place in range(start, end)}
        seen: set[tuple[str, int]] = set()
        size, overlap, points = 0, False, []
        for document, start, end in case[1]:
            new = {(document, place) for place in range(start, end)} - seen
            overlap |= len(new) < end - start or any(  # or one is a place inside the other
                other == document and (first < start == end < last or start < first == last < end)
                for other, first, last in case[1])
            size += len(new) if document in {document for document, _ in relevant} else end - start
            seen |= new
            if size and relevant:
                points.append((floor(100 * (len(seen & relevant) / len(relevant))), len(seen & relevant) / size))
        expected = [max((precision for level, precision in points if level >= i), default=0) for i in range(101)]
        measures = [AiP, *[iP(recall=i / 100) for i in range(0, 101, 7)]]
        got = inex_eval.calc_aggregate(measures, [*judged, InexQrel('T1', 'elsewhere', 0, 1, 0)], run)
        assert got == {AiP: pytest.approx(sum(expected) / 101), **{
            measure: pytest.approx(expected[round(100 * measure['recall'])]) for measure in measures[1:]}}
        focused = [measure(overlap='error') for measure in measures]
        if overlap:
            with pytest.raises(RowError, match='it overlaps an earlier item'):
                inex_eval.calc_aggregate(focused, [*judged, InexQrel('T1', 'elsewhere', 0, 1, 0)], run)
        else:
            same = inex_eval.calc_aggregate(focused, [*judged, InexQrel('T1', 'elsewhere', 0, 1, 0)], run)
            assert list(same.values()) == list(got.values())

    @given(case=strategies.whole_cases, beta=strategies.betas)
    def test_in_context_is_the_definition_where_a_run_is_accepted(self, case: Any, beta: float) -> None:
        qrels = [InexQrel('T1', d, start, end, relevance, 'Q0', 200, 50) for d, start, end, relevance in case[0]]
        together = sorted(case[1], key=lambda item: reference.document_ranking(case[1]).index(item[0]))
        run, measures = run_of(*together), [AgP(beta=beta), gR@2]
        if all(start < end for _, start, end in together):  # behind a place the program reads what it has read
            measures.append(AgP_reading(irr=20))
        try:
            got = inex_eval.calc_aggregate(measures, qrels, run)
        except RowError as error:
            assert 'overlaps an earlier item' in error.sentence
            return
        if reference.relevant_spans(case[0]):
            expected = segmeasures.calc_aggregate(measures, qrels, run)
            assert got == {measure: pytest.approx(expected[measure]) for measure in measures}


class TestRouting:

    def test_the_provider_alone_says_it_too(self) -> None:
        with pytest.raises(ValueError, match="AgP has score='P', but inex_eval has only 'F'"):
            inex_eval.calc_aggregate([AgP(score='P')], QRELS, run_of('A'))
        with pytest.raises(ValueError, match='unsupported measure AiSP'):
            inex_eval.calc_aggregate([AiSP], QRELS, run_of('A'))
        assert inex_eval.supports(iP@0.07)
        assert not any(map(inex_eval.supports, (AiSP, iP@0.071, AgP@5)))


class TestRejections:
    def test_the_row_is_that_of_the_input(self) -> None:
        rows = run_of(('N', 0, 9), ('A', 0, 50), ('A', 49, 60), ('A', 0, 9))
        with pytest.raises(RowError, match=r"row 1 of the run: query 'T1', document 'A': it overlaps .* for AgP: cut "
                                           '.*, or compute the measure by its definition'):
            inex_eval.calc_aggregate([AiP, AgP], QRELS, rows[::-1])
        assert inex_eval.calc_aggregate([AiP], QRELS[:4], rows[::-1])[AiP] == 0

    def test_what_is_no_overlap(self) -> None:
        run = run_of(('A', 0, 50), ('A', 50, 60), ('A', 60, 60), 'A', 'A', ('C', 0, 50), 'B')
        assert inex_eval.calc_aggregate([AgP, AgP_reading, AiP(overlap='error')], QRELS[:4], run)
        other = [*run, row('A', 0, 50, 1, 'T2'), row('A', 0, 50, 2, 'T2'), row('A', 0, 0.5, 3, 'T2')]
        assert inex_eval.calc_aggregate([AgP, AiP(overlap='error')], QRELS[:4], other)

    def test_a_document_comes_back(self) -> None:
        run = run_of(('A', 0, 9), 'B', ('A', 9, 10))
        for measure in (gR@1, AgP_reading, gP_bep@1):
            with pytest.raises(RowError, match=r'row 2 of the run: .*items before, with another document in between'):
                inex_eval.calc_aggregate([measure], QRELS, run)
        assert inex_eval.calc_aggregate([AiP(overlap='error')], QRELS[:4], run)

    def test_whole_numbers(self) -> None:
        run = run_of(('A', 0, 9), ('A', 9, 10.5))
        with pytest.raises(RowError, match=r'row 1 of the run: .*start 9 and end 10\.5 are not whole numbers, and'):
            inex_eval.calc_aggregate([AiP], QRELS, run)
        with pytest.raises(RowError, match=r'row 0 of the qrels: .*start 199\.5 .*whole numbers'):
            inex_eval.calc_aggregate([AgP_bep], [QRELS[0]._replace(start=199.5)], [])

    def test_no_passage_beside_a_passage(self) -> None:
        run = [row('A', 0, 9, 1), row('B', 0, 50, 2, X=True)]
        with pytest.raises(RowError, match=r'row 1 of the run: .*without a passage .*, but has one from 0 to 50: make'):
            inex_eval.calc_aggregate([AiP], QRELS, run)

    def test_what_the_judgements_lack(self) -> None:
        with pytest.raises(RowError, match="document 'B': there is no 'bep'"):
            inex_eval.calc_aggregate([AgP_bep], [QRELS[2]._replace(bep=None)], run_of('A'))
        with pytest.raises(RowError, match="document 'B': there is no 'doc_size'"):
            inex_eval.calc_aggregate([gP_reading@1], [QRELS[2]._replace(doc_size=None)], run_of('A'))
