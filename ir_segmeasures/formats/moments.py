"""Readers and writers of moment retrieval's files (QVHighlights, TVR): one JSON object a line, all of one query.

Judgements in TVR's own lines, one moment each, are read too; its predictions are another format (``tvr``).

Source: the QVHighlights data and its evaluation, https://github.com/jayleicn/moment_detr; TVR's lines,
https://github.com/jayleicn/TVRetrieval.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

from ir_segmeasures.formats.files.format import Files, Format, Lines
from ir_segmeasures.formats.files.reading import StrPath, read_text
from ir_segmeasures.formats.files.row_types import Number, SegmentScoredDoc
from ir_segmeasures.formats.files.writing import (
    decimal,
    judged_lines,
    left_out,
    ranked,
    refuse_grades,
    segment_of,
    write_text,
)
from ir_segmeasures.formats.json_files import NOT_PLAIN
from ir_segmeasures.formats.moment_lines import (
    duration_in,
    query_lines_of,
    read_query_lines,
    record_in,
    value_in,
    whole_line,
)
from ir_segmeasures.formats.moment_parts import plain_judgements, plain_predictions, windows_in_parts
from ir_segmeasures.formats.moment_windows import (
    QRELS_WINDOWS,
    MomentQrel,
    WindowList,
    doubts_of_file,
    judged_windows,
    predicted_windows,
    ranked_rows,
)
from ir_segmeasures.segments.json_objects import shown_value
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.spans import plain_number
from ir_segmeasures.segments.warnings import warn

__all__ = ['MOMENTS', 'MomentQrel', 'MomentQuery', 'MomentVideo', 'id_in_json', 'read_qrels', 'read_queries',
           'read_run', 'read_videos', 'write_qrels', 'write_run']

RUN_WINDOWS = 'pred_relevant_windows'

_NAME = 'moments'
# A query's number is a number in the files, as long as it is read as the same id.
_NUMBER = re.compile(r'0|-?[1-9][0-9]{0,17}')

Row = TypeVar('Row')


class MomentQuery(NamedTuple):
    """A query for moments: ``qid`` (of TVR, ``desc_id``) as text, and what is looked for."""

    query_id: str
    text: str


class MomentVideo(NamedTuple):
    """A video in which moments are looked for.

    Attributes:
        doc_id: ``vid`` (of TVR, ``vid_name``)
        duration: in seconds
    """

    doc_id: str
    duration: Number


def read_qrels(path: StrPath) -> Sequence[MomentQrel]:
    """Reads true windows, in file order: ``{"qid", "vid", "duration", "relevant_windows": [[start, end], …]}``, or the
    lines of TVR, ``{"desc_id", "vid_name", "duration", "ts": [start, end]}``.

    ``duration`` may be missing, and other keys are ignored. A query without windows has no rows, and a
    :class:`~ir_segmeasures.SegmentWarning` says how many there are.

    Raises:
        FormatError: a line is not such an object; a window is not two numbers, ends where it starts or before, or
            starts before 0; a query is on two lines
        OSError: the file cannot be opened
    """
    text = read_text(path, lines=True)
    with suppress(*NOT_PLAIN):  # what is not plain is looked at line by line
        return plain_judgements(text)
    lines = query_lines_of(text, path, _qrels)
    empty = [query_id for _, query_id, rows in lines if not rows]
    if empty:
        warn([f'{os.fspath(path)}: {len(empty)} of {len(lines)} queries have no true windows (such as '
              f'{joined(empty[:3])}), and are left out of means: check that this is meant'])
    return _rows(lines)


def read_run(path: StrPath, clip: bool = False) -> Sequence[SegmentScoredDoc]:
    """Reads predictions: ``{"qid", "vid", "pred_relevant_windows": [[start, end, score], …]}``.

    Rows come as they are listed in the file. ``rank`` is by descending score, ties as listed; windows without scores
    rank as listed, and minus the rank is their score. Times are seconds, or text such as ``'01:05'``. Other keys are
    ignored, windows may end after their video, and one that ends where it starts is an entry point. With ``clip``, a
    start before 0, as models print it, is let through, for :func:`~ir_segmeasures.formats.clipping.clipped`.

    A :class:`~ir_segmeasures.SegmentWarning` says of how many windows the end stood first, which are put in order, and
    how many have no numbers (``[]``, NaN or null), which are left out.

    Raises:
        FormatError: a line is not such an object; a window is not two times and maybe a score, or starts before 0; of a
            query's windows some have a score and some have none; a query is on two lines
        OSError: the file cannot be opened
    """
    text = read_text(path, lines=True)
    with suppress(*NOT_PLAIN):
        return plain_predictions(text, RUN_WINDOWS)
    lines = query_lines_of(text, path, partial(_predicted, clip=clip))
    warn(doubts_of_file(os.fspath(path), ((number, found.doubts) for number, _, (_, found) in lines)))
    return [row for _, query_id, (doc_id, found) in lines for row in ranked_rows(query_id, doc_id, found.windows)]


def read_queries(path: StrPath) -> list[MomentQuery]:
    """Reads the texts of the queries in the same lines: ``query``, of TVR ``desc``.

    Raises:
        FormatError: a line is not such an object; a query is on two lines
        OSError: the file cannot be opened
    """
    return _rows(read_query_lines(path, lambda fields: record_in(fields, lambda query_id, _, record: [
        MomentQuery(query_id, value_in(record, 'desc' if 'desc_id' in record else 'query', (str,), 'text').strip())])))


def read_videos(path: StrPath) -> list[MomentVideo]:
    """Reads the videos in the same lines with their durations, each once, as they first appear.

    Raises:
        FormatError: a line is not such an object or has no duration; a query is on two lines, a video has two durations
        OSError: the file cannot be opened
    """
    videos: dict[str, Number] = {}

    def video(_: str, doc_id: str, record: dict[str, Any]) -> list[str]:
        duration = duration_in(record)
        if duration is None:
            raise ValueError("the key 'duration' is missing, but the length of each video is wanted: add it")
        if videos.setdefault(doc_id, duration) != duration:
            raise ValueError(f'video {quoted(doc_id)} has the duration {duration} here and {videos[doc_id]} before, '
                             'but a video has one: correct it')
        return [doc_id]
    read_query_lines(path, lambda fields: record_in(fields, video))
    return list(map(MomentVideo._make, videos.items()))


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements, one query a line, queries as they first appear.

    Args:
        rows: of any reader; all relevant, without grades, in seconds, and a query's all in one video
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there
    """
    records: dict[str, dict[str, Any]] = {}

    def add(row: Any) -> None:
        segment = segment_of(row, unit, 't', _NAME)
        refuse_grades(row, segment.start == segment.end, _NAME)
        duration = getattr(row, 'duration', None)
        keys = {'vid': segment.document} if duration is None else {'vid': segment.document, 'duration': duration}
        _add(records, row, keys, QRELS_WINDOWS, [*map(plain_number, segment[1:3])])
    judged_lines(rows, add)
    _write(records, path)
    return left_out(rows, ('duration',))


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None,
              queries: Mapping[str, str] | None = None) -> list[str]:
    """Writes retrieved items, one query a line, queries as they first appear, windows in the order by ``score``.

    Args:
        rows, path, unit: as for :func:`write_qrels`
        queries: query → its video; those without rows come last, with an empty list of windows

    Returns, Raises:
        as :func:`write_qrels`
    """
    records: dict[str, dict[str, Any]] = {}

    def add(row: Any) -> None:
        segment = segment_of(row, unit, 't', _NAME)
        score = float(decimal(row.score, 'score'))
        _add(records, row, {'vid': segment.document}, RUN_WINDOWS,
             [*map(plain_number, segment[1:3]), row.score if isinstance(row.score, int) else score])
    judged_lines(rows, add)
    for record, positions in zip(records.values(), ranked(rows).values()):  # the score alone leaves ties open
        windows = dict(zip(sorted(positions), record[RUN_WINDOWS]))
        record[RUN_WINDOWS] = [windows[position] for position in positions]
    for query_id, video in (queries or {}).items():
        records.setdefault(query_id, {'qid': id_in_json(query_id), 'vid': video, RUN_WINDOWS: []})
    _write(records, path)
    return left_out(rows, ())


