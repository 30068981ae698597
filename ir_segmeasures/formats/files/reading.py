"""Readers of text files share the error, the types of rows, the text of a file, and the walk over its lines.

A reader takes a path and returns all rows, so that a mistake on a late line leaves no half result. Its line parser
knows fields and nothing else: it raises ``ValueError`` with a sentence, and the walk adds file and line.
"""

import gzip
import os
import re
import stat
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from typing import Any, NoReturn, TypeVar

import numpy as np

from ir_segmeasures.segments.quoting import quoted, truncated

__all__ = ['FormatError', 'LATIN_1', 'StrPath', 'TooLarge', 'UTF_8', 'all_bytes', 'decode_text', 'encoding_of',
           'errors_in', 'numbered_rows', 'numbered_rows_of', 'open_bytes', 'read_bytes', 'read_text',
           'read_utf8', 'refuse_signs', 'refuse_twice']

UTF_8, LATIN_1 = 'utf-8', 'latin-1'

StrPath = str | os.PathLike[str]
Row = TypeVar('Row')

_LONG = re.compile(r'\S{200,}')
_PACKED = b'\x1f\x8b'
ZIP = b'PK\x03\x04'  # by which a .zip begins
_CHUNK = 1 << 24  # bytes
LARGEST = 1 << 30  # bytes, of files that are packed as well as no text is
RATIO = 100  # how many times its size a text unpacks to at most
LONGEST = 1 << 22  # bytes of a line, and of what is looked at together
_FIRST = 1 << 12  # bytes that are read first, so that the first rows are there soon
_HOLE = 1 << 15  # bytes that are read at least, if there are so many, and are not all NUL
_DOUBTED = 1 << 24  # bytes, of files that are packed so: all of them are counted, before rows are made of them


class FormatError(ValueError):
    """A file breaks the rules of its format.

    Attributes:
        sentence: the offending value, the rule it breaks and the repair
        path: the file as the caller named it
        line: number of the line, counted from 1; None where the file as a whole is meant
    """

    def __init__(self, sentence: str, path: StrPath, line: int | None = None) -> None:
        # Names of elements and words of other programs may be long, and hold the ends of lines.
        sentence = _LONG.sub(lambda word: truncated(word[0]), ' '.join(sentence.splitlines()))
        # All three go to ``args``: that is what pickle gives back to this constructor.
        super().__init__(sentence, os.fspath(path), line)
        self.sentence = sentence
        self.path = os.fspath(path)
        self.line = line

    def __str__(self) -> str:
        place = self.path if self.line is None else f'{self.path}, line {self.line}'
        return f'{place}: {self.sentence}'


class TooLarge(FormatError):
    """A file does not fit into memory, or unpacks to what no text does."""


@contextmanager
def errors_in(path: StrPath, line: int | None = None) -> Iterator[None]:
    """Where a ValueError of one sentence is raised about what a file has, it names the file, and maybe the line."""
    try:
        yield
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(str(error), path, line) from None


def open_bytes(path: StrPath, lines: bool = False) -> 'BufferedReader[Any]':
    """Opens a file for reading bytes, unpacked if its name ends in ``.gz``.

    Args:
        path: of the file
        lines: whether the file consists of lines, none of which is longer than 4 MiB

    Raises:
        FormatError: the ``.gz`` file is truncated, corrupt or not gzip data, a line is too long, or there is more than
            any text has; raised while reading
        OSError: the file cannot be opened
    """
    packed = os.fspath(path).endswith('.gz')
    return BufferedReader(_Guard(open(path, 'rb', -1 if packed else 0), path, packed, lines), _HOLE)


