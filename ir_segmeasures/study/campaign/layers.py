"""Layers: intervals of several runs or judgements over the same documents, the pieces between starts and ends, and cuts
of long stretches: where one speaks, at the ends of sentences and in silences, else into equal parts.

Positions are whole numbers of millionths, as many decimals as ids have, so that each piece that is written has content.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

from ir_segmeasures.segments.other_ids import end_repair
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import COUNTED, UNITS, Segment, format_segment
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.transcript import seconds as position, ticks

_DIGITS = re.compile(r'(\d+)')

Layer = tuple[str, SegmentTable, Mapping[int, float]]


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


class Interval(NamedTuple):
    """An interval of a layer: the number of the layer, start and end in millionths, and what the layer says of it."""
    layer: int
    start: int
    end: int
    value: float


class Group(NamedTuple):
    """A document of a query, and its unit, None where positions are bare columns."""
    query_id: str
    document: str
    unit: str | None

    def id(self, start: int, end: int) -> str:
        """The id of an interval as a segment, or of the document where there is no unit."""
        if self.unit is None:
            return self.document
        return format_segment(Segment(self.document, position(start), position(end), self.unit))

    def __str__(self) -> str:
        return f'document {quoted(self.document)} of query {quoted(self.query_id)}'


class Piece(NamedTuple):
    """A stretch of a document of a query on which each assessor says one thing; None where one did not judge it."""
    group: Group
    start: int
    end: int
    grades: list[Any]


def lay(layers: Iterable[Layer], lengths: Mapping[str, float] | None = None) -> dict[Group, list[Interval]]:
    """The intervals of all layers in each document of each query. Queries and documents are sorted, so that the order
    in which runs or assessors are given changes nothing.

    Args:
        layers: one after the other: the name of a run or an assessor, its table, and row → what the layer says of its
            interval; other rows do not count
        lengths: document → its length, for intervals that run to a document's end

    Raises:
        RowError: an interval runs to the end of its document, which is not known
        ValueError: layers speak of a document in two units
    """
    found: dict[tuple[str, str], list[Interval]] = {}
    units: dict[tuple[str, str], tuple[str, str]] = {}
    for number, (name, table, values) in enumerate(layers):
        columns = [column.tolist() for column in (table.query, table.document, table.start, table.end, table.unit)]
        for row, value in values.items():
            query, document, start, end, unit = (column[row] for column in columns)
            key = table.query_ids[query], table.document_ids[document]
            if unit >= 0:
                other, of_layer = units.setdefault(key, (UNITS[unit], name))
                if other != UNITS[unit]:
                    raise ValueError(f'{Group(*key, None)} is in {quoted(other)} in {quoted(of_layer)} and in '
                                     f'{quoted(UNITS[unit])} in {quoted(name)}: give both in one unit')
            if end == inf and (end := length_of(lengths or {}, key[1]) or inf) == inf:
                raise table.error(row, "it runs to the document's end, which is not known: "
                                       f'{end_repair(table.kind, key[1])}, or give its length')
            if end < start:
                raise table.error(row, f'it starts at {start:.12g}, but the length of its document is {end:.12g}: '
                                       'correct one of them')
            found.setdefault(key, []).append(Interval(number, ticks(start), ticks(end), value))
    return {Group(*key, units.get(key, (None,))[0]): found[key]
            for key in sorted(found, key=lambda key: (_natural(key[0]), key[1]))}


def _natural(id: str) -> list[Any]:
    """The key by which ids are sorted: numbers in them count by their size."""
    return [int(part) if place % 2 and len(part) < 4000 else part for place, part in enumerate(_DIGITS.split(id))]


def length_of(lengths: Mapping[str, float], document: str) -> float | None:
    """The length of a document, or None.

    Raises:
        ValueError: it is not a number above 0
    """
    length = lengths.get(document)
    if length is not None and not 0 < length < inf:
        raise ValueError(f'the length of document {quoted(document)} is {quoted(length)}: give a number above 0')
    return length


def content_of(table: SegmentTable, rel: float = -inf) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Query and document → the content that is judged with a relevance or more, in millionths, merged where it overlaps
    or touches; what runs to an end that is not known is left out."""
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for query, document, start, end, value in zip(*(column.tolist() for column in (
            table.query, table.document, table.start, table.end, table.value))):
        if value >= rel and start < end < inf:
            found.setdefault((table.query_ids[query], table.document_ids[document]), []).append((
                ticks(start), ticks(end)))
    return {key: merged(intervals) for key, intervals in found.items()}


def total(content: Mapping[Any, Iterable[tuple[int, int]]]) -> int | float:
    """The length of all content."""
    return position(sum(end - start for spans in content.values() for start, end in spans))


