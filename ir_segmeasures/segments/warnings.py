"""Warnings of an evaluation: runs and qrels that can be measured, although the figures probably do not mean what they
should. Each mistake has one function, which returns a sentence, or None where the data are right.
"""

from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

import numpy as np

from ir_segmeasures.segments.basics import LINES, Bools, Floats, Ints, intended_segment, quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.matching import Match, QrelsIndex, folded_names, ids_of, in_code_points, other_names
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import is_listened_to, system_name, warn as warn


def comparison_warnings(match: Match, rows: bool = False, twice: bool = True) -> list[str]:
    """The warnings about a run and qrels that do not seem to speak of the same segments, in sentences.

    Args:
        match: the run and the qrels
        rows: whether they are for measures of judged rows, which may be whole documents, such as shots, and may repeat
        twice: whether there are warnings about segments that stand twice in one of them
    """
    return list(filter(None, _comparison(match, rows, twice))) if is_listened_to() else []


def _comparison(match: Match, rows: bool, twice: bool) -> Iterator[str | None]:
    qrels, run = match.qrels, match.run
    yield from (empty_warning(qrels), empty_warning(run))
    if not (len(qrels) and len(run)):
        return
    yield from (*qrels.warnings, *run.warnings)
    if other := nothing_in_common(match, 'queries'):
        yield other
        return
    nothing = nothing_in_common(match, 'documents')
    other = (None if rows else _whole_documents(match)) or nothing
    yield from (_swapped(match), _few_answers(match), other)
    if not nothing:
        yield from (other_names(match, 'queries'), other_names(match, 'documents'))
        yield None if run.warnings else _upside_down(match)  # which may be about the order, too
    if not (rows or other):
        yield from (match.index.cached(_nested_elements), another_unit(match), _repeated(match) if twice else None)


def empty_warning(table: SegmentTable) -> str | None:
    """A file without rows; a batch of an experiment, of whose queries none is judged, is right."""
    if len(table) or system_name() is not None:
        return None
    return (f'the {table.kind} {"are" if table.kind == "qrels" else "is"} empty, so that every value is 0 or none: '
            'check the file and its format')


def nothing_in_common(match: Match, what: str) -> str | None:
    """All queries, or all documents, have other ids in the run than in the qrels.

    Args:
        match: the run and the qrels
        what: ``'queries'`` or ``'documents'``
    """
    ids, known, places = ids_of(match, what)
    if (places >= 0).any():
        return None
    names, judged = folded_names(ids), dict(zip(folded_names(known), known))
    # A system may miss the few documents of one query, as a batch has it, unless they are called otherwise.
    if what == 'documents' and len(match.qrels.query_ids) == 1 and len(ids) > 10 * len(known) and (
            judged.keys().isdisjoint(names)):
        return None
    id, other = next(((id, judged[name]) for id, name in zip(ids, names) if name in judged), (ids[0], known[0]))
    so = 'every value is that of an empty run' if what == 'queries' else 'nothing is found'
    return (f'none of the {len(ids)} {what} of the run is among the {len(known)} of the qrels (such as {quoted(id)} '
            f'and {quoted(other)}{in_code_points(id, other)}), so that {so}: give both the same ids')


def _whole_documents(match: Match) -> str | None:
    """Rows of one side are whole documents, and those of the other are segments."""
    whole = [table.paths is None and table.end[0] == inf and bool(table.whole_documents().all())
             for table in (match.qrels, match.run)]
    if whole[0] == whole[1]:
        return None
    documents, segments = (match.qrels, match.run) if whole[0] else (match.run, match.qrels)
    if any("'start'" in sentence for sentence in documents.warnings):  # which says why
        return None
    have = 'has' if segments is match.run else 'have'
    return (f'the {segments.kind} {have} segments, but the {len(documents)} rows of the {documents.kind} '
            f'are whole documents, such as {example_document(documents.document_ids)}: write segments as '
            "DOCUMENT#t=START,END, or as columns 'start' and 'end'")


def example_document(ids: list[str]) -> str:
    """One of the ids, quoted; of ids that look like a segment the first, with that segment."""
    near = next(((id, found) for id in ids[:200] if (found := intended_segment(id))), None)
    return f'{quoted(near[0])}, which may be {quoted(near[1])}' if near else quoted(ids[0])


_GRADES, _RANKED = 5, 20  # at most as many different grades have judgements; and at least as many scores have runs


