"""The hosts' own commands and loaders know segments after ``ir_segmeasures hosts --on``, and no more after --off."""

import os
import site
import subprocess
import venv
from pathlib import Path
from typing import Any

import pytest

import ir_segmeasures
from ir_segmeasures import sample
from ir_segmeasures.commands import hosts

QRELS, GOOD = sample.path('qrels.txt'), sample.path('good.run')


@pytest.fixture(scope='module')
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that has the packages of this one."""
    folder = tmp_path_factory.mktemp('environment')
    venv.create(folder, symlinks=os.name != 'nt')
    packages, = folder.glob('lib/python3*/site-packages')
    places = [str(Path(ir_segmeasures.__file__).parents[1]), *site.getsitepackages()]
    (packages / 'here.pth').write_text('\n'.join(places) + '\n')
    return folder


def run(environment: Path, *args: Any) -> subprocess.CompletedProcess[str]:
    settings = {name: value for name, value in os.environ.items() if name != 'PYTHONPATH'}
    return subprocess.run([environment / 'bin' / 'python', *map(str, args)], capture_output=True, text=True,
                          env=settings, check=False)


@pytest.fixture(scope='module')
def switched_on(environment: Path) -> Any:
    said = run(environment, '-m', 'ir_segmeasures', 'hosts', '--on')
    assert said.returncode == 0, said.stderr
    line, *states = said.stdout.splitlines()
    assert line.startswith(str(environment)) and ': import sys; sys.meta_path.insert(' in line
    assert sum(state.endswith(': yes') for state in states) >= 2
    yield environment
    assert 'is not there any more' in run(environment, '-m', 'ir_segmeasures', 'hosts', '--off').stdout
    assert not list(environment.rglob(hosts.FILE))


pytestmark = pytest.mark.skipif(os.name == 'nt', reason='environments have other folders there')


def test_what_is_known_before(environment: Path) -> None:
    said = run(environment, '-m', 'ir_segmeasures', 'hosts').stdout
    assert 'ir-measures' in said and said.count(': no') >= 1
    assert 'unknown measure' in run(environment, '-m', 'ir_measures', QRELS, GOOD, 'T2I_MAP(tau=15)@10').stderr


@pytest.mark.parametrize('switch', ['--on', '--off'])
def test_a_folder_that_cannot_be_written(switch: str, environment: Path) -> None:
    packages, = environment.glob('lib/python3*/site-packages')
    (packages / hosts.FILE).mkdir()  # which root cannot write either
    try:
        said = run(environment, '-m', 'ir_segmeasures', 'hosts', switch)
        assert said.returncode == 1 and said.stderr.count('\n') == 1 and 'use a virtual environment' in said.stderr
    finally:
        (packages / hosts.FILE).rmdir()


class TestSwitchedOn:
    def test_the_command_of_ir_measures(self, switched_on: Path) -> None:
        theirs = run(switched_on, '-m', 'ir_measures', QRELS, GOOD, 'T2I_MAP(tau=15)@10', 'MAiSP', 'AP')
        ours = run(switched_on, '-m', 'ir_segmeasures', 'evaluate', QRELS, GOOD, 'T2I_MAP(tau=15)@10', 'MAiSP', 'AP')
        assert theirs.returncode == 0, theirs.stderr
        assert [line.split()[1] for line in theirs.stdout.splitlines()] == [
            line.split()[1] for line in ours.stdout.splitlines()]
        provided = run(switched_on, '-m', 'ir_measures', QRELS, GOOD, 'MAiSP', '--provider', 'segmeasures')
        assert provided.stdout.startswith('MAiSP\t'), provided.stderr
        assert 'unknown measure: nope' in run(switched_on, '-m', 'ir_measures', QRELS, GOOD, 'nope').stderr

    def test_parse_measure_and_what_is_imported(self, switched_on: Path) -> None:
        program = ("import sys, ir_measures; before = 'ir_segmeasures' in sys.modules\n"
                   "ir_measures.parse_measure('AP')\n"
                   "print(before, 'ir_segmeasures' in sys.modules, ir_measures.parse_measure('MAiSP@3'))")
        assert run(switched_on, '-c', program).stdout == 'False False MAiSP@3\n'
        assert run(switched_on, '-c', 'import sys; print([m for m in sys.modules if "segmeasures" in m])'
                   ).stdout == '[]\n'

    def test_the_command_of_ir_datasets(self, switched_on: Path) -> None:
        pytest.importorskip('ir_datasets')
        listed = run(switched_on, '-m', 'ir_datasets', 'list').stdout.split()
        assert {'mediaeval-sh/2014/search', 'trecvid-avs/2021', 'inex/2010/adhoc'} <= set(listed)
        said = run(switched_on, '-m', 'ir_datasets', 'export', 'inex/2010/adhoc', 'qrels').stderr
        assert 'inex2010.qrels' in said  # which people have to get

    def test_judgements_of_a_collection(self, switched_on: Path, tmp_path: Path, monkeypatch: Any) -> None:
        pytest.importorskip('ir_datasets')
        monkeypatch.setenv('IR_DATASETS_HOME', str(tmp_path))
        files = {'mediaeval-sh/2015/search.qrel': 'q1 0 v1 0.00 0.20 1\n',
                 'trecvid-avs/2020/avs.qrels.main.tv20': '1661 0 shot1_1 1 1\n',
                 'inex/2009/inex2009.qrels': '2009001 Q0 7 10 100 0 0:10\n'}
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True)
            (tmp_path / name).write_text(text)
        for id, row in (('mediaeval-sh/2015/search', 'q1 0 v1#t=0,20 1'), ('trecvid-avs/2020', '1661 0 shot1_1 1'),
                        ('inex/2009/adhoc', '2009001 Q0 7#char=0,10 1')):
            said = run(switched_on, '-m', 'ir_datasets', 'export', id, 'qrels', '--fields', 'relevance')
            assert said.stdout == f'{row}\n', said.stderr
        (tmp_path / 'a.run').write_text('q1 Q0 v1#t=0,20 1 1 a\n')
        said = run(switched_on, '-m', 'ir_measures', 'mediaeval-sh/2015/search', tmp_path / 'a.run', 'MAiSP')
        assert said.stdout == 'MAiSP\t1.0000\n', said.stderr

    def test_a_package_that_cannot_be_imported(self, switched_on: Path) -> None:
        program = ("import sys; sys.modules['numpy'] = None; import ir_measures\n"
                   "print(ir_measures.parse_measure('AP')); ir_measures.parse_measure('MAiSP')")
        said = run(switched_on, '-c', program)
        assert said.stdout == 'AP\n' and f'delete {switched_on}' in said.stderr

    def test_hosts_are_imported_without_the_package(self, switched_on: Path) -> None:
        program = "import sys, ir_datasets; ir_datasets.load('antique'); print('ir_segmeasures' in sys.modules)"
        assert run(switched_on, '-c', program).stdout == 'False\n'

    def test_it_is_written_again_as_it_is(self, switched_on: Path) -> None:
        file, = switched_on.rglob(hosts.FILE)
        before = file.read_text()
        assert before in run(switched_on, '-m', 'ir_segmeasures', 'hosts', '--on').stdout
        assert file.read_text() == before and before.count('\n') == 1
