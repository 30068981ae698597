"""Readers and writers of temporal detection in ActivityNet's files: one JSON object with the windows of each video,
each of a class. A class is a query, and its windows in all videos are judged and ranked together.

Source: the data and its evaluation, https://github.com/activitynet/ActivityNet; THUMOS'14 is often given so, too.
"""

import json
import os
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.order import ranks_by_score
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import FileRows, Number, SegmentScoredDoc
from ir_segmeasures.formats.files.writing import (
    decimal,
    judged_lines,
    left_out,
    scored_in_order,
    segment_of,
    write_text,
)
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.formats.moment_windows import (
    Duration,
    Id,
    MomentQrel,
    Notes,
    RowColumns,
    Window,
    checked_window,
    judged_windows,
    refuse_other_grades,
    warn_of,
)
from ir_segmeasures.segments.json_objects import is_number, shown_value
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.spans import plain_number

__all__ = ['ACTIVITYNET', 'read_qrels', 'read_run', 'write_qrels', 'write_run']

SUBSET = 'validation'
_NAME = 'activitynet'


class _Annotation(msgspec.Struct):
    label: Id
    segment: Window


class _Video(msgspec.Struct):
    subset: str
    annotations: list[_Annotation]
    duration: Duration | None = None


class _Truth(msgspec.Struct):
    database: dict[str, _Video]


class _Result(msgspec.Struct, gc=False):  # of which there may be a million
    label: Id
    score: Number
    segment: tuple[Number, Number]


class _Predictions(msgspec.Struct):
    results: dict[str, list[_Result]]


def read_qrels(path: StrPath, subset: str = SUBSET) -> Sequence[MomentQrel]:
    """Reads the true windows of the videos of a subset, in file order: ``{"database": {video: {"subset", "duration",
    "annotations": [{"label", "segment": [start, end]}, …]}}}``.

    The query is the label of the class, in which white space and ``%`` are percent-encoded. ``duration`` may be
    missing, and other keys are ignored. A window that ends where it starts is judged 0, and a
    :class:`~ir_segmeasures.SegmentWarning` says how many there are.

    Raises:
        FormatError: the file is no such object; the subset has no window; a window is not two numbers, ends before it
            starts, or starts before 0
        OSError: the file cannot be opened
    """
    notes: Notes = []

    def parse(content: _Truth) -> list[MomentQrel]:
        rows = [row for name, video in content.database.items() if video.subset == subset
                for annotation in video.annotations
                for row in judged_windows(_query(annotation.label), name, [annotation.segment], video.duration, notes)]
        if content.database and not rows:
            having = joined(dict.fromkeys(quoted(video.subset) for video in content.database.values()
                                          if video.annotations)) or 'none'
            raise ValueError(f'no video of the subset {quoted(subset)} has a window (subsets with windows: {having}), '
                             'but judgements have one: name another with --subset, or check that this is the right '
                             'file')
        return rows
    rows = FileRows.of(MomentQrel, read_object(path, 'the true windows of ActivityNet', parse, _Truth))
    warn_of(os.fspath(path), notes)
    return rows


def read_run(path: StrPath, clip: bool = False) -> Sequence[SegmentScoredDoc]:
    """Reads predictions, in file order: ``{"results": {video: [{"label", "score", "segment": [start, end]}, …]}}``.

    ``rank`` is by descending score among all windows of a class, ties as listed. The query is the label, as in
    :func:`read_qrels`; other keys are ignored.

    Args:
        path: of the file
        clip: whether a start before 0 is let through, for :func:`~ir_segmeasures.formats.clipping.clipped`

    Raises:
        FormatError: the file is no such object; a window is not two numbers, ends before it starts, or starts before 0
        OSError: the file cannot be opened
    """
    def parse(content: _Predictions) -> Sequence[SegmentScoredDoc]:
        rows = RowColumns(SegmentScoredDoc)
        for video, results in content.results.items():
            for place, result in enumerate(results):
                try:
                    checked_window(result.segment, clip)
                    if not is_number(result.score):
                        raise ValueError(f'the score {shown_value(result.score)} is not a finite number: correct it')
                except ValueError as error:
                    raise ValueError(f'result {place} of video {quoted(video)}: {error}') from None
            count, scores = len(results), [result.score for result in results]
            rows.add(([_query(result.label) for result in results], [video] * count,
                      [result.segment[0] for result in results], [result.segment[1] for result in results],
                      scores, scores, scores, [None] * count, [None] * count))
        found = rows.rows()
        found.columns['rank'] = ranks_by_score(found.columns['query_id'], found.columns['score'])
        return found
    return read_object(path, 'the predictions of ActivityNet', parse, _Predictions)


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements as the true windows of the subset ``validation``, videos as they first appear.

    Args:
        rows: of any reader; all relevant, without grades, in seconds
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there
    """
    videos: dict[str, dict[str, Any]] = {}

    def add(row: Any) -> None:
        segment = segment_of(row, unit, 't', _NAME)
        refuse_other_grades(row, segment.start == segment.end, _NAME)
        label, duration = _label(row, segment.document), getattr(row, 'duration', None)
        record = videos.setdefault(segment.document, {
            'subset': SUBSET, **({} if duration is None else {'duration': duration}), 'annotations': []})
        if record.get('duration') != duration:
            raise ValueError(f'rows of this video before have the duration {record.get("duration")}, not {duration}, '
                             'but a video has one: correct it')
        record['annotations'].append({'label': label, 'segment': [*map(plain_number, segment[1:3])]})
    judged_lines(rows, add)
    write_text([json.dumps({'database': videos})], path)
    return left_out(rows, ('duration',))


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes retrieved items, videos as they first appear. Scores of tied items are made to differ, so that the program
    has the order of the rows.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    videos: dict[str, list[dict[str, Any]]] = {}

    def add(row: Any) -> None:
        segment = segment_of(row, unit, 't', _NAME)
        decimal(row.score, 'score')
        videos.setdefault(segment.document, []).append({
            'label': _label(row, segment.document), 'score': row.score if isinstance(row.score, int) else float(
                row.score), 'segment': [*map(plain_number, segment[1:3])]})
    judged_lines(scored_in_order(rows), add)
    write_text([json.dumps({'version': 'VERSION 1.3', 'results': videos, 'external_data': {}})], path)
    return left_out(rows, ())


@lru_cache(maxsize=1 << 12)
def _query(label: str) -> str:
    """The id of a class: its label without white space, at which files of other formats split."""
    return re.sub(r'[\s%]', lambda sign: quote(sign[0]), label)


def _label(row: Any, video: str) -> str:
    label = unquote(row.query_id)
    if not label or not video:
        raise ValueError('an id is empty, but classes and videos are told apart by them: give both an id')
    if _query(label) != row.query_id:
        raise ValueError(f'the class {quoted(row.query_id)} would be read as {quoted(_query(label))}, since only white '
                         'space and % are percent-encoded: rename it')
    return label


ACTIVITYNET = Format(
    'activitynet', "temporal detection (ActivityNet, THUMOS'14), one JSON object: a class is a query; --subset chooses "
    'the videos whose windows are read', 't',
    Files(read_qrels, write_qrels, options=('subset',), rules=Rules((), ('judged_once', 'within_the_document'))),
    # Detectors have several windows for one moment.
    Files(read_run, write_run, options=('clip', 'normalised'),
          rules=Rules((), ('judged_query', 'answered_queries', 'within_the_document'))))
