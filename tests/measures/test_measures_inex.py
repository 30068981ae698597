"""INEX' passage measures by their definitions: worked examples, a plain reference, and the real judgements."""

import re
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import ir_measures
import pytest
import reference
import strategies
from hypothesis import given, settings, strategies as st
from ir_measures import Measure, ScoredDoc
from query_values import as_qrels, as_run, value, values

from ir_segmeasures import (
    BEPD,
    AgP_bep,
    AgP_reading,
    AiP,
    MAiP,
    SegmentTable,
    formats,
    gP_bep,
    gP_reading,
    inex_eval,
    iP,
    segmeasures,
)
from ir_segmeasures.formats import InexQrel, InexScoredDoc
from ir_segmeasures.segments.tables.columns import RowError

# Two documents with 100 and 50 relevant characters, 1,000 and 500 long, best entered at 200 and 0.
A = [InexQrel('q', 'A', start, end, 1, 'Q0', 1000, 200) for start, end in ((200, 260), (400, 440))]
QRELS = [*A, InexQrel('q', 'B', 0, 50, 1, 'Q0', 500, 0), InexQrel('q', 'N', 0, 300, 0, 'Q0', 300)]
SPANS = [('A', 200, 260, 1), ('A', 400, 440, 1), ('B', 0, 50, 1)]
X = None  # in place of a segment: a document without a passage


def items(*rows: tuple[str, int, int] | tuple[str, None], query_id: str = 'q') -> list[InexScoredDoc]:
    """A ranking: (document, start, end), or (document, X)."""
    return [InexScoredDoc(query_id, document, *(bounds if bounds != [X] else (0, 0)), -place, place, 0., 'run',
                          bounds == [X]) for place, (document, *bounds) in enumerate(rows)]


def inex(measure: Measure | str, *rows: Any, qrels: list[InexQrel] = QRELS) -> float:
    """The value of a measure for one ranking."""
    return ir_measures.parse_measure(measure).calc_aggregate(qrels, items(*rows))


class TestInterpolatedPrecision:
    def test_what_is_retrieved_again_counts_no_more(self) -> None:
        # 10 of 10; then 90 more with 50 relevant: 60 of 100, recall 60/150
        run = [('A', 220, 230), ('A', 200, 300)]
        assert [value(f'iP@{x}', SPANS, run) for x in (0, 0.06, 0.07, 0.4)] == pytest.approx([1, 1, 0.6, 0.6])
        assert value('iP@0.41', SPANS, run) == 0
        assert value('AiP', SPANS, run) == pytest.approx((7 * 1 + 34 * 0.6) / 101)
        assert value('MAiP', SPANS, run[::-1]) == pytest.approx(41 * 0.6 / 101)

    def test_recall_is_exact(self) -> None:
        # 29 of 100, which doubles take for 28.999…; and off the grid
        spans, run = [('E', 0, 100, 1)], [('E', 0, 29)]
        assert value('AiP', spans, run) == pytest.approx(30 / 101)
        assert values([iP@0.29, iP@0.285, iP@0.2901], spans, run) == [1, 1, 0]
        assert value(iP(recall=2 / 3), [('E', 0, 0.3, 1)], [('E', 0, 0.1), ('E', 0.2, 0.3)]) == pytest.approx(1)

    def test_overlap_can_be_an_error(self) -> None:
        run = [('A', 200, 260), ('A', 400, 440), ('B', 0, 20), ('w', 0, 9), ('A', 260, 300), ('A', 410, 410),
               ('C', 200, 260)]
        assert value("AiP(overlap='error')", SPANS, run) == value('AiP', SPANS, run) > 0
        rows = [*as_run([*run, ('B', 50, 60), ('w', 8, 12), ('A', 250, 270)]), *as_run(run, 'other')]
        error = r"row 1 of the run: query 'q', document 'w': it repeats content of an earlier item of its document"
        for measure in (AiP(overlap='error'), (iP@0.5)(overlap='error')):
            with pytest.raises(RowError, match=f'{error}, which {measure.NAME}.*: cut it out, or leave overlap'):
                segmeasures.calc_aggregate([measure], as_qrels(SPANS), sorted(rows, key=lambda row: row.score))
            assert segmeasures.calc_aggregate([measure(cutoff=8)], as_qrels(SPANS), rows)[measure(cutoff=8)] >= 0

    def test_a_document_without_a_passage_has_no_content(self) -> None:
        assert inex('AiP', ('A', X), ('B', 0, 50)) == pytest.approx(34 / 101)
        assert inex("AiP(overlap='error')", ('B', X), ('B', 0, 50), ('B', X)) == pytest.approx(34 / 101)

    @given(case=strategies.cases)
    def test_overlap_is_refused_where_the_reference_finds_it(self, case: Any) -> None:
        if not reference.relevant_spans(case[0]):
            return
        try:
            expected = reference.AiP(*case, overlap='error')
        except ValueError:
            with pytest.raises(RowError, match='repeats content'):
                value("AiP(overlap='error')", *case)
        else:
            assert value("AiP(overlap='error')", *case) == pytest.approx(float(expected))


