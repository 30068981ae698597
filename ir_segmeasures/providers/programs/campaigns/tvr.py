"""The figures of TVR's program: recall of moments of all videos, of moments of one video, and of videos.

Source: standalone_eval/eval.py, https://github.com/jayleicn/TVRetrieval (Lei, Yu, Berg, Bansal. ECCV 2020).
"""

from collections.abc import Mapping
from typing import Any

from ir_measures import Qrel, ScoredDoc, Success

from ir_segmeasures.measures import IoU_R
from ir_segmeasures.measures.judged_videos import items_of_judged_videos
from ir_segmeasures.providers.programs.campaigns.measured import means, values_by_query
from ir_segmeasures.providers.programs.program import FigureValues, Program

__all__ = ['TVR', 'tvr_figures']

_RANKS = (1, 5, 10, 100)
_MOMENTS = {f'{iou}-r{k}': IoU_R(iou=iou, tool='tvr') @ k for iou in (0.5, 0.7) for k in _RANKS}
_VIDEOS = {f'r{k}': Success @ k for k in _RANKS}


def tvr_figures(qrels: Any, runs: Mapping[str, Any]) -> FigureValues:
    """The figures of each task in the file, such as ``VCMR-0.5-r1`` and ``VR-r10``, in per cent, unrounded.

    Args:
        qrels: one true moment of each query
        runs: task (VCMR, SVMR or VR) → its predictions; items of SVMR from other videos than that of the query are left
            out, after the first 100 are taken
    """
    if not runs:
        raise ValueError('the file of predictions has none of VCMR, SVMR and VR, but the program makes figures of these'
                         ': check that this is the right file')
    found = {}
    for task, run in runs.items():
        if task == 'VR':
            qrels = list({row.query_id: Qrel(row.query_id, row.doc_id, 1) for row in qrels}.values())
            run = [ScoredDoc(row.query_id, row.doc_id, row.score) for row in run]
        elif task == 'SVMR':
            run = items_of_judged_videos(run, qrels)
        queries = values_by_query(_VIDEOS if task == 'VR' else _MOMENTS, qrels, run)
        found.update({f'{task}-{name}': 100 * value for name, value in means(queries).items()})
    return found


TVR = Program(
    'tvr', 'TVR 2020, TVRetrieval standalone_eval (https://github.com/jayleicn/TVRetrieval)',
    'JSON lines: desc_id, vid_name, ts [start, end]',
    'JSON: video2idx, and VCMR, SVMR and VR with desc_id and predictions [[video, start, end, score], …]',
    'moments', ('tvr',), tvr_figures, 2, tasks=('VCMR', 'SVMR', 'VR'))
