"""Layers: intervals of several runs or judgements over the same documents, and the pieces between starts and ends.

A group is a document of a query. Groups are numbered by query, then by document, so that the order in which runs or
assessors are given changes nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.arrays import Array, Floats, Ints
from ir_segmeasures.segments.other_ids import end_repair
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import UNITS, Segment, format_segment
from ir_segmeasures.segments.spans import (
    Spans,
    first_ending_after,
    first_starting_from,
    in_order,
    merged_spans,
    range_pairs,
)
from ir_segmeasures.segments.tables.table import NO_UNIT, SegmentTable

__all__ = ['Groups', 'Judgement', 'Layer', 'Layers', 'lay', 'length_of', 'pieces', 'stretches', 'spans_at', 'without']

_DIGITS = re.compile(r'(\d+)')


class Judgement(NamedTuple):
    """A judged stretch of a document.

    Attributes:
        query_id: the query
        doc_id: the id of the stretch as a segment; of bare columns, which have no unit, the id of the document
        start, end: half-open, in the unit of the judgements
        relevance: the grade
    """
    query_id: str
    doc_id: str
    start: float
    end: float
    relevance: float


class Layer(NamedTuple):
    """A table whose intervals become a layer.

    Attributes:
        name: of the run or the assessor
        table: the run or the judgements
        rows: the rows that count; None for all
        value: a number for each of these rows; None for the scores or the relevance
    """
    name: str
    table: SegmentTable
    rows: Ints | None = None
    value: Array[Any] | None = None


@dataclass(frozen=True)
class Groups:
    """The documents of queries that layers speak of.

    Attributes:
        query_ids, document_ids: in order
        query, document: for each group, the positions of its query and of its document in these lists
        unit: for each group, the position of its unit in :data:`~ir_segmeasures.segments.segment.UNITS`, or -1
    """
    query_ids: list[str]
    document_ids: list[str]
    query: Ints
    document: Ints
    unit: Array[np.int8]

    def ids(self, group: Ints, start: Floats, end: Floats) -> list[str]:
        """The id of each interval as a segment, or of its document where it has no unit."""
        found = []
        columns = (self.document[group].tolist(), self.unit[group].tolist(), start.tolist(), end.tolist())
        for document, unit, low, high in zip(*columns):
            id = self.document_ids[document]
            found.append(id if unit == NO_UNIT else format_segment(Segment(id, low, high, UNITS[unit])))
        return found

    def named(self, group: int) -> str:
        """A group in a sentence."""
        return (f'document {quoted(self.document_ids[self.document[group]])} of query '
                f'{quoted(self.query_ids[self.query[group]])}')


@dataclass(frozen=True)
class Layers:
    """The intervals of several layers, in arrays of one length.

    Attributes:
        names: of the layers
        groups: what the groups are
        layer: the number of its layer
        group: the document of a query
        start, end: the interval; ``end`` is never infinite
        value: what the layer says of it
    """
    names: list[str]
    groups: Groups
    layer: Ints
    group: Ints
    start: Floats
    end: Floats
    value: Array[Any]

    def highest(self, spans: Spans, layers: int) -> Floats:
        """The highest value on each span by each of the first ``layers`` layers, NaN where a layer says nothing: layers
        × spans.

        Args:
            spans: :func:`pieces` of all intervals, or some of them
            layers: the number of layers
        """
        rows = np.flatnonzero((self.layer < layers) & (self.end > self.start))
        first = first_starting_from(spans, self.group[rows], self.start[rows])
        count = np.maximum(first_starting_from(spans, self.group[rows], self.end[rows]) - first, 0)
        one, place = range_pairs(first, count)
        found = np.full((layers, len(spans.group)), -inf)
        np.maximum.at(found, (self.layer[rows][one], place), self.value[rows][one])
        found[found == -inf] = np.nan
        return found


def lay(layers: Iterable[Layer], lengths: Mapping[str, float] | None = None) -> Layers:
    """The intervals of all layers, with one numbering of queries and documents. Tables may be made while the layers are
    walked; none is kept.

    Args:
        layers: one after the other
        lengths: document → its length, for intervals that run to a document's end

    Raises:
        RowError: an interval runs to the end of its document, which is not known
        ValueError: layers speak of a document in two units
    """
    queries: dict[str, int] = {}
    documents: dict[str, int] = {}
    names: list[str] = []
    columns: list[tuple[Array[Any], ...]] = []
    for layer in layers:
        table = layer.table
        rows = np.arange(len(table)) if layer.rows is None else layer.rows
        query, document = _codes(table.query[rows], table.query_ids, queries), _codes(
            table.document[rows], table.document_ids, documents)
        columns.append((np.full(len(rows), len(names), np.int32), query, document, table.start[rows],
                        _ends(table, rows, lengths or {}), table.unit[rows],
                        table.value[rows] if layer.value is None else layer.value))
        names.append(layer.name)
    none = tuple(np.empty(0, kind) for kind in (np.int32, np.intp, np.intp, float, float, np.int8, float))
    number, query, document, start, end, unit, value = map(np.concatenate, zip(*columns or [none]))
    query_ids, document_ids = sorted(queries, key=_natural), sorted(documents)
    query = _inverse(query_ids, queries)[query]
    document = _inverse(document_ids, documents)[document]
    keys, group = np.unique(query * len(document_ids) + document, return_inverse=True)
    groups = Groups(query_ids, document_ids, *np.divmod(keys, max(1, len(document_ids))),
                    np.full(len(keys), NO_UNIT, np.int8))
    np.maximum.at(groups.unit, group, unit)
    other = (unit != NO_UNIT) & (unit != groups.unit[group])
    if other.any():
        at = int(np.argmax(other))
        beside = int(np.argmax((group == group[at]) & (unit == groups.unit[group[at]])))
        raise ValueError(f'{groups.named(group[at])} is in {quoted(UNITS[unit[at]])} in {quoted(names[number[at]])} '
                         f'and in {quoted(UNITS[unit[beside]])} in {quoted(names[number[beside]])}: give both in one '
                         'unit')
    return Layers(names, groups, number, group, start, end, value)


def _codes(code: Ints, ids: Sequence[str], known: dict[str, int]) -> Ints:
    """The numbers of ids in ``known``, which grows."""
    used = np.flatnonzero(np.bincount(code, minlength=len(ids)))
    number = np.zeros(len(ids), np.intp)
    number[used] = [known.setdefault(ids[place], len(known)) for place in used.tolist()]
    return number[code]


def _inverse(ids: Sequence[str], known: Mapping[str, int]) -> Ints:
    """For each number in ``known``, the place of its id."""
    place = np.empty(len(ids), np.intp)
    place[[known[id] for id in ids]] = np.arange(len(ids))
    return place


def _natural(id: str) -> list[Any]:
    """The key by which ids are sorted: numbers in them count by their size."""
    return [int(part) if place % 2 else part for place, part in enumerate(_DIGITS.split(id))]


def length_of(lengths: Mapping[str, float], document: str) -> float | None:
    """The length of a document, or None.

    Raises:
        ValueError: it is no number above 0
    """
    length = lengths.get(document)
    if length is not None and not 0 < length < inf:
        raise ValueError(f'the length of document {quoted(document)} is {quoted(length)}: give a number above 0')
    return length


def _ends(table: SegmentTable, rows: Ints, lengths: Mapping[str, float]) -> Floats:
    end: Floats = table.end[rows]
    if not np.isinf(end).any():
        return end
    end = end.copy()
    for place in np.flatnonzero(np.isinf(end)).tolist():
        row = int(rows[place])
        document = table.document_ids[table.document[row]]
        length = length_of(lengths, document)
        if length is None:
            raise table.error(row, "it runs to the document's end, which is not known: "
                                   f'{end_repair(table.kind, document)}, or give its length')
        if length < table.start[row]:
            raise table.error(row, f'it starts at {table.start[row]:.12g}, but the length of its document is '
                                   f'{length:.12g}: correct one of them')
        end[place] = length
    return end


def pieces(group: Ints, start: Floats, end: Floats) -> Spans:
    """The pieces of the union of intervals between all their starts and ends: disjoint, sorted, touching ones apart."""
    both, positions = np.concatenate([group, group]), np.concatenate([start, end])
    order = in_order(both, positions)
    both, positions = both[order], positions[order]
    kept = np.ones(len(both), bool)
    kept[1:] = (both[1:] != both[:-1]) | (positions[1:] != positions[:-1])
    both, positions = both[kept], positions[kept]
    inner = both[1:] == both[:-1]
    found = Spans(both[:-1][inner], positions[:-1][inner], positions[1:][inner])
    union = merged_spans(group, start, end)
    covered = first_ending_after(union, found.group, found.start) < first_starting_from(union, found.group, found.end)
    return spans_at(found, covered)


def spans_at(spans: Spans, rows: Array[Any]) -> Spans:
    """Some of the spans: those at the places, or where the flag is set."""
    return Spans(spans.group[rows], spans.start[rows], spans.end[rows])


def without(spans: Spans, others: Spans) -> tuple[Spans, Ints]:
    """The pieces of spans, which may overlap, outside of others, which are disjoint and sorted; and of which span each
    piece is.
    """
    first = first_ending_after(others, spans.group, spans.start)
    count = np.maximum(first_starting_from(others, spans.group, spans.end) - first, 0)
    one, place = range_pairs(first, count + 1)  # a piece before each of the others, and one after the last
    begins = np.ones(len(one), bool)
    begins[1:] = one[1:] != one[:-1]
    ends = np.append(begins[1:], np.ones(min(1, len(one)), bool))
    start, end = spans.start[one], spans.end[one]
    start[~begins] = others.end[place[~begins] - 1]
    end[~ends] = others.start[place[~ends]]
    kept = start < end
    return Spans(spans.group[one[kept]], start[kept], end[kept]), one[kept]


def stretches(spans: Spans, *columns: Array[Any]) -> tuple[Spans, Ints]:
    """Sorted and disjoint spans, joined where one goes on from the one before it with equal values in all columns; and
    the place of the first span of each.
    """
    changed = np.ones(len(spans.group), bool)
    changed[1:] = (spans.group[1:] != spans.group[:-1]) | (spans.start[1:] != spans.end[:-1])
    for column in columns:
        changed[1:] |= column[1:] != column[:-1]
    first = np.flatnonzero(changed)
    last = np.append(first[1:], len(changed))[:len(first)] - 1
    return Spans(spans.group[first], spans.start[first], spans.end[last]), first
