"""The patches of the page "upstream": each applies to the release of its host that is installed, whose commands then
know this package, and its own tests fail before and pass after."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ir_segmeasures import sample

ROOT = Path(__file__).resolve().parents[2]
PATCHES = sorted((ROOT / 'ir_segmeasures' / 'pt_docs' / 'patches').glob('*.patch'))


def python(folder: Path, *args: object) -> subprocess.CompletedProcess[str]:
    """Run Python with the hosts in the folder."""
    return subprocess.run([sys.executable, *map(str, args)], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, 'PYTHONPATH': os.pathsep.join([str(folder), str(ROOT)])})


def copied(host: str, folder: Path) -> None:
    pytest.importorskip(host)
    found = importlib.util.find_spec(host)
    assert found is not None and found.origin is not None
    shutil.copytree(Path(found.origin).parent, folder / host, ignore=shutil.ignore_patterns('__pycache__'))


def apply(patch: Path, folder: Path, kind: str = '--include=*') -> None:
    if shutil.which('git') is None:
        pytest.skip('git is not installed')
    subprocess.run(['git', 'apply', kind, patch], cwd=folder, check=True,
                   env={**os.environ, 'GIT_CEILING_DIRECTORIES': str(folder.parent)})


@pytest.mark.parametrize('patch', PATCHES, ids=lambda patch: patch.stem)
def test_a_patch_is_complete(patch: Path, tmp_path: Path) -> None:
    copied(patch.stem.partition('-')[0], tmp_path)
    new, = re.findall(r'(?m)^\+\+\+ b/(tests?/.*)$', patch.read_text(encoding='utf-8'))
    apply(patch, tmp_path, '--include=test*')
    if patch.stem != 'ir_measures-values' or sys.version_info >= (3, 12):  # whose names are deprecated from then on
        assert python(tmp_path, '-m', 'pytest', '-q', new).returncode == 1
    apply(patch, tmp_path, '--exclude=test*')
    ran = python(tmp_path, '-m', 'pytest', '-q', new)
    assert ran.returncode == 0, ran.stdout


def test_hosts_load_this_package(tmp_path: Path) -> None:
    for host in ('ir_measures', 'ir_datasets'):
        copied(host, tmp_path)
        apply(next(patch for patch in PATCHES if patch.stem == f'{host}-plugins'), tmp_path)
    declared = (ROOT / 'pyproject.toml').read_text(encoding='utf-8')
    groups = re.findall(r'\[project\.entry-points\."(ir_\w+\.\w+)"\]\n(\w+) = "(\S+)"', declared)
    info = tmp_path / 'mine-1.dist-info'
    info.mkdir()
    (info / 'METADATA').write_text('Metadata-Version: 2.1\nName: mine\nVersion: 1\n')
    (info / 'entry_points.txt').write_text(''.join(f'[{group}]\n{name} = {module}\n' for group, name, module in groups))
    said = python(tmp_path, '-m', 'ir_measures', sample.path('qrels.txt'), sample.path('good.run'), 'MAiSP')
    assert said.stdout == 'MAiSP\t0.6131\n', said.stderr
    listed = python(tmp_path, '-m', 'ir_datasets', 'list').stdout.split()
    assert 'mediaeval-sh/2014/search' in listed and 'antique' in listed
