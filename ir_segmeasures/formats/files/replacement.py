"""Files that appear as a whole."""

import contextlib
import gzip
import os
import stat
from collections.abc import Iterator
from typing import Any

from ir_segmeasures.formats.files.reading import StrPath


@contextlib.contextmanager
def whole_file(path: StrPath, packed: bool = False) -> Iterator[Any]:
    """A file to be written, maybe packed by gzip, which takes its place when all is written, and is as it was before
    after an error.

    Until then it has a hidden name beside its place. An error of the operating system names the file as the caller
    does.
    """
    target = os.path.realpath(path)
    mode = os.stat(target).st_mode if os.path.exists(target) else None
    part = os.path.join(os.path.dirname(target), f'.ir_segmeasures-{os.urandom(8).hex()}.part')
    try:
        if mode is not None:
            with open(path, 'r+b' if stat.S_ISREG(mode) else 'wb') as old:  # protected: not to be replaced
                if not stat.S_ISREG(mode):  # nor is a pipe or a device
                    yield old
                    return
        with open(part, 'xb') as file, (
                gzip.GzipFile('', 'wb', fileobj=file, mtime=0) if packed else contextlib.nullcontext(file)) as content:
            yield content
        if mode is not None:
            os.chmod(part, stat.S_IMODE(mode))
        os.replace(part, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(part)
        if isinstance(error, OSError) and error.errno and not isinstance(error, BrokenPipeError) and (
                error.filename in (None, part)):
            raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
        raise
