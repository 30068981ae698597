"""Stops: each turns a walk (walks.py) into one value a query, and says how.

A stop is a function of a walk and its parameters that gives an :class:`Outcome`. Where the value is a sum over the
looks, the column ``adds`` is the part of each look; explanations print the columns of the walk and of the
outcome, and the sentence.

Interpolated precision: the precision at a level of recall is the best one at this level or a higher one. AiSP, AiP
and AigP are means of it over equally spaced levels.

:func:`harmonic_difference` sums the reciprocals of consecutive whole numbers in constant time.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import at_place, running, share
from ir_segmeasures.evaluation.outcomes import Outcome as Outcome, Walk
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure
from ir_segmeasures.segments.basics import Bools, Floats, Ints

RECALL_TOLERANCE = 1e-9  # relative: recall levels, such as 0.68 of 75 spans, are the only floats that are compared


def lowest_reaching(threshold: Any) -> Any:
    """The lowest value that is taken to reach a threshold, for sums and products of decimals."""
    return threshold * (1 - RECALL_TOLERANCE)


def added(walk: Walk, parts: Any, sentence: Callable[[int, float], str], whole: Any = 1, **columns: Any) -> Outcome:
    """The outcome whose values are the sums of the parts over the looks, divided by a whole, which is a number or has
    one for each query. ``sentence`` takes the query and its value."""
    values = share(at_place(parts, walk.query, len(walk.total)), whole)
    adds = share(parts, np.asarray(whole)[walk.query] if np.ndim(whole) else whole)
    return Outcome(values, walk, {**columns, 'adds': adds}, lambda query: sentence(query, values[query]))


def mean_of(run: RunOnAxis, kind: str, values: Any, things: str, **column: Any) -> Outcome:
    """The outcome whose values are the means over some things, such as users, of which a column has one value each.

    Args:
        run: of whose queries they are
        kind: the name of a step
        values: of each thing, the values for all queries
        things: what the sentence calls them
        column: names each thing
    """
    number = len(values)
    query, thing = np.divmod(np.arange(run.queries * number), number)
    value = np.array(values)[thing, query]
    walk = Walk(kind, run, query, None, None, None, None, None, None, run.R)
    return added(walk, value / number, lambda query, mean: f'The mean over {number} {things} is {mean:.4f}.',
                 **{name: each[thing] for name, each in column.items()}, value=value)


def counted(number: Any, noun: str) -> str:
    """Such as '1 document' or '2 documents'."""
    return f'{number} {noun}' if number == 1 else f'{number} {noun}s'


def first_ones(walk: Walk) -> Bools:
    """Tells whether each look is the first at its item."""
    new = np.ones(len(walk.query), bool)
    new[1:] = (np.diff(walk.query) != 0) | (np.diff(walk.rank) != 0)
    return new


def hits_so_far(walk: Walk) -> Ints:
    """For each look, how many items up to its rank have looks."""
    return running(first_ones(walk).astype(np.int64), walk.query)


def average_precision(walk: Walk, summed_are: Callable[[int], str]) -> Outcome:
    """Every look is credited with the share of hits among the items up to its rank; the sum is divided by all there is
    to find. ``summed_are`` (query) names what is summed: 'The precisions where they are found'."""
    hits = hits_so_far(walk)
    precision = hits / walk.rank
    summed = at_place(precision, walk.query, len(walk.total))
    return added(walk, precision, lambda query, value: (
        f'{summed_are(query)} sum to {summed[query]:.4f}, and {summed[query]:.4f} / {walk.total[query]} = '
        f'{value:.4f}.'), walk.total, hits=hits, precision=precision)


def at_rank(walk: Walk, k: int, sentence: str) -> Outcome:
    """The share of the first k items that have looks. ``sentence`` goes on after their number, '2 of the first 5
    items'."""
    walk = walk.up_to(k)
    hits, new = hits_so_far(walk), first_ones(walk)
    count = np.bincount(walk.query[new], minlength=len(walk.total))
    return added(walk, new * 1, lambda query, value: f'{count[query]} of the first {k} items {sentence}: {value:.4f}.',
                 k, hits=hits, precision=hits / walk.rank)


def recall_at(walk: Walk, k: float, sentence: str) -> Outcome:
    """The share of all there is to find that is found at the first k items. ``sentence`` goes before the value."""
    walk = walk.up_to(k)
    return added(walk, walk.gain, lambda query, value: f'{sentence} {value:.4f}.', walk.total)


