"""Windows of sentences, queries and questions in one JSON object: Ego4D's natural language queries (NLQ), ActivityNet
Captions, whose form Charades-CG and YouCook2 have too, and NExT-GQA.

Sources: the episodic memory benchmark of Ego4D, https://github.com/EGO4D/episodic-memory;
https://cs.stanford.edu/people/ranjaykrishna/densevid (Krishna et al. 2017), https://github.com/doc-doc/NExT-GQA
(Xiao et al. 2024).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ir_segmeasures.formats import moment_windows
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number, SegmentScoredDoc
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.formats.moment_windows import Duration, Id, MomentQrel, Window, Windows
from ir_segmeasures.formats.moments import MomentQuery
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import plain_number

_NAME = 'ego4d-nlq'
_CAPTIONS = 'the sentences of ActivityNet Captions'
_ID = re.compile(r'(.+)_(0|[1-9][0-9]{0,8})', re.DOTALL)


class _Query(msgspec.Struct):
    clip_start_sec: moment_windows.Time
    clip_end_sec: moment_windows.Time


class _Annotation(msgspec.Struct):
    annotation_uid: Id
    language_queries: list[_Query]


class _Clip(msgspec.Struct):
    clip_uid: Id
    annotations: list[_Annotation]
    video_start_sec: Duration | None = None
    video_end_sec: Duration | None = None

    @property
    def duration(self) -> Number | None:
        if self.video_start_sec is None or self.video_end_sec is None:
            return None
        return plain_number(round(self.video_end_sec - self.video_start_sec, 6))


class _Video(msgspec.Struct):
    clips: list[_Clip]


class _Truth(msgspec.Struct):
    videos: list[_Video]


class _Result(msgspec.Struct):
    clip_uid: Id
    annotation_uid: Id
    query_idx: int
    predicted_times: list[tuple[Number, Number]]


class _Predictions(msgspec.Struct):
    results: list[_Result]


def read_qrels(path: StrPath) -> Sequence[MomentQrel]:
    """Reads the true windows, in file order: ``{"videos": [{"clips": [{"clip_uid", "annotations": [{"annotation_uid",
    "language_queries": [{"clip_start_sec", "clip_end_sec"}, …]}, …]}, …]}, …]}``.

    The document is the clip, and the query ``annotation_uid_place``, with its place in its annotation from 0. The
    duration of a clip is that from its ``video_start_sec`` to its ``video_end_sec``, if both are there. Other keys are
    ignored. Windows that end where they start are judged 0, and a :class:`~ir_segmeasures.SegmentWarning` says how many
    there are: their queries count 0, as in Ego4D's program.

    Raises:
        FormatError: the file is no such object; a window is not two numbers, ends before it starts, or starts before
            0; an annotation is there twice
        OSError: the file cannot be opened
    """
    return moment_windows.read_windows(path, 'the queries of Ego4D', _Truth, _windows)


def _windows(content: _Truth) -> Iterator[moment_windows.Windows]:
    known = set()
    for clip in (clip for video in content.videos for clip in video.clips):
        for annotation in clip.annotations:
            uid = annotation.annotation_uid
            if uid in known:
                raise ValueError(f'annotation {quoted(uid)} of clip {quoted(clip.clip_uid)} is there twice, but '
                                 'queries are told apart by it: take one of the two out, or rename it')
            known.add(uid)
            for place, query in enumerate(annotation.language_queries):
                yield f'{uid}_{place}', clip.clip_uid, [(query.clip_start_sec, query.clip_end_sec)], clip.duration


def read_run(path: StrPath, clip: bool = False) -> Sequence[SegmentScoredDoc]:
    """Reads predictions, in file order: ``{"results": [{"clip_uid", "annotation_uid", "query_idx", "predicted_times":
    [[start, end], …]}, …]}``. Windows rank as listed, and minus the rank is their score. Other keys are ignored.

    Args:
        path: of the file
        clip: whether a start before 0 is let through, for :func:`~ir_segmeasures.formats.clipping.clipped`

    Raises:
        FormatError: the file is no such object; a window is not two numbers, ends before it starts, or starts before
            0; a query is there twice
        OSError: the file cannot be opened
    """
    def answers(content: _Predictions) -> Iterator[tuple[str, list[SegmentScoredDoc]]]:
        for result in content.results:
            query = f'{result.annotation_uid}_{result.query_idx}'
            yield query, moment_windows.ranked_windows(query, result.clip_uid, [
                moment_windows.checked_window(window, query, clip) for window in result.predicted_times])
    return read_object(path, 'the predictions of Ego4D', lambda content: moment_windows.rows_of_queries(
        answers(content)), _Predictions)


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements, annotations as they first appear, each in a video of its own.

    Args:
        rows: of any reader, in seconds, one for each query, judged 1 (0 where it has no content); queries are called
            ``annotation_place``, those of an annotation numbered from 0 and of one clip
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there
    """
    def add(records: dict[str, Any], row: Any, clip: str, window: list[Number]) -> None:
        uid, place = _named(row)
        length = getattr(row, 'duration', None)
        record = moment_windows.record_in(records, uid, {
            'clip_uid': clip, 'video_start_sec': None if length is None else 0, 'video_end_sec': length,
            'annotations': [{'annotation_uid': uid, 'language_queries': []}]}, 'an annotation has one clip: rename it')
        queries = record['annotations'][0]['language_queries']
        if place != len(queries):
            raise ValueError(f'this is query {place} of an annotation that has {len(queries)} queries before, but '
                             'those are numbered from 0 in their order: put the rows in order, one for each query')
        queries.append({'clip_start_sec': window[0], 'clip_end_sec': window[1]})
    return moment_windows.write_records(rows, path, unit, _NAME, add, lambda records: [{'videos': [
        {'video_uid': record['clip_uid'], 'clips': [record]} for record in records.values()]}], ('duration',))


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes retrieved items, one result a query, windows in the order by ``score``; the file has no scores.

    Args:
        rows: of any reader, in seconds; queries are called ``annotation_place``, and all items of a query are of one
            clip
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there
    """
    def add(records: dict[str, Any], row: Any, clip: str, window: list[Number]) -> None:
        uid, place = _named(row)
        moment_windows.record_in(
            records, row.query_id, {'clip_uid': clip, 'annotation_uid': uid, 'query_idx': place, 'predicted_times': []},
            f'a query of {_NAME} has one clip: make a query of each clip')['predicted_times'].append(window)
    return moment_windows.write_records(rows, path, unit, _NAME, add, lambda records: [
        {'version': '1.0', 'challenge': 'ego4d_nlq_challenge', 'results': list(records.values())}], ranked=True)


def _named(row: Any) -> tuple[str, int]:
    """The annotation of a query and its place there."""
    found = _ID.fullmatch(row.query_id)
    if not found:
        raise ValueError(f'the query {quoted(row.query_id)} is not called annotation_place, but {_NAME} names queries '
                         'by their annotation and their place there, such as a1_0: rename it')
    return found[1], int(found[2])


EGO4D_NLQ = Format(
    'ego4d-nlq', "natural language queries of Ego4D, one JSON object: a query's one window in its clip, and windows as "
    'they are listed', 't', Files(read_qrels, write_qrels, rules=Rules((), ('within_the_document',))),
    Files(read_run, write_run, options=('clip', 'normalised'), order='line', rules=Rules(
        (), ('retrieved_once', 'judged_query', 'answered_queries', 'overlap', 'within_the_document'))))


class _Captions(msgspec.Struct):
    timestamps: list[Window]
    sentences: list[str]
    duration: Duration | None = None


class _Located(msgspec.Struct):
    location: dict[str, list[Window]]
    duration: Duration | None = None


def read_captions(path: StrPath) -> Sequence[MomentQrel]:
    """Reads the true windows of sentences, in file order: ``{video: {"duration", "timestamps": [[start, end], …],
    "sentences": [sentence, …]}}``. The query is ``video_place``, with the place of the sentence from 0.

    Raises:
        FormatError: the file is no such object; a window is not two numbers, ends before it starts, or starts before 0
        OSError: the file cannot be opened
    """
    def windows(content: dict[str, _Captions]) -> Iterator[Windows]:
        for video, record in content.items():
            if len(record.timestamps) != len(record.sentences):
                raise ValueError(f'video {quoted(video)} has {len(record.timestamps)} timestamps beside '
                                 f'{len(record.sentences)} sentences, but each sentence has one: correct it')
            for place, window in enumerate(record.timestamps):
                yield f'{video}_{place}', video, [window], record.duration
    return moment_windows.read_windows(path, _CAPTIONS, dict[Id, _Captions], windows)


def read_grounded_answers(path: StrPath) -> Sequence[MomentQrel]:
    """Reads the true windows of questions, in file order: ``{video: {"duration", "location": {question: [[start, end],
    …]}}}``. The query is ``video_question``.

    Raises:
        as :func:`read_captions`
    """
    return moment_windows.read_windows(path, 'the grounded answers of NExT-GQA', dict[Id, _Located], lambda content: (
        (f'{video}_{question}', video, windows, record.duration)
        for video, record in content.items() for question, windows in record.location.items()))


def read_sentences(path: StrPath) -> list[MomentQuery]:
    """Reads the sentences of the file of :func:`read_captions`, with the ids of its queries."""
    return read_object(path, _CAPTIONS, lambda content: [
        MomentQuery(f'{video}_{place}', sentence.strip()) for video, record in content.items()
        for place, sentence in enumerate(record.sentences)], dict[Id, _Captions])


ACTIVITYNET_CAPTIONS = Format(
    'activitynet-captions', 'ActivityNet Captions, Charades-CG, YouCook2: one JSON object, video → timestamps and '
    'sentences', 't', Files(read_captions, texts=lambda path: dict(read_sentences(path))), lists=('queries', 'videos'),
    read_queries=read_sentences)
NEXT_GQA = Format('next-gqa', 'NExT-GQA: one JSON object, video → the windows of its questions', 't',
                  Files(read_grounded_answers), lists=('videos',))
