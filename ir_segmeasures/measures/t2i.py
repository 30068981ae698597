"""Measures of the tolerance-to-irrelevance (T2I) user of t2i_user.py: de Vries, Kazai, Lalmas. Tolerance to
Irrelevance: A User-effort Oriented Evaluation of Retrieval Systems without Predefined Retrieval Unit. RIAO 2004,
sections 4 and 5. The measures of a search that goes on after the ranking stand in search_length.py.
"""

from __future__ import annotations

from math import isclose
from operator import truediv
from typing import TYPE_CHECKING

from ir_segmeasures.measures.base import CONDENSED, CUTOFF, Choice, Flag, Number, register_measure, required
from ir_segmeasures.measures.harmonic import FEW_TERMS, harmonic_difference
from ir_segmeasures.measures.rounding import TOLERANCE, reached
from ir_segmeasures.measures.t2i_user import T2I_USER, T2IMeasure, Tolerance, within_tolerance
from ir_segmeasures.segments.quoting import quoted

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['T2I_AP', 'T2I_MAP', 'AP_tol', 'MAP_tol', 'P_tol', 'Judged_tol', 'T2I_P', 'T2I_Found']


def hit_counts(ranks: list[int]) -> list[int]:
    """For each span found from an item at these ranks, how many items up to its rank are hits.

    Examples:
        >>> from ir_segmeasures.measures.t2i import hit_counts
        >>> hit_counts([1, 4, 4])
        [1, 2, 2]
    """
    hits, counts, last = 0, [], 0
    for rank in ranks:
        hits += rank > last
        last = rank
        counts.append(hits)
    return counts


class _HitMeasure(T2IMeasure):
    """A measure of the items that are hits: those from which the user finds spans."""

    def _steps(self, topic: Topic, adds: list[float], sentence: str) -> Steps:
        """The spans found as steps; ``adds`` is the part of the value that each is."""
        from ir_segmeasures.measures.steps import Hit, make_steps  # imported when it is needed
        hits = hit_counts(self.ranks(topic))
        rows = [(*find[:5], count, count / find[0], part) for find, count, part in zip(self.finds(topic), hits, adds)]
        return make_steps(Hit, rows, f'{self.sentence(topic)} {sentence}')


