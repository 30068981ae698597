"""Coverage and novelty: a reference second by second, and what the column may hold."""

from typing import Any

import ir_measures
import pytest
from hypothesis import given, strategies as st
from ir_measures import ScoredDoc

from ir_segmeasures import SegCoverage, SegNovelty

Judged = list[tuple[int, int, int, int]]


def frame(judged: Judged) -> Any:
    pd = pytest.importorskip('pandas')
    return pd.DataFrame([('q', f'v#t={start},{end}', relevance, known) for start, end, relevance, known in judged],
                        columns=['query_id', 'doc_id', 'relevance', 'known'])


def figures(judged: Judged, items: list[tuple[int, int]], **params: Any) -> list[float]:
    run = [ScoredDoc('q', f'v#t={start},{end}', -rank) for rank, (start, end) in enumerate(items)]
    return [measure(**params).calc_aggregate(frame(judged), run) for measure in (SegCoverage, SegNovelty)]


@given(judged=st.lists(st.tuples(st.integers(0, 20), st.integers(1, 10), st.integers(0, 1), st.integers(0, 1)),
                       min_size=1, max_size=6),
       items=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 10)), max_size=5))
def test_second_by_second(judged: Judged, items: list[tuple[int, int]]) -> None:
    judged = [(start, start + length, relevance, known) for start, length, relevance, known in judged]
    items = [(start, start + length) for start, length in items]
    relevant = {s for start, end, relevance, _ in judged if relevance for s in range(start, end)}
    known = {s for start, end, relevance, known in judged if relevance and known for s in range(start, end)}
    retrieved = {s for start, end in items for s in range(start, end)}
    assert figures(judged, items) == pytest.approx([
        len(known & retrieved) / len(known) if known else 0,
        len(retrieved & relevant - known) / len(retrieved & relevant) if retrieved & relevant else 0])


def test_what_the_qrels_need() -> None:
    assert set(ir_measures.qrel_inputs([SegCoverage])) == {'query_id', 'doc_id', 'relevance', 'known'}
    with pytest.raises(ValueError, match=r"^the qrels lack the column 'known' \(1 where the user knew the segment"):
        SegNovelty.calc_aggregate(frame([(0, 10, 1, 1)]).drop(columns='known'), [])
    with pytest.raises(ValueError, match=r"^row 1 of the qrels: .*the 'known' is 2, but it is 1 or 0: give one"):
        SegNovelty.calc_aggregate(frame([(0, 10, 1, 1), (20, 30, 1, 2)]), [])
    with pytest.raises(ValueError, match=r"^row 0 of the qrels: .*there is no 'known'"):
        SegNovelty.calc_aggregate(frame([(0, 10, 1, None)]), [])
