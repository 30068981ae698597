"""Measures of documents in context that are scored by their entry points or by how they are read.

Best in context, of the INEX ad hoc track: documents are ranked by where one enters them.

AgP_bep and gP_bep are the measures of 2009 and 2010, as the track's program, inex_eval 3.1, describes them. BEPD is the
measure of 2006: Lalmas, Kazai, Kamps, Pehcevski, Piwowarski, Robertson. INEX 2006 Evaluation Measures. LNCS 4518, 2007;
that text was not at hand, so BEPD is not checked against it.

The measures are computed exactly by their definitions: every judged topic counts, with 0 without relevant content. The
program's own numbers are ``tool='inex_eval'``.

Reading effort, of the INEX ad hoc track, 2009 and 2010: documents are ranked by how much of what is read of them is
relevant, as the track's program, inex_eval 3.1, describes it.

The measures are computed exactly by their definitions: every judged topic counts, with 0 without relevant content. The
program's own numbers are ``tool='inex_eval'``.
"""

from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import Cover, running, share, sums
from ir_segmeasures.measures.agp import DOCUMENTS, AverageGP, DocumentMeasure, GPAtRank
from ir_segmeasures.measures.base import RunOnAxis, register_measure
from ir_segmeasures.measures.parameters import REL, Number, required
from ir_segmeasures.measures.stops import Outcome
from ir_segmeasures.measures.walks import check_no_passage
from ir_segmeasures.segments.basics import Floats

__all__ = ['AgP_bep', 'gP_bep', 'BEPD', 'AgP_reading', 'gP_reading']


def entries(run: RunOnAxis) -> dict[str, Floats]:
    """Tells where the list enters each stretch, NaN where it does not, and the best entry point of the document."""
    item = np.flatnonzero(~run.cached(check_no_passage))[::-1]
    entry = np.full(len(run.base) - 1, np.nan)
    entry[run.stretch[item]] = run.match.run.start[run.row[item]]  # NumPy keeps what is written last: the first item
    return {'entry': entry, 'bep': run.of_stretches('bep')}


def near_entries(run: RunOnAxis, n: float) -> dict[str, Floats]:
    """Documents score by how close their entry is to their best entry point: nothing from a distance of ``n`` on."""
    found = run.cached(entries)
    distance = abs(found['entry'] - found['bep'])
    return {**found, 'score': np.where(distance < n, n - distance, 0.0) / n}


def halved_entries(run: RunOnAxis, A: float, L: float) -> dict[str, Floats]:
    """Documents score half at a distance from their best entry point, and 0 where they are not entered."""
    found, half = run.cached(entries), A * L
    return {**found, 'score': np.nan_to_num(half / (half + abs(found['entry'] - found['bep'])))}


class _EntryMeasure(DocumentMeasure):
    CONTENT = False
    NEEDS = ('bep',)
    SCORING: tuple[Any, ...] = near_entries, 'n'
    SUPPORTED_PARAMS: Any = {'cutoff': DOCUMENTS, 'n': Number(
        'distance from the best entry point, in the unit of the medium, from which on a document scores 0', above=0,
        default=500), 'rel': REL}


class _AgP_bep(_EntryMeasure, AverageGP):
    """Average generalised precision for best in context: a document counts by how close the list's entry into it is to
    its best entry point.

    ``AgP_bep = (1/Nrel) · Σ_j gP_bep[j]`` over the ranks j of the relevant documents; a document scores
    ``S(d) = max(0, n - |entry - bep|) / n``. The entry into a document is the start of its first item in the list;
    items without a passage are not entries. Lengths do not matter.

    Range [0, 1], higher is better. ``@`` counts documents. The judgements need the column ``bep``. Source: INEX ad hoc
    track 2009-10, best in context (inex_eval -b).

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import AgP_bep
        >>> qrels = pd.DataFrame({'query_id': ['q'], 'doc_id': ['d#char=100,200'], 'relevance': [1], 'bep': [100]})
        >>> run = {'q': {'d#char=150,160': 1}}  # 50 from the best entry point: (500 - 50) / 500
        >>> AgP_bep.calc_aggregate(qrels, run)
        0.9
    """


