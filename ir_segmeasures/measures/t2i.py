"""Measures of the tolerance-to-irrelevance (T2I) user: de Vries, Kazai, Lalmas. Tolerance to Irrelevance: A User-effort
Oriented Evaluation of Retrieval Systems without Predefined Retrieval Unit. RIAO 2004, sections 4 and 5.

The user takes the items in rank order and looks only at their entry points. From position ``p`` the user goes on while
unseen relevant content begins within the tolerance ``tau``; content that has been seen before is irrelevant.
:func:`~ir_segmeasures.measures.walks.tolerating` is that walk. The measures here and those of effort and of a search
that goes on after the ranking, in search_length.py, are stops on it.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import at_place, running
from ir_segmeasures.measures import stops
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure, register_measure, register_named
from ir_segmeasures.measures.parameters import APART, CONDENSED, CUTOFF, FINEST, REL, Choice, Flag, Number, required
from ir_segmeasures.measures.walks import Walk, item_walk, tolerating
from ir_segmeasures.segments.basics import quoted

__all__ = ['T2I_AP', 'T2I_MAP', 'AP_tol', 'MAP_tol', 'P_tol', 'R_tol', 'Judged_tol', 'T2I_P']

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
    """The tolerances of ``'low:high:step'``, in exact decimals; an empty list if the text is not such a range.

    Examples:
        >>> from ir_segmeasures.measures.t2i import tolerances
        >>> tolerances('5:20:5')
        [5.0, 10.0, 15.0, 20.0]
    """
    written = _RANGE.fullmatch(population)
    low, high, step = map(Fraction, written.groups()) if written else (0, 0, 0)
    if not step or not 0 <= (high - low) / step < _MOST_USERS:
        return []
    return [float(low + i * step) for i in range(int((high - low) / step) + 1)]


T2I_USER = {'tau': Tolerance(low=FINEST), 'keepviewing': Flag(
    'whether the user goes on after a relevant span, with a fresh tolerance', default=False), 'init': Number(
    'start-up effort of every item, in the unit of tau; only ESD and T2I_Found sum it', low=0, default=0, in_unit=True),
    'rel': REL, 'apart': APART}


class T2IMeasure(SpanMeasure):
    """A measure of this user. With a population in ``tau``, it is the mean of the values for the users."""
    CONTENT = False
    WALK = (tolerating, 'tau', 'keepviewing')
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

    def outcome(self, run: RunOnAxis) -> stops.Outcome:
        outcomes, tau = [user.user_outcome(run) for user in self.users], np.array([user['tau'] for user in self.users])
        return outcomes[0] if len(outcomes) == 1 else stops.mean_of(
            run, 'UserValue', [outcome.values for outcome in outcomes], 'users', tau=tau)

    def user_outcome(self, run: RunOnAxis) -> stops.Outcome:
        """The outcome for the one user with the tolerance ``tau``."""
        raise NotImplementedError

    def sentence(self, walk: Walk) -> Any:
        """(query) → the sentence that begins those about the steps."""
        found = np.bincount(walk.query, minlength=len(walk.total))
        return lambda query: f'The user finds {found[query]} of {stops.counted(walk.total[query], "relevant span")}.'


_TOLERATING = {**T2I_USER, 'tau': Tolerance(low=0), 'condensed': CONDENSED}


class _T2I_AP(T2IMeasure):
    """Average Precision with tolerance to irrelevance (T2I-MAP, MAP-tol): AP over the items from which the user finds
    unseen relevant content before losing patience. An item is a hit if the user finds an unseen relevant span from it.
    Each span found is credited with the precision at that rank, and each span that is never found with 0.

    ``T2I_AP = (1/R) · Σ_k n_k · hits_k / k``, with n_k the spans found from item k (at most one without
    ``keepviewing``), hits_k the number of hits up to rank k, and R the number of relevant spans.

    Range [0, 1], higher is better. Unit of tau: that of the medium. Source: de Vries, Kazai & Lalmas 2004, section 4;
    as MAP-tol in Aly et al. 2013. The credit per span is this project's choice; without ``keepviewing`` it is plain AP.

    ``condensed=True`` leaves content without judgements out of the documents, and items without judged content out of
    the ranking. This needs judgements below ``rel``: where only relevant content is judged, nothing else stays.

    .. cite.dblp:: conf/riao/VriesKL04

    Examples:
        >>> from ir_segmeasures import T2I_AP
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,5': 5, 'v#t=5,8': 4, 'v#t=10,12': 3, 'v#t=23,26': 2, 'v#t=27,29': 1}}
        >>> round(T2I_AP(tau=10).calc_aggregate(qrels, run), 4)  # hits at ranks 3 and 4: (1/3 + 2/4) / 2
        0.4167
        >>> qrels['q']['v#t=5,12'] = 0
        >>> round(T2I_AP(tau=10, condensed=True).calc_aggregate(qrels, run), 4)  # the first item leaves, and 12-15
        0.8333
    """
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_TOLERATING}

    def user_outcome(self, run: RunOnAxis) -> stops.Outcome:
        walk = self.walk(run)
        found = self.sentence(walk)
        return stops.average_precision(walk, lambda query: f'{found(query)} The precisions where they are found')


T2I_AP, T2I_MAP, AP_tol, MAP_tol = register_named(_T2I_AP(), 'T2I_MAP', 'AP_tol', 'MAP_tol')


class _P_tol(T2IMeasure):
    """Precision at k for the user with a tolerance to irrelevance: the share of the first k items from which the user
    finds an unseen relevant span.

    ``P_tol@k = hits_k / k``

    Range [0, 1], higher is better. Source: Aly et al. 2013, on de Vries, Kazai & Lalmas 2004, section 4.

    Examples:
        >>> from ir_segmeasures import P_tol
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,5': 3, 'v#t=10,12': 2, 'v#t=23,26': 1}}
        >>> (P_tol(tau=10)@2).calc_aggregate(qrels, run)  # 0 is too early for 15, 10 is not
        0.5
    """
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), **_TOLERATING}

    def user_outcome(self, run: RunOnAxis) -> stops.Outcome:
        return stops.at_rank(self.walk(run), self['cutoff'], 'are hits')


P_tol = register_measure(_P_tol())


class _R_tol(T2IMeasure):
    """Recall at k for the user with a tolerance to irrelevance: the share of the relevant spans that the user finds
    from the first k items.

    ``R_tol@k = spans found up to item k / R``, with R the number of relevant spans.

    Range [0, 1], higher is better. Source: this project, beside the precision of Aly et al. 2013, on de Vries, Kazai &
    Lalmas 2004, section 4.

    Examples:
        >>> from ir_segmeasures import R_tol
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,5': 3, 'v#t=10,12': 2, 'v#t=23,26': 1}}
        >>> [(R_tol(tau=10)@k).calc_aggregate(qrels, run) for k in (2, 3)]
        [0.5, 1.0]
    """
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), **_TOLERATING}

    def user_outcome(self, run: RunOnAxis) -> stops.Outcome:
        return stops.recall_at(self.walk(run), self['cutoff'], 'The parts of the spans found sum to')


R_tol = register_measure(_R_tol())


class _Judged_tol(T2IMeasure):
    """Judgement rate at k in tolerance: the share of the first k items that start in a judged segment of any relevance,
    or less than ``tau`` before one.

    ``Judged_tol@k = Σ_{i<=k} judged_i / k``

    Range [0, 1]; also for queries without relevant spans, as ``Judged_over``. Source: Aly et al. 2013.

    Examples:
        >>> from ir_segmeasures import Judged_tol
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=60,70': 0}}
        >>> run = {'q': {'v#t=0,5': 4, 'v#t=10,12': 3, 'v#t=55,58': 2, 'u#t=0,9': 1}}
        >>> (Judged_tol(tau=10)@4).calc_aggregate(qrels, run)  # the second and the third of four items
        0.5
    """
    SILENCE = False
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'tau': _TOLERATING['tau']}

    def user_outcome(self, run: RunOnAxis) -> stops.Outcome:
        near = np.append(run.spans.start, run.base[-1])[run.spans.first_after(run.start)]
        judged = near - run.start < max(run.ticks(self['tau']), 1)
        item = np.flatnonzero(judged & (near < run.base[run.stretch + 1]))
        return stops.at_rank(item_walk(run, item, run.R), self['cutoff'], 'start in or before judged segments')


Judged_tol = register_measure(_Judged_tol())


class _T2I_P(T2IMeasure):
    """Precision after wasted effort: the mean precision after each timeout, until the effort T is wasted. The effort is
    counted in timeouts, each of ``tau``.

    ``T2I_P@T = (tau/T) · Σ_{t=1..T/tau} prec_t``, with f_t the spans found before the t-th timeout (all found, if the
    list ends earlier) and ``prec_t = f_t / (f_t + t)`` (``norm='items'``: a timeout counts as an item that is not
    relevant) or ``prec_t = f_t / t`` (``norm='effort'``: the paper's wording, which can exceed 1).

    Range [0, 1] with ``norm='items'``, [0, ∞) with ``norm='effort'``; higher is better. Unit of T and tau: that of the
    medium; T is a multiple of tau. Source: de Vries, Kazai & Lalmas 2004, Eq. 2; the default norm is this project's
    choice, for its bounds.

    Examples:
        >>> from ir_segmeasures import T2I_P
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=10,12': 3, 'v#t=0,5': 2, 'v#t=23,26': 1}}
        >>> round((T2I_P(tau=10)@20).calc_aggregate(qrels, run), 4)  # found, timeout, found: (1/2 + 2/4) / 2
        0.5
    """
    AT_PARAM = 'T'
    SUPPORTED_PARAMS = {
        'T': Number('effort to waste, in the unit of tau and a multiple of it', above=0, required=True, in_unit=True),
        **T2I_USER, 'norm': Choice('what precision is normalised by', 'items', 'effort', default='items'),
        'cutoff': CUTOFF, 'condensed': CONDENSED}

    def check_user(self) -> None:
        super().check_user()
        self.check_silence(self['norm'] == 'items', "norm='effort'")
        if Fraction(str(self['T'])) % Fraction(str(self['tau'])):
            raise ValueError(f'T2I_P has T={quoted(self["T"])} and tau={quoted(self["tau"])}: T is a multiple of tau')

    def user_outcome(self, run: RunOnAxis) -> stops.Outcome:
        walk, steps = self.walk(run), round(self['T'] / self['tau'])
        found = running(np.ones(len(walk.query), np.int64), walk.query)
        # So many are found from the timeout after a find until the one before which the next is found.
        following = np.append(walk.cost[1:], steps)
        following[:-1][np.diff(walk.query) != 0] = steps
        first = np.minimum(walk.cost, steps)
        count = np.minimum(following, steps) - first
        summed = found * stops.harmonic_difference(first + (found if self['norm'] == 'items' else 0), count)
        values, sentence = at_place(summed, walk.query, run.queries) / steps, self.sentence(walk)
        return stops.Outcome(values, walk, {'timeouts': walk.cost}, lambda query: (
            f'{sentence(query)} Until the effort {self["T"]:g} is wasted, the tolerance runs out {steps} times, and '
            f'the mean precision after each timeout is {values[query]:.4f}.'))


T2I_P = register_measure(_T2I_P())
