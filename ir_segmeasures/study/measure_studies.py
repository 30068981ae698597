"""Studies of measures: how far they agree over many rankings, how their parameters move the means and the order of
systems, which share of the pairs of systems they tell apart (the discriminative power); and their micro averages, where
evaluation gives macro averages, the mean of the queries' values.

Sources: Racca & Jones 2015 (Evaluating Search and Hyperlinking, MediaEval 2015), section 2.2, Tables 1 and 2 (Pearson's
r over ranked lists, once as they are and once without overlapping segments); Sakai. Evaluating Evaluation Metrics based
on the Bootstrap. SIGIR 2006 (power; its p-values are of a bootstrap test, here they are of the paired tests of
:func:`~ir_segmeasures.study.compare`). Users differ, so a tolerance, a bin or a weight is an assumption: where the
order of the systems stays the same over a range of it, a result does not depend on it. Eibl's lecture on evaluation, on
content (micro averages).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from math import fsum, inf
from typing import Any, NamedTuple

import numpy as np
from ir_measures import Measure

from ir_segmeasures.evaluation.evaluators import SpanEvaluator
from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.measures.sets import ContentMeasure
from ir_segmeasures.segments.basics import Floats, cut_out, lies_within
from ir_segmeasures.segments.tables.adapters import adapter_of
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import warn
from ir_segmeasures.study.scores import parse_measures, relevant_scores
from ir_segmeasures.study.statistics import TESTS, check_choice, check_level, kendall, mean, p_values, pearson

__all__ = ['Agreement', 'agreement', 'without_overlap', 'Setting', 'sensitivity', 'Power', 'power', 'micro']


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
        RowError: rows that are not segments
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
    table, kept = SegmentTable.from_run(given), []
    unseen = defaultdict[tuple[str, str], tuple[list[float], list[float]]](lambda: ([0.], [inf]))
    for row, (query, document, start, end, _) in zip(table.row.tolist(), table.segments()):
        if start == end or lies_within(*unseen[query, document], start, end):
            cut_out(*unseen[query, document], start, end)
            kept.append(row)
    return given.take(sorted(kept)).rows


class Setting(NamedTuple):
    """A measure with one value of the parameter.

    Attributes:
        value: of the parameter
        measure: the measure with it
        means: name of a system → its mean over the queries with relevant content
        kendall: Kendall's tau (tau-b) in [-1, 1] between these means and those of the measure as it was given; None
            where either gives all systems the same mean, or where there is one system only
    """
    value: Any
    measure: Measure
    means: dict[str, float]
    kendall: float | None


def sensitivity(measure: Measure | str, parameter: str, values: Iterable[Any], qrels: Any, runs: Mapping[str, Any],
                rel: float = 1, progress: bool = False) -> list[Setting]:
    """The means of the systems for each value of one parameter, and how far they keep the order of the default.

    Args:
        measure: the default, such as ``T2I_MAP`` or ``'T2I_MAP(keepviewing=True)'``; the first value counts where it
            lacks a parameter that it needs, such as ``iou``
        parameter, values: the parameter that varies and its values, such as ``'tau'`` and ``(5, 10, 15, 30, 60)``
        qrels: in any shape of ir-measures
        runs: name of a system → its run, in any shape of ir-measures
        rel: queries without a judgement of this relevance or more are left out
        progress: whether to show a bar on a terminal while it takes long

    Raises:
        ValueError: no value, no run, a parameter or value that the measure does not have, or no query with a relevant
            judgement
        ImportError: SciPy is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import sensitivity
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> for setting in sensitivity('T2I_MAP', 'tau', [5, 30], qrels, runs):
        ...     print(setting.value, *(round(mean, 3) for mean in setting.means.values()), setting.kendall)
        5 0.454 0.08 1.0
        30 0.552 0.164 1.0
    """
    default, = parse_measures(measure)
    settings = [(value, default(**{parameter: value})) for value in values]
    if not settings:
        raise ValueError(f'there is no value of {parameter} to try: give at least one')
    known = default.SUPPORTED_PARAMS.get(parameter)
    if known and known.required and parameter not in default.params:
        default = settings[0][1]
    scores = relevant_scores(parse_measures([default, *(varied for _, varied in settings)]), qrels, runs, rel,
                             progress=progress)
    means = {measure: {name: mean(values.values()) for name, values in systems.items()}
             for measure, systems in scores.items()}
    return [Setting(value, varied, means[varied], kendall(list(means[default].values()), list(means[varied].values())))
            for value, varied in settings]


class Power(NamedTuple):
    """The discriminative power of a measure.

    Attributes:
        measure: the measure
        share: of the pairs, those with p below the level, in [0, 1]
        separated, pairs: the number of these pairs, and of all pairs
        asl: the p-value (achieved significance level) of each pair, from the highest: Sakai's ASL curve
    """
    measure: Measure
    share: float
    separated: int
    pairs: int
    asl: list[float]


def power(measures: Iterable[Measure | str] | Measure | str, qrels: Any, runs: Mapping[str, Any], test: str = 't',
          level: float = 0.05, rel: float = 1, seed: int = 0, progress: bool = False) -> list[Power]:
    """The discriminative power of each measure.

    Args:
        measures: one or more
        qrels, runs: in any shape of ir-measures; two runs or more, by name
        test, seed: as for :func:`~ir_segmeasures.study.compare`; no correction
        level: p below it separates two systems
        rel: queries without a judgement of this relevance or more are left out
        progress: whether to show a bar on a terminal while it takes long

    Raises:
        ValueError: fewer than two runs, an unknown test, a level outside (0, 1), or no query with a relevant judgement
        ImportError: SciPy is not installed

    Examples:
        >>> from ir_segmeasures import formats, sample
        >>> from ir_segmeasures.study import power
        >>> qrels = formats.read_qrels(sample.path('qrels.txt'))
        >>> runs = {name: formats.read_run(sample.path(f'{name}.run')) for name in ('good', 'poor')}
        >>> runs['half'] = runs['good'][::2]
        >>> for row in power(['T2I_MAP', 'MAiSP'], qrels, runs):
        ...     print(row.measure, row.separated, row.pairs, [round(p, 3) for p in row.asl])
        T2I_MAP 2 3 [0.794, 0.006, 0.005]
        MAiSP 2 3 [0.148, 0.007, 0.001]
    """
    measures = parse_measures(measures)
    check_choice('test', test, TESTS)
    check_level('level', level, 0.05)
    answer = []
    for measure, values in relevant_scores(measures, qrels, runs, rel, 2, progress).items():
        asl = sorted(p_values(test, combinations(values.values(), 2), seed),
                     key=lambda p: (p != p, -p))  # NaN, of one query only, last
        separated = sum(p < level for p in asl)
        answer.append(Power(measure, separated / len(asl), separated, len(asl), asl))
    return answer


def micro(measures: Iterable[Measure | str] | Measure | str, qrels: Any, run: Any) -> dict[Measure, float]:
    """The micro average of ratios of content: the sum of the numerators over all judged queries, over the sum of their
    denominators. A query with much content weighs more than one with little. Content that is retrieved for a query
    without relevant content counts, too. ``D`` is the length of the collection, for each query.

    Args:
        measures: ``SegP``, ``SegR``, ``SegF``, ``SegIoU``, ``SegFallout``, ``SegRejection``, ``SegMiss``, ``SegNoise``
            and ``SegGenerality``, as objects or strings, with any of their parameters
        qrels, run: in any shape of ir-measures

    Returns:
        the value of each measure, 0 where both sums are 0

    Raises:
        ValueError: a measure that is not a ratio of content, or qrels or a run that evaluation refuses

    Examples:
        >>> from ir_measures import Qrel, ScoredDoc
        >>> from ir_segmeasures import SegP
        >>> from ir_segmeasures.study import micro
        >>> qrels = [Qrel('q1', 'talk#t=0,10', 1), Qrel('q2', 'talk#t=50,80', 1)]
        >>> run = [ScoredDoc('q1', 'talk#t=0,10', 1.), ScoredDoc('q2', 'talk#t=0,60', 1.)]
        >>> round(micro(SegP, qrels, run)[SegP], 3)  # (10 + 10) / (10 + 60)
        0.286
        >>> round(SegP.calc_aggregate(qrels, run), 3)  # the mean of 10/10 and 10/60
        0.583
    """
    asked: list[ContentMeasure] = []
    for measure in parse_measures(measures):
        if isinstance(measure, SegmentMeasure):
            measure.check_params()
        if not isinstance(measure, ContentMeasure) or 'tool' in measure.params:
            raise ValueError(f'{measure} is not a ratio of content, so it has no micro average: take SegP, SegR, SegF, '
                             'SegIoU, SegFallout, SegRejection, SegMiss, SegNoise or SegGenerality')
        asked.append(measure)
    judged, table = SegmentTable.from_qrels(qrels), SegmentTable.from_run(run)
    sums = defaultdict[Measure, Floats](lambda: np.zeros(2))
    for together, queries, on_axis in SpanEvaluator(asked, judged).axes(table):
        for measure in together:
            sums[measure] += [fsum(on_axis.units(np.asarray(side, float))[queries]) for side in measure.sides(on_axis)]
    return {measure: float(part / whole) if whole else 0. for measure, (part, whole) in sums.items()}
