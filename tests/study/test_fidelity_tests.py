"""Simulated runs and the orderings that measures keep: by hand, against the definitions, and on real judgements."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest
from hypothesis import given, strategies as st
from ir_measures import AP

from ir_segmeasures import ESL, AgP, segmeasures, with_ids
from ir_segmeasures.formats.files.row_types import SegmentQrel
from ir_segmeasures.formats.inex import passages as inex
from ir_segmeasures.formats.inex.passages import InexQrel
from ir_segmeasures.segments.tables.table import RowError
from ir_segmeasures.study import RANKINGS, Comparison, expected_orderings, fidelity, fidelity_run

AgP_L = AgP(recall='length')


class Judged(NamedTuple):
    """A passage, or a document without one, as an INEX file has it."""
    query_id: str
    doc_id: str
    start: Any
    end: Any
    relevance: Any
    doc_size: Any


# Relevant content: 20 + 10 of 100 in a, 10 of 20 in b, 4 of 50 in c; none in d. They do not come in the order of R.
QRELS = [Judged('q', 'b', 0, 10, 1, 20), Judged('q', 'd', 0, 0, 0, 40), Judged('q', 'a', 40, 50, 1, 100),
         Judged('q', 'a', 10, 20, 1, 100), Judged('q', 'a', 20, 30, 2, 100), Judged('q', 'c', 5, 9, 1, 50)]
ELEMENTS = {
    # The passage 10–30 has the leaf 12–15 below 12–20, 22–28 and 28–30; 40–50 is an element whose only child is 41–45.
    'a': [(22, 28), (28, 30), (0, 100), (5, 55), (8, 32), (12, 15), (12, 20), (12, 20), (13, 13), (41, 45),
          (40, 50), (60, 70)],
    'b': [(0, 10), (10, 20)],
    'c': [(4, 30), (8, 12)],
}


def listed(*args: Any, **kwargs: Any) -> list[tuple[str, Any, Any]]:
    """The items of a simulated run of one query: document, start, end, by rank."""
    rows = list(fidelity_run(*args, **kwargs))
    assert [row.score for row in rows] == [-rank for rank in range(1, len(rows) + 1)]
    return [(row.doc_id, row.start, row.end) for row in rows]


class TestRuns:
    def test_the_passages_by_the_amount_of_relevant_content(self) -> None:
        # 10–20 and 20–30 touch, so they are one passage.
        assert listed(QRELS) == [('a', 10, 30), ('a', 40, 50), ('b', 0, 10), ('c', 5, 9)]
        assert listed(QRELS, rel=2) == [('a', 20, 30)]

    def test_elements(self) -> None:
        # The smallest around 10–30 is 8–32, around 40–50 itself, around 5–9 of c 4–30.
        assert listed(QRELS, 'S_L', elements=ELEMENTS) == [('a', 8, 32), ('a', 40, 50), ('b', 0, 10), ('c', 4, 30)]
        # No element lies within 5–9 of c: an entry point keeps its rank.
        assert listed(QRELS, 'S_S', 'R_S', elements=ELEMENTS) == [
            ('b', 0, 10), ('a', 12, 20), ('a', 22, 28), ('a', 28, 30), ('a', 40, 50), ('c', 5, 5)]
        assert listed(QRELS, 'S_ST', elements=ELEMENTS) == [
            ('a', 12, 15), ('a', 22, 28), ('a', 28, 30), ('a', 41, 45), ('b', 0, 10), ('c', 5, 5)]
        # The document itself is the element where no other contains a passage, also around other parts.
        assert listed(QRELS, 'S_L', elements={**ELEMENTS, 'a': [(8, 32)], 'c': []}) == [
            ('a', 0, 100), ('b', 0, 10), ('c', 0, 50)]

    def test_every_shape_and_unit_of_judgements(self) -> None:
        frame = pd.DataFrame([row._replace(query_id=query) for query in ('2', '1', '0') for row in QRELS
                              if query != '0' or not row.relevance])
        run = fidelity_run(frame, 'S_LD', 'R_SI')
        assert [(row.query_id, row.doc_id) for row in run] == [(query, id) for query in '21' for id in 'dbac']
        bare = [SegmentQrel(*row[:5]) for row in QRELS]
        ids = with_ids(bare, 'char')
        sizes = {'a': 100, 'b': 20, 'c': 50, 'd': 40}
        for qrels in (bare, ids, iter(ids)):
            assert listed(qrels, 'S_LD', 'R_SI', sizes=sizes) == [
                ('d', 0, 40), ('b', 0, 20), ('a', 0, 100), ('c', 0, 50)]
        written = with_ids(fidelity_run(ids, 'S', 'R_I', sizes=sizes), 'char')
        assert [row.doc_id for row in written[:2]] == ['d#char=0,40', 'a#char=10,30']
        assert segmeasures.calc_aggregate([AgP], ids, written) == segmeasures.calc_aggregate(
            [AgP], bare, fidelity_run(bare, 'S', 'R_I', sizes=sizes))


@st.composite
def laminar(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Intervals within [0, 30) of which two are nested or disjoint."""
    elements: list[tuple[int, int]] = []
    bounds = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted)
    for a, b in draw(st.lists(bounds, max_size=14)):
        if all(b <= c or d <= a or (c <= a and b <= d) or (a <= c and d <= b) for c, d in elements):
            elements.append((a, b))
    return elements


