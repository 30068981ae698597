"""Rankings that belong to other queries, answer few of the judged ones, or are upside down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import range_pairs
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
from ir_segmeasures.segments.tables.table import SegmentTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ['no_content_warning', 'other_queries_warning', 'ranking_warnings']

_QUERIES = 5  # judged queries, from which on it is told that few of them are answered
_FEW = 100  # answered queries, from which on a run may be meant to answer a part of a large collection
_SAMPLE = 60  # queries, whose first items are looked at
_FIRST = 5  # items of a ranking, of which one is relevant, mostly
_ITEMS = 50  # of the other rankings, which are held against the judgements of all queries
_MORE = 2  # how many times as many of them are relevant for another query as for any third one
_LEAST = 3  # of them that are relevant for another query
_PART = 4  # of how many rankings that find nothing one is of another query
_GRADES = 5  # different ones of judgements, mostly
_EMPTY = 2.5  # of how many items one has no length, where more than a few of a system are entry points
_RANKED = 20  # items behind another of their query whose scores are ranks, or rise
_EIGHT = 8  # items of one query that show as much
_RELEVANT = 1e-9  # the least relevance that is more than 0
_DEVIATIONS = 3  # by which more items at the end of the rankings are relevant than at their beginning


def ranking_warnings(match: Match) -> Iterator[str | None]:
    """The warnings about how many queries have rankings, and about the order of these, in sentences."""
    yield _run_as_qrels(match)
    yield _few_answers(match)
    yield _ranks_as_scores(match) or _upside_down(match)


def no_content_warning(match: Match) -> str | None:
    """The warning about a run with little content in judged queries, for measures of content; None where it has more.
    """
    rows = match.query >= 0
    empty = rows & (match.run.end == match.run.start)
    total, count = np.count_nonzero(rows), np.count_nonzero(empty)
    if not count or count * _EMPTY < total:
        return None
    row = int(np.argmax(empty))
    share = f'all {total}' if count == total else f'{count} of the {total}'
    return (f'{share} items of the run in judged queries have no length, such as that at '
            f'{match.run.start[row]:.12g} of {quoted(match.run.document_ids[match.run.document[row]])}, so that '
            'measures of content find nothing in them: give the items an end after their start, or take measures of '
            'entry points, such as T2I_AP')


def _run_as_qrels(match: Match) -> str | None:
    """Many different grades beside a few different scores, which are whole numbers: each stands for the other."""
    if len(match.run) < _RANKED or len(set(match.run.value[:_RANKED].tolist())) > _GRADES:
        return None
    scores, grades = set(match.run.value.tolist()), match.qrels.value
    if len(scores) > _GRADES or any(score != int(score) for score in scores):
        return None
    different = len(set(grades.tolist()))
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


class _ByDocument(NamedTuple):
    """The relevant segments of all queries, document by document.

    Attributes:
        rows: in the qrels
        bounds: where those of each document begin in ``rows``, and where those of the last one end
    """
    rows: NDArray[np.intp]
    bounds: NDArray[np.intp]


def _by_document(index: QrelsIndex) -> _ByDocument:
    qrels = index.qrels
    rows = np.flatnonzero(qrels.value >= _RELEVANT)
    rows = rows[np.argsort(qrels.document[rows], kind='stable')]
    return _ByDocument(rows, np.searchsorted(qrels.document[rows], np.arange(len(qrels.document_ids) + 1)))


def other_queries_warning(match: Match) -> str | None:
    """The warning about rankings without a relevant segment of their query at the beginning, which have many of one
    other query; None where there is no doubt."""
    ids = match.qrels.query_ids
    queries = list(match.blocks)
    queries = queries[::max(1, len(queries) // _SAMPLE)][:_SAMPLE]
    if len(queries) < 2:
        return None
    bounds = np.array([match.blocks[number] for number in queries])
    places = bounds[:, :1] + np.arange(_FIRST)
    inside = places < bounds[:, 1:]
    inside[inside] = match.meeting(places[inside], least=_RELEVANT)
    without = np.flatnonzero(~inside.any(axis=1))
    if len(without) < 2:
        return None
    numbers, count = np.array(queries)[without], _met(match, bounds[without])
    best, right = np.argmax(count, axis=1), count[np.arange(len(without)), numbers]
    ordered = np.sort(count, axis=1)
    most = ordered[:, -1]
    is_moved = most > _MORE * right
    moved = dict(zip(numbers[is_moved].tolist(), best[is_moved].tolist()))
    clear = np.flatnonzero(is_moved & (most >= np.maximum(_LEAST, _MORE * ordered[:, -2])))
    # They are of one another, or so are many of the rankings that find nothing.
    chains = [moved[other] == number for number, other in zip(numbers[clear].tolist(), best[clear].tolist())
              if other in moved]
    others = len(set(best[clear].tolist()))
    if 3 * others < 2 * len(clear) or (len(chains) < 2 and not any(chains) and not (
            len(clear) >= _LEAST and _PART * others > len(without))):
        return None
    place = int(clear[np.argmax(most[clear])])
    return (f'the rankings of {len(moved)} of the {len(queries)} queries that were looked at seem to be of other '
            f'queries: of the first {_ITEMS} items for {quoted(ids[numbers[place]])}, {right[place]} meet its relevant '
            f'segments and {most[place]} those of {quoted(ids[best[place]])}: give each its query')


def _met(match: Match, bounds: NDArray[np.intp]) -> NDArray[np.intp]:
    """How many of the first items of rankings, which begin and end there, meet a relevant segment of each query."""
    (rows, first), qrels, run = match.index.cached(_by_document), match.qrels, match.run
    low, high = bounds.T
    _, item = range_pairs(low, np.minimum(high - low, _ITEMS))
    item = item.astype(np.intp)
    known = match.document[item] >= 0
    item = item[known]
    document = match.document[item]
    place, judged = range_pairs(first[document], first[document + 1] - first[document])
    item, judged = item[place], rows[judged.astype(np.intp)]
    meet = np.flatnonzero((run.start[item] < qrels.end[judged]) & (qrels.start[judged] < run.end[item]))
    queries = len(qrels.query_ids)
    pair = np.sort(item[meet] * queries + qrels.query[judged[meet]])
    pair = pair[np.diff(pair, prepend=-1) > 0]  # an item may meet several segments of a query
    ranking = np.searchsorted(low, pair // queries, 'right') - 1
    return np.bincount(ranking * queries + pair % queries, minlength=len(low) * queries).reshape(len(low), queries)


def _ranks_as_scores(match: Match) -> str | None:
    """Scores that count from 1 (or 0) in the order of the input, so that the first item of a query is the last."""
    run = match.run
    low, high, same = _blocks(run)
    least = run.value[high - 1]
    count = high - low
    may_be = (count > 1) & (run.value[low] - least == count - 1) & ((least == 0) | (least == 1))
    if not may_be.any():
        return None
    with np.errstate(invalid='ignore'):  # of infinite scores, elsewhere
        steps = same & (np.diff(run.value) == -1) & (np.diff(run.row) < 0)
    may_be &= np.add.reduceat(np.append(steps, False), low, dtype=np.intp) == count - 1
    counted = [(low[place], high[place]) for place in np.flatnonzero(may_be).tolist()]
    if not _enough(counted, len(low)):
        return None
    begin, end = counted[0]
    items = int(sum(end - begin for begin, end in counted))
    return (f'the scores of {"all" if items == len(run) else f"{items} of the"} {len(run)} items of the run count up '
            f'from {run.value[end - 1]:.12g} in the order of the rows, such as {run.value[begin]:.12g} for the last of '
            f'query {quoted(run.query_ids[run.query[begin]])}, as ranks do, but the highest score is the best: give '
            'the scores, or minus the rank')


def _blocks(run: SegmentTable) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Where the rows of each query of a run begin and end, and whether each row but the last is in that of the next."""
    same = run.query[1:] == run.query[:-1]
    ends = np.flatnonzero(~same) + 1
    return np.concatenate([[0], ends]), np.concatenate([ends, [len(run)]]), same


