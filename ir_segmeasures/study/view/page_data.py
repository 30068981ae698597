"""The data of the page: the timelines of all queries, the values of measures, and how they came about."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import ir_measures
from ir_measures import Measure

from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.measures.base import RowMeasure, SpanMeasure
from ir_segmeasures.segments.tables.columns import from_pyterrier
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.tables.warnings import collected_warnings, naming_run, warn, with_run_name
from ir_segmeasures.study.explanations import explanations_of, has_steps
from ir_segmeasures.study.scores import names_as_asked
from ir_segmeasures.study.view.timelines import QueryTimeline, RankedItems, TimelineBuilder

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
        runs: name → run, in any of these shapes; each is asked for once, after the one before it was read
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
    rel = next((measure['rel'] for measure in wanted if 'rel' in measure.SUPPORTED_PARAMS), 1)
    timelines = TimelineBuilder(judged, rel)
    evaluator = ir_measures.evaluator(wanted, judged)
    values: dict[SegmentMeasure, list[list[float]]] = {measure: [] for measure in wanted}

    def add(name: str) -> None:
        table = SegmentTable.from_run(from_pyterrier(runs[name]), elements)
        ranked = timelines.add(name, table)
        with _naming_doubts(name):
            _add_explanations(judged, table, ranked, wanted)
        with _naming_doubts(name):
            for measure, column in _values(evaluator, judged, table).items():
                values[measure].append(column)
    for name in runs:
        add(name)  # whose table is then let go of
    return PageData(*timelines.timelines(unit), values, asked)


@contextmanager
def _naming_doubts(name: str) -> Iterator[None]:
    """Errors and warnings about a run, raised below, with the name of the run."""
    try:
        with collected_warnings() as doubts, naming_run(name):
            yield
    finally:
        warn(with_run_name(doubt, name) for doubt in doubts)


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
    wanted = [measure for measure in measures if isinstance(measure, SpanMeasure) and has_steps(measure)]
    measure: Any
    for measure, queries, outcome in SpanEvaluator(wanted, qrels).outcomes(run):
        for query, (_, rows, sentence) in zip(ranked[queries], explanations_of(outcome, queries)):
            if rows is not None:
                query.explanations[measure] = rows, sentence


def _values(evaluator: Any, qrels: SegmentTable, run: SegmentTable) -> dict[SegmentMeasure, list[float]]:
    """Measure → its values, query by query."""
    codes = {query_id: code for code, query_id in enumerate(qrels.query_ids)}
    values: dict[Any, list[float]] = {measure: [0.] * len(codes) for measure in evaluator.measures}
    for metric in evaluator.iter_calc(run):
        values[metric.measure][codes[metric.query_id]] = metric.value
    return values
