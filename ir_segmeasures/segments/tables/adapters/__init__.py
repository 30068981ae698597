"""The shapes that people have runs and qrels in, one class each, in the order in which they are tried.

What an object can do decides, not what it is called, so no library of theirs is imported: ``itertuples`` (pandas),
``__arrow_c_stream__`` (polars, pyarrow, DuckDB), ``with_format`` (Hugging Face), ``to_dict`` (ranx), ``dtype.names``
(NumPy), ``_fields`` or ``_asdict`` (named tuples), ``__dataclass_fields__``, and the mappings of Python.
"""

from collections.abc import Iterable
from os import PathLike
from typing import Any

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.adapters import dicts, frames, row_lists
from ir_segmeasures.segments.tables.adapters.base import VALUE, Adapter

__all__ = ['ADAPTERS', 'VALUE', 'Adapter', 'adapter_of']

ADAPTERS: tuple[Any, ...] = (
    dicts.ColumnDict, dicts.NestedDict, dicts.ReaderRows, frames.PandasFrame, frames.PolarsFrame, frames.ArrowTable,
    frames.HuggingFaceDataset, dicts.RanxTable, frames.RecordArray,
    row_lists.NamedTuples, row_lists.Dataclasses, row_lists.Dicts)


def adapter_of(rows: Any, kind: str | None = None) -> Adapter:
    """The adapter of a run or qrels; an adapter is its own. Iterators are read, and their rows are a list from here on.

    Args:
        rows: in any of the shapes
        kind: ``'run'`` or ``'qrels'``; not given: qrels where there is ``relevance`` and no ``score``, else a run

    Raises:
        TypeError: the rows have no shape that can be taken; the sentence says which conversion would do
        ValueError: another kind
        ImportError: rows of Arrow where pyarrow is not installed
    """
    if kind not in (None, *VALUE):
        raise ValueError(f"kind={quoted(kind)}: rows are a 'run' or 'qrels'")
    if isinstance(rows, Adapter):
        return rows
    shape = _recognised(rows)
    if shape is None:
        rows = _walked(rows)
        shape = _recognised(rows)
    if shape is None:
        raise _no_shape(rows, kind or 'run')
    adapter: Adapter = shape(rows, kind or 'run')
    if kind is None and VALUE['qrels'] in adapter.names and VALUE['run'] not in adapter.names:
        adapter.kind = 'qrels'
    return adapter


def _recognised(rows: Any) -> Any:
    return None if isinstance(rows, type) else next((shape for shape in ADAPTERS if shape.recognise(rows)), None)


def _walked(rows: Any) -> Any:
    """The rows as the list of what they iterate over, or as the dict that they make of themselves; else as they are."""
    if isinstance(rows, (list, type, str, bytes, PathLike)) or hasattr(rows, 'dtype'):
        return rows
    return list(rows) if isinstance(rows, Iterable) else rows.to_dict() if hasattr(rows, 'to_dict') else rows


_CONVERSIONS = ('collect', 'toPandas', 'to_pandas', 'to_dataframe', 'compute')


def _no_shape(rows: Any, kind: str) -> TypeError:
    """The error for what is no run or qrels, or a list of what is no row, with the conversion that would do."""
    has, what = ('holds', row_lists.other_row(rows)) if isinstance(rows, list) else ('is', rows)
    method = next((name for name in _CONVERSIONS if hasattr(what, name)), None)
    if isinstance(what, (str, bytes, PathLike)):
        repair = 'read the file first, with ir_segmeasures.formats or pandas'
    elif isinstance(what, (tuple, list)) or hasattr(what, 'dtype'):
        repair = ("name the columns, as pandas.DataFrame(rows, columns=['query_id', 'doc_id', "
                  f'{quoted(VALUE[kind])}]) does')
    elif method is not None:
        repair = f'give its .{method}()'
    else:
        repair = (f"give a DataFrame (of pandas, polars or Arrow) with the columns 'query_id', 'doc_id' and "
                  f'{quoted(VALUE[kind])}, rows with fields of these names (named tuples, dicts, dataclasses, '
                  'records), or a dict of dicts')
    return TypeError(f'the {kind} {has} a {type(what).__name__}: {repair}')