def _enough(blocks: Sequence[tuple[int, int]], queries: int) -> bool:
    """Whether the rankings of some of so many queries are long enough to show that they are not so by chance."""
    return any(high - low >= _EIGHT for low, high in blocks) or (
        2 * len(blocks) > queries and sum(high - low - 1 for low, high in blocks) >= _RANKED)


def _upside_down(match: Match) -> str | None:
    """Scores that rise in the order of the input, as distances do, where the lowest have most of what is relevant."""
    run = match.run
    low, high, same = _blocks(run)
    later = run.row[1:] > run.row[:-1]
    # Within a query, no row stands behind one with a better score.
    orderly = np.add.reduceat(np.append(later & same, False), low) == 0
    rising = np.flatnonzero(orderly & (run.value[low] > run.value[high - 1]))
    if not len(rising) or not _enough([(low[place], high[place]) for place in rising.tolist()], len(low)):
        return None
    rows = np.repeat(orderly, high - low) & (match.key >= 0) & np.isfinite(run.end)
    rows[rows] = match.meeting(np.flatnonzero(rows), least=_RELEVANT)
    last = np.arange(len(run)) * 2 >= np.repeat(low + high, high - low)
    best, worst = np.count_nonzero(rows & ~last), np.count_nonzero(rows & last)
    if worst < _MORE * best or worst - best < _DEVIATIONS * np.sqrt(best + worst):
        return None
    begin, end = int(low[rising[0]]), int(high[rising[0]]) - 1
    return (f'the scores of {len(rising)} of the {len(low)} queries of the run rise in the order of the rows, such as '
            f'from {run.value[end]:.12g} to {run.value[begin]:.12g} in {quoted(run.query_ids[run.query[begin]])}, '
            f'and {worst} items with low scores meet a relevant segment, but {best} with high ones, as if they were '
            'distances, but the highest score is the best: give minus the distance')
