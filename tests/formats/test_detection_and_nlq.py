"""ActivityNet's detection and Ego4D's natural language queries: what is read, written and refused, and the figures of
the programs from the measures.
"""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import ScoredDoc

from ir_segmeasures import IoU_AP, IoU_R, SegmentWarning, formats, mIoP, mIoU, mIoU_AP, official
from ir_segmeasures.formats import FormatError, MomentQrel, SegmentScoredDoc, WriteError

TRUTH: dict[str, Any] = {
    'activitynet': {'database': {
        'v': {'subset': 'validation', 'duration': 60, 'annotations': [
            {'label': 'Long jump', 'segment': [0, 10]}, {'label': '100% fun', 'segment': [20, 30.5]}]},
        'w': {'subset': 'training', 'annotations': [{'label': 'Rowing', 'segment': [1, 2]}]}}},
    'ego4d-nlq': {'videos': [{'video_uid': 'x', 'clips': [
        {'clip_uid': 'c', 'video_start_sec': 30.5, 'video_end_sec': 90.5, 'annotations': [
            {'annotation_uid': 'a', 'language_queries': [
                {'query': 'Where?', 'clip_start_sec': 0, 'clip_end_sec': 10},
                {'clip_start_sec': 20, 'clip_end_sec': 30.5}]}]}]}]}}
PREDICTIONS: dict[str, Any] = {
    'activitynet': {'results': {
        'w': [{'label': 'Long jump', 'score': .75, 'segment': [1, 3]}],
        'v': [{'label': 'Long jump', 'score': .75, 'segment': [0, 8]},
              {'label': '100% fun', 'score': .25, 'segment': [40, 50]},
              {'label': 'Long jump', 'score': .9, 'segment': [20, 30]}]}},
    'ego4d-nlq': {'results': [
        {'clip_uid': 'c', 'annotation_uid': 'a', 'query_idx': 1, 'predicted_times': [[0, 5], [20, 30]]},
        {'clip_uid': 'c', 'annotation_uid': 'a', 'query_idx': 0, 'predicted_times': []}]}}
FORMATS = list(TRUTH)


@pytest.fixture
def put(tmp_path: Path) -> Callable[[Any], Path]:
    def write(content: Any) -> Path:
        path = tmp_path / f'{len(list(tmp_path.iterdir()))}.json'
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path
    return write


def test_rows_of_activitynet(put: Any) -> None:
    assert formats.read_qrels(put(TRUTH['activitynet']), 'activitynet') == [
        MomentQrel('Long%20jump', 'v', 0, 10, duration=60), MomentQrel('100%25%20fun', 'v', 20, 30.5, duration=60)]
    assert formats.read_qrels(put(TRUTH['activitynet']), 'activitynet', subset='training') == [
        MomentQrel('Rowing', 'w', 1, 2)]
    assert formats.read_run(put(PREDICTIONS['activitynet']), 'activitynet') == [
        SegmentScoredDoc('Long%20jump', 'w', 1, 3, .75, 2, .75, None, None),
        SegmentScoredDoc('Long%20jump', 'v', 0, 8, .75, 3, .75, None, None),
        SegmentScoredDoc('100%25%20fun', 'v', 40, 50, .25, 1, .25, None, None),
        SegmentScoredDoc('Long%20jump', 'v', 20, 30, .9, 1, .9, None, None)]
    with pytest.raises(FormatError, match=r"subset 'test' has a window \(subsets with windows: 'validation', 'train"):
        formats.read_qrels(put(TRUTH['activitynet']), 'activitynet', subset='test')
    with pytest.raises(ValueError, match=r"qrels of format 'moments' have no option 'subset' .*: activitynet\)"):
        formats.read_qrels('x', 'moments', subset='test')


def test_rows_of_ego4d(put: Any) -> None:
    assert formats.read_qrels(put(TRUTH['ego4d-nlq']), 'ego4d-nlq') == [
        MomentQrel('a_0', 'c', 0, 10, duration=60), MomentQrel('a_1', 'c', 20, 30.5, duration=60)]
    assert formats.read_run(put(PREDICTIONS['ego4d-nlq']), 'ego4d-nlq') == [
        SegmentScoredDoc('a_1', 'c', 0, 5, -1, 1, -1, None, None),
        SegmentScoredDoc('a_1', 'c', 20, 30, -2, 2, -2, None, None)]


