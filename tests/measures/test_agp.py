"""The worked examples of retrieval in context, by hand."""

import pytest
from query_values import as_qrels, as_run, value

from ir_segmeasures import AgP, AiSP, segmeasures
from ir_segmeasures.segments.tables.table import RowError

SPANS = [('v', 15, 25, 1), ('v', 30, 35, 1)]


class TestExamples:
    def test_the_page(self) -> None:
        run = [('v', 0, 20)]
        assert value("AgP(score='P')", SPANS, run) == pytest.approx(5 / 20)
        assert value("AgP(score='R')", SPANS, run) == pytest.approx(5 / 15)
        assert value('AgP', SPANS, run) == pytest.approx(2 / 7)
        assert value('AgP(beta=0)', SPANS, run) == pytest.approx(5 / 20)
        assert value('AgP(beta=0.25)', SPANS, run) == pytest.approx((1 + 1 / 16) / 12 / (1 / 64 + 1 / 3))

    def test_documents_in_the_order_of_their_first_items(self) -> None:
        # u: F = 2/3 of its 10 relevant; w: nothing relevant; v: F = 2/7, its second item within the first
        qrels = [*SPANS, ('u', 0, 10, 1)]
        run = [('u', 0, 5), ('w', 0, 5), ('v', 0, 20), ('v', 5, 15), ('u', 2, 4)]
        third = (2 / 3 + 2 / 7) / 3
        assert value('gP@2', qrels, run) == pytest.approx(1 / 3)
        assert value('gP@3', qrels, run) == pytest.approx(third)
        assert value('gP@6', qrels, run) == pytest.approx(third / 2)
        assert value('gR@1', qrels, run) == pytest.approx(1 / 2)
        assert value('gR@3', qrels, run) == pytest.approx(1)
        assert value("gR(recall='length')@2", qrels, run) == pytest.approx(10 / 25)
        assert value('AgP', qrels, run) == pytest.approx((2 / 3 + third) / 2)
        assert value('AgP@2', qrels, run) == pytest.approx(2 / 3 / 2)
        assert value("AgP(recall='length')", qrels, run) == pytest.approx(10 / 25 * 2 / 3 + 15 / 25 * third)
        assert value("AgP(recall='length',scaled=True)", qrels, run) == pytest.approx((2 / 3 + third) / 2)
        assert value("AgP(recall='length',scaled=True)@2", qrels, run) == pytest.approx(10 / 25 * 2 / 3)
        assert value('igP@0.5', qrels, run) == pytest.approx(2 / 3)
        assert value('igP@0.51', qrels, run) == pytest.approx(third)

    def test_an_entry_point_takes_a_rank_and_has_no_content(self) -> None:
        assert value('AgP', [('v', 0, 10, 1)], [('u', 5, 5), ('v', 0, 10)]) == pytest.approx(1 / 2)
        assert value('AgP', [('v', 0, 10, 1)], [('v', 5, 5)]) == 0
        assert value('AgP', [('v', 0, 10, 1)], [('v', 5, 5), ('v', 0, 10)]) == pytest.approx(1)


class TestEnds:
    def test_the_end_of_a_judgement_must_be_known(self) -> None:
        qrels = [*as_qrels([]), as_qrels(SPANS)[0]._replace(doc_id='v#t=15')]
        with pytest.raises(RowError, match=r"row 1 of the qrels: query 'q', document 'v': it is judged relevant up to"):
            segmeasures.calc_aggregate([AgP], qrels, as_run([('v', 0, 1)]))

    def test_a_relevant_judgement_needs_content(self) -> None:
        qrels = as_qrels([('v', 15, 15, 1)])
        with pytest.raises(RowError, match=r'row 0 of the qrels: .*no content: give the judgement an end after'):
            segmeasures.calc_aggregate([AgP], qrels, as_run([('v', 0, 1)]))
        # Below rel it is only a judgement.
        assert segmeasures.calc_aggregate([AgP(rel=2)], qrels, as_run([('v', 0, 1)])) == {AgP(rel=2): 0}

    def test_runs_of_queries_that_are_not_judged_are_ignored(self) -> None:
        run = [*as_run([('v', 15, 35)]), as_run([('v', 0, 1)], 'other')[0]._replace(doc_id='v#t=5')]
        assert segmeasures.calc_aggregate([AiSP], as_qrels(SPANS), run)[AiSP] > 0
