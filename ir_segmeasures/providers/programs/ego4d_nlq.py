"""The figures of the program of Ego4D's natural language queries (NLQ), part of its episodic memory benchmark.

Source: NLQ/VSLNet/utils/evaluate_ego4d_nlq.py, https://github.com/EGO4D/episodic-memory (Grauman et al. CVPR 2022).
"""

from collections.abc import Sequence
from math import isnan, nan
from typing import Any

import numpy as np

from ir_segmeasures.providers.programs.detection import Window, hull_iou
from ir_segmeasures.providers.programs.program import JSON, Program
from ir_segmeasures.providers.programs.records import lookup, reversed_windows, window
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.warnings import warn

__all__ = ['EGO4D_NLQ', 'ego4d_nlq_figures']


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
    queries = _true_windows(truth)
    first, windows, keys, recalls = [], [], set(), {(rank, iou): 0 for iou in ious for rank in ranks}
    results = lookup(predictions, 'results', list, 'the file of predictions')
    for place, result in enumerate(results, 1):
        where = f'result {place} of the predictions'
        key = (lookup(result, 'clip_uid', str, where), lookup(result, 'annotation_uid', str, where),
               lookup(result, 'query_idx', int, where))
        if key not in queries:
            raise ValueError(f'{where} is for query {key[2]} of annotation {quoted(key[1])} of clip {quoted(key[0])}, '
                             'which is not in the truth: take it out, or give the truth of these predictions')
        predicted = [window(values, where) for values in lookup(result, 'predicted_times', list, where)]
        if not predicted:
            raise ValueError(f'{where} has no window, but the program needs at least one: add one, or take it out')
        fits = [hull_iou(one, queries[key]) for one in predicted]
        windows += predicted
        keys.add(key)
        starts, ends = zip(predicted[0], queries[key])
        first.append(fits[0] if max(ends) > min(starts) else nan)
        for rank, iou in recalls:
            recalls[rank, iou] += any(fit > iou for fit in fits[:rank])
    if not results:
        raise ValueError('the predictions have no result, but every figure is a mean over results: check that this is '
                         'the right file')
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


def _true_windows(truth: dict[str, Any]) -> dict[tuple[str, str, int], Window]:
    """The true window of each query, by its clip, its annotation and its place there."""
    return {(lookup(clip, 'clip_uid', str, 'a clip of the truth'),
             lookup(annotation, 'annotation_uid', str, 'an annotation of the truth'), place):
            window([lookup(query, f'clip_{edge}_sec', (int | float), f'query {place} of the truth')
                    for edge in ('start', 'end')], f'query {place} of the truth')
            for video in lookup(truth, 'videos', list, 'the file of the truth')
            for clip in lookup(video, 'clips', list, 'a video of the truth')
            for annotation in lookup(clip, 'annotations', list, 'a clip of the truth')
            for place, query in enumerate(lookup(annotation, 'language_queries', list, 'an annotation of the truth'))}


EGO4D_NLQ = Program(
    'ego4d_nlq', 'Ego4D episodic memory NLQ 2022, evaluate_ego4d_nlq.py (https://github.com/EGO4D/episodic-memory)',
    'JSON: videos, clips, annotations, language_queries with clip_start_sec and clip_end_sec',
    'JSON: results with clip_uid, annotation_uid, query_idx, predicted_times [[start, end], …]', JSON, (JSON,),
    ego4d_nlq_figures, 2)
