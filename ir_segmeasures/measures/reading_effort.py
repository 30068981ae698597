"""Reading effort, of the INEX ad hoc track, 2009 and 2010: documents are ranked by how much of what is read of them is
relevant, as the track's program, inex_eval 3.1, describes it.

The measures are computed exactly by their definitions: every judged topic counts, with 0 without relevant content. The
program's own numbers are ``tool='inex_eval'``.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.measures.base import REL, Number, register_measure, required
from ir_segmeasures.measures.document_ranking import (
    DOCUMENTS,
    AverageGP,
    DocumentMeasure,
    DocumentRanking,
    GPAtRank,
    Scoring,
    rank_documents,
)
from ir_segmeasures.measures.rounding import lowest_reaching
from ir_segmeasures.measures.unread_content import check_no_passage
from ir_segmeasures.segments.arrays import Floats
from ir_segmeasures.segments.spans import in_order, merged_spans

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['AgP_reading', 'gP_reading']


def reading_scores(run: RunItems, irr: float) -> Floats:
    """For each of ``run.all_documents``, the share of what is read of it that is relevant.

    It equals this loop over the documents (tests/measures/test_measures_inex.py holds it against such a loop)::

        pieces = the retrieved parts in order, then the rest of the document in order, each cut at the bounds of
                 relevant spans
        for each piece:
            if irrelevant >= irr: stop
            relevant or irrelevant += its length
        the score is relevant / (relevant + min(irrelevant, irr))
    """
    run.cached(check_no_passage)
    items, spans, size = run.all_items, run.relevant.spans, np.array(run.relevant.beside('doc_size'))
    item = np.flatnonzero((items.group >= 0) & (items.start < items.end))
    parts = merged_spans(items.group[item], items.start[item], items.end[item])
    retrieved = np.zeros(len(size), bool)
    retrieved[items.group[items.group >= 0]] = True
    documents, relevant = np.flatnonzero(retrieved), np.flatnonzero(retrieved[spans.group])
    # The bounds of all parts, relevant spans and documents cut the documents into pieces.
    bounds = [(parts.group, parts.start, parts.end),
              (spans.group[relevant], spans.start[relevant], spans.end[relevant]),
              (documents, np.zeros(len(documents)), size[documents])]
    group = np.concatenate([document for document, *_ in bounds for _ in range(2)])
    position = np.concatenate([edge for _, start, end in bounds for edge in (start, end)])
    # Intervals of one kind do not overlap, so one bit a kind says what a piece lies in: parts, spans, documents.
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
    # The irrelevant content read until the end of each piece, less that of the documents before.
    read = np.cumsum(irrelevant)
    first = np.diff(group, prepend=-1) > 0
    going_on = read - (read - irrelevant)[first][np.cumsum(first) - 1] < lowest_reaching(irr)
    n = len(size)
    found = np.bincount(group, length * (in_span & going_on), n)
    left = np.bincount(group, ~going_on, n) > 0
    wasted = np.where(left, irr, np.bincount(group, irrelevant, n))
    scores = np.divide(found, found + wasted, out=np.zeros(n), where=found > 0)
    return scores[run.all_documents.group]


def reading_ranking(run: RunItems, irr: float) -> DocumentRanking:
    """The rankings of documents that are scored by :func:`reading_scores`."""
    return rank_documents(run, reading_scores(run, irr))


class _ReadingMeasure(DocumentMeasure):
    NEEDS = ('doc_size',)
    STEP = 'ReadDocument'
    PARAMS = {
        'irr': Number('irrelevant content after which the user leaves a document, in the unit of the medium', above=0,
                      default=300),
        'rel': REL,
    }

    @cached_property
    def scoring(self) -> Scoring:
        return reading_ranking, self['irr']

    def score_columns(self, topic: Topic) -> tuple[Any, ...]:
        return (self.scored(topic).score,)


class _AgP_reading(_ReadingMeasure, AverageGP):
    """Average generalised precision for a user with a tolerance to irrelevance. The user reads the retrieved parts of a
    document in order, then the rest of it in order, and leaves the document when ``irr`` irrelevant content has been
    read, even where relevant content would follow at once.

    ``AgP_reading = (1/Nrel) · Σ_j gP_reading[j]`` over the ranks j of the relevant documents; a document scores
    ``S(d) = relevant content read / all content read``.

    Range [0, 1], higher is better. Since the rest of a document is read as well, the perfect run usually scores below
    1. ``@`` counts documents. The judgements need the column ``doc_size``; content of an item beyond the end of its
    document is irrelevant. Source: INEX ad hoc track 2009-10 (inex_eval -i, which calls it T2I; the user is not the
    user of ``T2I_AP``).

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import AgP_reading
        >>> qrels = pd.DataFrame({'query_id': ['q'], 'doc_id': ['d#char=100,200'], 'relevance': [1], 'doc_size': [900]})
        >>> run = {'q': {'d#char=150,250': 1}}  # 50 + 50 irrelevant, then 0-100 irrelevant, 100-150, 150 irrelevant
        >>> AgP_reading(irr=300).calc_aggregate(qrels, run)  # 100 / (100 + 300)
        0.25
    """
    PRETTY_NAME = 'Average generalised Precision of reading'
    SHORT_DESC = 'AP over documents that count by how much of what is read of them is relevant.'
    SUPPORTED_PARAMS = {'cutoff': DOCUMENTS, **_ReadingMeasure.PARAMS}


AgP_reading = register_measure(_AgP_reading())


class _gP_reading(_ReadingMeasure, GPAtRank):
    """Generalised precision at document rank r for a user with a tolerance to irrelevance.

    ``gP_reading@r = Σ_{j<=r} S(d_j) / r``, with S as in ``AgP_reading``; documents beyond the end of the list score 0.

    Range [0, 1], higher is better. The judgements need the column ``doc_size``. Source: INEX ad hoc track 2009-10
    (inex_eval -i).

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import gP_reading
        >>> qrels = pd.DataFrame({'query_id': ['q'], 'doc_id': ['d#char=100,200'], 'relevance': [1], 'doc_size': [900]})
        >>> run = {'q': {'d#char=150,250': 1}}
        >>> (gP_reading(irr=300)@2).calc_aggregate(qrels, run)  # (0.25 + 0) / 2
        0.125
    """
    PRETTY_NAME = 'Generalised Precision of reading at r documents'
    SHORT_DESC = 'The mean share of what is read of the top r documents that is relevant.'
    SUPPORTED_PARAMS = {'cutoff': required(DOCUMENTS), **_ReadingMeasure.PARAMS}


gP_reading = register_measure(_gP_reading())
