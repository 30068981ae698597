"""The tolerance-to-irrelevance (T2I) user: de Vries, Kazai, Lalmas. Tolerance to Irrelevance: A User-effort Oriented
Evaluation of Retrieval Systems without Predefined Retrieval Unit. RIAO 2004, sections 4 and 5.

The user takes the items in rank order and looks only at their entry points. From position ``p`` the user goes on while
unseen relevant content begins within the tolerance ``tau``; what has been seen before is irrelevant. :func:`view` is
that walk, and all measures of the family are read off it; those of a search that goes on after the ranking (ESL, ESLRF,
ESD, Precall) stand in search.py.
"""

import re
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import fsum, inf, isclose
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.measures.base import (
    CUTOFF,
    FINEST,
    REL,
    TOLERANCE,
    Choice,
    Flag,
    Number,
    SpanMeasure,
    register,
    required,
)
from ir_segmeasures.measures.passage import harmonic_difference
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import ordered_pairs

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.segments.spans import Floats, Ints

__all__ = ['T2I_AP', 'T2I_MAP', 'AP_tol', 'MAP_tol', 'P_tol', 'Judged_tol', 'T2I_P']

_ULPS = 4 * 2 ** -52  # what a difference of two positions may be off by, as a share of them
_RANGE = re.compile(r'(\d+(?:\.\d+)?):(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)')
_FEW = 1000  # terms that are added one by one
_MOST_USERS = 10_000


class Tolerance(Number):
    """The tolerance ``tau`` of a user, or those of a population of users as ``'low:high:step'``."""

    def __init__(self, **bounds: Any):
        super().__init__('tolerance to irrelevance, in the unit of the medium (seconds, characters, words)', default=15,
                         **bounds)
        self.rule += (", or '5:60:5' for the mean over users with 5, 10, … 60 "
                      f'(low:high:step in plain decimals, step > 0, at most {_MOST_USERS:,} users)')

    def validate(self, value: Any) -> bool:
        return bool(taus(value)) and super().validate(taus(value)[0]) if isinstance(value, str) \
            else super().validate(value)


def taus(population: str) -> list[float]:
    """The tolerances of ``'low:high:step'``, exact decimals, both ends in if they are hit; none if it is no such."""
    written = _RANGE.fullmatch(population)
    low, high, step = map(Fraction, written.groups()) if written else (0, 0, 0)
    if not step or not 0 <= (high - low) / step < _MOST_USERS:
        return []
    return [float(low + i * step) for i in range(int((high - low) / step) + 1)]


USER = {
    'tau': Tolerance(low=FINEST),
    'keepviewing': Flag('whether the user goes on after a relevant span, with a fresh tolerance', default=False),
    'init': Number('start-up effort of every item, in the unit of tau; only ESD sums it', low=0, default=0),
    'rel': REL,
}


# A span found: at which rank, and the effort wasted on the way to it, since the item's start or the span before.
Found = tuple[int, float]


def view(run: 'RunItems', tau: float, keepviewing: bool) -> list[list[Found]]:
    """The spans that the user finds, for each query, in order.

    At position ``p``, of the unseen spans ``[a, b)`` with ``b > p``, the first is found if ``a <= p`` or
    ``a - p < tau``, at a waste of ``max(0, a - p)``. Otherwise the tolerance runs out. With ``keepviewing`` the user
    goes on from ``b``.
    """
    items, limit = run.ahead, tau * (1 - TOLERANCE)
    waste = run.relevant.spans.start[items.first] - items.start
    some = np.flatnonzero((waste <= 0) | (waste < limit - _ULPS * items.start))  # the others find none at all
    some = some[_neighbours_together(run, items.first[some], tau, keepviewing)]
    starts, ends = run.relevant.starts, run.relevant.ends
    # Of each span: itself, or one after it once it is seen (union-find; written out, since a call would cost as much
    # as the step).
    unseen = list(range(len(starts)))
    finders, wasted = [], []
    for item, position, i in zip(some.tolist(), items.start[some].tolist(), items.place[some].tolist()):
        while True:
            while unseen[i] != i:
                unseen[i] = i = unseen[unseen[i]]
            gap = starts[i] - position
            if gap > 0 and gap >= limit - _ULPS * position:
                break
            finders.append(item)
            wasted.append(gap if gap > 0 else 0)
            unseen[i] = i + 1
            if not keepviewing:
                break
            position = ends[i]
    finder = np.array(finders, np.intp)
    order = np.argsort(finder, kind='stable')
    finder = finder[order]
    found = list(zip(items.rank[finder].tolist(), np.array(wasted, float)[order].tolist()))
    return [found[low:high] for low, high in pairwise(np.searchsorted(finder, items.bounds).tolist())]


