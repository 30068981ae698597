"""The worked examples of the tolerance-to-irrelevance user, by hand."""

import pytest
from query_values import as_qrels, as_run, value

from ir_segmeasures import ESL, T2I_AP, segmeasures

SPANS = [('v', 15, 25, 1), ('v', 30, 35, 1)]


def entries(*starts: float) -> list[tuple[str, float, float]]:
    return [('v', start, start) for start in starts]


class TestWalk:
    def test_a_start_exactly_the_tolerance_before_is_too_early(self) -> None:
        assert value('T2I_AP(tau=10)', SPANS, entries(5)) == 0
        assert value('T2I_AP(tau=10)', SPANS, entries(5.01)) == 0.5

    def test_the_tolerance_is_exact_on_decimals(self) -> None:
        # In floats 0.3 - 0.1 is less than 0.2, and 1.2 - 1.1 less than 0.1; as decimals neither is.
        assert value('T2I_AP(tau=0.2)', [('v', 0.3, 1, 1)], entries(0.1)) == 0
        assert value('T2I_AP(tau=0.1)', [('v', 1.2, 2, 1)], entries(1.1)) == 0
        assert value('T2I_AP(tau=0.1)', [('v', 1.2, 2, 1)], entries(1.100001)) == 1

    def test_an_entry_in_the_middle_finds_the_span_and_one_at_its_end_does_not(self) -> None:
        assert value('T2I_AP(tau=1)', SPANS, entries(20)) == 0.5
        assert value('T2I_AP(tau=1)', SPANS, entries(24.9)) == 0.5
        assert value('T2I_AP(tau=1)', SPANS, entries(25)) == 0

    def test_without_tolerance_only_what_is_relevant_already_counts(self) -> None:
        assert value('T2I_AP(tau=0)', SPANS, entries(14.9)) == 0
        assert value('T2I_AP(tau=0)', SPANS, entries(15)) == 0.5

    def test_overlapping_and_touching_judgements_are_one_span(self) -> None:
        judged = [('v', 0, 10, 1), ('v', 5, 15, 2), ('v', 15, 20, 1), ('v', 3, 4, 0)]
        assert value('T2I_AP', judged, entries(0)) == 1
        assert value('T2I_AP(rel=2)', judged, entries(0)) == 1
        assert value('T2I_AP(rel=2,tau=4)', judged, entries(0)) == 0


class TestEffort:
    def test_found_after_so_much_effort(self) -> None:
        # The spans are reached after a timeout and 5 s, and after another timeout and 7 s: at 15 and 32.
        run = entries(0, 10, 0, 23)
        for effort, found in ((0, 0), (14.9, 0), (15, 1), (31.9, 1), (32, 2), (1000, 2)):
            assert value(f'T2I_Found(tau=10)@{effort}', SPANS, run) == found
            assert value(f'T2I_Found(tau=10,share=True)@{effort}', SPANS, run) == found / 2
        assert value('T2I_Found(tau=10,keepviewing=True)@20', SPANS, run) == 2  # 5 s more from the first to the second
        assert value('T2I_Found(tau=10,init=3)@20', SPANS, run) == 0  # 2 starts: 21
        assert value('T2I_Found(tau=10,init=3)@21', SPANS, run) == 1
        assert value('T2I_Found(tau=10,cutoff=3)@32', SPANS, run) == 1
        assert value("T2I_Found(tau='5:15:10')@20", SPANS, entries(0, 10)) == 0.5  # a tolerance of 5 finds neither
        assert value('T2I_Found(tau=10)@60', SPANS, []) == 0

    def test_a_list_can_waste_more_than_the_collection(self) -> None:
        # I = 2 timeouts in the whole collection, three in the list: nothing is left to search.
        assert value('ESL(tau=10,D=35)', SPANS, entries(0, 0, 0)) == 3
        assert value('ESD(tau=10,D=35)', SPANS, entries(0, 0, 0)) == 30

    def test_timeouts_of_the_collection_are_exact_on_decimals(self) -> None:
        # (1.6 - 1) / 0.1 is 6, although floats make it 6.000000000000001.
        assert value('ESL(tau=0.1,D=1.6)', [('v', 0, 1, 1)], []) == 3

    def test_recall_levels_are_the_decimals_that_they_are(self) -> None:
        # 0.68 · 75 is 51, although floats make it 51.00000000000001.
        spans = [('v', 100 * i, 100 * i + 1, 1) for i in range(75)]
        run = entries(*(100 * i for i in range(51)))
        assert value('Precall(tau=1,D=100000)@0.68', spans, run) == pytest.approx(1)
        assert value('Precall(tau=1,D=100000)@0.28', spans[:25], run[:7]) == pytest.approx(1)  # 0.28 · 25 is 7

    def test_a_collection_smaller_than_its_relevant_content_is_an_error(self) -> None:
        with pytest.raises(ValueError, match=r"query 'q' has 15 of relevant content, .*D=15: give the length"):
            value(ESL(D=15), SPANS, [])

    def test_a_query_without_relevant_content_needs_no_collection(self) -> None:
        assert value(ESL(D=1), [('v', 0, 10, 0)], entries(0)) == 0


class TestUnknownEnds:
    def test_only_the_start_of_an_item_matters(self) -> None:
        qrels = as_qrels(SPANS)
        for doc_id in ('v#t=12', 'v#t=12,13', 'v#t=12,', 'v#t=00:12'):
            run = [as_run(entries(0))[0]._replace(doc_id=doc_id)]
            assert segmeasures.calc_aggregate([T2I_AP], qrels, run) == {T2I_AP: 0.5}

    def test_a_whole_document_starts_at_0(self) -> None:
        run = [as_run(entries(0))[0]._replace(doc_id='v')]
        assert segmeasures.calc_aggregate([T2I_AP(tau=20)], as_qrels(SPANS), run) == {T2I_AP(tau=20): 0.5}


class TestLargePositions:
    def test_the_tolerance_far_into_a_document(self) -> None:
        # 10000000.6 - 10000000.3 is less than 0.3 in floats, and not in decimals.
        assert value('T2I_AP(tau=0.3)', [('v', 10000000.6, 10000001, 1)], entries(10000000.3)) == 0
        assert value('T2I_AP(tau=0.31)', [('v', 10000000.6, 10000001, 1)], entries(10000000.3)) == 1

    def test_a_collection_of_exactly_the_relevant_content(self) -> None:
        for D, spans in ((0.8, [('v', 0, 0.1, 1), ('v', 1, 1.7, 1)]), (0.3, [('v', 0, 0.1, 1), ('v', 1, 1.2, 1)])):
            with pytest.raises(ValueError, match='of relevant content'):
                value(ESL(D=D, tau=1), spans, entries(0))
