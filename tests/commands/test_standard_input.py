"""Standard input and output in every command that reads or writes, rounding, and options of readers in all of them."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ir_segmeasures import formats, sample

QRELS, GOOD, POOR = (sample.path(name) for name in ('qrels.txt', 'good.run', 'poor.run'))
WINDOWS = '{"qid": 1, "vid": "v", "duration": 30, "relevant_windows": [[0, 5]]}\n'
PREDICTED = '{"qid": 1, "vid": "v", "pred_relevant_windows": [[-0.5, 4, 2], [20, 31.5, 1]]}\n'
TVR = {'video2idx': {'v': 3, 'w': 4},
       'VCMR': [{'desc_id': 1, 'predictions': [[4, 0, 9, 2], [3, 0, 5, 1]]}],
       'SVMR': [{'desc_id': 1, 'predictions': [[3, 0, 4, 0.5], [3, 2, 5, 0.25]]}]}


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
            assert 'standard input, and has either the judgements or a run' in found.err

    def test_windows_of_transcripts(self, tmp_path: Path, capfdbinary: Any) -> None:
        from ir_segmeasures.commands import main
        (tmp_path / 'a.vtt').write_text('WEBVTT\n\n00:00.000 --> 00:05.000\nhello\n')
        main(['cut', str(tmp_path / 'a.vtt'), '--length', '60', '--stride', '30', '--out', '-'])
        line, = capfdbinary.readouterr().out.splitlines()
        assert json.loads(line) == {'docno': 'a#t=0,5', 'start': 0, 'end': 5, 'text': 'hello'}
        with pytest.raises(SystemExit):
            main(['cut', '-', '--length', '60', '--stride', '30', '--out', '-'])


class TestRound:
    def test_as_the_error_says(self, run: Any, tmp_path: Path) -> None:
        path, out = tmp_path / 'a.run', tmp_path / 'x'
        path.write_text('q Q0 v#t=60.5,75.49 1 2.5 mine\nq Q0 v#t=80,90 2 1.5 mine\n')
        command = ('convert', path, out, '--from', 'trec', '--to', 'sh-search')
        assert ': round it before, or all with --round' in run(*command).err
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
        (tmp_path / 'tvr').write_text(json.dumps(TVR))
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

    def test_the_check_of_a_task(self, run: Any, folder: Path) -> None:
        found = run('check', folder / 'tvr', '--format', 'tvr', '--task', 'SVMR')
        assert (found.code, found.out.splitlines()[-1]) == (0, 'no violations, 1 warning')  # both share some seconds
        assert run('check', folder / 'tvr', '--format', 'tvr').out == 'no violations\n'
        assert "has no 'VR'" in run('check', folder / 'tvr', '--format', 'tvr', '--task', 'VR').out

    def test_predictions_of_tvr_are_written(self, run: Any, folder: Path) -> None:
        for task in ('VCMR', 'SVMR'):
            found = run('convert', folder / 'tvr', folder / 'out', '--from', 'tvr', '--to', 'tvr', '--task', task)
            assert (found.code, found.err) == (0, '')
            assert json.loads((folder / 'out').read_text())[task][0]['desc_id'] == 1
            assert formats.read_run(folder / 'out', 'tvr', task=task) == formats.read_run(folder / 'tvr', 'tvr',
                                                                                          task=task)
        found = run('convert', folder / 'predicted', folder / 'out', '--from', 'moments', '--to', 'tvr', '--task',
                    'SVMR', '--clip')
        assert '1 of 2 windows' in found.err
        assert json.loads((folder / 'out').read_text()) == {
            'video2idx': {'v': 0}, 'SVMR': [{'desc_id': 1, 'predictions': [[0, 0, 4, 2], [0, 20, 31.5, 1]]}]}
        for options in (('--task', 'VR'), ('--clip',)):
            assert run('convert', GOOD, folder / 'out', '--from', 'trec', '--to', 'trec', *options).code == 2
