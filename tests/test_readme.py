"""The README is true: its commands run, its Python gives what it says, its picture holds the measured values."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest
from documented import README, check_python, skip_unless_installed
from query_values import values

from ir_segmeasures import T2I_MAP, MAgP, MAiSP, __version__

ROOT = Path(__file__).resolve().parents[1]
BLOCKS = re.findall(r'^```(\w*)\n(.*?)^```', README, re.M | re.S)
COMMANDS = [line for language, block in BLOCKS if language == 'sh' for line in block.splitlines()]
PYTHON = [block for language, block in BLOCKS if language == 'python']
SYSTEMS = {
    'exact': [(20, 40), (60, 80)],
    'entry points': [(18, 22), (58, 62)],
    'redundant': [(20, 40), (22, 42), (24, 44), (60, 80)],
    'whole': [(0, 100)],
}
# What the set-up command of the README does not install.
NOT_INSTALLED = ('pandas', 'pyterrier', 'ir_datasets', 'lxml', 'scipy')


def test_set_up_commands_are_those_of_ci() -> None:
    if not (ROOT / '.ci').is_dir():
        pytest.skip('a source distribution has no .ci')
    ci = (ROOT / '.ci' / 'run').read_text(encoding='utf-8')
    set_up = [command for command in COMMANDS if command.startswith('python -m pip')]
    assert len(set_up) == 2
    for command in set_up:
        assert command in ci


def test_commands(tmp_path: Path) -> None:
    shell = shutil.which('sh')
    if shell is None:
        pytest.skip('there is no shell on this machine')
    env = {**os.environ, 'IR_DATASETS_HOME': str(tmp_path / 'home'),
           'PATH': f'{Path(sys.executable).parent}{os.pathsep}{os.environ["PATH"]}'}
    commands = [command for command in COMMANDS if not command.startswith('python -m pip')]
    assert len(commands) >= 7
    for command in commands:
        result = subprocess.run([shell, '-c', command], cwd=tmp_path, env=env, capture_output=True, text=True,
                                check=False)
        assert result.returncode == 0, command
        assert not result.stderr or (' convert ' in command and 'left out of' in result.stderr), command


@pytest.mark.skipif(shutil.which('git') is None, reason='git is not here')
def test_commands_leave_nothing_untracked_in_a_checkout(tmp_path: Path) -> None:
    if not (ROOT / '.gitignore').is_file():
        pytest.skip('a source distribution has no .gitignore')
    shutil.copy(ROOT / '.gitignore', tmp_path)
    for command in COMMANDS:
        if '--save' in command or ' convert ' in command:
            arguments = shlex.split(command, comments=True)[1:]
            subprocess.run([sys.executable, '-m', 'ir_segmeasures', *arguments], cwd=tmp_path, check=True)
    (tmp_path / 'build').mkdir()
    (tmp_path / 'build' / 'of_pip').touch()
    subprocess.run(['git', 'init', '--quiet'], cwd=tmp_path, check=True)
    status = subprocess.run(['git', 'status', '--porcelain'], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert status.stdout == '?? .gitignore\n'


def test_the_citation_is_that_of_the_pages() -> None:
    out = subprocess.run([sys.executable, '-m', 'ir_segmeasures', '--cite'], capture_output=True, text=True,
                         check=True).stdout
    index = (ROOT / 'ir_segmeasures' / 'pt_docs' / 'index.rst').read_text(encoding='utf-8')
    assert indent(out.replace(f'  version = {{{__version__}}},\n', ''), '   ') in index


def test_python_runs_after_the_first_command_alone() -> None:
    block = next(block for block in PYTHON if 'pyterrier' not in block)
    program = (f'import sys; sys.modules.update(dict.fromkeys({NOT_INSTALLED}))\n'  # importing them is an error then
               f'sys.path.insert(0, {str(Path(__file__).parent)!r})\n'
               f'from documented import README, check_python; assert check_python({block!r}, "README.md") >= 7')
    result = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, '')


@pytest.mark.parametrize('number', range(len(PYTHON)))
def test_python(number: int) -> None:
    skip_unless_installed(PYTHON[number])
    assert check_python(PYTHON[number], 'README.md') >= 7


@pytest.mark.parametrize('name', SYSTEMS)
def test_picture(name: str) -> None:
    qrels = [('rec', 20, 40, 1), ('rec', 60, 80, 1)]
    run = [('rec', start, end) for start, end in SYSTEMS[name]]
    row = next(line for line in README.splitlines() if re.match(rf'{name} +[|\[]', line))
    assert row.split()[-3:] == [f'{value:.2f}' for value in values([T2I_MAP(tau=15), MAgP, MAiSP], qrels, run)]