class TestEntryPoints:
    def test_the_first_item_is_the_entry(self) -> None:
        assert inex('gP_bep@1', ('A', 300, 400), ('A', 200, 260)) == pytest.approx(0.8)
        assert inex('gP_bep@1', ('A', X), ('A', 300, 400), ('A', 200, 260)) == pytest.approx(0.8)
        assert inex('gP_bep@1', ('B', X)) == 0  # at its best entry point, 0, only by accident
        assert inex('gP_bep@2', ('B', X), ('A', 200, 200)) == pytest.approx(1 / 2)

    def test_ends_do_not_matter(self) -> None:
        run = [ScoredDoc('q', 'A#char=200,', 1.)]
        assert segmeasures.calc_aggregate([AgP_bep], QRELS, run) == {AgP_bep: 0.5}
        with pytest.raises(RowError, match="it runs to the document's end, which is not known"):
            segmeasures.calc_aggregate([AgP_reading], QRELS, run)

    @given(case=strategies.whole_cases, n=st.one_of(st.sampled_from((1, 50, 500)), strategies.decimals(0.5, 200)),
           beps=st.tuples(*[strategies.times] * 3), cutoff=strategies.cutoffs)
    def test_agrees_with_the_plain_reference(self, case: Any, n: float, beps: Any, cutoff: int) -> None:
        best = dict(zip(strategies.DOCUMENTS, beps))

        def score(document: str, parts: list[tuple[Any, Any]]) -> Fraction:
            distance = abs(reference.exact(parts[0][0]) - reference.exact(best[document]))
            return max(Fraction(0), (reference.exact(n) - distance) / reference.exact(n))

        qrels, run = judged(case[0], beps=best), items(*case[1])
        self.check([AgP_bep(n=n), (gP_bep@cutoff)(n=n)], qrels, run, by_document(case, score, cutoff))
        if n == 50:  # the origin and the unit do not matter
            moved = judged([(d, 7 * s + 9, 7 * e + 9, r) for d, s, e, r in case[0]],
                           beps={d: float(reference.exact(bep) * 7 + 9) for d, bep in best.items()})
            self.check([AgP_bep(n=350), (gP_bep@cutoff)(n=350)], moved,
                       items(*[(d, 7 * s + 9, 7 * e + 9) for d, s, e in case[1]]), by_document(case, score, cutoff))

    @given(case=strategies.whole_cases, A=st.sampled_from((.01, .1, 1, 10)), beps=st.tuples(*[strategies.times] * 3),
           cutoff=strategies.cutoffs)
    def test_distances_agree_with_the_plain_reference(self, case: Any, A: float, beps: Any, cutoff: int) -> None:
        best = dict(zip(strategies.DOCUMENTS, beps))
        scores, half = dict[str, Fraction](), reference.exact(A) * 30
        relevant = {document for document, _, _, relevance in case[0] if relevance >= 1}
        for rank, (document, start, _) in enumerate(case[1]):
            if document not in {earlier for earlier, *_ in case[1][:rank]} and document in relevant:
                scores[document] = half / (half + abs(reference.exact(start) - reference.exact(best[document])))
        top = list(dict.fromkeys(document for document, *_ in case[1]))[:cutoff]
        expected = [sum((scores.get(document, Fraction(0)) for document in some), Fraction(0)) / max(1, len(relevant))
                    for some in (scores, top)]
        measures = [BEPD(A=A, L=30), BEPD(A=A, L=30)@cutoff]
        self.check(measures, judged(case[0], beps=best), items(*case[1]), (expected[0], expected[1]))

    @staticmethod
    def check(measures: list[Measure], qrels: Any, run: Any, expected: tuple[Fraction, Fraction]) -> None:
        got = segmeasures.calc_aggregate(measures, qrels, run)
        assert [got[measure] for measure in measures] == pytest.approx([float(x) for x in expected])


