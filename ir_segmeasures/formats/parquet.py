"""Runs and judgements in Parquet: columns ``query_id, doc_id, score`` or ``relevance``, and ``start, end`` unless ids
tell these; in one file, or in a folder of such, where each query of a run is whole in one.

Rows have ``start`` and ``end`` where there are such columns (or ``start`` and ``length``), and what some measures need
beside these (:data:`~ir_segmeasures.segments.tables.columns.EXTRAS`). Relevance is ``int`` where all of it is whole.
Source: Apache Parquet, https://parquet.apache.org/docs/file-format/; the names of the columns are those of ir-measures.
"""

import os
from collections import namedtuple
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.folders import files_of
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import LARGEST, RATIO, FormatError, StrPath, TooLarge
from ir_segmeasures.formats.files.replacement import whole_file
from ir_segmeasures.formats.files.row_types import FileRows
from ir_segmeasures.formats.files.writing import decimal, judged_lines, left_out, place_of
from ir_segmeasures.formats.trec import SCORED
from ir_segmeasures.segments.extras import needed
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.tables.adapters import VALUE
from ir_segmeasures.segments.tables.columns import Columns, RowError, extras_of

__all__ = ['PARQUET', 'read', 'write']

_SUFFIXES = ('.parquet',)


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
    parts: list[tuple[StrPath, FileRows[Any]]] = []
    home: dict[str, StrPath] = {}
    for file in files_of(path, _SUFFIXES):
        try:
            rows = _rows(_table_of(file, kind), kind)
        except RowError as error:
            raise FormatError(f'row {error.row + 1}: {error.sentence}', file) from None
        for query in dict.fromkeys(rows.columns['query_id']) if kind == 'run' else ():
            if home.setdefault(query, file) != file:
                raise FormatError(f'the query {quoted(query)} stands in {os.fspath(home[query])} too, but each query '
                                  'of a run is whole in one file: write the parts again', file)
        if parts and rows.row_type is not parts[0][1].row_type:
            raise FormatError(f'the file has the columns {joined(rows.columns)}, but the first of the folder has '
                              f'{joined(parts[0][1].columns)}: give all of them the same columns', file)
        parts.append((file, rows))
    return FileRows.joined(parts)


def _table_of(path: StrPath, kind: str) -> Any:
    """The columns of a file that are read, as a table of Arrow."""
    with open(path, 'rb') as start:
        if start.read(4) != b'PAR1':
            raise FormatError('this is no Parquet file, which begins with PAR1: name its own format', path)
    pyarrow, parquet = _arrow('read')
    try:
        with parquet.ParquetFile(os.fspath(path)) as file:
            _refuse_large(file.metadata, path)
            table = file.read(columns=_names(file.schema_arrow, kind, path))
        table.validate(full=True)  # since Arrow reads texts that are not UTF-8 from a damaged file
        return table
    except FormatError:
        raise
    except pyarrow.ArrowMemoryError:
        raise TooLarge('the file does not fit into memory: give it in parts', path) from None
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FormatError(f'this is no complete Parquet file ({str(error).partition(chr(10))[0].rstrip(".")}): write '
                          'it again', path) from None


def _arrow(done: str) -> tuple[Any, Any]:
    use = f'Parquet files are {done} with pyarrow'
    return needed('pyarrow', use, 'scale'), needed('pyarrow.parquet', use, 'scale')


def _names(schema: Any, kind: str, path: StrPath) -> list[str]:
    """The names of the columns that are read."""
    there = schema.names
    lacks = [name for name in ('query_id', 'doc_id', VALUE[kind]) if name not in there]
    if lacks:
        raise FormatError(f'the {kind} lacks {", ".join(map(repr, lacks))} (it has {joined(there)}): name the columns '
                          'as ir-measures does', path)
    if ('start' in there) != ('end' in there or ('start' in there and 'length' in there)):
        raise FormatError(f"the {kind} has only one of 'start' and 'end', but a segment takes 'start' with 'end' or "
                          "'length': add the other column", path)
    wanted = 'query_id', 'doc_id', 'start', 'end', 'length', VALUE[kind], 'iteration', *extras_of(kind)
    names = [name for name in wanted if name in there]
    for name in names:  # of which Arrow has words of its own
        if there.count(name) > 1:
            raise FormatError(f'the {kind} has several columns {name!r}: give each a name of its own', path)
        if schema.field(name).type.num_fields:
            raise FormatError(f'the {name} of the {kind} is {quoted(str(schema.field(name).type))}, several values in '
                              'one: write a text or a number for every row', path)
    return names


