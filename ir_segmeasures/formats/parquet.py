"""Runs and judgements in Parquet: columns ``query_id, doc_id, score`` or ``relevance``, and ``start, end`` unless ids
tell these; in one file, or in a folder of such, where each query of a run is whole in one.

Rows have ``start`` and ``end`` where there are such columns (or ``start`` and ``length``), and what some measures need
beside these (:data:`~ir_segmeasures.segments.tables.columns.EXTRAS`). Relevance is ``int`` where all of it is whole.
Source: Apache Parquet, https://parquet.apache.org/docs/file-format/; the names of the columns are those of ir-measures.
"""

import os
from collections import namedtuple
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.folders import files_of
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.reading import LARGEST, RATIO, FormatError, StrPath, TooLarge
from ir_segmeasures.formats.files.replacement import whole_file, whole_folder
from ir_segmeasures.formats.files.row_types import FileRows, Number, SegmentQrel, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.files.writing import decimal, judged_lines, left_out
from ir_segmeasures.formats.trec import SCORED
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.segment import Segment, format_segment
from ir_segmeasures.segments.tables.adapters import VALUE
from ir_segmeasures.segments.tables.columns import Columns, RowError, extras_of

__all__ = ['PARQUET', 'ParquetScoredDoc', 'read_qrels', 'read_run', 'write_parts', 'write_qrels', 'write_run']

_SUFFIXES = ('.parquet',)
_FIRST = b'PAR1'  # bytes of a file


class ParquetScoredDoc(NamedTuple):
    """A retrieved segment.

    Attributes:
        query_id: the query
        doc_id: the document, without a fragment
        start, end: from the beginning of the document, half-open; seconds, where a unit is needed
        score: of the run, higher is better
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    score: Number


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
        table = _table_of(file, kind)
        try:
            rows = _rows(table, kind)
        except RowError as error:
            raise FormatError(f'row {error.row + 1}: {error.sentence}', file) from None
        except ValueError as error:
            raise FormatError(str(error), file) from None
        for query in dict.fromkeys(rows.columns['query_id']) if kind == 'run' else ():
            if home.setdefault(query, file) != file:
                raise FormatError(f'the query {quoted(query)} stands in {os.fspath(home[query])} too, but each query '
                                  'of a run is whole in one file: write the parts again', file)
        if parts and rows.row_type is not parts[0][1].row_type:
            raise FormatError(f'the file has the columns {joined(rows.columns)}, but the first of the folder has '
                              f'{joined(parts[0][1].columns)}: give all of them the same columns', file)
        parts.append((file, rows))
    return FileRows.joined(parts)


read_qrels, read_run = partial(read, kind='qrels'), partial(read, kind='run')


def _table_of(path: StrPath, kind: str) -> Any:
    """The columns of a file that are read, as a table of Arrow."""
    with open(path, 'rb') as start:  # which packs its columns itself
        if start.read(len(_FIRST)) != _FIRST:
            raise FormatError('this is no Parquet file, which begins with PAR1: name its own format', path)
    pyarrow, parquet = _arrow('read')
    try:
        with parquet.ParquetFile(os.fspath(path)) as file:
            _refuse_large(file.metadata, path)
            names = _names(file.schema_arrow, kind, path)
            table = file.read(columns=names)
        table.validate(full=True)  # since Arrow reads texts that are not UTF-8 from a damaged file
        return table
    except UnicodeDecodeError:  # the name of a column
        raise FormatError('this is no complete Parquet file (a column has no name): write it again', path) from None
    except pyarrow.ArrowMemoryError:
        raise TooLarge('the file does not fit into memory: give it in parts', path) from None
    except (pyarrow.ArrowException, OSError) as error:
        raise FormatError(f'this is no complete Parquet file ({str(error).partition(chr(10))[0].rstrip(".")}): write '
                          'it again', path) from None


def _arrow(done: str) -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError(f'Parquet files are {done} with pyarrow, which cannot be imported ({error}): install '
                          "'ir_segmeasures[scale]'") from error
    return pyarrow, parquet


def _names(schema: Any, kind: str, path: StrPath) -> list[str]:
    """The names of the columns that are read."""
    import pyarrow
    there = schema.names
    lacks = [name for name in ('query_id', 'doc_id', VALUE[kind]) if name not in there]
    if lacks:
        raise FormatError(f'the {kind} lacks {", ".join(map(repr, lacks))} (it has {joined(there)}): name the columns '
                          'as ir-measures does', path)
    wanted = 'query_id', 'doc_id', 'start', 'end', 'length', VALUE[kind], 'iteration', *extras_of(kind)
    names = [name for name in wanted if name in there]
    for name in names:  # of which Arrow has words of its own
        if there.count(name) > 1:
            raise FormatError(f'the {kind} has several columns {name!r}: give each a name of its own', path)
        if pyarrow.types.is_nested(schema.field(name).type):
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
        if not columns.have_both():
            raise ValueError(f"the {kind} has only one of 'start' and 'end', but a segment takes 'start' with 'end' or "
                             "'length': add the other column")
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
    return FileRows(_type(tuple(found)), found.values())


def _whole(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The numbers as integers, if all are: those of documents' measures are no others."""
    whole = (numbers == np.floor(numbers)) & (np.abs(numbers) < 1e15)
    return numbers.astype(np.int64) if whole.all() else numbers


