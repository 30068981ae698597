"""Standard input as a file, messages on standard error, and files that appear as a whole and never replace an input."""

import atexit
import os
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import fields
from functools import lru_cache
from tempfile import TemporaryDirectory
from typing import IO

from ir_segmeasures.commands.parser import Command, UsageError

STANDARD_INPUT = 'standard input'
WARNED: dict[str, Warning | str] = {}  # the sentences of which the command has warned so far, with their warnings
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
    return ' '.join(map(str.strip, text.splitlines()))


def note(sentence: str) -> None:
    """Tell people something in one line on standard error."""
    print(with_its_name(f'ir_segmeasures: {sentence}'), file=sys.stderr)


def show_warning(strict: bool, message: Warning | str, category: type[Warning], *_: object) -> None:
    """Tell people of a warning, once, without the code that it comes from; with ``strict``, one about segments is an
    error."""
    sentence = str(message)
    kinds = {kind.__name__ for kind in category.__mro__}
    if strict and 'SegmentWarning' in kinds and 'SegmentNote' not in kinds:  # whose import takes NumPy's time
        raise ValueError(sentence)
    if WARNED.setdefault(sentence, message) is message:
        note(f'{"note" if "SegmentNote" in kinds else "warning"}: {sentence}')


@lru_cache(1)
def _file(stream: IO[bytes]) -> str:
    content, folder = stream.read(), TemporaryDirectory(ignore_cleanup_errors=True)
    path = os.path.join(folder.name, 'input.gz' if content.startswith(b'\x1f\x8b') else 'input')
    with open(path, 'wb') as file:
        file.write(content)
    atexit.register(folder.cleanup)
    _files.append(path)
    return path


def bold(text: str) -> str:
    """The text in bold where people read it, as it is in files and pipes."""
    return f'\033[1m{text}\033[0m' if sys.stdout.isatty() and 'NO_COLOR' not in os.environ else text


def refuse_to_replace(command: Command, output: str, is_kind: Callable[[str], bool] | None = None) -> None:
    """Raise a UsageError where the file that a command is to write is another that it is given, or, unless with
    ``force``, one that is of another kind.

    Args:
        command: the command
        output: its field with the path
        is_kind: tells whether a file is of the kind that is written, and may raise ValueError or UserWarning where it
            is not; None: those of all kinds are replaced
    """
    path = getattr(command, output)
    if path is None or not os.path.exists(path):
        return
    if any(os.path.exists(text) and os.path.samefile(path, text) for text in _given(command, output)):
        raise UsageError(f'{path} is one of the inputs, and would be replaced by what is written: name another file')
    if is_kind is None or getattr(command, 'force', False) or not os.path.isfile(path) or not os.path.getsize(path):
        return
    with suppress(ValueError, UserWarning):
        if is_kind(path):
            return
    raise UsageError(f'{path} is there, and of another kind: name another file, or add --force')


def _given(command: Command, *outputs: str) -> list[str]:
    """The texts that a command is given for other fields than these."""
    return [text for name, value in vars(command).items() if name not in outputs
            for text in (value if isinstance(value, tuple) else (value,)) if isinstance(text, str)]


def refuse_files(command: Command) -> None:
    """Raise a UsageError where a command is to read standard input twice, or where a file that it is to write must not
    be replaced, as its options declare it."""
    writes = {entry.name: entry.metadata['writes'] for entry in fields(command) if 'writes' in entry.metadata}
    if _given(command, 'out', 'output', *writes).count('-') > 1:
        raise UsageError('- is standard input, and one file: name the others')
    for output, is_kind in writes.items():
        refuse_to_replace(command, output, is_kind)


def begins(pattern: str) -> Callable[[str], bool]:
    """The test whether a file begins as a regular expression says, for :func:`refuse_to_replace`."""
    def test(path: str) -> bool:
        from ir_segmeasures.formats.files.reading import read_bytes  # most commands replace no file
        return re.match(pattern.encode(), read_bytes(path, 1 << 16)) is not None
    return test


PAGE = begins(r'<!DOCTYPE html>\s<html lang="en">\s<head>\s<meta charset="utf-8">\s<meta http-equiv="Content-Sec')


def write_lines(lines: Iterable[bytes], path: str) -> None:
    """Write lines as they come: to a file, which appears as a whole, packed if its name ends in .gz, or to standard
    output for ``-``."""
    if path == '-':
        sys.stdout.flush()
        sys.stdout.buffer.writelines(lines)
        return
    from ir_segmeasures.formats.files.writing import whole_file
    with whole_file(path, path.endswith('.gz')) as file:
        file.writelines(lines)


def write_out(content: str | bytes, path: str) -> None:
    """Write a file, which appears as a whole; or standard output for ``-``."""
    write_lines([content.encode(errors='replace') if isinstance(content, str) else content], path)
