"""Readers of QVHighlights' saliency scores, of clips of 2 seconds: those that three workers gave, and predicted ones.
The lines are those of :mod:`ir_segmeasures.formats.moments`.

Source: the QVHighlights data and its evaluation, https://github.com/jayleicn/moment_detr.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, NamedTuple

import msgspec

from ir_segmeasures.formats.files.format import Files, Format, Rules
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import Number, SegmentScoredDoc
from ir_segmeasures.formats.moment_windows import Notes, Score, ranked_windows
from ir_segmeasures.formats.moments import MomentLine, QueryLines

_CLIP = 2  # seconds
_LONGEST = 10 ** 6  # seconds of a video, all of whose clips have a row
_Length = msgspec.Meta(ge=0, le=_LONGEST)


class _JudgedLine(MomentLine, kw_only=True):
    duration: Annotated[int, _Length] | Annotated[float, _Length]
    relevant_clip_ids: list[int]
    saliency_scores: list[tuple[Score, Score, Score]]


class _PredictedLine(MomentLine, kw_only=True):
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


class SaliencyQrel(NamedTuple):
    """A judged clip of a dataset: the sum of the scores of the three workers, and the scores."""
    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    saliency_1: int
    saliency_2: int
    saliency_3: int


def _judged(line: _JudgedLine, notes: Notes) -> list[ClipQrel]:
    count, places = int(line.duration / _CLIP), line.relevant_clip_ids
    if len(places) != len(line.saliency_scores):
        raise ValueError(f'{len(places)} clips stand in relevant_clip_ids and {len(line.saliency_scores)} in '
                         'saliency_scores, but both list the same clips: correct one')
    for place in places:
        if not 0 <= place < count:
            raise ValueError(f'{place} stands in relevant_clip_ids, but the {count} clips of the video are numbered '
                             'from 0: correct the clip or the duration')
    given = dict(zip(places, line.saliency_scores))
    return [ClipQrel(str(line.qid), line.vid, place * _CLIP, (place + 1) * _CLIP, sum(scores), '0', line.duration,
                     *scores) for place in range(count) for scores in [given.get(place, (0, 0, 0))]]


def _predicted(line: _PredictedLine, notes: Notes) -> list[SegmentScoredDoc]:
    return ranked_windows(str(line.qid), line.vid, [
        (place * _CLIP, (place + 1) * _CLIP, score) for place, score in enumerate(line.pred_saliency_scores)])


_JUDGED = QueryLines(ClipQrel, _JudgedLine, _judged)
_PREDICTIONS = QueryLines(SegmentScoredDoc, _PredictedLine, _predicted)


def read_qrels(path: StrPath) -> Sequence[ClipQrel]:
    """Reads the judgements of all clips, in file order: ``{"qid", "vid", "duration", "relevant_clip_ids": [0, 1, …],
    "saliency_scores": [[2, 3, 4], …]}``. Clips that are not listed have the score 0; other keys are ignored.

    Raises:
        FormatError: a line is not such an object; a clip is not in the video; a clip has not three scores; a query is
            on two lines
        OSError: the file cannot be opened
    """
    return _JUDGED.read(path)


def read_run(path: StrPath) -> Sequence[SegmentScoredDoc]:
    """Reads the predicted scores of clips, in file order: ``{"qid", "vid", "pred_saliency_scores": [0.5, …]}``, the
    score of the first clip of 2 seconds first.

    Raises:
        FormatError: a line is not such an object; a score is not a finite number; a query is on two lines
        OSError: the file cannot be opened
    """
    return _PREDICTIONS.read(path)


# Clips are of one length, and a video has a score for each.
_RULES = Rules(('known_query', 'known_video'))
SALIENCY = Format(
    'saliency', "QVHighlights' highlights: the saliency scores of clips of 2 seconds, in the lines of moments", 't',
    Files(read_qrels, check=_JUDGED.check, rules=_RULES),
    Files(read_run, check=_PREDICTIONS.check, rules=replace(_RULES, warnings=('judged_query', 'answered_queries'))),
    dataset_row=SaliencyQrel, lists=('queries', 'videos'))
