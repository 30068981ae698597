"""Positions of a run and of its qrels in two units, or in a way of writing that no unit is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.spans import Spans, common_length, merged_spans
from ir_segmeasures.segments.tables.matching import Match, document_key
from ir_segmeasures.segments.tables.table import SegmentTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ['unit_warning']

_FACTORS = {1000: 'if those of the {larger} are milliseconds',
            60: 'if those of the {smaller} are minutes (or minutes and seconds as M.S, which are no decimals)'}
_SUSPICIOUS = 20  # how many times as large the numbers of one side are
_MORE = 3  # how many times as many items meet a judged segment where the numbers of one side are in another unit
_FEW = 5  # documents, of which all may be judged at their beginning alone, and searched to their end
# How many times as far one side reaches into a document, in how many of the documents that both have: in real runs in
# up to one of ten. It is less than the 24 pictures of a second.
_FARTHER, _PART = 15, 5
_FRAMES = (24, 25, 30, 50, 60)
# How many numbers with two decimals have no 60 behind the dot, and how many different ones, where they are M.S.
_MANY, _DIFFERENT = 100, 20


def unit_warning(match: Match, columns: bool = False) -> str | None:
    """The warning about positions in two units, in a sentence; None where there is no doubt.

    Args:
        match: the run and the qrels
        columns: whether columns without a unit are held against the unit of the other side
    """
    shared = match.key >= 0
    unlike = _units(match.qrels, match.run) if columns else None
    return unlike or _scale(match, shared) or _farther(match, shared) or _minutes_and_seconds(match)


def _farther(match: Match, shared: NDArray[np.bool_]) -> str | None:
    """Positions of one side that reach many times as far in a part of the documents that both have."""
    qrels, run = match.qrels, match.run
    items, known = shared & np.isfinite(run.end), np.isfinite(qrels.end)
    documents = match.key[items] % max(1, len(qrels.document_ids))
    judged, found = (np.zeros(len(qrels.document_ids)) for _ in range(2))
    np.maximum.at(judged, qrels.document[known], qrels.end[known])
    np.maximum.at(found, documents, run.end[items])
    both = np.flatnonzero((judged > 0) & (found > 0))
    times = np.log(found[both] / judged[both])
    for sign, larger, smaller, low in ((1, 'run', 'qrels', judged), (-1, 'qrels', 'run', found)):
        apart = both[sign * times > np.log(_FARTHER)]
        if len(apart) < _FEW or len(apart) * _PART < len(both):
            continue
        normal = float(low[both].max()) <= 1
        factor = 0 if normal else _factor(match, items, np.isin(documents, apart), sign)
        if not normal and not factor:
            continue
        unit = (f'those of the {smaller} are parts of the whole document, from 0 to 1, which its length is to be '
                'multiplied with' if normal else _unit(factor, larger, smaller))
        place = int(apart[0])
        return (f'in {len(apart)} of the {len(both)} documents that both have, the positions of the {larger} are some '
                f'{float(np.exp(np.median(sign * times[sign * times > np.log(_FARTHER)]))):.3g} times those of the '
                f'{smaller}, such as in {quoted(qrels.document_ids[place])}, up to {found[place]:.6g} in the run and '
                f'{judged[place]:.6g} in the qrels: give both in one unit, if {unit}')
    return None


def _factor(match: Match, items: NDArray[np.bool_], apart: NDArray[np.bool_], sign: int) -> int:
    """The factor with which most items meet a judged segment, several times as many as without; else 0."""
    qrels, rows = match.qrels, np.flatnonzero(items)[apart]
    known = np.isfinite(qrels.end)
    spans = merged_spans(document_key(qrels, qrels.query, qrels.document)[known], qrels.start[known], qrels.end[known])
    start, end = match.run.start[rows], np.maximum(match.run.end[rows], match.run.start[rows] + 1e-6)

    def meeting(factor: float) -> int:
        times = factor ** -sign
        return int(np.count_nonzero(common_length(Spans(match.key[rows], times * start, times * end), spans)))
    met = {factor: meeting(factor) for factor in (1, *_FRAMES, 1000)}
    best = max(met, key=lambda factor: met[factor])
    return best if met[best] >= max(_MORE * met[1], _FEW) else 0


def _unit(factor: int, larger: str, smaller: str) -> str:
    if factor == 1000:
        return f'those of the {larger} are milliseconds'
    frames = f'those of the {larger} are frames ({factor} or so a second)'
    return frames if factor < _FRAMES[-2] else f'{frames}, or those of the {smaller} minutes (or M.S, no decimals)'


def _minutes_and_seconds(match: Match) -> str | None:
    """Numbers of both sides of which none has 60 or more behind the dot, though many differ there."""
    for table in (match.run, match.qrels):
        if table.units() - {UNITS.index('t')}:
            return None
    numbers = np.concatenate([column[np.isfinite(column)] for table in (match.run, match.qrels)
                              for column in (table.start, table.end)])
    behind = (numbers - np.floor(numbers)) * 100
    behind = behind[behind > 0]
    if len(behind) < _MANY:
        return None
    hundredths = np.rint(behind)
    if hundredths.max() > 59 or (np.abs(behind - hundredths) > 1e-3).any() or len(
            np.flatnonzero(np.bincount(hundredths.astype(int)))) < _DIFFERENT:
        return None
    return (f'none of the {len(behind)} positions with decimals has more than .59 behind the dot, such as '
            f'{numbers[np.argmax(numbers)]:.12g}, as minutes and seconds (M.S) have, which were read as decimals: read '
            "the file in the campaign's own format, or write seconds")


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
                    f'{bare.start[row]:.12g} to {bare.end[row]:.12g} of '
                    f'{quoted(bare.document_ids[bare.document[row]])}, but the {other.kind} {have} {quoted(unit)} '
                    'positions, which are whole numbers, so that they are not in one unit: resolve() the times with a '
                    'table of the texts, or give both in one unit')
    return None


def _mean_end(table: SegmentTable, rows: NDArray[np.bool_] | None = None) -> float:
    """The mean of the ends that are known, of some rows; 0 if none is."""
    # Masks copy columns, which most runs do without.
    count = len(table) if rows is None else np.count_nonzero(rows)
    with np.errstate(invalid='ignore'):  # of an end that is not known
        # Their product, with @, would wake the threads of BLAS, which costs more than all else here.
        total = float(table.end.sum() if rows is None else (table.end * rows).sum())
    if np.isfinite(total):
        return total / max(1, count)
    known = np.isfinite(table.end) if rows is None else rows & np.isfinite(table.end)
    return float(table.end[known].mean()) if known.any() else 0.


def _scale(match: Match, shared: NDArray[np.bool_]) -> str | None:
    """Positions that differ by a factor in the documents that both have, where hardly anything is in common."""
    qrels, run = match.qrels, match.run
    judged, found = _mean_end(qrels), _mean_end(run, shared)
    if not (judged and found) or 1 / _SUSPICIOUS < found / judged < _SUSPICIOUS:
        return None
    ratio = max(found / judged, judged / found)
    factor = min(_FACTORS, key=lambda factor: abs(np.log(ratio / factor)))
    known, items = np.isfinite(qrels.end), shared & np.isfinite(run.end)
    spans = merged_spans(document_key(qrels, qrels.query, qrels.document)[known], qrels.start[known], qrels.end[known])
    start, end = run.start[items], np.maximum(run.end[items], run.start[items] + 1e-6)  # entry points meet, too

    def meeting(times: float) -> int:
        return int(np.count_nonzero(common_length(Spans(match.key[items], times * start, times * end), spans)))
    common, scaled = meeting(1), meeting(1 / factor if found > judged else factor)
    if common and (scaled < _MORE * common or len(set(match.key[items].tolist())) < _FEW):
        return None
    larger, smaller = ('run', 'qrels') if found > judged else ('qrels', 'run')
    unit = _FACTORS[factor].format(larger=larger, smaller=smaller)
    share = 'no item of the run shares' if not common else (
        f'only {common} of the {len(start)} items of the run in judged documents share')
    more = f' (in another unit {scaled} would)' if common else ''
    return (f'{share} content with a judged segment{more}, and the positions of the {larger} are some '
            f'{ratio:.3g} times those of the {smaller} in the same documents (ends at {found:.6g} in the run and at '
            f'{judged:.6g} in the qrels, on average): give both in one unit, by a factor of {factor} {unit}')
