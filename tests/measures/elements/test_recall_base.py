"""Ideal recall bases: Kazai's and Piwowarski's, of the focused task, given ones, and the public function."""

import re
from typing import Any, NamedTuple

import element_reference as reference
import pandas as pd
import pytest
from element_cases import (
    ARTICLE,
    FIGURE_1,
    IP4,
    IRB,
    LO,
    P4,
    Q4,
    REVERSED,
    SEC4,
    SEC6,
    TREES,
    A,
    article,
    as_qrels,
    as_run,
    cases,
    figure_2,
    id_of,
    value,
)
from element_reference import Case
from hypothesis import given, strategies as st

from ir_segmeasures import PRUM, XCG, ideal_recall_base, nXCG, with_ids
from ir_segmeasures.segments.segment import parse_segment
from ir_segmeasures.segments.tables.table import RowError


def ideal_paths(case: Case, quant: str = 'sog', method: str = 'kazai', ids: str = 'both', specificity: str = 'grades',
                ) -> set[str | None]:
    """The paths of the ideal recall base."""
    paths = {parse_segment(id_of(case, element, ids), elements=True)[:3]: element[1] for element in case.judged}
    rows = ideal_recall_base(as_qrels(case, ids), quant, method, specificity)
    return {parse_segment(row.doc_id, elements=True).path or paths[parse_segment(row.doc_id)[:3]] for row in rows}


class TestIdealRecallBase:
    def test_figure_1(self) -> None:
        assert ideal_paths(article([])) == {SEC6, SEC4}
        assert ideal_paths(article([]), method='piwowarski') == {SEC6, IP4, P4, Q4}
        # sec[4] is no more specific than p[2], but holds two that are fully specific.
        assert ideal_paths(article([]), method='focused') == {SEC6, IP4, P4, Q4}

    @pytest.mark.parametrize(('name', 'method', 'expected'), [
        ('a', 'kazai', [3]), ('a', 'piwowarski', [3]),
        ('b', 'kazai', [2]), ('b', 'piwowarski', [3, 5]),
        ('c', 'kazai', [3]), ('c', 'piwowarski', [4, 5, 6, 7, 8, 9]),
        # Section 2.3: a section that is relevant as a whole stands for its paragraphs.
        ('a', 'focused', [3]), ('b', 'focused', [3, 5]), ('c', 'focused', [3]),
    ])
    def test_table_1_and_the_focused_task(self, name: str, method: str, expected: list[int]) -> None:
        assert ideal_paths(figure_2(name), method=method) == {TREES[name][0][number] for number in expected}

    @pytest.mark.parametrize('ids', ['both', 'paths'])
    @pytest.mark.parametrize('method', ['kazai', 'piwowarski', 'focused'])
    @pytest.mark.parametrize('quant', ['sog', 'gen', 'strict', 'product', 'binary'])
    @given(case=cases())
    def test_agrees_with_the_reference(self, quant: str, method: str, ids: str, case: Case) -> None:
        case = Case({element: case.extents[element] for element in case.extents if element[0] == 'F'},
                    {element: pair for element, pair in case.judged.items() if element[0] == 'F'}, [])
        expected = reference.ideal_base(case, method, quant=quant)
        assert ideal_paths(case, quant, method, ids) == {path for _, path in expected}

    @given(case=cases(), data=st.data())
    def test_the_order_of_judgements_does_not_matter(self, case: Case, data: st.DataObject) -> None:
        other = case._replace(judged=dict(data.draw(st.permutations(list(case.judged.items())))))
        for method in ('kazai', 'piwowarski', 'focused'):
            one, two = (ideal_recall_base(as_qrels(some), ideal=method) for some in (case, other))
            assert sorted(one) == sorted(two)


class TestThePublicFunction:
    def test_in_any_shape(self) -> None:
        rows = ideal_recall_base(as_qrels(article([])))
        assert ideal_recall_base(iter(as_qrels(article([])))) == rows
        assert ideal_recall_base(pd.DataFrame(as_qrels(article([])))) == rows
        bare = pd.DataFrame([('q', 'd', start, start + size, 0, e, s) for start, size, e, s in FIGURE_1.values()],
                            columns=['query_id', 'doc_id', 'start', 'end', 'relevance', 'exhaustivity', 'specificity'])
        assert list(ideal_recall_base(bare)) == [('q', 'd', 700, 966, .5, 1), ('q', 'd', 1200, 1560, 1, 1)]
        assert [row.doc_id for row in ideal_recall_base(with_ids(bare, 'char'))] == ['d#char=700,966',
                                                                                     'd#char=1200,1560']

    @pytest.mark.parametrize(('params', 'sentence'), [
        ({'quant': 'mine'}, "ideal_recall_base has quant='mine': quant (quantisation: the worth of an element"),
        ({'specificity': 'share'}, "ideal_recall_base has specificity='share' with quant='sog', which is for grades: "
                                   "take quant='product', 'binary' or one of your own"),
        ({'ideal': 'given'}, "the qrels lack the column 'ideal' (whether the element is in the ideal recall base, 1 or "
                             '0): read the file'),
    ])
    def test_wrong_parameters(self, params: dict[str, Any], sentence: str) -> None:
        with pytest.raises(ValueError, match=re.escape(sentence)):
            ideal_recall_base(as_qrels(article([])), **params)


class Row(NamedTuple):
    query_id: str
    doc_id: str
    exhaustivity: int
    specificity: int
    ideal: float
    relevance: int = 0


def given_base(members: set[str], **changed: float) -> list[Row]:
    return [Row('q', id_of(article([]), (ARTICLE, path)), e, s, changed.get(path, path in members))
            for path, (_, _, e, s) in FIGURE_1.items()]


class TestGiven:
    def test_measures_take_it(self) -> None:
        qrels = given_base({SEC6, IP4, P4, Q4})
        for measure in (nXCG(ideal='given')@3, PRUM(ideal='given')@.5):
            expected = value(measure(ideal='piwowarski'), article(LO))
            assert measure.calc_aggregate(qrels, as_run(article(LO))) == pytest.approx(expected)
        assert (PRUM(ideal='given')@1).calc_aggregate(given_base({SEC4}), as_run(article(REVERSED))) == 1
        assert {row.doc_id for row in ideal_recall_base(given_base({SEC4}), ideal='given')} == {
            id_of(article([]), (ARTICLE, SEC4))}

    @pytest.mark.parametrize(('qrels', 'sentence'), [
        (given_base({SEC4, IP4}), 'around it, but elements of an ideal recall base do not overlap'),
        (given_base(set(), **{SEC4: .5}), 'the ideal is 0.5: it is 1 for an element'),
        (given_base(set(), **{SEC4: float('nan')}), "there is no 'ideal'"),
        ([*given_base({SEC4}), given_base({SEC6})[2]], 'the ideal is 0 here and 1 in an earlier row of the element'),
        ([*given_base({SEC6}), Row('q', f'{ARTICLE}#xpath={A}/fm[1]', 2, 0, 1)], 'an ideal element is relevant'),
    ])
    def test_what_cannot_be_given(self, qrels: list[Row], sentence: str) -> None:
        with pytest.raises(RowError, match=re.escape(sentence)):
            XCG(ideal='given').calc_aggregate(qrels, as_run(article(IRB)))
