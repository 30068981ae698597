"""Windows and macOS, as far as another system can show: no call that only POSIX has, no file that is replaced while it
is open, no text in the encoding of the machine. Nobody could run the suite on these systems yet."""

import ast
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ir_segmeasures
from ir_segmeasures import formats, parse_segment, quote_id, sample, unquote_id
from ir_segmeasures.formats.files import replacement

PACKAGE = Path(ir_segmeasures.__file__).parent
POSIX = {'fcntl', 'grp', 'posix', 'pty', 'pwd', 'resource', 'syslog', 'termios', 'tty'}
POSIX_NAMES = {'os': {'fork', 'forkpty', 'getuid', 'geteuid', 'getgid', 'getpgid', 'killpg', 'mkfifo', 'nice', 'setsid',
                      'uname', 'wait', 'fchmod', 'chown', 'chroot', 'ttyname', 'openpty', 'sync', 'statvfs', 'WNOHANG'},
               'signal': {'SIGALRM', 'SIGHUP', 'SIGKILL', 'SIGPIPE', 'SIGUSR1', 'SIGUSR2', 'SIGCHLD', 'alarm', 'pause'},
               'select': {'poll', 'epoll'}, 'time': {'tzset'}}


@cache
def nodes() -> list[tuple[str, Any]]:
    """The imports, calls and attributes of the package, with their modules."""
    return [(path.relative_to(PACKAGE).as_posix(), node) for path in sorted(PACKAGE.rglob('*.py'))
            for node in ast.walk(ast.parse(path.read_text(encoding='utf-8')))
            if isinstance(node, ast.Import | ast.ImportFrom | ast.Call)
            or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in POSIX_NAMES)]


def test_calls_that_only_posix_has_are_guarded() -> None:
    found = set()
    for path, node in nodes():
        if isinstance(node, ast.Import):
            found |= {f'{path}: {name.name}' for name in node.names if name.name in POSIX}
        elif isinstance(node, ast.ImportFrom) and node.module in POSIX:
            found.add(f'{path}: {node.module}')
        elif isinstance(node, ast.Attribute) and node.attr in POSIX_NAMES[node.value.id]:
            found.add(f'{path}: {ast.unparse(node)}')
    assert found == set()


def test_texts_name_their_encoding() -> None:
    found = []
    for path, node in nodes():
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, 'attr', getattr(node.func, 'id', ''))
        if name not in ('open', 'fdopen', 'read_text', 'write_text'):
            continue
        words = {word.arg for word in node.keywords}
        if name in ('read_text', 'write_text') and isinstance(node.func, ast.Attribute):
            place = 0 if name == 'read_text' else 1
            text = 'encoding' not in words and len(node.args) <= place
        elif ast.unparse(node.func) in ('open', 'os.fdopen', 'gzip.open'):
            mode = ast.unparse(node.args[1]) if len(node.args) > 1 else "'r'"
            text = 'encoding' not in words and 'b' not in mode and 'mode' not in mode
        else:
            continue
        if text:
            found.append(f'{path}:{node.lineno}: {ast.unparse(node)}')
    assert found == []


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is open cannot be replaced, nor be removed."""
    if not os.path.isdir('/proc/self/fd'):
        pytest.skip('which files are open is looked up as Linux has it')
    for name in ('replace', 'rename', 'unlink', 'remove'):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))


def refusing(change: Callable[..., None]) -> Callable[..., None]:
    def refuse_open(path: Any, *args: Any, **kwargs: Any) -> None:
        for file in (path, *args[:1]):
            here = os.path.realpath(os.fspath(file))
            for number in os.listdir('/proc/self/fd'):
                if os.path.realpath(f'/proc/self/fd/{number}') == here and os.path.isfile(here):
                    raise PermissionError(13, 'The process cannot access the file because it is being used', here)
        change(path, *args, **kwargs)
    return refuse_open


@pytest.mark.usefixtures('windows')
class TestOpenFiles:
    def test_a_file_is_replaced(self, tmp_path: Path) -> None:
        path = tmp_path / 'out'
        for text in (b'old', b'new'):
            with replacement.whole_file(path) as file:
                file.write(text)
            assert path.read_bytes() == text
        with pytest.raises(KeyError), replacement.whole_file(path):
            raise KeyError
        assert [file.name for file in tmp_path.iterdir()] == ['out']
        assert path.read_bytes() == b'new'

    def test_commands_write(self, tmp_path: Path, run: Any) -> None:
        for _ in range(2):
            for command in (f'convert RUN {tmp_path}/out.run --from trec --to trec', f'demo --save {tmp_path}/saved',
                            f'pool RUN --depth 3 --out {tmp_path}/pool.csv'):
                assert run(*command.replace('RUN', sample.path('good.run')).split()).code == 0, command

    def test_scores_are_kept(self, tmp_path: Path) -> None:
        pytest.importorskip('filelock')
        for name in ('good', 'poor'):
            ir_segmeasures.evaluate_runs(['MAiSP'], formats.read_qrels(sample.path('qrels.txt')),
                                         {name: sample.path(f'{name}.run')}, out=tmp_path / 'scores.csv')
        assert (tmp_path / 'scores.csv').read_text(encoding='utf-8').count('MAiSP') == 2


@pytest.mark.parametrize('name', [r'C:\talks\Lecture 01.vtt', r'\\server\share\a.mp4', 'D:talk', r'a\b#c%d'])
def test_names_with_drives_and_backslashes(name: str) -> None:
    id = quote_id(name)
    assert unquote_id(id) == name
    assert parse_segment(f'{id}#t=1,2').document == id
