"""Frames of pandas and polars, tables of Arrow, datasets of Hugging Face, and arrays of records of NumPy."""

from collections.abc import Collection, Sequence
from math import nan
from typing import Any

import numpy as np

from ir_segmeasures.segments.tables.adapters.base import IDS, Adapter, Values, refuse_unlike
from ir_segmeasures.segments.tables.id_columns import ArrowTexts, Coded, coded

__all__ = ['ArrowTable', 'HuggingFaceDataset', 'PandasFrame', 'PolarsFrame', 'RecordArray']


class PandasFrame(Adapter):
    """A frame of pandas."""
    signs = ('itertuples',)

    def __init__(self, rows: Any, kind: str):
        super().__init__(rows, kind, rows.columns)

    def read(self, names: Collection[str]) -> dict[str, Any]:
        return {name: _ids(column) if name in IDS else column for name, column in super().read(names).items()}

    def assign(self, columns: Values) -> Adapter:
        return self._with(self.source.assign(**columns))

    def take(self, rows: Sequence[int]) -> Adapter:
        return self._with(self.source.iloc[np.asarray(rows, np.intp)])

    def without(self, names: Collection[str]) -> Adapter:
        frame = self.source.drop(columns=[name for name in self.names if name in names])
        return self._with(frame, frame.columns)


def _ids(column: Any) -> Any:
    """A column of pandas as codes, where it finds these faster than we do, or as Arrow holds it; else as it is."""
    if not all(hasattr(column, name) for name in ('factorize', 'dtype', 'iloc')) or column.dtype == object:
        return column
    if not len(column) or '#' in str(column.iloc[0]):  # ids of segments hardly repeat
        if getattr(column.dtype, 'storage', None) != 'pyarrow':
            return column
        import pyarrow
        texts = pyarrow.array(column.array)
        return column if texts.null_count else ArrowTexts(texts)
    code, distinct = column.factorize()
    ids = distinct.tolist()
    types = set(map(type, ids))
    if types <= {int}:
        ids = list(map(str, ids))
    return Coded(ids, code.astype(np.intp)) if types in ({str}, {int}) and code.min() >= 0 else column


class ArrowTable(Adapter):
    """A table of Arrow, one or a list of its batches, and whatever else gives Arrow (DuckDB)."""
    signs: tuple[str, ...] = ('__arrow_c_stream__',)

    @classmethod
    def recognise(cls, rows: Any) -> bool:
        return bool(rows) and all(map(super().recognise, rows)) if isinstance(rows, list) else super().recognise(rows)

    def __init__(self, rows: Any, kind: str):
        parts = rows if isinstance(rows, list) else [rows]
        try:
            import pyarrow
        except ImportError as error:
            raise ImportError(f'the {kind} is a {type(parts[0]).__name__}, which is read with pyarrow, and that cannot '
                              f"be imported ({error}): install 'ir_segmeasures[scale]', or give a list of "
                              'dicts') from error
        if hasattr(parts[0], 'name'):  # columns, as a frame of polars is walked
            table = pyarrow.table({part.name: pyarrow.chunked_array(part) for part in parts})
        else:
            table = pyarrow.concat_tables(map(pyarrow.table, parts))
        super().__init__(table, kind, table.column_names)

    def read(self, names: Collection[str]) -> dict[str, Any]:
        return {name: self._read(name, column) for name, column in super().read(names).items()}

    def _read(self, name: str, column: Any) -> Any:
        import pyarrow
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
        table = pyarrow.table(list(map(_without_views, self.source.columns)), self.names)
        return self._with(table.take(np.asarray(rows, np.int64)))

    def without(self, names: Collection[str]) -> Adapter:
        table = self.source.drop_columns([name for name in self.names if name in names])
        return self._with(table, table.column_names)


def _are_texts(type: Any) -> bool:
    return str(type) in ('string', 'large_string', 'string_view')


def _without_views(column: Any) -> Any:
    """A column of Arrow; views of strings, which polars has and of which Arrow takes no rows, as strings."""
    return column.cast('large_string') if str(column.type) == 'string_view' else column


class PolarsFrame(ArrowTable):
    """A frame of polars."""
    signs = ('__arrow_c_stream__', 'with_columns', 'get_columns')

    def __init__(self, rows: Any, kind: str):
        super().__init__(rows, kind)
        self.make = type(rows)


class HuggingFaceDataset(ArrowTable):
    """A dataset of Hugging Face, which holds a table of Arrow."""
    signs = ('with_format', 'num_rows', 'from_dict')

    def __init__(self, rows: Any, kind: str):
        super().__init__(rows.with_format('arrow')[:], kind)
        self.make = type(rows)


class RecordArray(Adapter):
    """An array of records of NumPy, or a list of its records."""

    def __init__(self, rows: Any, kind: str):
        make = None
        if isinstance(rows, list):
            refuse_unlike(rows, rows[0], rows[0].dtype.names, kind)
            if len({row.dtype.names for row in rows}) > 1:
                raise TypeError(f'the {kind} holds records with different fields: give all rows one type')
            rows, make = np.array(rows), list
        super().__init__(rows, kind, rows.dtype.names, make)

    @classmethod
    def recognise(cls, rows: Any) -> bool:
        row = rows[0] if isinstance(rows, list) and rows else rows
        return bool(getattr(getattr(row, 'dtype', None), 'names', None))

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
