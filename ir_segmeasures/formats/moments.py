"""Readers and writers of moment retrieval's files (QVHighlights, TVR): one JSON object a line, all of one query.

Judgements in TVR's own lines, one moment each, are read too; its predictions are another format (``tvr``).

Source: the QVHighlights data and its evaluation, https://github.com/jayleicn/moment_detr; TVR's lines,
https://github.com/jayleicn/TVRetrieval.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import msgspec

from ir_segmeasures.formats import moment_windows
from ir_segmeasures.formats.files.format import JUDGED, RETRIEVED, Files, Format, Rules
from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in
from ir_segmeasures.formats.files.row_types import FileRows, Number, SegmentScoredDoc
from ir_segmeasures.formats.json_files import json_lines, record_of
from ir_segmeasures.formats.moment_windows import Duration, Id, MomentQrel, Notes, Window, rows_of, warn_of
from ir_segmeasures.segments.quoting import quoted

_NAME, _TRUE, _PREDICTED = 'moments', 'relevant_windows', 'pred_relevant_windows'
_RULE = f'a query of {_NAME} has one video of one duration: make a query of each video'
# A query's number is a number in the files, as long as it is read as the same id.
_NUMBER = re.compile(r'0|-?[1-9][0-9]{0,17}')
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


@dataclass(frozen=True)
class QueryLines:
    """The judgements or the runs of a format whose lines are objects of one query each.

    Attributes:
        row_type: of the rows, a named tuple
        kind: the type of a line's record
        rows: record, notes, options of the reader → its rows; raises ``ValueError`` with a sentence, and adds to the
            notes what is odd
    """
    row_type: Any
    kind: Any
    rows: Callable[..., Sequence[Any]]

    def read(self, path: StrPath, text: str | None = None, faults: list[FormatError] | None = None,
             **options: Any) -> FileRows[Any]:
        """The rows of a file, in file order.

        Args:
            path: of the file
            text: of the file, if it has been read already
            faults: where the errors about lines belong; the first is raised if it is not given
            options: of ``rows``

        Raises:
            FormatError: a line is not such an object, or a query is on two lines
            OSError: the file cannot be opened
        """
        notes: Notes = []
        found: list[tuple[int, Sequence[Any]]] = []
        for number, record in query_records(path, self.kind, text, faults):
            with errors_in(path, number, faults):
                odd: Notes = []
                found.append((number, self.rows(record, odd, **options)))
                notes += [(what, f'{example} in line {number}') for what, example in odd]
        warn_of(path, notes)
        return rows_of(self.row_type, (rows for _, rows in found), [number for number, rows in found for _ in rows])

    def check(self, path: StrPath, **options: Any) -> tuple[FileRows[Any], list[FormatError]]:
        """The rows of the lines that can be read, and the errors of all others."""
        faults: list[FormatError] = []
        return self.read(path, faults=faults, **options), sorted(faults, key=lambda fault: fault.line or 0)


def query_records(path: StrPath, kind: Any, text: str | None = None,
                  faults: list[FormatError] | None = None) -> Iterator[tuple[int, Any]]:
    """The number of each line and its record, of a type, or of the same one of TVR; ``text`` and ``faults`` as for
    :meth:`QueryLines.read`.

    Raises:
        FormatError: a line is no such object; a query is on two lines
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
    relevant_windows: list[Window]
    duration: Duration | None = None


class _PredictedLine(MomentLine, kw_only=True):
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


TRUE = QueryLines(MomentQrel, _TrueLine, _judged)
_PREDICTIONS = QueryLines(SegmentScoredDoc, _PredictedLine, _ranked)


def read_qrels(path: StrPath) -> Sequence[MomentQrel]:
    """Reads true windows, in file order: ``{"qid", "vid", "duration", "relevant_windows": [[start, end], …]}``, or the
    lines of TVR, ``{"desc_id", "vid_name", "duration", "ts": [start, end]}``.

    ``duration`` may be missing, and other keys are ignored. A query without windows has one from 0 to 0, and a window
    that ends where it starts is judged 0; a :class:`~ir_segmeasures.SegmentWarning` says how many there are.

    Raises:
        FormatError: a line is not such an object; a window is not two numbers, ends before it starts, or starts before
            0; a query is on two lines
        OSError: the file cannot be opened
    """
    return TRUE.read(path)


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
    return _PREDICTIONS.read(path, clip=clip)


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


def write_qrels(rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
    """Writes judgements, one query a line, queries as they first appear.

    Args:
        rows: of any reader; all relevant, without grades, in seconds, and a query's all in one video
        path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`

    Returns, Raises:
        as there
    """
    def add(records: dict[str, Any], row: Any, video: str, window: list[Number]) -> None:
        record = moment_windows.record_in(records, row.query_id, {
            'qid': id_in_json(row.query_id), 'vid': video, 'duration': getattr(row, 'duration', None), _TRUE: []},
            _RULE)
        record[_TRUE] += [window] if any(window) else []  # the row of a query without windows
    return moment_windows.write_records(rows, path, unit, _NAME, add, dict.values, ('duration',))


def write_run(rows: Sequence[Any], path: StrPath, unit: str | None = None,
              queries: Mapping[str, str] | None = None) -> list[str]:
    """Writes retrieved items, one query a line, queries as they first appear, windows in the order by ``score``.

    Args:
        rows, path, unit: as for :func:`write_qrels`
        queries: query → its video; those without rows come last, with an empty list of windows

    Returns, Raises:
        as :func:`write_qrels`
    """
    def record(query_id: str, video: str) -> dict[str, Any]:
        return {'qid': id_in_json(query_id), 'vid': video, _PREDICTED: []}

    def add(records: dict[str, Any], row: Any, video: str, window: list[Number]) -> None:
        moment_windows.record_in(records, row.query_id, record(row.query_id, video), _RULE)[_PREDICTED].append(
            [*window, moment_windows.score_in_json(row.score)])
    return moment_windows.write_records(rows, path, unit, _NAME, add, lambda records: (records | {
        query_id: record(query_id, video) for query_id, video in (queries or {}).items()
        if query_id not in records}).values(), ranked=True)


def id_in_json(query_id: str) -> int | str:
    """The id of a query, as a number where it is read as the same id."""
    return int(query_id) if _NUMBER.fullmatch(query_id) else query_id


_RULES = Rules(('known_query', 'known_video'), ('retrieved_once', *(
    rule for rule in RETRIEVED.warnings if rule not in ('one_run', 'scores_follow_ranks'))))
MOMENTS = Format(
    'moments', 'moment retrieval (QVHighlights, TVR): one JSON object a line with the windows of a query', 't',
    Files(read_qrels, write_qrels, TRUE.check, rules=JUDGED, texts=lambda path: dict(read_queries(path))),
    lists=('queries', 'videos'),
    run=Files(
        read_run, write_run, _PREDICTIONS.check, rules=_RULES, listed='qvhighlights', options=('clip', 'normalised'),
        write_options=('queries',),
        queries=lambda path: {str(line.qid): line.vid for _, line in query_records(path, MomentLine)},
        durations=lambda path: dict(read_videos(path))))
