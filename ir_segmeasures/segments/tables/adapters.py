"""The shapes that people have runs and qrels in, one class each: recognised by what an object can do, read column by
column, and given back in the same shape when their values change.

Frames of any library come in through narwhals, which is imported when one comes. Rows come in as lists.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Sized
from itertools import chain
from operator import attrgetter, itemgetter
from os import PathLike
from typing import Any

import numpy as np

from ir_segmeasures.segments.basics import install_command, joined, quoted
from ir_segmeasures.segments.tables import shapes
from ir_segmeasures.segments.tables.shapes import IDS as IDS, TIMES as TIMES, VALUE as VALUE, Adapter as Adapter


class ColumnDict(Adapter):
    """A dict of columns: lists, arrays of NumPy or Arrow, series of pandas or polars."""

    def __init__(self, rows: Mapping[str, Any], kind: str, make: Callable[[Any], Any] | None = None):
        super().__init__(dict(rows), kind, rows, make)

    def _check(self, needed: Collection[str], read: Collection[str]) -> None:
        super()._check(needed, read)
        for name in read:
            column = self.source[name]
            if isinstance(column, str | bytes) or not isinstance(column, Sized) or getattr(column, 'ndim', 1) == 0:
                raise TypeError(f'the {self.kind} is a dict that has {quoted(column)} for {quoted(name)}, but it holds '
                                'a list for each column: put a single row into a list')
        counts = sorted({len(self.source[name]) for name in read})
        if len(counts) > 1:
            raise ValueError(f'the {self.kind} has columns of {" and ".join(map(str, counts))} rows: give each as many')


class ReaderRows(ColumnDict):
    """The rows of our own readers, which have their columns at hand; they are given back as a list."""
    fixed = True

    def __init__(self, rows: shapes.Rows[Any], kind: str):
        super().__init__(rows.columns, kind, lambda columns: list(shapes.Rows(rows.row_type, columns.values())))


class Records(ColumnDict):
    """An array of records of NumPy, or the list of its records that ir-measures makes of it."""

    def __init__(self, rows: Any, kind: str):
        if isinstance(rows, list) and len({getattr(getattr(row, 'dtype', None), 'names', None) for row in rows}) > 1:
            raise TypeError(f'the {kind} holds records with different fields: give all rows one type')
        array = np.array(rows) if isinstance(rows, list) else rows

        def make(columns: shapes.Values) -> Any:
            arrays = {name: np.asarray(values, object if array.dtype[name].kind == 'O' else None)
                      for name, values in columns.items()}
            made = np.empty(len(arrays['doc_id']), [(name, column.dtype) for name, column in arrays.items()])
            for name, column in arrays.items():
                made[name] = column
            return list(made) if isinstance(rows, list) else made.view(type(array))
        super().__init__({name: array[name] for name in array.dtype.names or ()}, kind, make)


class NestedDict(ColumnDict):
    """A dict of dicts, ``{query_id: {doc_id: value}}``, or a run or qrels of ranx; kept as three columns."""

    def __init__(self, rows: Any, kind: str):
        made = None if isinstance(rows, Mapping) else rows
        rows = rows if made is None else made.to_dict()
        for query, documents in rows.items():
            if not isinstance(documents, Mapping):
                raise TypeError(f'the {kind} has a {type(documents).__name__} for query {quoted(query)}: a dict of '
                                f'dicts holds {{doc_id: {VALUE[kind]}}} for each query')
        query = [query for query, documents in rows.items() for _ in documents]
        value = chain.from_iterable(documents.values() for documents in rows.values())
        columns = {'query_id': query, 'doc_id': list(chain.from_iterable(rows.values())), VALUE[kind]: list(value)}
        super().__init__(columns, kind)
        self.query_ids, self._ranx = list(rows), made

    @property
    def rows(self) -> Any:
        rows: dict[Any, dict[Any, Any]] = {query: {} for query in self.query_ids}
        for query, id, value in zip(*self.source.values()):
            if id in rows[query]:
                raise ValueError(f'query {quoted(query)} has two ids that are the same segment, and a dict holds each '
                                 'once: give named tuples or a frame')
            rows[query][id] = value
        if self._ranx is None:
            return rows
        made = self._ranx.from_dict(rows)
        if hasattr(self._ranx, 'name'):  # by which ranx tells runs apart
            made.name = self._ranx.name
        return made

    def take(self, rows: Sequence[int]) -> Adapter:
        taken = super().take(rows)
        emptied = set(self.source['query_id']).difference(taken.source['query_id'])
        taken.query_ids = [query for query in self.query_ids if query not in emptied]
        return taken


class Frame(Adapter):
    """A frame of a library that narwhals knows (pandas, polars, …), a dataset of Hugging Face, a table of Arrow, one or
    a list of its batches, and whatever else gives Arrow (DuckDB)."""

    def __init__(self, rows: Any, kind: str):
        made: Any = None
        if hasattr(rows, 'with_format'):  # a dataset of Hugging Face holds a table of Arrow
            rows, made = rows.with_format('arrow')[:], type(rows)
        import narwhals  # not needed for rows, and slow to import
        if isinstance(rows, list) and hasattr(rows[0], 'name'):  # columns of polars, as ir-measures walks its frames
            frame = narwhals.from_dict({part.name: narwhals.from_native(part, series_only=True) for part in rows})
        else:
            parts = [self._part(part, kind, narwhals) for part in (rows if isinstance(rows, list) else [rows])]
            frame = parts[0] if len(parts) == 1 else narwhals.concat(parts)
        super().__init__(frame, kind, frame.columns, lambda frame: (
            frame.to_native() if made is None else made(frame.to_native())))

    @staticmethod
    def _part(rows: Any, kind: str, narwhals: Any) -> Any:
        try:
            frame = narwhals.from_native(rows, eager_only=True, pass_through=True)
            if frame is not rows:
                return frame
            if not hasattr(rows, '__arrow_c_stream__'):
                raise shapes.no_shape(rows, kind)
            return narwhals.DataFrame.from_arrow(rows, backend='pyarrow')
        except narwhals.exceptions.DuplicateError:
            names = list(rows.column_names if hasattr(rows, 'column_names') else rows.columns)
            shapes.refuse_repeated(names, names, kind)
            raise
        except ImportError as error:
            raise ImportError(f'the {kind} is a {type(rows).__name__}, which is read with pyarrow, and that cannot be '
                              f'imported ({error}): {install_command("scale")}, or give a list of dicts') from error

    def column(self, name: str) -> Any:
        series = self.source.get_column(name)
        if name in IDS and 'pyarrow' in sys.modules and str(series.dtype) == 'String' and (
                len(series) and '#' not in str(series[0])):  # ids of segments hardly repeat
            texts = series.to_arrow()
            if not texts.null_count:
                texts = (texts.combine_chunks() if hasattr(texts, 'chunks') else texts).dictionary_encode()
                return shapes.Coded(texts.dictionary.to_pylist(), texts.indices.to_numpy().astype(np.intp))
        return series.to_numpy()

    def assign(self, columns: shapes.Values) -> Adapter:
        import narwhals
        return self._with(self.source.with_columns(*(
            narwhals.new_series(name, values, backend=self.source.implementation) for name, values in columns.items())))

    def take(self, rows: Sequence[int]) -> Adapter:
        return self._with(self.source[np.asarray(rows, np.intp)])

    def without(self, names: Collection[str]) -> Adapter:
        frame = self.source.drop([name for name in self.names if name in names])
        return self._with(frame, frame.columns)


class RowList(ColumnDict):
    """A list of rows of one kind: named tuples, dicts, objects of a dataclass, or rows of SQL libraries, which make
    dicts of themselves. An empty list is one of named tuples."""

    def __init__(self, rows: list[Any], kind: str):
        if rows and not isinstance(rows[0], tuple) and hasattr(rows[0], '_asdict'):
            rows = [row._asdict() if hasattr(row, '_asdict') else row for row in rows]
        row = rows[0] if rows else None
        names = list(_fields(row) if rows else (*IDS, VALUE[kind]))
        self.fixed = not isinstance(row, Mapping)
        if not self.fixed or len(set(map(type, rows))) > 1:
            for number, other in enumerate(rows):
                fields = _fields(other)
                if fields != _fields(row) or isinstance(other, tuple) != isinstance(row, tuple):
                    has = f'a {type(other).__name__}' if fields is None else joined(fields)
                    raise TypeError(f'the {kind} holds rows with different fields, {has} in row {number} and '
                                    f'{joined(names)} in others: give all rows the same ones')
        get: Any = itemgetter if isinstance(row, tuple | Mapping) else attrgetter
        places = range(len(names)) if isinstance(row, tuple) else names
        # For many rows faster than zip(*rows), which makes tuples of all.
        made: Any = type(row)

        def make(columns: shapes.Values) -> list[Any]:
            rows = zip(*columns.values())
            return [*map(made._make, rows)] if isinstance(row, tuple) else [
                values if isinstance(row, Mapping) else made(**values) for values in (dict(zip(columns, values))
                                                                                      for values in rows)]
        super().__init__({name: list(map(get(place), rows)) for name, place in zip(names, places)}, kind, make)


def _fields(row: Any) -> Any:
    """The names of the fields of a named tuple, a dict or an object of a dataclass; None for anything else."""
    return (getattr(row, '_fields', None) if isinstance(row, tuple) else row.keys() if isinstance(row, Mapping) else
            getattr(row, '__dataclass_fields__', None))


def _first(rows: Any) -> Any:
    return rows[0] if isinstance(rows, list) and rows else rows


# The adapter of a shape, and what tells that rows have it.
_ADAPTERS: tuple[tuple[type[Adapter], Callable[[Any], Any]], ...] = (
    (ColumnDict, lambda rows: isinstance(rows, Mapping) and set(rows).issuperset(IDS) and not any(
        isinstance(column, Mapping) for column in rows.values())),
    (NestedDict, lambda rows: isinstance(rows, Mapping) or (
        hasattr(rows, 'to_dict') and hasattr(rows, 'from_dict') and not hasattr(rows, '__iter__'))),
    (ReaderRows, lambda rows: isinstance(rows, shapes.Rows)),
    (Records, lambda rows: getattr(getattr(_first(rows), 'dtype', None), 'names', None)),
    (Frame, lambda rows: hasattr(_first(rows), '__arrow_c_stream__') or any(
        hasattr(rows, sign) for sign in ('itertuples', '__narwhals_dataframe__', 'with_format'))),
    (RowList, lambda rows: isinstance(rows, list) and (not rows or (not isinstance(rows[0], type) and (
        _fields(rows[0]) is not None or (hasattr(rows[0], '_asdict') and not isinstance(rows[0], tuple)))))),
)


def adapter_of(rows: Any, kind: str | None = None) -> Adapter:
    """The adapter of a run or qrels; an adapter is its own. Iterators are read, and their rows are a list from here on.

    Args:
        rows: in any of the shapes
        kind: ``'run'`` or ``'qrels'``; not given: qrels where there is ``relevance`` and no ``score``, else a run

    Raises:
        TypeError: the rows have no shape that can be taken; the sentence says which conversion would do
        ValueError: another kind, or a column that stands there twice
        ImportError: rows of Arrow where pyarrow is not installed
    """
    if kind not in (None, *VALUE):
        raise ValueError(f"kind={quoted(kind)}: rows are a 'run' or 'qrels'")
    if isinstance(rows, Adapter):
        return rows
    rows = rows.unread() if isinstance(rows, shapes.RowIterator) else rows
    shape = _recognised(rows)
    if shape is None and isinstance(rows, Iterable) and not (
            isinstance(rows, list | type | str | bytes | PathLike) or hasattr(rows, 'dtype')):
        rows = list(rows)
        shape = _recognised(rows)
    if shape is None:
        raise shapes.no_shape(rows, kind or 'run')
    adapter = shape(rows, kind or 'run')
    if kind is None and VALUE['qrels'] in adapter.names and VALUE['run'] not in adapter.names:
        adapter.kind = 'qrels'
    return adapter


def _recognised(rows: Any) -> Any:
    return None if isinstance(rows, type) else next((shape for shape, fits in _ADAPTERS if fits(rows)), None)
