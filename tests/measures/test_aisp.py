"""The worked examples of segment precision, by hand."""

import pytest
from query_values import as_qrels, as_run, value

from ir_segmeasures import AiSP, segmeasures

SPANS = [('v', 15, 25, 1), ('v', 30, 35, 1)]


class TestExamples:
    def test_the_page(self) -> None:
        run = [('v', 0, 20), ('v', 20, 40)]
        assert value("AiSP(user='ret')", SPANS, run) == pytest.approx(3 / 7)
        assert value('AiSP', SPANS, run) == pytest.approx((67 * 0.4 + 34 * 0.375) / 101)
        assert value('iSP@0', SPANS, run) == pytest.approx(0.4)
        assert value('iSP@0.66', SPANS, run) == pytest.approx(0.4)
        assert value('iSP@0.67', SPANS, run) == pytest.approx(0.375)
        assert value("iSP(user='ret')@1", SPANS, run) == pytest.approx(3 / 7)

    def test_a_recall_level_that_is_reached_exactly(self) -> None:
        # 3 of 10 relevant seconds, in decimals whose float sum is not 0.3
        spans = [('v', 0, 0.1, 1), ('v', 1, 1.2, 1), ('v', 5, 5.7, 1)]
        assert value("iSP(user='ret')@0.3", spans, [('v', 0, 0.1), ('v', 1, 1.2)]) == pytest.approx(1)

    def test_many_pieces_of_one_span(self) -> None:
        run = [('v', start, start + 1) for start in (90, 10, 50, 11, 9, 89.5)]
        assert value("iSP(user='ret')@0.05", [('v', 0, 100, 1)], run) == pytest.approx(1)
        assert value("iSP(user='ret')@0.055", [('v', 0, 100, 1)], run) == pytest.approx(5.5 / 5.5)
        assert value("iSP(user='ret')@0.056", [('v', 0, 100, 1)], run) == 0


class TestEntryPoints:
    def test_an_entry_point_is_not_watched(self) -> None:
        points, run = [('v', 16, 16), ('v', 31, 31)], [('v', 0, 20), ('v', 20, 40)]
        for measure in ('AiSP', "AiSP(user='ret')"):
            assert value(measure, SPANS, points) == 0
            assert value(measure, SPANS, points + run) == value(measure, SPANS, run)

    @pytest.mark.parametrize('doc_id', ['v#t=12', 'v'])
    def test_an_item_without_an_end_cannot_be_watched(self, doc_id: str) -> None:
        run = [as_run([('v', 0, 1)])[0]._replace(doc_id=doc_id)]
        with pytest.raises(ValueError, match=r"row 0 of the run: query 'q', document 'v': it runs to the document's "
                                             r'end.*write the end into the id or resolve\(\)'):
            segmeasures.calc_aggregate([AiSP], as_qrels(SPANS), run)
