"""Fixtures that all tests share, and how hard hypothesis tries: more in CI than for a newcomer."""

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

settings.register_profile('quick', max_examples=10, deadline=None)
settings.register_profile('ci', max_examples=50, deadline=None)
settings.load_profile('ci' if os.environ.get('CI') else 'quick')

# Which datasets there are is asked while tests are collected, and what people added is none of their business.
os.environ['IR_DATASETS_HOME'] = tempfile.mkdtemp()
os.environ.setdefault('NUMBA_DISABLE_JIT', '1')  # compiling what ranx has takes half a minute
atexit.register(shutil.rmtree, os.environ['IR_DATASETS_HOME'], ignore_errors=True)

SHARED_DATA = Path(__file__).resolve().parents[2] / 'shared' / 'data'

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell, and so in all that is started
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope='session')
def shared_data() -> Path:
    """The folder with real judgements, runs and the official tools' figures; skips the test where it is not there."""
    if not SHARED_DATA.is_dir():
        pytest.skip('the real judgements and runs (shared/data beside the project) are not on this machine')
    return SHARED_DATA


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An ir_datasets home for this test alone."""
    monkeypatch.setenv('IR_DATASETS_HOME', str(tmp_path / 'home'))
    return tmp_path / 'home'


@pytest.fixture
def write(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., Path]:
    """Writes a small file and returns its path; the module may say how its files are called and encoded."""
    usual, encoding = (getattr(request.module, name, default) for name, default in (
        ('FILE_NAME', 'file'), ('FILE_ENCODING', 'utf-8')))

    def write(content: str | bytes, name: str = usual) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode(encoding) if isinstance(content, str) else content)
        return path
    return write


@pytest.hookimpl(tryfirst=True)  # before those that -m leaves out are
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that read the real judgements and runs have the marker ``data``, by the fixture that finds them."""
    for item in items:
        if 'shared_data' in getattr(item, 'fixturenames', ()):
            item.add_marker('data')


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """The whole suite runs on all cores where pytest-xdist is installed, and a few files in this process."""
    option, whole = config.option, config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not whole or not config.pluginmanager.hasplugin('xdist') or hasattr(config, 'workerinput'):  # already on one
        return
    if option.numprocesses is None and not option.usepdb:
        option.numprocesses = 'auto'
        option.dist = 'loadfile'  # what the tests of a file share is made once


def pytest_collection() -> None:
    """While tests are collected, nothing is garbage: looking for it takes a third of the time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What all tests have imported stays: looking at it again and again takes a third of the time of large files."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # tests make few circles
    gc.enable()


class Result(NamedTuple):
    """What a command did: its exit code, standard output and standard error."""
    code: Any
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """The command line, in this process."""
    def run(*args: Any) -> Result:
        from ir_segmeasures.commands import main
        try:
            main(list(map(str, args)))
            code: Any = 0
        except SystemExit as exit:
            code = exit.code
            if isinstance(code, str):  # what Python prints on standard error, with exit code 1
                print(code, file=sys.stderr)
                code = 1
        return Result(code, *capsys.readouterr())
    return run
