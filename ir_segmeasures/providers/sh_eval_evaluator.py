"""The evaluator of the provider ``sh_eval``: the tool's value for each query, from segments in whole seconds."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from ir_measures import Evaluator, Metric

from ir_segmeasures.evaluation.axis import running
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.providers.sh_eval_figures import FIGURES
from ir_segmeasures.providers.sh_eval_judged import Judgement, QueryItems, QueryJudgements
from ir_segmeasures.providers.sh_eval_walks import JudgedQuery
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex, document_key
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.tables.warnings import comparison_warnings, no_relevant_warning, warn

__all__ = ['ShEvalEvaluator']


class ShEvalEvaluator(Evaluator):
    """The tool's values for each judged query."""

    def __init__(self, measures: list[SegmentMeasure], qrels: Any):
        self._qrels = table = SegmentTable.from_qrels(qrels)
        _check_whole_seconds(table)
        self._known = QrelsIndex(table)
        rows: list[list[Judgement]] = [[] for _ in table.query_ids]
        for query, *row in zip(table.query.tolist(), *_items(table.document, table), table.value.tolist()):
            rows[query].append(tuple(row))
        self._judged = list(map(QueryJudgements, rows))
        self._keys = np.array(sorted(set(document_key(table, table.query, table.document).tolist())), np.intp)
        super().__init__(measures, table.query_ids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        for query_id, _, _, walked in self.queries(run):
            for measure in self.measures:
                yield Metric(query_id, measure, float(FIGURES[str(measure.NAME)].compute(walked, measure)))

    def queries(self, run: Any) -> Iterator[tuple[str, QueryJudgements, QueryItems, JudgedQuery]]:
        """Each judged query with its judgements, its items in the run, and what the tool makes of both."""
        table = SegmentTable.from_run(run)
        _check_whole_seconds(table)
        match = Match(self._qrels, table, self._known)
        relevant = self._qrels.value.max(initial=0) > 0  # to the tool, whatever is above 0
        warn([*comparison_warnings(match), None if relevant else no_relevant_warning(self._qrels, 1)], self._qrels)
        ranked = self._ranked(match)
        for query_id, judged, items in zip(self.qrel_qids, self._judged, ranked):
            yield query_id, judged, items, JudgedQuery(judged, items)

    def _ranked(self, match: Match) -> Iterator[QueryItems]:
        """The items of each judged query. Most lie in videos without judgements, which are left in their arrays."""
        run, documents = match.run, max(1, len(self._qrels.document_ids))
        rows = np.flatnonzero(match.key >= 0)
        rows = rows[np.append(self._keys, -1)[np.searchsorted(self._keys, match.key[rows])] == match.key[rows]]
        rows = rows[np.argsort(match.query[rows], kind='stable')]
        start, end = run.start.astype(np.int64), run.end.astype(np.int64)
        before = running(end - start, run.query) - (end - start)
        columns = (match.rank[rows] - 1, match.key[rows] % documents, start[rows], end[rows], before[rows])
        judged = list(zip(*(column.tolist() for column in columns)))
        bounds = np.searchsorted(match.query[rows], np.arange(len(self._judged) + 1)).tolist()
        # The videos of the run that no query has judgements of come after the others.
        video = np.where(match.key >= 0, match.key % documents, documents + run.document)
        for query, (first, last) in enumerate(pairwise(bounds)):
            block = slice(*match.blocks.get(query, (0, 0)))
            seconds = int((run.end[block] - run.start[block]).sum())
            yield QueryItems(len(run.start[block]), seconds, judged[first:last],
                             lambda block=block: list(zip(*_items(video, run, block))))  # type: ignore[misc]


def _items(video: Any, table: SegmentTable, block: slice = slice(None)) -> Iterator[list[int]]:
    for column in (video, table.start, table.end):
        yield column[block].astype(np.int64).tolist()


def _check_whole_seconds(table: SegmentTable) -> None:
    wrong = table.fractions() | np.isinf(table.end)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise table.error(row, f'start {table.start[row]:g} and end {table.end[row]:g} are not whole seconds, and '
                               'sh_eval knows no others: round them, or compute the measure by its definition')
