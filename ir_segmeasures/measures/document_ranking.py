"""Generalised precision and recall of a ranking of documents: Pehcevski & Thom. Evaluating Focused Retrieval Tasks.
SIGIR 2007 Workshop on Focused Retrieval, Eq. 4-7. The measures differ in the scores S(d) of the documents.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import Number, SpanMeasure
from ir_segmeasures.measures.interpolation import BestSteps, best_steps
from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.spans import preceding

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['DOCUMENTS', 'AverageGP', 'DocumentMeasure', 'DocumentRanking', 'GPAtRank', 'Scoring', 'average_gps',
           'best_documents', 'gp_at', 'rank_documents', 'rankings_of_queries']

DOCUMENTS = Number('only so many documents of the ranking', low=1, whole=True)


class DocumentRanking(NamedTuple):
    """The retrieved documents with relevant spans, of a query or of a run, as arrays, in order of rank.

    Attributes:
        rank: the rank of each document among the documents of the list
        gP, gR: generalised precision and generalised recall at this rank
        gain: by how much gR grows there
        score: S(d) of each document
    """
    rank: Ints
    gP: Floats
    gR: Floats
    gain: Floats
    score: Floats

    def up_to(self, rank: float) -> DocumentRanking:
        """The documents up to a rank."""
        n = int(np.searchsorted(self.rank, rank, 'right'))
        return DocumentRanking._make(column[:n] for column in self)


def rank_documents(run: RunItems, scores: Floats, recall: str = 'docs') -> DocumentRanking:
    """Generalised precision and recall in ``run.all_documents``, query by query, at every rank where recall grows.
    ``scores`` are those of the documents: ``gP[r] = Σ_{j<=r} S(d_j) / r`` (Eq. 4), and gR[r] is the share of the
    relevant documents (``recall='docs'``, Eq. 5) or of the relevant content (``'length'``, Eq. 6).
    """
    _, rank, relevant, bounds = run.all_documents
    amount, total = (relevant, run.relevant.T_rel) if recall == 'length' else (1, np.diff(run.relevant.groups))
    gain = amount / np.repeat(total, np.diff(bounds))
    score_before, gain_before = (preceding(values, bounds) for values in (scores, gain))
    return DocumentRanking(rank, (score_before + scores) / rank, gain_before + gain, gain, scores)


Scoring = tuple[Any, ...]
"""a function and its arguments but for the first, ``run``: it ranks all documents as :func:`rank_documents`"""


def rankings_of_queries(run: RunItems, *scoring: Any) -> list[DocumentRanking]:
    """The ranking of each query."""
    ranking, bounds = run.cached(*scoring), run.all_documents.bounds
    return [DocumentRanking._make([column[low:high] for column in ranking]) for low, high in pairwise(bounds)]


def average_gps(run: RunItems, cutoff: float, *scoring: Any) -> list[float]:
    """AgP of each query: gP at the relevant documents, each weighted by how much gR grows there (Eq. 7, 8)."""
    ranking, query = run.cached(*scoring), run.relevant.query[run.all_documents.group]
    return np.bincount(query, np.where(ranking.rank <= cutoff, ranking.gain * ranking.gP, 0), len(run.n)).tolist()


def best_documents(run: RunItems, cutoff: float, *scoring: Any) -> list[BestSteps]:
    """For each query, the documents with a higher gP than all later ones, up to a rank: gP falls from one relevant
    document to the next, so its maxima are where recall grows.
    """
    ranking = run.cached(*scoring)
    return best_steps(ranking.gR, np.where(ranking.rank <= cutoff, ranking.gP, 0), run.all_documents.bounds)


def gp_at(ranking: DocumentRanking, rank: int) -> float:
    """The value of gP at a rank."""
    # Between two relevant documents the sum of scores stays, so it is gP · rank at the last one.
    before = ranking.up_to(rank)
    return float(before.gP[-1] * before.rank[-1] / rank) if len(before.rank) else 0.0


class DocumentMeasure(SpanMeasure):
    """A measure of a ranking of documents.

    Attributes:
        STEP: the name of the type of its steps, which has the fields rank, document, document_rank, those of
            :meth:`score_columns`, gP, gain and adds
    """
    STEP: str

    @cached_property
    def scoring(self) -> Scoring:
        """How the documents are ranked."""
        raise NotImplementedError

    def scored(self, topic: Topic) -> DocumentRanking:
        """The ranking of all documents with their scores."""
        return topic.computed_on_run(rankings_of_queries, *self.scoring)

    def score_columns(self, topic: Topic) -> tuple[Any, ...]:
        """The columns that show the scores of the documents, as arrays."""
        raise NotImplementedError

    def ranking(self, topic: Topic) -> DocumentRanking:
        """The ranking of documents up to the cut-off."""
        ranking = self.scored(topic)
        return ranking.up_to(self.params['cutoff']) if 'cutoff' in self.params else ranking

    def document_steps(self, topic: Topic, adds: Floats, sentence: str) -> Steps:
        """The documents up to the cut-off as steps; ``adds`` is the part of the value that each is."""
        from ir_segmeasures.measures import steps  # imported when it is needed
        ranking, n = self.ranking(topic), len(adds)
        first = {document: rank for rank, document in reversed(list(enumerate(topic.ranking.document, 1)))}
        ranks = [first[document] for document in topic.retrieved_documents.document[:n].tolist()]
        scores = [column[:n].tolist() for column in self.score_columns(topic)]
        columns = [ranks, [topic.document_id(rank) for rank in ranks], ranking.rank.tolist(), *scores,
                   ranking.gP.tolist(), ranking.gain.tolist(), adds.tolist()]
        documents = f'{topic.Nrel} document' if topic.Nrel == 1 else f'{topic.Nrel} documents'
        return steps.make_steps(getattr(steps, self.STEP), zip(*columns),
                                f'{n} of {documents} with relevant content retrieved. {sentence}')


class AverageGP(DocumentMeasure):
    """A measure that is the average of gP over the relevant documents."""

    def compute(self, topic: Topic) -> float:
        return topic.computed_on_run(average_gps, self.cutoff, *self.scoring)

    def steps(self, topic: Topic) -> Steps:
        ranking = self.ranking(topic)
        return self.document_steps(topic, ranking.gain * ranking.gP,
                                   f'The sum of gP · gain over them is {self.compute(topic):.4f}.')


class GPAtRank(DocumentMeasure):
    """A measure that is gP at the cut-off."""

    def compute(self, topic: Topic) -> float:
        return gp_at(self.scored(topic), self['cutoff'])

    def steps(self, topic: Topic) -> Steps:
        k = self['cutoff']
        return self.document_steps(topic, self.ranking(topic).score / k,
                                   f'The sum of their scores, divided by {k}, is {self.compute(topic):.4f}.')
