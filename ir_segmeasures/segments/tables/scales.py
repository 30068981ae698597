"""Positions of a run and of its qrels in two units, or in a way of writing that no unit is."""

from math import log

import numpy as np

from ir_segmeasures.segments.arrays import Array, Floats, Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.document_extents import (
    FARTHER,
    FRAMES,
    found_ends,
    judged_ends,
    last_starts,
    lost_edges_warning,
    mean_lengths,
    nearest_factor,
    odd_documents_warning,
)
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.tables.table import SegmentTable

__all__ = ['unit_warning']

_FACTORS = {1000: 'if those of the {larger} are milliseconds',
            25: 'if those of the {larger} are frames (25 or so a second)',
            60: 'if those of the {smaller} are minutes (or minutes and seconds as M.S, which are no decimals)'}
_SUSPICIOUS = 15  # how many times as large the numbers of one side are
_MORE = 3  # how many times as many items meet a judged segment where the numbers of one side are in another unit
_FEW = 5  # documents, of which all may be judged at their beginning alone, and searched to their end
_PART_CUT = 0.1  # of the documents, in which one side ends at its last position, where they are cut off there
# In how many of the documents that both have one side reaches many times as far.
_PART = 5
_PART_NORMAL = 0.03  # of the documents that both have, where all positions of one side are at most 1 in a unit of parts
_LONGER = 5  # how many times as long as in others rows are in documents of another unit, mostly many more
_FAR = 4  # how many times as far as any other document some reach that are in another unit
_LONGER_OF_FEW = 25  # how many times as long as in any other document rows are there, where there are few documents
# The same where only the numbers tell: the least number of documents, and their part of those that both have.
_MANY_APART, _PART_APART = 10, 0.3
_PROPORTIONAL = 0.6  # of the spread of the ends, that of their ratios; 0.9 or more where a system finds beginnings
# How many numbers with two decimals have no 60 behind the dot, and how many different ones, where they are M.S.
_MANY, _DIFFERENT = 100, 20
_STEP = 16  # of the rows that are looked at first


def unit_warning(match: Match, columns: bool = False) -> str | None:
    """The warning about positions in two units, in a sentence; None where there is no doubt.

    Args:
        match: the run and the qrels
        columns: whether columns without a unit are held against the unit of the other side
    """
    unlike = _units(match.qrels, match.run) if columns else None
    if not unlike:
        unlike = _scale(match) or _farther(match) or odd_documents_warning(match)
        unlike = None if unlike and _is_cut(match) else unlike
    return unlike or lost_edges_warning(match) or _minutes_and_seconds(match)


def _is_cut(match: Match) -> bool:
    """Whether one side ends at one position in many documents, and the other farther in most, without rows that are as
    many times as long: as where people judged the first minute of each document alone."""
    ends = [side[side > 0] for side in (match.index.cached(judged_ends), match.cached(found_ends))]
    at_top = [np.count_nonzero(side == side.max()) / len(side) for side in ends]
    cut = int(np.argmax(at_top))
    if not at_top[cut] > _PART_CUT > at_top[1 - cut] or len(ends[cut]) < _MANY_APART:
        return False
    length = [mean_lengths(match, sign)[1] for sign in (-1, 1)]
    last, farther = ends[cut].max(), float(np.median(ends[1 - cut]))
    return bool(last < farther and length[1 - cut] ** 2 * last < length[cut] ** 2 * farther)


def _mean_end(index: QrelsIndex) -> float:
    known = np.isfinite(index.qrels.end)
    return float(index.qrels.end[known].mean()) if known.any() else 0.


def _count(match: Match, rows: Ints, times: float) -> int:
    return int(np.count_nonzero(match.meeting(rows, times)))