def _refuse_large(metadata: Any, path: StrPath) -> None:
    """Raises TooLarge for a file that unpacks to what no run does, since equal rows take next to nothing in it."""
    groups = [metadata.row_group(place) for place in range(metadata.num_row_groups)]
    rows = max(metadata.num_rows, sum(group.num_rows for group in groups))  # which differ in a damaged file
    size = max(sum(group.total_byte_size for group in groups), 8 * rows)
    if size > LARGEST and size > RATIO * os.path.getsize(path):
        raise TooLarge(f'the {rows:,} rows of the file unpack to more than {LARGEST / 2 ** 30:.3g} GiB, '
                       f'more than {RATIO} times its size, as no judgements and no run do: write it again', path)


def _rows(table: Any, kind: str) -> FileRows[Any]:
    """The rows of a table of Arrow. Raises RowError for one without an id or a finite value."""
    columns, value = Columns(table, kind), VALUE[kind]
    found: dict[str, Any] = {}
    for name in ('query_id', 'doc_id'):
        distinct, code = columns.codes(name)
        found[name] = np.array(distinct, object)[code]
    if columns.have_times():
        start, end = columns.times()
        if not (np.isnan(start) & np.isnan(end)).all() or not len(start):  # else the ids tell
            found |= {'start': _whole(start), 'end': _whole(end)}
    found[value] = columns.numbers(value)
    wrong = ~np.isfinite(found[value])
    if wrong.any():
        row = int(np.argmax(wrong))
        raise RowError(kind, row, f'query {quoted(found["query_id"][row])}, document {quoted(found["doc_id"][row])}: '
                                  f'the {value} is missing or not a finite number: give every row a number')
    if kind == 'qrels':
        found[value] = _whole(found[value])
        given = table.column('iteration').to_pylist() if 'iteration' in table.column_names else ['0'] * len(table)
        found['iteration'] = ['0' if iteration is None else str(iteration) for iteration in given]
    found |= {name: [None if value != value else value for value in values.tolist()]
              for name, values in columns.extras().items()}
    return FileRows(_row_type(tuple(found)), found.values())


def _whole(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The numbers as integers, if all are: those of documents' measures are no others."""
    whole = (numbers == np.floor(numbers)) & (np.abs(numbers) < 1e15)
    return numbers.astype(np.int64) if whole.all() else numbers


@cache
def _row_type(fields: tuple[str, ...]) -> Any:
    return namedtuple('ParquetRow', fields)


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
    fields = rows[0]._fields if rows else ()
    texts = 'query_id', 'doc_id', 'iteration', 'aspects'
    values = [VALUE[kind], *(name for name in extras_of(kind) if name in fields)]

    def cells(row: Any) -> dict[str, Any]:
        found = {'query_id': row.query_id, **place_of(row, unit)}
        for name in values:
            value = getattr(row, name)
            if name != VALUE[kind] and (value is None or value != value):
                found[name] = None
            else:
                found[name] = value if name in texts else float(decimal(value, name))
        return found | ({'iteration': row.iteration} if 'iteration' in fields else {})
    # The types depend on the fields of the rows, not on their values.
    written = judged_lines(rows, cells)
    table = pyarrow.table({name: pyarrow.array([row[name] for row in written],
                                               pyarrow.string() if name in texts else pyarrow.float64())
                           for name in (written[0] if written else ('query_id', 'doc_id', VALUE[kind]))})
    with whole_file(path) as file:
        parquet.write_table(table, file)
    return left_out(rows, table.column_names, paths=True)


PARQUET = Format(
    'parquet',
    'Parquet: query_id, doc_id, score or relevance, maybe start and end in seconds; or a folder of such files', 't',
    Files(partial(read, kind='qrels'), partial(write, kind='qrels')),
    Files(partial(read, kind='run'), partial(write, kind='run'), rules=SCORED),
    folders=True, lists=('queries', 'anchors', 'videos'))
