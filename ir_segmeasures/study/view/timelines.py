"""Timelines: for each query its judged spans and the items of each run, document by document, with the parts of an item
that are relevant and new, relevant but seen before, or not relevant.

The page and the figure of matplotlib, which a notebook shows too, are drawn from them.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count, groupby, islice
from math import inf, isinf
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.basics import Array, Floats, cut_out
from ir_segmeasures.segments.segment import UNITS
from ir_segmeasures.segments.tables.matching import Match
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.user_warnings import naming_run
from ir_segmeasures.study.campaign.layers import merged


class LegendEntry(NamedTuple):
    """The label and the colour of a kind of bar, for a light and a dark ground."""
    label: str
    colour: str


# The first two are judged spans, the others parts of items.
LEGEND = {kind: LegendEntry(label, colour) for kind, label, colour in (
    ('relevant', 'judged relevant', '#5f6c82'), ('irrelevant', 'judged not relevant', '#d3d7de'),
    ('new', 'relevant and new', '#17997a'), ('continued', 'new, span seen before', '#7fc8b3'),
    ('repeated', 'relevant, seen before', '#d9a02c'), ('rest', 'not relevant', '#b4bac5'))}
MOST_PARTS = 20_000  # of the items of a query in a run, whose parts are found up to this number
RANK_WIDTH = 3.4  # points of a digit of a rank
MARGIN, LEAST = .1, .01  # before and after a stretch: shares of what the document has, and of the document


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
        kind: ``'new'``, ``'continued'`` (new, but a better item had other content of the judged span) or
            ``'repeated'`` (a better item had this content)
    """
    rank: int
    start: float
    end: float
    kind: str


class RankedItems(NamedTuple):
    """The items of a query in a run, as columns, by rank.

    Attributes:
        document: positions in :attr:`Timelines.documents`, an array
        start, end: in the unit of the document, arrays
        parts: the relevant parts of the items, by rank, then in order
        known: how many items have all their parts in ``parts``
    """
    document: Array[np.int32]
    start: Floats
    end: Floats
    parts: list[ItemPart]
    known: int

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

    def documents(self, most: int | None = None, items: int | None = None) -> tuple[list[DocumentTimeline], int]:
        """The documents of a picture, in order of the best rank in any run, those without an item last, and the number
        of those that have no room in it. Documents with items or relevant spans are drawn; those with relevant spans
        have room first.

        Args:
            most: how many documents at most; not given: all
            items: only so many of each run, from the first rank; not given: all
        """
        judged, best = defaultdict[int, list[JudgedSpan]](list), dict[int, int]()
        runs = defaultdict[int, list[list[TimelineItem]]](lambda: [[] for _ in self.ranked])
        for span in self.judged:
            judged[span.document].append(span)
        for run, ranked in enumerate(self.ranked):
            parts = {rank: list(of_item) for rank, of_item in groupby(ranked.parts, attrgetter('rank'))}
            for rank, document, start, end in islice(ranked.rows(), items):
                runs[document][run].append(TimelineItem(rank, start, end, parts.get(rank, [])))
                best[document] = min(rank, best.get(document, rank))
        found = [DocumentTimeline(place, max([self.lengths.get(place, 0), *(
            each.start if isinf(each.end) else each.end for each in chain[Any](judged[place], *runs[place]))]),
            judged[place], runs[place]) for place in sorted({**judged, **runs}, key=lambda place: best.get(place, inf))]
        drawn = [document for document in found if document.relevant or document.document in best]
        kept = {document.document for document in sorted(drawn, key=lambda document: not document.relevant)[:most]}
        return [document for document in drawn if document.document in kept], len(drawn) - len(kept)


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


