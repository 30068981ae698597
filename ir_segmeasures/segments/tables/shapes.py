"""Rows kept as columns, the base of the shapes that people have runs and qrels in, columns of ids as codes, and the
errors about what has none of the shapes."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from itertools import chain, islice
from operator import itemgetter, length_hint
from os import PathLike
from typing import Any, TypeVar

import numpy as np

from ir_segmeasures.segments.basics import Ints, joined, quoted

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
        return RowIterator(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return f'{type(self).__name__}({list(self)!r})'


class RowIterator(map):  # type: ignore[type-arg]
    """The named tuples of :class:`Rows`, one by one. ir-measures looks at the first row of qrels by
    :func:`itertools.tee`, which copies what can be copied; so the columns of INEX 2010's come through whole, in 30 ms
    less."""
    rows: Rows[Any]
    left: Iterator[Any]

    def __new__(cls, rows: Rows[Any]) -> 'RowIterator':
        first, *others = rows.columns.values()
        left = iter(listed_values(first))
        made = super().__new__(cls, partial(tuple.__new__, rows.row_type), zip(left, *map(_listed_later, others)))
        made.rows, made.left = rows, left
        return made

    def __copy__(self) -> 'RowIterator':
        copied, read = RowIterator(self.rows), len(self.rows) - length_hint(self.left)
        return next(islice(copied, read, read), copied)

    def unread(self) -> Any:
        """The rows that are left."""
        return self.rows if length_hint(self.left) == len(self.rows) else list(self)


def _listed_later(column: Any) -> Iterator[Any]:
    return chain.from_iterable(listed_values(column[at:at + 4096]) for at in range(0, len(column), 4096))


IDS = ('query_id', 'doc_id')
VALUE = {'run': 'score', 'qrels': 'relevance'}
TIMES = ('start', 'end', 'length')  # numbers, or clock times such as '10:30'

Values = Mapping[str, Sequence[Any]]


class Coded:
    """A column of texts that repeat.

    Attributes:
        distinct: the texts, in order of appearance
        code: for each row, the position of its text in ``distinct``
    """

    def __init__(self, distinct: list[str], code: Ints):
        self.distinct, self.code = distinct, code

    def __getitem__(self, row: int) -> str:
        return self.distinct[self.code[row]]

    def __len__(self) -> int:
        return len(self.code)

    def tolist(self) -> list[str]:
        return list(map(self.distinct.__getitem__, self.code.tolist()))


class Adapter:
    """A run or qrels in one shape: read column by column, and changed in copies of the same shape.

    Args:
        source: the rows, to be read as often as one likes
        kind: ``'run'`` or ``'qrels'``
        names: of all columns
        make: a function that gives ``source`` the shape of the rows, where it has another

    Attributes:
        query_ids: the queries that are known before the rows are looked at
        fixed: whether rows have the fields of their type, so that no column can be left out
    """
    query_ids: Collection[Any] = ()
    fixed = False

    def __init__(self, source: Any, kind: str, names: Iterable[Any], make: Callable[[Any], Any] | None = None):
        self.source, self.kind, self.names, self.make = source, kind, list(names), make

    def column(self, name: str) -> Any:
        """A column that is there: a list, an array of NumPy, or ids as codes."""
        column = self.source[name]
        return np.asarray(column) if hasattr(column, '__array__') else column

    def assign(self, columns: Values) -> 'Adapter':
        """The rows with other values in columns that they have."""
        return self._with({**self.source, **columns})

    def take(self, rows: Sequence[int]) -> 'Adapter':
        """Some of the rows, in this order."""
        columns = {name: self.values(name) for name in self.names}
        return self._with({name: [values[row] for row in rows] for name, values in columns.items()})

    def without(self, names: Collection[str]) -> 'Adapter':
        """The rows without some columns, where these can be left out."""
        kept = {name: column for name, column in self.source.items() if self.fixed or name not in names}
        return self._with(kept, kept)

    @property
    def rows(self) -> Any:
        """The rows in their shape."""
        return self.source if self.make is None else self.make(self.source)

    def values(self, name: str) -> list[Any]:
        """A column as a list of values of Python. Raises a ValueError if it is not there."""
        self._check((name,), self.names)
        return listed_values(self.column(name))

    def columns(self, extras: Iterable[str] = ()) -> dict[str, Any]:
        """The columns of ids, values, times and ``extras`` that are there.

        Raises:
            ValueError: a column is missing, stands there twice, or has another length than others
            TypeError: a column of another shape
        """
        needed = (*IDS, VALUE[self.kind])
        wanted = [name for name in (*needed, *TIMES, *extras) if name in self.names]
        self._check(needed, wanted)
        return {name: self.column(name) for name in wanted}

    def _check(self, needed: Collection[str], read: Collection[str]) -> None:
        refuse_repeated(self.names, read, self.kind)
        if not set(needed) <= set(self.names):
            missing = ', '.join(repr(name) for name in (*IDS, VALUE[self.kind]) if name not in self.names)
            raise ValueError(f'the {"run" if self.kind == "run" else "table of qrels"} lacks {missing} (it has '
                             f'{joined(self.names)}): name the columns as ir-measures does')

    def _with(self, source: Any, names: Iterable[Any] | None = None) -> 'Adapter':
        changed = copy(self)
        changed.source, changed.names = source, self.names if names is None else list(names)
        return changed


def listed_values(column: Any) -> list[Any]:
    """The values of a column, as :meth:`Adapter.column` gives it, as a list of values of Python."""
    return column.tolist() if hasattr(column, 'tolist') else list(column)


def refuse_repeated(names: Sequence[Any], read: Collection[Any], kind: str) -> None:
    """Raises a ``ValueError`` for a column that is read and stands there several times."""
    name = next((name for name in names if name in read and names.count(name) > 1), None)
    if name is None:
        return
    merged = kind == 'run' and name == 'doc_id'
    cause = ', as where topics that have it too, such as the anchors of irds:, were merged with results' * merged
    repair = ("give topics whose documents are not in this column, such as those of pt.get_dataset('segments:…')"
              if merged else 'give each column a name of its own')
    raise ValueError(f'the {kind} has several columns {quoted(name)}{cause}: {repair}')


_CONVERSIONS = ('collect', 'toPandas', 'to_pandas', 'to_dataframe', 'compute')


def no_shape(rows: Any, kind: str) -> TypeError:
    """The error for what is not a run or qrels, or a list of what is not a row, with the conversion that would do."""
    has, what = ('holds', rows[0]) if isinstance(rows, list) else ('is', rows)
    method = next((name for name in _CONVERSIONS if hasattr(what, name)), None)
    if isinstance(what, str | bytes | PathLike):
        repair = 'read the file first, with ir_segmeasures.formats or pandas'
    elif isinstance(what, tuple | list) or hasattr(what, 'dtype'):
        repair = f"name the columns, as pandas.DataFrame(rows, columns=['query_id', 'doc_id', {VALUE[kind]!r}]) does"
    elif method is not None:
        repair = f'give its .{method}()'
    else:
        repair = ("give a DataFrame (of pandas, polars or Arrow) with columns 'query_id', 'doc_id' and "
                  f'{VALUE[kind]!r}, rows with these (named tuples, dicts, dataclasses, records), or a dict of dicts')
    return TypeError(f'the {kind} {has} a {type(what).__name__}: {repair}')
