"""In-context retrieval: Pehcevski & Thom. Evaluating Focused Retrieval Tasks. SIGIR 2007 Workshop on Focused Retrieval,
section 3, Eq. 1-8 and 11.

The ranking is one of documents: a document stands at the rank of its first item, and its parts are all its items in
the list, whatever the cut-off. A document's score is the precision, recall or F of its parts against its relevant
spans, in length of content, overlap counted once.
"""

from math import fsum, inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import REL, Choice, Flag, Number, SpanMeasure, least, register, required

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir_segmeasures.evaluation.topic import Topic

    Floats = NDArray[np.float64]
    Ints = NDArray[np.intp]

__all__ = ['AgP', 'MAgP', 'gP', 'gR', 'igP', 'AigP']

DOCUMENTS = Number('only so many documents of the ranking', low=1, whole=True)
_SCORE = {
    'score': Choice('score of a document', 'F', 'P', 'R', default='F'),
    'beta': Number('weight of recall against precision in F', low=0, default=1),
}
_RECALL = Choice("what recall counts: relevant documents ('docs'), or the relevant content in them ('length')",
                 'docs', 'length', default='docs')


class Recalled(NamedTuple):
    """The retrieved documents with relevant spans, as arrays, by rank.

    Attributes:
        rank: of each document
        gP, gR: generalised precision and recall there
        gain: by how much gR grows there
    """
    rank: 'Ints'
    gP: 'Floats'
    gR: 'Floats'
    gain: 'Floats'

    def up_to(self, rank: float) -> 'Recalled':
        """Those up to a rank."""
        n = int(np.searchsorted(self.rank, rank, 'right'))
        return Recalled._make(column[:n] for column in self)


def document_score(retrieved: 'Floats', common: 'Floats', relevant: 'Floats', score: str, beta: float) -> 'Floats':
    """Of each document ``P = common/retrieved`` (Eq. 1), ``R = common/relevant`` (Eq. 2) or F (Eq. 3, ``beta``); 0
    without overlap.
    """
    scores, some = np.zeros(len(common)), common > 0
    P, R = common[some] / retrieved[some], common[some] / relevant[some]
    scores[some] = P if score == 'P' else R if score == 'R' else (1 + beta ** 2) * P * R / (beta ** 2 * P + R)
    return scores


def generalised(topic: 'Topic', scores: 'Floats', recall: str = 'docs') -> Recalled:
    """Generalised precision and recall at every rank where recall grows, in order of rank, with the scores S(d_j) of
    the documents of ``topic.in_context``: ``gP[r] = Σ_{j<=r} S(d_j) / r`` (Eq. 4), ``gR[r]`` the share of the documents
    (Eq. 5) or content (Eq. 6).
    """
    _, rank, relevant = topic.in_context
    gain = np.full(len(rank), 1 / topic.Nrel) if recall == 'docs' else relevant / topic.T_rel
    return Recalled(rank, np.cumsum(scores) / rank, np.cumsum(gain), gain)


def average(recalled: Recalled) -> float:
    """AgP: gP at the relevant documents, each weighted by how much gR grows there (Eq. 7, 8)."""
    return float((recalled.gain * recalled.gP).sum())


def precision_at(recalled: Recalled, rank: int) -> float:
    """gP at a rank."""
    # Between two relevant documents the sum of scores stays, so it is gP · rank at the last one.
    before = recalled.up_to(rank)
    return float(before.gP[-1] * before.rank[-1] / rank) if len(before.rank) else 0.0


def interpolated(recalled: Recalled, level: float) -> float:
    """igP: the best gP at a level of recall, or a higher one."""
    # gP falls after a relevant document until the next one, so its maxima are where recall grows.
    return float(recalled.gP[recalled.gR >= least(level)].max(initial=0.0))


def by_content(topic: 'Topic', score: str, beta: float, recall: str) -> Recalled:
    """The ranking of documents that are scored by :func:`document_score`."""
    return generalised(topic, document_score(*topic.parts, topic.in_context.relevant, score, beta), recall)


class Generalised(SpanMeasure):
    """What the measures of a ranking of documents share."""

    def _scored(self, topic: 'Topic') -> Recalled:
        params = [self[name] if name in self.SUPPORTED_PARAMS else default
                  for name, default in (('score', 'F'), ('beta', 1), ('recall', 'docs'))]
        return topic.once(by_content, *params)

    def _recalled(self, topic: 'Topic') -> Recalled:
        return self._scored(topic).up_to(self.params.get('cutoff', inf))


