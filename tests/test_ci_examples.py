"""The workflow and the hooks among the examples, whose commands run as a shell runs them."""

import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip('yaml')
pytest.importorskip('scipy')
pytestmark = pytest.mark.skipif(os.name != 'posix', reason='takes sh, as the machines of the workflow have it')

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / 'examples' / 'ci'
JUDGED = 'query,file,start,end,grade\n' + ''.join(f'q{number},talk,60,90,1\n' for number in range(12))
RETRIEVE = ('print("query,file,start,end,score")\n'
            'for number in range(12):\n    print(f"q{number},talk,{START + number % 3},90,1")\n')


@pytest.fixture
def shell(tmp_path: Path) -> Callable[..., Any]:
    """Runs a command in a folder, with python and ir_segmeasures as they are here."""
    programs = tmp_path / 'bin'
    programs.mkdir()
    for name, arguments in (('python', ''), ('ir_segmeasures', ' -m ir_segmeasures')):
        path = programs / name
        path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{arguments} "$@"\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    environment = {**os.environ, 'PATH': f'{programs}{os.pathsep}{os.environ["PATH"]}', 'PYTHONPATH': str(ROOT),
                   'GITHUB_BASE_REF': 'main', 'GITHUB_STEP_SUMMARY': str(tmp_path / 'summary.md'),
                   'GIT_CONFIG_GLOBAL': os.devnull, **{
                       f'GIT_{who}_{what}': f'a@{what}.invalid' for who in ('AUTHOR', 'COMMITTER')
                       for what in ('NAME', 'EMAIL')}}

    def shell(command: list[str], folder: Path) -> Any:
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return shell


@pytest.mark.skipif(shutil.which('git') is None, reason='git is not here, which the workflow calls')
@pytest.mark.parametrize('start, code', [(60, 0), (20, 1)])
def test_workflow(shell: Any, tmp_path: Path, start: int, code: int) -> None:
    origin, mine = tmp_path / 'origin', tmp_path / 'mine'
    origin.mkdir()
    (origin / 'judgements.csv').write_text(JUDGED)
    (origin / 'retrieve.py').write_text(RETRIEVE.replace('START', '58'))
    for command in ('git init --quiet -b main', 'git add .', 'git commit --quiet -m base'):
        assert shell(shlex.split(command), origin).returncode == 0
    assert shell(['git', 'clone', '--quiet', str(origin), str(mine)], tmp_path).returncode == 0
    (mine / 'retrieve.py').write_text(RETRIEVE.replace('START', str(start)))
    steps = yaml.safe_load((FOLDER / 'retrieval.yml').read_text())['jobs']['compare']['steps']
    commands = {step['name']: step['run'] for step in steps if 'run' in step}
    assert list(commands) == ['Install', 'Retrieve', 'Check', 'Compare']
    install = shlex.split(commands.pop('Install'))
    assert install == ['python', '-m', 'pip', 'install', './ir_segmeasures[study]']  # no index has the package
    (mine / 'ir_segmeasures').symlink_to(ROOT)
    if find_spec('hatchling'):
        offline = ['--dry-run', '--no-deps', '--no-build-isolation', '--no-index', '--no-cache-dir']
        done = shell([*install, *offline], mine)
        assert done.returncode == 0 and 'does not provide the extra' not in done.stderr, done.stderr
    results = {name: shell(['bash', '-e', '-c', command], mine) for name, command in commands.items()}
    assert [result.returncode for result in results.values()] == [0, 0, code], results
    said = results['Compare'].stderr
    assert said.count('\n') == 1
    assert said.startswith('ir_segmeasures: new is worse by MAiSP: ' if code else
                           'ir_segmeasures: nothing is worse than base by MAiSP')
    page = (tmp_path / 'summary.md').read_text()
    assert page.startswith('**new is worse by MAiSP' if code else '**nothing is worse') and '| system | MAiSP |' in page


@pytest.mark.parametrize('id, right, wrong', [
    ('check-runs', 'q Q0 v#t=0,5 1 2 me\n', 'q Q0 v#t=0,5 1 x me\n'),
    ('check-judgements', JUDGED, JUDGED + 'q1,talk,9,3,1\n'),
])
def test_hooks(shell: Any, tmp_path: Path, id: str, right: str, wrong: str) -> None:
    hook, = (hook for repo in yaml.safe_load((FOLDER / 'pre-commit-config.yaml').read_text())['repos']
             for hook in repo['hooks'] if hook['id'] == id)
    names = ['runs/my first.run', 'runs/other.run'] if id == 'check-runs' else ['judgements.csv', 'judgements 2.csv']
    assert all(re.search(hook['files'], name) for name in names) and not re.search(hook['files'], 'README.md')
    (tmp_path / 'runs').mkdir()
    for content, code in ((right, 0), (wrong, 1)):
        for name, text in zip(names, (content, right)):
            (tmp_path / name).write_text(text)
        result = shell([*shlex.split(hook['entry']), *names], tmp_path)  # as pre-commit makes its command
        assert result.returncode == code, result
        assert result.stdout.count('no violations') == 2 - code
        assert (names[0] in result.stdout) == bool(code)
