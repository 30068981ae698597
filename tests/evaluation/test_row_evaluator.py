"""Columns beside the segments, elements without offsets, and what measures of rows are shown."""

import re
from typing import Any, NamedTuple

import pandas as pd
import pytest
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import SegmentTable
from ir_segmeasures.evaluation.row_evaluator import RowEvaluator
from ir_segmeasures.evaluation.row_topic import Row
from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator
from ir_segmeasures.measures import MAgP
from ir_segmeasures.segments.tables.table import RowError


class Judged(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    doc_size: float | None = None
    stratum: int = 1
    note: str = ''


SIZED = [Judged('q', 'a#char=0,5', 1, 20), Judged('q', 'b#char=5,9', 1, 30), Judged('q', 'a#char=7,9', 1, 20),
         Judged('q', 'c#char=0,9', 0)]
SHAPES = {'tuples': SIZED, 'frame': pd.DataFrame(SIZED), 'table': SegmentTable.from_qrels(SIZED)}


@pytest.mark.parametrize('shape', SHAPES)
def test_columns_beside_the_segments_come_along(shape: str) -> None:
    seen = []
    evaluator = SpanEvaluator([MAgP], SHAPES[shape], lambda measure, topic: seen.append(topic) or 0., True)
    assert [metric.value for metric in evaluator.iter_calc([])] == [0]
    assert seen[0].beside('doc_size') == [20, 30]  # of the documents with relevant spans


@pytest.mark.parametrize('qrels, sentence', [
    ([Qrel('q', 'a#char=0,5', 1)], "the qrels lack the column 'doc_size'"),
    ([Judged('q', 'a#char=0,5', 1)], "row 0 of the qrels: query 'q', document 'a': there is no 'doc_size'"),
    ([*SIZED, Judged('q', 'a#char=10,11', 1, 21)], "another row has another 'doc_size' for this document"),
])
def test_columns_with_gaps(qrels: Any, sentence: str) -> None:
    evaluator = SpanEvaluator([MAgP], qrels, lambda measure, topic: topic.beside('doc_size')[0], True)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        list(evaluator.iter_calc([]))


def test_rows_stand_as_they_came_and_items_by_rank() -> None:
    qrels = [Qrel('q', 'a#xpath=/x[1]', 2), Qrel('p', 'a', 0), Qrel('q', 'a#xpath=/x[1]/y[1]&char=2,5', 1)]
    run = [ScoredDoc('q', 'a', 1), ScoredDoc('q', 'a#xpath=/x[1]', 2), ScoredDoc('other', 'a', 1)]
    topics = []
    evaluator = RowEvaluator([MAgP], qrels, lambda measure, topic: topics.append(topic) or topic.judged.values[0])
    assert [(metric.query_id, metric.value) for metric in evaluator.iter_calc(run)] == [('q', 2), ('p', 0)]
    inf = float('inf')
    assert topics[0].judged.rows == [Row('a', 0, inf, '/x[1]'), Row('a', 2, 5, '/x[1]/y[1]')]
    assert topics[0].retrieved.rows == [Row('a', 0, inf, '/x[1]'), Row('a', 0, inf, None)]
    assert (topics[1].judged.rows, topics[1].retrieved.rows) == ([Row('a', 0, inf, None)], [])


def test_elements_without_offsets_are_for_measures_of_elements_alone() -> None:
    rows = [Qrel('q', 'a#xpath=/x[1]', 1)]
    with pytest.raises(RowError, match='names an element without its offsets'):
        SegmentTable.from_qrels(rows)
    table = SegmentTable.from_qrels(rows, elements=True)
    assert SegmentTable.from_qrels(table, elements=True) is table
    with pytest.raises(RowError, match=re.escape("the element '/x[1]' has no offsets")):
        SegmentTable.from_qrels(table)


def test_rows_of_queries_that_alternate_are_found_in_their_query() -> None:
    qrels = [Qrel('q', 'a#t=0,5', 1), Qrel('p', 'a#t=0,5', 1), Qrel('q', 'b', 1), Qrel('q', 'a#t=0,5', 1),
             Qrel('p', 'a#xpath=/x[1]', 0)]
    run = [ScoredDoc('p', 'a#xpath=/x[1]', 3), ScoredDoc('q', 'c', 2), ScoredDoc('q', 'a#t=0,5', 1),
           ScoredDoc('p', 'b', 1), ScoredDoc('q', 'b', 0)]
    topics: list[Any] = []
    list(RowEvaluator([MAgP], qrels, lambda measure, topic: topics.append(topic) or 0).iter_calc(run))
    assert [(topic.query_id, topic.found, topic.first_equal) for topic in topics] == [
        ('q', [-1, 0, 1], [0, 1, 0]), ('p', [1, -1], [0, 1])]
