"""Runs in Parquet: columns ``query_id, doc_id, start, end, score``, in one file or, cut by queries, in a folder."""

from __future__ import annotations

import os
from typing import Any

from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.segments.columns import EXTRAS

__all__ = ['read_qrels', 'read_run']

_COLUMNS = ('query_id', 'doc_id', 'start', 'end', 'length')


def read_run(path: StrPath) -> Any:
    """
    A run as a table of Arrow, which :meth:`SegmentTable.from_run` takes as it is.

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
