"""The figures of TVR-Ranking's program: nDCG of moments with grades, at an IoU.

Source: modules/ndcg_iou.py, https://github.com/Ranking-VMR/TVR-Ranking.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from ir_segmeasures.providers.programs.detection import union_iou
from ir_segmeasures.providers.programs.program import JSON, FigureValues, Program, means
from ir_segmeasures.providers.programs.records import Number, Window, record_as
from ir_segmeasures.segments.quoting import quoted

_RANKS, _IOUS = (10, 20, 40), (.3, .5, .7)

Moment = tuple[str, Window]


class _Moment(msgspec.Struct):
    video_name: str
    timestamp: Window


class _GradedMoment(_Moment):
    relevance: Number


def tvr_ranking_by_query(truth: Any, predictions: Any) -> dict[str, FigureValues]:
    """``NDCG@10, IoU=0.3`` … of each query of the predictions.

    At an IoU, each prediction in turn takes, of the true moments of its video that are left, the one that it fits best
    if the IoU is greater, of equal ones the first by descending relevance; also one of relevance 0.

    Args:
        truth: ``{query: [{'video_name', 'timestamp': [start, end], 'relevance'}, …]}``
        predictions: such an object without relevance, the best moments first

    Raises:
        ValueError: a query of the predictions is not in the truth; a value is missing or is not a number
    """
    truth = record_as(dict[str, Any], truth, 'the file of the truth')
    found = {}
    for query, moments in record_as(dict[str, Any], predictions, 'the file of predictions').items():
        if query not in truth:
            raise ValueError(f'query {quoted(query)} of the predictions is not in the truth: take it out, or give the '
                             'truth of these predictions')
        judged = record_as(list[_GradedMoment], truth[query], f'query {quoted(query)} of the truth')
        graded = sorted(((moment.relevance, (moment.video_name, moment.timestamp)) for moment in judged),
                        key=lambda one: -one[0])
        predicted = [(moment.video_name, moment.timestamp) for moment in record_as(
            list[_Moment], moments, f'query {quoted(query)} of the predictions')]
        ideal = [relevance for relevance, _ in graded]
        gains = {iou: _gains(predicted, graded, iou) for iou in _IOUS}
        found[query] = {f'NDCG@{k}, IoU={iou}': _dcg(gains[iou][:k]) / best if best else 0.
                        for k in _RANKS for best in [_dcg(ideal[:k])] for iou in _IOUS}
    return found


def _gains(predicted: Sequence[Moment], graded: Sequence[tuple[float, Moment]], iou: float) -> list[float]:
    """The relevance of the true moment that each prediction takes, or 0."""
    free, gains = list(graded), list[float]()
    for video, span in predicted:
        fits = [union_iou(span, other) if name == video else 0. for _, (name, other) in free]
        best = max(fits, default=0.)
        gains.append(free.pop(fits.index(best))[0] if best > iou else 0.)
    return gains


def _dcg(gains: Sequence[float]) -> float:
    values = np.array(gains, float)
    return float(np.sum((2 ** values - 1) / np.log2(np.arange(2, len(values) + 2))))


TVR_RANKING = Program(
    'tvr_ranking', 'TVR-Ranking 2024, ndcg_iou.py (https://github.com/Ranking-VMR/TVR-Ranking)',
    'JSON: {query: [{"video_name", "timestamp" [start, end], "relevance"}, …]}',
    'JSON: {query: [{"video_name", "timestamp" [start, end]}, …]}, the best first', JSON, (JSON,),
    lambda truth, predictions: means(tvr_ranking_by_query(truth, predictions)), by_query=tvr_ranking_by_query)
