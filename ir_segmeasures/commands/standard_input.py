"""Standard input, which ``-`` stands for, as a file that goes with the process."""

import atexit
import os
import shutil
import sys
import tempfile
from functools import lru_cache
from typing import IO

__all__ = ['STANDARD_INPUT', 'file_of', 'note', 'with_its_name']

STANDARD_INPUT = 'standard input'
_files: list[str] = []


def file_of(path: str) -> str:
    """The file of a path; for ``-``, a file with all that comes on standard input."""
    if path == '-' and sys.stdin is None:
        raise ValueError('standard input is closed: give a file, or leave it open')
    return _file(sys.stdin.buffer) if path == '-' else path


def with_its_name(text: str) -> str:
    """A text for people in one line, whatever names of files are in it, with the words "standard input" in the place
    of its file."""
    for path in _files:
        text = text.replace(path, STANDARD_INPUT)
    return ' '.join(text.splitlines())


def note(sentence: str) -> None:
    """Tell people something in one line on standard error."""
    print(with_its_name(f'ir_segmeasures: {sentence}'), file=sys.stderr)


@lru_cache(1)
def _file(stream: IO[bytes]) -> str:
    content = stream.read()
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, 'input.gz' if content.startswith(b'\x1f\x8b') else 'input')
    with open(path, 'wb') as file:
        file.write(content)
    _files.append(path)
    return path
