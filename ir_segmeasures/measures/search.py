"""Search length and duration of the user with a tolerance to irrelevance (t2i.py), who goes on in the rest of the
collection, at random, where the ranking ends: de Vries, Kazai, Lalmas. Tolerance to Irrelevance. RIAO 2004, section 5.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from ir_segmeasures.measures.base import (
    CUTOFF,
    RECALL_LEVEL,
    Length,
    Number,
    recall_levels,
    register,
    round_up,
)
from ir_segmeasures.measures.t2i import USER, Viewed

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['ESL', 'ESLRF', 'ESD', 'Precall']

_S = Number('relevant spans desired, at most all of them (the default)', above=0)
_SEARCH = {**USER, 'D': Length('effort to inspect the whole collection, in the unit of tau', required=True)}


class _Search(Viewed):
    def _S(self, topic: Topic) -> float:
        return min(self.params.get('S', topic.R), topic.R)

    def _I(self, topic: Topic) -> int:
        return round_up((self.D - topic.T_rel) / self['tau'])

    def _esl(self, topic: Topic, S: float) -> float:
        self.check_D(topic)
        view, wanted = self._view(topic), round_up(S)
        if len(view) >= wanted:
            return self._timeouts(view[wanted - 1][0], wanted - 1)
        j = self._timeouts(self._end(topic), len(view))
        return j + (S - len(view)) * max(0, self._I(topic) - j) / (topic.R - len(view) + 1)

    def _end(self, topic: Topic) -> int:
        """The rank after the last item."""
        return int(min(topic.n, self.params.get('cutoff', inf))) + 1


class _ESL(_Search):
    """Expected search length: how often the user's tolerance runs out before S relevant spans are found, first in the
    ranking, then in a random search of the rest of the collection.

    ``ESL@S = j`` if the ranking finds S spans, with j the timeouts before the S-th; else
    ``ESL@S = j + s · max(0, I - j) / (r + 1)``, with j the timeouts in the whole ranking, s the spans still wanted,
    r those not found, and ``I = ⌈(D - T_rel) / tau⌉`` the timeouts in the whole collection.

    Range [0, ∞) in timeouts, **lower is better**; a query without relevant spans has 0, as everywhere in ir-measures,
    although 0 is the best value. D is required, and D <= T_rel of a query an error. Source: de Vries, Kazai & Lalmas
    2004, Eq. 3, after Cooper 1968; the clamp at 0 is this project's choice.
    """
    __name__ = 'ESL'
    NAME = __name__
    PRETTY_NAME = 'Expected Search Length'
    SHORT_DESC = 'How often the user loses patience before S relevant spans are found. Lower is better.'
    LOWER_IS_BETTER = True
    AT_PARAM = 'S'
    SUPPORTED_PARAMS = {'S': _S, **_SEARCH, 'cutoff': CUTOFF}

    def of_user(self, topic: Topic) -> float:
        return self._esl(topic, self._S(topic))


ESL = register(_ESL())


class _ESLRF(_Search):
    """Expected search length reduction factor: how much of a random search the ranking saves.

    ``ESLRF@S = 1 - ESL@S · (R + 1) / (S · I)``; I and ESL as in ``ESL``.

    Range (-∞, 1], higher is better: 1 is no effort, 0 that of a random search; a query without relevant spans has 0
    too, as everywhere in ir-measures. D is required, and D <= T_rel of a query an error. Source: de Vries, Kazai &
    Lalmas 2004, Eq. 4.
    """
    __name__ = 'ESLRF'
    NAME = __name__
    PRETTY_NAME = 'Expected Search Length Reduction Factor'
    SHORT_DESC = 'The share of a random search that the ranking saves the user.'
    AT_PARAM = 'S'
    SUPPORTED_PARAMS = {'S': _S, **_SEARCH, 'cutoff': CUTOFF}

    def of_user(self, topic: Topic) -> float:
        S = self._S(topic)
        return 1 - self._esl(topic, S) * (topic.R + 1) / (S * self._I(topic))


ESLRF = register(_ESLRF())


class _ESD(_Search):
    """Expected search duration: the effort wasted before S relevant spans are found, first in the ranking, then in a
    random search of the rest of the collection.

    ``ESD@S = w`` if the ranking finds S spans, with w the effort wasted up to that moment; else
    ``ESD@S = w + s · max(0, D - T_rel - w) / (r + 1)``, with w the effort wasted on the whole ranking, s the spans
    still wanted and r those not found. Every item inspected adds ``init``.

    Range [0, ∞) in the unit of tau, **lower is better**; a query without relevant spans has 0, as everywhere in
    ir-measures. D is required, and D <= T_rel of a query an error. Source: de Vries, Kazai & Lalmas 2004, Eq. 3 (second
    line, with D_j), after Dunlop 1997.
    """
    __name__ = 'ESD'
    NAME = __name__
    PRETTY_NAME = 'Expected Search Duration'
    SHORT_DESC = 'The effort wasted before S relevant spans are found. Lower is better.'
    LOWER_IS_BETTER = True
    AT_PARAM = 'S'
    SUPPORTED_PARAMS = {'S': _S, **_SEARCH, 'cutoff': CUTOFF}

    def of_user(self, topic: Topic) -> float:
        self.check_D(topic)
        view, S = self._view(topic), self._S(topic)
        wanted = round_up(S)
        gaps = sum(gap for _, gap in view[:wanted])
        if len(view) >= wanted:
            rank = view[wanted - 1][0]
            return self['init'] * rank + self['tau'] * self._timeouts(rank, wanted - 1) + gaps
        end = self._end(topic)
        w = self['init'] * (end - 1) + self['tau'] * self._timeouts(end, len(view)) + gaps
        return w + (S - len(view)) * max(0, self.D - topic.T_rel - w) / (topic.R - len(view) + 1)


ESD = register(_ESD())


class _Precall(_Search):
    """Precall, P(Rel|Retr): the probability that what the user inspects is relevant, at recall x.

    ``Precall@x = S / (S + ESL@S)``, ``S = x · R``; without ``@x`` the mean over x = 0.01, 0.02, … 1.00.

    Range (0, 1], 0 without relevant spans; higher is better. D is required, and D <= T_rel of a query an error. Source:
    de Vries, Kazai & Lalmas 2004, Eq. 5, after Raghavan et al. 1989.
    """
    __name__ = 'Precall'
    NAME = __name__
    PRETTY_NAME = 'Probability of relevance given retrieval, at recall'
    SHORT_DESC = 'The probability that what the user inspects is relevant, at a recall level or averaged over 100.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': RECALL_LEVEL,
        **_SEARCH,
        'cutoff': CUTOFF,
    }

    def of_user(self, topic: Topic) -> float:
        levels = recall_levels(self)
        wanted = [level * topic.R for level in levels]
        return sum(S / (S + self._esl(topic, S)) for S in wanted) / len(levels)


Precall = register(_Precall())
