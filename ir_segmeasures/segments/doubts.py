"""What makes a figure doubtful that can be computed: the warnings of an evaluation."""

from __future__ import annotations

import re
import warnings
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segments.match import Match, document_key
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.spans import common_length, merge
from ir_segmeasures.segments.table import NO_UNIT, SegmentTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ['SegmentWarning', 'below', 'beyond', 'warn_about']

# Ids that were meant as segments: rec_18_35, rec?t=18,35, rec#T=18,35, rec#track=1&t=9,21, rec%23t=9,21.
_NEAR = re.compile(r'(.+?)(?:_|\?t=|#T=|#.*[&]t=|%23t=)(\d+(?:\.\d+)?)[_,](\d+(?:\.\d+)?)')
_FACTORS = {1000: 'if those of the {larger} are milliseconds',
            60: 'if those of the {smaller} are minutes (or minutes and seconds as M.S, which are no decimals)'}
_SUSPICIOUS = 20  # how many times as large the numbers of one side are


class SegmentWarning(UserWarning):
    """A run or qrels that can be measured, although the figures will hardly mean what they should."""


def warn_about(match: Match, rows: bool = False) -> None:
    """
    Warn about a run and qrels that do not seem to speak of the same segments, one sentence for each doubt.

    With ``rows``, they are for measures of judged rows, which may be whole documents, such as shots, and may repeat.
    """
    for sentence in filter(None, _doubts(match, rows)):
        warnings.warn(sentence, SegmentWarning, stacklevel=2)


def _doubts(match: Match, rows: bool) -> list[str | None]:
    qrels, run = match.qrels, match.run
    empty = [f'the {table.kind} {"are" if table is qrels else "is"} empty, so that every value is 0 or none: check the '
             'file and its format' for table in (qrels, run) if not len(table)]
    if empty:
        return [*empty]
    read: list[str | None] = [*qrels.doubts, *run.doubts]
    if not (match.query >= 0).any():
        pair = _nearest(run.query_ids, qrels.query_ids)
        return [*read, f'none of the {len(run.query_ids)} queries of the run is among the {len(qrels.query_ids)} of '
                f'the qrels ({pair}), so that every value is that of an empty run: give both the same ids']
    kinds = None if rows else _kinds(qrels, run)
    if kinds:
        return [*read] if any("'start'" in doubt for doubt in (*qrels.doubts, *run.doubts)) else [*read, kinds]
    shared = match.key >= 0
    if not shared.any():
        pair = _nearest(run.document_ids, qrels.document_ids)
        return [*read, f'none of the {len(run.document_ids)} documents of the run is among the '
                f'{len(qrels.document_ids)} of the qrels ({pair}), so that nothing is found: give both the same ids']
    if rows:
        return [*read, _scale(match, shared)]
    return [*read, _units(qrels, run) or _scale(match, shared), _repeated(run), _contradicted(qrels)]


def _nearest(ids: list[str], known: list[str]) -> str:
    """An id of the run and the most similar one of the qrels."""
    from difflib import get_close_matches  # seldom needed, and slow to import
    some, others = ids[:20], known[:2000]
    for id in some:
        low = {other.lower(): other for other in reversed(others)}
        for close in get_close_matches(id.lower(), low, 1, 0.75):
            return f'such as {id!r} and {low[close]!r}'
    return f'such as {ids[0]!r} and {known[0]!r}'


def _whole(table: SegmentTable) -> bool:
    """Whether all rows are whole documents, without start and end."""
    return bool(table.unit[0] == NO_UNIT and table.end[0] == inf and table.paths is None
                and (table.unit == NO_UNIT).all() and (table.end == inf).all() and not table.start.any())


def _kinds(qrels: SegmentTable, run: SegmentTable) -> str | None:
    """Segments on one side and documents on the other."""
    whole = [_whole(table) for table in (qrels, run)]
    if whole[0] == whole[1]:
        return None
    documents, segments = (qrels, run) if whole[0] else (run, qrels)
    near = next((found for id in documents.document_ids[:200] if (found := _NEAR.fullmatch(id))), None)
    example = f'{near[0]!r}, which may be {f"{near[1]}#t={near[2]},{near[3]}"!r}' if near else repr(
        documents.document_ids[0])
    have = 'has' if segments is run else 'have'
    return (f'the {segments.kind} {have} segments, but the {len(documents)} rows of the {documents.kind} '
            f'are whole documents, such as {example}: write segments as DOCUMENT#t=START,END, or as '
            "columns 'start' and 'end'")


def _units(qrels: SegmentTable, run: SegmentTable) -> str | None:
    """Bare columns of one side that have fractions, beside segments in a unit of whole numbers."""
    for bare, other in ((run, qrels), (qrels, run)):
        units = other.units()
        if bare.units() or not units or UNITS.index('t') in units:
            continue
        fractions = bare.fractions() & np.isfinite(bare.end)
        if fractions.any():
            row, unit = int(np.argmax(fractions)), UNITS[min(units)]
            have = 'has' if other is run else 'have'
            return (f'{np.count_nonzero(fractions)} of the {len(bare)} rows of the {bare.kind} have fractions, such as '
                    f'{bare.start[row]:.12g} to {bare.end[row]:.12g} of {bare.document_ids[bare.document[row]]!r}, but '
                    f'the {other.kind} {have} {unit!r} positions, which are whole numbers, so that they are not in one '
                    'unit: resolve() the times with a table of the texts, or give both in one unit')
    return None


