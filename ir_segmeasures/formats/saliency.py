"""Readers of QVHighlights' saliency scores, of clips of 2 seconds: those that three workers gave, and predicted ones.
The lines are those of :mod:`ir_segmeasures.formats.moments`.

Source: the QVHighlights data and its evaluation, https://github.com/jayleicn/moment_detr.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.blocks import taken_column
from ir_segmeasures.formats.files.format import Files, Format, Lines
from ir_segmeasures.formats.files.order import ranks_by_score
from ir_segmeasures.formats.files.parts import line_blocks, plain_lines, refuse_known
from ir_segmeasures.formats.files.reading import UTF_8, StrPath, read_text
from ir_segmeasures.formats.files.row_types import Number, Rows, SegmentScoredDoc
from ir_segmeasures.formats.json_files import NOT_PLAIN, plain_floats, refuse_other_types
from ir_segmeasures.formats.moment_lines import duration_in, query_lines_of, record_in, value_in, whole_line
from ir_segmeasures.formats.moment_parts import queries_and_videos, records_of
from ir_segmeasures.formats.moment_windows import ranked_rows
from ir_segmeasures.segments.arrays import Ints
from ir_segmeasures.segments.json_objects import is_number, shown_value

__all__ = ['SALIENCY', 'ClipQrel', 'SaliencyQrel', 'read_qrels', 'read_run']

_CLIP = 2  # seconds
_WORKERS = 3
_LONGEST = 10 ** 6  # seconds of a video, all of whose clips have a row


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


class SaliencyQrel(NamedTuple):
    """A judged clip of a dataset: the sum of the scores of the three workers, and the scores."""
    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    saliency_1: int
    saliency_2: int
    saliency_3: int


def read_qrels(path: StrPath) -> Sequence[ClipQrel]:
    """Reads the judgements of all clips, in file order: ``{"qid", "vid", "duration", "relevant_clip_ids": [0, 1, …],
    "saliency_scores": [[2, 3, 4], …]}``. Clips that are not listed have the score 0; other keys are ignored.

    Raises:
        FormatError: a line is not such an object; a clip is not in the video; a clip has not three scores; a query is
            on two lines
        OSError: the file cannot be opened
    """
    return _read(path, _plain_qrels, _qrels)


def read_run(path: StrPath) -> Sequence[SegmentScoredDoc]:
    """Reads the predicted scores of clips, in file order: ``{"qid", "vid", "pred_saliency_scores": [0.5, …]}``, the
    score of the first clip of 2 seconds first.

    Raises:
        FormatError: a line is not such an object; a score is not a finite number; a query is on two lines
        OSError: the file cannot be opened
    """
    return _read(path, _plain_results, _results)


def _read(path: StrPath, plain: Callable[[str], Rows[Any]], parse: Callable[[list[str]], Any]) -> Sequence[Any]:
    text = read_text(path, lines=True)
    with suppress(*NOT_PLAIN):
        return plain(text)
    return [row for _, _, rows in query_lines_of(text, path, parse) for row in rows]


def _plain_qrels(text: str) -> Rows[ClipQrel]:
    """The rows of :func:`read_qrels`, by columns. Raises an error of ``NOT_PLAIN`` where something is wrong."""
    records = records_of(text)
    durations = [record['duration'] for record in records]
    clips = np.floor(plain_floats(durations, _LONGEST) / _CLIP).astype(np.intp)
    listed, judged = ([record[key] for record in records] for key in ('relevant_clip_ids', 'saliency_scores'))
    counts, places, scores = list(map(len, listed)), list(chain(*listed)), list(chain(*judged))
    refuse_other_types(chain(listed, judged, scores), list)
    query = np.repeat(np.arange(len(records)), counts)
    clip = np.array(places, np.intp)
    if counts != list(map(len, judged)) or clips.min() < 0 or not ((clip >= 0) & (clip < clips[query])).all():
        raise ValueError
    workers = np.zeros((_WORKERS, clips.sum()), np.intp)
    workers[:, (np.cumsum(clips) - clips)[query] + clip] = np.array(scores, np.int32).reshape(-1, _WORKERS).T
    refuse_other_types(chain(places, *scores), int)
    start, line = _clips_of_lines(clips)
    query_id, doc_id = (taken_column(column, line) for column in queries_and_videos(records))
    return Rows(ClipQrel, (query_id, doc_id, start, start + _CLIP, workers.sum(axis=0), ['0'] * len(line),
                           taken_column(durations, line), *workers))


def _plain_results(text: str) -> Rows[SegmentScoredDoc]:
    """The rows of :func:`read_run`, by columns. Raises an error of ``NOT_PLAIN`` where something is wrong."""
    records = records_of(text)
    predicted = [record['pred_saliency_scores'] for record in records]
    refuse_other_types(predicted, list)
    scores = list(chain(*predicted))
    start, line = _clips_of_lines(np.array(list(map(len, predicted))))
    query_id, doc_id = (taken_column(column, line) for column in queries_and_videos(records))
    nothing = [None] * len(scores)
    return Rows(SegmentScoredDoc, (query_id, doc_id, start, start + _CLIP, scores, ranks_by_score(
        query_id, plain_floats(scores, 2 ** 53)), scores, nothing, nothing))


def _clips_of_lines(count: Ints) -> tuple[Ints, Ints]:
    """The start of each clip of the videos of some lines, and the place of its line."""
    line = np.repeat(np.arange(len(count)), count)
    return (np.arange(len(line)) - (np.cumsum(count) - count)[line]) * _CLIP, line


def _qrels_in_parts(path: StrPath) -> Iterator[list[ClipQrel]]:
    """The rows of :func:`read_qrels`, those of some lines at a time. Raises a ValueError where that function finds out
    what is wrong."""
    known: set[str] = set()
    for block in line_blocks(path):
        queries = [record_in([line], _clip_qrels) for line in plain_lines(block, UTF_8).split('\n') if line.strip()]
        rows = chain.from_iterable(rows for _, rows in queries)
        if not known:  # a line has many rows
            yield list(islice(rows, 1))
        refuse_known([query_id for query_id, _ in queries], known)
        yield list(rows)


def _qrels(fields: list[str]) -> tuple[str, list[ClipQrel]]:
    query_id, rows = record_in(fields, _clip_qrels)
    return query_id, list(rows)


def _clip_qrels(query_id: str, doc_id: str, record: dict[str, Any]) -> Iterator[ClipQrel]:
    clips = enumerate(_clips(record))  # which finds mistakes before the first row is made
    return (ClipQrel(query_id, doc_id, place * _CLIP, (place + 1) * _CLIP, sum(scores), '0', record['duration'],
                     *scores) for place, scores in clips)


def _clips(record: dict[str, Any]) -> list[list[Number]]:
    """The scores of the three workers for each clip of a video, those of an object of judgements."""
    duration = duration_in(record)
    if duration is None:
        raise ValueError("the key 'duration' is missing, but it tells how many clips there are: add it")
    if duration > _LONGEST:
        raise ValueError(f'duration {shown_value(duration)} is more than {_LONGEST:,}, but it is in seconds: correct '
                         'it')
    clips: list[list[Number]] = [[0] * _WORKERS] * int(duration / _CLIP)
    places = value_in(record, 'relevant_clip_ids', (list,), 'a list of numbers of clips')
    scores = value_in(record, 'saliency_scores', (list,), 'a list of the scores of clips')
    if len(places) != len(scores):
        raise ValueError(f'{len(places)} clips stand in relevant_clip_ids and {len(scores)} in saliency_scores, but '
                         'both list the same clips: correct one')
    for place, judged in zip(places, scores):
        if not (type(place) is int and 0 <= place < len(clips)):
            raise ValueError(f'{shown_value(place)} stands in relevant_clip_ids, but the {len(clips)} clips of the '
                             'video are numbered from 0: correct the clip or the duration')
        if not (isinstance(judged, list) and len(judged) == _WORKERS and all(map(is_number, judged))):
            raise ValueError(f'clip {place} has {shown_value(judged)} in saliency_scores, but three workers gave each '
                             'clip a score: correct it')
        clips[place] = judged
    return clips


def _results(fields: list[str]) -> tuple[str, list[SegmentScoredDoc]]:
    def rows(query_id: str, doc_id: str, record: dict[str, Any]) -> list[SegmentScoredDoc]:
        scores: Sequence[Any] = value_in(record, 'pred_saliency_scores', (list,), 'a list of the scores of clips')
        for score in scores:
            if not is_number(score):
                raise ValueError(f'{shown_value(score)} stands in pred_saliency_scores, but scores are finite numbers: '
                                 'correct it')
        return ranked_rows(query_id, doc_id, [
            (place * _CLIP, (place + 1) * _CLIP, score) for place, score in enumerate(scores)])
    return record_in(fields, rows)


SALIENCY = Format(
    'saliency', "QVHighlights' highlights: the saliency scores of clips of 2 seconds, in the lines of moments", 't',
    Files(read_qrels, lines=Lines(_qrels, whole_line, together=True), read_parts=_qrels_in_parts),
    Files(read_run, lines=Lines(_results, whole_line, together=True)),
    dataset_row=SaliencyQrel, lists=('queries', 'videos'))
