"""The judgements of moment retrieval some lines at a time, and predictions by columns: the plain ones. Whatever is not
plain, or wrong, is left to :mod:`ir_segmeasures.formats.moments`, which has the sentence.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.parts import line_blocks, plain_lines, refuse_known
from ir_segmeasures.formats.files.reading import UTF_8, StrPath
from ir_segmeasures.formats.files.row_types import Rows, SegmentScoredDoc
from ir_segmeasures.formats.moment_windows import LARGEST, QRELS_WINDOWS, MomentQrel
from ir_segmeasures.segments.json_objects import loads

__all__ = ['plain_predictions', 'windows_in_parts']

_BLOCK = 1 << 19  # bytes of lines whose objects are in memory at once
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
        records = _records(plain_lines(data, UTF_8))
        refuse_known([str(record.get('desc_id', record.get('qid'))) for record in records], known)
        try:
            rows = _plain_qrels(records)
        except (LookupError, TypeError):
            raise ValueError from None
        yield rows


def plain_predictions(text: str, key: str) -> Rows[SegmentScoredDoc]:
    """The rows of predictions that :func:`~ir_segmeasures.formats.moments.read_run` has, by columns, where every window
    is plainly [start, end, score]; ``key`` is that of the windows.

    Raises:
        ValueError, LookupError, TypeError, OverflowError: something is wrong or not plain, which lines one by one show
    """
    records = _records(text)
    queries, videos, found = zip(*((record['qid'], record['vid'], record[key]) for record in records))
    windows = list(chain.from_iterable(found))
    starts, ends, scores = map(list, zip(*windows, strict=True))
    start, end, score = (np.array(column, np.float64) for column in (starts, ends, scores))
    # Whole numbers up to 2^53 are in the same order as floats.
    if not (_LISTS.issuperset(map(type, chain(found, windows))) and {str}.issuperset(map(type, videos)) and all(videos)
            and {int, str}.issuperset(map(type, queries)) and '' not in queries
            and not any('desc_id' in record for record in records)
            and _NUMBERS.issuperset(map(type, chain(starts, ends, scores)))
            and ((start >= 0) & (start <= end) & (end < LARGEST) & (abs(score) < 2 ** 53)).all()):
        raise ValueError
    refuse_known(list(map(str, queries)), set())
    counts = list(map(len, found))
    query = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((-score, query))
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(1, len(order) + 1) - np.searchsorted(query, query)
    none = [None] * len(windows)
    query_ids, doc_ids = (list(chain.from_iterable(map(repeat, ids, counts))) for ids in (map(str, queries), videos))
    return Rows(SegmentScoredDoc, (query_ids, doc_ids, starts, ends, scores, rank.tolist(), scores, none, none))


def _records(text: str) -> list[Any]:
    """The objects of lines, one each. Raises a ValueError where that is not plain, which a line alone has to tell."""
    lines = [line for line in map(str.strip, text.split('\n')) if line]
    if not all(line[0] == '{' and line[-1] == '}' for line in lines):
        raise ValueError
    records: list[Any] = loads(f'[{",".join(lines)}]')  # at once, which takes less time
    if len(records) != len(lines):
        raise ValueError
    return records


def _plain_qrels(records: list[dict[str, Any]]) -> Rows[MomentQrel]:
    """The windows of objects, as the reader of a line has them one by one. Raises a ValueError, a LookupError or a
    TypeError for objects that it has to look at."""
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
