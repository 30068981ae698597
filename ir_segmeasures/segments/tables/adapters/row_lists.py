"""Rows one by one: named tuples, those of our own readers, dicts, dataclasses."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from itertools import repeat
from operator import attrgetter, itemgetter
from typing import Any

from ir_segmeasures.segments.tables.adapters.base import (
    IDS,
    VALUE,
    Adapter,
    Values,
    listed_values,
    refuse_unlike,
)
from ir_segmeasures.segments.tables.id_columns import Coded, codes_of
from ir_segmeasures.segments.tables.rows import Rows

__all__ = ['Dataclasses', 'Dicts', 'NamedTuples', 'ReaderRows', 'other_row']


class _RowList(Adapter):
    """A list of rows of one type."""
    field: Callable[[str], Callable[[Any], Any]] = attrgetter

    def read(self, names: Collection[str]) -> dict[str, Any]:
        refuse_unlike(self.source, other_row(self.source), self.names, self.kind)
        return {name: self._values(name) for name in self.names if name in names}

    def _values(self, name: str) -> list[Any]:
        return list(map(type(self).field(name), self.source))

    def assign(self, columns: Values) -> Adapter:
        return self._with([self.replaced(row, **dict(zip(columns, values)))
                           for row, values in zip(self.source, zip(*columns.values()))])

    @staticmethod
    def replaced(row: Any, **values: Any) -> Any:
        """A row with other values."""
        raise NotImplementedError

    def take(self, rows: Sequence[int]) -> Adapter:
        return self._with([self.source[row] for row in rows])


class NamedTuples(_RowList):
    """A list of named tuples, or of nothing."""
    fixed = True

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        if not isinstance(rows, list) or not all(issubclass(type, tuple) and hasattr(type, '_fields')
                                                 for type in set(map(type, rows))):
            return None
        return cls(rows, kind, rows[0]._fields if rows else (*IDS, VALUE[kind]))

    def read(self, names: Collection[str]) -> dict[str, Any]:
        kinds: set[Any] = set(map(type, self.source))
        if len({kind._fields for kind in kinds}) > 1:
            raise TypeError(f'the {self.kind} holds named tuples with different fields: give all rows one type')
        columns = zip(*self.source) if self.source else repeat(())
        return {name: column for name, column in zip(self.names, columns) if name in names}

    @staticmethod
    def replaced(row: Any, **values: Any) -> Any:
        return row._replace(**values)


class Dicts(_RowList):
    """A list of dicts, or of rows that make dicts of themselves, as those of SQL libraries."""
    field = itemgetter

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        row = other_row(rows)
        if hasattr(row, '_asdict') and not isinstance(row, type):
            rows = [row._asdict() if hasattr(row, '_asdict') else row for row in rows]
            row = rows[0]
        return cls(rows, kind, row) if isinstance(row, Mapping) else None

    def without(self, names: Collection[str]) -> Adapter:
        return self._with([{name: value for name, value in row.items() if name not in names} for row in self.source],
                          [name for name in self.names if name not in names])

    @staticmethod
    def replaced(row: Any, **values: Any) -> Any:
        return {**row, **values}


class Dataclasses(_RowList):
    """A list of objects of a dataclass."""
    fixed = True

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        row = other_row(rows)
        fields = None if isinstance(row, type) else getattr(row, '__dataclass_fields__', None)
        return cls(rows, kind, fields) if fields else None

    @staticmethod
    def replaced(row: Any, **values: Any) -> Any:
        return dataclasses.replace(row, **values)


def other_row(rows: Any) -> Any:
    """The first row of a list that is no named tuple, or None."""
    if not isinstance(rows, list):
        return None
    return next((row for row in rows if not (isinstance(row, tuple) and hasattr(row, '_fields'))), None)


class ReaderRows(Adapter):
    """The rows of our own readers, which have their columns at hand; they are given back as a list."""
    fixed = True

    @classmethod
    def recognise(cls, rows: Any, kind: str) -> Adapter | None:
        return cls(rows, kind, rows.columns, list) if isinstance(rows, Rows) else None

    def read(self, names: Collection[str]) -> dict[str, Any]:
        return {name: _kept(self.source, name) if name in IDS else column
                for name, column in self.source.columns.items() if name in names}

    def _values(self, name: str) -> list[Any]:
        return listed_values(self.source.columns[name])

    def assign(self, columns: Values) -> Adapter:
        return self._with(Rows(self.source.kind, {**self.source.columns, **columns}.values()))

    def take(self, rows: Sequence[int]) -> Adapter:
        return self._with(Rows(self.source.kind, [[values[row] for row in rows]
                                                  for values in map(self._values, self.names)]))


def _kept(rows: Rows[Any], name: str) -> Any:
    """A column of ids as codes, which rows that are evaluated again keep; as it is where it holds no repeated texts."""
    column = rows.columns[name]
    if rows.codes.get(name, (None,))[0] is not column:
        rows.codes[name] = column, column
        if len(column) and isinstance(column, list) and '#' not in str(column[0]):  # ids of segments hardly repeat
            with suppress(TypeError):  # an id that cannot be hashed is no text
                ids, code = codes_of(column)
                if set(map(type, ids)) == {str}:
                    rows.codes[name] = column, Coded(ids, code)
    return rows.codes[name][1]
