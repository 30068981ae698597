"""Warnings of an evaluation: runs and qrels that can be measured, although the figures will hardly mean what they
should.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segments.other_ids import intended_segment
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.spans import Spans, common_length, merged_spans
from ir_segmeasures.segments.tables.matching import Match, document_key, row_fingerprints
from ir_segmeasures.segments.tables.table import NO_UNIT, RowError, SegmentTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ['SegmentWarning', 'collected_warnings', 'collection_length_warning', 'comparison_warnings',
           'document_measure_warning', 'empty_warning', 'example_document', 'naming_run', 'no_relevant_warning', 'warn',
           'with_run_name']

_HEARD: ContextVar[list[str] | None] = ContextVar('heard', default=None)  # of this thread

_FACTORS = {1000: 'if those of the {larger} are milliseconds',
            60: 'if those of the {smaller} are minutes (or minutes and seconds as M.S, which are no decimals)'}
_SUSPICIOUS = 20  # how many times as large the numbers of one side are
_MORE = 3  # how many times as many items meet a judged segment where the numbers of one side are in another unit
_FEW = 5  # documents, of which all may be judged at their beginning alone, and searched to their end
_LOOKED_AT = 300  # items of a run; one that was joined with itself repeats them everywhere
_REPEATED = 4  # of how many items one repeats another; real runs have some, and fewer

_SAME = 20  # of how many items in judged documents one is judged itself, where all systems return the same segments


class SegmentWarning(UserWarning):
    """A warning about a run or qrels that can be measured, although the figures will hardly mean what they should.

    Examples:
        Let an experiment stop where its figures would mean little:

        >>> import warnings
        >>> import ir_measures
        >>> from ir_segmeasures import MAiSP, SegmentWarning
        >>> qrels, run = {'1': {'v1#t=0,60': 1}}, {'q1': {'v1#t=0,60': 1.5}}
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter('error', SegmentWarning)
        ...     ir_measures.calc_aggregate([MAiSP], qrels, run)
        Traceback (most recent call last):
            ...
        ir_segmeasures.segments.tables.warnings.SegmentWarning: none of the 1 queries of the run is among the 1 of ...
    """


def warn(sentences: Iterable[str | None]) -> None:
    """Issues a :class:`SegmentWarning` for each sentence, all at this line, so that Python shows a sentence once that
    two evaluators issue. Inside of :func:`collected_warnings` the sentences are collected instead.
    """
    listening = _HEARD.get()
    for sentence in filter(None, sentences):
        if listening is None:
            warnings.warn(sentence, SegmentWarning, stacklevel=1)
        elif sentence not in listening:
            listening.append(sentence)


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Collects the sentences that this thread would be warned of, in a list; whoever collects them passes them on."""
    sentences: list[str] = []
    token = _HEARD.set(sentences)
    try:
        yield sentences
    finally:
        _HEARD.reset(token)


def with_run_name(sentence: str, name: str) -> str:
    """A sentence of a warning with the name of the run in front, if it speaks of a run; else as it is."""
    return f'run {quoted(name)}: {sentence}' if 'the run' in sentence and not sentence.startswith('run ') else sentence


@contextmanager
def naming_run(name: str) -> Iterator[None]:
    """Errors about a row of a run, raised below, with the name of the run."""
    try:
        yield
    except RowError as error:
        if error.kind == 'qrels' or not name:
            raise
        raise RowError(error.kind, error.row, f'run {quoted(name)}: {error.sentence}') from None


def empty_warning(table: SegmentTable) -> str | None:
    """The warning about a run or qrels without rows; None where there are rows, and for a batch of queries none of
    which is judged."""
    if len(table) or table.is_rest:
        return None
    return (f'the {table.kind} {"are" if table.kind == "qrels" else "is"} empty, so that every value is 0 or none: '
            'check the file and its format')


