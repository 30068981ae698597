"""The evaluator of the provider ``inex_eval``: which runs the program takes, and its value for each topic."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from ir_measures import Measure

from ir_segmeasures.evaluation.axis import Cover, first_pieces, sums
from ir_segmeasures.evaluation.outcomes import Outcome
from ir_segmeasures.evaluation.run_on_axis import RunOnAxis
from ir_segmeasures.evaluation.span_evaluator import SpanEvaluator
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.providers.base import Figures, needed_columns
from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import SegmentTable

__all__ = ['InexEvalEvaluator']


class InexEvalEvaluator(SpanEvaluator):
    """The program's values for each judged topic, which are those of its figures."""

    def __init__(self, measures: list[SegmentMeasure], qrels: Any, outcome: Callable[[Any, RunOnAxis], Outcome],
                 figures: Figures):
        self._figures = figures
        table = SegmentTable.from_qrels(qrels)
        _check_whole(table, np.arange(len(table)))
        for name in sorted(table.extra.keys() & needed_columns(measures)):
            _check_whole_numbers(table, name)
        super().__init__(measures, table, outcome=outcome)
        relevant = set(table.query[table.value >= 1].tolist())
        self._empty = {query_id for query, query_id in enumerate(table.query_ids) if query not in relevant}

    def values(self, run: Any) -> Iterator[tuple[Measure, Floats]]:
        table = SegmentTable.from_run(run)
        judged = set(self.qrel_qids)
        rows = np.flatnonzero(np.array([query_id in judged for query_id in table.query_ids], bool)[table.query])
        _check_whole(table, rows)
        self._check(table, rows)
        # The program prints no topic that the run does not answer.
        empty_topics = self._empty & {table.query_ids[query] for query in set(table.query[rows].tolist())}
        for measure, values in super().values(table):
            values[[query_id in empty_topics for query_id in self.qrel_qids]] = self._figures[str(measure.NAME)].empty
            yield measure, values

    def _check(self, run: SegmentTable, rows: Ints) -> None:
        """Raise the error for the first row that the program rejects the run for, if there is one."""
        key = run.query[rows] * max(1, len(run.document_ids)) + run.document[rows]
        for modes, find, reason, repair in _REJECTED:
            rejecting = [measure for measure in self.measures if self._mode(measure) in modes]
            place = find(key, run.start[rows], run.end[rows]) if rejecting else None
            if place is not None:
                measure = rejecting[0]
                other = '' if measure.params.get('overlap') else ', or compute the measure by its definition'
                raise run.error(int(rows[place]), f'{reason}, and inex_eval does not accept that for {measure}: '
                                                  f'{repair}{other}')

    def _mode(self, measure: Measure) -> str:
        """The program's option for a measure; thorough (-t) is focused (-f) where overlap is an error."""
        return '-f' if measure.params.get('overlap') == 'error' else self._figures[str(measure.NAME)].mode


def _second(key: Ints, start: Floats, end: Floats) -> int | None:
    """The first row of the same document as the one before."""
    again = np.flatnonzero(key[1:] == key[:-1])
    return int(again[0]) + 1 if again.size else None


def _return(key: Ints, start: Floats, end: Floats) -> int | None:
    """The first row that comes back to a document after others."""
    seen: set[int] = set()
    firsts = [0, *(np.flatnonzero(key[1:] != key[:-1]) + 1).tolist()]
    for place, document in zip(firsts, key[firsts].tolist() if key.size else ()):
        if document in seen:
            return place
        seen.add(document)
    return None


def _overlap(key: Ints, start: Floats, end: Floats) -> int | None:
    """The first row that shares content with an earlier row of its document, or lies inside it as a place, or around it
    if that one is a place.
    """
    low, high = (((key - key.min(initial=0)) * (int(end.max(initial=0)) + 1) + bound).astype(np.int64)
                 for bound in (start, end))
    pieces = first_pieces(Cover.union(low, high), low, high)
    repeated = high - low - sums(pieces.end - pieces.start, pieces.owner, len(key))
    first = int(np.append(np.flatnonzero(repeated), len(key))[0])
    points = np.flatnonzero(start == end)
    others = np.flatnonzero(np.isin(key, key[points]) & (start < end)) if points.size else points
    for point in points.tolist():
        around = others[(key[others] == key[point]) & (start[others] < start[point]) & (start[point] < end[others])]
        if around.size:
            first = min(first, max(point, int(around[0])))
    return first if first < len(key) else None


_REJECTED: list[tuple[tuple[str, ...], Callable[..., int | None], str, str]] = [
    (('-b',), _second, 'its document has an item before', 'keep one item of each document'),
    (('-f', '-r', '-i'), _overlap, 'it overlaps an earlier item of its document', 'cut the overlap out'),
    (('-b', '-r', '-i'), _return, 'its document has items before, with another document in between',
     'put the items of a document together'),
]


def _check_whole(table: SegmentTable, rows: Ints) -> None:
    wrong = rows[table.fractions()[rows]]
    if wrong.size:
        row = int(wrong[0])
        raise table.error(row, f'start {table.start[row]:g} and end {table.end[row]:g} are not whole numbers, and '
                               'inex_eval knows no others: round them, or compute the measure by its definition')


def _check_whole_numbers(table: SegmentTable, name: str) -> None:
    column = table.extra[name]
    wrong = np.flatnonzero(np.isfinite(column) & (column != np.floor(column)))
    if wrong.size:
        row = int(wrong[0])
        raise table.error(row, f'the {quoted(name)} is {column[row]:.12g}, and inex_eval knows only whole numbers: '
                               'round it, or compute the measure by its definition')
