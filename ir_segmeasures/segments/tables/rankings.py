"""Rankings that belong to other queries, answer few of the judged ones, or are upside down."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.matching import Match

__all__ = ['no_content_warning', 'ranking_warnings']

_QUERIES = 5  # judged queries, from which on it is told that few of them are answered, or all by another's ranking
_FEW = 100  # answered queries, from which on a run may be meant to answer a part of a large collection
_LOOKED_AT = 12  # queries, whose rankings are held against the judgements of all others
_MORE = 3  # how many times as many judged documents a ranking has of another query; real ones have fewer than of their
_GRADES = 5  # different ones of judgements, mostly
_RANKED = 20  # items behind another of their query whose scores are ranks


def ranking_warnings(match: Match) -> Iterator[str | None]:
    """The warnings about which query a ranking is of, and about its order, in sentences."""
    yield _run_as_qrels(match)
    yield _few_answers(match)
    yield _other_queries(match)
    yield _ranks_as_scores(match)


def no_content_warning(match: Match) -> str | None:
    """The warning about a run without content in judged queries, for measures of content; None where it has some."""
    rows = match.query >= 0
    if not rows.any() or (match.run.end > match.run.start)[rows].any():
        return None
    row = int(np.argmax(rows))
    return (f'all {np.count_nonzero(rows)} items of the run in judged queries have no length, such as that at '
            f'{match.run.start[row]:.12g} of {quoted(match.run.document_ids[match.run.document[row]])}, so that '
            'measures of content find nothing in them: give the items an end after their start, or take measures of '
            'entry points, such as T2I_AP')


def _run_as_qrels(match: Match) -> str | None:
    """Many different grades beside a few different scores, which are whole numbers: each stands for the other."""
    scores, grades = set(match.run.value[:1000].tolist()), match.qrels.value
    if len(match.run) < _RANKED or len(scores) > _GRADES or any(score != int(score) for score in scores):
        return None
    scores, different = set(match.run.value.tolist()), len(set(grades.tolist()))
    if len(scores) > _GRADES or different < _RANKED or 2 * different < min(len(grades), 100):
        return None
    return (f'the judgements have {different} different grades, such as {grades[0]:.12g}, and the run has '
            f'{len(scores)} different scores, such as {match.run.value[0]:.12g}, so that the run and the qrels seem to '
            'be swapped: give each in the place of the other')


def _few_answers(match: Match) -> str | None:
    """Fewer than half of the judged queries in the run, and not many."""
    judged, answered = len(match.qrels.query_ids), len(match.blocks)
    if judged < _QUERIES or answered >= _FEW or not 0 < 2 * answered < judged:
        return None
    found = set(match.blocks)
    missing = next(id for query, id in enumerate(match.qrels.query_ids) if query not in found)
    return (f'the run has {answered} of the {judged} judged queries and none for {judged - answered}, such as '
            f'{quoted(missing)}, which count as 0 in every mean: give it the other queries, or leave their judgements '
            'out')


def _other_queries(match: Match) -> str | None:
    """Rankings that hold judged documents of the query so many places further, nearly all of them, and few of their
    own."""
    qrels, run, count = match.qrels, match.run, len(match.qrels.query_ids)
    queries = list(match.blocks)
    queries = queries[::max(1, len(queries) // _LOOKED_AT)][:_LOOKED_AT]
    if len(queries) < _QUERIES:
        return None
    relevant = qrels.value > 0
    document, query = qrels.document[relevant], qrels.query[relevant]
    hits = np.zeros((len(queries), count), np.intp)  # relevant segments of each query in documents of each ranking
    for place, number in enumerate(queries):
        low, high = match.blocks[number]
        found = np.zeros(len(qrels.document_ids) + 1, bool)
        found[match.document_places[run.document[low:high]]] = True
        found[-1] = False  # of documents that are not judged
        hits[place] = np.bincount(query[found[document]], minlength=count)
    rows = np.arange(len(queries))
    right = hits[rows, queries]
    if 2 * np.count_nonzero(hits.max(axis=1) > _MORE * right) < len(queries):  # nearly always
        return None
    in_order = sorted(range(count), key=qrels.query_ids.__getitem__)
    for order in (np.arange(count), np.array(in_order)):
        place_of = np.empty(count, np.intp)
        place_of[order] = np.arange(count)
        for step in range(1, count) if count <= 100 else (1, count - 1):
            others = order[(place_of[queries] + step) % count]
            theirs = hits[rows, others]
            if theirs.sum() < _MORE * max(1, right.sum()) or np.count_nonzero(theirs > right) < max(
                    _QUERIES, 0.8 * len(queries)):
                continue
            first = int(np.argmax(theirs - right))
            return (f'the rankings seem to be of other queries: that of {quoted(qrels.query_ids[queries[first]])} has '
                    f'documents with {right[first]} of its relevant segments and with {theirs[first]} of '
                    f'{quoted(qrels.query_ids[int(others[first])])}, and so in {np.count_nonzero(theirs > right)} of '
                    f'{len(queries)} queries that were looked at: give each its query')
    return None


def _ranks_as_scores(match: Match) -> str | None:
    """Scores that count from 1 (or 0) in the order of the input, so that the first item of each query is the last."""
    run = match.run
    within = run.query[1:] == run.query[:-1]
    if np.count_nonzero(within) < _RANKED or (run.value[1:] - run.value[:-1] != -1)[within].any() or (
            run.row[1:] > run.row[:-1])[within].any():
        return None
    last = np.append(~within, True)
    first = run.value[last][0]
    if not (run.value[last] == first).all() or first not in (0, 1):
        return None
    return (f'the scores of all {len(run)} items of the run count up from {first:.12g} in the order of the rows, such '
            f'as {run.value[0]:.12g} for the last of query {quoted(run.query_ids[run.query[0]])}, as ranks '
            'do, but the highest score is the best: give the scores, or minus the rank')
