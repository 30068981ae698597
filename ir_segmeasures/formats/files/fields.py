"""Fields of lines as values: functions of one text, which take a whole column of texts as well.

A text that is no such value is a ``ValueError`` with a sentence; a column with such a text is a ``ValueError`` whose
words nobody reads, since the lines are then parsed one by one. So the parser of a line, made of these functions, is
the parser of whole columns too.
"""

import math
import re
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from functools import wraps
from sys import intern
from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Bools, Floats
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.spans import plain_number
from ir_segmeasures.segments.tables.id_columns import Coded, codes_of
from ir_segmeasures.segments.tables.text_columns import LazyColumn, TextColumn

__all__ = ['MixedNumbers', 'anywhere', 'column_of', 'each_text', 'finite_number', 'interned', 'lazily', 'nine_digits',
           'parse_score', 'position', 'refuse_again', 'wrong_fields']

_DIGITS = re.compile(r'[0-9]{1,9}')


def wrong_fields(fields: Sequence[Any], kind: str, expected: str, count: str) -> ValueError:
    """The error for a line with too few or too many fields, for the line parser to raise."""
    line = ' '.join(map(str, fields))
    if any(line.count(sign) >= 2 for sign in ',;') and line[0] not in '{[<':
        return ValueError(f'the line is CSV, but a line of {kind} has {count} fields between blanks, {expected}: read '
                          'it as csv, with names of columns in the first line')
    has = '1 field' if len(fields) == 1 else f'{len(fields)} fields'
    return ValueError(f'the line has {has}, but a line of {kind} has {count}: {expected}: '
                      'add or remove fields; white space inside an id splits it')


def anywhere(wrong: Any) -> bool:
    """Whether a comparison of values holds: of one line, or on any line of columns."""
    return bool(wrong.any()) if isinstance(wrong, np.ndarray) else bool(wrong)


def interned(text: Any) -> Any:
    """A text that repeats on many lines, kept once; of a column its codes."""
    return text.coded() if isinstance(text, TextColumn) else text if isinstance(text, Coded) else intern(text)


def each_text(convert: Callable[..., Any]) -> Callable[..., Any]:
    """The function, of one text (and of what is the same for all), for columns too: each distinct text is converted
    once."""
    @wraps(convert)
    def converted(text: Any, *others: Any) -> Any:
        if not isinstance(text, TextColumn):
            return convert(text, *others)
        coded = text.coded()
        values = column_of([convert(distinct, *others) for distinct in coded.distinct])
        if isinstance(values, Coded):
            if len(values.distinct) < len(coded.distinct):  # two texts are one value
                raise ValueError
            return Coded(values.distinct, coded.code)
        return values[coded.code] if isinstance(values, np.ndarray) else [values[code] for code in coded.code.tolist()]
    return converted


def lazily(convert: Callable[[str], Any]) -> Callable[[Any], Any]:
    """The function, of one text that is never wrong, for columns too: they are converted when somebody looks."""
    @wraps(convert)
    def converted(text: Any) -> Any:
        return LazyColumn(text, converted) if isinstance(text, TextColumn) else convert(text)
    return converted


def column_of(values: Sequence[Any]) -> Any:
    """Values as the column of a table of rows: texts as codes, numbers of one type as an array, others as they are."""
    types = set(map(type, values))
    if types == {str}:
        return Coded(*codes_of(values))
    if types in ({int}, {float}, {bool}):
        with suppress(OverflowError):  # larger than any whole number of NumPy
            return np.array(values, types.pop())
    return list(values)


def finite_number(text: str) -> float | None:
    """The number, or None for anything else, such as ``nan``, ``inf`` and Python's own ``1_000``."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and '_' not in text else None


def refuse_again(topic: str, topics: Container[str],
                 rule: str = 'every topic has an id of its own: correct it') -> None:
    """Raises a ValueError, with the rule, for a topic that is one of those before."""
    if topic in topics:
        raise ValueError(f'topic {quoted(topic)} is already there, but {rule}')


def parse_score(text: Any) -> Any:
    """A finite number. Raises ``ValueError`` for anything else."""
    if isinstance(text, TextColumn):
        return _decimals(text)
    score = finite_number(text)
    if score is None:
        raise ValueError(f'score {quoted(text)} is not a finite number, but scores are compared with each other: write '
                         'digits, such as 12.5 or 1e-3')
    return score


def _decimals(texts: TextColumn) -> Any:
    try:
        return texts.decimals()
    except ValueError:  # others, such as 1e-3
        pass
    numbers = texts.tolist()
    if '_' in ''.join(numbers):  # which Python takes
        raise ValueError
    column = np.fromiter(map(float, numbers), np.float64, len(numbers))
    if not np.isfinite(column).all():
        raise ValueError
    return column


def position(text: Any) -> Any:
    """A number from 0 up, an integer where it is whole; None for any other text. Raises ``ValueError`` for a column
    with one, which is one of integers where all are whole."""
    if isinstance(text, TextColumn):
        numbers = _decimals(text)
        if (numbers < 0).any():
            raise ValueError
        return numbers.astype(np.int64) if (numbers == np.floor(numbers)).all() and numbers.max() < 1e15 else numbers
    number = finite_number(text)
    if number is None or number < 0:
        return None
    return plain_number(number)


def nine_digits(text: Any) -> Any:
    """A whole number of at most nine digits; None for any other text. Raises ``ValueError`` for a column with one."""
    if isinstance(text, TextColumn):
        return text.whole_numbers(digits=9)
    return int(text) if _DIGITS.fullmatch(text) else None


class MixedNumbers:
    """A column of numbers, an array for NumPy; whoever looks at one of the ``whole`` ones gets an integer of Python."""

    def __init__(self, numbers: Floats, whole: Bools):
        self.numbers, self.whole = numbers + 0.0, whole  # without -0.0, which no integer is

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, np.ndarray | slice):
            return MixedNumbers(self.numbers[row], self.whole[row])
        return (int if self.whole[row] else float)(self.numbers[row])

    def __iter__(self) -> Iterator[int | float]:
        return iter(self.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.numbers, dtype)

    def tolist(self) -> list[int | float]:
        """The numbers, one by one."""
        found = self.numbers.tolist()
        for place in np.flatnonzero(self.whole).tolist():
            found[place] = int(found[place])
        return found