def _neighbours_together(run: 'RunItems', first: 'Ints', tau: float, keepviewing: bool) -> 'Ints':
    """An order of items in which all that may find the same span keep theirs, and stand together: so that of many spans
    those that are looked at stay in the processor's cache.

    ``first`` is for each item the first span that ends after its start.
    """
    group, start, end = run.relevant.spans
    near = start[1:] - run.once(_last_starts)[:-1] < tau
    if keepviewing:
        near |= start[1:] - end[:-1] < tau
    part = np.zeros(len(start), np.min_scalar_type(len(start)))
    np.cumsum(~(near & (group[1:] == group[:-1])), out=part[1:])
    return np.argsort(part[first], kind='stable')  # of short integers a radix sort


def _last_starts(run: 'RunItems') -> 'Floats':
    """For each span, the last start in its document of an item before its end, or -inf."""
    group, items = run.relevant.spans.group, run.ahead
    last = np.full(len(group), -inf)
    np.maximum.at(last, items.first, items.start)
    return np.maximum.accumulate(ordered_pairs(group, last)).imag


class Viewed(SpanMeasure):
    """What the measures of this user share. With a population in ``tau`` each is the mean of its values for the
    users."""
    CONTENT = False

    @cached_property
    def users(self) -> 'list[Viewed]':
        """The measure for each user of the population."""
        return [self(tau=tau) for tau in taus(self['tau'])] if isinstance(self['tau'], str) else [self]

    def check(self) -> None:
        for user in self.users:
            user.check_user()

    def check_user(self) -> None:
        """Raise a ValueError for values that are right each alone, but not together."""

    def compute(self, topic: 'Topic') -> float:
        return fsum(user.of_user(topic) for user in self.users) / len(self.users)

    def of_user(self, topic: 'Topic') -> float:
        """The value for the one user with the tolerance ``tau``."""
        raise NotImplementedError

    def _view(self, topic: 'Topic') -> list[Found]:
        found, cutoff = topic.of_run(view, self['tau'], self['keepviewing']), self.params.get('cutoff', inf)
        return found if cutoff >= topic.n else [(rank, gap) for rank, gap in found if rank <= cutoff]

    def _timeouts(self, rank: int, found: int) -> int:
        """How often the tolerance has run out in the items before ``rank``, where the user found so many spans: in
        each item but those that were left at a span."""
        return rank - 1 if self['keepviewing'] else rank - 1 - found


class _T2I_AP(Viewed):
    """Average precision for the user with a tolerance to irrelevance (T2I-MAP, MAP-tol). An item at which the user
    finds an unseen relevant span is a hit, and each span is credited with the precision at that rank.

    ``T2I_AP = (1/R) · Σ_k n_k · hits_k / k``, with n_k the spans found at item k (at most one without ``keepviewing``),
    hits_k the items up to k that found any, and R the number of relevant spans.

    Range [0, 1], higher is better. Unit of tau: that of the medium. Source: de Vries, Kazai & Lalmas 2004, section 4;
    as MAP-tol in Aly et al. 2013. The credit per span is this project's choice; without ``keepviewing`` it is plain AP.

    .. cite.dblp:: conf/riao/VriesKL04
    """
    __name__ = 'T2I_AP'
    NAME = __name__
    PRETTY_NAME = 'Average Precision with tolerance to irrelevance'
    SHORT_DESC = 'AP over the items from which the user comes upon unseen relevant content before losing patience.'
    SUPPORTED_PARAMS = {
        'cutoff': CUTOFF,
        **USER,
        'tau': Tolerance(low=0),
    }

    def of_user(self, topic: 'Topic') -> float:
        credit, hits, last = 0.0, 0, 0
        for rank, _ in self._view(topic):
            hits += rank > last
            last = rank
            credit += hits / rank
        return credit / topic.R


T2I_AP = T2I_MAP = AP_tol = MAP_tol = register(_T2I_AP(), ['T2I_MAP', 'AP_tol', 'MAP_tol'])


