"""The evaluator of measures of judged rows, which are not merged into spans: inferred AP over strata, highlights, the
measures of elements.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from ir_measures import Evaluator, Measure, Metric

from ir_segmeasures.evaluation.judgements import table_ticks
from ir_segmeasures.evaluation.measure_lists import distinct_measures
from ir_segmeasures.evaluation.row_topic import RowTopic, TopicRows
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import comparison_warnings, no_relevant_warning, warn

__all__ = ['RowEvaluator', 'judged_topics']


def judged_topics(qrels: SegmentTable) -> Iterator[RowTopic]:
    """Every judged query with an empty ranking, for values that follow from the judgements alone."""
    return _topics(Match(qrels, SegmentTable.from_run([], elements=True)))


def _topics(match: Match) -> Iterator[RowTopic]:
    qrels, run = match.qrels, match.run
    scale = 10 ** max(table_ticks(qrels).decimals, table_ticks(run).decimals)
    order = np.argsort(qrels.query, kind='stable')
    bounds = np.searchsorted(qrels.query[order], np.arange(len(qrels.query_ids) + 1))
    for query, query_id in enumerate(qrels.query_ids):
        yield RowTopic(query_id, TopicRows(qrels, order[bounds[query]:bounds[query + 1]]),
                       TopicRows(run, np.arange(*match.blocks.get(query, (0, 0)))), scale)


class RowEvaluator(Evaluator):
    """An evaluator of runs for measures of rows. Every judged query has a value for every measure in every run.

    Args:
        measures: measures of this package, their parameters validated
        qrels: in any shape of ir-measures, or a :class:`~ir_segmeasures.segments.tables.table.SegmentTable`
        compute: (measure, query) → value; it is called for queries without relevant rows too
        warns: whether to warn of doubtful qrels and runs; False where another evaluator of the same tables warns

    Raises:
        ValueError: qrels or a run that the measures cannot be computed on; the sentence names the row or the query.

    Warns:
        SegmentWarning: a run and qrels that do not seem to speak of the same segments
    """

    def __init__(self, measures: Iterable[Measure], qrels: Any, compute: Callable[[Any, RowTopic], float],
                 warns: bool = True):
        self._compute, self._warns = compute, warns
        self._qrels = SegmentTable.from_qrels(qrels, elements=True)
        self._known = QrelsIndex(self._qrels)
        super().__init__(distinct_measures(measures), self._qrels.query_ids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each measure for each judged query."""
        match = Match(self._qrels, SegmentTable.from_run(run, elements=True), self._known)
        rels = {measure['rel'] for measure in self.measures if 'rel' in measure.SUPPORTED_PARAMS}
        warn([*(comparison_warnings(match, rows=True) if self._warns else ()),
              *(no_relevant_warning(self._qrels, rel) for rel in rels)], of_batch=True)
        for topic in _topics(match):
            for measure in self.measures:
                yield Metric(topic.query_id, measure, float(self._compute(measure, topic)))
