"""A run or qrels as columns of numbers, in rank order.

Where a ``doc_id`` is a segment id, the id is the truth; where it is a bare document, fields ``start`` and ``end`` (or
``start`` and ``length``) beside it count, as in :class:`ir_datasets.datasets.highwire.HighwireQrel`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import compress
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segments.quoting import shown
from ir_segmeasures.segments.segment import CONTROL, NO_TEXT, TOO_LARGE, UNITS
from ir_segmeasures.segments.tables.columns import EXTRAS, Columns, RowError
from ir_segmeasures.segments.tables.contradictions import doubts_of
from ir_segmeasures.segments.tables.positions import NO_UNIT, read_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ['NO_UNIT', 'RowError', 'SegmentTable']


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SegmentTable:
    """The rows of a run or of qrels, as columns that nobody can change.

    Build it with :meth:`from_run` or :meth:`from_qrels`; both give back a table unchanged, so a table stands
    wherever ir-measures takes a run or qrels for our measures.

    Attributes:
        kind: ``'run'`` or ``'qrels'``
        query_ids: the distinct queries, in order of appearance
        query: for each row, the position of its query in ``query_ids``
        document_ids: the distinct documents (without fragments)
        document: for each row, the position of its document in ``document_ids``
        start, end: the interval of each row, ``0 <= start <= end``; ``end`` is ``inf`` where nobody told it
        unit: for each row, the position of its unit in :data:`~ir_segmeasures.segments.segment.UNITS`, or -1 for none
        value: the score (run) or the relevance (qrels) of each row
        row: for each row, its number in the input, from 0
        extra: columns that some measures need beside the segments (``EXTRAS``),
            by name
        paths: for each row, the path of its element; None where no row has one
        doubts: what is doubtful about the columns that it was read from, in sentences
        is_rest: whether it has 0 rows that are left of a frame, as for a batch of queries without a judgement

    Positions are exact to 9 decimals, from 10^6 on to 6, whether they came in ids or in columns.

    The rows of a run stand query by query in rank order: by score, descending, ties in the order of the input.

    Raises:
        RowError: rows that are no segments (all constructors).
        ValueError: rows without the columns that it takes.
        TypeError: an input in none of the shapes.
    """
    kind: str
    query_ids: list[str]
    query: NDArray[np.intp]
    document_ids: list[str]
    document: NDArray[np.intp]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    unit: NDArray[np.int8]
    value: NDArray[np.float64]
    row: NDArray[np.intp]
    extra: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    paths: list[str | None] | None = None
    doubts: list[str] = field(default_factory=list)
    is_rest: bool = False

    def __post_init__(self) -> None:
        columns: list[NDArray[Any]] = [self.query, self.document, self.start, self.end, self.unit, self.value, self.row]
        for column in (*columns, *self.extra.values()):
            column.flags.writeable = False

    @classmethod
    def from_run(cls, run: Any, elements: bool = False) -> SegmentTable:
        """The table of a run: ``query_id``, ``doc_id``, ``score`` and maybe ``start`` with ``end`` or ``length``.

        It takes frames of pandas and polars, tables of Arrow, arrays of records, datasets of Hugging Face, runs and
        qrels of ranx, rows one by one (named tuples, dicts, dataclasses), dicts of columns, and dicts of dicts.

        With ``elements``, ids may be those of elements without offsets (``a#xpath=/bdy[1]``).
        """
        if isinstance(run, cls):
            return run._of('run', elements)
        return cls.from_columns(Columns(run, 'run', 'score'), elements)._ranked()

    @classmethod
    def from_qrels(cls, qrels: Any, elements: bool = False) -> SegmentTable:
        """The table of qrels: ``query_id``, ``doc_id``, ``relevance``, and the rest as in :meth:`from_run`."""
        if isinstance(qrels, cls):
            return qrels._of('qrels', elements)
        return cls.from_columns(Columns(qrels, 'qrels', 'relevance'), elements)

    @classmethod
    def from_columns(cls, columns: Columns, elements: bool = False) -> SegmentTable:
        """The table of a run or of qrels with its rows in the order of the input."""
        query_ids, query = columns.codes('query_id', columns.query_ids)
        value = columns.numbers(columns.value)
        extra = columns.extras()
        document_ids, document, start, end, unit, paths = read_places(columns, elements)
        table = cls(columns.kind, query_ids, query, document_ids, document, start, end, unit, value,
                    np.arange(len(query)), extra, paths, doubts_of(columns, start, end, unit),
                    columns.is_rest())
        for wrong, sentence in (
            (~((start >= 0) & (start <= end) & (start < inf)),
             'start {start} and end {end} are no segment, which starts at 0 or later and ends at or after its start: '
             'give both, in order'),
            ((start >= TOO_LARGE) | ((end >= TOO_LARGE) & (end < inf)),
             'start {start:.0f} and end {end:.0f} are too large, since positions are numbers below 10^15: give them in '
             'a larger unit'),
            (np.isnan(value), f'the {columns.value} is missing or not a number: give every row a number'),
        ):
            if wrong.any():
                row = int(np.argmax(wrong))
                raise table.error(row, sentence.format(start=start[row], end=end[row]))
        table._check_ids()
        table._check_units()
        return table

    def in_unit(self, unit: str) -> SegmentTable:
        """The same rows, all of them in a unit of :data:`~ir_segmeasures.segments.segment.UNITS`."""
        return replace(self, unit=np.full(len(self), UNITS.index(unit), np.int8))

    def _of(self, kind: str, elements: bool) -> SegmentTable:
        if self.kind != kind:
            raise TypeError(f'a table of a {self.kind} was given for a {kind}: build it with SegmentTable.from_{kind}')
        for row, path in enumerate(self.paths or ()):
            if path is not None and self.unit[row] == NO_UNIT and not elements:
                raise self.error(row, f'the element {shown(path)} has no offsets: resolve() the ids with a table of '
                                      'the offsets')
        return self

    def of_queries(self, query_ids: Collection[str]) -> SegmentTable:
        """The rows of some queries, as a table; errors name the rows as the input does."""
        known = np.fromiter((query_id in query_ids for query_id in self.query_ids), bool, len(self.query_ids))
        table = self._take(np.flatnonzero(known[self.query]))
        query = (np.cumsum(known) - 1)[table.query]
        return replace(table, query_ids=list(compress(self.query_ids, known)), query=query)

    def __len__(self) -> int:
        return len(self.query)

    def error(self, row: int, sentence: str) -> RowError:
        """The error for a row of this table, which it names as the input does."""
        query, document = self.query_ids[self.query[row]], self.document_ids[self.document[row]]
        return RowError(self.kind, int(self.row[row]), f'query {shown(query)}, document {shown(document)}: {sentence}')

    def beside(self, name: str) -> NDArray[np.float64]:
        """A column of ``extra``, NaN for missing values. Raises a ValueError if it is not there."""
        if name not in self.extra:
            raise ValueError(f'the {self.kind} lack the column {shown(name)} ({EXTRAS[self.kind][name]}): read the '
                             "file in the campaign's own format, or add the column")
        return self.extra[name]

    def no_value(self, name: str, row: int) -> RowError:
        """The error for a row that has no value in a column of ``extra``."""
        return self.error(row, f'there is no {shown(name)} ({EXTRAS[self.kind][name]}): add it')

    def _ranked(self) -> SegmentTable:
        query, score = self.query, self.value
        step = query[1:] - query[:-1]
        if ((step >= 0).all() and ((score[1:] <= score[:-1]) | (step > 0)).all()):
            return self
        return self._take(_by_rank(query, score))

    def _take(self, rows: NDArray[np.intp]) -> SegmentTable:
        return replace(
            self, query=self.query[rows], document=self.document[rows], start=self.start[rows], end=self.end[rows],
            unit=self.unit[rows], value=self.value[rows], row=self.row[rows],
            extra={name: column[rows] for name, column in self.extra.items()},
            paths=None if self.paths is None else [self.paths[i] for i in rows.tolist()])

    def in_order(self, rows: NDArray[np.intp]) -> SegmentTable:
        """The rows in another order, all of them; of a run, one that its scores allow."""
        return self._take(rows)

    def fractions(self) -> NDArray[np.bool_]:
        """For each row, whether its start or end is no whole number."""
        return (self.start != np.floor(self.start)) | (self.end != np.floor(self.end))

    def units(self) -> set[int]:
        """Which units there are, as positions in :data:`~ir_segmeasures.segments.segment.UNITS`."""
        if len(self) and (self.unit == self.unit[0]).all():  # nearly always
            return {int(self.unit[0])} - {NO_UNIT}
        return set(np.flatnonzero(np.bincount(self.unit[self.unit != NO_UNIT])).tolist())

    def _check_ids(self) -> None:
        for name, ids, code in (('query_id', self.query_ids, self.query), ('doc_id', self.document_ids, self.document)):
            if ' '.join(ids).isprintable():
                continue
            wrong = next((place for place, id in enumerate(ids) if NO_TEXT.search(id)), None)
            if wrong is not None:
                raise self.error(int(np.argmax(code == wrong)), f'the {name} {shown(ids[wrong])} holds {CONTROL}: '
                                 'take it out')

    def _check_units(self) -> None:
        if len(self.units()) < 2:
            return
        units: dict[tuple[int, int], int] = {}
        for row in np.flatnonzero(self.unit >= 0).tolist():
            pair = (int(self.query[row]), int(self.document[row]))
            unit = int(self.unit[row])
            if units.setdefault(pair, unit) != unit:
                raise self.error(row, f'the segments of one document of a query are in {shown(UNITS[unit])} and in '
                                      f'{shown(UNITS[units[pair]])}: give all of them in one unit')


def _by_rank(query: NDArray[np.intp], score: NDArray[np.float64]) -> NDArray[np.intp]:
    """The rows query by query, by score, descending, ties in their order."""
    n = len(score)
    if (int(query.max()) + 1) * n * n >= 2 ** 63:
        return np.lexsort((-score, query))
    # NumPy's sorts that are not stable are several times as fast as lexsort. So scores become whole numbers, equal ones
    # the same, and each row one number that nothing else has.
    order = np.argsort(-score)
    ordered = score[order]
    changes = ordered[1:] != ordered[:-1]
    if changes.all():  # then that is the order, query by query; on short integers a stable sort is one by radix
        short = query.astype(np.min_scalar_type(int(query.max())))
        return order[np.argsort(short[order], kind='stable')]
    level = np.zeros(n, np.int64)
    level[order[1:]] = np.cumsum(changes)
    return np.sort((query * n + level) * n + np.arange(n)) % n
