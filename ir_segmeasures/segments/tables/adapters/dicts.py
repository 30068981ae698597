"""Dicts of columns, dicts of dicts, and objects that make one of these of themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from ir_segmeasures.segments.quoting import shown
from ir_segmeasures.segments.tables.adapters.base import IDS, VALUE, Adapter, Values, refuse_uneven

__all__ = ['ColumnDict', 'NestedDict', 'RanxTable']


class ColumnDict(Adapter):
    """A dict of columns: lists, arrays of NumPy or Arrow, series of pandas or polars."""

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        if (isinstance(rows, Mapping) and set(rows).issuperset(IDS)
                and not any(isinstance(column, Mapping) for column in rows.values())):
            return cls(dict(rows), kind, rows)
        return None

    def read(self, names: Collection[str]) -> dict[str, Any]:
        return {name: _of_series(self.source[name]) for name in names if name in self.source}

    def values(self, name: str) -> list[Any]:
        refuse_uneven(self.source, self.kind)
        return super().values(name)

    def assign(self, columns: Values) -> Adapter:
        refuse_uneven(self.source, self.kind)
        return self._with({**self.source, **columns})

    def take(self, rows: Sequence[int]) -> Adapter:
        return self._with({name: [values[row] for row in rows] for name in self.names
                           for values in [self.values(name)]})

    def without(self, names: Collection[str]) -> Adapter:
        kept = {name: column for name, column in self.source.items() if name not in names}
        return self._with(kept, kept)


class NestedDict(Adapter):
    """A dict of dicts, ``{query_id: {doc_id: value}}``, kept as three columns."""

    def __init__(self, source: dict[str, list[Any]], kind: str, query_ids: Iterable[Any]):
        super().__init__(source, kind, source)
        self.query_ids = list(query_ids)

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        if not isinstance(rows, Mapping):
            return None
        for query, documents in rows.items():
            if not isinstance(documents, Mapping):
                raise TypeError(f'the {kind} has a {type(documents).__name__} for query {shown(query)}: a dict of '
                                f'dicts holds {{doc_id: {VALUE[kind]}}} for each query')
        return cls({
            'query_id': [query for query, documents in rows.items() for _ in documents],
            'doc_id': list(chain.from_iterable(rows.values())),
            VALUE[kind]: list(chain.from_iterable(documents.values() for documents in rows.values())),
        }, kind, rows)

    @property
    def rows(self) -> Any:
        rows: dict[Any, dict[Any, Any]] = {query: {} for query in self.query_ids}
        for query, id, value in zip(*self.source.values()):
            if id in rows[query]:
                raise ValueError(f'query {shown(query)} has two ids that are the same segment, and a dict holds each '
                                 'once: give named tuples or a frame')
            rows[query][id] = value
        return rows if self.make is None else self.make(rows)

    def read(self, names: Collection[str]) -> dict[str, Any]:
        return dict(self.source)

    def assign(self, columns: Values) -> Adapter:
        return self._with({name: list(columns.get(name, values)) for name, values in self.source.items()})

    def take(self, rows: Sequence[int]) -> Adapter:
        taken = self._with({name: [values[row] for row in rows] for name, values in self.source.items()})
        emptied = set(self.source['query_id']).difference(taken.source['query_id'])
        taken.query_ids = [query for query in self.query_ids if query not in emptied]
        return taken


class RanxTable(NestedDict):
    """A run or qrels of ranx, or another object that makes a dict of itself; it is made anew with ``from_dict``."""

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        if not hasattr(rows, 'to_dict') or isinstance(rows, type):
            return None
        mapping = rows.to_dict()
        found = ColumnDict.recognise(mapping, kind) or NestedDict.recognise(mapping, kind)
        if found is not None and hasattr(rows, 'from_dict'):
            found.make = lambda mapping: _made(rows, mapping)
        return found


def _made(source: Any, mapping: Any) -> Any:
    made = source.from_dict(mapping)
    if getattr(source, 'name', None) is not None:  # by which ranx tells runs apart
        with suppress(AttributeError):
            made.name = source.name
    return made


def _of_series(column: Any) -> Any:
    """A series of polars or an array of Arrow as one of NumPy; anything else as it is."""
    if hasattr(column, 'to_pylist'):
        return column.to_numpy(zero_copy_only=False)
    return column.to_numpy() if hasattr(column, '__arrow_c_stream__') and not hasattr(column, 'iloc') else column
