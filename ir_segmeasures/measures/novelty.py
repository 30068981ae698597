"""Coverage and novelty of content, the user-oriented measures of Korfhage as Eibl's lecture on evaluation has them. The
column ``known`` of the qrels says of each relevant segment whether the user knew it before: 1 or 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ir_segmeasures.evaluation.axis import Cover, share
from ir_segmeasures.measures.base import SpanMeasure, register_measure
from ir_segmeasures.measures.sets import READ_PARAMS, length_in, read_content

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

__all__ = ['SegCoverage', 'SegNovelty']


def known_spans(run: RunOnAxis) -> Cover:
    """The content of the segments that the users knew before; what another segment has too is known.

    Raises:
        ValueError: the column ``known`` is missing
        RowError: a value of it that is neither 0 nor 1
    """
    known = run.flags('known')
    return Cover.union(run.segments.start[known], run.segments.end[known])


class _KnownMeasure(SpanMeasure):
    NEEDS = ('known',)
    SUPPORTED_PARAMS = READ_PARAMS

    def _parts(self, run: RunOnAxis) -> Cover:
        parts: Cover = run.cached(read_content, self.cutoff, self.params.get('budget'))
        return parts


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

    def values(self, run: RunOnAxis) -> Any:
        known = run.cached(known_spans)
        return share(length_in(run, self._parts(run), known), length_in(run, known))


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

    def values(self, run: RunOnAxis) -> Any:
        parts = self._parts(run)
        retrieved = length_in(run, parts, run.spans)
        return share(retrieved - length_in(run, parts, run.cached(known_spans)), retrieved)


SegNovelty = register_measure(_SegNovelty())