class TestReading:
    def test_it_stops_right_before_relevant_content(self) -> None:
        assert inex('gP_reading(irr=200)@1', ('A', 0, 260)) == 0
        assert inex('gP_reading(irr=201)@1', ('A', 0, 260)) == pytest.approx(60 / 261)
        # 0.1 and 0.1 irrelevant, but 0.1 + (0.3 - 0.2) is less than 0.2 in doubles
        qrels = [InexQrel('q', 'D', start, end, 1, 'Q0', 9, 0) for start, end in ((0.1, 0.2), (0.3, 0.5))]
        assert inex('gP_reading(irr=0.2)@1', ('D', 0, 9), qrels=qrels) == pytest.approx(0.1 / 0.3)

    def test_a_document_without_a_passage_is_read_from_its_start(self) -> None:
        assert inex('gP_reading@1', ('A', X)) == pytest.approx(60 / 360)
        assert inex('gP_reading@1', ('A', X), ('A', 400, 440)) == pytest.approx(100 / 400)

    @settings(deadline=None)
    @given(case=strategies.whole_cases, irr=st.integers(1, 150), cutoff=strategies.cutoffs,
           sizes=st.tuples(*[st.integers(strategies.LAST_TIME + 1, 140)] * 3))
    def test_agrees_with_reading_character_by_character(self, case: Any, irr: int, cutoff: int, sizes: Any) -> None:
        size = dict(zip(strategies.DOCUMENTS, sizes))
        spans = reference.relevant_spans(case[0])

        def score(document: str, parts: list[tuple[int, int]]) -> Fraction:
            first = sorted({place for start, end in parts for place in range(start, end)})
            read = [any(start <= place < end for start, end in spans[document])
                    for place in first + sorted(set(range(size[document])) - set(first))]
            stop = next((k for k in range(len(read) + 1) if k - sum(read[:k]) == irr), len(read))
            return Fraction(sum(read[:stop]), stop)

        expected = by_document(case, score, cutoff)
        TestEntryPoints.check([AgP_reading(irr=irr), (gP_reading@cutoff)(irr=irr)], judged(case[0], sizes=size),
                              items(*case[1]), expected)
        scaled = judged([(d, s / 10, e / 10, r) for d, s, e, r in case[0]],
                        sizes={document: length / 10 for document, length in size.items()})
        TestEntryPoints.check([AgP_reading(irr=irr / 10), (gP_reading@cutoff)(irr=irr / 10)], scaled,
                              items(*[(d, s / 10, e / 10) for d, s, e in case[1]]), expected)

    @pytest.mark.parametrize(('order', 'expected'), [('density', '0.80008'), ('score', '0.8369')])
    def test_the_perfect_run_of_2010(self, order: str, expected: str, shared_data: Path) -> None:
        qrels = formats.read_qrels(shared_data / 'inex-2010' / 'inex2010.qrels.gz', 'inex-fol')
        rows: dict[tuple[str, str], list[InexQrel]] = {}
        for row in qrels:
            if row.relevance:
                rows.setdefault((row.query_id, row.doc_id), []).append(row)
        ranked = []
        for (query_id, document), passages in rows.items():
            relevant, size = sum(row.end - row.start for row in passages), passages[0].doc_size
            score = relevant / size if order == 'density' else relevant / (relevant + min(300, size - relevant))
            ranked += [InexScoredDoc(query_id, document, row.start, row.end, score, 0, 0., None) for row in passages]
        assert len(rows) == 5471
        got = segmeasures.calc_aggregate([AgP_reading, AgP_bep, MAiP], qrels, ranked)
        assert str(got[AgP_reading]).startswith(expected)
        assert got[MAiP] == pytest.approx(1)


def judged(qrels: strategies.Qrels, beps: Any = None, sizes: Any = None) -> list[InexQrel]:
    """Judgements with what stands beside them."""
    return [*[InexQrel('q', document, start, end, relevance, 'Q0', sizes and sizes[document], beps and beps[document])
              for document, start, end, relevance in qrels], InexQrel('q', 'elsewhere', 0, 1, 0)]


