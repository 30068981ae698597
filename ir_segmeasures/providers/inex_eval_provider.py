"""The numbers of inex_eval 3.1 (November 2010), the official program of INEX' ad hoc track, for one topic that has
relevant documents, its quirks included.

``precision_by_levels`` has the figures of focused (-f) and thorough (-t), ``relevant_in_context`` the ranking of
documents of relevant in context (-r), ``reading_by_passages`` that of reading effort (-i). Best in context (-b) scores
documents as the definition does. Positions are whole numbers; runs that the program rejects are rejected by the caller.

Where the program differs from the measures' definitions, a docstring says *quirk*.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import nan
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from ir_measures import Evaluator, providers

from ir_segmeasures import measures
from ir_segmeasures.evaluation.axis import at_place, running, share, sums
from ir_segmeasures.measures.agp import content_scores, lengths_in_documents, visiting
from ir_segmeasures.measures.documents import near_entries
from ir_segmeasures.measures.parameters import Only
from ir_segmeasures.measures.walks import check_no_passage, repeated_content, unread_content
from ir_segmeasures.providers.base import NO_PARAMETER, WHOLE, Figure, ToolProvider
from ir_segmeasures.segments.basics import Floats, Ints

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis

Span = tuple[int, int]
NO_PASSAGE = 18  # characters that a document without a passage counts for


def counted_characters(run: RunOnAxis, trim: bool) -> tuple[Ints, Ints]:
    """How many relevant characters each item adds to those retrieved, and how many characters in all, in ticks; under
    -t (``trim``), which cuts content retrieved before out of an item, or -f, for runs without overlap.

    Quirks: text is cut only in relevant documents, in others every item counts in full; a document without a passage
    counts 18 characters, but for a relevant one under -t.
    """
    length, in_relevant = run.end - run.start, run.relevant[run.stretch] > 0
    size = length - (run.cached(repeated_content) * in_relevant if trim else 0)
    size = np.where(run.cached(check_no_passage), NO_PASSAGE * run.scale * ~(in_relevant & trim), size)
    return run.cached(unread_content)[1], size


def precision_by_levels(run: RunOnAxis, trim: bool) -> Floats:
    """The values ``iP[0.00]``, ``iP[0.01]`` … ``iP[1.00]`` of each query, a row for each.

    Quirk: recall is floored to hundredths in doubles, so that 29 of 100 characters are only 0.28.
    """
    relevant, size = (running(column, run.query) for column in run.cached(counted_characters, trim))
    found = np.flatnonzero(relevant)
    query, relevant = run.query[found], relevant[found]
    level = np.floor(100 * (relevant / run.T_rel[query])).astype(np.int64)
    precision = np.zeros((run.queries, 101))
    np.maximum.at(precision, (query, level), relevant / size[found])
    return np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]


def set_figures(run: RunOnAxis) -> dict[str, Floats]:
    """The figures ``char_prec``, ``char_rec`` and ``char_f1`` of -t. They have the quirks of
    :func:`counted_characters`, so content that is retrieved twice in a document without relevant passages counts twice.
    """
    relevant, size = (sums(column, run.query, run.queries) for column in run.cached(counted_characters, True))
    return content_scores(size, relevant, run.T_rel, 1)


def relevant_in_context(run: RunOnAxis, beta: float) -> dict[str, Floats]:
    """The scores of documents under -r.

    Quirk: a document without a passage counts 18 characters.
    """
    length, common = run.cached(lengths_in_documents)
    without = np.bincount(run.stretch[run.cached(check_no_passage)], minlength=len(length))
    return {'score': content_scores(length + NO_PASSAGE * run.scale * without, common, run.relevant, beta)['F']}


def reading_score(parts: Iterable[Span], spans: list[Span], irr: int) -> float:
    """The share of what is read of a document that is relevant: its parts, one after the other, until ``irr``
    irrelevant content has been read. Relevant spans are disjoint and in order."""
    relevant = irrelevant = 0
    for left, right in parts:
        for start, end in [*spans, (right, right)]:
            if end <= left and end < right:
                continue
            irrelevant += max(0, min(start, right) - left)
            if irrelevant >= irr:
                return relevant / (relevant + irr)
            if start >= right:
                break
            relevant += min(end, right) - max(start, left)
            left = max(left, end)
    return relevant / (relevant + irrelevant) if relevant else 0.


def reading_by_passages(run: RunOnAxis, irr: float) -> dict[str, Floats]:
    """The scores of documents under -i: how much of what is read of them is relevant.

    Quirks: passages are read in order of their starts, then the gaps between them and the one up to the document's end;
    a gap before a passage that starts beyond that end is read up to the passage. A document without a passage is read
    from its start.
    """
    parts, spans = dict[int, list[Span]](), dict[int, list[Span]]()
    read = np.flatnonzero(~run.cached(check_no_passage))
    for listed, stretch, start, end in ((parts, run.stretch[read], run.start[read], run.end[read]),
                                        (spans, run.stretch_at(run.spans.start), *run.spans[:2])):
        for document, left, right in zip(stretch.tolist(), start.tolist(), end.tolist()):
            listed.setdefault(document, []).append((left, right))
    scores = np.zeros(len(run.base) - 1)
    for document in set(run.stretch.tolist()):
        passages, gaps = sorted(parts.get(document, []), key=itemgetter(0)), list[Span]()
        place, last = int(run.base[document]), int(run.documents.end[document])
        for left, right in passages:
            if left > place:
                gaps.append((place, left))
            place = right  # not the farthest: behind a zero length the passage before it is read again
        if place < last:
            gaps.append((place, last))
        scores[document] = reading_score(passages + gaps, spans.get(document, []), run.ticks(irr))
    return {'score': scores}


def average_gp(run: RunOnAxis, *scoring: Any) -> Floats:
    """The average of gP over the relevant documents."""
    walk = run.cached(visiting, 'docs', *scoring)
    return at_place(walk.beside['gain'] * walk.beside['gP'], walk.query, run.queries)


def gp_in_list(run: RunOnAxis, rank: int, *scoring: Any) -> Floats:
    """The value of ``gP[rank]``. Quirk: beyond the end of the list it is the value at the end."""
    walk = run.cached(visiting, 'docs', *scoring)
    walk = walk.where(walk.cost <= rank)
    documents = np.zeros(run.queries, np.int64)
    known = run.match.query >= 0
    np.maximum.at(documents, run.match.query[known], run.match.document_rank[known])
    return share(at_place(walk.beside['score'], walk.query, run.queries), np.minimum(rank, documents))


def _precisions(run: RunOnAxis, measure: Any) -> Floats:
    return run.cached(precision_by_levels, measure['overlap'] == 'trim')


def _of_set(run: RunOnAxis, measure: Any) -> Floats:
    return run.cached(set_figures)[measure.NAME.removeprefix('Seg')]


_LEVELS = Only(rule=lambda recall: round(100 * recall) / 100 == recall, words='0, 0.01, … 1')
_REL = {'rel': Only(1)}
_LIST = {'cutoff': NO_PARAMETER, **_REL}  # the program has no averages of cut lists
_SET = {**_LIST, 'budget': NO_PARAMETER}
_F = {'score': Only('F'), **_REL}
_DOCS = {'recall': Only('docs')}


class InexEvalProvider(ToolProvider):
    """inex_eval 3.1 (November 2010), the official program of INEX' ad hoc track 2009-10: ``MAgP(tool='inex_eval')`` in
    any pipeline, or all measures of a call with ``--provider inex_eval`` and
    ``ir_segmeasures.inex_eval.calc_aggregate(…)``.

    Its modes are ``AiP`` and ``iP`` (thorough, -t), the same with ``overlap='error'`` (focused, -f), ``MAgP``, ``gP``
    and ``gR`` (relevant in context, -r), ``AgP_bep`` and ``gP_bep`` (best in context, -b), ``AgP_reading`` and
    ``gP_reading`` (-i). ``SegP``, ``SegR`` and ``SegF`` are its char_prec, char_rec and char_f1 (of -t); its art_prec,
    art_rec and art_f1 are ir-measures' ``SetP``, ``SetR`` and ``SetF`` of the documents
    (:func:`~ir_segmeasures.to_documents`). Parameters mean what they always mean: the figures that INEX published are
    ``MAgP(beta=0.25)``.

    Its numbers differ from the definitions in known ways, all kept:

    - recall is floored to hundredths in double precision, so that 29 of 100 characters count as 0.28 (iP, AiP);
    - overlap is cut only in relevant documents (-t), so that SegP counts what others repeat each time;
    - a document without a passage counts 18 characters (-f, -r, and -t outside relevant documents);
    - gP beyond the end of the list is its value at the end;
    - a passage that starts beyond the document's end makes it read on from the end up to the passage, as irrelevant;
      behind a passage of length 0 that stands at the start of a longer one, the longer one is read again (-i);
    - a document without a passage is read from its start (-i);
    - MAgP, gR and SegR of a topic without relevant documents are NaN if the run answers the topic, and so is the mean
      then;
    - it rejects runs: for overlap and for a passage of length 0 inside another (-f, -r, -i), for interleaved documents
      (-r, -i, -b) and for a second item of a document (-b). That is an error here, which names the row;
    - it averages over the topics that a run answers, unless it is given -c. The values of the topics are those of the
      program; the mean, as everywhere in ir-measures, is over all judged topics.

    It knows whole numbers: positions with fractions are an error.
    """
    NAME = 'inex_eval'
    figures = (
        Figure(measures.iP, lambda run, m: _precisions(run, m)[:, round(100 * m['recall'])],
               {'recall': _LEVELS, **_LIST}, '-t'),
        Figure(measures.AiP, lambda run, m: _precisions(run, m).sum(axis=1) / 101, _LIST, '-t'),
        Figure(measures.AgP, lambda run, m: average_gp(run, relevant_in_context, m['beta']),
               {'cutoff': NO_PARAMETER, **_F, **_DOCS, 'scaled': Only(False)}, '-r', nan),
        Figure(measures.gP, lambda run, m: gp_in_list(run, m['cutoff'], relevant_in_context, m['beta']), _F, '-r'),
        Figure(measures.gR, lambda run, m: m.values(run), {**_DOCS, **_REL}, '-r', nan),
        Figure(measures.AgP_bep, lambda run, m: m.values(run), {'n': WHOLE, **_LIST}, '-b', nan),
        Figure(measures.gP_bep, lambda run, m: gp_in_list(run, m['cutoff'], near_entries, m['n']),
               {'n': WHOLE, **_REL}, '-b'),
        Figure(measures.AgP_reading, lambda run, m: average_gp(run, reading_by_passages, m['irr']),
               {'irr': WHOLE, **_LIST}, '-i', nan),
        Figure(measures.gP_reading, lambda run, m: gp_in_list(run, m['cutoff'], reading_by_passages, m['irr']),
               {'irr': WHOLE, **_REL}, '-i'),
        Figure(measures.SegP, _of_set, _SET, '-t'),
        Figure(measures.SegR, _of_set, _SET, '-t', nan),
        Figure(measures.SegF, _of_set, {**_SET, 'beta': Only(1)}, '-t'))

    def _evaluator_of(self, measures: list[Any], qrels: Any) -> Evaluator:
        from ir_segmeasures.providers.evaluators import InexEvalEvaluator  # imported when it is needed
        return InexEvalEvaluator(measures, qrels, self._value, self.FIGURES)


inex_eval = providers.register(InexEvalProvider())
