"""Ratios of the contingency table of retrieved and relevant content, as any textbook of evaluation has them; precision
and recall stand in sets.py.

Coverage and novelty of content, the user-oriented measures of Korfhage as Eibl's lecture on evaluation has them. The
column ``known`` of the qrels says of each relevant segment whether the user knew it before: 1 or 0.
"""

from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import Cover
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure, register_measure
from ir_segmeasures.measures.parameters import CUTOFF, REL, Length
from ir_segmeasures.measures.sets import READ_PARAMS, ContentMeasure, length_in

__all__ = ['SegFallout', 'SegRejection', 'SegMiss', 'SegNoise', 'SegGenerality', 'SegCoverage', 'SegNovelty']

_COLLECTION = Length('length of the whole collection, in the unit of the medium', required=True)


class _SegFallout(ContentMeasure):
    """Fallout of content: the share of the irrelevant content of the collection that is retrieved.

    ``SegFallout = |retrieved - relevant| / (D - |relevant|)``

    Range [0, 1], **lower is better**. D is required; it is an error if it is too short for the content retrieved.
    Source: the contingency table of retrieved and relevant content.

    Examples:
        >>> from ir_segmeasures import SegFallout
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 20 s of 985 that are not relevant
        >>> round(SegFallout(D=1000).calc_aggregate(qrels, run), 4)
        0.0203
    """
    LOWER_IS_BETTER = True
    SUPPORTED_PARAMS = {**READ_PARAMS, 'D': _COLLECTION}
    RATIO = 'noise', 'irrelevant'


SegFallout = register_measure(_SegFallout())


class _SegRejection(ContentMeasure):
    """Rejection of content: the share of the irrelevant content of the collection that is not retrieved.

    ``SegRejection = 1 - SegFallout``

    Range [0, 1], higher is better. D is required. Source: the contingency table of retrieved and relevant content.

    Examples:
        >>> from ir_segmeasures import SegRejection
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 965 s of 985 that are not relevant
        >>> round(SegRejection(D=1000).calc_aggregate(qrels, run), 4)
        0.9797
    """
    SUPPORTED_PARAMS = {**READ_PARAMS, 'D': _COLLECTION}
    RATIO = 'rejected', 'irrelevant'


SegRejection = register_measure(_SegRejection())


class _SegMiss(ContentMeasure):
    """Miss of content: the share of the relevant content that is not retrieved.

    ``SegMiss = 1 - SegR``

    Range [0, 1], **lower is better**. Source: the contingency table of retrieved and relevant content.

    Examples:
        >>> from ir_segmeasures import SegMiss
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 5 of 15 relevant seconds
        >>> round(SegMiss.calc_aggregate(qrels, run), 4)
        0.3333
    """
    LOWER_IS_BETTER = True
    RATIO = 'missed', 'relevant'


SegMiss = register_measure(_SegMiss())


class _SegNoise(ContentMeasure):
    """Noise of content: the share of the retrieved content that is not relevant.

    ``SegNoise = 1 - SegP``, 0 if nothing is retrieved.

    Range [0, 1], **lower is better**. Source: the contingency table of retrieved and relevant content.

    Examples:
        >>> from ir_segmeasures import SegNoise
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 20 of 30 retrieved seconds
        >>> round(SegNoise.calc_aggregate(qrels, run), 4)
        0.6667
    """
    LOWER_IS_BETTER = True
    RATIO = 'noise', 'retrieved'


SegNoise = register_measure(_SegNoise())


class _SegGenerality(ContentMeasure):
    """Generality of a query: the share of the collection's content that is relevant to it, whatever is retrieved.

    ``SegGenerality = |relevant| / D``

    Range [0, 1]. D is required. Source: the contingency table of retrieved and relevant content.

    Examples:
        >>> from ir_segmeasures import SegGenerality
        >>> qrels = {'q': {'v#t=15,25': 1, 'v#t=30,35': 1}}
        >>> run = {'q': {'v#t=0,20': 2, 'v#t=10,30': 1}}  # 15 of 1000 s, whatever is retrieved
        >>> SegGenerality(D=1000).calc_aggregate(qrels, run)
        0.015
    """
    CONTENT = False
    EVERYWHERE = False
    SILENCE = False
    outcome = SpanMeasure.outcome  # there are no steps, since no item is looked at
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'D': _COLLECTION, 'rel': REL}

    def sides(self, run: RunOnAxis) -> tuple[Any, Any]:
        self.irrelevant(run)  # refuses a collection that is not longer than its relevant content
        return run.T_rel, np.full(run.queries, float(run.ticks(self.D)))


SegGenerality = register_measure(_SegGenerality())


def known_spans(run: RunOnAxis) -> Cover:
    """The content of the segments that the users knew before; what another segment has too is known.

    Raises:
        ValueError: the column ``known`` is missing
        RowError: a value of it that is neither 0 nor 1
    """
    qrels, row = run.match.qrels, run.segments.row
    known = qrels.beside('known')
    qrels.refuse_missing('known', row[np.isnan(known[row])])
    qrels.refuse(row[~np.isin(known[row], (0, 1))], lambda row: (
        f"the 'known' is {known[row]:.12g}, but it is 1 or 0: give one of these"))
    return Cover.union(run.segments.start[known[row] == 1], run.segments.end[known[row] == 1])


class _KnownMeasure(ContentMeasure):
    NEEDS = ('known',)


class _SegCoverage(_KnownMeasure):
    """Coverage of known content: the share of the relevant content known before that is retrieved.

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

    def sides(self, run: RunOnAxis) -> tuple[Any, Any]:
        known = run.cached(known_spans)
        return length_in(run, self.parts(run), known), length_in(run, known)


SegCoverage = register_measure(_SegCoverage())


class _SegNovelty(_KnownMeasure):
    """Novelty of content: the share of the retrieved relevant content that was not known before.

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

    def sides(self, run: RunOnAxis) -> tuple[Any, Any]:
        parts = self.parts(run)
        retrieved = length_in(run, parts, run.spans)
        return retrieved - length_in(run, parts, run.cached(known_spans)), retrieved


SegNovelty = register_measure(_SegNovelty())