def _swapped(match: Match) -> str | None:
    """The run stands in the place of the qrels: many grades that never rise, beside few scores."""
    qrels, run = match.qrels, match.run
    if len(run) < _RANKED or len(set(run.value[:_RANKED].tolist())) > _GRADES:
        return None
    scores, different = set(run.value.tolist()), len(set(qrels.value.tolist()))
    order = np.argsort(qrels.query, kind='stable')
    steps = np.diff(qrels.value[order])[np.diff(qrels.query[order]) == 0]
    if len(scores) > _GRADES or any(score % 1 for score in scores) or 2 * different < min(len(qrels), 100) or (
            different < _RANKED or np.count_nonzero(steps) < _RANKED) or (steps > 0).any():
        return None
    return (f'the judgements have {different} different grades, such as {qrels.value[0]:.12g}, and the run has '
            f'{len(scores)} different scores, such as {run.value[0]:.12g}, so that the run and the qrels seem to '
            'be swapped: give each in the place of the other')


def _few_answers(match: Match) -> str | None:
    """The run lacks most of the judged queries."""
    judged = len(match.qrels.query_ids)
    missing = np.flatnonzero(np.bincount(match.query_places + 1, minlength=judged + 1)[1:] == 0)
    if judged < 5 or 2 * len(missing) <= judged or len(missing) == judged:
        return None
    return (f'the run has {judged - len(missing)} of the {judged} judged queries and none for {len(missing)}, such as '
            f'{quoted(match.qrels.query_ids[missing[0]])}, which count as 0 in every mean: give it the other queries, '
            'or leave their judgements out')


_SAMPLE = 64  # rankings that are looked at
_SURE = 3.5  # deviations, by which more rankings have what is relevant at their end than at their beginning