def _contradicted(qrels: SegmentTable) -> str | None:
    """Segments of a query that are judged with different grades."""
    value = qrels.value
    if value.min() == value.max():
        return None
    # Equal segments have equal numbers here; the few others that have them are found below.
    number = document_key(qrels, qrels.query, qrels.document) * 1.6180339887 + qrels.start * 0.7548776662
    number += qrels.end * 0.5698402910
    order = np.argsort(number)
    ordered = number[order]
    places = np.flatnonzero((ordered[1:] == ordered[:-1]) & (value[order[1:]] != value[order[:-1]]))
    pairs = [(one, other) for one, other in zip(order[places].tolist(), order[places + 1].tolist())
             if all(column[one] == column[other] for column in (qrels.query, qrels.document, qrels.start, qrels.end))
             and (qrels.paths is None or qrels.paths[one] == qrels.paths[other])]
    if not pairs:
        return None
    row, other = min(map(sorted, pairs))
    return (f'{len(pairs)} of the {len(qrels)} judgements are of a segment that is judged with another grade too, such '
            f'as {qrels.document_ids[qrels.document[row]]!r} from {qrels.start[row]:.12g} to {qrels.end[row]:.12g} of '
            f'query {qrels.query_ids[qrels.query[row]]!r} with {value[row]:.12g} and {value[other]:.12g}, and the '
            'higher one counts: leave one of them')


def _repeated(run: SegmentTable) -> str | None:
    """Items that follow themselves, as in a run that was joined with itself."""
    if len(run) < 2:
        return None
    same = (run.start[1:] == run.start[:-1]) & (run.value[1:] == run.value[:-1])
    if not same.any():
        return None
    same &= ((run.document[1:] == run.document[:-1]) & (run.end[1:] == run.end[:-1])
             & (run.query[1:] == run.query[:-1]) & np.isfinite(run.end[1:]))
    places = np.flatnonzero(same)
    if run.paths is not None:
        places = np.array([i for i in places.tolist() if run.paths[i] == run.paths[i + 1]], np.intp)
    if places.size * 10 < len(run):  # a system may return an item twice; a run joined with itself has half of them
        return None
    row = int(places[0])
    return (f'{len(places)} of the {len(run)} items of the run repeat the one before, with the same score, such as '
            f'{run.document_ids[run.document[row]]!r} from {run.start[row]:.12g} to {run.end[row]:.12g} of query '
            f'{run.query_ids[run.query[row]]!r}, and each counts as an item: leave one of each, unless the system '
            'returned it twice')


def _scale(match: Match, shared: NDArray[np.bool_]) -> str | None:
    """Positions that differ by a factor in the documents that both have, where nothing is in common."""
    qrels, run = match.qrels, match.run
    ends = [column[np.isfinite(column)] for column in (qrels.end, run.end[shared])]
    if not all(column.size for column in ends):
        return None
    judged, found = (float(column.mean()) for column in ends)
    if not (judged and found) or 1 / _SUSPICIOUS < found / judged < _SUSPICIOUS:
        return None
    group = qrels.query * max(1, len(qrels.document_ids)) + qrels.document
    some = np.isfinite(qrels.end)
    items = shared & np.isfinite(run.end)
    spans = merge(match.key[items], run.start[items], run.end[items])
    if common_length(spans, merge(group[some], qrels.start[some], qrels.end[some])).any():
        return None
    ratio = max(found / judged, judged / found)
    larger, smaller = ('run', 'qrels') if found > judged else ('qrels', 'run')
    factor = min(_FACTORS, key=lambda factor: abs(np.log(ratio / factor)))
    unit = _FACTORS[factor].format(larger=larger, smaller=smaller)
    return (f'no item of the run shares content with a judged segment, and the positions of the {larger} are some '
            f'{ratio:.3g} times those of the {smaller} in the same documents (ends at {found:.6g} in the run and at '
            f'{judged:.6g} in the qrels, on average): give both in one unit, by a factor of {factor} {unit}')


def below(qrels: SegmentTable, rel: Any) -> None:
    """Warn that no judgement is relevant."""
    warnings.warn(f'none of the {len(qrels)} judgements has a relevance of {rel:.12g} or more (the highest is '
                  f'{qrels.value.max():.12g}), so that every value is 0: check the column of the relevance, or give '
                  'the measures a lower rel', SegmentWarning, stacklevel=2)


def beyond(qrels: SegmentTable, measure: Any, D: float) -> None:
    """Warn that a collection is shorter than its judged documents."""
    known = np.isfinite(qrels.end)
    extent = np.zeros(len(qrels.document_ids))
    np.maximum.at(extent, qrels.document[known], qrels.end[known])
    total = float(extent.sum())
    if D < total:
        warnings.warn(f'the {np.count_nonzero(extent)} judged documents have at least {total:.12g} together, up to the '
                      f'last judged segment of each, but in {measure} the whole collection is D={D:.12g}: give the '
                      'length of the whole collection, in the unit of the segments', SegmentWarning, stacklevel=2)
