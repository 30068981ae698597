"""Readers of text files share the error, the types of rows, the text of a file, and the walk over its lines.

A reader takes a path and returns all rows, so that a mistake on a late line leaves no half result. Its line parser
knows fields and nothing else: it raises ``ValueError`` with a sentence, and the walk adds file and line.
"""

import gzip
import os
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

from ir_segmeasures.segments.basics import quoted, truncated

UTF_8, LATIN_1 = 'utf-8', 'latin-1'
WRONG_KIND = 'check that the file is of the kind that is being read'  # the end of many sentences

StrPath = str | os.PathLike[str]
Row = TypeVar('Row')

_LONG = re.compile(r'\S{200,}')
_PACKED = b'\x1f\x8b'
ZIP = b'PK\x03\x04'  # by which a .zip begins


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
        self.sentence, self.path, self.line = sentence, os.fspath(path), line

    def __str__(self) -> str:
        place = self.path if self.line is None else f'{self.path}, line {self.line}'
        return f'{place}: {self.sentence}'


class TooLarge(FormatError):
    """A file does not fit into memory."""


@contextmanager
def errors_in(path: StrPath, line: int | None = None, faults: list[FormatError] | None = None) -> Iterator[None]:
    """A context in which a ValueError of one sentence, about the content of a file, gets the file and the line, and is
    added to the faults, or raised where none are collected."""
    try:
        yield
    except ValueError as error:
        refuse(error if isinstance(error, FormatError) else FormatError(str(error), path, line), faults)


def refuse(error: FormatError, faults: list[FormatError] | None) -> None:
    """Adds an error to the faults of a file, or raises it where none are collected."""
    if faults is None:
        raise error from None
    faults.append(error)


def open_bytes(path: StrPath) -> IO[bytes]:
    """Opens a file for reading bytes, unpacked if its name ends in ``.gz``. Raises ``OSError`` if it cannot."""
    return gzip.open(path, 'rb') if os.fspath(path).endswith('.gz') else open(path, 'rb')  # type: ignore[return-value]


def read_bytes(path: StrPath, most: int | None = None) -> bytes:
    """All bytes of a file, ``.gz`` by suffix, or the first ones.

    Raises:
        FormatError: the ``.gz`` file is truncated, corrupt or not gzip data; the file does not fit into memory
        OSError: the file cannot be opened
    """
    packed = os.fspath(path).endswith('.gz')
    try:
        with open_bytes(path) as file:
            data = file.read(most or -1)
        if packed and not data and os.path.isfile(path) and not os.path.getsize(path):
            raise EOFError('the file is empty')  # gzip itself takes no bytes at all for no text
        return data
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise FormatError(f'this is not a complete gzip file ({error}): download or pack it again, or take off '
                          '.gz', path) from None
    except MemoryError:
        raise TooLarge('the file does not fit into memory: give it in parts', path) from None


def read_text(path: StrPath, encoding: str = UTF_8) -> str:
    """Reads a whole file, ``.gz`` by suffix. Line ends become LF; a file with UTF-8's byte order mark is UTF-8.

    It reads the file once and from front to back, so pipes work too.

    Raises:
        FormatError: a byte is not in the encoding, or as :func:`read_bytes`
        OSError: the file cannot be opened
    """
    return decode_text(read_bytes(path), path, encoding)


def decode_text(data: bytes, path: StrPath, encoding: str = UTF_8) -> str:
    """The text of the bytes of a file, as :func:`read_text` gives it; ``path`` is for the error."""
    text = _unix_lines(_decoded(data, path, 'utf-8-sig' if data.startswith(BOM_UTF8) else encoding))
    for sign, name, repair in (('\0', 'a NUL byte', 'take it out, or convert the text to UTF-8'),
                               ('\n\ufeff', 'a byte order mark', 'take it out; files that are joined have them')):
        if (place := text.find(sign)) >= 0:
            line = text.count('\n', 0, place + len(sign) - 1) + 1
            raise FormatError(f'there is {name} inside the file, which is not text of any field: {repair}', path, line)
    return text


