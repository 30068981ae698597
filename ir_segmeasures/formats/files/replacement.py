"""Files that appear as a whole."""

import contextlib
import os
import platform
import stat
import zlib
from collections.abc import Iterator
from glob import escape, glob
from typing import IO

from ir_segmeasures.formats.files.reading import StrPath

__all__ = ['whole_file']


@contextlib.contextmanager
def whole_file(path: StrPath) -> Iterator[IO[bytes]]:
    """A file to be written, which takes its place when all is written, and is as it was before after an error.

    Until then it has a hidden name beside its place. What a process leaves there that was killed, the next one removes.
    """
    target = os.path.realpath(path)
    mode = os.stat(target).st_mode if os.path.exists(target) else None
    with _naming(path):
        if mode is not None:
            with open(path, 'r+b' if stat.S_ISREG(mode) else 'wb') as old:  # protected: not to be replaced
                if not stat.S_ISREG(mode):  # nor is a pipe or a device
                    yield old
                    return
        with _part(target) as part:
            with open(part, 'xb') as file:
                yield file
            if mode is not None:
                os.chmod(part, stat.S_IMODE(mode))
            os.replace(part, target)


@contextlib.contextmanager
def _part(target: str) -> Iterator[str]:
    """A hidden name beside a file, which is removed after an error; those of processes that were killed are
    removed too."""
    # Processes have numbers on their own machine alone.
    start = os.path.join(os.path.dirname(target), f'.ir_segmeasures-{zlib.crc32(platform.node().encode()):08x}-')
    for old in glob(f'{escape(start)}*.part'):
        number = old.removeprefix(start).partition('-')[0]
        if number.isdecimal() and not _is_running(int(number)):
            _remove(old)
    part = f'{start}{os.getpid()}-{os.urandom(8).hex()}.part'
    try:
        yield part
    except BaseException:
        _remove(part)
        raise


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # of another user, or on Windows
        return True
    return True


def _remove(part: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(part)


@contextlib.contextmanager
def _naming(path: StrPath) -> Iterator[None]:
    """A context in which an error of the operating system names the file, as the caller does."""
    try:
        yield
    except OSError as error:
        hidden = os.path.basename(os.fspath(error.filename or '')).endswith('.part')
        if error.errno is None or isinstance(error, BrokenPipeError) or (error.filename is not None and not hidden):
            raise
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
