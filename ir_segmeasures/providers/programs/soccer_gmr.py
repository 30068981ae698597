"""The figures of Soccer-GMR's program: moments of football, and whether a query has any.

Source: eval/eval_main.py of Soccer-GMR. Queries without an answer have no true window.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.providers.programs.detection import IOUS, LISTED, average_precisions, taken, union_iou
from ir_segmeasures.providers.programs.program import JSON_LINES, FigureValues, Program
from ir_segmeasures.providers.programs.records import MomentPrediction, MomentTruth, Number, Window, records_by_query
from ir_segmeasures.segments.warnings import warn

_THRESHOLDS = (.4, .6)
_RANKS = (1, 3, 5)


class _Truth(MomentTruth, kw_only=True):
    duration: Number  # in seconds, to which windows are cut


class _Query(NamedTuple):
    """A query: its true windows, the predicted ones as listed, the best of these by score, and how sure it is to have
    an answer."""
    true: list[Window]
    listed: list[Window]
    best: list[Window]
    exists: float


def soccer_gmr_figures(truth: Iterable[dict[str, Any]], predictions: Iterable[dict[str, Any]]) -> FigureValues:
    """All figures of the program, in per cent, unrounded.

    ``AUROC``, ``Rej-F1@t`` and ``Acc@t`` look at the score of existence, ``G-mIoU@k`` at all queries (where that score
    is above 0.4, the windows count), and ``mAP``, ``mR@k``, ``mR+@k``, ``mIoU@k`` and ``mIoU+@k`` at queries with true
    windows, those with + at queries with two or more and without the first one.

    Args:
        truth: objects with ``qid``, ``duration``, ``relevant_windows`` (which may be empty)
        predictions: objects with ``qid``, ``pred_relevant_windows`` ([start, end, score], where the score may be
            missing) and maybe ``pred_exist_score``, else the greatest score of a window. Only queries in both count

    Raises:
        ValueError: no query is in both, none has a window or all have; a query is there twice; a value is missing or is
            not a number

    Examples:
        >>> from ir_segmeasures.providers.programs.soccer_gmr import soccer_gmr_figures
        >>> truth = [{'qid': 1, 'duration': 9, 'relevant_windows': [[0, 4]]},
        ...          {'qid': 2, 'duration': 9, 'relevant_windows': []}]
        >>> figures = soccer_gmr_figures(truth, [{'qid': 1, 'pred_relevant_windows': [[0, 4, .9]]},
        ...                                      {'qid': 2, 'pred_relevant_windows': [[0, 4, .1]]}])
        >>> figures['AUROC'], figures['G-mIoU@1'], figures['mAP']
        (100.0, 100.0, 100.0)
    """
    true = records_by_query(_Truth, truth, 'truth')
    predicted = records_by_query(MomentPrediction, predictions, 'predictions')
    queries = [_query(one, predicted[qid]) for qid, one in true.items() if qid in predicted]
    answered = [query for query in queries if query.true]
    if not answered or len(answered) == len(queries):
        raise ValueError(f'{len(queries)} queries are in both files, and {len(answered)} of them have true windows, '
                         'but the program compares queries with and without: check that these are the right files')
    warn([f'{len(true.keys() ^ predicted.keys())} queries are in one of the two files alone, and the program leaves '
          'them out: check that this is meant' if true.keys() != predicted.keys() else None])
    several = [query for query in answered if len(query.true) > 1]
    found = {'AUROC': _area(queries)}
    for threshold in _THRESHOLDS:
        found[f'Rej-F1@{threshold}'], found[f'Acc@{threshold}'] = _rejection(queries, threshold)
    found |= {f'G-mIoU@{k}': _mean(_generalised(query, k) for query in queries) for k in _RANKS}
    found['mAP'] = _mean(_mean(average_precisions([('', one) for one in query.true], [('', one) for one in query.best]))
                         for query in answered)
    for name, figure in (('mR', _recall), ('mIoU', _mean_iou)):
        for suffix, group, first in (('', answered, 0), ('+', several, 1)):
            found |= {f'{name}{suffix}@{k}': _mean(figure(query, k, first) for query in group) for k in _RANKS}
    return {name: 100 * value for name, value in found.items()}


def _query(true: _Truth, answer: MomentPrediction) -> _Query:
    clipped = {Window(min(max(one.start, 0.), true.duration), min(max(one.end, 0.), true.duration))
               for one in true.relevant_windows}
    listed, exists = answer.pred_relevant_windows or [], answer.pred_exist_score
    if exists is None:
        exists = max((one.score for one in listed), default=0.)
    best = sorted(listed[:LISTED], key=lambda one: -one.score)
    return _Query(sorted(one for one in clipped if one.end > one.start), listed, best, exists)


def _mean(values: Iterable[float]) -> float:
    """The mean; 0 without values."""
    listed = list(values)
    return float(np.mean(listed)) if listed else 0.


def _area(queries: Sequence[_Query]) -> float:
    """The area under the curve of true over false positives: how often a query with an answer has the higher score."""
    positive, negative = (np.array([query.exists for query in queries if bool(query.true) == has])
                          for has in (True, False))
    return float(np.mean((positive[:, None] > negative) + .5 * (positive[:, None] == negative)))


def _rejection(queries: Sequence[_Query], threshold: float) -> tuple[float, float]:
    """The F1 of the class of queries without an answer, and the accuracy of both classes."""
    rejected = sum(query.exists <= threshold and not query.true for query in queries)
    wrong = sum((query.exists > threshold) != bool(query.true) for query in queries)
    return 2 * rejected / (2 * rejected + wrong) if rejected else 0., (len(queries) - wrong) / len(queries)


def _matches(predicted: Sequence[Window], true: Sequence[Window], least: float) -> list[float]:
    """The IoUs of predictions with the true windows that they take."""
    return [iou for iou, window in taken(predicted, true, union_iou, least) if window]


def _generalised(query: _Query, k: int) -> float:
    """The sum of IoUs over the size of the union of both sets; 1 where both are empty."""
    predicted = [one for one in query.listed if one[1] > one[0]][:LISTED][:k] if query.exists > _THRESHOLDS[0] else []
    if not predicted or not query.true:
        return float(not predicted and not query.true)
    found = _matches(predicted, query.true, 0)
    return sum(found) / (len(predicted) + len(query.true) - len(found))


def _recall(query: _Query, k: int, first: int) -> float:
    """The recall among the first k as listed, mean over IoUs, without the ``first`` matches."""
    return _mean(max(0, len(_matches(query.listed[:k], query.true, iou)) - first) / (len(query.true) - first)
                 for iou in IOUS)


def _mean_iou(query: _Query, k: int, first: int) -> float:
    """The mean IoU of the matches of the first k as listed, without the ``first`` best ones."""
    return _mean(sorted(_matches(query.listed[:k], query.true, 0), reverse=True)[first:])


SOCCER_GMR = Program(
    'soccer_gmr', 'Soccer-GMR 2025, eval_main.py: moments of football, and queries without an answer',
    'JSON lines: qid, duration, relevant_windows [[start, end], …], which may be empty',
    'JSON lines: qid, pred_relevant_windows [[start, end, score], …], maybe pred_exist_score', JSON_LINES,
    (JSON_LINES,), figures=soccer_gmr_figures)
