"""Coverage and novelty of content, the user-oriented measures of Korfhage as Eibl's lecture on evaluation has them. The
column ``known`` of the qrels says of each relevant segment whether the user knew it before: 1 or 0.
"""

from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import SpanMeasure, register_measure
from ir_segmeasures.measures.sets import READ_PARAMS, read_content
from ir_segmeasures.segments.spans import Spans, common_length, merged_spans

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.relevant_spans import RelevantSpans
    from ir_segmeasures.evaluation.run_items import RunItems
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


def known_spans(relevant: 'RelevantSpans') -> Spans:
    """The content of the segments that the users knew before, of all queries, merged.

    Raises:
        ValueError: the column ``known`` is missing
        RowError: a value of it that is neither 0 nor 1
    """
    _, group, start, end = relevant.judged
    known = relevant.flags('known')
    return merged_spans(group[known], start[known], end[known])


def known_content(run: 'RunItems', cutoff: float, budget: float) -> list[KnownContent]:
    """The lengths for the items that are read, for each query. Content of a known segment and of another is known."""
    parts, relevant = run.cached(read_content, cutoff, budget).parts, run.relevant
    known = relevant.cached(known_spans)
    lengths = [(parts.group, common_length(parts, relevant.spans)), (known.group, known.end - known.start),
               (parts.group, common_length(parts, known))]
    return [KnownContent(*content) for content in zip(*(
        np.bincount(relevant.query[group], length, len(run.n)).tolist() for group, length in lengths))]


class _KnownMeasure(SpanMeasure):
    NEEDS = ('known',)
    SUPPORTED_PARAMS = READ_PARAMS

    def _known(self, topic: 'Topic') -> KnownContent:
        return topic.computed_on_run(known_content, self.cutoff, self.params.get('budget', inf))


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
    PRETTY_NAME = 'Coverage of known content'
    SHORT_DESC = 'The share of the relevant content known before that is retrieved.'

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
    PRETTY_NAME = 'Novelty of content'
    SHORT_DESC = 'The share of the retrieved relevant content that was not known before.'

    def compute(self, topic: 'Topic') -> float:
        retrieved, _, retrieved_known = self._known(topic)
        return (retrieved - retrieved_known) / retrieved if retrieved else 0.


SegNovelty = register_measure(_SegNovelty())
