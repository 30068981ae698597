"""The tolerance-to-irrelevance (T2I) user: de Vries, Kazai, Lalmas. Tolerance to Irrelevance: A User-effort Oriented
Evaluation of Retrieval Systems without Predefined Retrieval Unit. RIAO 2004, section 4.

The user takes the items in rank order and looks only at their entry points. From position ``p`` the user goes on while
unseen relevant content begins within the tolerance ``tau``; content that has been seen before is irrelevant.
:func:`~ir_segmeasures.measures.walks.tolerating` is that walk. The measures of t2i.py and of search_length.py are stops
on it.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ir_segmeasures.measures.base import APART, FINEST, REL, Flag, Number, RunOnAxis, SpanMeasure
from ir_segmeasures.measures.stops import Outcome, added, counted
from ir_segmeasures.measures.walks import Walk, tolerating
from ir_segmeasures.segments.quoting import quoted

__all__ = ['T2IMeasure', 'T2I_USER', 'Tolerance', 'tolerances']

_RANGE = re.compile(r'(\d+(?:\.\d+)?):(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)')
_MOST_USERS = 10_000


class Tolerance(Number):
    """The parameter ``tau``: the tolerance of a user, or of a population of users as ``'low:high:step'``."""

    def __init__(self, **bounds: Any):
        super().__init__('tolerance to irrelevance, in the unit of the medium (seconds, characters, words)', default=15,
                         in_unit=True, **bounds)
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
    'init': Number('start-up effort of every item, in the unit of tau; only ESD and T2I_Found sum it', low=0, default=0,
                   in_unit=True),
    'rel': REL,
    'apart': APART,
}


class T2IMeasure(SpanMeasure):
    """A measure of this user. With a population in ``tau``, it is the mean of the values for the users."""
    CONTENT = False
    SUMS_EFFORT = False  # whether ``init`` counts

    @cached_property
    def users(self) -> list[T2IMeasure]:
        """The measure for each user of the population."""
        return [self(tau=tau) for tau in tolerances(self['tau'])] if isinstance(self['tau'], str) else [self]

    def check(self) -> None:
        for user in self.users:
            user.check_user()

    def check_user(self) -> None:
        """Raise a ValueError for values that are right each alone, but not together."""
        if self.params.get('init') and not self.SUMS_EFFORT:
            raise ValueError(f'{self.NAME} has init={quoted(self["init"])}, but counts hits and timeouts, which no '
                             'effort of starting changes: only ESD and T2I_Found sum effort, leave init out')

    def lengths(self) -> list[float]:
        population = tolerances(self['tau']) if isinstance(self['tau'], str) else []
        return super().lengths() + population

    def outcome(self, run: RunOnAxis) -> Outcome:
        outcomes, n = [user.user_outcome(run) for user in self.users], len(self.users)
        if n == 1:
            return outcomes[0]
        values = np.array([outcome.values for outcome in outcomes])
        query, user = np.divmod(np.arange(run.queries * n), n)
        walk = Walk('UserValue', run, query, None, None, None, None, None, None, run.R)
        value = values[user, query]
        return added(walk, value / n, lambda query, value: f'The mean over {n} users is {value:.4f}.',
                     tau=np.array([user['tau'] for user in self.users])[user], value=value)

    def user_outcome(self, run: RunOnAxis) -> Outcome:
        """The outcome for the one user with the tolerance ``tau``."""
        raise NotImplementedError

    def finds(self, run: RunOnAxis) -> Walk:
        """The spans that the user finds up to the cut-off."""
        walk: Walk = run.cached(tolerating, self['tau'], self['keepviewing'])
        return walk.up_to(self.cutoff)

    def sentence(self, walk: Walk) -> Any:
        """(query) → the sentence that begins those about the steps."""
        found = np.bincount(walk.query, minlength=len(walk.total))
        return lambda query: f'The user finds {found[query]} of {counted(walk.total[query], "relevant span")}.'
