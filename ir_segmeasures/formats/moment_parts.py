"""The judgements of moment retrieval some lines at a time, and predictions by columns: the plain ones. Whatever is not
plain, or wrong, is left to :mod:`ir_segmeasures.formats.moments`, which has the sentence.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.blocks import taken_column
from ir_segmeasures.formats.files.fields import column_of
from ir_segmeasures.formats.files.order import ranks_by_score
from ir_segmeasures.formats.files.parts import line_blocks, plain_lines, refuse_known
from ir_segmeasures.formats.files.reading import UTF_8, StrPath
from ir_segmeasures.formats.files.row_types import Rows, SegmentScoredDoc
from ir_segmeasures.formats.json_files import NOT_PLAIN, plain_floats, refuse_other_types, refuse_other_windows
from ir_segmeasures.formats.moment_windows import LARGEST, QRELS_WINDOWS, MomentQrel
from ir_segmeasures.segments.json_objects import loads

__all__ = ['plain_judgements', 'plain_predictions', 'queries_and_videos', 'records_of', 'windows_in_parts']

_BLOCK = 1 << 19  # bytes of lines whose objects are in memory at once
_LONGEST = 300  # digits of a number of a query
_SEVERAL = re.compile(r'}[ \t]*,[ \t]*{')  # maybe two objects of one line, where two lines may be one object
_NUMBERS, _LISTS = {int, float}, {list}


def windows_in_parts(path: StrPath) -> Iterator[Sequence[MomentQrel]]:
    """The true windows that :func:`~ir_segmeasures.formats.moments.read_qrels` has, those of some lines at a time, of
    the first line at once.

    Raises:
        ValueError: a line is wrong, or a query is on two lines: that reader finds out
        OSError: the file cannot be opened
    """
    known: set[str] = set()
    for data in line_blocks(path, largest=_BLOCK):
        try:
            rows = _plain_qrels(records_of(plain_lines(data, UTF_8)), known)
        except NOT_PLAIN:
            raise ValueError from None
        yield rows


def plain_judgements(text: str) -> Rows[MomentQrel]:
    """The rows of judgements that :func:`~ir_segmeasures.formats.moments.read_qrels` has, by columns, where every query
    has windows.

    Raises:
        an error of ``NOT_PLAIN``: something is wrong or not plain, which lines one by one show
    """
    return _plain_qrels(records_of(text), set())


def plain_predictions(text: str, key: str) -> Rows[SegmentScoredDoc]:
    """The rows of predictions that :func:`~ir_segmeasures.formats.moments.read_run` has, by columns, where every window
    is plainly [start, end, score]; ``key`` is that of the windows.

    Raises:
        an error of ``NOT_PLAIN``: something is wrong or not plain, which lines one by one show
    """
    records = records_of(text)
    found = [record[key] for record in records]
    windows = list(chain.from_iterable(found))
    refuse_other_types(chain(found, windows), list)
    if not windows:
        raise ValueError
    starts, ends = [start for start, _, _ in windows], [end for _, end, _ in windows]
    scores = [score for _, _, score in windows]
    refuse_other_windows(starts, ends)
    score = plain_floats(scores, 2 ** 53)  # below it, whole numbers are in the same order as floats
    line = np.repeat(np.arange(len(found)), list(map(len, found)))
    query, video = (taken_column(column, line) for column in queries_and_videos(records))
    nothing = [None] * len(windows)
    return Rows(SegmentScoredDoc, (
        query, video, starts, ends, scores, ranks_by_score(query, score), scores, nothing, nothing))


def queries_and_videos(records: Sequence[Any]) -> tuple[Any, Any]:
    """The queries and the videos of the objects of lines, as columns. Raises an error of ``NOT_PLAIN`` where
    :func:`~ir_segmeasures.formats.moment_lines.query_lines_of` does."""
    keys = [('desc_id', 'vid_name') if 'desc_id' in record else ('qid', 'vid') for record in records]
    queries, videos = ([record[key] for record, key in zip(records, names)] for names in zip(*keys))
    refuse_other_types(queries, int, str)
    refuse_other_types(videos, str)
    queries = list(map(str, queries))
    if '' in queries or '' in videos or max(map(len, queries)) > _LONGEST:
        raise ValueError
    refuse_known(queries, set())
    return column_of(queries), column_of(videos)


def records_of(text: str) -> list[Any]:
    """The objects of lines, one each. Raises a ValueError where that is not plain, which a line alone has to tell."""
    lines = [line for line in (line.strip(' \t') for line in text.split('\n')) if line]
    if not all(line[0] == '{' and line[-1] == '}' for line in lines) or _SEVERAL.search(text):
        raise ValueError
    records: list[Any] = loads(f'[{",".join(lines)}]')  # at once, which takes less time
    if len(records) != len(lines):
        raise ValueError
    return records


def _plain_qrels(records: list[dict[str, Any]], known: set[str]) -> Rows[MomentQrel]:
    """The windows of objects, as the reader of a line has them one by one. Raises an error of ``NOT_PLAIN`` for objects
    that it has to look at, and where a query is known, or there twice."""
    refuse_known([str(record.get('desc_id', record.get('qid'))) for record in records], known)
    queries, videos, starts, ends, durations = (list[Any]() for _ in range(5))
    for record in records:
        tvr = 'desc_id' in record
        query_id, doc_id, duration = record['desc_id' if tvr else 'qid'], record['vid_name' if tvr else 'vid'], (
            record.get('duration'))
        windows = [record['ts']] if tvr else record[QRELS_WINDOWS]
        if not (type(query_id) in (int, str) and query_id != '' and type(doc_id) is str and doc_id
                and (duration is None or (type(duration) in _NUMBERS and 0 <= duration < LARGEST))
                and type(windows) is list and windows and _LISTS.issuperset(map(type, windows))):
            raise ValueError  # of a query without windows, the reader of the file has a warning
        query_id = str(query_id)
        if len(query_id) > _LONGEST:
            raise ValueError
        for start, end in windows:
            if not 0 <= start < end < LARGEST:
                raise ValueError
            queries.append(query_id)
            videos.append(doc_id)
            starts.append(start)
            ends.append(end)
            durations.append(duration)
    if not _NUMBERS.issuperset(map(type, chain(starts, ends))):
        raise ValueError
    count = len(queries)
    return Rows(MomentQrel, (queries, videos, starts, ends, [1] * count, ['0'] * count, durations))
