"""The first measures of INEX, on judged elements: inex-2002 and inex-2003, as Kazai. Notes on What to Measure in INEX.
INEX 2005 Workshop on Element Retrieval Methodology, appendix A.1 and A.2, has them.

Judged rows are elements, with the columns ``exhaustivity`` and ``specificity``; their relevance is not read. Ids name
the element, its offsets, or both: ``co/2001/r7022#xpath=/article[1]/bdy[1]&char=17,2028``. The elements of a document
form a tree (trees.py), and elements that are not judged are not relevant.

For measures of spans, all content of a judged element is relevant, so that the outermost relevant element of a document
decides. HiXEval, which is SegP and SegR, takes the highlighted passages as judgements instead.
"""

from bisect import bisect_left
from itertools import accumulate
from math import inf
from typing import Any, NamedTuple

from ir_segmeasures.measures.base import RowTopic, register_measure
from ir_segmeasures.measures.elements.base import QUANT, SPECIFICITY, ElementMeasure, as_share, element_forest, worth
from ir_segmeasures.measures.elements.trees import Seen
from ir_segmeasures.measures.parameters import CUTOFF, RECALL_LEVEL, Number, recall_levels
from ir_segmeasures.measures.stops import lowest_reaching

__all__ = ['I2_Precall', 'I3_R', 'I3_P']


def worths_by_rank(topic: RowTopic, quant: str, specificity: str) -> tuple[float, list[float]]:
    """The worth of all judged elements together, and of the element at each rank, 0 where it stands before it too."""
    worths, left = topic.cached(worth, quant, specificity), dict(topic.cached(worth, quant, specificity))
    ranking = element_forest(topic, specificity, quant).ranking
    return sum(worths.values()), [left.pop(node, 0.) for node in ranking]


class _I2_Precall(ElementMeasure):
    """Precall of elements, inex-2002 (inex-2002, inex_eval): the probability that an element viewed is relevant, at a
    recall level or averaged over 100, by worth. Overlap is not considered.

    ``I2_Precall@x = x·n / (x·n + j + s·i/(r+1))``, with n the worth of all judged elements together. The ranking
    reaches the worth x·n at a rank l: r is the worth of the element at l, i = 1 - r, j the sum of 1 - worth over the
    ranks before l, and s is x·n minus the worth of the elements before l. The value is 0 if the ranking does not reach
    x·n. Without ``@x`` it is the mean over x = 0.01, 0.02, … 1.00.

    Range [0, 1], higher is better; 0 if no element has worth. An element that is retrieved again is worth 0. Source:
    Kazai 2005, Eq. 1, after Gövert & Kazai 2003; the value 0, the default quantisation and the worth of a repeated
    element are this project's choices.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import I2_Precall
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['d#xpath=/a[1]/s[1]', 'd#xpath=/a[1]/s[2]'],
        ...                       'relevance': 1, 'exhaustivity': [3, 3], 'specificity': [3, 3]})  # worth 1 each
        >>> run = {'q': {'d#xpath=/a[1]/s[3]': 2, 'd#xpath=/a[1]/s[2]': 1}}  # one that is not relevant before it
        >>> (I2_Precall@0.5).calc_aggregate(qrels, run)  # 1 / (1 + 1)
        0.5
    """
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {'recall': RECALL_LEVEL, 'quant': QUANT, 'specificity': SPECIFICITY, 'cutoff': CUTOFF}

    def compute(self, topic: RowTopic) -> float:
        n, r = topic.cached(worths_by_rank, self['quant'], self['specificity'])
        r = r[:self._cutoff(topic)]
        found, levels = list(accumulate(r)), recall_levels(self)
        return sum(_precall(r, found, level * n) for level in levels) / len(levels) if any(r) else 0.0


def _precall(r: list[float], found: list[float], wanted: float) -> float:
    """The precall at the rank with which so much worth is found, 0 if it is not found."""
    rank = bisect_left(found, lowest_reaching(wanted))
    if rank == len(found):
        return 0.0
    before = found[rank] - r[rank]
    return wanted / (wanted + (rank - before) + (wanted - before) * (1 - r[rank]) / (r[rank] + 1))


I2_Precall = register_measure(_I2_Precall())


class RetrievedElements(NamedTuple):
    """Sums over the retrieved elements c, where c' is the part of an element that is in no element before it (Eq. 5).

    Attributes:
        exhaustive: ``Σ e·|c'|/|c|``, with e the exhaustivity from 0 to 1
        specific: ``Σ s·|c'|``, with s the specificity from 0 to 1
        size: ``Σ |c'|``
    """
    exhaustive: float = 0
    specific: float = 0
    size: float = 0


