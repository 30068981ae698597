"""Rankings that belong to other queries, answer few of the judged ones, or are upside down."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Bools, Ints
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import range_pairs
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex, document_key

__all__ = ['no_content_warning', 'other_queries_warning', 'ranking_warnings']

_QUERIES = 5  # judged queries, from which on it is told that few of them are answered
_SAMPLE = 60  # rankings, which show how many items of one meet what another asks for
_FIRST = 5  # items of a ranking, of which one is relevant, mostly
_LOST = 200  # rankings that find nothing at their beginning, of which no more are looked at
_DIFFERENT = 0.8  # of the other queries that rankings seem to be of, as each query has one ranking
_ITEMS = 50  # of the other rankings, which are held against the judgements of all queries
_MORE = 2  # how many times as many of them are relevant for another query as for any third one
_LEAST = 3  # of them that are relevant for another query
_STRONG = 10  # of them that show as much where two rankings have so many: of real rankings that find nothing, one has
_CLEAR = 6  # rankings that are clearly of six other queries: those of a bad system are mostly of one or two
_PART = 4  # of how many rankings that find nothing one is of another query
_GRADES = 5  # different ones of judgements, mostly
_EMPTY = 10  # of how many items one has no length: in real runs one of 30
_RANKED = 20  # items behind another of their query whose scores are ranks, or rise
_EIGHT = 8  # items of one query that show as much
_RELEVANT = 1e-9  # the least relevance that is more than 0
_TIES = 20  # of how many neighbours two have one score, where scores differ
_SORTED = 10  # different documents in the order of their names, which no system gives by chance
# By which more rankings have what is relevant at their end than at their beginning: scores that rise, and others
# (all of eight).
_DEVIATIONS, _DEVIATIONS_UNSORTED = 2, 2.8


def ranking_warnings(match: Match) -> Iterator[str | None]:
    """The warnings about how many queries have rankings, and about the order of these, in sentences."""
    yield _run_as_qrels(match)
    yield _few_answers(match)
    yield _ranks_as_scores(match) or _upside_down(match) or _lost_scores(match) or _sorted_by_name(match)


def no_content_warning(match: Match) -> str | None:
    """The warning about a run with little content in judged queries, for measures of content; None where it has more.
    """
    is_empty = match.run.end == match.run.start
    if 'no_passage' in match.run.extra:  # documents, which are right without
        is_empty &= match.run.extra['no_passage'] == 0
    if not is_empty.any():
        return None
    for rows, what in ((match.query >= 0, 'queries'), (match.key >= 0, 'documents')):
        empty = rows & is_empty
        total, count = np.count_nonzero(rows), np.count_nonzero(empty)
        if not count or count * _EMPTY < total:
            continue
        row = int(np.argmax(empty))
        share = f'all {total}' if count == total else f'{count} of the {total}'
        return (f'{share} items of the run in judged {what} have no length, such as that at '
                f'{match.run.start[row]:.12g} of {quoted(match.run.document_ids[match.run.document[row]])}, so that '
                'measures of content find nothing in them: give the items an end after their start, or take measures '
                'of entry points, such as T2I_AP')
    return None


def _run_as_qrels(match: Match) -> str | None:
    """Many different grades that never rise in the rows of a query, as scores do, beside a few scores that are whole
    numbers, as grades are: each stands for the other."""
    qrels, run = match.qrels, match.run
    if len(run) < _RANKED or len(set(run.value[:_RANKED].tolist())) > _GRADES:
        return None
    scores = set(run.value.tolist())
    if len(scores) > _GRADES or any(score != int(score) for score in scores):
        return None
    different = len(set(qrels.value.tolist()))
    order = np.lexsort((qrels.row, qrels.query))
    steps = np.diff(qrels.value[order])[np.diff(qrels.query[order]) == 0]
    if different < _RANKED or 2 * different < min(len(qrels), 100) or np.count_nonzero(steps) < _RANKED or (
            steps > 0).any():
        return None
    return (f'the judgements have {different} different grades, such as {qrels.value[0]:.12g}, and the run has '
            f'{len(scores)} different scores, such as {run.value[0]:.12g}, so that the run and the qrels seem to '
            'be swapped: give each in the place of the other')


def _few_answers(match: Match) -> str | None:
    """Fewer than half of the judged queries in the run."""
    judged, answered = len(match.qrels.query_ids), len(match.rankings[0])
    if judged < _QUERIES or not 0 < 2 * answered < judged:
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
        keys: the documents that are relevant for a query, as ``Match.key`` has them, ascending
    """
    rows: Ints
    bounds: Ints
    keys: Ints


