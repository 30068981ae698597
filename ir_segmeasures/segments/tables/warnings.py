"""Warnings of an evaluation: runs and qrels that can be measured, although the figures will hardly mean what they
should.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from typing import Any

import numpy as np

from ir_segmeasures.segments.other_ids import intended_segment
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.batches import not_yet_said, system_name
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.near_names import folded_names, near_name_warnings
from ir_segmeasures.segments.tables.rankings import other_queries_warning, ranking_warnings
from ir_segmeasures.segments.tables.repeats import repeat_warnings
from ir_segmeasures.segments.tables.scales import unit_warning
from ir_segmeasures.segments.tables.table import NO_UNIT, RowError, SegmentTable
from ir_segmeasures.segments.user_warnings import warn_user

__all__ = ['SegmentWarning', 'collected_warnings', 'collection_length_warning', 'comparison_warnings',
           'empty_warning', 'example_document', 'naming_run', 'no_relevant_warning', 'warn', 'with_run_name']

_HEARD: ContextVar[list[str] | None] = ContextVar('heard', default=None)  # of this thread
_UNWANTED: list[str] = []  # what is heard where nobody listens


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


def warn(sentences: Iterable[str | None], qrels: SegmentTable | None = None) -> None:
    """Issues a :class:`SegmentWarning` for each sentence, all at this line, so that Python shows a sentence once that
    two evaluators issue. Inside of :func:`collected_warnings` the sentences are collected instead.

    Args:
        sentences: None for nothing to say
        qrels: those of an evaluation; of qrels that come in parts, a sentence is issued for the first part only
    """
    listening = _HEARD.get()
    if listening is _UNWANTED:
        return
    if qrels is not None:
        sentences = not_yet_said(sentences)
    for sentence in filter(None, sentences):
        if name := system_name():
            sentence = with_run_name(sentence, name)
        if listening is None:
            warn_user(sentence, SegmentWarning)
        elif sentence not in listening:
            listening.append(sentence)


@contextmanager
def collected_warnings(wanted: bool = True) -> Iterator[list[str]]:
    """Collects the sentences that this thread would be warned of, in a list; whoever collects them passes them on. If
    they are not wanted, the list stays empty, and nobody spends time on finding them."""
    sentences: list[str] = [] if wanted else _UNWANTED
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
    """The warning about a run or qrels without rows; None where there are rows, and for a batch of an
    experiment, of whose queries none may be judged."""
    if len(table) or system_name() is not None:
        return None
    return (f'the {table.kind} {"are" if table.kind == "qrels" else "is"} empty, so that every value is 0 or none: '
            'check the file and its format')


def comparison_warnings(match: Match, rows: bool = False, twice: bool = True) -> list[str]:
    """The warnings about a run and qrels that do not seem to speak of the same segments, in sentences.

    Args:
        match: the run and the qrels
        rows: whether they are for measures of judged rows, which may be whole documents, such as shots, and may repeat
        twice: whether there are warnings about segments that stand twice in one of them
    """
    if _HEARD.get() is _UNWANTED:
        return []
    return match.run.remembered(match.qrels, ('comparison_warnings', rows, twice), lambda: [
        doubt for doubt in _doubts(match, rows, twice) if doubt])


def _doubts(match: Match, rows: bool, twice: bool) -> list[str | None]:
    qrels, run = match.qrels, match.run
    if not (len(qrels) and len(run)):
        return [empty_warning(qrels), empty_warning(run)]
    read: list[str | None] = [*qrels.warnings, *run.warnings]
    in_common = bool((match.key >= 0).any())
    if not in_common and not (match.query >= 0).any():
        pair = _nearest(run.query_ids, qrels.query_ids)
        return [*read, f'none of the {len(run.query_ids)} queries of the run is among the {len(qrels.query_ids)} of '
                f'the qrels ({pair}), so that every value is that of an empty run: give both the same ids']
    if in_common or (match.document_places >= 0).any():
        read += near_name_warnings(match)
    read += ranking_warnings(match)
    kinds = None if rows else _kinds(qrels, run)
    if kinds:
        return [*read] if any("'start'" in doubt for doubt in (*qrels.warnings, *run.warnings)) else [*read, kinds]
    if not in_common:
        return [*read, _foreign(qrels, run)]
    read.append(unit_warning(match, columns=not rows) or other_queries_warning(match))
    return read if rows else [*read, *repeat_warnings(match, twice)]


def _foreign(qrels: SegmentTable, run: SegmentTable) -> str | None:
    """Documents of which none is among those of the qrels."""
    ids, known = run.document_ids, qrels.document_ids
    # A system may miss the few documents of one query, as a batch has it, unless they are called otherwise.
    if len(qrels.query_ids) == 1 and len(ids) > 10 * len(known) and (
            set(folded_names(known)).isdisjoint(folded_names(ids))):
        return None
    return (f'none of the {len(ids)} documents of the run is among the {len(known)} of the qrels '
            f'({_nearest(ids, known)}), so that nothing is found: give both the same ids')


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
