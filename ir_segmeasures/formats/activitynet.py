"""Readers and writers of temporal detection in ActivityNet's files: one JSON object with the windows of each video,
each of a class. A class is a query, and its windows in all videos are judged and ranked together.

Source: the data and its evaluation, https://github.com/activitynet/ActivityNet; THUMOS'14 is often given so, too.
"""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from ir_segmeasures.formats.files.blocks import taken_column
from ir_segmeasures.formats.files.fields import column_of
from ir_segmeasures.formats.files.format import Files, Format
from ir_segmeasures.formats.files.order import ranks_by_score
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Rows, SegmentScoredDoc
from ir_segmeasures.formats.files.writing import (
    decimal,
    judged_lines,
    left_out,
    rank_numbers,
    refuse_grades,
    scored_in_order,
    segment_of,
    write_text,
)
from ir_segmeasures.formats.json_files import (
    NOT_PLAIN,
    number_at,
    plain_floats,
    read_object,
    refuse_other_types,
    refuse_other_windows,
    window_of,
)
from ir_segmeasures.formats.moments import MomentQrel
from ir_segmeasures.segments.json_objects import value_of
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.spans import plain_number

__all__ = ['ACTIVITYNET', 'read_qrels', 'read_run', 'write_qrels', 'write_run']

SUBSET = 'validation'
_NAME = 'activitynet'


def read_qrels(path: StrPath, subset: str = SUBSET) -> list[MomentQrel]:
    """Reads the true windows of the videos of a subset, in file order: ``{"database": {video: {"subset", "duration",
    "annotations": [{"label", "segment": [start, end]}, …]}}}``.

    The query is the label of the class, in which white space and ``%`` are percent-encoded. ``duration`` may be
    missing, and other keys are ignored.

    Raises:
        FormatError: the file is no such object; the subset has no window; a window is not two numbers, ends where it
            starts or before, or starts before 0
        OSError: the file cannot be opened
    """
    def parse(content: Any) -> list[MomentQrel]:
        rows = []
        subsets: dict[str, bool] = {}
        for video, record in value_of(content, 'database', dict, 'an object, video → its windows', 'the file').items():
            where = f'video {quoted(video)}'
            there = value_of(record, 'subset', str, 'text', where)
            annotations = value_of(record, 'annotations', list, 'a list of windows with labels', where)
            subsets[there] = subsets.get(there, False) or bool(annotations)
            if there != subset:
                continue
            duration = None if record.get('duration') is None else number_at(record, 'duration', where)
            for annotation in annotations:
                label = _query(value_of(annotation, 'label', str, 'text', f'a window of {where}'))
                start, end = window_of(value_of(annotation, 'segment', list, '[start, end]', f'a window of {where}'),
                                       where)
                if start == end:
                    raise ValueError(f'{where} has the window [{start}, {end}], which ends where it starts, but a '
                                     'relevant judgement needs content: move its end, or take it out')
                rows.append(MomentQrel(label, video, start, end, duration=duration))
        if subsets and not rows:
            having = joined([quoted(name) for name, has in subsets.items() if has]) or 'none'
            raise ValueError(f'no video of the subset {quoted(subset)} has a window (subsets with windows: {having}), '
                             'but judgements have one: name another with --subset, or check that this is the right '
                             'file')
        return rows
    return read_object(path, 'the true windows of ActivityNet', parse)


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
    def parse(content: Any) -> Sequence[SegmentScoredDoc]:
        with suppress(*NOT_PLAIN):
            return _plain_predictions(content['results'])
        rows = []
        for video, results in value_of(content, 'results', dict, 'an object, video → its predictions',
                                       'the file').items():
            if not isinstance(results, list):
                raise ValueError(f'the results of video {quoted(video)} are no list, but a video has a list of '
                                 'predictions: correct it')
            for place, result in enumerate(results):
                where = f'result {place} of video {quoted(video)}'
                label = _query(value_of(result, 'label', str, 'text', where))
                score = number_at(result, 'score', where)
                start, end = window_of(value_of(result, 'segment', list, '[start, end]', where), where, clip)
                rows.append(SegmentScoredDoc(label, video, start, end, score, 0, score, None, None))
        return [row._replace(rank=rank) for row, rank in zip(rows, rank_numbers(rows))]
    return read_object(path, 'the predictions of ActivityNet', parse)


def _plain_predictions(results: Any) -> Rows[SegmentScoredDoc]:
    """The rows of :func:`read_run`, by columns. Raises an error of ``NOT_PLAIN`` where something is wrong or not plain.
    """
    refuse_other_types(results.values(), list)
    found = list(chain.from_iterable(results.values()))
    labels, score, segments = ([result[key] for result in found] for key in ('label', 'score', 'segment'))
    refuse_other_types(labels, str)
    refuse_other_types(segments, list)
    starts, ends = [start for start, _ in segments], [end for _, end in segments]
    refuse_other_windows(starts, ends)
    queries = {label: _query(label) for label in dict.fromkeys(labels)}
    ' '.join([*queries, *results]).encode()  # lone surrogates are an error
    query = column_of([queries[label] for label in labels])
    video = taken_column(column_of(list(results)), np.repeat(np.arange(len(results)), list(map(len, results.values()))))
    nothing = [None] * len(found)
    return Rows(SegmentScoredDoc, (query, video, starts, ends, score, ranks_by_score(
        query, plain_floats(score, 2 ** 53)), score, nothing, nothing))


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
        refuse_grades(row, segment.start == segment.end, _NAME)
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
    Files(read_qrels, write_qrels, options=('subset',)), Files(read_run, write_run, options=('clip', 'normalised')))
