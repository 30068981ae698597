"""In-context retrieval: Pehcevski & Thom. Evaluating Focused Retrieval Tasks. SIGIR 2007 Workshop on Focused Retrieval,
section 3, Eq. 1-8 and 11.

The ranking is a ranking of documents: a document stands at the rank of its first item, and its parts are all its items
in the list, whatever the cut-off. The score of a document is the precision, recall or F of its parts against its
relevant spans, in length of content; overlap is counted once.
Generalised precision and recall are Eq. 4-7; the measures of documents.py differ in the scores S(d) of the documents.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import Cover, float_running, share, sums
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure, register_measure, register_named
from ir_segmeasures.measures.parameters import CONDENSED, REL, Choice, Flag, Number, required
from ir_segmeasures.measures.stops import AtLevel, InterpolatedMeasure, Outcome, OverLevels, added, counted
from ir_segmeasures.measures.walks import Walk
from ir_segmeasures.segments.basics import Ints

__all__ = ['AgP', 'MAgP', 'gP', 'gR', 'igP', 'AigP']

DOCUMENTS = Number('only so many documents of the ranking', low=1, whole=True)


def visiting(run: RunOnAxis, recall: str, scoring: Any, *params: Any) -> Walk:
    """The user who takes documents in the order of their first items, each as a whole with all its items in the list. A
    look is a document with relevant content; its cost is its rank among the documents, its gain 1 (``recall='docs'``,
    Eq. 5) or its relevant content (``'length'``, Eq. 6).

    Args:
        recall: see above
        scoring: gives columns of (run, \\*params) with one value for each stretch: ``score``, S(d), and others that
            show how it came about. They stand beside the walk, with generalised precision, ``gP[r] = Σ_{j<=r} S(d_j) /
            r`` (Eq. 4), and how much generalised recall grows there, ``gain``
    """
    first = np.full(len(run.base) - 1, len(run.row))  # the first item of each stretch
    np.minimum.at(first, run.stretch, np.arange(len(run.row)))
    item = np.sort(first[(first < len(run.row)) & (run.relevant > 0)])
    stretch, query, rank = run.stretch[item], run.query[item], run.match.document_rank[run.row[item]]
    gain, total = (run.relevant[stretch], run.T_rel) if recall == 'length' else (np.ones(len(item), np.int64), run.Nrel)
    scores = {name: column[stretch] for name, column in run.cached(scoring, *params).items()}
    return Walk('RankedDocument', run, query, run.rank[item], item, None, None, rank, gain, total,
                {**scores, 'gP': float_running(scores['score'], query) / rank, 'gain': gain / total[query]},
                lambda walk: {'document_rank': walk.cost, **walk.beside})


def documents_found(walk: Walk) -> Callable[[int], str]:
    """(query) → the sentence that says how many documents with relevant content are retrieved."""
    n, Nrel = np.bincount(walk.query, minlength=len(walk.total)), walk.run.Nrel
    return lambda query: f'{n[query]} of {counted(Nrel[query], "document")} with relevant content retrieved.'


class DocumentMeasure(SpanMeasure):
    """A measure of a ranking of documents."""

    SCORING: tuple[Any, ...]  # the function that scores documents, and the names of its parameters

    @property
    def recall(self) -> str:
        """The content of recall: ``'docs'`` or ``'length'``."""
        return self['recall'] if 'recall' in self.SUPPORTED_PARAMS else 'docs'

    def walk(self, run: RunOnAxis) -> Walk:
        scoring, *params = self.SCORING
        walk: Walk = run.cached(visiting, self.recall, scoring, *map(self.__getitem__, params))
        return walk.where(walk.cost <= self.cutoff)

    def added(self, walk: Walk, parts: Any, whole: Any, sentence: Callable[[int, float], str]) -> Outcome:
        """The outcome whose values are the sums of the parts, divided by the whole."""
        found = documents_found(walk)
        return added(walk, parts, lambda query, value: f'{found(query)} {sentence(query, value)}', whole)


class AverageGP(DocumentMeasure):
    """A measure that is the average of gP over the relevant documents, each weighted by how much gR grows there."""

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = self.walk(run)
        parts, whole = (1, run.Nrel) if self.recall == 'docs' else (walk.beside['gain'], 1)
        return self.added(walk, parts * walk.beside['gP'], whole,
                          lambda query, value: f'The sum of gP · gain over them is {value:.4f}.')


class GPAtRank(DocumentMeasure):
    """A measure that is gP at the cut-off."""

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk, k = self.walk(run), self['cutoff']
        return self.added(walk, walk.beside['score'], k, lambda query, value: (
            f'The sum of their scores, divided by {k}, is {value:.4f}.'))


_SCORE = {'score': Choice("score of a document; 'rel': 1 if it has relevant content, whatever of it is retrieved",
                          'F', 'P', 'R', 'rel', default='F'),
          'beta': Number('weight of recall against precision in F', low=0, default=1)}
_RECALL = Choice("what recall counts: relevant documents ('docs'), or the relevant content in them ('length')",
                 'docs', 'length', default='docs')


def lengths_in_documents(run: RunOnAxis) -> tuple[Ints, Ints]:
    """The lengths of the content that is retrieved of each stretch, overlap counted once, and of the relevant part, in
    ticks."""
    parts, n = Cover.union(run.start, run.end), len(run.base) - 1
    stretch = run.stretch_at(parts.start)
    return sums(parts.end - parts.start, stretch, n), sums(run.spans.common(parts.start, parts.end), stretch, n)


def content_scores(retrieved: Any, common: Any, relevant: Any, beta: float) -> dict[str, Any]:
    """Precision, recall and F of documents (Eq. 1-3), 0 where nothing retrieved of them is relevant."""
    P, R = share(common, retrieved), share(common, relevant)
    return {'P': P, 'R': R, 'F': share((1 + beta ** 2) * P * R, beta ** 2 * P + R)}


def scores_of_documents(run: RunOnAxis, score: str = 'F', beta: float = 1) -> dict[str, Any]:
    """The scores of each stretch by its content."""
    scores = content_scores(*run.cached(lengths_in_documents), run.relevant, beta)
    return {**scores, 'score': (run.relevant > 0) * 1. if score == 'rel' else scores[score]}


class _ContentMeasure(DocumentMeasure):
    SCORING: tuple[Any, ...] = scores_of_documents, 'score', 'beta'


class _AgP(_ContentMeasure, AverageGP):
    """Average generalised precision (MAgP) for retrieval in context: generalised precision, averaged over the relevant
    documents.

    ``AgP = Σ_j gP[j] / Nrel`` over the ranks j of the relevant documents (Eq. 7);
    ``recall='length'``: ``AgP = Σ_j (rsize(d_j) / T_rel) · gP[j]`` (Eq. 8, MAgP'), with rsize(d) all relevant content
    of d; with ``scaled=True`` as well: ``AgP = gR'[last] · mean of gP[j]`` (Eq. 11).

    Range [0, 1], higher is better; the unit of the medium cancels out. ``@`` cuts the ranking of documents, never the
    parts of a document. Source: Pehcevski & Thom 2007, Eq. 7, 8, 11. INEX published ``AgP(beta=0.25)``.

    ``condensed=True`` leaves content without judgements out of the documents, and items without judged content out of
    the ranking. This needs judgements below ``rel``: where only relevant content is judged, nothing else stays.

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
    SUPPORTED_PARAMS = {'cutoff': DOCUMENTS, **_SCORE, 'recall': _RECALL, 'scaled': Flag(
        "whether recall is a factor before the mean; needs recall='length'", default=False), 'rel': REL,
        'condensed': CONDENSED}

    def check(self) -> None:
        if self['scaled'] and self['recall'] != 'length':
            raise ValueError("AgP has scaled=True without recall='length': Eq. 11 scales by the content recalled")

    def outcome(self, run: RunOnAxis) -> Outcome:
        if not self['scaled']:
            return super().outcome(run)
        walk = self.walk(run)
        recall = np.bincount(walk.query, walk.beside['gain'], run.queries)
        number = np.bincount(walk.query, minlength=run.queries)
        return self.added(walk, recall[walk.query] * walk.beside['gP'], number, lambda query, value: (
            f'The recall {recall[query]:.4f} times the mean of gP over them is {value:.4f}.'))


AgP, MAgP = register_named(_AgP(), 'MAgP')


class _gP(_ContentMeasure, GPAtRank):
    """Generalised Precision at r documents: the mean score of the top r documents.

    ``gP@r = Σ_{j<=r} S(d_j) / r``, with S(d) the score of a document; documents beyond the end of the list score 0.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 4.

    Examples:
        >>> from ir_segmeasures import gP
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'u#t=0,20': 1}}  # F of v is 2/7, F of u is 0
        >>> round((gP@2).calc_aggregate(qrels, run), 4)
        0.1429
    """
    SUPPORTED_PARAMS = {'cutoff': required(DOCUMENTS), **_SCORE, 'rel': REL, 'condensed': CONDENSED}


gP = register_measure(_gP())


class _gR(_ContentMeasure):
    """Generalised Recall at r documents: the share of the relevant documents, or of the content in them, among the top
    r documents.

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
    SUPPORTED_PARAMS = {'cutoff': required(DOCUMENTS), 'recall': _RECALL, 'rel': REL, 'condensed': CONDENSED}
    SCORING = scores_of_documents,

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = self.walk(run)
        return self.added(walk, walk.gain, walk.total,
                          lambda query, value: f'The sum of gain over them is {value:.4f}.')


gR = register_measure(_gR())


class _InterpolatedGP(_ContentMeasure, InterpolatedMeasure):
    def precision(self, walk: Walk) -> Any:
        return walk.beside['gP']

    seen = staticmethod(documents_found)


class _igP(_InterpolatedGP, AtLevel):
    """Interpolated generalised Precision at recall: the best generalised precision at a level of generalised recall, or
    a higher one.

    ``igP@x = max{ gP[r] : gR[r] >= x }``, 0 if there is none.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Figure 4 (11-point graph).

    Examples:
        >>> from ir_segmeasures import igP
        >>> qrels = {'q': {'v#t=0,10': 1, 'u#t=0,10': 1}}
        >>> run = {'q': {'v#t=0,10': 3, 'w#t=0,10': 2, 'u#t=0,10': 1}}
        >>> [round((igP@level).calc_aggregate(qrels, run), 4) for level in (0.5, 1)]  # after v, and after u
        [1.0, 0.6667]
    """
    AT_PARAM = 'level'
    SUPPORTED_PARAMS = {'level': Number('level of generalised recall', low=0, high=1, required=True), **_SCORE,
                        'recall': _RECALL, 'rel': REL, 'cutoff': DOCUMENTS, 'condensed': CONDENSED}
    HIGHEST = 'gP'


igP = register_measure(_igP())


class _AigP(_InterpolatedGP, OverLevels):
    """Average interpolated generalised precision: the mean of igP over levels of recall from 0 to 1.

    ``AigP = (1/points) · Σ_i igP@x_i`` with ``x_i = i / (points - 1)``, i = 0 … points - 1; with ``zero=False`` it is
    ``x_i = i / points``, i = 1 … points.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, section 5 and Figure 4 (11 points).

    Examples:
        >>> from ir_segmeasures import AigP
        >>> qrels = {'q': {'v#t=0,10': 1, 'u#t=0,10': 1}}
        >>> run = {'q': {'v#t=0,10': 3, 'w#t=0,10': 2, 'u#t=0,10': 1}}
        >>> round(AigP.calc_aggregate(qrels, run), 4)  # 1 at the levels up to 0.5, then 2/3: (6 * 1 + 5 * 2/3) / 11
        0.8485
    """
    SUPPORTED_PARAMS = {'cutoff': DOCUMENTS, 'points': Number(
        'number of recall levels from 0, or the first after it, to 1', low=2, high=10001, whole=True, default=11),
        'zero': Flag('whether the first level is 0; without it, 10 points are the levels 0.1, 0.2, … 1', default=True),
        **_SCORE, 'recall': _RECALL, 'rel': REL, 'condensed': CONDENSED}
    HIGHEST = 'gP', 'documents', 'document'


AigP = register_measure(_AigP())
