"""The declaration of a benchmark's program: its figures, its files, and where both come from; and figures that are
measures, for each query and as means over queries."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import ir_measures
from ir_measures import Measure

JSON, JSON_LINES = 'json', 'json-lines'

FigureValues = dict[str, float]
"""name of a figure → its value"""


class Program(NamedTuple):
    """A program of a benchmark, which makes figures of the truth and of predictions.

    Attributes:
        name: short, as in ``official NAME``
        campaign: the benchmark, with the year and the source of its program
        truth: its file of what is true
        predictions: its file of predictions
        truth_format: of the file of truth: :data:`JSON`, whose content is its value, :data:`JSON_LINES`, whose content
            is the list of its values, or a format of ``ir_segmeasures.formats``, whose content is its rows; ``''``
            where the program reads no such file
        prediction_formats: those that the file of predictions can have
        by_query: (content of the file of truth, content of the file of predictions) → the figures of each query, by
            their names, in the program's order, unrounded; None if the program has means alone
        figures: (the two contents) → the figures of all queries; None where they are the means of those of the queries
        decimals: how many the program prints; None if it prints all
        ties: where the program leaves open what it prints; empty if it does not
        tasks: of a format that has several; the content of the file of predictions is then task → rows
    """
    name: str
    campaign: str
    truth: str
    predictions: str
    truth_format: str
    prediction_formats: tuple[str, ...]
    by_query: Callable[[Any, Any], dict[str, FigureValues]] | None = None
    figures: Callable[[Any, Any], FigureValues] | None = None
    decimals: int | None = None
    ties: str = ''
    tasks: tuple[str, ...] = ()


def values_by_query(measures: Mapping[str, Measure], qrels: Any, run: Any) -> dict[str, FigureValues]:
    """The values of measures for each judged query, in the order of the measures.

    Args:
        measures: name of the figure → its measure, with the program as its tool where the two differ
        qrels, run: as ir_measures takes them

    Examples:
        >>> from ir_measures import Qrel, ScoredDoc
        >>> from ir_segmeasures import RR_over
        >>> from ir_segmeasures.providers.programs.program import values_by_query
        >>> values_by_query({'MRR': RR_over}, [Qrel('q', 'v#t=0,9', 1)], [ScoredDoc('q', 'v#t=5,10', 1)])
        {'q': {'MRR': 1.0}}
    """
    found: dict[str, FigureValues] = {}
    values: dict[tuple[str, Measure], float] = {}
    for metric in ir_measures.iter_calc(measures.values(), qrels, run):
        values[metric.query_id, metric.measure] = metric.value
        found.setdefault(metric.query_id, {})
    return {query: {name: values[query, measure] for name, measure in measures.items()} for query in found}


def rows_by_query(rows: Iterable[Any]) -> dict[str, list[Any]]:
    """The rows of each query, in their order."""
    found: dict[str, list[Any]] = {}
    for row in rows:
        found.setdefault(row.query_id, []).append(row)
    return found


def answered(queries: Mapping[str, FigureValues], run: Iterable[Any]) -> dict[str, FigureValues]:
    """The figures of the queries that a run answers, in their order."""
    having = {row.query_id for row in run}
    return {query: figures for query, figures in queries.items() if query in having}


def means(queries: Mapping[str, FigureValues]) -> FigureValues:
    """The mean of each figure over queries.

    Raises:
        ValueError: there is no query
    """
    if not queries:
        raise ValueError('no query is left, but the figures are means over queries: check that the queries of both '
                         'files are the same')
    names = next(iter(queries.values()))
    return {name: sum(figures[name] for figures in queries.values()) / len(queries) for name in names}
