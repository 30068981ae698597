"""The provider sh_eval: the published numbers, wherever a measure can be asked for."""


import ir_measures
import pytest
from ir_measures import Qrel, ScoredDoc

import ir_segmeasures
from ir_segmeasures import T2I_AP, AP_bin, AP_over, Judged_tol, MAiSP, iSP, sh_eval
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
    @pytest.mark.parametrize(('measure', 'sentence'), [
        (MAiSP(user='ret', tool='sh_eval'), "AiSP has user='ret', but sh_eval has only 'rel': leave it out"),
        (MAiSP(tool='sh_eval')@5, 'AiSP has cutoff=5, but sh_eval has no such parameter'),
        (T2I_AP(keepviewing=True, tool='sh_eval'), 'T2I_AP has keepviewing=True, but sh_eval has only False'),
        (T2I_AP(tau=7.5, tool='sh_eval'), 'T2I_AP has tau=7.5, but sh_eval has only whole numbers'),
        (AP_bin(expand=False, tool='sh_eval'), 'AP_bin has expand=False, but sh_eval has only True'),
        (iSP(tool='sh_eval')@0.3, 'iSP has recall=0.3, but sh_eval has only 0.05 or 0.1 or 0.2'),
        (AP_over(rel=2, tool='sh_eval'), 'AP_over has rel=2, but sh_eval has only 1'),
        (AP_over(tool='trec_eval'), "AP_over has tool='trec_eval': tool .* is 'sh_eval'"),
    ])
    def test_what_the_tool_does_not_have(self, measure: ir_measures.Measure, sentence: str) -> None:
        with pytest.raises(ValueError, match=sentence):
            ir_measures.calc_aggregate([measure], QRELS, RUN)

    def test_fractions_of_seconds(self) -> None:
        run = [*RUN, ScoredDoc('q', 'v#t=70,80.5', 0.5)]
        with pytest.raises(RowError, match=r'row 2 of the run: .*start 70 and end 80\.5 are not whole numbers, and sh'):
            sh_eval.calc_aggregate([MAiSP], QRELS, run)
        with pytest.raises(RowError, match=r'row 0 of the qrels: .*whole numbers'):
            sh_eval.calc_aggregate([MAiSP], [Qrel('q', 'v#t=0.5,2', 1)], RUN)
        with pytest.raises(RowError, match=r'row 0 of the run: .*whole numbers'):
            sh_eval.calc_aggregate([MAiSP], QRELS, [ScoredDoc('q', 'v#t=70', 1)])
