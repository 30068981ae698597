"""The evaluator of measures of spans, which look at the relevant spans of a query and at its ranking.

An evaluator is built once for the qrels and is given run after run. The work on a whole run (ids, ranks, lengths, which
items lie in documents with relevant spans) is done on arrays; a :class:`~ir_segmeasures.evaluation.topic.Topic` then
shows one query to the measures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from itertools import repeat
from math import inf
from typing import TYPE_CHECKING, Any

from ir_measures import Evaluator, Measure, Metric

from ir_segmeasures.evaluation.measure_lists import distinct_measures
from ir_segmeasures.evaluation.relevant_spans import RelevantSpans
from ir_segmeasures.evaluation.run_items import RunItems
from ir_segmeasures.evaluation.topic import Topic
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.segments.warnings import (
    collection_length_warning,
    comparison_warnings,
    no_content_warning,
    no_relevant_warning,
    warn,
)

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.condensed_lists import CondensedDocuments

__all__ = ['SpanEvaluator']


class SpanEvaluator(Evaluator):
    """An evaluator of runs for measures of spans. Every judged query has a value for every measure in every run.

    Args:
        measures: measures of this package, their parameters validated
        qrels: in any shape of ir-measures, or a :class:`~ir_segmeasures.segments.tables.table.SegmentTable`
        compute: (measure, query) → value; it is called for queries with relevant spans, all others have the value 0
        content: whether a measure needs the content of the items, so that their ends must be known

    Raises:
        ValueError: qrels or a run that the measures cannot be computed on; the sentence names the row or the query.

    Warns:
        SegmentWarning: a run and qrels that do not seem to speak of the same segments
    """

    def __init__(self, measures: Iterable[Measure], qrels: Any, compute: Callable[[Any, Topic], float], content: bool):
        measures = distinct_measures(measures)
        self._compute, self._content = compute, content
        self._by_rel: dict[tuple[float, bool], list[Measure]] = {}  # and by whether lists are condensed
        for measure in measures:
            # Judgement rates take judged segments of any relevance, so they have no parameter rel.
            rel = measure['rel'] if 'rel' in measure.SUPPORTED_PARAMS else -inf
            self._by_rel.setdefault((rel, bool(measure.params.get('condensed'))), []).append(measure)
        self._qrels = SegmentTable.from_qrels(qrels)
        self._known = QrelsIndex(self._qrels)
        try:
            self._relevant = {(rel, condensed): RelevantSpans(self._qrels, rel, self._condensed if condensed else None)
                              for rel, condensed in self._by_rel}
        except RowError:
            warn(self._qrels.warnings)  # which may be why
            raise
        super().__init__(measures, self._qrels.query_ids)

    @cached_property
    def _condensed(self) -> CondensedDocuments:
        from ir_segmeasures.evaluation.condensed_lists import CondensedDocuments  # imported when it is needed
        return CondensedDocuments(self._qrels)

    @cached_property
    def _doubts(self) -> list[str | None]:
        """The sentences about doubtful combinations of the measures and the qrels."""
        collecting: Any = self.measures
        collections = {measure.D: measure for measure in collecting if 'D' in measure.SUPPORTED_PARAMS}
        least = min(collections, default=inf)
        return [*(no_relevant_warning(self._qrels, rel) for rel in {rel: None for rel, _ in self._by_rel}),
                collection_length_warning(self._qrels, collections[least], least) if collections else None]

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each measure for each judged query."""
        for measures, queries in self.values(run):
            for query_id, values in zip(self.qrel_qids, queries):
                yield from map(Metric, repeat(query_id), measures, values)

    def calc_aggregate(self, run: Any) -> dict[Measure, int | float]:
        """The aggregated value of each measure, as the host computes it, but without an object for each value."""
        aggregators = {measure: measure.aggregator() for measure in self.measures}
        for measures, queries in self.values(run):
            adding = [aggregators[measure].add for measure in measures]
            for values in queries:
                for add, value in zip(adding, values):
                    add(value)
        return {measure: aggregator.result() for measure, aggregator in aggregators.items()}

    def values(self, run: Any) -> Iterator[tuple[list[Measure], Iterator[list[float]]]]:
        """Measures of the same relevant content, with their values for each judged query, in the order of the qrels.
        These values are to be taken before the next measures."""
        table = SegmentTable.from_run(run)
        match = Match(self._qrels, table, self._known)
        warn([*comparison_warnings(match), *self._doubts, no_content_warning(match) if self._content else None],
             self._qrels)
        if self._content:
            match.check_ends()
        condensed_match = cache(lambda: Match(self._qrels, self._condensed.run(match), self._known))

        for (rel, condensed), measures in self._by_rel.items():
            items = RunItems(self._relevant[rel, condensed], condensed_match() if condensed else match)
            yield measures, self._values(measures, items)

    def _values(self, measures: list[Measure], items: RunItems) -> Iterator[list[float]]:
        compute, relevant = self._compute, items.relevant
        for query, R in enumerate(relevant.R):
            if R:
                topic = Topic(query, relevant, items)
                yield [float(compute(measure, topic)) for measure in measures]
            else:
                yield [0.] * len(measures)
