"""Files of MediaEval's anchoring task: the format, its rules, its dataset, and the figures of its program."""

from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import checks, formats
from ir_segmeasures.formats import SegmentQrel, SegmentScoredDoc, TrecQrel, WriteError

QRELS = 'v 0.58 2.57 0\nv 0.04 1.38 2\nw 3.0 4.05 1\n'
RUN = 'v Q0 0.10 1.00 2 0.5 me\nv Q0 0.00 0.09 1 0.9 me\nw Q0 1.0 1.30 1 0.1 me\n'


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    qrels, run = tmp_path / 'qrels', tmp_path / 'run'
    qrels.write_text(QRELS)
    run.write_text(RUN)
    return qrels, run


def test_is_read_and_written(files: tuple[Path, Path], tmp_path: Path) -> None:
    qrels = formats.read_qrels(files[0], 'sh-anchoring')
    assert qrels == [SegmentQrel('v', 'v', 58, 177, 0, '0'), SegmentQrel('v', 'v', 4, 98, 2, '0'),
                     SegmentQrel('w', 'w', 180, 245, 1, '0')]
    run = formats.read_run(files[1], 'sh-anchoring')
    # The order is that of the file, whatever ranks and scores say.
    assert run[:2] == [SegmentScoredDoc('v', 'v', 10, 60, -1, 2, .5, None, 'me'),
                       SegmentScoredDoc('v', 'v', 0, 9, -2, 1, .9, None, 'me')]
    assert formats.write_qrels(qrels, tmp_path / 'again', 'sh-anchoring') == []
    assert (tmp_path / 'again').read_text() == 'v 0.58 2.57 0\nv 0.04 1.38 2\nw 3.00 4.05 1\n'
    formats.write_run(run, tmp_path / 'again', 'sh-anchoring')
    assert (tmp_path / 'again').read_text() == (
        'v Q0 0.10 1.00 1 0.5 me\nv Q0 0.00 0.09 2 0.9 me\nw Q0 1.00 1.30 1 0.1 me\n')


def test_the_query_is_the_video(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="is of the query 'q', but in anchoring the query is the video itself"):
        formats.write_qrels([TrecQrel('q', 'v#t=1,2', 1)], tmp_path / 'file', 'sh-anchoring')


def test_rules(files: tuple[Path, Path], tmp_path: Path) -> None:
    assert checks.check(files[1], 'sh-anchoring', qrels=files[0]) == []
    with files[1].open('a') as file:
        file.write('v Q0 2.00 3.00 1 1 me\nv Q0 0.10 1.00 1 1 me\nv Q0 2.30 3.30 1 1 me\nx Q0 9.00 9.30 1 1 me\n')
    (tmp_path / 'videos').write_text('v 00:03:00\nw 00:09:00\n')
    found = checks.check(files[1], 'sh-anchoring', qrels=files[0], videos=tmp_path / 'videos')
    assert [(finding.line, finding.is_warning) for finding in found] == [
        (4, False), (5, False), (6, True), (6, True), (7, False), (7, True)]
    assert "'v' goes on after lines of 'w'" in found[0].sentence
    assert checks.check(files[0], 'sh-anchoring', 'qrels', videos=tmp_path / 'videos')[0].sentence.endswith(
        'overlaps 0.58-2.57 in line 1, which is of the same query')


def test_figures_of_the_official_program(shared_data: Path, run: Any) -> None:
    folder = shared_data / 'mediaeval-sh-2015-anchoring'
    expected = dict(line.split()[::2] for line in (folder / 'expected.txt').read_text().splitlines()
                    if line.split()[1] == 'all')
    result = run('evaluate', folder / 'anchors.qrel', folder / 'anchors.run', 'RR_over', 'P_new@10', 'Rprec_new',
                 '--qrels-format', 'sh-anchoring', '--run-format', 'sh-anchoring', '--places', '12')
    assert dict(line.split() for line in result.out.splitlines()) == {
        'RR_over': expected['MRR'], 'P_new@10': expected['P_10'], 'Rprec_new': expected['recall']}


def test_dataset(home: Path) -> None:
    datasets = pytest.importorskip('ir_segmeasures.datasets', reason='needs ir_datasets')
    file = home / 'mediaeval-sh' / '2015' / 'anchoring.qrel'
    file.parent.mkdir(parents=True)
    file.write_text(QRELS)
    dataset = datasets.load('mediaeval-sh/2015/anchoring')
    assert [tuple(row)[:3] for row in dataset.qrels_iter()] == [
        ('v', 'v#t=58,177', 0), ('v', 'v#t=4,98', 2), ('w', 'w#t=180,245', 1)]
    (home / 'mediaeval-sh' / 'cAnchoring15.txt').write_text('v 00:59:41\n')
    assert list(dataset.queries_iter()) == [('v', 'v', 3581)]
    file = home / 'mediaeval-sh' / '2013' / 'linking.qrel'
    file.parent.mkdir(parents=True)
    file.write_text('anchor_1 Q0 20080401_x 0.10 1.00 1\n')
    (file.parent / 'anchors.xml').write_text(
        '<anchors><anchor><anchorId>anchor_1</anchorId><fileName>20080402_y</fileName><startTime>1.00</startTime>'
        '<endTime>2.00</endTime></anchor></anchors>')
    dataset = datasets.load('mediaeval-sh/2013/linking')
    assert [tuple(row)[:3] for row in dataset.qrels_iter()] == [('anchor_1', '20080401_x#t=10,60', 1)]
    assert next(dataset.queries_iter()) == ('anchor_1', '20080402_y', 60, 120)
