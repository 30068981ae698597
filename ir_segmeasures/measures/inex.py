"""
The documents of the INEX ad hoc track, 2009 and 2010, ranked by where one enters them (best in context) and by what is
read of them (reading effort), as the track's program, inex_eval 3.1, describes them. Focused retrieval is in aip.py,
retrieval in context in agp.py.

These are the definitions, computed exactly: every judged topic, 0 without relevant content. The program's own numbers
are ``tool='inex_eval'``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.agp import DOCUMENTS, Generalised, Recalled, average, generalised, precision_at
from ir_segmeasures.measures.aip import without_passage
from ir_segmeasures.measures.base import REL, TOLERANCE, Number, register, required
from ir_segmeasures.segments.spans import merge

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

    Span = tuple[float, float]

__all__ = ['AgP_bep', 'gP_bep', 'AgP_reading', 'gP_reading']


def retrieved_documents(topic: Topic) -> list[int]:
    """Which of the topic's documents were retrieved, in the order of ``topic.in_context``."""
    return list(dict.fromkeys(document for document in topic.ranking.document if document < topic.Nrel))


def by_entry(topic: Topic, n: float) -> list[Recalled]:
    """The ranking of documents that are scored by how close their entry is to their best entry point."""
    entries: dict[int, float] = {}
    for document, start, no_passage in zip(topic.ranking.document, topic.ranking.start,
                                           topic.once(without_passage)):
        if document < topic.Nrel and not no_passage:
            entries.setdefault(document, start)
    bep = topic.beside('bep')
    return generalised(topic, [max(0.0, n - abs(entries[document] - bep[document])) / n if document in entries else 0.0
                               for document in retrieved_documents(topic)])


class _Average(Generalised):
    def compute(self, topic: Topic) -> float:
        return average(self._recalled(topic))


class _AtRank(Generalised):
    def compute(self, topic: Topic) -> float:
        return precision_at(self._scored(topic), self['cutoff'])


class _ByEntry(Generalised):
    CONTENT = False
    NEEDS = ('bep',)
    PARAMS = {
        'n': Number('distance from the best entry point, in the unit of the medium, from which on a document scores 0',
                    above=0, default=500),
        'rel': REL,
    }

    def _scored(self, topic: Topic) -> list[Recalled]:
        return topic.once(by_entry, self['n'])


class _AgP_bep(_ByEntry, _Average):
    """
    Average generalised precision for best in context: each document counts by how close the list's entry into it is to
    its best entry point.

    ``AgP_bep = (1/Nrel) · Σ_j gP_bep[j]`` over the ranks j of the relevant documents; a document scores
    ``S(d) = max(0, n - |entry - bep|) / n``. Its entry is the start of its first item in the list; items without a
    passage are no entries. Lengths do not matter.

    Range [0, 1], higher is better. ``@`` counts documents. The judgements need the column ``bep``. Source: INEX ad hoc
    track 2009-10, best in context (inex_eval -b).
    """
    __name__ = 'AgP_bep'
    NAME = __name__
    PRETTY_NAME = 'Average generalised Precision of entry points'
    SHORT_DESC = 'AP over documents that count by how close they are entered to their best entry point.'
    SUPPORTED_PARAMS = {'cutoff': DOCUMENTS, **_ByEntry.PARAMS}


AgP_bep = register(_AgP_bep())


class _gP_bep(_ByEntry, _AtRank):
    """
    Generalised precision at document rank r for best in context.

    ``gP_bep@r = Σ_{j<=r} S(d_j) / r``, with S as in ``AgP_bep``; documents beyond the end of the list score 0.

    Range [0, 1], higher is better. The judgements need the column ``bep``. Source: as ``AgP_bep``.
    """
    __name__ = 'gP_bep'
    NAME = __name__
    PRETTY_NAME = 'Generalised Precision of entry points at r documents'
    SHORT_DESC = 'The mean score of the entries into the top r documents.'
    SUPPORTED_PARAMS = {'cutoff': required(DOCUMENTS), **_ByEntry.PARAMS}


gP_bep = register(_gP_bep())


