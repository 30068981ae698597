"""The figures of the program of Ego4D's natural language queries (NLQ), part of its episodic memory benchmark.

Source: NLQ/VSLNet/utils/evaluate_ego4d_nlq.py, https://github.com/EGO4D/episodic-memory (Grauman et al. CVPR 2022).
"""

from collections.abc import Sequence
from math import isnan, nan
from typing import Annotated, Any

import msgspec
import numpy as np

from ir_segmeasures.providers.programs.detection import hull_iou
from ir_segmeasures.providers.programs.program import JSON, Program
from ir_segmeasures.providers.programs.records import Number, Window, record_as, reversed_windows
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.warnings import warn

__all__ = ['EGO4D_NLQ', 'ego4d_nlq_figures']


class _Query(msgspec.Struct):
    clip_start_sec: Number
    clip_end_sec: Number


class _Annotation(msgspec.Struct):
    annotation_uid: str
    language_queries: list[_Query]


class _Clip(msgspec.Struct):
    clip_uid: str
    annotations: list[_Annotation]


class _Video(msgspec.Struct):
    clips: list[_Clip]


class _Truth(msgspec.Struct):
    videos: list[_Video]


class _Result(msgspec.Struct):
    clip_uid: str
    annotation_uid: str
    query_idx: int
    predicted_times: Annotated[list[Window], msgspec.Meta(min_length=1)]


class _Predictions(msgspec.Struct):
    results: Annotated[list[_Result], msgspec.Meta(min_length=1)]


def ego4d_nlq_figures(truth: dict[str, Any], predictions: dict[str, Any], ious: Sequence[float] = (.3, .5, .01),
                      ranks: Sequence[int] = (1, 3, 5)) -> dict[str, float]:
    """``mIoU`` (of the first windows) and ``R@1 IoU>0.3`` … (whether one of the first windows has a greater IoU), in
    per cent, unrounded, and ``evaluated``: of how many queries these are the means.

    Quirks: the means are over the results of the predictions, not over the queries of the truth; ``mIoU`` is NaN where
    a first window is the same point as the true one.

    Args:
        truth: ``{'videos': [{'clips': [{'clip_uid', 'annotations': [{'annotation_uid', 'language_queries':
            [{'clip_start_sec', 'clip_end_sec'}]}]}]}]}``
        predictions: ``{'results': [{'clip_uid', 'annotation_uid', 'query_idx', 'predicted_times': [[start, end],
            …]}]}``, the best window first; the number of a query is its place in its annotation, from 0
        ious: of recall; the program takes them from its command, these are those of its baselines
        ranks: of recall, as well

    Raises:
        ValueError: a prediction is for no query of the truth, or has no window; a value is missing or no number

    Examples:
        >>> from ir_segmeasures.providers.programs.ego4d_nlq import ego4d_nlq_figures
        >>> queries = {'annotation_uid': 'a', 'language_queries': [{'clip_start_sec': 0, 'clip_end_sec': 10}]}
        >>> truth = {'videos': [{'clips': [{'clip_uid': 'c', 'annotations': [queries]}]}]}
        >>> result = {'clip_uid': 'c', 'annotation_uid': 'a', 'query_idx': 0, 'predicted_times': [[0, 5], [0, 9]]}
        >>> figures = ego4d_nlq_figures(truth, {'results': [result]})
        >>> figures['mIoU'], figures['R@1 IoU>0.5'], figures['R@3 IoU>0.5']
        (50.0, 0.0, 100.0)
    """
    queries = {(clip.clip_uid, annotation.annotation_uid, place): (query.clip_start_sec, query.clip_end_sec)
               for video in record_as(_Truth, truth, 'the file of the truth').videos for clip in video.clips
               for annotation in clip.annotations for place, query in enumerate(annotation.language_queries)}
    first, windows, keys, recalls = [], list[Window](), set(), {(rank, iou): 0 for iou in ious for rank in ranks}
    results = record_as(_Predictions, predictions, 'the file of predictions').results
    for place, result in enumerate(results, 1):
        key = result.clip_uid, result.annotation_uid, result.query_idx
        if key not in queries:
            raise ValueError(f'result {place} of the predictions is for query {key[2]} of annotation {quoted(key[1])} '
                             f'of clip {quoted(key[0])}, which is not in the truth: take it out, or give the truth of '
                             'these predictions')
        fits = [hull_iou(one, queries[key]) for one in result.predicted_times]
        windows += result.predicted_times
        keys.add(key)
        starts, ends = zip(result.predicted_times[0][:2], queries[key])
        first.append(fits[0] if max(ends) > min(starts) else nan)
        for rank, iou in recalls:
            recalls[rank, iou] += any(fit > iou for fit in fits[:rank])
    again = len(results) - len(keys)
    empty = sum(map(isnan, first))
    warn([f'{again} results are for queries that have one before, and the program counts each: take them out' if again
          else None,
          f'{len(queries) - len(keys)} of the {len(queries)} queries of the truth have no result, and the means of the '
          'program leave them out: add their results' if len(keys) < len(queries) else None,
          f'{empty} results have a true window without length and the same first window, whose IoU is 0/0 in the '
          'program, so that its mIoU is no number: correct the truth' if empty else None,
          *reversed_windows(windows)])
    return {'mIoU': float(np.mean(first)) * 100,
            **{f'R@{rank} IoU>{iou}': count / len(results) * 100 for (rank, iou), count in recalls.items()},
            'evaluated': len(results)}


EGO4D_NLQ = Program(
    'ego4d_nlq', 'Ego4D episodic memory NLQ 2022, evaluate_ego4d_nlq.py (https://github.com/EGO4D/episodic-memory)',
    'JSON: videos, clips, annotations, language_queries with clip_start_sec and clip_end_sec',
    'JSON: results with clip_uid, annotation_uid, query_idx, predicted_times [[start, end], …]', JSON, (JSON,),
    ego4d_nlq_figures, 2)
