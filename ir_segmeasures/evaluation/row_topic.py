"""One query with its judged rows and its retrieved rows, not merged, as the measures of rows see it."""

from functools import cached_property
from itertools import repeat
from typing import NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Ints
from ir_segmeasures.segments.caching import Caching
from ir_segmeasures.segments.tables.table import RowError, SegmentTable

__all__ = ['Row', 'RowTopic', 'TopicRows']


class Row(NamedTuple):
    """A judged or retrieved segment.

    Attributes:
        document: without a fragment
        start, end: in the document's unit; ``[0, inf)`` where they are not known
        path: of the element that it is, or None
    """
    document: str
    start: float
    end: float
    path: str | None


class TopicRows:
    """The judged rows of a query in the order of the judgements, or its retrieved rows by rank.

    Args:
        table: the qrels or the run
        places: where the rows stand in the table
    """

    def __init__(self, table: SegmentTable, places: Ints):
        self._table, self._places = table, places

    def __len__(self) -> int:
        return len(self._places)

    @cached_property
    def rows(self) -> list[Row]:
        """The rows themselves."""
        table, places = self._table, self._places
        documents = map(table.document_ids.__getitem__, table.document[places].tolist())
        paths = repeat(None) if table.paths is None else map(table.paths.__getitem__, places.tolist())
        return list(map(Row, documents, table.start[places].tolist(), table.end[places].tolist(), paths))

    @cached_property
    def values(self) -> list[float]:
        """The relevance of each judged row, or the score of each retrieved one."""
        return self._table.value[self._places].tolist()

    def beside(self, name: str) -> list[float]:
        """A column of the qrels (one of ``EXTRAS``), for each row; a ValueError if it is missing or has gaps."""
        column = self._table.beside(name)[self._places]
        missing = np.isnan(column)
        if missing.any():
            raise self._table.no_value(name, int(self._places[np.argmax(missing)]))
        return column.tolist()

    def number(self, place: int) -> int:
        """The number of a row in the input, from 0."""
        return int(self._table.row[self._places[place]])

    def error(self, place: int, sentence: str) -> RowError:
        """The error for the row at a place, from 0; the sentence names the row as the input does."""
        return self._table.error(int(self._places[place]), sentence)


class RowTopic(Caching):
    """One judged query with its judgements and its ranking, row by row.

    Attributes:
        query_id: the query
        judged: its judged rows
        retrieved: its ranking
        scale: how many ticks the unit of the positions has: 10^d, d the fewest decimals that hold those of all rows
    """

    def __init__(self, query_id: str, judged: TopicRows, retrieved: TopicRows, scale: int):
        self.query_id, self.judged, self.retrieved, self.scale = query_id, judged, retrieved, scale

    @cached_property
    def _places(self) -> dict[Row, int]:
        return {row: place for place, row in reversed(list(enumerate(self.judged.rows)))}

    @cached_property
    def first_equal(self) -> list[int]:
        """For each judged row, the place of the first one that is equal: its own, unless it repeats an earlier row."""
        return [self._places[row] for row in self.judged.rows]

    @cached_property
    def found(self) -> list[int]:
        """For each retrieved row, the place of the first judged row that is equal, or -1."""
        return [self._places.get(row, -1) for row in self.retrieved.rows]

    def ticks(self, position: float) -> int:
        """A finite position as a whole number of ticks."""
        return round(position * self.scale)
