"""Runs in Parquet: columns ``query_id, doc_id, start, end, score``, in one file or, cut by queries, in a folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import ExitStack
from itertools import islice
from typing import Any

from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.segments.columns import EXTRAS

__all__ = ['read_qrels', 'read_run', 'write_parts']

_BLOCK = 100_000  # rows in memory
_COLUMNS = ('query_id', 'doc_id', 'start', 'end', 'length')


def read_run(path: StrPath) -> Any:
    """A run as a table of Arrow, which :meth:`SegmentTable.from_run` takes as it is.

    Raises:
        FormatError: the file is no Parquet file
        ImportError: pyarrow is not installed
        OSError: the file cannot be opened
    """
    return _read(path, [*_COLUMNS, 'score', *EXTRAS['run']])


def read_qrels(path: StrPath) -> Any:
    """Judgements, as :func:`read_run` does a run."""
    return _read(path, [*_COLUMNS, 'relevance', *EXTRAS['qrels']])


def _read(path: StrPath, names: list[str]) -> Any:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError(f'Parquet files are read with pyarrow, which cannot be imported ({error}): install '
                          "'ir_segmeasures[scale]'") from error
    try:
        # Ids repeat, and as codes of a dictionary they need not be told apart row by row.
        with parquet.ParquetFile(os.fspath(path), read_dictionary=['query_id', 'doc_id']) as file:
            there = file.schema_arrow.names
            table = file.read(columns=[name for name in names if name in there])
            # Without a column that is needed, the columns that are there are told.
            return table if {'query_id', 'doc_id', names[5]} <= set(there) else file.schema_arrow.empty_table()
    except pyarrow.ArrowInvalid as error:
        raise FormatError(f'this is no complete Parquet file ({str(error).splitlines()[0]}): write it again, or name '
                          'its own format', path) from None


def write_parts(rows: Iterable[Any], folder: StrPath, parts: int) -> list[str]:
    """Writes a run as a folder of Parquet files, each query whole in one, a block of rows in memory at a time.

    Args:
        rows: of any reader, in any order; those of a query keep theirs
        folder: to be made; it appears as a whole
        parts: the number of files; one with no query is not written

    Returns:
        what the rows have and the files have not, in words

    Raises:
        FileExistsError: there is such a file or folder
        ImportError: pyarrow is not installed
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError(f'Parquet files are written with pyarrow, which cannot be imported ({error}): install '
                          "'ir_segmeasures[scale]'") from error
    folder = os.fspath(folder)
    if os.path.exists(folder):
        raise FileExistsError(f'{folder} exists, but parts that were there would be taken for those of this run: name '
                              'another folder, or remove it')
    part_of: dict[str, int] = {}
    unwritten: dict[str, None] = {}
    made = f'{folder}.part'
    os.makedirs(made)
    try:
        with ExitStack() as files:
            writers: dict[int, Any] = {}
            walk = iter(rows)
            while block := list(islice(walk, _BLOCK)):
                names = [name for name in (*_COLUMNS, 'score', *EXTRAS['run']) if hasattr(block[0], name)]
                unwritten.update(dict.fromkeys(name for name in block[0]._fields if name not in names))
                # Queries take turns, so that parts are of one size as far as queries are.
                by_part: dict[int, list[Any]] = {}
                for row in block:
                    by_part.setdefault(part_of.setdefault(row.query_id, len(part_of) % parts), []).append(row)
                for part, mine in by_part.items():
                    table = pyarrow.table({name: _array(pyarrow, mine, name) for name in names})
                    if part not in writers:
                        path = os.path.join(made, f'{part:0{len(str(parts - 1))}}.parquet')
                        writers[part] = files.enter_context(parquet.ParquetWriter(path, table.schema))
                    writers[part].write_table(table)
        os.rename(made, folder)
    except BaseException:
        shutil.rmtree(made)
        raise
    return list(unwritten)


def _array(pyarrow: Any, rows: list[Any], name: str) -> Any:
    type = pyarrow.string() if name in ('query_id', 'doc_id') else pyarrow.float64()
    return pyarrow.array([getattr(row, name) for row in rows], type)
