"""The datasets of moments: real counts, durations as documents, and the figures of a system."""

import json
from pathlib import Path
from typing import Any

import pytest

ir_datasets = pytest.importorskip('ir_datasets', reason='ir_datasets, of the extra datasets, is not installed')

from ir_segmeasures import datasets, formats  # noqa: E402

FILES = {
    'qvhighlights/val': ('qvhighlights-val', 'highlight_val_release', 1_550, 2_803),
    'qvhighlights/test': ('qvhighlights-test', 'highlight_test_with_gt', 1_542, 2_761),
    'charades-sta/test': ('charades-test', 'charades_test_release', 3_720, 3_720),
    'activitynet-captions/val': ('activitynet-val', 'activitynet_val_release', 17_505, 17_505),
    'tacos/test': ('tacos-test', 'tacos_test_release', 4_001, 4_001),
    'castella/test': ('castella-test', 'castella_test_release', 1_347, 4_175),
    'tvr/val': ('tvr-val', 'tvr_val_release', 10_895, 10_895),
}


def put(id: str, home: Path, shared_data: Path) -> None:
    target = home / id.partition('/')[0] / f'{FILES[id][1]}.jsonl.gz'
    target.parent.mkdir(parents=True, exist_ok=True)
    target.symlink_to(shared_data / 'moments' / f'{FILES[id][0]}.jsonl.gz')


@pytest.mark.parametrize('id', FILES)
def test_counts(id: str, home: Path, shared_data: Path) -> None:
    put(id, home, shared_data)
    dataset = ir_datasets.load(id)
    queries, qrels = list(dataset.queries_iter()), list(dataset.qrels_iter())
    durations = {video.doc_id: video.duration for video in dataset.docs_iter()}
    assert len(queries) == dataset.queries_count() == FILES[id][2]
    assert len(qrels) == dataset.qrels_count() == FILES[id][3]
    assert {query.query_id for query in queries} == {qrel.query_id for qrel in qrels}
    assert {qrel.doc_id.partition('#t=')[0] for qrel in qrels} == set(durations)
    assert all(query.text for query in queries)
    assert datasets.length(id) == pytest.approx(sum(durations.values()))


@pytest.mark.parametrize('part', ['val', 'test'])
def test_judged_clips(part: str, home: Path, shared_data: Path) -> None:
    put(f'qvhighlights/{part}', home, shared_data)
    dataset = ir_datasets.load(f'qvhighlights/{part}/saliency')
    qrels = list(dataset.qrels_iter())
    assert len(qrels) == dataset.qrels_count() == datasets.DATASETS[
        f'qvhighlights/{part}/saliency'].metadata()['qrels']['count']
    assert qrels[0]._fields[4:] == ('saliency_1', 'saliency_2', 'saliency_3')
    assert all(row.relevance == sum(row[4:]) for row in qrels)


def test_didemo(tmp_path: Path) -> None:
    path = tmp_path / 'val_data.json'
    path.write_text(json.dumps([{'annotation_id': 7, 'description': ' a dog ', 'video': 'v.mov', 'num_segments': 6,
                                 'times': [[1, 1], [0, 1], [1, 1], [5, 5]]}]))
    handlers = [getattr(datasets.load('didemo/val'), f'{kind}_handler')() for kind in ('queries', 'qrels')]
    queries, qrels = (handler.read(path) for handler in handlers)
    assert queries == [('7', 'a dog')]
    assert [tuple(qrel) for qrel in qrels] == [
        ('7', 'v.mov#t=0,10', 1, '0'), ('7', 'v.mov#t=5,10', 2, '0'), ('7', 'v.mov#t=25,30', 1, '0')]
    for content, sentence in (
            ('{}', 'expected `array`, got `object`'), ('[{"annotation_id": 1}]', "has no 'description'"),
            ('[{"annotation_id": 1, "description": "d", "video": "v", "times": [[2, 1]]}]',
             r"\[2, 1\] stands in 'times'")):
        path.write_text(content)
        with pytest.raises(formats.FormatError, match=sentence):
            handlers[1].read(path)


@pytest.mark.parametrize(('id', 'content', 'wrong'), [
    ('mad/test', {'7': {'movie': 'm', 'sentence': ' a dog ', 'timestamps': [1, 2.5], 'ext_timestamps': [-0.5, 2.5],
                        'movie_duration': 60.5}},
     [([], 'expected `object`, got `array`'), ({'7': {}}, "has no 'movie'")]),
    ('medvidqa/val', [{'sample_id': 7, 'video_id': 'm', 'question': 'a dog', 'answer_start': '00:00',
                       'answer_start_second': 0, 'answer_end_second': 2.5, 'video_length': 60.5}],
     [({}, 'expected `array`, got `object`'), ([{'video_id': 'm'}], "has no 'sample_id'")])])
def test_one_window_a_record(id: str, content: Any, wrong: Any, home: Path) -> None:
    path = home / id.partition('/')[0] / ('MAD_test.json' if id == 'mad/test' else 'val.json')
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(content))
    dataset = ir_datasets.load(id)
    assert list(dataset.docs_iter()) == [('m', 60.5)] and list(dataset.queries_iter()) == [('7', 'a dog')]
    assert [tuple(qrel) for qrel in dataset.qrels_iter()] == [('7', 'm#t=0,2.5', 1, '0')]
    for other, sentence in wrong:
        path.write_text(json.dumps(other))
        with pytest.raises(formats.FormatError, match=sentence):
            datasets.load(id).qrels_handler().read(path)


