"""Runs and judgements in Parquet: columns ``query_id, doc_id, score`` or ``relevance``, and ``start, end`` unless ids
tell these; in one file, or in a folder of such, where each query of a run is whole in one. Spreadsheets share rows as
the cells of a table.

Rows have ``start`` and ``end`` where there are such columns (or ``start`` and ``length``), and what some measures need
beside these (:data:`~ir_segmeasures.segments.tables.columns.EXTRAS`). Relevance is ``int`` where all of it is whole.
Source: Apache Parquet, https://parquet.apache.org/docs/file-format/; the names of the columns are those of ir-measures.
"""

import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.fields import all_whole
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import FormatError, StrPath, TooLarge, errors_in, files_of, read_bytes
from ir_segmeasures.formats.files.row_types import FileRows, row_type_of
from ir_segmeasures.formats.files.writing import decimal, judged_lines, left_out, place_of, whole_file
from ir_segmeasures.formats.trec import SCORED
from ir_segmeasures.segments.basics import joined, needed, quoted
from ir_segmeasures.segments.tables.adapters import IDS, TIMES, VALUE
from ir_segmeasures.segments.tables.columns import Columns, RowError, extras_of

TEXTS = 'query_id', 'doc_id', 'iteration', 'aspects'


def rows_of_parts(parts: Iterable[tuple[StrPath, FileRows[Any]]]) -> FileRows[Any]:
    """The rows of several files or sheets, each with its name, one behind the other. Raises ``FormatError`` where one
    has other columns than the first."""
    parts = list(parts)
    for name, rows in parts:
        if rows.row_type is not parts[0][1].row_type:
            raise FormatError(f'here are the columns {joined(rows.columns)}, but the first part has '
                              f'{joined(parts[0][1].columns)}: give all of them the same columns', name)
    return FileRows.joined(parts) if len(parts) > 1 else parts[0][1]


def cells_of(rows: Sequence[Any], kind: str, unit: str | None, beside: Iterable[str] = ()) -> dict[str, list[Any]]:
    """Rows as the columns of a table; ``start`` and ``end`` are columns if they are seconds, and parts of the ids if
    not.

    Args:
        rows: of any reader
        kind: ``'qrels'`` or ``'run'``
        unit: of their ``start`` and ``end``
        beside: the columns that the table may have beside the value

    Raises:
        WriteError: a row has no finite value, or is not a segment
    """
    value = VALUE[kind]
    others = [name for name in beside if rows and name in rows[0]._fields]

    def cell(name: str, given: Any) -> Any:
        return None if given is None or given != given else given if name in TEXTS else float(decimal(given, name))
    written = judged_lines(rows, lambda row: {
        'query_id': row.query_id, **place_of(row, unit), value: float(decimal(getattr(row, value), value)),
        **{name: cell(name, getattr(row, name)) for name in others}})
    return {name: [row[name] for row in written] for name in (written[0] if written else (*IDS, value))}


def read(path: StrPath, kind: str) -> FileRows[Any]:
    """Reads judgements or retrieved items of a file, or of the files of a folder, in the order of the files.

    Args:
        path: of the file or folder
        kind: ``'qrels'`` or ``'run'``

    Raises:
        FormatError: a file is not a Parquet, lacks a column, or has a row without an id or a finite value; a query of a
            run stands in two files
        ImportError: pyarrow is not installed
        OSError: the file cannot be opened
    """
    return rows_of_parts((file, _rows_of(file, kind)) for file in files_of(path, ('.parquet',)))


def _rows_of(path: StrPath, kind: str) -> FileRows[Any]:
    if read_bytes(path, 4) != b'PAR1':
        raise FormatError('this is not a Parquet file, which begins with PAR1: name its own format', path)
    pyarrow, parquet = _arrow('read')
    try:
        with parquet.ParquetFile(os.fspath(path)) as file:
            # A file that unpacks to what no run does is refused, since equal rows take next to nothing in it.
            groups = [file.metadata.row_group(place) for place in range(file.metadata.num_row_groups)]
            count = max(file.metadata.num_rows, sum(group.num_rows for group in groups))  # other in a damaged file
            size = max(sum(group.total_byte_size for group in groups), 8 * count)
            if size > 1 << 30 and size > 100 * os.path.getsize(path):
                raise TooLarge(f'the {count:,} rows unpack to over 1 GiB, 100 times the file: write it again', path)
            names = *IDS, *TIMES, VALUE[kind], 'iteration', *extras_of(kind)
            table = file.read(columns=[name for name in names if name in file.schema_arrow.names])
        table.validate(full=True)  # since Arrow reads texts that are not UTF-8 from a damaged file
    except pyarrow.ArrowMemoryError:
        raise TooLarge('the file does not fit into memory: give it in parts', path) from None
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FormatError(f'this is not a complete Parquet file ({str(error).partition(chr(10))[0].rstrip(".")}): '
                          'write it again', path) from None
    with errors_in(path):
        try:
            return _rows(table, kind)
        except RowError as error:
            raise ValueError(f'row {error.row + 1}: {error.sentence}') from None


def _rows(table: Any, kind: str) -> FileRows[Any]:
    """The rows of a table of Arrow. Raises a ValueError where a column is missing, or is there twice, and a RowError
    for a row without an id, a segment or a finite value."""
    columns, value = Columns(table, kind), VALUE[kind]
    found: dict[str, Any] = {}
    for name in IDS:
        distinct, code = columns.codes(name)
        found[name] = np.array(distinct, object)[code]
    if columns.beside is not None:
        if columns.beside.lack:
            raise ValueError(columns.beside.lack)
        start, end = columns.times()
        if not (np.isnan(start) & np.isnan(end)).all() or not len(start):  # else the ids tell
            found |= {'start': all_whole(start), 'end': all_whole(end)}
    numbers = columns.numbers(value)
    for row in np.flatnonzero(~np.isfinite(numbers)).tolist():
        raise RowError(kind, row, f'query {quoted(found["query_id"][row])}, document {quoted(found["doc_id"][row])}: '
                                  f'the {value} is missing or not a finite number: give every row a number')
    found[value] = numbers if kind == 'run' else all_whole(numbers)
    if kind == 'qrels':
        given = table['iteration'].to_pylist() if 'iteration' in columns.names else [None] * len(numbers)
        found['iteration'] = ['0' if iteration is None else str(iteration) for iteration in given]
    found |= {name: [None if value != value else value for value in values.tolist()]
              for name, values in columns.extras().items()}
    return FileRows(row_type_of(tuple(found)), found.values())


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
        as there; also WriteError: the value of a row is not a finite number, or it is not a segment
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
