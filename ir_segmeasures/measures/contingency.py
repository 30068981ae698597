"""Ratios of the contingency table of retrieved and relevant content, as any textbook of evaluation has them; precision
and recall stand in sets.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, Length, register_measure
from ir_segmeasures.measures.sets import READ_PARAMS, ContentLengths, ContentMeasure

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

__all__ = ['SegFallout', 'SegRejection', 'SegMiss', 'SegNoise', 'SegGenerality']

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
    PRETTY_NAME = 'Fallout of content'
    SHORT_DESC = 'The share of the irrelevant content that is retrieved. Lower is better.'
    LOWER_IS_BETTER = True
    SUPPORTED_PARAMS = {**READ_PARAMS, 'D': _COLLECTION}

    def ratio(self, run: RunOnAxis, retrieved: Any, common: Any, relevant: Any) -> tuple[Any, Any]:
        return retrieved - common, self.irrelevant(run)


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
    PRETTY_NAME = 'Rejection of content'
    SHORT_DESC = 'The share of the irrelevant content that is not retrieved.'
    SUPPORTED_PARAMS = {**READ_PARAMS, 'D': _COLLECTION}

    def ratio(self, run: RunOnAxis, retrieved: Any, common: Any, relevant: Any) -> tuple[Any, Any]:
        return self.irrelevant(run) - (retrieved - common), self.irrelevant(run)


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
    PRETTY_NAME = 'Miss of content'
    SHORT_DESC = 'The share of the relevant content that is not retrieved. Lower is better.'
    LOWER_IS_BETTER = True

    def ratio(self, run: RunOnAxis, retrieved: Any, common: Any, relevant: Any) -> tuple[Any, Any]:
        return relevant - common, relevant


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
    PRETTY_NAME = 'Noise of content'
    SHORT_DESC = 'The share of the retrieved content that is not relevant. Lower is better.'
    LOWER_IS_BETTER = True

    def ratio(self, run: RunOnAxis, retrieved: Any, common: Any, relevant: Any) -> tuple[Any, Any]:
        return retrieved - common, retrieved


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
    PRETTY_NAME = 'Generality of a query, in content'
    SHORT_DESC = 'The share of the collection that is relevant to the query.'
    CONTENT = False
    EVERYWHERE = False
    SILENCE = False
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, 'D': _COLLECTION, 'rel': REL}

    def _read(self, run: RunOnAxis) -> ContentLengths:
        nothing = np.zeros(run.queries, np.int64)
        return ContentLengths(nothing, nothing, run.T_rel)

    def ratio(self, run: RunOnAxis, retrieved: Any, common: Any, relevant: Any) -> tuple[Any, Any]:
        return relevant, np.full(run.queries, float(run.ticks(self.D)))


SegGenerality = register_measure(_SegGenerality())