def test_a_window_without_content_counts_0(put: Any) -> None:
    detected = {'database': {'v': {'subset': 'validation', 'annotations': [{'label': 'x', 'segment': [0, 0]}]}}}
    with pytest.warns(SegmentWarning, match="1 windows end where they start, .* of query 'x'"):
        assert formats.read_qrels(put(detected), 'activitynet') == [MomentQrel('x', 'v', 0, 0, 0)]
    truth = copy.deepcopy(TRUTH['ego4d-nlq'])
    truth['videos'][0]['clips'][0]['annotations'][0]['language_queries'][0]['clip_end_sec'] = 0
    with pytest.warns(SegmentWarning, match=r"1 windows end where they start, .* of query 'a_0'"):
        qrels = formats.read_qrels(put(truth), 'ego4d-nlq')
    run = formats.read_run(put({'results': PREDICTIONS['ego4d-nlq']['results'][:1]}), 'ego4d-nlq')
    assert (mIoU@5).calc_aggregate(qrels, run) == 10 / 10.5 / 2


class TestOneObjectOfVideos:
    def test_captions(self, put: Any) -> None:
        path = put({'v a': {'duration': 51.5, 'timestamps': [[7.3, 28], [30, 30]], 'sentences': [' A door.', 'B']}})
        with pytest.warns(SegmentWarning, match="1 windows end where they start, .* of query 'v a_1'"):
            assert formats.read_qrels(path, 'activitynet-captions') == [
                MomentQrel('v a_0', 'v a', 7.3, 28, duration=51.5),
                MomentQrel('v a_1', 'v a', 30, 30, 0, duration=51.5)]
        assert formats.format_of('activitynet-captions').read_queries(path)[0] == ('v a_0', 'A door.')

    def test_grounded_answers(self, put: Any) -> None:
        path = put({'7': {'duration': 34, 'location': {'1': [[1, 5.5]], '3': [[2, 3], [4, 5]]}, 'fps': 29.97}})
        assert [row[:4] for row in formats.read_qrels(path, 'next-gqa')] == [
            ('7_1', '7', 1, 5.5), ('7_3', '7', 2, 3), ('7_3', '7', 4, 5)]

    def test_windows_of_the_test_set_start_before_0(self, put: Any) -> None:
        with pytest.warns(SegmentWarning, match=r'1 windows start before 0, .*\[-0.1, 25.1\] of query .7_0'):
            row, = formats.read_qrels(put({'7': {'duration': 26, 'location': {'0': [[-0.1, 25.1]]}}}), 'next-gqa')
        assert row == MomentQrel('7_0', '7', 0, 25.1, duration=26)

    def test_no_program_finds_a_window_that_ends_before_it_starts(self, put: Any) -> None:
        for name, path in (('next-gqa', put({'7': {'location': {'0': [[5, 1]], '1': [[2, 4]]}}})),
                           ('activitynet-captions', put({'7': {'timestamps': [[5, 1], [2, 4]],
                                                               'sentences': ['a', 'b']}}))):
            with pytest.warns(SegmentWarning, match=r'1 windows end before they start, .*\[5, 1\] of query .7_0'):
                qrels = formats.read_qrels(path, name)
            found = [SegmentScoredDoc(f'7_{query}', '7', 0, 8, 1, 1, 1, None, None) for query in (0, 1)]
            assert (mIoP@1).calc_aggregate(qrels, found) == 2 / 8 / 2


@pytest.mark.parametrize('name', FORMATS)
def test_into_trec_and_back(name: str, put: Any, tmp_path: Path, run: Any) -> None:
    for kind, content in ('qrels', TRUTH[name]), ('run', PREDICTIONS[name]):
        there, back, path = tmp_path / f'{kind}.there', tmp_path / f'{kind}.back', put(content)
        assert run('convert', path, there, '--from', name, '--to', 'trec', '--kind', kind).code == 0
        assert run('convert', there, back, '--from', 'trec', '--to', name, '--kind', kind).code == 0
        read = getattr(formats, f'read_{kind}')
        assert {row[:4] for row in read(back, name)} == {row[:4] for row in read(path, name)}


