"""Warnings of an evaluation: runs and qrels that can be measured, although the figures probably do not mean what they
should. Each mistake has one function, which returns a sentence, or None where the data are right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Any
from unicodedata import normalize
from urllib.parse import unquote

import numpy as np

from ir_segmeasures.segments.arrays import Array, Bools, Floats, Ints
from ir_segmeasures.segments.other_ids import intended_segment
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.batches import system_name
from ir_segmeasures.segments.tables.columns import Columns
from ir_segmeasures.segments.user_warnings import (
    SegmentWarning,
    collected_warnings,
    is_listened_to,
    naming_run,
    warn,
    with_run_name,
)

if TYPE_CHECKING:
    from ir_segmeasures.segments.tables.matching import Match, QrelsIndex
    from ir_segmeasures.segments.tables.table import SegmentTable

__all__ = ['SegmentWarning', 'about_ties', 'collected_warnings', 'collection_length_warning', 'column_warning',
           'comparison_warnings', 'empty_warning', 'example_document', 'naming_run', 'no_content_warning',
           'no_relevant_warning', 'nothing_in_common', 'rank_warning', 'tie_sentence', 'warn', 'with_run_name']


def comparison_warnings(match: Match, rows: bool = False, twice: bool = True) -> list[str]:
    """The warnings about a run and qrels that do not seem to speak of the same segments, in sentences.

    Args:
        match: the run and the qrels
        rows: whether they are for measures of judged rows, which may be whole documents, such as shots, and may repeat
        twice: whether there are warnings about segments that stand twice in one of them
    """
    if not is_listened_to():
        return []
    return list(filter(None, _comparison(match, rows, twice)))


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
        yield from (_other_names(match, 'queries'), _other_names(match, 'documents'))
        yield None if run.warnings else _upside_down(match)  # which may be about the order, too
    if not (rows or other):
        yield from (_another_unit(match), _repeated(match) if twice else None)


# Nothing in common.

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
    ids, known, places = _ids(match, what)
    if (places >= 0).any():
        return None
    # A system may miss the few documents of one query, as a batch has it, unless they are called otherwise.
    if what == 'documents' and len(match.qrels.query_ids) == 1 and len(ids) > 10 * len(known) and (
            set(folded_names(known)).isdisjoint(folded_names(ids))):
        return None
    judged = dict(zip(folded_names(known), known))
    id, other = next(((id, judged[name]) for id, name in zip(ids, folded_names(ids)) if name in judged),
                     (ids[0], known[0]))
    so = 'every value is that of an empty run' if what == 'queries' else 'nothing is found'
    return (f'none of the {len(ids)} {what} of the run is among the {len(known)} of the qrels (such as {quoted(id)} '
            f'and {quoted(other)}{_in_code_points(id, other)}), so that {so}: give both the same ids')


def _ids(match: Match, what: str) -> tuple[list[str], list[str], Ints]:
    """The queries or the documents of the run and of the qrels, and where those of the run stand in the qrels."""
    if what == 'queries':
        return match.run.query_ids, match.qrels.query_ids, match.query_places
    return match.run.document_ids, match.qrels.document_ids, match.document_places


def _whole_documents(match: Match) -> str | None:
    """Rows of one side are whole documents, and those of the other are segments."""
    whole = [bool(table.end[0] == inf and table.paths is None and (table.end == inf).all() and not table.start.any()
                  and not (table.unit >= 0).any()) for table in (match.qrels, match.run)]
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


# Names.

_EXTENSION = re.compile(r'(?<=[^\n])\.[a-z][a-z0-9]{0,4}\n')
_FOLDS = re.compile(r'[A-Z%/\\.\x80-\U0010ffff]')  # what names have that are not the same when folded
_INVISIBLE = dict.fromkeys((0xad, *range(0x200b, 0x2010), *range(0x202a, 0x202f), *range(0x2060, 0x2065), 0xfeff))
# Extensions of recordings and of their transcripts; README and README.md may be two documents.
_OF_RECORDINGS = re.compile('mp[34]|m4[av]|mkv|avi|mov|webm|mpe?g|og[gv]|flv|wmv|wav|flac|aac|opus|vtt|srt|trs|[cs]tm')
_LOOKED_AT = 5000  # names of each side, to find out whether any differ like this
_ENOUGH = 3  # pairs with a folder or another extension on one side, since a/README and README may be two documents


def folded_names(ids: Sequence[str]) -> list[str]:
    """Names without what tools add and lose: folder, extension, capitals, percent-encoding, invisible characters and
    the form of Unicode. Ids hold no line feeds."""
    text = '\n'.join(ids)
    if not _FOLDS.search(text):
        return list(ids)
    if '%' in text or not text.isascii():
        text = '\n'.join(map(_plain, ids))
    text = text.casefold().replace('\\', '/') + '\n'
    if '/' in text:
        text = '\n'.join([name.rpartition('/')[2] or name for name in text.split('\n')])
    while '.' in text and (shorter := _EXTENSION.sub('\n', text)) != text:
        text = shorter
    return text[:-1].split('\n')


def _plain(name: str) -> str:
    """A name without percent-encoding and invisible characters, in the composed form of Unicode."""
    return normalize('NFKC', unquote(name)).translate(_INVISIBLE).replace('\n', ' ')


def _other_names(match: Match, what: str) -> str | None:
    """Some names differ in extension, folder, case or Unicode form, and both sides together have only these two."""
    ids, known, places = _ids(match, what)
    is_missing = np.ones(len(known) + 1, bool)
    is_missing[places] = False  # the last is that of names that are not judged
    # Names stand in the order of the queries, so that those of a part are in the first ones of both sides.
    names = [[side[place] for place in np.flatnonzero(alone)[:_LOOKED_AT].tolist()]
             for side, alone in ((ids, places < 0), (known, is_missing[:-1]))]
    if not any(_FOLDS.search('\n'.join(side)) for side in names) or (
            set(folded_names(names[1])).isdisjoint(folded_names(names[0]))):
        return None
    sides = [list(zip(folded_names(side), side)) for side in (ids, known)]
    once = [{name for name, count in Counter(name for name, _ in side).items() if count == 1} for side in sides]
    tells = any(len(names) < len(side) for names, side in zip(once, sides))  # whether what is folded tells two apart
    case_tells = all(len(set(map(str.casefold, side))) < len(side) for side in (ids, known))
    alone = once[0] & once[1]
    here = {name: id for (name, id), place in zip(sides[0], places.tolist()) if place < 0 and name in alone}
    kinds = {(here[name], other): kind for (name, other), missing in zip(sides[1], is_missing.tolist())
             if missing and name in here and (kind := _difference(here[name], other))
             and not (kind == 'case' and case_tells) and not (kind == 'unsure' and tells)}
    sure = [pair for pair, kind in kinds.items() if kind != 'unsure']
    if not sure and len(kinds) < _ENOUGH:
        return None
    id, other = (sure or list(kinds))[0]
    repair = ', names by quote_id() of ir_segmeasures' if unquote(id) == unquote(other) else ''
    return (f'{len(kinds)} of the {len(known)} judged {what} are in the run by another name alone, such as '
            f'{quoted(other)} as {quoted(id)}{_in_code_points(id, other)}, so that their items count as those of other '
            f'{what}: give both the same ids{repair}')


def _difference(id: str, other: str) -> str | None:
    """How two names differ that are the same when folded: ``'form'``, ``'case'`` or ``'unsure'``; None where they may
    be two documents, in two folders or with two extensions."""
    one, two = (_plain(name).replace('\\', '/') for name in (id, other))
    if one.casefold() == two.casefold():
        return 'form' if one == two else 'case'
    one, two = one.casefold(), two.casefold()
    shorter, longer = sorted((name.rpartition('/')[0].strip('/') for name in (one, two)), key=len)
    if shorter and shorter != longer and not longer.endswith(f'/{shorter}'):
        return None
    ends = [found[1] for name in (one, two) if (found := re.search(r'[^/]\.([a-z][a-z0-9]{0,4})$', name))]
    if shorter == longer and all(map(_OF_RECORDINGS.fullmatch, ends)):
        return 'form'
    return 'unsure' if len(set(ends)) < 2 else None


def _in_code_points(id: str, other: str) -> str:
    """The code points in which two names differ that look alike, as the continuation of a sentence; else nothing."""
    if _plain(id) != _plain(other) or unquote(id) == unquote(other):
        return ''
    while id[:1] == other[:1]:
        id, other = id[1:], other[1:]
    while id[-1:] == other[-1:] != '':
        id, other = id[:-1], other[:-1]
    one, two = (' '.join(f'U+{ord(sign):04X}' for sign in name) or 'nothing' for name in (other, id))
    return f' ({one} in the qrels, {two} in the run)'


# Units.

_FACTORS = {1000: 'if those of the {larger} are milliseconds',
            60: 'if those of the {smaller} are minutes (or minutes and seconds as M.S, which are no decimals)',
            25: 'if those of the {larger} are frames (25 or so a second)'}
_FARTHER = 8  # times as far are the ends of one side, in most documents, and as long its segments
_FEW = 5  # documents, all of which a system may search at another place
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


def _another_unit(match: Match) -> str | None:
    """One side is in milliseconds, frames or minutes, and the other in seconds; or bare columns of one hold times, and
    the other has a unit of whole numbers."""
    for bare, other in ((match.run, match.qrels), (match.qrels, match.run)):
        units = other.units()
        if not bare.units() and units and UNITS.index('t') not in units and (bare.fractions() & (bare.end < inf)).any():
            rows = np.flatnonzero(bare.fractions() & (bare.end < inf))
            return (f'{len(rows)} of the {len(bare)} rows of the {bare.kind} have fractions, such as '
                    f'{_row(bare, rows[0])}, but {quoted(UNITS[min(units)])} positions, as in the {other.kind}, are '
                    'whole numbers: resolve() the times with a table of the texts, or give both in one unit')
    rows = np.arange(0, len(match.run), 1 + len(match.run) // _READ)
    rows = rows[(match.key[rows] >= 0) & (match.run.end[rows] < inf)]
    found, length = _ends_and_length(match.run, rows, match.document[rows], len(match.qrels.document_ids))
    judged, usual = match.index.cached(_judged_ends_and_length)
    both = (found > 0) & (judged > 0)
    if not (both.any() and length and usual and match.run.start[rows].any()):
        return None
    ratio = _median(found[both] / judged[both])
    # Documents that are judged at their beginning alone are far from the other side, and their segments as long.
    if not min(ratio, length / usual) >= _FARTHER and not max(ratio, length / usual) <= 1 / _FARTHER:
        return None
    larger, smaller = ('run', 'qrels') if ratio > 1 else ('qrels', 'run')
    times = max(ratio, 1 / ratio)
    common = np.count_nonzero(meets(match, rows))
    met = {factor: rows[meets(match, rows, 1 / factor if ratio > 1 else factor)] for factor in _FACTORS}
    factor = max(met, key=lambda factor: len(met[factor]))
    # No system finds only what is a thousand times as far behind, or sixty times with all of its items.
    is_far = not common and times >= factor / 2 and (factor == 1000 or (factor == 60 and len(met[60]) == len(rows)))
    if not is_far and (len(met[factor]) <= common or len(set(match.key[met[factor]].tolist())) < _FEW):
        return None
    share = f'only {common} of {len(rows)} items of the run share' if common else 'no item of the run shares'
    return (f'{share} content with a judged segment (in another unit {len(met[factor])} would), and the positions of '
            f'the {larger} are some {times:.3g} times those of the {smaller} in the same documents: give both in one '
            f'unit, by a factor of {factor} {_FACTORS[factor].format(larger=larger, smaller=smaller)}')


def _judged_ends_and_length(index: QrelsIndex) -> tuple[Floats, float]:
    qrels = index.qrels
    rows = np.arange(0, len(qrels), 1 + len(qrels) // _READ)
    rows = rows[qrels.end[rows] < inf]
    return _ends_and_length(qrels, rows, qrels.document[rows], len(qrels.document_ids))


def _ends_and_length(table: SegmentTable, rows: Ints, document: Ints, documents: int) -> tuple[Floats, float]:
    """The mean end of some rows in each document, 0 where there are none, and the usual length of rows."""
    end, sample = table.end[rows], rows[::1 + len(rows) // 1000]
    lengths = table.end[sample] - table.start[sample]
    return (np.bincount(document, end, documents) / np.maximum(np.bincount(document, minlength=documents), 1),
            _median(lengths) if len(sample) else 0)


def _median(values: Floats) -> float:
    """The median, without NumPy's masked arrays, whose import takes longer than a small evaluation."""
    values = np.sort(values)
    return float(values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


# Rankings.

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
    lacks = np.ones(judged + 1, bool)
    lacks[match.query_places] = False
    missing = np.flatnonzero(lacks[:-1])
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


def rank_warning(query_ids: Any, query: Ints, rank: Floats, score: Floats, what: str = 'the ranks of the run') -> (
        str | None):
    """Scores that rise with the rank all through a query: distances. A rank that is old, as behind a step that scores
    anew, contradicts some scores and not all.

    Args:
        query_ids: the queries
        query, rank, score: of each row; the rank is NaN where there is none
        what: the subject of the sentence
    """
    same = query[1:] == query[:-1]
    if np.count_nonzero(~same) >= len(query_ids) or (same & (rank[1:] < rank[:-1])).any():
        order = np.lexsort((rank, query))
        query, rank, score = query[order], rank[order], score[order]
    later = (query[1:] == query[:-1]) & (rank[1:] > rank[:-1])
    apart, alike = (np.bincount(query[1:][later & kind], minlength=len(query_ids)) for kind in (
        score[1:] > score[:-1], score[1:] < score[:-1]))
    turned = (apart > 0) & (alike == 0)
    # Seven neighbours of one query, or of all, that contradict each other are no chance where none agrees.
    if max(apart[turned].max(initial=0), 0 if alike.any() else apart.sum()) < 7:
        return None
    rows = np.flatnonzero(query == np.argmax(apart * turned))
    first, last = rows[np.argmin(rank[rows])], rows[np.argmax(rank[rows])]
    return (f'{what} contradict the scores in {np.count_nonzero(turned)} of the {len(query_ids)} queries, such as in '
            f'{quoted(query_ids[query[first]])}, where rank {rank[first]:.12g} has the score {score[first]:.12g} and '
            f'rank {rank[last]:.12g} the score {score[last]:.12g}, but the highest score is the best: give minus the '
            'scores if they are distances, and minus the ranks if they are ranks')


def about_ties(run: SegmentTable) -> str | None:
    """Items of a query have one score, so that the order of the lines decides between them."""
    same = np.zeros(len(run) + 1, bool)
    same[1:-1] = (run.query[1:] == run.query[:-1]) & (run.value[1:] == run.value[:-1])
    rows = np.flatnonzero(same[1:] | same[:-1])
    if not len(rows):
        return None
    return tie_sentence(len(rows), len(run), float(run.value[rows[0]]), run.query_ids[run.query[rows[0]]])


def tie_sentence(count: int, items: int, score: float, query_id: str) -> str:
    """The sentence about so many tied items of a run, with the score and the query of one of them."""
    return (f'{count} of the {items} items of the run have the score of another item of their query, such as '
            f'{score:.12g} in query {quoted(query_id)}, and the order of the lines decides between them (in trec_eval, '
            'the ids)')


# Rows that stand twice.

_ITEMS = 300  # that are looked at; a run that was joined with itself repeats them everywhere
_REPEATED = 4  # of how many items one repeats another; real runs have some, and fewer


def _row(table: SegmentTable, row: Any) -> str:
    document, query = table.document_ids[table.document[row]], table.query_ids[table.query[row]]
    return f'{quoted(document)} from {table.start[row]:.12g} to {table.end[row]:.12g} of query {quoted(query)}'


def _repeated(match: Match) -> str | None:
    """A segment is judged twice, with two grades or as relevant; or a run was joined with itself."""
    qrels, run = match.qrels, match.run
    value, pairs = qrels.value, match.index.repeated
    if several := [pair for pair in pairs if value[pair[0]] != value[pair[1]]]:
        row, other = min(map(sorted, several))
        return (f'{len(several)} of the {len(qrels)} judgements are of a segment that is judged with another grade '
                f'too, such as {_row(qrels, row)} with {value[row]:.12g} and {value[other]:.12g}, and the higher one '
                'counts: leave one of them')
    if again := [row for _, row in pairs if value[row] > 0]:
        return (f'{len(again)} of the {len(qrels)} judgements repeat an earlier one, such as {_row(qrels, again[0])}, '
                'and measures of single judged segments, such as IoU_AP, count both: leave one of them')

    def items(rows: Any) -> Iterable[tuple[Any, ...]]:
        columns = [column[rows].tolist() for column in (run.query, run.document, run.start, run.end)]
        return zip(*columns, *([] if run.paths is None else [np.array(run.paths, object)[rows]]))
    first = list(items(np.flatnonzero(match.query[:4 * _ITEMS] >= 0)[:_ITEMS]))
    if (len(first) - len(set(first))) * _REPEATED < len(first) or not first:
        return None
    seen: set[Any] = set()
    again = [row for row, item in enumerate(items(slice(None))) if item in seen or seen.add(item)]  # type: ignore
    return (f'{len(again)} of the {len(run)} items of the run repeat an earlier one of their query, such as '
            f'{_row(run, again[0])}, and each counts as an item: leave one, unless the system returned it twice')


# Measures that a run or qrels are not made for.

def no_relevant_warning(qrels: SegmentTable, rel: float) -> str | None:
    """All grades are below ``rel``, or stand in another column."""
    if not len(qrels) or (qrels.value >= rel).any():
        return None
    return (f'none of the {len(qrels)} judgements has a relevance of {rel:.12g} or more (the highest is '
            f'{qrels.value.max():.12g}), so that every value is 0: check the column of the relevance, or give the '
            'measures a lower rel')


def no_content_warning(match: Match) -> str | None:
    """Items are entry points, but the measure asks for content."""
    if (match.run.end[:99] > match.run.start[:99])[match.query[:99] >= 0].any():  # mostly
        return None
    rows, is_empty = np.flatnonzero(match.query >= 0), match.run.end == match.run.start
    # Items without a passage are documents, and right without.
    if not len(rows) or not is_empty[rows].all() or 'no_passage' in match.run.extra:
        return None
    return (f'all {len(rows)} items of the run in judged queries have no length, such as {_row(match.run, rows[0])}, '
            'so that measures of content find nothing in them: give the items an end after their start, or take '
            'measures of entry points, such as T2I_AP')


def collection_length_warning(qrels: SegmentTable, measure: Any, D: float) -> str | None:
    """The length of the collection, ``D``, is below that of its judged documents."""
    known = np.isfinite(qrels.end)
    extent = np.zeros(len(qrels.document_ids))
    np.maximum.at(extent, qrels.document[known], qrels.end[known])
    total = float(extent.sum())
    if D >= total:
        return None
    return (f'the {np.count_nonzero(extent)} judged documents have at least {total:.12g} together, up to the last '
            f'judged segment of each, but in {measure} the whole collection is D={float(D):.12g}: give the length of '
            'the whole collection, in the unit of the segments')


# Columns beside ids.

_NEAR = re.compile(r'(t_)?(start|begin|end|stop|offset)([ _]?(time|secs?|seconds|s|ms|offset|char|idx|index|pos))?'
                   r'|time_(start|end)', re.IGNORECASE)
_APART = 0.05  # more than rounding to a frame or to a tenth


def column_warning(columns: Columns, start: Floats, end: Floats, unit: Array[np.int8]) -> str | None:
    """Columns of starts and ends contradict the ids beside them, or have names that nothing reads.

    Args:
        columns: the columns, as they were read
        start, end, unit: the positions of all rows, read from the ids or from the columns
    """
    has_unit = bool((unit >= 0).any())
    near = [str(name) for name in columns.names if _NEAR.fullmatch(str(name))]
    if len(start) and not has_unit and not columns.have_times() and len(near) > 1:
        return (f'the documents of the {columns.kind} stand beside columns {quoted(near[0])} and {quoted(near[1])}, '
                "which nothing reads, so that they are whole documents: name the columns 'start' and 'end'")
    beside = columns.beside if has_unit and columns.have_both() else None
    if beside is None:
        return None
    # A missing value contradicts nothing, and neither does an end that one of both does not know.
    with np.errstate(invalid='ignore'):
        apart = (unit >= 0) & ((np.abs(beside.start - start) > _APART) | (
            np.isfinite(end) & np.isfinite(beside.end) & (np.abs(beside.end - end) > _APART)))
    if not apart.any():
        return None
    row = int(np.argmax(apart))
    return (f'{np.count_nonzero(apart)} of the {len(start)} segment ids of the {columns.kind} contradict the columns '
            f'beside them, such as {quoted(columns.values("doc_id")[row])} beside start {beside.start[row]:.12g} and '
            f'end {beside.end[row]:.12g}, and the ids count: correct the ids, or take the columns out')
