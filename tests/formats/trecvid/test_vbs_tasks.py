"""Tasks of the Video Browser Showdown: the list of textual tasks, and exports of DRES. All files here are made up,
in the true form."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from refusals import message

from ir_segmeasures import formats
from ir_segmeasures.formats import SegmentQrel
from ir_segmeasures.formats.trecvid.vbs import VbsTask, read_vbs_items, read_vbs_tasks

FILE_NAME = 'tasks.json'
LISTED = [{'query_name': 'Textual2019-10', 'hints': ['A bridge.', 'A bridge.\n It is red.'], 'answer': '04408',
           'videorange': {'start': 107000, 'end': 126960}, 'fps': 25}]


def point(value: Any, version: int, unit: str) -> dict[str, Any]:
    return {'type': unit, 'millisecond': value} if version == 1 else {'value': str(value), 'unit': unit}


def export(version: int, unit: str) -> dict[str, Any]:
    """An export of DRES with an ad hoc task and two known items, of which one is only shown."""
    item = {'name': '13872', 'durationMs': 231040, 'fps': 25}
    extent = {'start': point(57200, version, unit), 'end': point(83000, version, unit)}
    if version == 1:
        tasks = [
            {'name': 'vbs23-avs1', 'taskGroup': {'name': 'AVS', 'type': 'Ad-hoc Video Search'},
             'target': {'type': 'JudgementTarget', 'targets': []},
             'hints': [{'type': 'TextHint', 'text': 'Find a bar chart.', 'start': 0, 'end': None}]},
            {'name': 'vbs23-kis-t1', 'taskGroup': {'name': 'KIS-T', 'type': 'Textual KIS'},
             'target': {'type': 'VideoSegmentTarget', 'item': item, 'temporalRange': extent},
             'hints': [{'type': 'TextHint', 'text': text} for text in ('Kids.', 'Kids. On a river.')]},
            {'name': 'vbs23-kis-v1', 'taskGroup': {'name': 'KIS-V', 'type': 'Visual KIS'},
             'target': {'type': 'VideoSegmentTarget', 'item': item, 'temporalRange': extent},
             'hints': [{'type': 'VideoItemSegmentHint', 'item': item, 'temporalRange': extent}]}]
        return {'name': 'run', 'description': {'name': 'VBS', 'tasks': tasks}, 'tasks': []}
    tasks = [
        {'name': 'vbs23-avs1', 'taskGroup': 'AVS', 'targets': [{'type': 'JUDGEMENT'}],
         'hints': [{'type': 'TEXT', 'start': 0, 'description': 'Find a bar chart.', 'dataType': 'text/plain'}]},
        {'name': 'vbs23-kis-t1', 'taskGroup': 'KIS-T',
         'targets': [{'type': 'MEDIA_ITEM_TEMPORAL_RANGE', 'target': 'x', 'range': extent, 'item': item}],
         'hints': [{'type': 'TEXT', 'description': text} for text in ('Kids.', 'Kids. On a river.')]},
        {'name': 'vbs23-kis-v1', 'taskGroup': 'KIS-V',
         'targets': [{'type': 'MEDIA_ITEM_TEMPORAL_RANGE', 'target': 'x', 'range': extent, 'item': item}],
         'hints': [{'type': 'VIDEO', 'range': extent, 'item': item}]}]
    return {'name': 'run', 'template': {'name': 'VBS', 'tasks': tasks}, 'tasks': []}


def test_the_list_of_textual_tasks(write: Callable[..., Path]) -> None:
    path = write(json.dumps(LISTED))
    task, = read_vbs_tasks(path)
    assert task == VbsTask('Textual2019-10', 'A bridge. It is red.', '', ('A bridge.', 'A bridge. It is red.'))
    assert task.default_text() == task.text
    assert formats.read_qrels(path, 'vbs-kis') == [SegmentQrel('Textual2019-10', '04408', 107, 126.96, 1)]


@pytest.mark.parametrize('version, unit', [(1, 'Millisecond'), (2, 'MILLISECONDS')])
def test_exports_of_dres(write: Callable[..., Path], version: int, unit: str) -> None:
    path = write(json.dumps(export(version, unit)))
    assert read_vbs_tasks(path) == [
        VbsTask('vbs23-avs1', 'Find a bar chart.', 'AVS', ('Find a bar chart.',)),
        VbsTask('vbs23-kis-t1', 'Kids. On a river.', 'KIS-T', ('Kids.', 'Kids. On a river.')),
        VbsTask('vbs23-kis-v1', '', 'KIS-V', ())]
    assert read_vbs_items(path) == [SegmentQrel('vbs23-kis-t1', '13872', 57.2, 83, 1),
                                    SegmentQrel('vbs23-kis-v1', '13872', 57.2, 83, 1)]


def changed(**fields: Any) -> str:
    return json.dumps([{**LISTED[0], **fields}])


@pytest.mark.parametrize('text, keyword', [
    ('[1,\n', ', line 2: the file is not JSON'), ('{}', 'has another structure than a list of tasks'),
    ('[[]]', 'has another structure'), (changed(answer=4408), 'has another structure'),
    (json.dumps(LISTED * 2), "topic 'Textual2019-10' is already there"),
    (changed(query_name='a b'), "the task 'a b' is empty"),
    (changed(videorange={'start': 9, 'end': 9}), 'starts at 9 and ends at 9 ms'),
    (json.dumps(export(2, 'FRAME_NUMBER')), 'a time is 57200, FRAME_NUMBER'),
    (json.dumps(export(2, 'SECONDS')).replace('57200', 'x'), 'a time is x, SECONDS')])
def test_errors(write: Callable[..., Path], text: str, keyword: str) -> None:
    assert keyword in message(read_vbs_items, write(text))
