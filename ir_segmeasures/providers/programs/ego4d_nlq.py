"""The figures of the program of Ego4D's natural language queries (NLQ), part of its episodic memory benchmark.

Source: NLQ/VSLNet/utils/evaluate_ego4d_nlq.py, https://github.com/EGO4D/episodic-memory (Grauman et al. CVPR 2022).
"""

from typing import Any

from ir_segmeasures.providers.programs.detection import hull_iou
from ir_segmeasures.providers.programs.program import FigureValues, Program, means, rows_by_query
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.warnings import warn

_IOUS, _RANKS = (.3, .5, .01), (1, 3, 5)  # the program takes them from its command, these are those of its baselines


def ego4d_nlq_by_query(truth: Any, predictions: Any) -> dict[str, FigureValues]:
    """``mIoU`` (of the first window) and ``R@1 IoU>0.3`` … (whether one of the first windows has a greater IoU) of
    each query that has predictions, in per cent.

    Args:
        truth: rows with the window of each query
        predictions: rows of a run, the best window of a query first

    Raises:
        ValueError: a prediction is for no query of the truth
    """
    true = {(row.query_id, row.doc_id): (row.start, row.end) for row in truth}
    found = {}
    for query, rows in rows_by_query(predictions).items():
        window = true.get((query, rows[0].doc_id))
        if window is None:
            raise ValueError(f'the predictions are for query {quoted(query)} of clip {quoted(rows[0].doc_id)}, which '
                             'is not in the truth: take it out, or give the truth of these predictions')
        fits = [hull_iou((row.start, row.end), window) for row in rows]
        found[query] = {'mIoU': 100 * fits[0], **{f'R@{rank} IoU>{iou}': 100. * any(fit > iou for fit in fits[:rank])
                                                  for iou in _IOUS for rank in _RANKS}}
    return found


def ego4d_nlq_figures(truth: Any, predictions: Any) -> FigureValues:
    """The means over the queries that have predictions, not over those of the truth; and ``evaluated``: of how many
    queries these are the means."""
    queries = ego4d_nlq_by_query(truth, predictions)
    left = len({row.query_id for row in truth} - queries.keys())
    warn([f'{left} of the {left + len(queries)} queries of the truth have no result, and the means of the program '
          'leave them out: add their results' if left else None])
    return {**means(queries), 'evaluated': len(queries)}


EGO4D_NLQ = Program(
    'ego4d_nlq', 'Ego4D episodic memory NLQ 2022, evaluate_ego4d_nlq.py (https://github.com/EGO4D/episodic-memory)',
    'JSON: videos, clips, annotations, language_queries with clip_start_sec and clip_end_sec',
    'JSON: results with clip_uid, annotation_uid, query_idx, predicted_times [[start, end], …]', 'ego4d-nlq',
    ('ego4d-nlq',), ego4d_nlq_figures, 2, by_query=ego4d_nlq_by_query)