AgP_bep = register_measure(_AgP_bep())


class _gP_bep(_EntryMeasure, GPAtRank):
    """Generalised Precision of entry points at r documents: the mean score of the entries into the top r documents.

    ``gP_bep@r = Σ_{j<=r} S(d_j) / r``, with S as in ``AgP_bep``; documents beyond the end of the list score 0.

    Range [0, 1], higher is better. The judgements need the column ``bep``. Source: INEX ad hoc track 2009-10, best in
    context (inex_eval -b).

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import gP_bep
        >>> qrels = pd.DataFrame({'query_id': ['q'], 'doc_id': ['d#char=100,200'], 'relevance': [1], 'bep': [100]})
        >>> run = {'q': {'d#char=150,160': 1}}
        >>> (gP_bep@2).calc_aggregate(qrels, run)  # (0.9 + 0) / 2
        0.45
    """
    SUPPORTED_PARAMS = {**_EntryMeasure.SUPPORTED_PARAMS, 'cutoff': required(DOCUMENTS)}


gP_bep = register_measure(_gP_bep())


class _BEPD(_EntryMeasure):
    """Best Entry Point Distance (BEPD): the share of the best entry points that the list comes near, by distance.

    ``BEPD = Σ_d S(d) / Nrel``, over the documents of the list that have a best entry point; a document scores
    ``S(d) = A·L / (A·L + |entry - bep|)``. The entry into a document is the start of its first item in the list; items
    without a passage are not entries. Neither lengths nor ranks matter.

    Range [0, 1], higher is better; the larger A, the less does distance matter. ``@`` counts documents. The judgements
    need the column ``bep``. Source: Lalmas et al. 2007 (not checked against it); the track had A from 0.01 to 100.

    Examples:
        >>> import pandas as pd
        >>> from ir_segmeasures import BEPD
        >>> qrels = pd.DataFrame({'query_id': ['q', 'q'], 'doc_id': ['d#char=100,200', 'e#char=0,50'],
        ...                       'relevance': [1, 1], 'bep': [100, 0]})
        >>> run = {'q': {'d#char=150,160': 2, 'e#char=0,50': 1}}
        >>> BEPD(A=0.1, L=500).calc_aggregate(qrels, run)  # 50 from the best entry point, and at it: (50/100 + 1) / 2
        0.75
        >>> (BEPD(A=0.1, L=500)@1).calc_aggregate(qrels, run)  # d stands at the cut-off, so it counts: (50/100) / 2
        0.25
    """
    SUPPORTED_PARAMS = {
        'A': required(Number('how far from the best entry point a document scores half, in mean lengths', above=0)),
        'L': Number("mean length of the collection's documents, in the unit of the medium", above=0, required=True),
        'cutoff': DOCUMENTS, 'rel': REL}
    SCORING = halved_entries, 'A', 'L'

    def outcome(self, run: RunOnAxis) -> Outcome:
        walk = self.walk(run)
        return self.added(walk, walk.beside['score'], run.Nrel, lambda query, value: (
            f'The sum of their scores, divided by {run.Nrel[query]}, is {value:.4f}.'))


BEPD = register_measure(_BEPD())


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
    SCORING = reading_scores, 'irr'
    SUPPORTED_PARAMS: Any = {'cutoff': DOCUMENTS, 'irr': Number(
        'irrelevant content after which the user leaves a document, in the unit of the medium', above=0, default=300,
        in_unit=True), 'rel': REL}


class _AgP_reading(_ReadingMeasure, AverageGP):
    """Average generalised Precision of reading: AP over documents that count by how much of what is read of them is
    relevant. The user reads the retrieved parts of a document in order, then the rest of it in order, and leaves the
    document when ``irr`` irrelevant content has been read, even where relevant content would follow at once.

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


AgP_reading = register_measure(_AgP_reading())


class _gP_reading(_ReadingMeasure, GPAtRank):
    """Generalised Precision of reading at r documents: the mean share of what is read of the top r documents that is
    relevant.

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
    SUPPORTED_PARAMS = {**_ReadingMeasure.SUPPORTED_PARAMS, 'cutoff': required(DOCUMENTS)}


gP_reading = register_measure(_gP_reading())
