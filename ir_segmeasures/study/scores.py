"""What the studies share: values of measures for many runs, query by query, and SciPy's statistics on them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from math import fsum, isclose
from typing import Any, TypeVar

import ir_measures
from ir_measures import Measure

from ir_segmeasures.measures.base import TOLERANCE, SegmentMeasure
from ir_segmeasures.segments.quoting import short, shown
from ir_segmeasures.segments.tables.columns import of_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.hosts import for_hosts
from ir_segmeasures.study.progress import watched

__all__ = ['ByQuery', 'kendall', 'lower_is_better', 'mean', 'parsed', 'pearson', 'relevant_queries',
           'same', 'scores', 'statistics']

ByQuery = dict[str, float]  # query → value of a measure
Run = TypeVar('Run')


def parsed(measures: Iterable[Measure | str] | Measure | str) -> list[Measure]:
    """The measures (or the only one), each once, strings parsed as ir-measures does.

    Raises:
        ValueError: there is none, or a string names none
        TypeError: something else stands among them
    """
    found = list(dict.fromkeys(map(_parsed, [measures] if isinstance(measures, (str, Measure)) else measures)))
    if not found:
        raise ValueError('there is no measure to look at: give at least one')
    return found


def _parsed(measure: Any) -> Measure:
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise TypeError(f'{shown(measure)} stands among the measures: give measures, or their names')
    try:
        return ir_measures.parse_measure(measure)
    except (MemoryError, NameError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f'{shown(measure)} cannot be read as a measure ({short(str(error))}): write '
                         'Name(parameter=value)@value, such as T2I_AP(tau=15)@10') from None


def lower_is_better(measure: Measure) -> bool:
    """Whether 0 is the best value of the measure, which a rank correlation or a count of better topics must know."""
    return isinstance(measure, SegmentMeasure) and measure.LOWER_IS_BETTER


def scores(measures: Sequence[Measure], qrels: Any, runs: Mapping[Run, Any],
           progress: bool = False) -> dict[Run, dict[Measure, ByQuery]]:
    """The value of each measure for each judged query of each run; runs may be made while the mapping is walked."""
    if not measures:
        return {name: {} for name in runs}
    evaluator = ir_measures.evaluator(measures, for_hosts(of_pyterrier(qrels), 'qrels', measures))
    found: dict[Run, dict[Measure, ByQuery]] = {}
    for name in watched(runs, progress):
        found[name] = {measure: {} for measure in measures}
        for metric in evaluator.iter_calc(for_hosts(of_pyterrier(runs[name]), 'run', measures)):
            found[name][metric.measure][metric.query_id] = metric.value
    return found


def relevant_queries(qrels: Any, rel: float) -> tuple[Any, list[str]]:
    """The qrels, to be read again, and their queries with a judgement of relevance >= ``rel``: the others score 0 in
    every measure, in every run, which says nothing about a measure.

    Raises:
        ValueError: there is no such query
    """
    if isinstance(qrels, Iterator):
        qrels = list(qrels)
    table = SegmentTable.from_qrels(of_pyterrier(qrels))
    with_relevant = set(table.query[table.value >= rel].tolist())
    if not with_relevant:
        raise ValueError(f'no query of the qrels has a judgement of relevance {shown(rel)} or more, so no measure has '
                         'anything to tell apart: give other qrels, or a lower rel')
    return qrels, [query_id for code, query_id in enumerate(table.query_ids) if code in with_relevant]


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean, of at least one value."""
    values = list(values)
    return fsum(values) / len(values)


def same(a: float, b: float) -> bool:
    """Whether two values differ by no more than rounding."""
    return isclose(a, b, rel_tol=TOLERANCE, abs_tol=1e-12)


def statistics() -> Any:
    """``scipy.stats``.

    Raises:
        ImportError: SciPy is not installed
    """
    try:
        return import_module('scipy.stats')
    except ImportError as error:
        raise ImportError(f"the studies need SciPy, which cannot be imported ({error}): install "
                          "'ir_segmeasures[study]'") from error


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's r of two columns; None where one of them is constant."""
    return _correlation('pearsonr', first, second)


def kendall(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Kendall's tau (tau-b, which corrects for ties) of two columns; None where one of them is constant."""
    return _correlation('kendalltau', first, second)


def _correlation(name: str, first: Sequence[float], second: Sequence[float]) -> float | None:
    # What differs by rounding is a tie.
    first, second = ([float(f'{value:.10g}') for value in column] for column in (first, second))
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    return float(getattr(statistics(), name)(first, second).statistic)
