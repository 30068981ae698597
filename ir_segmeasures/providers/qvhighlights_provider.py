"""The provider ``qvhighlights``: recall and average precision of moments as the program of QVHighlights has them, its
quirks included: items in the order in which they are listed, in double precision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir_measures import providers

from ir_segmeasures import measures
from ir_segmeasures.measures.base import Only
from ir_segmeasures.providers.base import Figure, ToolProvider, figures_by_name
from ir_segmeasures.providers.programs.detection import IOUS, LISTED, average_precisions, iou_of_first

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures import SegmentMeasure

__all__ = ['QVHighlightsProvider', 'qvhighlights']

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


class QVHighlightsProvider(ToolProvider):
    """The program of QVHighlights (moment_detr, standalone_eval; Lei, Berg & Bansal, NeurIPS 2021):
    ``IoU_R(iou=0.7, tool='qvhighlights')@1``, ``IoU_AP(iou=0.5, tool='qvhighlights')`` and
    ``mIoU_AP(tool='qvhighlights')``.

    Its numbers differ from the definition in known ways, all kept:

    - recall looks at the item that is listed first, whatever its score is: the first of the query in the input;
    - average precision looks at the first ten items as listed, and then orders them by score;
    - it computes in double precision: an IoU at a threshold can fall on either side;
    - of true windows that fit an item equally well, the one judged last is matched first.
    """
    NAME = 'qvhighlights'
    FIGURES = figures_by_name(
        Figure(measures.IoU_R, _recall, {**_REL, 'cutoff': Only(1), 'strict': Only(False)}),
        Figure(measures.IoU_AP, _average_precision, _TEN),
        Figure(measures.mIoU_AP, _mean_average_precision, _TEN))


qvhighlights = providers.register(QVHighlightsProvider())