def comparison_warnings(match: Match, rows: bool = False, twice: bool = True) -> Iterator[str]:
    """The warnings about a run and qrels that do not seem to speak of the same segments, in sentences.

    Args:
        match: the run and the qrels
        rows: whether they are for measures of judged rows, which may be whole documents, such as shots, and may repeat
        twice: whether there are warnings about segments that stand twice in one of them
    """
    return filter(None, _doubts(match, rows, twice))


def _doubts(match: Match, rows: bool, twice: bool) -> list[str | None]:
    qrels, run = match.qrels, match.run
    if not (len(qrels) and len(run)):
        return [empty_warning(qrels), empty_warning(run)]
    read: list[str | None] = [*qrels.warnings, *run.warnings]
    shared = match.key >= 0
    in_common = bool(shared.any())
    if not in_common and not (match.query >= 0).any():
        pair = _nearest(run.query_ids, qrels.query_ids)
        return [*read, f'none of the {len(run.query_ids)} queries of the run is among the {len(qrels.query_ids)} of '
                f'the qrels ({pair}), so that every value is that of an empty run: give both the same ids']
    kinds = None if rows else _kinds(qrels, run)
    if kinds:
        return [*read] if any("'start'" in doubt for doubt in (*qrels.warnings, *run.warnings)) else [*read, kinds]
    if not in_common:
        return [*read, _foreign(qrels, run)]
    if rows:
        return [*read, _scale(match, shared)]
    unlike = _units(qrels, run) or _scale(match, shared)
    return [*read, unlike, *((_repeated(run), _contradicted(match)) if twice else ())]


def _foreign(qrels: SegmentTable, run: SegmentTable) -> str | None:
    """Documents of which none is among those of the qrels."""
    ids, known = run.document_ids, qrels.document_ids
    if len(qrels.query_ids) == 1 and len(ids) > 10 * len(known):
        # A system may miss the few documents of one query, as a batch has it, unless they are called otherwise.
        names = {_bare(id) for id in known}
        if not any(_bare(id) in names for id in ids):
            return None
    return (f'none of the {len(ids)} documents of the run is among the {len(known)} of the qrels '
            f'({_nearest(ids, known)}), so that nothing is found: give both the same ids')


def _bare(id: str) -> str:
    """An id without its folder, its suffix, its case, and white space around it."""
    return id.strip().lower().rpartition('/')[2].partition('.')[0]


def _nearest(ids: list[str], known: list[str]) -> str:
    """An id of the run and the most similar one of the qrels."""
    from difflib import get_close_matches  # seldom needed, and slow to import
    first, others = ids[:20], known[:2000]
    for id in first:
        low = {other.lower(): other for other in reversed(others)}
        for close in get_close_matches(id.lower(), low, 1, 0.75):
            return f'such as {quoted(id)} and {quoted(low[close])}'
    return f'such as {quoted(ids[0])} and {quoted(known[0])}'


def _whole(table: SegmentTable) -> bool:
    """Whether all rows are whole documents, without start and end."""
    return bool(table.unit[0] == NO_UNIT and table.end[0] == inf and table.paths is None
                and (table.unit == NO_UNIT).all() and (table.end == inf).all() and not table.start.any())


def _kinds(qrels: SegmentTable, run: SegmentTable) -> str | None:
    """Segments on one side and documents on the other."""
    whole = [_whole(table) for table in (qrels, run)]
    if whole[0] == whole[1]:
        return None
    documents, segments = (qrels, run) if whole[0] else (run, qrels)
    example = example_document(documents.document_ids)
    have = 'has' if segments is run else 'have'
    return (f'the {segments.kind} {have} segments, but the {len(documents)} rows of the {documents.kind} '
            f'are whole documents, such as {example}: write segments as DOCUMENT#t=START,END, or as '
            "columns 'start' and 'end'")


def example_document(ids: list[str]) -> str:
    """One of the ids, quoted; of ids that look like a segment the first, with that segment."""
    near = next(((id, found) for id in ids[:200] if (found := intended_segment(id))), None)
    return f'{quoted(near[0])}, which may be {quoted(near[1])}' if near else quoted(ids[0])


