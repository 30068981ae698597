"""Retrieved and relevant content as sets, for measures that do not look at the order of the items: Pehcevski & Thom
2007, section 3 (Eq. 1-3, at the level of the query); IoU and the budget as in studies of how text is cut for language
models. The other ratios of the contingency table stand in contingency.py.
"""

from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, Number, SpanMeasure, register_measure, required
from ir_segmeasures.measures.rounding import reached
from ir_segmeasures.segments.arrays import Floats
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import Spans, common_length, merged_spans, preceding

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['SegP', 'SegR', 'SegF', 'SegIoU', 'Judged_content']

READ_PARAMS: dict[str, Any] = {
    'cutoff': CUTOFF,
    'budget': Number('content that the user reads, in the unit of the medium, the last item cut there', above=0),
    'rel': REL,
}


class ReadContent(NamedTuple):
    """The content that the users read, of all queries, overlap counted once.

    Attributes:
        parts: the content in documents with relevant spans; a group is the place of its document (``relevant.keys``)
        length: for each query, the length of all content, in whatever document
    """
    parts: Spans
    length: Floats


class ContentLengths(NamedTuple):
    """Lengths of content, overlap counted once.

    Attributes:
        retrieved: the content that is retrieved
        common: the content that is retrieved and relevant
        relevant: the content that is relevant
    """
    retrieved: float
    common: float
    relevant: float


