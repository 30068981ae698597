"""Outputs of commands: bold text on a terminal, and files that appear as a whole and never replace an input."""

import gzip
import os
import sys
from collections.abc import Iterable
from typing import IO

from ir_segmeasures.commands.parser import UsageError

__all__ = ['bold', 'refuse_to_replace', 'write_lines', 'write_out']


def bold(text: str) -> str:
    """The text in bold where people read it, as it is in files and pipes."""
    return f'\033[1m{text}\033[0m' if sys.stdout.isatty() and 'NO_COLOR' not in os.environ else text


def refuse_to_replace(path: str | None, inputs: Iterable[str | None]) -> None:
    """Raise a UsageError where the file that is to be written is one of those that are read."""
    if path is None or path == '-' or not os.path.exists(path):
        return
    for other in inputs:
        if other is not None and other != '-' and os.path.exists(other) and os.path.samefile(path, other):
            raise UsageError(f'{path} is one of the inputs, and would be replaced by what is written: name another '
                             'file')


def write_lines(lines: Iterable[bytes], path: str) -> None:
    """Write lines as they come: to a file, which appears as a whole, packed if its name ends in .gz, or to standard
    output for ``-``."""
    if path == '-':
        sys.stdout.flush()
        for line in lines:
            sys.stdout.buffer.write(line)
        return
    folder = os.path.dirname(path) or '.'
    if not os.path.isdir(folder):
        raise ValueError(f'{path} cannot be written, since there is no folder {folder}: make it, or name another')
    from ir_segmeasures.formats.files.replacement import whole_file
    with whole_file(path) as file:
        if not path.endswith('.gz'):
            file.writelines(lines)
            return
        packed: IO[bytes] = gzip.GzipFile('', 'wb', fileobj=file, mtime=0)  # type: ignore[assignment]
        with packed:
            packed.writelines(lines)


def write_out(content: str | bytes, path: str) -> None:
    """Write a file, which appears as a whole; or standard output for ``-``."""
    write_lines([content.encode(errors='replace') if isinstance(content, str) else content], path)
