"""Transformers of the ranking of a query as a whole: its overlap, its neighbours, its order, and its part that a reader
gets to.

:mod:`ir_segmeasures.pt.base` says what all transformers take and give; these need scores. Where segments change,
columns that hold their content (:data:`~ir_segmeasures.pt.base.STALE`: ``text``, ``docid`` …) are left out, and a
segment that is no longer the element of its path loses the path.
"""

from collections.abc import Sequence
from math import inf

import numpy as np
import pandas as pd

from ir_segmeasures.ids import ties
from ir_segmeasures.ids.ties import descending
from ir_segmeasures.pt import base
from ir_segmeasures.pt.base import Items, SegmentTransformer, as_run, check_number, emit, new_id, new_ids, read_items
from ir_segmeasures.segments.basics import Ints, cut_out, lies_within, quoted
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.table import NO_UNIT

__all__ = ['no_overlap', 'merge', 'in_context', 'cut_effort', 'break_ties']


class no_overlap(SegmentTransformer):
    """Leaves each content in a ranking once: it walks the ranking of a query from the top, and takes out of each item
    the content that a better item already has.

    Args:
        policy: ``'drop'`` leaves out each item that shares content with an item that stayed. ``'trim'`` keeps the parts
            of it that no better item has: none, one, or several, where a better item lies inside; so the ranking as a
            whole loses no content. The parts follow each other in document order, with the item's score, lowered where
            that is needed to keep the order (:func:`~ir_segmeasures.ids.ties.descending`).

    An entry point has no content. It is left out where a better item has the content that it points at, or is the same
    entry point. Items that stay whole keep their ids and, but for such steps, their scores.

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[3, 2, 1]], docno=[['v1#t=0,60', 'v1#t=30,90', 'v2#t=5,20']])
        >>> pt.segments.no_overlap()(results)['docno'].tolist()
        ['v1#t=0,60', 'v2#t=5,20']
        >>> pt.segments.no_overlap('trim')(results)['docno'].tolist()
        ['v1#t=0,60', 'v1#t=60,90', 'v2#t=5,20']
    """

    def __init__(self, policy: str = 'drop'):
        self.policy = policy
        self.check_parameters()

    def check_parameters(self) -> None:
        base.check_choice('policy', self.policy, ('drop', 'trim'), 'what becomes of items that overlap a better one')

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        items = read_items(frame)
        table = items.table
        unseen: dict[tuple[int, int], tuple[list[float], list[float]]] = {}
        points = set()
        pieces: list[float] = []  # the row, start and end of each
        group = table.query * len(table.document_ids) + table.document
        _, place, count = np.unique(group, return_inverse=True, return_counts=True)
        alone = count[place] == 1  # nearly all of a million, which take 1.3 s and 20 s one by one
        others = np.flatnonzero(~alone)
        columns = (table.query, table.document, table.start, table.end)
        for row, query, document, start, end in zip(others.tolist(), *(column[others].tolist() for column in columns)):
            starts, ends = unseen.setdefault((query, document), ([0.0], [inf]))
            if start == end:
                if lies_within(starts, ends, start, end) and (query, document, start) not in points:
                    pieces += row, start, end
                    points.add((query, document, start))
            elif self.policy == 'trim' or lies_within(starts, ends, start, end):
                for low, high in cut_out(starts, ends, start, end):
                    if (low, high) == (start, end) or _has_id(low, high):
                        pieces += row, low, high
        is_trimmed = self.policy == 'trim'
        return _emit(items, pieces, np.flatnonzero(alone), is_trimmed, lowered=is_trimmed)


