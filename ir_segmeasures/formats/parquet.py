"""Runs and judgements in Parquet: columns ``query_id, doc_id, score`` or ``relevance``, and ``start, end`` unless ids
tell these; in one file, or in a folder of such, where each query of a run is whole in one.

Rows have ``start`` and ``end`` where there are such columns (or ``start`` and ``length``), and what some measures need
beside these (:data:`~ir_segmeasures.segments.tables.columns.EXTRAS`). Relevance is ``int`` where all of it is whole.
Source: Apache Parquet, https://parquet.apache.org/docs/file-format/; the names of the columns are those of ir-measures.
"""

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, TooLarge, errors_in, files_of
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.formats.files.tables import TEXTS, cells_of, rows_of_parts, rows_of_table
from ir_segmeasures.formats.files.writing import left_out, whole_file
from ir_segmeasures.formats.trec import SCORED
from ir_segmeasures.segments.extras import needed
from ir_segmeasures.segments.tables.adapters import IDS, TIMES, VALUE
from ir_segmeasures.segments.tables.columns import RowError, extras_of


def read(path: StrPath, kind: str) -> FileRows[Any]:
    """Reads judgements or retrieved items of a file, or of the files of a folder, in the order of the files.

    Args:
        path: of the file or folder
        kind: ``'qrels'`` or ``'run'``

    Raises:
        FormatError: a file is no Parquet, lacks a column, or has a row without an id or a finite value; a query of a
            run stands in two files
        ImportError: pyarrow is not installed
        OSError: the file cannot be opened
    """
    return rows_of_parts((file, _rows_of(file, kind)) for file in files_of(path, ('.parquet',)))


def _rows_of(path: StrPath, kind: str) -> FileRows[Any]:
    with open(path, 'rb') as start:
        if start.read(4) != b'PAR1':
            raise FormatError('this is no Parquet file, which begins with PAR1: name its own format', path)
    pyarrow, parquet = _arrow('read')
    try:
        with parquet.ParquetFile(os.fspath(path)) as file:
            _refuse_large(file.metadata, path)
            names = *IDS, *TIMES, VALUE[kind], 'iteration', *extras_of(kind)
            table = file.read(columns=[name for name in names if name in file.schema_arrow.names])
        table.validate(full=True)  # since Arrow reads texts that are not UTF-8 from a damaged file
    except FormatError:
        raise
    except pyarrow.ArrowMemoryError:
        raise TooLarge('the file does not fit into memory: give it in parts', path) from None
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FormatError(f'this is no complete Parquet file ({str(error).partition(chr(10))[0].rstrip(".")}): write '
                          'it again', path) from None
    with errors_in(path):
        try:
            return rows_of_table(table, kind)
        except RowError as error:
            raise ValueError(f'row {error.row + 1}: {error.sentence}') from None


def _refuse_large(metadata: Any, path: StrPath) -> None:
    """Raises TooLarge for a file that unpacks to what no run does, since equal rows take next to nothing in it."""
    groups = [metadata.row_group(place) for place in range(metadata.num_row_groups)]
    rows = max(metadata.num_rows, sum(group.num_rows for group in groups))  # which differ in a damaged file
    size = max(sum(group.total_byte_size for group in groups), 8 * rows)
    if size > 1 << 30 and size > 100 * os.path.getsize(path):
        raise TooLarge(f'the {rows:,} rows of the file unpack to more than 1 GiB, more than 100 times its size, as no '
                       'judgements and no run do: write it again', path)


def _arrow(done: str) -> tuple[Any, Any]:
    use = f'Parquet files are {done} with pyarrow'
    return needed('pyarrow', use, 'scale'), needed('pyarrow.parquet', use, 'scale')


def write(rows: Sequence[Any], path: StrPath, unit: str | None = None, *, kind: str) -> list[str]:
    """Writes judgements or retrieved items as one file, in the order of the rows.

    Args:
        rows: of any reader; ``start`` and ``end`` become columns if they are seconds, and parts of the ids if not
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`
        kind: ``'qrels'`` or ``'run'``

    Returns, Raises:
        as there; also WriteError: the value of a row is not a finite number, or it is no segment
    """
    pyarrow, parquet = _arrow('written')
    rows = list(rows)
    table = pyarrow.table({name: pyarrow.array(cells, pyarrow.string() if name in TEXTS else pyarrow.float64())
                           for name, cells in cells_of(rows, kind, unit, [*extras_of(kind), 'iteration']).items()})
    with whole_file(path) as file:
        parquet.write_table(table, file)
    return left_out(rows, table.column_names, paths=True)


PARQUET = Format(
    'parquet',
    'Parquet: query_id, doc_id, score or relevance, maybe start and end in seconds; or a folder of such files', 't',
    Files(partial(read, kind='qrels'), partial(write, kind='qrels')),
    Files(partial(read, kind='run'), partial(write, kind='run'), rules=SCORED),
    folders=True, lists=('queries', 'anchors', 'videos'))