def _units(qrels: SegmentTable, run: SegmentTable) -> str | None:
    """Bare columns of one side that have fractions, beside segments in a unit of whole numbers."""
    for bare, other in ((run, qrels), (qrels, run)):
        units = other.units()
        if bare.units() or not units or UNITS.index('t') in units:
            continue
        fractions = bare.fractions() & np.isfinite(bare.end)
        if fractions.any():
            row, unit = int(np.argmax(fractions)), UNITS[min(units)]
            have = 'has' if other is run else 'have'
            return (f'{np.count_nonzero(fractions)} of the {len(bare)} rows of the {bare.kind} have fractions, such as '
                    f'{bare.start[row]:.12g} to {bare.end[row]:.12g} of '
                    f'{quoted(bare.document_ids[bare.document[row]])}, but the {other.kind} {have} {quoted(unit)} '
                    'positions, which are whole numbers, so that they are not in one unit: resolve() the times with a '
                    'table of the texts, or give both in one unit')
    return None


def _contradicted(match: Match) -> str | None:
    """Segments of a query that are judged with different grades."""
    qrels, value, pairs = match.qrels, match.qrels.value, match.index.regraded
    if not pairs:
        return None
    row, other = min(map(sorted, pairs))
    return (f'{len(pairs)} of the {len(qrels)} judgements are of a segment that is judged with another grade too, such '
            f'as {quoted(qrels.document_ids[qrels.document[row]])} from {qrels.start[row]:.12g} to '
            f'{qrels.end[row]:.12g} of query {quoted(qrels.query_ids[qrels.query[row]])} with {value[row]:.12g} and '
            f'{value[other]:.12g}, and the higher one counts: leave one of them')


def _repeated(run: SegmentTable) -> str | None:
    """Items that a query has twice, as in a run that was joined with itself."""
    def items(rows: slice) -> list[tuple[Any, ...]]:
        columns = [column[rows].tolist() for column in (run.query, run.document, run.start, run.end)]
        return list(zip(*columns, *([] if run.paths is None else [run.paths[rows]])))
    numbers = row_fingerprints(*(column[:_LOOKED_AT] for column in (run.query, run.document, run.start, run.end)))
    numbers.sort()  # np.unique would import numpy.ma, 12 ms of a command
    if np.count_nonzero(numbers[1:] == numbers[:-1]) * _REPEATED < len(numbers):  # a system may return an item twice
        return None
    first = items(slice(_LOOKED_AT))
    if (len(first) - len(set(first))) * _REPEATED < len(first):
        return None
    every = items(slice(None))
    place = dict(zip(reversed(every), range(len(every) - 1, -1, -1)))  # of the first of each
    row = next(row for row, item in enumerate(every) if place[item] < row)
    return (f'{len(every) - len(place)} of the {len(run)} items of the run repeat an earlier one of their query, such '
            f'as {quoted(run.document_ids[run.document[row]])} from {run.start[row]:.12g} to {run.end[row]:.12g} of '
            f'query {quoted(run.query_ids[run.query[row]])}, and each counts as an item: leave one of each, unless the '
            'system returned it twice')


def _mean_end(table: SegmentTable, rows: NDArray[np.bool_] | None = None) -> float:
    """The mean of the ends that are known, of some rows; 0 if none is."""
    # Masks copy columns, which most runs do without.
    count = len(table) if rows is None else np.count_nonzero(rows)
    with np.errstate(invalid='ignore'):  # of an end that is not known
        # Their product, with @, would wake the threads of BLAS, which costs more than all else here.
        total = float(table.end.sum() if rows is None else (table.end * rows).sum())
    if np.isfinite(total):
        return total / max(1, count)
    known = np.isfinite(table.end) if rows is None else rows & np.isfinite(table.end)
    return float(table.end[known].mean()) if known.any() else 0.


