"""A measure of chunks, whatever retrieves them: Smith & Troynikov. Evaluating Chunking Strategies for Retrieval. Chroma
Technical Report, 2024.
"""

from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register_measure
from ir_segmeasures.segments.spans import merged_spans

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['SegP_omega']


class _SegP_omega(SpanMeasure):
    """The precision of content of a perfect retriever, which returns exactly the items that share content with relevant
    segments, whatever their ranks. Give all chunks of the texts as the run.

    ``SegP_omega = |C ∩ relevant| / |C ∪ relevant|``, with C the content of all items that share content with relevant
    segments.

    Relevant content that no item has lowers the value, since no retriever can return it.

    Range [0, 1], higher is better. Source: Smith & Troynikov 2024 (precision Ω).

    Examples:
        >>> from ir_segmeasures import SegP_omega
        >>> qrels = {'q': {'d#char=90,130': 1}}
        >>> chunks = {'q': {'d#char=0,100': 3, 'd#char=100,200': 2, 'd#char=200,300': 1}}
        >>> SegP_omega.calc_aggregate(qrels, chunks)  # 40 of the 200 characters of the first two chunks
        0.2
    """
    PRETTY_NAME = 'Precision of content for a perfect retriever'
    SHORT_DESC = 'The precision of content if exactly the items with relevant content were retrieved.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'rel': REL}

    def compute(self, topic: 'Topic') -> float:
        cutoff, items = self.cutoff, topic.items
        unseen = topic.unseen()
        common = 0.0
        meeting = []
        for rank, document, start, end, i in zip(items.rank, items.document, items.start, items.end, items.ahead):
            if rank <= cutoff and start < end and topic.starts[i] < end:
                meeting.append((document, start, end))
                common += sum(last - first for first, last in unseen.cut(i, start, end))
        if not meeting:
            return 0.0
        documents, starts, ends = zip(*meeting)
        parts = merged_spans(np.array(documents, np.intp), np.array(starts, float), np.array(ends, float))
        return common / (float((parts.end - parts.start).sum()) + topic.T_rel - common)


SegP_omega = register_measure(_SegP_omega())