def _by_document(index: QrelsIndex) -> _ByDocument:
    qrels = index.qrels
    rows = np.flatnonzero(qrels.value >= _RELEVANT)
    # A stable sort of short integers is a radix sort.
    rows = rows[np.argsort(qrels.document[rows].astype(np.min_scalar_type(len(qrels.document_ids))), kind='stable')]
    return _ByDocument(rows, np.searchsorted(qrels.document[rows], np.arange(len(qrels.document_ids) + 1)),
                       np.sort(document_key(qrels, qrels.query[rows], qrels.document[rows])))


def other_queries_warning(match: Match) -> str | None:
    """The warning about rankings without a relevant segment of their query at the beginning, which have many of one
    other query; None where there is no doubt."""
    queries, bounds = match.rankings
    if len(queries) < 2:
        return None
    if len(queries) <= _SAMPLE:
        first = _first(bounds)
        lost = np.flatnonzero(~match.meeting(first.ravel(), least=_RELEVANT).reshape(first.shape).any(axis=1))
    else:  # those without a relevant document, as others may only be badly placed in it
        lost = np.flatnonzero(~_in_relevant_documents(match, bounds[:, 0]))
        lost = lost[~_in_relevant_documents(match, _first(bounds[lost])).any(axis=1)]
    if len(lost) < 2:
        return None
    not_looked_at = queries[lost[_LOST:]]
    lost, finds = lost[:_LOST], np.ones(len(queries), bool)
    finds[lost] = False
    looked = np.concatenate([lost, np.flatnonzero(finds)[:max(0, _SAMPLE - len(lost))]])
    numbers = queries[looked]
    count, column = _met(match, bounds[looked], numbers)
    if not count.shape[1]:
        return None
    rows = np.arange(len(looked))
    right = count[rows, np.searchsorted(column, numbers)]
    count[rows, np.searchsorted(column, numbers)] = 0
    best = np.argmax(count, axis=1)
    most = count[rows, best]
    count[rows, best] = 0
    second, best = count.max(axis=1), column[best]
    is_moved = (most > _MORE * right) & (rows < len(lost))
    # Rankings of which each has the query of another: no third query is met by as many items of any ranking.
    sure = is_moved & (most > max(1, second.max()))
    clear = np.flatnonzero(np.isin(numbers, _in_cycles(dict(zip(numbers[sure].tolist(), best[sure].tolist())))))
    # Two of many rankings that find nothing may be so by chance, but not with many items in each other's place.
    if len(clear) * max(_PART, len(queries) / len(lost)) <= len(lost):
        clear = np.flatnonzero(is_moved & (most >= np.maximum(_STRONG, _MORE * second))
                               & np.isin(best, numbers[is_moved]))
    moved = len(clear)
    if moved < 2:
        clear = np.flatnonzero(is_moved & (most >= np.maximum(_LEAST, _MORE * second)))
        others, moved = set(best[clear].tolist()), int(np.count_nonzero(is_moved))
        enough = len(clear) >= _CLEAR or (len(clear) >= _LEAST and _PART * len(others) > len(lost))
        in_others_place = {*numbers[is_moved].tolist(), *not_looked_at.tolist()}
        if not enough or len(others) < _DIFFERENT * len(clear) or len(others & in_others_place) < 2:
            return None
    place, ids = int(clear[np.argmax(most[clear])]), match.qrels.query_ids
    return (f'the rankings of {moved} of the {len(looked)} queries that were looked at seem to be of other '
            f'queries: of the first {_ITEMS} items for {quoted(ids[numbers[place]])}, {right[place]} meet its relevant '
            f'segments and {most[place]} those of {quoted(ids[best[place]])}: give each its query')


def _in_cycles(following: dict[int, int]) -> list[int]:
    """The numbers from which those that follow one another lead back."""
    while following.keys() != (followed := set(following.values())):
        following = {one: other for one, other in following.items() if other in following and one in followed}
    return list(following)


def _first(bounds: Ints) -> Ints:
    """The first rows of each ranking, of a short one the last row again."""
    return np.minimum(bounds[:, :1] + np.arange(_FIRST), bounds[:, 1:] - 1)


