"""The base of the adapters of all shapes, and what several of them need."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Sized
from contextlib import suppress
from copy import copy
from typing import Any

from ir_segmeasures.segments.quoting import joined, quoted

__all__ = ['IDS', 'TIMES', 'VALUE', 'Adapter', 'Values', 'listed_values', 'refuse_uneven', 'refuse_unlike']

IDS = ('query_id', 'doc_id')
VALUE = {'run': 'score', 'qrels': 'relevance'}
TIMES = ('start', 'end', 'length')  # numbers, or clock times such as '10:30'

Values = Mapping[str, Sequence[Any]]


class Adapter:
    """A run or qrels in one shape: read as columns, and changed in copies of the same shape.

    Each shape is a class with :meth:`recognise`, :meth:`read`, :meth:`assign` and :meth:`take`, in the list
    ``ADAPTERS``.

    Args:
        source: the rows, to be read as often as one likes
        kind: ``'run'`` or ``'qrels'``
        names: of all columns
        make: a function that gives ``source`` the shape of the rows, where it has another

    Attributes:
        signs: the attributes by which the rows are recognised
        query_ids: the queries that are known before the rows are looked at
        fixed: whether rows have the fields of their type, so that no column can be left out
    """
    signs: tuple[str, ...] = ()
    query_ids: Collection[Any] = ()
    fixed = False

    def __init__(self, source: Any, kind: str, names: Iterable[Any], make: Callable[[Any], Any] | None = None):
        self.source, self.kind, self.names, self.make = source, kind, list(names), make

    @classmethod
    def recognise(cls, rows: Any) -> bool:
        """Whether rows have this shape, so that ``cls(rows, kind)`` is their adapter."""
        return all(hasattr(rows, sign) for sign in cls.signs)

    def read(self, names: Collection[str]) -> dict[str, Any]:
        """Some of the columns, in the form that is read fastest; ids may be codes or texts of Arrow."""
        return {name: self.source[name] for name in names if name in self.names}

    def assign(self, columns: Values) -> Adapter:
        """The rows with other values in columns that they have."""
        raise NotImplementedError

    def take(self, rows: Sequence[int]) -> Adapter:
        """Some of the rows, in this order."""
        raise NotImplementedError

    def without(self, names: Collection[str]) -> Adapter:
        """The rows without some columns, where these can be left out."""
        return self

    @property
    def rows(self) -> Any:
        """The rows in their shape."""
        return self.source if self.make is None else self.make(self.source)

    def values(self, name: str) -> list[Any]:
        """A column as a list of values of Python.

        Raises:
            ValueError, TypeError: the rows do not have it, or are not all of one kind
        """
        if self.names.count(name) == 1:
            with suppress(AttributeError, KeyError, TypeError):  # of rows with other fields: columns() has the sentence
                return self._values(name)
        self.columns()
        raise ValueError(f'the {self.kind} lacks {name!r} in some of its rows: give all rows the same fields')

    def columns(self, extras: Iterable[str] = ()) -> dict[str, Any]:
        """The columns of ids, values, times and ``extras`` that are there, as :meth:`read` gives them.

        Raises:
            ValueError: a column is missing, stands there twice, or holds times instead of numbers
            TypeError: rows with different fields, or a column that is no column
        """
        value = VALUE[self.kind]
        wanted = (*IDS, value, *TIMES, *extras)
        repeated = [name for name in wanted if self.names.count(name) > 1]
        if repeated:
            merged = (', as where topics that have it too, such as the anchors of irds:, were merged with results'
                      if self.kind == 'run' and repeated[0] == 'doc_id' else '')
            repair = ("give topics whose documents are not in this column, such as those of "
                      "pt.get_dataset('segments:…')" if merged else 'give each column a name of its own')
            raise ValueError(f'the {self.kind} has several columns {quoted(repeated[0])}{merged}: {repair}')
        columns = self.read(wanted)
        missing = [name for name in (*IDS, value) if name not in self.names]
        if missing:
            raise ValueError(f'the {self.kind} lacks {", ".join(map(repr, missing))} (it has {joined(self.names)}): '
                             'name the columns as ir-measures does')
        refuse_uneven(columns, self.kind)
        return columns

    def _values(self, name: str) -> list[Any]:
        return listed_values(self.source[name])

    def _with(self, source: Any, names: Iterable[Any] | None = None) -> Adapter:
        changed = copy(self)
        changed.source, changed.names = source, self.names if names is None else list(names)
        return changed


def listed_values(column: Any) -> list[Any]:
    """The values of a list, of an array of NumPy or Arrow, or of a series of pandas or polars."""
    method = next((name for name in ('tolist', 'to_list', 'to_pylist') if hasattr(column, name)), None)
    return list(column if method is None else getattr(column, method)())


def refuse_uneven(columns: Mapping[str, Any], kind: str) -> None:
    """Raises a ``ValueError`` for columns of different lengths, and a ``TypeError`` for what is none."""
    for name, column in columns.items():
        walked = hasattr(column, '__iter__') or hasattr(column, '__len__')
        if isinstance(column, str | bytes) or not walked or getattr(column, 'ndim', 1) == 0:
            raise TypeError(f'the {kind} is a dict that has {quoted(column)} for {quoted(name)}, but it holds a list '
                            'for each column: put a single row into a list')
    counts = {len(column) for column in columns.values() if isinstance(column, Sized)}
    if len(counts) > 1:
        raise ValueError(f'the {kind} has columns of {" and ".join(map(str, sorted(counts)))} rows: give each column '
                         'a value for every row')


def refuse_unlike(rows: Sequence[Any], row: Any, names: Collection[Any], kind: str) -> None:
    """Raises a ``TypeError`` for rows that have another type or other keys than ``row``, one of them."""
    for number, other in enumerate(rows):
        if type(other) is not type(row) or (isinstance(other, Mapping) and other.keys() != row.keys()):
            has = joined(other) if isinstance(other, Mapping) else f'a {type(other).__name__}'
            raise TypeError(f'the {kind} holds rows with different fields, {has} in row {number} and {joined(names)} '
                            'in others: give all rows the same ones')
