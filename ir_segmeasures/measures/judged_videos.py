"""The items of a run that are of a judged video, as TVR's program ranks them in its task SVMR."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ir_segmeasures.segments.segment import parse_segment

LIMIT = 100  # items of a query, in whose list the program looks at no others


def items_of_judged_videos(run: Iterable[Any], qrels: Iterable[Any]) -> list[Any]:
    """The items that the program ranks in SVMR: of the first 100 of each query, those of a video that is judged for it.

    Args:
        run: rows in rank order, of ``formats.read_run``
        qrels: rows with ``start`` and ``end``, or with ids of segments
    """
    judged = {(row.query_id, row.doc_id if hasattr(row, 'end') else parse_segment(row.doc_id)[0]) for row in qrels}
    numbers: Counter[str] = Counter()
    kept = []
    for row in run:
        numbers[row.query_id] += 1
        if numbers[row.query_id] <= LIMIT and (row.query_id, row.doc_id) in judged:
            kept.append(row)
    return kept
