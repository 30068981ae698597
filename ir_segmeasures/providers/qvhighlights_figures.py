"""The numbers of QVHighlights' program (moment_detr, Lei, Berg & Bansal 2021) for one query, its quirks included: items
in the order in which they are listed, in double precision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir_segmeasures import measures
from ir_segmeasures.measures.base import Only
from ir_segmeasures.providers.base import Figure, figures_by_name
from ir_segmeasures.providers.programs.detection import IOUS, LISTED, average_precisions, iou_of_first

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures import SegmentMeasure

__all__ = ['FIGURES', 'first_iou', 'listed_precisions']

Placed = tuple[str, tuple[float, float]]  # a document and a window in it


def _true(topic: Topic) -> list[Placed]:
    return [(str(document), (start, end)) for document, start, end in topic.segments]


def _items(topic: Topic, places: list[int]) -> list[Placed]:
    documents, starts, ends = topic.ranking
    return [(str(documents[place]), (starts[place], ends[place])) for place in places]


def first_iou(topic: Topic) -> float:
    """The IoU of the item that is listed first and the true window that it fits best, of equal ones the first."""
    if not topic.n:
        return 0.0
    (document, first), = _items(topic, topic.listed[:1])
    return iou_of_first(first, [window for other, window in _true(topic) if other == document])


def listed_precisions(topic: Topic, ious: tuple[float, ...]) -> list[float]:
    """The average precision at each IoU of the items that are listed as the first ten, ordered by score.

    Quirk: items with better scores that are listed later do not count.
    """
    return average_precisions(_true(topic), _items(topic, sorted(topic.listed[:LISTED])), ious)


def _recall(topic: Topic, measure: SegmentMeasure) -> float:
    return float(topic.cached(first_iou) >= measure['iou'])


def _average_precision(topic: Topic, measure: SegmentMeasure) -> float:
    return topic.cached(listed_precisions, (measure['iou'],))[0]


def _mean_average_precision(topic: Topic, measure: SegmentMeasure) -> float:
    return sum(topic.cached(listed_precisions, IOUS)) / len(IOUS)


_REL = {'rel': Only(1)}
_TEN = {**_REL, 'cutoff': Only(None, LISTED)}
FIGURES = figures_by_name(
    Figure(measures.IoU_R, _recall, {**_REL, 'cutoff': Only(1), 'strict': Only(False)}),
    Figure(measures.IoU_AP, _average_precision, _TEN),
    Figure(measures.mIoU_AP, _mean_average_precision, _TEN))
