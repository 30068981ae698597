"""Files of MediaEval Search & Hyperlinking (2013-15) and TRECVID Video Hyperlinking (2015-17).

Times in these files are ``minutes.seconds``, not decimal numbers: ``17.5`` is 17 min 5 s. Rows have seconds.

Judgements of search and linking have relevance > 0 where they are relevant, and may end after their video's listed
duration, as some official ones do. The known items of 2013 have relevance 1. The judged anchors of 2015 have the video
as query.

Rows of search and linking runs come in the official order: queries as they first appear, within each by the rank
column, whatever the score says. Ranks are whole numbers from 0 up, in any order and with gaps: only their order counts
here, runs that start at 0 are common, and that a submission has to count from 1 is for the campaign's own check to say.
A jump-in point outside its segment is accepted; the name of a search run may be missing, as in the public ones.
Anchoring runs are in the order of the lines: neither ranks nor scores count.

Runs are written with ranks from 1 in the order by ``score``. The score column is the rows' ``run_score`` where they
have one; where they have no jump-in point, it is the start.
Source: the campaigns' evaluation tool, https://github.com/robinaly/sh_eval, and the judgements and runs it comes with.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.formats.files.fields import converter, integers, interned, scores, whole_numbers
from ir_segmeasures.formats.files.format import JUDGED, Format, Rules
from ir_segmeasures.formats.files.lines import Lines
from ir_segmeasures.formats.files.order import by_rank_column, in_file_order
from ir_segmeasures.formats.files.row_types import SegmentQrel, SegmentScoredDoc
from ir_segmeasures.formats.files.writing import (
    decimal,
    grade,
    own_score,
    refuse_empty,
    refuse_grades,
    run_of,
    segment_of,
    whole,
    word,
)
from ir_segmeasures.formats.mediaeval.times import each_time, format_minutes, parse_minutes, spans
from ir_segmeasures.segments.quoting import quoted

if TYPE_CHECKING:
    from ir_segmeasures.formats.mediaeval.lists import (
        Anchor,
        SearchQuery,
        Video,
        read_anchors,
        read_queries,
        read_videos,
    )

__all__ = ['ANCHORING', 'KNOWN_ITEM', 'LINKING', 'SEARCH', 'Anchor', 'SearchQuery', 'Video', 'format_minutes',
           'parse_minutes', 'read_anchors', 'read_queries', 'read_videos']

SEARCH_FIELDS = 'query Q0 video start end jump-in rank score run'
LINKING_FIELDS = 'anchor Q0 video start end rank score run'

_NAME = 'Search and Hyperlinking'
_RULE = 'times in minutes.seconds are whole seconds'
_LARGEST = 60 * 10 ** 9 - 1
# A search run without its last column has as many fields as a linking run: only a value in the wrong column tells.
_KINDS = f'a line of a search run is {SEARCH_FIELDS}, of a linking run {LINKING_FIELDS}'


def __getattr__(name: str) -> Any:
    if name in __all__:  # judgements and runs have no need of the lists beside them
        from ir_segmeasures.formats.mediaeval import lists
        return getattr(lists, name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


_relevance = converter(integers, 'relevance {} is not an integer, but judgements are whole grades: write it as 0 or 1')
_rank = converter(whole_numbers, 'rank {} is not a whole number from 0 up, but items are ordered by rank (number a '
                                 f"query's items 1, 2, 3 and so on); {_KINDS}")


def _judgement(query: Any, iteration: Any, video: Any, start: Any, end: Any, relevance: Any) -> SegmentQrel:
    first, last = spans(start, end)
    if ((relevance > 0) & np.equal(first, last)).any():
        raise ValueError(f'the segment starts and ends at {quoted(start[0])}, but a relevant judgement needs content: '
                         'move its end, or judge it 0')
    return SegmentQrel(interned(query), interned(video), first, last, relevance, iteration)  # type: ignore[arg-type]


def _judged(query: Any, iteration: Any, video: Any, start: Any, end: Any, relevance: Any) -> SegmentQrel:
    return _judgement(query, interned(iteration), video, start, end, _relevance(relevance))


def _known_item(item: Any, video: Any, start: Any, end: Any) -> SegmentQrel:
    return _judgement(item, '0', video, start, end, np.ones(len(item), np.int64))


def _anchor(video: Any, start: Any, end: Any, relevance: Any) -> SegmentQrel:
    return _judgement(video, '0', video, start, end, _relevance(relevance))


def _search_result(query: Any, _: Any, video: Any, start: Any, end: Any, jump_in: Any, rank: Any, score: Any,
                   run: Any) -> SegmentScoredDoc:
    try:
        jump = each_time(jump_in)
    except ValueError as error:
        raise ValueError(f'jump-in {error}; {_KINDS}') from None
    return _result(query, _, video, start, end, rank, score, [name or None for name in run], jump)


def _result(query: Any, _: Any, video: Any, start: Any, end: Any, rank: Any, score: Any, run: Any,
            jump_in: Any = None) -> SegmentScoredDoc:
    place = _rank(rank)
    return SegmentScoredDoc(interned(query), interned(video), *spans(start, end), -place, place,  # type: ignore[arg-type]
                            scores(score), jump_in, run)


def _anchoring_result(video: Any, _: Any, start: Any, end: Any, rank: Any, score: Any, run: Any) -> SegmentScoredDoc:
    return _result(video, _, video, start, end, rank, score, run)


def _written(row: Any, unit: str | None) -> tuple[str, str, str, str]:
    """Query, video, start and end of a row, as files write them. Raises ``ValueError`` for what they cannot hold."""
    segment = segment_of(row, unit, 't', _NAME)
    start, end = whole(segment.start, 'start', _RULE, _LARGEST), whole(segment.end, 'end', _RULE, _LARGEST)
    if hasattr(row, 'relevance'):
        refuse_empty(grade(row.relevance, _NAME) > 0 and start == end)
    return word(row.query_id, 'query'), word(segment.document, 'video'), format_minutes(start), format_minutes(end)


def _written_anchor(row: Any, unit: str | None) -> tuple[str, str, str]:
    query_id, video, start, end = _written(row, unit)
    if query_id != video:
        raise ValueError(f'the segment of {quoted(video)} is of the query {quoted(query_id)}, but in anchoring the '
                         'query is the video itself: convert to sh-linking')
    return video, start, end


def _judged_line(row: Any, unit: str | None) -> str:
    query_id, video, start, end = _written(row, unit)
    return f'{query_id} {word(row.iteration, "second column")} {video} {start} {end} {grade(row.relevance, _NAME)}'


def _known_item_line(row: Any, unit: str | None) -> str:
    query_id, video, start, end = _written(row, unit)
    refuse_grades(row, start == end, 'known items')
    return f'{query_id} {video} {start} {end}'


def _anchor_line(row: Any, unit: str | None) -> str:
    video, start, end = _written_anchor(row, unit)
    return f'{video} {start} {end} {grade(row.relevance, _NAME)}'


def _search_line(row: Any, unit: str | None, rank: int) -> str:
    query_id, video, start, end = _written(row, unit)
    point = getattr(row, 'jump_in', None)
    jump_in = start if point is None else format_minutes(whole(point, 'jump-in point', _RULE, _LARGEST))
    run = '' if getattr(row, 'run', None) is None else f' {word(row.run, "name of the run")}'
    return f'{query_id} Q0 {video} {start} {end} {jump_in} {rank} {decimal(own_score(row), "score")}{run}'


def _linking_line(row: Any, unit: str | None, rank: int) -> str:
    query_id, video, start, end = _written(row, unit)
    return f'{query_id} Q0 {video} {start} {end} {_ranked(row, rank)}'


def _anchoring_line(row: Any, unit: str | None, rank: int) -> str:
    video, start, end = _written_anchor(row, unit)
    return f'{video} Q0 {start} {end} {_ranked(row, rank)}'


def _ranked(row: Any, rank: int) -> str:
    return f'{rank} {decimal(own_score(row), "score")} {word(run_of(row), "name of the run")}'


def _shown(seconds: float) -> str:
    return format_minutes(int(seconds))


_JUDGED = Lines('search and linking qrels', 'query Q0 video start end relevance', _judged, _judged_line,
                held=('iteration',)).files()
_KNOWN_ITEMS = Lines('known-item qrels', 'item video start end', _known_item, _known_item_line)
_ANCHORS = Lines('anchoring qrels', 'video start end relevance', _anchor, _anchor_line)
_SEARCH_RUN = Lines('a search run', SEARCH_FIELDS, _search_result, _search_line, optional=1, beside=('rank', 'run'),
                    held=('jump_in', 'run_score', 'run'), ranked=True, finish=by_rank_column)
_LINKING_RUN = replace(_SEARCH_RUN, kind='a linking run', fields=LINKING_FIELDS, row=_result, line=_linking_line,
                       optional=0, held=('run_score', 'run'))
# The program reads a video's lines as one list, in file order, and neither ranks nor scores.
_ANCHORING_RUN = replace(_LINKING_RUN, kind='an anchoring run', fields='video Q0 start end rank score run',
                         row=_anchoring_result, line=_anchoring_line, finish=in_file_order)

_OF_RUNS = ('one_run', 'scores_follow_ranks', 'judged_query', 'answered_queries')
_SEARCH = Rules(('apart_from_earlier_ones', 'consecutive_ranks', 'lines_together', 'known_query', 'known_video'),
                (*_OF_RUNS, 'jump_in_within_the_item', 'within_the_document'), most=1000)
_LINKING = Rules((*_SEARCH.violations, 'target_length', 'apart_from_the_anchor'), (*_OF_RUNS, 'within_the_document'),
                 most=1000)
_ANCHORING = Rules(('retrieved_once', 'lines_together', 'known_video'), (*_OF_RUNS, 'overlap', 'within_the_document'),
                   most=1000)

SEARCH = Format(
    'sh-search', 'MediaEval Search & Hyperlinking, search: times in minutes.seconds, runs with jump-in points', 't',
    _JUDGED, _SEARCH_RUN.files(rules=_SEARCH, order='rank', mended={'rank': 'rank'}), lists=('queries', 'videos'),
    shown=_shown)
LINKING = Format(
    'sh-linking', 'MediaEval and TRECVID hyperlinking: times in minutes.seconds, runs without jump-in points', 't',
    _JUDGED, _LINKING_RUN.files(rules=_LINKING, order='rank', mended={'rank': 'rank'}),
    lists=('queries', 'anchors', 'videos'), shown=_shown)
KNOWN_ITEM = Format(
    'sh-known-item', 'MediaEval Search & Hyperlinking 2013, known items: 4-column judgements, no runs', 't',
    _KNOWN_ITEMS.files(), lists=('queries', 'videos'), shown=_shown)
ANCHORING = Format(
    'sh-anchoring', 'MediaEval 2015, anchors of a video, which is the query: times in minutes.seconds', 't',
    _ANCHORS.files(rules=replace(JUDGED, violations=('judged_once', 'judged_without_contradiction', 'known_video'))),
    _ANCHORING_RUN.files(rules=_ANCHORING, order='line'), lists=('videos',), shown=_shown)
