"""Bands of judgements by the length of their segments (short, middle, long), as moment retrieval reports them."""

from math import inf
from numbers import Real
from typing import Any

import numpy as np

from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.tables.adapters import adapter_of
from ir_segmeasures.segments.tables.table import SegmentTable


def within_lengths(qrels: Any, longer: float = 0, upto: float = inf) -> Any:
    """The judgements whose segments are longer than ``longer`` and at most ``upto`` long, of queries with a relevant
    one. Means over these qrels are those of a band of lengths; QVHighlights has (0, 10], (10, 30] and (30, 150]
    seconds.

    Args:
        qrels: in any of the shapes that :meth:`SegmentTable.from_qrels <ir_segmeasures.SegmentTable.from_qrels>` takes
        longer, upto: in the unit of the segments

    Returns:
        The shape it was given (a list for any iterable of rows), the rows that are left as they were.

    Raises:
        ValueError: ``longer`` is not below ``upto``, or columns are missing
        RowError: rows that are not segments, or a relevant one without an end, so that its length is not known
        TypeError: an input in none of the shapes

    Examples:
        >>> from ir_segmeasures import within_lengths
        >>> qrels = {'q1': {'v1#t=0,8': 1, 'v1#t=20,60': 1}, 'q2': {'v2#t=0,90': 1}}
        >>> within_lengths(qrels, upto=10)
        {'q1': {'v1#t=0,8': 1}}
        >>> within_lengths(qrels, longer=30)
        {'q1': {'v1#t=20,60': 1}, 'q2': {'v2#t=0,90': 1}}
    """
    if not all(isinstance(bound, Real) for bound in (longer, upto)) or not 0 <= longer < upto:
        raise ValueError(f'longer={quoted(longer)} and upto={quoted(upto)} leave no length, since a band goes from '
                         'above longer to upto: give longer from 0 up, and a larger upto')
    if isinstance(qrels, SegmentTable):
        raise TypeError('the qrels are a SegmentTable, of which no rows can be left out: give what it was made of')
    rows = adapter_of(qrels, 'qrels')
    table = SegmentTable.from_qrels(rows)
    relevant = table.value > 0
    table.refuse(relevant & (table.end == inf), 'it is judged relevant up to the end of its document, which is not '
                 'known: write the end into the id or resolve() the qrels with a table of the documents')
    length = np.round(table.end - table.start, 9)  # 20.3 - 10.3 is 10, not above it
    kept = (length > longer) & (length <= upto)
    queries = np.zeros(len(table.query_ids), bool)
    queries[table.query[kept & relevant]] = True
    kept &= queries[table.query]
    return rows.take(np.flatnonzero(kept).tolist()).rows
