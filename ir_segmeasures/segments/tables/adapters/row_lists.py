"""Rows one by one: named tuples, dicts, dataclasses."""

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import repeat
from operator import attrgetter, itemgetter
from typing import Any

from ir_segmeasures.segments.tables.adapters.base import IDS, VALUE, Adapter, Values, refuse_unlike

__all__ = ['Dataclasses', 'Dicts', 'NamedTuples', 'other_row']


class _RowList(Adapter):
    """A list of rows of one type.

    Attributes:
        field: a name → the function that takes this field of a row
        replaced: a row and new values by name → the row with these values
    """
    field: Callable[[str], Callable[[Any], Any]] = attrgetter
    replaced: Callable[..., Any]

    def read(self, names: Collection[str]) -> dict[str, Any]:
        refuse_unlike(self.source, other_row(self.source), self.names, self.kind)
        return {name: self._values(name) for name in self.names if name in names}

    def _values(self, name: str) -> list[Any]:
        return list(map(type(self).field(name), self.source))

    def assign(self, columns: Values) -> Adapter:
        return self._with([self.replaced(row, **dict(zip(columns, values)))
                           for row, values in zip(self.source, zip(*columns.values()))])

    def take(self, rows: Sequence[int]) -> Adapter:
        return self._with([self.source[row] for row in rows])


def other_row(rows: Any) -> Any:
    """The first row of a list that is no named tuple, or None."""
    if not isinstance(rows, list):
        return None
    return next((row for row in rows if not (isinstance(row, tuple) and hasattr(row, '_fields'))), None)


class NamedTuples(_RowList):
    """A list of named tuples, or an empty one."""
    fixed = True
    replaced = staticmethod(lambda row, **values: row._replace(**values))

    def __init__(self, rows: list[Any], kind: str):
        super().__init__(rows, kind, rows[0]._fields if rows else (*IDS, VALUE[kind]))

    @classmethod
    def recognise(cls, rows: Any) -> bool:
        return isinstance(rows, list) and other_row(rows) is None

    def read(self, names: Collection[str]) -> dict[str, Any]:
        types: set[Any] = set(map(type, self.source))
        if len({type._fields for type in types}) > 1:
            raise TypeError(f'the {self.kind} holds named tuples with different fields: give all rows one type')
        columns = zip(self.names, zip(*self.source) if self.source else repeat(()))
        return {name: column for name, column in columns if name in names}


class Dicts(_RowList):
    """A list of dicts, or of rows that make dicts of themselves, as those of SQL libraries do."""
    field = itemgetter
    replaced = staticmethod(lambda row, **values: {**row, **values})

    def __init__(self, rows: list[Any], kind: str):
        if not isinstance(other_row(rows), Mapping):
            rows = [row._asdict() if hasattr(row, '_asdict') else row for row in rows]
        super().__init__(rows, kind, other_row(rows))

    @classmethod
    def recognise(cls, rows: Any) -> bool:
        row = other_row(rows)
        return isinstance(row, Mapping) or (hasattr(row, '_asdict') and not isinstance(row, type))

    def without(self, names: Collection[str]) -> Adapter:
        return self._with([{name: value for name, value in row.items() if name not in names} for row in self.source],
                          [name for name in self.names if name not in names])


class Dataclasses(_RowList):
    """A list of objects of a dataclass."""
    fixed = True
    replaced = staticmethod(dataclasses.replace)

    def __init__(self, rows: list[Any], kind: str):
        super().__init__(rows, kind, other_row(rows).__dataclass_fields__)

    @classmethod
    def recognise(cls, rows: Any) -> bool:
        row = other_row(rows)
        return dataclasses.is_dataclass(row) and not isinstance(row, type)
