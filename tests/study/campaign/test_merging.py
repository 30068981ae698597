"""Merged judgements: one grade for each second, by each way to merge."""

from statistics import mean, median_low
from typing import Any

import pytest
from hypothesis import given, strategies as st
from ir_measures import Qrel
from strategies import examples

from ir_segmeasures.study import MERGERS, merged_judgements

LENGTH = 12
assessors = st.lists(st.lists(st.integers(-1, 3), min_size=LENGTH, max_size=LENGTH), min_size=1, max_size=4)
PLAIN: dict[str, Any] = {'majority': median_low, 'union': max, 'intersection': min, 'mean': mean}


def qrels(grades: list[int]) -> list[Qrel]:
    return [Qrel('q', f'd#t={second},{second + 1}', grade) for second, grade in enumerate(grades) if grade >= 0]


@pytest.mark.parametrize('by', MERGERS)
@examples(5)
@given(assessors)
def test_each_second_has_one_grade(by: str, drawn: list[list[int]]) -> None:
    found = merged_judgements({str(place): qrels(grades) for place, grades in enumerate(drawn)}, by)
    seconds = [(second, row.relevance) for row in found for second in range(int(row.start), int(row.end))]
    given_grades = {second: [grade for grade in column if grade >= 0] for second, column in enumerate(zip(*drawn))}
    assert seconds == [(second, pytest.approx(PLAIN[by](grades))) for second, grades in given_grades.items() if grades]


@examples(5)
@given(assessors)
def test_merging_the_merged_changes_nothing(drawn: list[list[int]]) -> None:
    merged = merged_judgements({str(place): qrels(grades) for place, grades in enumerate(drawn)})
    assert list(merged_judgements({'all': merged, 'again': merged})) == list(merged)


def test_an_extent_adds_what_nobody_named() -> None:
    found = merged_judgements({'a': [Qrel('q', 'd#t=5,10', 1)]}, extent=[Qrel('q', 'd#t=0,8', -1)])
    assert [(row.doc_id, row.relevance) for row in found] == [('d#t=0,5', 0), ('d#t=5,8', 1)]


def test_errors() -> None:
    with pytest.raises(ValueError, match='there is no assessor: give the judgements of at least one'):
        merged_judgements({})
    with pytest.raises(ValueError, match="by='vote' is none of those that there are: take 'majority' or"):
        merged_judgements({'a': []}, 'vote')


@pytest.mark.parametrize('by', MERGERS)
def test_each_piece_has_content(by: str) -> None:
    ann = [Qrel('q1', 'talk#t=0,10.01001001', 0), Qrel('q1', 'talk#t=10.01001001,20', 1)]
    ben = [Qrel('q1', 'talk#t=0,10.01001', 0), Qrel('q1', 'talk#t=10.01001,20', 2)]
    assert [row.doc_id for row in merged_judgements({'ann': ann, 'ben': ben}, by)] == [
        'talk#t=0,10.01001', 'talk#t=10.01001,20']
