"""In-context retrieval: Pehcevski & Thom. Evaluating Focused Retrieval Tasks. SIGIR 2007 Workshop on Focused Retrieval,
section 3, Eq. 1-8 and 11.

The ranking is a ranking of documents: a document stands at the rank of its first item, and its parts are all its items
in the list, whatever the cut-off. The score of a document is the precision, recall or F of its parts against its
relevant spans, in length of content; overlap is counted once. document_ranking.py has generalised precision and recall.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CONDENSED, REL, Choice, Flag, Number, register_measure, required
from ir_segmeasures.measures.document_ranking import (
    DOCUMENTS,
    AverageGP,
    DocumentMeasure,
    DocumentRanking,
    GPAtRank,
    Scoring,
    best_documents,
    rank_documents,
)
from ir_segmeasures.measures.interpolation import AtLevel, BestSteps, InterpolatedMeasure, OverLevels
from ir_segmeasures.segments.arrays import Floats

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['AgP', 'MAgP', 'gP', 'gR', 'igP', 'AigP']

_SCORE = {
    'score': Choice('score of a document', 'F', 'P', 'R', default='F'),
    'beta': Number('weight of recall against precision in F', low=0, default=1),
}
_RECALL = Choice("what recall counts: relevant documents ('docs'), or the relevant content in them ('length')",
                 'docs', 'length', default='docs')


class ContentScores(NamedTuple):
    """The scores of documents by their content, as arrays.

    Attributes:
        P: precision, common / retrieved (Eq. 1)
        R: recall, common / relevant (Eq. 2)
        F: their weighted harmonic mean (Eq. 3)
    """
    P: Floats
    R: Floats
    F: Floats


def content_scores(retrieved: Floats, common: Floats, relevant: Floats, beta: float) -> ContentScores:
    """The scores of documents, 0 where nothing retrieved of them is relevant.

    Args:
        retrieved, relevant: the lengths of the content that is retrieved, and that is relevant
        common: the length of the content that is both
        beta: the weight of recall in F
    """
    found = common > 0
    scores = ContentScores(*np.zeros((3, len(common))))
    scores.P[found] = P = common[found] / retrieved[found]
    scores.R[found] = R = common[found] / relevant[found]
    scores.F[found] = (1 + beta ** 2) * P * R / (beta ** 2 * P + R)
    return scores


def document_scores(run: RunItems, beta: float) -> ContentScores:
    """The scores of ``run.all_documents``."""
    group, _, relevant, _ = run.all_documents
    return content_scores(run.document_lengths.retrieved[group], run.document_lengths.common[group], relevant, beta)


def scores_of_queries(run: RunItems, beta: float) -> list[ContentScores]:
    """For each query, the scores of its documents."""
    scores = run.cached(document_scores, beta)
    bounds = run.all_documents.bounds
    return [ContentScores._make(column[low:high] for column in scores) for low, high in pairwise(bounds)]


def content_ranking(run: RunItems, score: str, beta: float, recall: str) -> DocumentRanking:
    """The rankings of documents that are scored by their content."""
    return rank_documents(run, getattr(run.cached(document_scores, beta), score), recall)


class _ContentMeasure(DocumentMeasure):
    STEP = 'RankedDocument'

    @cached_property
    def scoring(self) -> Scoring:
        params = [self[name] if name in self.SUPPORTED_PARAMS else default
                  for name, default in (('score', 'F'), ('beta', 1), ('recall', 'docs'))]
        return content_ranking, *params

    def score_columns(self, topic: Topic) -> tuple[Any, ...]:
        return topic.computed_on_run(scores_of_queries, self['beta'] if 'beta' in self.SUPPORTED_PARAMS else 1)


class _AgP(_ContentMeasure, AverageGP):
    """Average generalised precision (MAgP) for retrieval in context: generalised precision, averaged over the relevant
    documents.

    ``AgP = Σ_j gP[j] / Nrel`` over the ranks j of the relevant documents (Eq. 7);
    ``recall='length'``: ``AgP = Σ_j (rsize(d_j) / T_rel) · gP[j]`` (Eq. 8, MAgP'), with rsize(d) all relevant content
    of d; with ``scaled=True`` as well: ``AgP = gR'[last] · mean of gP[j]`` (Eq. 11).

    Range [0, 1], higher is better; the unit of the medium cancels out. ``@`` cuts the ranking of documents, never the
    parts of a document. Source: Pehcevski & Thom 2007, Eq. 7, 8, 11. INEX published ``AgP(beta=0.25)``.

    With ``condensed=True`` content that nobody judged leaves the documents, and an item without judged content the
    list. Judgements below ``rel`` are needed for that: where only relevant content is judged, no other content stays.

    Examples:
        >>> from ir_segmeasures import AgP
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 1}}  # P = 5/20, R = 5/15, F = 2/7
        >>> round(AgP.calc_aggregate(qrels, run), 4)
        0.2857
        >>> qrels['q']['v#t=0,10'] = 0
        >>> round(AgP(condensed=True).calc_aggregate(qrels, run), 4)  # 5 s leave: P = 5/15
        0.3333
    """
    PRETTY_NAME = 'Average generalised Precision'
    SHORT_DESC = 'AP over documents that count by how well their retrieved parts match their relevant content.'
    SUPPORTED_PARAMS = {
        'cutoff': DOCUMENTS,
        **_SCORE,
        'recall': _RECALL,
        'scaled': Flag("whether recall is a factor before the mean; needs recall='length'", default=False),
        'rel': REL,
        'condensed': CONDENSED,
    }

    def check(self) -> None:
        if self['scaled'] and self['recall'] != 'length':
            raise ValueError("AgP has scaled=True without recall='length': Eq. 11 scales by the content recalled")

    def compute(self, topic: Topic) -> float:
        if not self['scaled']:
            return super().compute(topic)
        ranking = self.ranking(topic)
        return float(ranking.gR[-1] * ranking.gP.mean()) if len(ranking.gP) else 0.0

    def steps(self, topic: Topic) -> Steps:
        if not self['scaled']:
            return super().steps(topic)
        ranking = self.ranking(topic)
        recall = ranking.gR[-1] if len(ranking.gR) else 0.0
        return self.document_steps(topic, recall * ranking.gP / max(1, len(ranking.gP)),
                                   f'The recall {recall:.4f} times the mean of gP over them is '
                                   f'{self.compute(topic):.4f}.')


AgP = register_measure(_AgP(), ['MAgP'])
MAgP = AgP.called('MAgP')


class _gP(_ContentMeasure, GPAtRank):
    """Generalised precision at document rank r.

    ``gP@r = Σ_{j<=r} S(d_j) / r``, with S(d) the score of a document; documents beyond the end of the list score 0.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 4.

    Examples:
        >>> from ir_segmeasures import gP
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'u#t=0,20': 1}}  # F of v is 2/7, F of u is 0
        >>> round((gP@2).calc_aggregate(qrels, run), 4)
        0.1429
    """
    PRETTY_NAME = 'Generalised Precision at r documents'
    SHORT_DESC = 'The mean score of the top r documents.'
    SUPPORTED_PARAMS = {'cutoff': required(DOCUMENTS), **_SCORE, 'rel': REL, 'condensed': CONDENSED}


gP = register_measure(_gP())


class _gR(_ContentMeasure):
    """Generalised recall at document rank r.

    ``gR@r = relevant documents in the top r / Nrel`` (Eq. 5); ``recall='length'``: the relevant content of the top r
    documents over all relevant content (Eq. 6).

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 5, 6.

    Examples:
        >>> from ir_segmeasures import gR
        >>> qrels = {'q': {'v#t=15,25': 1, 'u#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 1}}
        >>> (gR@1).calc_aggregate(qrels, run)
        0.5
        >>> round((gR(recall='length')@1).calc_aggregate(qrels, run), 4)  # 10 of 15 s
        0.6667
    """
    PRETTY_NAME = 'Generalised Recall at r documents'
    SHORT_DESC = 'The share of the relevant documents, or of the content in them, among the top r documents.'
    SUPPORTED_PARAMS = {'cutoff': required(DOCUMENTS), 'recall': _RECALL, 'rel': REL, 'condensed': CONDENSED}

    def compute(self, topic: Topic) -> float:
        ranking = self.ranking(topic)
        return min(float(ranking.gR[-1]), 1.) if len(ranking.gR) else 0.0  # a sum of shares

    def steps(self, topic: Topic) -> Steps:
        return self.document_steps(topic, self.ranking(topic).gain,
                                   f'The sum of gain over them is {self.compute(topic):.4f}.')


gR = register_measure(_gR())


class _InterpolatedGP(_ContentMeasure, InterpolatedMeasure):
    def best(self, topic: Topic) -> BestSteps:
        return topic.computed_on_run(best_documents, self.cutoff, *self.scoring)

    def amount(self, topic: Topic) -> float:
        return 1

    def level_steps(self, topic: Topic, at_levels: dict[int, int], levels: int, sentence: str) -> Steps:
        gP = self.ranking(topic).gP
        counts = np.array([at_levels.get(step, 0) for step in range(len(gP))], float)
        return self.document_steps(topic, counts * gP / levels, sentence)


class _igP(_InterpolatedGP, AtLevel):
    """Interpolated generalised precision at a level of generalised recall.

    ``igP@x = max{ gP[r] : gR[r] >= x }``, 0 if there is none.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Figure 4 (11-point graph).

    Examples:
        >>> from ir_segmeasures import igP
        >>> qrels = {'q': {'v#t=0,10': 1, 'u#t=0,10': 1}}
        >>> run = {'q': {'v#t=0,10': 3, 'w#t=0,10': 2, 'u#t=0,10': 1}}
        >>> [round((igP@level).calc_aggregate(qrels, run), 4) for level in (0.5, 1)]  # after v, and after u
        [1.0, 0.6667]
    """
    PRETTY_NAME = 'Interpolated generalised Precision at recall'
    SHORT_DESC = 'The best generalised precision at a level of generalised recall, or a higher one.'
    AT_PARAM = 'level'
    SUPPORTED_PARAMS = {
        'level': Number('level of generalised recall', low=0, high=1, required=True),
        **_SCORE,
        'recall': _RECALL,
        'rel': REL,
        'cutoff': DOCUMENTS,
        'condensed': CONDENSED,
    }
    HIGHEST = 'gP'


igP = register_measure(_igP())


class _AigP(_InterpolatedGP, OverLevels):
    """Average interpolated generalised precision: the mean of igP over levels of recall from 0 to 1.

    ``AigP = (1/points) · Σ_i igP@x_i`` with ``x_i = i / (points - 1)``, i = 0 … points - 1.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, section 5 and Figure 4 (11 points).

    Examples:
        >>> from ir_segmeasures import AigP
        >>> qrels = {'q': {'v#t=0,10': 1, 'u#t=0,10': 1}}
        >>> run = {'q': {'v#t=0,10': 3, 'w#t=0,10': 2, 'u#t=0,10': 1}}
        >>> round(AigP.calc_aggregate(qrels, run), 4)  # 1 at the levels up to 0.5, then 2/3: (6 * 1 + 5 * 2/3) / 11
        0.8485
    """
    PRETTY_NAME = 'Average interpolated generalised Precision'
    SHORT_DESC = 'The mean of interpolated generalised precision over equally spaced levels of recall.'
    SUPPORTED_PARAMS = {
        'cutoff': DOCUMENTS,
        'points': Number('number of recall levels from 0 to 1', low=2, high=10001, whole=True, default=11),
        **_SCORE,
        'recall': _RECALL,
        'rel': REL,
        'condensed': CONDENSED,
    }
    HIGHEST = 'gP', 'documents', 'document'


AigP = register_measure(_AigP())
