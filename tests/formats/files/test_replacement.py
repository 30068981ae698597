"""A file is there as a whole: a killed process leaves it as it was."""

import os
import signal
from pathlib import Path

import pytest

from ir_segmeasures.formats.files.writing import whole_file

pytestmark = pytest.mark.skipif(not hasattr(os, 'fork'), reason='processes cannot be forked here')


def test_killed_processes(tmp_path: Path) -> None:
    path = tmp_path / 'file'
    path.write_bytes(b'before')
    pid = os.fork()
    if not pid:
        with whole_file(path) as file:
            file.write(b'half')
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    assert path.read_bytes() == b'before'
    with whole_file(path) as file:
        file.write(b'whole')
    assert path.read_bytes() == b'whole'
