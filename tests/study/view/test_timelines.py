"""The model of timelines, and the pictures that are drawn from it: of matplotlib, the notebook and the page."""

from typing import Any

from hypothesis import given
from ir_measures import Qrel, ScoredDoc
from query_values import as_qrels, as_run
from strategies import Qrels, Run, qrels, runs

from ir_segmeasures import SegmentTable
from ir_segmeasures.study.view.timelines import Timelines, build_timelines


def built(judged: Any, ranking: Any) -> Timelines:
    return build_timelines(SegmentTable.from_qrels(judged), [('a', SegmentTable.from_run(ranking))])


@given(qrels(min_size=1), runs())
def test_documents_come_by_rank_and_reach_as_far_as_is_known(judged: Qrels, ranking: Run) -> None:
    timelines = built(as_qrels(judged), as_run(ranking))
    query = timelines.queries[0]
    documents, left_out = query.documents()
    assert left_out == 0
    names = [timelines.documents[document.document] for document in documents]
    everything = [*judged, ('elsewhere', 0, 1, 0)]  # as_qrels() judges it
    relevant = {document for document, start, end, relevance in everything if start < end and relevance > 0}
    retrieved = list(dict.fromkeys(document for document, *_ in ranking))
    assert names[:len(retrieved)] == retrieved
    assert set(names[len(retrieved):]) == relevant - set(retrieved)
    for name, document in zip(names, documents):
        ends = [end for other, _, end, *_ in [*everything, *ranking] if other == name]
        assert document.extent == max(ends)
        assert [(item.rank, item.start, item.end) for item in document.runs[0]] == [
            (rank, start, end) for rank, (other, start, end) in enumerate(ranking, 1) if other == name]
    assert sum(len(item.parts) for document in documents for item in document.runs[0]) == len(query.ranked[0].parts)


def test_documents_with_relevant_spans_have_room_first() -> None:
    judged = [Qrel('q', 'late#t=0,5', 1), Qrel('q', 'missed#t=0,5', 1), Qrel('q', 'not#t=0,5', 0)]
    timelines = built(judged, [ScoredDoc('q', f'{name}#t=0,9', -i) for i, name in enumerate(('x', 'y', 'late'))])

    def names(number: int) -> tuple[list[str], int]:
        documents, left_out = timelines.queries[0].documents(number)
        return [timelines.documents[document.document] for document in documents], left_out
    assert names(1) == (['late'], 3)
    assert names(2) == (['late', 'missed'], 2)
    assert names(3) == (['x', 'late', 'missed'], 1)
    assert names(9) == (['x', 'y', 'late', 'missed'], 0)  # what is judged not relevant and not retrieved is not a lane
