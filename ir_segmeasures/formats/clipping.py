"""Windows that go beyond their video, as models print them, cut off at its bounds."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

__all__ = ['clipped']


def clipped(rows: Sequence[Any], durations: Mapping[str, float]) -> tuple[list[Any], int]:
    """The rows with their windows cut off at 0 and at the duration of the video, and how many were cut.

    Args:
        rows: of a reader of moments
        durations: video → its duration in seconds; the windows of others are cut off at 0 alone
    """
    found, count = [], 0
    for row in rows:
        last = durations.get(row.doc_id, inf)
        start, end = (min(max(place, 0), last) for place in (row.start, row.end))
        if (start, end) != (row.start, row.end):
            row, count = row._replace(start=start, end=end), count + 1
        found.append(row)
    return found, count
