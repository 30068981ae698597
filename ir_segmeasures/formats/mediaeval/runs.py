"""Runs of MediaEval Search & Hyperlinking (2013-15) and TRECVID Video Hyperlinking (2015-17).

Source: the campaigns' evaluation tool, https://github.com/robinaly/sh_eval, and the runs it comes with.
"""

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from operator import attrgetter
from sys import intern
from typing import Any

from ir_segmeasures.formats.files.reading import (
    FormatError,
    SegmentScoredDoc,
    StrPath,
    numbered_rows,
    parse_score,
    wrong_fields,
)
from ir_segmeasures.formats.files.writing import (
    NAMELESS,
    decimal,
    left_out,
    own_score,
    ranked_lines,
    whole,
    word,
    write_text,
)
from ir_segmeasures.formats.mediaeval.judgements import LARGEST, RULE, anchor_fields, written_fields
from ir_segmeasures.formats.mediaeval.times import format_time, parse_time, span
from ir_segmeasures.segments.quoting import quoted

__all__ = ['parse_anchoring_result', 'parse_linking_result', 'parse_search_result', 'read_anchoring_run',
           'read_linking_run', 'read_search_run', 'write_anchoring_run', 'write_linking_run', 'write_search_run']

SEARCH_FIELDS = 'query Q0 video start end jump-in rank score run'
LINKING_FIELDS = 'anchor Q0 video start end rank score run'
ANCHORING_FIELDS = 'video Q0 start end rank score run'

# A search run without its last column has as many fields as a linking run: only a value in the wrong column tells.
_KINDS = f'a line of a search run is {SEARCH_FIELDS}, of a linking run {LINKING_FIELDS}'
_DIGITS = re.compile(r'[0-9]{1,9}')


def read_search_run(path: StrPath) -> list[SegmentScoredDoc]:
    """Reads a search run, one item a line: ``query Q0 video start end jump-in rank score run``; ``run`` may be missing.

    Rows come in the official order: queries as they first appear, within each by the rank column, whatever the score
    says. Ranks are whole numbers from 0 up, in any order and with gaps: only their order counts here, runs that start
    at 0 are common, and that a submission has to count from 1 is for the campaign's own check to say. A jump-in point
    outside its segment is accepted.

    Raises:
        FormatError: a line does not have 8 or 9 fields; a time, rank or score cannot be read; a segment ends before it
            starts; a query repeats a rank
        OSError: the file cannot be opened
    """
    return _read_ranked(path, parse_search_result)


def read_linking_run(path: StrPath) -> list[SegmentScoredDoc]:
    """Reads a linking run, one item a line: ``anchor Q0 video start end rank score run``.

    Order and ranks as in ``read_search_run``; there are no jump-in points.

    Raises:
        FormatError: a line does not have 8 fields; a time, rank or score cannot be read; a segment ends before it
            starts; an anchor repeats a rank
        OSError: the file cannot be opened
    """
    return _read_ranked(path, parse_linking_result)


def read_anchoring_run(path: StrPath) -> list[SegmentScoredDoc]:
    """Reads an anchoring run, one item a line: ``video Q0 start end rank score run``. The video is the query.

    Rows are in file order, which is official: neither ranks nor scores count.

    Raises:
        FormatError: a line does not have 7 fields; a time, rank or score cannot be read; a segment ends before it
            starts
        OSError: the file cannot be opened
    """
    rows = numbered_rows(path, parse_anchoring_result)[1]
    return [row._replace(score=-place) for place, row in enumerate(rows, 1)]


def write_search_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes a search run, query by query, with ranks from 1 in the order by ``score``.

    The score column is the rows' ``run_score`` where they have one; where they have no jump-in point, it is the start;
    where they have no name of the run, that column is left out, as in the public runs.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    def line(row: Any, rank: int) -> str:
        query_id, video, start, end = written_fields(row, unit)
        point = getattr(row, 'jump_in', None)
        jump_in = start if point is None else format_time(whole(point, 'jump-in point', RULE, LARGEST))
        run = '' if getattr(row, 'run', None) is None else f' {word(row.run, "name of the run")}'
        return f'{query_id} Q0 {video} {start} {end} {jump_in} {rank} {_own_score(row)}{run}'
    write_text(ranked_lines(rows, line), path)
    return left_out(rows, ('jump_in', 'run_score', 'run'))


