"""Parquet files, opened with Arrow: what they must have, and one sentence for those that are damaged."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.parts import NotByQuery
from ir_segmeasures.formats.files.reading import LARGEST, FormatError, StrPath, TooLarge
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.tables.adapters import VALUE
from ir_segmeasures.segments.tables.columns import extras_of
from ir_segmeasures.segments.tables.id_columns import coded

__all__ = ['by_query', 'first_line', 'no_arrow', 'opened', 'sound']

_FIRST = b'PAR1'  # bytes of a file


@contextmanager
def opened(path: StrPath, kind: str) -> Iterator[tuple[Any, list[str]]]:
    """A file, and the names of those of its columns that are read."""
    with open(path, 'rb') as start:  # which packs its columns itself
        if start.read(len(_FIRST)) != _FIRST:
            raise FormatError('this is no Parquet file, which begins with PAR1: name its own format', path)
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise no_arrow('read', error) from error
    try:
        schema = parquet.read_schema(os.fspath(path))
        there = schema.names
        lacks = [name for name in ('query_id', 'doc_id', VALUE[kind]) if name not in there]
        if lacks:
            raise FormatError(f'the {kind} lacks {", ".join(map(repr, lacks))} (it has {joined(there)}): '
                              'name the columns as ir-measures does', path)
        names = [name for name in ('query_id', 'doc_id', 'start', 'end', 'length', VALUE[kind], 'iteration',
                                   *extras_of(kind)) if name in there]
        for name in names:  # of which Arrow has words of its own
            if there.count(name) > 1:
                raise FormatError(f'the {kind} has several columns {name!r}: give each a name of its own', path)
            if pyarrow.types.is_nested(schema.field(name).type):
                raise FormatError(f'the {name} of the {kind} is {quoted(str(schema.field(name).type))}, several values '
                                  'in one: write a text or a number for every row', path)
        # Ids repeat, and as codes of a dictionary they need not be told apart row by row; those of segments do not.
        repeated = ['query_id', *(['doc_id'] if 'start' in there else [])]
        with parquet.ParquetFile(os.fspath(path), read_dictionary=repeated) as file:
            _refuse_large(file.metadata, path)
            yield file, names
    except UnicodeDecodeError:  # the name of a column
        raise FormatError('this is no complete Parquet file (a column has no name): write it again', path) from None
    except pyarrow.ArrowMemoryError:
        raise TooLarge('the file does not fit into memory: give it in parts', path) from None
    except (pyarrow.ArrowException, OSError) as error:
        raise FormatError(f'this is no complete Parquet file ({first_line(error)}): write it again', path) from None


def _refuse_large(metadata: Any, path: StrPath) -> None:
    """Raises TooLarge for a file that unpacks to what no run does, since equal rows take next to nothing in it."""
    groups = [metadata.row_group(place) for place in range(metadata.num_row_groups)]
    rows = max(metadata.num_rows, sum(group.num_rows for group in groups))  # which differ in a damaged file
    size = max(sum(group.total_byte_size for group in groups), 8 * rows)
    if size > LARGEST and size > 100 * os.path.getsize(path):
        raise TooLarge(f'the {rows:,} rows of the file unpack to more than {LARGEST / 2 ** 30:.3g} GiB, '
                       'more than 100 times its size, as no judgements and no run do: write it again', path)


def sound(table: Any) -> Any:
    """The table. Raises ``ArrowInvalid`` where its texts are not UTF-8 or its codes none of its dictionary, as Arrow
    reads them from a damaged file."""
    table.validate(full=True)
    return table


def first_line(error: Exception) -> str:
    """The first line of the words of Arrow."""
    return str(error).partition('\n')[0].rstrip('.')


def no_arrow(read: str, error: ImportError) -> ImportError:
    """The error where Arrow is not installed; ``read`` is what is done with it."""
    return ImportError(f'Parquet files are {read} with pyarrow, which cannot be imported ({error}): install '
                       "'ir_segmeasures[scale]'")


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
