"""The figures of ActivityNet's program for temporal detection: the windows of a class of activity in all videos.

Source: Evaluation/eval_detection.py, https://github.com/activitynet/ActivityNet (Caba Heilbron et al. CVPR 2015).
"""

from typing import Any
from urllib.parse import unquote

import numpy as np

from ir_segmeasures.providers.programs.detection import average_precisions
from ir_segmeasures.providers.programs.program import FigureValues, Program, means, rows_by_query
from ir_segmeasures.segments.quoting import quoted

# Not rounded: the program's ninth tIoU is a little below 0.9.
_TIOUS = tuple(np.linspace(.5, .95, 10).tolist())


def activitynet_by_class(truth: Any, predictions: Any) -> dict[str, FigureValues]:
    """The average precision at each tIoU of each class, such as ``AP@0.5``, from 0 to 1, in the order in which the
    truth has the classes; 0 for a class without predictions.

    Predictions are taken by descending score, equal scores as listed. Predictions in videos of other subsets are
    wrong ones.

    Args:
        truth: rows of judgements, whose queries are classes; every row is a true window
        predictions: rows of a run

    Raises:
        ValueError: a prediction is of a class that the truth does not have
    """
    true, predicted = rows_by_query(truth), rows_by_query(sorted(predictions, key=lambda row: -row.score))
    for label in predicted.keys() - true.keys():
        raise ValueError(f'the predictions have the class {quoted(unquote(label))}, which the truth does not have: '
                         'correct it, or take it out')
    found = {}
    for label, rows in true.items():
        windows, ranked = ([(row.doc_id, (row.start, row.end)) for row in listed]
                           for listed in (rows, predicted.get(label, ())))
        found[unquote(label)] = {f'AP@{tiou:.2g}': value for tiou, value in zip(
            _TIOUS, average_precisions(windows, ranked, _TIOUS))}
    return found


def activitynet_figures(truth: Any, predictions: Any) -> FigureValues:
    """``average-mAP`` and ``mAP@0.5`` … ``mAP@0.95``, from 0 to 1: means over the classes of the truth."""
    found = {f'm{name}': mean for name, mean in means(activitynet_by_class(truth, predictions)).items()}
    return {'average-mAP': sum(found.values()) / len(found), **found}


ACTIVITYNET = Program(
    'activitynet', 'ActivityNet 2015 detection, eval_detection.py (https://github.com/activitynet/ActivityNet)',
    'JSON: database with subset and annotations (label, segment) of each video',
    'JSON: results with label, score and segment of each video', 'activitynet', ('activitynet',), activitynet_figures,
    ties='predictions of equal score, and true windows that fit one equally well: NumPy does not say which comes '
         'first; here as listed, and the last listed', by_query=activitynet_by_class)