@lru_cache
def _type(fields: tuple[str, ...]) -> Any:
    """The type of rows with these fields."""
    known = (TrecScoredDoc, ParquetScoredDoc, TrecQrel, SegmentQrel)
    return next((kind for kind in known if kind._fields == fields), None) or namedtuple('ParquetRow', fields)


def write(rows: Sequence[Any], path: StrPath, unit: str | None = None, *, kind: str) -> list[str]:
    """Writes judgements or retrieved items as one file, in the order of the rows.

    Args:
        rows: of any reader; ``start`` and ``end`` become columns if they are seconds, and parts of the ids if not
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`
        kind: ``'qrels'`` or ``'run'``

    Returns, Raises:
        as there; also WriteError: the value of a row is not a finite number, or it is no segment
    """
    _, parquet = _arrow('written')
    table = _table(list(rows), kind, unit)
    with whole_file(path) as file:
        parquet.write_table(table, file)
    return left_out(rows, table.column_names, paths=True)


write_qrels, write_run = partial(write, kind='qrels'), partial(write, kind='run')


def write_parts(rows: Iterable[Any], folder: StrPath, parts: int, unit: str | None = None) -> list[str]:
    """Writes a run as a folder of Parquet files, each query whole in one.

    Args:
        rows: of any reader, in any order; those of a query keep theirs
        folder: to be made; it appears as a whole
        parts: the number of files; one with no query is not written
        unit: as in :func:`write`

    Returns:
        what the rows have and the files have not, in words

    Raises:
        WriteError: a row has no finite score, or is no segment
        FileExistsError: there is such a file or folder
        ImportError: pyarrow is not installed
    """
    _arrow('written')  # for its error
    folder = os.path.normpath(folder)
    if os.path.exists(folder):
        raise FileExistsError(f'{folder} exists, but parts that were there would be taken for those of this run: name '
                              'another folder, or remove it')
    queries: dict[str, list[Any]] = {}
    for row in rows:
        queries.setdefault(row.query_id, []).append(row)
    unwritten: dict[str, None] = {}
    with whole_folder(folder) as made:
        for part in range(min(parts, len(queries))):
            mine = [row for of_query in list(queries.values())[part::parts] for row in of_query]
            path = os.path.join(made, f'{part:0{len(str(parts - 1))}}{_SUFFIXES[0]}')
            unwritten.update(dict.fromkeys(write_run(mine, path, unit)))
    return list(unwritten)


def _table(rows: list[Any], kind: str, unit: str | None) -> Any:
    """The rows as a table of Arrow. The types of its columns depend on the fields of the rows, not on their values."""
    import pyarrow
    fields = rows[0]._fields if rows else ()
    has_times = 'end' in fields
    in_columns = has_times and unit in (None, 't')
    extras = [name for name in extras_of(kind) if name in fields]

    def id_of(row: Any) -> Any:
        decimal(getattr(row, VALUE[kind]), VALUE[kind])
        for name in extras:
            value = getattr(row, name)
            if value is not None and value == value:  # NaN is missing
                decimal(value, name)
        if has_times and not 0 <= row.start <= row.end:
            raise ValueError('a segment starts at 0 or later and ends at or after its start: correct the two')
        if in_columns or not has_times:
            return row.doc_id
        return format_segment(Segment(row.doc_id, row.start, row.end, unit))  # since columns have no unit
    columns = {'query_id': [row.query_id for row in rows], 'doc_id': judged_lines(rows, id_of)}
    numbers = [*(['start', 'end'] if in_columns else []), VALUE[kind], *extras]
    columns |= {name: [getattr(row, name) for row in rows] for name in numbers}
    if 'iteration' in fields:
        columns['iteration'] = [row.iteration for row in rows]
    return pyarrow.table({name: pyarrow.array(
        [None if value is None else float(value) for value in column] if name in numbers else column,
        pyarrow.float64() if name in numbers else pyarrow.string()) for name, column in columns.items()})


PARQUET = Format(
    'parquet',
    'Parquet: query_id, doc_id, score or relevance, maybe start and end in seconds; or a folder of such files',
    't', Files(read_qrels, write_qrels), Files(read_run, write_run, rules=SCORED, write_parts=write_parts),
    folders=True, lists=('queries', 'anchors', 'videos'))
