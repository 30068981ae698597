"""Old names: importable, with a warning at the line that imports them, and the new thing itself.

``python tests/test_old_names.py`` writes the files that follow from the table of old names.
"""

import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import ir_segmeasures
from ir_segmeasures.segments.old_names import NEW_NAMES, moved

PACKAGE = Path(ir_segmeasures.__file__).parent
OLD = PACKAGE / 'segments' / 'old_names'
STUB = """from ir_segmeasures.segments.old_names import moved

moved(__name__)
"""


def is_module(name: str) -> bool:
    path = PACKAGE / name.replace('.', '/')
    return path.with_name(f'{path.name}.py').exists() or (path / '__init__.py').exists()


MODULES = {old: new for old, new in NEW_NAMES.items() if is_module(new)}
NAMES = {old: new for old, new in NEW_NAMES.items() if old not in MODULES}


def files() -> Iterator[tuple[Path, str]]:
    """The files of the folder, and what is in each: modules that moved, or whose names are all elsewhere now."""
    gone = {name.rpartition('.')[0] for name in NAMES}
    for old in {*MODULES, *(module for module in gone if not is_module(module))}:
        is_package = any(other.startswith(f'{old}.') for other in MODULES)
        path = OLD / old.replace('.', '/')
        yield path / '__init__.py' if is_package else path.with_suffix('.py'), STUB


def test_the_files_are_those_of_the_table() -> None:
    found = {path: path.read_text() for path in OLD.rglob('*.py') if path != OLD / '__init__.py'}
    assert found == dict(files()), 'run python tests/test_old_names.py, which writes them'


# Runs lists of lines, each in a fork of a process that has imported the package and nothing else of it.
FORKS = """
import json, os, sys, warnings
import ir_segmeasures
warnings.filterwarnings('always', category=DeprecationWarning, module='__main__')
for line in sys.stdin:
    out, into = os.pipe()
    process = os.fork()
    if not process:
        os.dup2(into, 1)
        os.dup2(into, 2)
        exec(compile(json.loads(line), '<string>', 'exec'), {'__name__': '__main__'})
        sys.stdout.flush()
        os._exit(0)
    os.close(into)
    with open(out) as printed:
        found = printed.read()
    print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), found]), flush=True)
"""


