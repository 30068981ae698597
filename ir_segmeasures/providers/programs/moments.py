"""The figures of programs for moments of video: TVR (recall of moments of all videos, of moments of one video, and of
videos), TVR-Ranking (nDCG of moments with grades, at an IoU), the natural language queries (NLQ) of Ego4D's episodic
memory benchmark, and ActivityNet for temporal detection (the windows of a class of activity in all videos).

Sources: standalone_eval/eval.py, https://github.com/jayleicn/TVRetrieval (Lei, Yu, Berg, Bansal. ECCV 2020);
modules/ndcg_iou.py, https://github.com/Ranking-VMR/TVR-Ranking; NLQ/VSLNet/utils/evaluate_ego4d_nlq.py,
https://github.com/EGO4D/episodic-memory (Grauman et al. CVPR 2022); Evaluation/eval_detection.py,
https://github.com/activitynet/ActivityNet (Caba Heilbron et al. CVPR 2015).
"""

from collections import namedtuple
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import msgspec
import numpy as np
from ir_measures import Qrel, ScoredDoc, Success

from ir_segmeasures.measures import IoU_R
from ir_segmeasures.measures.moments import items_of_judged_videos
from ir_segmeasures.providers.programs import program
from ir_segmeasures.providers.programs.detection import average_precisions, graded_ndcg, hull_iou
from ir_segmeasures.segments.basics import quoted
from ir_segmeasures.segments.records import converted
from ir_segmeasures.segments.user_warnings import warn

_RANKS = (1, 5, 10, 100)
_MOMENTS = {f'{iou}-r{k}': IoU_R(iou=iou, tool='tvr') @ k for iou in (0.5, 0.7) for k in _RANKS}
_Moment = namedtuple('_Moment', 'query_id doc_id start end relevance')
_VIDEOS = {f'r{k}': Success @ k for k in _RANKS}


class _Description(msgspec.Struct, rename={'kind': 'type'}):
    desc_id: int | str
    vid_name: str
    ts: program.Window
    kind: str | None = None


def tvr_figures(truth: Any, runs: Mapping[str, Any]) -> program.FigureValues:
    """The figures of each task in the file, such as ``VCMR-0.5-r1`` and ``VR-r10``, and those of each type of
    descriptions, such as ``VCMR_by_type-vt-0.5-r1``, in per cent, unrounded.

    Args:
        truth: objects with ``desc_id``, ``vid_name``, ``ts`` and maybe ``type``
        runs: task (VCMR, SVMR or VR) → its predictions; items of SVMR from other videos than that of the query are left
            out, after the first 100 are taken
    """
    if not runs:
        raise ValueError('the file of predictions has none of VCMR, SVMR and VR, but the program makes figures of these'
                         ': check that this is the right file')
    described = [converted(record, _Description, f'object {place} of the truth')
                 for place, record in enumerate(truth, 1)]
    moments = [_Moment(str(one.desc_id), one.vid_name, one.ts.start, one.ts.end, 1) for one in described]
    by_task = {task: _queries(task, moments, run) for task, run in runs.items()}
    found: program.FigureValues = {}
    for kind in ('', 'v', 't', 'vt'):
        wanted = {str(one.desc_id) for one in described if not kind or one.kind == kind}
        for task, queries in by_task.items():
            some = {query: figures for query, figures in queries.items() if query in wanted}
            found |= {f'{task}{kind and f"_by_type-{kind}"}-{name}': 100 * value
                      for name, value in (program.means(some) if some or not kind else {}).items()}
    return found


def _queries(task: str, moments: Sequence[Any], run: Any) -> dict[str, program.FigureValues]:
    """The figures of each query in a task."""
    if task == 'VR':
        videos = {moment.query_id: Qrel(moment.query_id, moment.doc_id, 1) for moment in moments}
        return program.values_by_query(_VIDEOS, list(videos.values()), [ScoredDoc(row.query_id, row.doc_id, row.score)
                                                                        for row in run])
    return program.values_by_query(_MOMENTS, moments, items_of_judged_videos(run, moments) if task == 'SVMR' else run)


TVR = program.Program(
    'tvr', 'TVR 2020, TVRetrieval standalone_eval (https://github.com/jayleicn/TVRetrieval)',
    'JSON lines: desc_id, vid_name, ts [start, end], type (v, t or vt)',
    'JSON: video2idx, and VCMR, SVMR and VR with desc_id and predictions [[video, start, end, score], …]',
    program.JSON_LINES, ('tvr',), figures=tvr_figures, decimals=2, tasks=('VCMR', 'SVMR', 'VR'))

_CUTOFFS, _IOUS = (10, 20, 40), (.3, .5, .7)

Moment = tuple[str, program.Window]


class _PlacedMoment(msgspec.Struct):
    video_name: str
    timestamp: program.Window


class _GradedMoment(_PlacedMoment):
    relevance: program.Number


