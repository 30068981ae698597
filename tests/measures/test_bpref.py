"""Binary preference of content: worked examples, and trec_eval's own figure where items are documents."""

import ir_measures
import pytest
import strategies
from query_values import value

from ir_segmeasures import bpref_seg

QRELS = [('v', 15, 25, 1), ('v', 40, 50, 2), ('v', 60, 70, 0), ('v', 80, 90, 0)]


class TestWorkedExamples:
    @pytest.mark.parametrize(('run', 'expected'), [
        ([], 0),
        ([('v', 15, 25), ('v', 40, 50)], 1),
        ([('w', 0, 10), ('v', 15, 25), ('x', 0, 9), ('v', 40, 50)], 1),  # what is not judged is skipped
        ([('v', 60, 70), ('v', 15, 25), ('v', 40, 50)], .5),
        ([('v', 15, 25), ('v', 60, 65), ('v', 65, 70), ('v', 40, 50)], .5),  # n is 2, as m is
        ([('v', 60, 65), ('v', 65, 70), ('v', 80, 90), ('v', 15, 25)], 0),  # no item is worth less than nothing
        ([('v', 15, 20), ('v', 20, 25), ('v', 60, 70), ('v', 40, 50)], .75),  # the second meets nothing new
        ([('v', 20, 65), ('v', 60, 62)], .5),  # two spans at once are one relevant item
        ([('v', 24, 65), ('v', 60, 60)], .5),  # an entry point has no content
        ([('v', 65, 65), ('v', 15, 25), ('v', 40, 50)], 1),  # nor is it judged
        ([('v', 70, 75), ('v', 50, 60), ('v', 15, 25), ('v', 40, 50)], 1)])  # what touches shares no content
    def test_values(self, run: strategies.Run, expected: float) -> None:
        assert value(bpref_seg, QRELS, run) == pytest.approx(expected)

    def test_judgements_below_0_are_none(self) -> None:
        assert value(bpref_seg, [('v', 0, 10, 1), ('v', 20, 30, -1)], [('v', 20, 30), ('v', 0, 10)]) == 1

    def test_a_whole_document_judged_not_relevant(self) -> None:
        qrels = {'q': {'v#t=0,10': 1, 'u': 0}}
        assert bpref_seg.calc_aggregate(qrels, {'q': {'u#t=5,9': 2, 'v#t=0,10': 1}}) == 0


def test_of_documents_the_figure_of_trec_eval() -> None:
    names = [f'd{place}' for place in range(12)]
    qrels = {'q': {f'{name}#t=0,10': int(place % 3 == 1) for place, name in enumerate(names) if place % 4}}
    run = {'q': {f'{name}#t=0,10': -place for place, name in enumerate(names)}}
    expected = ir_measures.Bpref.calc_aggregate(qrels, run)
    assert 0 < expected < 1
    assert bpref_seg.calc_aggregate(qrels, run) == pytest.approx(expected)
