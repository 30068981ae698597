"""The documents of the INEX ad hoc track, 2009 and 2010, ranked by where one enters them (best in context) and by what
is read of them (reading effort), as the track's program, inex_eval 3.1, describes them. Focused retrieval is in aip.py,
retrieval in context in agp.py.

BEPD is the measure of best in context of 2006: Lalmas, Kazai, Kamps, Pehcevski, Piwowarski, Robertson. INEX 2006
Evaluation Measures. LNCS 4518, 2007, against whose text it is not checked.

These are the definitions, computed exactly: every judged topic, 0 without relevant content. The program's own numbers
are ``tool='inex_eval'``.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf, nan
from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures.measures.agp import DOCUMENTS, Generalised, Recalled, average, generalised, precision_at
from ir_segmeasures.measures.aip import without_passage
from ir_segmeasures.measures.base import REL, Number, least, register, required
from ir_segmeasures.segments.spans import in_order, merged_spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

    Floats = NDArray[np.float64]

__all__ = ['AgP_bep', 'gP_bep', 'BEPD', 'AgP_reading', 'gP_reading']


def entries(run: RunItems) -> list[Floats]:
    """For each query and each of its documents with relevant spans, where the list enters it, NaN where it does not."""
    items = run.every
    place = np.flatnonzero((items.group >= 0) & ~run.once(without_passage))
    entry = np.full(len(run.relevant.keys), nan)
    entry[items.group[place[::-1]]] = items.start[place[::-1]]  # of what is written to one place the last stays
    return [entry[low:high] for low, high in pairwise(run.relevant.groups)]


def by_entry(topic: Topic, n: float) -> Recalled:
    """The ranking of documents that are scored by how close their entry is to their best entry point."""
    document = topic.in_context.document
    distance = np.abs(topic.of_run(entries)[document] - np.array(topic.beside('bep'))[document])
    return generalised(topic, np.where(distance < n, n - distance, 0.0) / n)


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

    def _scored(self, topic: Topic) -> Recalled:
        return topic.once(by_entry, self['n'])


class _AgP_bep(_ByEntry, _Average):
    """Average generalised precision for best in context: each document counts by how close the list's entry into it is
    to its best entry point.

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
    """Generalised precision at document rank r for best in context.

    ``gP_bep@r = Σ_{j<=r} S(d_j) / r``, with S as in ``AgP_bep``; documents beyond the end of the list score 0.

    Range [0, 1], higher is better. The judgements need the column ``bep``. Source: as ``AgP_bep``.
    """
    __name__ = 'gP_bep'
    NAME = __name__
    PRETTY_NAME = 'Generalised Precision of entry points at r documents'
    SHORT_DESC = 'The mean score of the entries into the top r documents.'
    SUPPORTED_PARAMS = {'cutoff': required(DOCUMENTS), **_ByEntry.PARAMS}


gP_bep = register(_gP_bep())


class _BEPD(Generalised):
    """Distance of entry points from the best ones (BEPD), the measure of best in context in 2006.

    ``BEPD = Σ_d S(d) / Nrel``, over the documents of the list that have a best entry point; a document scores
    ``S(d) = A·L / (A·L + |entry - bep|)``. Its entry is the start of its first item in the list; items without a
    passage are no entries. Neither lengths nor ranks matter.

    Range [0, 1], higher is better; a large A forgives distance. ``@`` counts documents. The judgements need the column
    ``bep``. Source: Lalmas et al. 2007 (not checked against it); the track had A from 0.01 to 100.
    """
    __name__ = 'BEPD'
    NAME = __name__
    PRETTY_NAME = 'Best Entry Point Distance'
    SHORT_DESC = 'The share of the best entry points that the list comes near, by distance.'
    CONTENT = False
    NEEDS = ('bep',)
    SUPPORTED_PARAMS = {
        'A': Number('how far from the best entry point a document scores half, in mean lengths', above=0,
                    required=True),
        'L': Number("mean length of the collection's documents, in the unit of the medium", above=0, required=True),
        'cutoff': DOCUMENTS,
        'rel': REL,
    }

    def compute(self, topic: Topic) -> float:
        document, rank, _ = topic.in_context
        document = document[rank <= self.params.get('cutoff', inf)]
        half = self['A'] * self['L']
        distance = np.abs(topic.of_run(entries)[document] - np.array(topic.beside('bep'))[document])
        return float(np.nansum(half / (half + distance)) / topic.Nrel)


