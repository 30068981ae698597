"""Moment retrieval: the measures of QVHighlights (Lei, Berg, Bansal. QVHighlights: Detecting Moments and Highlights in
Videos via Natural Language Queries. NeurIPS 2021), by temporal intersection over union, IoU = |∩| / |∪|.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np

from ir_segmeasures.evaluation.axis import Ground, at_place, running
from ir_segmeasures.measures.base import RunOnAxis, SpanMeasure, register_measure
from ir_segmeasures.measures.parameters import CUTOFF, REL, Choice, Flag, Number, required
from ir_segmeasures.measures.stops import Outcome, added, best_from_here, counted, mean_of
from ir_segmeasures.measures.walks import Walk, item_walk, segments_of_queries
from ir_segmeasures.measures.windows import Fit, Window, WindowTree, matches
from ir_segmeasures.segments.basics import Ints

__all__ = ['IoU_AP', 'mIoU_AP', 'IoU_R', 'mIoU', 'mIoP', 'IoP_R', 'AxIoU', 'nDCG_IoU']

LIMIT = 100  # items of a query, in whose list TVR's program looks at no others
_IOU = Number('IoU from which on a prediction is right', above=0, high=1, required=True)


def crossing_documents(run: RunOnAxis, k: float) -> Iterator[tuple[list[int], list[Window], list[int], list[Window]]]:
    """The documents of queries in which one of the first k items shares content with a true window: these items by
    rank, their starts and ends, the true windows by start, end and place in the judgements, and their starts and ends.
    """
    first, stop = run.met
    item = np.flatnonzero((first < stop) & (run.rank <= k))
    item = item[np.argsort(run.stretch[item], kind='stable')]
    window = np.lexsort((run.segments.end, run.segments.start))
    stretch, columns = np.flatnonzero(np.bincount(run.stretch[item])), list[list[Any]]()
    for place, those in ((item, run), (window, run.segments)):
        low, high = (np.searchsorted(those.stretch[place], stretch, side).tolist() for side in ('left', 'right'))
        bounds = list(zip(those.start[place].tolist(), those.end[place].tolist()))
        columns += [[column[i:j] for i, j in zip(low, high)] for column in (place.tolist(), bounds)]
    return zip(*columns)


def with_windows(walk: Walk, segment: Ints, overlap: str = 'IoU') -> Walk:
    """The walk, of which explanations show the true window that each item is compared with, and what of the two, or of
    the item (``overlap='IoP'``), they have in common."""
    def shown(walk: Walk) -> dict[str, Any]:
        (start, end), at = (x[walk.beside['segment']] for x in walk.run.segments[3:]), walk.run.stretch[walk.item]
        common = np.maximum(np.minimum(end, walk.end) - np.maximum(start, walk.start), 0)
        whole = walk.end - walk.start + (end - start - common if overlap == 'IoU' else 0)
        return {'window': walk.run.positions(at, start), 'window_end': walk.run.positions(at, end),
                overlap: common / whole}
    return walk._replace(beside={'segment': segment}, shown=shown)


def matching_windows(run: RunOnAxis, ious: tuple[Fraction, ...], k: float) -> list[Walk]:
    """The user who takes windows: a look is one of the first k items that is matched with a true window, its cost is
    its rank, its gain 1; a walk for each IoU, in ascending order. See :func:`ir_segmeasures.measures.windows.matches`.
    """
    found = [(items[item], segments[window], reached) for items, bounds, segments, windows in crossing_documents(run, k)
             for item, window, reached in matches(bounds, windows, ious)]
    item, segment, reached = np.array(sorted(found), np.int64).reshape(-1, 3).T
    walk = with_windows(item_walk(run, item, run.cached(segments_of_queries)), segment)
    return [walk.where(reached >> place & 1 > 0) for place in range(len(ious))]


def fitting(run: RunOnAxis, k: float) -> list[tuple[int, Fit]]:
    """The items of the first k that share content with true windows, each with the window that it fits best, whose
    place is that in the judgements."""
    found: list[tuple[int, Fit]] = []
    for items, bounds, segments, windows in crossing_documents(run, k):
        tree = WindowTree(windows)
        found += [(item, Fit(segments[fit.place], fit.common, fit.union)) for item, (start, end) in zip(items, bounds)
                  if (fit := tree.best(start, end))]
    return sorted(found)


def covered(run: RunOnAxis, k: float) -> list[tuple[int, Fit]]:
    """The items of the first k with content that share some with true windows, each with the most that it shares with
    one of them."""
    found: list[tuple[int, Fit]] = []
    for items, bounds, segments, windows in crossing_documents(run, k):
        first, last = np.array(windows, np.int64).T
        found += [(item, Fit(segments[int(common.argmax())], int(common.max()), end - start))
                  for item, (start, end) in zip(items, bounds) if start < end
                  for common in [np.minimum(last, end) - np.maximum(first, start)]]
    return sorted(found)


def interpolated_precision(walk: Walk) -> Outcome:
    """The area under precision over recall, where the precision at a look is the best of it and all later ones."""
    hits = running(walk.gain, walk.query)
    best = best_from_here(hits / walk.rank, walk.query)
    return added(walk, best, lambda query, value: (
        f'The best precisions from each right item on, over {counted(walk.total[query], "true window")}, sum to '
        f'{value:.4f}.'), walk.total, hits=hits, best=best)


class _IoU_AP(SpanMeasure):
    """Average Precision at an IoU: AP with an item right if it matches a true window with at least this IoU. An item is
    right if its IoU with a true window that no earlier item is matched with is at least ``iou``. It is then matched
    with the window of the highest IoU among these.

    ``IoU_AP = (1/N) · Σ over the right items of max{ P@k' : k' >= k }``, with N the number of true windows, not merged.

    Range [0, 1], higher is better. Source: Lei, Berg & Bansal 2021 (mAP at an IoU).

    Examples:
        >>> from ir_segmeasures import IoU_AP
        >>> qrels = {'q': {'v#t=0,10': 1, 'v#t=20,30': 1}}
        >>> run = {'q': {'v#t=0,8': 3, 'v#t=1,9': 2, 'v#t=22,30': 1}}  # the window of the second is matched
        >>> round(IoU_AP(iou=0.7).calc_aggregate(qrels, run), 4)  # (1/1 + 2/3) / 2
        0.8333
    """
    SUPPORTED_PARAMS = {'iou': _IOU, 'cutoff': CUTOFF, 'rel': REL}

    def outcome(self, run: RunOnAxis) -> Outcome:
        return interpolated_precision(run.cached(matching_windows, (Fraction(str(self['iou'])),), self.cutoff)[0])


IoU_AP = register_measure(_IoU_AP())


class _mIoU_AP(SpanMeasure):
    """Average Precision over IoUs: the mean of IoU_AP over IoUs from 0.5 to 0.95.

    ``mIoU_AP = (1/10) · Σ_θ IoU_AP(iou=θ)`` over θ = 0.50, 0.55, … 0.95.

    Range [0, 1], higher is better. Source: Lei, Berg & Bansal 2021 (average mAP).

    Examples:
        >>> from ir_segmeasures import mIoU_AP
        >>> qrels = {'q': {'v#t=0,10': 1}}
        >>> run = {'q': {'v#t=0,8': 1}}  # an IoU of 0.8: right at 7 of the 10 IoUs
        >>> mIoU_AP.calc_aggregate(qrels, run)
        0.7
    """
    def outcome(self, run: RunOnAxis) -> Outcome:
        ious = tuple(Fraction(i, 20) for i in range(10, 20))
        values = [interpolated_precision(walk).values for walk in run.cached(matching_windows, ious, self.cutoff)]
        return mean_of(run, 'IoUValue', values, 'IoUs', iou=np.array(ious, float))


mIoU_AP = register_measure(_mIoU_AP())


class _BestFit(SpanMeasure):
    """The highest share of a fit of the first k items, or whether one reaches ``LEAST``; 0 in a query without any.

    The user remembers the best item so far: a look is one of the first k items that fits better than all before.
    """
    FITS = staticmethod(fitting)
    LEAST: str | None = None  # the name of a parameter
    SUPPORTED_PARAMS: Any = {'cutoff': required(CUTOFF), 'rel': REL}

    def outcome(self, run: RunOnAxis) -> Outcome:
        best, looks = dict[int, Fit](), list[tuple[int, int, float]]()
        least, strict = Fraction(str(self[self.LEAST])) if self.LEAST else None, self.params.get('strict', False)
        for item, fit in run.cached(self.FITS, self['cutoff']):
            before = best.get(query := int(run.query[item]), Fit(0, 0, 1))
            if fit.common * before.union > before.common * fit.union:
                best[query] = fit
                looks.append((item, fit.place, fit.iou if least is None else fit.above(least) >= strict))
        (items, segments, scores), values = np.array(looks).reshape(-1, 3).T, np.zeros(run.queries)
        overlap = 'IoP' if self.FITS is covered else 'IoU'
        walk = with_windows(item_walk(run, items.astype(np.int64), run.R), segments.astype(np.int64), overlap)
        values[walk.query] = scores  # the last of each query, which is the highest
        adds = scores - np.where(np.diff(walk.query, prepend=-1), 0, np.append(0, scores)[:-1])
        return Outcome(values, walk, {'adds': adds}, lambda query: (
            f'Up to rank {self["cutoff"]}, the item with the highest {overlap} counts: {values[query]:.4f}.'))


class _IoU_R(_BestFit):
    """Recall at k at an IoU: whether any of the first k items has at least this IoU with a true window.

    ``IoU_R(iou=θ)@k = 1`` if there is such an item, else 0. With ``strict``, the IoU must be above θ, as Ego4D counts.

    Range {0, 1}, higher is better. Source: Lei, Berg & Bansal 2021 (R1 at an IoU).

    Examples:
        >>> from ir_segmeasures import IoU_R
        >>> qrels = {'q': {'v#t=0,10': 1}}
        >>> run = {'q': {'v#t=5,15': 2, 'v#t=0,8': 1}}
        >>> [(IoU_R(iou=0.7)@k).calc_aggregate(qrels, run) for k in (1, 2)]  # IoUs of 5/15 and 8/10
        [0.0, 1.0]
    """
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'iou': _IOU, 'rel': REL,
                        'strict': Flag('whether the IoU must be above iou, and not just reach it', default=False)}
    LEAST = 'iou'


IoU_R = register_measure(_IoU_R())


class _mIoU(_BestFit):
    """Mean IoU at k: the highest IoU of any of the first k items with a true window. Papers report its mean over the
    queries.

    ``mIoU@k = max{ IoU(item i, window) : i <= k }``, 0 if no such item shares content with a window.

    Range [0, 1], higher is better. Source: Yuan, Mei & Zhu. To Find Where You Talk: Temporal Sentence Localization in
    Video with Attention Based Location Regression. AAAI 2019 (mIoU, k = 1).

    Examples:
        >>> from ir_segmeasures import mIoU
        >>> qrels = {'q': {'v#t=0,10': 1}}
        >>> run = {'q': {'v#t=0,8': 1}}
        >>> (mIoU@1).calc_aggregate(qrels, run)
        0.8
    """


mIoU = register_measure(_mIoU())


class _mIoP(_BestFit):
    """Mean IoP at k: the highest share of one of the first k items that lies in one true window.

    ``mIoP@k = max{ |item i ∩ window| / |item i| : i <= k }``, 0 if no such item shares content with a window.

    Range [0, 1], higher is better. Windows are not merged. Source: Xiao et al. Can I Trust Your Answer? Visually
    Grounded Video Question Answering. CVPR 2024 (mIoP, k = 1).

    Examples:
        >>> from ir_segmeasures import mIoP
        >>> (mIoP@1).calc_aggregate({'q': {'v#t=0,10': 1}}, {'q': {'v#t=5,25': 1}})
        0.25
    """
    FITS = staticmethod(covered)


mIoP = register_measure(_mIoP())


class _IoP_R(_BestFit):
    """Recall at k at an IoP: whether any of the first k items lies in one true window with at least this share.

    ``IoP_R(iop=θ)@k = 1`` if ``|item ∩ window| / |item| >= θ`` for such an item, else 0.

    Range {0, 1}, higher is better. Windows are not merged. Source: as mIoP (TIoP, k = 1).

    Examples:
        >>> from ir_segmeasures import IoP_R
        >>> qrels, run = {'q': {'v#t=0,10': 1}}, {'q': {'v#t=5,25': 2, 'v#t=5,15': 1}}
        >>> [(IoP_R@k).calc_aggregate(qrels, run) for k in (1, 2)]
        [0.0, 1.0]
    """
    FITS = staticmethod(covered)
    SUPPORTED_PARAMS = {'cutoff': required(CUTOFF), 'iop': Number(
        'IoP from which on a prediction is right', above=0, high=1, default=0.5), 'rel': REL}
    LEAST = 'iop'


IoP_R = register_measure(_IoP_R())


class _AxIoU(_BestFit):
    """Average-max IoU: the best IoU of the first j items with a true window, averaged over j from 1 to k. The earlier
    the best moment comes, the better, and an item that is worse than an earlier one changes nothing.

    ``AxIoU@k = (1/k) · Σ_{j<=k} max{ IoU(item i, window) : i <= j }``, which is the mean of mIoU@1, … mIoU@k. Behind
    the end of the ranking its best stays.

    Range [0, 1], higher is better. Source: Togashi et al. AxIoU: An Axiomatically Justified Measure for Video Moment
    Retrieval. CVPR 2022.

    Examples:
        >>> from ir_segmeasures import AxIoU
        >>> qrels = {'q': {'v#t=0,10': 1}}
        >>> run = {'q': {'v#t=5,15': 2, 'v#t=0,8': 1}}
        >>> round((AxIoU@2).calc_aggregate(qrels, run), 4)  # (5/15 + 8/10) / 2
        0.5667
    """

    def outcome(self, run: RunOnAxis) -> Outcome:
        best: Any = super().outcome(run)
        return added(best.walk, best.columns['adds'] * (self['cutoff'] - best.walk.rank + 1), lambda query, value: (
            f'What items add to the best IoU before, from their rank on, sums to {value:.4f}.'), self['cutoff'])


AxIoU = register_measure(_AxIoU())


class _nDCG_IoU(SpanMeasure):
    """nDCG of graded windows at an IoU: the nDCG with each item taking the free window that it fits best, by grade.
    In rank order each item takes, of the judged windows that no earlier item took, the one with the greatest IoU, if
    this is at least ``iou``, and gains by its grade.

    ``nDCG_IoU@k = Σ_{i<=k} gain_i / log2(i + 1) / ideal``, with the gain ``2^grade - 1`` of the window that item i
    takes (``dcg='log2'``: the grade itself), and the ideal that of all grades of the query in descending order, up to
    k.

    Range [0, 1], higher is better. Windows with a grade above 0 count, not merged. Source: Liang et
    al. TVR-Ranking: A Dataset for Ranked Video Moment Retrieval with Imprecise Queries. 2024; its program takes windows
    by another rule (``tool='tvr_ranking'``).

    Examples:
        >>> from ir_segmeasures import nDCG_IoU
        >>> qrels = {'q': {'v#t=0,10': 1, 'v#t=10,20': 3}}
        >>> run = {'q': {'v#t=5,15': 1}}  # an IoU of 1/3 with both: it takes the first, 1 of 7
        >>> round((nDCG_IoU(iou=0.3)@1).calc_aggregate(qrels, run), 4)
        0.1429
    """
    SUPPORTED_PARAMS = {
        'cutoff': required(CUTOFF), 'iou': Number(_IOU.desc, above=0, high=1, default=0.5),
        'dcg': Choice('the gain of a grade: 2^grade - 1, or the grade itself', 'exp-log2', 'log2', default='exp-log2')}

    @property
    def ground(self) -> Ground:
        return super().ground._replace(rel=np.nextafter(0, 1))

    def outcome(self, run: RunOnAxis) -> Outcome:
        k, grade, query = self['cutoff'], run.judgements.qrels.value[run.segments.row], run.segments.query
        gain = 2. ** grade - 1 if self['dcg'] == 'exp-log2' else grade
        best = np.lexsort((-grade, query))
        rank = running(np.ones(len(best), np.int64), query[best])
        ideal = at_place(np.where(rank <= k, gain[best] / np.log2(rank + 1), 0), query[best], run.queries)
        walk, = run.cached(matching_windows, (Fraction(str(self['iou'])),), k)
        gained = gain[walk.beside['segment']]
        return added(walk, gained / np.log2(walk.rank + 1) / ideal[walk.query], lambda query, value: (
            f'The gains, discounted by rank, over the ideal {ideal[query]:.4f} sum to {value:.4f}.'), gained=gained)


nDCG_IoU = register_measure(_nDCG_IoU())


def items_of_judged_videos(run: Iterable[Any], qrels: Iterable[Any]) -> list[Any]:
    """The items that TVR's program ranks in its task SVMR: of the first 100 of each query, those of a video that is
    judged for it.

    Args:
        run: rows in rank order, of ``formats.read_run``
        qrels: rows with ``start`` and ``end``, or with ids of segments
    """
    from ir_segmeasures.segments.segment import parse_segment  # importing the package does without
    judged = {(row.query_id, row.doc_id if hasattr(row, 'end') else parse_segment(row.doc_id)[0]) for row in qrels}
    numbers: dict[str, Iterator[int]] = defaultdict(count)
    return [row for row in run if next(numbers[row.query_id]) < LIMIT and (row.query_id, row.doc_id) in judged]
