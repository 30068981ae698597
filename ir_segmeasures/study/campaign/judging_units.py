"""Judging units: the rows of a pool, who returned them, and what they cost."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.spans import Spans, merged_spans, plain_numbers
from ir_segmeasures.segments.tables.rows import Rows
from ir_segmeasures.study.campaign.layers import Groups, Judgement, spans_at

__all__ = ['JudgingUnit', 'Pool', 'PoolCost']


class JudgingUnit(NamedTuple):
    """A stretch of a document that is judged for a query.

    Attributes:
        query_id: the query
        doc_id: the id of the stretch as a segment; of bare columns, which have no unit, the id of the document
        start, end: half-open, in the unit of the runs
        context_start, context_end: what is shown with it, from ``start`` less the margin to ``end`` and the margin
        ranks: name of a run → the ranks of its results that share content with the unit (of a pool as returned: that
            are the unit), from the best; runs that returned nothing of it are left out
    """
    query_id: str
    doc_id: str
    start: float
    end: float
    context_start: float
    context_end: float
    ranks: Mapping[str, list[int]]


class PoolCost(NamedTuple):
    """The cost of a pool, or of the units in it that a run returned.

    Attributes:
        run: the name of the run; None for the whole pool
        units: the number of units, of a run of those that it returned
        alone: the number of units that no other run returned; None for the whole pool
        length: the length of all these units, in the unit of positions
        hours: the same in hours; None where positions are no seconds
        share: the content of these units, for each query of the pool, as a share of the collection, in [0, 1]; None
            where the lengths of its documents are not known
    """
    run: str | None
    units: int
    alone: int | None
    length: float
    hours: float | None
    share: float | None


class Pool(Sequence[JudgingUnit]):
    """A pool: its units, query by query in the order in which they are judged.

    :func:`~ir_segmeasures.study.pool` makes it.

    Attributes:
        runs: the names of the runs
    """

    def __init__(self, runs: list[str], groups: Groups, spans: Spans, context: Sequence[Floats], returns: Ints,
                 collection: float | None) -> None:
        """Keeps the columns of a pool.

        Args:
            runs: the names of the runs
            groups: the documents of queries
            spans: the units
            context: where the context of each unit starts and ends
            returns: unit, run and rank of each result in each unit, sorted, as three rows
            collection: the length of all documents of the collection, once for each query, if it is known
        """
        self.runs = runs
        self._groups, self._spans, self._context = groups, spans, context
        self._returns, self._collection = returns, collection
        self._bounds = np.searchsorted(returns[0], np.arange(len(spans.group) + 1))

    def __len__(self) -> int:
        return len(self._spans.group)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        ranks: dict[str, list[int]] = {}
        for run, rank in self._returns[1:, self._bounds[place]:self._bounds[place + 1]].T.tolist():
            ranks.setdefault(self.runs[run], []).append(rank)
        return JudgingUnit._make([*(column[place] for column in self._columns), ranks])

    def __iter__(self) -> Iterator[JudgingUnit]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        return f'<{type(self).__name__} of {len(self)} units from {len(self.runs)} runs>'

    @cached_property
    def _columns(self) -> list[list[Any]]:
        group, start, end = self._spans
        query_ids = [self._groups.query_ids[query] for query in self._groups.query[group].tolist()]
        return [query_ids, self._groups.ids(group, start, end), *map(plain_numbers, (start, end, *self._context))]

    def judgements(self, relevance: float = -1) -> Rows[Judgement]:
        """The units as qrels with one relevance, by default -1, which TREC's pools have where nothing is judged."""
        return Rows(Judgement, [*self._columns[:4], [relevance] * len(self)])

    def costs(self) -> list[PoolCost]:
        """The costs of the pool, first as a whole, then for each run."""
        unit, run = self._returns[:2]
        first = np.ones(len(unit), bool)
        first[1:] = (unit[1:] != unit[:-1]) | (run[1:] != run[:-1])
        unit, run = unit[first], run[first]
        others = np.bincount(unit, minlength=len(self))
        costs = [self._cost(None, np.arange(len(self)), None)]
        for number, name in enumerate(self.runs):
            mine = unit[run == number]
            costs.append(self._cost(name, mine, int((others[mine] == 1).sum())))
        return costs

    def _cost(self, run: str | None, units: Ints, alone: int | None) -> PoolCost:
        spans = spans_at(self._spans, units)
        length = float((spans.end - spans.start).sum())
        timed = bool((self._groups.unit[self._spans.group] == UNITS.index('t')).all())
        share = None
        if self._collection:
            content = merged_spans(*spans)  # units as returned may overlap
            share = float((content.end - content.start).sum()) / self._collection
        return PoolCost(run, len(units), alone, length, length / 3600 if timed else None, share)
