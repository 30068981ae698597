"""Search length and search duration of the tolerance-to-irrelevance (T2I) user of t2i.py, who goes on through the
rest of the collection in random order where the ranking ends: de Vries, Kazai, Lalmas. Tolerance to Irrelevance: A
User-effort Oriented Evaluation of Retrieval Systems without Predefined Retrieval Unit. RIAO 2004, section 5.
"""

from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import at_place, share, sums, times
from ir_segmeasures.measures.base import RunOnAxis, register_measure
from ir_segmeasures.measures.parameters import CONDENSED, CUTOFF, RECALL_LEVEL, Flag, Length, Number, recall_levels
from ir_segmeasures.measures.stops import Outcome, lowest_reaching
from ir_segmeasures.measures.t2i import T2I_USER, T2IMeasure
from ir_segmeasures.measures.walks import Walk, wasted
from ir_segmeasures.segments.basics import Floats, Ints

__all__ = ['T2I_Found', 'ESL', 'ESLRF', 'ESD', 'Precall']


class _T2I_Found(T2IMeasure):
    """Spans found after so much effort: the relevant spans that the user of a ranking has reached when the effort T is
    wasted, such as those after one minute, ``T2I_Found@60``; with ``share``, as a share of all.

    ``T2I_Found@T = |{i : w_i <= T}|``, with ``w_i`` the effort wasted up to the i-th span found, as in ``ESD``: tau for
    each timeout before, the way from each start or span to the next span, and ``init`` for every item inspected.
    ``share``: divided by R, the number of relevant spans.

    Range [0, R], with ``share`` [0, 1]; higher is better. Unit of T and tau: that of the medium. Source: de Vries,
    Kazai & Lalmas 2004, section 4, "the number of items found after, for example, one minute"; that time is what is
    wasted, so that relevant content costs none, is this project's choice.

    Examples:
        >>> from ir_segmeasures import T2I_Found
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,5': 3, 'v#t=10,12': 2, 'v#t=23,26': 1}}
        >>> for T in (14, 15, 22):  # found after a timeout of 10 and 5 on the way, and after 7 more
        ...     print((T2I_Found(tau=10)@T).calc_aggregate(qrels, run))
        0.0
        1.0
        2.0
        >>> (T2I_Found(tau=10, share=True)@15).calc_aggregate(qrels, run)
        0.5
    """
    AT_PARAM = 'T'
    SUMS_EFFORT = True
    SUPPORTED_PARAMS = {'T': Number('effort to waste, in the unit of tau', low=0, required=True, in_unit=True),
                        **T2I_USER, 'share': Flag('whether the value is the share of all relevant spans',
                                                  default=False), 'cutoff': CUTOFF, 'condensed': CONDENSED}

    def check_user(self) -> None:
        self.check_silence(self['share'], 'share=False')

    def user_outcome(self, run: RunOnAxis) -> Outcome:
        walk = self.walk(run)
        reached = wasted(walk, run.ticks(self['tau']), run.ticks(self['init'])) <= run.ticks(self['T'])
        values, sentence = at_place(reached, walk.query, run.queries), self.sentence(walk)
        values = share(values, run.R) if self['share'] else values
        return Outcome(values, walk, {'timeouts': walk.cost}, lambda query: (
            f'{sentence(query)} When the effort {self["T"]:g} is wasted, the value is {values[query]:.4f}.'))


T2I_Found = register_measure(_T2I_Found())


_S = Number('relevant spans desired, at most all of them (the default)', above=0)
_SEARCH = {**T2I_USER, 'D': Length('effort to inspect the whole collection, in the unit of tau', required=True)}


