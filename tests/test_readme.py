"""The README is true: its commands run, its Python gives what it says, its picture holds the measured values."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from evaluation import values

from ir_segmeasures import T2I_MAP, MAgP, MAiSP, formats
from ir_segmeasures.commands import main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / 'README.md').read_text(encoding='utf-8')
COMMANDS = [line for block in re.findall(r'^```sh\n(.*?)^```', README, re.M | re.S) for line in block.splitlines()]
SYSTEMS = {
    'exact': [(20, 40), (60, 80)],
    'entry points': [(18, 22), (58, 62)],
    'redundant': [(20, 40), (22, 42), (24, 44), (60, 80)],
    'whole': [(0, 100)],
}


def test_set_up_commands_are_those_of_ci() -> None:
    ci = (ROOT / '.ci' / 'run').read_text(encoding='utf-8')
    for command in COMMANDS:
        if command.startswith('python -m pip'):
            assert command in ci


def test_commands(tmp_path: Path) -> None:
    shell = shutil.which('sh')
    if shell is None:
        pytest.skip('there is no shell on this machine')
    env = {**os.environ, 'IR_DATASETS_HOME': str(tmp_path / 'home'),
           'PATH': f'{Path(sys.executable).parent}{os.pathsep}{os.environ["PATH"]}'}
    commands = [command for command in COMMANDS if not command.startswith('python -m pip')]
    assert len(commands) == 10
    for command in commands:
        result = subprocess.run([shell, '-c', command], cwd=tmp_path, env=env, capture_output=True, text=True,
                                check=False)
        assert (result.returncode, result.stderr) == (0, ''), command
        assert result.stdout


def test_commands_on_the_files_of_a_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path('me14sh_search_testSet.qrel').write_text('query_1 Q0 v1 0.10 0.40 1\n')
    Path('my.run').write_text('query_1 Q0 v1 0.05 0.45 0.05 1 3.5\n')
    Path('inex2010.qrels').write_text('2010001 Q0 d1 30 100 10 10:30\n2010001 Q0 d2 0 80\n')
    Path('my.fol').write_text('2010001 Q0 d1 1 9.5 me 20 20\n')
    texts = re.findall(r'^```text\n(.*?)^```', README, re.M | re.S)
    commands = re.findall(r'^ir_segmeasures (.*)$', '\n'.join(texts), re.M)
    assert len(commands) == 5
    for command in commands:
        main(shlex.split(command))
    out, err = capsys.readouterr()
    scored = f'AgP(beta=0.25)\t{1.0625 * 2 / 3 / (0.0625 + 2 / 3):.4f}\nAiP\t{67 / 101:.4f}\nAgP_bep\t{490 / 500:.4f}\n'
    assert out == f'AiSP\t{30 / 35:.4f}\nno violations\n{scored}no violations\n'
    assert 'left out of my.trec.gz: jump-in points' in err
    assert formats.read_run('my.trec.gz')[0].doc_id == 'v1#t=5,45'


def test_python(home: Path) -> None:
    pytest.importorskip('pyterrier')
    from ir_segmeasures.datasets import remove
    test = doctest.DocTestParser().get_doctest(README, {}, 'README.md', 'README.md', 0)
    assert len(test.examples) > 20
    output: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(test, out=output.append)
    remove('mine/sample')
    assert not output, ''.join(output)


@pytest.mark.parametrize('name', SYSTEMS)
def test_picture(name: str) -> None:
    qrels = [('rec', 20, 40, 1), ('rec', 60, 80, 1)]
    run = [('rec', start, end) for start, end in SYSTEMS[name]]
    row = next(line for line in README.splitlines() if re.match(rf'{name} +[|\[]', line))
    assert row.split()[-3:] == [f'{value:.2f}' for value in values([T2I_MAP(tau=15), MAgP, MAiSP], qrels, run)]


def test_all_measures_are_in_the_table() -> None:
    import ir_segmeasures
    from ir_segmeasures.measures import SegmentMeasure
    table = README[README.index('## Measures'):README.index('## Limits')]
    for name in ir_segmeasures.measures.__all__:
        if isinstance(getattr(ir_segmeasures.measures, name), SegmentMeasure):
            assert re.search(rf'`{name}[`@]', table), name
