"""What the user knew before: coverage and novelty of content, the user-oriented measures of Korfhage as lectures on
evaluation have them (Eibl). The qrels say of each relevant segment whether the user knew it: a column ``known``, 1
or 0.
"""

from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import SpanMeasure, register
from ir_segmeasures.measures.sets import PART, read
from ir_segmeasures.segments.spans import common_length, merged_spans

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['SegCoverage', 'SegNovelty']


class KnownContent(NamedTuple):
    """Lengths of relevant content: what of it is retrieved, what the user knew, and what of this is retrieved."""
    retrieved: float
    known: float
    retrieved_known: float


def known(topic: 'Topic', cutoff: float, budget: float) -> KnownContent:
    """What was known and what was not, of the items that are read; where both overlap, it was known."""
    parts = topic.once(read, cutoff, budget)
    document, start, end = (np.array(column) for column in zip(*topic.segments))
    before = np.array(topic.flags('known'))
    relevant, known = merged_spans(document, start, end), merged_spans(document[before], start[before], end[before])
    return KnownContent(float(common_length(parts, relevant).sum()), float((known.end - known.start).sum()),
                 float(common_length(parts, known).sum()))


class _OfKnownContent(SpanMeasure):
    NEEDS = ('known',)

    def _known(self, topic: 'Topic') -> KnownContent:
        return topic.once(known, self.params.get('cutoff', inf), self.params.get('budget', inf))


class _SegCoverage(_OfKnownContent):
    """Coverage: of the relevant content that the user knew before, the share that is retrieved.

    ``SegCoverage = |retrieved ∩ known relevant| / |known relevant|``, 0 if the user knew none.

    Range [0, 1], higher is better. The qrels have a column ``known``. Source: Eibl's lecture on evaluation, on content.
    """
    __name__ = 'SegCoverage'
    NAME = __name__
    PRETTY_NAME = 'Coverage of known content'
    SHORT_DESC = 'The share of the relevant content known before that is retrieved.'
    SUPPORTED_PARAMS = PART

    def compute(self, topic: 'Topic') -> float:
        _, known, retrieved_known = self._known(topic)
        return retrieved_known / known if known else 0.


SegCoverage = register(_SegCoverage())


class _SegNovelty(_OfKnownContent):
    """Novelty: of the relevant content that is retrieved, the share that the user did not know before.

    ``SegNovelty = |retrieved ∩ relevant, not known| / |retrieved ∩ relevant|``, 0 if nothing relevant is retrieved.

    Range [0, 1], higher is better. The qrels have a column ``known``. Source: Eibl's lecture on evaluation, on content.
    """
    __name__ = 'SegNovelty'
    NAME = __name__
    PRETTY_NAME = 'Novelty of content'
    SHORT_DESC = 'The share of the retrieved relevant content that was not known before.'
    SUPPORTED_PARAMS = PART

    def compute(self, topic: 'Topic') -> float:
        retrieved, _, retrieved_known = self._known(topic)
        return (retrieved - retrieved_known) / retrieved if retrieved else 0.


SegNovelty = register(_SegNovelty())
