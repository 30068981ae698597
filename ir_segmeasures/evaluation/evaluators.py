"""The evaluators of qrels and one run after the other. That of measures of rows gives them one query after the other,
with its judged rows and its retrieved rows; that of measures of spans puts both on an axis, and gives each measure its
values for all queries at once.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import repeat
from math import inf
from typing import Any, NamedTuple, cast

import numpy as np
from ir_measures import Evaluator, Measure, Metric

from ir_segmeasures.evaluation.axis import Ground, most_decimals, split_positions
from ir_segmeasures.evaluation.judgements import Judgements, table_ticks
from ir_segmeasures.evaluation.outcomes import distinct_measures
from ir_segmeasures.evaluation.run_on_axis import RunOnAxis, runs_on_axes
from ir_segmeasures.segments import warnings
from ir_segmeasures.segments.basics import Caching, Floats, Ints, is_of_other_tool
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.tables.table import RowError, SegmentTable


class Row(NamedTuple):
    """A judged or retrieved segment.

    Attributes:
        document: without a fragment
        start, end: in the document's unit; ``[0, inf)`` where they are not known
        path: of the element that it is, or None
    """
    document: str
    start: float
    end: float
    path: str | None


class TopicRows:
    """The judged rows of a query in the order of the judgements, or its retrieved rows by rank.

    Args:
        table: the qrels or the run
        places: where the rows stand in the table
    """

    def __init__(self, table: SegmentTable, places: Ints):
        self._table, self._places = table, places

    def __len__(self) -> int:
        return len(self._places)

    @cached_property
    def rows(self) -> list[Row]:
        """The rows themselves."""
        table, places = self._table, self._places
        documents = map(table.document_ids.__getitem__, table.document[places].tolist())
        paths = repeat(None) if table.paths is None else map(table.paths.__getitem__, places.tolist())
        return list(map(Row, documents, table.start[places].tolist(), table.end[places].tolist(), paths))

    @cached_property
    def values(self) -> list[float]:
        """The relevance of each judged row, or the score of each retrieved one."""
        return self._table.value[self._places].tolist()

    def beside(self, name: str) -> list[float]:
        """A column of the qrels (one of ``EXTRAS``), for each row; a ValueError if it is missing or has gaps."""
        column = self._table.beside(name)[self._places]
        self._table.refuse_missing(name, self._places[np.isnan(column)])
        return column.tolist()

    def number(self, place: int) -> int:
        """The number of a row in the input, from 0."""
        return int(self._table.row[self._places[place]])

    def error(self, place: int, sentence: str) -> RowError:
        """The error for the row at a place, from 0; the sentence names the row as the input does."""
        return self._table.error(int(self._places[place]), sentence)


class RowTopic(Caching):
    """One judged query with its judgements and its ranking, row by row.

    Attributes:
        query_id: the query
        judged: its judged rows
        retrieved: its ranking
        scale: how many ticks the unit of the positions has: 10^d, d the fewest decimals that hold those of all rows
    """

    def __init__(self, query_id: str, judged: TopicRows, retrieved: TopicRows, scale: int):
        self.query_id, self.judged, self.retrieved, self.scale = query_id, judged, retrieved, scale

    @cached_property
    def _places(self) -> dict[Row, int]:
        return {row: place for place, row in reversed(list(enumerate(self.judged.rows)))}

    @cached_property
    def first_equal(self) -> list[int]:
        """For each judged row, the place of the first one that is equal: its own, unless it repeats an earlier row."""
        return [self._places[row] for row in self.judged.rows]

    @cached_property
    def found(self) -> list[int]:
        """For each retrieved row, the place of the first judged row that is equal, or -1."""
        return [self._places.get(row, -1) for row in self.retrieved.rows]

    def ticks(self, position: float) -> int:
        """A finite position as a whole number of ticks."""
        return round(position * self.scale)


def judged_topics(qrels: SegmentTable) -> Iterator[RowTopic]:
    """Every judged query with an empty ranking, for values that follow from the judgements alone."""
    return _topics(Match(qrels, SegmentTable.from_run([], elements=True)))


def _topics(match: Match) -> Iterator[RowTopic]:
    qrels, run = match.qrels, match.run
    scale = 10 ** max(side.cached(table_ticks).decimals for side in (match.index, match))
    order, blocks = np.argsort(qrels.query, kind='stable'), dict(zip(*(column.tolist() for column in match.rankings)))
    bounds = np.searchsorted(qrels.query[order], np.arange(len(qrels.query_ids) + 1))
    for query, query_id in enumerate(qrels.query_ids):
        yield RowTopic(query_id, TopicRows(qrels, order[bounds[query]:bounds[query + 1]]),
                       TopicRows(run, np.arange(*blocks.get(query, (0, 0)))), scale)


class RowEvaluator(Evaluator):
    """An evaluator of runs for measures of rows. Every judged query has a value for every measure in every run.

    Args:
        measures: measures of this package, their parameters validated
        qrels: in any shape of ir-measures, or a :class:`~ir_segmeasures.segments.tables.table.SegmentTable`
        compute: (measure, query) → value; not given: that of the measure. It is called for queries without relevant
            rows too
        warns: whether to warn of doubtful qrels and runs; False where another evaluator of the same tables warns

    Raises:
        ValueError: qrels or a run that the measures cannot be computed on; the sentence names the row or the query.

    Warns:
        SegmentWarning: a run and qrels that do not seem to speak of the same segments

    Attributes:
        ROWS: whether rows may be whole documents and may repeat, of which nothing is said then
    """
    ROWS = True

    def __init__(self, measures: Iterable[Measure], qrels: Any,
                 compute: Callable[[Any, RowTopic], float] | None = None, warns: bool = True):
        self._compute, self._warns = compute, warns
        self._qrels = SegmentTable.from_qrels(qrels, elements=True)
        self._known = QrelsIndex(self._qrels)
        super().__init__(distinct_measures(measures), self._qrels.query_ids)

    def topics(self, run: Any) -> Iterator[tuple[str, Any]]:
        """Each judged query, and what the measures are computed on of it."""
        match = Match(self._qrels, SegmentTable.from_run(run, elements=True), self._known)
        rels = {measure['rel'] for measure in self.measures if 'rel' in measure.SUPPORTED_PARAMS}
        warnings.warn([*(warnings.comparison_warnings(match, rows=self.ROWS) if self._warns else ()),
                       *(warnings.no_relevant_warning(self._qrels, rel) for rel in rels)], of_batch=True)
        yield from ((topic.query_id, topic) for topic in _topics(match))

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each measure for each judged query."""
        compute = self._compute or (lambda measure, topic: measure.compute(topic))
        for query_id, topic in self.topics(run):
            for measure in self.measures:
                yield Metric(query_id, measure, float(compute(measure, topic)))


