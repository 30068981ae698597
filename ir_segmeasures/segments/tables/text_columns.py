"""Columns of texts that stand in one buffer, where they are cut, compared and read as numbers without a string of each.

What cannot be done here raises a ValueError without a sentence: whoever gets it looks at the texts one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segments.arrays import Array, Bools, Floats, Ints
from ir_segmeasures.segments.tables.digits import ZEROS, read_digits
from ir_segmeasures.segments.tables.id_columns import Coded, codes_of

if TYPE_CHECKING:

    Words = Array[np.uint64]

__all__ = ['PADDING', 'CodedTexts', 'LazyColumn', 'TextColumn', 'TextIndex', 'first_rows', 'holds_blank']

PADDING = b'\n' * 8  # before all texts of a buffer: eight signs are read at a time, from the end of a text on
_LONGEST = 256  # signs of texts that are compared here
_FEW = 1000  # texts, which a dictionary finds as fast
_ROWS = 1 << 15  # whose signs are in memory again
_EIGHT = np.dtype('<u8')
_ODD, _ALL = 0x9E3779B97F4A7C15, (1 << 64) - 1
# Of eight signs, read as a number, the last few.
_LAST = np.array([_ALL >> 8 * (8 - n) << 8 * (8 - n) for n in range(9)], np.uint64)
_EXACT = 15  # digits that a float holds, whatever they are
_TENS = np.array([float(10 ** n) for n in range(_EXACT + 1)])
_BLANKS = [chr(code) for code in (0x85, 0xa0, 0x1680, *range(0x2000, 0x200b), 0x2028, 0x2029, 0x202f, 0x205f, 0x3000)]


def holds_blank(text: str) -> bool:
    """Whether there is white space that is not ASCII, at which Python splits, in a text."""
    return not text.isascii() and any(blank in text for blank in _BLANKS)


def _key(words: list[Words]) -> Words:
    """A number for each text, made of its words: eight signs are their number; longer texts may share one."""
    key, *others = reversed(words)
    for word in others:
        key = (key ^ key >> np.uint64(29)) * np.uint64(_ODD) + word
    return key


def first_rows(keys: Words) -> Ints:
    """For each number the row where it stands first: ``[keys.index(key) for key in keys]``, of a list of them.

    ``test_text_columns.py`` holds it against this loop.
    """
    table = np.empty(4 << len(keys).bit_length(), np.intp)
    shift = np.uint64(65 - len(table).bit_length())
    first = np.empty(len(keys), np.intp)
    rows = np.arange(len(keys))[::-1]  # of what is written to one place the last stays: the first row
    factor = _ODD
    while len(rows):
        # A row that finds another number in its place takes part again, with other places.
        left = keys[rows]
        place = (left * np.uint64(factor) >> shift).astype(np.intp)
        table[place] = rows
        found = table[place]
        same = keys[found] == left
        first[rows[same]] = found[same]
        rows = rows[~same]
        factor = factor * _ODD & _ALL | 1
    return first


class TextColumn:
    """A column of texts.

    Attributes:
        signs: the buffer, in UTF-8, which begins with :data:`PADDING`
        start, end: where in it each text begins and ends
    """

    def __init__(self, signs: Array[np.uint8], start: Ints, end: Ints):
        self.signs, self.start, self.end = signs, start, end

    @classmethod
    def from_texts(cls, texts: Sequence[str]) -> TextColumn:
        """A column of texts that came one by one. Raises a ValueError where one is empty or has white space inside."""
        text = '\n'.join(texts)
        signs = np.frombuffer(PADDING + text.encode() + b'\n', np.uint8)
        end = np.flatnonzero(signs[len(PADDING):] == ord('\n')) + len(PADDING)
        start = np.append(len(PADDING), end[:-1] + 1)
        if len(end) != len(texts) or (start == end).any() or np.count_nonzero(
                signs[len(PADDING):] <= ord(' ')) > len(texts) or holds_blank(text):
            raise ValueError
        return cls(signs, start, end)

    def __len__(self) -> int:
        return len(self.start)

    @property
    def longest(self) -> int:
        """The length of the longest text."""
        return int((self.end - self.start).max(initial=0))

    def __getitem__(self, rows: Any) -> Any:
        """One of the texts, or several, as a column."""
        start, end = self.start[rows], self.end[rows]
        if isinstance(rows, np.ndarray | slice):
            return TextColumn(self.signs, start, end)
        return self.signs[start:end].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def tolist(self) -> list[str]:
        """The texts, one by one."""
        texts = list[str]()
        for low in range(0, len(self), _ROWS):
            # All of them one after the other, each with a sign behind it, make one string that is split.
            start, length = self.start[low:low + _ROWS], (self.end - self.start)[low:low + _ROWS] + 1
            stop = np.cumsum(length)
            signs = self.signs[np.arange(stop[-1]) + np.repeat(start - stop + length, length)]
            signs[stop - 1] = ord('\n')
            texts += signs[:-1].tobytes().decode().split('\n')
        return texts

    def equal(self, text: str) -> Bools:
        """For each text, whether it is this one."""
        return (self.end - self.start == len(text.encode())) & self._begin_with(text)

    def _begin_with(self, text: str) -> Bools:
        begin = np.ones(len(self), bool)
        for place, sign in enumerate(text.encode()):
            begin &= self.signs[np.minimum(self.start + place, len(self.signs) - 1)] == sign
        return begin

    def without(self, prefix: str) -> TextColumn:
        """The rest of each text behind a prefix that all have. Raises a ValueError if one has not."""
        start = self.start + len(prefix.encode())
        if (start > self.end).any() or not self._begin_with(prefix).all():
            raise ValueError
        return TextColumn(self.signs, start, self.end)

    def strip(self) -> TextColumn:
        """The texts, if none has a blank before or behind it. Raises a ValueError if one has, or is empty."""
        if (self.end <= self.start).any() or (self.signs[self.start] <= ord(' ')).any() or (
                self.signs[self.end - 1] <= ord(' ')).any():
            raise ValueError
        return self

    def cut(self, sign: str) -> tuple[TextColumn, TextColumn]:
        """The texts before and behind a sign that each has once. Raises a ValueError if one has not."""
        first, last = int(self.start.min(initial=len(self.signs))), int(self.end.max(initial=0))
        place = np.flatnonzero(self.signs[first:last] == ord(sign)) + first
        if len(place) != len(self) or ((place < self.start) | (place >= self.end)).any():  # there are others elsewhere
            places = np.append(place, [len(self.signs)] * 2)
            first_inside = np.searchsorted(places, self.start)
            place = places[first_inside]
            if (place >= self.end).any() or (places[first_inside + 1] < self.end).any():
                raise ValueError
        return TextColumn(self.signs, self.start, place), TextColumn(self.signs, place + 1, self.end)

    def _words(self, before: np.uint64 | int = 0) -> Iterator[Words]:
        """Eight signs of each text at a time, from its end on, as a number; ``before`` stands for what is before it."""
        words = np.ndarray((len(self.signs) - 7,), _EIGHT, self.signs, strides=(1,))
        length = self.end - self.start
        shortest = int(length.min()) if len(length) else 0
        for done in range(0, max(1, self.longest), 8):
            if done + 8 <= shortest:
                yield words[self.end - (done + 8)]
                continue
            last = _LAST[np.minimum(np.maximum(length - done, 0), 8)]
            found = words[np.maximum(self.end - (done + 8), 0)] & last
            yield found | np.uint64(before) & ~last if before else found

    def coded(self) -> Coded:
        """The distinct texts and, for each row, which it is."""
        if self.longest > _LONGEST or not len(self):
            return Coded(*codes_of(self.tolist()))
        words = list(self._words())
        key = _key(words)
        changes = np.append(True, key[1:] != key[:-1])
        rows = np.flatnonzero(changes)  # of those that repeat the row before, as queries do, the first is enough
        first = rows[first_rows(key[rows])]
        if len(rows) < len(key):
            first = first[np.cumsum(changes) - 1]
        is_first = first == np.arange(len(first))
        others = np.flatnonzero(~is_first)
        if len(words) > 1 and any((word[others] != word[first[others]]).any() for word in words):
            return Coded(*codes_of(self.tolist()))  # two share a number
        return CodedTexts(self[np.flatnonzero(is_first)], (np.cumsum(is_first) - 1)[first])

    def ids(self) -> Coded | TextColumn:
        """The column of ids: as codes, if they are not those of segments, which hardly repeat."""
        return self if len(self) and '#' in self[0] else self.coded()

    def whole_numbers(self, largest: int = 10 ** 16 - 1, digits: int = 16) -> Array[np.int64]:
        """The texts as whole numbers, as ``[int(text) for text in column]`` has them.

        Raises a ValueError for texts of other signs than digits or of more than these, and for larger numbers.
        """
        if not len(self) or (self.end <= self.start).any() or self.longest > digits:
            raise ValueError
        number, places = self._digits()
        if places is not None or int(number.max()) > largest:
            raise ValueError
        return number

    def decimals(self, signed: bool = True) -> Floats:
        """The texts as numbers, as ``[float(text) for text in column]`` has them: decimals of at most 15 digits.

        Positions of ids have no sign, not even before 0. Raises a ValueError for other texts, such as ``1e3``.
        """
        number, places = self.fixed_point(signed)
        # A quotient of two whole numbers that floats hold is the nearest float.
        found = number / 1 if places is None else number / _TENS[places]
        minus = self.signs[self.start] == ord('-')
        return np.where(minus, -found, found) if minus.any() else found

    def fixed_point(self, signed: bool = False) -> tuple[Array[np.int64], Ints | None]:
        """The digits of decimals as whole numbers, without sign and dot, and how many of them stand behind the dot:
        1205 and 2 for ``12.05``; None if there is no dot at all.

        Raises a ValueError for other texts, and for more than 15 digits.
        """
        if not len(self):
            raise ValueError
        minus = self.signs[self.start] == ord('-')
        has_minus = bool(minus.any())
        if has_minus and not signed:
            raise ValueError
        texts = TextColumn(self.signs, self.start + minus, self.end) if has_minus else self
        number, places = texts._digits()
        length = texts.end - texts.start
        # A dot is no digit; of it, _digits has made sure that there is one at most.
        count = length if places is None else length - (places >= 0)
        if int(count.min()) < 1 or int(count.max()) > _EXACT:
            raise ValueError
        return number, None if places is None else np.maximum(places, 0)

    def _digits(self) -> tuple[Array[np.int64], Ints | None]:
        if self.longest > 16:
            raise ValueError
        return read_digits(self._words(ZEROS))


class CodedTexts(Coded):
    """A column of texts that repeat, of which the distinct ones become strings when somebody looks at them.

    Attributes:
        texts: the distinct texts, in order of appearance
        code: for each row, the position of its text in ``texts``
    """

    def __init__(self, texts: TextColumn, code: Ints):
        self.texts, self.code = texts, code

    @cached_property
    def distinct(self) -> list[str]:  # type: ignore[override]
        return self.texts.tolist()

    def __reduce__(self) -> tuple[Any, ...]:
        return Coded, (self.distinct, self.code)  # without the buffer


class TextIndex:
    """Where each of different texts stands in their list."""

    def __init__(self, texts: list[str]):
        self._texts = texts

    def positions(self, texts: list[str]) -> Ints:
        """The position of each text, or -1."""
        if len(texts) > _FEW and self._keys is not None:
            keys = _short_keys(texts)
            if keys is not None:
                first = first_rows(np.concatenate([self._keys, keys]))[len(self._keys):]
                return np.where(first < len(self._keys), first, -1)
        return np.fromiter(map(self._places.get, texts, repeat(-1)), np.intp, len(texts))

    @cached_property
    def _places(self) -> dict[str, int]:
        return dict(zip(self._texts, range(len(self._texts))))

    @cached_property
    def _keys(self) -> Words | None:
        return _short_keys(self._texts)


def _short_keys(texts: list[str]) -> Words | None:
    """A number for each text of at most eight signs; None if one is longer, or no field of a line."""
    with suppress(TypeError, ValueError):
        column = TextColumn.from_texts(texts)
        if column.longest <= 8:
            return next(column._words())
    return None


class LazyColumn:
    """A column that is made of texts when somebody looks at it.

    Args:
        texts: of the rows
        convert: the value of a text
    """

    def __init__(self, texts: TextColumn, convert: Callable[[str], Any]):
        self.texts, self.convert = texts, convert

    @cached_property
    def _values(self) -> list[Any]:
        coded = self.texts.coded()  # each different text is converted once
        values = list(map(self.convert, coded.distinct))
        return [values[code] for code in coded.code.tolist()]

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, row: Any) -> Any:
        return LazyColumn(self.texts[row], self.convert) if isinstance(row, np.ndarray | slice) else self._values[row]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def tolist(self) -> list[Any]:
        """The values, one by one."""
        return self._values
