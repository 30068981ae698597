"""Runs of MediaEval Search & Hyperlinking (2013-15) and TRECVID Video Hyperlinking (2015-17).

Source: the campaigns' evaluation tool, https://github.com/robinaly/sh_eval, and the runs it comes with.
"""

from collections.abc import Sequence
from typing import Any

from ir_segmeasures.formats.files.columns import ColumnFile
from ir_segmeasures.formats.files.fields import interned, nine_digits, parse_score
from ir_segmeasures.formats.files.order import by_rank_column, in_file_order
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import SegmentScoredDoc
from ir_segmeasures.formats.files.writing import decimal, own_score, run_of, whole, word
from ir_segmeasures.formats.mediaeval.judgements import LARGEST, RULE, anchor_fields, written_fields
from ir_segmeasures.formats.mediaeval.times import format_minutes, parse_minutes, span
from ir_segmeasures.segments.quoting import quoted

__all__ = ['ANCHORING_RUN', 'LINKING_RUN', 'SEARCH_RUN', 'read_anchoring_run', 'read_linking_run', 'read_search_run',
           'write_anchoring_run', 'write_linking_run', 'write_search_run']

SEARCH_FIELDS = 'query Q0 video start end jump-in rank score run'
LINKING_FIELDS = 'anchor Q0 video start end rank score run'
ANCHORING_FIELDS = 'video Q0 start end rank score run'

# A search run without its last column has as many fields as a linking run: only a value in the wrong column tells.
_KINDS = f'a line of a search run is {SEARCH_FIELDS}, of a linking run {LINKING_FIELDS}'


def read_search_run(path: StrPath) -> Sequence[SegmentScoredDoc]:
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
    return SEARCH_RUN.read(path)


def read_linking_run(path: StrPath) -> Sequence[SegmentScoredDoc]:
    """Reads a linking run, one item a line: ``anchor Q0 video start end rank score run``.

    Order and ranks as in ``read_search_run``; there are no jump-in points.

    Raises:
        FormatError: a line does not have 8 fields; a time, rank or score cannot be read; a segment ends before it
            starts; an anchor repeats a rank
        OSError: the file cannot be opened
    """
    return LINKING_RUN.read(path)


def read_anchoring_run(path: StrPath) -> Sequence[SegmentScoredDoc]:
    """Reads an anchoring run, one item a line: ``video Q0 start end rank score run``. The video is the query.

    Rows are in file order, which is official: neither ranks nor scores count.

    Raises:
        FormatError: a line does not have 7 fields; a time, rank or score cannot be read; a segment ends before it
            starts
        OSError: the file cannot be opened
    """
    return ANCHORING_RUN.read(path)


def write_search_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes a search run, query by query, with ranks from 1 in the order by ``score``.

    The score column is the rows' ``run_score`` where they have one; where they have no jump-in point, it is the start;
    where they have no name of the run, that column is left out, as in the public runs.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    return SEARCH_RUN.write(rows, path, unit)


def write_linking_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes a linking run, as :func:`write_search_run` does without jump-in points. The run always has a name.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    return LINKING_RUN.write(rows, path, unit)


def write_anchoring_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes an anchoring run, as :func:`write_linking_run`; each item is a segment of the video that is its query.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    return ANCHORING_RUN.write(rows, path, unit)


def _search_line(row: Any, unit: str | None, rank: int) -> str:
    query_id, video, start, end = written_fields(row, unit)
    point = getattr(row, 'jump_in', None)
    jump_in = start if point is None else format_minutes(whole(point, 'jump-in point', RULE, LARGEST))
    run = '' if getattr(row, 'run', None) is None else f' {word(row.run, "name of the run")}'
    return f'{query_id} Q0 {video} {start} {end} {jump_in} {rank} {_own_score(row)}{run}'


def _linking_line(row: Any, unit: str | None, rank: int) -> str:
    query_id, video, start, end = written_fields(row, unit)
    return f'{query_id} Q0 {video} {start} {end} {rank} {_own_score(row)} {_run_name(row)}'


def _anchoring_line(row: Any, unit: str | None, rank: int) -> str:
    video, start, end = anchor_fields(row, unit)
    return f'{video} Q0 {start} {end} {rank} {_own_score(row)} {_run_name(row)}'


def _own_score(row: Any) -> str:
    return decimal(own_score(row), 'score')


def _run_name(row: Any) -> str:
    return word(run_of(row), 'name of the run')


def _search_result(query: Any, _: Any, video: Any, start: Any, end: Any, jump_in: Any, rank: Any, score: Any,
                   run: Any = None) -> SegmentScoredDoc:
    try:
        jump = parse_minutes(jump_in)
    except ValueError as error:
        raise ValueError(f'jump-in {error}; {_KINDS}') from None
    return _result(query, video, start, end, jump, rank, score, run)


def _linking_result(query: Any, _: Any, video: Any, start: Any, end: Any, rank: Any, score: Any,
                    run: Any) -> SegmentScoredDoc:
    return _result(query, video, start, end, None, rank, score, run)


def _anchoring_result(video: Any, _: Any, start: Any, end: Any, rank: Any, score: Any, run: Any) -> SegmentScoredDoc:
    return _result(video, video, start, end, None, rank, score, run)


def _result(query: Any, video: Any, start: Any, end: Any, jump_in: Any, rank: Any, score: Any,
            run: Any) -> SegmentScoredDoc:
    first, last = span(start, end)
    place = _rank(rank)
    return SegmentScoredDoc(interned(query), interned(video), first, last, -place, place, parse_score(score), jump_in,
                            run)


def _rank(text: Any) -> Any:
    rank = nine_digits(text)
    if rank is None:
        raise ValueError(f'rank {quoted(text)} is not a whole number from 0 up, but items are ordered by rank (number '
                         f"a query's items 1, 2, 3 and so on); {_KINDS}")
    return rank


SEARCH_RUN = ColumnFile('a search run', SEARCH_FIELDS, (9, 8), _search_result, _search_line,
                        ('jump_in', 'run_score', 'run'), ranked=True, arrange=by_rank_column, together=True)
LINKING_RUN = ColumnFile('a linking run', LINKING_FIELDS, (8,), _linking_result, _linking_line, ('run_score', 'run'),
                         ranked=True, arrange=by_rank_column, together=True)
ANCHORING_RUN = ColumnFile('an anchoring run', ANCHORING_FIELDS, (7,), _anchoring_result, _anchoring_line,
                           ('run_score', 'run'), ranked=True, arrange=in_file_order, late='score')