class _SearchMeasure(T2IMeasure):
    SILENCE = False
    AT_PARAM = 'S'
    SUPPORTED_PARAMS = {'S': _S, **_SEARCH, 'cutoff': CUTOFF}
    UNIT = 'timeouts'  # of the costs

    def _wanted(self, run: RunOnAxis) -> Any:
        """The spans desired of each query."""
        return np.minimum(self.params.get('S', np.inf), run.R).astype(float)

    def _timeouts_in_all(self, run: RunOnAxis) -> Floats:
        """The timeouts in the whole collection."""
        return np.array(-(-self.irrelevant(run) // run.ticks(self['tau'])), float)

    def _in_ranking(self, run: RunOnAxis) -> tuple[Ints, Ints]:
        """How many items are inspected, and the timeouts at them."""
        items = np.minimum(run.n, self.cutoff).astype(np.int64)
        return items, items - (0 if self['keepviewing'] else np.bincount(self.walk(run).query, minlength=run.queries))

    def _search(self, walk: Walk, S: Any, cost: Any, end: Any, whole: Any) -> Floats:
        """The costs until S spans are found: two rows, in the ranking and, as expected, in a random search of the rest.

        Args:
            cost: up to each span found
            end: in the whole ranking
            whole: in the whole collection
        """
        found = np.bincount(walk.query, minlength=len(S))
        wanted = np.ceil(lowest_reaching(S)).astype(np.int64)
        first = np.searchsorted(walk.query, np.arange(len(S)))
        enough = found >= wanted
        at = np.where(enough, first + wanted - 1, -1)
        in_ranking = np.append(np.asarray(cost, float), 0)[at]
        rest = (S - found) * np.maximum(0, whole - end) / np.maximum(walk.total - found + 1, 1)
        return np.array([np.where(enough, in_ranking, end), np.where(enough, 0, rest)])

    def _searched(self, run: RunOnAxis, S: Any) -> Floats:
        """The costs until S spans are found, which are timeouts."""
        walk = self.walk(run)
        return self._search(walk, S, walk.cost, self._in_ranking(run)[1], self._timeouts_in_all(run))

    def _found(self, run: RunOnAxis, values: Any, sentence: Any) -> Outcome:
        """The outcome with the spans found; ``sentence`` (query) says how the values follow."""
        walk = self.walk(run)
        found = self.sentence(walk)
        return Outcome(values, walk, {'timeouts': walk.cost}, lambda query: f'{found(query)} {sentence(query)}')

    def _costs(self, search: Floats, query: int) -> str:
        ranking, rest = search[:, query]
        more = f', and a random search of the rest is expected to cost {rest:.10g}' if rest else ''
        return f'The ranking costs {ranking:.10g} {self.UNIT}{more}'


class _ESL(_SearchMeasure):
    """Expected search length: how often the user's tolerance runs out before S relevant spans are found, first in the
    ranking, then in a random search of the rest of the collection.

    ``ESL@S = j`` if the ranking finds S spans, with j the timeouts before the S-th; else
    ``ESL@S = j + s · max(0, I - j) / (r + 1)``, with j the timeouts in the whole ranking, s the spans still wanted,
    r those not found, and ``I = ⌈(D - T_rel) / tau⌉`` the timeouts in the whole collection.

    Range [0, ∞) in timeouts, **lower is better**; a query without relevant spans has 0, as everywhere in ir-measures,
    although 0 is the best value. D is required, and D <= T_rel of a query is an error. Source: de Vries, Kazai & Lalmas
    2004, Eq. 3, after Cooper 1968; that ``I - j`` is never taken as less than 0 is this project's choice.

    Examples:
        >>> from ir_segmeasures import ESL
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,5': 1}}
        >>> measure = ESL(tau=10, D=1000)  # one timeout, nothing found, I = 99: 1 + 2 * 98/3
        >>> round(measure.calc_aggregate(qrels, run), 4)
        66.3333
    """
    LOWER_IS_BETTER = True

    def user_outcome(self, run: RunOnAxis) -> Outcome:
        search = self._searched(run, self._wanted(run))
        return self._found(run, search.sum(0), lambda query: (
            f'{self._costs(search, query)}: {search[:, query].sum():.4f}.'))


ESL = register_measure(_ESL())


class _ESLRF(_SearchMeasure):
    """Expected search length reduction factor: the share of a random search that the ranking saves.

    ``ESLRF@S = 1 - ESL@S · (R + 1) / (S · I)``; I and ESL as in ``ESL``.

    Range (-∞, 1], higher is better: 1 means no effort, 0 the effort of a random search; a query without relevant spans
    has 0 too, as everywhere in ir-measures. D is required, and D <= T_rel of a query is an error. Source: de Vries,
    Kazai & Lalmas 2004, Eq. 4.

    Where all relevant spans are wanted and the ranking misses some, the random search for these costs nearly as much as
    a random search for all, so that the values of systems differ little: give a small S.

    Examples:
        >>> from ir_segmeasures import ESLRF
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,5': 1}}
        >>> measure = ESLRF(tau=10, D=1000)  # 1 - 199/3 * 3 / (2 * 99): worse than a random search
        >>> round(measure.calc_aggregate(qrels, run), 4)
        -0.0051
    """

    def user_outcome(self, run: RunOnAxis) -> Outcome:
        S = self._wanted(run)
        search, random = self._searched(run, S), S * self._timeouts_in_all(run) / (run.R + 1)
        values = 1 - share(search.sum(0), random)
        return self._found(run, values, lambda query: (
            f'{self._costs(search, query)}. A random search of the whole collection costs '
            f'{random[query]:.10g}, of which the ranking saves the share {values[query]:.4f}.'))


ESLRF = register_measure(_ESLRF())


class _ESD(_ESL):
    """Expected search duration: the effort wasted before S relevant spans are found, first in the ranking, then in a
    random search of the rest of the collection.

    ``ESD@S = w`` if the ranking finds S spans, with w the effort wasted up to that moment; else
    ``ESD@S = w + s · max(0, D - T_rel - w) / (r + 1)``, with w the effort wasted on the whole ranking, s the spans
    still wanted and r those not found. Every item inspected adds ``init``.

    Range [0, ∞) in the unit of tau, **lower is better**; a query without relevant spans has 0, as everywhere in
    ir-measures. D is required, and D <= T_rel of a query is an error. Source: de Vries, Kazai & Lalmas 2004, Eq. 3
    (second line, with D_j), after Dunlop 1997.

    Examples:
        >>> from ir_segmeasures import ESD
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,5': 2, 'v#t=10,12': 1}}
        >>> measure = ESD(tau=10, D=1000, init=2)@1  # two starts, a timeout, and 5 s until 15: 2 * 2 + 10 + 5
        >>> measure.calc_aggregate(qrels, run)
        19.0
    """
    SUMS_EFFORT = True
    UNIT = 'of effort'

    def _searched(self, run: RunOnAxis, S: Any) -> Floats:
        walk, (items, timeouts) = self.walk(run), self._in_ranking(run)
        tau, init = run.ticks(self['tau']), run.ticks(self['init'])
        end = times(items, init) + times(timeouts, tau) + sums(walk.beside['waste'], walk.query, run.queries)
        return self._search(walk, S, *(run.units(np.asarray(cost, float)) for cost in (
            wasted(walk, tau, init), end, self.irrelevant(run))))


ESD = register_measure(_ESD())


class _Precall(_SearchMeasure):
    """Probability of relevance given retrieval, at recall: the probability that what the user inspects is relevant, at
    a recall level or averaged over 100.

    ``Precall@x = S / (S + ESL@S)``, ``S = x · R``; without ``@x`` the mean over x = 0.01, 0.02, … 1.00.

    Range (0, 1], 0 without relevant spans; higher is better. D is required, and D <= T_rel of a query is an error.
    Source: de Vries, Kazai & Lalmas 2004, Eq. 5, after Raghavan et al. 1989.

    Examples:
        >>> from ir_segmeasures import Precall
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,5': 2, 'v#t=10,12': 1}}
        >>> measure = Precall(tau=10, D=1000)@0.5  # one span after one timeout: 1 / (1 + 1)
        >>> measure.calc_aggregate(qrels, run)
        0.5
    """
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {'recall': RECALL_LEVEL, **_SEARCH, 'cutoff': CUTOFF}

    def user_outcome(self, run: RunOnAxis) -> Outcome:
        wanted = np.outer(recall_levels(self), run.R)
        values = np.mean([share(S, S + self._searched(run, S).sum(0)) for S in wanted], axis=0)
        where = 'At the recall level' if 'recall' in self.params else 'At 100 recall levels the mean of'
        return self._found(run, values, lambda query: f'{where} S / (S + ESL) is {values[query]:.4f}.')


Precall = register_measure(_Precall())