def _upside_down(match: Match) -> str | None:
    """The lowest score is the best: distances, or ranks."""
    run = match.run
    begin, end = match.rankings[1].T
    begin, end = (bound[end - begin > 1][:_SAMPLE] for bound in (begin, end))
    differs = run.value[begin] > run.value[end - 1]
    begin, end = begin[differs], end[differs]
    half = np.minimum((end - begin) // 2, 50)
    best, worst = np.split(_relevant_items(match, np.append(begin, end - half), np.append(half, half)), 2)
    more = np.sign(worst - best)
    if more.sum() <= 0:
        return None
    blocks = list(map(slice, begin.tolist(), end.tolist()))
    rises = 2 * sum((np.diff(run.row[block]) < 0).all() for block in blocks) > len(blocks)
    counts = rises and all((np.diff(run.value[block]) == -1).all() for block in blocks)  # ranks
    if more.sum() < (0 if counts else _SURE - rises) * np.sqrt(np.count_nonzero(more)):
        return None
    first = blocks[int(np.argmax(worst - best))]
    return (f'the scores of {np.count_nonzero(more > 0)} of the {len(blocks)} queries of the run that were looked at '
            f'are upside down, such as from {run.value[first.stop - 1]:.12g} to {run.value[first.start]:.12g} in '
            f'{quoted(run.query_ids[run.query[first.start]])}, and {worst.sum()} items with low scores meet a relevant '
            f'segment, but {best.sum()} with high ones, as if they were {"ranks" if counts else "distances"}, but the '
            f'highest score is the best: give minus the {"rank" if counts else "distance"}')


def _relevant_items(match: Match, first: Ints, count: Ints) -> Ints:
    """How many items meet a relevant segment, of those of each ranking that begin at a row, so many."""
    ranking = np.repeat(np.arange(len(first)), count)
    rows = first[ranking] + np.arange(len(ranking)) - (np.cumsum(count) - count)[ranking]
    judged = match.key[rows] >= 0
    return np.bincount(ranking[judged][meets(match, rows[judged])], minlength=len(first))


def about_ties(run: SegmentTable) -> str | None:
    """Items of a query have one score, so that the order of the lines decides between them."""
    same = np.zeros(len(run) + 1, bool)
    same[1:-1] = (run.query[1:] == run.query[:-1]) & (run.value[1:] == run.value[:-1])
    rows = np.flatnonzero(same[1:] | same[:-1])
    return tie_sentence(len(rows), len(run), float(run.value[rows[0]]), run.query_ids[run.query[rows[0]]]) if len(
        rows) else None


def tie_sentence(count: int, items: int, score: float, query_id: str) -> str:
    """The sentence about so many tied items of a run, with the score and the query of one of them."""
    return (f'{count} of the {items} items of the run have the score of another item of their query, such as '
            f'{score:.12g} in query {quoted(query_id)}, and the order of the lines decides (in trec_eval, the ids)')


_ITEMS = 300  # that are looked at; a run that was joined with itself repeats them everywhere
_REPEATED = 4  # of how many items one repeats another; real runs have some, and fewer


def _repeated(match: Match) -> str | None:
    """A segment is judged twice, with two grades or as relevant; or a run was joined with itself."""
    qrels, run = match.qrels, match.run
    value, pairs = qrels.value, match.index.repeated
    if several := [pair for pair in pairs if value[pair[0]] != value[pair[1]]]:
        row, other = min(map(sorted, several))
        return (f'{len(several)} of the {len(qrels)} judgements are of a segment that is judged with another grade '
                f'too, such as {row_of(qrels, row)} with {value[row]:.12g} and {value[other]:.12g}, and the higher one '
                'counts: leave one of them')
    if again := [row for _, row in pairs if value[row] > 0]:
        return (f'{len(again)} of the {len(qrels)} judgements repeat an earlier one, such as {row_of(qrels, again[0])}'
                ', and measures of single judged segments, such as IoU_AP, count both: leave one of them')

    def items(rows: Any) -> Iterable[tuple[Any, ...]]:
        columns = [column[rows].tolist() for column in (run.query, run.document, run.start, run.end)]
        return zip(*columns, *([] if run.paths is None else [np.array(run.paths, object)[rows]]))
    first = list(items(np.flatnonzero(match.query[:4 * _ITEMS] >= 0)[:_ITEMS]))
    if (len(first) - len(set(first))) * _REPEATED < len(first) or not first:
        return None
    seen: set[Any] = set()
    again = [row for row, item in enumerate(items(slice(None))) if item in seen or seen.add(item)]  # type: ignore
    return (f'{len(again)} of the {len(run)} items of the run repeat an earlier one of their query, such as '
            f'{row_of(run, again[0])}, and each counts as an item: leave one, unless the system returned it twice')


def _nested_elements(index: QrelsIndex) -> str | None:
    """Relevant elements contain one another, but measures of segments merge them."""
    qrels, paths = index.qrels, index.qrels.paths
    if paths is None:
        return None
    rows = np.flatnonzero(qrels.value > 0).tolist()
    place = {(qrels.query[row], qrels.document[row], path): row for row in rows if (path := paths[row])}
    inside = {row: around for (query, document, path), row in place.items()
              if (around := next((place[query, document, path[:end]] for end, sign in enumerate(path)
                                  if sign == '/' and (query, document, path[:end]) in place), None)) is not None}
    if not inside:
        return None
    row, around = next(iter(inside.items()))
    return (f'{len(inside)} of the {len(rows)} relevant judgements lie in another one, such as '
            f'{quoted(paths[row])} in {quoted(paths[around])} of query '
            f'{quoted(qrels.query_ids[qrels.query[row]])}, and measures of segments take the outermost element for all '
            'that lies in it: judge with ideal_recall_base() of the qrels, or take measures of elements, such as nXCG')


def no_relevant_warning(qrels: SegmentTable, rel: float) -> str | None:
    """All grades are below ``rel``, or stand in another column."""
    if not len(qrels) or (qrels.value >= rel).any():
        return None
    least = 'above 0' if 0 < rel < 1e-300 else f'of {rel:.12g} or more'  # of measures of grades it is the next float
    return (f'none of the {len(qrels)} judgements has a relevance {least} (the highest is {qrels.value.max():.12g}), '
            'so that every value is 0: check the column of the relevance, or give the measures a lower rel')


def no_content_warning(match: Match) -> str | None:
    """Items are entry points, but the measure asks for content; or some of them are single lines, whose ends count."""
    run, rows = match.run, np.flatnonzero(match.query >= 0)
    empty = rows[run.end[rows] == run.start[rows]]
    if not len(empty) or 'no_passage' in run.extra:  # items without a passage are documents, and right without
        return None
    items, such = f'{len(rows)} items of the run in judged queries', row_of(run, empty[0])
    if len(empty) == len(rows):
        return (f'all {items} have no length, such as {such}, so that measures of content find nothing in them: give '
                'the items an end after their start, or take measures of entry points, such as T2I_AP')
    are_times = (run.unit[empty] == 0).any() or run.fractions().any() or match.qrels.fractions().any()
    return None if are_times else (f'{len(empty)} of the {items} end where they start, such as {such}, and have no '
                                   f'content: if these are lines, and the last one belongs to it, read {LINES}')


def collection_length_warning(qrels: SegmentTable, measure: Any, D: float) -> str | None:
    """The length of the collection, ``D``, is below that of its judged documents."""
    known = np.isfinite(qrels.end)
    extent = np.zeros(len(qrels.document_ids))
    np.maximum.at(extent, qrels.document[known], qrels.end[known])
    total = float(extent.sum())
    return None if D >= total else (
        f'the {np.count_nonzero(extent)} judged documents have at least {total:.12g} together, up to the last judged '
        f'segment of each, but in {measure} the whole collection is D={float(D):.12g}: give the length of the whole '
        'collection, in the unit of the segments')


_FACTORS = {1000: 'if those of the {larger} are milliseconds',
            60: 'if those of the {smaller} are minutes (or minutes and seconds as M.S, which are not decimals)',
            25: 'if those of the {larger} are frames (25 or so a second)'}
_FARTHER = 8  # times as far are the ends of one side, and as long its segments
_ALL = 100  # times as long as all that is judged are items that share content with it in any unit
_FEW = 5  # documents, of which a system may search some at another place
_READ = 4000  # rows of each side, spread over all


def meets(match: Match, rows: Ints, factor: float = 1) -> Bools:
    """Tells whether each of some rows of the run shares content with a relevant segment if its positions are so many
    times as large. Entry points stand for the content behind them."""
    qrels, run = match.qrels, match.run
    asked = np.zeros(len(qrels.query_ids) + 1, bool)
    asked[match.query[rows]] = True
    judged = np.flatnonzero(asked[qrels.query] & (qrels.value > 0))
    if not len(judged):
        return np.zeros(len(rows), bool)
    # The documents of all queries stand one after the other on one axis.
    keys, place = np.unique(qrels.query[judged] * len(qrels.document_ids) + qrels.document[judged], return_inverse=True)
    known = np.isfinite(qrels.end[judged])
    length = float(max(qrels.end[judged][known].max(initial=0), qrels.start[judged].max())) + 1
    start, end = (place * length + np.minimum(column[judged], length - .5) for column in (qrels.start, qrels.end))
    order = np.argsort(start)
    start, reach = start[order], np.maximum.accumulate(end[order])
    place = np.minimum(np.searchsorted(keys, match.key[rows]), len(keys) - 1)
    first, last = (place * length + np.minimum(column[rows] * factor, length) for column in (run.start, run.end))
    before = np.searchsorted(start, np.maximum(last, np.nextafter(first, inf))) - 1
    return np.logical_and.reduce((keys[place] == match.key[rows], before >= 0, reach[before] > first))


def another_unit(match: Match) -> str | None:
    """One side is in milliseconds, frames or minutes, and the other in seconds; or bare columns of one hold times, and
    the other has a unit of whole numbers."""
    for bare, other in ((match.run, match.qrels), (match.qrels, match.run)):
        units = other.units()
        if not bare.units() and units and UNITS.index('t') not in units and len(
                rows := np.flatnonzero(bare.fractions() & (bare.end < inf))):
            return (f'{len(rows)} of the {len(bare)} rows of the {bare.kind} have fractions, such as '
                    f'{row_of(bare, rows[0])}, but {quoted(UNITS[min(units)])} positions, as in the {other.kind}, are '
                    'whole numbers: resolve() the times with a table of the texts, or give both in one unit')
    run, qrels = match.run, match.qrels
    rows, judged = (np.arange(0, len(table), 1 + len(table) // _READ) for table in (run, qrels))
    rows, judged = rows[(match.key[rows] >= 0) & (run.end[rows] < inf)], judged[qrels.end[judged] < inf]
    if not (len(judged) and run.start[rows].any()):
        return None
    # Documents that are judged at their beginning alone are far from the other side, and their segments as long.
    times = [_median(found) / (_median(usual) or inf) for found, usual in (
        (run.end[rows], qrels.end[judged]),
        (run.end[rows] - run.start[rows], qrels.end[judged] - qrels.start[judged]))]
    if min(times) < _FARTHER and not 0 < min(times) <= max(times) <= 1 / _FARTHER:
        return None
    met_here = meets(match, rows)
    tells = ~met_here | (run.end[rows] - run.start[rows] <= _ALL * qrels.end[judged].max())
    rows, common, kind = rows[tells], np.count_nonzero(met_here & tells), '' if tells.all() else 'other '
    met = {factor: rows[meets(match, rows, 1 / factor if times[0] > 1 else factor)] for factor in _FACTORS}
    factor = max(met, key=lambda factor: len(met[factor]))
    if len(met[factor]) <= common or (len(met[factor]) < len(rows)
                                      and len(set(match.key[met[factor]].tolist())) < _FEW):
        return None
    larger, smaller = ('run', 'qrels') if times[0] > 1 else ('qrels', 'run')
    share = f'only {common} of {len(rows)} {kind}items of the run share' if common else (
        f'no {kind}item of the run shares')
    return (f'{share} content with a judged segment (in another unit {len(met[factor])} would), and the positions of '
            f'the {larger} are some {max(times[0], 1 / times[0]):.1f} times those of the {smaller}: give both in one '
            f'unit, by a factor of {factor} {_FACTORS[factor].format(larger=larger, smaller=smaller)}')


def _median(values: Floats) -> float:
    """The median, without NumPy's masked arrays, whose import takes longer than a small evaluation."""
    values = np.sort(values)
    return float(values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def row_of(table: SegmentTable, row: Any) -> str:
    """A row of a table, for sentences."""
    document, query = table.document_ids[table.document[row]], table.query_ids[table.query[row]]
    return f'{quoted(document)} from {table.start[row]:.12g} to {table.end[row]:.12g} of query {quoted(query)}'
