"""The evaluator of measures that look at the judged rows themselves, and not at spans: inferred AP over strata, element
measures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from ir_measures import Evaluator, Measure, Metric

from ir_segmeasures.evaluation.row_topic import Judgements, RowsOfQuery, RowTopic
from ir_segmeasures.evaluation.shared import in_order
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.tables.warnings import comparison_warnings, no_relevant_warning, warn

__all__ = ['RowEvaluator', 'judged_topics']


def judged_topics(qrels: SegmentTable) -> list[RowTopic]:
    """Every judged query, with an empty ranking: what follows from judgements alone is computed of it."""
    nothing = RowsOfQuery(SegmentTable.from_run([], elements=True), np.arange(0))
    return [RowTopic(judgements, nothing) for judgements in _judgements(qrels)]


def _judgements(qrels: SegmentTable) -> list[Judgements]:
    order = np.argsort(qrels.query, kind='stable')
    bounds = np.searchsorted(qrels.query[order], np.arange(1, len(qrels.query_ids)))
    return [Judgements(query_id, RowsOfQuery(qrels, places))
            for query_id, places in zip(qrels.query_ids, np.split(order, bounds))]


class RowEvaluator(Evaluator):
    """Scores runs with measures that look at rows. Every judged query has a value for every measure in every run.

    Args, Raises:
        as :class:`~ir_segmeasures.evaluation.by_spans.SegmentEvaluator`; ``compute`` sees queries without relevant
        rows too, and with ``warns=False`` another evaluator says what is doubtful
    """

    def __init__(self, measures: Iterable[Measure], qrels: Any, compute: Callable[[Any, RowTopic], float],
                 warns: bool = True):
        self._compute, self._warns = compute, warns
        self._qrels = SegmentTable.from_qrels(qrels, elements=True)
        self._known = QrelsIndex(self._qrels)
        self._judgements = _judgements(self._qrels)
        super().__init__(in_order(measures), self._qrels.query_ids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each measure for each judged query."""
        table = SegmentTable.from_run(run, elements=True)
        match = Match(self._qrels, table, self._known)
        rels = {measure['rel'] for measure in self.measures if 'rel' in measure.SUPPORTED_PARAMS}
        warn([*(comparison_warnings(match, rows=True) if self._warns else ()),
              *(no_relevant_warning(self._qrels, rel) for rel in rels)])
        blocks = match.blocks
        for query, judgements in enumerate(self._judgements):
            topic = RowTopic(judgements, RowsOfQuery(table, np.arange(*blocks.get(query, (0, 0)))))
            for measure in self.measures:
                yield Metric(topic.query_id, measure, float(self._compute(measure, topic)))
