"""Standard input and output in every command that reads or writes, rounding, and options of readers in all of them."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import formats, sample

QRELS, GOOD, POOR = (sample.path(name) for name in ('qrels.txt', 'good.run', 'poor.run'))
WINDOWS = '{"qid": 1, "vid": "v", "duration": 30, "relevant_windows": [[0, 5]]}\n'
PREDICTED = '{"qid": 1, "vid": "v", "pred_relevant_windows": [[-0.5, 4, 2], [20, 31.5, 1]]}\n'


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a text or the content of a file on standard input."""
    def give(content: str) -> None:
        data = Path(content).read_bytes() if '\n' not in content else content.encode()
        monkeypatch.setattr(sys, 'stdin', io.TextIOWrapper(io.BytesIO(data)))
    return give


class TestStandardInputAndOutput:
    @pytest.mark.parametrize('command', [
        ('evaluate', '-', GOOD, 'MAiSP'), ('compare', '-', GOOD, POOR, '-m', 'MAiSP'),
        ('study', 'agreement', '-', GOOD, '-m', 'MAiSP', 'MAgP')])
    def test_judgements(self, run: Any, given: Any, command: tuple[str, ...]) -> None:
        given(QRELS)
        found = run(*command)
        assert found == run(*(QRELS if word == '-' else word for word in command))
        assert (found.code, found.err) == (0, '')

    def test_a_run_that_is_checked(self, run: Any, given: Any) -> None:
        given(GOOD)
        assert run('check', '-', '--format', 'trec') == run('check', GOOD, '--format', 'trec')
        given('q Q0 v#t=1,2 1 1 r\nq Q0 v#t=1,2 2 0 r\n')
        assert run('check', '-', '--format', 'trec').out.startswith('standard input, line 2: ')
        given('q Q0 \x00\n')
        assert run('check', '-', '--format', 'trec').err.startswith('ir_segmeasures: standard input, line 1: there is')

    def test_conversion(self, run: Any, given: Any, tmp_path: Path) -> None:
        given(GOOD)
        piped = run('convert', '-', '-', '--from', 'trec', '--to', 'trec')
        assert run('convert', GOOD, tmp_path / 'x', '--from', 'trec', '--to', 'trec').code == piped.code == 0
        assert piped.out == (tmp_path / 'x').read_text()
        given('q Q0 v#t=1.5,2 1 1 r\n')
        found = run('convert', '-', '-', '--from', 'trec', '--to', 'sh-search')
        assert (found.code, found.out) == (1, '')
        assert found.err.startswith("ir_segmeasures: standard input, line 1: query 'q', 'v#t=1.5,2': start 1.5 cannot")

    def test_it_is_there_once(self, run: Any, given: Any) -> None:
        for command in (('evaluate', '-', '-', 'MAiSP'), ('compare', '-', '-', GOOD, '-m', 'MAiSP')):
            given(QRELS)
            found = run(*command)
            assert (found.code, found.out) == (2, '')
            assert 'standard input, and one file' in found.err


class TestRound:
    def test_as_the_error_says(self, run: Any, tmp_path: Path) -> None:
        path, out = tmp_path / 'a.run', tmp_path / 'x'
        path.write_text('q Q0 v#t=60.5,75.49 1 2.5 mine\nq Q0 v#t=80,90 2 1.5 mine\n')
        command = ('convert', path, out, '--from', 'trec', '--to', 'sh-search')
        assert 'round all with --round' in run(*command).err
        found = run(*command, '--round')
        assert (found.code, found.err.splitlines()[0]) == (
            0, f'ir_segmeasures: 1 of 2 rows of {path} are rounded to whole numbers')
        assert [(row.start, row.end) for row in formats.read_run(out, 'sh-search')] == [(61, 75), (80, 90)]


class TestOptionsOfReaders:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / 'windows').write_text(WINDOWS)
        (tmp_path / 'predicted').write_text(PREDICTED)
        (tmp_path / 'other').write_text('{"qid": 1, "vid": "v", "pred_relevant_windows": [[0, 5, 2]]}\n')
        return tmp_path

    @pytest.mark.parametrize('command', [('compare',), ('view', '--out', '-'), ('study', 'power'), ('plot', 'queries')])
    def test_clip(self, run: Any, folder: Path, command: tuple[str, ...]) -> None:
        pytest.importorskip('matplotlib' if command[0] == 'plot' else 'jinja2' if command[0] == 'view' else 'scipy')
        name, *options = command
        kind = [options.pop(0)] if name in ('study', 'plot') else []
        out = ['--out', folder / 'x.svg'] if name == 'plot' else []
        arguments = [name, *kind, folder / 'windows', folder / 'predicted', folder / 'other', '-m', 'mIoU@1', *options,
                     *out, '--qrels-format', 'moments', '--run-format', 'moments']
        assert run(*arguments).err.endswith('or all windows with --clip\n')
        found = run(*arguments, '--clip')
        assert found.code == 0
        assert f'2 of 2 windows of {folder / "predicted"} are cut off at 0 or at the end of their video' in found.err


