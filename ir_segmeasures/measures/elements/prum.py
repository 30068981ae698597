"""Precision-recall with user modelling (PRUM): Piwowarski, Gallinari, Dupret, as Kazai. Notes on What to Measure in
INEX. INEX 2005 Workshop on Element Retrieval Methodology, appendix A.5, restates its idea: the probability that an
element of the list leads the user to a relevant unit not seen before, for a user who wants a share of the relevant
units and looks around from each element (Eq. 10). That text does not say how the authors estimate it; the estimators
and the navigation models here are this project's choices.

Section 6.2 works out two cases of Figure 1, where sec[6] is worth 1 and sec[4] .5. TR is the number of relevant
elements among the two: 1 or 2, each with probability .5. (In the text the two elements have changed places: "only
sec[4] is relevant", but by SOG sec[6] is certainly relevant.) TR = 1: the ideal and the full recall base have precision
1, the reversed ideal 1/2, and the leaves nearly 0, since all elements of the database may have to be inspected. TR = 2:
up to recall .5 the precisions are those of TR = 1. Beyond .5, the probability that sec[4] is relevant is still .5,
although it must be relevant, so that the second unit is searched in the whole database and precision is nearly 0. The
curves are the averages of both cases. It follows that

- whether a unit is relevant does not depend on TR, and precisions are averaged over TR;
- a user who has not found enough goes on through the rest of the collection;
- the user goes on until the *expected* number of units seen is the number wanted. If each user stopped as soon as
  enough is found, the reversed ideal would have 2/3: 1 element consulted with probability .5, 2 with .5, 1 / 1.5.

``PRUM(collection=N)`` computes this. Without ``collection``, each user stops when enough is found, or at the end of the
list, and knows which units are relevant. That user ranks the runs differently above recall .5, where sec[4] is wanted
as well if it is relevant: for a user who sees elements alone, sec[4] is the seventh element of the full recall base,
(.5·1 + .5·2) / (.5·1 + .5·7) = .375, whereas the reversed ideal has (.5·1 + .5·2) / (.5·2 + .5·2) = .75.
"""


import numpy as np

from ir_segmeasures.measures.base import CUTOFF, Number, RowTopic, recall_levels, register_measure
from ir_segmeasures.measures.elements.base import ElementMeasure
from ir_segmeasures.measures.elements.navigation import NAVIGATION, Sight, sights
from ir_segmeasures.measures.elements.prum_users import ExpectingUser, StoppingUser
from ir_segmeasures.measures.elements.quantisation import QUANT, SPECIFICITY
from ir_segmeasures.measures.elements.recall_base import IDEAL, ideal_base
from ir_segmeasures.segments.quoting import quoted

__all__ = ['PRUM']