def _in_relevant_documents(match: Match, rows: Ints) -> Bools:
    """Whether each of these rows is in a document with a relevant segment for its query."""
    keys, key = match.index.cached(_by_document).keys, match.key[rows]
    return keys[np.minimum(np.searchsorted(keys, key), len(keys) - 1)] == key if len(keys) else key < -1


def _met(match: Match, bounds: Ints, numbers: Ints) -> tuple[Ints, Ints]:
    """How many of the first items of rankings, which begin and end there, meet a relevant segment of each query: a
    ranking a row, and the queries of the columns, which are those of the rankings and of what is met. There are none
    where no ranking meets another query. Items in a document that is relevant for the query of the ranking, or that
    meet anything judged for it, count for that query alone."""
    (rows, first, _), qrels, run = match.index.cached(_by_document), match.qrels, match.run
    ranking, item = range_pairs(bounds[:, 0], np.minimum(bounds[:, 1] - bounds[:, 0], _ITEMS))
    item = item.astype(np.intp)
    known = match.document[item] >= 0
    ranking, item = ranking[known], item[known]
    document, mine = match.document[item], _in_relevant_documents(match, item) | match.meeting(item)
    place, judged = range_pairs(first[document], first[document + 1] - first[document])
    ranking, item, judged, mine = ranking[place], item[place], rows[judged.astype(np.intp)], mine[place]
    query = qrels.query[judged]
    is_own = query == match.query[item]
    meet = np.flatnonzero((run.start[item] < qrels.end[judged]) & (qrels.start[judged] < run.end[item])
                          & (~mine | is_own))
    if is_own[meet].all():
        return np.zeros((len(bounds), 0), np.intp), numbers[:0]
    ranking, item, query = ranking[meet], item[meet], query[meet]
    column = np.flatnonzero(np.bincount(np.concatenate([numbers, query])))
    place = np.searchsorted(column, query)
    pair = item * len(column) + place
    order = np.argsort(pair)
    once = order[np.diff(pair[order], prepend=-1) > 0]  # an item may meet several segments of a query
    return np.bincount(ranking[once] * len(column) + place[once], minlength=len(bounds) * len(column)).reshape(
        len(bounds), len(column)), column


def _ranks_as_scores(match: Match) -> str | None:
    """Scores that count from 1 (or 0) in the order of the input, so that the first item of a query is the last."""
    run, (low, high) = match.run, match.rankings[1].T
    least = run.value[high - 1]
    count = high - low
    may_be = (count > 1) & (run.value[low] - least == count - 1) & ((least == 0) | (least == 1))
    if not may_be.any():
        return None
    with np.errstate(invalid='ignore'):  # of infinite scores, elsewhere
        may_be &= _pairs((np.diff(run.value) == -1) & (np.diff(run.row) < 0), low, high) == count - 1
    counted = [(low[place], high[place]) for place in np.flatnonzero(may_be).tolist()]
    if not _enough(counted, len(low)):
        return None
    begin, end = counted[0]
    items = int(sum(end - begin for begin, end in counted))
    return (f'the scores of {"all" if len(counted) == len(low) else f"{items} of the"} {len(run)} items of the run '
            f'count up from {run.value[end - 1]:.12g} in the order of the rows, such as {run.value[begin]:.12g} for '
            f'the last of query {quoted(run.query_ids[run.query[begin]])}, as ranks do, but the highest score is the '
            'best: give the scores, or minus the rank')


def _pairs(are: Bools, low: Ints, high: Ints) -> Ints:
    """How many pairs of neighbours are so in each ranking, of those of all rows."""
    before = np.concatenate([[0], np.cumsum(are)])
    return before[high - 1] - before[low]


def _enough(blocks: Sequence[tuple[int, int]], queries: int) -> bool:
    """Whether the rankings of some of so many queries are long enough to show that they are not so by chance."""
    return any(high - low >= _EIGHT for low, high in blocks) or (
        2 * len(blocks) > queries and sum(high - low - 1 for low, high in blocks) >= _RANKED)


