"""The numbers of TVR's program (TVRetrieval, Lei et al. 2020) for one query, its quirks included: recall of moments as
it computes in single precision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ir_segmeasures import measures
from ir_segmeasures.measures.base import Only
from ir_segmeasures.providers.base import Figure, figures_by_name

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures import SegmentMeasure

__all__ = ['FIGURES', 'best_ious']


def best_ious(topic: Topic) -> list[tuple[int, np.float32]]:
    """The items that share content with true windows, by rank, each with its highest IoU.

    Quirk: all in single precision, so that an IoU of 0.7 can fall below 0.7.
    """
    found, items, single = [], topic.items, np.float32
    for rank, document, start, end in zip(items.rank, items.document, map(single, items.start), map(single, items.end)):
        ious = [(min(end, last) - max(start, first)) / (max(end, last) - min(start, first))
                for first, last in ((single(left), single(right)) for left, right, _ in topic.segments_of[document])
                if min(end, last) > max(start, first)]
        if ious:
            found.append((rank, max(ious)))
    return found


def _recall(topic: Topic, measure: SegmentMeasure) -> float:
    """The program's recall. Quirk: only the first 100 items count."""
    from ir_segmeasures.measures.judged_videos import LIMIT  # imported when it is needed
    last, lowest = min(measure['cutoff'], LIMIT), np.float32(measure['iou'])
    return float(any(rank <= last and iou >= lowest for rank, iou in topic.cached(best_ious)))


FIGURES = figures_by_name(Figure(measures.IoU_R, _recall, {'rel': Only(1), 'strict': Only(False)}))