def by_document(case: Any, score: Any, cutoff: int) -> tuple[Fraction, Fraction]:
    """AgP and gP at a rank, of documents that are scored by their parts in the order of the list."""
    spans, parts = reference.relevant_spans(case[0]), dict[str, list[tuple[Any, Any]]]()
    for document, start, end in case[1]:
        parts.setdefault(document, []).append((start, end))
    scores = [score(document, of_document) if document in spans else Fraction(0)
              for document, of_document in parts.items()]
    gP = [sum(scores[:rank]) / Fraction(rank) for rank in range(1, len(scores) + 1)]
    relevant = [gP[rank] for rank, document in enumerate(parts) if document in spans]
    return sum(relevant, Fraction(0)) / max(1, len(spans)), sum(scores[:cutoff]) / Fraction(cutoff)


class TestErrors:
    @pytest.mark.parametrize(('measure', 'column'), [(AgP_bep, 'bep'), (BEPD(A=1, L=9), 'bep'),
                                                     (gP_reading@1, 'doc_size')])
    def test_what_the_judgements_lack(self, measure: Measure, column: str) -> None:
        run = items(('N', 0, 9))
        with pytest.raises(ValueError, match=f"the qrels lack the column '{column}' .*: read the file"):
            segmeasures.calc_aggregate([measure], as_qrels(SPANS), run)
        gap = [*A, QRELS[2]._replace(bep=None, doc_size=None), QRELS[3]]
        with pytest.raises(RowError, match=f"row 2 of the qrels: query 'q', document 'B': there is no '{column}'"):
            segmeasures.calc_aggregate([measure], gap, run)
        # A judgement that is not relevant needs none, and neither do the other measures.
        assert segmeasures.calc_aggregate([measure], [*QRELS[:3], QRELS[3]._replace(doc_size=None)], run)
        assert segmeasures.calc_aggregate([MAiP], gap, run) == {MAiP: 0}

    @pytest.mark.parametrize('measure, qrels, sentence', [
        (AgP_reading, [row._replace(doc_size=430) if row.doc_id == 'A' else row for row in QRELS], 'row 1 of the qrels'
         ": query 'q', document 'A': it is relevant up to 440, but the 'doc_size' of its document is 430: correct one"),
        # The size stands in another row of the document.
        (AgP_bep, [A[0]._replace(bep=1e14, doc_size=None), A[1]._replace(bep=1e14), *QRELS[2:]], 'row 0 of the qrels: '
         "query 'q', document 'A': the 'bep' is 1e+14, but the 'doc_size' of its document is 1000: correct one"),
        *((measure, [*A, QRELS[2]._replace(**{column: number}), QRELS[3]], "row 2 of the qrels: query 'q', document "
           f"'B': the '{column}' is {number:.12g}, but it is a place or")
          for measure, column in ((AgP_bep, 'bep'), (gP_reading@1, 'doc_size')) for number in (-1, inf, -inf))])
    def test_places_and_lengths(self, measure: Measure, qrels: Any, sentence: str) -> None:
        for provider in (segmeasures, inex_eval):
            with pytest.raises(RowError, match=re.escape(sentence)):
                provider.calc_aggregate([measure], qrels, items(('B', 0, 9)))

    def test_a_best_entry_point_at_the_end(self) -> None:
        at_the_end = [*A, QRELS[2]._replace(bep=500), QRELS[3]]
        assert inex('gP_bep@1', ('B', 499, 500), qrels=at_the_end) == pytest.approx(499 / 500)

    @pytest.mark.parametrize('measure', [AgP_bep, gP_bep@1, AgP_reading, gP_reading@1, AiP, iP@0])
    def test_no_passage_beside_a_passage(self, measure: Measure) -> None:
        run = [*items(('A', X)), items(('N', 0, 9), ('B', 5, 50))[1]._replace(no_passage=True)]
        for provider in (segmeasures, inex_eval):
            with pytest.raises(RowError, match=r"row 1 of the run: query 'q', document 'B': it is a document without a "
                                               r"passage \('no_passage'\), but has one from 5 to 50: make both 0, or "):
                provider.calc_aggregate([measure], QRELS, run)

    def test_no_results_and_nothing_relevant(self) -> None:
        measures = [AgP_bep, gP_bep@1, AgP_reading, gP_reading@1, AiP(overlap='error'), iP@0]
        qrels = [*QRELS, InexQrel('none', 'N', 0, 300, 0, 'Q0', 300)]
        for run in ([], items(('N', 0, 10), ('N', 5, 9), query_id='none')):
            metrics = list(segmeasures.iter_calc(measures, SegmentTable.from_qrels(qrels), run))
            assert [metric.value for metric in metrics] == [0] * 12
