"""What there is to see of runs: the judged spans of each query, and the new, repeated and irrelevant parts of items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any, NamedTuple

import ir_measures
import numpy as np
from ir_measures import Measure

from ir_segmeasures.evaluation.by_spans import SegmentEvaluator
from ir_segmeasures.evaluation.topic import Topic
from ir_segmeasures.measures import T2I_AP, SegmentMeasure
from ir_segmeasures.measures.base import RowMeasure, SpanMeasure
from ir_segmeasures.segments.quoting import shown
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.spans import cut, merge
from ir_segmeasures.segments.tables.columns import of_pyterrier
from ir_segmeasures.segments.tables.pairing import Match, document_key
from ir_segmeasures.segments.tables.table import NO_UNIT, RowError, SegmentTable
from ir_segmeasures.segments.tables.warnings import heard, of_run, warn
from ir_segmeasures.study.view.explain import Explanation, explain

__all__ = ['DEFAULT_MEASURES', 'Data', 'JudgedSpan', 'DocumentPart', 'QueryData', 'Ranked', 'parts', 'read']

DEFAULT_MEASURES = ('T2I_MAP', 'MAiSP', 'MAgP')


class JudgedSpan(NamedTuple):
    """A judged span: the relevant ones are merged, as the measures count them.

    Attributes:
        document: its position in :attr:`Data.documents`
    """
    document: int
    start: float
    end: float
    relevant: bool


class DocumentPart(NamedTuple):
    """Relevant content of the item at a rank; new where no better item had it."""
    rank: int
    start: float
    end: float
    new: bool


class Ranked(NamedTuple):
    """The items of a query in a run, by rank, their relevant parts, and how measures came to their values."""
    document: list[int]
    start: list[float]
    end: list[float]
    parts: list[DocumentPart]
    explanations: dict[SegmentMeasure, Explanation]


class QueryData(NamedTuple):
    """A judged query: its spans, the number and the length of the relevant ones, and its ranking in each run."""
    query_id: str
    judged: list[JudgedSpan]
    R: int
    T_rel: float
    ranked: list[Ranked]


class Data(NamedTuple):
    """Runs beside the judgements.

    Attributes:
        documents: the ids of all documents, without fragments
        units: of each document, ``'t'``, ``'char'``, ``'word'``, or None for bare columns and whole documents
        values: measure → for each run its values, query by query
        asked: measure → its name, as it was asked for
    """
    names: list[str]
    documents: list[str]
    units: list[str | None]
    queries: list[QueryData]
    values: dict[SegmentMeasure, list[list[float]]]
    asked: dict[SegmentMeasure, str]


def read(qrels: Any, runs: Mapping[str, Any], measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES,
         unit: str | None = None) -> Data:
    """All that there is to see.

    Args:
        qrels: in any shape of ir-measures, or a frame of PyTerrier, with segments
        runs: name → run, in any of these shapes
        measures: one or more, of segments, or strings that ir-measures parses; the ``rel`` of the first is what counts
            as relevant
        unit: of bare columns, ``'t'`` (seconds), ``'char'`` or ``'word'``: for what people read, it changes no value

    Raises:
        ValueError: no run, no measure, or one of documents; qrels or runs that measures cannot be computed on
    """
    asked = _measures(measures)
    wanted = list(asked)
    if not runs:
        raise ValueError('there is no run to look at: give at least one')
    elements = any(isinstance(measure, RowMeasure) for measure in wanted)
    judged = SegmentTable.from_qrels(of_pyterrier(qrels), elements)
    tables = [SegmentTable.from_run(of_pyterrier(run), elements) for run in runs.values()]
    ids: dict[str, int] = {}
    units: list[str | None] = []
    places = [_add_documents(table, ids, units) for table in (judged, *tables)]
    rel = next((measure['rel'] for measure in wanted if 'rel' in measure.SUPPORTED_PARAMS), 1)
    spans = _judged(judged, places[0], rel)
    rankings = []
    for name, table, place in zip(runs, tables, places[1:]):
        try:
            with heard() as doubts:
                rankings.append(_ranked(judged, table, place, wanted, rel))
        except RowError as error:
            if error.kind == 'qrels':
                raise
            raise RowError(error.kind, error.row, f'run {shown(name)}: {error.sentence}') from None
        finally:
            warn(of_run(doubt, name) for doubt in doubts)
    queries = []
    for code, query_id in enumerate(judged.query_ids):
        relevant = [span for span in spans[code] if span.relevant]
        queries.append(QueryData(query_id, spans[code], len(relevant), sum(span.end - span.start for span in relevant),
                             [ranking[code] for ranking in rankings]))
    return Data(list(runs), list(ids), [known or unit for known in units], queries,
                _values(judged, list(runs), tables, wanted), asked)


def parts(topic: Topic) -> list[DocumentPart]:
    """The relevant parts of all items, by rank, then in order."""
    items, starts, ends, found = topic.items, topic.starts, topic.ends, []
    unseen: dict[int, tuple[list[float], list[float]]] = {}
    for rank, start, end, document, i in zip(items.rank, items.start, items.end, items.document, items.ahead):
        if document not in unseen:
            low, high = topic.first[document], topic.first[document + 1]
            unseen[document] = starts[low:high], ends[low:high]
        new = iter([*cut(*unseen[document], start, end), (inf, inf)])
        left, right = next(new)
        while starts[i] < end:
            position, stop = max(start, starts[i]), min(end, ends[i])
            while left < stop:
                if position < left:
                    found.append(DocumentPart(rank, position, left, False))
                found.append(DocumentPart(rank, left, right, True))
                position = right
                left, right = next(new)
            if position < stop:
                found.append(DocumentPart(rank, position, stop, False))
            i += 1
    return found


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


def _add_documents(table: SegmentTable, ids: dict[str, int], units: list[str | None]) -> list[int]:
    """For each document of the table its place among all, which it is given where it is new."""
    codes = table.document[::-1]
    unit = np.full(len(table.document_ids), NO_UNIT)
    unit[codes] = table.unit[::-1]
    places = []
    for document, code in zip(table.document_ids, unit.tolist()):
        place = ids.setdefault(document, len(ids))
        if place == len(units):
            units.append(None)
        if code != NO_UNIT:
            units[place] = UNITS[code]
        places.append(place)
    return places


def _judged(qrels: SegmentTable, places: list[int], rel: float) -> list[list[JudgedSpan]]:
    """For each query its judged spans, document by document."""
    spans: list[list[JudgedSpan]] = [[] for _ in qrels.query_ids]
    n = max(1, len(qrels.document_ids))
    for relevant in (True, False):
        rows = np.flatnonzero(((qrels.value >= rel) == relevant) & (qrels.end > qrels.start))
        key = document_key(qrels, qrels.query[rows], qrels.document[rows])
        merged = merge(key, qrels.start[rows], qrels.end[rows])
        for group, start, end in zip(merged.group.tolist(), merged.start.tolist(), merged.end.tolist()):
            spans[group // n].append(JudgedSpan(places[group % n], start, end, relevant))
    return spans


def _ranked(qrels: SegmentTable, run: SegmentTable, places: list[int], measures: list[SegmentMeasure],
            rel: float) -> list[Ranked]:
    """For each query its ranking."""
    place = np.array(places, np.intp)
    rankings = [Ranked([], [], [], [], {}) for _ in qrels.query_ids]
    for query, (low, high) in Match(qrels, run).blocks.items():
        rankings[query] = Ranked(place[run.document[low:high]].tolist(), run.start[low:high].tolist(),
                                 run.end[low:high].tolist(), [], {})
    codes = {query_id: code for code, query_id in enumerate(qrels.query_ids)}
    distinct: dict[int, list[int]] = {}

    def look(measure: Any, topic: Topic) -> float:
        query = codes[topic.query_id]
        ranked = rankings[query]
        if measure == painter:
            ranked.parts.extend(parts(topic))
        if query not in distinct:
            distinct[query] = list(dict.fromkeys(ranked.document))
        explanation = explain(measure, topic, distinct[query]) if measure in wanted else None
        if explanation is not None:
            ranked.explanations[measure] = explanation
        return 0.0

    painter = T2I_AP(rel=rel)
    wanted = [measure for measure in measures if isinstance(measure, SpanMeasure)]
    evaluator = SegmentEvaluator([*wanted, painter], qrels, look, any(measure.CONTENT for measure in wanted))
    for _ in evaluator.iter_calc(run):
        pass
    return rankings


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
