"""
A run or qrels as columns: the only place that knows in which shapes ir-measures is given them.

:class:`SegmentTable` reads a frame, an iterable of named tuples, or a dict of dicts. Where a ``doc_id`` is a segment
id, the id is the truth; where it is a bare document, fields ``start`` and ``end`` (or ``start`` and ``length``) beside
it count, as in :class:`ir_datasets.datasets.highwire.HighwireQrel`. :func:`resolve` turns ids that are no segments yet
(whole documents, shots, element paths, passage numbers) into segment ids, in whatever shape they come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segment import UNITS, Segment, format_number, format_segment, parse_segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ['RowError', 'SegmentTable', 'resolve']

NO_UNIT = -1  # of bare columns, and of whole documents: they go with every unit


class RowError(ValueError):
    """
    A row of a run or of qrels that is no segment, or none that can be measured.

    Attributes:
        kind: ``'run'`` or ``'qrels'``
        row: its number in the input, from 0
        sentence: what is wrong with it, the rule and the repair
    """

    def __init__(self, kind: str, row: int, sentence: str):
        super().__init__(kind, row, sentence)  # all three, for pickle
        self.kind, self.row, self.sentence = kind, row, sentence

    def __str__(self) -> str:
        return f'row {self.row} of the {self.kind}: {self.sentence}'


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
        unit: for each row, the position of its unit in :data:`~ir_segmeasures.segment.UNITS`, or -1 for none

    The rows of a run stand query by query in rank order: by score, descending, ties in the order of the input.

    Raises:
        RowError: rows that are no segments (both constructors).
        ValueError: rows without the columns that it takes.
        TypeError: an input in none of the shapes.
    """
    __slots__ = ('kind', 'query_ids', 'query', 'document_ids', 'document', 'start', 'end', 'value', 'unit', 'row')

    kind: str
    query_ids: list[str]
    query: NDArray[np.intp]
    document_ids: list[str]
    document: NDArray[np.intp]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    value: NDArray[np.float64]
    unit: NDArray[np.int8]
    row: NDArray[np.intp] | None

    @classmethod
    def from_run(cls, run: Any) -> SegmentTable:
        """The table of a run: ``query_id``, ``doc_id``, ``score`` and maybe ``start`` with ``end`` or ``length``."""
        if isinstance(run, cls):
            return run._of('run')
        table = cls('run', _Columns(run, 'run', 'score'))
        table._rank()
        return table

    @classmethod
    def from_qrels(cls, qrels: Any) -> SegmentTable:
        """The table of qrels: ``query_id``, ``doc_id``, ``relevance``, maybe ``start`` with ``end`` or ``length``."""
        if isinstance(qrels, cls):
            return qrels._of('qrels')
        return cls('qrels', _Columns(qrels, 'qrels', 'relevance'))

    def __init__(self, kind: str, columns: _Columns):
        self.kind = kind
        self.row = None
        self.query_ids, self.query = columns.codes('query_id', columns.query_ids)
        self.value = columns.numbers(columns.value)
        if not self._parse_plain(columns.values('doc_id')):
            self._parse(columns)
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

    def _of(self, kind: str) -> SegmentTable:
        if self.kind != kind:
            raise TypeError(f'a table of a {self.kind} was given for a {kind}: build it with SegmentTable.from_{kind}')
        return self

    def __len__(self) -> int:
        return len(self.query)

    def error(self, row: int, sentence: str) -> RowError:
        """The error for a row of this table, which it names as the input does."""
        query, document = self.query_ids[self.query[row]], self.document_ids[self.document[row]]
        number = row if self.row is None else int(self.row[row])
        return RowError(self.kind, number, f'query {query!r}, document {document!r}: {sentence}')

    def _parse_plain(self, ids: list[Any]) -> bool:
        """
        Parse ids that are all ``document#unit=start,end`` in plain decimals of one unit, several times as fast as
        :meth:`_parse`; False, and nothing done, where any is not.
        """
        unit = next((unit for unit in UNITS if ids and f'#{unit}=' in str(ids[0])), None)
        if unit is None:
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
        distinct, code = _codes(documents)
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

    def _parse(self, columns: _Columns) -> None:
        self.document_ids, self.document = columns.codes('doc_id')
        self.start = np.zeros(len(self))
        self.end = np.full(len(self), inf)
        self.unit = np.full(len(self), NO_UNIT, np.int8)
        if any('#' in id for id in self.document_ids) or not columns.have_times():
            self._parse_each(bare=columns.have_times())
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

    def _parse_each(self, bare: bool) -> None:
        # Only what is an id by itself is held to what ids may hold.
        code, segments = self.document, []
        for i, id in enumerate(self.document_ids):
            try:
                segments.append(parse_segment(id) if '#' in id or not bare else Segment(id))
            except ValueError as error:
                raise RowError(self.kind, int(np.argmax(code == i)), str(error)) from None
        self.document_ids, document = _codes([segment.document for segment in segments])
        self.document = document[code]
        self.start = np.array([segment.start for segment in segments], float)[code]
        self.end = np.array([segment.end for segment in segments], float)[code]
        self.unit = np.array([UNITS.index(s.unit) if s.unit else NO_UNIT for s in segments], np.int8)[code]

    def _rank(self) -> None:
        query, score = self.query, self.value
        step = query[1:] - query[:-1]
        if not ((step >= 0).all() and ((score[1:] <= score[:-1]) | (step > 0)).all()):
            self.row = np.lexsort((-score, query))
            for column in ('query', 'document', 'start', 'end', 'value', 'unit'):
                setattr(self, column, getattr(self, column)[self.row])

    def units(self) -> set[int]:
        """Which units there are, as positions in :data:`~ir_segmeasures.segment.UNITS`."""
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


