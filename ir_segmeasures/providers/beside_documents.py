"""Measures of segments in a call that has a measure of documents too, which compares ids."""

from collections.abc import Callable, Iterator
from typing import Any

from ir_measures import Evaluator, Metric

from ir_segmeasures.ids.documents import document_measure_warning
from ir_segmeasures.segments.tables.adapters import adapter_of
from ir_segmeasures.segments.user_warnings import is_listened_to, warn

__all__ = ['BesideDocuments']


class BesideDocuments(Evaluator):
    """The evaluator of measures of segments that warns where a measure of documents is 0 on segments of a system.

    Args:
        measure: the name of the measure of documents
        qrels: in any shape of ir-measures
        evaluator: makes the evaluator of the measures of segments for qrels, which may be an adapter
    """

    def __init__(self, measure: str, qrels: Any, evaluator: Callable[[Any], Evaluator]):
        rows = adapter_of(qrels, 'qrels')
        self._measure, self._evaluator = measure, evaluator(rows)
        self._judged = list(zip(*map(rows.values, ('query_id', 'doc_id', 'relevance'))))
        super().__init__(self._evaluator.measures, self._evaluator.qrel_qids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The values of the measures of segments, after the warning."""
        rows = adapter_of(run, 'run')
        if is_listened_to():
            pairs = zip(*map(rows.values, ('query_id', 'doc_id')))
            warn([document_measure_warning(self._measure, self._judged, pairs)], of_batch=True)
        yield from self._evaluator.iter_calc(rows)
