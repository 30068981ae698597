"""The file that is checked: its rows as columns, and what the files beside it say."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.formats.files.fields import codes_of_column
from ir_segmeasures.formats.files.format import Format, Rules
from ir_segmeasures.formats.files.row_types import FileRows, Number
from ir_segmeasures.segments.basics import Ints, plain_number, quoted
from ir_segmeasures.segments.segment import UNITS, Segment, parse_segment
from ir_segmeasures.segments.tables.columns import Columns, RowError
from ir_segmeasures.segments.tables.positions import NO_UNIT, Positions, read_positions

Lengths = dict[tuple[str, str], Number]  # (document, unit) → its length
Piece = tuple[float, float, int]  # start, end and row
_START, _END = itemgetter(0), itemgetter(1)


class Item(NamedTuple):
    """A retrieved or judged segment, for sentences about it.

    Attributes:
        line: number of its line, from 1; None where the reader does not tell
        segment: what is retrieved or judged
        row: of the reader
        format: of the file
    """

    line: int | None
    segment: Segment
    row: Any
    format: Format

    def __str__(self) -> str:
        element = '' if self.segment.path is None else f'{self.segment.path} in '
        return f'{"" if self.segment.unit is None else f"{self.times} of "}{element}{self.document}'

    @property
    def document(self) -> str:
        """The document, for a sentence about it, with the place of the item unless the line tells it."""
        rank = f'rank {self.row.rank} of ' if hasattr(self.row, 'rank') else ''
        return quoted(self.segment.document) + ('' if self.line else f' ({rank}{self.query})')

    @property
    def query(self) -> str:
        """The query, for a sentence."""
        return quoted(self.row.query_id)

    @property
    def there(self) -> str:
        """The place of the item, for the sentence about a later one."""
        rank = f' at rank {self.row.rank}' if hasattr(self.row, 'rank') else ''
        return rank if self.line is None else f' in line {self.line}'

    @property
    def times(self) -> str:
        """Start and end, as the format writes them; the path of an element without."""
        if self.segment.unit is None:
            return self.segment.path or 'the whole document'
        return f'{self.shown(self.segment.start)}-{self.shown(self.segment.end)}'

    def shown(self, position: Number) -> str:
        """A position, as the format writes it."""
        return 'the end' if position == inf else self.format.shown(position)


@dataclass
class CheckedFile:
    """The file that is checked, and what the other files say.

    Attributes:
        format, rules: of the file
        rows: those that can be read, in the order of the lines
        places: their documents, starts, ends, units and paths
        is_complete: whether all lines can be read
        queries: the ids of all queries or anchors, and in which file they are; None if that is not known
        judged: the same for those that have judgements
        videos: the ids of all videos, and in which file they are; None if that is not known
        lengths: of documents, as far as known
        sized: document → its length, of those in the list of lengths; empty where there is no such list
        anchors: the segments of the anchors, as far as known
        answered: the queries of the file, those without items too
        query: for each row, the number of its query
    """

    format: Format
    rules: Rules
    rows: FileRows[Any]
    places: Positions
    is_complete: bool = True
    queries: tuple[Collection[str], str] | None = None
    judged: tuple[Collection[str], str] | None = None
    videos: tuple[Collection[str], str] | None = None
    lengths: Lengths = field(default_factory=dict)
    sized: Mapping[str, float] = field(default_factory=dict)
    anchors: Mapping[str, Any] = field(default_factory=dict)
    answered: Collection[str] = ()

    def __post_init__(self) -> None:
        self.query: Ints = codes_of_column(self.rows.columns['query_id'])

    def __len__(self) -> int:
        return len(self.rows)

    def item(self, row: int) -> Item:
        """The item of a row."""
        at = self.places
        unit = int(at.unit[row])
        start, end = (plain_number(column[row]) if column[row] < inf else inf for column in (at.start, at.end))
        segment = Segment(at.document_ids[at.document[row]], start, end, None if unit == NO_UNIT else UNITS[unit],
                          None if at.paths is None else at.paths[row])
        return Item(None if self.rows.lines is None else int(self.rows.lines[row]), segment, self.rows[row],
                    self.format)

    def query_ids(self) -> Any:
        """The query of each row."""
        return self.rows.columns['query_id']

    def codes(self, *names: str) -> Ints:
        """A number for each row, the same for rows of one query with the same of these: ``'document'``, ``'segment'``,
        or columns."""
        found, at = self.query, self.places
        paths = [] if at.paths is None else [codes_of_column(at.paths)]
        places: dict[str, list[Any]] = {'document': [at.document],
                                        'segment': [at.document, at.start, at.end, at.unit, *paths]}
        for name in names:
            for key in places.get(name) or [codes_of_column(self.rows.columns[name])]:
                code = np.unique(key, return_inverse=True)[1]
                found = np.unique(found * (len(self) + 1) + code, return_inverse=True)[1]
        return found


def positions_of(rows: FileRows[Any], wrong: dict[int, str], kind: str,
                 format: Format) -> tuple[FileRows[Any], Positions, list[tuple[int | None, str]]]:
    """The rows whose segments can be read, their positions, and the line of each other row with the sentence
    about it.

    Args:
        rows: of the file
        wrong: the sentences that are known
        kind, format: of the file
    """
    places = None
    while places is None:
        kept = [row for row in range(len(rows)) if row not in wrong]
        try:
            places = Positions(*read_positions(Columns(rows.taken(kept), kind), True))
        except RowError as error:
            wrong = {**wrong, kept[error.row]: error.sentence}
            for row in kept:  # all ids that cannot be read, and not one after the other
                try:
                    parse_segment(rows.columns['doc_id'][row], elements=True)
                except ValueError as fault:
                    wrong[row] = str(fault)
    if format.unit is not None and 'end' in rows.columns:
        places = places._replace(unit=np.full(len(kept), UNITS.index(format.unit), np.int8))
    lines = rows.lines
    unread = [(None if lines is None else int(lines[row]), wrong[row]) for row in sorted(wrong)]
    return rows.taken(kept) if wrong else rows, places, unread


def known_lengths(rows: FileRows[Any]) -> Lengths:
    """The lengths of documents, as far as the rows tell."""
    columns = rows.columns
    return {(document, unit): length for name, unit in (('duration', 't'), ('doc_size', 'char')) if name in columns
            for document, length in zip(columns['doc_id'], columns[name]) if length is not None}


def first_rows(codes: Ints) -> Ints:
    """For each row the first that has its code."""
    _, place, code = np.unique(codes, return_index=True, return_inverse=True)
    return place[code]


def previous_rows(codes: Ints) -> Ints:
    """For each row the last before it that has its code; -1 where there is none."""
    order = np.argsort(codes, kind='stable')
    before = np.full(len(codes), -1)
    same = codes[order[1:]] == codes[order[:-1]]
    before[order[1:][same]] = order[:-1][same]
    return before


def overlapping_rows(file: CheckedFile) -> Iterator[tuple[int, int, bool]]:
    """Triples of a row that shares content with an earlier one of its query and document, one such earlier row, and
    whether both are the same segment. An element without offsets shares content with those around it and inside it; a
    whole document, and a segment without content, with none.
    """
    start, end, paths = file.places.start.tolist(), file.places.end.tolist(), file.places.paths
    groups = np.unique(file.codes('document') * (len(UNITS) + 1) + file.places.unit, return_inverse=True)[1]
    group, unit, firsts = groups.tolist(), file.places.unit.tolist(), first_rows(file.codes('segment'))
    pieces: dict[int, list[Piece]] = {}
    elements: dict[tuple[int, str], int] = {}  # of a group, the path of an element → its row
    around: dict[tuple[int, str], int] = {}  # the path of an element around one → its row
    for row in np.flatnonzero(np.bincount(groups)[groups] > 1).tolist() if len(file) else ():
        first = int(firsts[row])
        found = None
        if first == row and unit[row] != NO_UNIT and start[row] < end[row]:
            found = _covered(pieces.setdefault(group[row], []), start[row], end[row], row)
        elif first == row and unit[row] == NO_UNIT and paths is not None and (path := paths[row]) is not None:
            steps = path.split('/')
            above = [(group[row], '/'.join(steps[:depth])) for depth in range(2, len(steps) + 1)]
            found = next((elements[step] for step in above if step in elements), around.get(above[-1]))
            elements[above[-1]] = row
            for step in above[:-1]:
                around.setdefault(step, row)
        if first != row or found is not None:
            yield row, first if found is None else found, first != row


def _covered(pieces: list[Piece], start: float, end: float, row: int) -> int | None:
    """Adds a row to the disjoint pieces of earlier ones, in order, each of the latest row there. Returns an earlier row
    that it overlaps, or None."""
    first, last = bisect_right(pieces, start, key=_END), bisect_left(pieces, end, key=_START)
    new = [(start, end, row)]
    found = None
    if first < last:
        (before, _, found), (_, after, behind) = pieces[first], pieces[last - 1]
        new = [*([(before, start, found)] if before < start else []), *new,
               *([(end, after, behind)] if end < after else [])]
    pieces[first:last] = new
    return found
