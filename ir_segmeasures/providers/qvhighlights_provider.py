"""The provider ``qvhighlights``: recall and average precision of moments as the program of QVHighlights has them, its
quirks included: items in the order in which they are listed, in double precision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from ir_measures import providers

from ir_segmeasures import measures
from ir_segmeasures.measures.parameters import Only
from ir_segmeasures.providers.base import Figure, ToolProvider, figures_by_name
from ir_segmeasures.providers.programs.detection import IOUS, LISTED, average_precisions, iou_of_first

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_on_axis import RunOnAxis
    from ir_segmeasures.measures import SegmentMeasure
    from ir_segmeasures.segments.arrays import Floats, Ints
    from ir_segmeasures.segments.tables.table import SegmentTable

__all__ = ['QVHighlightsProvider', 'qvhighlights']

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


def listed_precisions(query: Listed, ious: tuple[float, ...]) -> list[float]:
    """The average precision at each IoU of the items that are listed as the first ten, ordered by score.

    Quirk: items with better scores that are listed later do not count.
    """
    return average_precisions(query.true, [query.ranked[place] for place in sorted(query.listed[:LISTED])], ious)


def _values(run: RunOnAxis, value: Callable[[Listed], float]) -> Floats:
    values = np.zeros(run.queries)
    for place, query in run.cached(listed_queries).items():
        values[place] = value(query)
    return values


def _recall(run: RunOnAxis, measure: SegmentMeasure) -> Floats:
    return _values(run, lambda query: float(first_iou(query) >= measure['iou']))


def _average_precision(run: RunOnAxis, measure: SegmentMeasure) -> Floats:
    return _values(run, lambda query: listed_precisions(query, (measure['iou'],))[0])


def _mean_average_precision(run: RunOnAxis, measure: SegmentMeasure) -> Floats:
    return _values(run, lambda query: sum(listed_precisions(query, IOUS)) / len(IOUS))


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