def retrieved_elements(topic: RowTopic, specificity: str, cutoff: int, budget: float | None) -> list[RetrievedElements]:
    """The sums after each of the first ``cutoff`` elements, in ticks. They are read until ``budget`` is spent, the last
    one cut there.

    Raises:
        ValueError: the offsets of an element are not known
    """
    found, seen, sums = element_forest(topic, specificity), Seen(), [RetrievedElements()]
    ranking, rest = found.ranking[:cutoff], inf if budget is None else round(budget * topic.scale, 9)
    found.check_offsets(ranking, 'and inex-2003 measures sizes')
    for node in ranking:
        new = seen.read(node) if node.ticks <= rest else seen.unseen(node, rest)
        exhaustive, specific, size = sums[-1]
        sums.append(RetrievedElements(exhaustive + (node.exhaustivity / 3 * new / node.ticks if new else 0),
                                      specific + as_share(node.specificity, specificity) * new, size + new))
        rest -= node.ticks
        if rest <= 0:
            break
    return sums


class _I3Measure(ElementMeasure):
    SUPPORTED_PARAMS: Any = {'cutoff': CUTOFF, 'specificity': SPECIFICITY, 'budget': Number(
        'size of the elements read, in the unit of the offsets, the last one cut there', above=0)}

    def _retrieved(self, topic: RowTopic) -> list[RetrievedElements]:
        return topic.cached(retrieved_elements, self['specificity'], self._cutoff(topic), self.params.get('budget'))

    def _Rel(self, topic: RowTopic) -> float:
        """The exhaustivity of the relevant leaves, from 0 to 1 each."""
        return sum(node.exhaustivity / 3 for node in self._forest(topic).leaves)


class _I3_R(_I3Measure):
    """Recall of elements, inex-2003 (inex-2003, inex_eval_ng): the exhaustivity of what the elements add, over that of
    the relevant leaves.

    ``I3_R = Σ_{i<=k} e(c_i)·|c'_i|/|c_i| / Rel^U``, with c' the part of an element that is in no element before it
    (Eq. 5), e its exhaustivity over 3, and ``Rel^U`` the sum of e over the relevant leaves: the relevant elements
    without relevant elements inside them.

    With ``budget`` the elements are read until their sizes, content read before included, are so much.

    Range [0, ∞), higher is better. It exceeds 1 where ancestors are more exhaustive than their leaves together. Offsets
    are needed. Source: Kazai 2005, Eq. 3 and 5, after Gövert et al. 2005.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import I3_R
        >>> qrels = pd.DataFrame({'query_id': 'q', 'doc_id': ['d#char=0,100', 'd#char=100,200'], 'relevance': 1,
        ...                       'exhaustivity': [3, 3], 'specificity': [3, 3]})
        >>> run = {'q': {'d#char=0,100': 1}}  # one of two leaves of the same exhaustivity
        >>> I3_R.calc_aggregate(qrels, run)
        0.5
    """

    def compute(self, topic: RowTopic) -> float:
        retrieved, Rel = self._retrieved(topic)[-1], self._Rel(topic)
        return retrieved.exhaustive / Rel if Rel else 0.0


I3_R = register_measure(_I3_R())


class _I3_P(_I3Measure):
    """Precision of elements, inex-2003 (inex-2003, inex_eval_ng): the mean specificity of what the elements add, by
    size.

    ``I3_P = Σ_{i<=k} s(c_i)·|c'_i| / Σ_{i<=k} |c'_i|``, with c' the part of an element that is in no element before it
    (Eq. 5) and s its specificity from 0 to 1, which is 0 where it is not judged. With ``recall`` it is the greatest of
    these at a rank where ``I3_R`` is at least so much, 0 if there is none; ``budget`` is that of ``I3_R``.

    Range [0, 1], higher is better. Offsets are needed. Source: Kazai 2005, Eq. 4 and 5, after Gövert et al. 2005.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import I3_P
        >>> qrels = pd.DataFrame({'query_id': ['q'], 'doc_id': ['d#char=0,100'], 'relevance': [1],
        ...                       'exhaustivity': [3], 'specificity': [3]})
        >>> run = {'q': {'d#char=0,100': 2, 'd#char=100,400': 1}}  # 100 characters of specificity 1, 300 of 0
        >>> I3_P.calc_aggregate(qrels, run)
        0.25
    """
    SUPPORTED_PARAMS = {**_I3Measure.SUPPORTED_PARAMS,
                        'recall': Number('recall level (I3_R) at which precision is taken', low=0, high=1)}

    def compute(self, topic: RowTopic) -> float:
        retrieved, Rel = self._retrieved(topic), self._Rel(topic)
        if 'recall' in self.params:
            wanted = lowest_reaching(self['recall'] * Rel)
            retrieved = [found for found in retrieved if found.exhaustive >= wanted]
        else:
            retrieved = retrieved[-1:]
        return max((found.specific / found.size for found in retrieved if found.size), default=0.0) if Rel else 0.0


I3_P = register_measure(_I3_P())
