"""The figures of the programs of MediaEval Search & Hyperlinking, of search and linking and of anchoring.

Sources: sh_eval, https://github.com/robinaly/sh_eval (2014-15, and TRECVID Video Hyperlinking 2015-16);
sh_eval_anchoring, there as well (2015).
"""

from collections import Counter
from typing import Any

from ir_segmeasures import measures
from ir_segmeasures.providers.programs.program import FigureValues, Program, answered, means, values_by_query
from ir_segmeasures.providers.sh_eval_evaluator import ShEvalEvaluator, ShEvalQuery

_SOURCE = 'https://github.com/robinaly/sh_eval'
_BIN, _TOLERANCE = 300, 15  # seconds


def sh_eval_by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """All figures of the queries that the run answers, by the program's names.

    Args:
        qrels, run: with segments in whole seconds

    Raises:
        ValueError: a segment is not in whole seconds
    """
    return {query_id: {name: int(value) if name.startswith('avglength_') else value
                       for name, value in figures.items()} for query_id, figures in _by_query(qrels, run).items()}


def _by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """The figures before average lengths are cut to whole seconds."""
    queries = ShEvalEvaluator([], qrels, lambda *_: 0.).queries(run)
    return {query_id: _figures(query) for query_id, query in queries if query.items}


def sh_eval_figures(qrels: Any, run: Any) -> FigureValues:
    """The program's figures of all queries that the run answers: sums of counts, and means of the others, of which
    those of videos and of lengths are cut to whole numbers.

    Args, Raises:
        as :func:`sh_eval_by_query`; also ``ValueError`` where the run answers no query
    """
    queries = _by_query(qrels, run)
    found: FigureValues = {'num_q': len(queries)}
    for name, mean in means(queries).items():
        if name.startswith('num_'):
            found[name] = sum(figures[name] for figures in queries.values())
        else:
            found[name] = int(mean) if name.startswith(('videos_', 'avglength_')) else mean
    return found


def _figures(query: ShEvalQuery) -> FigureValues:
    n, seconds = len(query.items), query.segment_precision
    found: FigureValues = {
        'videos_ret': len({video for video, _, _ in query.items}), 'videos_rel': len(query.relevant),
        'avglength_ret': sum(max(end - start, 0) for _, start, end in query.items) / n,
        'avglength_rel': query.rel_secs / max(1, query.R)}
    for suffix, flags in (('', query.over), ('_bin', query.binned(_BIN)), ('_tol', query.tolerance(_TOLERANCE))):
        found |= {f'num_rel{suffix}': flags.R, f'num_ret{suffix}': len(flags.relevant),
                  f'num_rel_ret{suffix}': sum(flags.relevant), f'map{suffix}': flags.average_precision(),
                  **{f'P_{k}{suffix}': flags.precision(k) for k in (5, 10, 20)},
                  **{f'Judged_{k}{suffix}': flags.judged_share(k) for k in (10, 20, 30)}}
    return {**found, 'num_rel_secs': query.rel_secs, 'num_ret_secs': seconds.ret, 'num_rel_ret_secs': seconds.rel_ret,
            'maisp': seconds.maisp, **{f'maisp_{percent / 100:.2f}': seconds.at(percent) for percent in (5, 10, 20)}}


SH_EVAL = Program(
    'sh_eval', f'MediaEval Search & Hyperlinking 2014-15, TRECVID Video Hyperlinking 2015-16, sh_eval ({_SOURCE})',
    'qrels: query Q0 video start end relevance, with times as minutes.seconds',
    'a run of search or of linking: query Q0 video start end [jump-in] rank score run', 'sh-search',
    ('sh-search', 'sh-linking'), sh_eval_figures, 12, by_query=sh_eval_by_query)


def anchoring_by_query(qrels: Any, run: Any) -> dict[str, FigureValues]:
    """``MRR``, ``P_10``, ``recall``, ``Unjudged_10`` and ``Unjudged_1000`` of the judged videos that the run answers.
    """
    sizes = Counter(row.query_id for row in run)
    found = {}
    for video, figures in answered(values_by_query(_ANCHORING, qrels, run), run).items():
        found[video] = {name: min(k, sizes[video]) - k * value if k else value
                        for name, value in figures.items() for k in [_UNJUDGED.get(name, 0)]}
    return found


def anchoring_figures(qrels: Any, run: Any) -> FigureValues:
    """The program's means: sums over the videos in the run, over the number of videos with relevant anchors.

    Raises:
        ValueError: no video has relevant anchors
    """
    videos = anchoring_by_query(qrels, run)
    n = len({row.query_id for row in qrels if row.relevance > 0})
    if not n:
        raise ValueError('no video has relevant anchors, but every figure is a mean over such videos: check the file '
                         'of truth')
    return {'num_q': n, 'num_q_ret': len(videos),
            **{name: sum(figures[name] for figures in videos.values()) / n for name in _ANCHORING}}


_UNJUDGED = {'Unjudged_10': 10, 'Unjudged_1000': 1000}  # numbers of items, where Judged_over is a share
_ANCHORING = {'MRR': measures.RR_over, 'P_10': measures.P_new @ 10, 'recall': measures.Rprec_new,
              **{name: measures.Judged_over @ k for name, k in _UNJUDGED.items()}}

ANCHORING = Program(
    'anchoring', f'MediaEval Search & Anchoring in Video Archives 2015, sh_eval_anchoring ({_SOURCE})',
    'qrels: video start end relevance, with times as minutes.seconds',
    'a run: video Q0 start end rank score run', 'sh-anchoring', ('sh-anchoring',), anchoring_figures, 12,
    by_query=anchoring_by_query)