def _make_qrels(query_id: str, doc_id: str, record: dict[str, Any]) -> list[MomentQrel]:
    duration = duration_in(record)
    rows = []
    if 'desc_id' in record:
        windows = judged_windows([value_in(record, 'ts', (list,), 'a window [start, end]')], 'ts')
    else:
        windows = judged_windows(
            value_in(record, QRELS_WINDOWS, (list,), 'a list of windows [start, end]'), QRELS_WINDOWS)
    for window in windows:
        start, end = window
        if start == end:
            raise ValueError(f'window {shown_value(window)} ends where it starts, but a relevant judgement needs '
                             'content: move its end, or take it out')
        rows.append(MomentQrel(query_id, doc_id, start, end, duration=duration))
    return rows


def _predicted(fields: list[str], clip: bool = False) -> tuple[str, tuple[str, WindowList]]:
    """The query of a line, its video and its windows."""
    return record_in(fields, lambda query_id, doc_id, record: (doc_id, predicted_windows(
        value_in(record, RUN_WINDOWS, (list,), 'a list of windows [start, end, score]'), RUN_WINDOWS, clip)))


def _videos_of_queries(path: StrPath) -> dict[str, str]:
    """The queries of a file and their videos."""
    return {query_id: video for _, query_id, video in read_query_lines(
        path, lambda fields: record_in(fields, lambda _, doc_id, __: doc_id))}


