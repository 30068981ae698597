"""The shapes that people have rows in, as columns: frames, tables of Arrow, arrays of records, rows one by one, dicts.

What an object can do decides, not what it is called, so no library of theirs is imported: ``__arrow_c_stream__``
(polars, pyarrow, DuckDB), ``itertuples`` (pandas), ``dtype.names`` (NumPy), ``to_dict`` (Hugging Face datasets, ranx),
``_fields`` or ``_asdict`` (named tuples), ``__dataclass_fields__``, and the mappings of Python.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from itertools import chain
from math import nan
from operator import attrgetter, itemgetter
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segments.quoting import listed, shown
from ir_segmeasures.segments.tables.rows import Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ['Coded', 'Texts', 'coded', 'codes_of', 'makes_dict', 'refuse_uneven', 'shape_of']

_IDS = ('query_id', 'doc_id')
_TIMES = ('start', 'end', 'length')


class Coded:
    """A column of texts that repeat.

    Attributes:
        distinct: the texts, in order of appearance
        code: for each row, the position of its text in ``distinct``
    """

    def __init__(self, distinct: list[str], code: NDArray[np.intp]):
        self.distinct, self.code = distinct, code

    def __getitem__(self, row: int) -> str:
        return self.distinct[self.code[row]]

    def tolist(self) -> list[str]:
        return list(map(self.distinct.__getitem__, self.code.tolist()))

    def map(self, function: Callable[[str], Any]) -> list[Any]:
        """What a function gives for each text."""
        values = list(map(function, self.distinct))
        return [values[code] for code in self.code.tolist()]

    def __len__(self) -> int:
        return len(self.code)

    def __iter__(self) -> Iterator[str]:
        return map(self.distinct.__getitem__, self.code.tolist())


class Texts:
    """A column of texts that Arrow holds; as one by one they would take several times the memory.

    Attributes:
        array: an array or a chunked array of Arrow, without missing values
    """

    def __init__(self, array: Any):
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, row: Any) -> Any:
        return self.array[row].as_py()

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def tolist(self) -> list[str]:
        texts: list[str] = self.array.to_pylist()
        return texts


def codes_of(values: Sequence[Any], known: Iterable[Any] = ()) -> tuple[list[Any], NDArray[np.intp]]:
    """The distinct values in order of appearance (``known`` first), and for each value its position among them."""
    index: defaultdict[Any, int] = defaultdict()
    index.default_factory = index.__len__  # a new value gets the next number
    for value in known:
        index[value]
    code = np.fromiter(map(index.__getitem__, values), np.intp, len(values))
    return list(index), code


def shape_of(rows: Any, kind: str, value: str,
             extras: Iterable[str]) -> tuple[Mapping[str, Any], Iterable[Any], Sequence[Any]]:
    """The columns of rows in any of the shapes, the queries that are known before the rows are looked at, and the names
    of all columns.

    Args:
        rows: a run or qrels
        kind: ``'run'`` or ``'qrels'``, for the errors
        value: the column of the score or of the relevance
        extras: columns to keep where they are there

    Raises:
        TypeError: the rows have no shape that can be taken; the sentence says which conversion would do
        ValueError: a column is missing, stands there twice, or holds times instead of numbers
    """
    wanted = ('query_id', 'doc_id', value, *_TIMES, *extras)
    if isinstance(rows, Mapping) or makes_dict(rows):
        mapping = rows if isinstance(rows, Mapping) else rows.to_dict()
        if not _are_columns(mapping, value):
            return _nested(mapping, kind, value), mapping, ()
        columns = {name: _of_series(mapping[name]) for name in wanted if name in mapping}
        names = list(mapping)
    elif hasattr(rows, 'itertuples'):
        columns, names = {name: rows[name] for name in rows.columns if name in wanted}, list(rows.columns)
        _refuse_twice([name for name in columns if getattr(columns[name], 'ndim', 1) > 1], kind)
        columns |= {name: _of_pandas(columns[name]) for name in _IDS if name in columns}
    elif isinstance(rows, Rows):  # which has the columns at hand
        columns = {**rows.columns, **{name: _kept(rows, name) for name in _IDS if name in rows.columns}}
        names = list(rows.columns)
    elif hasattr(rows, '__arrow_c_stream__'):
        columns, names = _of_arrow(rows, kind, wanted)
    elif getattr(getattr(rows, 'dtype', None), 'names', None):
        columns, names = {name: rows[name] for name in rows.dtype.names if name in wanted}, list(rows.dtype.names)
    elif isinstance(rows, Iterable) and not isinstance(rows, (str, bytes, PathLike)) and not hasattr(rows, 'dtype'):
        columns, names = _of_rows(list(rows), kind, value, wanted)
    else:
        raise TypeError(f'the {kind} is a {type(rows).__name__}: {_conversion(rows, value) or _shapes(value)}')
    missing = [name for name in ('query_id', 'doc_id', value) if name not in names]
    if missing:
        raise ValueError(f'the {kind} lacks {", ".join(map(repr, missing))} (it has '
                         f'{listed(names)}): name the columns as ir-measures does')
    refuse_uneven(columns, kind)
    return columns, (), names


def refuse_uneven(columns: Mapping[str, Any], kind: str) -> None:
    """Raises a ``ValueError`` for columns of different lengths, and a ``TypeError`` for what is none."""
    for name, column in columns.items():
        walked = hasattr(column, '__iter__') or hasattr(column, '__len__')
        if isinstance(column, str | bytes) or not walked or getattr(column, 'ndim', 1) == 0:
            raise TypeError(f'the {kind} is a dict that has {shown(column)} for {shown(name)}, but it holds a list for '
                            'each column: put a single row into a list')
    counts = {len(column) for column in columns.values() if isinstance(column, Sized)}
    if len(counts) > 1:
        raise ValueError(f'the {kind} has columns of {" and ".join(map(str, sorted(counts)))} rows: give each column '
                         'a value for every row')


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


def _of_pandas(column: Any) -> Any:
    """A column of ids of pandas as codes, where pandas finds these faster than we do; else as it is."""
    if not all(hasattr(column, name) for name in ('factorize', 'dtype', 'iloc')) or column.dtype == object:
        return column
    if not len(column) or '#' in str(column.iloc[0]):  # ids of segments hardly repeat
        return column
    code, distinct = column.factorize()
    ids = distinct.tolist()
    types = set(map(type, ids))
    if types <= {int}:
        ids = list(map(str, ids))
    return Coded(ids, code.astype(np.intp)) if types in ({str}, {int}) and code.min() >= 0 else column


def _of_series(column: Any) -> Any:
    """A series of polars or an array of Arrow as one of NumPy; anything else as it is."""
    if hasattr(column, 'to_pylist'):
        return column.to_numpy(zero_copy_only=False)
    return column.to_numpy() if hasattr(column, '__arrow_c_stream__') and not hasattr(column, 'iloc') else column


def makes_dict(rows: Any) -> bool:
    # Frames have a ``to_dict`` as well, and a better way.
    return (hasattr(rows, 'to_dict') and not isinstance(rows, type)
            and not any(hasattr(rows, name) for name in ('itertuples', '__arrow_c_stream__')))


def _are_columns(mapping: Any, value: str) -> bool:
    return (isinstance(mapping, Mapping) and {'query_id', 'doc_id', value} <= set(mapping)
            and not any(isinstance(column, Mapping) for column in mapping.values()))


def _nested(mapping: Any, kind: str, value: str) -> Mapping[str, Any]:
    for query, documents in mapping.items():
        if not isinstance(documents, Mapping):
            raise TypeError(f'the {kind} has a {type(documents).__name__} for query {shown(query)}: a dict of dicts '
                            f'holds {{doc_id: {value}}} for each query')
    return {
        'query_id': [query for query, documents in mapping.items() for _ in documents],
        'doc_id': list(chain.from_iterable(mapping.values())),
        value: list(chain.from_iterable(documents.values() for documents in mapping.values())),
    }


def _refuse_twice(names: list[str], kind: str) -> None:
    if names:
        merged = (', as where topics that have it too, such as the anchors of irds:, were merged with results'
                  if kind == 'run' and names[0] == 'doc_id' else '')
        repair = ("give topics whose documents are not in this column, such as those of pt.get_dataset('segments:…')"
                  if merged else 'give each column a name of its own')
        raise ValueError(f'the {kind} has several columns {shown(names[0])}{merged}: {repair}')


def _of_rows(rows: list[Any], kind: str, value: str, wanted: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """The columns of rows that come one by one, all of one kind with the same fields."""
    if not rows:
        return {'query_id': (), 'doc_id': (), value: ()}, ['query_id', 'doc_id', value]
    types = set(map(type, rows))
    fields = {getattr(type, '_fields', None) for type in types}
    if None not in fields:
        if len(fields) > 1:
            raise TypeError(f'the {kind} holds named tuples with different fields: give all rows one type')
        return dict(zip(rows[0]._fields, zip(*rows))), list(rows[0]._fields)
    row = next(row for row in rows if not hasattr(row, '_fields'))
    if all(hasattr(row, '__arrow_c_stream__') for row in rows):  # what a reader of Arrow gives
        return _of_arrow(rows, kind, wanted)
    if isinstance(row, Mapping):
        get: Callable[[str], Callable[[Any], Any]] = itemgetter
        names = list(row)
    elif getattr(getattr(row, 'dtype', None), 'names', None):
        get, names = itemgetter, list(row.dtype.names)
    elif hasattr(row, '__dataclass_fields__'):
        get, names = attrgetter, list(row.__dataclass_fields__)
    elif hasattr(row, '_asdict'):
        return _of_rows([row._asdict() if hasattr(row, '_asdict') else row for row in rows], kind, value, wanted)
    else:
        raise TypeError(f'the {kind} holds a {type(row).__name__}: {_conversion(row, value) or _shapes(value)}')
    known = dict.fromkeys(names)
    for number, other in enumerate(rows):
        if type(other) is not type(row) or (isinstance(other, Mapping) and other.keys() != known.keys()):
            has = listed(other) if isinstance(other, Mapping) else f'a {type(other).__name__}'
            raise TypeError(f'the {kind} holds rows with different fields, {has} in row {number} and '
                            f'{listed(names)} in others: give all rows the same ones')
    return {name: list(map(get(name), rows)) for name in names if name in wanted}, names


def _of_arrow(rows: Any, kind: str, wanted: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    parts = rows if isinstance(rows, list) else [rows]
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError(f'the {kind} is a {type(parts[0]).__name__}, which is read with pyarrow, and that cannot be '
                          f"imported ({error}): install 'ir_segmeasures[scale]', or give a list of dicts") from error
    if hasattr(parts[0], 'name'):  # a frame of polars, walked, is its columns
        table = pyarrow.table({part.name: pyarrow.chunked_array(part) for part in parts})
    else:
        table = pyarrow.concat_tables(map(pyarrow.table, parts))
    _refuse_twice([name for name in wanted if table.column_names.count(name) > 1], kind)
    columns = {name: _column(pyarrow, table.column(name), name, kind) for name in wanted if name in table.column_names}
    return columns, table.column_names


def _column(pyarrow: Any, column: Any, name: str, kind: str) -> Any:
    types, type = pyarrow.types, column.type
    texts = type.value_type if types.is_dictionary(type) else type
    if types.is_temporal(type):
        raise ValueError(f'the {name} of the {kind} is a {type}: give numbers, such as seconds')
    ids = name in _IDS and not column.null_count
    if ids and (types.is_string(texts) or types.is_large_string(texts) or types.is_string_view(texts)):
        if types.is_string(type) and len(column) and '#' in column[0].as_py():  # ids of segments hardly repeat
            return Texts(column)
        return coded(column)
    if types.is_floating(type) or types.is_integer(type):
        if not column.null_count:
            return column.to_numpy()
        if types.is_integer(type):  # whose missing values are None
            column = column.cast(pyarrow.float64())
        return column.fill_null(nan).to_numpy()
    return column.to_pylist()


def coded(column: Any) -> Any:
    """A column of texts of Arrow as codes, or the texts where they are not told apart."""
    import pyarrow
    if not len(column):
        return Coded([], np.zeros(0, np.intp))
    # One block, one dictionary.
    if not pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    if isinstance(column, pyarrow.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pyarrow.ChunkedArray):
        column = column.unify_dictionaries().chunk(0)
    return _in_order(column.dictionary.to_pylist(), column.indices.to_numpy(zero_copy_only=False))


def _in_order(texts: list[str], code: NDArray[Any]) -> Coded | list[str]:
    """The texts that appear, in order of appearance: a dictionary of Arrow has any order, and more than appears."""
    if len(set(texts)) < len(texts) or None in texts:
        return [texts[i] for i in code.tolist()]
    code = code.astype(np.intp, copy=False)
    first = np.full(len(texts), len(code), np.intp)
    first[code[::-1]] = np.arange(len(code) - 1, -1, -1)  # of what is written to one place the last stays
    if (first[1:] > first[:-1]).all() and (first < len(code)).all():
        return Coded(texts, code)
    order = np.argsort(first, kind='stable')
    order = order[first[order] < len(code)]
    place = np.empty(len(texts), np.intp)
    place[order] = np.arange(len(order))
    return Coded([texts[i] for i in order.tolist()], place[code])


_CONVERSIONS = {'collect': '.collect()', 'toPandas': '.toPandas()', 'to_pandas': '.to_pandas()',
                'to_dataframe': '.to_dataframe()', 'compute': '.compute()'}


def _conversion(rows: Any, value: str) -> str | None:
    """What would make rows of an object that is none, where that can be told."""
    names = f"['query_id', 'doc_id', {shown(value)}]"
    if isinstance(rows, (str, bytes, PathLike)):
        return 'read the file first, with ir_segmeasures.formats or pandas'
    if isinstance(rows, (tuple, list)) or hasattr(rows, 'dtype'):
        return f'name the columns, as pandas.DataFrame(rows, columns={names}) does'
    return next((f'give its {call}' for name, call in _CONVERSIONS.items() if hasattr(rows, name)), None)


def _shapes(value: str) -> str:
    return (f"give a DataFrame (of pandas, polars or Arrow) with the columns 'query_id', 'doc_id' and {shown(value)}, "
            'rows with fields of these names (named tuples, dicts, dataclasses, records), or a dict of dicts')