def _farther(match: Match) -> str | None:
    """Positions of one side that reach many times as far in a part of the documents that both have."""
    judged, found = match.index.cached(judged_ends), match.cached(found_ends)
    both = np.flatnonzero((judged > 0) & (found > 0))
    times = found[both] / judged[both]
    for sign, larger, smaller, high, low in ((1, 'run', 'qrels', found, judged), (-1, 'qrels', 'run', judged, found)):
        if sign < 0:
            times = 1 / times
        apart = both[times > FARTHER]
        if not len(apart):
            continue
        starts = last_starts(match, -sign)
        far = _far(match, apart, high, low, sign)
        normal = apart[(low[apart] <= 1) & (high[apart] > FARTHER) & (starts[apart] > 0)]
        factor = 0
        if len(normal) >= max(_FEW, _PART_NORMAL * len(both)):
            apart = normal
        elif len(far) and not _begin(starts[far]):
            apart, factor = far, nearest_factor(high[far] / low[far])
        elif (len(apart) >= _FEW and len(apart) * _PART >= len(both) and not _begin(starts[apart])
                and _have_other_lengths(match, apart, both, sign)):
            factor = _factor(match, apart, sign)
            if not factor and len(apart) >= max(_MANY_APART, _PART_APART * len(both)):
                factor = _factor_of_ends(match, apart, high[apart] / low[apart], low, sign)
        if not factor and apart is not normal:
            continue
        unit = (f'those of the {smaller} are parts of the whole document, from 0 to 1, which its length is to be '
                'multiplied with' if apart is normal else _unit(factor, larger, smaller))
        place = int(apart[0])
        return (f'in {len(apart)} of the {len(both)} documents that both have, the positions of the {larger} are some '
                f'{float(np.median(high[apart] / low[apart])):.3g} times those of the {smaller}, such as in '
                f'{quoted(match.qrels.document_ids[place])}, up to {found[place]:.6g} in the run and '
                f'{judged[place]:.6g} in the qrels: give both in one unit, if {unit}')
    return None


def _far(match: Match, documents: Ints, high: Floats, low: Floats, sign: int) -> Ints:
    """Documents, out of some, in which one side starts and ends far behind the end of every other document."""
    others = np.ones(len(low), bool)
    others[documents] = False
    last = max(float(side[others].max(initial=0)) for side in (high, low))
    far = documents[high[documents] > _FAR * last]
    if not last or not len(far):
        return far[:0]
    far = far[last_starts(match, sign)[far] > last]
    if np.count_nonzero(np.minimum(high, low)) >= _MANY_APART:
        return far
    length = mean_lengths(match, sign)[0]
    usual = max(float(side[others].max()) for side in (length, mean_lengths(match, -sign)[0]))
    return far[length[far] > _LONGER_OF_FEW * usual]


def _begin(starts: Floats) -> bool:
    """Whether nearly all documents have these last starts at 0, as where a system returns the beginnings of documents.
    """
    return 10 * int(np.count_nonzero(starts > 0)) < len(starts)


def _have_other_lengths(match: Match, documents: Ints, both: Ints, sign: int) -> bool:
    """Whether the rows of one side in some documents are also several times as long as those of the other side, or as
    such rows are in the others: a system that finds the first parts of documents has no shorter items there."""
    (high, _), (low, _) = mean_lengths(match, sign), mean_lengths(match, -sign)
    ratio = high[both] / np.maximum(low[both], 1e-9)
    is_apart = np.isin(both, documents)
    elsewhere = 1. if is_apart.all() else float(np.median(ratio[~is_apart]))
    return float(np.median(ratio[is_apart])) > _LONGER * min(1., elsewhere)


def _factor(match: Match, documents: Ints, sign: int) -> int:
    """The factor with which most items in some documents meet a judged segment, several times as many as without; else
    0."""
    rows = np.flatnonzero((match.key >= 0) & np.isfinite(match.run.end) & np.isin(match.document, documents))
    met: dict[int, int] = {factor: _count(match, rows, float(factor) ** -sign) for factor in (1, *FRAMES, 1000)}
    best = max(met, key=met.__getitem__)
    return best if met[best] >= max(_MORE * met[1], _FEW) else 0


def _factor_of_ends(match: Match, documents: Ints, times: Floats, low: Floats, sign: int) -> int:
    """The factor by which even the starts of one side are behind the ends of the other in many documents, or by which
    the one side is far where the other is; else 0."""
    behind = last_starts(match, sign)[documents] > FARTHER * low[documents]
    spread, usual = (np.ptp(np.percentile(np.log(numbers), (25, 75))) for numbers in (times, low[documents]))
    return nearest_factor(times) if 2 * np.count_nonzero(behind) >= len(documents) or (
        spread < _PROPORTIONAL * usual) else 0


