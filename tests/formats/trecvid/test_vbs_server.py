"""Tasks and answers of the VBS of 2018 to 2020. All files here are made up, in the true forms."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from refusals import message

from ir_segmeasures.formats import FormatError, SegmentQrel
from ir_segmeasures.formats.trecvid.vbs import VbsTask, read_judged, read_server_items, read_server_tasks

FILE_NAME = 'file'

TASKS = """taskId;name;startTime;maxSearchTime;type;videoNumber;startFrame;endFrame;text1;text2;text3;trecvidId;avsText
1;KIS Visual 1;2018-2-5 10:20:31;300;KIS_Visual;36071;1625;2124;;;;

2;AVS 1*;2018-2-5 10:26:14;300;AVS_novice;;;;;;;531;Find food \t on a table
3;KIS Textual 12;2018-2-5 10:34:21;300;KIS_Textual;39345;10;11;A hat.;A hat. It is "gray".;;
"""
ANSWERS = """taskId;taskType;expert/novice;teamNumber;teamName;videoNumber;shotNumber;frameNumber;searchTime;judged;\
correct;iseq
1;KIS_Visual;expert;2;X;36071;1;5105;164.3;kis;true;TID3;K(a;b)
2;AVS;expert;6;Y;39654;20;3525;25.06;judge_W;true;"TID3;K(a;b)"
2;AVS;expert;6;Y;654;3;3525;25.06;;
2;AVS;expert;7;Z;39654;21;3525;30.06;judge_W;false;0
2;AVS;expert;7;Z;39654;20;3526;31.06;judge_V;true;0
"""


def task(type: str, **changed: Any) -> dict[str, Any]:
    extent = {'videoId': 'x', 'videoNumber': 4619, 'startFrame': 250, 'endFrame': 499}
    return {'competitionId': 'c', 'name': 'Visual 2', 'type': type, 'videoRanges': [extent],
            'textList': [{'delay': 0, 'text': 'A bridge.'}, {'delay': 60, 'text': 'A bridge.\n It is red.'}],
            'avsText': 'Find bridges.', '_id': f'id{type}', **changed}


def answer(**changed: Any) -> dict[str, Any]:
    return {'taskId': 'idAVS', 'videoNumber': 266, 'shotNumber': 189, 'judged': 'judge_J', 'correct': True, '_id': 'a',
            **changed}


def lines(*objects: dict[str, Any]) -> str:
    return ''.join(f'{json.dumps(found)}\n' for found in objects)


def test_tasks_of_2018(write: Callable[..., Path]) -> None:
    path = write(TASKS)
    assert read_server_tasks(path) == [
        VbsTask('1', '', 'KIS_Visual', ()),
        VbsTask('2', 'Find food on a table', 'AVS_novice', ('Find food on a table',)),
        VbsTask('3', 'A hat. It is "gray".', 'KIS_Textual', ('A hat.', 'A hat. It is "gray".'))]
    assert read_server_items(path, 25) == [SegmentQrel('1', '36071', 65, 85, 1), SegmentQrel('3', '39345', .4, .48, 1)]


def test_tasks_of_2019_and_2020(write: Callable[..., Path]) -> None:
    path = write(lines(task('AVS'), task('KIS_Textual'), task('KIS_Visual_novice')))
    assert read_server_tasks(path) == [
        VbsTask('idAVS', 'Find bridges.', 'AVS', ('Find bridges.',)),
        VbsTask('idKIS_Textual', 'A bridge. It is red.', 'KIS_Textual', ('A bridge.', 'A bridge. It is red.')),
        VbsTask('idKIS_Visual_novice', '', 'KIS_Visual_novice', ())]
    assert read_server_items(path, {'04619': '30000/1001'}) == [
        SegmentQrel(id, '04619', float(250 * Fraction(1001, 30000)), float(500 * Fraction(1001, 30000)), 1)
        for id in ('idKIS_Textual', 'idKIS_Visual_novice')]


def test_frame_rates_are_needed(write: Callable[..., Path]) -> None:
    path = write(lines(task('AVS'), task('KIS_Visual')))
    for rate in (None, {'4619': 25}):
        assert message(read_server_items, path, rate) == (
            "file, line 2: 1 of 1 items in frames are of videos whose frame rate is not known, such as '04619': give "
            'the reader the frame_rate of these videos, in frames per second')
    assert read_server_items(write(lines(task('AVS')))) == []


def test_judged_answers(write: Callable[..., Path]) -> None:
    assert [tuple(row) for row in read_judged(write(ANSWERS))] == [
        ('2', 'shot39654_20', 1, '0'), ('2', 'shot39654_21', 0, '0')]
    path = write(lines(answer(), answer(judged='kis'), answer(judged=None, correct=None),
                       answer(correct=False, shotNumber=2)))
    assert [tuple(row) for row in read_judged(path)] == [
        ('idAVS', 'shot00266_189', 1, '0'), ('idAVS', 'shot00266_2', 0, '0')]


def test_shots_judged_both_ways(write: Callable[..., Path]) -> None:
    path = write(lines(answer(correct=False), answer(), answer(videoNumber=1), answer(videoNumber=1, correct=False)))
    with pytest.warns(UserWarning, match="2 of 2 shots are judged both ways, such as 'shot00266_189', and count as"):
        assert [(row.doc_id, row.relevance) for row in read_judged(path)] == [
            ('shot00266_189', 1), ('shot00001_189', 1)]


@pytest.mark.parametrize(('read', 'text', 'line', 'keyword'), [
    (read_server_tasks, TASKS + '3;KIS;x;1;KIS_Visual\n', 6, "task '3' is already in line 5"),
    (read_server_tasks, '{"a"', 1, 'not JSON at column 5'),
    (read_server_tasks, 'a;b\n', 1, "begins with 'a;b'"),
    (read_server_tasks, lines(task('AVS'), answer()), 2, "no 'type'"),
    (read_server_tasks, lines(task('KIS_Textual', textList=['x'])), 1, 'is "x": expected `object`'),
    (read_server_tasks, lines(task('AVS', _id='a b')), 1, 'is "a b": expected `str` matching'),
    (partial(read_server_items, frame_rate=25),
     lines(task('KIS_Visual', videoRanges=[{'videoNumber': 1, 'startFrame': 5, 'endFrame': 4}])), 1,
     "end '4' is before start '5'"),
    (read_server_items, TASKS.replace('36071', '-1'), 2, 'is "-1": expected `int` >= 0'),
    (read_judged, lines(answer(correct=None)), 1, "no 'correct'"),
    (read_judged, lines(task('AVS')), 1, "no 'judged'")])
def test_errors(write: Callable[..., Path], read: Callable[..., Any], text: str, line: int, keyword: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(write(text))
    assert caught.value.line == line and keyword in caught.value.sentence
