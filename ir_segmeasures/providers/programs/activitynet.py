"""The figures of ActivityNet's program for temporal detection: the windows of a class of activity in all videos.

Source: Evaluation/eval_detection.py, https://github.com/activitynet/ActivityNet (Caba Heilbron et al. CVPR 2015). The
detection of THUMOS'14 has the same definition, at tIoU 0.3, 0.4, …, 0.7.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from ir_segmeasures.providers.programs.detection import average_precisions
from ir_segmeasures.providers.programs.program import JSON, FigureValues, Program
from ir_segmeasures.providers.programs.records import Number, Window, record_as, reversed_windows
from ir_segmeasures.segments.quoting import joined, quoted
from ir_segmeasures.segments.warnings import warn

__all__ = ['ACTIVITYNET', 'activitynet_figures', 'class_average_precisions']

# Not rounded: the program's ninth tIoU is a little below 0.9.
TIOUS = tuple(np.linspace(.5, .95, 10).tolist())

Windows = list[tuple[str, Window]]


class _Annotation(msgspec.Struct):
    label: str
    segment: Window


class _Video(msgspec.Struct):
    subset: str
    annotations: list[_Annotation] = []


class _Truth(msgspec.Struct):
    database: dict[str, Any]


class _Result(_Annotation):
    score: Number


class _Predictions(msgspec.Struct):
    results: dict[str, Any]


def activitynet_figures(truth: dict[str, Any], predictions: dict[str, Any], subset: str = 'validation',
                        tious: Sequence[float] = TIOUS) -> dict[str, float]:
    """``average-mAP`` and ``mAP@0.5`` … ``mAP@0.95``, from 0 to 1: means over the classes of the truth.

    Args, Raises:
        as :func:`class_average_precisions`

    Examples:
        >>> from ir_segmeasures.providers.programs.activitynet import activitynet_figures
        >>> truth = {'database': {'v': {'subset': 'validation', 'annotations': [{'label': 'run', 'segment': [0, 10]}]}}}
        >>> predictions = {'results': {'v': [{'label': 'run', 'score': .9, 'segment': [0, 8]}]}}
        >>> activitynet_figures(truth, predictions)['average-mAP']
        0.7
    """
    classes = class_average_precisions(truth, predictions, subset, tious)
    means = np.array([classes[label] for label in sorted(classes)]).mean(axis=0)
    return {'average-mAP': float(means.mean()),
            **{f'mAP@{tiou:.2g}': mean for tiou, mean in zip(tious, means.tolist())}}


def class_average_precisions(truth: dict[str, Any], predictions: dict[str, Any], subset: str = 'validation',
                             tious: Sequence[float] = TIOUS) -> dict[str, list[float]]:
    """The average precision at each tIoU of each class, in the order in which the truth has the classes; 0 for a class
    without predictions.

    Predictions are taken by descending score, equal scores as listed. Predictions in videos of other subsets are
    wrong ones. Times may be text, as in the program. It once asked a server for blocked videos, which is no longer
    there.

    Args:
        truth: ``{'database': {video: {'subset', 'annotations': [{'label', 'segment': [start, end]}]}}}``
        predictions: ``{'results': {video: [{'label', 'score', 'segment': [start, end]}]}}``
        subset: of the videos that count
        tious: the least tIoU of a right prediction, for each figure

    Raises:
        ValueError: the subset has no window; a prediction is of a class that the truth does not have; a value is
            missing or no number
    """
    true: dict[str, Windows] = {}
    videos, subsets = set(), set()
    for video, record in record_as(_Truth, truth, 'the file of the truth').database.items():
        judged = record_as(_Video, record, f'video {quoted(video)} of the truth', strict=False)
        subsets.add(judged.subset)
        if judged.subset == subset:
            videos.add(video)
            for annotation in judged.annotations:
                true.setdefault(annotation.label, []).append((video, annotation.segment))
    if not true:
        raise ValueError(f'no video of the subset {quoted(subset)} has a window (subsets: '
                         f'{joined(sorted(subsets)) or "none"}), but every figure is a mean over their classes: check '
                         "that this is the right file, or take 'evaluate --subset NAME' with mIoU_AP and IoU_AP")
    predicted: dict[str, list[tuple[float, str, Window]]] = {label: [] for label in true}
    by_video = record_as(_Predictions, predictions, 'the file of predictions').results
    for video, records in by_video.items():
        where = f'video {quoted(video)} of the predictions'
        for result in record_as(list[_Result], records, where, strict=False):
            if result.label not in predicted:
                raise ValueError(f'{where} has the class {quoted(result.label)}, which the truth does not have in the '
                                 f'subset {quoted(subset)}: correct it, or take it out')
            predicted[result.label].append((result.score, video, result.segment))
    others = [video for video in by_video if video not in videos]
    warn([f'{len(others)} of the {len(by_video)} predicted videos are not in the subset {quoted(subset)} of the truth '
          f'(such as {quoted(others[0])}), and every prediction in them is a wrong one: check their names'
          if others else None, *reversed_windows(one for ranked in predicted.values() for _, _, one in ranked)])
    found = {}
    for label, windows in true.items():
        ranked = sorted(predicted[label], key=lambda prediction: -prediction[0])
        found[label] = average_precisions(windows, [prediction[1:] for prediction in ranked], tious)
    return found


def _of_classes(truth: dict[str, Any], predictions: dict[str, Any]) -> dict[str, FigureValues]:
    return {label: {f'AP@{tiou:.2g}': value for tiou, value in zip(TIOUS, values)}
            for label, values in class_average_precisions(truth, predictions).items()}


ACTIVITYNET = Program(
    'activitynet', 'ActivityNet 2015 detection, eval_detection.py (https://github.com/activitynet/ActivityNet)',
    'JSON: database with subset and annotations (label, segment) of each video',
    'JSON: results with label, score and segment of each video', JSON, (JSON,), activitynet_figures,
    ties='predictions of equal score, and true windows that fit one equally well: NumPy does not say which comes '
         'first; here as listed, and the last listed', by_query=_of_classes)
