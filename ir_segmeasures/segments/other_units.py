"""Positions of a run and of qrels in two units: milliseconds, frames or minutes beside seconds."""

from math import inf
from typing import Any

import numpy as np

from ir_segmeasures.segments.basics import Bools, Floats, Ints, quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.table import SegmentTable

_FACTORS = {1000: 'if those of the {larger} are milliseconds',
            60: 'if those of the {smaller} are minutes (or minutes and seconds as M.S, which are not decimals)',
            25: 'if those of the {larger} are frames (25 or so a second)'}
_FARTHER = 8  # times as far are the ends of one side, and as long its segments
_ALL = 100  # times as long as all that is judged are items that share content with it in any unit
_FEW = 5  # documents, of which a system may search some at another place
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
    run, qrels = match.run, match.qrels
    rows, judged = (np.arange(0, len(table), 1 + len(table) // _READ) for table in (run, qrels))
    rows, judged = rows[(match.key[rows] >= 0) & (run.end[rows] < inf)], judged[qrels.end[judged] < inf]
    if not (len(judged) and run.start[rows].any()):
        return None
    # Documents that are judged at their beginning alone are far from the other side, and their segments as long.
    times = [_median(found) / (_median(usual) or inf) for found, usual in (
        (run.end[rows], qrels.end[judged]),
        (run.end[rows] - run.start[rows], qrels.end[judged] - qrels.start[judged]))]
    if min(times) < _FARTHER and not 0 < min(times) <= max(times) <= 1 / _FARTHER:
        return None
    met_here = meets(match, rows)
    tells = ~met_here | (run.end[rows] - run.start[rows] <= _ALL * qrels.end[judged].max())
    rows, common, kind = rows[tells], np.count_nonzero(met_here & tells), '' if tells.all() else 'other '
    met = {factor: rows[meets(match, rows, 1 / factor if times[0] > 1 else factor)] for factor in _FACTORS}
    factor = max(met, key=lambda factor: len(met[factor]))
    if len(met[factor]) <= common or (len(met[factor]) < len(rows)
                                      and len(set(match.key[met[factor]].tolist())) < _FEW):
        return None
    larger, smaller = ('run', 'qrels') if times[0] > 1 else ('qrels', 'run')
    share = f'only {common} of {len(rows)} {kind}items of the run share' if common else (
        f'no {kind}item of the run shares')
    return (f'{share} content with a judged segment (in another unit {len(met[factor])} would), and the positions of '
            f'the {larger} are some {max(times[0], 1 / times[0]):.1f} times those of the {smaller}: give both in one '
            f'unit, by a factor of {factor} {_FACTORS[factor].format(larger=larger, smaller=smaller)}')


def _median(values: Floats) -> float:
    """The median, without NumPy's masked arrays, whose import takes longer than a small evaluation."""
    values = np.sort(values)
    return float(values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def row_of(table: SegmentTable, row: Any) -> str:
    """A row of a table, for sentences."""
    document, query = table.document_ids[table.document[row]], table.query_ids[table.query[row]]
    return f'{quoted(document)} from {table.start[row]:.12g} to {table.end[row]:.12g} of query {quoted(query)}'
