"""Runs and judgements in Parquet: columns ``query_id, doc_id, score`` or ``relevance``, and ``start, end`` unless ids
tell these; in one file, or in a folder of such.

Source: Apache Parquet, https://parquet.apache.org/docs/file-format/; the names of the columns are those of ir-measures.
"""

import os
from collections import namedtuple
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from itertools import accumulate, islice
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.arrow import by_query, first_line, no_arrow, opened, sound
from ir_segmeasures.formats.files.folders import files_of
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.parts import NotByQuery
from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.replacement import whole_file, whole_folder
from ir_segmeasures.formats.files.row_types import Number, Rows, SegmentQrel, TrecQrel, TrecScoredDoc
from ir_segmeasures.formats.files.writing import decimal, judged_lines, left_out
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import Segment, format_segment
from ir_segmeasures.segments.tables.adapters import VALUE
from ir_segmeasures.segments.tables.columns import Columns, RowError, extras_of
from ir_segmeasures.segments.tables.id_columns import Coded

__all__ = ['PARQUET', 'ParquetScoredDoc', 'read_qrels', 'read_run', 'read_run_by_query', 'write_parts', 'write_qrels',
           'write_run']

_SUFFIXES = ('.parquet',)
_BLOCK = 100_000  # rows in memory


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
    score: float


def read_run(path: StrPath) -> Rows[Any]:
    """Reads retrieved items of a file, or of the files of a folder, each query whole in one, in the order of the files.

    Rows have ``start`` and ``end`` where there are such columns (or ``start`` and ``length``), and what some measures
    need beside these (:data:`~ir_segmeasures.segments.tables.columns.EXTRAS`).

    Raises:
        FormatError: a file is no Parquet, lacks a column, or has a row without an id or a finite score; a query stands
            in two files
        ImportError: pyarrow is not installed
        OSError: the file cannot be opened
    """
    return _read(path, 'run')


def read_qrels(path: StrPath) -> Rows[Any]:
    """Reads judgements, as :func:`read_run` does a run. Relevance is ``int`` where all of it is whole."""
    return _read(path, 'qrels')


def read_run_by_query(path: StrPath) -> Iterator[Rows[Any]]:
    """Reads retrieved items, as :func:`read_run` does, some queries at a time.

    Raises:
        NotByQuery: the rows of a query do not stand together
        ValueError: a row is wrong: :func:`read_run` finds out which
    """
    import pyarrow
    seen: set[str] = set()
    for file in files_of(path, _SUFFIXES):
        here: set[str] = set()
        with opened(file, 'run') as (content, names):
            blocks = (sound(pyarrow.Table.from_batches([batch]))
                      for batch in content.iter_batches(_BLOCK, columns=names))
            for table in by_query(blocks, 'query_id'):
                rows = _rows(table, 'run')
                here.update(rows.columns['query_id'].distinct)
                yield rows
        if not seen.isdisjoint(here):
            raise NotByQuery
        seen |= here


def _read(path: StrPath, kind: str) -> Rows[Any]:
    files, tables = files_of(path, _SUFFIXES), []
    for file in files:
        with opened(file, kind) as (content, names):
            tables.append(sound(content.read(columns=names)))
    import pyarrow  # which is there, since a file was opened with it
    try:
        rows = _rows(tables[0] if len(tables) == 1 else
                     pyarrow.concat_tables(tables, promote_options='permissive'), kind)
    except RowError as error:
        file, row = _place(files, list(map(len, tables)), error.row)
        raise FormatError(f'row {row + 1}: {error.sentence}', file) from None
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
        raise FormatError(f'the files of the folder do not go together ({first_line(error)}): give their columns the '
                          'same types', path) from None
    except ValueError as error:
        raise FormatError(str(error), path) from None
    if kind == 'run' and len(files) > 1:
        place: dict[Any, StrPath] = {}
        for file, table in zip(files, tables):
            for query in table.column('query_id').unique().to_pylist():
                if place.setdefault(query, file) != file:
                    raise FormatError(f'the query {quoted(query)} stands in {os.fspath(place[query])} too, but each '
                                      'query of a run is whole in one file: write the parts again', file)
    return rows