def write_linking_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes a linking run, as :func:`write_search_run` does without jump-in points. The run always has a name.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    def line(row: Any, rank: int) -> str:
        query_id, video, start, end = written_fields(row, unit)
        run = word(getattr(row, 'run', None) or NAMELESS, 'name of the run')
        return f'{query_id} Q0 {video} {start} {end} {rank} {_own_score(row)} {run}'
    write_text(ranked_lines(rows, line), path)
    return left_out(rows, ('run_score', 'run'))


def write_anchoring_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes an anchoring run, as :func:`write_linking_run`; each item is a segment of the video that is its query.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    def line(row: Any, rank: int) -> str:
        video, start, end = anchor_fields(row, unit)
        run = word(getattr(row, 'run', None) or NAMELESS, 'name of the run')
        return f'{video} Q0 {start} {end} {rank} {_own_score(row)} {run}'
    write_text(ranked_lines(rows, line), path)
    return left_out(rows, ('run_score', 'run'))


def _own_score(row: Any) -> str:
    return decimal(own_score(row), 'score')


def parse_search_result(fields: list[str]) -> SegmentScoredDoc:
    """An item of the fields of a line of a search run. Raises ``ValueError`` with a sentence."""
    run: str | None = None
    if len(fields) == 8:
        query_id, _, doc_id, start, end, jump_in, rank, score = fields
    elif len(fields) == 9:
        query_id, _, doc_id, start, end, jump_in, rank, score, run = fields
    else:
        raise wrong_fields(fields, 'a search run', SEARCH_FIELDS, '9, or 8 without the last')
    try:
        jump = parse_time(jump_in)
    except ValueError as error:
        raise ValueError(f'jump-in {error}; {_KINDS}') from None
    return _result(query_id, doc_id, start, end, jump, rank, score, run)


def parse_linking_result(fields: list[str]) -> SegmentScoredDoc:
    """An item of the fields of a line of a linking run. Raises ``ValueError`` with a sentence."""
    if len(fields) != 8:
        raise wrong_fields(fields, 'a linking run', LINKING_FIELDS, '8')
    query_id, _, doc_id, start, end, rank, score, run = fields
    return _result(query_id, doc_id, start, end, None, rank, score, run)


def parse_anchoring_result(fields: list[str]) -> SegmentScoredDoc:
    """An item of the fields of a line of an anchoring run. Raises ``ValueError`` with a sentence."""
    if len(fields) != 7:
        raise wrong_fields(fields, 'an anchoring run', ANCHORING_FIELDS, '7')
    video, _, start, end, rank, score, run = fields
    return _result(video, video, start, end, None, rank, score, run)


def _result(query_id: str, doc_id: str, start: str, end: str, jump_in: int | None, rank: str, score: str,
            run: str | None) -> SegmentScoredDoc:
    first, last = span(start, end)
    place = _rank(rank)
    # A run repeats few ids on many lines: interned, they take less memory and compare by identity.
    return SegmentScoredDoc(intern(query_id), intern(doc_id), first, last, -place, place, parse_score(score), jump_in,
                            run)


@functools.lru_cache(maxsize=1 << 15)
def _rank(text: str) -> int:
    if not _DIGITS.fullmatch(text):
        raise ValueError(f'rank {quoted(text)} is not a whole number from 0 up, but items are ordered by rank (number '
                         f"a query's items 1, 2, 3 and so on); {_KINDS}")
    return int(text)


def _read_ranked(path: StrPath, parse: Callable[[list[str]], SegmentScoredDoc]) -> list[SegmentScoredDoc]:
    numbers, rows = numbered_rows(path, parse)
    queries: dict[str, list[SegmentScoredDoc]] = defaultdict(list)
    for row in rows:
        queries[row.query_id].append(row)
    rank = attrgetter('rank')
    for ranking in queries.values():
        ranking.sort(key=rank)
        if len(set(map(rank, ranking))) < len(ranking):
            raise _repeated_rank(path, numbers, rows)
    return [row for ranking in queries.values() for row in ranking]


def _repeated_rank(path: StrPath, numbers: list[int], rows: list[SegmentScoredDoc]) -> FormatError:
    seen: dict[tuple[str, int], int] = {}
    for number, row in zip(numbers, rows, strict=True):
        first = seen.setdefault((row.query_id, row.rank), number)
        if first != number:
            break
    return FormatError(f'rank {row.rank} of {quoted(row.query_id)} is already in line {first}, but every item of a '
                       'query has a rank of its own: number the items 1, 2, 3 and so on', path, number)