class _P_tol(Viewed):
    """Precision at k for the user with a tolerance to irrelevance: of the first k items, those at which the user finds
    an unseen relevant span.

    ``P_tol@k = hits_k / k``

    Range [0, 1], higher is better. Source: Aly et al. 2013, on de Vries, Kazai & Lalmas 2004, section 4.
    """
    __name__ = 'P_tol'
    NAME = __name__
    PRETTY_NAME = 'Precision at k with tolerance to irrelevance'
    SHORT_DESC = 'The share of the top k items from which the user comes upon unseen relevant content.'
    SUPPORTED_PARAMS = {
        'cutoff': required(CUTOFF),
        **USER,
        'tau': Tolerance(low=0),
    }

    def of_user(self, topic: 'Topic') -> float:
        return len({rank for rank, _ in self._view(topic)}) / self['cutoff']


P_tol = register(_P_tol())


class _Judged_tol(Viewed):
    """Judgement rate at k in tolerance: of the first k items, those that start in a judged segment of any relevance, or
    less than ``tau`` before one.

    ``Judged_tol@k = Σ_{i<=k} judged_i / k``

    Range [0, 1]; also for queries without relevant spans, as ``Judged_over``. Source: Aly et al. 2013.
    """
    __name__ = 'Judged_tol'
    NAME = __name__
    PRETTY_NAME = 'Judgement rate at k in tolerance'
    SHORT_DESC = 'The share of the top k items that start in a judged segment, or just before one.'
    SUPPORTED_PARAMS = {
        'cutoff': required(CUTOFF),
        'tau': Tolerance(low=0),
    }

    def of_user(self, topic: 'Topic') -> float:
        limit = self['tau'] * (1 - TOLERANCE)
        items = topic.items
        gaps = [(topic.starts[i] - start, start) for rank, start, i in zip(items.rank, items.start, items.ahead)
                if rank <= self['cutoff']]
        return sum(gap <= 0 or gap < limit - _ULPS * start for gap, start in gaps) / self['cutoff']


Judged_tol = register(_Judged_tol())


class _T2I_P(Viewed):
    """Precision after wasted effort, averaged over all efforts up to T. The effort is counted in timeouts of ``tau``.

    ``T2I_P@T = (tau/T) · Σ_{t=1..T/tau} prec_t``, with f_t the spans found before the t-th timeout (all found, if the
    list ends earlier) and ``prec_t = f_t / (f_t + t)`` (``norm='items'``: a timeout counts as an item that was not
    relevant) or ``prec_t = f_t / t`` (``norm='effort'``: the paper's wording, which can exceed 1).

    Range [0, 1] with ``norm='items'``, [0, ∞) with ``norm='effort'``; higher is better. Unit of T and tau: that of the
    medium; T is a multiple of tau. Source: de Vries, Kazai & Lalmas 2004, Eq. 2; the default norm is this project's
    choice, for its bounds.
    """
    __name__ = 'T2I_P'
    NAME = __name__
    PRETTY_NAME = 'Precision after wasted effort'
    SHORT_DESC = 'The mean precision after each timeout, until the effort T is wasted.'
    AT_PARAM = 'T'
    SUPPORTED_PARAMS = {
        'T': Number('effort to waste, in the unit of tau and a multiple of it', above=0, required=True),
        **USER,
        'norm': Choice('what precision is normalised by', 'items', 'effort', default='items'),
        'cutoff': CUTOFF,
    }

    def check_user(self) -> None:
        steps = self['T'] / self['tau']
        if round(steps) < 1 or not isclose(steps, round(steps), rel_tol=TOLERANCE):
            raise ValueError(f'T2I_P has T={quoted(self["T"])} and tau={quoted(self["tau"])}: T is a multiple of tau')

    def of_user(self, topic: 'Topic') -> float:
        timeouts = [self._timeouts(rank, found) for found, (rank, _) in enumerate(self._view(topic))]
        total, f, t, steps = 0.0, 0, 1, round(self['T'] / self['tau'])
        while t <= steps:
            while f < len(timeouts) and timeouts[f] < t:
                f += 1
            last = min(steps, timeouts[f]) if f < len(timeouts) else steps  # nothing more is found until then
            if last - t < _FEW:
                total += sum(f / (f + i) if self['norm'] == 'items' else f / i for i in range(t, last + 1))
            else:
                total += f * harmonic_difference(t - 1 + (f if self['norm'] == 'items' else 0), last - t + 1)
            t = last + 1
        return total / steps


T2I_P = register(_T2I_P())
