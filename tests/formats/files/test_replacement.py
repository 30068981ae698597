"""What a killed process has left beside a file or a folder, the next one removes; what is being written stays."""

import os
import signal
from pathlib import Path

import pytest

from ir_segmeasures.formats.files.replacement import whole_file, whole_folder

pytestmark = pytest.mark.skipif(not hasattr(os, 'fork'), reason='processes cannot be forked here')


def test_killed_processes(tmp_path: Path) -> None:
    path = tmp_path / 'file'
    pid = os.fork()
    if not pid:
        with whole_file(path) as file:
            file.write(b'half')
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    left, = tmp_path.iterdir()
    other = tmp_path / '.ir_segmeasures-of-another-machine.part'
    other.touch()
    with whole_file(tmp_path / 'second') as second:
        assert not left.exists()
        second.write(b'second')
        with whole_file(path) as file:
            file.write(b'whole')
    assert {file.name for file in tmp_path.iterdir()} == {'file', 'second', other.name}
    assert path.read_bytes() + (tmp_path / 'second').read_bytes() == b'wholesecond'


def test_killed_processes_that_fill_a_folder(tmp_path: Path) -> None:
    pid = os.fork()
    if not pid:
        with whole_folder(tmp_path / 'parts') as made:
            Path(made, '0').touch()
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    left, = tmp_path.iterdir()
    with whole_folder(tmp_path / 'parts') as made:
        assert not left.exists()
        Path(made, '0').write_text('whole')
        with whole_file(tmp_path / 'file') as file:
            file.write(b'beside')
    assert {file.name for file in tmp_path.iterdir()} == {'file', 'parts'}
    assert (tmp_path / 'parts' / '0').read_text() == 'whole'
    with pytest.raises(ZeroDivisionError), whole_folder(tmp_path / 'other') as made:
        print(1 / 0)
    assert {file.name for file in tmp_path.iterdir()} == {'file', 'parts'}
