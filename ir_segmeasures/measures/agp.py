"""
In-context retrieval: Pehcevski & Thom. Evaluating Focused Retrieval Tasks. SIGIR 2007 Workshop on Focused Retrieval,
section 3, Eq. 1-8 and 11.

The ranking is one of documents: a document stands at the rank of its first item, and its parts are all its items in
the list, whatever the cut-off. A document's score is the precision, recall or F of its parts against its relevant
spans, in length of content, overlap counted once.
"""

from collections.abc import Sequence
from math import fsum, inf
from typing import TYPE_CHECKING, NamedTuple

from ir_segmeasures.measures.base import REL, Choice, Flag, Number, SpanMeasure, reached, register, required

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['AgP', 'MAgP', 'gP', 'gR', 'igP', 'AigP']

DOCUMENTS = Number('only so many documents of the ranking', low=1, whole=True)
_SCORE = {
    'score': Choice('score of a document', 'F', 'P', 'R', default='F'),
    'beta': Number('weight of recall against precision in F', low=0, default=1),
}
_RECALL = Choice("what recall counts: relevant documents ('docs'), or the relevant content in them ('length')",
                 'docs', 'length', default='docs')


class Recalled(NamedTuple):
    """A retrieved document with relevant spans: its rank, gP and gR there, and by how much gR grows."""
    rank: int
    gP: float
    gR: float
    gain: float


def document_score(retrieved: float, common: float, relevant: float, score: str, beta: float) -> float:
    """``P = common/retrieved`` (Eq. 1), ``R = common/relevant`` (Eq. 2) or F (Eq. 3, ``beta``); 0 without overlap."""
    if not common:
        return 0.0
    P, R = common / retrieved, common / relevant
    return {'P': P, 'R': R, 'F': (1 + beta ** 2) * P * R / (beta ** 2 * P + R)}[score]


def generalised(topic: 'Topic', scores: Sequence[float], recall: str = 'docs') -> list[Recalled]:
    """
    Generalised precision and recall at every rank where recall grows, in order of rank, with the scores S(d_j) of the
    documents of ``topic.in_context``: ``gP[r] = Σ_{j<=r} S(d_j) / r`` (Eq. 4), ``gR[r]`` the share of the documents
    (Eq. 5) or content (Eq. 6).
    """
    recalled = []
    total = gR = 0.0
    for document, score in zip(topic.in_context, scores):
        total += score
        gain = 1 / topic.Nrel if recall == 'docs' else document.relevant / topic.T_rel
        gR += gain
        recalled.append(Recalled(document.rank, total / document.rank, gR, gain))
    return recalled


def average(recalled: list[Recalled]) -> float:
    """AgP: gP at the relevant documents, each weighted by how much gR grows there (Eq. 7, 8)."""
    return sum(document.gain * document.gP for document in recalled)


def precision_at(recalled: list[Recalled], rank: int) -> float:
    """gP at a rank."""
    # Between two relevant documents the sum of scores stays, so it is gP · rank at the last one.
    last = next((document for document in reversed(recalled) if document.rank <= rank), None)
    return last.gP * last.rank / rank if last else 0.0


def interpolated(recalled: list[Recalled], level: float) -> float:
    """igP: the best gP at a level of recall, or a higher one."""
    # gP falls after a relevant document until the next one, so its maxima are where recall grows.
    return max((document.gP for document in recalled if reached(document.gR, level)), default=0.0)


def by_content(topic: 'Topic', score: str, beta: float, recall: str) -> list[Recalled]:
    """The ranking of documents that are scored by :func:`document_score`."""
    return generalised(topic, [document_score(retrieved, common, relevant, score, beta)
                               for _, retrieved, common, relevant in topic.in_context], recall)


class Generalised(SpanMeasure):
    """What the measures of a ranking of documents share."""

    def _scored(self, topic: 'Topic') -> list[Recalled]:
        params = [self[name] if name in self.SUPPORTED_PARAMS else default
                  for name, default in (('score', 'F'), ('beta', 1), ('recall', 'docs'))]
        return topic.once(by_content, *params)

    def _recalled(self, topic: 'Topic') -> list[Recalled]:
        cutoff = self.params.get('cutoff', inf)
        return [document for document in self._scored(topic) if document.rank <= cutoff]


class _AgP(Generalised):
    """
    Average generalised precision (MAgP) for retrieval in context: generalised precision, averaged over the relevant
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
        return recalled[-1].gR * sum(document.gP for document in recalled) / len(recalled) if recalled else 0.0


AgP = MAgP = register(_AgP(), ['MAgP'])


class _gP(Generalised):
    """
    Generalised precision at document rank r.

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
    """
    Generalised recall at document rank r.

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
        return recalled[-1].gR if recalled else 0.0


gR = register(_gR())


class _igP(Generalised):
    """
    Interpolated generalised precision at a level of generalised recall.

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
    """
    Average interpolated generalised precision: the mean of igP over levels of recall from 0 to 1.

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
