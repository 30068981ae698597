"""The providers ``qvhighlights`` and ``tvr``: recall and average precision of moments as the programs of QVHighlights
and TVR have them, their quirks included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from ir_measures import providers

from ir_segmeasures import measures
from ir_segmeasures.measures.moments import crossing_documents
from ir_segmeasures.measures.parameters import Only
from ir_segmeasures.providers.base import Figure, ToolProvider
from ir_segmeasures.providers.programs.detection import IOUS, LISTED, average_precisions, iou_of_first

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis
    from ir_segmeasures.segments.arrays import Floats, Ints
    from ir_segmeasures.segments.tables.table import SegmentTable

Placed = tuple[str, Any]  # a document and a window in it


class Listed(NamedTuple):
    """A query as the program sees it.

    Attributes:
        true: the true windows
        ranked: the items by rank
        listed: the places in ``ranked`` of the items in the order of the input
    """
    true: list[Placed]
    ranked: list[Placed]
    listed: list[int]


def listed_queries(run: RunOnAxis) -> dict[int, Listed]:
    """The queries that have items and true windows, by their places in the qrels."""
    match, true = run.match, dict[int, list[Placed]]()
    for query, place in zip(run.segments.query.tolist(), _placed(match.qrels, run.segments.row)):
        true.setdefault(query, []).append(place)
    return {query: Listed(true[query], _placed(match.run, np.arange(low, high)),
                          np.argsort(match.run.row[low:high]).tolist())
            for query, (low, high) in zip(*(column.tolist() for column in match.rankings)) if query in true}


def _placed(table: SegmentTable, rows: Ints) -> list[Placed]:
    return [(table.document_ids[document], (start, end)) for document, start, end in zip(
        table.document[rows].tolist(), table.start[rows].tolist(), table.end[rows].tolist())]


def first_iou(query: Listed) -> float:
    """The IoU of the item that is listed first and the true window that it fits best, of equal ones the first."""
    document, first = query.ranked[query.listed[0]]
    return iou_of_first(first, [window for other, window in query.true if other == document])


def listed_precisions(query: Listed, ious: tuple[float, ...]) -> float:
    """The mean over IoUs of the average precision of the items that are listed as the first ten, ordered by score.

    Quirk: items with better scores that are listed later do not count.
    """
    ranked = [query.ranked[place] for place in sorted(query.listed[:LISTED])]
    return sum(average_precisions(query.true, ranked, ious)) / len(ious)


def _values(run: RunOnAxis, value: Callable[[Listed], float]) -> Floats:
    values = np.zeros(run.queries)
    for place, query in run.cached(listed_queries).items():
        values[place] = value(query)
    return values


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
    figures = (
        Figure(measures.IoU_R, lambda run, m: _values(run, lambda query: float(first_iou(query) >= m['iou'])),
               {**_REL, 'cutoff': Only(1), 'strict': Only(False)}),
        Figure(measures.IoU_AP, lambda run, m: _values(run, lambda query: listed_precisions(query, (m['iou'],))), _TEN),
        Figure(measures.mIoU_AP, lambda run, _: _values(run, lambda query: listed_precisions(query, IOUS)), _TEN))


qvhighlights = providers.register(QVHighlightsProvider())


def recalled(run: RunOnAxis, k: int, iou: float) -> Floats:
    """For each query, whether one of the first k items has this IoU or more with a true window.

    Quirks: only the first 100 items count; all in single precision, so that an IoU of 0.7 can fall below 0.7.
    """
    from ir_segmeasures.measures.judged_videos import LIMIT  # imported when it is needed

    def single(values: list[float]) -> Any:
        return np.array(values, np.float32)
    found = np.zeros(run.queries)
    for items, _, windows, _ in crossing_documents(run, min(k, LIMIT)):
        start, end = (single(run.positions(run.stretch[items], x[items])) for x in (run.start, run.end))
        segments = run.segments
        first, until = (single(run.positions(segments.stretch[windows], x[windows]))
                        for x in (segments.start, segments.end))
        common = np.minimum(end[:, None], until) - np.maximum(start[:, None], first)
        union = np.maximum(end[:, None], until) - np.minimum(start[:, None], first)
        if ((common > 0) & (common / union >= np.float32(iou))).any():
            found[run.query[items[0]]] = 1
    return found


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
    figures = Figure(measures.IoU_R, lambda run, m: recalled(run, m['cutoff'], m['iou']),
                     {'rel': Only(1), 'strict': Only(False)}),


tvr = providers.register(TVRProvider())
