"""The provider ``tvr``: recall of moments as the program of TVR has it, its quirks included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from ir_measures import providers

from ir_segmeasures import measures
from ir_segmeasures.measures.moments import crossing_documents
from ir_segmeasures.measures.parameters import Only
from ir_segmeasures.providers.base import Figure, ToolProvider, figures_by_name

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis
    from ir_segmeasures.measures import SegmentMeasure

__all__ = ['TVRProvider', 'tvr']


def recalled(run: RunOnAxis, last: int, iou: float) -> Any:
    """For each query, whether an item up to the rank ``last`` has this IoU or more with a true window.

    Quirk: all in single precision, so that an IoU of 0.7 can fall below 0.7.
    """
    def single(values: list[float]) -> Any:
        return np.array(values, np.float32)
    found = np.zeros(run.queries)
    for items, _, windows, _ in crossing_documents(run, last):
        start, end = (single(run.positions(run.stretch[items], x[items])) for x in (run.start, run.end))
        segments = run.segments
        first, until = (single(run.positions(segments.stretch[windows], x[windows]))
                        for x in (segments.start, segments.end))
        common = np.minimum(end[:, None], until) - np.maximum(start[:, None], first)
        union = np.maximum(end[:, None], until) - np.minimum(start[:, None], first)
        if ((common > 0) & (common / union >= np.float32(iou))).any():
            found[run.query[items[0]]] = 1
    return found


def _recall(run: RunOnAxis, measure: SegmentMeasure) -> Any:
    """The program's recall. Quirk: only the first 100 items count."""
    from ir_segmeasures.measures.judged_videos import LIMIT  # imported when it is needed
    return recalled(run, min(measure['cutoff'], LIMIT), measure['iou'])


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
