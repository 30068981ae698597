"""Tables of judgements and of runs, as Parquet and spreadsheets have them: their columns as rows, and rows as cells."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import FileRows, row_type_of
from ir_segmeasures.formats.files.writing import decimal, judged_lines, place_of
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.tables.adapters import VALUE
from ir_segmeasures.segments.tables.columns import Columns, RowError

TEXTS = 'query_id', 'doc_id', 'iteration', 'aspects'


def rows_of_table(table: Any, kind: str, lines: Any = None) -> FileRows[Any]:
    """The rows of a table with ``query_id``, ``doc_id``, ``score`` or ``relevance``, and maybe times and what some
    measures need (:data:`~ir_segmeasures.segments.tables.columns.EXTRAS`); numbers are integers where all are whole.

    Args:
        table: a dict of columns, or a table of Arrow
        kind: ``'qrels'`` or ``'run'``
        lines: the number of the line of each row, if it has one

    Raises:
        RowError: a row has no id, no segment or no finite value
        ValueError: a column is missing, or stands there twice
    """
    columns, value = Columns(table, kind), VALUE[kind]
    found: dict[str, Any] = {}
    for name in ('query_id', 'doc_id'):
        distinct, code = columns.codes(name)
        found[name] = np.array(distinct, object)[code]
    if columns.beside is not None:
        if columns.beside.lack:
            raise ValueError(columns.beside.lack)
        start, end = columns.times()
        if not (np.isnan(start) & np.isnan(end)).all() or not len(start):  # else the ids tell
            found |= {'start': _whole(start), 'end': _whole(end)}
    numbers = columns.numbers(value)
    for row in np.flatnonzero(~np.isfinite(numbers)).tolist():
        raise RowError(kind, row, f'query {quoted(found["query_id"][row])}, document {quoted(found["doc_id"][row])}: '
                                  f'the {value} is missing or not a finite number: give every row a number')
    found[value] = numbers if kind == 'run' and lines is None else _whole(numbers)
    if kind == 'qrels':
        given = table['iteration'].to_pylist() if 'iteration' in columns.names else ['0'] * len(numbers)
        found['iteration'] = ['0' if iteration is None else str(iteration) for iteration in given]
    found |= {name: [None if value != value else value for value in values.tolist()]
              for name, values in columns.extras().items()}
    return FileRows(row_type_of(tuple(found)), found.values(), lines)


def rows_of_parts(parts: Iterable[tuple[StrPath, FileRows[Any]]]) -> FileRows[Any]:
    """The rows of several files or sheets, each with its name, one behind the other. Raises ``FormatError`` where one
    has other columns than the first."""
    parts = list(parts)
    for name, rows in parts:
        if rows.row_type is not parts[0][1].row_type:
            raise FormatError(f'here are the columns {joined(rows.columns)}, but the first part has '
                              f'{joined(parts[0][1].columns)}: give all of them the same columns', name)
    return FileRows.joined(parts) if len(parts) > 1 else parts[0][1]


def _whole(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The numbers as integers, if all are: those of documents' measures are no others."""
    whole = (numbers == np.floor(numbers)) & (np.abs(numbers) < 1e15)
    return numbers.astype(np.int64) if whole.all() else numbers


def cells_of(rows: Sequence[Any], kind: str, unit: str | None, beside: Iterable[str] = ()) -> dict[str, list[Any]]:
    """Rows as the columns of a table; ``start`` and ``end`` are columns if they are seconds, and parts of the ids if
    not.

    Args:
        rows: of any reader
        kind: ``'qrels'`` or ``'run'``
        unit: of their ``start`` and ``end``
        beside: the columns that the table may have beside the value

    Raises:
        WriteError: a row has no finite value, or is no segment
    """
    value = VALUE[kind]
    names = [value, *(name for name in beside if rows and name in rows[0]._fields)]

    def cells(row: Any) -> dict[str, Any]:
        found = {'query_id': row.query_id, **place_of(row, unit)}
        for name in names:
            given = getattr(row, name)
            missing = name != value and (given is None or given != given)
            found[name] = None if missing else given if name in TEXTS else float(decimal(given, name))
        return found
    written = judged_lines(rows, cells)
    return {name: [row[name] for row in written] for name in (written[0] if written else ('query_id', 'doc_id', value))}
