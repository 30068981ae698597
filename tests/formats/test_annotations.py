"""Annotations of tools, and files of judges, become judgements with the names of the assessors."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from ir_segmeasures import formats
from ir_segmeasures.formats.annotations import grade_of, judged_unit

TEXT = 'Bees 🐝 swarm in May.'
UNIT = {'query_id': 'q1', 'query': 'bees', 'unit': 'd#char=100,121', 'offset': 100}


def region(start: Any, end: Any, label: str, **more: Any) -> dict[str, Any]:
    return {'type': 'labels', 'from_name': 'grade', 'to_name': 'text',
            'value': {'start': start, 'end': end, 'labels': [label], **more}}


def label_studio(*annotations: Any, **data: Any) -> str:
    return json.dumps([{'id': 7, 'data': UNIT | data, 'annotations': list(annotations), 'predictions': []}])


def by(assessor: Any, *result: Any) -> dict[str, Any]:
    return {'completed_by': assessor, 'was_cancelled': False, 'result': list(result)}


@pytest.fixture
def rows(tmp_path: Path) -> Any:
    def rows(text: str, format: str, name: str = 'file', **options: Any) -> list[tuple[Any, ...]]:
        path = tmp_path / name
        path.write_text(text, encoding='utf-8')
        return [tuple(row) for row in formats.read_qrels(path, format, **options)]
    return rows


class TestLabelStudio:
    def test_stretches_of_a_recording(self, rows: Any) -> None:
        text = label_studio(by({'id': 3, 'email': 'ann@x.org'}, region(12.5, 20, '2 highly relevant'),
                               region(10, 60, 'unjudged')), unit='talk#t=10,60', offset=5, audio='talk.mp3')
        assert rows(text, 'label-studio') == [('q1', 'talk#t=12.5,20', 2, 'ann@x.org')]

    def test_an_annotation_begins_with_the_region_of_its_unit(self, rows: Any) -> None:
        unit = {**region(10, 60, 'unjudged', channel=0), 'origin': 'prediction'}
        moved = {**region(20.5, 70.5, 'unjudged', channel=0), 'origin': 'prediction-changed'}
        graded = {**region(10, 60, '1', channel=0), 'origin': 'prediction-changed'}
        text = label_studio(by(1, unit), by(2, moved), by(3, unit, region(12, 20, '1')), by(4, graded),
                            unit='talk#t=10,60', audio='talk.mp3')
        assert rows(text, 'label-studio') == [
            ('q1', 'talk#t=12,20', 1, '3'), ('q1', 'talk#t=10,12', 0, '3'), ('q1', 'talk#t=20,60', 0, '3'),
            ('q1', 'talk#t=10,60', 1, '4')]

    @pytest.mark.parametrize('name', ['fps', 'framerate'])
    def test_frames_of_a_video(self, rows: Any, name: str) -> None:
        result = {'type': 'timelinelabels', 'from_name': 'grade', 'to_name': 'video', 'value': {
            'ranges': [{'start': 251, 'end': 300}], 'timelinelabels': ['2 highly']}}
        text = label_studio(by(1, result), unit='talk#t=10,14', offset=5, video='talk.mp4', **{name: 25})
        assert rows(text, 'label-studio') == [('q1', 'talk#t=10,12', 2, '1'), ('q1', 'talk#t=12,14', 0, '1')]

    def test_the_rest_of_a_unit_is_not_relevant(self, rows: Any) -> None:
        text = label_studio(by(3, region(12.5, 20, '2')), by(4), {**by(5), 'was_cancelled': True}, unit='talk#t=10,60')
        assert rows(text, 'label-studio') == [
            ('q1', 'talk#t=12.5,20', 2, '3'), ('q1', 'talk#t=10,12.5', 0, '3'), ('q1', 'talk#t=20,60', 0, '3'),
            ('q1', 'talk#t=10,60', 0, '4')]

    @pytest.mark.parametrize('result', [{'type': 'choices', 'value': {'choices': ['2 relevant']}},
                                        {'type': 'rating', 'value': {'rating': 2}}])
    def test_a_grade_of_the_whole_unit(self, rows: Any, result: Any) -> None:
        assert rows(label_studio(by(3, result)), 'label-studio') == [('q1', 'd#char=100,121', 2, '3')]

    @pytest.mark.parametrize(('start', 'end'), [(7, 12), (8, 13)])  # in characters, and as JavaScript counts
    def test_stretches_of_a_text(self, rows: Any, start: int, end: int) -> None:
        text = label_studio(by(3, region(start, end, '1', text='swarm')), text=TEXT, unit='d#char=107,112')
        assert rows(text, 'label-studio') == [('q1', 'd#char=107,112', 1, '3')]

class TestRecordings:
    def test_audacity(self, rows: Any) -> None:
        text = '12.500000\t20.000000\tq1 2\n\\\t100.0\t200.0\n30,5\t31\tq2\n32\t33\tq2 unjudged\n'
        assert rows(text, 'audacity', 'talk.txt') == [
            ('q1', 'talk#t=12.5,20', 2, '0'), ('q2', 'talk#t=30.5,31', 1, '0')]

    def test_folders_of_recordings(self, tmp_path: Path) -> None:
        for name in ('a', 'b'):
            (tmp_path / f'{name}.txt').write_text('0\t5\tq1\n')
        assert [row.doc_id for row in formats.read_qrels(tmp_path, 'audacity')] == ['a#t=0,5', 'b#t=0,5']

class TestJudgingPage:
    def test_marks_grades_and_what_is_left(self, rows: Any) -> None:
        content = {'assessor': 'Ann B.', 'judgements': [
            {'query_id': 'q', 'unit': 'd#t=0,10', 'grade': None, 'marks': [{'start': 2, 'end': 4.5, 'grade': 2}]},
            {'query_id': 'q', 'unit': 'd#t=20,30', 'grade': 1, 'marks': []},
            {'query_id': 'q', 'unit': 'd#t=40,50', 'grade': None, 'marks': []}]}
        assert rows(json.dumps(content), 'judgements') == [
            ('q', 'd#t=2,4.5', 2, 'Ann%20B.'), ('q', 'd#t=0,2', 0, 'Ann%20B.'), ('q', 'd#t=4.5,10', 0, 'Ann%20B.'),
            ('q', 'd#t=20,30', 1, 'Ann%20B.')]

@pytest.mark.parametrize(('label', 'grade'), [
    (2, 2), (.5, .5), ('2', 2), ('0.5', .5), ('-1 spam', -1), ('Relevant', 1), ('', 1), ('NOT  relevant', 0),
    ('unjudged', None)])
def test_grades_of_labels(label: Any, grade: Any) -> None:
    assert grade_of(label) == grade


@pytest.mark.parametrize('label', ['bees', '2nd', 'x 2', None, True, float('nan'), []])
def test_labels_that_are_no_grade(label: Any) -> None:
    with pytest.raises(ValueError, match='is not a grade: begin it with a number, such as'):
        grade_of(label)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9), st.sampled_from([None, 0, 1, 2])), max_size=4))
def test_each_moment_of_a_unit_is_judged_once_or_marked(marks: list[tuple[int, int, Any]]) -> None:
    rows = judged_unit('q', 'd#t=5,15', [
        (start, start + length, 'unjudged' if grade is None else grade) for start, length, grade in marks])
    seconds: dict[int, list[Any]] = {second: [] for second in range(5, 15)}
    for row in rows:
        start, end = map(int, row.doc_id.partition('=')[2].split(','))
        for second in set(range(start, end)) & set(seconds):
            seconds[second].append(row.relevance)
    for second, grades in seconds.items():
        marked = [grade for start, length, grade in marks if start <= second < start + length]
        assert sorted(grades) == ([0] if not marked else sorted(grade for grade in marked if grade is not None))


