"""Runs and qrels in any of the shapes with other values, or with some of their rows, in the shape that they had."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from operator import attrgetter, itemgetter
from os import PathLike
from typing import Any, cast

import numpy as np

from ir_segmeasures.segments.quoting import shown
from ir_segmeasures.segments.tables.columns import VALUE
from ir_segmeasures.segments.tables.rows import Rows
from ir_segmeasures.segments.tables.shapes import makes_dict, refuse_uneven, shape_of

__all__ = ['Editable', 'editable']

_LISTED = ('tolist', 'to_list', 'to_pylist')  # of arrays of NumPy, series of polars, arrays of Arrow

Values = Mapping[str, Sequence[Any]]


class Editable:
    """A run or qrels of which columns can be changed and rows be left out.

    Attributes:
        source: the rows, to be read as often as one likes
        names: of the columns; none of a dict of dicts
        fixed: whether rows have the fields of their type, so that none can be left out
    """
    names: Sequence[str] = ()
    fixed = False

    def __init__(self, source: Any):
        self.source = source

    @property
    def rows(self) -> Any:
        """The rows in their shape."""
        return self.source

    @property
    def kind(self) -> str:
        """``'run'`` or ``'qrels'``, by the columns."""
        return 'qrels' if 'relevance' in self.names else 'run'

    def values(self, name: str) -> list[Any]:
        """A column.

        Raises:
            ValueError, TypeError: the rows do not have it, or are not all of one kind
        """
        if name in self.names:
            try:
                return self._values(name)
            except (AttributeError, KeyError, TypeError):  # rows with other fields: the sentence is that of all readers
                pass
        shape_of(self.source, self.kind, VALUE[self.kind], ())
        raise ValueError(f'the {self.kind} lacks {name!r} in some of its rows: give all rows the same fields')

    def _values(self, name: str) -> list[Any]:
        raise NotImplementedError

    def assign(self, columns: Values) -> Editable:
        """The same with other values in some columns, which it has."""
        raise NotImplementedError

    def take(self, rows: Sequence[int]) -> Editable:
        """Some of the rows, in this order."""
        raise NotImplementedError

    def without(self, names: Iterable[str]) -> Editable:
        """The same without some columns, where these can be left out."""
        return self


class _Nested(Editable):
    """A dict of dicts, and what makes one of itself (ranx)."""

    def __init__(self, source: Any, queries: list[Any], query: list[Any], id: list[Any], value: list[Any]):
        super().__init__(source)
        self.queries, self.query, self.id, self.value = queries, query, id, value

    @classmethod
    def of(cls, source: Any, mapping: Mapping[Any, Mapping[Any, Any]]) -> _Nested:
        pairs = [(query, *pair) for query, documents in mapping.items() for pair in documents.items()]
        return cls(source, list(mapping), *([pair[i] for pair in pairs] for i in range(3)))

    @property
    def rows(self) -> Any:
        rows: dict[Any, dict[Any, Any]] = {query: {} for query in self.queries}
        for query, id, value in zip(self.query, self.id, self.value):
            if id in rows[query]:
                raise ValueError(f'query {shown(query)} has two ids that are the same segment, and a dict holds each '
                                 'once: give named tuples or a frame')
            rows[query][id] = value
        return _as_it_was(self.source, rows)

    def values(self, name: str) -> list[Any]:
        return {'query_id': self.query, 'doc_id': self.id}.get(name, self.value)

    def assign(self, columns: Values) -> _Nested:
        value = columns.get('score', columns.get('relevance', self.value))
        return _Nested(self.source, self.queries, self.query, list(columns.get('doc_id', self.id)), list(value))

    def take(self, rows: Sequence[int]) -> _Nested:
        query, id, value = ([column[row] for row in rows] for column in (self.query, self.id, self.value))
        emptied = set(self.query) - set(query)
        return _Nested(self.source, [query for query in self.queries if query not in emptied], query, id, value)


class _Columns(Editable):
    """A dict of columns, and what makes one of itself (datasets of Hugging Face)."""

    def __init__(self, source: Any, columns: dict[str, Any]):
        super().__init__(source)
        self.columns, self.names = columns, list(columns)

    @property
    def rows(self) -> Any:
        return _as_it_was(self.source, self.columns)

    def _values(self, name: str) -> list[Any]:
        column = self.columns[name]
        listed = next((getattr(column, method) for method in _LISTED if hasattr(column, method)), None)
        return list(column) if listed is None else cast('list[Any]', listed())

    def assign(self, columns: Values) -> _Columns:
        return _Columns(self.source, {**self.columns, **columns})

    def take(self, rows: Sequence[int]) -> _Columns:
        taken = {name: [values[row] for row in rows] for name in self.names for values in [self._values(name)]}
        return _Columns(self.source, taken)

    def without(self, names: Iterable[str]) -> _Columns:
        return _Columns(self.source, {name: self.columns[name] for name in self.names if name not in set(names)})


class _Frame(Editable):
    """A frame of pandas."""

    def __init__(self, source: Any):
        super().__init__(source)
        self.names = list(source.columns)

    def _values(self, name: str) -> list[Any]:
        return cast('list[Any]', self.source[name].tolist())

    def assign(self, columns: Values) -> _Frame:
        return _Frame(self.source.assign(**columns))

    def take(self, rows: Sequence[int]) -> _Frame:
        return _Frame(self.source.iloc[list(rows)])

    def without(self, names: Iterable[str]) -> _Frame:
        return _Frame(self.source.drop(columns=[name for name in names if name in self.names]))


class _Arrow(Editable):
    """What gives Arrow: a frame of polars stays one, anything else becomes a table of Arrow."""

    def __init__(self, table: Any, make: Callable[[Any], Any]):
        super().__init__(table)
        self.make, self.names = make, table.column_names

    @property
    def rows(self) -> Any:
        return self.make(self.source)

    def _values(self, name: str) -> list[Any]:
        return cast('list[Any]', self.source.column(name).to_pylist())

    def assign(self, columns: Values) -> _Arrow:
        import pyarrow
        table = self.source
        for name, values in columns.items():
            table = table.set_column(self.names.index(name), name, pyarrow.array(values))
        return _Arrow(table, self.make)

    def take(self, rows: Sequence[int]) -> _Arrow:
        return _Arrow(self.source.take(np.asarray(rows, np.int64)), self.make)

    def without(self, names: Iterable[str]) -> _Arrow:
        return _Arrow(self.source.drop_columns([name for name in names if name in self.names]), self.make)


class _Records(Editable):
    """An array of records of NumPy."""

    def __init__(self, source: Any, make: Callable[[Any], Any]):
        super().__init__(source)
        self.make, self.names = make, source.dtype.names

    @property
    def rows(self) -> Any:
        return self.make(self.source)

    def _values(self, name: str) -> list[Any]:
        return cast('list[Any]', self.source[name].tolist())

    def assign(self, columns: Values) -> _Records:
        types = {name: self.source.dtype[name] for name in self.names}
        given = {name: np.asarray(values, object if types[name].kind == 'O' else None)
                 for name, values in columns.items()}
        for name, values in given.items():  # an id that is longer than its column would be cut
            types[name] = np.promote_types(types[name], values.dtype) if len(values) else types[name]
        return self._of(types, given)

    def take(self, rows: Sequence[int]) -> _Records:
        return _Records(self.source[np.asarray(rows, np.intp)], self.make)

    def without(self, names: Iterable[str]) -> _Records:
        return self._of({name: self.source.dtype[name] for name in self.names if name not in set(names)}, {})

    def _of(self, types: Mapping[str, Any], given: Mapping[str, Any]) -> _Records:
        array = np.empty(len(self.source), list(types.items()))
        for name in types:
            array[name] = given.get(name, self.source[name])
        return _Records(array.view(type(self.source)), self.make)


class _Listed(Editable):
    """Rows one by one; of what is no named tuple, dict or dataclass but makes dicts of itself, these dicts.

    Args:
        source: the rows
        listed: a list of them
        names: of the fields of the first
        get: a name → what takes the field of a row
        replace: a row and new values → the row with them
    """

    def __init__(self, source: Any, listed: list[Any], names: Sequence[str], get: Callable[[str], Any],
                 replace: Callable[..., Any], fixed: bool):
        super().__init__(source)
        self.listed, self.names, self.get, self.replace, self.fixed = listed, names, get, replace, fixed

    @property
    def rows(self) -> Any:
        return self.listed

    def _values(self, name: str) -> list[Any]:
        return list(map(self.get(name), self.listed))

    def assign(self, columns: Values) -> _Listed:
        return self._of([self.replace(row, **dict(zip(columns, values)))
                         for row, values in zip(self.listed, zip(*columns.values()))])

    def take(self, rows: Sequence[int]) -> _Listed:
        return self._of([self.listed[row] for row in rows])

    def without(self, names: Iterable[str]) -> _Listed:
        if self.fixed:
            return self
        left = set(names)
        return self._of([{name: value for name, value in row.items() if name not in left} for row in self.listed])

    def _of(self, listed: list[Any]) -> _Listed:
        return _Listed(listed, listed, self.names, self.get, self.replace, self.fixed)


def editable(rows: Any, kind: str = 'run') -> Editable:
    """Rows in any of the shapes that ``shape_of`` reads; those of an iterator
    are a list from here on.

    Args:
        rows: a run or qrels
        kind: which of them, ``'run'`` or ``'qrels'``, for the errors

    Raises:
        TypeError: the rows have no shape that can be taken; the sentence says which conversion would do
        ValueError: columns of different lengths
    """
    if isinstance(rows, Mapping) or makes_dict(rows):
        mapping = rows if isinstance(rows, Mapping) else rows.to_dict()
        if {'query_id', 'doc_id'} <= set(mapping) and not any(isinstance(column, Mapping)
                                                              for column in mapping.values()):
            refuse_uneven(mapping, kind)
            return _Columns(rows, dict(mapping))
        if not all(isinstance(documents, Mapping) for documents in mapping.values()):
            shape_of(mapping, kind, VALUE[kind], ())  # which refuses it
        return _Nested.of(rows, mapping)
    if hasattr(rows, 'itertuples'):
        return _Frame(rows)
    if hasattr(rows, '__arrow_c_stream__') and not isinstance(rows, Rows):
        return _of_arrow(rows, kind)
    if getattr(getattr(rows, 'dtype', None), 'names', None):
        return _Records(rows, lambda array: array)
    if isinstance(rows, Iterable) and not isinstance(rows, (str, bytes, PathLike)) and not hasattr(rows, 'dtype'):
        return _of_rows(rows, list(rows), kind)
    shape_of(rows, kind, VALUE[kind], ())
    raise AssertionError(rows)  # shape_of has refused it


def _of_arrow(rows: Any, kind: str) -> Editable:
    try:
        import pyarrow
    except ImportError:
        shape_of(rows, kind, VALUE[kind], ())  # its sentence
        raise
    of_polars = hasattr(rows, 'with_columns') and hasattr(rows, 'get_columns')
    table = pyarrow.table(rows)
    for i, field in enumerate(table.schema):
        if pyarrow.types.is_string_view(field.type):  # of which Arrow takes no rows
            table = table.set_column(i, field.name, table.column(i).cast(pyarrow.large_string()))
    return _Arrow(table, type(rows) if of_polars else lambda table: table)


def _of_rows(rows: Any, listed: list[Any], kind: str) -> Editable:
    row: Any = listed[0] if listed else None
    if hasattr(row, '_replace') and hasattr(row, '_fields'):
        source = rows if isinstance(rows, Rows) else listed  # which has the columns at hand
        return _Listed(source, listed, row._fields, attrgetter, lambda row, **new: row._replace(**new), True)
    if isinstance(row, Mapping):
        return _Listed(listed, listed, list(row), itemgetter, lambda row, **new: {**row, **new}, False)
    if getattr(getattr(row, 'dtype', None), 'names', None):
        return _Records(np.array(listed, row.dtype), list)
    if listed and all(hasattr(row, '__arrow_c_stream__') for row in listed):  # what a reader of Arrow gives
        import pyarrow
        return _of_arrow(pyarrow.concat_tables(map(pyarrow.table, listed)), kind)
    if hasattr(row, '__dataclass_fields__'):
        names = list(row.__dataclass_fields__)
        return _Listed(listed, listed, names, attrgetter, dataclasses.replace, True)
    if hasattr(row, '_asdict'):
        return _of_rows(rows, [row._asdict() if hasattr(row, '_asdict') else row for row in listed], kind)
    if listed:
        shape_of(listed, kind, VALUE[kind], ())  # which refuses them, or says that they differ
    return _Listed(listed, listed, ('query_id', 'doc_id'), attrgetter, lambda row, **new: row, True)


def _as_it_was(source: Any, mapping: Any) -> Any:
    """A mapping as what it came from: what makes a dict of itself and can be made of one, or a dict."""
    if isinstance(source, Mapping) or not hasattr(source, 'from_dict'):
        return mapping
    made = source.from_dict(mapping)
    if getattr(source, 'name', None) is not None:  # by which ranx tells runs apart
        with suppress(AttributeError):
            made.name = source.name
    return made