def test_several_windows_a_query(home: Path) -> None:
    (home / 'momentseeker').mkdir(parents=True)
    path = home / 'momentseeker' / 't2v.json'
    path.write_text(json.dumps([
        {'qry_text': ' a dog ', 'src_video_path': './videos/ego_7.mp4',
         'answering_time_interval': [[4, 8], [10, 25.5]]},
        {'qry_text': 'a cat', 'src_video_path': './videos/ego_9.mp4', 'answering_time_interval': [[1, 2]]}]))
    dataset = ir_datasets.load('momentseeker/t2v')  # whose queries and judgements do without durations
    assert list(dataset.queries_iter()) == [('0', 'a dog'), ('1', 'a cat')]
    assert [qrel[:2] for qrel in dataset.qrels_iter()] == [
        ('0', 'ego_7#t=4,8'), ('0', 'ego_7#t=10,25.5'), ('1', 'ego_9#t=1,2')]


LISTED = 'ego_7 75.25\nego_9 60\n'


@pytest.fixture
def momentseeker(home: Path) -> Path:
    """The folder of MomentSeeker, with two videos and a query for each."""
    folder = home / 'momentseeker'
    folder.mkdir(parents=True)
    (folder / 'durations.txt').write_text(LISTED)
    (folder / 't2v.json').write_text(json.dumps([
        {'qry_text': 'a dog', 'src_video_path': './videos/ego_7.mp4', 'answering_time_interval': [[2, 8], [31, 60]]},
        {'qry_text': 'a cat', 'src_video_path': './videos/ego_9.mp4', 'answering_time_interval': [[30, 39]]}]))
    return folder


def test_videos_with_listed_durations(momentseeker: Path) -> None:
    for part in ('t2v', 'ti2v', 'tv2v'):
        dataset = ir_datasets.load(f'momentseeker/{part}')
        assert list(dataset.docs_iter()) == [('ego_7', 75.25), ('ego_9', 60)] and dataset.docs_count() == 2
        assert datasets.length(f'momentseeker/{part}') == 135.25


def test_chunks(momentseeker: Path) -> None:
    dataset = ir_datasets.load('momentseeker/chunks/30')
    assert list(dataset.docs_iter()) == [
        ('ego_7#t=0,30', 'ego_7', 0, 30), ('ego_7#t=30,60', 'ego_7', 30, 60), ('ego_7#t=60,75.25', 'ego_7', 60, 75.25),
        ('ego_9#t=0,30', 'ego_9', 0, 30), ('ego_9#t=30,60', 'ego_9', 30, 60)]
    assert dataset.docs_cls()._fields == ('doc_id', 'video', 'start', 'end')
    assert dataset.docs_store().get('ego_7#t=60,75.25').end == 75.25
    assert not dataset.has_queries() and not dataset.has_qrels()
    tens = [chunk.doc_id for chunk in ir_datasets.load('momentseeker/chunks/10').docs_iter()]
    assert len(tens) == 8 + 6 and tens[6:9] == ['ego_7#t=60,70', 'ego_7#t=70,75.25', 'ego_9#t=0,10']


def test_missing_and_wrong_durations(momentseeker: Path) -> None:
    path = momentseeker / 'durations.txt'
    path.write_text('ego_7 N/A\n')
    for id in ('momentseeker/t2v', 'momentseeker/chunks/30'):
        with pytest.raises(formats.FormatError, match=r"line 1: 'N/A' is not a number of seconds"):
            list(datasets.load(id).docs_iter())
    path.unlink()
    for id in ('momentseeker/t2v', 'momentseeker/chunks/30', 'momentseeker/chunks/10'):
        with pytest.raises(FileNotFoundError, match=r'durations.txt does not exist: get the videos .* with ffprobe'):
            list(datasets.load(id).docs_iter())


def test_answers_in_several_videos(home: Path) -> None:
    (home / 'medvidqa').mkdir(parents=True)
    path = home / 'medvidqa' / 'trec-2024-answers.json'
    (home / 'medvidqa' / 'trec-2024-topics.txt').write_text('Q1\tHow to tie a sling?\n')
    path.write_text(json.dumps({'Q1': {
        'v': {'relevancy': 'Definitely Relevant', 'answer_start_seconds': [3, 20], 'answer_end_seconds': [9, 31.5]},
        'w': {'relevancy': 'Possibly Relevant', 'answer_start_seconds': [0], 'answer_end_seconds': [5]}}}))
    dataset = ir_datasets.load('medvidqa/trec-2024')
    assert list(dataset.queries_iter()) == [('Q1', 'How to tie a sling?')]
    assert [qrel[:2] for qrel in dataset.qrels_iter()] == [('Q1', 'v#t=3,9'), ('Q1', 'v#t=20,31.5'), ('Q1', 'w#t=0,5')]
    for content, sentence in (({'Q1': []}, 'expected `object`, got `array`'),
                              ({'Q1': {'v': {'answer_start_seconds': [1], 'answer_end_seconds': []}}},
                               'TREC|medvidqa')):
        path.write_text(json.dumps(content))
        with pytest.raises(formats.FormatError, match=sentence):
            datasets.load('medvidqa/trec-2024').qrels_handler().read(path)
