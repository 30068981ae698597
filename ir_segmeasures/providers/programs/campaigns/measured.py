"""Figures that are measures, for each query and as means over queries."""

from collections.abc import Iterable, Mapping
from typing import Any

import ir_measures
from ir_measures import Measure

from ir_segmeasures.providers.programs.program import FigureValues

__all__ = ['answered', 'means', 'values_by_query']


def values_by_query(measures: Mapping[str, Measure], qrels: Any, run: Any) -> dict[str, FigureValues]:
    """The values of measures for each judged query, in the order of the measures.

    Args:
        measures: name of the figure → its measure, with the program as its tool where the two differ
        qrels, run: as ir_measures takes them

    Examples:
        >>> from ir_measures import Qrel, ScoredDoc
        >>> from ir_segmeasures import RR_over
        >>> from ir_segmeasures.providers.programs.campaigns.measured import values_by_query
        >>> values_by_query({'MRR': RR_over}, [Qrel('q', 'v#t=0,9', 1)], [ScoredDoc('q', 'v#t=5,10', 1)])
        {'q': {'MRR': 1.0}}
    """
    found: dict[str, FigureValues] = {}
    values: dict[tuple[str, Measure], float] = {}
    for metric in ir_measures.iter_calc(measures.values(), qrels, run):
        values[metric.query_id, metric.measure] = metric.value
        found.setdefault(metric.query_id, {})
    return {query: {name: values[query, measure] for name, measure in measures.items()} for query in found}


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
