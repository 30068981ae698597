"""Runs and qrels for measures of documents: ir-measures takes fewer shapes than measures of segments do."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ir_measures import Measure

from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.segments.tables.editing import editable
from ir_segmeasures.segments.tables.rows import Rows

__all__ = ['for_hosts']


def for_hosts(rows: Any, kind: str, measures: Iterable[Measure]) -> Any:
    """The rows as they are, or as a frame of pandas or a dict of dicts where a measure is not of segments and
    ir-measures does not take their shape.

    Args:
        rows: a run or qrels in any shape
        kind: which of them, ``'run'`` or ``'qrels'``
        measures: what is measured

    Raises:
        TypeError, ValueError: the rows have no shape that can be taken, or lack a column
    """
    if all(isinstance(measure, SegmentMeasure) for measure in measures):
        return rows
    if isinstance(rows, Rows) or hasattr(rows, 'itertuples'):
        return rows
    given = editable(rows, kind)
    if not given.names:
        return {str(query): {str(id): getattr(value, 'item', lambda value=value: value)()
                             for id, value in documents.items()}
                for query, documents in (rows if isinstance(rows, Mapping) else rows.to_dict()).items()}
    if given.fixed and hasattr(next(iter(given.rows), None), '_fields'):  # named tuples
        return given.rows if isinstance(rows, Iterator) else rows
    if not given.values('doc_id'):
        return []
    import pandas
    ids = ('query_id', 'doc_id')
    return pandas.DataFrame({name: list(map(str, values)) if name in ids else values
                             for name in (*ids, *(name for name in given.names if name not in ids))
                             for values in [given.values(name)]})
