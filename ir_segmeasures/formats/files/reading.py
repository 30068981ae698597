"""What every reader of a campaign's text files shares: the error, the rows, and the walk over lines.

A reader takes a path and returns all rows, so that a mistake on a late line leaves no half result. Its line parser
knows fields and nothing else: it raises ``ValueError`` with a sentence, and the walk adds file and line.
"""

import contextlib
import gzip
import math
import os
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BufferedIOBase
from typing import Any, NamedTuple, NoReturn, TypeVar

from ir_measures import Qrel as TrecQrel
from ir_measures import ScoredDoc as TrecScoredDoc

from ir_segmeasures.formats.files.columns import columns_of
from ir_segmeasures.segments.quoting import quoted, truncated
from ir_segmeasures.segments.tables.rows import Rows
from ir_segmeasures.segments.tables.text_columns import Pieces

__all__ = ['LATIN_1', 'UTF_8', 'FormatError', 'Number', 'Rows', 'SegmentQrel', 'SegmentScoredDoc', 'StrPath',
           'TooLarge', 'TrecQrel', 'TrecScoredDoc', 'all_bytes', 'encoding_of', 'files_of', 'finite_number',
           'is_number', 'numbered_rows', 'numbered_rows_of', 'open_bytes', 'parse_score', 'read_rows', 'read_text',
           'refuse_signs', 'refuse_twice', 'stem', 'wrong_fields']

UTF_8, LATIN_1 = 'utf-8', 'latin-1'

Number = int | float
StrPath = str | os.PathLike[str]
Row = TypeVar('Row')

_LONG = re.compile(r'\S{200,}')
_PACKED = b'\x1f\x8b'
_CHUNK = 1 << 24  # bytes
LARGEST = 1 << 30  # bytes, of files that are packed as well as no text is


class FormatError(ValueError):
    """A file breaks the rules of its format.

    Attributes:
        sentence: the offending value, the rule it breaks and the repair
        path: the file as the caller named it
        line: number of the line, counted from 1; None where the file as a whole is meant
    """

    def __init__(self, sentence: str, path: StrPath, line: int | None = None) -> None:
        sentence = _LONG.sub(lambda word: truncated(word[0]), sentence)  # names of elements, words of other programs
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


class SegmentQrel(NamedTuple):
    """A judged segment.

    Attributes:
        query_id: the query, anchor or known item
        doc_id: the bare document (video), without a fragment
        start, end: in the unit of the format (seconds, characters) from the beginning of the document, half-open
        relevance: relevant if > 0
        iteration: the second column of the file, not used by measures
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: Number
    iteration: str = '0'


class SegmentScoredDoc(NamedTuple):
    """A retrieved segment. Where the format's official order is the rank column, ``score`` reproduces that order.

    Attributes:
        query_id: the query or anchor
        doc_id: the bare document (video), without a fragment
        start, end: in the unit of the format (seconds, characters) from the beginning of the document, half-open
        score: minus the rank, or what the format's own page says
        rank: as in the file; where the file has none, the position in the order by score, from 1
        run_score: the file's own score, which has ties and need not agree with the rank
        jump_in: where playback starts, in seconds; None in formats without jump-in points
        run: name of the run; None if the file has none
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    score: Number
    rank: int
    run_score: float
    jump_in: Number | None
    run: str | None


@contextlib.contextmanager
def open_bytes(path: StrPath) -> Iterator[BufferedIOBase]:
    """Opens a file for reading bytes, unpacked if its name ends in ``.gz``.

    Raises:
        FormatError: the ``.gz`` file is truncated, corrupt or not gzip data; raised while reading
        OSError: the file cannot be opened
    """
    with open(path, 'rb') as file:
        if not os.fspath(path).endswith('.gz'):
            yield file
            return
        try:
            if not file.peek(1):
                raise EOFError('the file is empty')  # gzip itself takes no bytes at all for no text
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield unpacked
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise FormatError(f'this is not a complete gzip file ({error}), but the name ends in .gz: download or pack '
                              'the file again, or take .gz off the name of a plain file', path) from None


