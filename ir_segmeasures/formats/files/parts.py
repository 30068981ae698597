"""Files in parts: what is read takes the memory of a part, and the first rows are there at once. Parts of large runs
have their queries whole.

Whatever is not plain, or wrong, is left to those who read the file whole, who find the line and the sentence.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.blocks import BLOCK, buffer_of, columns_of, joined_blocks, taken_column
from ir_segmeasures.formats.files.reading import StrPath, open_bytes
from ir_segmeasures.formats.files.row_types import Rows

__all__ = ['NotByQuery', 'is_large', 'line_blocks', 'plain_lines', 'refuse_known', 'rows_by_query']

_LARGE = 4_000_000  # bytes, packed ones counting four times
_SMALL = 1 << 14  # bytes of lines that are parsed together after the first line


class NotByQuery(ValueError):
    """The lines of a query do not stand together."""


def is_large(path: StrPath) -> bool:
    """Whether a file, or a folder of files, is worth reading in parts."""
    files = [entry.path for entry in os.scandir(path)] if os.path.isdir(path) else [os.fspath(path)]
    return sum(os.path.getsize(file) * (4 if file.endswith('.gz') else 1) for file in files
               if os.path.isfile(file)) >= _LARGE


def rows_by_query(path: StrPath, parse_fields: Callable[[Sequence[Any]], Any]) -> Iterator[Rows[Any]]:
    """The rows of a file, whose first field is the query, some queries at a time.

    Args:
        path: of the file
        parse_fields: the columns of lines → the row of columns

    Raises:
        NotByQuery: a query comes back after another
        ValueError: a line is wrong or not plain, or there is none
    """
    seen: set[str] = set()
    rest, more = b'', True  # lines of the last query until now, and what is there of the next line
    with open_bytes(path, lines=True) as source:
        while more:
            block = source.read(max(BLOCK, len(rest)))
            more = bool(block)
            data = rest + block
            end = data.rfind(b'\n') + 1 if more else len(data)
            if not end:
                if not more:
                    raise ValueError
                rest = data
                continue
            buffer = buffer_of(data[:end])
            columns = columns_of(buffer)
            queries = columns[0].coded()
            changes = np.flatnonzero(np.diff(queries.code)) + 1
            if len(changes) + 1 > len(queries.distinct) or not seen.isdisjoint(queries.distinct):
                raise NotByQuery
            count = len(queries)
            if more:  # the last query may go on
                count = int(changes[-1]) if len(changes) else 0
                rest = buffer[int(columns[0].start[count]):] + data[end:]
            seen.update(queries.distinct[:-1])
            if count:
                fields = [taken_column(column, slice(count)) for column in (queries, *columns[1:])]
                yield joined_blocks([parse_fields(fields)], [count])


def line_blocks(path: StrPath, alone: int = 1, largest: int = BLOCK) -> Iterator[bytes]:
    """The bytes of whole lines of a file: the first ones, ``alone`` of them, one by one, then more and more together,
    up to about ``largest`` bytes."""
    size, rest = _SMALL, b''
    with open_bytes(path, lines=True) as source:
        for _ in range(alone):
            if line := source.readline():
                yield line
        while block := source.read(size):
            size = min(16 * size, largest)
            end = block.rfind(b'\n') + 1
            if end:
                yield rest + block[:end]
                rest = b''
            rest += block[end:]
        if rest:
            yield rest


def plain_lines(lines: bytes, encoding: str) -> str:
    """The text of lines. Raises a ValueError where it has what plain ones have not."""
    text = lines.decode(encoding).replace('\r\n', '\n').rstrip('\n')
    if '\r' in text or '\0' in text or '\ufeff' in text:
        raise ValueError
    return text


def refuse_known(keys: Sequence[Any], known: set[Any]) -> None:
    """Adds keys to those that are known. Raises a ValueError if one of them is known, or there twice."""
    new = set(keys)
    if len(new) < len(keys) or not known.isdisjoint(new):
        raise ValueError
    known |= new
