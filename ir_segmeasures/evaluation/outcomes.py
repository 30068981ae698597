"""The questions and the answers of evaluators: the looks of a user on an axis, and the values that follow. It is light,
since importing a measure loads no table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ir_measures import Measure

from ir_segmeasures.segments.basics import quoted

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis
    from ir_segmeasures.segments.basics import Bools, Ints


class Walk(NamedTuple):
    """The looks of a user, of all queries, in order.

    Attributes:
        kind: the name of a look in explanations
        run: what is walked through
        query: the place of its query in the qrels
        rank: the rank of the item
        item: the item, its place in the columns of ``run``
        start: where the content that is found begins on the axis; None where a look is at no place
        end: where this content ends
        cost: the effort up to the end of the look, in the walk's own unit
        gain: what is found that is new, in the unit of ``total``
        total: for each query all there is to find
        beside: further columns of the walk, by name
        shown: (walk) → the columns that explanations print after rank, document, start and end
    """
    kind: str
    run: RunOnAxis
    query: Ints
    rank: Any
    item: Any
    start: Any
    end: Any
    cost: Any
    gain: Any
    total: Any
    beside: Mapping[str, Any] = {}
    shown: Callable[[Walk], Mapping[str, Any]] = lambda walk: {}

    def where(self, these: Bools | Ints) -> Walk:
        """Some of the looks."""
        columns = {name: column[these] for name, column in zip(self._fields[2:9], self[2:9]) if column is not None}
        return self._replace(**columns, beside={name: column[these] for name, column in self.beside.items()})

    def up_to(self, rank: float) -> Walk:
        """The looks at the first items of each ranking."""
        return self if not len(self.rank) or rank >= self.rank.max() else self.where(self.rank <= rank)


class Outcome(NamedTuple):
    """The values of a measure, and how they came about.

    Attributes:
        values: one for each query of the qrels; queries without relevant content are made 0 by the evaluator
        walk: the looks that the values are read off, where they can be explained
        columns: what the stop says of each look, after the walk's own columns
        sentence: (query) → the sentence that says how the value follows
    """
    values: Any
    walk: Walk | None = None
    columns: Mapping[str, Any] = {}
    sentence: Callable[[int], str] | None = None


def distinct_measures(measures: Iterable[Measure]) -> list[Measure]:
    """Each measure once, in the order given. The host gives a set, which has another order in every process: measures
    of a set are sorted by their names, so that tables are the same each time.

    Raises:
        TypeError: a measure as text
    """
    measures = measures if isinstance(measures, set) else list(measures)
    for measure in measures:
        if isinstance(measure, str):
            raise TypeError(f'the measure {quoted(measure)} is text, and evaluation takes measures: give '
                            f'ir_measures.parse_measure({quoted(measure)})')
    return sorted(measures, key=str) if isinstance(measures, set) else list(dict.fromkeys(measures))