def all_bytes(file: BufferedIOBase, path: StrPath) -> bytes:
    """All of a file that :func:`open_bytes` has opened.

    Raises:
        FormatError: it unpacks to what no text does, or does not fit into memory
    """
    blocks, size = [], 0
    try:
        while block := file.read(_CHUNK):
            blocks.append(block)
            size += len(block)
            if size > LARGEST and isinstance(file, gzip.GzipFile) and size > 100 * os.path.getsize(path):
                raise TooLarge(f'the file unpacks to more than {LARGEST / 2 ** 30:.3g} GiB, more than 100 times its '
                               'size, as no judgements and no run do: if it is right, unpack it before', path)
        return blocks[0] if len(blocks) == 1 else b''.join(blocks)
    except MemoryError:
        blocks.clear()
        raise TooLarge(f'the file does not fit into memory, which was full after {size / 2 ** 30:.3g} GiB of it: '
                       'give it in parts', path) from None


def read_text(path: StrPath, encoding: str = UTF_8) -> str:
    """Reads a whole file, ``.gz`` by suffix. Line ends become LF; a file with UTF-8's byte order mark is UTF-8.

    It reads the file once and from front to back, so pipes work too.

    Raises:
        FormatError: a byte is not in the encoding, or the gzip data are bad
        OSError: the file cannot be opened
    """
    with open_bytes(path) as file:
        data = all_bytes(file, path)
    try:
        text = data.decode(encoding_of(data[:4], path, encoding))
    except UnicodeDecodeError as error:
        _refuse_bytes(path, data, error)
    text = _unix_lines(text) if '\r' in text else text
    refuse_signs(text, path)
    return text


def encoding_of(start: bytes, path: StrPath, encoding: str) -> str:
    """What a file that begins with these bytes is decoded with. Raises ``FormatError`` for gzip, where ISO-8859-1 would
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
    return numbered_rows_of(read_text(path, encoding), path, parse, split)


def read_rows(path: StrPath, parse: Callable[[list[str]], Row],
              parse_columns: Callable[[list[Pieces]], Rows[Row]] | None = None) -> Sequence[Row]:
    """The rows of ``numbered_rows`` without their line numbers.

    Args:
        path, parse: as there
        parse_columns: makes all rows of a file's columns, faster, or raises a ``ValueError``, without a sentence: where
            the mistake is will be found line by line
    """
    text = read_text(path)
    if parse_columns is not None:
        with contextlib.suppress(ValueError):
            return parse_columns(columns_of(text))
    return numbered_rows_of(text, path, parse)[1]


def numbered_rows_of(text: str, path: StrPath, parse: Callable[[list[str]], Row],
                     split: Callable[[str], list[str]] = str.split) -> tuple[list[int], list[Row]]:
    """The same for a text that was read already; ``path`` is for the error."""
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
    found = ((os.path.relpath(folder, path), names) for folder, _, names in os.walk(path)) if deep else [
        ('', os.listdir(path))]
    names = sorted(os.path.normpath(os.path.join(folder, name)) for folder, inside in found for name in inside
                   if stem(name, suffixes) != name and not name.startswith('.'))
    if not names:
        raise FormatError(f'the folder has no file whose name ends in {" or ".join(suffixes)}: check the path, or name '
                          'a file', path)
    files: list[StrPath] = [os.path.join(path, name) for name in names]
    for file in files:
        if os.path.exists(file) and not os.path.isfile(file):  # reading a pipe would wait for ever
            raise FormatError('this is no file, but its name is that of the files of the folder: take it out', file)
    return files


def stem(path: StrPath, suffixes: tuple[str, ...]) -> str:
    """The name of a file without the first of the suffixes that it has, and ``.gz``; the name itself if it has none."""
    name = os.path.basename(os.fspath(path))
    bare = name[:-3] if name.lower().endswith('.gz') else name
    return next((bare[:-len(suffix)] for suffix in suffixes if bare.lower().endswith(suffix)), name)


def wrong_fields(fields: list[str], kind: str, expected: str, count: str) -> ValueError:
    """The error for a line with too few or too many fields, for the line parser to raise."""
    has = '1 field' if len(fields) == 1 else f'{len(fields)} fields'
    return ValueError(f'the line has {has}, but a line of {kind} has {count}: {expected}: '
                      'add or remove fields; white space inside an id splits it')


def finite_number(text: str) -> float | None:
    """The number, or None for anything else, such as ``nan``, ``inf`` and Python's own ``1_000``."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and '_' not in text else None


def is_number(value: Any) -> bool:
    """Whether a value of JSON is a finite number."""
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) < 10 ** 300  # a longer one is no float
    return isinstance(value, float) and math.isfinite(value)


def parse_score(text: str) -> float:
    """A finite number. Raises ``ValueError`` for anything else."""
    score = finite_number(text)
    if score is None:
        raise ValueError(f'score {quoted(text)} is not a finite number, but scores are compared with each other: write '
                         'digits, such as 12.5 or 1e-3')
    return score