class merge(SegmentTransformer):
    """Joins neighbours: segments of a query and document that overlap, touch, or have at most ``gap`` between them
    become one item, at the best rank among them and with its score and other columns, but for texts, which it does not
    have any more: :class:`~ir_segmeasures.pt.texts.get_text` behind it adds them.

    Args:
        gap: the largest distance, in the unit of the medium

    The distance is that between neighbours, so that a chain of segments becomes one, however long. Where one of them
    is the whole result already, the result has its id (and so its path).

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[3, 2, 1]], docno=[['v1#t=60,90', 'v2#t=0,9', 'v1#t=0,55']])
        >>> pt.segments.merge(gap=10)(results)['docno'].tolist()
        ['v1#t=0,90', 'v2#t=0,9']
    """

    def __init__(self, gap: float = 0):
        self.gap = gap
        self.check_parameters()

    def check_parameters(self) -> None:
        check_number('gap', self.gap, 'the largest distance between segments that become one')

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        items = read_items(frame)
        table = items.table
        order = np.lexsort((table.start, table.document, table.query))
        group = (table.query * len(table.document_ids) + table.document)[order]
        reach = pd.Series(table.end[order]).groupby(group).cummax().groupby(group).shift(fill_value=-inf).to_numpy()
        gap = np.where(table.start[order] > reach, np.round(table.start[order] - reach, 9), 0)
        merged: dict[int, str] = {}
        for rows in map(sorted, np.split(order, np.flatnonzero(gap > self.gap)[1:])[:len(order)]):
            start, end = float(table.start[rows].min()), float(table.end[rows].max())
            same = (items.ids[row] for row in rows if table.start[row] == start and table.end[row] == end)
            merged[rows[0]] = next(same, None) or new_id(table, rows[0], start, end)
        best = sorted(merged)
        return emit(items.frame, best, [merged[row] for row in best])


class in_context(SegmentTransformer):
    """Orders a ranking for a reader who is shown documents with their parts marked: documents in the order of their
    best items, and the parts of each in document order.

    Each part gets the score of its document's best item, lowered where that is needed to keep the order
    (:func:`~ir_segmeasures.ids.ties.descending`). Source: the task of Pehcevski & Thom 2007, section 2, whose measures
    (MAgP and its family) put documents in this order themselves.

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[3, 2, 1]], docno=[['v1#t=60,90', 'v2#t=0,9', 'v1#t=0,30']])
        >>> pt.segments.in_context()(results)['docno'].tolist()
        ['v1#t=0,30', 'v1#t=60,90', 'v2#t=0,9']
    """

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        items = read_items(frame)
        table = items.table
        first = pd.Series(np.arange(len(table))).groupby([table.query, table.document]).transform('min').to_numpy()
        rows = np.lexsort((table.end, table.start, first))
        first = first[rows]
        follows = np.diff(first, prepend=-1) == 0
        score = descending(table.query[rows].tolist(), table.value[first].tolist(), follows.tolist())
        return emit(items.frame, rows, score=score, changed=False)


class break_ties(SegmentTransformer):
    """Gives the items of a query scores that differ, so that measures of segments and of documents, and every later
    step, have one order of them (:func:`ir_segmeasures.ids.ties.break_ties`).

    Args:
        by: what decides between items of one score: ``'id'``, the last one in the order of characters first, as in
            trec_eval; ``'random'``; ``'order'``, the order of the input, as in the measures of segments
        seed: of the random order, which does not depend on the order of the rows

    Examples:
        >>> import pyterrier as pt
        >>> results = pt.new.ranked_documents([[1, 1, .5]], docno=[['v1#t=0,60', 'v2#t=0,60', 'v3#t=0,60']])
        >>> pt.segments.break_ties()(results)['docno'].tolist()
        ['v2#t=0,60', 'v1#t=0,60', 'v3#t=0,60']
    """

    def __init__(self, by: str = 'id', seed: int = 0):
        self.by, self.seed = by, seed
        self.check_parameters()

    def check_parameters(self) -> None:
        ties.break_ties([], self.by, self.seed)  # for its errors

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        items = read_items(frame)
        run = ties.break_ties(as_run(items.frame)[['query_id', 'doc_id', 'score']], self.by, self.seed)
        score = run['score'].to_numpy(float)
        rows = np.lexsort((-score, items.table.query))
        return emit(items.frame, rows, score=score[rows], changed=False)


