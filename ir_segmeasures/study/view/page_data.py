"""The data of the page: the timelines of all queries, the values of measures, and how they came about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import ir_measures
from ir_measures import Measure

from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator
from ir_segmeasures.evaluation.topic import Topic
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.base import RowMeasure, SpanMeasure
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.tables.warnings import collected_warnings, naming_run, warn, with_run_name
from ir_segmeasures.study.explanations import has_steps
from ir_segmeasures.study.scores import names_as_asked
from ir_segmeasures.study.view.timelines import QueryTimeline, RankedItems, build_timelines

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
    judged = SegmentTable.from_qrels(from_pyterrier(qrels), elements)
    tables = {name: SegmentTable.from_run(from_pyterrier(run), elements) for name, run in runs.items()}
    rel = next((measure['rel'] for measure in wanted if 'rel' in measure.SUPPORTED_PARAMS), 1)
    timelines = build_timelines(judged, tables, rel, unit)
    for i, (name, table) in enumerate(tables.items()):
        try:
            with collected_warnings() as doubts, naming_run(name):
                _add_explanations(judged, table, [query.ranked[i] for query in timelines.queries], wanted)
        finally:
            warn(with_run_name(doubt, name) for doubt in doubts)
    return PageData(*timelines, _values(judged, list(tables), list(tables.values()), wanted), asked)


def _measures(measures: Iterable[Measure | str] | Measure | str) -> dict[SegmentMeasure, str]:
    """The measures (or the only one), each once, with their names as they are asked for."""
    found: dict[SegmentMeasure, str] = {}
    for measure, name in names_as_asked(measures).items():
        if not isinstance(measure, SegmentMeasure):
            raise ValueError(f'{measure} is a measure of documents, and here are segments to look at: give measures of '
                             "segments ('ir_segmeasures measures' lists them)")
        measure.check_params()
        found[measure] = name
    return found


def _add_explanations(qrels: SegmentTable, run: SegmentTable, ranked: list[RankedItems],
                      measures: list[SegmentMeasure]) -> None:
    """Adds to the items of each query the steps by which measures came to their values."""
    codes = {query_id: code for code, query_id in enumerate(qrels.query_ids)}

    def look(measure: Any, topic: Topic) -> float:
        if has_steps(measure):
            ranked[codes[topic.query_id]].explanations[measure] = measure.steps(topic)
        return 0.0

    wanted = [measure for measure in measures if isinstance(measure, SpanMeasure)]
    evaluator = SpanEvaluator(wanted, qrels, look, any(measure.CONTENT for measure in wanted))
    for _ in evaluator.iter_calc(run):
        pass


def _values(qrels: SegmentTable, names: list[str], runs: list[SegmentTable],
            measures: list[SegmentMeasure]) -> dict[SegmentMeasure, list[list[float]]]:
    codes = {query_id: code for code, query_id in enumerate(qrels.query_ids)}
    values: dict[Any, list[list[float]]] = {measure: [[0.] * len(codes) for _ in runs] for measure in measures}
    evaluator = ir_measures.evaluator(measures, qrels)
    for i, run in enumerate(runs):
        with collected_warnings() as doubts:
            for metric in evaluator.iter_calc(run):
                values[metric.measure][i][codes[metric.query_id]] = metric.value
        warn(with_run_name(doubt, names[i]) for doubt in doubts)
    return values