class SpanEvaluator(Evaluator):
    """An evaluator of runs for measures of spans. Every judged query has a value for every measure in every run.

    Args:
        measures: measures of this package, their parameters validated
        qrels: in any shape of ir-measures, or a :class:`~ir_segmeasures.segments.tables.table.SegmentTable`
        compute: (measure, run on an axis) → its values; not given: those of the measure. Queries without relevant
            content have the value 0 whatever they are

    Raises:
        ValueError: qrels or a run that the measures cannot be computed on; the sentence names the row or the query.

    Warns:
        SegmentWarning: a run and qrels that do not seem to speak of the same segments
    """

    def __init__(self, measures: Iterable[Measure], qrels: Any,
                 compute: Callable[[Any, RunOnAxis], Any] | None = None):
        listed: list[Any] = distinct_measures(measures)
        self._compute = compute
        self._content = any(measure.CONTENT for measure in listed)
        self._by_ground: dict[Ground, list[Any]] = {}
        for measure in listed:
            self._by_ground.setdefault(measure.ground, []).append(measure)
        lengths = np.array([length for measure in listed for length in measure.lengths()], float)
        self._decimals = most_decimals(split_positions(lengths).nanos)
        self._qrels = SegmentTable.from_qrels(qrels)
        # Where whole documents are judged, set measures count documents.
        self._counts = (not compute and all(measure.COUNTS for measure in listed) and len(self._qrels) > 0
                        and bool(self._qrels.whole_documents().all())
                        and not any(map(is_of_other_tool, self._qrels.document_ids)))
        if self._counts:
            self._qrels = self._qrels.counted()
        self._known = QrelsIndex(self._qrels)
        try:
            self._judgements = {ground: Judgements(self._qrels, ground) for ground in self._by_ground}
        except RowError:
            warnings.warn(self._qrels.warnings)  # which may be why
            raise
        super().__init__(listed, self._qrels.query_ids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each measure for each judged query."""
        columns = [(measure, values.tolist()) for measure, values in self.values(run)]
        for place, query_id in enumerate(self.qrel_qids):
            for measure, values in columns:
                yield Metric(query_id, measure, values[place])

    def calc_aggregate(self, run: Any) -> dict[Measure, int | float]:
        """The aggregated value of each measure, as the host computes it, but without an object for each value."""
        found: dict[Measure, int | float] = {}
        for measure, values in self.values(run):
            aggregator = measure.aggregator()
            for value in values.tolist():
                aggregator.add(value)
            found[measure] = aggregator.result()
        return found

    def values(self, run: Any) -> Iterator[tuple[Measure, Floats]]:
        """Each measure with its values for all judged queries, in the order of the qrels."""
        found: dict[Measure, Floats] = {}
        for measures, queries, on_axis in self.axes(run):
            for measure in measures:
                values = self._compute(measure, on_axis) if self._compute else measure.values(on_axis)
                values = np.where(on_axis.R > 0, values, self.without_content(measure, on_axis))
                found.setdefault(measure, np.zeros(len(self._qrels.query_ids)))[queries] = values[queries]
        yield from found.items()

    def without_content(self, measure: Any, on_axis: RunOnAxis) -> Any:
        """The values of a measure for queries without relevant content."""
        return ~on_axis.answered if measure.params.get('silence') else 0

    def axes(self, run: Any) -> Iterator[tuple[list[Any], slice, RunOnAxis]]:
        """Measures of one ground with some queries of the run on an axis, until the next are asked for."""
        match = self._match(run)
        for ground, measures in self._by_ground.items():
            for queries, on_axis in runs_on_axes(match, self._judgements[ground], self._decimals):
                yield measures, queries, on_axis
                on_axis.forget()

    def _match(self, run: Any) -> Match:
        table = SegmentTable.from_run(run)
        match = Match(self._qrels, table.counted() if self._counts else table, self._known)
        collections = {measure.D: measure for measure in cast(Any, self.measures) if 'D' in measure.SUPPORTED_PARAMS}
        least, rels = min(collections, default=inf), dict.fromkeys(ground.rel for ground in self._by_ground)
        lengths = warnings.collection_length_warning(self._qrels, collections[least], least) if collections else None
        warnings.warn([
            *warnings.comparison_warnings(match), *(warnings.no_relevant_warning(self._qrels, rel) for rel in rels),
            lengths, warnings.no_content_warning(match) if self._content else None], of_batch=True)
        if self._content:
            match.check_ends()
        return match
