"""Outputs of commands: bold text on a terminal, and files that appear as a whole."""

import os
import sys

__all__ = ['bold', 'write_out']


def bold(text: str) -> str:
    """The text in bold where people read it, as it is in files and pipes."""
    return f'\033[1m{text}\033[0m' if sys.stdout.isatty() and 'NO_COLOR' not in os.environ else text


def write_out(content: str | bytes, path: str) -> None:
    """Writes a file, which appears as a whole; or standard output for ``-``."""
    data = content.encode(errors='replace') if isinstance(content, str) else content
    if path == '-':
        if isinstance(content, str):
            sys.stdout.write(content)
        else:
            sys.stdout.buffer.write(data)
        return
    folder = os.path.dirname(path) or '.'
    if not os.path.isdir(folder):
        raise ValueError(f'{path} cannot be written, since there is no folder {folder}: make it, or name another')
    from ir_segmeasures.formats.files.replacement import whole_file
    with whole_file(path) as file:
        file.write(data)
