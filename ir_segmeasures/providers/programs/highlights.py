"""QVHighlights' figures of highlights: the clips of a video, ranked by predicted saliency."""

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec
import numpy as np

from ir_segmeasures.measures.saliency import clip_average_precision
from ir_segmeasures.providers.programs.records import Number
from ir_segmeasures.segments.arrays import Floats
from ir_segmeasures.segments.quoting import quoted

__all__ = ['LEVELS', 'JudgedClips', 'highlight_figures', 'judged_clips']

LEVELS = {'Fair': 2, 'Good': 3, 'VeryGood': 4}
_CLIP = 2  # seconds
_WORKERS = 3
_LONGEST = 10 ** 6  # seconds of a video, all of whose clips have a row


class JudgedClips(msgspec.Struct):
    """The judgements of a query: which clips of the video are relevant, and three workers' scores of each."""
    qid: int | str
    duration: Annotated[float, msgspec.Meta(ge=0, le=_LONGEST)]
    relevant_clip_ids: list[int]
    saliency_scores: list[Annotated[list[Number], msgspec.Meta(min_length=_WORKERS, max_length=_WORKERS)]]


def highlight_figures(pairs: Iterable[tuple[JudgedClips, Sequence[float]]]) -> dict[str, float]:
    """``HL-min-Fair-mAP``, ``HL-min-Fair-Hit1`` and those of the other levels, in per cent.

    Args:
        pairs: of each query its object in the truth, and the predicted scores of its clips
    """
    queries = [(judged_clips(true), np.array(scores, float)) for true, scores in pairs]
    found = {}
    for name, least in LEVELS.items():
        precisions = [[clip_average_precision(worker >= least, _fitted(scores, len(clips))) for worker in clips.T]
                      for clips, scores in queries]
        hits = [best < len(clips) and bool((clips[best] >= least).any())
                for clips, scores in queries for best in [int(np.argmax(scores))]]
        found[f'HL-min-{name}-mAP'] = 100 * float(np.mean(precisions))
        found[f'HL-min-{name}-Hit1'] = 100 * float(np.mean(hits))
    return found


def judged_clips(true: JudgedClips) -> Floats:
    """The scores (0 to 4) of the three workers for each clip of 2 seconds; 0 for clips that nobody judged.

    Raises:
        ValueError: a clip is not in the video; there are not three scores for each judged clip
    """
    where = f'query {quoted(true.qid)} of the truth'
    clips = np.zeros((int(true.duration / _CLIP), _WORKERS))
    places, scores = true.relevant_clip_ids, true.saliency_scores
    if len(places) != len(scores):
        raise ValueError(f'{where} has no three scores for each clip in relevant_clip_ids, but three workers judged '
                         'every clip: correct it')
    outside = [place for place in places if not 0 <= place < len(clips)]
    if outside:
        raise ValueError(f'{where} has the clip {quoted(outside[0])}, but its {len(clips)} clips are numbered from 0: '
                         'correct the clip or the duration')
    clips[places] = scores or np.zeros((0, _WORKERS))
    return clips


def _fitted(scores: Floats, n: int) -> Floats:
    """The scores of n clips: those beyond the end are cut off, missing ones are 0."""
    return np.append(scores[:n], np.zeros(max(0, n - len(scores))))
