"""Windows in one JSON object: temporal detection of ActivityNet (the windows of each video, each of a class, which is a
query), natural language queries (NLQ) of Ego4D, ActivityNet Captions, whose form Charades-CG and YouCook2 have too, and
NExT-GQA.

Sources: https://github.com/activitynet/ActivityNet (THUMOS'14 is often given so, too); the episodic memory benchmark of
Ego4D, https://github.com/EGO4D/episodic-memory; https://cs.stanford.edu/people/ranjaykrishna/densevid (Krishna et al.
2017); https://github.com/doc-doc/NExT-GQA (Xiao et al. 2024).
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Annotated, Any
from urllib.parse import quote, unquote

import msgspec

from ir_segmeasures.formats import moment_windows
from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number, SegmentScoredDoc
from ir_segmeasures.formats.files.writing import judged_lines, ranked_lines, scored_in_order
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.formats.moment_windows import Duration, Id, MomentQrel, Notes, Window, judged_windows, object_reader
from ir_segmeasures.formats.moments import MomentQuery
from ir_segmeasures.segments.basics import joined, plain_number, quoted
from ir_segmeasures.segments.segment import TOO_LARGE

SUBSET = 'validation'
_NAME = 'ego4d-nlq'
_CAPTIONS = 'the sentences of ActivityNet Captions'
_ID = re.compile(r'(.+)_(0|[1-9][0-9]{0,8})', re.DOTALL)


class _Label(msgspec.Struct):
    label: Id
    segment: Window


class _LabelledVideo(msgspec.Struct):
    subset: str
    annotations: list[_Label]
    duration: Duration | None = None


class _Labels(msgspec.Struct):
    """The true windows of ActivityNet; those of one subset are read."""
    database: dict[str, _LabelledVideo]


class _Detection(msgspec.Struct, gc=False):  # of which there may be a million
    label: Id
    score: moment_windows.Score
    segment: tuple[Number, Number]


class _Detections(msgspec.Struct):
    """Predictions of ActivityNet."""
    results: dict[str, list[_Detection]]


def _labelled(content: _Labels, notes: Notes, subset: str = SUBSET) -> list[list[MomentQrel]]:
    videos = content.database
    if videos and not any(video.annotations for video in videos.values() if video.subset == subset):
        having = joined(dict.fromkeys(quoted(video.subset) for video in videos.values() if video.annotations))
        raise ValueError(f'no video of the subset {quoted(subset)} has a window (subsets with windows: '
                         f'{having or "none"}), but judgements have one: name another with --subset, or check that '
                         'this is the right file')
    return [judged_windows(_class(found.label), name, [found.segment], video.duration, notes)
            for name, video in videos.items() if video.subset == subset for found in video.annotations]


def _detected(content: _Detections, notes: Notes, clip: bool = False) -> Iterator[Sequence[Any]]:
    for video, results in content.results.items():
        yield [(_class(found.label), video, *moment_windows.checked_window(found.segment, found.label, clip),
                found.score, 0, found.score, None, None) for found in results]


def _add_label(records: dict[str, Any], row: Any, video: str, window: list[Number]) -> None:
    moment_windows.record_in(records, video, {
        'subset': SUBSET, 'duration': getattr(row, 'duration', None), 'annotations': []},
        'a video has one: correct it')['annotations'].append({'label': _label(row), 'segment': window})


def _add_detection(records: dict[str, Any], row: Any, video: str, window: list[Number]) -> None:
    records.setdefault(video, []).append({
        'label': _label(row), 'score': moment_windows.score_in_json(row.score), 'segment': window})


@lru_cache(maxsize=1 << 12)
def _class(label: str) -> str:
    """The id of a class: its label with white space and ``%`` percent-encoded, since files of other formats split at
    white space."""
    return re.sub(r'[\s%]', lambda sign: quote(sign[0]), label)


def _label(row: Any) -> str:
    label = unquote(row.query_id)
    if _class(label) != row.query_id:
        raise ValueError(f'the class {quoted(row.query_id)} would be read as {quoted(_class(label))}, since only white '
                         'space and % are percent-encoded: rename it')
    return label


_WRITE_DETECTION = partial(moment_windows.write_records, format='activitynet')
ACTIVITYNET = Format(
    'activitynet', "temporal detection (ActivityNet, THUMOS'14), one JSON object: a class is a query; --subset chooses "
    'the videos whose windows are read', 't',
    Files(object_reader(MomentQrel, _Labels, 'the true windows of ActivityNet', _labelled),
          partial(_WRITE_DETECTION, add=_add_label, lines=lambda records: [{'database': records}], held=('duration',)),
          options=('subset',), rules=Rules((), ('judged_once', 'within_the_document'))),
    # Detectors have several windows for one moment; the program has the order of the rows if no scores are tied.
    Files(object_reader(SegmentScoredDoc, _Detections, 'predictions of ActivityNet', _detected),
          partial(_WRITE_DETECTION, add=_add_detection,
                  walk=lambda rows, line: judged_lines(scored_in_order(rows), line),
                  lines=lambda records: [{'version': 'VERSION 1.3', 'results': records, 'external_data': {}}]),
          options=('clip', 'normalised'),
          rules=Rules((), ('judged_query', 'answered_queries', 'within_the_document'))))


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


class _Video(msgspec.Struct):
    clips: list[_Clip]


class _Truth(msgspec.Struct):
    """The queries of Ego4D. The document is the clip, and the query ``annotation_uid_place``, with its place in its
    annotation from 0. Windows that end where they start are judged 0: their queries count 0, as in Ego4D's program."""
    videos: list[_Video]


class _Result(msgspec.Struct):
    clip_uid: Id
    annotation_uid: Id
    query_idx: int
    predicted_times: list[tuple[Number, Number]]


