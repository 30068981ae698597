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

COMMANDS = {
    'convert': ('convert', '--from', 'trec', '--to', 'trec', 'WORK/good.run', 'WORK/out.run'),
    'add': ('datasets', 'add', 'mine', '--qrels', 'WORK/qrels.txt'),
}
SCRIPT = Path(__file__).with_name('interrupted.py')


@pytest.fixture(scope='module')
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files to work on."""
    folder = tmp_path_factory.mktemp('interrupted') / 'before'
    (folder / 'home').mkdir(parents=True)
    for name in ('good.run', 'qrels.txt'):
        shutil.copyfile(sample.path(name), folder / name)
    (folder / 'out.run').write_text('as it was\n')
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
    assert expected in codes
    for _, files in stopped:
        assert files in (before, after)