class _Guard(RawIOBase):
    """The bytes of a file, unpacked, as long as they may be those of a text: packed files and devices have at most
    their limit, lines have an end, and there is more than NUL bytes."""

    def __init__(self, file: Any, path: StrPath, packed: bool, lines: bool) -> None:
        self._source: Any = gzip.GzipFile(fileobj=file) if packed else file
        self._file, self._path, self._packed, self._lines = file, path, packed, lines
        self._doubted = packed and os.path.isfile(path)  # what is read twice
        found = os.fstat(file.fileno())
        # Other files and pipes may have all that there is memory for.
        limited = packed or stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)
        self._limit = max(LARGEST, RATIO * found.st_size) if limited else None
        self._begun = False
        self._size = self._number = self._length = 0  # bytes and lines before, and bytes of the line that has begun
        self._uncounted = b''  # the block that was read last: its lines are counted once more is read

    def close(self) -> None:
        self._file.close()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        try:
            if self._packed and not self._begun and not self._file.peek(1):
                raise EOFError('the file is empty')  # gzip itself takes no bytes at all for no text
            target = memoryview(target)[:LONGEST if self._begun else _FIRST]
            self._begun = True
            return self._read(target)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise FormatError(f'this is not a complete gzip file ({error}), but the name ends in .gz: download or pack '
                              'the file again, or take .gz off the name of a plain file', self._path) from None

    def _read(self, target: memoryview) -> int:
        sign = b'\n' if b'\n' in self._uncounted else b'\r'
        self._number += int(np.count_nonzero(np.frombuffer(self._uncounted, np.uint8) == ord(sign)))
        count: int = self._source.readinto(target)
        self._size += count
        self._refuse_size(self._size)
        if self._doubted and self._size > _DOUBTED and self._size > RATIO * self._file.tell():
            self._doubted, size = False, 0  # unpacking is quick, and what is done with so many rows is not
            with open(self._path, 'rb') as file, gzip.GzipFile(fileobj=file) as unpacked:
                while block_size := len(unpacked.read(LONGEST)):
                    size += block_size
                    self._refuse_size(size)
        if count >= _HOLE and not target[0] and not bytes(target[:count]).strip(b'\0'):
            refuse_signs('\0', self._path, self._number)
        if self._lines:
            self._count(bytes(target[:count]))
        return count

    def _refuse_size(self, size: int) -> None:
        if self._limit is not None and size > self._limit:
            fault = f'unpacks to more than {LARGEST / 2 ** 30:.3g} GiB, more than {RATIO} times its size' if (
                self._packed) else f'has more than {LARGEST / 2 ** 30:.3g} GiB and maybe no end'
            repair = 'unpack it before' if self._packed else 'copy it'
            raise TooLarge(f'the file {fault}, as no judgements and no run do: if it is right, {repair}', self._path)

    def _count(self, block: bytes) -> None:
        sign = b'\n' if b'\n' in block else b'\r'
        first = block.find(sign)
        self._length += len(block) if first < 0 else first
        if self._length > LONGEST:
            raise FormatError(f'the line has more than {LONGEST >> 20} MiB, unlike lines of judgements and runs: check '
                              'that the file is what its name says, with line ends', self._path, self._number + 1)
        if first >= 0:
            self._length = len(block) - block.rfind(sign) - 1
        self._uncounted = block


def all_bytes(file: 'BufferedReader[Any]', path: StrPath) -> bytes:
    """All of a file that :func:`open_bytes` has opened.

    Raises:
        FormatError: it unpacks to what no text does, or does not fit into memory
    """
    blocks, size = [], 0
    try:
        while block := file.read(_CHUNK):
            blocks.append(block)
            size += len(block)
        return blocks[0] if len(blocks) == 1 else b''.join(blocks)
    except MemoryError:
        blocks.clear()
        raise TooLarge(f'the file does not fit into memory, which was full after {size / 2 ** 30:.3g} GiB of it: '
                       'give it in parts', path) from None


def read_text(path: StrPath, encoding: str = UTF_8, lines: bool = False) -> str:
    """Reads a whole file, ``.gz`` by suffix. Line ends become LF; a file with UTF-8's byte order mark is UTF-8.

    It reads the file once and from front to back, so pipes work too. ``lines`` is as in :func:`open_bytes`.

    Raises:
        FormatError: a byte is not in the encoding, or the gzip data are bad
        OSError: the file cannot be opened
    """
    return decode_text(read_bytes(path, lines), path, encoding)


def read_bytes(path: StrPath, lines: bool = False) -> bytes:
    """All bytes of a file, ``.gz`` by suffix.

    Raises:
        FormatError: as :func:`open_bytes`, which also says what ``lines`` is
        OSError: the file cannot be opened
    """
    with open_bytes(path, lines) as file:
        return all_bytes(file, path)


def decode_text(data: bytes, path: StrPath, encoding: str = UTF_8) -> str:
    """The text of the bytes of a file, as :func:`read_text` gives it; ``path`` is for the error."""
    try:
        text = data.decode(encoding_of(data[:4], path, encoding))
    except UnicodeDecodeError as error:
        _refuse_bytes(path, data, error)
    text = _unix_lines(text) if '\r' in text else text
    refuse_signs(text, path)
    return text


