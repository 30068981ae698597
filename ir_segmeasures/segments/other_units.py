"""Positions of a run and of qrels in two units: milliseconds, frames or minutes beside seconds."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segments.arrays import Bools, Floats, Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import UNITS

if TYPE_CHECKING:
    from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
    from ir_segmeasures.segments.tables.table import SegmentTable

_FACTORS = {1000: 'if those of the {larger} are milliseconds',
            60: 'if those of the {smaller} are minutes (or minutes and seconds as M.S, which are no decimals)',
            25: 'if those of the {larger} are frames (25 or so a second)'}
_FARTHER = 8  # times as far are the ends of one side, in most documents, and as long its segments
_FEW = 5  # documents, all of which a system may search at another place
_READ = 4000  # rows of each side, spread over all


def meets(match: Match, rows: Ints, factor: float = 1) -> Bools:
    """Tells whether each of some rows of the run shares content with a relevant segment if its positions are so many
    times as large. Entry points stand for the content behind them."""
    qrels, run = match.qrels, match.run
    asked = np.zeros(len(qrels.query_ids) + 1, bool)
    asked[match.query[rows]] = True
    judged = np.flatnonzero(asked[qrels.query] & (qrels.value > 0))
    if not len(judged):
        return np.zeros(len(rows), bool)
    # The documents of all queries stand one after the other on one axis.
    keys, place = np.unique(qrels.query[judged] * len(qrels.document_ids) + qrels.document[judged], return_inverse=True)
    known = np.isfinite(qrels.end[judged])
    length = float(max(qrels.end[judged][known].max(initial=0), qrels.start[judged].max())) + 1
    start, end = (place * length + np.minimum(column[judged], length - .5) for column in (qrels.start, qrels.end))
    order = np.argsort(start)
    start, reach = start[order], np.maximum.accumulate(end[order])
    place = np.minimum(np.searchsorted(keys, match.key[rows]), len(keys) - 1)
    first, last = (place * length + np.minimum(column[rows] * factor, length) for column in (run.start, run.end))
    before = np.searchsorted(start, np.maximum(last, np.nextafter(first, inf))) - 1
    return np.logical_and.reduce((keys[place] == match.key[rows], before >= 0, reach[before] > first))


def another_unit(match: Match) -> str | None:
    """One side is in milliseconds, frames or minutes, and the other in seconds; or bare columns of one hold times, and
    the other has a unit of whole numbers."""
    for bare, other in ((match.run, match.qrels), (match.qrels, match.run)):
        units = other.units()
        if not bare.units() and units and UNITS.index('t') not in units and (bare.fractions() & (bare.end < inf)).any():
            rows = np.flatnonzero(bare.fractions() & (bare.end < inf))
            return (f'{len(rows)} of the {len(bare)} rows of the {bare.kind} have fractions, such as '
                    f'{row_of(bare, rows[0])}, but {quoted(UNITS[min(units)])} positions, as in the {other.kind}, are '
                    'whole numbers: resolve() the times with a table of the texts, or give both in one unit')
    rows = np.arange(0, len(match.run), 1 + len(match.run) // _READ)
    rows = rows[(match.key[rows] >= 0) & (match.run.end[rows] < inf)]
    found, length = _ends_and_length(match.run, rows, match.document[rows], len(match.qrels.document_ids))
    judged, usual = match.index.cached(_judged_ends_and_length)
    both = (found > 0) & (judged > 0)
    if not (both.any() and length and usual and match.run.start[rows].any()):
        return None
    ratio = _median(found[both] / judged[both])
    # Documents that are judged at their beginning alone are far from the other side, and their segments as long.
    if not min(ratio, length / usual) >= _FARTHER and not max(ratio, length / usual) <= 1 / _FARTHER:
        return None
    larger, smaller = ('run', 'qrels') if ratio > 1 else ('qrels', 'run')
    times = max(ratio, 1 / ratio)
    common = np.count_nonzero(meets(match, rows))
    met = {factor: rows[meets(match, rows, 1 / factor if ratio > 1 else factor)] for factor in _FACTORS}
    factor = max(met, key=lambda factor: len(met[factor]))
    # No system finds only what is a thousand times as far behind, or sixty times with all of its items.
    is_far = not common and times >= factor / 2 and (factor == 1000 or (factor == 60 and len(met[60]) == len(rows)))
    if not is_far and (len(met[factor]) <= common or len(set(match.key[met[factor]].tolist())) < _FEW):
        return None
    share = f'only {common} of {len(rows)} items of the run share' if common else 'no item of the run shares'
    return (f'{share} content with a judged segment (in another unit {len(met[factor])} would), and the positions of '
            f'the {larger} are some {times:.3g} times those of the {smaller} in the same documents: give both in one '
            f'unit, by a factor of {factor} {_FACTORS[factor].format(larger=larger, smaller=smaller)}')


def _judged_ends_and_length(index: QrelsIndex) -> tuple[Floats, float]:
    qrels = index.qrels
    rows = np.arange(0, len(qrels), 1 + len(qrels) // _READ)
    rows = rows[qrels.end[rows] < inf]
    return _ends_and_length(qrels, rows, qrels.document[rows], len(qrels.document_ids))


def _ends_and_length(table: SegmentTable, rows: Ints, document: Ints, documents: int) -> tuple[Floats, float]:
    """The mean end of some rows in each document, 0 where there are none, and the usual length of rows."""
    end, sample = table.end[rows], rows[::1 + len(rows) // 1000]
    lengths = table.end[sample] - table.start[sample]
    return (np.bincount(document, end, documents) / np.maximum(np.bincount(document, minlength=documents), 1),
            _median(lengths) if len(sample) else 0)


def _median(values: Floats) -> float:
    """The median, without NumPy's masked arrays, whose import takes longer than a small evaluation."""
    values = np.sort(values)
    return float(values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def row_of(table: SegmentTable, row: Any) -> str:
    """A row of a table, for sentences."""
    document, query = table.document_ids[table.document[row]], table.query_ids[table.query[row]]
    return f'{quoted(document)} from {table.start[row]:.12g} to {table.end[row]:.12g} of query {quoted(query)}'