class _Columns:
    """The columns of a run or of qrels, in whichever shape they came."""

    def __init__(self, rows: Any, kind: str, value: str):
        self.kind, self.value = kind, value
        self.query_ids: Iterable[Any] = ()
        self.columns: Mapping[str, Any]
        if isinstance(rows, Mapping):
            for query, documents in rows.items():
                if not isinstance(documents, Mapping):
                    raise TypeError(f'the {kind} has a {type(documents).__name__} for query {query!r}: a dict of dicts '
                                    f'holds {{doc_id: {value}}} for each query')
            self.query_ids = rows
            self.columns = {
                'query_id': [query for query, documents in rows.items() for _ in documents],
                'doc_id': list(chain.from_iterable(rows.values())),
                value: list(chain.from_iterable(documents.values() for documents in rows.values())),
            }
        elif hasattr(rows, 'itertuples'):
            self.columns = {name: rows[name] for name in rows.columns
                            if name in ('query_id', 'doc_id', value, 'start', 'end', 'length')}
            self._check_fields(rows.columns)
        elif isinstance(getattr(rows, 'columns', None), dict):  # our readers have the columns at hand
            self.columns = rows.columns
            self._check_fields(self.columns)
        elif isinstance(rows, Iterable):
            self.columns = self._transpose(list(rows))
        else:
            raise TypeError(f'the {kind} is a {type(rows).__name__}: give a DataFrame, an iterable of named tuples '
                            f"(both with 'query_id', 'doc_id' and {value!r}), or a dict of dicts")

    def _transpose(self, rows: list[Any]) -> Mapping[str, Any]:
        fields = {getattr(kind, '_fields', None) for kind in set(map(type, rows))}
        if not rows:
            return {'query_id': (), 'doc_id': (), self.value: ()}
        if None in fields:
            raise TypeError(f'the {self.kind} holds a {type(rows[0]).__name__}: give named tuples with the fields '
                            f"'query_id', 'doc_id' and {self.value!r}")
        if len(fields) > 1:
            raise TypeError(f'the {self.kind} holds named tuples with different fields: give all rows one type')
        columns = dict(zip(rows[0]._fields, zip(*rows)))
        self._check_fields(columns)
        return columns

    def _check_fields(self, names: Iterable[str]) -> None:
        missing = [name for name in ('query_id', 'doc_id', self.value) if name not in names]
        if missing:
            raise ValueError(f'the {self.kind} lacks {", ".join(map(repr, missing))} (it has '
                             f'{", ".join(map(str, names))}): name the columns as ir-measures does')

    def values(self, name: str) -> list[Any]:
        column = self.columns[name]
        return column.tolist() if hasattr(column, 'tolist') else list(column)

    def codes(self, name: str, known: Iterable[Any] = ()) -> tuple[list[str], NDArray[np.intp]]:
        values = self.values(name)
        try:
            distinct, code = _codes(values, known)
            if all(type(value) is str for value in distinct):
                return distinct, code
        except TypeError:  # a value that cannot be hashed, so no text either
            pass
        texts = [self._text(name, row, value) for row, value in enumerate(values)]
        return _codes(texts, [self._text(name, 0, value) for value in known])

    def _text(self, name: str, row: int, value: Any) -> str:
        if isinstance(value, (str, int, np.integer)) and not isinstance(value, bool):
            return str(value)
        raise RowError(self.kind, row, f'the {name} {value!r} is no text: give every row an id')

    def numbers(self, name: str, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """A column as numbers, NaN for missing ones; of all rows, or of some."""
        column = self.columns[name]
        if rows is not None:
            column = column.iloc[rows] if hasattr(column, 'iloc') else [column[row] for row in rows.tolist()]
        try:
            array = _decimals(column)
            if array.ndim == 1:
                return array
        except (TypeError, ValueError):
            pass
        for i, value in enumerate(column):
            try:
                float(value)
            except (TypeError, ValueError):
                row = i if rows is None else int(rows[i])
                raise RowError(self.kind, row, f'the {name} {value!r} is not a number: give every row a '
                                               'number') from None
        raise ValueError(f'the {name} of the {self.kind} is no column of numbers: give every row a number')

    def have_times(self) -> bool:
        return 'start' in self.columns or 'end' in self.columns

    def have_both(self) -> bool:
        return 'start' in self.columns and ('end' in self.columns or 'length' in self.columns)

    def times(self, rows: NDArray[np.intp] | None, first: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """``start`` and ``end`` of all rows, or of some; ``first`` is the first that needs them."""
        if not self.have_both():
            have = 'start' if 'start' in self.columns else 'end'
            raise RowError(self.kind, first, f'the document has {have!r} beside it, but a segment takes '
                                             "'start' with 'end' or 'length': add the other column")
        start = self.numbers('start', rows)
        if 'end' in self.columns:
            return start, self.numbers('end', rows)
        # The sum of two decimals is a decimal: without the rounding 0.1 + 0.2 ends after 0.3.
        return start, np.round(start + self.numbers('length', rows), 9)


def _decimals(column: Any) -> NDArray[np.float64]:
    if not hasattr(column, 'to_numpy'):
        array = np.asarray(column)
    elif column.dtype.kind in 'mM':
        raise TypeError('a time span has no unit that is ours')
    elif column.dtype == object:
        array = np.asarray([str(value) if isinstance(value, np.floating) else value for value in column])
    else:
        narrow = str(column.dtype).lower().startswith(('float32', 'float['))
        half = str(column.dtype).lower().startswith(('float16', 'halffloat['))
        array = column.to_numpy(dtype=np.float16 if half else np.float32 if narrow else np.float64, na_value=nan)
    if array.dtype.kind == 'f' and array.dtype.itemsize < 8:
        # 12.1 in single precision is 12.1000003…: what counts is the decimal as written.
        array = array.astype(str)
    return array.astype(np.float64, copy=False)


def _codes(values: Sequence[Any], known: Iterable[Any] = ()) -> tuple[list[Any], NDArray[np.intp]]:
    """The distinct values in order of appearance (``known`` first), and for each value its position among them."""
    index: defaultdict[Any, int] = defaultdict()
    index.default_factory = index.__len__  # a new value gets the next number
    for value in known:
        index[value]
    code = np.fromiter(map(index.__getitem__, values), np.intp, len(values))
    return list(index), code


Extent = Segment | tuple[str, float, float]


def resolve(rows: Any, table: Mapping[str, Extent], unit: str = 't', missing: str = 'error') -> Any:
    """
    The same run or qrels with segment ids: each ``doc_id`` looked up in a table of extents.

    Args:
        rows: a frame, named tuples, or a dict of dicts, with whole documents, shots, element paths, passage numbers …
            as document ids
        table: id → (document, start, end) in ``unit``, or → :class:`~ir_segmeasures.segment.Segment` with its own
        unit: ``'t'`` (seconds), ``'char'`` or ``'word'``
        missing: what becomes of ids that the table lacks: ``'error'``, or ``'keep'`` to leave them as they are

    Segment ids stay as they are, but for one with an open end, which takes the end of its document from the table.

    Returns:
        The shape it was given (a list for any iterable of named tuples), with other document ids.

    Raises:
        ValueError: ids that the table lacks (with their number and examples), an id that is in the table and reads as a
            segment too, or two ids of one query in a dict that are the same segment.
    """
    if missing not in ('error', 'keep'):
        raise ValueError(f"missing={missing!r}: what to do with ids that the table lacks is 'error' or 'keep'")
    if isinstance(rows, Mapping):
        ids: Iterable[str] = chain.from_iterable(rows.values())
    elif hasattr(rows, 'itertuples'):
        ids = rows['doc_id']
    else:
        rows = list(rows)
        ids = (row.doc_id for row in rows)
    resolved = {id: _resolve(id, table, unit) for id in dict.fromkeys(ids)}
    unknown = [id for id, segment in resolved.items() if segment is None]
    if unknown and missing == 'error':
        raise ValueError(f'{len(unknown)} of {len(resolved)} ids are not in the table, such as '
                         f"{', '.join(map(repr, unknown[:3]))}: add them to it, or keep them with missing='keep'")
    new = {id: segment or id for id, segment in resolved.items()}
    if isinstance(rows, Mapping):
        result = {query: {new[id]: value for id, value in documents.items()} for query, documents in rows.items()}
        for query, documents in rows.items():
            if len(result[query]) < len(documents):
                raise ValueError(f'query {query!r} has two ids that are the same segment, and a dict holds each once: '
                                 'give named tuples or a frame')
        return result
    if hasattr(rows, 'itertuples'):
        return rows.assign(doc_id=[new[id] for id in rows['doc_id']])
    return [row._replace(doc_id=new[row.doc_id]) for row in rows]


def _resolve(id: str, table: Mapping[str, Extent], unit: str) -> str | None:
    extent, read = table.get(id), _segment_or_none(id)
    if extent is not None:
        segment = extent if isinstance(extent, Segment) else Segment(*extent, unit)
        if read is not None and read.unit is not None:
            raise ValueError(f'{id!r} is ambiguous, an id of the table, or a part of {read.document!r}: rename it in '
                             'the table, or percent-encode its last #')
        return format_segment(segment)
    if read is None or read.unit is None:
        return None
    if read.end < inf:
        return id
    whole = table.get(read.document)
    if whole is None:
        return None
    extent = whole if isinstance(whole, Segment) else Segment(*whole, unit)
    if (extent.document, extent.unit) != (read.document, read.unit):
        raise ValueError(f'{id!r} runs to the end of its document, but the table has {extent.document!r} in '
                         f'{extent.unit!r} for that: give the end of {read.document!r} in {read.unit!r}')
    return format_segment(read._replace(end=extent.end))


def _segment_or_none(id: Any) -> Segment | None:
    try:
        return parse_segment(id)
    except (AttributeError, TypeError, ValueError):  # passage numbers may be no text
        return None
