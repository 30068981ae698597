"""Readers of QVHighlights' saliency scores, of clips of 2 seconds: those that three workers gave, and predicted ones.
The lines are those of :mod:`ir_segmeasures.formats.moments`.

Source: the QVHighlights data and its evaluation, https://github.com/jayleicn/moment_detr.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.format import Files, Format, Lines
from ir_segmeasures.formats.files.parts import line_blocks, plain_lines, refuse_known
from ir_segmeasures.formats.files.reading import UTF_8, StrPath
from ir_segmeasures.formats.files.row_types import Number, SegmentScoredDoc
from ir_segmeasures.formats.moment_lines import duration_in, read_query_lines, record_in, value_in, whole_line
from ir_segmeasures.formats.moment_windows import ranked_rows
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


def read_qrels(path: StrPath) -> list[ClipQrel]:
    """Reads the judgements of all clips, in file order: ``{"qid", "vid", "duration", "relevant_clip_ids": [0, 1, …],
    "saliency_scores": [[2, 3, 4], …]}``. Clips that are not listed have the score 0; other keys are ignored.

    Raises:
        FormatError: a line is not such an object; a clip is not in the video; a clip has not three scores; a query is
            on two lines
        OSError: the file cannot be opened
    """
    return [row for _, _, rows in read_query_lines(path, _qrels) for row in rows]


def read_run(path: StrPath) -> list[SegmentScoredDoc]:
    """Reads the predicted scores of clips, in file order: ``{"qid", "vid", "pred_saliency_scores": [0.5, …]}``, the
    score of the first clip of 2 seconds first.

    Raises:
        FormatError: a line is not such an object; a score is not a finite number; a query is on two lines
        OSError: the file cannot be opened
    """
    return [row for _, _, rows in read_query_lines(path, _results) for row in rows]


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
