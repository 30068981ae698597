"""Readers and writers of moment retrieval's files (QVHighlights, TVR): one JSON object a line, all of one query; and
readers of QVHighlights' saliency scores in such lines, of clips of 2 seconds.

Judgements in TVR's own lines, one moment each, are read too; its predictions are another format (``tvr``).

Source: the QVHighlights data and its evaluation, https://github.com/jayleicn/moment_detr; TVR's lines,
https://github.com/jayleicn/TVRetrieval.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Annotated, Any, NamedTuple

import msgspec

from ir_segmeasures.formats import moment_windows
from ir_segmeasures.formats.files.format import RETRIEVED, Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in
from ir_segmeasures.formats.files.row_types import FileRows, Number, SegmentScoredDoc, TrecQrel, row_type_of
from ir_segmeasures.formats.files.writing import ranked_lines
from ir_segmeasures.formats.json_files import json_lines, record_of
from ir_segmeasures.formats.moment_windows import Duration, Id, MomentQrel, Notes, Score, Window, rows_of, warn_of
from ir_segmeasures.segments.basics import quoted

_NAME, _TRUE, _PREDICTED = 'moments', 'relevant_windows', 'pred_relevant_windows'
_RULE = f'a query of {_NAME} has one video of one duration: make a query of each video'
# A query's number is a number in the files, as long as it is read as the same id.
_NUMBER = re.compile(r'0|-?[1-9][0-9]{0,17}')
_WRITE = partial(moment_windows.write_records, format=_NAME)
_TVR = {'qid': 'desc_id', 'vid': 'vid_name', 'query': 'desc', 'relevant_windows': 'ts'}


class MomentLine(msgspec.Struct, kw_only=True):
    """A line of a query in a video."""
    qid: int | Id
    vid: Id


@cache
def _of_tvr(kind: Any) -> Any:
    """The type of the same record in a line of TVR, which has other names, and a window in place of a list of them."""
    fields = [(field.name, Window if field.type == list[Window] else field.type,
               *(() if field.required else (field.default,))) for field in msgspec.structs.fields(kind)]
    return msgspec.defstruct('TvrLine', fields, rename=_TVR)


def files_of_lines(row_type: Any, kind: Any, rows: Callable[..., Sequence[Any]], write: Any = None,
                   **given: Any) -> Files:
    """The files of a format whose lines are objects of one query each.

    Their reader gives the rows in file order. It takes the path, a list for the errors about lines, without which it
    raises the first (a line is not such an object, or a query is on two lines), the text if the file has been read
    already, and the options of ``rows``.

    Args:
        row_type: of the rows, a named tuple
        kind: the type of a line's record
        rows: record, notes, options of the reader → its rows; raises ``ValueError`` with a sentence, and adds to the
            notes what is odd
        write, given: as :class:`~ir_segmeasures.formats.files.format.Files` has them
    """
    def read(path: StrPath, faults: list[FormatError] | None = None, text: str | None = None,
             **options: Any) -> FileRows[Any]:
        notes: Notes = []
        found: list[tuple[int, Sequence[Any]]] = []
        for number, record in query_records(path, kind, faults, text):
            with errors_in(path, number, faults):
                odd: Notes = []
                found.append((number, rows(record, odd, **options)))
                notes += [(what, f'{example} in line {number}') for what, example in odd]
        warn_of(path, notes)
        return rows_of(row_type, (rows for _, rows in found), [number for number, rows in found for _ in rows])
    return Files(read, write, read, **given)


def query_records(path: StrPath, kind: Any, faults: list[FormatError] | None = None,
                  text: str | None = None) -> Iterator[tuple[int, Any]]:
    """The number of each line and its record, of a type, or of the same one of TVR; ``text`` and ``faults`` as for
    a reader of :func:`files_of_lines`.

    Raises:
        FormatError: a line is not such an object; a query is on two lines
        OSError: the file cannot be opened
    """
    known: dict[str, int] = {}
    for number, record in json_lines(path, lambda line: record_of(
            line, _of_tvr(kind) if '"desc_id"' in line and '"qid"' not in line else kind), text, faults):
        query_id = str(record.qid)
        with errors_in(path, number, faults):
            if known.setdefault(query_id, number) != number:
                raise ValueError(f'query {quoted(query_id)} is already in line {known[query_id]}, but all windows of a '
                                 'query stand on one line: join the two')
            yield number, record


class _TrueLine(MomentLine, kw_only=True):
    """True windows of a query. A query without any has one from 0 to 0, and a window that ends where it starts is
    judged 0; a :class:`~ir_segmeasures.SegmentWarning` says how many there are. Lines of TVR have ``desc_id``,
    ``vid_name`` and ``ts``, one window."""
    relevant_windows: list[Window]
    duration: Duration | None = None


class _PredictedLine(MomentLine, kw_only=True):
    """Windows ``[start, end, score]`` of a query, or ``[start, end]``, which rank as listed, with minus the rank as
    score. Times are seconds, or text such as ``'01:05'``. A warning counts windows whose end stands first, which are
    put in order, and those without numbers (``[]``, NaN or null), which are left out."""
    pred_relevant_windows: list[list[int | float | str | None]]


class _QueryLine(MomentLine, kw_only=True):
    query: Id


class _VideoLine(MomentLine, kw_only=True):
    duration: Duration


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


def _judged(line: Any, notes: Notes) -> list[MomentQrel]:
    if not line.relevant_windows:
        notes.append((moment_windows.NO_WINDOWS, quoted(str(line.qid))))
        return [MomentQrel(str(line.qid), line.vid, 0, 0, 0, '0', line.duration)]
    windows = line.relevant_windows if isinstance(line.relevant_windows, list) else [line.relevant_windows]  # of TVR
    return moment_windows.judged_windows(str(line.qid), line.vid, windows, line.duration, notes)


def _ranked(line: _PredictedLine, notes: Notes, clip: bool = False) -> list[SegmentScoredDoc]:
    return moment_windows.ranked_windows(str(line.qid), line.vid, moment_windows.predicted_windows(
        str(line.qid), line.pred_relevant_windows, notes, clip))


def read_queries(path: StrPath) -> list[MomentQuery]:
    """Reads the texts of the queries in the same lines: ``query``, of TVR ``desc``.

    Raises:
        FormatError: a line is not such an object; a query is on two lines
        OSError: the file cannot be opened
    """
    return [MomentQuery(str(line.qid), line.query.strip()) for _, line in query_records(path, _QueryLine)]


def read_videos(path: StrPath) -> list[MomentVideo]:
    """Reads the videos in the same lines with their durations, each once, as they first appear.

    Raises:
        FormatError: a line is not such an object or has no duration; a query is on two lines, a video has two durations
        OSError: the file cannot be opened
    """
    videos: dict[str, Number] = {}
    for number, line in query_records(path, _VideoLine):
        with errors_in(path, number):
            if videos.setdefault(line.vid, line.duration) != line.duration:
                raise ValueError(f'video {quoted(line.vid)} has the duration {line.duration} here and '
                                 f'{videos[line.vid]} before, but a video has one: correct it')
    return list(map(MomentVideo._make, videos.items()))


def _add_true(records: dict[str, Any], row: Any, video: str, window: list[Number]) -> None:
    record = moment_windows.record_in(records, row.query_id, {
        'qid': id_in_json(row.query_id), 'vid': video, 'duration': getattr(row, 'duration', None), _TRUE: []}, _RULE)
    record[_TRUE] += [window] if any(window) else []  # the row of a query without windows


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None,
              queries: Mapping[str, str] | None = None) -> list[str]:
    """Writes retrieved items, one query a line, queries as they first appear, windows in the order by ``score``.

    Args:
        rows: of any reader, in seconds, and a query's all in one video
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`
        queries: query → its video; those without rows come last, with an empty list of windows

    Returns, Raises:
        as there
    """
    def record(query_id: str, video: str) -> dict[str, Any]:
        return {'qid': id_in_json(query_id), 'vid': video, _PREDICTED: []}

    def add(records: dict[str, Any], row: Any, video: str, window: list[Number]) -> None:
        moment_windows.record_in(records, row.query_id, record(row.query_id, video), _RULE)[_PREDICTED].append(
            [*window, moment_windows.score_in_json(row.score)])
    return _WRITE(rows, path, unit, add=add, walk=ranked_lines, lines=lambda records: (records | {
        query_id: record(query_id, video) for query_id, video in (queries or {}).items()
        if query_id not in records}).values())


def id_in_json(query_id: str) -> int | str:
    """The id of a query, as a number where it is read as the same id."""
    return int(query_id) if _NUMBER.fullmatch(query_id) else query_id


TRUE = files_of_lines(MomentQrel, _TrueLine, _judged, partial(
    _WRITE, add=_add_true, lines=dict.values, held=('duration',)), texts=lambda path: dict(read_queries(path)))
_RULES = Rules(('known_query', 'known_video'), ('retrieved_once', *(
    rule for rule in RETRIEVED.warnings if rule not in ('one_run', 'scores_follow_ranks'))))
MOMENTS = Format(
    'moments', 'moment retrieval (QVHighlights, TVR): one JSON object a line with the windows of a query', 't',
    TRUE, lists=('queries', 'videos'), read_queries=read_queries, run=files_of_lines(
        SegmentScoredDoc, _PredictedLine, _ranked, write_run, rules=_RULES, listed='qvhighlights',
        options=('clip', 'normalised'), write_options=('queries',),
        queries=lambda path: {str(line.qid): line.vid for _, line in query_records(path, MomentLine)},
        durations=lambda path: dict(read_videos(path))))

_CLIP = 2  # seconds
_LONGEST = 10 ** 6  # seconds of a video, all of whose clips have a row
_Length = msgspec.Meta(ge=0, le=_LONGEST)


class _JudgedClips(MomentLine, kw_only=True):
    """Clips that three workers scored; those that are not listed have the score 0."""
    duration: Annotated[int, _Length] | Annotated[float, _Length]
    relevant_clip_ids: list[int]
    saliency_scores: list[tuple[Score, Score, Score]]


class _PredictedClips(MomentLine, kw_only=True):
    """The scores of the clips, the first one first."""
    pred_saliency_scores: list[Score]


class ClipQrel(NamedTuple):
    """A judged clip of a query's video.

    Attributes:
        query_id: the query; ``qid`` as text
        doc_id: the query's one video
        start, end: of the clip, in seconds
        relevance: the sum of the three scores
        iteration: always ``'0'``; the file has no such column
        duration: the video's, in seconds
        saliency_1, saliency_2, saliency_3: the score of each worker, 0 to 4
    """
    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: Number
    iteration: str = '0'
    duration: Number | None = None
    saliency_1: Number = 0
    saliency_2: Number = 0
    saliency_3: Number = 0


# A judged clip of a dataset: the sum of the scores of the three workers, and the scores.
SaliencyQrel = row_type_of((*TrecQrel._fields, *ClipQrel._fields[-3:]), 'SaliencyQrel')


def _judged_clips(line: _JudgedClips, notes: Notes) -> list[ClipQrel]:
    count, places = int(line.duration / _CLIP), line.relevant_clip_ids
    if len(places) != len(line.saliency_scores):
        raise ValueError(f'{len(places)} clips stand in relevant_clip_ids and {len(line.saliency_scores)} in '
                         'saliency_scores, but both list the same clips: correct one')
    given = dict.fromkeys(range(count), (0, 0, 0)) | dict(zip(places, line.saliency_scores))
    for place in list(given)[count:]:
        raise ValueError(f'{place} stands in relevant_clip_ids, but the {count} clips of the video are numbered from '
                         '0: correct the clip or the duration')
    return [ClipQrel(str(line.qid), line.vid, place * _CLIP, (place + 1) * _CLIP, sum(scores), '0', line.duration,
                     *scores) for place, scores in given.items()]


def _predicted_clips(line: _PredictedClips, notes: Notes) -> list[SegmentScoredDoc]:
    return moment_windows.ranked_windows(str(line.qid), line.vid, [
        (place * _CLIP, (place + 1) * _CLIP, score) for place, score in enumerate(line.pred_saliency_scores)])


# Clips are of one length, and a video has a score for each.
_OF_CLIPS = Rules(('known_query', 'known_video'))
SALIENCY = Format(
    'saliency', "QVHighlights' highlights: the saliency scores of clips of 2 seconds, in the lines of moments", 't',
    files_of_lines(ClipQrel, _JudgedClips, _judged_clips, rules=_OF_CLIPS),
    files_of_lines(SegmentScoredDoc, _PredictedClips, _predicted_clips, rules=replace(
        _OF_CLIPS, warnings=('judged_query', 'answered_queries'))),
    dataset_row=SaliencyQrel, lists=('queries', 'videos'))
