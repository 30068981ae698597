"""Focused retrieval, the interpolated precision of content of the INEX ad hoc track, 2007 to 2010: Kamps, Pehcevski,
Kazai, Lalmas, Robertson. INEX 2007 Evaluation Measures. INEX 2007.

These are the definitions, computed exactly: every judged topic, 0 without relevant content, recall levels without
bins. An item that is a document without a passage (``X`` in INEX runs) has no content. The program's own numbers are
``tool='inex_eval'``.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, TOLERANCE, Choice, Number, SpanMeasure, least, register
from ir_segmeasures.segments.spans import Spans, clusters, common_length, cut_out, in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic

    Floats = NDArray[np.float64]

__all__ = ['iP', 'AiP', 'MAiP']

_LEVELS = 101
_FOCUSED = {
    'overlap': Choice("what an item is that repeats content of an earlier one of its document: counted without it "
                      "('trim'), or an error ('error')", 'trim', 'error', default='trim'),
    'rel': REL,
}


class Fresh(NamedTuple):
    """What each item holds that no item before it in its document does.

    Attributes:
        item: of each piece the place of its item
        start, end: of each piece
        again: the places of the items that repeat content of earlier ones, in order, and how much it is
    """
    item: NDArray[np.intp]
    start: Floats
    end: Floats
    again: list[tuple[int, float]]


def fresh(document: NDArray[np.intp], start: Floats, end: Floats) -> Fresh:
    """What is new of items in rank order."""
    items = np.flatnonzero(start < end)
    cluster = clusters(document[items], start[items], end[items])
    alone = np.bincount(cluster)[cluster] == 1
    linked = items[~alone]
    pieces: list[tuple[int, float, float]] = []
    again: list[tuple[int, float]] = []
    unread: dict[int, tuple[list[float], list[float]]] = {}
    for item, key, first, last in zip(linked.tolist(), cluster[~alone].tolist(), start[linked].tolist(),
                                      end[linked].tolist()):
        if key not in unread:
            unread[key] = [0.0, last], [first, inf]
            pieces.append((item, first, last))
            continue
        found = cut_out(*unread[key], first, last)
        pieces += [(item, left, right) for left, right in found]
        if found != [(first, last)]:
            again.append((item, last - first - sum(right - left for left, right in found)))
    some = items[alone]
    item, left, right = zip(*pieces) if pieces else ((), (), ())
    return Fresh(np.append(some, np.array(item, np.intp)), np.append(start[some], left), np.append(end[some], right),
                 again)


def fresh_of(run: RunItems) -> Fresh:
    """What is new of the items of all queries."""
    items = run.every
    return fresh(items.query * (int(items.document.max(initial=0)) + 1) + items.document, items.start, items.end)


def repeated(run: RunItems) -> list[list[tuple[int, float]]]:
    """For each query, the ranks of the items that repeat content, and how much it is."""
    again, bounds = run.once(fresh_of).again, run.every.bounds
    places = [place for place, _ in again]
    edges = [bisect_left(places, bound) for bound in bounds]
    return [[(place - first + 1, length) for place, length in again[low:high]]
            for first, (low, high) in zip(bounds, pairwise(edges))]


def passage_too(start: float, end: float) -> str:
    """The sentence about an item that is said to have no passage and has one."""
    return (f"it is a document without a passage ('no_passage'), but has one from {start:.12g} to {end:.12g}: make "
            "both 0, or leave 'no_passage' out")


def without_passage(run: RunItems) -> NDArray[np.bool_]:
    """For each item of the run, whether it is a document without a passage. RowError if it is, and has one."""
    items = run.every
    wrong = np.flatnonzero(run.no_passage & (items.end > 0) & (np.array(run.relevant.R) > 0)[items.query])
    if wrong.size:
        place = int(wrong[0])
        query = int(items.query[place])
        raise run.error(query, place - items.bounds[query] + 1, passage_too(items.start[place], items.end[place]))
    return run.no_passage


class RetrievedContent(NamedTuple):
    """The items of a query that hold relevant content which none before them holds, as arrays, by rank.

    Attributes:
        rank: of each item
        relevant: the relevant content retrieved until then, counted once
        precision: its share of all content retrieved until then, counted once
    """
    rank: NDArray[np.intp]
    relevant: Floats
    precision: Floats

    def up_to(self, rank: float) -> RetrievedContent:
        """Those up to a rank."""
        n = int(np.searchsorted(self.rank, rank, 'right'))
        return RetrievedContent._make(column[:n] for column in self)


def retrieve(run: RunItems) -> list[RetrievedContent]:
    """What each query retrieves."""
    run.once(without_passage)
    items, pieces = run.every, run.once(fresh_of)
    group = items.group[pieces.item]
    some = np.flatnonzero(group >= 0)
    some = some[in_order(group[some], pieces.start[some])]  # in order they are found faster
    common = common_length(Spans(group[some], pieces.start[some], pieces.end[some]), run.relevant.spans)
    gain = np.bincount(pieces.item[some], common, len(items.query))
    length = np.bincount(pieces.item, pieces.end - pieces.start, len(items.query))
    queries = []
    for low, high in pairwise(items.bounds):
        place = np.flatnonzero(gain[low:high])
        relevant = np.cumsum(gain[low:high].astype(np.float64, copy=False))[place]
        queries.append(RetrievedContent(place + 1, relevant, relevant / np.cumsum(length[low:high])[place]))
    return queries


class _Focused(SpanMeasure):
    def _retrieved(self, topic: Topic) -> RetrievedContent:
        cutoff = self.params.get('cutoff', inf)
        if self['overlap'] == 'error':
            for rank, _ in topic.of_run(repeated)[:1]:
                if rank <= cutoff:
                    raise topic.error(rank, f'it repeats content of an earlier item of its document, which {self} '
                                            "refuses: cut it out, or leave overlap='error' out")
        return topic.of_run(retrieve).up_to(cutoff)


class _iP(_Focused):
    """Interpolated precision at recall x, of content: the best precision at this recall or a higher one.

    ``iP@x = max{ P_k : R_k >= x }``, 0 if there is none: after item k, ``P_k`` is the share of the content retrieved so
    far that is relevant, ``R_k`` the share of the relevant content that is retrieved. What an item repeats of earlier
    items of its document counts in neither (``overlap='trim'``).

    Range [0, 1], higher is better; the unit of the medium cancels out. Unlike ``iSP@x``, items are read as a whole, and
    no content twice. Source: Kamps et al. 2007 (iP[x]).
    """
    __name__ = 'iP'
    NAME = __name__
    PRETTY_NAME = 'Interpolated Precision at recall'
    SHORT_DESC = 'The share of the retrieved content that is relevant, at a recall level.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': Number('recall level, a share of the relevant content', low=0, high=1, required=True),
        **_FOCUSED,
        'cutoff': CUTOFF,
    }

    def compute(self, topic: Topic) -> float:
        _, relevant, precision = self._retrieved(topic)
        return float(precision[relevant >= least(self['recall'] * topic.T_rel)].max(initial=0.0))


iP = register(_iP())


class _AiP(_Focused):
    """Average interpolated precision (MAiP): the mean of iP over 101 recall levels.

    ``AiP = (1/101) · Σ_{i=0..100} iP(i / 100)``

    Range [0, 1], higher is better; the unit of the medium cancels out. ``overlap='error'`` refuses runs with items that
    share content, as INEX' focused task does; the default counts what is new of each, in every document (INEX' thorough
    task). Source: Kamps et al. 2007 (AiP, MAiP).
    """
    __name__ = 'AiP'
    NAME = __name__
    PRETTY_NAME = 'Average interpolated Precision'
    SHORT_DESC = 'The share of the retrieved content that is relevant, averaged over recall.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_FOCUSED}

    def compute(self, topic: Topic) -> float:
        _, relevant, precision = self._retrieved(topic)
        best = np.maximum.accumulate(precision[::-1])[::-1]  # at this recall or a higher one
        levels = np.floor(relevant * ((_LEVELS - 1) / topic.T_rel * (1 + TOLERANCE)))  # the last one reached
        return float((best * np.diff(levels, prepend=-1)).sum() / _LEVELS)


AiP = MAiP = register(_AiP(), ['MAiP'])
