"""The provider sh_eval: the published numbers, wherever a measure can be asked for."""


import ir_measures
import pytest
from ir_measures import Qrel, ScoredDoc

import ir_segmeasures
from ir_segmeasures import AP_over, Judged_tol, MAiSP, sh_eval
from ir_segmeasures.segments.tables.columns import RowError

QRELS = [Qrel('q', 'v#t=10,40', 1), Qrel('q', 'v#t=300,330', 0), Qrel('r', 'v#t=5,9', 1)]
RUN = [ScoredDoc('q', 'v#t=0,20', 2.0), ScoredDoc('q', 'v#t=35,60', 1.0)]


class TestRouting:
    def test_the_definition_unless_the_tool_is_asked_for(self) -> None:
        values = ir_measures.calc_aggregate([MAiSP, MAiSP(tool='sh_eval')], QRELS, RUN)
        assert values[MAiSP] == ir_segmeasures.segmeasures.calc_aggregate([MAiSP], QRELS, RUN)[MAiSP]
        assert values[MAiSP(tool='sh_eval')] == sh_eval.calc_aggregate([MAiSP], QRELS, RUN)[MAiSP]
        assert values[MAiSP] != values[MAiSP(tool='sh_eval')]

    def test_every_judged_query(self) -> None:
        metrics = list(sh_eval.iter_calc([AP_over, MAiSP, Judged_tol@1], QRELS, RUN))
        assert len(metrics) == 2 * 3
        assert all(metric.value == 0 for metric in metrics if metric.query_id == 'r')


class TestErrors:
    def test_fractions_of_seconds(self) -> None:
        run = [*RUN, ScoredDoc('q', 'v#t=70,80.5', 0.5)]
        with pytest.raises(RowError, match=r'row 2 of the run: .*start 70 and end 80\.5 are not whole numbers, and sh'):
            sh_eval.calc_aggregate([MAiSP], QRELS, run)
        with pytest.raises(RowError, match=r'row 0 of the qrels: .*whole numbers'):
            sh_eval.calc_aggregate([MAiSP], [Qrel('q', 'v#t=0.5,2', 1)], RUN)
        with pytest.raises(RowError, match=r'row 0 of the run: .*whole numbers'):
            sh_eval.calc_aggregate([MAiSP], QRELS, [ScoredDoc('q', 'v#t=70', 1)])
