"""The first measures of INEX, on judged elements: inex-2002 and inex-2003, as Kazai. Notes on What to Measure in INEX.
INEX 2005 Workshop on Element Retrieval Methodology, appendix A.1 and A.2, has them.

Judged rows are elements, with exhaustivity and specificity beside them; their relevance is not read. Ids name the
element, its offsets, or both: ``co/2001/r7022#xpath=/article[1]/bdy[1]&char=17,2028``. The elements of a document form
a tree (trees.py), and what is not judged is not relevant.

Measures of spans read such judgements as relevant content from the outermost element inwards: HiXEval, which is SegP
and SegR, wants the highlighted passages instead.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from ir_segmeasures.measures.base import CUTOFF, RECALL_LEVEL, TOLERANCE, recall_levels, register
from ir_segmeasures.measures.elements.base import ElementMeasure
from ir_segmeasures.measures.elements.quantisation import QUANT, SPECIFICITY, elements, share
from ir_segmeasures.measures.elements.trees import Seen

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.row_topic import RowTopic

__all__ = ['I2_Precall', 'I3_R', 'I3_P']


class _I2_Precall(ElementMeasure):
    """The measure of INEX 2002 (inex-2002, inex_eval): the probability that what the user views is relevant, at recall
    x. Overlap is not considered.

    ``I2_Precall@x = x·n / (x·n + j + s·i/(r+1))``, with n what all judged elements are worth together by the
    quantisation, r what the element at the rank l where x·n is reached is worth, i = 1 - r, j the sum of 1 - worth over
    the ranks before l, and s = x·n less what the elements before l are worth. 0 if the ranking does not reach x·n.
    Without ``@x`` the mean over x = 0.01, 0.02, … 1.00.

    Range [0, 1], higher is better; 0 if nothing is worth anything. An element that is retrieved again is worth nothing.
    Source: Kazai 2005, Eq. 1, after Gövert & Kazai 2003; the 0, the default quantisation and what a repeated element is
    worth are this project's choices.
    """
    __name__ = 'I2_Precall'
    NAME = __name__
    PRETTY_NAME = 'Precall of elements, inex-2002'
    SHORT_DESC = 'The probability that what is viewed is relevant, at a recall level or averaged over 100, by worth.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': RECALL_LEVEL,
        'quant': QUANT,
        'specificity': SPECIFICITY,
        'cutoff': CUTOFF,
    }

    def compute(self, topic: RowTopic) -> float:
        worths = self._worth(topic)
        n = sum(worths.values())
        ranking = self._forest(topic).ranking[:self._cutoff(topic)]
        first = {node: rank for rank, node in reversed(list(enumerate(ranking)))}
        r = [worths.get(node, 0) if first[node] == rank else 0 for rank, node in enumerate(ranking)]
        found = list(accumulate(r))
        levels = recall_levels(self)
        return sum(self._precall(level * n, r, found) for level in levels) / len(levels) if n else 0.0

    def _precall(self, wanted: float, r: list[float], found: list[float]) -> float:
        rank = bisect_left(found, wanted * (1 - TOLERANCE))
        if rank == len(found):
            return 0.0
        before = found[rank] - r[rank]
        return wanted / (wanted + (rank - before) + (wanted - before) * (1 - r[rank]) / (r[rank] + 1))


I2_Precall = register(_I2_Precall())


class RetrievedElements(NamedTuple):
    """What a ranking has retrieved so far: ``Σ e·|c'|/|c|``, ``Σ s·|c'|`` and ``Σ |c'|`` over its elements c, with c'
    the part of each that was not in an element before (Eq. 5), and e and s from 0 to 1.
    """
    exhaustive: float
    specific: float
    size: float


def retrieved(topic: RowTopic, specificity: str, cutoff: int) -> RetrievedElements:
    """The sums over the first ``cutoff`` elements. ValueError if the offsets of one are not known."""
    found, seen = elements(topic, specificity), Seen()
    ranking = found.ranking[:cutoff]
    found.check_offsets(ranking, 'and inex-2003 measures sizes')
    sums = [0.0, 0.0, 0.0]
    for node in ranking:
        new = seen.read(node)
        if new:
            sums[0] += node.exhaustivity / 3 * new / node.size
            sums[1] += share(node.specificity, specificity) * new
            sums[2] += new
    return RetrievedElements(*sums)


class _I3(ElementMeasure):
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'specificity': SPECIFICITY}

    def _retrieved(self, topic: RowTopic) -> RetrievedElements:
        return topic.once(retrieved, self['specificity'], self._cutoff(topic))


class _I3_R(_I3):
    """Recall of the measure of INEX 2003 (inex-2003, inex_eval_ng), which considers size and overlap.

    ``I3_R = Σ_{i<=k} e(c_i)·|c'_i|/|c_i| / Rel^U``, with c' the part of an element that is in none before it (Eq. 5), e
    its exhaustivity over 3, and ``Rel^U`` the sum of e over the relevant leaves, the elements without relevant ones
    inside them.

    Range [0, ∞), higher is better: it exceeds 1 where ancestors are more exhaustive than their leaves together. Offsets
    are needed. Source: Kazai 2005, Eq. 3 and 5, after Gövert et al. 2005.
    """
    __name__ = 'I3_R'
    NAME = __name__
    PRETTY_NAME = 'Recall of elements, inex-2003'
    SHORT_DESC = 'The exhaustivity of what the elements add, over that of the relevant leaves.'

    def compute(self, topic: RowTopic) -> float:
        Rel = sum(node.exhaustivity / 3 for node in self._forest(topic).leaves)
        return self._retrieved(topic).exhaustive / Rel if Rel else 0.0


I3_R = register(_I3_R())


class _I3_P(_I3):
    """Precision of the measure of INEX 2003 (inex-2003, inex_eval_ng), which considers size and overlap.

    ``I3_P = Σ_{i<=k} s(c_i)·|c'_i| / Σ_{i<=k} |c'_i|``, with c' the part of an element that is in none before it
    (Eq. 5) and s its specificity from 0 to 1, which is 0 where it is not judged.

    Range [0, 1], higher is better. Offsets are needed. Source: Kazai 2005, Eq. 4 and 5, after Gövert et al. 2005.
    """
    __name__ = 'I3_P'
    NAME = __name__
    PRETTY_NAME = 'Precision of elements, inex-2003'
    SHORT_DESC = 'The mean specificity of what the elements add, by size.'

    def compute(self, topic: RowTopic) -> float:
        _, specific, size = self._retrieved(topic)
        return specific / size if size and self._forest(topic).leaves else 0.0


I3_P = register(_I3_P())