def best_from_here(precision: Any, query: Ints) -> Any:
    """For each look the greatest precision of it and all later ones of its query."""
    order = np.argsort(precision, kind='stable')
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    number = (int(query.max(initial=0)) - query) * max(1, len(order)) + place  # a query's own are the greatest so far
    best = np.maximum.accumulate(number[::-1])[::-1] % max(1, len(order))
    return precision[order[best]]


class InterpolatedMeasure(SpanMeasure):
    """A measure of interpolated precision: at a level of recall the best precision of all looks that reach it counts,
    and 0 where none does."""
    SEEN: str  # begins the sentence on what is found: 'The user sees'

    def precision(self, walk: Walk) -> Any:
        """The precision after each look."""
        return running(walk.gain, walk.query) / walk.cost

    def seen(self, walk: Walk) -> Callable[[int], str]:
        """(query) → the sentence that says how much is found."""
        found, whole = (walk.run.units(ticks) for ticks in (
            at_place(walk.gain, walk.query, len(walk.total)), walk.run.T_rel))
        return lambda query: f'{self.SEEN} {found[query]:.6g} of {whole[query]:.6g} relevant.'

    def averaged(self, run: RunOnAxis, levels: int, reached: Callable[[Floats], Any], sentence: str) -> Outcome:
        """The outcome for some levels, of which ``reached`` (recall) tells how many are reached after each look.
        ``sentence`` goes before the value."""
        walk = self.walk(run)
        seen, first = self.seen(walk), np.flatnonzero(np.diff(walk.query, prepend=-1))
        number = reached(running(walk.gain, walk.query) / walk.total[walk.query]).astype(np.int64)
        new = np.diff(number, prepend=0)
        new[first] = number[first]
        best = best_from_here(self.precision(walk), walk.query)
        return added(walk, new * best, lambda query, value: f'{seen(query)} {sentence} {value:.4f}.', levels,
                     levels=new, best=best)


class AtLevel(InterpolatedMeasure):
    """Interpolated precision at one level of recall, which stands behind ``@``."""
    HIGHEST: str  # what is the highest at the level, in the sentence

    def outcome(self, run: RunOnAxis) -> Outcome:
        level = self[self.AT_PARAM]
        return self.averaged(run, 1, lambda recall: recall >= lowest_reaching(level),
                             f'The highest {self.HIGHEST} where recall is {level:g} or more is')


class OverLevels(InterpolatedMeasure):
    """Interpolated precision averaged over equally spaced levels of recall."""
    HIGHEST: tuple[str, str, str]  # what counts at a level, the steps that have it, and one of these, in the sentence

    def outcome(self, run: RunOnAxis) -> Outcome:
        levels, (precision, steps, step) = self['points'] if 'points' in self.SUPPORTED_PARAMS else 101, self.HIGHEST
        zero = self.params.get('zero', True)  # whether the first level is 0
        last = (levels - 1 if zero else levels) * (1 + RECALL_TOLERANCE)
        return self.averaged(run, levels, lambda recall: np.floor(recall * last) + zero, (
            f'At each of {levels} recall levels the highest {precision} of the {steps} that reach the level counts, '
            f'and 0 where no {step} reaches it. The mean is'))


_EXACT = 16  # from here on the expansion is exact to double precision


def harmonic_difference(d: Any, L: Any) -> Any:
    """Return ``H(d + L) - H(d) = Σ_{i=1..L} 1 / (d + i)`` for whole d and L, numbers or arrays, with H the harmonic
    numbers.

    Examples:
        >>> from ir_segmeasures.measures.stops import harmonic_difference
        >>> round(float(harmonic_difference(2, 2)), 6)  # 1/3 + 1/4
        0.583333
    """
    d, L = np.asarray(d, float), np.asarray(L, float)
    total = np.zeros(np.broadcast(d, L).shape)
    for _ in range(_EXACT):
        by_hand = (d < _EXACT) & (L > 0)
        if not by_hand.any():
            break
        d, L = d + by_hand, L - by_hand
        total += by_hand / np.maximum(d, 1)
    d, rest = np.maximum(d, 1), np.maximum(L, 0)
    return total + np.log1p(rest / d) + np.where(rest > 0, _harmonic(d + rest) - _harmonic(d), 0)


def _harmonic(n: Any) -> Any:
    # H(n) without the constant and log(n): the expansion of digamma(n + 1) at infinity.
    s = 1 / (n * n)
    return 1 / (2 * n) - s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s / 132))))
