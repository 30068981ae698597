"""How far measures agree: Pearson's r and Kendall's tau between them over many rankings.

Source: Racca & Jones 2015 (Evaluating Search and Hyperlinking, MediaEval 2015), section 2.2, Tables 1 and 2: Pearson's
r over ranked lists, once as they are and once without overlapping segments.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

from ir_measures import Measure

from ir_segmeasures.segments.quoting import shown
from ir_segmeasures.segments.spans import cut, within
from ir_segmeasures.segments.tables.editing import editable
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.scores import kendall, mean, parsed, pearson, relevant_queries, scores

__all__ = ['Agreement', 'agreement', 'without_overlap']


class Agreement(NamedTuple):
    """How far two measures agree.

    Attributes:
        first, second: the measures
        pearson: Pearson's r in [-1, 1]; None where a measure has one value only
        kendall: Kendall's tau (tau-b) in [-1, 1]; None likewise
        n: number of systems or rankings that were compared
    """
    first: Measure
    second: Measure
    pearson: float | None
    kendall: float | None
    n: int


def agreement(measures: Iterable[Measure | str], qrels: Any, runs: Mapping[str, Any], over: str = 'rankings',
              rel: float = 1, progress: bool = False) -> list[Agreement]:
    """The agreement of each pair of measures, in the order in which they are given.

    Args:
        measures: measures, or strings that ir-measures parses
        qrels: in any shape of ir-measures
        runs: name of a system → its run, in any shape of ir-measures
        over: what a point is: ``'rankings'``, the list of one query by one system, or ``'systems'``, a system's mean
            over the queries. The paper's points are lists too, but 10,000 drawn from those of many systems: its figures
            take its runs and its draw
        rel: queries without a judgement of this relevance or more are left out
        progress: whether to show a bar on a terminal while it takes long

    Measures where lower is better (ESL, ESD, SegNoise …) keep their sign, so they agree at -1 with the others.

    Raises:
        ValueError: another ``over``, no run, fewer than two measures, or no query with a relevant judgement
        ImportError: SciPy is not installed
    """
    if over not in ('rankings', 'systems'):
        raise ValueError(f"over={shown(over)}: measures are compared over 'rankings' (each query of each system) or "
                         "'systems' (means over the queries)")
    measures = parsed(measures)
    if len(measures) < 2:
        raise ValueError(f'the only measure is {measures[0]}, and agreement is between two: give another one')
    if not runs:
        raise ValueError('there is no run to compare measures on: give at least one')
    qrels, queries = relevant_queries(qrels, rel)
    found = scores(measures, qrels, runs, progress)
    points: dict[Measure, list[float]] = {}
    for measure in measures:
        systems = [[found[name][measure][query] for query in queries] for name in runs]
        points[measure] = ([value for values in systems for value in values] if over == 'rankings' else
                           [mean(values) for values in systems])
    return [Agreement(first, second, pearson(points[first], points[second]), kendall(points[first], points[second]),
                      len(points[first])) for first, second in combinations(measures, 2)]


def without_overlap(run: Any) -> Any:
    """The run without the items that share content with a better ranked item of their query, of those that are kept.
    Entry points have no content, so they stay.

    Args:
        run: in any of the shapes that :meth:`SegmentTable.from_run <ir_segmeasures.SegmentTable.from_run>` takes, with
            segment ids or with ``start`` and ``end`` (or ``length``)

    Returns:
        The shape it was given (a list for any iterable of rows), rows in the order of the input.

    Raises:
        RowError: rows that are no segments.
        ValueError, TypeError: an input in none of the shapes.
    """
    given = editable(run)
    table = SegmentTable.from_run(given.source)
    rows = table.row.tolist()
    columns = (table.query.tolist(), table.document.tolist(), table.start.tolist(), table.end.tolist())
    unseen: dict[tuple[int, int], tuple[list[float], list[float]]] = {}
    kept = []
    for row, query, document, start, end in zip(rows, *columns):
        free = unseen.setdefault((query, document), ([0.0], [inf]))
        if start == end or within(*free, start, end):
            cut(*free, start, end)
            kept.append(row)
    return given.take(sorted(kept)).rows
