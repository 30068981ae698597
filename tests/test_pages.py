"""The pages are true: Python and commands run, tables are those of the registries."""

import inspect
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import util
from pathlib import Path
from typing import Any

import pytest
from documented import check_python, skip_unless_installed

from ir_segmeasures import formats
from ir_segmeasures.measures.base import NAMES
from ir_segmeasures.measures.elements.base import OF_GRADES, QUANT

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / 'ir_segmeasures' / 'pt_docs'
TEXTS = {path.relative_to(PAGES).with_suffix('').as_posix(): path.read_text(encoding='utf-8')
         for path in sorted(PAGES.rglob('*.rst'))}


def blocks(page: str, language: str) -> list[str]:
    """The blocks of a language, without their indentation, and with commands that go on after a backslash joined."""
    found = re.findall(rf'^\.\. code-block:: {language}\n(?:   :.*\n)*\n((?:(?:   .*)?\n)+)', TEXTS[page], re.M)
    return [re.sub(r'^   ', '', re.sub(r' \\\n +', ' ', block), flags=re.M).strip('\n') for block in found]


@pytest.fixture
def folder(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty working folder; a dataset that a page adds is removed again."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    if util.find_spec('ir_datasets'):
        from ir_segmeasures.datasets import DATASETS, remove
        for name in {'mine/sample', 'mine/track'} & DATASETS.keys():
            remove(name)


# Pages whose commands take the files that their Python wrote.
TOGETHER = ('chunks', 'recordings', 'regions_of_code', 'track')


@pytest.mark.parametrize('page', [name for name, text in TEXTS.items() if '>>> ' in text and name not in TOGETHER])
def test_python(page: str, folder: Path) -> None:
    skip_unless_installed(TEXTS[page])
    if 'register_measure(' in TEXTS[page]:  # a process of its own, or every later test knew the measure
        program = (f'import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); from documented import *\n'
                   f'check_python({TEXTS[page]!r}, {page!r})')
        result = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, check=False)
        assert (result.returncode, result.stderr) == (0, '')
    else:
        check_python(TEXTS[page], f'{page}.rst')