def _qrels(fields: list[str]) -> tuple[str, list[MomentQrel]]:
    return record_in(fields, _make_qrels)


def _results(fields: list[str]) -> tuple[str, list[SegmentScoredDoc]]:
    query_id, (doc_id, found) = _predicted(fields)
    return query_id, ranked_rows(query_id, doc_id, found.windows)


def _doubts(fields: list[str]) -> str | None:
    _, (_, found) = _predicted(fields)
    return '; '.join(map(str, found.doubts)) or None


def _rows(lines: Iterable[tuple[int, str, list[Row]]]) -> list[Row]:
    return [row for _, _, rows in lines for row in rows]


def id_in_json(query_id: str) -> int | str:
    """The id of a query, as a number where it is read as the same id."""
    return int(query_id) if _NUMBER.fullmatch(query_id) else query_id


def _add(records: dict[str, dict[str, Any]], row: Any, keys: dict[str, Any], name: str, window: list[Number]) -> None:
    if not row.query_id or not keys['vid']:
        raise ValueError('an id is empty, but queries and videos are told apart by them: give both an id')
    record = records.setdefault(row.query_id, {
        'qid': id_in_json(row.query_id), **keys, name: []})
    for key, value in keys.items():
        if record.get(key) != value:
            raise ValueError(f'rows of this query before have {key} {quoted(record.get(key))}, not {quoted(value)}, '
                             f'but a query of {_NAME} has one video: make a query of each video')
    record[name].append(window)


def _write(records: dict[str, dict[str, Any]], path: StrPath) -> None:
    import json
    write_text([json.dumps(record) for record in records.values()], path)


MOMENTS = Format(
    'moments', 'moment retrieval (QVHighlights, TVR): one JSON object a line with the windows of a query', 't',
    Files(read_qrels, write_qrels, Lines(_qrels, whole_line), read_parts=windows_in_parts),
    lists=('queries', 'videos'),
    run=Files(read_run, write_run, Lines(_results, whole_line, doubt=_doubts, together=True),
              options=('clip', 'normalised'), write_options=('queries',), queries=_videos_of_queries,
              durations=lambda path: dict(read_videos(path))))
