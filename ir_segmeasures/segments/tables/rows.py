"""Rows that are kept as the columns that they came in: what readers of files give, and simulated runs are."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

__all__ = ['Rows']

Row = TypeVar('Row')


class Rows(Sequence[Row]):
    """A sequence of named tuples of one type, kept as columns.

    Args:
        kind: the type of the rows
        columns: of its fields, in their order

    Attributes:
        kind: the type of the rows
        columns: name of a field → its values in all rows, a list or an array
        codes: what was found out about columns that were read once, for the next time
    """

    def __init__(self, kind: type[Row], columns: Iterable[Any]) -> None:
        self.kind = kind
        self.columns: dict[str, Any] = dict(zip(kind._fields, columns, strict=True))  # type: ignore[attr-defined]
        self.codes: dict[str, tuple[Any, Any]] = {}

    @classmethod
    def of(cls, kind: type[Row], rows: Iterable[tuple[Any, ...]]) -> 'Rows[Row]':
        """The same of rows that came one by one."""
        return cls(kind, list(zip(*rows)) or [()] * len(kind._fields))  # type: ignore[attr-defined]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self)[index]
        values = (column[index] for column in self.columns.values())
        return self.kind(*(value.item() if hasattr(value, 'item') else value for value in values))

    def __iter__(self) -> Iterator[Row]:
        columns = (column.tolist() if hasattr(column, 'tolist') else column for column in self.columns.values())
        return map(self.kind._make, zip(*columns))  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return f'{type(self).__name__}({list(self)!r})'
