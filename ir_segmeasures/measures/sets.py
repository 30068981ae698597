"""Retrieved and relevant content as sets: what remains of a ranking when the order does not matter. Pehcevski & Thom
2007, section 3 (Eq. 1-3, at the level of the query); the ratios of the contingency table as in any textbook of
evaluation; IoU and the budget as in studies of how text is cut for language models.
"""

from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, Length, Number, SpanMeasure, reached, register
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import Spans, common_length, merged_spans

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['SegP', 'SegR', 'SegF', 'SegIoU', 'SegFallout', 'SegRejection', 'SegMiss', 'SegNoise', 'SegGenerality']

PART: dict[str, Any] = {
    'cutoff': CUTOFF,
    'budget': Number('content that the user reads, in the unit of the medium, the last item cut there', above=0),
    'rel': REL,
}
_COLLECTION = Length('length of the whole collection, in the unit of the medium', required=True)


class Content(NamedTuple):
    """Lengths of content, overlap counted once: what is retrieved, what of this is relevant, and what is relevant."""
    retrieved: float
    common: float
    relevant: float


def read(topic: 'Topic', cutoff: float, budget: float) -> Spans:
    """The content of the first ``cutoff`` items, read in rank order until ``budget`` is spent (reading the same again
    is spent again); the last item is cut there. Groups are documents of the topic, and others.
    """
    n = int(min(cutoff, topic.n))
    document = np.array(topic.ranking.document[:n], np.intp)
    start, end = np.array(topic.ranking.start[:n], float), np.array(topic.ranking.end[:n], float)
    length = end - start
    before = np.cumsum(length) - length
    end = np.minimum(end, start + np.maximum(budget - before, 0))
    items = end > start
    return merged_spans(document[items], start[items], end[items])


def content(topic: 'Topic', cutoff: float, budget: float) -> Content:
    """What :func:`read` takes in."""
    parts = topic.once(read, cutoff, budget)
    sizes = np.diff(topic.first) - 1
    spans = np.isfinite(topic.ends)
    starts, ends = np.array(topic.starts)[spans], np.array(topic.ends)[spans]
    relevant = Spans(np.repeat(np.arange(topic.Nrel), sizes), starts, ends)
    return Content(float((parts.end - parts.start).sum()), float(common_length(parts, relevant).sum()), topic.T_rel)


class ContentMeasure(SpanMeasure):
    """What the ratios of content share."""

    def content(self, topic: 'Topic') -> Content:
        """What is retrieved and what is relevant of the part of the ranking that is read. ValueError where the whole
        collection is no longer than the one, or shorter than the other.
        """
        found = self._read(topic)
        if 'D' in self.SUPPORTED_PARAMS:
            self.check_D(topic)
            irrelevant, all_irrelevant = found.retrieved - found.common, self.D - found.relevant
            if not reached(all_irrelevant, irrelevant):
                raise ValueError(f'query {quoted(topic.query_id)} has {irrelevant:.12g} of irrelevant content '
                                 f'retrieved, but in {self} the whole collection is D={quoted(self.D)}, of which '
                                 f'{all_irrelevant:.12g} is irrelevant: give the length of the whole collection')
        return found

    def _read(self, topic: 'Topic') -> Content:
        return topic.once(content, self.params.get('cutoff', inf), self.params.get('budget', inf))

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        """The lengths whose quotient the measure is, 0 if both are."""
        raise NotImplementedError

    def compute(self, topic: 'Topic') -> float:
        part, whole = self.ratio(*self.content(topic))
        return part / whole if whole else 0.


class _SegP(ContentMeasure):
    """Precision of content: the share of the retrieved content that is relevant.

    ``SegP = |retrieved ∩ relevant| / |retrieved|``, 0 if nothing is retrieved.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 1; HiXEval (Pehcevski & Thom 2006).
    """
    __name__ = 'SegP'
    NAME = __name__
    PRETTY_NAME = 'Precision of content'
    SHORT_DESC = 'The share of the retrieved content that is relevant.'
    SUPPORTED_PARAMS = PART

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        return common, retrieved


SegP = register(_SegP())


class _SegR(ContentMeasure):
    """Recall of content: the share of the relevant content that is retrieved.

    ``SegR = |retrieved ∩ relevant| / |relevant|``

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 2; HiXEval (Pehcevski & Thom 2006).
    """
    __name__ = 'SegR'
    NAME = __name__
    PRETTY_NAME = 'Recall of content'
    SHORT_DESC = 'The share of the relevant content that is retrieved.'
    SUPPORTED_PARAMS = PART

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        return common, relevant


SegR = register(_SegR())


