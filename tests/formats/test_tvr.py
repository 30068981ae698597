"""The predictions of TVR, and windows beyond their video: what is read, cut and said."""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import formats
from ir_segmeasures.formats import SegmentScoredDoc
from ir_segmeasures.formats.extents import clipped
from ir_segmeasures.formats.tvr import read_run

CONTENT: dict[str, Any] = {
    'video2idx': {'a': 7, 'b': 9},
    'VCMR': [{'desc_id': 1, 'desc': 'x', 'predictions': [[9, 1.5, 2, 3], [7, 0, 4, 8.5]]}],
    'SVMR': [{'desc_id': 1, 'predictions': [[9, 0, 1, 1]]}, {'desc_id': 2, 'predictions': []}],
    'VR': [{'desc_id': 1, 'predictions': [[7, 0, 0, 1.0]]}],
}


def put(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / 'predictions.json'
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_tasks(tmp_path: Path) -> None:
    path = put(tmp_path, CONTENT)
    assert read_run(path) == formats.read_run(path, 'tvr') == [
        SegmentScoredDoc('1', 'b', 1.5, 2, -1, 1, 3, None, None),
        SegmentScoredDoc('1', 'a', 0, 4, -2, 2, 8.5, None, None)]
    assert [row.doc_id for row in formats.read_run(path, 'tvr', task='SVMR')] == ['b']
    assert [(row.doc_id, row.start, row.end) for row in read_run(path, 'VR')] == [('a', 0, 0)]
    with pytest.raises(ValueError, match="the tasks of TVR are 'VCMR', 'SVMR', 'VR'"):
        read_run(path, 'vr')
    with pytest.raises(ValueError, match=r"runs of format 'trec' have no option 'task' \(formats with it: tvr\)"):
        formats.read_run(path, 'trec', task='VR')


class TestClip:
    LINES = ('{"qid": 1, "vid": "v", "pred_relevant_windows": [[-0.1683, 4, 2], [20, 31.5, 1], [40, 41, 0.5]]}\n'
             '{"qid": 2, "vid": "w", "pred_relevant_windows": [[-2, 400, 1]]}\n')
    QRELS = ('{"qid": 1, "vid": "v", "duration": 30, "relevant_windows": [[0, 5]]}\n'
             '{"qid": 2, "vid": "w", "relevant_windows": [[0, 5]]}\n')

    def test_rows(self, tmp_path: Path) -> None:
        rows, count = clipped(formats.read_run(put(tmp_path, self.LINES), 'moments', clip=True), {'v': 30})
        assert [(row.start, row.end) for row in rows] == [(0, 4), (20, 30), (30, 30), (0, 400)]
        assert count == 4
        assert clipped(rows, {'v': 30}) == (rows, 0)

    def test_the_command(self, tmp_path: Path, run: Callable[..., Any]) -> None:
        qrels, predictions = tmp_path / 'qrels.jsonl', put(tmp_path, self.LINES)
        qrels.write_text(self.QRELS)
        arguments = ['evaluate', qrels, predictions, 'mIoU@1', '-q', '--qrels-format', 'moments', '--run-format',
                     'moments']
        found = run(*arguments, '--clip')
        assert found.out.splitlines() == ['1\tmIoU@1\t0.8000', '2\tmIoU@1\t0.0125', 'all\tmIoU@1\t0.4062']
        assert found.err.startswith(f'ir_segmeasures: 4 of 4 windows of {predictions} are cut off at 0 or at the end')
        assert 'all windows with --clip' in run(*arguments).err


def test_the_figures_of_tvr(shared_data: Path, tmp_path: Path, run: Callable[..., Any]) -> None:
    folder = shared_data / 'moments'
    printed = json.loads((folder / 'tvr-figures.json').read_text())
    for task in ('VCMR', 'SVMR'):
        measures = [f'IoU_R(iou={iou})@{k}' for iou in (0.5, 0.7) for k in (1, 5, 10, 100)]
        found = run('evaluate', folder / 'tvr-queries.jsonl.gz', folder / 'tvr-predictions.json.gz', *measures,
                    '--qrels-format', 'moments', '--run-format', 'tvr', '--task', task)
        assert [round(100 * float(line.split('\t')[1]), 2) for line in found.out.splitlines()] == [
            printed[task][f'{iou}-r{k}'] for iou in (0.5, 0.7) for k in (1, 5, 10, 100)]
    found = run('evaluate', folder / 'tvr-queries.jsonl.gz', folder / 'tvr-predictions.json.gz', '--task', 'VR',
                *(f'Success@{k}' for k in (1, 5, 10, 100)), '--qrels-format', 'moments', '--run-format', 'tvr')
    assert found.err == ''
    assert [round(100 * float(line.split('\t')[1]), 2) for line in found.out.splitlines()] == [*printed['VR'].values()]
    with gzip.open(folder / 'tvr-predictions.json.gz', 'rt') as file:
        lists = json.load(file)['VR']
    assert len(read_run(folder / 'tvr-predictions.json.gz', 'VR')) == sum(len(one['predictions']) for one in lists)


def test_svmr_ranks_items_of_the_judged_video(tmp_path: Path, run: Callable[..., Any]) -> None:
    """The program takes the first 100 items, leaves out those of other videos, and counts ranks then."""
    draw = random.Random(5)
    truth = {query: ('abc'[query % 3], (start := draw.randrange(40)), start + 10) for query in range(60)}
    predictions = {query: [[draw.randrange(3), (start := draw.randrange(50)), start + draw.randrange(6, 14), -rank]
                           for rank in range(draw.choice([3, 12, 130]))] for query in truth}
    qrels, columns = tmp_path / 'truth.jsonl', tmp_path / 'truth.qrels'
    qrels.write_text(''.join(json.dumps({'desc_id': query, 'vid_name': video, 'ts': [start, end], 'duration': 90,
                                         'desc': 'x', 'type': 'v'}) + '\n'
                             for query, (video, start, end) in truth.items()))
    columns.write_text(''.join(f'{query} 0 {video}#t={start},{end} 1\n'
                               for query, (video, start, end) in truth.items()))
    file = put(tmp_path, {'video2idx': {'a': 0, 'b': 1, 'c': 2}, 'SVMR': [
        {'desc_id': query, 'predictions': items} for query, items in predictions.items()]})
    expected, ranked = {}, {}
    for k in (1, 5, 10, 100):
        found = ranks = 0
        for query, (video, start, end) in truth.items():
            ious = [(number, (min(end, last) - max(start, first)) / (max(end, last) - min(start, first)))
                    for number, first, last, _ in predictions[query][:100]]
            found += any(iou >= 0.5 for iou in [iou for number, iou in ious if 'abc'[number] == video][:k])
            ranks += any(iou >= 0.5 and 'abc'[number] == video for number, iou in ious[:k])
        expected[k], ranked[k] = found / len(truth), ranks / len(truth)
    assert expected != ranked
    printed = json.loads(run('official', 'tvr', qrels, file, '-o', 'json').out)
    assert {k: printed[f'SVMR-0.5-r{k}'] for k in expected} == pytest.approx({k: 100 * v for k, v in expected.items()})
    for path, format in ((qrels, 'moments'), (columns, 'trec')):
        for tool in ('', ",tool='tvr'"):
            out = run('evaluate', path, file, *(f'IoU_R(iou=0.5{tool})@{k}' for k in (1, 5, 10)), '--qrels-format',
                      format, '--run-format', 'tvr', '--task', 'SVMR', '--places', '8').out
            assert [float(line.split('\t')[1]) for line in out.splitlines()] == pytest.approx(
                [expected[k] for k in (1, 5, 10)], abs=1e-8)
