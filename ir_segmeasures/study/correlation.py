"""Correlation of measures: Pearson's r and Kendall's tau between them over many rankings.

Source: Racca & Jones 2015 (Evaluating Search and Hyperlinking, MediaEval 2015), section 2.2, Tables 1 and 2: Pearson's
r over ranked lists, once as they are and once without overlapping segments.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

from ir_measures import Measure

from ir_segmeasures.segments.spans import cut_out, lies_within
from ir_segmeasures.segments.tables.adapters import adapter_of
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import warn
from ir_segmeasures.study.scores import parse_measures, relevant_scores
from ir_segmeasures.study.statistics import check_choice, kendall, mean, pearson

__all__ = ['Agreement', 'agreement', 'without_overlap']


class Agreement(NamedTuple):
    """The agreement of two measures.

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
        over: the points: ``'rankings'``, one for the list of each query by each system, or ``'systems'``, one for the
            mean of each system over the queries. The paper has points of the first kind, 10,000 that were drawn from
            the lists of many systems; its figures need its runs and its draw
        rel: queries without a judgement of this relevance or more are left out
        progress: whether to show a bar on a terminal while it takes long

    Measures where lower is better (ESL, ESD, SegNoise …) keep their sign, so that full agreement with another measure
    is -1.

    Warns:
        SegmentWarning: two systems are compared over ``'systems'``, where r is always 1 or -1

    Raises:
        ValueError: another ``over``, no run, fewer than two measures, or no query with a relevant judgement
        ImportError: SciPy is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import agreement
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> for row in agreement(['MAiSP', 'MAgP', 'ESL(D=5000)@1'], qrels, runs):
        ...     print(row.first, row.second, round(row.pearson, 2), round(row.kendall, 2), row.n)
        MAiSP MAgP 0.9 0.74 20
        MAiSP ESL(D=5000)@1 -0.69 -0.67 20
        MAgP ESL(D=5000)@1 -0.66 -0.47 20
    """
    check_choice('over', over, ('rankings', 'systems'))
    measures = parse_measures(measures)
    if len(measures) < 2:
        raise ValueError(f'the only measure is {measures[0]}, and agreement is between two: give another one')
    points = {measure: [point for values in systems.values()
                        for point in (values.values() if over == 'rankings' else [mean(values.values())])]
              for measure, systems in relevant_scores(measures, qrels, runs, rel, progress=progress).items()}
    if over == 'systems' and len(runs) == 2:
        warn(['agreement over two systems is r = 1 or -1 for any two measures that tell them apart, which means '
              'nothing: give more systems, or compare the measures over rankings'])
    return [Agreement(first, second, pearson(points[first], points[second]), kendall(points[first], points[second]),
                      len(points[first])) for first, second in combinations(measures, 2)]


def without_overlap(run: Any) -> Any:
    """The run without overlap: an item is removed if it shares content with a better ranked item of its query that is
    kept. Entry points have no content, so they stay.

    Args:
        run: in any of the shapes that :meth:`SegmentTable.from_run <ir_segmeasures.SegmentTable.from_run>` takes, with
            segment ids or with ``start`` and ``end`` (or ``length``)

    Returns:
        the run in its shape (a list for any iterable of rows), rows in the order of the input

    Raises:
        RowError: rows that are no segments
        ValueError, TypeError: an input in none of the shapes

    Examples:
        >>> from ir_measures import ScoredDoc
        >>> from ir_segmeasures.study import without_overlap
        >>> run = [ScoredDoc('q1', 'talk#t=0,30', 3.), ScoredDoc('q1', 'talk#t=20,40', 2.),
        ...        ScoredDoc('q1', 'talk#t=30,60', 1.)]
        >>> [item.doc_id for item in without_overlap(run)]
        ['talk#t=0,30', 'talk#t=30,60']
    """
    given = adapter_of(run, 'run')
    table = SegmentTable.from_run(given)
    rows = table.row.tolist()
    columns = (table.query.tolist(), table.document.tolist(), table.start.tolist(), table.end.tolist())
    unseen: dict[tuple[int, int], tuple[list[float], list[float]]] = {}
    kept = []
    for row, query, document, start, end in zip(rows, *columns):
        free = unseen.setdefault((query, document), ([0.0], [inf]))
        if start == end or lies_within(*free, start, end):
            cut_out(*free, start, end)
            kept.append(row)
    return given.take(sorted(kept)).rows