def build_timelines(qrels: SegmentTable, runs: Iterable[tuple[str, SegmentTable]], rel: float = 1,
                    unit: str | None = None, lengths: Mapping[str, float] | None = None) -> Timelines:
    """The timelines of all judged queries.

    Args:
        qrels: the judgements
        runs: names and runs, one after the other, so that no two of them must be held; an error names the run, unless
            its name is empty
        rel: a segment is relevant if it is judged with this relevance or more
        unit: of bare columns, ``'t'`` (seconds), ``'char'``, ``'word'`` …
        lengths: document → its length in its unit, where that is known: its axis ends there, or at its last segment

    Raises:
        RowError: a relevant segment without a known end, or units that contradict each other
    """
    qrels.relevant_rows(rel)  # for its errors
    units: dict[str, str | None] = {}  # document → its unit
    place = _places(qrels, units)
    found = defaultdict[tuple[int, bool, int], list[tuple[float, float]]](list)
    for query, document, (_, _, start, end, value) in zip(
            qrels.query.tolist(), place[qrels.document].tolist(), qrels.segments()):
        if start < end:
            found[query, value < rel, document].append((start, end))
    judged: list[list[JudgedSpan]] = [[] for _ in qrels.query_ids]
    for query, other, document in sorted(found):
        judged[query] += [JudgedSpan(document, *span, not other) for span in merged(found[query, other, document])]
    ranked: list[list[RankedItems]] = [[] for _ in qrels.query_ids]
    names = []
    for name, run in runs:
        names.append(name)
        with naming_run(name):
            Match(qrels, run)  # for its error about units
        place = _places(run, units)
        bounds = np.searchsorted(run.query, np.arange(len(run.query_ids) + 1)).tolist()
        block = {query_id: slice(low, high) for query_id, low, high in zip(run.query_ids, bounds, bounds[1:])}
        for query_id, spans, mine in zip(qrels.query_ids, judged, ranked):
            rows = block.get(query_id, slice(0, 0))
            items = RankedItems(place[run.document[rows]], run.start[rows], run.end[rows], [], 0)
            mine.append(items._replace(known=_add_parts(items, spans)))
    known = {at: length for at, id in enumerate(units) if (length := (lengths or {}).get(id)) is not None}
    return Timelines(names, list(units), [found or unit for found in units.values()],
                     [QueryTimeline(*query, known) for query in zip(qrels.query_ids, judged, ranked)])


def _places(table: SegmentTable, units: dict[str, str | None]) -> Array[np.int32]:
    """For each document of the table its place among the keys of the units, to which new documents are added."""
    units |= {document: None for document in table.document_ids if document not in units}
    for code, unit in {*zip(table.document.tolist(), table.unit.tolist())}:
        if unit >= 0:
            units[table.document_ids[code]] = UNITS[unit]
    place = {document: place for place, document in enumerate(units)}
    return np.array([place[document] for document in table.document_ids], np.int32)


def _add_parts(items: RankedItems, judged: Sequence[JudgedSpan]) -> int:
    """Adds the relevant parts to items, and returns of how many items all were found."""
    unseen = {span: ([span.start], [span.end]) for span in judged if span.relevant}
    spans = {document: list(mine) for document, mine in groupby(unseen, attrgetter('document'))}
    for rank, document, start, end in items.rows():
        if len(items.parts) >= MOST_PARTS:
            return rank - 1
        mine = spans.get(document, [])
        for span in mine[bisect_right(mine, start, key=attrgetter('end')):
                         bisect_left(mine, end, key=attrgetter('start'))]:
            position, until = max(start, span.start), min(end, span.end)
            kind = 'new' if unseen[span] == ([span.start], [span.end]) else 'continued'
            for left, right in [*cut_out(*unseen[span], position, until), (until, until)]:
                items.parts.extend(ItemPart(rank, *part) for part in (
                    (position, left, 'repeated'), (left, right, kind)) if part[0] < part[1])
                position = right
    return len(items.document)


def stretches(document: DocumentTimeline) -> list[tuple[float, float]]:
    """The stretches of a document around what is judged or retrieved, in order: what is left of a picture where the
    rest, which is empty, is cut out, and the document's start and end. Where the rest is less than half of the
    document, it stays.
    """
    extent = document.extent or 1.
    spans = merged([*(span[1:3] for span in document.judged), *(
        (item.start, min(item.end, extent)) for run in document.runs for item in run)])
    margin = max(MARGIN * sum(end - start for start, end in spans), LEAST * extent)
    found = merged((max(0., start - margin), min(extent, end + margin)) for start, end in spans)
    if sum(end - start for start, end in found) > extent / 2:
        return [(0., extent)]
    return [*([(0., 0.)] if found[0][0] else []), *found, *([(extent, extent)] if found[-1][1] < extent else [])]


def stack(items: Iterable[TimelineItem], extent: float, width: float) -> list[tuple[TimelineItem, int, float]]:
    """The items of a lane in rows, so that no bar and no label of a rank covers another.

    Args:
        items: the items
        extent: of their document
        width: of the whole document in the picture, in points

    Returns:
        each item with its row, from 0, and the position in the picture where its label begins, in order of their starts
    """
    scale, reach, ends = width / extent, list[float](), list[float]()  # of each row, in points and in the unit
    placed = []
    for item in sorted(items, key=lambda item: (item.start, item.rank)):
        room = RANK_WIDTH * len(str(item.rank)) + 3
        right = max(min(item.end, extent) * scale, min(width, item.start * scale + room))
        left = min(item.start * scale, right - room)  # at the end of the document the label goes to the left
        row = next((row for row, end in enumerate(ends) if end <= item.start and reach[row] <= left + .5), len(ends))
        reach[row:row + 1], ends[row:row + 1] = [right], [item.end]
        placed.append((item, row, left))
    return placed