def pieces(intervals: Iterable[Interval], layers: int) -> list[tuple[int, int, list[float | None]]]:
    """The pieces of the union of intervals between all their starts and ends, in order: start, end, and the highest
    value by each layer, None where a layer says nothing.
    """
    intervals = list(intervals)
    cuts = sorted({cut for interval in intervals for cut in interval[1:3]})
    found: list[tuple[int, int, list[float | None]]] = [
        (start, end, [None] * layers) for start, end in pairwise(cuts)]
    for layer, start, end, value in intervals:
        for _, _, values in found[bisect_left(cuts, start):bisect_left(cuts, end)]:
            known = values[layer]
            values[layer] = value if known is None else max(known, value)
    return [piece for piece in found if any(value is not None for value in piece[2])]


def joined(parts: Iterable[tuple[int, int, Any]]) -> list[tuple[int, int, Any]]:
    """Sorted and disjoint parts (start, end, value), joined where one goes on from the one before it with its value."""
    found: list[tuple[int, int, Any]] = []
    for start, end, value in parts:
        if found and found[-1][1:] == (start, value):
            found[-1] = (found[-1][0], end, value)
        else:
            found.append((start, end, value))
    return found


def merged(intervals: Iterable[tuple[Any, Any]], touching: bool = True) -> list[tuple[Any, Any]]:
    """The union of intervals (start, end), in order; those that overlap are one, and if asked for those that touch."""
    found: list[tuple[Any, Any]] = []
    for start, end in sorted(intervals):
        if found and (start < found[-1][1] or (touching and start == found[-1][1])):
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


_GRIDS = (10 ** 6, 10 ** 3, 1)  # whole numbers, thousandths, millionths
_SENTENCE_ENDS = ('.', '!', '?', '…', '。', '！', '？')
_QUOTES = '"\'”’»)]'

Boundary = tuple[int, bool, int]  # where it is, whether a sentence ends there, how long the silence is


def parts_of(start: int, end: int, group: Group, longest: float,
             transcripts: Mapping[str, Any] | None = None) -> list[tuple[int, int]]:
    """The parts of at most ``longest`` of a stretch, in order. Each cut is in the second half of the room, at the end
    of a sentence if there is one, there in the longest silence, of equal ones the last; where nothing is between lines,
    the rest is cut evenly.

    Args:
        start, end: in millionths
        group: whose stretch it is
        longest: in the unit of positions, > 0; of characters, words, lines and pages at least 1
        transcripts: document → its lines

    Raises:
        ValueError: parts of characters, words, lines or pages are to be shorter than 1
    """
    if end - start <= ticks(longest):
        return [(start, end)]
    timed = group.unit in (None, 't')
    if not timed and longest < 1:
        raise ValueError(f'longest={quoted(longest)}, but {group} is in {COUNTED[group.unit or ""]}, which are whole: '
                         'give at least 1')
    most = ticks(longest if timed else int(longest))
    lines = transcripts.get(group.document) if timed and transcripts is not None else None
    boundaries = [] if lines is None else _boundaries(lines)
    positions = [at for at, _, _ in boundaries]
    cuts = [start]
    while end - cuts[-1] > most:
        low = bisect_right(positions, cuts[-1] + most // 2)
        high = bisect_left(positions, min(cuts[-1] + most + 1, end))
        best = max(boundaries[low:high], key=lambda boundary: (boundary[1], boundary[2], boundary[0]), default=None)
        cuts.append(_even_cut(cuts[-1], end, most) if best is None else best[0])
    return list(pairwise([*cuts, end]))


def _even_cut(start: int, end: int, most: int) -> int:
    """Tells where the first of the fewest parts of at most ``most`` ends that are about equal: at a whole number where
    all three are whole, else at a thousandth or a millionth.
    """
    number = -((start - end) // most)
    grid = next(grid for grid in _GRIDS if all(value % grid == 0 for value in (start, end, most)))
    return start + (end - start) // grid // number * grid


def _boundaries(lines: Any) -> list[Boundary]:
    """The places between the lines of a transcript, in order: the middle of a silence, or where the next line
    starts.
    """
    found: dict[int, Boundary] = {}
    reach = 0
    for line, following in pairwise(lines):
        reach = max(reach, ticks(line.end))
        begins = ticks(following.start)
        silence = max(0, begins - reach)
        at = begins - silence // 2
        at -= at % 1000 if silence > 2000 else 0  # a thousandth of a second is exact enough
        sentence = line.text.rstrip().rstrip(_QUOTES).endswith(_SENTENCE_ENDS)
        found[at] = max(found.get(at, (at, False, 0)), (at, sentence, silence))
    return sorted(found.values())
