"""A run or qrels as columns of numbers, in rank order.

Where a ``doc_id`` is a segment id, the id is the truth; where it is a bare document, fields ``start`` and ``end`` (or
``start`` and ``length``) beside it count, as in :class:`ir_datasets.datasets.highwire.HighwireQrel`. Warnings say where
columns contradict the ids, and ranks the scores.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import compress
from math import inf
from typing import Any

import numpy as np

from ir_segmeasures.segments.basics import LINES, Array, Bools, Floats, Ints, end_repair, quoted
from ir_segmeasures.segments.segment import CONTROL, NO_TEXT, TOO_LARGE, UNITS
from ir_segmeasures.segments.tables.columns import EXTRAS, Columns, RowError as RowError
from ir_segmeasures.segments.tables.positions import NO_UNIT as NO_UNIT, read_positions

_NEAR = re.compile(r'(t_)?(start|begin|end|stop|offset)([ _]?(time|secs?|seconds|s|ms|offset|char|idx|index|pos|line))?'
                   r'|time_(start|end)', re.IGNORECASE)
_APART = 0.05  # more than rounding to a frame or to a tenth


def column_warning(columns: Columns, start: Floats, end: Floats, unit: Array[np.int8]) -> str | None:
    """Columns of starts and ends contradict the ids beside them, or have names that nothing reads.

    Args:
        columns: the columns, as they were read
        start, end, unit: the positions of all rows, read from the ids or from the columns
    """
    has_unit = bool((unit >= 0).any())
    near = [str(name) for name in columns.names if _NEAR.fullmatch(str(name))]
    if len(start) and not has_unit and not columns.have_times() and len(near) > 1:
        return (f'the documents of the {columns.kind} stand beside columns {quoted(near[0])} and {quoted(near[1])}, '
                "which nothing reads, so that they are whole documents: name the columns 'start' and 'end'")
    beside = columns.beside if has_unit and columns.have_both() else None
    if beside is None:
        return None
    # A missing value contradicts nothing, and neither does an end that one of both does not know.
    with np.errstate(invalid='ignore'):
        apart = (unit >= 0) & ((np.abs(beside.start - start) > _APART) | (
            np.isfinite(end) & np.isfinite(beside.end) & (np.abs(beside.end - end) > _APART)))
    if not apart.any():
        return None
    row = int(np.argmax(apart))
    return (f'{np.count_nonzero(apart)} of the {len(start)} segment ids of the {columns.kind} contradict the columns '
            f'beside them, such as {quoted(columns.values("doc_id")[row])} beside start {beside.start[row]:.12g} and '
            f'end {beside.end[row]:.12g}, and the ids count: correct the ids, or take the columns out')


def rank_warning(query_ids: Any, query: Ints, rank: Floats, score: Floats, what: str = 'the ranks of the run') -> (
        str | None):
    """Scores that rise with the rank all through a query: distances. A rank that is old, as behind a step that scores
    anew, contradicts some scores and not all.

    Args:
        query_ids: the queries
        query, rank, score: of each row; the rank is NaN where there is none
        what: the subject of the sentence
    """
    same = query[1:] == query[:-1]
    if np.count_nonzero(~same) >= len(query_ids) or (same & (rank[1:] < rank[:-1])).any():
        order = np.lexsort((rank, query))
        query, rank, score = query[order], rank[order], score[order]
    later = (query[1:] == query[:-1]) & (rank[1:] > rank[:-1])
    apart, alike = (np.bincount(query[1:][later & kind], minlength=len(query_ids)) for kind in (
        score[1:] > score[:-1], score[1:] < score[:-1]))
    turned = (apart > 0) & (alike == 0)
    # Seven neighbours of one query, or of all, that contradict each other are not a chance where none agrees.
    if max(apart[turned].max(initial=0), 0 if alike.any() else apart.sum()) < 7:
        return None
    rows = np.flatnonzero(query == np.argmax(apart * turned))
    first, last = rows[np.argmin(rank[rows])], rows[np.argmax(rank[rows])]
    return (f'{what} contradict the scores in {np.count_nonzero(turned)} of the {len(query_ids)} queries, such as in '
            f'{quoted(query_ids[query[first]])}, where rank {rank[first]:.12g} has the score {score[first]:.12g} and '
            f'rank {rank[last]:.12g} the score {score[last]:.12g}, but the highest score is the best: give minus the '
            'scores if they are distances, and minus the ranks if they are ranks')


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SegmentTable:
    """The rows of a run or of qrels, as columns that nobody can change.

    Build it with :meth:`from_run` or :meth:`from_qrels`; both give back a table unchanged, so a table can be given
    to measures of segments wherever ir-measures takes a run or qrels.

    Attributes:
        kind: ``'run'`` or ``'qrels'``
        query_ids: the distinct queries, in order of appearance
        query: for each row, the position of its query in ``query_ids``
        document_ids: the distinct documents (without fragments)
        document: for each row, the position of its document in ``document_ids``
        start: for each row, the start of its interval, ``0 <= start <= end``
        end: for each row, the end of its interval, ``inf`` where it is not known
        unit: for each row, the position of its unit in :data:`~ir_segmeasures.segments.segment.UNITS`, or -1 for none
        value: the score (run) or the relevance (qrels) of each row
        row: for each row, its number in the input, from 0
        extra: columns that some measures need beside the segments (``EXTRAS``), by name
        paths: for each row, the path of its element; None where no row has one
        warnings: sentences about columns that contradict each other or the ids

    Positions are exact to 9 decimals, from 10^6 on to 6, whether they came in ids or in columns.

    The rows of a run stand query by query in rank order: by score, descending, ties in the order of the input.

    Raises:
        RowError: rows that are not segments (all constructors)
        ValueError: a column is missing
        TypeError: an input in none of the shapes

    Examples:
        >>> from ir_segmeasures import SegmentTable
        >>> table = SegmentTable.from_run({'q1': {'v1#t=0,60': 1.5, 'v2#t=30,90.5': 2.5}})
        >>> table.document_ids, table.document.tolist()
        (['v1', 'v2'], [1, 0])
        >>> table.start.tolist(), table.end.tolist(), table.value.tolist()
        ([30.0, 0.0], [90.5, 60.0], [2.5, 1.5])
    """
    kind: str
    query_ids: list[str]
    query: Ints
    document_ids: list[str]
    document: Ints
    start: Floats
    end: Floats
    unit: Array[np.int8]
    value: Floats
    row: Ints
    extra: Mapping[str, Array[Any]] = field(default_factory=dict)
    paths: list[str | None] | None = None
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        columns: list[Array[Any]] = [self.query, self.document, self.start, self.end, self.unit, self.value, self.row]
        for column in (*columns, *self.extra.values()):
            column.flags.writeable = False

    @classmethod
    def from_run(cls, run: Any, elements: bool = False) -> SegmentTable:
        """The table of a run, with its rows in rank order.

        Args:
            run: a frame of pandas or polars, a table of Arrow, an array of records, a dataset of Hugging Face, a run of
                ranx, rows one by one (named tuples, dicts, dataclasses), a dict of columns, or a dict of dicts; the
                columns are ``query_id``, ``doc_id`` and ``score``, and maybe ``start`` with ``end`` or ``length``
            elements: whether ids may be those of elements without offsets (``a#xpath=/bdy[1]``)
        """
        if isinstance(run, cls):
            return run._checked('run', elements)
        columns = Columns(run, 'run')
        return cls.from_columns(columns, elements)._ranked()

    @classmethod
    def from_qrels(cls, qrels: Any, elements: bool = False) -> SegmentTable:
        """The table of qrels, with its rows in the order of the input.

        Args:
            qrels: in any of the shapes of :meth:`from_run`, with ``relevance`` in place of ``score``
            elements: as in :meth:`from_run`
        """
        if isinstance(qrels, cls):
            return qrels._checked('qrels', elements)
        return cls.from_columns(Columns(qrels, 'qrels'), elements)

    @classmethod
    def from_columns(cls, columns: Columns, elements: bool = False) -> SegmentTable:
        """The table of the columns of a run or of qrels, with its rows in the order of the input."""
        query_ids, query = columns.codes('query_id', columns.query_ids)
        extra = columns.extras()
        value = columns.numbers(columns.value)
        document_ids, document, start, end, unit, paths = read_positions(columns, elements)
        table = cls(columns.kind, query_ids, query, document_ids, document, start, end, unit, value,
                    np.arange(len(query)), extra, paths)
        rank = columns.ranks()
        table.warnings.extend(filter(None, (column_warning(columns, start, end, unit), None if rank is None else
                                            rank_warning(query_ids, query, rank, value))))
        table.refuse(~((start >= 0) & (start <= end) & (start < inf)), lambda row: (
            f'start {start[row]} and end {end[row]} do not make a segment, which starts at 0 or later and ends at or '
            'after its start: give both, in order'))
        table.refuse((start >= TOO_LARGE) | ((end >= TOO_LARGE) & (end < inf)), lambda row: (
            f'start {start[row]:.0f} and end {end[row]:.0f} are too large, since positions are numbers below 10^15: '
            'give them in a larger unit'))
        table.refuse(np.isnan(value), f'the {columns.value} is missing or not a number: give every row a number')
        table._check_ids()
        table._check_units()
        return table

    def in_unit(self, unit: str) -> SegmentTable:
        """The table with all rows in one unit of :data:`~ir_segmeasures.segments.segment.UNITS`."""
        return replace(self, unit=np.full(len(self), UNITS.index(unit), np.int8))

    def _checked(self, kind: str, elements: bool) -> SegmentTable:
        if self.kind != kind:
            raise TypeError(f'a table of a {self.kind} was given for a {kind}: build it with SegmentTable.from_{kind}')
        for row, path in enumerate(self.paths or ()):
            if path is not None and self.unit[row] == NO_UNIT and not elements:
                raise self.error(row, f'the element {quoted(path)} has no offsets: resolve() the ids with a table')
        return self

    def of_queries(self, query_ids: Collection[str]) -> SegmentTable:
        """The rows of some queries, as a table; errors name the rows as the input does."""
        known = np.fromiter((query_id in query_ids for query_id in self.query_ids), bool, len(self.query_ids))
        table = self.in_order(np.flatnonzero(known[self.query]))
        query = (np.cumsum(known) - 1)[table.query]
        return replace(table, query_ids=list(compress(self.query_ids, known)), query=query)

    def segments(self) -> Iterator[tuple[str, str, float, float, float]]:
        """The query, document, start, end and value of each row."""
        return zip(map(self.query_ids.__getitem__, self.query.tolist()), map(
            self.document_ids.__getitem__, self.document.tolist()), *(
            column.tolist() for column in (self.start, self.end, self.value)))

    def __len__(self) -> int:
        return len(self.query)

    def error(self, row: int, sentence: str) -> RowError:
        """The error for a row of this table, which it names as the input does."""
        query, id = self.query_ids[self.query[row]], self.document_ids[self.document[row]]
        return RowError(self.kind, int(self.row[row]), f'query {quoted(query)}, document {quoted(id)}: {sentence}')

    def refuse(self, rows: Bools | Ints, sentence: str | Callable[[int], str]) -> None:
        """Raises the error for the first of some rows, if there are any; the sentence may be made of the row."""
        for row in (np.flatnonzero(rows) if rows.dtype == bool else rows)[:1].tolist():
            raise self.error(row, sentence if isinstance(sentence, str) else sentence(row))

    def beside(self, name: str) -> Array[Any]:
        """A column of ``extra``, NaN for missing values. Raises a ValueError if it is not there."""
        if name not in self.extra:
            raise ValueError(f'the {self.kind} lack the column {quoted(name)} ({EXTRAS[name][1]}): read the '
                             "file in the campaign's own format, or add the column")
        return self.extra[name]

    def relevant_rows(self, rel: float) -> Ints:
        """The numbers of the judged rows with a relevance of ``rel`` or more, as measures of segments take them; one
        below 0 says that the row was not judged. Where ``rel`` is minus infinity, so that all judged rows are wanted,
        those without content are left out.

        Raises:
            RowError: a relevant row has no content, or an end that is not known
        """
        rows = np.flatnonzero((self.value >= max(rel, 0)) & ((self.end > self.start) | (rel > -inf)))
        empty, unknown = self.start[rows] == self.end[rows], self.end[rows] == inf
        self.refuse(rows[empty], lambda row: (
            'it is judged relevant and has no content: give the judgement an end after its start'
            + (f', or read {LINES}' if self.unit[row] != 0 and not self.start[row] % 1 else '')))
        self.refuse(rows[unknown], lambda row: (
            "it is judged relevant up to the document's end, which is not known: "
            f'{end_repair("qrels", self.document_ids[self.document[row]])}'))
        return rows

    def refuse_missing(self, name: str, rows: Ints) -> None:
        """Raises the error for the first of some rows, which have no value in a column of ``extra``."""
        self.refuse(rows, f'there is no {quoted(name)} ({EXTRAS[name][1]}): add it')

    def _ranked(self) -> SegmentTable:
        query, score = self.query, self.value
        step = query[1:] - query[:-1]
        in_order = (step >= 0).all() and ((score[1:] <= score[:-1]) | (step > 0)).all()
        return self if in_order else self.in_order(np.lexsort((-score, query)))

    def in_order(self, rows: Ints) -> SegmentTable:
        """The rows in another order; of a run all of them, in one that its scores allow. Of judgements it may be some
        of the rows."""
        names = 'query', 'document', 'start', 'end', 'unit', 'value', 'row'
        return replace(self, extra={name: column[rows] for name, column in self.extra.items()},
                       paths=self.paths and [self.paths[row] for row in rows.tolist()],
                       **{name: getattr(self, name)[rows] for name in names})

    def fractions(self) -> Bools:
        """Tells whether the start or the end of each row is not a whole number."""
        return (self.start != np.floor(self.start)) | (self.end != np.floor(self.end))

    def whole_documents(self) -> Bools:
        """Tells whether each row is a whole document whose length is not known."""
        return (self.start == 0) & (self.end == inf) & (self.unit == NO_UNIT)

    def counted(self) -> SegmentTable:
        """The table with each whole document as [0, 1), so that lengths of content are numbers of documents.

        Raises:
            RowError: a row is a segment
        """
        self.refuse(~self.whole_documents(), 'it is a segment, but the judgements are whole documents: take '
                                             'to_documents() of the run, or judge segments')
        return replace(self, end=np.ones(len(self)))

    def units(self) -> set[int]:
        """The units that rows have, as positions in :data:`~ir_segmeasures.segments.segment.UNITS`."""
        return set(np.flatnonzero(np.bincount(self.unit[self.unit != NO_UNIT])).tolist())

    def _check_ids(self) -> None:
        for name, ids, code in (('query_id', self.query_ids, self.query), ('doc_id', self.document_ids, self.document)):
            for place in () if ' '.join(ids).isprintable() else range(len(ids)):
                if NO_TEXT.search(ids[place]):
                    self.refuse(code == place, f'the {name} {quoted(ids[place])} holds {CONTROL}: take it out')

    def _check_units(self) -> None:
        if len(self.units()) < 2:
            return
        units: dict[tuple[int, int], int] = {}
        for row in np.flatnonzero(self.unit >= 0).tolist():
            pair, unit = (int(self.query[row]), int(self.document[row])), int(self.unit[row])
            if units.setdefault(pair, unit) != unit:
                raise self.error(row, f'the segments of one document of a query are in {quoted(UNITS[unit])} and in '
                                      f'{quoted(UNITS[units[pair]])}: give all of them in one unit')
