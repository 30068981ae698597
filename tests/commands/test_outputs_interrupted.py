"""Commands that write, stopped by a signal at every step, or by a full disk: the old files or the new ones, whole."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import sample

pytestmark = pytest.mark.skipif(not hasattr(os, 'fork'), reason='processes cannot be forked here')

CONVERT = ('convert', '--from', 'trec', '--to', 'trec', 'WORK/good.run', 'WORK/out.run')
ADD = ('datasets', 'add', 'mine', '--qrels', 'WORK/qrels.txt')
COMMANDS = {
    'convert': CONVERT,
    'convert-gz': (*CONVERT[:-1], 'WORK/out.run.gz'),
    'add': ADD,
    'add-replace': (*ADD[:2], 'there', *ADD[3:], '--replace'),
    'remove': ('datasets', 'remove', 'there'),
    'save': ('demo', '--save', 'WORK/saved'),
    'save-new': ('demo', '--save', 'WORK/new'),
}
SCRIPT = Path(__file__).with_name('interrupted.py')


@pytest.fixture(scope='module')
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files to work on, a dataset among them."""
    folder = tmp_path_factory.mktemp('interrupted') / 'before'
    there = folder / 'home' / 'ir_segmeasures' / 'there'
    there.mkdir(parents=True)
    (there / 'formats.json').write_text('{"qrels": "trec"}')
    (there / 'qrels').write_text('q 0 v#t=0,1 1\n')
    for name in ('good.run', 'qrels.txt'):
        shutil.copyfile(sample.path(name), folder / name)
    (folder / 'out.run').write_text('as it was\n')
    (folder / 'saved').mkdir()
    (folder / 'saved' / 'qrels.txt').write_text('as it was\n')
    return folder


@pytest.fixture(scope='module')
def process(folder: Path) -> Iterator[Any]:
    """What stops commands."""
    with subprocess.Popen([sys.executable, str(SCRIPT), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, env={**os.environ, 'IR_DATASETS_HOME': str(folder / 'home')}) as process:
        yield process
        process.stdin.close()


@pytest.mark.parametrize('how', ['SIGTERM', 'SIGINT', 'full'])
@pytest.mark.parametrize('command', COMMANDS)
def test_the_old_or_the_new(command: str, how: str, process: Any) -> None:
    process.stdin.write(json.dumps({'args': COMMANDS[command], 'how': how}) + '\n')
    process.stdin.flush()
    (_, before), (_, after), *stopped = json.loads(process.stdout.readline())
    assert after != before
    expected = {'SIGTERM': 143, 'SIGINT': 130, 'full': 1}[how]
    codes = [code for code, _ in stopped]
    assert set(codes) <= {0, expected}
    if command != 'remove' or how != 'full':  # which needs no room
        assert expected in codes
    for _, files in stopped:
        if command.startswith('save'):  # many files, each of which is old or new
            assert all(files[name] in (before.get(name), after.get(name)) for name in files)
            assert set(before) <= set(files)
        else:
            assert files in (before, after)


# Forks of a small process are quick. Each is killed one step later than the one before.
KILLED = """
import json, os, signal, sys
from pathlib import Path
from ir_segmeasures.datasets import local

home, old, new = map(Path, sys.argv[1:])

def killed_at(wanted):
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0
    steps = 0

    def hook(event, arguments):
        nonlocal steps
        if event.startswith(('open', 'os.', 'shutil.')) and any(str(home) in str(one) for one in arguments):
            steps += 1
            if steps == wanted:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    local.add('mine', new, replace=True)
    os._exit(0)

found, killed = [], True
while killed:
    local.add('mine', old, replace=True)
    killed = killed_at(len(found) + 1)
    local.register_all()
    found.append((home / 'ir_segmeasures' / 'mine' / 'qrels').read_text())
    assert (home / 'ir_segmeasures' / 'mine' / 'formats.json').exists()
print(json.dumps(found))
"""


def test_killed_while_one_replaces_another(home: Path, tmp_path: Path) -> None:
    """The old or the new is there for the next process, whole."""
    from ir_segmeasures.datasets import local
    texts = []
    for name in ('old', 'new'):
        texts.append(f'q 0 {name}#t=0,1 1\n')
        (tmp_path / name).write_text(texts[-1])
    script = subprocess.run([sys.executable, '-c', KILLED, home, tmp_path / 'old', tmp_path / 'new'],
                            capture_output=True, text=True, check=True)
    found = json.loads(script.stdout)
    assert len(found) > 8
    assert set(found) == set(texts)
    assert found == sorted(found, reverse=True)  # the old until the new is there
    local.remove('mine')
