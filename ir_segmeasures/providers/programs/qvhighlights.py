"""The figures of programs whose files are QVHighlights': its own, with moments (MR) in the order in which they are
listed and highlights (HL), CASTELLA's, and Soccer-GMR's, with moments of football and queries that may have none.

Sources: moment_detr, standalone_eval/eval.py, https://github.com/jayleicn/moment_detr (Lei, Berg, Bansal. QVHighlights:
Detecting Moments and Highlights in Videos via Natural Language Queries. NeurIPS 2021); eval/eval_main.py of Soccer-GMR,
in which queries without an answer have no true window.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.measures.saliency import clip_average_precision
from ir_segmeasures.providers.programs import program
from ir_segmeasures.providers.programs.detection import IOUS, LISTED, average_precisions, iou_of_first, taken, union_iou
from ir_segmeasures.segments.basics import Floats, joined, quoted
from ir_segmeasures.segments.user_warnings import warn

Band = tuple[str, float, float]
"""name, and the lengths of its true windows in seconds: above the first, and at most the second"""

_BANDS: tuple[Band, ...] = ('full', -inf, inf), ('long', 30, 150), ('middle', 10, 30), ('short', 0, 10)
_LEVELS = {'Fair': 2, 'Good': 3, 'VeryGood': 4}
_CLIP = 2  # seconds
_BRIEF = {'R1@0.5', 'R1@0.7', 'mAP', 'mAP@0.5', 'mAP@0.75'}


def qvhighlights_figures(truth: Iterable[Any], predictions: Iterable[Any], bands: Sequence[Band] = _BANDS
                         ) -> program.FigureValues:
    """All figures of the program, in per cent, unrounded: those of its ``brief`` first, then the others under names of
    the same pattern.

    ``MR-full-R1@0.5`` looks at the first listed window, ``MR-full-mAP@0.5`` at the first ten, ordered by score (equal
    scores as listed), ``MR-full-mAP`` is the mean over IoU 0.5, 0.55, …, 0.95. Instead of ``full``, ``short``,
    ``middle`` and ``long`` count only true windows of 0-10, 10-30 and 30-150 seconds. ``HL-min-Fair-mAP`` and
    ``HL-min-Fair-Hit1`` (Good, VeryGood) are there if predictions have ``pred_saliency_scores``.

    Where the program stops with an error, a query without predicted windows or without relevant clips counts 0, one
    without true windows is left out (of bands, the program leaves it out too), and so is a band without queries, with a
    warning; and windows without score keep their order.

    Args:
        truth: objects with ``qid``, ``relevant_windows`` and, for highlights, ``duration``, ``relevant_clip_ids`` and
            ``saliency_scores``
        predictions: objects with ``qid``, ``pred_relevant_windows`` ([start, end, score]) and ``pred_saliency_scores``
        bands: of true windows

    Raises:
        ValueError: a query is in one of the two alone, or twice; a value is missing or no number; no query is left

    Examples:
        >>> from ir_segmeasures.providers.programs.qvhighlights import qvhighlights_figures
        >>> figures = qvhighlights_figures([{'qid': 1, 'relevant_windows': [[0, 10]]}],
        ...                                [{'qid': 1, 'pred_relevant_windows': [[50, 60, .1], [0, 10, .9]]}])
        >>> figures['MR-full-R1@0.5'], figures['MR-full-mAP@0.5']
        (0.0, 100.0)
    """
    true = program.records_by_query(program.MomentTruth, truth, 'truth')
    predicted = program.records_by_query(program.MomentPrediction, predictions, 'predictions')
    program.same_queries(true, predicted)
    windows = _lists(predicted, 'pred_relevant_windows')
    scores = _lists(predicted, 'pred_saliency_scores')
    found = {**_moments({qid: one.relevant_windows for qid, one in true.items()}, windows, bands),
             **_highlights(true, scores)}
    if not found:
        raise ValueError('no query has true windows, or no prediction has pred_relevant_windows or pred_saliency_scores'
                         ', but the program makes figures of these: check that they are the right files, truth first')
    return dict(sorted(found.items(), key=lambda pair: not _is_brief(pair[0])))


def _is_brief(name: str) -> bool:
    kind, band, figure = name.split('-', 2)
    return kind == 'HL' or figure in (_BRIEF if band == 'full' else ('mAP',))


def _lists(predicted: Mapping[Any, program.MomentPrediction], name: str) -> dict[Any, list[Any]]:
    """Returns the values that each query has under a name; none where no query has it."""
    found = {qid: values for qid, one in predicted.items() if (values := getattr(one, name)) is not None}
    if found and len(found) < len(predicted):
        raise ValueError(f'{len(found)} of {len(predicted)} predictions have {name}, but the program reads it in all '
                         'or in none: add it to the others')
    return found


def _warn_of_empty(lists: Mapping[Any, Any], what: str, does: str) -> None:
    qids = [qid for qid, values in lists.items() if not values]
    warn([f'{len(qids)} queries have no {what} (such as {joined(qids[:3])}), where the program stops; the figures of '
          f'{does}: check that this is meant' if qids else None])


def _moments(true: Mapping[Any, list[program.Window]], predicted: Mapping[Any, list[program.Window]],
             bands: Sequence[Band]) -> program.FigureValues:
    found: program.FigureValues = {}
    for name, low, high in bands:
        queries = [(windows, listed) for qid, listed in predicted.items()
                   if (windows := [one for one in true[qid] if low < one.end - one.start <= high])]
        if queries:
            firsts = np.array([iou_of_first(listed[0], windows) if listed else 0. for windows, listed in queries])
            means = np.mean([_precisions(*query) for query in queries], 0)
            found |= {f'MR-{name}-R1@{iou}': float(np.mean(firsts >= iou)) * 100 for iou in IOUS}
            found |= {f'MR-{name}-mAP': 100 * float(np.mean(means)),
                      **{f'MR-{name}-mAP@{iou}': 100 * mean for iou, mean in zip(IOUS, means.tolist())}}
    if predicted:
        _warn_of_empty(true, 'true windows', 'moments leave them out, and measures count them as 0 unless their lines '
                       'are taken out')
        _warn_of_empty({qid: listed for qid, listed in predicted.items() if true[qid]}, 'predicted windows',
                       'moments count them as 0')
        without = [name for name, _, _ in bands if f'MR-{name}-mAP' not in found]
        backwards = [f'[{one.start}, {one.end}]' for listed in predicted.values() for one in listed
                     if one.start > one.end]
        warn([f'no true window has a length of the bands {joined(without)}, where the program stops; their figures are '
              'left out: check that this is meant' if without else None,
              f'{len(backwards)} predicted windows have their end first (such as {backwards[0]}), and the program does '
              'not put them in order: put the start first' if backwards else None])
    return found


def _precisions(true: Sequence[program.Window], listed: Sequence[program.Window]) -> list[float]:
    """The average precision of the windows that are listed as the first ten, ordered by score, at each IoU."""
    best = sorted(listed[:LISTED], key=lambda window: -window.score)
    return average_precisions([('', one) for one in true], [('', one) for one in best])


def _highlights(true: Mapping[Any, program.MomentTruth], predicted: Mapping[Any, list[float]]) -> program.FigureValues:
    """``HL-min-Fair-mAP``, ``HL-min-Fair-Hit1`` and those of the other levels, in per cent."""
    if not predicted:
        return {}
    _warn_of_empty({qid: one.relevant_clip_ids for qid, one in true.items()}, 'relevant clips',
                   'highlights count them as 0')
    queries, found = [(_clip_scores(true[qid]), np.array(scores)) for qid, scores in predicted.items()], {}
    for name, least in _LEVELS.items():
        precisions = [[clip_average_precision(worker >= least, np.pad(  # missing scores are 0, more are cut off
            scores[:len(clips)], (0, max(0, len(clips) - len(scores))))) for worker in clips.T]
            for clips, scores in queries]
        hits = [best < len(clips) and bool((clips[best] >= least).any())
                for clips, scores in queries for best in [int(np.argmax(scores))]]
        found[f'HL-min-{name}-mAP'] = 100 * float(np.mean(precisions))
        found[f'HL-min-{name}-Hit1'] = 100 * float(np.mean(hits))
    return found


def _clip_scores(true: program.MomentTruth) -> Floats:
    """The scores (0 to 4) of the three workers for each clip of 2 seconds; 0 for clips that nobody judged.

    Raises:
        ValueError: a clip is not in the video; there are not three scores for each judged clip
    """
    clips, places = np.zeros((int(true.duration / _CLIP), 3)), true.relevant_clip_ids
    if len(places) != len(true.saliency_scores) or max(places, default=-1) >= len(clips):
        raise ValueError(f'query {quoted(true.qid)} of the truth has {len(places)} relevant clips up to number '
                         f'{max(places, default=-1)} and scores of {len(true.saliency_scores)} clips, but each of its '
                         f'{len(clips)} clips is numbered from 0 and has scores: correct them or the duration')
    clips[places] = np.array(true.saliency_scores).reshape(-1, 3)
    return clips


QVHIGHLIGHTS = program.Program(
    'qvhighlights', 'QVHighlights 2021, moment_detr standalone_eval (https://github.com/jayleicn/moment_detr)',
    'JSON lines: qid, relevant_windows [[start, end], …]; for highlights duration, relevant_clip_ids, saliency_scores',
    'JSON lines: qid, pred_relevant_windows [[start, end, score], …] and/or pred_saliency_scores, of the same queries',
    program.JSON_LINES, (program.JSON_LINES,), figures=qvhighlights_figures, decimals=2,
    ties='true windows that fit a prediction equally well: NumPy does not say which comes first; here the last listed')
# QVHighlights' figures without bands of length, for windows in audio: lighthouse, training/standalone_eval/eval.py,
# https://github.com/line/lighthouse. Quirk: full has true windows of at most 1500 s; a query without one is left out.
CASTELLA = QVHIGHLIGHTS._replace(
    name='castella', campaign='CASTELLA 2025, lighthouse standalone_eval (https://github.com/line/lighthouse)',
    figures=partial(qvhighlights_figures, bands=(('full', 0, 1500),)))


_THRESHOLDS = (.4, .6)
_RANKS = (1, 3, 5)


class _Truth(program.MomentTruth, kw_only=True):
    duration: program.Number  # in seconds, to which windows are cut


class _Query(NamedTuple):
    """A query: its true windows, the predicted ones as listed, and how sure it is to have an answer."""
    true: list[program.Window]
    listed: list[program.Window]
    exists: float


def soccer_gmr_figures(truth: Iterable[dict[str, Any]], predictions: Iterable[dict[str, Any]]) -> program.FigureValues:
    """All figures of the program, in per cent, unrounded.

    ``AUROC``, ``Rej-F1@t`` and ``Acc@t`` look at the score of existence, ``G-mIoU@k`` at all queries (where that score
    is above 0.4, the windows count), and ``mAP``, ``mR@k``, ``mR+@k``, ``mIoU@k`` and ``mIoU+@k`` at queries with true
    windows, those with + at queries with two or more and without the first one.

    Args:
        truth: objects with ``qid``, ``duration``, ``relevant_windows`` (which may be empty)
        predictions: objects with ``qid``, ``pred_relevant_windows`` ([start, end, score], where the score may be
            missing) and maybe ``pred_exist_score``, else the greatest score of a window. Only queries in both count

    Raises:
        ValueError: no query is in both, none has a window or all have; a query is there twice; a value is missing or is
            not a number

    Examples:
        >>> from ir_segmeasures.providers.programs.qvhighlights import soccer_gmr_figures
        >>> truth = [{'qid': 1, 'duration': 9, 'relevant_windows': [[0, 4]]},
        ...          {'qid': 2, 'duration': 9, 'relevant_windows': []}]
        >>> figures = soccer_gmr_figures(truth, [{'qid': 1, 'pred_relevant_windows': [[0, 4, .9]]},
        ...                                      {'qid': 2, 'pred_relevant_windows': [[0, 4, .1]]}])
        >>> figures['AUROC'], figures['G-mIoU@1'], figures['mAP']
        (100.0, 100.0, 100.0)
    """
    true = program.records_by_query(_Truth, truth, 'truth')
    predicted = program.records_by_query(program.MomentPrediction, predictions, 'predictions')
    queries = [_query(one, predicted[qid]) for qid, one in true.items() if qid in predicted]
    answered = [query for query in queries if query.true]
    if not answered or len(answered) == len(queries):
        raise ValueError(f'{len(queries)} queries are in both files, and {len(answered)} of them have true windows, '
                         'but the program compares queries with and without: check that these are the right files')
    warn([f'{len(true.keys() ^ predicted.keys())} queries are in one of the two files alone, and the program leaves '
          'them out: check that this is meant' if true.keys() != predicted.keys() else None])
    several = [query for query in answered if len(query.true) > 1]
    found = {'AUROC': _area(queries)}
    for threshold in _THRESHOLDS:
        found[f'Rej-F1@{threshold}'], found[f'Acc@{threshold}'] = _rejection(queries, threshold)
    found |= {f'G-mIoU@{k}': _mean(_generalised(query, k) for query in queries) for k in _RANKS}
    found['mAP'] = _mean(_mean(_precisions(query.true, query.listed)) for query in answered)
    for name, figure in (('mR', _recall), ('mIoU', _mean_iou)):
        for suffix, group, first in (('', answered, 0), ('+', several, 1)):
            found |= {f'{name}{suffix}@{k}': _mean(figure(query, k, first) for query in group) for k in _RANKS}
    return {name: 100 * value for name, value in found.items()}


def _query(true: _Truth, answer: program.MomentPrediction) -> _Query:
    clipped = {program.Window(min(max(one.start, 0.), true.duration), min(max(one.end, 0.), true.duration))
               for one in true.relevant_windows}
    listed, exists = answer.pred_relevant_windows or [], answer.pred_exist_score
    if exists is None:
        exists = max((one.score for one in listed), default=0.)
    return _Query(sorted(one for one in clipped if one.end > one.start), listed, exists)


def _mean(values: Iterable[float]) -> float:
    """The mean; 0 without values."""
    listed = list(values)
    return float(np.mean(listed)) if listed else 0.


def _area(queries: Sequence[_Query]) -> float:
    """The area under the curve of true over false positives: how often a query with an answer has the higher score."""
    positive, negative = (np.array([query.exists for query in queries if bool(query.true) == has])
                          for has in (True, False))
    return float(np.mean((positive[:, None] > negative) + .5 * (positive[:, None] == negative)))


def _rejection(queries: Sequence[_Query], threshold: float) -> tuple[float, float]:
    """The F1 of the class of queries without an answer, and the accuracy of both classes."""
    rejected = sum(query.exists <= threshold and not query.true for query in queries)
    wrong = sum((query.exists > threshold) != bool(query.true) for query in queries)
    return 2 * rejected / (2 * rejected + wrong) if rejected else 0., (len(queries) - wrong) / len(queries)


def _matches(predicted: Sequence[program.Window], true: Sequence[program.Window], least: float) -> list[float]:
    """The IoUs of predictions with the true windows that they take."""
    return [iou for iou, window in taken(predicted, true, union_iou, least) if window]


def _generalised(query: _Query, k: int) -> float:
    """The sum of IoUs over the size of the union of both sets; 1 where both are empty."""
    predicted = [one for one in query.listed if one[1] > one[0]][:LISTED][:k] if query.exists > _THRESHOLDS[0] else []
    if not predicted or not query.true:
        return float(not predicted and not query.true)
    found = _matches(predicted, query.true, 0)
    return sum(found) / (len(predicted) + len(query.true) - len(found))


def _recall(query: _Query, k: int, first: int) -> float:
    """The recall among the first k as listed, mean over IoUs, without the ``first`` matches."""
    return _mean(max(0, len(_matches(query.listed[:k], query.true, iou)) - first) / (len(query.true) - first)
                 for iou in IOUS)


def _mean_iou(query: _Query, k: int, first: int) -> float:
    """The mean IoU of the matches of the first k as listed, without the ``first`` best ones."""
    return _mean(sorted(_matches(query.listed[:k], query.true, 0), reverse=True)[first:])


SOCCER_GMR = program.Program(
    'soccer_gmr', 'Soccer-GMR 2025, eval_main.py: moments of football, and queries without an answer',
    'JSON lines: qid, duration, relevant_windows [[start, end], …], which may be empty',
    'JSON lines: qid, pred_relevant_windows [[start, end, score], …], maybe pred_exist_score', program.JSON_LINES,
    (program.JSON_LINES,), figures=soccer_gmr_figures)
