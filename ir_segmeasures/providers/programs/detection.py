"""Average precision of predicted windows, as ActivityNet's program defines it and QVHighlights' and CASTELLA's take it
over: each prediction takes the true window that it fits best and that none before it took. TVR-Ranking's nDCG does so
with grades.

Everything is computed in double precision, in the order in which these programs compute it, so that an IoU at a
threshold falls on the side where it falls there.
"""

from collections.abc import Callable, Iterable, Sequence
from math import nan
from typing import Any, TypeVar

import numpy as np

from ir_segmeasures.measures.windows import matches

IOUS = tuple(np.linspace(.5, .95, 10).round(2).tolist())
LISTED = 10  # windows of a query that count in QVHighlights' and CASTELLA's

Window = tuple[float, ...]  # start, end, and maybe a score
T = TypeVar('T')


def union_iou(one: Window, other: Window) -> float:
    """The IoU of two windows by the sum of their lengths; nan where both are empty."""
    common = max(min(one[1], other[1]) - max(one[0], other[0]), 0)
    union = (one[1] - one[0]) + (other[1] - other[0]) - common
    return common / union if union else nan


def hull_iou(one: Window, other: Window) -> float:
    """The IoU of two windows by the stretch from the first start to the last end; 0 where that is empty."""
    hull = max(one[1], other[1]) - min(one[0], other[0])
    return max(min(one[1], other[1]) - max(one[0], other[0]), 0) / hull if hull else 0.0


def iou_of_first(first: Window, true: Sequence[Window]) -> float:
    """The IoU of the window that is listed first and the true one that it fits best, of equal ones the first; 0 if
    there is none. The best one is chosen by :func:`union_iou`, and measured by :func:`hull_iou`."""
    fits = [union_iou(first, window) for window in true]
    best = max(range(len(fits)), key=lambda place: (fits[place] != fits[place], fits[place]), default=None)
    return 0.0 if best is None else hull_iou(first, true[best])


def taken(predicted: Sequence[Any], true: Sequence[T], iou: Callable[[Any, T], float],
          least: float) -> list[tuple[float, T | None]]:
    """The IoU of each prediction in turn and the free true window that it fits best, of equal ones the first, which it
    takes if the IoU is at least ``least``; 0 and None if it is not."""
    free, found = list(true), list[tuple[float, T | None]]()
    for one in predicted:
        fits = [iou(one, other) for other in free]
        best = max(fits, default=-1.)
        found.append((best, free.pop(fits.index(best))) if best >= least else (0., None))
    return found


def average_precisions(truth: Sequence[tuple[str, Window]], predictions: Sequence[tuple[str, Window]],
                       ious: Sequence[float] = IOUS) -> list[float]:
    """The average precision at each IoU: the area under precision, made non-increasing from the right, over recall
    (Everingham et al., VOC 2011).

    Of true windows that fit a prediction equally well, the one listed last is taken first.

    Args:
        truth: the true windows, each with its video
        predictions: the predicted windows, each with its video, the best first
        ious: the least IoU of a right prediction, for each value

    Examples:
        >>> from ir_segmeasures.providers.programs.detection import average_precisions
        >>> average_precisions([('v', (0, 10)), ('v', (20, 30))], [('v', (50, 60)), ('v', (0, 9))], [.5, .95])
        [0.25, 0.0]
    """
    right: list[list[int]] = [[] for _ in ious]
    for video in {video for video, _ in predictions}:
        windows = [(window[0], window[1]) for other, window in reversed(truth) if other == video]
        ranked = [(rank, window) for rank, (other, window) in enumerate(predictions, 1) if other == video]
        items = [(window[0], window[1]) for _, window in ranked]
        for item, _, reached in matches(items, windows, ious, exact=False):
            for place, ranks in enumerate(right):
                if reached >> place & 1:
                    ranks.append(ranked[item][0])
    areas = {ranks: _area(ranks, len(truth)) for ranks in {tuple(sorted(ranks)) for ranks in right}}
    return [areas[tuple(sorted(ranks))] for ranks in right]


def _area(ranks: tuple[int, ...], n: int) -> float:
    """The area under precision over recall, of n true windows, where the predictions of these ranks are right."""
    if not ranks:
        return 0.0
    found = np.arange(1, len(ranks) + 1)
    precision = np.maximum.accumulate((found / np.array(ranks))[::-1])[::-1]
    steps = (found / n - (found - 1) / n) * precision
    # Full recall is a last step, at precision 0: it decides how NumPy groups the sum.
    return float(np.sum(steps if len(ranks) == n else np.append(steps, 0.0)))


def graded_ndcg(predictions: Sequence[tuple[str, Window]], truth: Iterable[tuple[float, tuple[str, Window]]], k: int,
                iou: float) -> float:
    """The nDCG of predicted windows, as TVR-Ranking's program computes it: each prediction in turn takes, of the true
    windows of its video that are left, the one that it fits best if their IoU is greater than ``iou``, of equal ones
    the first by descending relevance; also one of relevance 0.

    Args:
        predictions: the first k predicted windows, each with its video, the best first
        truth: the relevance of each true window, and the window with its video
        k: how many ranks the ideal has
        iou: see above
    """
    def fit(one: tuple[str, Window], graded: tuple[float, tuple[str, Window]]) -> float:
        return union_iou(one[1], graded[1][1]) if one[0] == graded[1][0] else 0.
    ranked = sorted(truth, key=lambda one: -one[0])
    ideal = _dcg([relevance for relevance, _ in ranked[:k]])
    gains = [graded[0] if graded else 0. for _, graded in taken(
        predictions, ranked, fit, float(np.nextafter(iou, 1)))]
    return _dcg(gains) / ideal if ideal else 0.


def _dcg(gains: Sequence[float]) -> float:
    values = np.array(gains, float)
    return float(np.sum((2 ** values - 1) / np.log2(np.arange(2, len(values) + 2))))
