"""The provider ``tvr``: recall of moments as the program of TVR has it, its quirks included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from ir_measures import providers

from ir_segmeasures import measures
from ir_segmeasures.measures.base import Only
from ir_segmeasures.measures.window_pairs import overlapping_pairs, true_windows
from ir_segmeasures.providers.base import Figure, ToolProvider, figures_by_name

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures import SegmentMeasure

__all__ = ['TVRProvider', 'tvr']


class SingleIous(NamedTuple):
    """The pairs of an item and a true window that share content, of all queries, as arrays.

    Attributes:
        query: its place in the qrels
        rank: of the item
        iou: in single precision
    """
    query: Any
    rank: Any
    iou: Any


def single_ious(run: RunItems) -> SingleIous:
    """The IoU of each item with each true window that it shares content with.

    Quirk: all in single precision, so that an IoU of 0.7 can fall below 0.7.
    """
    items, windows = run.overlapping_items, run.relevant.cached(true_windows).windows
    item, window = run.cached(overlapping_pairs)
    start, end, first, last = (column.astype(np.float32)[places] for column, places in (
        (items.start, item), (items.end, item), (windows.start, window), (windows.end, window)))
    common = np.minimum(end, last) - np.maximum(start, first)
    iou = common / (np.maximum(end, last) - np.minimum(start, first))
    found = common > 0
    return SingleIous(run.relevant.query[items.group[item[found]]], items.rank[item[found]], iou[found])


def recalled(run: RunItems, last: int, iou: float) -> list[bool]:
    """For each query, whether an item up to the rank ``last`` has this IoU or more with a true window."""
    found = np.zeros(len(run.n), bool)
    pairs = run.cached(single_ious)
    found[pairs.query[(pairs.rank <= last) & (pairs.iou >= np.float32(iou))]] = True
    return found.tolist()


def _recall(topic: Topic, measure: SegmentMeasure) -> float:
    """The program's recall. Quirk: only the first 100 items count."""
    from ir_segmeasures.measures.judged_videos import LIMIT  # imported when it is needed
    return float(topic.computed_on_run(recalled, min(measure['cutoff'], LIMIT), measure['iou']))


class TVRProvider(ToolProvider):
    """The program of TVR (jayleicn/TVRetrieval; Lei, Yu, Berg & Bansal, ECCV 2020): ``IoU_R(iou=0.7, tool='tvr')@5`` on
    its predictions of VCMR (moments of all videos) and SVMR (moments of the query's video).

    Its numbers differ from the definition in known ways, all kept:

    - it computes in single precision: an IoU of 0.5 or 0.7 to some 10^-7 can fall on either side;
    - it looks at the first 100 items, and at no others.

    In SVMR the program leaves out what is of other videos than that of the query before it counts ranks: the commands
    do so with ``--task SVMR``, and
    :func:`ir_segmeasures.measures.judged_videos.items_of_judged_videos` does so with rows.

    Its figures of videos (VR) are ``Success@k`` of ir-measures on runs and qrels made documents
    (:func:`~ir_segmeasures.to_documents`).
    """
    NAME = 'tvr'
    FIGURES = figures_by_name(Figure(measures.IoU_R, _recall, {'rel': Only(1), 'strict': Only(False)}))


tvr = providers.register(TVRProvider())
