"""Large files of plain lines, read with Arrow where it is installed: several times as fast, in half of the memory.

Whatever is not plain, or wrong, is left to those who read line by line, who find the line and the sentence.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np

from ir_segmeasures.formats.files.reading import FormatError, StrPath, open_bytes
from ir_segmeasures.segments.tables.id_columns import ArrowTexts, coded

__all__ = ['NotByQuery', 'by_query', 'columns_by_query', 'is_large', 'large_columns', 'plain_blocks']

_LARGE = 4_000_000  # bytes, packed ones counting four times; importing Arrow costs as much as reading these
_BLOCK = 1 << 22
_PIECE = 1 << 17  # what stays in a processor's cache


class NotByQuery(ValueError):
    """The lines of a query do not stand together."""


def is_large(path: StrPath) -> bool:
    """Whether a file, or a folder of files, is worth reading with Arrow, which is there."""
    try:
        files = [entry.path for entry in os.scandir(path)] if os.path.isdir(path) else [os.fspath(path)]
        if sum(os.path.getsize(file) * (4 if file.endswith('.gz') else 1) for file in files
               if os.path.isfile(file)) < _LARGE:
            return False
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def large_columns(path: StrPath, fields: Sequence[str], ids: Sequence[str], number: str) -> list[Any] | None:
    """Columns of a large file whose fields are separated by single blanks; None where it has to be read line by line.

    Args:
        path: the file, ``.gz`` by suffix
        fields: the names of all columns
        ids: the columns that are wanted as texts; the first is coded
        number: the column that is wanted as finite numbers
    """
    if not is_large(path):
        return None
    import pyarrow
    try:
        return _columns(pyarrow.concat_tables(list(plain_blocks(path, fields, ids, number))))
    except (ValueError, FormatError):  # also Arrow's own
        return None


def columns_by_query(path: StrPath, fields: Sequence[str], ids: Sequence[str], number: str) -> Iterator[list[Any]]:
    """The same, some queries at a time, each whole in one of them; ``ids`` begin with the query.

    Raises:
        NotByQuery: a query comes back after another
        ValueError: a line is not plain
    """
    yield from map(_columns, by_query(plain_blocks(path, fields, ids, number), ids[0]))


def by_query(blocks: Iterable[Any], name: str) -> Iterator[Any]:
    """Tables of Arrow of which each has its queries whole, from blocks of rows; ``name`` is the column of the query.

    Raises:
        NotByQuery: a query comes back after another
        ValueError: a row has no query
    """
    import pyarrow
    seen: set[str] = set()
    query, waiting = None, list[Any]()  # the last query, and its rows until now
    for block in blocks:
        if block.column(name).null_count:
            raise ValueError
        column = coded(block.column(name))
        starts = [0, *(np.flatnonzero(np.diff(column.code)) + 1).tolist()]
        queries = [column[start] for start in starts]
        new = queries[queries[0] == query:]
        if len(set(new)) < len(new) or not seen.isdisjoint(new):
            raise NotByQuery
        seen.update(new)
        if len(starts) > 1 or new:
            ready = [*waiting, block.slice(0, starts[-1])] if starts[-1] else waiting
            if ready:
                yield pyarrow.concat_tables(ready)
            waiting = []
        waiting.append(block.slice(starts[-1]))
        query = queries[-1]
    yield pyarrow.concat_tables(waiting)


def _columns(table: Any) -> list[Any]:
    query, *others, numbers = table.columns
    return [coded(query), *map(ArrowTexts, others), numbers.to_numpy()]


def plain_blocks(path: StrPath, fields: Sequence[str], ids: Sequence[str], number: str) -> Iterator[Any]:
    """The same as tables of Arrow, some megabytes of lines each. Raises a ValueError where a line is not plain."""
    import pyarrow
    from pyarrow import csv
    options = {
        'read_options': csv.ReadOptions(column_names=list(fields), block_size=_BLOCK, use_threads=False),
        'parse_options': csv.ParseOptions(delimiter=' ', quote_char=False, double_quote=False, escape_char=False),
        'convert_options': csv.ConvertOptions(
            include_columns=[*ids, number], null_values=[], check_utf8=False, column_types={
                **{name: pyarrow.string() for name in ids}, number: pyarrow.float64(),
                ids[0]: pyarrow.dictionary(pyarrow.int32(), pyarrow.string())}),
    }
    some = False
    with open_bytes(path) as file:
        for block in _whole_lines(file):  # type: ignore[arg-type]
            if not _plain(block):
                raise ValueError
            table = csv.read_csv(pyarrow.py_buffer(block), **options)
            if not np.isfinite(table.column(number).to_numpy()).all():
                raise ValueError
            some = True
            yield table
    if not some:
        raise ValueError


def _plain(block: bytes) -> bool:
    """Whether nothing but single blanks and line ends separates fields: no field is empty, no line blank."""
    signs = np.frombuffer(block, np.uint8)
    if not block.isascii() or signs[0] <= 0x20 or signs[-1] == 0x20:  # the last line may have no end
        return False
    for start in range(0, len(signs), _PIECE):
        piece = signs[start:start + _PIECE + 1]
        gap = piece <= 0x20
        known = np.count_nonzero(piece == 0x20) + np.count_nonzero(piece == 0x0a)
        if (gap[1:] & gap[:-1]).any() or np.count_nonzero(gap) != known:
            return False
    return True


def _whole_lines(file: BinaryIO) -> Iterator[bytes]:
    rest = b''
    while block := file.read(_BLOCK):
        end = block.rfind(b'\n') + 1
        if end:
            yield rest + block[:end]
            rest = block[end:]
        else:
            rest += block
    if rest:
        yield rest