def _scale(match: Match, shared: NDArray[np.bool_]) -> str | None:
    """Positions that differ by a factor in the documents that both have, where hardly anything is in common."""
    qrels, run = match.qrels, match.run
    judged, found = _mean_end(qrels), _mean_end(run, shared)
    if not (judged and found) or 1 / _SUSPICIOUS < found / judged < _SUSPICIOUS:
        return None
    ratio = max(found / judged, judged / found)
    factor = min(_FACTORS, key=lambda factor: abs(np.log(ratio / factor)))
    known, items = np.isfinite(qrels.end), shared & np.isfinite(run.end)
    spans = merged_spans(document_key(qrels, qrels.query, qrels.document)[known], qrels.start[known], qrels.end[known])
    start, end = run.start[items], np.maximum(run.end[items], run.start[items] + 1e-6)  # entry points meet, too

    def meeting(times: float) -> int:
        return int(np.count_nonzero(common_length(Spans(match.key[items], times * start, times * end), spans)))
    common, scaled = meeting(1), meeting(1 / factor if found > judged else factor)
    if common and (scaled < _MORE * common or len(set(match.key[items].tolist())) < _FEW):
        return None
    larger, smaller = ('run', 'qrels') if found > judged else ('qrels', 'run')
    unit = _FACTORS[factor].format(larger=larger, smaller=smaller)
    share = 'no item of the run shares' if not common else (
        f'only {common} of the {len(start)} items of the run in judged documents share')
    more = f' (in another unit {scaled} would)' if common else ''
    return (f'{share} content with a judged segment{more}, and the positions of the {larger} are some '
            f'{ratio:.3g} times those of the {smaller} in the same documents (ends at {found:.6g} in the run and at '
            f'{judged:.6g} in the qrels, on average): give both in one unit, by a factor of {factor} {unit}')


def document_measure_warning(
        measure: str, judged: Iterable[tuple[str, str]], items: Iterable[tuple[str, str]]) -> str | None:
    """The warning about a measure of documents, which compares ids, on segments; None where ids agree.

    Args:
        measure: its name
        judged: pairs of query and id
        items: of the run, such pairs as well
    """
    known, found = set(judged), list(items)
    segment = next((id for _, id in found if '#' in id), None)
    if not (known and found) or (segment is None and not any('#' in id for _, id in known)):
        return None
    same = sum(item in known for item in found)
    documents = {(query, id.partition('#')[0]) for query, id in known}
    count = sum((query, id.partition('#')[0]) in documents for query, id in found)
    if same and same * _SAME >= count:
        return None
    share = (f'none of the {len(found)} items of the run is a judged one by its id' if not same else
             f'only {same} of the {count} items of the run in judged documents are judged ones by their id')
    return (f'{measure} compares ids, and {share}, such as {quoted(segment or found[0][1])}, so that it '
            f'{"says little" if same else "is 0"}: give them the ids of the judged segments that they meet with '
            'align(), or measure documents with to_documents()')


def no_relevant_warning(qrels: SegmentTable, rel: float) -> str | None:
    """The warning about qrels of which no judgement has a relevance of ``rel`` or more; None where one has."""
    if not len(qrels) or (qrels.value >= rel).any():
        return None
    return (f'none of the {len(qrels)} judgements has a relevance of {rel:.12g} or more (the highest is '
            f'{qrels.value.max():.12g}), so that every value is 0: check the column of the relevance, or give the '
            'measures a lower rel')


def collection_length_warning(qrels: SegmentTable, measure: Any, D: float) -> str | None:
    """The warning about a length of the collection, ``D``, that is below the length of its judged documents; else None.
    """
    known = np.isfinite(qrels.end)
    extent = np.zeros(len(qrels.document_ids))
    np.maximum.at(extent, qrels.document[known], qrels.end[known])
    total = float(extent.sum())
    if D >= total:
        return None
    return (f'the {np.count_nonzero(extent)} judged documents have at least {total:.12g} together, up to the last '
            f'judged segment of each, but in {measure} the whole collection is D={float(D):.12g}: give the length of '
            'the whole collection, in the unit of the segments')