def read_content(run: 'RunItems', cutoff: float, budget: float) -> ReadContent:
    """The content of the first ``cutoff`` items of each query, read in rank order until ``budget`` is spent; the last
    item is cut there. Content that is read again is paid for again.
    """
    items, relevant = run.all_items, run.relevant
    start, end = items.start, items.end
    if budget < inf:
        before = preceding(end - start, items.bounds)
        end = np.minimum(end, start + np.maximum(budget - before, 0))
    rank = np.arange(1, len(start) + 1) - np.array(items.bounds)[items.query]
    read = np.flatnonzero((rank <= cutoff) & (start < end))
    # Documents without relevant spans come after all others.
    known, documents = len(relevant.keys), int(items.document.max(initial=0)) + 1
    group = np.where(items.group < 0, known + items.query * documents + items.document, items.group)[read]
    parts = merged_spans(group, start[read], end[read])
    n = int(np.searchsorted(parts.group, known))
    query = np.concatenate([relevant.query[parts.group[:n]], (parts.group[n:] - known) // documents])
    return ReadContent(Spans._make(column[:n] for column in parts),
                       np.bincount(query, parts.end - parts.start, len(run.n)).astype(np.float64, copy=False))


def content_lengths(run: 'RunItems', cutoff: float, budget: float) -> list[ContentLengths]:
    """The lengths for the content of :func:`read_content`, for each query."""
    (parts, retrieved), relevant = run.cached(read_content, cutoff, budget), run.relevant
    common = np.bincount(relevant.query[parts.group], common_length(parts, relevant.spans), len(run.n))
    # Sums of fractions in another order may differ in the last digit.
    common = np.minimum(np.minimum(common, retrieved), relevant.T_rel)
    return [ContentLengths(*lengths) for lengths in zip(retrieved.tolist(), common.tolist(), relevant.T_rel)]


class ContentMeasure(SpanMeasure):
    """A ratio of lengths of content."""
    SUPPORTED_PARAMS: Any = READ_PARAMS

    def content(self, topic: 'Topic') -> ContentLengths:
        """The lengths of content for the part of the ranking that is read.

        Raises:
            ValueError: the whole collection, ``D``, is not longer than its relevant content, or its irrelevant content
                is shorter than the irrelevant content that is retrieved
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

    def _read(self, topic: 'Topic') -> ContentLengths:
        return topic.computed_on_run(content_lengths, self.cutoff, self.params.get('budget', inf))

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        """The two lengths whose quotient the measure is; the measure is 0 if the second is 0."""
        raise NotImplementedError

    def compute(self, topic: 'Topic') -> float:
        part, whole = self.ratio(*self.content(topic))
        return part / whole if whole else 0.


class _SegP(ContentMeasure):
    """Precision of content: the share of the retrieved content that is relevant.

    ``SegP = |retrieved ∩ relevant| / |retrieved|``, 0 if nothing is retrieved.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 1; HiXEval (Pehcevski & Thom 2006).

    Examples:
        >>> from ir_segmeasures import SegP
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 30 s, 10 of them relevant
        >>> round(SegP.calc_aggregate(qrels, run), 4)
        0.3333
        >>> SegP(budget=30).calc_aggregate(qrels, run)  # 0-20 and 10-20: the second item is cut after 10 s
        0.25
    """
    PRETTY_NAME = 'Precision of content'
    SHORT_DESC = 'The share of the retrieved content that is relevant.'

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        return common, retrieved


SegP = register_measure(_SegP())


class _SegR(ContentMeasure):
    """Recall of content: the share of the relevant content that is retrieved.

    ``SegR = |retrieved ∩ relevant| / |relevant|``

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 2; HiXEval (Pehcevski & Thom 2006).

    Examples:
        >>> from ir_segmeasures import SegR
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 10 of 15 relevant seconds
        >>> round(SegR.calc_aggregate(qrels, run), 4)
        0.6667
    """
    PRETTY_NAME = 'Recall of content'
    SHORT_DESC = 'The share of the relevant content that is retrieved.'

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        return common, relevant


SegR = register_measure(_SegR())


class _SegF(ContentMeasure):
    """F of content: the harmonic mean of SegP and SegR, weighted by ``beta``.

    ``SegF = (1 + β²) · SegP · SegR / (β² · SegP + SegR)``, 0 if both are 0.

    Range [0, 1], higher is better. Source: Pehcevski & Thom 2007, Eq. 3.

    Examples:
        >>> from ir_segmeasures import SegF
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # SegP = 1/3, SegR = 2/3
        >>> round(SegF.calc_aggregate(qrels, run), 4)
        0.4444
    """
    PRETTY_NAME = 'F of content'
    SHORT_DESC = 'The harmonic mean of the precision and the recall of content.'
    SUPPORTED_PARAMS = {**READ_PARAMS, 'beta': Number('weight of recall against precision', low=0, default=1)}

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        weight = self['beta'] ** 2
        return (1 + weight) * common, weight * relevant + retrieved


SegF = register_measure(_SegF())


class _SegIoU(ContentMeasure):
    """Intersection over union of content.

    ``SegIoU = |retrieved ∩ relevant| / |retrieved ∪ relevant|``

    Range [0, 1], higher is better; never above SegF. Source: the Jaccard index, as studies of chunking report it.

    Examples:
        >>> from ir_segmeasures import SegIoU
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 10 s in both, 35 in either
        >>> round(SegIoU.calc_aggregate(qrels, run), 4)
        0.2857
    """
    PRETTY_NAME = 'Intersection over Union of content'
    SHORT_DESC = 'The length of the content that is retrieved and relevant, over that of the content that is either.'

    def ratio(self, retrieved: float, common: float, relevant: float) -> tuple[float, float]:
        return common, retrieved + relevant - common


SegIoU = register_measure(_SegIoU())


# The judgement rate is the precision of judged segments: it has no rel.
class _Judged_content(_SegP):
    """Judgement rate at k of content: the share of the content of the first k items that lies in a judged segment of
    any relevance.

    ``Judged_content@k = |retrieved@k ∩ judged| / |retrieved@k|``, 0 if nothing is retrieved.

    Range [0, 1]. The rate says how far the values of other measures can be trusted, so it is computed for queries
    without relevant spans as well, as ``Judged_over``. Source: Aly et al. 2013 (Judged_over), on content.

    Examples:
        >>> from ir_segmeasures import Judged_content
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 0}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 10 of 30 s are judged
        >>> round((Judged_content@2).calc_aggregate(qrels, run), 4)
        0.3333
    """
    PRETTY_NAME = 'Judgement rate at k of content'
    SHORT_DESC = 'The share of the content of the top k items that is judged.'
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF)}


Judged_content = register_measure(_Judged_content())
