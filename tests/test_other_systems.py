"""Windows and macOS, as far as another system can show: no file is replaced while it is open. Nobody could run the
suite on these systems yet."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ir_segmeasures
from ir_segmeasures import formats, parse_segment, quote_id, sample, unquote_id
from ir_segmeasures.formats.files import writing as replacement


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
