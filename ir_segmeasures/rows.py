"""
What measures see that look at the judged rows themselves, and not at spans: inferred AP over strata, element measures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import isnan
from typing import Any, NamedTuple

import numpy as np
from ir_measures import Evaluator, Measure, Metric

from ir_segmeasures.evaluator import Match, Shared, in_order
from ir_segmeasures.table import SegmentTable

__all__ = ['Row', 'RowTopic', 'RowEvaluator']


class Row(NamedTuple):
    """
    A judged or retrieved segment.

    Attributes:
        document: without a fragment
        start, end: in the document's unit; ``[0, inf)`` where nobody told them
        path: of the element that it is, or None
    """
    document: str
    start: float
    end: float
    path: str | None


class RowTopic(Shared):
    """
    One judged query, with its judgements and its ranking as they stand there.

    Attributes:
        query_id: the query
        judged: the judged rows, in the order of the judgements
        relevance: of each judged row
        ranking: the retrieved rows, by rank
        score: of each retrieved row
    """

    def __init__(self, query_id: str, qrels: _Block, run: _Block):
        super().__init__()
        self.query_id = query_id
        self.judged, self.ranking = qrels.rows(), run.rows()
        self.relevance: list[float] = qrels.column(qrels.table.value)
        self.score: list[float] = run.column(run.table.value)
        self._qrels = qrels

    def beside(self, name: str) -> list[float]:
        """A column beside the judged rows (:data:`~ir_segmeasures.columns.EXTRAS`). ValueError if it has gaps."""
        table, places = self._qrels.table, self._qrels.places
        column = self._qrels.column(table.beside(name))
        for place, value in zip(places.tolist(), column):
            if isnan(value):
                raise table.no_value(name, place)
        return column


class _Block:
    """The rows of one query in a table."""

    def __init__(self, table: SegmentTable, places: Any):
        self.table, self.places = table, places

    def column(self, column: Any) -> list[float]:
        return column[self.places].tolist()

    def rows(self) -> list[Row]:
        table = self.table
        documents = [table.document_ids[i] for i in table.document[self.places].tolist()]
        paths = [None] * len(documents) if table.paths is None else [table.paths[i] for i in self.places.tolist()]
        return list(map(Row, documents, self.column(table.start), self.column(table.end), paths))


class RowEvaluator(Evaluator):
    """
    Scores runs with measures that look at rows. Every judged query has a value for every measure in every run.

    Args, Raises:
        as :class:`~ir_segmeasures.evaluator.SegmentEvaluator`; ``compute`` sees queries without relevant rows too
    """

    def __init__(self, measures: Iterable[Measure], qrels: Any, compute: Callable[[Any, RowTopic], float]):
        self._compute = compute
        self._qrels = SegmentTable.from_qrels(qrels, elements=True)
        order = np.argsort(self._qrels.query, kind='stable')
        bounds = np.searchsorted(self._qrels.query[order], np.arange(1, len(self._qrels.query_ids)))
        self._judged = [_Block(self._qrels, places) for places in np.split(order, bounds)]
        super().__init__(in_order(measures), self._qrels.query_ids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each measure for each judged query."""
        table = SegmentTable.from_run(run, elements=True)
        blocks = Match(self._qrels, table).blocks
        for query, query_id in enumerate(self.qrel_qids):
            topic = RowTopic(query_id, self._judged[query], _Block(table, np.arange(*blocks.get(query, (0, 0)))))
            for measure in self.measures:
                yield Metric(query_id, measure, float(self._compute(measure, topic)))
