"""The judgements as a group of measures takes them: which rows are relevant, and the columns beside them."""

from math import inf
from typing import NamedTuple

import numpy as np

from ir_segmeasures.evaluation.axis import Ground, SplitPositions, most_decimals, split_positions
from ir_segmeasures.segments.basics import Floats, Ints, quoted
from ir_segmeasures.segments.segment import TOO_LARGE
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex, document_key
from ir_segmeasures.segments.tables.table import SegmentTable


class TableTicks(NamedTuple):
    """The positions of a table in whole units and billionths; an end that is not known is the start."""
    start: SplitPositions
    end: SplitPositions
    decimals: int


def table_ticks(side: QrelsIndex | Match) -> TableTicks:
    """The positions of all rows of a side, and the fewest decimals that hold them."""
    table = side.run if isinstance(side, Match) else side.qrels
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
        self.qrels, self.ground, self.rows = qrels, ground, qrels.relevant_rows(ground.rel)

    @property
    def judged(self) -> Ints:
        qrels, everywhere = self.qrels, self.ground.everywhere
        return np.flatnonzero((qrels.value >= 0) & (qrels.end > qrels.start)) if everywhere else (
            qrels.relevant_rows(-inf))

    def of_documents(self, name: str) -> Floats:
        """A column of the qrels that has one value a document: the value of the document of each relevant row.

        Raises:
            ValueError: the column is missing
            RowError: a document without such a number from 0 to below 10^15 or with two of them, a document that is
                shorter than its relevant content, or a best entry point after the end of its document
        """
        qrels, rows = self.qrels, self.rows
        if not len(rows):
            return np.zeros(0)
        every = qrels.beside(name)
        found, known = self._spread(every), rows[~np.isnan(every[rows])]
        qrels.refuse(known[~((every[known] >= 0) & (every[known] < TOO_LARGE))], lambda row: (
            f'the {quoted(name)} is {every[row]:.12g}, but it is a place or a length: give one from 0 to below 10^15'))
        qrels.refuse(known[every[known] != found[known]], f'another row has another {quoted(name)} for this document: '
                                                          'give all rows of a document of a query the same one')
        qrels.refuse_missing(name, rows[np.isnan(found[rows])])
        place, size, what = found, found, ''
        if name == 'doc_size':
            place, what = qrels.end, 'it is relevant up to'
        elif name == 'bep' and 'doc_size' in qrels.extra:
            size, what = self._spread(qrels.extra['doc_size']), "the 'bep' is"
        qrels.refuse(rows[place[rows] > size[rows]], lambda row: (
            f"{what} {place[row]:.12g}, but the 'doc_size' of its document is {size[row]:.12g}: correct one of them"))
        return found[rows]

    def _spread(self, value: Floats) -> Floats:
        """For each row a value that a relevant row of its document has, NaN where none has one."""
        key = document_key(self.qrels, self.qrels.query, self.qrels.document)
        document, values = np.searchsorted(np.sort(key), key), np.full(len(key), np.nan)
        known = self.rows[~np.isnan(value[self.rows])]
        values[document[known]] = value[known]
        return values[document]
