"""The evaluator of the provider ``inex_eval``: which runs the program takes, and its value for each topic."""

from bisect import bisect
from collections.abc import Callable
from typing import Any

import numpy as np

from ir_segmeasures.evaluation.outcomes import Outcome
from ir_segmeasures.evaluation.run_on_axis import RunOnAxis
from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.providers.base import Figures, check_whole
from ir_segmeasures.segments.arrays import Bools
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.table import SegmentTable


class InexEvalEvaluator(SpanEvaluator):
    """The program's values for each judged topic, which are those of its figures."""

    def __init__(self, measures: list[SegmentMeasure], qrels: Any, outcome: Callable[[Any, RunOnAxis], Outcome],
                 figures: Figures):
        self._figures = figures
        table = SegmentTable.from_qrels(qrels)
        check_whole(table, table.fractions(), 'inex_eval')
        super().__init__(measures, table, outcome=outcome)

    def without_content(self, measure: Any, run: RunOnAxis) -> Any:
        # The program prints no topic that the run does not answer.
        return np.where(run.answered, self._figures[measure.NAME].empty, 0)

    def _match(self, run: Any) -> Match:
        match = super()._match(run)
        rows = match.query >= 0
        check_whole(match.run, rows & match.run.fractions(), 'inex_eval')
        self._check(match.run, rows)
        return match

    def _check(self, run: SegmentTable, rows: Bools) -> None:
        """Raise the error for the first row that the program rejects the run for, if there is one."""
        found = _rejected_rows(run, rows)
        for kind, (modes, reason, repair) in _REJECTED.items():
            rejecting = [measure for measure in self.measures if self._mode(measure) in modes and kind in found]
            for measure in rejecting[:1]:
                other = '' if measure.params.get('overlap') else ', or compute the measure by its definition'
                raise run.error(found[kind], f'{reason}, and inex_eval does not accept that for {measure}: '
                                             f'{repair}{other}')

    def _mode(self, measure: Any) -> str:
        """The program's option for a measure; thorough (-t) is focused (-f) where overlap is an error."""
        return '-f' if measure.params.get('overlap') == 'error' else self._figures[measure.NAME].mode


_REJECTED = {
    'second': (('-b',), 'its document has an item before', 'keep one item of each document'),
    'overlap': (('-f', '-r', '-i'), 'it overlaps an earlier item of its document', 'cut the overlap out'),
    'return': (('-b', '-r', '-i'), 'its document has items before, with another document in between',
               'put the items of a document together'),
}


def _rejected_rows(run: SegmentTable, rows: Bools) -> dict[str, int]:
    """The first row of each kind: of the document of the row before, of one of the rows before that, and a row that
    shares content with an earlier one of its document, or lies inside it as a place, or around it if that is a place.
    """
    found, before, earlier = dict[str, int](), None, dict[tuple[int, int], list[tuple[float, float]]]()
    columns = (column[rows].tolist() for column in (run.query, run.document, run.start, run.end))
    for row, query, document, start, end in zip(np.flatnonzero(rows).tolist(), *columns):
        if (query, document) == before:
            found.setdefault('second', row)
        elif (query, document) in earlier:
            found.setdefault('return', row)
        before = query, document
        spans = earlier.setdefault(before, [])
        place = bisect(spans, (start, end))  # only its neighbours can meet it, while none meet each other
        if any(start < last and first < end for first, last in spans[max(place - 1, 0):place + 1]):
            found.setdefault('overlap', row)
        spans.insert(place, (start, end))
    return found