def changed(content: Any, *keys: Any, value: Any = None) -> Any:
    content = copy.deepcopy(content)
    place = content
    for key in keys[:-1]:
        place = place[key]
    if value is None:
        del place[keys[-1]]
    else:
        place[keys[-1]] = value
    return content


@pytest.mark.parametrize('name, row, sentence', [
    ('activitynet', ScoredDoc('a b', 'v#t=0,5', 1), "class 'a b' would be read as 'a%20b'"),
    ('activitynet', ScoredDoc('a', 'v', 1), 'this is a whole document'),
    ('ego4d-nlq', ScoredDoc('a', 'v#t=0,5', 1), "query 'a' is not called annotation_place"),
    ('ego4d-nlq', ScoredDoc('a_00', 'v#t=0,5', 1), "query 'a_00' is not called annotation_place"),
    ('ego4d-nlq', MomentQrel('a_1', 'v', 0, 5), 'query 1 of an annotation that has 0 queries before'),
    ('ego4d-nlq', MomentQrel('a_0', 'v', 0, 5, 2), 'lists what is relevant, without grades')])
def test_what_has_no_place(name: str, row: Any, sentence: str, tmp_path: Path) -> None:
    write = formats.write_qrels if hasattr(row, 'relevance') else formats.write_run
    with pytest.raises(WriteError, match=sentence):
        write([row], tmp_path / 'x', name)
    assert not list(tmp_path.iterdir())


def test_the_subset_on_the_command_line(put: Any, run: Any, tmp_path: Path) -> None:
    truth, predictions = put(TRUTH['activitynet']), put(changed(
        PREDICTIONS['activitynet'], 'results', 'w', 0, 'label', value='Rowing'))
    options = ('--qrels-format', 'activitynet', '--run-format', 'activitynet')
    assert run('evaluate', truth, predictions, 'IoU_AP(iou=0.5)', *options, '--subset', 'training').out == (
        'IoU_AP(iou=0.5)\t1.0000\n')
    assert "subset 'x' has a window" in run('check', predictions, '--format', 'activitynet', '--qrels', truth,
                                            '--subset', 'x').err
    run('convert', truth, tmp_path / 'out', '--from', 'activitynet', '--to', 'trec', '--kind', 'qrels', '--subset',
        'training')
    assert (tmp_path / 'out').read_text() == 'Rowing 0 w#t=1,2 1\n'


class TestPrograms:
    @pytest.fixture
    def folder(self, shared_data: Path) -> Path:
        return shared_data / 'moments' / 'programs'

    def test_activitynet(self, folder: Path) -> None:
        files = folder / 'activitynet-truth.json.gz', folder / 'activitynet-predictions.json.gz'
        printed = official('activitynet', *files)
        measures = {IoU_AP(iou=iou): f'mAP@{iou:.2g}' for iou in (.5, .55, .6, .65, .7, .75, .8, .85, .95)}
        found = ir_measures.calc_aggregate([mIoU_AP, *measures], formats.read_qrels(files[0], 'activitynet'),
                                           formats.read_run(files[1], 'activitynet'))
        assert found[mIoU_AP] == pytest.approx(printed['average-mAP'], abs=1e-12)
        assert {name: found[measure] for measure, name in measures.items()} == pytest.approx(
            {name: printed[name] for name in measures.values()}, abs=1e-12)

    def test_ego4d(self, folder: Path) -> None:
        files = folder / 'ego4d-nlq-truth.json.gz', folder / 'ego4d-nlq-predictions.json.gz'
        printed = official('ego4d_nlq', *files)
        qrels, run = (formats.read_qrels(files[0], 'ego4d-nlq'), formats.read_run(files[1], 'ego4d-nlq'))
        answered = {row.query_id for row in run}  # the program's means are over these
        assert len(answered) == printed.pop('evaluated') < len(qrels)
        measures = {IoU_R(iou=iou, strict=True)@k: f'R@{k} IoU>{iou}' for iou in (.3, .5, .01) for k in (1, 3, 5)}
        found = ir_measures.calc_aggregate([mIoU@1, *measures], [row for row in qrels if row.query_id in answered], run)
        assert {'mIoU': 100 * found[mIoU@1], **{name: 100 * found[one] for one, name in measures.items()}} == (
            pytest.approx(printed, abs=1e-10))

