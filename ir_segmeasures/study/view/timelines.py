"""Timelines: for each query its judged spans and the items of each run, document by document, with the parts of an item
that are relevant and new, relevant but seen before, or not relevant.

The page, the picture for a notebook and the figure of matplotlib are drawn from them.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from math import inf, isinf
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.evaluation.axis import first_holding, first_pieces, ranges
from ir_segmeasures.evaluation.ground import Ground
from ir_segmeasures.evaluation.judgements import Judgements
from ir_segmeasures.evaluation.run_on_axis import RunOnAxis, runs_on_axes
from ir_segmeasures.measures.base import SegmentMeasure
from ir_segmeasures.segments.arrays import Array, Floats
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.spans import merged_spans
from ir_segmeasures.segments.tables.matching import Match, document_key
from ir_segmeasures.segments.tables.table import NO_UNIT, SegmentTable
from ir_segmeasures.segments.tables.warnings import naming_run

__all__ = ['DocumentTimeline', 'ItemPart', 'JudgedSpan', 'QueryTimeline', 'RankedItems',
           'TimelineBuilder', 'TimelineItem', 'Timelines', 'build_timelines', 'relevant_parts', 'stack']


class JudgedSpan(NamedTuple):
    """A judged span. Relevant spans that overlap or touch are one, as the measures count them.

    Attributes:
        document: its position in :attr:`Timelines.documents`
        start, end: in the unit of the document
        relevant: whether it is judged relevant
    """
    document: int
    start: float
    end: float
    relevant: bool


class ItemPart(NamedTuple):
    """Relevant content of the item at a rank.

    Attributes:
        rank, start, end: of the item, and in the unit of the document
        new: whether no better item had this content
        first: whether no better item had any content of the judged span
    """
    rank: int
    start: float
    end: float
    new: bool
    first: bool = True

    @property
    def kind(self) -> str:
        """The kind in :data:`~ir_segmeasures.study.view.colours.LEGEND`."""
        return 'repeated' if not self.new else 'new' if self.first else 'continued'


class RankedItems(NamedTuple):
    """The items of a query in a run, as columns, by rank.

    Attributes:
        document: positions in :attr:`Timelines.documents`, an array
        start, end: in the unit of the document, arrays
        parts: the relevant parts of all items, by rank, then in order
        explanations: measure → how its value came about, where that is asked for
    """
    document: Array[np.int32]
    start: Floats
    end: Floats
    parts: list[ItemPart]
    explanations: dict[SegmentMeasure, Any]

    def rows(self) -> Iterable[tuple[int, int, float, float]]:
        """The rank, document, start and end of each item."""
        return zip(count(1), self.document.tolist(), self.start.tolist(), self.end.tolist())


class TimelineItem(NamedTuple):
    """An item with its relevant parts."""
    rank: int
    start: float
    end: float
    parts: list[ItemPart]


class DocumentTimeline(NamedTuple):
    """A document of a query: a lane of judged spans, and a lane of items for each run.

    Attributes:
        document: its position in :attr:`Timelines.documents`
        extent: the last position that is known of it; 0 where none is
        judged: its judged spans
        runs: for each run its items, by rank
    """
    document: int
    extent: float
    judged: list[JudgedSpan]
    runs: list[list[TimelineItem]]

    @property
    def relevant(self) -> list[JudgedSpan]:
        """Its relevant spans."""
        return [span for span in self.judged if span.relevant]


class QueryTimeline(NamedTuple):
    """A judged query: its judged spans, its items in each run, and the lengths of documents, by position, as far as
    they are known."""
    query_id: str
    judged: list[JudgedSpan]
    ranked: list[RankedItems]
    lengths: Mapping[int, float]

    @property
    def R(self) -> int:
        """The number of relevant spans."""
        return sum(span.relevant for span in self.judged)

    @property
    def T_rel(self) -> float:
        """The length of all relevant spans."""
        return sum(span.end - span.start for span in self.judged if span.relevant)

    def extents(self) -> dict[int, float]:
        """Document → its extent, in order of the best rank in any run; documents without an item come last, in the
        order of the judgements. A document reaches at least to its length.
        """
        extents: dict[int, float] = {}
        best: dict[int, float] = {}

        def extend(document: int, start: float, end: float) -> None:
            known = extents[document] if document in extents else self.lengths.get(document, 0)
            extents[document] = max(known, _last(start, end))
        for span in self.judged:
            extend(span.document, span.start, span.end)
        for items in self.ranked:
            for rank, document, start, end in items.rows():
                extend(document, start, end)
                best[document] = min(best.get(document, inf), rank)
        return {document: extents[document] for document in sorted(extents, key=lambda key: best.get(key, inf))}

    def documents(self, items: int | None = None) -> list[DocumentTimeline]:
        """The documents in the order of :meth:`extents`.

        Args:
            items: only so many of each run, from the first rank; not given: all
        """
        query = self if items is None else self._replace(ranked=[_first(ranked, items) for ranked in self.ranked])
        found = {document: DocumentTimeline(document, extent, [], [[] for _ in query.ranked])
                 for document, extent in query.extents().items()}
        for span in query.judged:
            found[span.document].judged.append(span)
        for run, ranked in enumerate(query.ranked):
            parts: dict[int, list[ItemPart]] = {}
            for part in ranked.parts:
                parts.setdefault(part.rank, []).append(part)
            for rank, document, start, end in ranked.rows():
                found[document].runs[run].append(TimelineItem(rank, start, end, parts.get(rank, [])))
        return list(found.values())

    def picture(self, documents: int, items: int | None = None) -> tuple[list[DocumentTimeline], int]:
        """The documents of a picture, in order, and the number of those that have no room in it. Documents with items
        or relevant spans are drawn; those with relevant spans have room first.

        Args:
            documents: how many at most
            items: see :meth:`documents`
        """
        found = [document for document in self.documents(items) if document.relevant or any(document.runs)]
        kept = {document.document for document in sorted(found, key=lambda document: not document.relevant)[:documents]}
        return [document for document in found if document.document in kept], len(found) - len(kept)


class Timelines(NamedTuple):
    """Runs beside the judgements, query by query.

    Attributes:
        names: of the runs
        documents: the ids of all documents, without fragments
        units: of each document, ``'t'``, ``'char'``, ``'word'`` …, or None for bare columns and whole documents
        queries: the judged queries
    """
    names: list[str]
    documents: list[str]
    units: list[str | None]
    queries: list[QueryTimeline]


def build_timelines(qrels: SegmentTable, runs: Mapping[str, SegmentTable], rel: float = 1,
                    unit: str | None = None, lengths: Mapping[str, float] | None = None) -> Timelines:
    """The timelines of all judged queries.

    Args:
        qrels: the judgements
        runs: name → run; an error names the run, unless its name is empty
        rel: a segment is relevant if it is judged with this relevance or more
        unit: of bare columns, ``'t'`` (seconds), ``'char'``, ``'word'`` …
        lengths: document → its length in its unit, where that is known: its axis ends there, or at its last segment

    Raises:
        RowError: a relevant segment without a known end, or units that contradict each other
    """
    building = TimelineBuilder(qrels, rel)
    for name, run in runs.items():
        building.add(name, run)
    return building.timelines(unit, lengths)


class TimelineBuilder:
    """The timelines of runs that come one after the other, so that no two of them must be held.

    Args:
        qrels, rel: see :func:`build_timelines`
    """

    def __init__(self, qrels: SegmentTable, rel: float = 1):
        self._qrels, self._judgements = qrels, Judgements(qrels, Ground(rel))
        self._ids: dict[str, int] = {}
        self._units: list[str | None] = []
        self._judged = _judged(qrels, _add_documents(qrels, self._ids, self._units), rel)
        self._rankings: dict[str, list[RankedItems]] = {}

    def add(self, name: str, run: SegmentTable) -> list[RankedItems]:
        """Adds a run, and returns its items for each query."""
        places = _add_documents(run, self._ids, self._units)
        with naming_run(name):
            self._rankings[name] = _ranked(self._judgements, run, places)
        return self._rankings[name]

    def timelines(self, unit: str | None = None, lengths: Mapping[str, float] | None = None) -> Timelines:
        """The timelines of all judged queries, for the arguments of :func:`build_timelines`."""
        known = {place: lengths[id] for id, place in self._ids.items() if id in lengths} if lengths else {}
        queries = [QueryTimeline(query_id, judged, [ranking[code] for ranking in self._rankings.values()], known)
                   for code, (query_id, judged) in enumerate(zip(self._qrels.query_ids, self._judged))]
        return Timelines(list(self._rankings), list(self._ids), [found or unit for found in self._units], queries)


def stack(items: Iterable[TimelineItem], extent: float, width: float,
          character: float = 6.5) -> list[tuple[TimelineItem, int, float]]:
    """The items of a lane in rows, so that no bar and no label of a rank covers another.

    Args:
        items: the items
        extent: of their document
        width: of the whole document in the picture
        character: the width of a character of a label

    Returns:
        each item with its row, from 0, and the position in the picture where its label begins, in order of their starts
    """
    scale, reach = width / extent, list[float]()
    placed = []
    for item in sorted(items, key=lambda item: (item.start, item.rank)):
        room = character * len(str(item.rank)) + 3
        right = max(min(item.end, extent) * scale, min(width, item.start * scale + room))
        left = min(item.start * scale, right - room)  # at the end of the document the label goes to the left
        row = next((row for row, end in enumerate(reach) if end <= left + .5), len(reach))
        reach[row:row + 1] = [right]
        placed.append((item, row, left))
    return placed


def relevant_parts(run: RunOnAxis) -> dict[int, list[ItemPart]]:
    """For each query with such parts, the relevant parts of all items, by rank, then in order."""
    end = run.open_ends()
    first, stop = run.spans.met(run.start, end)
    best, pieces = first_holding(first, stop, len(run.spans.start)), first_pieces(run.spans, run.start, end)
    item, span = ranges(first, stop - first)
    # The new pieces, and the bounds of all parts: of two neighbouring bounds, what lies between is new or not.
    low, high = np.maximum(run.start[item], run.spans.start[span]), np.minimum(end[item], run.spans.end[span])
    owner = np.concatenate([item, item, pieces.owner, pieces.owner])
    place = np.concatenate([low, high, pieces.start, pieces.end])
    order = np.lexsort((place, owner))
    owner, place = owner[order], place[order]
    between = np.flatnonzero((np.diff(owner) == 0) & (np.diff(place) > 0))
    item, left, right = owner[between], place[between], place[between + 1]
    span = run.spans.first_after(left)
    inside = np.append(run.spans.start, run.base[-1])[span] <= left
    item, left, right, span = (column[inside] for column in (item, left, right, span))
    new = set(zip(pieces.owner.tolist(), pieces.start.tolist()))
    parts = dict[int, list[ItemPart]]()
    stretch = run.stretch[item]
    for query, rank, one, x, start, stop_, first_met in zip(
            run.query[item].tolist(), run.rank[item].tolist(), item.tolist(), left.tolist(),
            run.positions(stretch, left), run.positions(stretch, right), (best[span] == item).tolist()):
        parts.setdefault(query, []).append(ItemPart(rank, start, stop_, (one, x) in new, first_met))
    return parts


def _last(start: float, end: float) -> float:
    return start if isinf(end) else end


def _first(ranked: RankedItems, items: int) -> RankedItems:
    return ranked._replace(document=ranked.document[:items], start=ranked.start[:items], end=ranked.end[:items],
                           parts=[part for part in ranked.parts if part.rank <= items])


def _add_documents(table: SegmentTable, ids: dict[str, int], units: list[str | None]) -> list[int]:
    """For each document of the table its place among all, which a new document is given."""
    codes = table.document[::-1]
    unit = np.full(len(table.document_ids), NO_UNIT)
    unit[codes] = table.unit[::-1]
    places = []
    for document, code in zip(table.document_ids, unit.tolist()):
        place = ids.setdefault(document, len(ids))
        if place == len(units):
            units.append(None)
        if code != NO_UNIT:
            units[place] = UNITS[code]
        places.append(place)
    return places


def _judged(qrels: SegmentTable, places: Sequence[int], rel: float) -> list[list[JudgedSpan]]:
    """For each query its judged spans, document by document."""
    spans: list[list[JudgedSpan]] = [[] for _ in qrels.query_ids]
    n = max(1, len(qrels.document_ids))
    for relevant in (True, False):
        rows = np.flatnonzero(((qrels.value >= rel) == relevant) & (qrels.end > qrels.start))
        key = document_key(qrels, qrels.query[rows], qrels.document[rows])
        merged = merged_spans(key, qrels.start[rows], qrels.end[rows])
        for group, start, end in zip(merged.group.tolist(), merged.start.tolist(), merged.end.tolist()):
            spans[group // n].append(JudgedSpan(places[group % n], start, end, relevant))
    return spans


def _ranked(judgements: Judgements, run: SegmentTable, places: Sequence[int]) -> list[RankedItems]:
    """For each query its items."""
    place = np.array(places, np.int32)
    match = Match(judgements.qrels, run)
    rankings = [RankedItems(place[:0], run.start[:0], run.end[:0], [], {}) for _ in judgements.qrels.query_ids]
    parts = {query: found for _, on_axis in runs_on_axes(match, judgements, 0)
             for query, found in relevant_parts(on_axis).items()}
    for query, (low, high) in match.blocks.items():
        rankings[query] = RankedItems(place[run.document[low:high]], run.start[low:high], run.end[low:high],
                                      parts.get(query, []), {})
    return rankings
