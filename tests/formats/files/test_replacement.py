"""What a killed process has left beside a file or a folder, the next one removes; what is being written stays."""

import os
import signal
from pathlib import Path

import pytest

from ir_segmeasures.formats.files.replacement import whole_file

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
