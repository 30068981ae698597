"""Archives: ``.zip`` files, and those inside, of which the parts are read without a copy on the disk."""

import io
import zlib
from collections.abc import Iterator, Sequence
from zipfile import BadZipFile, ZipFile

from ir_segmeasures.formats.files.reading import LARGEST, RATIO, FormatError, StrPath, TooLarge


def open_zip(data: bytes, path: StrPath) -> ZipFile:
    """The archive whose bytes a file has. Raises TooLarge if it unpacks to what no text does."""
    archive = ZipFile(io.BytesIO(data))
    size = sum(part.file_size for part in archive.infolist())
    if size > LARGEST and size > RATIO * len(data):
        raise TooLarge(f'the file unpacks to more than {LARGEST / 2 ** 30:.3g} GiB, more than {RATIO} times its size, '
                       'as no judgements and no run do: unpack what is needed of it, or save it as CSV', path)
    return archive


def zip_parts(data: bytes, path: StrPath, suffixes: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The names and bytes of the parts of a ``.zip`` that have one of the suffixes, and of those of a ``.zip`` inside,
    without hidden ones.

    Raises:
        FormatError: it is no complete ``.zip``, has a password, or unpacks to what no text does
    """
    try:
        archive = open_zip(data, path)
        for name in _names(archive, (*suffixes, '.zip')):
            part = archive.read(name)
            if name.lower().endswith('.zip'):
                inner = open_zip(part, path)
                yield from ((f'{name}/{inside}', inner.read(inside)) for inside in _names(inner, suffixes))
            else:
                yield name, part
    except (BadZipFile, EOFError, RuntimeError, zlib.error) as error:
        raise FormatError(f'the .zip cannot be unpacked ({error}): download it again, or unpack it', path) from None


def _names(archive: ZipFile, suffixes: Sequence[str]) -> list[str]:
    return sorted(name for name in archive.namelist()
                  if name.lower().endswith(tuple(suffixes)) and not name.rpartition('/')[2].startswith('.'))
