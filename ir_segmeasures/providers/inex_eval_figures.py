"""The numbers of inex_eval 3.1 (November 2010), the official program of INEX' ad hoc track, for one topic that has
relevant documents, its quirks included.

``interpolated_precision`` has the figures of focused (-f) and thorough (-t), ``relevant_in_context`` the ranking of
documents of relevant in context (-r), ``reading_by_passages`` that of reading effort (-i). Best in context (-b) scores
documents as the definition does. Positions are whole numbers; runs that the program rejects are rejected by the caller.

Where the program differs from the measures' definitions, a docstring says *quirk*.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from math import floor, nan
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures import measures
from ir_segmeasures.measures.agp import content_scores
from ir_segmeasures.measures.base import Only
from ir_segmeasures.measures.best_in_context import entry_ranking
from ir_segmeasures.measures.document_ranking import DocumentRanking, average_gp, gp_at, rank_documents
from ir_segmeasures.measures.rounding import reached
from ir_segmeasures.measures.unread_content import repeated_lengths
from ir_segmeasures.providers.base import NO_PARAMETER, WHOLE, Figure, figures_by_name

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['FIGURES', 'interpolated_precision', 'relevant_in_context']

Span = tuple[float, float]
NO_PASSAGE = 18  # characters that a document without a passage counts for


def interpolated_precision(topic: Topic, trim: bool) -> list[float]:
    """The values ``iP[0.00]``, ``iP[0.01]`` … ``iP[1.00]``; with ``trim`` those of -t, which cuts content retrieved
    before out of an item, else those of -f, for runs without overlap.

    Quirks: recall is floored to hundredths in doubles, so that 29 of 100 characters are only 0.28; text is cut only in
    relevant documents, in others every item counts in full; a document without a passage counts 18 characters, but for
    a relevant one under -t.
    """
    precision = [0.0] * 101
    for relevant, size in topic.cached(counted_characters, trim):
        if relevant:
            level = floor(100 * (relevant / topic.T_rel))
            precision[level] = max(precision[level], relevant / size)
    return list(accumulate(reversed(precision), max))[::-1]


def counted_characters(topic: Topic, trim: bool) -> list[tuple[float, float]]:
    """After each item, the number of relevant characters retrieved, and of all characters retrieved: under -t
    (``trim``) or -f, with the quirks of both but for the floor.
    """
    counts = []
    again = dict(topic.computed_on_run(repeated_lengths)) if trim else {}
    unseen = topic.unseen()
    relevant = size = 0.0
    for rank, (document, start, end, no_passage) in enumerate(zip(*topic.ranking, topic.no_passage), 1):
        if document >= topic.Nrel:
            size += NO_PASSAGE if no_passage else end - start
        elif no_passage:
            size += 0 if trim else NO_PASSAGE
        else:
            size += end - start - again.get(rank, 0.0)
            ahead = bisect_right(topic.ends, start, topic.first[document], topic.first[document + 1])
            found = unseen.cut(ahead, start, end)
            relevant += sum(last - first for first, last in found)
        counts.append((relevant, size))
    return counts


def set_figures(topic: Topic) -> tuple[float, float, float]:
    """The figures ``char_prec``, ``char_rec`` and ``char_f1`` of -t. They have the quirks of
    :func:`counted_characters`, so content that is retrieved twice in a document without relevant passages counts twice.
    """
    relevant, size = next(reversed(topic.cached(counted_characters, True)), (0.0, 0.0))
    precision, recall = relevant / size if size else 0.0, relevant / topic.T_rel
    return precision, recall, 2 * precision * recall / (precision + recall) if relevant else 0.0


def relevant_in_context(topic: Topic, beta: float) -> DocumentRanking:
    """The ranking of documents under -r.

    Quirk: a document without a passage counts 18 characters.
    """
    without = np.array([document for document, no_passage in zip(topic.ranking.document, topic.no_passage)
                        if no_passage and document < topic.Nrel], np.intp)
    document, _, relevant = topic.retrieved_documents
    retrieved = topic.document_lengths.retrieved + NO_PASSAGE * np.bincount(without, minlength=topic.Nrel)[document]
    return rank_documents(topic, content_scores(retrieved, topic.document_lengths.common, relevant, beta).F)


def reading_score(parts: Iterable[Span], starts: list[float], ends: list[float], irr: float) -> float:
    """The share of what is read of a document that is relevant: its parts, one after the other, until ``irr``
    irrelevant content has been read. Relevant spans are disjoint and in order, and an infinite span closes them.
    """
    relevant = irrelevant = 0.0
    for left, right in parts:
        i = bisect_right(ends, left)
        while True:
            irrelevant += max(0.0, min(starts[i], right) - left)
            if reached(irrelevant, irr):
                return relevant / (relevant + irr)
            if starts[i] >= right:
                break
            relevant += min(ends[i], right) - max(starts[i], left)
            left = ends[i]
            i += 1
    return relevant / (relevant + irrelevant)


def reading_by_passages(topic: Topic, irr: float) -> DocumentRanking:
    """The ranking of documents under -i, scored by how much of what is read of them is relevant.

    Quirks: passages are read in order of their starts, then the gaps between them and the one up to the document's end;
    a gap before a passage that starts beyond that end is read up to the passage. A document without a passage is read
    from its start.
    """
    sizes, parts = topic.beside('doc_size'), dict[int, list[Span]]()
    for document, start, end, no_passage in zip(*topic.ranking, topic.no_passage):
        if document < topic.Nrel and not no_passage:
            parts.setdefault(document, []).append((start, end))
    scores = []
    for document in topic.retrieved_documents.document.tolist():
        passages, gaps, place = sorted(parts.get(document, []), key=itemgetter(0)), [], 0.0
        for start, end in passages:
            if start > place:
                gaps.append((place, start))
            place = end  # not the farthest: behind a zero length the passage before it is read again
        if place < sizes[document]:
            gaps.append((place, sizes[document]))
        spans = slice(topic.first[document], topic.first[document + 1])
        scores.append(reading_score(passages + gaps, topic.starts[spans], topic.ends[spans], irr))
    return rank_documents(topic, np.array(scores, float))


def document_count(topic: Topic) -> int:
    """The number of documents in the list."""
    return len(set(topic.ranking.document))


def gp_in_list(topic: Topic, ranking: DocumentRanking, rank: int) -> float:
    """The value of ``gP[rank]``. Quirk: beyond the end of the list it is the value at the end."""
    return gp_at(ranking, min(rank, topic.cached(document_count)))


def _level(topic: Topic, measure: Any) -> float:
    return topic.cached(interpolated_precision, measure['overlap'] == 'trim')[round(100 * measure['recall'])]


_LEVELS = Only(rule=lambda recall: round(100 * recall) / 100 == recall, words='0, 0.01, … 1')
_REL = {'rel': Only(1)}
_LIST = {'cutoff': NO_PARAMETER, **_REL}  # the program has no averages of cut lists
_F = {'score': Only('F'), **_REL}

FIGURES = figures_by_name(
    Figure(measures.iP, _level, {'recall': _LEVELS, **_LIST}, mode='-t'),
    Figure(measures.AiP, lambda t, m: sum(t.cached(interpolated_precision, m['overlap'] == 'trim')) / 101, _LIST,
           mode='-t'),
    Figure(measures.AgP, lambda t, m: average_gp(t.cached(relevant_in_context, m['beta'])),
           {'cutoff': NO_PARAMETER, **_F, 'recall': Only('docs'), 'scaled': Only(False)}, mode='-r', empty=nan),
    Figure(measures.gP, lambda t, m: gp_in_list(t, t.cached(relevant_in_context, m['beta']), m['cutoff']), _F,
           mode='-r'),
    Figure(measures.gR, lambda t, m: float((t.retrieved_documents.rank <= m['cutoff']).sum()) / t.Nrel,
           {'recall': Only('docs'), **_REL}, mode='-r', empty=nan),
    Figure(measures.AgP_bep, lambda t, m: average_gp(t.cached(entry_ranking, m['n'])), {'n': WHOLE, **_LIST},
           mode='-b', empty=nan),
    Figure(measures.gP_bep, lambda t, m: gp_in_list(t, t.cached(entry_ranking, m['n']), m['cutoff']),
           {'n': WHOLE, **_REL}, mode='-b'),
    Figure(measures.AgP_reading, lambda t, m: average_gp(t.cached(reading_by_passages, m['irr'])),
           {'irr': WHOLE, **_LIST}, mode='-i', empty=nan),
    Figure(measures.gP_reading, lambda t, m: gp_in_list(t, t.cached(reading_by_passages, m['irr']), m['cutoff']),
           {'irr': WHOLE, **_REL}, mode='-i'),
    Figure(measures.SegP, lambda t, m: t.cached(set_figures)[0], {**_LIST, 'budget': NO_PARAMETER}, mode='-t'),
    Figure(measures.SegR, lambda t, m: t.cached(set_figures)[1], {**_LIST, 'budget': NO_PARAMETER}, mode='-t',
           empty=nan),
    Figure(measures.SegF, lambda t, m: t.cached(set_figures)[2],
           {**_LIST, 'budget': NO_PARAMETER, 'beta': Only(1)}, mode='-t'),
)
