"""Files that appear as a whole, in the place of others of their names."""

import contextlib
import os
import stat
import zlib
from collections.abc import Iterator
from glob import escape, glob
from typing import IO

from ir_segmeasures.formats.files.reading import StrPath

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ['whole_file']


@contextlib.contextmanager
def whole_file(path: StrPath) -> Iterator[IO[bytes]]:
    """A file to be written, which takes its place when all is written, and is as it was before after an error.

    Until then it has a hidden name beside its place. What a process leaves there that was killed, the next one removes.
    """
    target = os.path.realpath(path)
    mode = os.stat(target).st_mode if os.path.exists(target) else None
    if mode is not None:
        with _naming(path), open(path, 'r+b' if stat.S_ISREG(mode) else 'wb') as old:  # protected: not to be replaced
            if not stat.S_ISREG(mode):  # nor is a pipe or a device
                yield old
                return
    folder = os.path.dirname(target)
    try:
        file, lock = _new_part(folder)
    except OSError as error:  # with the name that the caller knows, or that of the folder where its files are locked
        named = folder if isinstance(error, PermissionError) else os.fspath(path)
        raise type(error)(error.errno, error.strerror, named) from None
    part = file.name
    try:
        with file:
            yield file
        if mode is not None:
            os.chmod(part, stat.S_IMODE(mode))
        os.replace(part, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(part)
        if isinstance(error, OSError) and error.errno is not None and error.filename in (None, part):
            # with the name that the caller knows
            raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
        raise
    finally:
        if lock is not None:
            os.close(lock)


def _new_part(folder: str) -> tuple[IO[bytes], int | None]:
    """A hidden file that is not there yet, and a descriptor that keeps it locked when the file is closed; None where
    there are no such locks, as on Windows, which renames no file that is open."""
    # Locks may not reach from one machine to another, so that its parts have its name.
    machine = os.uname().nodename if hasattr(os, 'uname') else ''
    start = os.path.join(folder, f'.ir_segmeasures-{zlib.crc32(machine.encode()):08x}-')
    for old in glob(f'{escape(start)}*.part'):
        with contextlib.suppress(OSError), open(old, 'rb') as left:
            _lock(left.fileno())  # the lock of a process ends with it
            os.unlink(old)
    while True:
        file = open(f'{start}{os.urandom(8).hex()}.part', 'xb')  # noqa: SIM115 -- the caller closes it
        if fcntl is None:
            return file, None
        lock = os.dup(file.fileno())
        with contextlib.suppress(OSError):  # where there are no locks, nothing is removed
            _lock(lock)
        if os.fstat(lock).st_nlink:
            return file, lock
        os.close(lock)  # another process has removed it before it was locked
        file.close()


def _lock(descriptor: int) -> None:
    """Raises OSError where another process has the lock, or there are none."""
    if fcntl is None:
        raise OSError
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def _naming(path: StrPath) -> Iterator[None]:
    """A context in which an error of the operating system names the file."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename is not None or isinstance(error, BrokenPipeError):
            raise
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
