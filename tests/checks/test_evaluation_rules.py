"""Errors and warnings of `evaluate` are violations and warnings of `check`: each case once, for both."""

import random
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import SegmentWarning, checks, formats, sample, segmeasures
from ir_segmeasures.measures import T2I_AP, AP_over, MAiSP

QRELS = 'q 0 rec#t=10,20 1\nq 0 rec#t=30,40 0\nq 0 other#t=5,9 1\n'
RUN = 'q Q0 rec#t=12,18 1 3 x\nq Q0 other#t=1,6 2 2 x\n'
TWICE = 'q Q0 rec#t=12,18 1 3 x\n' * 2
DOUBTS = {  # qrels, run, what evaluate warns of, what check says of the run or (where it begins with qrels) the qrels
    'documents by other names': (QRELS, 'q Q0 rec.mp4#t=12,18 1 3 x\n', "such as 'rec.mp4' and 'rec'", ''),
    'documents in another case': (QRELS, 'q Q0 REC#t=12,18 1 3 x\n', "such as 'REC' and 'rec'", ''),
    'documents in a folder': (QRELS, 'q Q0 talks/rec#t=12,18 1 3 x\n', "such as 'talks/rec' and 'rec'", ''),
    'documents of another collection': (QRELS, 'q Q0 new#t=12,18 1 3 x\n', 'none of the 1 documents', ''),
    'other queries': (QRELS, 'Q Q0 rec#t=12,18 1 3 x\n', 'none of the 1 queries', ''),
    'milliseconds': (QRELS, 'q Q0 rec#t=12000,18000 1 3 x\n', 'by a factor of 1000 if those of the run', ''),
    'milliseconds behind an item that covers everything': (
        QRELS, 'q Q0 rec#t=0,9000 1 3 x\nq Q0 rec#t=12000,18000 2 2 x\nq Q0 other#t=4000,9000 3 1 x\n',
        'no other item of the run shares content with a judged segment (in another unit 2 would)', ''),
    'whole documents': (QRELS, 'q Q0 rec 1 3 x\n', 'the 1 rows of the run are whole documents', ''),
    **{f'ids such as {id}': (QRELS, f'q Q0 {id} 1 3 x\n', "which may be 'rec#t=18,35'", '') for id in (
        'rec_18_35', 'rec?t=18,35', 'rec#T=18,35', 'rec#track=1&t=18,35', 'rec%23t=18,35')},
    'a run joined with itself': (QRELS, TWICE, 'repeat an earlier one', 'is already retrieved'),
    'two grades': ('q 0 rec#t=10,20 1\nq 0 rec#t=10,20 0\n', RUN, 'judged with another grade', 'qrels: but 1 in line'),
    'nothing relevant': ('q 0 rec#t=10,20 0\n', RUN, 'none of the 1 judgements has a relevance', 'qrels: '),
    'an empty run': (QRELS, '', 'the run is empty', ''),
    'empty qrels': ('', RUN, 'the qrels are empty', 'qrels: '),
}
REFUSED = {  # qrels, run, measure, what evaluate says, what check says of the run or the qrels
    'an entry point': ('q 0 rec#t=5,5 1\n', RUN, 'T2I_AP', 'it is judged relevant and has no content', 'qrels: '),
    'an open end': ('q 0 rec#t=5 1\n', RUN, 'T2I_AP', 'it is judged relevant up to the doc', 'qrels: judged relevant'),
    'a whole document': ('q 0 rec 1\n', RUN, 'T2I_AP', 'it is judged relevant up', 'qrels: judged relevant up'),
    'one of them': (f'{QRELS}q 0 new 1\n', RUN, 'T2I_AP', 'it is judged relevant up to', 'qrels: judged relevant up'),
    'qrels of two units': (f'{QRELS}q 0 rec#char=1,2 0\n', RUN, 'T2I_AP', 'in one unit', 'qrels: in one unit'),
    'a run of two units': (QRELS, f'{RUN}q Q0 rec#char=1,2 3 1 x\n', 'T2I_AP', 'in one unit', 'in one unit'),
    'other units': (QRELS, 'q Q0 rec#char=1,2 3 1 x\n', 'T2I_AP', "it is in 'char', but the", "is in 'char', but the"),
    'an item with an open end': (QRELS, 'q Q0 rec#t=12 1 3 x\n', 'MAiSP', "runs to the document's end", 'measures of'),
    'whole documents': (QRELS, 'q Q0 rec 1 3 x\n', 'MAiSP', "runs to the document's end", 'are whole documents'),
    'fractions of characters': (QRELS, 'q Q0 rec#char=1.5,4 1 3 x\n', 'T2I_AP', "has '1.5'", "has '1.5'"),
    'an end before the start': (QRELS, 'q Q0 rec#t=4,1.5 1 3 x\n', 'T2I_AP', 'ends before', 'ends before'),
    'a position that is too large': (QRELS, f'q Q0 rec#t=1,{10 ** 15} 1 3 x\n', 'T2I_AP', 'as a posi', 'as a posi'),
}
OF_MEASURES = {  # of the files above: the measure, what both say, whether it is refused
    'AP': ('AP compares ids, and none of the 2 items', False),
    'ESL(D=30)': ('in ESL(D=30) the whole collection is D=30', False),
    'T2I_AP(rel=2)': ('none of the 3 judgements has a relevance of 2 or more', False),
    'AgP_reading': ("the qrels lack the column 'doc_size'", True),
    'SegFallout(D=17)': ('D=17', True),
}