@pytest.mark.parametrize('page', [name for name in TEXTS if blocks(name, 'sh')])
def test_commands(page: str, folder: Path, run: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    if page in TOGETHER:
        skip_unless_installed(TEXTS[page])
        check_python(TEXTS[page], f'{page}.rst')
        capsys.readouterr()
    for command in '\n'.join(blocks(page, 'sh')).splitlines():
        program, *arguments = shlex.split(command)
        assert program == 'ir_segmeasures'
        if arguments[0] == 'datasets':
            pytest.importorskip('ir_datasets')
        if arguments[0] == 'view':
            pytest.importorskip('jinja2')
        if arguments[0] in ('compare', 'study', 'plot'):
            pytest.importorskip('matplotlib' if arguments[0] == 'plot' else 'scipy')
        result = run(*arguments)
        assert result.code == 0, command
        assert not result.err or (arguments[0] == 'convert' and 'left out of' in result.err) or (
            arguments[0] == 'compare' and 'tied items' in result.err) or (
            '--fail-if-worse' in arguments and 'nothing is ' in result.err), command


def test_commands_on_the_files_of_a_campaign(folder: Path, run: Callable[..., Any]) -> None:
    Path('me14sh_search_testSet.qrel').write_text('query_1 Q0 v1 0.10 0.40 1\n')
    Path('my.run').write_text('query_1 Q0 v1 0.05 0.45 0.05 1 3.5\n')
    Path('inex2010.qrels').write_text('2010001 Q0 d1 30 100 10 10:30\n2010001 Q0 d2 0 80\n')
    Path('my.fol').write_text('2010001 Q0 d1 1 9.5 me 20 20\n')
    commands = re.findall(r'^ir_segmeasures (.*)$', '\n'.join(blocks('campaigns', 'text')), re.M)
    assert len(commands) == 5
    results = [run(*shlex.split(command)) for command in commands]
    scored = (f'MAgP(beta=0.25)\t{1.0625 * 2 / 3 / (0.0625 + 2 / 3):.4f}\nMAiP\t{67 / 101:.4f}\n'
              f'AgP_bep\t{490 / 500:.4f}\n')
    clean = 'no violations\n'
    assert [result.out for result in results] == [f'MAiSP\t{30 / 35:.4f}\n', scored, '', clean, clean]
    assert 'left out of my.trec.gz: run_score, jump_in' in results[2].err
    assert formats.read_run('my.trec.gz')[0].doc_id == 'v1#t=5,45'


def test_commands_on_the_answers_of_models(folder: Path, run: Callable[..., Any]) -> None:
    for name in ('scipy', 'matplotlib', 'jinja2'):
        pytest.importorskip(name)
    check_python(TEXTS['answers'], 'answers.rst')  # which makes the files
    commands = re.findall(r'^ir_segmeasures (.*)$', '\n'.join(blocks('answers', 'text')), re.M)
    results = [run(*shlex.split(command)) for command in commands]
    assert [result.code for result in results] == [0] * 5
    assert 'MR-full-mAP & 82.08' in results[1].out
    assert 'last third' in results[2].out and 'no window can be read in 1 of 6 answers' in results[2].err
    assert Path('groups.pdf').read_bytes().startswith(b'%PDF') and 'From' not in Path('page.html').read_text()[:20]


def test_the_worths_of_quantisations_are_those_of_the_measures() -> None:
    page = TEXTS['measures/elements'].partition('.. measures:')[0]
    rows = dict(re.findall(r'^   "``(\w+)``[^"]*", "[^"]*", "([^"]*)"', page, re.M))
    rows = {name: rows[name] for name in QUANT.functions if repr(name) in QUANT.rule}
    for name in OF_GRADES:
        worths = {(int(e), int(s)): float(worth) for worth, pairs in re.findall(r'([\d.]+) for ([^;]+)', rows.pop(name))
                  for e, s in re.findall(r'\((\d), (\d)\)', pairs)}
        assert all(QUANT.functions[name](e, s) == worths.get((e, s), 0) for e in (1, 2, 3) for s in (1, 2, 3))
    assert (rows.pop('binary'), rows.pop('strict2005')) == ('1', '1 for (2, 1)')
    for name, formula in rows.items():
        worth = formula.partition(';')[0].replace('·', '*')
        assert all(QUANT.functions[name](e, s) == pytest.approx(eval(worth, {'e': e, 's': s}))
                   for e in (0, 1, 2) for s in (.25, 1))


@pytest.mark.parametrize(('name', 'signature'), re.findall(
    r'^\.\. autoclass:: ir_segmeasures\.pt\.(\w+)(\(.*\))$', TEXTS['transformers'], re.M))
def test_signatures_are_those_of_the_transformers(name: str, signature: str) -> None:
    segments = pytest.importorskip('pyterrier').segments
    parameters = inspect.signature(getattr(segments, name)).parameters.values()
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
    assert str(inspect.Signature(bare)) == signature


@pytest.fixture(scope='module')
def tables() -> Any:
    """The module that writes what the pages show of the registries."""
    pytest.importorskip('ir_datasets')
    spec = util.spec_from_file_location('tables', ROOT / 'tests' / 'pages' / 'tables.py')
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tables_are_those_of_the_registries(tables: Any) -> None:
    for name in tables.TABLES:
        assert sum(f'.. tables: {name}\n' in text for text in TEXTS.values()) == 1
    for name, text in TEXTS.items():
        assert tables.filled(text) == text, f'{name}.rst is not up to date: python tests/pages/tables.py'


def test_every_measure_has_its_entry_on_the_page_of_a_family(tables: Any) -> None:
    entries = [measure.NAME for name, text in TEXTS.items() for measure in tables.measures_of(text)]
    assert sorted(entries) == sorted({measure.NAME for measure in NAMES.values()})
