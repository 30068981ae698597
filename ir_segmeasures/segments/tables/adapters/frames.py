"""Frames of pandas and polars, tables of Arrow, datasets of Hugging Face, and arrays of records of NumPy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import nan
from typing import Any

import numpy as np

from ir_segmeasures.segments.tables.adapters.base import IDS, Adapter, Values, refuse_repeated, refuse_unlike
from ir_segmeasures.segments.tables.id_columns import ArrowTexts, Coded, coded

__all__ = ['ArrowTable', 'HuggingFaceDataset', 'PandasFrame', 'PolarsFrame', 'RecordArray']


class PandasFrame(Adapter):
    """A frame of pandas."""

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        return cls(rows, kind, rows.columns) if hasattr(rows, 'itertuples') else None

    def read(self, names: Collection[str]) -> dict[str, Any]:
        refuse_repeated(self.names, names, self.kind)
        columns = {name: self.source[name] for name in names if name in self.names}
        return {name: _factorized(column) if name in IDS else column for name, column in columns.items()}

    def assign(self, columns: Values) -> Adapter:
        return self._with(self.source.assign(**columns))

    def take(self, rows: Sequence[int]) -> Adapter:
        return self._with(self.source.iloc[list(rows)])

    def without(self, names: Collection[str]) -> Adapter:
        frame = self.source.drop(columns=[name for name in self.names if name in names])
        return self._with(frame, frame.columns)


def _factorized(column: Any) -> Any:
    """A column of ids of pandas as codes, where pandas finds these faster than we do, or as texts of Arrow; else as it
    is.
    """
    if not all(hasattr(column, name) for name in ('factorize', 'dtype', 'iloc')) or column.dtype == object:
        return column
    if not len(column) or '#' in str(column.iloc[0]):  # ids of segments hardly repeat
        if getattr(column.dtype, 'storage', None) != 'pyarrow' or not hasattr(column, '__arrow_c_stream__'):
            return column
        import pyarrow
        array = pyarrow.chunked_array(column)
        return column if array.null_count else ArrowTexts(array)
    code, distinct = column.factorize()
    ids = distinct.tolist()
    types = set(map(type, ids))
    if types <= {int}:
        ids = list(map(str, ids))
    return Coded(ids, code.astype(np.intp)) if types in ({str}, {int}) and code.min() >= 0 else column


class ArrowTable(Adapter):
    """A table of Arrow: of its batches, of what reads them, and of whatever else gives Arrow (DuckDB)."""

    def __init__(self, table: Any, kind: str, make: Callable[[Any], Any] | None = None):
        super().__init__(table, kind, table.column_names, make)

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        parts = rows if isinstance(rows, list) else [rows]
        given = parts and all(hasattr(part, '__arrow_c_stream__') for part in parts)
        return cls(_table(parts, kind), kind) if given else None

    def read(self, names: Collection[str]) -> dict[str, Any]:
        refuse_repeated(self.names, names, self.kind)
        return {name: self._read(name) for name in names if name in self.names}

    def _read(self, name: str) -> Any:
        import pyarrow
        column = self.source.column(name)
        types, type = pyarrow.types, column.type
        if types.is_temporal(type):
            raise ValueError(f'the {name} of the {self.kind} is a {type}: give numbers, such as seconds')
        if name in IDS and not column.null_count:
            if types.is_dictionary(type) and _are_texts(type.value_type):
                return coded(column)
            if _are_texts(type):
                column = _without_views(column)
                # Ids of segments hardly repeat.
                return ArrowTexts(column) if len(column) and '#' in column[0].as_py() else coded(column)
        if types.is_floating(type) or types.is_integer(type):
            if not column.null_count:
                return column.to_numpy()
            if types.is_integer(type):  # whose missing values are None
                column = column.cast(pyarrow.float64())
            return column.fill_null(nan).to_numpy()
        return column.to_pylist()

    def assign(self, columns: Values) -> Adapter:
        import pyarrow
        table = self.source
        for name, values in columns.items():
            table = table.set_column(self.names.index(name), name, pyarrow.array(values))
        return self._with(table)

    def take(self, rows: Sequence[int]) -> Adapter:
        import pyarrow
        columns = list(map(_without_views, self.source.columns))  # of views Arrow takes no rows
        table = pyarrow.table(columns, self.names)
        return self._with(table.take(np.asarray(rows, np.int64)))

    def without(self, names: Collection[str]) -> Adapter:
        table = self.source.drop_columns([name for name in self.names if name in names])
        return self._with(table, table.column_names)


def _are_texts(type: Any) -> bool:
    return str(type) in ('string', 'large_string', 'string_view')


def _without_views(column: Any) -> Any:
    """A column of Arrow; views of strings, which polars has, as strings of one buffer."""
    return column.cast('large_string') if str(column.type) == 'string_view' else column


def _table(parts: list[Any], kind: str) -> Any:
    """The rows of all parts as a table of Arrow."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError(f'the {kind} is a {type(parts[0]).__name__}, which is read with pyarrow, and that cannot be '
                          f"imported ({error}): install 'ir_segmeasures[scale]', or give a list of dicts") from error
    if hasattr(parts[0], 'name'):  # a frame of polars, walked, is its columns
        return pyarrow.table({part.name: pyarrow.chunked_array(part) for part in parts})
    return pyarrow.concat_tables(map(pyarrow.table, parts))


class PolarsFrame(ArrowTable):
    """A frame of polars."""

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        given = all(hasattr(rows, name) for name in ('__arrow_c_stream__', 'with_columns', 'get_columns'))
        return cls(_table([rows], kind), kind, type(rows)) if given else None


class HuggingFaceDataset(ArrowTable):
    """A dataset of Hugging Face."""

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        given = all(hasattr(rows, name) for name in ('with_format', 'num_rows', 'from_dict'))
        return cls(rows.with_format('arrow')[:], kind, type(rows)) if given else None


class RecordArray(Adapter):
    """An array of records of NumPy, or a list of its rows."""

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        row = rows[0] if isinstance(rows, list) and rows else rows
        names = getattr(getattr(row, 'dtype', None), 'names', None)
        if names is None or row is rows:
            return cls(rows, kind, names) if names else None
        refuse_unlike(rows, row, names, kind)
        if {other.dtype.names for other in rows} != {names}:
            raise TypeError(f'the {kind} holds records with different fields: give all rows one type')
        return cls(np.array(rows), kind, names, list)

    def read(self, names: Collection[str]) -> dict[str, Any]:
        return {name: self.source[name] for name in names if name in self.names}

    def assign(self, columns: Values) -> Adapter:
        types = {name: self.source.dtype[name] for name in self.names}
        given = {name: np.asarray(values, object if types[name].kind == 'O' else None)
                 for name, values in columns.items()}
        for name, values in given.items():  # an id that is longer than its column would be cut
            types[name] = np.promote_types(types[name], values.dtype) if len(values) else types[name]
        return self._copied(types, given)

    def take(self, rows: Sequence[int]) -> Adapter:
        return self._with(self.source[np.asarray(rows, np.intp)])

    def without(self, names: Collection[str]) -> Adapter:
        return self._copied({name: self.source.dtype[name] for name in self.names if name not in names}, {})

    def _copied(self, types: dict[str, Any], given: dict[str, Any]) -> Adapter:
        array = np.empty(len(self.source), list(types.items()))
        for name in types:
            array[name] = given.get(name, self.source[name])
        return self._with(array.view(type(self.source)), types)
