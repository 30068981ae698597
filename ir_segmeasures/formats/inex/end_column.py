"""INEX runs with the end offset in the last column, where the length should be: a mistake met in the wild."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

__all__ = ['maybe_ends', 'surely_ends']

_ENOUGH = 10  # documents whose items overlap, before a last column is taken for the end
_SUSPECT = 100  # items with an offset above 0, before a last column that is never below it is remarked on


def maybe_ends(columns: Mapping[str, Any]) -> str | None:
    """A sentence, if the last column, which was read as the length, may be the end; None if not.

    Args:
        columns: ``start`` and ``end`` of all items
    """
    starts, ends = np.asarray(columns['start']), np.asarray(columns['end'])
    count = np.count_nonzero(starts)
    if count < _SUSPECT or not (ends >= 2 * starts).all():
        return None
    return (f'the last column may be the end offset, not the length: {count} of {len(starts)} items have an offset '
            'above 0, and none of them has less than it there: if it is the end, take the offset off it, or read the '
            "run in Python, with formats.inex.read_run(path, last='end'), or with last='length' if these are lengths")


def surely_ends(columns: Mapping[str, Any]) -> int:
    """The number of documents by whose items the last column, which was read as the length, has to be the end: they
    overlap, but would not with ends, as those of no document would. 0 if these are too few, or if it is not so."""
    starts, ends = np.asarray(columns['start']), np.asarray(columns['end'])
    if not starts.any() or not (ends >= 2 * starts).all():
        return 0  # ends are lengths, or a last column is less than the offset beside it
    documents: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for query_id, doc_id, start, end in zip(columns['query_id'], columns['doc_id'], starts, ends):
        documents[query_id, doc_id].append((start, end))
    overlapping = 0
    for passages in documents.values():
        passages.sort()
        pairs = list(pairwise(passages))
        if any(second < end - start for (start, end), (second, _) in pairs):
            return 0
        overlapping += any(second < end for (_, end), (second, _) in pairs)
    return overlapping if overlapping >= _ENOUGH else 0
