"""The figures of QVHighlights' program: moments (MR) in the order in which they are listed, and highlights (HL).

Source: moment_detr, standalone_eval/eval.py, https://github.com/jayleicn/moment_detr (Lei, Berg, Bansal. QVHighlights:
Detecting Moments and Highlights in Videos via Natural Language Queries. NeurIPS 2021).
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np

from ir_segmeasures.measures.saliency import clip_average_precision
from ir_segmeasures.providers.programs.detection import IOUS, LISTED, average_precisions, iou_of_first
from ir_segmeasures.providers.programs.program import JSON_LINES, Program
from ir_segmeasures.providers.programs.records import (
    Number,
    Window,
    record_as,
    records_by_query,
    reversed_windows,
    same_queries,
)
from ir_segmeasures.segments.arrays import Floats
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.warnings import warn

__all__ = ['BANDS', 'CASTELLA', 'QVHIGHLIGHTS', 'Band', 'castella_figures', 'moment_detr_figures',
           'qvhighlights_figures']

_LEVELS = {'Fair': 2, 'Good': 3, 'VeryGood': 4}
_CLIP = 2  # seconds
_WORKERS = 3
_LONGEST = 10 ** 6  # seconds of a video, all of whose clips have a row
_PREDICTED, _SALIENCY = 'pred_relevant_windows', 'pred_saliency_scores'


class _JudgedClips(msgspec.Struct):
    """The judgements of a query: which clips of the video are relevant, and three workers' scores of each."""
    qid: int | str
    duration: Annotated[float, msgspec.Meta(ge=0, le=_LONGEST)]
    relevant_clip_ids: list[int]
    saliency_scores: list[Annotated[list[Number], msgspec.Meta(min_length=_WORKERS, max_length=_WORKERS)]]


class _TrueWindows(msgspec.Struct):
    relevant_windows: list[Window]


class _PredictedWindows(msgspec.Struct):
    pred_relevant_windows: list[Window]


class _Saliency(msgspec.Struct):
    pred_saliency_scores: Annotated[list[Number], msgspec.Meta(min_length=1)]


class Band(NamedTuple):
    """True windows by their length, in seconds: above ``low``, and at most ``high``; all of them without ``high``."""
    name: str
    low: float = 0
    high: float | None = None

    def within(self, windows: list[Window]) -> list[Window]:
        """The windows of this band."""
        if self.high is None:
            return windows
        return [true for true in windows if self.low < true[1] - true[0] <= self.high]


BANDS = (Band('full'), Band('long', 30, 150), Band('middle', 10, 30), Band('short', 0, 10))

Query = tuple[list[Window], list[Window], list[Window]]
"""the true windows, the listed ones and the first ten of these by score"""


def qvhighlights_figures(truth: Iterable[dict[str, Any]], predictions: Iterable[dict[str, Any]]) -> dict[str, float]:
    """All figures of the program, in per cent, unrounded: those of its ``brief`` first, then the others under names of
    the same pattern.

    ``MR-full-R1@0.5`` looks at the first listed window, ``MR-full-mAP@0.5`` at the first ten, ordered by score (equal
    scores as listed), ``MR-full-mAP`` is the mean over IoU 0.5, 0.55, …, 0.95. Instead of ``full``, ``short``,
    ``middle`` and ``long`` count only true windows of 0-10, 10-30 and 30-150 seconds. ``HL-min-Fair-mAP`` and
    ``HL-min-Fair-Hit1`` (Good, VeryGood) are there if the first prediction has ``pred_saliency_scores``.

    Where the program stops with an error, a query without predicted windows or without relevant clips counts 0, one
    without true windows is left out (of bands, the program leaves it out too), and so is a band without queries, with a
    warning; and windows without score keep their order.

    Args:
        truth: objects with ``qid``, ``relevant_windows`` and, for highlights, ``duration``, ``relevant_clip_ids`` and
            ``saliency_scores``
        predictions: objects with ``qid``, ``pred_relevant_windows`` ([start, end, score]) and ``pred_saliency_scores``

    Raises:
        ValueError: a query is in one of the two alone, or twice; a value is missing or no number; no query is left

    Examples:
        >>> from ir_segmeasures.providers.programs.qvhighlights import qvhighlights_figures
        >>> figures = qvhighlights_figures([{'qid': 1, 'relevant_windows': [[0, 10]]}],
        ...                                [{'qid': 1, 'pred_relevant_windows': [[50, 60, .1], [0, 10, .9]]}])
        >>> figures['MR-full-R1@0.5'], figures['MR-full-mAP@0.5']
        (0.0, 100.0)
    """
    return moment_detr_figures(truth, predictions, BANDS)


