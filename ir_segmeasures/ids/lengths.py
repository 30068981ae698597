"""Judgements by the length of their segments: the bands (short, middle, long) that moment retrieval reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

import numpy as np

from ir_segmeasures.segments.shown import shown
from ir_segmeasures.segments.table import SegmentTable

__all__ = ['within_lengths']


def within_lengths(qrels: Any, longer: float = 0, upto: float = inf) -> Any:
    """The judgements whose length is above ``longer`` and at most ``upto``, of the queries that have a relevant one of
    such length: means over these qrels are those of a band. QVHighlights has (0, 10], (10, 30] and (30, 150] seconds.

    Args:
        qrels: a frame, rows one by one (named tuples, dicts, …), or a dict of dicts
        longer, upto: in the unit of the segments

    Returns:
        The shape it was given (a list for any iterable of rows), the rows that are left as they were.

    Raises:
        ValueError: ``longer`` is not below ``upto``, or columns are missing.
        RowError: rows that are no segments, or a relevant one without an end, so that its length is not known.
        TypeError: an input in none of the shapes.
    """
    if not 0 <= longer < upto:
        raise ValueError(f'longer={shown(longer)} and upto={shown(upto)} leave no length, since a band goes from above '
                         'longer to upto: give longer from 0 up, and a larger upto')
    frame = hasattr(qrels, 'itertuples')
    if not isinstance(qrels, Mapping) and not frame and isinstance(qrels, Iterable):
        qrels = list(qrels)
    table = SegmentTable.from_qrels(qrels)
    relevant = table.value > 0
    open_end = relevant & (table.end == inf)
    if open_end.any():
        raise table.error(int(np.argmax(open_end)), 'it is judged relevant up to the end of its document, so that its '
                                                    'length is not known: write the end into the id or resolve() the '
                                                    'qrels with a table of the documents')
    length = np.round(table.end - table.start, 9)  # 20.3 - 10.3 is 10, not above it
    kept = (length > longer) & (length <= upto)
    some = np.zeros(len(table.query_ids), bool)
    some[table.query[kept & relevant]] = True
    kept &= some[table.query]
    if frame:
        return qrels[kept]
    if isinstance(qrels, Mapping):
        left = iter(kept.tolist())
        bands = {query: {id: value for id, value in documents.items() if next(left)}
                 for query, documents in qrels.items()}
        return {query: documents for query, documents in bands.items() if documents}
    if not isinstance(qrels, list) or len(qrels) != len(table):
        raise TypeError(f'the qrels are a {type(qrels).__name__}, of which no rows can be left out: give a pandas '
                        'DataFrame, rows one by one, or a dict of dicts')
    return [row for row, keep in zip(qrels, kept.tolist()) if keep]