def _upside_down(match: Match) -> str | None:
    """Scores of which the lowest have more of what is relevant in most queries, as distances have. Fewer queries show
    it where scores rise in the order of the input, and least where those of others fall."""
    run, (low, high) = match.run, match.rankings[1].T
    differs = run.value[low] > run.value[high - 1]
    # Within a query, no row stands behind one with a better score.
    count = _pairs(run.row[1:] > run.row[:-1], low, high)
    looked = np.flatnonzero(differs & (count == 0))
    rise = len(looked) and _enough([(low[place], high[place]) for place in looked.tolist()], len(low))
    if not rise:
        if run.warnings:  # of ranks and scores, maybe
            return None
        looked = np.flatnonzero(differs)[:_SAMPLE]
    begin, end = low[looked], high[looked]
    half = np.minimum((end - begin) // 2, _ITEMS)
    best, worst = (_relevant(match, first, half) for first in (begin, end - half))
    sign = np.sign(worst - best)
    is_mixed = bool((differs & (count == high - low - 1) & (high - low >= _EIGHT)).any())
    deviations = _DEVIATIONS_UNSORTED if not rise else 1 if is_mixed else _DEVIATIONS
    if sign.sum() <= 0 or sign.sum() < deviations * np.sqrt(np.count_nonzero(sign)):
        return None
    place = int(np.argmax(worst - best))
    first, last = int(begin[place]), int(end[place]) - 1
    turned, every, how = (len(looked), len(low), 'of the run rise in the order of the rows') if rise else (
        np.count_nonzero(sign > 0), len(looked), 'of the run that were looked at are upside down')
    return (f'the scores of {turned} of the {every} queries {how}, such as from {run.value[last]:.12g} to '
            f'{run.value[first]:.12g} in {quoted(run.query_ids[run.query[first]])}, and {worst.sum()} items with low '
            f'scores meet a relevant segment, but {best.sum()} with high ones, as if they were distances, but the '
            'highest score is the best: give minus the distance')


def _relevant(match: Match, first: Ints, count: Ints) -> Ints:
    """How many items meet a relevant segment, of those of each ranking that begin at a row, so many."""
    ranking, row = range_pairs(first, count)
    rows = (match.key[row] >= 0) & np.isfinite(match.run.end[row])
    return np.bincount(ranking[rows][match.meeting(row[rows], least=_RELEVANT)], minlength=len(first))


def _lost_scores(match: Match) -> str | None:
    """One score for all items of some queries, where hardly any two items of the others have one."""
    run, (low, high) = match.run, match.rankings[1].T
    is_long = high - low >= _EIGHT
    tied = is_long & (run.value[low] == run.value[high - 1])
    differ = is_long & ~tied
    if np.count_nonzero(tied) < 2 or not differ.any():
        return None
    ties = _pairs(run.value[1:] == run.value[:-1], low, high)
    if ties[differ].sum() * _TIES > (high - low)[differ].sum():
        return None
    begin = int(low[np.argmax(tied)])
    return (f'all items have one score in {np.count_nonzero(tied)} of the {len(low)} queries of the run, such as '
            f'{run.value[begin]:.12g} in {quoted(run.query_ids[run.query[begin]])}, so that the order of the rows '
            'decides there, but those of the others differ: give the scores of all')


def _sorted_by_name(match: Match) -> str | None:
    """Scores that fall with the names of many documents, few of which are relevant, in rankings that differ."""
    run, names, (_, bounds) = match.run, match.run.document_ids, match.rankings
    found = []
    bounds = bounds[:_LOST][np.diff(bounds[:_LOST]).ravel() >= _SORTED]
    begins = run.document[bounds[:, :1] + np.arange(_SORTED)].tolist()
    for (low, high), begin in zip(bounds.tolist(), begins):
        if begin[0] != begin[-1] and _ascends(names, begin):
            document, value = run.document[low:high].tolist(), run.value[low:high]
            if (_ascends(names, document) and len(set(document)) >= _SORTED
                    and np.count_nonzero(value[1:] == value[:-1]) * _TIES <= high - low
                    and 2 * np.count_nonzero(_in_relevant_documents(match, np.arange(low, high))) < high - low):
                found.append(low)
    if len(found) < 2 or begins.count(begins[0]) == len(begins):
        return None
    low = found[0]
    return (f'the documents of {len(found)} of the {len(bounds)} queries that were looked at are in the order '
            f'of their names, such as from {quoted(names[run.document[low]])} on in '
            f'{quoted(run.query_ids[run.query[low]])}, as in a file that was sorted before it got its scores: give the '
            'scores of the system')


def _ascends(names: list[str], documents: list[int]) -> bool:
    return all(names[one] <= names[other] for one, other in pairwise(documents))
