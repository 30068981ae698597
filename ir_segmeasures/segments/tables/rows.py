"""Rows of runs and qrels kept as columns: readers of files give them, and simulated runs are made of them."""

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, TypeVar

Row = TypeVar('Row')


class Rows(Sequence[Row]):
    """A sequence of named tuples of one type, kept as columns.

    Args:
        row_type: the type of the rows
        columns: the values of its first field in all rows, of its second field, and so on

    Attributes:
        row_type: the type of the rows
        columns: name of a field → its values in all rows, a list or an array
    """

    def __init__(self, row_type: type[Row], columns: Iterable[Any]) -> None:
        self.row_type = row_type
        self.columns: dict[str, Any] = dict(zip(row_type._fields, columns, strict=True))  # type: ignore[attr-defined]

    @classmethod
    def from_rows(cls, row_type: type[Row], rows: Iterable[tuple[Any, ...]]) -> 'Rows[Row]':
        """The sequence of rows that come one by one."""
        rows, fields = list(rows), row_type._fields  # type: ignore[attr-defined]
        return cls(row_type, [list(map(itemgetter(place), rows)) for place in range(len(fields))])

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self)[index]
        values = (column[index] for column in self.columns.values())
        return self.row_type(*(value.item() if hasattr(value, 'item') else value for value in values))

    def __iter__(self) -> Iterator[Row]:
        columns = (column.tolist() if hasattr(column, 'tolist') else column for column in self.columns.values())
        return map(self.row_type._make, zip(*columns))  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return f'{type(self).__name__}({list(self)!r})'
