"""The command official, and the function of the same name: figures of programs from their files."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import official
from ir_segmeasures.study.official_figures import PROGRAMS, official_by_query

TRUTH = [{'qid': 1, 'relevant_windows': [[0, 10]]}]
PREDICTIONS = [{'qid': 1, 'pred_relevant_windows': [[0, 8, .9]]}]
FILES = {
    'qvhighlights': ('qvhighlights-val.jsonl.gz', 'programs/qvhighlights-shuffled-predictions.jsonl.gz'),
    'castella': ('castella-test.jsonl.gz', 'programs/castella-predictions.jsonl.gz'),
    'charades_sta': ('charades-test.jsonl.gz', 'programs/charades-answers.json.gz'),
    'timelens': ('charades-test.jsonl.gz', 'programs/timelens-answers.json.gz'),
    'ego4d_nlq': ('programs/ego4d-nlq-truth.json.gz', 'programs/ego4d-nlq-predictions.json.gz'),
    'activitynet': ('programs/activitynet-truth.json.gz', 'programs/activitynet-predictions.json.gz')}


@pytest.fixture
def files(write: Callable[..., Path]) -> tuple[Path, Path]:
    return (write(json.dumps(TRUTH[0]), 'truth.jsonl'), write(json.dumps(PREDICTIONS[0]), 'predictions.jsonl'))


@pytest.fixture(scope='module')
def printed(shared_data: Path) -> Callable[[str], dict[str, float]]:
    """Some of the figures that a program printed."""
    def of(name: str) -> dict[str, float]:
        folder = shared_data / 'moments' / 'programs'
        if name in ('charades_sta', 'timelens'):
            found = json.loads(gzip.decompress((folder / 'answers-figures.json.gz').read_bytes()))[name]['figures']
        else:
            file = {'qvhighlights': 'qvhighlights-shuffled', 'ego4d_nlq': 'ego4d-nlq'}.get(name, name)
            found = json.loads((folder / f'{file}-figures.json').read_text())
        figures = found.get('brief', found)
        return {name: value for name, value in figures.items() if isinstance(value, float)}
    return of


@pytest.mark.parametrize('name', FILES)
def test_the_figures_of_a_program(name: str, shared_data: Path, printed: Any, run: Any) -> None:
    truth, predictions = (shared_data / 'moments' / file for file in FILES[name])
    found, expected = official(name, truth, predictions), printed(name)
    assert {figure: found[figure] for figure in expected} == pytest.approx(expected, rel=1e-14, abs=0)
    result = run('official', name, truth, predictions, '-o', 'json')
    assert (result.code, json.loads(result.out)) == (0, found)
    lines = run('official', name, truth, predictions).out.splitlines()
    places = PROGRAMS[name].decimals
    assert [line.split('\t') for line in lines] == [
        [figure, str(value) if places is None or isinstance(value, int) else f'{value:.{places}f}']
        for figure, value in found.items()]


def test_the_truth_stands_in_the_answers(shared_data: Path, run: Any) -> None:
    answers = shared_data / 'moments' / 'programs' / 'charades-answers.json.gz'
    found = official('charades_sta', None, answers)
    for truth in ([], ['-'], [answers]):
        assert json.loads(run('official', 'charades_sta', *truth, answers, '-o', 'json').out) == found


def test_a_dataset_for_the_truth(shared_data: Path, home: Path, run: Any) -> None:
    truth, predictions = (shared_data / 'moments' / file for file in FILES['qvhighlights'])
    folder = home / 'qvhighlights'
    folder.mkdir(parents=True)
    shutil.copyfile(truth, folder / 'highlight_val_release.jsonl.gz')
    for id in ('qvhighlights/val', 'moments/qvhighlights/val', 'irds:qvhighlights/val'):
        assert official('qvhighlights', id, predictions) == official('qvhighlights', truth, predictions)
    assert run('official', 'qvhighlights', 'qvhighlights/val', predictions).code == 0


def test_tables(files: tuple[Path, Path], run: Any) -> None:
    written = {format: run('official', 'qvhighlights', *files, '-o', format).out.splitlines()[:5]
               for format in ('csv', 'markdown', 'latex')}
    assert written['csv'][:2] == ['figure,value', 'MR-full-R1@0.5,100.00']
    assert written['markdown'][:3] == ['| figure | value |', '|---|---:|', '| MR-full-R1@0.5 | 100.00 |']
    assert written['latex'][-1] == r'MR-full-R1@0.5 & 100.00 \\'
    assert run('official', '--scores', 'MR-full-mAP', 'qvhighlights', *files).out == 'MR-full-mAP\t70.00\n'


def test_figures_of_classes(shared_data: Path, run: Any) -> None:
    paths = [shared_data / 'moments' / file for file in FILES['activitynet']]
    printed = json.loads((shared_data / 'moments' / 'programs' / 'activitynet-figures.json').read_text())['AP']
    found = official_by_query('activitynet', *paths)
    assert {label: list(figures.values()) for label, figures in found.items()} == printed
    everything = {**found, 'all': official('activitynet', *paths)}
    assert json.loads(run('official', 'activitynet', *paths, '-q', '-o', 'json').out) == everything
    lines = run('official', 'activitynet', *paths, '-q').out.splitlines()
    assert len(lines) == sum(map(len, everything.values())) and all(line.count('\t') == 2 for line in lines)
    with pytest.raises(ValueError, match='the program of castella prints no figures of single queries'):
        official_by_query('castella', [], [])


@pytest.mark.parametrize('args, code, sentence', [
    (('qvhighlight', 'x', 'y'), 2, "no program is called 'qvhighlight': did you mean qvhighlights?"),
    (('xyzzy', 'x', 'y'), 2, "no program is called 'xyzzy': choose from qvhighlights, castella, "),
    (('qvhighlights', 'TRUTH'), 2, 'the program of qvhighlights reads two files: name TRUTH and PREDICTIONS'),
    (('qvhighlights', '-', '-'), 2, '- is standard input, and one file'),
    (('qvhighlights', 'TRUTH', 'PREDICTIONS', '-q'), 2, 'the program of qvhighlights has no scores of single queries'),
    (('qvhighlights', 'nowhere', 'PREDICTIONS'), 1, "nowhere is not a file, and there is no dataset 'nowhere'"),
    (('qvhighlights', 'TRUTH', 'nowhere'), 1, 'nowhere: there is no such file'),
    (('qvhighlights', 'TRUTH', 'BROKEN'), 1, 'broken, line 2: the line is not JSON at column'),
    (('ego4d_nlq', 'BROKEN', 'PREDICTIONS'), 1, 'broken, line 2: the file is not JSON at column'),
    (('qvhighlights', 'PREDICTIONS', 'TRUTH'), 1, 'truth.jsonl like the truth: are the two swapped?'),
    (('qvhighlights', 'ARRAY', 'PREDICTIONS'), 1, 'array: object 1 of the truth is [{'),
    (('qvhighlights', 'TRUTH', 'TRUTH'), 1, 'truth.jsonl: no query has true windows, or no prediction has')])
def test_what_is_wrong(args: tuple[str, ...], code: int, sentence: str, files: tuple[Path, Path], run: Any,
                       write: Callable[..., Path]) -> None:
    paths = {'TRUTH': files[0], 'PREDICTIONS': files[1], 'BROKEN': write('{"qid": 1}\n{"qid"', 'broken'),
             'ARRAY': write('[{"qid": 1}]', 'array')}
    result = run('official', *(paths.get(word, word) for word in args))
    assert (result.code, result.out) == (code, '')
    assert sentence in result.err and ': ' in result.err and result.err.count('\n') == 1


def test_the_help_has_every_program(run: Any) -> None:
    text = run('official').out
    for name, program in PROGRAMS.items():
        assert f'  {name}\n' in text
        for part in (program.campaign, program.truth, program.predictions):
            assert part in ' '.join(text.split())
    with pytest.raises(ValueError, match="'nothing' is not a program whose figures are known: take qvhighlights, "):
        official('nothing', [], [])


@pytest.mark.parametrize('name, answer', [
    ('R1@0.5', 'IoU_R(iou=0.5)@1'), ('R@5, IoU=0.7', 'IoU_R(iou=0.7)@5'), ('MR-full-R1@0.5', 'IoU_R(iou=0.5)@1'),
    ('TIoP@0.3', 'IoP_R(iop=0.3)@1'), ('R@1 IoU>0.3', 'IoU_R(iou=0.3,strict=True)@1'),
    ('Rank@5,mIoU@0.3', 'IoU_R(iou=0.3)@5'), ('mAP', 'mIoU_AP@10'),
    ('mAP@0.75', 'IoU_AP(iou=0.75)@10'), ('mAP@0.5:0.95', 'mIoU_AP@10'), ('HL-min-Good-Hit1', 'HL_Hit(min=3)'),
    ('Hit@1', 'HL_Hit(min=4)'), ('MR-short-mAP', "'official qvhighlights'")])
def test_names_of_papers_are_answered(name: str, answer: str, run: Any, write: Callable[..., Path]) -> None:
    for result in (run('evaluate', 'q', 'r', name), run('measures', name)):
        assert (result.code, result.out) == (2, '')
        assert answer in result.err and result.err.count('\n') == 1