class _Predictions(msgspec.Struct):
    """Predictions of Ego4D; windows rank as listed, and minus the rank is their score."""
    results: list[_Result]


def _windows(content: _Truth, notes: Notes) -> Iterator[list[MomentQrel]]:
    def judged(id: str, clip: _Clip, query: _Query) -> list[MomentQrel]:
        start, end = clip.video_start_sec, clip.video_end_sec
        duration = None if start is None or end is None else plain_number(round(end - start, 6))
        return judged_windows(id, clip.clip_uid, [(query.clip_start_sec, query.clip_end_sec)], duration, notes)
    return moment_windows.each_once((
        (id, judged(id, clip, query)) for video in content.videos for clip in video.clips
        for annotation in clip.annotations for place, query in enumerate(annotation.language_queries)
        for id in [f'{annotation.annotation_uid}_{place}']),
        'queries are told apart by their annotation: take one of the two out, or rename it')


def _listed(content: _Predictions, notes: Notes, clip: bool = False) -> Iterator[list[SegmentScoredDoc]]:
    return moment_windows.each_once((query, moment_windows.ranked_windows(query, result.clip_uid, [
        moment_windows.checked_window(window, query, clip) for window in result.predicted_times]))
        for result in content.results for query in [f'{result.annotation_uid}_{result.query_idx}'])


def _add_query(records: dict[str, Any], row: Any, clip: str, window: list[Number]) -> None:
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


def _add_result(records: dict[str, Any], row: Any, clip: str, window: list[Number]) -> None:
    uid, place = _named(row)
    moment_windows.record_in(
        records, row.query_id, {'clip_uid': clip, 'annotation_uid': uid, 'query_idx': place, 'predicted_times': []},
        f'a query of {_NAME} has one clip: make a query of each clip')['predicted_times'].append(window)


def _named(row: Any) -> tuple[str, int]:
    """The annotation of a query and its place there."""
    found = _ID.fullmatch(row.query_id)
    if not found:
        raise ValueError(f'the query {quoted(row.query_id)} is not called annotation_place, but {_NAME} names queries '
                         'by their annotation and their place there, such as a1_0: rename it')
    return found[1], int(found[2])


_WRITE = partial(moment_windows.write_records, format=_NAME)
EGO4D_NLQ = Format(
    'ego4d-nlq', "natural language queries of Ego4D, one JSON object: a query's one window in its clip, and windows as "
    'they are listed', 't',
    Files(object_reader(MomentQrel, _Truth, 'the queries of Ego4D', _windows),
          partial(_WRITE, add=_add_query, held=('duration',), lines=lambda records: [{'videos': [
              {'video_uid': record['clip_uid'], 'clips': [record]} for record in records.values()]}]),
          rules=Rules((), ('within_the_document',))),
    Files(object_reader(SegmentScoredDoc, _Predictions, 'the predictions of Ego4D', _listed),
          partial(_WRITE, add=_add_result, walk=ranked_lines, lines=lambda records: [
              {'version': '1.0', 'challenge': 'ego4d_nlq_challenge', 'results': list(records.values())}]),
          options=('clip', 'normalised'), order='line', rules=Rules(
              (), ('retrieved_once', 'judged_query', 'answered_queries', 'overlap', 'within_the_document'))))


class _Captions(msgspec.Struct):
    """The sentences of a video; the query is ``video_place``, with the place of the sentence from 0."""
    timestamps: list[Window]
    sentences: list[str]
    duration: Duration | None = None


_Place = Annotated[int, msgspec.Meta(ge=-1, lt=TOO_LARGE)] | Annotated[float, msgspec.Meta(ge=-1, lt=float(TOO_LARGE))]


class _Located(msgspec.Struct):
    """The windows of each question about a video; the query is ``video_question``. Those of the test set start up to
    0.2 seconds before 0."""
    location: dict[str, list[tuple[_Place, _Place]]]
    duration: Duration | None = None


def _captioned(content: dict[str, _Captions], notes: Notes) -> Iterator[list[MomentQrel]]:
    for video, record in content.items():
        if len(record.timestamps) != len(record.sentences):
            raise ValueError(f'video {quoted(video)} has {len(record.timestamps)} timestamps beside '
                             f'{len(record.sentences)} sentences, but each sentence has one: correct it')
        for place, window in enumerate(record.timestamps):
            yield judged_windows(f'{video}_{place}', video, [window], record.duration, notes, backwards=True)


def read_sentences(path: StrPath) -> list[MomentQuery]:
    """Reads the sentences of a file of ActivityNet Captions, with the ids of its queries.

    Raises:
        FormatError: the file is not such an object
        OSError: the file cannot be opened
    """
    return read_object(path, _CAPTIONS, lambda content: [
        MomentQuery(f'{video}_{place}', sentence.strip()) for video, record in content.items()
        for place, sentence in enumerate(record.sentences)], dict[Id, _Captions])


ACTIVITYNET_CAPTIONS = Format(
    'activitynet-captions', 'ActivityNet Captions, Charades-CG, YouCook2: one JSON object, video → timestamps and '
    'sentences', 't',
    Files(object_reader(MomentQrel, dict[Id, _Captions], _CAPTIONS, _captioned),
          texts=lambda path: dict(read_sentences(path))),
    lists=('queries', 'videos'), read_queries=read_sentences)
NEXT_GQA = Format(
    'next-gqa', 'NExT-GQA: one JSON object, video → the windows of its questions', 't',
    Files(object_reader(MomentQrel, dict[Id, _Located], 'the grounded answers of NExT-GQA', lambda content, notes: [
        judged_windows(f'{video}_{question}', video, windows, record.duration, notes, backwards=True)
        for video, record in content.items() for question, windows in record.location.items()])),
    lists=('videos',))
