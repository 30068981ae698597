"""Experiments with measures of documents among others: they compare ids, which a system's segments hardly share with
the judged ones.

ir-measures gives these measures to its own providers, so that none of ours sees both the ids and the measure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import ir_measures
from ir_measures import Evaluator, Measure, Metric
from ir_measures.providers import FallbackProvider

from ir_segmeasures.measures.base import of_documents

__all__ = ['watch']


def watch() -> None:
    """Let ir-measures' default pipeline warn of such measures, where qrels and runs are frames, as in PyTerrier."""
    ir_measures.DefaultPipeline.__class__ = _GuardedProvider


class _GuardedProvider(FallbackProvider):
    """The host's pipeline, which tells the measures, the qrels and the run."""

    def _evaluator(self, measures: Iterable[Measure], qrels: Any) -> Evaluator:
        measures = list(measures)
        evaluator = super()._evaluator(measures, qrels)
        measure = of_documents(measures)
        return evaluator if measure is None or not _is_frame(qrels) else _Warning(evaluator, measure, qrels)


class _Warning(Evaluator):
    """An evaluator of a measure of documents among others."""

    def __init__(self, evaluator: Evaluator, measure: Measure, qrels: Any):
        super().__init__(evaluator.measures, evaluator.qrel_qids)
        self._evaluator, self._measure, self._qrels = evaluator, measure, qrels

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        if _is_frame(run) and any('#' in str(id) for frame in (self._qrels, run) for id in frame['doc_id'].iloc[:1]):
            from ir_segmeasures.segments.tables.warnings import (  # whoever only imports has no need of it
                document_measure_warning,
                warn,
            )
            warn([document_measure_warning(str(self._measure), _pairs(self._qrels), _pairs(run))])
        return self._evaluator.iter_calc(run)


def _is_frame(rows: Any) -> bool:
    return hasattr(rows, 'iloc') and {'query_id', 'doc_id'} <= set(rows.columns)


def _pairs(frame: Any) -> zip[tuple[str, str]]:
    return zip(frame['query_id'].tolist(), frame['doc_id'].tolist())
