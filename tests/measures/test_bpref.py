"""Binary preference of content: judgements of any kind, and trec_eval's own figure where items are documents."""

import ir_measures
import pytest
from query_values import value

from ir_segmeasures import bpref_seg


class TestWorkedExamples:
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
