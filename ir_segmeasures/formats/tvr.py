"""Reader and writer of the predictions of TVR's program: one JSON object, the numbers of videos and three tasks' lists.

Source: the program and its data, https://github.com/jayleicn/TVRetrieval.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ir_segmeasures.formats import moment_windows
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.row_types import Number, SegmentScoredDoc, StrPath
from ir_segmeasures.formats.files.writing import own_score, ranked_lines
from ir_segmeasures.formats.moments import TRUE, id_in_json
from ir_segmeasures.segments.basics import quoted

TASKS = ('VCMR', 'SVMR', 'VR')


class _Answer(msgspec.Struct):
    desc_id: int | moment_windows.Id
    predictions: list[tuple[Number, Number, Number, moment_windows.Score]]


class _Predictions(msgspec.Struct):
    video2idx: dict[moment_windows.Id, Number]


def read_run(path: StrPath, task: str = 'VCMR', clip: bool = False) -> Sequence[SegmentScoredDoc]:
    """Reads the predictions of one task: ``{"video2idx": {video: number}, "VCMR": [{"desc_id", "predictions":
    [[number of the video, start, end, score], …]}, …], "SVMR": …, "VR": …}``.

    Rows come in the official order, that of the file, whatever the scores are: ``score`` is minus the rank, and
    ``run_score`` the file's own. The lists of VR have videos, which are entry points at 0 here:
    :func:`~ir_segmeasures.to_documents` makes documents of them.

    Args:
        path: of the file
        task: ``'VCMR'`` (moments of all videos), ``'SVMR'`` (of the query's video) or ``'VR'`` (videos)
        clip: whether a start before 0 is let through, for :func:`~ir_segmeasures.formats.extents.clipped`

    Raises:
        FormatError: the file is not such an object, or lacks predictions of this task; a prediction is not 4 numbers,
            is of a video without a number, ends before it starts, or starts before 0; a query is there twice
        ValueError: another task
        OSError: the file cannot be opened
    """
    _check_task(task)
    kind = msgspec.defstruct('Predictions', [(task, list[_Answer])], bases=(_Predictions,), kw_only=True)
    return moment_windows.object_reader(SegmentScoredDoc, kind, 'the predictions of TVR', lambda content, notes: _rows(
        content.video2idx, getattr(content, task), clip))(path)


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None, *, task: str = 'VCMR') -> list[str]:
    """Writes retrieved items as the predictions of one task, query by query in the order by ``score``.

    Videos are numbered from 0 as they first appear. The scores are the rows' ``run_score`` where they have one.

    Args:
        rows: of any reader, in seconds
        path: packed if it ends in ``.gz``
        unit: of the rows' ``start`` and ``end``, where these are not in the ids
        task: ``'VCMR'``; ``'SVMR'``, for which all items of a query are of one video; or ``'VR'``, for which they are
            whole documents, or entry points at 0 as the reader has them

    Returns:
        what the rows have and the file has not, in words

    Raises:
        WriteError: a row cannot be held; nothing is written
        ValueError: another task
        OSError: the file cannot be written
    """
    _check_task(task)
    numbers: dict[str, int] = {}
    first: dict[str, str] = {}

    def add(records: dict[str, Any], row: Any, video: str, window: list[Number]) -> None:
        if task == 'VR' and any(window):
            raise ValueError('VR ranks videos, and this is a moment: write the moments as VCMR, or make documents of '
                             'the run with to_documents()')
        if task == 'SVMR' and first.setdefault(row.query_id, video) != video:
            raise ValueError(f'an item of this query before is of {quoted(first[row.query_id])}, but SVMR has moments '
                             'of one video: write the task VCMR')
        record = records.setdefault(row.query_id, {'desc_id': id_in_json(row.query_id), 'predictions': []})
        score = moment_windows.score_in_json(own_score(row))
        record['predictions'].append([numbers.setdefault(video, len(numbers)), *window, score])
    if task == 'VR':
        rows = [row if hasattr(row, 'end') or '#' in row.doc_id else SegmentScoredDoc(
            row.query_id, row.doc_id, 0, 0, row.score, 0, own_score(row), None, None) for row in rows]
    return moment_windows.write_records(rows, path, unit, format='tvr', add=add, lines=lambda records: [
        {'video2idx': numbers, task: list(records.values())}], held=('run_score',), walk=ranked_lines)


def _rows(numbers: dict[str, Number], answers: list[_Answer], clip: bool) -> Iterator[list[Any]]:
    videos = {number: video for video, number in numbers.items()}
    if len(videos) < len(numbers):
        raise ValueError("two videos of 'video2idx' have one number, but predictions name videos by it: give each its "
                         'own')

    def row(query_id: str, rank: int, number: Number, start: Number, end: Number, score: Number) -> Any:
        if number not in videos:
            raise ValueError(f"prediction {rank} for query {quoted(query_id)} is of the video {number}, which none in "
                             "'video2idx' has as its number: add the video")
        moment_windows.checked_window([start, end], query_id, clip)
        return query_id, videos[number], start, end, -rank, rank, score, None, None
    return moment_windows.each_once((str(answer.desc_id), [
        row(str(answer.desc_id), rank, *found) for rank, found in enumerate(answer.predictions, 1)])
        for answer in answers)


def _check_task(task: str) -> None:
    if task not in TASKS:
        raise ValueError(f'task={quoted(task)}: the tasks of TVR are {", ".join(map(repr, TASKS))}')


TVR = Format(
    'tvr', 'predictions of TVR, one JSON object; --task chooses VCMR (moments of all videos), SVMR or VR (videos)', 't',
    TRUE, Files(read_run, write_run, options=('task', 'clip'), write_options=('task',), order='rank'),
    lists=('queries', 'videos'))