def _rows(table: Any, kind: str) -> Rows[Any]:
    """The rows of a table of Arrow. Raises RowError for one without an id or a finite value."""
    columns, value = Columns(table, kind), VALUE[kind]
    query, document = (Coded(*columns.codes(name)) for name in ('query_id', 'doc_id'))
    found: dict[str, Any] = {'query_id': query, 'doc_id': document}
    if columns.have_times():
        if not columns.have_both():
            raise ValueError(f"the {kind} has only one of 'start' and 'end', but a segment takes 'start' with 'end' or "
                             "'length': add the other column")
        start, end = columns.times(None, 0)
        if not (np.isnan(start) & np.isnan(end)).all() or not len(start):  # else the ids tell
            found |= {'start': _whole(start), 'end': _whole(end)}
    found[value] = columns.numbers(value)
    wrong = ~np.isfinite(found[value])
    if wrong.any():
        row = int(np.argmax(wrong))
        raise RowError(kind, row, f'query {quoted(query[row])}, document {quoted(document[row])}: the {value} is '
                                  'missing or not a finite number: give every row a number')
    if kind == 'qrels':
        found[value] = _whole(found[value])
        given = table.column('iteration').to_pylist() if 'iteration' in table.column_names else ['0'] * len(table)
        found['iteration'] = ['0' if iteration is None else str(iteration) for iteration in given]
    found |= {name: [None if value != value else value for value in values.tolist()]
              for name, values in columns.extras().items()}
    return Rows(_type(tuple(found)), found.values())


def _whole(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The numbers as integers, if all are: those of documents' measures are no others."""
    whole = (numbers == np.floor(numbers)) & (np.abs(numbers) < 1e15)
    return numbers.astype(np.int64) if whole.all() else numbers


@lru_cache
def _type(fields: tuple[str, ...]) -> Any:
    """The type of rows with these fields."""
    known = (TrecScoredDoc, ParquetScoredDoc, TrecQrel, SegmentQrel)
    return next((kind for kind in known if kind._fields == fields), None) or namedtuple('ParquetRow', fields)


def _place(files: Sequence[StrPath], lengths: list[int], row: int) -> tuple[StrPath, int]:
    """The file of a folder that a row stands in, and its number there."""
    for file, length, last in zip(files, lengths, accumulate(lengths)):
        if row < last:
            return file, row - (last - length)
    raise IndexError(row)


def place(path: StrPath, row: int) -> tuple[StrPath, int]:
    """The file that a row of :func:`read_run` or :func:`read_qrels` stands in, and its number there, both from 0."""
    from pyarrow import parquet
    files = files_of(path, _SUFFIXES)
    return _place(files, [parquet.read_metadata(os.fspath(file)).num_rows for file in files], row)


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements as one file, in the order of the rows.

    Args:
        rows: of any reader; ``start`` and ``end`` become columns if they are seconds, and parts of the ids if not
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there; also WriteError: the relevance of a row is not a finite number, or it is no segment
    """
    return _write(rows, path, 'qrels', unit)


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes retrieved items, as :func:`write_qrels` does judgements."""
    return _write(rows, path, 'run', unit)


def _write(rows: Sequence[Any], path: StrPath, kind: str, unit: str | None) -> list[str]:
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise no_arrow('written', error) from error
    table = _table(list(rows), kind, unit)
    with whole_file(path) as file:
        parquet.write_table(table, file)
    return left_out(rows, table.column_names, paths=True)


def write_parts(rows: Iterable[Any], folder: StrPath, parts: int, unit: str | None = None) -> list[str]:
    """Writes a run as a folder of Parquet files, each query whole in one, a block of rows in memory at a time.

    Args:
        rows: of any reader, in any order; those of a query keep theirs
        folder: to be made; it appears as a whole
        parts: the number of files; one with no query is not written
        unit: as in :func:`write_run`

    Returns:
        what the rows have and the files have not, in words

    Raises:
        WriteError: a row has no finite score, or is no segment
        FileExistsError: there is such a file or folder
        ImportError: pyarrow is not installed
    """
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise no_arrow('written', error) from error
    folder = os.path.normpath(folder)
    if os.path.exists(folder):
        raise FileExistsError(f'{folder} exists, but parts that were there would be taken for those of this run: name '
                              'another folder, or remove it')
    part_of: dict[str, int] = {}
    unwritten: dict[str, None] = {}
    with whole_folder(folder) as made, ExitStack() as files:
        writers: dict[int, Any] = {}
        walk = iter(rows)
        while block := list(islice(walk, _BLOCK)):
            # Queries take turns, so that parts are of one size as far as queries are.
            by_part: dict[int, list[Any]] = {}
            for row in block:
                by_part.setdefault(part_of.setdefault(row.query_id, len(part_of) % parts), []).append(row)
            for part, mine in by_part.items():
                table = _table(mine, 'run', unit)
                unwritten.update(dict.fromkeys(left_out(mine, table.column_names, paths=True)))
                if part not in writers:
                    path = os.path.join(made, f'{part:0{len(str(parts - 1))}}{_SUFFIXES[0]}')
                    writers[part] = files.enter_context(parquet.ParquetWriter(path, table.schema))
                writers[part].write_table(table)
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
    't', Files(read_qrels, write_qrels, place=place),
    Files(read_run, write_run, place=place, read_by_query=read_run_by_query, write_parts=write_parts),
    folders=True, lists=('queries', 'anchors', 'videos'))
