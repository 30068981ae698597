"""A measure of chunks, whatever retrieves them: Smith & Troynikov. Evaluating Chunking Strategies for Retrieval. Chroma
Technical Report, 2024.
"""

from typing import TYPE_CHECKING

from ir_segmeasures.evaluation.axis import Cover, share, sums
from ir_segmeasures.measures.base import CUTOFF, REL, SpanMeasure, register_measure
from ir_segmeasures.segments.arrays import Floats

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

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

    def values(self, run: 'RunOnAxis') -> Floats:
        first, stop = run.met
        meeting = (first < stop) & (run.rank <= self.cutoff)
        content = Cover.union(run.start[meeting], run.end[meeting])
        query = run.query_of[run.stretch_at(content.start)]
        retrieved, common = (sums(length, query, run.queries) for length in (
            content.end - content.start, run.spans.common(content.start, content.end)))
        return share(common, retrieved + run.T_rel - common)


SegP_omega = register_measure(_SegP_omega())
