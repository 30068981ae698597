"""The data of the page: the timelines of all queries, the values of measures, and how they came about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import ir_measures
from ir_measures import Measure

from ir_segmeasures.evaluation.by_spans import SegmentEvaluator
from ir_segmeasures.evaluation.topic import Topic
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.base import RowMeasure, SpanMeasure
from ir_segmeasures.segments.tables.columns import of_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.tables.warnings import heard, of_run, warn
from ir_segmeasures.study.view.explain import explain
from ir_segmeasures.study.view.timelines import QueryTimeline, RankedItems, build_timelines, naming_run

__all__ = ['DEFAULT_MEASURES', 'PageData', 'read_page_data']

DEFAULT_MEASURES = ('T2I_MAP', 'MAiSP', 'MAgP')


class PageData(NamedTuple):
    """Runs beside the judgements, and the values of measures.

    Attributes:
        names, documents, units, queries: see :class:`~ir_segmeasures.study.view.timelines.Timelines`
        values: measure → for each run its values, query by query
        asked: measure → its name, as it was asked for
    """
    names: list[str]
    documents: list[str]
    units: list[str | None]
    queries: list[QueryTimeline]
    values: dict[SegmentMeasure, list[list[float]]]
    asked: dict[SegmentMeasure, str]


def read_page_data(qrels: Any, runs: Mapping[str, Any],
                   measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES,
                   unit: str | None = None) -> PageData:
    """The data of the page.

    Args:
        qrels: in any shape of ir-measures, or a frame of PyTerrier, with segments
        runs: name → run, in any of these shapes
        measures: one or more, of segments, or strings that ir-measures parses; content is relevant if it has the
            ``rel`` of the first
        unit: of bare columns, ``'t'`` (seconds), ``'char'`` or ``'word'``: for labels, it changes no value

    Raises:
        ValueError: no run, no measure, or a measure of documents; qrels or runs that measures cannot be computed on
    """
    asked = _measures(measures)
    wanted = list(asked)
    if not runs:
        raise ValueError('there is no run to look at: give at least one')
    elements = any(isinstance(measure, RowMeasure) for measure in wanted)
    judged = SegmentTable.from_qrels(of_pyterrier(qrels), elements)
    tables = {name: SegmentTable.from_run(of_pyterrier(run), elements) for name, run in runs.items()}
    rel = next((measure['rel'] for measure in wanted if 'rel' in measure.SUPPORTED_PARAMS), 1)
    timelines = build_timelines(judged, tables, rel, unit)
    for i, (name, table) in enumerate(tables.items()):
        try:
            with heard() as doubts, naming_run(name):
                _add_explanations(judged, table, [query.ranked[i] for query in timelines.queries], wanted)
        finally:
            warn(of_run(doubt, name) for doubt in doubts)
    return PageData(*timelines, _values(judged, list(tables), list(tables.values()), wanted), asked)


def _measures(measures: Iterable[Measure | str] | Measure | str) -> dict[SegmentMeasure, str]:
    """The measures (or the only one), each once, with their names as they are asked for."""
    found: dict[SegmentMeasure, str] = {}
    for given in [measures] if isinstance(measures, (str, Measure)) else measures:
        measure = ir_measures.parse_measure(given) if isinstance(given, str) else given
        if not isinstance(measure, SegmentMeasure):
            raise ValueError(f'{measure} is a measure of documents, and here are segments to look at: give measures of '
                             "segments ('ir_segmeasures measures' lists them)")
        measure.validate_params()
        found.setdefault(measure, str(given))
    if not found:
        raise ValueError('there is no measure to look at: give at least one')
    return found


def _add_explanations(qrels: SegmentTable, run: SegmentTable, ranked: list[RankedItems],
                      measures: list[SegmentMeasure]) -> None:
    """Adds to the items of each query how the values of measures came about."""
    codes = {query_id: code for code, query_id in enumerate(qrels.query_ids)}
    distinct: dict[int, list[int]] = {}

    def look(measure: Any, topic: Topic) -> float:
        query = codes[topic.query_id]
        if query not in distinct:
            distinct[query] = list(dict.fromkeys(ranked[query].document))
        explanation = explain(measure, topic, distinct[query])
        if explanation is not None:
            ranked[query].explanations[measure] = explanation
        return 0.0

    wanted = [measure for measure in measures if isinstance(measure, SpanMeasure)]
    evaluator = SegmentEvaluator(wanted, qrels, look, any(measure.CONTENT for measure in wanted))
    for _ in evaluator.iter_calc(run):
        pass


def _values(qrels: SegmentTable, names: list[str], runs: list[SegmentTable],
            measures: list[SegmentMeasure]) -> dict[SegmentMeasure, list[list[float]]]:
    codes = {query_id: code for code, query_id in enumerate(qrels.query_ids)}
    values: dict[Any, list[list[float]]] = {measure: [[0.] * len(codes) for _ in runs] for measure in measures}
    evaluator = ir_measures.evaluator(measures, qrels)
    for i, run in enumerate(runs):
        with heard() as doubts:
            for metric in evaluator.iter_calc(run):
                values[metric.measure][i][codes[metric.query_id]] = metric.value
        warn(of_run(doubt, names[i]) for doubt in doubts)
    return values
