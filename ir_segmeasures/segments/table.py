"""
A run or qrels as columns of numbers, in rank order.

Where a ``doc_id`` is a segment id, the id is the truth; where it is a bare document, fields ``start`` and ``end`` (or
``start`` and ``length``) beside it count, as in :class:`ir_datasets.datasets.highwire.HighwireQrel`.
"""

from __future__ import annotations

from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segments.columns import EXTRAS, Columns, RowError, codes_of
from ir_segmeasures.segments.segment import UNITS, Segment, format_number, parse_segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ['NO_UNIT', 'RowError', 'SegmentTable']

NO_UNIT = -1  # of bare columns, and of whole documents: they go with every unit


class SegmentTable:
    """
    The rows of a run or of qrels, as columns.

    Build it with :meth:`from_run` or :meth:`from_qrels`; both give back a table unchanged, so a table stands
    wherever ir-measures takes a run or qrels for our measures.

    Attributes:
        kind: ``'run'`` or ``'qrels'``
        query_ids: the distinct queries, in order of appearance
        query: for each row, the position of its query in ``query_ids``
        document_ids: the distinct documents (without fragments)
        document: for each row, the position of its document in ``document_ids``
        start, end: the interval of each row, ``0 <= start <= end``; ``end`` is ``inf`` where nobody told it
        value: the score (run) or the relevance (qrels) of each row
        unit: for each row, the position of its unit in :data:`~ir_segmeasures.segments.segment.UNITS`, or -1 for none
        extra: columns that some measures need beside the segments (:data:`~ir_segmeasures.segments.columns.EXTRAS`),
            by name
        paths: for each row, the path of its element; None where no row has one

    The rows of a run stand query by query in rank order: by score, descending, ties in the order of the input.

    Raises:
        RowError: rows that are no segments (both constructors).
        ValueError: rows without the columns that it takes.
        TypeError: an input in none of the shapes.
    """
    __slots__ = ('kind', 'query_ids', 'query', 'document_ids', 'document', 'start', 'end', 'value', 'unit', 'extra',
                 'paths', 'row')

    kind: str
    query_ids: list[str]
    query: NDArray[np.intp]
    document_ids: list[str]
    document: NDArray[np.intp]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    value: NDArray[np.float64]
    unit: NDArray[np.int8]
    extra: dict[str, NDArray[np.float64]]
    paths: list[str | None] | None
    row: NDArray[np.intp] | None

    @classmethod
    def from_run(cls, run: Any, elements: bool = False) -> SegmentTable:
        """
        The table of a run: ``query_id``, ``doc_id``, ``score`` and maybe ``start`` with ``end`` or ``length``.

        With ``elements``, ids may be those of elements without offsets (``a#xpath=/bdy[1]``).
        """
        if isinstance(run, cls):
            return run._of('run', elements)
        table = cls('run', Columns(run, 'run', 'score'), elements)
        table._rank()
        return table

    @classmethod
    def from_qrels(cls, qrels: Any, elements: bool = False) -> SegmentTable:
        """The table of qrels: ``query_id``, ``doc_id``, ``relevance``, and the rest as in :meth:`from_run`."""
        if isinstance(qrels, cls):
            return qrels._of('qrels', elements)
        return cls('qrels', Columns(qrels, 'qrels', 'relevance'), elements)

    def __init__(self, kind: str, columns: Columns, elements: bool = False):
        self.kind = kind
        self.row = self.paths = None
        self.query_ids, self.query = columns.codes('query_id', columns.query_ids)
        self.value = columns.numbers(columns.value)
        self.extra = columns.extras()
        if not self._parse_plain(columns.values('doc_id')):
            self._parse(columns, elements)
        for wrong, sentence in (
            (~((self.start >= 0) & (self.start <= self.end) & (self.start < inf)),
             'start {start} and end {end} are no segment, which starts at 0 or later and ends at or after its start: '
             'give both, in order'),
            (np.isnan(self.value), f'the {columns.value} is missing or not a number: give every row a number'),
        ):
            if wrong.any():
                row = int(np.argmax(wrong))
                raise self.error(row, sentence.format(start=self.start[row], end=self.end[row]))
        self._check_units()

    def _of(self, kind: str, elements: bool) -> SegmentTable:
        if self.kind != kind:
            raise TypeError(f'a table of a {self.kind} was given for a {kind}: build it with SegmentTable.from_{kind}')
        for row, path in enumerate(self.paths or ()):
            if path is not None and self.unit[row] == NO_UNIT and not elements:
                raise self.error(row, f'the element {path!r} has no offsets: resolve() the ids with a table of the '
                                      'offsets')
        return self

    def __len__(self) -> int:
        return len(self.query)

    def error(self, row: int, sentence: str) -> RowError:
        """The error for a row of this table, which it names as the input does."""
        query, document = self.query_ids[self.query[row]], self.document_ids[self.document[row]]
        number = row if self.row is None else int(self.row[row])
        return RowError(self.kind, number, f'query {query!r}, document {document!r}: {sentence}')

    def beside(self, name: str) -> NDArray[np.float64]:
        """A column of ``extra``, NaN for missing values. Raises a ValueError if it is not there."""
        if name not in self.extra:
            raise ValueError(f'the {self.kind} lack the column {name!r} ({EXTRAS[self.kind][name]}): read the file in '
                             "the campaign's own format, or add the column")
        return self.extra[name]

    def no_value(self, name: str, row: int) -> RowError:
        """The error for a row that has no value in a column of ``extra``."""
        return self.error(row, f'there is no {name!r} ({EXTRAS[self.kind][name]}): add it')

    def _parse_plain(self, ids: list[Any]) -> bool:
        """
        Parse ids that are all ``document#unit=start,end`` in plain decimals of one unit, several times as fast as
        :meth:`_parse`; False, and nothing done, where any is not.
        """
        unit = next((unit for unit in UNITS if ids and f'#{unit}=' in str(ids[0])), None)
        if unit is None or unit == 'page':  # a single page has no end
            return False
        mark = f'#{unit}='
        documents, starts, ends = [], [], []
        try:
            for id in ids:
                document, _, fragment = id.rpartition(mark)
                start, _, end = fragment.partition(',')
                documents.append(document)
                starts.append(start)
                ends.append(end)
        except (AttributeError, TypeError):  # an id that is no text
            return False
        digits = np.frombuffer(''.join(chain(starts, ends)).encode(errors='replace'), np.uint8)
        # float() takes more than an id may hold (1e5, nan, 1_000, blanks): let only digits and, for seconds, '.' pass.
        if not digits.size or digits.max() > ord('9') or digits.min() < ord('.' if unit == 't' else '0'):
            return False
        distinct, code = codes_of(documents)
        if any('"' in document or document.split() != [document] for document in distinct):
            return False
        try:
            self.start = np.fromiter(map(float, starts), np.float64, len(ids))
            self.end = np.fromiter(map(float, ends), np.float64, len(ids))
        except ValueError:
            return False
        if (self.end < self.start).any() or (self.end >= 1e15).any():  # let the other way find the sentence
            return False
        self.document_ids, self.document = distinct, code
        self.unit = np.full(len(ids), UNITS.index(unit), np.int8)
        return True

    def _parse(self, columns: Columns, elements: bool) -> None:
        self.document_ids, self.document = columns.codes('doc_id')
        self.start = np.zeros(len(self))
        self.end = np.full(len(self), inf)
        self.unit = np.full(len(self), NO_UNIT, np.int8)
        if not columns.have_times() or '#' in ''.join(self.document_ids):
            self._parse_each(columns.have_times(), elements)
        if not columns.have_times():
            return
        bare = self.unit == NO_UNIT
        open_end = ~bare & np.isinf(self.end)
        needed = np.flatnonzero(bare | open_end if columns.have_both() else bare)
        if not needed.size:
            return
        start, end = columns.times(None if bare.all() else needed, int(needed[0]))
        unclear = open_end[needed] & np.isfinite(end)
        if unclear.any():
            row = int(needed[np.argmax(unclear)])
            raise self.error(row, f'{columns.values("doc_id")[row]!r} is ambiguous, the part of this document from '
                                  f'{format_number(self.start[row])} to its end, or a document of that name with the '
                                  'start and end beside it: write the end into the id, or percent-encode its last #')
        if bare.any() and not bare.all():
            row = int(np.argmax(bare != bare[0]))
            raise self.error(row, 'segment ids and bare documents with start and end stand in one table, so that their '
                                  'units may differ: write all of them as segment ids, or none')
        if bare.all():
            self.start, self.end = start, end

    def _parse_each(self, bare: bool, elements: bool) -> None:
        # Only what is an id by itself is held to what ids may hold.
        if not bare:
            text = ' '.join(self.document_ids)
            if '#' not in text and '"' not in text and text.split() == self.document_ids:
                return  # whole documents, or shots
        code, segments = self.document, []
        for i, id in enumerate(self.document_ids):
            try:
                segments.append(parse_segment(id, elements) if '#' in id or not bare else Segment(id))
            except ValueError as error:
                raise RowError(self.kind, int(np.argmax(code == i)), str(error)) from None
        self.document_ids, document = codes_of([segment.document for segment in segments])
        self.document = document[code]
        self.start = np.array([segment.start for segment in segments], float)[code]
        self.end = np.array([segment.end for segment in segments], float)[code]
        self.unit = np.array([UNITS.index(s.unit) if s.unit else NO_UNIT for s in segments], np.int8)[code]
        if any(segment.path is not None for segment in segments):
            self.paths = [segments[i].path for i in code.tolist()]

    def _rank(self) -> None:
        query, score = self.query, self.value
        step = query[1:] - query[:-1]
        if not ((step >= 0).all() and ((score[1:] <= score[:-1]) | (step > 0)).all()):
            self.row = np.lexsort((-score, query))
            for column in ('query', 'document', 'start', 'end', 'value', 'unit'):
                setattr(self, column, getattr(self, column)[self.row])
            self.extra = {name: column[self.row] for name, column in self.extra.items()}
            if self.paths is not None:
                self.paths = [self.paths[i] for i in self.row.tolist()]

    def fractions(self) -> NDArray[np.bool_]:
        """For each row, whether its start or end is no whole number."""
        return (self.start != np.floor(self.start)) | (self.end != np.floor(self.end))

    def units(self) -> set[int]:
        """Which units there are, as positions in :data:`~ir_segmeasures.segments.segment.UNITS`."""
        return set(np.flatnonzero(np.bincount(self.unit[self.unit != NO_UNIT])).tolist())

    def _check_units(self) -> None:
        if len(self.units()) < 2:
            return
        units: dict[tuple[int, int], int] = {}
        for row in np.flatnonzero(self.unit >= 0).tolist():
            pair = (int(self.query[row]), int(self.document[row]))
            unit = int(self.unit[row])
            if units.setdefault(pair, unit) != unit:
                raise self.error(row, f'the segments of one document of a query are in {UNITS[unit]!r} and in '
                                      f'{UNITS[units[pair]]!r}: give all of them in one unit')