class TestAgainstTheDefinitions:
    @given(st.lists(st.tuples(st.integers(0, 29), st.integers(1, 8)), min_size=1, max_size=5), laminar())
    def test_the_parts_of_a_document(self, judged: list[tuple[int, int]], elements: list[tuple[int, int]]) -> None:
        judged = [(start, min(30, start + length)) for start, length in judged]
        qrels = [Judged('q', 'v', start, end, 1, 30) for start, end in judged]
        highlighted = ''.join('#' if any(a <= at < b for a, b in judged) else ' ' for at in range(30))
        passages = [match.span() for match in re.finditer('#+', highlighted)]
        some = {element for element in elements if element[0] < element[1]}

        def inside(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
            return outer[0] <= inner[0] and inner[1] <= outer[1]

        def outermost(parts: set[tuple[int, int]]) -> set[tuple[int, int]]:
            return {part for part in parts if not any(inside(part, other) and other != part for other in parts)}

        fully = {element for element in some if any(inside(element, passage) for passage in passages)}
        leaves = {element for element in fully if not any(inside(e, element) and e != element for e in some)}
        around = {min((element for element in some | {(0, 30)} if inside(passage, element)),
                      key=lambda element: element[1] - element[0]) for passage in passages}
        nothing = {(passages[0][0], passages[0][0])}
        expected = {'S': set(passages), 'S_LD': {(0, 30)}, 'S_L': outermost(around),
                    'S_S': outermost(fully) or nothing, 'S_ST': leaves or nothing}
        for segments, parts in expected.items():
            assert [row[1:] for row in listed(qrels, segments, elements={'v': elements})] == sorted(parts)


class TestErrors:
    @pytest.mark.parametrize('qrels, arguments, message', [
        (QRELS, {'segments': 'S_X'}, r"segments='S_X' is none of those that there are: take 'S' or 'S_L'"),
        (QRELS, {'ranking': 'S'}, r"ranking='S' is none of those that there are: take 'R' or 'R_S'"),
        (QRELS, {'segments': 'S_L'}, r"segments='S_L' returns elements, and judgements have none: give elements="),
        (QRELS, {'segments': 'S_S', 'elements': {'a': []}}, r"query 'q', document 'b': elements has None for it"),
        (QRELS, {'segments': 'S_ST', 'elements': {**ELEMENTS, 'a': [(3, 6), (5, 9)]}},
         r"document 'a': the elements \(3, 6\) and \(5, 9\) overlap in part, but of two elements one contains the"),
        *((QRELS, {'segments': 'S_L', 'elements': {**ELEMENTS, 'a': given}}, "document 'a': elements has .*: give a")
          for given in ('text', [(9, 3)], *([(0, 9), each] for each in ((0, '5'), (None, 5), 7, None, slice(0, 5))))),
        (QRELS, {'rel': 3}, r'no query of the qrels has a judgement of relevance 3 or more, so there is nothing'),
        ([SegmentQrel(*row[:5]) for row in QRELS], {'segments': 'S_LD'},
         r"query 'q', document 'a': its size is not known, and it is returned whole: give the qrels a column doc_size"),
        ([SegmentQrel(*row[:5]) for row in QRELS], {'segments': 'S_LD', 'sizes': {'a': 49}},
         r"document 'a': its size is 49, but it has content up to 50: correct one of them"),
        (QRELS[:1], {'ranking': 'R_I'}, r"the qrels have no document without relevant content for query 'q', which"),
        ([*QRELS, QRELS[2]._replace(doc_size=99)], {},
         r"row 6 of the qrels: query 'q', document 'a': its doc_size is 99, but 100 in an earlier row: give a"),
        ([*QRELS, QRELS[2]._replace(end=40)], {}, r'row 6 of the qrels: .*judged relevant and has no content: give'),
    ])
    def test_a_sentence(self, qrels: list[Any], arguments: dict[str, Any], message: str) -> None:
        with pytest.raises((ValueError, RowError), match=message):
            fidelity_run(qrels, **arguments)


TABLE_2 = """S R > S_L R, S R > S_S R, S R > S R_S, S R > S R_I, S_L R > S_LD R, S_L R > S_L R_S, S_L R > S_L R_I,
S_S R > S_ST R, S_S R > S_S R_S, S_S R > S_S R_I, S R_S > S_L R_S, S R_S > S_S R_S, S R_S > S R_SI, S R_I > S_L R_I,
S R_I > S_S R_I, S R_I > S R_SI, S_LD R > S_LD R_S, S_LD R > S_LD R_I, S_L R_S > S_LD R_S, S_L R_S > S_L R_SI,
S_L R_I > S_LD R_I, S_L R_I > S_L R_SI, S_ST R > S_ST R_S, S_ST R > S_ST R_I, S_S R_S > S_ST R_S, S_S R_S > S_S R_SI,
S_S R_I > S_ST R_I, S_S R_I > S_S R_SI, S R_SI > S_L R_SI, S R_SI > S_S R_SI, S_LD R_S > S_LD R_SI,
S_LD R_I > S_LD R_SI, S_L R_SI > S_LD R_SI, S_ST R_S > S_ST R_SI, S_ST R_I > S_ST R_SI, S_S R_SI > S_ST R_SI"""


class TestOrderings:
    def test_the_rows_of_table_2(self) -> None:
        rows = {tuple(tuple(run.split()) for run in row.split('>')) for row in TABLE_2.replace('\n', ' ').split(',')}
        found = expected_orderings()
        assert len(rows) == len(found) == 36
        assert set(found) == rows


def row_of(rows: list[Comparison], first: str, second: str) -> Comparison:
    """The comparison of two runs, such as ``'S_LD R_I'``."""
    return next(row for row in rows if (row.first, row.second) == (tuple(first.split()), tuple(second.split())))


class TestFidelity:
    def test_by_hand(self) -> None:
        qrels = [row for row in QRELS if row.doc_id != 'c'] + [Judged('q', 'b', 12, 14, 0, 20)]
        report = fidelity([AgP, 'AP', ESL(D=1000), AgP_L], qrels)
        a, b = 6 / 13, 2 / 3  # F of the whole documents, P 3/10 and 1/2
        both = (a + b) / 2
        means = {name: values[AgP] for name, values in report.means.items()}
        assert means[('S', 'R')] == means[('S', 'R_S')] == pytest.approx(1)
        assert means[('S', 'R_I')] == pytest.approx((1 / 2 + 2 / 3) / 2)
        assert means[('S_LD', 'R')] == pytest.approx((a + both) / 2)
        assert means[('S_LD', 'R_S')] == pytest.approx((b + both) / 2)
        assert means[('S_LD', 'R_SI')] == pytest.approx((b / 2 + (a + b) / 3) / 2)
        swap = row_of(report.by_measure(AgP), 'S_LD R', 'S_LD R_S')
        assert tuple(swap) == (AgP, ('S_LD', 'R'), ('S_LD', 'R_S'), 0, 0, 1, pytest.approx((a - b) / 2), None)
        assert swap.verdict == 'broken'
        assert row_of(report.by_measure(AgP), 'S R', 'S R_S').verdict == 'level'
        # As the paper says of it: the larger document first is worse after an irrelevant one, 1/2 and 2/3 of 30 and 10.
        row = row_of(report.by_measure(AgP_L, 'broken'), 'S R_I', 'S R_SI')
        assert row.difference == pytest.approx((30 / 2 + 10 * 2 / 3 - 10 / 2 - 30 * 2 / 3) / 40)
        # AP sees documents: no parts, no swap.
        kept = report.by_measure(AP, 'kept')
        assert {(row.first[0], row.second[0]) for row in kept} == {('S', 'S'), ('S_LD', 'S_LD')}
        assert [row.difference for row in kept] == [pytest.approx(5 / 12)] * 4
        assert report.by_measure(AP, 'broken') == []


@pytest.fixture(scope='module')
def inex_2010(shared_data: Path) -> Sequence[InexQrel]:
    """The judgements of the ad hoc track of INEX 2010, 52 topics."""
    return inex.read_qrels(shared_data / 'inex-2010' / 'inex2010.qrels.gz')


class TestRealJudgements:
    """The counts and means of the specification for INEX 2010, found with other code."""
    # pair → better/equal/worse and mean by AgP, by AgP(recall='length'); None where no mean is given
    EXPECTED = {
        **{(f'S {ranking}', f'S_LD {ranking}'): ((52, 0, 0, None), (52, 0, 0, None)) for ranking in RANKINGS},
        **{(f'{parts} {a}', f'{parts} {b}'): ((52, 0, 0, None), (52, 0, 0, None))
           for parts in ('S', 'S_LD') for a, b in (('R', 'R_I'), ('R_S', 'R_SI'))},
        ('S R', 'S R_S'): ((0, 52, 0, '+0.0000'), (0, 52, 0, '+0.0000')),
        ('S R_I', 'S R_SI'): ((0, 52, 0, '+0.0000'), (0, 0, 52, '-0.0104')),
        ('S_LD R', 'S_LD R_S'): ((34, 0, 18, '+0.0021'), (34, 0, 18, '+0.0107')),
        ('S_LD R_I', 'S_LD R_SI'): ((34, 0, 18, '+0.0011'), (20, 0, 32, '-0.0019')),
    }

    def test_the_table(self, inex_2010: Sequence[InexQrel]) -> None:
        report = fidelity([AgP, AgP_L, AgP(recall='length', scaled=True)], inex_2010)
        assert len(self.EXPECTED) == 12 and len(report.comparisons) == 36
        for (first, second), both in self.EXPECTED.items():
            for measure, (better, equal, worse, mean) in zip((AgP, AgP_L), both):
                row = row_of(report.by_measure(measure), first, second)
                assert row[3:6] == (better, equal, worse)
                assert mean is None or f'{row.difference:+.4f}' == mean
                assert (row.p is None) == (equal == 52)
        assert report.by_measure(AgP, 'broken') == []
        assert [(row.first, row.second) for row in report.by_measure(AgP_L, 'broken')] == [
            (('S', 'R_I'), ('S', 'R_SI')), (('S_LD', 'R_I'), ('S_LD', 'R_SI'))]
        # Eq. 11 is AgP on complete runs.
        assert [row[3:6] for row in report.by_measure(AgP(recall='length', scaled=True))] == [
            row[3:6] for row in report.by_measure(AgP)]