def tvr_ranking_by_query(truth: Any, predictions: Any) -> dict[str, program.FigureValues]:
    """``NDCG@10, IoU=0.3`` … of each query of the predictions.

    At an IoU, each prediction in turn takes, of the true moments of its video that are left, the one that it fits best
    if the IoU is greater, of equal ones the first by descending relevance; also one of relevance 0.

    Args:
        truth: ``{query: [{'video_name', 'timestamp': [start, end], 'relevance'}, …]}``
        predictions: such an object without relevance, the best moments first

    Raises:
        ValueError: a query of the predictions is not in the truth; a value is missing or is not a number
    """
    judged, found = converted(truth, dict[str, list[_GradedMoment]], 'the file of the truth'), {}
    for query, moments in converted(predictions, dict[str, list[_PlacedMoment]], 'the file of predictions').items():
        if query not in judged:
            raise ValueError(f'query {quoted(query)} of the predictions is not in the truth: take it out, or give the '
                             'truth of these predictions')
        graded = [(moment.relevance, (moment.video_name, moment.timestamp)) for moment in judged[query]]
        predicted = [(moment.video_name, moment.timestamp) for moment in moments]
        found[query] = {f'NDCG@{k}, IoU={iou}': graded_ndcg(predicted[:k], graded, k, iou)
                        for k in _CUTOFFS for iou in _IOUS}
    return found


TVR_RANKING = program.Program(
    'tvr_ranking', 'TVR-Ranking 2024, ndcg_iou.py (https://github.com/Ranking-VMR/TVR-Ranking)',
    'JSON: {query: [{"video_name", "timestamp" [start, end], "relevance"}, …]}',
    'JSON: {query: [{"video_name", "timestamp" [start, end]}, …]}, the best first', program.JSON, (program.JSON,),
    tvr_ranking_by_query)

# The program takes them from its command; these are those of its baselines.
_EGO4D_IOUS, _EGO4D_RANKS = (.3, .5, .01), (1, 3, 5)


def ego4d_nlq_by_query(truth: Any, predictions: Any) -> dict[str, program.FigureValues]:
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
    for query, rows in program.rows_by_query(predictions).items():
        window = true.get((query, rows[0].doc_id))
        if window is None:
            raise ValueError(f'the predictions are for query {quoted(query)} of clip {quoted(rows[0].doc_id)}, which '
                             'is not in the truth: take it out, or give the truth of these predictions')
        fits = [hull_iou((row.start, row.end), window) for row in rows]
        found[query] = {'mIoU': 100 * fits[0], **{f'R@{rank} IoU>{iou}': 100. * any(fit > iou for fit in fits[:rank])
                                                  for iou in _EGO4D_IOUS for rank in _EGO4D_RANKS}}
    return found


def ego4d_nlq_figures(truth: Any, predictions: Any) -> program.FigureValues:
    """The means over the queries that have predictions, not over those of the truth; and ``evaluated``: of how many
    queries these are the means."""
    queries = ego4d_nlq_by_query(truth, predictions)
    left = len({row.query_id for row in truth} - queries.keys())
    warn([f'{left} of the {left + len(queries)} queries of the truth have no result, and the means of the program '
          'leave them out: add their results' if left else None])
    return {**program.means(queries), 'evaluated': len(queries)}


EGO4D_NLQ = program.Program(
    'ego4d_nlq', 'Ego4D episodic memory NLQ 2022, evaluate_ego4d_nlq.py (https://github.com/EGO4D/episodic-memory)',
    'JSON: videos, clips, annotations, language_queries with clip_start_sec and clip_end_sec',
    'JSON: results with clip_uid, annotation_uid, query_idx, predicted_times [[start, end], …]', 'ego4d-nlq',
    ('ego4d-nlq',), ego4d_nlq_by_query, ego4d_nlq_figures, 2)

# Not rounded: the program's ninth tIoU is a little below 0.9.
_TIOUS = tuple(np.linspace(.5, .95, 10).tolist())


def activitynet_by_class(truth: Any, predictions: Any) -> dict[str, program.FigureValues]:
    """The average precision at each tIoU of each class, such as ``AP@0.5``, from 0 to 1, in the order in which the
    truth has the classes; 0 for a class without predictions.

    Predictions are taken by descending score, equal scores as listed. Predictions in videos of other subsets are
    wrong ones.

    Args:
        truth: rows of judgements, whose queries are classes; every row is a true window
        predictions: rows of a run

    Raises:
        ValueError: a prediction is of a class that the truth does not have
    """
    true = program.rows_by_query(truth)
    predicted = program.rows_by_query(sorted(predictions, key=lambda row: -row.score))
    for label in predicted.keys() - true.keys():
        raise ValueError(f'the predictions have the class {quoted(unquote(label))}, which the truth does not have: '
                         'correct it, or take it out')
    found = {}
    for label, rows in true.items():
        windows, ranked = ([(row.doc_id, (row.start, row.end)) for row in listed]
                           for listed in (rows, predicted.get(label, ())))
        found[unquote(label)] = {f'AP@{tiou:.2g}': value for tiou, value in zip(
            _TIOUS, average_precisions(windows, ranked, _TIOUS))}
    return found


def activitynet_figures(truth: Any, predictions: Any) -> program.FigureValues:
    """``average-mAP`` and ``mAP@0.5`` … ``mAP@0.95``, from 0 to 1: means over the classes of the truth."""
    found = {f'm{name}': mean for name, mean in program.means(activitynet_by_class(truth, predictions)).items()}
    return {'average-mAP': sum(found.values()) / len(found), **found}


ACTIVITYNET = program.Program(
    'activitynet', 'ActivityNet 2015 detection, eval_detection.py (https://github.com/activitynet/ActivityNet)',
    'JSON: database with subset and annotations (label, segment) of each video',
    'JSON: results with label, score and segment of each video', 'activitynet', ('activitynet',), activitynet_by_class,
    activitynet_figures, ties='predictions of equal score, and true windows that fit one equally well: NumPy does not '
    'say which comes first; here as listed, and the last listed')
