"""A measure of chunks, whatever retrieves them: Smith & Troynikov. Evaluating Chunking Strategies for Retrieval. Chroma
Technical Report, 2024.
"""

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register_measure
from ir_segmeasures.measures.new_content import new_stretches
from ir_segmeasures.segments.spans import merged_spans

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['SegP_omega']


def meeting_lengths(run: 'RunItems', cutoff: float) -> list[tuple[float, float]]:
    """For each query, the length of the content of the items that share content with relevant spans, overlap counted
    once, and of the relevant part of it.
    """
    items, relevant, new = run.overlapping_items, run.relevant, run.cached(new_stretches)
    read, first_read = items.rank <= cutoff, items.rank[new.item] <= cutoff
    parts = merged_spans(items.group[read], items.start[read], items.end[read])
    length, bounds = parts.end - parts.start, np.searchsorted(parts.group, relevant.groups).tolist()
    common = np.bincount(new.item[first_read], (new.end - new.start)[first_read], len(items.rank))
    return list(zip((float(length[low:high].sum()) for low, high in pairwise(bounds)),
                    np.bincount(relevant.query[items.group], common, len(run.n)).tolist()))


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
        content, common = topic.computed_on_run(meeting_lengths, self.cutoff)
        return common / (content + topic.T_rel - common)


SegP_omega = register_measure(_SegP_omega())