class _PRUM(ElementMeasure):
    """Precision-recall with user modelling: the probability that an element which the user consults leads to a relevant
    unit not seen before. The user wants the share l of the relevant units.

    ``PRUM@l = E[elements consulted that lead to a relevant unit not seen before] / E[elements consulted]``; without
    ``@l`` the mean over l = 0.01, 0.02, … 1.00. Units are the elements of the ideal recall base, each relevant with the
    probability of its quantised worth, independently; with TR of them relevant, the user goes down the list until
    ``⌈l·TR⌉`` are seen, or to its end. From an element the user sees by ``navigation``

    - ``none``: a unit only if it is the element itself,
    - ``hierarchical``: also the units inside it, and a unit around it with a probability that is the element's share of
      its size,
    - ``t2i``: the units on the way when the user reads from the start of the element until ``tau`` has been read
      outside units,

    or by a function that was given to ``register_navigation``. An element that is consulted again leads to nothing new.

    ``collection`` is the number of elements in the collection. With it, the user is the one of Kazai's section 6.2, and
    its two cases come out: ``Σ_t P(TR=t) · E[elements that lead to a unit wanted] / elements consulted / P(TR>0)``.
    This user goes on until ``⌈l·t⌉`` relevant units are expected to have been seen, each relevant with its worth
    whatever t is, if need be through the rest of the collection in random order. Then the full recall base is as good
    as the ideal one, and both are better than the reversed ideal and the leaves. Without ``collection``, a user who
    knows that both units are relevant has to go to rank 7 of the full recall base, (.5·1 + .5·2)/(.5·1 + .5·7) = .375,
    and to rank 2 of the reversed ideal, (.5·1 + .5·2)/(.5·2 + .5·2) = .75.

    Range [0, 1], higher is better. Offsets are needed by ``t2i``, and by ``hierarchical`` for elements inside units.
    Computed exactly, up to rounding, in a time that grows with sights · log(sights) · units and the number of levels.
    Source: Kazai 2005, Eq. 10, after Piwowarski et al. 2005. That text does not give its estimator and its navigation
    models, so these are this project's choices, and no default is official.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import PRUM
        >>> qrels = pd.DataFrame({'query_id': ['q'], 'doc_id': ['d#xpath=/a[1]/s[1]'], 'relevance': [1],
        ...                       'exhaustivity': [3], 'specificity': [3]})
        >>> run = {'q': {'d#xpath=/a[1]/s[2]': 2, 'd#xpath=/a[1]/s[1]': 1}}  # two consulted, one leads to the unit
        >>> (PRUM@1).calc_aggregate(qrels, run)
        0.5
    """
    PRETTY_NAME = 'Precision-Recall with User Modelling'
    SHORT_DESC = 'The probability that an element leads the user to a relevant unit not seen before.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': Number('share of the relevant units wanted; without it, the mean over 0.01, 0.02, … 1.00', above=0,
                         high=1),
        'quant': QUANT,
        'ideal': IDEAL,
        'navigation': NAVIGATION,
        'tau': Number("how much the user of navigation='t2i' reads outside units, in the unit of the offsets", above=0),
        'specificity': SPECIFICITY,
        'collection': Number('how many elements the collection has, for a user who goes on through all of them', low=1,
                             whole=True),
        'cutoff': CUTOFF,
    }

    def check(self) -> None:
        super().check()
        if ('tau' in self.params) != (self['navigation'] == 't2i'):
            raise ValueError("PRUM has navigation='t2i' without tau: give how much the user reads outside units"
                             if self['navigation'] == 't2i' else f"PRUM has tau={quoted(self['tau'])} with navigation="
                                                                 f"{quoted(self['navigation'])}: only 't2i' takes it")

    def compute(self, topic: RowTopic) -> float:
        params, n = (self['quant'], self['specificity'], self['ideal']), self._cutoff(topic)
        levels = recall_levels(self)
        if 'collection' in self.params:
            user = self._expecting(topic, params, n)
            return sum(map(user.precision, levels)) / len(levels)
        worths, seen = self._units(topic, params), self._sights(topic, params, n)
        if not seen:
            return 0.0
        consulted, leading, last = np.zeros(len(levels)), np.zeros(len(levels)), 0
        ranks = [*(sight.rank for sight in seen), n]
        for rank, (wants, in_vain) in zip(ranks, StoppingUser(worths, seen, levels).walk()):
            consulted += wants * (rank - last)
            leading += wants - in_vain
            last = rank
        return float(np.divide(leading, consulted, out=np.zeros(len(levels)), where=consulted > 0).mean())

    def _units(self, topic: RowTopic, params: tuple[str, str, str]) -> list[float]:
        return [*topic.cached(ideal_base, *params).values()]

    def _sights(self, topic: RowTopic, params: tuple[str, str, str], n: int) -> list[Sight]:
        return topic.cached(sights, *params, self['navigation'], self.params.get('tau'), n)

    def _expecting(self, topic: RowTopic, params: tuple[str, str, str], n: int) -> ExpectingUser:
        units, elements, size = topic.cached(ideal_base, *params), self._forest(topic), self['collection']
        known = len({*elements.judged, *elements.ranking})
        if size < known:
            raise ValueError(f'query {quoted(topic.query_id)} has {known} elements that are judged or retrieved, but '
                             f'in {self} the whole collection has {size}: give the number of elements in the '
                             'collection')
        consulted = set(elements.ranking[:n])
        return ExpectingUser(self._units(topic, params), self._sights(topic, params, n), n,
                          [unit in consulted for unit in units], size - len(consulted))


PRUM = register_measure(_PRUM())