class cut_effort(SegmentTransformer):
    """Keeps the part of a ranking that a reader gets to: the items of each query by rank until ``budget`` is spent, the
    last one cut there. Measures that take ``budget=`` (SegP, SegR, SegF, SegIoU …) have the same value on the result
    without it.

    Args:
        budget: in the unit of the medium (seconds, characters or words), above 0
        last: ``'cut'`` keeps the beginning of the item that does not fit; ``'drop'`` leaves out this item and all after
            it, even those that would fit

    Reading the same again is spent again; entry points cost nothing. An item that is read but whose end is not known,
    and items of one query in different units, are errors that name the row.

    Examples:
        As many characters as a language model takes, and whole chunks only, which keep their text:

        >>> import pyterrier as pt
        >>> chunks = pt.new.ranked_documents([[2, 1]], docno=[['d1#char=0,3000', 'd2#char=500,2500']])
        >>> pt.segments.cut_effort(4000)(chunks)['docno'].tolist()
        ['d1#char=0,3000', 'd2#char=500,1500']
        >>> pt.segments.cut_effort(4000, last='drop')(chunks)['docno'].tolist()
        ['d1#char=0,3000']
    """

    def __init__(self, budget: float, last: str = 'cut'):
        self.budget, self.last = budget, last
        self.check_parameters()

    def check_parameters(self) -> None:
        check_number('budget', self.budget, 'what is read of each query', above=True)
        base.check_choice('last', self.last, ('cut', 'drop'), 'what becomes of the item that does not fit')

    def apply(self, frame: pd.DataFrame) -> pd.DataFrame:
        items = read_items(frame)
        table = items.table
        pieces: list[float] = []
        left, unit_of, current = 0.0, NO_UNIT, -1
        columns = (table.query, table.unit, table.start, table.end)
        for row, (query, unit, start, end) in enumerate(zip(*(column.tolist() for column in columns))):
            if query != current:
                left, unit_of, current = float(self.budget), unit, query
            if left <= 0:
                continue
            if end == inf:
                raise table.error(row, f'how much it takes to read {quoted(items.ids[row])} is not known, since its '
                                       'end is not: resolve the ids with a table of the ends')
            if unit != unit_of:
                raise table.error(row, f'one budget cannot be spent on {quoted(UNITS[unit_of])} and on '
                                       f'{quoted(UNITS[unit])}: give all items of a query in one unit')
            length = round(end - start, 9)
            if length <= left:
                pieces += row, start, end
            elif self.last == 'cut' and _has_id(start, stop := round(start + left, 9)):
                pieces += row, start, stop
            left = round(left - length, 9)
        return _emit(items, pieces, changed=self.last == 'cut')


def _has_id(start: float, end: float) -> bool:
    """Tells a segment that has content in the 6 decimals of an id."""
    return round(start, 6) < round(end, 6)


def _emit(items: Items, pieces: list[float], whole: Sequence[int] | Ints = (), changed: bool = True,
          lowered: bool = False) -> pd.DataFrame:
    """The frame that comes out, made of pieces. Whole items keep the ids that they had.

    Args:
        items: that came in
        pieces: the row, start and end of each piece of some items, in their order
        whole: the rows of other items that come out as they are
        changed: as in :func:`emit`
        lowered: whether several pieces of an item get scores that differ
    """
    table = items.table
    column, starts, ends = np.array(pieces, float).reshape(-1, 3).T
    cut = column.astype(np.intp)
    is_new = (starts != table.start[cut]) | (ends != table.end[cut])
    changes, unit = cut[is_new], table.unit[cut[is_new]]
    without = np.flatnonzero(unit == NO_UNIT)
    if len(without):  # of a whole document something was cut, in the unit of this
        keys = list(zip(table.query.tolist(), table.document.tolist()))
        known = {key: unit for key, unit in zip(keys, table.unit.tolist()) if unit != NO_UNIT}
        unit[without] = [known[keys[row]] for row in changes[without].tolist()]
    rows = np.concatenate([np.asarray(whole, np.intp), cut])
    ids = np.array(items.ids, object)[rows]
    ids[len(whole):][is_new] = new_ids(table, changes, starts[is_new], ends[is_new], unit)
    order = np.argsort(rows, kind='stable')
    rows = rows[order]
    follows = (np.diff(rows, prepend=-1) == 0).tolist()
    score = descending(table.query[rows].tolist(), table.value[rows].tolist(), follows) if lowered else None
    return emit(items.frame, rows, ids[order].tolist(), score, changed)
