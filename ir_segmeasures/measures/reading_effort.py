"""Reading effort, of the INEX ad hoc track, 2009 and 2010: documents are ranked by how much of what is read of them is
relevant, as the track's program, inex_eval 3.1, describes it.

The measures are computed exactly by their definitions: every judged topic counts, with 0 without relevant content. The
program's own numbers are ``tool='inex_eval'``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.evaluation.axis import Cover, running, share, sums
from ir_segmeasures.measures.base import REL, Number, register_measure, required
from ir_segmeasures.measures.document_ranking import DOCUMENTS, AverageGP, DocumentMeasure, GPAtRank
from ir_segmeasures.measures.unread_content import check_no_passage
from ir_segmeasures.segments.arrays import Floats

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

__all__ = ['AgP_reading', 'gP_reading']


def reading_scores(run: RunOnAxis, irr: float) -> dict[str, Floats]:
    """For each stretch, the share of what is read of its document that is relevant.

    It equals this loop over the documents (tests/measures/test_measures_inex.py holds it against such a loop)::

        pieces = the retrieved parts in order, then the rest of the document in order, each cut at the bounds of
                 relevant spans
        for each piece:
            if irrelevant >= irr: stop
            relevant or irrelevant += its length
        the score is relevant / (relevant + min(irrelevant, irr))
    """
    run.cached(check_no_passage)
    n, limit = len(run.base) - 1, min(run.ticks(irr), 2 ** 62)
    parts, spans, document = Cover.union(run.start, run.end), run.spans, run.documents
    # The bounds of all parts, relevant spans and documents cut the documents into pieces.
    bounds = np.sort(np.concatenate([*parts[:2], *spans[:2], *document[:2]]))
    start, end = bounds[:-1], bounds[1:]
    stretch = run.stretch_at(start)
    in_part = parts.common(start, end) > 0
    piece = np.flatnonzero((start < end) & (in_part | (document.common(start, end) > 0)))
    piece = piece[np.lexsort((start[piece], ~in_part[piece], stretch[piece]))]  # first the retrieved parts
    stretch, length, relevant = stretch[piece], (end - start)[piece], spans.common(start, end)[piece]
    irrelevant = length - relevant
    going_on = running(irrelevant, stretch) - irrelevant < limit
    found = sums(relevant * going_on, stretch, n)
    wasted = np.minimum(sums(irrelevant, stretch, n), limit)
    return {'score': share(found, found + wasted)}


class _ReadingMeasure(DocumentMeasure):
    NEEDS = ('doc_size',)
    SIZED = True
    PARAMS = {
        'irr': Number('irrelevant content after which the user leaves a document, in the unit of the medium', above=0,
                      default=300, in_unit=True),
        'rel': REL,
    }

    def scoring(self) -> tuple[Any, ...]:
        return 'docs', reading_scores, self['irr']


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