def read_utf8(path: StrPath) -> str:
    """The text of a file as it stands there, with its line ends, since offsets count every character; ``.gz`` by
    suffix.

    Raises:
        FormatError: a byte is not UTF-8, or the gzip data are bad
        OSError: the file cannot be opened
    """
    data = read_bytes(path)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        _refuse_bytes(path, data, error)


def encoding_of(start: bytes, path: StrPath, encoding: str) -> str:
    """The encoding of a file that begins with these bytes. Raises ``FormatError`` for gzip, where ISO-8859-1 would
    take it."""
    if start.startswith(_PACKED) and encoding == LATIN_1:
        _refuse_packed(path)
    return 'utf-8-sig' if start.startswith(BOM_UTF8) else encoding


def refuse_signs(text: str, path: StrPath, before: int = 0) -> None:
    """Raises ``FormatError`` for what is in no field of a text; ``before`` is how many lines stand before it."""
    for sign, name, repair in (('\0', 'a NUL byte', 'take it out, or convert the text to UTF-8'),
                               ('\n\ufeff', 'a byte order mark', 'take it out; files that are joined have them')):
        place = text.find(sign)
        if place >= 0:
            line = before + text.count('\n', 0, place + len(sign) - 1) + 1
            raise FormatError(f'there is {name} inside the file, which is no text of any field: {repair}', path, line)


def _unix_lines(text: str) -> str:
    return text.replace('\r\n', '\n').replace('\r', '\n')


def _refuse_bytes(path: StrPath, data: bytes, error: UnicodeDecodeError) -> NoReturn:
    if data.startswith(_PACKED):
        _refuse_packed(path)
    if data.startswith(ZIP):
        raise FormatError('the file is packed as .zip, which holds files: unpack it, and give the file', path) from None
    encoding = 'UTF-16' if data.startswith((b'\xff\xfe', b'\xfe\xff')) else 'ISO-8859-1'
    # ``error.object`` and not ``data``: the position does not count the byte order mark.
    line = _unix_lines(error.object[:error.start].decode('latin-1')).count('\n') + 1
    raise FormatError(f'byte 0x{error.object[error.start]:02X} is not UTF-8, but files are read as UTF-8: '
                      f'convert the text, for example with iconv -f {encoding} -t UTF-8', path, line) from None


def _refuse_packed(path: StrPath) -> NoReturn:
    raise FormatError('the file is packed with gzip, but its name does not end in .gz: add .gz to the name, or unpack '
                      'it', path) from None


def numbered_rows(path: StrPath, parse: Callable[[list[str]], Row], split: Callable[[str], list[str]] = str.split,
                  encoding: str = UTF_8) -> tuple[list[int], list[Row]]:
    """Makes a row of every line that is not blank.

    Args:
        path: a file, ``.gz`` by suffix
        parse: makes a row of a line's fields, or raises ``ValueError`` with a sentence
        split: makes fields of a line, none of a blank one; at white space if it is not given
        encoding: of the file

    Returns:
        the rows' line numbers, from 1, and the rows, both in file order

    Raises:
        FormatError: the sentence with file and line
        OSError: the file cannot be opened
    """
    return numbered_rows_of(read_text(path, encoding, lines=True), path, parse, split)


def numbered_rows_of(text: str, path: StrPath, parse: Callable[[list[str]], Row],
                     split: Callable[[str], list[str]] = str.split) -> tuple[list[int], list[Row]]:
    """Makes a row of every line of a text, as :func:`numbered_rows` does of a file; ``path`` is for the error."""
    numbers: list[int] = []
    rows: list[Row] = []
    number = 0
    try:
        for number, line in enumerate(text.split('\n'), 1):
            fields = split(line)
            if fields:
                rows.append(parse(fields))
                numbers.append(number)
    except ValueError as error:
        raise FormatError(str(error), path, number) from None
    return numbers, rows


def refuse_twice(path: StrPath, numbers: Iterable[int], ids: Iterable[str], kind: str,
                 rule: str = 'each has one line: remove one') -> None:
    """Raises ``FormatError`` for the first id that is on a second line.

    Args:
        path: of the file
        numbers: of the lines
        ids: on each line
        kind: what the ids are of
        rule: why each stands once, and the repair
    """
    first: dict[str, int] = {}
    for number, id in zip(numbers, ids):
        if first.setdefault(id, number) != number:
            raise FormatError(f'{kind} {quoted(id)} is already in line {first[id]}, but {rule}', path, number)
