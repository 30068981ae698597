"""The numbers of inex_eval 3.1 (November 2010), the official program of INEX' ad hoc track, for one topic that has
relevant documents, its quirks included.

``interpolated_precision`` has those of focused (-f) and thorough (-t), ``in_context`` the documents of relevant in
context (-r), ``by_passages`` those of reading effort (-i). Best in context (-b) scores documents as the definition
does. Positions are whole numbers, and what the program rejects is the caller's matter.

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
from ir_segmeasures.measures.agp import Recalled, average, document_score, generalised, precision_at
from ir_segmeasures.measures.aip import repeated
from ir_segmeasures.measures.base import Only, reached
from ir_segmeasures.measures.inex import by_entry
from ir_segmeasures.providers.base import NOT_THERE, WHOLE, Figure, by_name

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic

__all__ = ['FIGURES', 'in_context', 'interpolated_precision']

Span = tuple[float, float]
NO_PASSAGE = 18  # characters that a document without a passage counts for


def interpolated_precision(topic: Topic, trim: bool) -> list[float]:
    """``iP[0.00]``, ``iP[0.01]`` … ``iP[1.00]``; with ``trim`` of -t, which cuts out of an item what was retrieved
    before, else of -f, for runs without overlap.

    Quirks: recall is floored to hundredths in doubles, so that 29 of 100 characters are only 0.28; text is cut only in
    relevant documents, in others every item counts in full; a document without a passage counts 18 characters, but for
    a relevant one under -t.
    """
    precision = [0.0] * 101
    for relevant, size in topic.once(characters, trim):
        if relevant:
            level = floor(100 * (relevant / topic.T_rel))
            precision[level] = max(precision[level], relevant / size)
    return list(accumulate(reversed(precision), max))[::-1]


def characters(topic: Topic, trim: bool) -> list[tuple[float, float]]:
    """After each item, how many characters were retrieved that are relevant, and how many in all: under -t (``trim``)
    or -f, with the quirks of both but for the floor.
    """
    counts = []
    again = dict(topic.of_run(repeated)) if trim else {}
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


def in_all(topic: Topic) -> tuple[float, float, float]:
    """``char_prec``, ``char_rec`` and ``char_f1`` of -t. Quirks: of :func:`characters`, so what is retrieved twice in a
    document without relevant passages counts twice.
    """
    relevant, size = next(reversed(topic.once(characters, True)), (0.0, 0.0))
    precision, recall = relevant / size if size else 0.0, relevant / topic.T_rel
    return precision, recall, 2 * precision * recall / (precision + recall) if relevant else 0.0


def in_context(topic: Topic, beta: float) -> Recalled:
    """The ranking of documents under -r.

    Quirk: a document without a passage counts 18 characters.
    """
    without = np.array([document for document, no_passage in zip(topic.ranking.document, topic.no_passage)
                        if no_passage and document < topic.Nrel], np.intp)
    document, _, relevant = topic.in_context
    retrieved = topic.parts.retrieved + NO_PASSAGE * np.bincount(without, minlength=topic.Nrel)[document]
    return generalised(topic, document_score(retrieved, topic.parts.common, relevant, 'F', beta))


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


def by_passages(topic: Topic, irr: float) -> Recalled:
    """The ranking of documents under -i, by what is read of them.

    Quirks: passages are read in order of their starts, then the gaps between them and the one up to the document's end;
    a gap before a passage that starts beyond that end is read up to the passage. A document without a passage is read
    from its start.
    """
    sizes, parts = topic.beside('doc_size'), dict[int, list[Span]]()
    for document, start, end, no_passage in zip(*topic.ranking, topic.no_passage):
        if document < topic.Nrel and not no_passage:
            parts.setdefault(document, []).append((start, end))
    scores = []
    for document in topic.in_context.document.tolist():
        passages, gaps, place = sorted(parts.get(document, []), key=itemgetter(0)), [], 0.0
        for start, end in passages:
            if start > place:
                gaps.append((place, start))
            place = end  # not the farthest: behind a zero length the passage before it is read again
        if place < sizes[document]:
            gaps.append((place, sizes[document]))
        spans = slice(topic.first[document], topic.first[document + 1])
        scores.append(reading_score(passages + gaps, topic.starts[spans], topic.ends[spans], irr))
    return generalised(topic, np.array(scores, float))


def documents(topic: Topic) -> int:
    """How many documents the list has."""
    return len(set(topic.ranking.document))


def precision_in_list(topic: Topic, recalled: Recalled, rank: int) -> float:
    """``gP[rank]``. Quirk: beyond the end of the list it is the value at the end."""
    return precision_at(recalled, min(rank, topic.once(documents)))


def _level(topic: Topic, measure: Any) -> float:
    return topic.once(interpolated_precision, measure['overlap'] == 'trim')[round(100 * measure['recall'])]


_LEVELS = Only(rule=lambda recall: round(100 * recall) / 100 == recall, words='0, 0.01, … 1')
_REL = {'rel': Only(1)}
_LIST = {'cutoff': NOT_THERE, **_REL}  # the program has no averages of cut lists
_F = {'score': Only('F'), **_REL}

FIGURES = by_name(
    Figure(measures.iP, _level, {'recall': _LEVELS, **_LIST}, mode='-t'),
    Figure(measures.AiP, lambda t, m: sum(t.once(interpolated_precision, m['overlap'] == 'trim')) / 101, _LIST,
           mode='-t'),
    Figure(measures.AgP, lambda t, m: average(t.once(in_context, m['beta'])),
           {'cutoff': NOT_THERE, **_F, 'recall': Only('docs'), 'scaled': Only(False)}, mode='-r', empty=nan),
    Figure(measures.gP, lambda t, m: precision_in_list(t, t.once(in_context, m['beta']), m['cutoff']), _F, mode='-r'),
    Figure(measures.gR, lambda t, m: float((t.in_context.rank <= m['cutoff']).sum()) / t.Nrel,
           {'recall': Only('docs'), **_REL}, mode='-r'),
    Figure(measures.AgP_bep, lambda t, m: average(t.once(by_entry, m['n'])), {'n': WHOLE, **_LIST},
           mode='-b', empty=nan),
    Figure(measures.gP_bep, lambda t, m: precision_in_list(t, t.once(by_entry, m['n']), m['cutoff']),
           {'n': WHOLE, **_REL}, mode='-b'),
    Figure(measures.AgP_reading, lambda t, m: average(t.once(by_passages, m['irr'])), {'irr': WHOLE, **_LIST},
           mode='-i', empty=nan),
    Figure(measures.gP_reading, lambda t, m: precision_in_list(t, t.once(by_passages, m['irr']), m['cutoff']),
           {'irr': WHOLE, **_REL}, mode='-i'),
    Figure(measures.SegP, lambda t, m: t.once(in_all)[0], {**_LIST, 'budget': NOT_THERE}, mode='-t'),
    Figure(measures.SegR, lambda t, m: t.once(in_all)[1], {**_LIST, 'budget': NOT_THERE}, mode='-t'),
    Figure(measures.SegF, lambda t, m: t.once(in_all)[2], {**_LIST, 'budget': NOT_THERE, 'beta': Only(1)}, mode='-t'),
)
