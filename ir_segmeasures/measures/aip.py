"""Focused retrieval, the interpolated precision of content of the INEX ad hoc track, 2007 to 2010: Kamps, Pehcevski,
Kazai, Lalmas, Robertson. INEX 2007 Evaluation Measures. INEX 2007.

The measures are computed exactly by their definitions: every judged topic counts, with 0 without relevant content, and
recall levels have no bins. An item that is a document without a passage (``X`` in INEX runs) has no content. The
program's own numbers are ``tool='inex_eval'``.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_segmeasures.measures.base import CUTOFF, REL, Choice, Number, register_measure
from ir_segmeasures.measures.interpolation import AtLevel, BestSteps, InterpolatedMeasure, OverLevels, best_steps
from ir_segmeasures.measures.unread_content import check_no_passage, repeated_lengths, unread_in_run
from ir_segmeasures.segments.arrays import Floats, Ints
from ir_segmeasures.segments.spans import Spans, common_length, in_order

if TYPE_CHECKING:
    from ir_segmeasures.evaluation.run_items import RunItems
    from ir_segmeasures.evaluation.topic import Topic
    from ir_segmeasures.measures.steps import Steps

__all__ = ['iP', 'AiP', 'MAiP']

_LEVELS = 101
_FOCUSED = {
    'overlap': Choice("what happens to an item that repeats content of an earlier item of its document: the repeated "
                      "content does not count ('trim'), or the run is refused ('error')", 'trim', 'error',
                      default='trim'),
    'rel': REL,
}


class RetrievedContent(NamedTuple):
    """The items with relevant content that no earlier item has, of all queries, as arrays, by rank.

    Attributes:
        rank: the rank of each item
        relevant: the relevant content retrieved until then, counted once
        retrieved: all content retrieved until then, counted once
        bounds: where the items of each query begin, and those of the last query end
    """
    rank: Ints
    relevant: Floats
    retrieved: Floats
    bounds: list[int]


def retrieved_content(run: RunItems) -> RetrievedContent:
    """The content that the items of a run retrieve, none counted twice.

    It equals this loop (tests/reference.py holds it against such a loop)::

        for each item by rank:
            unread = the item without the content of earlier items of its document
            relevant, retrieved += the lengths of unread ∩ relevant spans, and of unread
            give both, if unread has relevant content
    """
    run.cached(check_no_passage)
    items, unread = run.all_items, run.cached(unread_in_run)
    group = items.group[unread.item]
    found = np.flatnonzero(group >= 0)
    found = found[in_order(group[found], unread.start[found])]  # in order they are found faster
    common = common_length(Spans(group[found], unread.start[found], unread.end[found]), run.relevant.spans)
    gain = np.bincount(unread.item[found], common, len(items.query)).astype(np.float64, copy=False)
    length = np.bincount(unread.item, unread.end - unread.start, len(items.query))
    relevant, retrieved, rank = np.empty(len(gain)), np.empty(len(gain)), np.empty(len(gain), np.intp)
    for low, high in pairwise(items.bounds):  # sums of a query alone, so that none loses digits to another
        np.cumsum(gain[low:high], out=relevant[low:high])
        np.cumsum(length[low:high], out=retrieved[low:high])
        rank[low:high] = np.arange(1, high - low + 1)
    place = np.flatnonzero(gain)
    return RetrievedContent(rank[place], relevant[place], retrieved[place],
                            np.searchsorted(place, items.bounds).tolist())


def best_items(run: RunItems, cutoff: float) -> list[BestSteps]:
    """For each query, the items after which precision is better than after all later ones, up to a rank."""
    found = run.cached(retrieved_content)
    return best_steps(found.relevant, np.where(found.rank <= cutoff, found.relevant / found.retrieved, 0), found.bounds)


def items_by_query(run: RunItems) -> list[list[tuple[int, float, float]]]:
    """For each query, the items of :func:`retrieved_content`: rank, relevant, retrieved."""
    found = run.cached(retrieved_content)
    items = list(zip(*(column.tolist() for column in found[:3])))
    return [items[low:high] for low, high in pairwise(found.bounds)]


class _FocusedMeasure(InterpolatedMeasure):
    def best(self, topic: Topic) -> BestSteps:
        if self['overlap'] == 'error':
            for rank, _ in topic.computed_on_run(repeated_lengths)[:1]:
                if rank <= self.cutoff:
                    raise topic.error(rank, f'it repeats content of an earlier item of its document, which {self} '
                                            "refuses: cut it out, or leave overlap='error' out")
        return topic.computed_on_run(best_items, self.cutoff)

    def level_steps(self, topic: Topic, at_levels: dict[int, int], levels: int, sentence: str) -> Steps:
        """The items as steps. ``at_levels`` has, for the items whose precision counts, at how many levels."""
        from ir_segmeasures.measures.steps import RetrievedItem, make_steps  # imported when it is needed
        ranking = topic.ranking
        rows = [(rank, topic.document_id(rank), ranking.start[rank - 1], ranking.end[rank - 1], relevant, retrieved,
                 relevant / topic.T_rel, relevant / retrieved, at_levels.get(step, 0),
                 at_levels.get(step, 0) * (relevant / retrieved) / levels)
                for step, (rank, relevant, retrieved) in enumerate(topic.computed_on_run(items_by_query))
                if rank <= self.cutoff]
        found = rows[-1][4] if rows else 0.
        return make_steps(RetrievedItem, rows, f'The items have {found:.6g} of {topic.T_rel:.6g} relevant. {sentence}')


class _iP(_FocusedMeasure, AtLevel):
    """Interpolated precision at recall x, of content: the best precision at this recall or a higher one.

    ``iP@x = max{ P_k : R_k >= x }``, 0 if there is none: after item k, ``P_k`` is the share of the content retrieved so
    far that is relevant, ``R_k`` the share of the relevant content that is retrieved. Content that an item repeats of
    earlier items of its document counts in neither of them (``overlap='trim'``).

    Range [0, 1], higher is better; the unit of the medium cancels out. Unlike in ``iSP@x``, items are read as a whole,
    and no content is read twice. Source: Kamps et al. 2007 (iP[x]).

    Examples:
        >>> from ir_segmeasures import iP
        >>> qrels = {'q': {'d#char=100,200': 1}}
        >>> run = {'q': {'d#char=100,150': 2, 'd#char=140,240': 1}}  # 50/50, then 100/140
        >>> [round((iP@level).calc_aggregate(qrels, run), 4) for level in (0.5, 1)]
        [1.0, 0.7143]
    """
    PRETTY_NAME = 'Interpolated Precision at recall'
    SHORT_DESC = 'The share of the retrieved content that is relevant, at a recall level.'
    AT_PARAM = 'recall'
    SUPPORTED_PARAMS = {
        'recall': Number('recall level, a share of the relevant content', low=0, high=1, required=True),
        **_FOCUSED,
        'cutoff': CUTOFF,
    }
    HIGHEST = 'precision'


iP = register_measure(_iP())


class _AiP(_FocusedMeasure, OverLevels):
    """Average interpolated precision (MAiP): the mean of iP over 101 recall levels.

    ``AiP = (1/101) · Σ_{i=0..100} iP(i / 100)``

    Range [0, 1], higher is better; the unit of the medium cancels out. ``overlap='error'`` refuses runs with items that
    share content, as INEX' focused task does. By default only the content of an item counts that no earlier item has,
    in every document (INEX' thorough task). Source: Kamps et al. 2007 (AiP, MAiP).

    Examples:
        >>> from ir_segmeasures import AiP
        >>> qrels = {'q': {'d#char=100,200': 1}}
        >>> run = {'q': {'d#char=100,150': 2, 'd#char=140,240': 1}}  # 1 up to recall 0.5: (51 * 1 + 50 * 100/140) / 101
        >>> round(AiP.calc_aggregate(qrels, run), 4)
        0.8586
    """
    PRETTY_NAME = 'Average interpolated Precision'
    SHORT_DESC = 'The share of the retrieved content that is relevant, averaged over recall.'
    SUPPORTED_PARAMS = {'cutoff': CUTOFF, **_FOCUSED}
    HIGHEST = 'precision', 'items', 'item'

    def levels(self) -> int:
        return _LEVELS


AiP = register_measure(_AiP(), ['MAiP'])
MAiP = AiP.called('MAiP')
