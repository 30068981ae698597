"""The tolerance-to-irrelevance (T2I) user: de Vries, Kazai, Lalmas. Tolerance to Irrelevance: A User-effort Oriented
Evaluation of Retrieval Systems without Predefined Retrieval Unit. RIAO 2004, section 4.

The user takes the items in rank order and looks only at their entry points. From position ``p`` the user goes on while
unseen relevant content begins within the tolerance ``tau``; content that has been seen before is irrelevant.
:func:`found_spans` is that walk. The measures of t2i.py and of search_length.py are read off it.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import fsum, inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import FINEST, REL, Flag, Number, SpanMeasure
from ir_segmeasures.measures.rounding import TOLERANCE
from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.spans import ordered_pairs

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['FoundSpans', 'T2IMeasure', 'T2I_USER', 'Tolerance', 'found_ranks', 'found_spans', 'places', 'tolerances',
           'wastes', 'within_tolerance']

_ULPS = 4 * 2 ** -52  # what a difference of two positions may be off by, as a share of them
_RANGE = re.compile(r'(\d+(?:\.\d+)?):(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)')
_MOST_USERS = 10_000


class Tolerance(Number):
    """The parameter ``tau``: the tolerance of a user, or of a population of users as ``'low:high:step'``."""

    def __init__(self, **bounds: Any):
        super().__init__('tolerance to irrelevance, in the unit of the medium (seconds, characters, words)', default=15,
                         **bounds)
        self.rule += (", or '5:60:5' for the mean over users with 5, 10, … 60 "
                      f'(low:high:step in plain decimals, step > 0, at most {_MOST_USERS:,} users)')

    def validate(self, value: Any) -> bool:
        return bool(tolerances(value)) and super().validate(tolerances(value)[0]) if isinstance(value, str) \
            else super().validate(value)


def tolerances(population: str) -> list[float]:
    """The tolerances of ``'low:high:step'``, in exact decimals; an empty list if the text is no such range.

    Examples:
        >>> from ir_segmeasures.measures.t2i_user import tolerances
        >>> tolerances('5:20:5')
        [5.0, 10.0, 15.0, 20.0]
    """
    written = _RANGE.fullmatch(population)
    low, high, step = map(Fraction, written.groups()) if written else (0, 0, 0)
    if not step or not 0 <= (high - low) / step < _MOST_USERS:
        return []
    return [float(low + i * step) for i in range(int((high - low) / step) + 1)]


T2I_USER = {
    'tau': Tolerance(low=FINEST),
    'keepviewing': Flag('whether the user goes on after a relevant span, with a fresh tolerance', default=False),
    'init': Number('start-up effort of every item, in the unit of tau; only ESD sums it', low=0, default=0),
    'rel': REL,
}


class FoundSpans(NamedTuple):
    """The spans that the user finds, of all queries, in order, as arrays.

    Attributes:
        item: the item (``run.candidate_items``) from which the user finds each span
        place: the place of the span in ``relevant.starts``
        bounds: where the spans of each query begin, and those of the last query end
    """
    item: Ints
    place: Ints
    bounds: list[int]


def within_tolerance(gap: float, start: float, tau: float) -> bool:
    """Whether relevant content that begins ``gap`` after the position ``start`` is found (below 0: is entered)."""
    return gap <= 0 or gap < tau * (1 - TOLERANCE) - _ULPS * start


def found_spans(run: RunItems, tau: float, keepviewing: bool) -> FoundSpans:
    """The spans that the user finds.

    The walk equals this loop over the items by rank (tests/reference.py holds it against such a loop)::

        while True:
            span = the first unseen span [a, b) of the item's document with b > p, if there is one
            if not (a <= p or a - p < tau):
                break                       # the tolerance runs out
            find the span, and take it as seen
            if not keepviewing:
                break
            p = b
    """
    items, limit = run.candidate_items, tau * (1 - TOLERANCE)
    spans = run.relevant.spans
    gap = spans.start[items.first] - items.start
    finding = np.flatnonzero((gap <= 0) | (gap < limit - _ULPS * items.start))  # the others find none at all
    finding = finding[_neighbours_together(run, items.first[finding], tau, keepviewing)]
    starts, ends = run.relevant.starts, run.relevant.ends
    n = len(starts)
    # Of each span: itself, or one after it once it is seen (union-find; written out, since a call would cost as much
    # as the step).
    unseen = list(range(n))
    found = array('q')  # n times the item, plus the span
    columns = n * finding, items.start[finding], items.place[finding]
    # Arrays of Python: an object for each of their numbers would drive the spans out of the processor's cache.
    for number, position, first in zip(*(array(column.dtype.char, column.tobytes()) for column in columns)):
        i = first
        while True:
            while unseen[i] != i:
                unseen[i] = i = unseen[unseen[i]]
            if i != first:  # which is within the tolerance
                ahead = starts[i] - position
                if ahead > 0 and ahead >= limit - _ULPS * position:
                    break
            found.append(number + i)
            unseen[i] = i + 1
            if not keepviewing:
                break
            position = ends[i]
    item, place = np.divmod(np.sort(found), n)  # the spans found from an item come in the order of their places
    return FoundSpans(item, place, np.searchsorted(item, items.bounds).tolist())


def found_ranks(run: RunItems, tau: float, keepviewing: bool) -> list[list[int]]:
    """For each query, the ranks of the items from which the user finds spans, once for each span."""
    found = run.cached(found_spans, tau, keepviewing)
    ranks = run.candidate_items.rank[found.item].tolist()
    return [ranks[low:high] for low, high in pairwise(found.bounds)]


def wastes(run: RunItems, tau: float, keepviewing: bool) -> list[list[float]]:
    """For each query, the effort wasted on the way to each span: ``max(0, a - p)``, with a the start of the span and p
    the start of the item, or the end of the span that the user found before from this item.
    """
    item, place, bounds = run.cached(found_spans, tau, keepviewing)
    items, spans = run.candidate_items, run.relevant.spans
    span = place - items.group[item]  # in relevant.starts an infinite span closes each document
    position = items.start[item]
    again = np.flatnonzero(item[1:] == item[:-1])
    position[again + 1] = spans.end[span[again]]
    waste = np.maximum(spans.start[span] - position, 0).tolist()
    return [waste[low:high] for low, high in pairwise(bounds)]


def places(run: RunItems, tau: float, keepviewing: bool) -> list[list[int]]:
    """For each query, the places of the spans found in ``relevant.starts``."""
    found = run.cached(found_spans, tau, keepviewing)
    place = found.place.tolist()
    return [place[low:high] for low, high in pairwise(found.bounds)]


def _neighbours_together(run: RunItems, first: Ints, tau: float, keepviewing: bool) -> Ints:
    """An order of items in which all that may find the same span keep their order, and stand together: so that of many
    spans those that are looked at stay in the processor's cache.

    ``first`` is for each item the first span that ends after its start.
    """
    group, start, end = run.relevant.spans
    near = start[1:] - run.cached(_last_starts)[:-1] < tau
    if keepviewing:
        near |= start[1:] - end[:-1] < tau
    part = np.zeros(len(start), np.min_scalar_type(len(start)))
    np.cumsum(~(near & (group[1:] == group[:-1])), out=part[1:])
    return np.argsort(part[first], kind='stable')  # of short integers a radix sort


def _last_starts(run: RunItems) -> Floats:
    """For each span, the last start in its document of an item before its end, or -inf."""
    group, items = run.relevant.spans.group, run.candidate_items
    last = np.full(len(group), -inf)
    np.maximum.at(last, items.first, items.start)
    return np.maximum.accumulate(ordered_pairs(group, last)).imag


def timeouts(rank: Any, found: Any, keepviewing: bool) -> Any:
    """How often the tolerance runs out in the items before ``rank``, where the user finds ``found`` spans: with
    ``keepviewing`` once in each item, else in each item but those that the user leaves at a span. Numbers or arrays.
    """
    return rank - 1 if keepviewing else rank - 1 - found


class T2IMeasure(SpanMeasure):
    """A measure of this user. With a population in ``tau``, it is the mean of the values for the users."""
    CONTENT = False

    @cached_property
    def users(self) -> list[T2IMeasure]:
        """The measure for each user of the population."""
        return [self(tau=tau) for tau in tolerances(self['tau'])] if isinstance(self['tau'], str) else [self]

    def check(self) -> None:
        for user in self.users:
            user.check_user()

    def check_user(self) -> None:
        """Raise a ValueError for values that are right each alone, but not together."""

    def compute(self, topic: Topic) -> float:
        users = self.users
        return fsum([user.user_value(topic) for user in users]) / len(users) if len(users) > 1 else (
            users[0].user_value(topic))

    def user_value(self, topic: Topic) -> float:
        """The value for the one user with the tolerance ``tau``."""
        raise NotImplementedError

    def steps(self, topic: Topic) -> Steps:
        if len(self.users) == 1:
            return self.user_steps(topic)
        from ir_segmeasures.measures.steps import UserValue, make_steps  # imported when it is needed
        n = len(self.users)
        values = [user.user_value(topic) for user in self.users]
        rows = [(user['tau'], value, value / n) for user, value in zip(self.users, values)]
        return make_steps(UserValue, rows, f'The mean over {n} users is {fsum(values) / n:.4f}.')

    def user_steps(self, topic: Topic) -> Steps:
        """The steps of the one user with the tolerance ``tau``."""
        raise NotImplementedError

    def ranks(self, topic: Topic) -> list[int]:
        """The ranks up to the cut-off from which the user finds spans, once for each span."""
        ranks = topic.computed_on_run(found_ranks, self['tau'], self['keepviewing'])
        return ranks if self.cutoff >= topic.n else ranks[:bisect_right(ranks, self.cutoff)]

    def wastes(self, topic: Topic) -> list[float]:
        """The effort wasted on the way to each span that the user finds, also after the cut-off."""
        return topic.computed_on_run(wastes, self['tau'], self['keepviewing'])

    def timeouts(self, rank: int, found: int) -> int:
        """How often the tolerance runs out in the items before ``rank``, where the user finds ``found`` spans."""
        return timeouts(rank, found, self['keepviewing'])

    def finds(self, topic: Topic) -> list[tuple[int, str, float, float, float, int]]:
        """The spans found: rank, document, start, end, waste and timeouts before."""
        spans = map(topic.span, topic.computed_on_run(places, self['tau'], self['keepviewing']))
        return [(rank, topic.document_id(rank), *span, waste, self.timeouts(rank, before))
                for before, (rank, span, waste) in enumerate(zip(self.ranks(topic), spans, self.wastes(topic)))]

    def find_steps(self, topic: Topic, sentence: str) -> Steps:
        """The spans found, as steps."""
        from ir_segmeasures.measures.steps import Find, make_steps  # imported when it is needed
        return make_steps(Find, self.finds(topic), f'{self.sentence(topic)} {sentence}')

    def sentence(self, topic: Topic) -> str:
        """The sentence that begins those about the steps."""
        spans = f'{topic.R} relevant span' if topic.R == 1 else f'{topic.R} relevant spans'
        return f'The user finds {len(self.ranks(topic))} of {spans}.'
