"""The user who goes through a ranking of documents, and generalised precision and recall: Pehcevski & Thom. Evaluating
Focused Retrieval Tasks. SIGIR 2007 Workshop on Focused Retrieval, Eq. 4-7. The measures differ in the scores S(d) of
the documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ir_segmeasures.evaluation.axis import float_running
from ir_segmeasures.measures.base import Number, SpanMeasure
from ir_segmeasures.measures.stops import Outcome, added, counted
from ir_segmeasures.measures.walks import Walk
from ir_segmeasures.segments.arrays import Floats

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

__all__ = ['DOCUMENTS', 'AverageGP', 'DocumentMeasure', 'GPAtRank', 'RankedDocuments', 'rank_documents', 'visiting']

DOCUMENTS = Number('only so many documents of the ranking', low=1, whole=True)


def visiting(run: RunOnAxis, recall: str = 'docs') -> Walk:
    """The user who takes documents in the order of their first items, each as a whole with all its items in the list. A
    look is a document with relevant content; its cost is its rank among the documents, its gain 1 (``recall='docs'``,
    Eq. 5) or its relevant content (``'length'``, Eq. 6)."""
    first = run.cached(type(run).first_of_documents)
    stretch = np.flatnonzero((first < len(run.row)) & (run.relevant > 0))
    stretch = stretch[np.argsort(first[stretch], kind='stable')]
    item = first[stretch]
    gain, total = (run.relevant[stretch], run.T_rel) if recall == 'length' else (np.ones(len(item), np.int64), run.Nrel)
    return Walk('RankedDocument', run, run.query[item], run.rank[item], item, None, None,
                run.match.document_rank[run.row[item]], gain, total, {'stretch': stretch},
                lambda walk: {'document_rank': walk.cost})


class RankedDocuments(NamedTuple):
    """The documents that the user visits, with what measures say of each.

    Attributes:
        walk: see :func:`visiting`
        columns: the columns that show how it is scored
        score: S(d)
        gP: generalised precision there, ``gP[r] = Σ_{j<=r} S(d_j) / r`` (Eq. 4)
        gain: by how much generalised recall grows there
    """
    walk: Walk
    columns: Mapping[str, Any]
    score: Floats
    gP: Floats
    gain: Floats

    def up_to(self, rank: float) -> RankedDocuments:
        """The documents up to a rank of documents."""
        kept = self.walk.cost <= rank
        return RankedDocuments(self.walk.where(kept), {name: column[kept] for name, column in self.columns.items()},
                               *(column[kept] for column in self[2:]))

    def added(self, parts: Any, whole: Any, sentence: Any) -> Outcome:
        """The outcome whose values are the sums of the parts, divided by the whole. ``sentence`` takes the query and
        its value."""
        walk, Nrel = self.walk, self.walk.run.Nrel
        n = np.bincount(walk.query, minlength=len(Nrel))
        return added(walk, parts, lambda query, value: (
            f'{n[query]} of {counted(Nrel[query], "document")} with relevant content retrieved. '
            f'{sentence(query, value)}'), whole, **self.columns, gP=self.gP, gain=self.gain)


def rank_documents(run: RunOnAxis, recall: str, scoring: Any, *params: Any) -> RankedDocuments:
    """The documents with the scores of ``scoring(run, *params)``, which gives columns with one value for each stretch:
    ``score``, and others that show how it came about."""
    walk: Walk = run.cached(visiting, recall)
    scores = {name: column[walk.beside['stretch']] for name, column in run.cached(scoring, *params).items()}
    gP = float_running(scores['score'], walk.query) / walk.cost
    return RankedDocuments(walk, scores, scores['score'], gP, walk.gain / walk.total[walk.query])


class DocumentMeasure(SpanMeasure):
    """A measure of a ranking of documents."""

    def scoring(self) -> tuple[Any, ...]:
        """The arguments of :func:`rank_documents`: recall, the function that scores documents, and its parameters."""
        raise NotImplementedError

    def ranking(self, run: RunOnAxis) -> RankedDocuments:
        """The ranking of documents up to the cut-off."""
        ranking: RankedDocuments = run.cached(rank_documents, *self.scoring())
        return ranking.up_to(self.params['cutoff']) if 'cutoff' in self.params else ranking


class AverageGP(DocumentMeasure):
    """A measure that is the average of gP over the relevant documents, each weighted by how much gR grows there."""

    def outcome(self, run: RunOnAxis) -> Outcome:
        ranking, recall = self.ranking(run), self.scoring()[0]
        parts, whole = (ranking.gP, run.Nrel) if recall == 'docs' else (ranking.gain * ranking.gP, 1)
        return ranking.added(parts, whole,
                             lambda query, value: f'The sum of gP · gain over them is {value:.4f}.')


class GPAtRank(DocumentMeasure):
    """A measure that is gP at the cut-off."""

    def outcome(self, run: RunOnAxis) -> Outcome:
        ranking, k = self.ranking(run), self['cutoff']
        return ranking.added(ranking.score, k,
                             lambda query, value: f'The sum of their scores, divided by {k}, is {value:.4f}.')