@pytest.fixture
def files(tmp_path: Path) -> Callable[[str, str], tuple[Path, Path]]:
    def write(qrels: str, run: str) -> tuple[Path, Path]:
        (tmp_path / 'qrels').write_text(qrels)
        (tmp_path / 'run').write_text(run)
        return tmp_path / 'qrels', tmp_path / 'run'
    return write


def checked(run: Any, qrels: Path, items: Path, expected: str) -> Any:
    """What `check` says of the run, or of the qrels where that is expected."""
    if expected.startswith('qrels: '):
        return run('check', qrels, '--format', 'trec', '--kind', 'qrels'), expected[7:]
    return run('check', items, '--format', 'trec', '--qrels', qrels), expected


@pytest.mark.parametrize('case', DOUBTS)
def test_doubts(case: str, run: Any, files: Any) -> None:
    qrels, items, warned, told = DOUBTS[case]
    paths = files(qrels, items)
    done = run('evaluate', *paths, 'T2I_AP')
    assert (done.code, done.err.count('warning: ')) == (0, 1)
    assert warned in done.err
    assert run('evaluate', *paths, 'T2I_AP', '--strict').code == 1
    said, expected = checked(run, *paths, told)
    assert (expected or warned) in said.out
    assert said.out.splitlines()[-1] != 'no violations'


@pytest.mark.parametrize('case', REFUSED)
def test_what_is_refused(case: str, run: Any, files: Any) -> None:
    qrels, items, measure, refused, told = REFUSED[case]
    paths = files(qrels, items)
    done = run('evaluate', *paths, measure)
    assert (done.code, done.out) == (1, '')
    assert refused in done.err
    said, expected = checked(run, *paths, told)
    assert expected in said.out
    # What only some measures refuse is a warning.
    assert re.match('no violations, ' if measure == 'MAiSP' else '[12] violation', said.out.splitlines()[-1])
    asked = run('check', paths[1], '--format', 'trec', '--qrels', paths[0], '--measure', measure)
    assert asked.code == 1
    assert 'violation' in asked.out or refused in asked.err


@pytest.mark.parametrize('measure', OF_MEASURES)
def test_what_depends_on_the_measure(measure: str, run: Any, files: Any) -> None:
    qrels, items = files(QRELS, RUN)
    sentence, is_refused = OF_MEASURES[measure]
    done = run('evaluate', qrels, items, measure)
    assert (done.code, sentence in done.err) == (int(is_refused), True)
    said = run('check', items, '--format', 'trec', '--qrels', qrels, '-m', measure)
    assert said.code == int(is_refused)
    assert sentence in said.out
    assert said.out.splitlines()[-1].startswith('1 violation' if is_refused else 'no violations, 1 warning')
    assert run('check', items, '--format', 'trec', '--qrels', qrels, '-m', 'T2I_AP', 'MAiSP').out == 'no violations\n'
    assert 'only goes with --qrels' in run('check', items, '--format', 'trec', '-m', measure).err


IDS = ['rec#t=10,20', 'rec#t=12.5,60', 'rec#t=5,5', 'rec#t=5', 'rec', 'rec#char=5,9', 'other#t=1,2', 'other',
       'new#t=3,4', 'rec_18_35', 'rec#t=9,5', 'rec#t=5000,9000', 'rec#xpath=/a[1]&char=3,4']


@pytest.mark.parametrize('seed', range(60))
def test_any_files(seed: int, files: Any) -> None:
    draw = random.Random(seed)
    ids = draw.sample(IDS, draw.randint(1, 4))
    qrels, items = files(
        ''.join(f'q{draw.randrange(2)} 0 {draw.choice(ids)} {draw.randrange(2)}\n' for _ in range(draw.randrange(4))),
        ''.join(f'q{draw.randrange(2)} Q0 {draw.choice(ids)} 1 {-k} x\n' for k in range(draw.randrange(4))))
    found = [*checks.check(qrels, 'trec', 'qrels'), *checks.check(items, 'trec', qrels=qrels)]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        try:
            segmeasures.calc_aggregate([T2I_AP, AP_over], formats.read_qrels(qrels), formats.read_run(items))
        except ValueError:  # of AP_over, which needs the ends of items, where there are warnings alone
            assert found
    doubts = [str(doubt.message) for doubt in said if 'have no length' not in str(doubt.message)]  # it is of measures
    for doubt in doubts:
        assert any(doubt == finding.sentence for finding in found) or re.search(
            'repeat an earlier|another grade', doubt)
    assert found or not doubts


def test_nothing_is_said_of_the_sample() -> None:
    for name in ('good.run', 'poor.run'):
        found = checks.check(sample.path(name), 'trec', qrels=sample.path('qrels.txt'))
        assert all(finding.rule == 'overlap' for finding in found)
    with warnings.catch_warnings():
        warnings.simplefilter('error', SegmentWarning)
        segmeasures.calc_aggregate([T2I_AP, MAiSP], formats.read_qrels(sample.path('qrels.txt')),
                                   formats.read_run(sample.path('good.run')))
