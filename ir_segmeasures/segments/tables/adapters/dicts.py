"""Dicts of columns, the rows of our own readers, dicts of dicts, and runs and qrels of ranx."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.adapters.base import IDS, VALUE, Adapter, Values, refuse_uneven
from ir_segmeasures.segments.tables.id_columns import Coded, codes_of
from ir_segmeasures.segments.tables.rows import Rows

__all__ = ['ColumnDict', 'NestedDict', 'RanxTable', 'ReaderRows']


class ColumnDict(Adapter):
    """A dict of columns: lists, arrays of NumPy or Arrow, series of pandas or polars."""

    def __init__(self, rows: Mapping[str, Any], kind: str, make: Callable[[Any], Any] | None = None):
        super().__init__(dict(rows), kind, rows, make)

    @classmethod
    def recognise(cls, rows: Any) -> bool:
        return (isinstance(rows, Mapping) and set(rows).issuperset(IDS)
                and not any(isinstance(column, Mapping) for column in rows.values()))

    def read(self, names: Collection[str]) -> dict[str, Any]:
        return {name: _array(column) for name, column in super().read(names).items()}

    def values(self, name: str) -> list[Any]:
        refuse_uneven(self.source, self.kind)
        return super().values(name)

    def assign(self, columns: Values) -> Adapter:
        refuse_uneven(self.source, self.kind)
        return self._with({**self.source, **columns})

    def take(self, rows: Sequence[int]) -> Adapter:
        return self._with({name: [values[row] for row in rows]
                           for name, values in zip(self.names, map(self.values, self.names))})

    def without(self, names: Collection[str]) -> Adapter:
        kept = {name: column for name, column in self.source.items() if self.fixed or name not in names}
        return self._with(kept, kept)


def _array(column: Any) -> Any:
    """A series of polars or an array of Arrow as one of NumPy; anything else as it is."""
    if hasattr(column, 'to_pylist'):
        return column.to_numpy(zero_copy_only=False)
    return column.to_numpy() if hasattr(column, '__arrow_c_stream__') and not hasattr(column, 'iloc') else column


class ReaderRows(ColumnDict):
    """The rows of our own readers, which have their columns at hand; they are given back as a list."""
    fixed = True

    def __init__(self, rows: Rows[Any], kind: str):
        super().__init__(rows.columns, kind, lambda columns: list(Rows(rows.row_type, columns.values())))
        self._codes = rows.codes

    @classmethod
    def recognise(cls, rows: Any) -> bool:
        return isinstance(rows, Rows)

    def read(self, names: Collection[str]) -> dict[str, Any]:
        return {name: self._kept(name, column) if name in IDS else column
                for name, column in self.source.items() if name in names}

    def _kept(self, name: str, column: Any) -> Any:
        """A column of ids as codes, which rows that are evaluated again keep; as it is where no texts repeat."""
        if self._codes.get(name, (None,))[0] is not column:
            self._codes[name] = column, column
            if len(column) and isinstance(column, list) and '#' not in str(column[0]):  # ids of segments hardly repeat
                with suppress(TypeError):  # an id that cannot be hashed is no text
                    ids, code = codes_of(column)
                    if set(map(type, ids)) == {str}:
                        self._codes[name] = column, Coded(ids, code)
        return self._codes[name][1]


class NestedDict(ColumnDict):
    """A dict of dicts, ``{query_id: {doc_id: value}}``, kept as three columns."""

    def __init__(self, rows: Mapping[Any, Mapping[Any, Any]], kind: str, make: Callable[[Any], Any] | None = None):
        for query, documents in rows.items():
            if not isinstance(documents, Mapping):
                raise TypeError(f'the {kind} has a {type(documents).__name__} for query {quoted(query)}: a dict of '
                                f'dicts holds {{doc_id: {VALUE[kind]}}} for each query')
        query = [query for query, documents in rows.items() for _ in documents]
        value = chain.from_iterable(documents.values() for documents in rows.values())
        columns = {'query_id': query, 'doc_id': list(chain.from_iterable(rows.values())), VALUE[kind]: list(value)}
        super().__init__(columns, kind, make)
        self.query_ids = list(rows)

    @classmethod
    def recognise(cls, rows: Any) -> bool:
        return isinstance(rows, Mapping)

    @property
    def rows(self) -> Any:
        rows: dict[Any, dict[Any, Any]] = {query: {} for query in self.query_ids}
        for query, id, value in zip(*self.source.values()):
            if id in rows[query]:
                raise ValueError(f'query {quoted(query)} has two ids that are the same segment, and a dict holds each '
                                 'once: give named tuples or a frame')
            rows[query][id] = value
        return rows if self.make is None else self.make(rows)

    def take(self, rows: Sequence[int]) -> Adapter:
        taken = super().take(rows)
        emptied = set(self.source['query_id']).difference(taken.source['query_id'])
        taken.query_ids = [query for query in self.query_ids if query not in emptied]
        return taken


class RanxTable(NestedDict):
    """A run or qrels of ranx."""

    def __init__(self, rows: Any, kind: str):
        def make(mapping: Any) -> Any:
            made = rows.from_dict(mapping)
            if getattr(rows, 'name', None) is not None:  # by which ranx tells runs apart
                with suppress(AttributeError):
                    made.name = rows.name
            return made
        super().__init__(rows.to_dict(), kind, make)

    @classmethod
    def recognise(cls, rows: Any) -> bool:
        return hasattr(rows, 'to_dict') and hasattr(rows, 'from_dict') and not hasattr(rows, '__iter__')
