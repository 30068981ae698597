"""Readers and writers of temporal detection in ActivityNet's files: one JSON object with the windows of each video,
each of a class. A class is a query, and its windows in all videos are judged and ranked together.

Source: the data and its evaluation, https://github.com/activitynet/ActivityNet; THUMOS'14 is often given so, too.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from ir_segmeasures.formats import moment_windows
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number, SegmentScoredDoc
from ir_segmeasures.formats.files.writing import scored_in_order
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.formats.moment_windows import Duration, Id, MomentQrel, Window
from ir_segmeasures.segments.quoting import joined, quoted

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
    score: moment_windows.Score
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
    def windows(content: _Truth) -> Iterator[moment_windows.Windows]:
        videos = content.database
        if videos and not any(video.annotations for video in videos.values() if video.subset == subset):
            having = joined(dict.fromkeys(quoted(video.subset) for video in videos.values() if video.annotations))
            raise ValueError(f'no video of the subset {quoted(subset)} has a window (subsets with windows: '
                             f'{having or "none"}), but judgements have one: name another with --subset, or check that '
                             'this is the right file')
        return ((_query(found.label), name, [found.segment], video.duration) for name, video in videos.items()
                if video.subset == subset for found in video.annotations)
    return moment_windows.read_windows(path, 'the true windows of ActivityNet', _Truth, windows)


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
    return read_object(path, 'predictions of ActivityNet', lambda content: moment_windows.rows_of(SegmentScoredDoc, (
        [(_query(found.label), video, *moment_windows.checked_window(found.segment, found.label, clip), found.score, 0,
          found.score, None, None) for found in results] for video, results in content.results.items())), _Predictions)


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements as the true windows of the subset ``validation``, videos as they first appear.

    Args:
        rows: of any reader; all relevant, without grades, in seconds
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there
    """
    def add(records: dict[str, Any], row: Any, video: str, window: list[Number]) -> None:
        fields: dict[str, Any] = {'subset': SUBSET, 'duration': getattr(row, 'duration', None), 'annotations': []}
        record = moment_windows.record_in(records, video, fields, 'a video has one: correct it')
        record['annotations'].append({'label': _label(row), 'segment': window})
    return moment_windows.write_records(rows, path, unit, _NAME, add, lambda records: [{'database': records}],
                                        ('duration',))


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes retrieved items, videos as they first appear. Scores of tied items are made to differ, so that the program
    has the order of the rows.

    Args, Returns, Raises:
        as :func:`write_qrels`
    """
    def add(records: dict[str, Any], row: Any, video: str, window: list[Number]) -> None:
        score = moment_windows.score_in_json(row.score)
        records.setdefault(video, []).append({'label': _label(row), 'score': score, 'segment': window})
    return moment_windows.write_records(scored_in_order(rows), path, unit, _NAME, add, lambda records: [
        {'version': 'VERSION 1.3', 'results': records, 'external_data': {}}])


@lru_cache(maxsize=1 << 12)
def _query(label: str) -> str:
    """The id of a class: its label without white space, at which files of other formats split."""
    return re.sub(r'[\s%]', lambda sign: quote(sign[0]), label)


def _label(row: Any) -> str:
    label = unquote(row.query_id)
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
