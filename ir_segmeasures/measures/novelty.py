"""Coverage and novelty of content, the user-oriented measures of Korfhage as Eibl's lecture on evaluation has them. The
column ``known`` of the qrels says of each relevant segment whether the user knew it before: 1 or 0.
"""

from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import SpanMeasure, register_measure
from ir_segmeasures.measures.sets import READ_PARAMS, read_content
from ir_segmeasures.segments.spans import common_length, merged_spans

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['SegCoverage', 'SegNovelty']


class KnownContent(NamedTuple):
    """Lengths of relevant content.

    Attributes:
        retrieved: the relevant content that is retrieved
        known: the relevant content that the user knew before
        retrieved_known: the content that is both
    """
    retrieved: float
    known: float
    retrieved_known: float


def known_content(topic: 'Topic', cutoff: float, budget: float) -> KnownContent:
    """The lengths for the items that are read. Content of a known segment and of another is known."""
    parts = topic.cached(read_content, cutoff, budget)
    document, start, end = (np.array(column) for column in zip(*topic.segments))
    before = np.array(topic.flags('known'))
    relevant, known = merged_spans(document, start, end), merged_spans(document[before], start[before], end[before])
    return KnownContent(float(common_length(parts, relevant).sum()), float((known.end - known.start).sum()),
                 float(common_length(parts, known).sum()))


class _KnownMeasure(SpanMeasure):
    NEEDS = ('known',)

    def _known(self, topic: 'Topic') -> KnownContent:
        return topic.cached(known_content, self.params.get('cutoff', inf), self.params.get('budget', inf))


class _SegCoverage(_KnownMeasure):
    """Coverage: the share of the relevant content known to the user before that is retrieved.

    ``SegCoverage = |retrieved ∩ known relevant| / |known relevant|``, 0 if the user knew nothing relevant.

    Range [0, 1], higher is better. The qrels have a column ``known``. Source: Eibl's lecture on evaluation, on content.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import SegCoverage
        >>> qrels = pd.DataFrame({'query_id': ['q', 'q'], 'doc_id': ['v#t=0,10', 'v#t=20,30'], 'relevance': [1, 1],
        ...                       'known': [1, 0]})
        >>> run = {'q': {'v#t=5,25': 1}}  # 5 of the 10 s known, and 5 of the 10 s not known
        >>> SegCoverage.calc_aggregate(qrels, run)
        0.5
    """
    __name__ = 'SegCoverage'
    NAME = __name__
    PRETTY_NAME = 'Coverage of known content'
    SHORT_DESC = 'The share of the relevant content known before that is retrieved.'
    SUPPORTED_PARAMS = READ_PARAMS

    def compute(self, topic: 'Topic') -> float:
        _, known, retrieved_known = self._known(topic)
        return retrieved_known / known if known else 0.


SegCoverage = register_measure(_SegCoverage())


class _SegNovelty(_KnownMeasure):
    """Novelty: the share of the retrieved relevant content that the user did not know before.

    ``SegNovelty = |retrieved ∩ relevant, not known| / |retrieved ∩ relevant|``, 0 if nothing relevant is retrieved.

    Range [0, 1], higher is better. The qrels have a column ``known``. Source: Eibl's lecture on evaluation, on content.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import SegNovelty
        >>> qrels = pd.DataFrame({'query_id': ['q', 'q'], 'doc_id': ['v#t=0,10', 'v#t=20,30'], 'relevance': [1, 1],
        ...                       'known': [1, 0]})
        >>> run = {'q': {'v#t=8,28': 1}}  # 2 s known and 8 s not known
        >>> SegNovelty.calc_aggregate(qrels, run)
        0.8
    """
    __name__ = 'SegNovelty'
    NAME = __name__
    PRETTY_NAME = 'Novelty of content'
    SHORT_DESC = 'The share of the retrieved relevant content that was not known before.'
    SUPPORTED_PARAMS = READ_PARAMS

    def compute(self, topic: 'Topic') -> float:
        retrieved, _, retrieved_known = self._known(topic)
        return (retrieved - retrieved_known) / retrieved if retrieved else 0.


SegNovelty = register_measure(_SegNovelty())
