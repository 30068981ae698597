"""The evaluator of the provider ``sh_eval``: the tool's value for each query, from segments in whole seconds."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from ir_measures import Evaluator, Metric

from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.providers.sh_eval_figures import FIGURES, JudgedQuery
from ir_segmeasures.segments.table import SegmentTable

__all__ = ['ShEvalEvaluator']


class ShEvalEvaluator(Evaluator):
    """The tool's values for each judged query."""

    def __init__(self, measures: list[SegmentMeasure], qrels: Any):
        table = SegmentTable.from_qrels(qrels)
        _check_whole_seconds(table)
        self._judged: list[list[tuple[str, int, int, float]]] = [[] for _ in table.query_ids]
        for query, document, start, end, relevance in zip(*_plain_columns(table), table.value.tolist()):
            self._judged[query].append((document, start, end, relevance))
        super().__init__(measures, table.query_ids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        table = SegmentTable.from_run(run)
        _check_whole_seconds(table)
        ranked: dict[str, list[tuple[str, int, int]]] = {query_id: [] for query_id in self.qrel_qids}
        lists = [ranked.get(query_id, []) for query_id in table.query_ids]
        for query, document, start, end in zip(*_plain_columns(table)):
            lists[query].append((document, start, end))
        for query_id, judged in zip(self.qrel_qids, self._judged):
            figures = JudgedQuery(judged, ranked[query_id])
            for measure in self.measures:
                yield Metric(query_id, measure, float(FIGURES[str(measure.NAME)].compute(figures, measure)))


def _plain_columns(table: SegmentTable) -> tuple[list[int], list[str], list[int], list[int]]:
    documents = table.document_ids
    return (table.query.tolist(), [documents[i] for i in table.document.tolist()],
            table.start.astype(int).tolist(), table.end.astype(int).tolist())


def _check_whole_seconds(table: SegmentTable) -> None:
    wrong = table.fractions() | np.isinf(table.end)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise table.error(row, f'start {table.start[row]:g} and end {table.end[row]:g} are not whole seconds, and '
                               'sh_eval knows no others: round them, or compute the measure by its definition')
