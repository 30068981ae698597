"""Columns of texts that stand in one buffer, where they are cut, compared and read as numbers without a string of each.

Whatever this cannot do raises a ValueError without a sentence: whoever gets it looks at the texts one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from ir_segmeasures.segments.tables.id_columns import Coded, codes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.intp]
    Words = NDArray[np.uint64]

__all__ = ['Index', 'Later', 'Pieces', 'fields_of']

_LONGEST = 256  # signs of texts that are compared here
_FEW = 1000  # texts, which a dictionary finds as fast
_ROWS = 1 << 15  # whose signs are in memory again
_EIGHT = np.dtype('<u8')
# Of eight signs, read as a number, the last few.
_LAST = np.array([((1 << 64) - 1) >> 8 * (8 - n) << 8 * (8 - n) for n in range(9)], np.uint64)
_ODD = np.uint64(0x9E3779B97F4A7C15)
_TENS = np.array([float(10 ** n) for n in range(16)])
_EXACT = len(_TENS) - 1  # digits that a float holds, whatever they are
# White space that is not ASCII, at which Python splits.
_BLANKS = [chr(code) for code in (0x85, 0xa0, 0x1680, *range(0x2000, 0x200b), 0x2028, 0x2029, 0x202f, 0x205f, 0x3000)]


def _one(words: list[Words]) -> Words:
    """A number for each text, made of its words: eight signs are their number; longer texts may share one."""
    key, *others = reversed(words)
    for word in others:
        key = (key ^ key >> np.uint64(29)) * _ODD + word
    return key


def _eights(signs: int) -> np.uint64:
    return np.uint64(signs * 0x0101010101010101)


_ZEROS, _HIGH, _SIX, _THREES = _eights(0x30), _eights(0xf0), _eights(6), _eights(0x33)


class Pieces:
    """A column of texts.

    Attributes:
        signs: the buffer, in UTF-8, at least eight signs longer before the first text
        start, end: where in it each text begins and ends
    """

    def __init__(self, signs: NDArray[np.uint8], start: Ints, end: Ints):
        self.signs, self.start, self.end = signs, start, end

    @classmethod
    def of(cls, texts: Sequence[str]) -> Pieces:
        """The same of texts one by one. Raises a ValueError where one is empty or has white space inside."""
        text = '\n'.join(texts)
        fields, newlines = fields_of(text)
        length = int((fields.end - fields.start).sum())
        if not len(fields) == len(newlines) == len(texts) or length + len(texts) - 1 != len(text.encode()):
            raise ValueError
        return fields

    def __len__(self) -> int:
        return len(self.start)

    @property
    def longest(self) -> int:
        """The length of the longest text."""
        return int((self.end - self.start).max(initial=0))

    def __getitem__(self, rows: Any) -> Any:
        """One of the texts, or some, as a column."""
        start, end = self.start[rows], self.end[rows]
        if isinstance(rows, np.ndarray):
            return Pieces(self.signs, start, end)
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

    def equal(self, text: str) -> NDArray[np.bool_]:
        """For each text, whether it is this one."""
        return (self.end - self.start == len(text.encode())) & self._begin_with(text)

    def _begin_with(self, text: str) -> NDArray[np.bool_]:
        begin = np.ones(len(self), bool)
        for place, sign in enumerate(text.encode()):
            begin &= self.signs[np.minimum(self.start + place, len(self.signs) - 1)] == sign
        return begin

    def without(self, prefix: str) -> Pieces:
        """What follows the prefix that all have. Raises a ValueError if one has not."""
        start = self.start + len(prefix.encode())
        if (start > self.end).any() or not self._begin_with(prefix).all():
            raise ValueError
        return Pieces(self.signs, start, self.end)

    def cut(self, sign: str) -> tuple[Pieces, Pieces]:
        """What stands before and after a sign that all have once. Raises a ValueError if one has not."""
        place = np.flatnonzero(self.signs == ord(sign))
        if len(place) != len(self) or ((place < self.start) | (place >= self.end)).any():  # there are others elsewhere
            places = np.append(place, [len(self.signs)] * 2)
            first = np.searchsorted(places, self.start)
            place = places[first]
            if (place >= self.end).any() or (places[first + 1] < self.end).any():
                raise ValueError
        return Pieces(self.signs, self.start, place), Pieces(self.signs, place + 1, self.end)

    def _words(self, before: np.uint64 | int = 0) -> Iterator[Words]:
        """Eight signs of each text at a time, from its end on, as a number; ``before`` stands for what is before it."""
        words = np.ndarray((len(self.signs) - 7,), _EIGHT, self.signs, strides=(1,))
        length = self.end - self.start
        for done in range(0, max(1, self.longest), 8):
            last = _LAST[np.clip(length - done, 0, 8)]
            yield words[np.maximum(self.end - (done + 8), 0)] & last | np.uint64(before) & ~last

    def coded(self) -> Coded:
        """The distinct texts and, for each row, which it is."""
        if self.longest > _LONGEST or not len(self):
            return Coded(*codes_of(self.tolist()))
        words = list(self._words())
        key = _one(words)
        # Of those that repeat the row before, as queries do, the first is enough.
        other = np.ones(len(key), bool)
        other[1:] = key[1:] != key[:-1]
        rows = np.flatnonzero(other)
        order = np.argsort(key[rows])
        ordered = key[rows[order]]
        new = np.ones(len(order), bool)
        new[1:] = ordered[1:] != ordered[:-1]
        first = np.minimum.reduceat(order, np.flatnonzero(new))
        by_appearance = np.argsort(first)
        place = np.empty(len(first), np.intp)
        place[by_appearance] = np.arange(len(first))
        code = np.empty(len(rows), np.intp)
        code[order] = place[np.cumsum(new) - 1]
        code, first = code[np.cumsum(other) - 1], rows[first[by_appearance]]
        if len(words) > 1 and any((word != word[first][code]).any() for word in words):  # two share a number
            return Coded(*codes_of(self.tolist()))
        return Coded(self[first].tolist(), code)

    def ids(self) -> Coded | Pieces:
        """The column of ids: as codes, if they are not those of segments, which hardly repeat."""
        return self if len(self) and '#' in self[0] else self.coded()

    def whole_numbers(self, largest: int = 10 ** 16 - 1) -> NDArray[np.int64]:
        """Numbers of digits. Raises a ValueError for other texts, larger numbers, and more than 16 digits."""
        if not len(self) or (self.end <= self.start).any():
            raise ValueError
        numbers = self._digits()
        if numbers.max() > largest:
            raise ValueError
        return numbers

    def _digits(self) -> NDArray[np.int64]:
        """Digits as a number; no digit is 0."""
        if self.longest > 16:
            raise ValueError
        number = np.zeros(len(self), np.int64)
        for place, word in enumerate(self._words(_ZEROS)):
            # All eight at once: '0' is 0x30, and what is above '9' passes 0x3f with six more.
            if ((word & _HIGH | (word + _SIX & _HIGH) >> np.uint64(4)) != _THREES).any():
                raise ValueError
            word = word - _ZEROS
            for digits, mask in ((1, 0x00ff00ff00ff00ff), (2, 0x0000ffff0000ffff), (4, 0x00000000ffffffff)):
                word = word * np.uint64(10 ** digits) + (word >> np.uint64(8 * digits)) & np.uint64(mask)
            number += word.astype(np.int64) * 10 ** (8 * place)
        return number

    def decimals(self, signed: bool = True) -> NDArray[np.float64]:
        """Decimals of at most 15 digits, as Python reads them; positions of ids have no sign, not even before 0. Raises
        a ValueError for other texts.
        """
        if not len(self):
            raise ValueError
        minus = self.signs[self.start] == ord('-')
        if not signed and minus.any():
            raise ValueError
        start = self.start + minus
        dots = np.append(np.flatnonzero(self.signs == ord('.')), len(self.signs))
        dot = np.minimum(dots[np.searchsorted(dots, start)], self.end)
        whole, part = Pieces(self.signs, start, dot), Pieces(self.signs, np.minimum(dot + 1, self.end), self.end)
        places = part.end - part.start
        count = dot - start + places
        if int(count.min()) < 1 or int(count.max()) > _EXACT:
            raise ValueError
        # A quotient of two whole numbers that floats hold is the nearest float.
        scale = _TENS[places]
        number = (whole._digits() * scale + part._digits()) / scale if places.any() else whole._digits() / 1
        return np.where(minus, -number, number) if minus.any() else number


class Index:
    """Where each of some different texts stands in their list."""

    def __init__(self, texts: list[str]):
        self._texts = texts

    def of(self, texts: list[str]) -> Ints:
        """The place of each text, or -1."""
        if len(texts) > _FEW and self._sorted is not None:
            with suppress(TypeError, ValueError):
                column = Pieces.of(texts)
                if column.longest <= 8:
                    return _search(*self._sorted, *column._words())
        return np.fromiter(map(self._places.get, texts, repeat(-1)), np.intp, len(texts))

    @cached_property
    def _places(self) -> dict[str, int]:
        return dict(zip(self._texts, range(len(self._texts))))

    @cached_property
    def _sorted(self) -> tuple[Words, Ints] | None:
        """The texts as numbers, in order, and their places; None if they are too long for that."""
        with suppress(TypeError, ValueError):
            column = Pieces.of(self._texts)
            if column.longest <= 8:
                numbers, = column._words()
                order = np.argsort(numbers)
                return numbers[order], order
        return None


def _search(numbers: Words, places: Ints, wanted: Words) -> Ints:
    # Searched in order, they stay in the processor's cache.
    order = np.argsort(wanted)
    wanted = wanted[order]
    at = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
    found = np.empty(len(order), np.intp)
    found[order] = np.where(numbers[at] == wanted, places[at], -1)
    return found


class Later:
    """A column that is made of texts when somebody looks at it.

    Args:
        texts: of the rows
        make: the values of all texts
    """

    def __init__(self, texts: Pieces, make: Callable[[Pieces], Any]):
        self._texts, self._make = texts, make

    @cached_property
    def _values(self) -> list[Any]:
        return list(self._make(self._texts))

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, row: int) -> Any:
        return self._values[row]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def tolist(self) -> list[Any]:
        """The values, one by one."""
        return self._values


def fields_of(text: str) -> tuple[Pieces, Ints]:
    """All fields of a text, which blanks, tabs and line ends separate, and where in the buffer its lines end.

    Raises a ValueError where other white space or control characters are, and where there is no field.
    """
    text = text.rstrip(' \t\n')
    if not text or (not text.isascii() and any(sign in text for sign in _BLANKS)):
        raise ValueError
    signs = np.frombuffer(b'\n' * 8 + text.encode() + b'\n', np.uint8)
    gap = signs <= ord(' ')
    newlines = np.flatnonzero(signs == ord('\n'))
    others = np.count_nonzero(gap) - len(newlines) - np.count_nonzero(signs == ord(' '))
    if others and others != np.count_nonzero(signs == ord('\t')):
        raise ValueError
    edges = np.flatnonzero(gap[1:] != gap[:-1]) + 1
    return Pieces(signs, edges[::2], edges[1::2]), newlines[8:]
