"""Rows that stand twice: items of a run that was joined with itself, and segments that are judged twice."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.tables.table import SegmentTable

__all__ = ['contradicted', 'repeat_warnings']

_LOOKED_AT = 300  # items of a run; one that was joined with itself repeats them everywhere
_REPEATED = 4  # of how many items one repeats another; real runs have some, and fewer
# Of how many items of a query one repeats the one before where the query was joined with itself, and how many items do
# so together. Real runs have queries with one of five.
_OF_JOINED, _PAIRS = 2.5, 10


def repeat_warnings(match: Match, twice: bool) -> Iterator[str | None]:
    """The warnings about rows that stand twice, in sentences.

    Args:
        match: the run and the qrels
        twice: whether rows of the run and grades that differ are told, too
    """
    if twice:
        yield _repeated(match)
        yield contradicted(match.index)
    yield _judged_twice(match)


def _judged_twice(match: Match) -> str | None:
    """Relevant segments of a query that are judged twice with one grade, as where a file is joined with itself. No
    judgements of a campaign have any."""
    qrels, value = match.qrels, match.qrels.value
    pairs = [pair for pair in match.index.repeated if value[pair[0]] == value[pair[1]] > 0]
    if not pairs:
        return None
    return (f'{len(pairs)} of the {len(qrels)} judgements repeat an earlier one, such as '
            f'{_judgement(qrels, pairs[0][1])}, and measures of single judged segments, such as IoU_AP, count both: '
            'leave one of them')


def contradicted(index: QrelsIndex) -> str | None:
    """The sentence about segments of a query that are judged with different grades; None where there are none."""
    qrels, value = index.qrels, index.qrels.value
    pairs = [pair for pair in index.repeated if value[pair[0]] != value[pair[1]]]
    if not pairs:
        return None
    row, other = min(map(sorted, pairs))
    return (f'{len(pairs)} of the {len(qrels)} judgements are of a segment that is judged with another grade too, such '
            f'as {_judgement(qrels, row)} with {value[row]:.12g} and {value[other]:.12g}, and the higher one counts: '
            'leave one of them')


def _judgement(qrels: SegmentTable, row: int) -> str:
    return (f'{quoted(qrels.document_ids[qrels.document[row]])} from {qrels.start[row]:.12g} to {qrels.end[row]:.12g} '
            f'of query {quoted(qrels.query_ids[qrels.query[row]])}')


def _repeated(match: Match) -> str | None:
    """Items that a query has twice, as in a run that was joined with itself."""
    run = match.run

    def items(rows: Any) -> list[tuple[Any, ...]]:
        columns = [column[rows].tolist() for column in (run.query, run.document, run.start, run.end)]
        return list(zip(*columns, *([] if run.paths is None else [np.array(run.paths)[rows]])))

    def begins_with_repeats() -> bool:
        exact = items(np.flatnonzero(match.query >= 0)[:_LOOKED_AT])
        return (len(exact) - len(set(exact))) * _REPEATED >= len(exact)

    def has_joined_queries() -> bool:
        # An item and its repeat mostly have their score alone, so that one follows the other.
        again = np.flatnonzero((run.start[1:] == run.start[:-1]) & (match.query[1:] >= 0)) + 1
        for column in (run.value, run.document, run.query, run.end):
            again = again[column[again] == column[again - 1]]
        if (paths := run.paths) is not None:
            again = np.array([row for row in again.tolist() if paths[row] == paths[row - 1]], np.intp)
        if len(again) < _PAIRS:
            return False
        repeats, count = (np.bincount(run.query[rows], minlength=len(run.query_ids)) for rows in (again, slice(None)))
        return bool(repeats[repeats * _OF_JOINED >= count].sum() >= _PAIRS)
    if not (begins_with_repeats() or has_joined_queries()):
        return None
    every = items(slice(None))
    place = dict(zip(reversed(every), range(len(every) - 1, -1, -1)))  # of the first of each
    row = next((row for row, item in enumerate(every) if place[item] < row), None)
    if row is None:
        return None
    return (f'{len(every) - len(place)} of the {len(run)} items of the run repeat an earlier one of their query, such '
            f'as {quoted(run.document_ids[run.document[row]])} from {run.start[row]:.12g} to {run.end[row]:.12g} of '
            f'query {quoted(run.query_ids[run.query[row]])}, and each counts as an item: leave one of each, unless the '
            'system returned it twice')
