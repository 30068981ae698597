"""The figures of TVR's program: recall of moments of all videos, of moments of one video, and of videos.

Source: standalone_eval/eval.py, https://github.com/jayleicn/TVRetrieval (Lei, Yu, Berg, Bansal. ECCV 2020).
"""

from collections import namedtuple
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from ir_measures import Qrel, ScoredDoc, Success

from ir_segmeasures.measures import IoU_R
from ir_segmeasures.measures.judged_videos import items_of_judged_videos
from ir_segmeasures.providers.programs.program import JSON_LINES, FigureValues, Program, means, values_by_query
from ir_segmeasures.providers.programs.records import Window, record_as

_RANKS = (1, 5, 10, 100)
_MOMENTS = {f'{iou}-r{k}': IoU_R(iou=iou, tool='tvr') @ k for iou in (0.5, 0.7) for k in _RANKS}
_Moment = namedtuple('_Moment', 'query_id doc_id start end relevance')
_VIDEOS = {f'r{k}': Success @ k for k in _RANKS}


class _Description(msgspec.Struct, rename={'kind': 'type'}):
    desc_id: int | str
    vid_name: str
    ts: Window
    kind: str | None = None


def tvr_figures(truth: Any, runs: Mapping[str, Any]) -> FigureValues:
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
    described = [record_as(_Description, record, f'object {place} of the truth')
                 for place, record in enumerate(truth, 1)]
    moments = [_Moment(str(one.desc_id), one.vid_name, *one.ts[:2], 1) for one in described]
    by_task = {task: _queries(task, moments, run) for task, run in runs.items()}
    found: FigureValues = {}
    for kind in ('', 'v', 't', 'vt'):
        wanted = {str(one.desc_id) for one in described if not kind or one.kind == kind}
        for task, queries in by_task.items():
            some = {query: figures for query, figures in queries.items() if query in wanted}
            found |= {f'{task}{kind and f"_by_type-{kind}"}-{name}': 100 * value
                      for name, value in (means(some) if some or not kind else {}).items()}
    return found


def _queries(task: str, moments: Sequence[Any], run: Any) -> dict[str, FigureValues]:
    """The figures of each query in a task."""
    if task == 'VR':
        videos = {moment.query_id: Qrel(moment.query_id, moment.doc_id, 1) for moment in moments}
        return values_by_query(_VIDEOS, list(videos.values()), [ScoredDoc(row.query_id, row.doc_id, row.score)
                                                                for row in run])
    return values_by_query(_MOMENTS, moments, items_of_judged_videos(run, moments) if task == 'SVMR' else run)


TVR = Program(
    'tvr', 'TVR 2020, TVRetrieval standalone_eval (https://github.com/jayleicn/TVRetrieval)',
    'JSON lines: desc_id, vid_name, ts [start, end], type (v, t or vt)',
    'JSON: video2idx, and VCMR, SVMR and VR with desc_id and predictions [[video, start, end, score], …]',
    JSON_LINES, ('tvr',), tvr_figures, 2, tasks=('VCMR', 'SVMR', 'VR'))
