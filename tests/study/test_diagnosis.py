"""Means over groups of queries: which queries are alike, and the means as tables and as a plot."""

import json
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures.study.diagnosis import QueryGroup, diagnose, query_groups

pytest.importorskip('scipy')

WINDOWS = {'a': [[0, 10]], 'b': [[10.3, 20.3], [30, 60]], 'c': [[50, 60], [0, 5], [7, 8]], 'd': [[0, 31]]}
QRELS = {query: {f'v#t={start},{end}': 1 for start, end in windows} for query, windows in WINDOWS.items()}


def test_queries_are_grouped_by_their_longest_moment_its_place_and_how_many_there_are() -> None:
    assert query_groups({**QRELS, 'none': {'v#t=0,5': 0}}, {'v': 60}) == [
        QueryGroup('length', 'up to 10 s', ['a', 'c']), QueryGroup('length', '10 to 30 s', ['b']),
        QueryGroup('length', 'above 30 s', ['d']), QueryGroup('place', 'first third', ['a', 'd']),
        QueryGroup('place', 'last third', ['b', 'c']), QueryGroup('number', '1', ['a', 'd']),
        QueryGroup('number', '2', ['b']), QueryGroup('number', '3 and more', ['c'])]
    assert {group.by for group in query_groups(QRELS)} == {'length', 'number'}  # no durations
    with pytest.raises(ValueError, match='up to an end that is not known'):
        query_groups({'q': {'v#t=5,': 1}})
    with pytest.raises(ValueError, match='no query of the qrels'):
        query_groups({'q': {'v#t=5,9': 0}})


def test_means_are_those_of_the_queries() -> None:
    from ir_segmeasures.study import compare
    runs = {'one': {query: {f'v#t={windows[0][0]},{windows[0][1]}': 1} for query, windows in WINDOWS.items()},
            'two': {'a': {'v#t=0,5': 1}}}
    found = diagnose(compare(['mIoU@1', 'IoU_R(iou=0.5)@1'], QRELS, runs), QRELS, {'v': 60})
    means = {(row.measure.NAME, row.group, row.system): (row.queries, row.mean) for row in found.rows}
    assert len(means) == 2 * 8 * 2
    assert means['mIoU', 'up to 10 s', 'two'] == (2, .25)
    assert means['IoU_R', '1', 'one'] == (2, 1)
    assert means['IoU_R', '1', 'two'] == (2, .5)
    assert found.records()[0] == {
        'by': 'length', 'group': 'up to 10 s', 'queries': 2, 'measure': 'mIoU@1', 'system': 'one', 'mean': 1}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / name for name in ('truth.jsonl', 'one.jsonl', 'two.jsonl')]
    for path, key, shift in zip(paths, ('relevant_windows', *['pred_relevant_windows'] * 2), (0, 0, 4)):
        path.write_text(''.join(json.dumps({
            'qid': query, 'vid': 'v', 'duration': 60,
            key: [[start, end + shift, *([1] if key[0] == 'p' else [])] for start, end in windows]}) + '\n'
            for query, windows in WINDOWS.items()))
    return paths


FORMATS = ('--qrels-format', 'moments', '--run-format', 'moments')


def test_the_command(files: list[Path], run: Any) -> None:
    command = ('compare', *files, '-m', 'mIoU@1', *FORMATS)
    text = run(*command, '--diagnose').out
    table, groups = text[:len(run(*command).out)], text[len(run(*command).out):]
    assert table == run(*command).out
    assert [line.split() for line in groups.splitlines()[1:3]] == [
        ['mIoU@1', 'group', 'queries', 'one', 'two'], ['length', 'up', 'to', '10', 's', '2', '1.0000', '0.7143']]
    rows = json.loads(run(*command, '--diagnose', '-o', 'json').out)
    assert [row['group'] for row in rows if row['system'] == 'two'][:3] == ['up to 10 s', '10 to 30 s', 'above 30 s']
    assert run(*command, '--diagnose', '-o', 'markdown', '-p', '2').out.splitlines()[:3] == [
        '| by | group | queries | one | two |', '|---|---|---:|---:|---:|',
        '| length | up to 10 s | 2 | **1.00** | 0.71 |']


def test_the_plot(files: list[Path], run: Any, tmp_path: Path) -> None:
    pytest.importorskip('matplotlib')
    assert run('plot', 'groups', *files, '-m', 'mIoU@1', *FORMATS, '--out', tmp_path / 'x.png').code == 0
    assert (tmp_path / 'x.png').read_bytes().startswith(b'\x89PNG')
    from ir_segmeasures.study import plots
    axes = plots.group_means('mIoU@1', QRELS, {'one': QRELS, 'two': {}}, {'v': 60})
    assert len(axes.patches) == 2 * 8
    assert [text.get_text() for text in axes.texts] == ['length', 'place', 'number']
