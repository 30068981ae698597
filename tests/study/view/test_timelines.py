"""The model of timelines, and the pictures that are drawn from it: of matplotlib, the notebook and the page."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from ir_measures import Qrel, ScoredDoc
from query_values import as_qrels, as_run
from strategies import Qrels, Run, qrels, runs

from ir_segmeasures import SegmentTable
from ir_segmeasures.study.view.timelines import TimelineItem, Timelines, build_timelines, stack


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
    assert names(9) == (['x', 'y', 'late', 'missed'], 0)  # what is judged not relevant and not retrieved is no lane


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 30)), max_size=30), st.integers(200, 2000))
def test_no_bar_and_no_label_covers_another(bars: list[tuple[float, float]], width: int) -> None:
    items = [TimelineItem(rank, start, start + length, []) for rank, (start, length) in enumerate(bars, 1)]
    extent = max((item.end for item in items), default=1) or 1
    placed = stack(items, extent, width)
    assert sorted(item.rank for item, *_ in placed) == [item.rank for item in items]
    boxes = []
    for item, row, left in placed:
        assert -1e-6 <= item.start / extent * width - left <= 6.5 * len(str(item.rank)) + 3 + 1e-6
        right = max(item.end / extent * width, left + 6.5 * len(str(item.rank)))
        boxes.append((row, left, right))
    for (row, _, right), (below, left, _) in pairwise(sorted(boxes)):
        assert row != below or right <= left + .5 + 1e-6