def read_utf8(path: StrPath) -> str:
    """The text of a file as it stands there, with its line ends, since offsets count every character; ``.gz`` by
    suffix.

    Raises:
        FormatError: a byte is not UTF-8, or the gzip data are bad
        OSError: the file cannot be opened
    """
    return _decoded(read_bytes(path), path, UTF_8)


def _decoded(data: bytes, path: StrPath, encoding: str) -> str:
    if data.startswith(_PACKED):
        raise FormatError('the file is packed with gzip, but its name does not end in .gz: add .gz, or unpack it', path)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if data.startswith(ZIP):
            raise FormatError('the file is packed as .zip: unpack it, and give a file of it', path) from None
        likely = 'UTF-16' if data.startswith((b'\xff\xfe', b'\xfe\xff')) else 'ISO-8859-1'
        # ``error.object`` and not ``data``: the position does not count the byte order mark.
        line = _unix_lines(error.object[:error.start].decode('latin-1')).count('\n') + 1
        raise FormatError(f'byte 0x{error.object[error.start]:02X} is not UTF-8, but files are read as UTF-8: '
                          f'convert the text, for example with iconv -f {likely} -t UTF-8', path, line) from None


def _unix_lines(text: str) -> str:
    return text.replace('\r\n', '\n').replace('\r', '\n')


def numbered_rows(path: StrPath, parse: Callable[[list[str]], Row], split: Callable[[str], list[str]] = str.split,
                  encoding: str = UTF_8, faults: list[FormatError] | None = None,
                  text: str | None = None) -> tuple[list[int], list[Row]]:
    """Makes a row of every line that is not blank.

    Args:
        path: a file, ``.gz`` by suffix
        parse: makes a row of a line's fields, or raises ``ValueError`` with a sentence
        split: makes fields of a line, none of a blank one; at white space if it is not given
        encoding: of the file
        faults: where to put the errors of lines that cannot be read; not given: the first one is raised
        text: of the file, if it has been read already

    Returns:
        the rows' line numbers, from 1, and the rows, both in file order

    Raises:
        FormatError: the sentence with file and line
        OSError: the file cannot be opened
    """
    numbers: list[int] = []
    rows: list[Row] = []
    for number, line in enumerate((read_text(path, encoding) if text is None else text).split('\n'), 1):
        if fields := split(line):
            try:  # a context for each line would take as long as the lines
                rows.append(parse(fields))
                numbers.append(number)
            except ValueError:
                with errors_in(path, number, faults):
                    raise
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


def files_of(path: StrPath | Iterable[StrPath], suffixes: tuple[str, ...], deep: bool = False) -> list[StrPath]:
    """The files that a path stands for: a file, those of a folder with one of the suffixes (in lower case, ``.gz`` may
    follow) in the order of their names, with ``deep`` those of folders inside too, or those of a list.

    Raises:
        FormatError: a folder has none, or something else of such a name
    """
    if not isinstance(path, str | os.PathLike):
        return list(path)
    if not os.path.isdir(path):
        return [path]
    inside = (file for file in Path(path).rglob('*') if not file.is_dir()) if deep else Path(path).iterdir()
    names = sorted(str(file.relative_to(path)) for file in inside
                   if has_suffix(file, suffixes) and not file.name.startswith('.'))
    files: list[StrPath] = [os.path.join(path, name) for name in names]
    if not files:
        raise FormatError(f'the folder has no file whose name ends in {" or ".join(suffixes)}: check the path', path)
    for file in (file for file in files if os.path.exists(file) and not os.path.isfile(file)):  # a pipe waits for ever
        raise FormatError('this is not a file, but its name is that of the files of the folder: take it out', file)
    return files


def has_suffix(path: StrPath, suffixes: tuple[str, ...]) -> bool:
    """Tells whether the name of a file ends in one of the suffixes, or in one with ``.gz`` behind it."""
    return stem(path, suffixes) != stem(path, ())


def stem(path: StrPath, suffixes: tuple[str, ...]) -> str:
    """The name of a file without the first of the suffixes that it has, and ``.gz``; the name itself if it has none or
    is one."""
    name = os.path.basename(os.fspath(path))
    bare = name[:-3] if name.lower().endswith('.gz') else name
    return next((bare[:-len(suffix)] for suffix in suffixes if bare.lower()[1:].endswith(suffix)), name)
