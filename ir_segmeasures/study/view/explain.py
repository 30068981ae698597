"""How the values of measures came about: the steps of the walks that they are read off, as columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ir_segmeasures.measures.agp import by_content, document_score
from ir_segmeasures.measures.aisp import watched
from ir_segmeasures.measures.base import TOLERANCE
from ir_segmeasures.measures.t2i import Viewed, view

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.base import SegmentMeasure, SpanMeasure

__all__ = ['Explanation', 'Find', 'explain', 'finds', 'tolerance']

Columns = dict[str, list[Any]]


class Explanation(NamedTuple):
    """How a value came about.

    Attributes:
        kind: ``'t2i'`` (a row for each span found), ``'users'`` (each user of a population), ``'watch'`` (each stretch
            of new relevant content) or ``'documents'`` (each retrieved document with relevant content)
        columns: the steps, one list a column; ``adds`` is how much of the value each is, where it is a sum of them
        sentence: how the value follows from them
    """
    kind: str
    columns: Columns
    sentence: str


class Find(NamedTuple):
    """A span that the T2I user finds: at which rank, where it lies in the topic, and the effort wasted before it."""
    rank: int
    start: float
    end: float
    waste: float


def explain(measure: SpanMeasure, topic: Topic, documents: Sequence[int]) -> Explanation | None:
    """How the value of a measure came about for a query with relevant spans, or None for measures without such a walk,
    and for the numbers of an official program.

    Args:
        documents: the documents of the ranking, each once, in order of rank
    """
    if 'tool' in measure.params:
        return None
    family = next((family for name, family in _FAMILIES.items() if name in measure.SUPPORTED_PARAMS), None)
    return family(measure, topic, documents) if family else None


def tolerance(measure: SegmentMeasure) -> float | None:
    """The tolerance of the one T2I user that a measure asks for, or None."""
    if not isinstance(measure, Viewed) or 'keepviewing' not in measure.SUPPORTED_PARAMS or 'tool' in measure.params:
        return None
    user, *others = measure.users
    return None if others else float(user['tau'])


def finds(topic: Topic, tau: float, keepviewing: bool) -> list[Find]:
    """The spans that the T2I user finds, in order (:func:`ir_segmeasures.measures.t2i.view`)."""
    place = dict(zip(topic.items.rank, range(len(topic.items.rank))))
    found: list[Find] = []
    for rank, waste in topic.of_run(view, tau, keepviewing):
        i = place[rank]
        again = bool(found) and found[-1].rank == rank
        position, span = found[-1].end if again else topic.items.start[i], topic.items.ahead[i]
        while topic.ends[span] <= position + waste:
            span += 1
        found.append(Find(rank, topic.starts[span], topic.ends[span], waste))
    return found


def _t2i(measure: SpanMeasure, topic: Topic, documents: Sequence[int]) -> Explanation:
    if isinstance(measure, Viewed) and len(measure.users) > 1:
        columns: Columns = {'tau': [user['tau'] for user in measure.users],
                            'value': [user.compute(topic) for user in measure.users]}
        mean = f'{measure.compute(topic):.4f}'
        return Explanation('users', columns, f'The mean over {len(measure.users)} users is {mean}.')
    tau, cutoff = tolerance(measure), measure.params.get('cutoff', inf)
    found = [find for find in finds(topic, tau or 0, measure['keepviewing']) if find.rank <= cutoff]
    hits: list[int] = []
    for i, find in enumerate(found):
        hits.append(1 if not i else hits[-1] + (find.rank > found[i - 1].rank))
    precision = [hit / find.rank for hit, find in zip(hits, found)]
    columns = {**_columns(Find, found), 'hits': hits, 'precision': precision}
    value = measure.compute(topic)
    sentence = f'The user finds {len(found)} of {_count(topic.R, "relevant span")}.'
    if measure.NAME == 'T2I_AP':
        columns['adds'] = [share / topic.R for share in precision]
        sentence += (f' The precisions where they are found sum to {sum(precision):.4f}, and '
                     f'{sum(precision):.4f} / {topic.R} = {value:.4f}.')
    elif measure.NAME == 'P_tol':
        sentence += f' {_count(hits[-1] if hits else 0, "hit")} in {cutoff} items: {value:.4f}.'
    return Explanation('t2i', columns, sentence)


def _watched(measure: SpanMeasure, topic: Topic, documents: Sequence[int]) -> Explanation:
    stretches = topic.of_run(watched, measure['user'])
    n = np.searchsorted(stretches.rank, measure.params.get('cutoff', inf), 'right')
    rank, V, W = stretches.rank[:n], stretches.V[:n], stretches.W[:n]
    precision = V / W
    columns: Columns = {name: column.tolist() for name, column in (
        ('rank', rank), ('V', V), ('W', W), ('recall', V / topic.T_rel),
        ('precision', precision), ('best', np.maximum.accumulate(precision[::-1])[::-1]))}
    seen = columns['V'][-1] if columns['V'] else 0
    sentence = f'The user sees {seen:.6g} of {topic.T_rel:.6g} relevant.'
    if measure.NAME == 'AiSP':
        columns['adds'] = _shares(columns['V'], columns['precision'], topic.T_rel, measure['points'])
        sentence += (f' At {measure["points"]} recall points the best V/W from there on counts, 0 beyond the last: '
                     f'their mean is {measure.compute(topic):.4f}.')
    elif measure.NAME == 'iSP':
        sentence += f' The best V/W where recall is {measure["recall"]:g} or more is {measure.compute(topic):.4f}.'
    return Explanation('watch', columns, sentence)


def _shares(V: list[float], precision: list[float], T_rel: float, levels: int) -> list[float]:
    """How much of AiSP each stretch is: its V/W, at the recall points where no later one is better."""
    shares = [0.0] * len(V)
    reach = [-1, *(int(value * (levels - 1) / T_rel * (1 + TOLERANCE)) for value in V)]
    best, whose = 0.0, 0  # from here on
    for i in reversed(range(len(V))):
        if precision[i] > best:
            best, whose = precision[i], i
        shares[whose] += best * (reach[i + 1] - reach[i]) / levels
    return shares


def _documents(measure: SpanMeasure, topic: Topic, documents: Sequence[int]) -> Explanation:
    score, beta = measure['score'], measure['beta']
    recall = measure['recall'] if 'recall' in measure.SUPPORTED_PARAMS else 'docs'
    recalled = topic.once(by_content, score, beta, recall).up_to(measure.params.get('cutoff', inf))
    lengths = *topic.parts, topic.in_context.relevant
    ranks = recalled.rank.tolist()
    columns: Columns = {
        'rank': ranks,
        'document': [documents[rank - 1] for rank in ranks],
        **{name: document_score(*lengths, name, beta)[:len(ranks)].tolist() for name in 'PRF'},
        'gP': recalled.gP.tolist(),
        'weight': recalled.gain.tolist(),
    }
    sentence = f'{len(ranks)} of {_count(topic.Nrel, "document")} with relevant content retrieved.'
    if measure.NAME == 'AgP' and not measure['scaled']:
        columns['adds'] = (recalled.gP * recalled.gain).tolist()
        sentence += f' The sum of gP · weight over them is {measure.compute(topic):.4f}.'
    return Explanation('documents', columns, sentence)


# A family is known by the parameter that its walk takes.
_FAMILIES: dict[str, Callable[[Any, Any, Sequence[int]], Explanation]] = {
    'keepviewing': _t2i,
    'user': _watched,
    'score': _documents,
}


def _columns(row_type: Any, rows: Sequence[Any]) -> Columns:
    return {name: [getattr(row, name) for row in rows] for name in row_type._fields}


def _count(n: int, noun: str) -> str:
    return f'{n} {noun}' if n == 1 else f'{n} {noun}s'
