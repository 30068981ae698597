"""
The columns of a run or of qrels: ids as codes, everything else as numbers. pandas is not imported for this.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segments.shapes import Coded, shape_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ['EXTRAS', 'Columns', 'RowError', 'codes_of']

# What some measures need beside the segments; kept where it is there.
EXTRAS: dict[str, dict[str, str]] = {
    'qrels': {
        'doc_size': "the length of the row's document, as INEX judgements have it",
        'bep': "where one should begin to read the row's document, its best entry point, as INEX judgements have it",
        'stratum': 'the stratum that the row was sampled from, as TRECVID judgements have it',
        'exhaustivity': 'how exhaustively the element discusses the topic, as INEX assessments have it',
        'specificity': 'how specific to the topic the element is, as INEX assessments have it',
    },
    'run': {
        'no_passage': 'whether the row is a document without a passage, as INEX runs have it',
    },
}


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


class Columns:
    """The columns of a run or of qrels, in whichever shape they came."""

    def __init__(self, rows: Any, kind: str, value: str):
        self.kind, self.value = kind, value
        self.columns, self.query_ids = shape_of(rows, kind, value, EXTRAS[kind])

    def values(self, name: str) -> list[Any]:
        column = self.columns[name]
        return column.tolist() if hasattr(column, 'tolist') else list(column)

    def codes(self, name: str, known: Iterable[Any] = ()) -> tuple[list[str], NDArray[np.intp]]:
        column = self.columns[name]
        if isinstance(column, Coded):
            return column.distinct, column.code
        values = self.values(name)
        try:
            distinct, code = codes_of(values, known)
            if set(map(type, distinct)) <= {str}:
                return distinct, code
        except TypeError:  # a value that cannot be hashed, so no text either
            pass
        texts = [self._text(name, row, value) for row, value in enumerate(values)]
        return codes_of(texts, [self._text(name, 0, value) for value in known])

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

    def extras(self) -> dict[str, NDArray[np.float64]]:
        """Those of :data:`EXTRAS` that are there, NaN for missing values."""
        return {name: self.numbers(name) for name in EXTRAS[self.kind] if name in self.columns}

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
        end = start + self.numbers('length', rows)
        # The sum of two decimals is a decimal: without the rounding 0.1 + 0.2 ends after 0.3.
        rounded = np.where(np.abs(end) < 1e6, np.round(end, 9), np.round(end, 6))
        return start, np.where(end == np.floor(end), end, rounded)


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


def codes_of(values: Sequence[Any], known: Iterable[Any] = ()) -> tuple[list[Any], NDArray[np.intp]]:
    """The distinct values in order of appearance (``known`` first), and for each value its position among them."""
    index: defaultdict[Any, int] = defaultdict()
    index.default_factory = index.__len__  # a new value gets the next number
    for value in known:
        index[value]
    code = np.fromiter(map(index.__getitem__, values), np.intp, len(values))
    return list(index), code