def _unit(factor: int, larger: str, smaller: str) -> str:
    if factor == 1000:
        return f'those of the {larger} are milliseconds'
    frames = f'those of the {larger} are frames ({factor} or so a second)'
    return frames if factor < FRAMES[-2] else f'{frames}, or those of the {smaller} minutes (or M.S, no decimals)'


def _minutes_and_seconds(match: Match) -> str | None:
    """Numbers of both sides of which none has 60 or more behind the dot, though many differ there."""
    judged = match.index.cached(_hundredths)
    few = None if judged is None else _of_minutes(match.run, _STEP)
    if judged is None or few is None or not len(judged) + len(few):
        return None
    found = _of_minutes(match.run)
    if found is None:
        return None
    hundredths = np.concatenate([judged, found])
    if len(hundredths) < _MANY or np.count_nonzero(np.bincount(hundredths)) < _DIFFERENT:
        return None
    numbers = next(column for table in (match.run, match.qrels) for column in (table.start, table.end)
                   if (column != np.floor(column)).any())
    return (f'none of the {len(hundredths)} positions with decimals has more than .59 behind the dot, such as '
            f'{numbers[np.argmax(numbers != np.floor(numbers))]:.12g}, as minutes and seconds (M.S) have, which were '
            "read as decimals: read the file in the campaign's own format, or write seconds")


def _hundredths(index: QrelsIndex) -> Array[np.int64] | None:
    return _of_minutes(index.qrels)


def _of_minutes(table: SegmentTable, step: int = 1) -> Array[np.int64] | None:
    """The hundredths of all positions (or of each so manyth row) that are no whole number; None where one shows that
    they are no minutes and seconds."""
    if table.units() - {UNITS.index('t')}:
        return None
    numbers = np.concatenate([table.start[::step], table.end[::step]])
    numbers = numbers[np.isfinite(numbers)]
    behind = (numbers - np.floor(numbers)) * 100
    behind = behind[behind > 0]
    hundredths = np.rint(behind)
    if (hundredths > 59).any() or (np.abs(behind - hundredths) > 1e-3).any():
        return None
    return hundredths.astype(np.int64)


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


def _mean_found(match: Match) -> float:
    """The mean of the ends that are known, of the items in judged documents; 0 if none is."""
    rows, end = match.key >= 0, match.run.end
    # Masks copy columns, which most runs do without. A product with @ would wake the threads of BLAS.
    with np.errstate(invalid='ignore'):  # of an end that is not known
        total = float((end * rows).sum())
    if np.isfinite(total):
        return total / max(1, int(np.count_nonzero(rows)))
    known = rows & np.isfinite(end)
    return float(end[known].mean()) if known.any() else 0.


def _scale(match: Match) -> str | None:
    """Positions that differ by a factor in the documents that both have, where hardly anything is in common."""
    judged, found = match.index.cached(_mean_end), _mean_found(match)
    if not (judged and found) or 1 / _SUSPICIOUS < found / judged < _SUSPICIOUS:
        return None
    ratio = max(found / judged, judged / found)
    rows = np.flatnonzero((match.key >= 0) & np.isfinite(match.run.end))
    scaled = {factor: _count(match, rows, 1 / factor if found > judged else factor) for factor in sorted(
        _FACTORS, key=lambda factor: abs(log(ratio / factor)))[:2]}
    factor = max(scaled, key=scaled.__getitem__)
    common = _count(match, rows, 1)
    if common and (scaled[factor] < _MORE * common or len(set(match.key[rows].tolist())) < _FEW):
        return None
    if common and not match.run.start[rows].any():  # beginnings, of which longer ones meet more
        return None
    larger, smaller = ('run', 'qrels') if found > judged else ('qrels', 'run')
    unit = _FACTORS[factor].format(larger=larger, smaller=smaller)
    share = 'no item of the run shares' if not common else (
        f'only {common} of the {len(rows)} items of the run in judged documents share')
    more = f' (in another unit {scaled[factor]} would)' if common else ''
    return (f'{share} content with a judged segment{more}, and the positions of the {larger} are some '
            f'{ratio:.3g} times those of the {smaller} in the same documents (ends at {found:.6g} in the run and at '
            f'{judged:.6g} in the qrels, on average): give both in one unit, by a factor of {factor} {unit}')