BEPD = register(_BEPD())


def reading_scores(run: RunItems, irr: float) -> list[Floats]:
    """For each query and each of its documents with relevant spans, the share of what is read of it that is relevant:
    its retrieved parts in order, then its rest in order, until ``irr`` irrelevant content has been read; 0 where
    nothing of it was retrieved.
    """
    run.once(without_passage)
    items, spans, size = run.every, run.relevant.spans, np.array(run.relevant.beside('doc_size'))
    some = np.flatnonzero((items.group >= 0) & (items.start < items.end))
    parts = merged_spans(items.group[some], items.start[some], items.end[some])
    retrieved = np.zeros(len(size), bool)
    retrieved[items.group[items.group >= 0]] = True
    documents, relevant = np.flatnonzero(retrieved), np.flatnonzero(retrieved[spans.group])
    # The bounds of all parts, relevant spans and documents cut the documents into pieces.
    bounds = [(parts.group, parts.start, parts.end),
              (spans.group[relevant], spans.start[relevant], spans.end[relevant]),
              (documents, np.zeros(len(documents)), size[documents])]
    group = np.concatenate([document for document, *_ in bounds for _ in range(2)])
    position = np.concatenate([edge for _, start, end in bounds for edge in (start, end)])
    # None of a kind meets another, so what a piece lies in is told by one bit each: parts, spans, documents.
    bit = np.repeat([1, -1, 2, -2, 4, -4], [len(document) for document, *_ in bounds for _ in range(2)])
    order = in_order(group, position)
    group, position = group[order], position[order]
    inside = np.cumsum(bit[order])
    in_part, in_span = inside & 1 > 0, inside & 2 > 0
    length = np.diff(position, append=0.0)
    piece = np.flatnonzero((np.diff(group, append=-1) == 0) & (length > 0) & (inside & 5 > 0))
    # Of each document the retrieved parts come first, all in their order.
    piece = np.sort((2 * group[piece] + ~in_part[piece]) * len(group) + piece) % max(1, len(group))
    group, length, in_span = group[piece], length[piece], in_span[piece]
    irrelevant = np.where(in_span, 0.0, length)
    # What is read until the end of each piece, less what was read of the documents before.
    read = np.cumsum(irrelevant)
    first = np.diff(group, prepend=-1) > 0
    going_on = read - (read - irrelevant)[first][np.cumsum(first) - 1] < least(irr)
    n = len(size)
    found = np.bincount(group, length * (in_span & going_on), n)
    left = np.bincount(group, ~going_on, n) > 0
    wasted = np.where(left, irr, np.bincount(group, irrelevant, n))
    scores = np.divide(found, found + wasted, out=np.zeros(n), where=found > 0)
    return [scores[low:high] for low, high in pairwise(run.relevant.groups)]


def by_reading(topic: Topic, irr: float) -> Recalled:
    """The ranking of documents that are scored by :func:`reading_scores`."""
    return generalised(topic, topic.of_run(reading_scores, irr)[topic.in_context.document])


class _ByReading(Generalised):
    NEEDS = ('doc_size',)
    PARAMS = {
        'irr': Number('irrelevant content after which the user leaves a document, in the unit of the medium', above=0,
                      default=300),
        'rel': REL,
    }

    def _scored(self, topic: Topic) -> Recalled:
        return topic.once(by_reading, self['irr'])


class _AgP_reading(_ByReading, _Average):
    """Average generalised precision for a user with a tolerance to irrelevance, who reads the retrieved parts of a
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
    """Generalised precision at document rank r for a user with a tolerance to irrelevance.

    ``gP_reading@r = Σ_{j<=r} S(d_j) / r``, with S as in ``AgP_reading``; documents beyond the end of the list score 0.

    Range [0, 1], higher is better. The judgements need the column ``doc_size``. Source: as ``AgP_reading``.
    """
    __name__ = 'gP_reading'
    NAME = __name__
    PRETTY_NAME = 'Generalised Precision of reading at r documents'
    SHORT_DESC = 'The mean share of what is read of the top r documents that is relevant.'
    SUPPORTED_PARAMS = {'cutoff': required(DOCUMENTS), **_ByReading.PARAMS}


gP_reading = register(_gP_reading())
