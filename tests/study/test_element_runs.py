"""Kazai's simulated runs: Table 3, ties, every shape of judgements."""

import re
from typing import Any

import element_reference as reference
import pytest
from element_cases import FRB, IRB, LO, REVERSED, article, as_qrels, cases, id_of, value
from element_reference import Case
from hypothesis import given, strategies as st

from ir_segmeasures import PRUM, I2_Precall, nXCG
from ir_segmeasures.study import ELEMENT_RUNS, element_run

# Table 3 prints the five equal leaves of frb in document order, those of sec[4] first, and in lo those of sec[6] first:
# no order of ties gives both, and ours is document order.
TABLE_3 = {'frb': FRB, 'irb': IRB, 'reverse': REVERSED, 'lo': [*LO[3:5], *LO[:3], LO[5]]}


@pytest.mark.parametrize('run', ELEMENT_RUNS)
def test_table_3(run: str) -> None:
    case = article(TABLE_3[run])
    rows = element_run(as_qrels(case), run)
    assert [row.doc_id for row in rows] == [id_of(case, element) for element in case.ranking]
    assert [row.score for row in rows] == [-rank for rank in range(1, len(rows) + 1)]
    for measure in (I2_Precall, nXCG@2, PRUM(collection=1000)):
        assert measure.calc_aggregate(as_qrels(case), rows) == value(measure, case)


@given(case=cases(), quant=st.sampled_from(('sog', 'gen', 'binary')),
       ideal=st.sampled_from(('kazai', 'piwowarski', 'focused')))
def test_what_the_runs_hold(case: Case, quant: str, ideal: str) -> None:
    held = {run: [row.doc_id for row in element_run(as_qrels(case), run, quant, ideal)] for run in ELEMENT_RUNS}
    ids = {id_of(case, element): element for element in case.judged}
    expected = {'frb': reference.relevant(case), 'lo': reference.leaves(case),
                'irb': reference.ideal_base(case, ideal, quant=quant)}
    for run, elements in expected.items():
        assert sorted(held[run]) == sorted(id_of(case, element) for element in elements)
        worths = [reference.q(case, ids[id], quant) for id in held[run]]
        assert worths == sorted(worths, reverse=True)
    assert held['reverse'] == held['irb'][::-1]


@pytest.mark.parametrize(('params', 'sentence'), [
    ({'run': 'best'}, "run='best' is none of those that there are: take 'frb' or 'irb' or 'reverse' or 'lo'"),
    ({'quant': 'best'}, "ideal_recall_base has quant='best': quant"),
])
def test_wrong_parameters(params: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        element_run(as_qrels(article([])), **params)
