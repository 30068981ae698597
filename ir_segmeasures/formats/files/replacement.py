"""Files and folders that appear as a whole."""

import contextlib
import os
import shutil
import stat
import zlib
from collections.abc import Callable, Iterator
from glob import escape, glob
from typing import IO

from ir_segmeasures.formats.files.reading import StrPath

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ['whole_file', 'whole_folder']


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
    with _new_part(os.path.dirname(target), path, lambda part: open(part, 'xb').close()) as part:
        try:
            with open(part, 'wb') as file:
                yield file
            if mode is not None:
                os.chmod(part, stat.S_IMODE(mode))
            os.replace(part, target)
        except OSError as error:
            if error.errno is None or error.filename not in (None, part):
                raise
            raise type(error)(error.errno, error.strerror, os.fspath(path)) from None  # the name that the caller knows


@contextlib.contextmanager
def whole_folder(path: StrPath) -> Iterator[str]:
    """The name of a folder to be filled, which gets its own name when all is written, and is not there after an error.

    Until then it has a hidden name beside its place, as a file of :func:`whole_file` has.
    """
    target = os.path.abspath(path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with _new_part(os.path.dirname(target), path, os.mkdir) as part:
        yield part
        os.rename(part, target)


@contextlib.contextmanager
def _new_part(folder: str, path: StrPath, make: Callable[[str], object]) -> Iterator[str]:
    """The name of a hidden file or folder that is made in a folder, is locked in this context, and is removed after an
    error.

    Raises:
        OSError: it cannot be made; the error names ``path``, or the folder where that is protected
    """
    # Locks may not reach from one machine to another, so that its parts have its name.
    machine = os.uname().nodename if hasattr(os, 'uname') else ''
    start = os.path.join(folder, f'.ir_segmeasures-{zlib.crc32(machine.encode()):08x}-')
    for old in glob(f'{escape(start)}*.part'):
        with contextlib.suppress(OSError):
            left = os.open(old, os.O_RDONLY)
            try:
                _lock(left)  # the lock of a process ends with it
                _remove(old)
            finally:
                os.close(left)
    while True:
        part = f'{start}{os.urandom(8).hex()}.part'
        try:
            try:
                make(part)
            except OSError as error:
                named = folder if isinstance(error, PermissionError) else os.fspath(path)
                raise type(error)(error.errno, error.strerror, named) from None
            with _locked(part) as is_there:
                if is_there:
                    yield part
                    return
        except BaseException:
            _remove(part)
            raise


@contextlib.contextmanager
def _locked(part: str) -> Iterator[bool]:
    """A context in which the part is locked, where there are locks: whether no other process removed it before."""
    if fcntl is None:  # on Windows, which renames no file that is open
        yield True
        return
    try:
        lock = os.open(part, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        with contextlib.suppress(OSError):  # where there are no locks, nothing is removed
            _lock(lock)
        yield os.fstat(lock).st_nlink > 0
    finally:
        os.close(lock)


def _remove(part: str) -> None:
    with contextlib.suppress(OSError):
        if os.path.isdir(part):
            shutil.rmtree(part)
        else:
            os.unlink(part)


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