class _AgP(Generalised):
    """Average generalised precision (MAgP) for retrieval in context: generalised precision, averaged over the relevant
    documents.

    ``AgP = Σ_j gP[j] / Nrel`` over the ranks j of the relevant documents (Eq. 7);
    ``recall='length'``: ``AgP = Σ_j (rsize(d_j) / T_rel) · gP[j]`` (Eq. 8, MAgP'), with rsize(d) all relevant content
    of d; with ``scaled=True`` as well: ``AgP = gR'[last] · mean of gP[j]`` (Eq. 11).

    Range [0, 1], higher is better; the unit of the medium cancels out. ``@`` cuts the ranking of documents, never the
    parts of one. Source: Pehcevski & Thom 2007, Eq. 7, 8, 11. INEX published ``AgP(beta=0.25)``.
    """
    __name__ = 'AgP'
    NAME = __name__
    PRETTY_NAME = 'Average generalised Precision'
    SHORT_DESC = 'AP over documents that count by how well their retrieved parts match their relevant content.'
    SUPPORTED_PARAMS = {
        'cutoff': DOCUMENTS,
        **_SCORE,
        'recall': _RECALL,
        'scaled': Flag("whether recall is a factor before the mean; needs recall='length'", default=False),
        'rel': REL,
    }

    def check(self) -> None:
        if self['scaled'] and self['recall'] != 'length':
            raise ValueError("AgP has scaled=True without recall='length': Eq. 11 scales by the content recalled")

    def compute(self, topic: 'Topic') -> float:
        recalled = self._recalled(topic)
        if not self['scaled']:
            return average(recalled)
        return float(recalled.gR[-1] * recalled.gP.mean()) if len(recalled.gP) else 0.0


AgP = MAgP = register(_AgP(), ['MAgP'])


class _gP(Generalised):
    """Generalised precision at document rank r.

    ``gP@r = Σ_{j<=r} S(d_j) / r``; documents beyond the end of the list score 0.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 4.
    """
    __name__ = 'gP'
    NAME = __name__
    PRETTY_NAME = 'Generalised Precision at r documents'
    SHORT_DESC = 'The mean score of the top r documents.'
    SUPPORTED_PARAMS = {'cutoff': required(DOCUMENTS), **_SCORE, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        return precision_at(self._scored(topic), self['cutoff'])


gP = register(_gP())


class _gR(Generalised):
    """Generalised recall at document rank r.

    ``gR@r = relevant documents in the top r / Nrel`` (Eq. 5); ``recall='length'``: the relevant content of the top r
    documents over all relevant content (Eq. 6).

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 5, 6.
    """
    __name__ = 'gR'
    NAME = __name__
    PRETTY_NAME = 'Generalised Recall at r documents'
    SHORT_DESC = 'The share of the relevant documents, or of the content in them, among the top r documents.'
    SUPPORTED_PARAMS = {'cutoff': required(DOCUMENTS), 'recall': _RECALL, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        recalled = self._recalled(topic)
        return float(recalled.gR[-1]) if len(recalled.gR) else 0.0


gR = register(_gR())


class _igP(Generalised):
    """Interpolated generalised precision at a level of generalised recall.

    ``igP@x = max{ gP[r] : gR[r] >= x }``, 0 if there is none.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Figure 4 (11-point graph).
    """
    __name__ = 'igP'
    NAME = __name__
    PRETTY_NAME = 'Interpolated generalised Precision at recall'
    SHORT_DESC = 'The best generalised precision at a level of generalised recall, or a higher one.'
    AT_PARAM = 'level'
    SUPPORTED_PARAMS = {
        'level': Number('level of generalised recall', low=0, high=1, required=True),
        **_SCORE,
        'recall': _RECALL,
        'rel': REL,
        'cutoff': DOCUMENTS,
    }

    def compute(self, topic: 'Topic') -> float:
        return interpolated(self._recalled(topic), self['level'])


igP = register(_igP())


class _AigP(Generalised):
    """Average interpolated generalised precision: the mean of igP over levels of recall from 0 to 1.

    ``AigP = (1/points) · Σ_i igP@x_i`` with ``x_i = i / (points - 1)``, i = 0 … points - 1.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, section 5 and Figure 4 (11 points).
    """
    __name__ = 'AigP'
    NAME = __name__
    PRETTY_NAME = 'Average interpolated generalised Precision'
    SHORT_DESC = 'The mean of interpolated generalised precision over equally spaced levels of recall.'
    SUPPORTED_PARAMS = {
        'cutoff': DOCUMENTS,
        'points': Number('number of recall levels from 0 to 1', low=2, high=10001, whole=True, default=11),
        **_SCORE,
        'recall': _RECALL,
        'rel': REL,
    }

    def compute(self, topic: 'Topic') -> float:
        recalled, steps = self._recalled(topic), self['points'] - 1
        return fsum(interpolated(recalled, i / steps) for i in range(steps + 1)) / (steps + 1)


AigP = register(_AigP())