def unread(parts: list[Span], size: float) -> list[Span]:
    """What is left of a document of this size, where its parts are disjoint and in order."""
    edges = [0.0, *chain.from_iterable(parts), size]
    return [(left, min(right, size)) for left, right in zip(edges[::2], edges[1::2]) if left < size]


def reading_score(parts: Iterable[Span], starts: list[float], ends: list[float], irr: float) -> float:
    """
    The share of what is read of a document that is relevant: its parts, one after the other, until ``irr`` irrelevant
    content has been read. Relevant spans are disjoint and in order, and an infinite span closes them.
    """
    relevant = irrelevant = 0.0
    for left, right in parts:
        i = bisect_right(ends, left)
        while True:
            irrelevant += max(0.0, min(starts[i], right) - left)
            if irrelevant >= irr * (1 - TOLERANCE):
                return relevant / (relevant + irr)
            if starts[i] >= right:
                break
            relevant += min(ends[i], right) - max(starts[i], left)
            left = ends[i]
            i += 1
    return relevant / (relevant + irrelevant)


def by_reading(topic: Topic, irr: float) -> list[Recalled]:
    """
    The ranking of documents that are scored by :func:`reading_score` of their retrieved parts in order, then of their
    rest in order.
    """
    topic.once(without_passage)
    sizes, bounds = topic.beside('doc_size'), list(pairwise(topic.first))
    if not topic.in_context:
        return []
    document, start, end = map(np.array, topic.ranking)
    some = (document < topic.Nrel) & (start < end)
    parts: dict[int, list[Span]] = {}
    for group, left, right in zip(*(column.tolist() for column in merge(document[some], start[some], end[some]))):
        parts.setdefault(group, []).append((left, right))
    return generalised(topic, [
        reading_score([*parts.get(i, []), *unread(parts.get(i, []), sizes[i])], topic.starts[slice(*bounds[i])],
                      topic.ends[slice(*bounds[i])], irr)
        for i in retrieved_documents(topic)])


class _ByReading(Generalised):
    NEEDS = ('doc_size',)
    PARAMS = {
        'irr': Number('irrelevant content after which the user leaves a document, in the unit of the medium', above=0,
                      default=300),
        'rel': REL,
    }

    def _scored(self, topic: Topic) -> list[Recalled]:
        return topic.once(by_reading, self['irr'])


class _AgP_reading(_ByReading, _Average):
    """
    Average generalised precision for a user with a tolerance to irrelevance, who reads the retrieved parts of a
    document in order, then the rest of it in order, and leaves it when ``irr`` irrelevant content has been read, also
    right before relevant content.

    ``AgP_reading = (1/Nrel) · Σ_j gP_reading[j]`` over the ranks j of the relevant documents; a document scores
    ``S(d) = relevant content read / all content read``.

    Range [0, 1], higher is better; as the rest is read as well, the perfect run usually scores below 1. ``@`` counts
    documents. The judgements need the column ``doc_size``; what an item holds beyond the end is irrelevant. Source:
    INEX ad hoc track 2009-10 (inex_eval -i, which calls it T2I; it is not the user of ``T2I_AP``).
    """
    __name__ = 'AgP_reading'
    NAME = __name__
    PRETTY_NAME = 'Average generalised Precision of reading'
    SHORT_DESC = 'AP over documents that count by how much of what is read of them is relevant.'
    SUPPORTED_PARAMS = {'cutoff': DOCUMENTS, **_ByReading.PARAMS}


AgP_reading = register(_AgP_reading())


class _gP_reading(_ByReading, _AtRank):
    """
    Generalised precision at document rank r for a user with a tolerance to irrelevance.

    ``gP_reading@r = Σ_{j<=r} S(d_j) / r``, with S as in ``AgP_reading``; documents beyond the end of the list score 0.

    Range [0, 1], higher is better. The judgements need the column ``doc_size``. Source: as ``AgP_reading``.
    """
    __name__ = 'gP_reading'
    NAME = __name__
    PRETTY_NAME = 'Generalised Precision of reading at r documents'
    SHORT_DESC = 'The mean share of what is read of the top r documents that is relevant.'
    SUPPORTED_PARAMS = {'cutoff': required(DOCUMENTS), **_ByReading.PARAMS}


gP_reading = register(_gP_reading())
