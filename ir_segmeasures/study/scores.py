"""Values of measures for many runs, query by query, as all studies need them, with bars on a terminal for what takes
long.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import ir_measures
import numpy as np
from ir_measures import Measure

from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.measures.host_measures import parse_measure, refuse_rows, values_of_measures
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.tables.adapters import adapter_of
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.shapes import Rows
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.study.statistics import ByQuery, nearly_equal

Thing = TypeVar('Thing')


def with_progress(things: Iterable[Thing], progress: bool, unit: str = 'run', total: int | None = None,
                  always: bool = False) -> Iterable[Thing]:
    """The things, one by one, which a bar of tqdm counts, where that is installed.

    Args:
        things: what is counted
        progress: whether there is a bar, on a terminal, from the second second on
        unit: the noun that is counted
        total: how many things there are, where they do not say it
        always: whether the bar is there at once, also where there is no terminal
    """
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return things
    # ``disable=None`` is on a terminal only.
    return tqdm(things, total=total, unit=unit, disable=not progress or (None if not always else False),
                delay=0 if always else 1, leave=always)


def parse_measures(measures: Iterable[Measure | str] | Measure | str) -> list[Measure]:
    """The measures (or the only one), each once, strings parsed as ir-measures does.

    Raises:
        ValueError: there is none, or a string names none
        TypeError: something else stands among them
    """
    return list(names_as_asked(measures))


def names_as_asked(measures: Iterable[Measure | str] | Measure | str) -> dict[Measure, str]:
    """The measures (or the only one), each once, with the name by which the caller asked for it.

    Raises:
        ValueError, TypeError: see :func:`parse_measures`
    """
    names: dict[Measure, str] = {}
    for asked in [measures] if isinstance(measures, (str, Measure)) else measures:
        if not isinstance(asked, (str, Measure)):
            raise TypeError(f'{quoted(asked)} stands among the measures: give measures, or their names')
        try:
            names.setdefault(parse_measure(asked) if isinstance(asked, str) else asked, str(asked))
        except (NameError, TypeError, ValueError) as error:
            raise ValueError(f'{quoted(asked)} cannot be read as a measure: {error}') from None
    if not names:
        raise ValueError('there is no measure to look at: give at least one')
    return names


def lower_is_better(measure: Measure) -> bool:
    """Tells whether 0 is the best value of the measure, which rank correlations and counts of better topics know."""
    return isinstance(measure, SegmentMeasure) and measure.LOWER_IS_BETTER


def is_best(measure: Measure, value: float, values: Iterable[float]) -> bool:
    """Tells whether a value is the best of some, or differs from that by no more than rounding; NaN is not."""
    best = (min if lower_is_better(measure) else max)((each for each in values if each == each), default=value)
    return nearly_equal(value, best)


def refuse_unnamed(runs: Any) -> None:
    """Raises TypeError for runs without names, such as a list of them, or for one run alone."""
    if not isinstance(runs, Mapping):
        raise TypeError(f"the runs are a {type(runs).__name__}: give a dict of them by name, such as {{'bm25': run}}")


def query_scores(measures: Sequence[Measure], qrels: Any, runs: Mapping[Thing, Any],
                 progress: bool = False, provider: Any = ir_measures) -> dict[Thing, dict[Measure, ByQuery]]:
    """The value of each measure for each judged query of each run. Runs may be made while the mapping is walked.

    Args:
        measures: measures of this package or of ir-measures
        qrels, runs: in any shape of ir-measures, or frames of PyTerrier; runs by name
        progress: whether to show a bar on a terminal while it takes long
        provider: of ir-measures, which computes all measures; all of them, if it is not given

    Returns:
        run → measure → query → value
    """
    if not measures:
        return {name: {} for name in runs}
    evaluator = provider.evaluator(measures, for_ir_measures(from_pyterrier(qrels), 'qrels', measures))
    found: dict[Thing, dict[Measure, ByQuery]] = {}
    for name in with_progress(runs, progress):
        found[name] = {measure: {} for measure in measures}
        run = for_ir_measures(from_pyterrier(runs[name]), 'run', measures)
        for metric in values_of_measures(measures, evaluator.iter_calc(run)):
            found[name][metric.measure][metric.query_id] = metric.value
    return found


def opposite_ties(run: SegmentTable) -> SegmentTable | None:
    """The run with tied items in the opposite order; None where no query has items of one score."""
    first = np.ones(len(run), bool)
    first[1:] = (run.query[1:] != run.query[:-1]) | (run.value[1:] != run.value[:-1])
    order = np.lexsort((-np.arange(len(run)), np.cumsum(first)))
    return None if first.all() else run.in_order(order)


def relevant_queries(qrels: Any, rel: float) -> tuple[Any, list[str]]:
    """The qrels, to be read again, and their queries with a judgement of relevance >= ``rel``. All other queries score
    0 in every measure, in every run, which says nothing about a measure.

    Raises:
        ValueError: there is no such query
    """
    if isinstance(qrels, Iterator):
        qrels = list(qrels)
    table = SegmentTable.from_qrels(from_pyterrier(qrels))
    with_relevant = np.unique(table.query[table.value >= rel]).tolist()
    if not with_relevant:
        raise ValueError(f'no query of the qrels has a judgement of relevance {quoted(rel)} or more, so no measure has '
                         'anything to tell apart: give other qrels, or a lower rel')
    return qrels, [table.query_ids[code] for code in with_relevant]


def relevant_scores(measures: Sequence[Measure], qrels: Any, runs: Mapping[Thing, Any], rel: float, least: int = 1,
                    progress: bool = False) -> dict[Measure, dict[Thing, ByQuery]]:
    """The values of some runs for the queries with relevant content (:func:`relevant_queries`): measure → run → query →
    value.

    Raises:
        ValueError: there are fewer runs than ``least``, or there is no such query
    """
    refuse_unnamed(runs)
    if len(runs) < least:
        raise ValueError(f'there {f"are fewer runs than {least}" if runs else "is no run"}: give {least} or more')
    qrels, queries = relevant_queries(qrels, rel)
    found = query_scores(measures, qrels, runs, progress)
    return {measure: {name: {query: found[name][measure][query] for query in queries} for name in runs}
            for measure in measures}


def for_ir_measures(rows: Any, kind: str, measures: Iterable[Measure]) -> Any:
    """The rows in a shape that the evaluators of all the measures take. Measures of ir-measures take fewer shapes than
    measures of segments do: for them, rows in another shape become a frame of pandas.

    Args:
        rows: a run or qrels in any shape
        kind: ``'run'`` or ``'qrels'``
        measures: what is measured

    Raises:
        TypeError, ValueError: the rows have no shape that can be taken, lack a column, or have a query or a grade that
            the program of a measure of ir-measures cannot take
    """
    if not all(isinstance(measure, SegmentMeasure) for measure in measures):
        rows = _of_their_shape(rows, kind)
        refuse_rows(rows, kind, list(measures))
    return rows


def _of_their_shape(rows: Any, kind: str) -> Any:
    if isinstance(rows, Rows) or hasattr(rows, 'itertuples'):
        return rows
    given = adapter_of(rows, kind)
    if given.fixed and hasattr(next(iter(given.rows), None), '_fields'):  # named tuples
        return list(given.rows) if isinstance(rows, Iterator) else rows
    if not given.values('doc_id'):
        return []
    import pandas
    ids = ('query_id', 'doc_id')
    return pandas.DataFrame({name: given.values(name) for name in dict.fromkeys((*ids, *given.names))}).astype(
        dict.fromkeys(ids, str))