@pytest.fixture(scope='module')
def run() -> Iterator[Callable[..., str]]:
    """What lines of a script print, and what Python warns of."""
    if not hasattr(os, 'fork'):
        pytest.skip('processes cannot be forked here')
    with subprocess.Popen([sys.executable, '-c', FORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        ask, answers = process.stdin, process.stdout

        def run(*lines: str) -> str:
            print(json.dumps('\n'.join(lines)), file=ask, flush=True)
            code, printed = json.loads(answers.readline())
            assert code == 0, printed
            return str(printed)
        yield run
        ask.close()


def expected(old: str, new: str, line: int) -> str:
    return (f'<string>:{line}: DeprecationWarning: ir_segmeasures.{old} is ir_segmeasures.{new} now, and the old name '
            'goes with the next release: import the new one')


@pytest.mark.parametrize('old', MODULES)
def test_modules(old: str, run: Callable[..., str]) -> None:
    new = MODULES[old]
    try:
        __import__(f'ir_segmeasures.{new}')
    except ImportError as error:
        pytest.skip(f'{error}: the extra is missing')
    found = run('from importlib import import_module', '', f'import ir_segmeasures.{old} as old',
                f'new = import_module("ir_segmeasures.{new}")',
                f'import ir_segmeasures.{old}, sys',
                'names = getattr(new, "__all__", [name for name in dir(new) if not name.startswith("_")])',
                f'assert sys.modules["ir_segmeasures.{old}"] is old is ir_segmeasures.{old}',
                'assert all(getattr(old, name) is getattr(new, name) for name in names)', 'print(len(names))')
    assert expected(old, new, 3) in found
    assert int(found.split()[-1]) > 0
    parents = {expected(parent, MODULES[parent], 3) for parent in MODULES if old.startswith(f'{parent}.')}
    assert {line for line in found.splitlines() if 'DeprecationWarning' in line} == {expected(old, new, 3), *parents}


@pytest.mark.parametrize('module', sorted({old.rpartition('.')[0] for old in NAMES}))
def test_names(module: str, run: Callable[..., str]) -> None:
    names = [(old, *NAMES[old].rpartition('.')) for old in NAMES if old.rpartition('.')[0] == module]
    found = run(*(line for old, place, _, new in names for line in (
        f'from ir_segmeasures.{module} import {old.rpartition(".")[2]} as old',
        f'from ir_segmeasures.{place} import {new} as new; assert old is new')))
    for number, (old, *_) in enumerate(names):
        assert expected(old, NAMES[old], 2 * number + 1) in found


def test_a_module_whose_names_are_in_several(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, new in (('gone.Cut', 'segments.segment.Segment'), ('gone.page', 'segments.quoting.shown')):
        monkeypatch.setitem(NEW_NAMES, name, new)
    module = ModuleType('ir_segmeasures.gone')
    monkeypatch.setitem(sys.modules, 'ir_segmeasures.gone', module)
    moved('ir_segmeasures.gone')
    with pytest.warns(DeprecationWarning, match=r'gone\.Cut is ir_segmeasures\.segments\.segment\.Segm') as found:
        from ir_segmeasures.gone import Cut
    assert Cut is ir_segmeasures.Segment
    assert found[0].filename == __file__
    assert module.__all__ == ['Cut', 'page']
    assert not hasattr(module, 'never_was')
    # The module has a successor, which lacks one of the names.
    monkeypatch.setitem(NEW_NAMES, 'gone', 'segments.segment')
    with pytest.warns(DeprecationWarning, match=r'gone is ir_segmeasures\.segments\.segment now'):
        moved('ir_segmeasures.gone')
    assert module.parse_segment is ir_segmeasures.parse_segment
    with pytest.warns(DeprecationWarning, match=r'gone\.Cut is '):
        assert module.Cut is ir_segmeasures.Segment


RELEASE = dict(line.split(':') for line in Path(__file__).with_name('last_release.txt').read_text().splitlines())


@pytest.mark.parametrize('module', RELEASE)
def test_public_names_of_the_last_release(module: str) -> None:
    """The modules below ir_segmeasures, and what __all__ of the documented ones held: a name that is
    missing needs a line in the table."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', DeprecationWarning)
        try:
            found = import_module(f'ir_segmeasures.{module}')
        except ModuleNotFoundError as error:
            if (error.name or '').startswith('ir_segmeasures'):
                raise
            pytest.skip(f'{error}: the extra is missing')
        assert [name for name in RELEASE[module].split() if not hasattr(found, name)] == []


def test_a_function_keeps_its_place(run: Callable[..., str]) -> None:
    """The import system puts a module into its package, also where a function of its name is."""
    found = run('import ir_segmeasures.study', 'function = ir_segmeasures.study.power',
                'from ir_segmeasures.study.power import Power', 'import ir_segmeasures.study.separation as new',
                'assert Power is new.Power', 'try: ir_segmeasures.study.power(1)',
                'except TypeError as error: print(str(error))')
    assert 'power() missing' in found


def test_public_ways_that_stay(run: Callable[..., str]) -> None:
    assert run('from ir_segmeasures import chunks, show, SegmentTable, resolve',
               'import ir_segmeasures', 'assert ir_segmeasures.chunks is chunks') == ''


def test_names_that_never_were(run: Callable[..., str]) -> None:
    for module in {name.rpartition('.')[0] for name in NAMES}:
        found = run(f'import ir_segmeasures.{module} as module', 'print(hasattr(module, "never_was"))')
        assert found.endswith('False\n')


def write() -> None:
    """Writes the files of the folder anew."""
    for path in OLD.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != '__init__.py':
            path.unlink()
    for path, text in files():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == '__main__':
    write()
