"""Positions and grades as the whole numbers that some campaigns' files have."""

from collections.abc import Sequence
from math import floor, isfinite
from typing import Any

from ir_segmeasures.formats.files.writing import WriteError
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import format_segment, parse_segment

_WHOLE = ('start', 'end', 'jump_in', 'bep', 'doc_size', 'relevance')


def rounded(rows: Sequence[Any]) -> tuple[list[Any], int]:
    """The rows with the nearest whole positions (also those in ids) and grades, halves up, and how many changed.

    Args:
        rows: of any reader

    Raises:
        WriteError: a segment with content would have none
    """
    found = []
    for place, row in enumerate(rows):
        new = row._replace(**{name: _nearest(getattr(row, name)) for name in _WHOLE if hasattr(row, name)})
        before = after = None
        if hasattr(row, 'end'):
            before, after = (row.start, row.end), (new.start, new.end)
        elif '#' in row.doc_id:
            try:
                segment = parse_segment(row.doc_id, elements=True)
            except ValueError as error:
                raise WriteError(f'query {quoted(row.query_id)}: {error}', place) from None
            whole = segment._replace(start=_nearest(segment.start), end=_nearest(segment.end))
            if whole != segment:
                new = new._replace(doc_id=format_segment(whole))
            before, after = segment[1:3], whole[1:3]
        if before and after and before[0] < before[1] and after[0] == after[1]:
            raise WriteError(f'query {quoted(row.query_id)}, {quoted(row.doc_id)}: from {before[0]} to {before[1]} '
                             'nothing is left between whole numbers: take the row out, or choose a format with '
                             'decimals', place)
        found.append(new)
    return found, sum(new != old for new, old in zip(found, rows))


def _nearest(value: Any) -> Any:
    if not isinstance(value, int | float) or not isfinite(value):
        return value
    return floor(value + 0.5) if value != floor(value) else value
