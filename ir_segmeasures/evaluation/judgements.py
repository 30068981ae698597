"""The judgements as a group of measures takes them: which rows are relevant, and the columns beside them."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import NamedTuple

import numpy as np

from ir_segmeasures.evaluation.axis import SplitPositions, most_decimals, split_positions
from ir_segmeasures.evaluation.ground import Ground
from ir_segmeasures.segments.basics import Bools, Floats, Ints, quoted
from ir_segmeasures.segments.segment import TOO_LARGE
from ir_segmeasures.segments.tables.table import SegmentTable


class TableTicks(NamedTuple):
    """The positions of a table in whole units and billionths; an end that is not known is the start."""
    start: SplitPositions
    end: SplitPositions
    decimals: int


def table_ticks(table: SegmentTable) -> TableTicks:
    """The positions of all rows, and the fewest decimals that hold them."""
    start, end = split_positions(table.start), split_positions(np.where(np.isinf(table.end), table.start, table.end))
    return TableTicks(start, end, max(most_decimals(start.nanos), most_decimals(end.nanos)))


class Judgements:
    """Qrels with the relevant rows of a ground, checked once for all runs.

    Attributes:
        qrels: the table
        ground: the ground
        rows: the relevant rows
        judged: the rows with content that somebody judged; a relevance below 0 means *not judged*. Where the ground is
            everywhere, some may have an end that is not known

    Raises:
        RowError: a relevant row has no content, or an end that is not known
    """

    def __init__(self, qrels: SegmentTable, ground: Ground):
        self.qrels, self.ground = qrels, ground
        self.rows = qrels.relevant_rows(ground.rel)

    @property
    def judged(self) -> Ints:
        qrels = self.qrels
        if self.ground.everywhere:
            return np.flatnonzero((qrels.value >= 0) & (qrels.end > qrels.start))
        return qrels.relevant_rows(-inf)

    def of_documents(self, name: str) -> Floats:
        """A column of the qrels that has one value a document: the value of the document of each relevant row.

        Raises:
            ValueError: the column is missing
            RowError: a document without such a number from 0 to below 10^15 or with two of them, a document that is
                shorter than its relevant content, or a best entry point after the end of its document
        """
        qrels, rows = self.qrels, self.rows
        value = qrels.beside(name)[rows] if len(rows) else np.zeros(0)
        found, known = self._spread(value), ~np.isnan(value)

        def check(wrong: Bools, sentence: Callable[[int], str]) -> None:
            if wrong.any():
                place = int(np.argmax(wrong))
                raise qrels.error(int(rows[place]), sentence(place))
        check(known & ~((value >= 0) & (value < TOO_LARGE)),
              lambda place: f'the {quoted(name)} is {value[place]:.12g}, but it is a place or a length in a document: '
                            'give a number from 0 to below 10^15')
        check(known & (value != found), lambda place: f'another row has another {quoted(name)} for this document: give '
                                                      'all rows of a document of a query the same one')
        if np.isnan(found).any():
            raise qrels.no_value(name, int(rows[np.argmax(np.isnan(found))]))
        place, size, what = found, found, ''
        if name == 'doc_size':
            place, what = qrels.end[rows], 'it is relevant up to'
        elif name == 'bep' and 'doc_size' in qrels.extra:
            size, what = self._spread(qrels.extra['doc_size'][rows]), "the 'bep' is"
        check(place > size, lambda i: f"{what} {place[i]:.12g}, but the 'doc_size' of its document is {size[i]:.12g}: "
                                      'correct one of them')
        return found

    def _spread(self, value: Floats) -> Floats:
        """For each relevant row a value that a row of its document has, NaN where none has one."""
        key = self.qrels.query[self.rows] * max(1, len(self.qrels.document_ids)) + self.qrels.document[self.rows]
        document = np.searchsorted(np.sort(key), key)
        values, known = np.full(len(key), np.nan), ~np.isnan(value)
        values[document[known]] = value[known]
        return values[document]
