"""The evaluator of measures of judged rows, which are not merged into spans: inferred AP over strata, the measures of
elements.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ir_measures import Evaluator, Measure, Metric

from ir_segmeasures.evaluation.measure_lists import distinct_measures
from ir_segmeasures.evaluation.row_topic import Judgements, RowTopic
from ir_segmeasures.evaluation.run_rows import JudgedRows, RunRows
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import comparison_warnings, no_relevant_warning, warn

__all__ = ['RowEvaluator', 'judged_topics']


def judged_topics(qrels: SegmentTable) -> list[RowTopic]:
    """Every judged query with an empty ranking, for values that follow from the judgements alone."""
    judged = JudgedRows(qrels)
    nothing = RunRows(judged, Match(qrels, SegmentTable.from_run([], elements=True)))
    return [RowTopic(judgements, nothing) for judgements in _judgements(judged)]


def _judgements(judged: JudgedRows) -> list[Judgements]:
    return [Judgements(query, judged) for query in range(len(judged.table.query_ids))]


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
        self._judged = JudgedRows(self._qrels)
        self._judgements = _judgements(self._judged)
        super().__init__(distinct_measures(measures), self._qrels.query_ids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each measure for each judged query."""
        table = SegmentTable.from_run(run, elements=True)
        match = Match(self._qrels, table, self._known)
        rels = {measure['rel'] for measure in self.measures if 'rel' in measure.SUPPORTED_PARAMS}
        warn([*(comparison_warnings(match, rows=True) if self._warns else ()),
              *(no_relevant_warning(self._qrels, rel) for rel in rels)], self._qrels)
        rows = RunRows(self._judged, match)
        for judgements in self._judgements:
            topic = RowTopic(judgements, rows)
            for measure in self.measures:
                yield Metric(topic.query_id, measure, float(self._compute(measure, topic)))
