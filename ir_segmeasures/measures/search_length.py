"""Search length and search duration of the tolerance-to-irrelevance (T2I) user of t2i_user.py, who goes on through the
rest of the collection in random order where the ranking ends: de Vries, Kazai, Lalmas. Tolerance to Irrelevance: A
User-effort Oriented Evaluation of Retrieval Systems without Predefined Retrieval Unit. RIAO 2004, section 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, RECALL_LEVEL, Length, Number, recall_levels, register_measure
from ir_segmeasures.measures.rounding import round_up
from ir_segmeasures.measures.t2i_user import T2I_USER, T2IMeasure, found_spans, timeouts

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['ESL', 'ESLRF', 'ESD', 'Precall']

_S = Number('relevant spans desired, at most all of them (the default)', above=0)
_SEARCH = {**T2I_USER, 'D': Length('effort to inspect the whole collection, in the unit of tau', required=True)}


Search = tuple[float, float]
"""the cost of a search, in timeouts or in effort: in the ranking, and expected in a random search of the rest"""


def _whole_timeouts(D: float, T_rel: float, tau: float) -> int:
    """The timeouts in the whole collection."""
    return round_up((D - T_rel) / tau)


def precalls(run: RunItems, levels: tuple[float, ...], D: float, tau: float, keepviewing: bool,
             cutoff: float) -> list[float]:
    """For each query, the mean over levels of recall of ``S / (S + ESL@S)``, with ``ESL`` as in :data:`ESL`."""
    item, _, bounds = run.cached(found_spans, tau, keepviewing)
    first, rank = np.array(bounds[:-1], np.intp), run.candidate_items.rank[item]
    before = np.arange(len(rank)) - np.repeat(first, np.diff(bounds))
    cost = np.append(timeouts(rank, before, keepviewing), 0)  # of each span found, and 0 for none
    n = np.diff(np.append(0, np.cumsum(rank <= cutoff))[bounds])
    end = timeouts(np.minimum(run.n, cutoff).astype(np.intp) + 1, n, keepviewing)
    whole = [_whole_timeouts(D, T_rel, tau) for T_rel in run.relevant.T_rel]
    rest = np.array([max(0, number - j) for number, j in zip(whole, end.tolist())], float)
    numbers, of_query = np.unique(run.relevant.R, return_inverse=True)
    numbers = np.maximum(numbers, 1)  # a query without relevant spans has no topic, and its value is never asked for
    R, total = numbers[of_query], np.zeros(len(first))
    for level in levels:
        S = level * R
        wanted = np.array([round_up(level * number) for number in numbers.tolist()], np.intp)[of_query]
        found = n >= wanted
        ranking = cost[np.where(found, first + wanted - 1, -1)]
        total += S / (S + np.where(found, ranking, end + (S - n) * rest / (R - n + 1)))
    return (total / len(levels)).tolist()


class _SearchMeasure(T2IMeasure):
    AT_PARAM = 'S'
    SUPPORTED_PARAMS = {'S': _S, **_SEARCH, 'cutoff': CUTOFF}

    def _S(self, topic: Topic) -> float:
        return min(self.params.get('S', topic.R), topic.R)

    def _I(self, topic: Topic) -> int:
        """The timeouts in the whole collection."""
        return _whole_timeouts(self.D, topic.T_rel, self['tau'])

    def _length(self, topic: Topic, S: float) -> Search:
        """The timeouts until S spans are found."""
        self.check_D(topic)
        ranks, wanted = self.ranks(topic), round_up(S)
        n = len(ranks)
        if n >= wanted:
            return self.timeouts(ranks[wanted - 1], wanted - 1), 0
        j = self.timeouts(self._end(topic), n)
        return j, (S - n) * max(0, self._I(topic) - j) / (topic.R - n + 1)

    def _esl(self, topic: Topic, S: float) -> float:
        ranking, rest = self._length(topic, S)
        return ranking + rest

    def _end(self, topic: Topic) -> int:
        """The rank after the last item."""
        return int(min(topic.n, self.cutoff)) + 1

    def _sentence(self, search: Search, unit: str) -> str:
        """The sentence about the costs of a search."""
        ranking, rest = (f'{cost:.10g}' for cost in search)
        return f'The ranking costs {ranking} {unit}' + (
            f', and a random search of the rest is expected to cost {rest}' if search[1] else '')


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
    PRETTY_NAME = 'Expected Search Length'
    SHORT_DESC = 'How often the user loses patience before S relevant spans are found. Lower is better.'
    LOWER_IS_BETTER = True

    def user_value(self, topic: Topic) -> float:
        return self._esl(topic, self._S(topic))

    def user_steps(self, topic: Topic) -> Steps:
        search = self._length(topic, self._S(topic))
        return self.find_steps(topic, f'{self._sentence(search, "timeouts")}: {sum(search):.4f}.')


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
    PRETTY_NAME = 'Expected Search Length Reduction Factor'
    SHORT_DESC = 'The share of a random search that the ranking saves the user.'

    def user_value(self, topic: Topic) -> float:
        S = self._S(topic)
        return 1 - self._esl(topic, S) * (topic.R + 1) / (S * self._I(topic))

    def user_steps(self, topic: Topic) -> Steps:
        S = self._S(topic)
        search, whole = self._length(topic, S), S * self._I(topic) / (topic.R + 1)
        return self.find_steps(topic, f'{self._sentence(search, "timeouts")}. A random search of the whole collection '
                                      f'costs {whole:.10g}, of which the ranking saves the share '
                                      f'{self.user_value(topic):.4f}.')


ESLRF = register_measure(_ESLRF())


class _ESD(_SearchMeasure):
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
    PRETTY_NAME = 'Expected Search Duration'
    SHORT_DESC = 'The effort wasted before S relevant spans are found. Lower is better.'
    LOWER_IS_BETTER = True

    def _duration(self, topic: Topic) -> Search:
        """The effort wasted until S spans are found."""
        self.check_D(topic)
        ranks, S = self.ranks(topic), self._S(topic)
        wanted, n = round_up(S), len(ranks)
        gaps = sum(self.wastes(topic)[:min(wanted, n)])
        if n >= wanted:
            rank = ranks[wanted - 1]
            return self['init'] * rank + self['tau'] * self.timeouts(rank, wanted - 1) + gaps, 0
        end = self._end(topic)
        w = self['init'] * (end - 1) + self['tau'] * self.timeouts(end, n) + gaps
        return w, (S - n) * max(0, self.D - topic.T_rel - w) / (topic.R - n + 1)

    def user_value(self, topic: Topic) -> float:
        return sum(self._duration(topic))

    def user_steps(self, topic: Topic) -> Steps:
        search = self._duration(topic)
        return self.find_steps(topic, f'{self._sentence(search, "of effort")}: {sum(search):.4f}.')


ESD = register_measure(_ESD())


class _Precall(_SearchMeasure):
    """Precall, P(Rel|Retr): the probability that a document part which the user inspects is relevant, at recall x.

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
    PRETTY_NAME = 'Probability of relevance given retrieval, at recall'
    SHORT_DESC = 'The probability that what the user inspects is relevant, at a recall level or averaged over 100.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {'recall': RECALL_LEVEL, **_SEARCH, 'cutoff': CUTOFF}

    def user_value(self, topic: Topic) -> float:
        self.check_D(topic)
        return topic.computed_on_run(
            precalls, recall_levels(self), self.D, self['tau'], self['keepviewing'], self.cutoff)

    def user_steps(self, topic: Topic) -> Steps:
        levels = 'At the recall level' if 'recall' in self.params else 'At 100 recall levels the mean of'
        return self.find_steps(topic, f'{levels} S / (S + ESL) is {self.user_value(topic):.4f}.')


Precall = register_measure(_Precall())
