"""What measures of rows are shown, and elements without offsets."""

import re
from math import inf
from typing import Any

import pytest
from ir_measures import Qrel, ScoredDoc

from ir_segmeasures import SegmentTable, xinfAP
from ir_segmeasures.evaluation.evaluators import Row, RowEvaluator
from ir_segmeasures.segments.tables.table import RowError


def test_rows_stand_as_they_came_and_items_by_rank() -> None:
    qrels = [Qrel('q', 'a#xpath=/x[1]', 2), Qrel('p', 'a', 0), Qrel('q', 'a#xpath=/x[1]/y[1]&char=2,5', 1),
             Qrel('q', 'a#xpath=/x[1]', 2)]
    run = [ScoredDoc('q', 'a', 1), ScoredDoc('q', 'a#xpath=/x[1]', 2), ScoredDoc('other', 'a', 1)]
    topics: list[Any] = []
    evaluator = RowEvaluator([xinfAP], qrels, lambda measure, topic: topics.append(topic) or topic.judged.values[0])
    assert [(metric.query_id, metric.value) for metric in evaluator.iter_calc(run)] == [('q', 2), ('p', 0)]
    q, p = topics
    assert q.judged.rows[:2] == [Row('a', 0, inf, '/x[1]'), Row('a', 2, 5, '/x[1]/y[1]')]
    assert q.retrieved.rows == [Row('a', 0, inf, '/x[1]'), Row('a', 0, inf, None)]
    assert (q.found, q.first_equal, q.judged.number(2)) == ([0, -1], [0, 1, 0], 3)
    assert (p.judged.rows, p.retrieved.rows, p.found) == ([Row('a', 0, inf, None)], [], [])


def test_elements_without_offsets_are_for_measures_of_elements_alone() -> None:
    rows = [Qrel('q', 'a#xpath=/x[1]', 1)]
    with pytest.raises(RowError, match='names an element without its offsets'):
        SegmentTable.from_qrels(rows)
    table = SegmentTable.from_qrels(rows, elements=True)
    assert SegmentTable.from_qrels(table, elements=True) is table
    with pytest.raises(RowError, match=re.escape("the element '/x[1]' has no offsets")):
        SegmentTable.from_qrels(table)
