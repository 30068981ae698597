"""The evaluator of the provider ``sh_eval``: the tool's value for each query, from segments in whole seconds."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from ir_measures import Evaluator, Metric

from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.providers.base import Figures
from ir_segmeasures.providers.sh_eval_query import Item, Judgement, ShEvalQuery
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.warnings import comparison_warnings, no_relevant_warning, warn

__all__ = ['ShEvalEvaluator']


class ShEvalEvaluator(Evaluator):
    """The tool's values for each judged query."""

    def __init__(self, measures: list[SegmentMeasure], qrels: Any, figures: Figures):
        self._figures = figures
        self._qrels = table = SegmentTable.from_qrels(qrels)
        _check_whole_seconds(table)
        self._known = QrelsIndex(table)
        self._judged: list[list[Judgement]] = [[] for _ in table.query_ids]
        for query, item, relevance in zip(table.query.tolist(), _items(table), table.value.tolist()):
            self._judged[query].append((*item, relevance))
        super().__init__(measures, table.query_ids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        for query_id, query in self.queries(run):
            for measure in self.measures:
                yield Metric(query_id, measure, float(self._figures[str(measure.NAME)].compute(query, measure)))

    def queries(self, run: Any) -> Iterator[tuple[str, ShEvalQuery]]:
        """Each judged query as the tool sees it."""
        table = SegmentTable.from_run(run)
        _check_whole_seconds(table)
        match = Match(self._qrels, table, self._known)
        relevant = self._qrels.value.max(initial=0) > 0  # to the tool, whatever is above 0
        warn([*comparison_warnings(match), None if relevant else no_relevant_warning(self._qrels, 1)],
             of_batch=True)
        items = _items(table)
        for query, (query_id, judged) in enumerate(zip(self.qrel_qids, self._judged)):
            yield query_id, ShEvalQuery(judged, items[slice(*match.blocks.get(query, (0, 0)))])


def _items(table: SegmentTable) -> list[Item]:
    videos = [table.document_ids[document] for document in table.document.tolist()]
    return list(zip(videos, table.start.astype(np.int64).tolist(), table.end.astype(np.int64).tolist()))


def _check_whole_seconds(table: SegmentTable) -> None:
    wrong = table.fractions() | np.isinf(table.end)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise table.error(row, f'start {table.start[row]:g} and end {table.end[row]:g} are not whole seconds, and '
                               'sh_eval knows no others: round them, or compute the measure by its definition')
