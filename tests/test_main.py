"""The command as a process: interrupted while it is imported, with output that an encoding lacks or that is closed."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import sample

pytestmark = pytest.mark.skipif(os.name == 'nt', reason='needs signals and a shell')

# Python imports this before all else.
STOP = """
import os, signal, sys
def stop(event, arguments):
    if event == 'import' and arguments[0] == {name!r}:
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(stop)
"""
COMMANDS = {
    'measures': (), 'datasets': (), 'evaluate': ('QRELS', 'RUN', 'T2I_AP(tau=15)', '-q'),
    'convert': ('RUN', '-', '--from', 'trec', '--to', 'trec'), 'check': ('RUN', '--format', 'trec'),
    'compare': ('QRELS', 'RUN', 'OTHER', '-m', 'MAgP'),
}


def command(*args: Any, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, '-m', 'ir_segmeasures', *map(str, args)], capture_output=True,
                          env={**os.environ, **environment})


@pytest.mark.parametrize('name', ['ir_segmeasures.commands', 'argparse'])
def test_interrupted_while_it_is_imported(name: str, tmp_path: Path) -> None:
    (tmp_path / 'sitecustomize.py').write_text(STOP.format(name=name))
    found = command('measures', PYTHONPATH=os.pathsep.join([str(tmp_path), os.environ.get('PYTHONPATH', '')]))
    assert (found.returncode, found.stdout, found.stderr) == (130, b'', b'')


@pytest.fixture(scope='module')
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A run and qrels whose ids few encodings have, and another run."""
    folder = tmp_path_factory.mktemp('files')
    for name, text in (('QRELS', 'ж 0 文#t=0,10 1\n'), ('RUN', 'ж Q0 文#t=0,10 1 2 r\n'),
                       ('OTHER', 'ж Q0 文#t=5,10 1 2 s\n')):
        (folder / name).write_text(text, encoding='utf-8')
    return {name: str(folder / name) for name in ('QRELS', 'RUN', 'OTHER')}


@pytest.mark.parametrize('name', COMMANDS)
def test_output_that_the_encoding_lacks(name: str, files: dict[str, str]) -> None:
    found = command(name, *(files.get(word, word) for word in COMMANDS[name]), PYTHONIOENCODING='cp1252')
    assert b'Traceback' not in found.stderr
    assert b'codec' not in found.stderr
    assert found.returncode == 0, found.stderr
    if name == 'evaluate':  # convert writes files, which are UTF-8
        assert b'?\tT2I_AP' in found.stdout


@pytest.mark.parametrize('name', COMMANDS)
def test_no_standard_output(name: str, files: dict[str, str]) -> None:
    words = ' '.join(f"'{files.get(word, word)}'" for word in COMMANDS[name])
    found = subprocess.run(f'{sys.executable} -m ir_segmeasures {name} {words} >&-', shell=True, capture_output=True)
    assert b'Traceback' not in found.stderr
    assert found.stderr.count(b'\n') <= 1
    assert found.returncode in (0, 1)


def test_no_standard_input(files: dict[str, str]) -> None:
    found = subprocess.run(f"{sys.executable} -m ir_segmeasures evaluate '{files['QRELS']}' - MAgP <&-", shell=True,
                           capture_output=True)
    assert (found.returncode, found.stdout, found.stderr) == (
        1, b'', b'ir_segmeasures: standard input is closed: give a file, or leave it open\n')


DOCUMENTS = ('AP', 'P@3', 'nDCG@3')


@pytest.mark.parametrize('relevance', ['0.5', '-2', '10001', '100000000000000000000'])
@pytest.mark.parametrize('measure', DOCUMENTS)
def test_what_trec_eval_cannot_take(measure: str, relevance: str, tmp_path: Path, run: Any) -> None:
    qrels = tmp_path / 'qrels'
    qrels.write_text(f'q1 0 d 1\nq1 0 e {relevance}\n')
    for name, args in (('evaluate', (qrels, sample.path('good.run'), measure)),
                       ('compare', (qrels, sample.path('good.run'), sample.path('poor.run'), '-m', measure))):
        found = run(name, *args)
        assert (found.code, found.out) == (1, '')
        assert found.err == (f'ir_segmeasures: {qrels}, line 2: the relevance {relevance} is not a whole number from '
                             f'-1 to 10,000, and {measure} takes these alone: round it, or measure segments\n')


@pytest.mark.parametrize('measure', ['P@3', 'Judged@3'])
@pytest.mark.parametrize('kind', ['qrels', 'run'])
def test_half_of_a_surrogate_pair(kind: str, measure: str, tmp_path: Path) -> None:
    """Which crashes the process inside trec_eval, so that it is one of its own here."""
    ids = {'qrels': 'v', 'run': 'v', kind: '\\ud800'}
    (tmp_path / 'qrels').write_text(f'{{"qid": 1, "vid": "{ids["qrels"]}", "relevant_windows": [[0, 1]]}}\n')
    (tmp_path / 'run').write_text(f'{{"qid": 1, "vid": "{ids["run"]}", "pred_relevant_windows": [[0, 1, 0.5]]}}\n')
    found = command('evaluate', tmp_path / 'qrels', tmp_path / 'run', measure, '--qrels-format', 'moments',
                    '--run-format', 'moments')
    assert (found.returncode, found.stdout) == (1, b'')
    said = found.stderr.decode()
    assert said.startswith(f'ir_segmeasures: {tmp_path / kind}, line 1: ') and 'half of a surrogate pair' in said