class _T2I_AP(_HitMeasure):
    """Average precision for the user with a tolerance to irrelevance (T2I-MAP, MAP-tol). An item is a hit if the user
    finds an unseen relevant span from it. Each span found is credited with the precision at that rank, and each span
    that is never found with 0.

    ``T2I_AP = (1/R) · Σ_k n_k · hits_k / k``, with n_k the spans found from item k (at most one without
    ``keepviewing``), hits_k the number of hits up to rank k, and R the number of relevant spans.

    Range [0, 1], higher is better. Unit of tau: that of the medium. Source: de Vries, Kazai & Lalmas 2004, section 4;
    as MAP-tol in Aly et al. 2013. The credit per span is this project's choice; without ``keepviewing`` it is plain AP.

    With ``condensed=True`` content that nobody judged leaves the documents, and an item without judged content the
    list. Judgements below ``rel`` are needed for that: where only relevant content is judged, no other content stays.

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
    PRETTY_NAME = 'Average Precision with tolerance to irrelevance'
    SHORT_DESC = 'AP over the items from which the user finds unseen relevant content before losing patience.'
    SUPPORTED_PARAMS = {
        'cutoff': CUTOFF,
        **T2I_USER,
        'tau': Tolerance(low=0),
        'condensed': CONDENSED,
    }

    def _precisions(self, topic: Topic) -> list[float]:
        ranks = self.ranks(topic)
        return list(map(truediv, hit_counts(ranks), ranks))

    def user_value(self, topic: Topic) -> float:
        return sum(self._precisions(topic)) / topic.R

    def user_steps(self, topic: Topic) -> Steps:
        precisions = self._precisions(topic)
        total = f'{sum(precisions):.4f}'
        sentence = (f'The precisions where they are found sum to {total}, and {total} / {topic.R} = '
                    f'{self.user_value(topic):.4f}.')
        return self._steps(topic, [precision / topic.R for precision in precisions], sentence)


T2I_AP = register_measure(_T2I_AP(), ['T2I_MAP', 'AP_tol', 'MAP_tol'])
T2I_MAP = T2I_AP.called('T2I_MAP')
AP_tol = T2I_AP.called('AP_tol')
MAP_tol = T2I_AP.called('MAP_tol')


class _P_tol(_HitMeasure):
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
    PRETTY_NAME = 'Precision at k with tolerance to irrelevance'
    SHORT_DESC = 'The share of the top k items from which the user finds unseen relevant content.'
    SUPPORTED_PARAMS = {
        'cutoff': required(CUTOFF),
        **T2I_USER,
        'tau': Tolerance(low=0),
        'condensed': CONDENSED,
    }

    def user_value(self, topic: Topic) -> float:
        hits = hit_counts(self.ranks(topic))
        return (hits[-1] if hits else 0) / self['cutoff']

    def user_steps(self, topic: Topic) -> Steps:
        hits, k = hit_counts(self.ranks(topic)), self['cutoff']
        counted = hits[-1] if hits else 0
        sentence = f'{counted} {"hit" if counted == 1 else "hits"} in {k} items: {self.user_value(topic):.4f}.'
        return self._steps(topic, [(count - before) / k for count, before in zip(hits, [0, *hits])], sentence)


P_tol = register_measure(_P_tol())


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
    PRETTY_NAME = 'Judgement rate at k in tolerance'
    SHORT_DESC = 'The share of the top k items that start in a judged segment, or just before one.'
    SUPPORTED_PARAMS = {
        'cutoff': required(CUTOFF),
        'tau': Tolerance(low=0),
    }

    def _ranks(self, topic: Topic) -> list[int]:
        items, tau, k = topic.items, self['tau'], self['cutoff']
        return [rank for rank, start, i in zip(items.rank, items.start, items.ahead)
                if rank <= k and within_tolerance(topic.starts[i] - start, start, tau)]

    def user_value(self, topic: Topic) -> float:
        return len(self._ranks(topic)) / self['cutoff']

    def user_steps(self, topic: Topic) -> Steps:
        from ir_segmeasures.measures.steps import relevant_items  # imported when it is needed
        ranks, k = self._ranks(topic), self['cutoff']
        return relevant_items(topic, ranks, [1 / k] * len(ranks), (
            f'{len(ranks)} of the first {k} items start in or before judged segments: {self.user_value(topic):.4f}.'))


Judged_tol = register_measure(_Judged_tol())


class _T2I_P(T2IMeasure):
    """Precision after wasted effort, averaged over all efforts up to T. The effort is counted in timeouts, each of
    ``tau``.

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
    PRETTY_NAME = 'Precision after wasted effort'
    SHORT_DESC = 'The mean precision after each timeout, until the effort T is wasted.'
    AT_PARAM = 'T'
    SUPPORTED_PARAMS = {
        'T': Number('effort to waste, in the unit of tau and a multiple of it', above=0, required=True),
        **T2I_USER,
        'norm': Choice('what precision is normalised by', 'items', 'effort', default='items'),
        'cutoff': CUTOFF,
        'condensed': CONDENSED,
    }

    def check_user(self) -> None:
        steps = self['T'] / self['tau']
        if round(steps) < 1 or not isclose(steps, round(steps), rel_tol=TOLERANCE):
            raise ValueError(f'T2I_P has T={quoted(self["T"])} and tau={quoted(self["tau"])}: T is a multiple of tau')

    def user_value(self, topic: Topic) -> float:
        timeouts = [self.timeouts(rank, found) for found, rank in enumerate(self.ranks(topic))]
        total, f, t, steps = 0.0, 0, 1, round(self['T'] / self['tau'])
        while t <= steps:
            while f < len(timeouts) and timeouts[f] < t:
                f += 1
            last = min(steps, timeouts[f]) if f < len(timeouts) else steps  # nothing more is found until then
            if last - t < FEW_TERMS:
                total += sum(f / (f + i) if self['norm'] == 'items' else f / i for i in range(t, last + 1))
            else:
                total += f * harmonic_difference(t - 1 + (f if self['norm'] == 'items' else 0), last - t + 1)
            t = last + 1
        return total / steps

    def user_steps(self, topic: Topic) -> Steps:
        return self.find_steps(topic, f'Until the effort {self["T"]:g} is wasted, the tolerance runs out '
                                      f'{round(self["T"] / self["tau"])} times, and the mean precision after each '
                                      f'timeout is {self.user_value(topic):.4f}.')


T2I_P = register_measure(_T2I_P())


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
    PRETTY_NAME = 'Spans found after wasted effort'
    SHORT_DESC = 'The number of relevant spans that the user has reached when the effort T is wasted, or their share.'
    AT_PARAM = 'T'
    SUPPORTED_PARAMS = {
        'T': Number('effort to waste, in the unit of tau', low=0, required=True),
        **T2I_USER,
        'share': Flag('whether the value is the share of all relevant spans', default=False),
        'cutoff': CUTOFF,
        'condensed': CONDENSED,
    }

    def user_value(self, topic: Topic) -> float:
        found, gaps = 0, 0.
        for before, (rank, gap) in enumerate(zip(self.ranks(topic), self.wastes(topic))):
            gaps += gap
            if not reached(self['T'], self['init'] * rank + self['tau'] * self.timeouts(rank, before) + gaps):
                break
            found += 1
        return found / topic.R if self['share'] else found

    def user_steps(self, topic: Topic) -> Steps:
        return self.find_steps(topic, f'When the effort {self["T"]:g} is wasted, the value is '
                                      f'{self.user_value(topic):.4f}.')


T2I_Found = register_measure(_T2I_Found())
