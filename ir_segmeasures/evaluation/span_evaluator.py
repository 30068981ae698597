"""The evaluator of measures of spans: it puts qrels and one run after the other on an axis, and gives each measure its
values, for all queries at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import Any, cast

import numpy as np
from ir_measures import Evaluator, Measure, Metric

from ir_segmeasures.evaluation.axis import most_decimals, split_positions
from ir_segmeasures.evaluation.ground import Ground
from ir_segmeasures.evaluation.judgements import Judgements
from ir_segmeasures.evaluation.outcomes import Outcome, distinct_measures
from ir_segmeasures.evaluation.run_on_axis import RunOnAxis, runs_on_axes
from ir_segmeasures.segments.arrays import Floats
from ir_segmeasures.segments.other_ids import is_of_other_tool
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.segments.warnings import (
    collection_length_warning,
    comparison_warnings,
    no_content_warning,
    no_relevant_warning,
    warn,
)


class SpanEvaluator(Evaluator):
    """An evaluator of runs for measures of spans. Every judged query has a value for every measure in every run.

    Args:
        measures: measures of this package, their parameters validated
        qrels: in any shape of ir-measures, or a :class:`~ir_segmeasures.segments.tables.table.SegmentTable`
        outcome: (measure, run on an axis) → its outcome; not given: that of the measure. Queries without relevant
            content have the value 0 whatever it is

    Raises:
        ValueError: qrels or a run that the measures cannot be computed on; the sentence names the row or the query.

    Warns:
        SegmentWarning: a run and qrels that do not seem to speak of the same segments
    """

    def __init__(self, measures: Iterable[Measure], qrels: Any,
                 outcome: Callable[[Any, RunOnAxis], Outcome] | None = None):
        listed: list[Any] = distinct_measures(measures)
        self._outcome = outcome or _own_outcome
        self._content = any(measure.CONTENT for measure in listed)
        self._by_ground: dict[Ground, list[Any]] = {}
        for measure in listed:
            self._by_ground.setdefault(measure.ground, []).append(measure)
        lengths = np.array([length for measure in listed for length in measure.lengths()], float)
        self._decimals = most_decimals(split_positions(lengths).nanos)
        self._qrels = SegmentTable.from_qrels(qrels)
        # Where whole documents are judged, set measures count documents.
        self._counts = (not outcome and all(measure.COUNTS for measure in listed) and len(self._qrels) > 0
                        and bool(self._qrels.whole_documents().all())
                        and not any(map(is_of_other_tool, self._qrels.document_ids)))
        if self._counts:
            self._qrels = self._qrels.counted()
        self._known = QrelsIndex(self._qrels)
        try:
            self._judgements = {ground: Judgements(self._qrels, ground) for ground in self._by_ground}
        except RowError:
            warn(self._qrels.warnings)  # which may be why
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
        for measure, queries, outcome in self.outcomes(run):
            found.setdefault(measure, np.zeros(len(self._qrels.query_ids)))[queries] = outcome.values[queries]
        yield from found.items()

    def outcomes(self, run: Any) -> Iterator[tuple[Measure, slice, Outcome]]:
        """Each measure with some queries and its outcome for them."""
        for measures, queries, on_axis in self.axes(run):
            for measure in measures:
                outcome = self._outcome(measure, on_axis)
                yield measure, queries, outcome._replace(values=np.where(
                    on_axis.R > 0, outcome.values, self.without_content(measure, on_axis)))

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
        warn([*comparison_warnings(match), *(no_relevant_warning(self._qrels, rel) for rel in rels),
              collection_length_warning(self._qrels, collections[least], least) if collections else None,
              no_content_warning(match) if self._content else None], of_batch=True)
        if self._content:
            match.check_ends()
        return match


def _own_outcome(measure: Any, run: RunOnAxis) -> Outcome:
    outcome: Outcome = measure.outcome(run)
    return outcome