class _SegF(ContentMeasure):
    """F of content: the harmonic mean of SegP and SegR, weighted by ``beta``.

    ``SegF = (1 + β²) · SegP · SegR / (β² · SegP + SegR)``, 0 if both are.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 3.
    """
    __name__ = 'SegF'
    NAME = __name__
    PRETTY_NAME = 'F of content'
    SHORT_DESC = 'The harmonic mean of the precision and the recall of content.'
    SUPPORTED_PARAMS = {**PART, 'beta': Number('weight of recall against precision', low=0, default=1)}

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        weight = self['beta'] ** 2
        return (1 + weight) * common, weight * relevant + retrieved


SegF = register(_SegF())


class _SegIoU(ContentMeasure):
    """Intersection over union of content.

    ``SegIoU = |retrieved ∩ relevant| / |retrieved ∪ relevant|``

    Range [0, 1], higher is better; never above SegF. Source: the Jaccard index, as studies of chunking report it.
    """
    __name__ = 'SegIoU'
    NAME = __name__
    PRETTY_NAME = 'Intersection over Union of content'
    SHORT_DESC = 'The content that is both retrieved and relevant, over that which is either.'
    SUPPORTED_PARAMS = PART

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        return common, retrieved + relevant - common


SegIoU = register(_SegIoU())


class _SegFallout(ContentMeasure):
    """Fallout of content: the share of the irrelevant content of the collection that is retrieved.

    ``SegFallout = |retrieved - relevant| / (D - |relevant|)``

    Range [0, 1], **lower is better**. D is required, and a D that is less than what was retrieved is an error. Source:
    the contingency table of retrieved and relevant.
    """
    __name__ = 'SegFallout'
    NAME = __name__
    PRETTY_NAME = 'Fallout of content'
    SHORT_DESC = 'The share of the irrelevant content that is retrieved. Lower is better.'
    LOWER_IS_BETTER = True
    SUPPORTED_PARAMS = {**PART, 'D': _COLLECTION}

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        return min(retrieved - common, self.D - relevant), self.D - relevant


SegFallout = register(_SegFallout())


class _SegRejection(ContentMeasure):
    """Rejection of content: the share of the irrelevant content of the collection that is not retrieved.

    ``SegRejection = 1 - SegFallout``

    Range [0, 1], higher is better. D is required. Source: the contingency table of retrieved and relevant.
    """
    __name__ = 'SegRejection'
    NAME = __name__
    PRETTY_NAME = 'Rejection of content'
    SHORT_DESC = 'The share of the irrelevant content that is not retrieved.'
    SUPPORTED_PARAMS = {**PART, 'D': _COLLECTION}

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        return max(0., self.D - relevant - (retrieved - common)), self.D - relevant


SegRejection = register(_SegRejection())


class _SegMiss(ContentMeasure):
    """Miss of content: the share of the relevant content that is not retrieved.

    ``SegMiss = 1 - SegR``

    Range [0, 1], **lower is better**. Source: the contingency table of retrieved and relevant.
    """
    __name__ = 'SegMiss'
    NAME = __name__
    PRETTY_NAME = 'Miss of content'
    SHORT_DESC = 'The share of the relevant content that is not retrieved. Lower is better.'
    LOWER_IS_BETTER = True
    SUPPORTED_PARAMS = PART

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        return relevant - common, relevant


SegMiss = register(_SegMiss())


class _SegNoise(ContentMeasure):
    """Noise of content: the share of the retrieved content that is not relevant.

    ``SegNoise = 1 - SegP``, 0 if nothing is retrieved.

    Range [0, 1], **lower is better**. Source: the contingency table of retrieved and relevant.
    """
    __name__ = 'SegNoise'
    NAME = __name__
    PRETTY_NAME = 'Noise of content'
    SHORT_DESC = 'The share of the retrieved content that is not relevant. Lower is better.'
    LOWER_IS_BETTER = True
    SUPPORTED_PARAMS = PART

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        return retrieved - common, retrieved


SegNoise = register(_SegNoise())


class _SegGenerality(ContentMeasure):
    """Generality of a query: the share of the collection's content that is relevant to it, whatever is retrieved.

    ``SegGenerality = |relevant| / D``

    Range [0, 1]. D is required. Source: the contingency table of retrieved and relevant.
    """
    __name__ = 'SegGenerality'
    NAME = __name__
    PRETTY_NAME = 'Generality of a query, in content'
    SHORT_DESC = 'The share of the collection that is relevant to the query.'
    CONTENT = False
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'D': _COLLECTION, 'rel': REL}

    def _read(self, topic: 'Topic') -> Content:
        return Content(0, 0, topic.T_rel)

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        return relevant, self.D


SegGenerality = register(_SegGenerality())