def moment_detr_figures(truth: Iterable[dict[str, Any]], predictions: Iterable[dict[str, Any]],
                        bands: Sequence[Band]) -> dict[str, float]:
    """The figures as in :func:`qvhighlights_figures`, of other bands; a band without queries has none."""
    true, predicted = records_by_query(truth, 'truth'), records_by_query(predictions, 'predictions')
    same_queries(true, predicted)
    if not predicted:
        raise ValueError('there is no query, but every figure is a mean over queries: give predictions')
    first, brief, others = next(iter(predicted.values())), {}, {}
    if _PREDICTED in first:
        queries = [_query(qid, true[qid], record) for qid, record in predicted.items()]
        without = []
        for band in bands:
            figures = _moments([(windows, listed, best) for all_windows, listed, best in queries
                                for windows in [band.within(all_windows)] if windows], band.name)
            if not figures:
                without.append(band.name)
            names = [name for name in (f'MR-{band.name}-{figure}' for figure in (
                ('R1@0.5', 'R1@0.7', 'mAP', 'mAP@0.5', 'mAP@0.75') if band.name == 'full' else ('mAP',)))
                if name in figures]
            brief.update({name: figures.pop(name) for name in names})
            others.update(figures)
        warn([_empty(((qid, query[0]) for qid, query in zip(predicted, queries)), 'true windows',
                     'moments leave them out'),
              _empty(((qid, query[1]) for qid, query in zip(predicted, queries)), 'predicted windows',
                     'moments count them as 0'),
              f'no true window has a length of the bands {joined(without)}, where the program stops; their figures are '
              'left out: check that this is meant' if without else None,
              *reversed_windows(one for _, listed, _ in queries for one in listed)])
    if _SALIENCY in first:
        clips = {qid: record_as(_JudgedClips, true[qid], f'query {quoted(qid)} of the truth') for qid in predicted}
        brief.update(_highlights(
            (clips[qid], record_as(_Saliency, record, f'query {quoted(qid)} of the predictions').pred_saliency_scores)
            for qid, record in predicted.items()))
        warn([_empty(((qid, clip.relevant_clip_ids) for qid, clip in clips.items()), 'relevant clips',
                     'highlights count them as 0')])
    if not brief:
        raise ValueError(f'no query has true windows, or the first prediction has neither {_PREDICTED!r} nor '
                         f'{_SALIENCY!r}, but the program makes figures of these: check that these are the right files')
    return {**brief, **others}


def _query(qid: Any, true: dict[str, Any], predicted: dict[str, Any]) -> Query:
    listed = record_as(_PredictedWindows, predicted, f'query {quoted(qid)} of the predictions').pred_relevant_windows
    windows = record_as(_TrueWindows, true, f'query {quoted(qid)} of the truth').relevant_windows
    return windows, listed, sorted(listed[:LISTED], key=lambda window: -window.score)


def _empty(lists: Iterable[tuple[Any, list[Any]]], what: str, does: str) -> str | None:
    qids = [qid for qid, values in lists if not values]
    return (f'{len(qids)} queries have no {what} (such as {joined(qids[:3])}), where the program stops; the figures of '
            f'{does}: check that this is meant' if qids else None)


def _moments(queries: Sequence[Query], band: str) -> dict[str, float]:
    if not queries:
        return {}
    firsts = np.array([iou_of_first(listed[0], true) if listed else 0.0 for true, listed, _ in queries])
    found = {f'MR-{band}-R1@{iou}': float(np.mean(firsts >= iou)) * 100 for iou in IOUS}
    means = np.array([average_precisions([('', one) for one in true], [('', one) for one in best])
                      for true, _, best in queries]).mean(0)
    found[f'MR-{band}-mAP'] = 100 * float(np.mean(means))
    found.update({f'MR-{band}-mAP@{iou}': 100 * mean for iou, mean in zip(IOUS, means.tolist())})
    return found


def _highlights(pairs: Iterable[tuple[_JudgedClips, Sequence[float]]]) -> dict[str, float]:
    """``HL-min-Fair-mAP``, ``HL-min-Fair-Hit1`` and those of the other levels, in per cent.

    Args:
        pairs: of each query its object in the truth, and the predicted scores of its clips
    """
    queries = [(_clip_scores(true), np.array(scores, float)) for true, scores in pairs]
    found = {}
    for name, least in _LEVELS.items():
        precisions = [[clip_average_precision(worker >= least, _fitted(scores, len(clips))) for worker in clips.T]
                      for clips, scores in queries]
        hits = [best < len(clips) and bool((clips[best] >= least).any())
                for clips, scores in queries for best in [int(np.argmax(scores))]]
        found[f'HL-min-{name}-mAP'] = 100 * float(np.mean(precisions))
        found[f'HL-min-{name}-Hit1'] = 100 * float(np.mean(hits))
    return found


def _clip_scores(true: _JudgedClips) -> Floats:
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


def castella_figures(truth: Iterable[dict[str, Any]], predictions: Iterable[dict[str, Any]]) -> dict[str, float]:
    """All figures of the program, in per cent, unrounded, as
    :func:`qvhighlights_figures` has them: QVHighlights' without bands of length, for windows in audio.

    Source: lighthouse, training/standalone_eval/eval.py, https://github.com/line/lighthouse.

    Quirk: ``full`` has true windows of at most 1500 seconds; a query without one is left out.

    Args, Raises:
        as there

    Examples:
        >>> from ir_segmeasures.providers.programs.qvhighlights import castella_figures
        >>> castella_figures([{'qid': 'a', 'relevant_windows': [[27, 28]]}],
        ...                  [{'qid': 'a', 'pred_relevant_windows': [[27, 28.25, .7]]}])['MR-full-R1@0.7']
        100.0
    """
    return moment_detr_figures(truth, predictions, (Band('full', 0, 1500),))


QVHIGHLIGHTS = Program(
    'qvhighlights', 'QVHighlights 2021, moment_detr standalone_eval (https://github.com/jayleicn/moment_detr)',
    'JSON lines: qid, relevant_windows [[start, end], …]; for highlights duration, relevant_clip_ids, saliency_scores',
    'JSON lines: qid, pred_relevant_windows [[start, end, score], …] and/or pred_saliency_scores, of the same queries',
    JSON_LINES, (JSON_LINES,), qvhighlights_figures, 2,
    'true windows that fit a prediction equally well: NumPy does not say which comes first; here the last listed')
CASTELLA = Program(
    'castella', 'CASTELLA 2025, lighthouse standalone_eval (https://github.com/line/lighthouse)', QVHIGHLIGHTS.truth,
    QVHIGHLIGHTS.predictions, JSON_LINES, (JSON_LINES,), castella_figures, 2, QVHIGHLIGHTS.ties)
