"""The shapes that people have runs and qrels in, one class each, in the order in which they are tried.

What an object can do decides, not what it is called, so no library of theirs is imported: ``itertuples`` (pandas),
``__arrow_c_stream__`` (polars, pyarrow, DuckDB), ``with_format`` (Hugging Face), ``to_dict`` (ranx), ``dtype.names``
(NumPy), ``_fields`` or ``_asdict`` (named tuples), ``__dataclass_fields__``, and the mappings of Python.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

from ir_segmeasures.segments.quoting import shown
from ir_segmeasures.segments.tables.adapters.base import VALUE, Adapter
from ir_segmeasures.segments.tables.adapters.dicts import ColumnDict, NestedDict, RanxTable
from ir_segmeasures.segments.tables.adapters.frames import (
    ArrowTable,
    HuggingFaceDataset,
    PandasFrame,
    PolarsFrame,
    RecordArray,
)
from ir_segmeasures.segments.tables.adapters.row_lists import Dataclasses, Dicts, NamedTuples, ReaderRows, other_row

__all__ = ['ADAPTERS', 'VALUE', 'Adapter', 'NestedDict', 'adapter_of']

ADAPTERS: tuple[type[Adapter], ...] = (
    ColumnDict, NestedDict, PandasFrame, ReaderRows, PolarsFrame, ArrowTable, HuggingFaceDataset, RanxTable,
    RecordArray, NamedTuples, Dicts, Dataclasses)


def adapter_of(rows: Any, kind: str | None = None) -> Adapter:
    """The adapter of a run or qrels; an adapter is its own. Iterators are read, and their rows are a list from here on.

    Args:
        rows: in any of the shapes
        kind: ``'run'`` or ``'qrels'``; not given: qrels where there is ``relevance`` and no ``score``, else a run

    Raises:
        TypeError: the rows have no shape that can be taken; the sentence says which conversion would do
        ImportError: rows of Arrow where pyarrow is not installed
    """
    if isinstance(rows, Adapter):
        return rows
    found = None if isinstance(rows, type) else _recognised(rows, kind or 'run')
    walked = isinstance(rows, Iterable) and not isinstance(rows, (list, type, str, bytes, PathLike))
    if found is None and walked and not hasattr(rows, 'dtype'):
        rows = list(rows)
        found = _recognised(rows, kind or 'run')
    if found is None:
        raise _no_shape(rows, kind or 'run')
    if kind is None and VALUE['qrels'] in found.names and VALUE['run'] not in found.names:
        found.kind = 'qrels'
    return found


def _recognised(rows: Any, kind: str) -> Adapter | None:
    return next((found for adapter in ADAPTERS if (found := adapter.recognise(rows, kind)) is not None), None)


_CONVERSIONS = {'collect': '.collect()', 'toPandas': '.toPandas()', 'to_pandas': '.to_pandas()',
                'to_dataframe': '.to_dataframe()', 'compute': '.compute()'}


def _no_shape(rows: Any, kind: str) -> TypeError:
    """The error for an object that is no rows, or a list of such objects, with the conversion that would do."""
    has, example = ('holds', other_row(rows)) if isinstance(rows, list) else ('is', rows)
    names = f"['query_id', 'doc_id', {shown(VALUE[kind])}]"
    repair = next((f'give its {call}' for name, call in _CONVERSIONS.items() if hasattr(example, name)),
                  f"give a DataFrame (of pandas, polars or Arrow) with the columns 'query_id', 'doc_id' and "
                  f'{shown(VALUE[kind])}, rows with fields of these names (named tuples, dicts, dataclasses, records), '
                  'or a dict of dicts')
    if isinstance(example, (str, bytes, PathLike)):
        repair = 'read the file first, with ir_segmeasures.formats or pandas'
    elif isinstance(example, (tuple, list)) or hasattr(example, 'dtype'):
        repair = f'name the columns, as pandas.DataFrame(rows, columns={names}) does'
    return TypeError(f'the {kind} {has} a {type(example).__name__}: {repair}')
