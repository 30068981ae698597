"""The columns of a run or of qrels: ids as codes, everything else as numbers. pandas is not imported for this."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from math import nan
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.basics import Array, Floats, Ints, quoted
from ir_segmeasures.segments.segment import clock_seconds, points_beside_clocks
from ir_segmeasures.segments.tables.adapters import TIMES, VALUE, adapter_of
from ir_segmeasures.segments.tables.shapes import Coded, listed_values
from ir_segmeasures.segments.user_warnings import RowError as RowError

_PYTERRIER = {'qid': 'query_id', 'docno': 'doc_id', 'label': 'relevance'}

# The columns that some measures need beside the segments, which are kept where they are there: name → the rows that
# have it, and its meaning.
EXTRAS: dict[str, tuple[str, str]] = {
    'doc_size': ('qrels', "the length of the row's document, as INEX judgements have it"),
    'bep': ('qrels', "where to begin to read the row's document, its best entry point, as INEX judgements have it"),
    'stratum': ('qrels', 'the stratum that the row was sampled from, as TRECVID judgements have it'),
    'exhaustivity': ('qrels', 'how exhaustively the element discusses the topic, as INEX assessments have it'),
    'specificity': ('qrels', 'how specific to the topic the element is, as INEX assessments have it'),
    'aspects': ('qrels', 'the aspects or nuggets that the segment has, with | between them, as TREC Genomics has them'),
    'known': ('qrels', '1 where the user knew the segment before, else 0'),
    **{f'saliency_{i}': ('qrels', f'the score of the {which} worker for the clip, as QVHighlights judgements have it')
       for i, which in enumerate(('first', 'second', 'third'), 1)},
    'ideal': ('qrels', 'whether the element is in the ideal recall base, 1 or 0'),
    'no_passage': ('run', 'whether the row is a document without a passage, as INEX runs have it'),
}
_TEXTS = ('aspects',)


def extras_of(kind: str) -> list[str]:
    """The names of the columns of :data:`EXTRAS` that a ``'run'`` or ``'qrels'`` may have."""
    return [name for name, (side, _) in EXTRAS.items() if side == kind]


class Beside(NamedTuple):
    """The columns of starts and ends beside the ids.

    Attributes:
        start, end: of each row, NaN where a value is missing or no number
        faults: row → the sentence about a value that is not a number
        lack: the sentence about the column that is missing, if only one of both is there
    """
    start: Floats
    end: Floats
    faults: dict[int, str]
    lack: str | None = None


class Columns:
    """The columns of a run or of qrels, in whichever shape they came.

    Args:
        rows: in any of the shapes, or their adapter
        kind: ``'run'`` or ``'qrels'``

    Attributes:
        value: the name of the column of the score or of the relevance
        columns: of ids, values and times, :data:`EXTRAS` and the ranks of a run, so far as they are there
        names: of all columns
        query_ids: the queries that are known before the rows are looked at
    """

    def __init__(self, rows: Any, kind: str):
        adapter = adapter_of(rows, kind)
        self.kind, self.value = kind, VALUE[kind]
        # No measure needs ranks, which are held against the scores.
        ranks = ['rank'] if kind == 'run' and adapter.names.count('rank') == 1 else []
        self.columns, self.query_ids, self.names = (
            adapter.columns([*extras_of(kind), *ranks]), adapter.query_ids, adapter.names)

    def values(self, name: str, rows: Ints | None = None) -> list[Any]:
        """A column, or some rows of it, as a list of values of Python."""
        column = self.columns[name]
        if isinstance(column, Coded) and rows is not None:
            column, rows = Coded(column.distinct, column.code[rows]), None
        values = listed_values(column)
        return values if rows is None else list(map(values.__getitem__, rows.tolist()))

    def codes(self, name: str, known: Iterable[Any] = ()) -> tuple[list[str], Ints]:
        """The distinct ids of a column in order of appearance (``known`` first), and for each row its position there.

        Raises:
            RowError: a value that is neither text nor a whole number
        """
        column = self.columns[name]
        if isinstance(column, Coded):
            return column.distinct, column.code
        values = self.values(name)
        with suppress(TypeError):  # a value that cannot be hashed is not text either
            distinct, code = codes_of(values, known)
            if set(map(type, distinct)) <= {str}:
                return distinct, code
        texts = [self._text(name, row, value) for row, value in enumerate(values)]
        return codes_of(texts, [self._text(name, 0, value) for value in known])

    @cached_property
    def documents(self) -> tuple[list[str], Ints]:
        """The distinct ids of documents and segments, and for each row its position there."""
        return self.codes('doc_id')

    def _text(self, name: str, row: int, value: Any) -> str:
        with suppress(ValueError):  # a whole number of thousands of digits
            if isinstance(value, (str, int, np.integer)) and not isinstance(value, bool):
                return str(value)
        raise RowError(self.kind, row, f'the {name} {quoted(value)} is not a string: give every row an id')

    def numbers(self, name: str) -> Floats:
        """A column as numbers, NaN for missing ones. Raises a RowError for a value that is not a number."""
        numbers, faults = self._numbers(name)
        for row, sentence in faults.items():
            raise RowError(self.kind, row, sentence)
        return numbers

    def _numbers(self, name: str) -> tuple[Floats, dict[int, str]]:
        """A column as numbers, and the sentence about each row whose value is none. Times may be those of a clock
        (:func:`~ir_segmeasures.segments.segment.clock_seconds`)."""
        column = self.columns[name]
        with suppress(OverflowError, TypeError, ValueError):
            array = _decimals(column)
            if array.ndim == 1:
                return array, {}
        texts = [value if isinstance(value, str) else '' for value in column] if name in TIMES else []
        odd = points_beside_clocks(texts)
        numbers, faults = np.full(len(column), nan), {row: odd[text] for row, text in enumerate(texts) if text in odd}
        for row, value in enumerate(column):
            try:
                clock = clock_seconds(value) if name in TIMES and isinstance(value, str) else None
                numbers[row] = float('' if isinstance(value, _NO_NUMBERS) else value) if clock is None else clock
            except (OverflowError, TypeError, ValueError) as error:
                reason = f'{quoted(value)} is not a number: give every row a number'
                if isinstance(value, np.timedelta64) or hasattr(value, 'total_seconds') or hasattr(value, 'hour'):
                    reason = (f'{quoted(value)} is not a number, but a {type(value).__name__}: make it seconds, '
                              'as .dt.total_seconds() does')
                if isinstance(error, OverflowError):
                    reason = f'{quoted(value)} is larger than any float: give a smaller number'
                elif str(error).startswith('clock'):
                    reason = f'has the {error}'
                faults[row] = f'the {name} {reason}'
        return numbers, faults

    def extras(self) -> dict[str, Array[Any]]:
        """The columns of :data:`EXTRAS` that are there, by name, NaN for missing numbers; ``aspects`` are texts."""
        return {name: self._texts(name) if name in _TEXTS else self.numbers(name)
                for name in extras_of(self.kind) if name in self.columns}

    def _texts(self, name: str) -> Array[Any]:
        values = ['' if value is None or value != value else value for value in self.values(name)]
        for row, value in enumerate(values):
            if not isinstance(value, str):
                raise RowError(self.kind, row, f'the {name} {quoted(value)} are not text: write names with | between')
        return np.array(values, object)

    def ranks(self) -> Floats | None:
        """The column of ranks as numbers; None where there is none, or another one of this name."""
        with suppress(KeyError, ValueError):
            return self.numbers('rank')
        return None

    def have_times(self) -> bool:
        """Tells whether there is a column of starts or of ends."""
        return 'start' in self.columns or 'end' in self.columns

    def have_both(self) -> bool:
        """Tells whether there is a column of starts, and one of ends or of lengths."""
        return 'start' in self.columns and ('end' in self.columns or 'length' in self.columns)

    @cached_property
    def beside(self) -> Beside | None:
        """The columns of starts and ends; None where there is neither."""
        if not self.have_times():
            return None
        missing = np.full(len(self.columns['doc_id']), nan)
        if not self.have_both():
            have = 'start' if 'start' in self.columns else 'end'
            return Beside(missing, missing, {}, f'the document has {quoted(have)} beside it, but a segment takes '
                                                "'start' with 'end' or 'length': add the other column")
        start, faults = self._numbers('start')
        end, others = self._numbers('end' if 'end' in self.columns else 'length')
        if 'end' not in self.columns:
            with np.errstate(invalid='ignore'):
                end = start + end
        return Beside(start, end, others | faults)

    def times(self) -> tuple[Floats, Floats]:
        """Starts and ends of all rows. Raises a RowError for a value that is not a number."""
        assert self.beside is not None
        for row, sentence in self.beside.faults.items():
            raise RowError(self.kind, row, sentence)
        return self.beside.start, self.beside.end


# Types that NumPy turns into numbers without a word.
_NO_NUMBERS = (complex, np.complexfloating, np.datetime64, np.timedelta64)


def _decimals(column: Any) -> Floats:
    """A column as numbers, in an array of its own. Raises a TypeError or a ValueError where it holds anything else."""
    is_typed = isinstance(column, np.ndarray) and column.dtype != object
    values = column if is_typed else listed_values(column)
    kinds = {column.dtype.type} if is_typed else set(map(type, values))
    if any(issubclass(kind, _NO_NUMBERS) for kind in kinds):
        raise TypeError
    if kinds & {np.float16, np.float32}:
        values = list(map(str, values))  # 12.1 in single precision is 12.1000003…: the decimal as written counts
    return np.array(values, np.float64)


def codes_of(values: Sequence[Any], known: Iterable[Any] = ()) -> tuple[list[Any], Ints]:
    """The distinct values in order of appearance (``known`` first), and for each value its position among them."""
    index: defaultdict[Any, int] = defaultdict()
    index.default_factory = index.__len__  # a new value gets the next number
    for value in known:
        index[value]
    code = np.fromiter(map(index.__getitem__, values), np.intp, len(values))
    return list(index), code


def from_pyterrier(rows: Any, names: Mapping[str, str] = _PYTERRIER) -> Any:
    """The rows; a frame, a dict of columns or dicts with PyTerrier's names of columns get those of ir-measures
    (``query_id`` for ``qid``, and so on)."""
    first = rows[0] if isinstance(rows, list) and rows else rows
    is_frame = not isinstance(first, type) and (hasattr(first, 'iloc') or hasattr(first, 'get_columns'))
    is_arrow = not isinstance(first, type) and hasattr(first, 'rename_columns')  # Hugging Face's datasets are like it
    there = first.columns if is_frame else first.column_names if is_arrow else first if isinstance(
        first, Mapping) else ()
    if not set(list(names)[:2]).issubset(there) or not set(list(names.values())[:2]).isdisjoint(there):
        return rows
    if isinstance(rows, list):
        return [{names.get(name, name): value for name, value in row.items()} for row in rows]
    if isinstance(rows, Mapping):
        return {names.get(name, name): column for name, column in rows.items()}
    known = {name: new for name, new in names.items() if name in there}
    if is_arrow:
        return rows.rename_columns([names.get(name, name) for name in there] if hasattr(rows, 'schema') else known)
    return rows.rename(columns=known) if hasattr(rows, 'iloc') else rows.rename(known)


def to_pyterrier(rows: Any) -> Any:
    """The rows with PyTerrier's names of columns."""
    return from_pyterrier(rows, {new: name for name, new in _PYTERRIER.items()})
