"""The digits of many texts as numbers, eight signs of each at a time."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Array, Ints

__all__ = ['ZEROS', 'read_digits']


def _eights(sign: int) -> np.uint64:
    return np.uint64(sign * 0x0101010101010101)


ZEROS = _eights(ord('0'))  # eight of them, as a number
_DOTS, _HIGH, _SIX, _THREES, _TOP, _BELOW = map(_eights, (ord('.'), 0xf0, 0x06, 0x33, 0x80, 0x7f))
_ONE = np.uint64(1)


def read_digits(words: Iterable[Array[np.uint64]]) -> tuple[Array[np.int64], Ints | None]:
    """The digits of each text as one number, and how many of them follow its dot, -1 where it has none; None if none
    has.

    For each text it is ``int(text.replace('.', '') or 0)`` and ``len(text) - 1 - text.find('.')`` where there is a dot;
    ``test_text_columns.py`` holds it against Python's own numbers.

    Args:
        words: eight signs of each text as a number in the order of bytes of little-endian machines, from the end of the
            text on, with zeros (:data:`ZEROS`) before it; at most 16 signs

    Raises a ValueError, without a sentence, for other signs than digits and one dot.
    """
    number: Any = 0
    weight: Any = 1  # of the last of the eight signs
    places = None
    for behind, word in enumerate(words):
        # The sign that is a dot, as 1 in its byte: no other byte is 0 after the ^, and 0x7f does not carry over.
        dots = word ^ _DOTS
        dots = (~((dots & _BELOW) + _BELOW | dots) & _TOP) >> np.uint64(7)
        has_dot = dots != 0
        if has_dot.any():
            if (dots & dots - _ONE).any() or (places is not None and (has_dot & (places >= 0)).any()):
                raise ValueError
            # What stands before the dot moves into its place, and a zero comes first.
            before = dots - has_dot
            after = ~(before | dots * np.uint64(0xff))
            word = (word & before) << np.uint64(8) | word & after | has_dot * np.uint64(ord('0'))
            # The exponent of 256 ** place tells the place.
            place = (np.frexp(dots.astype(np.float64))[1] - 1) // 8
            found = np.where(has_dot, 8 * behind + 7 - place, -1)
            places = found if places is None else np.maximum(places, found)
        # All eight at once: '0' is 0x30, and what is above '9' passes 0x3f with six more.
        if ((word & _HIGH | (word + _SIX & _HIGH) >> np.uint64(4)) != _THREES).any():
            raise ValueError
        word = word - ZEROS
        # Neighbours become numbers of two digits, these of four, and these of eight.
        for digits, mask in ((1, 0x00ff00ff00ff00ff), (2, 0x0000ffff0000ffff), (4, 0x00000000ffffffff)):
            word = word * np.uint64(10 ** digits) + (word >> np.uint64(8 * digits)) & np.uint64(mask)
        number = number + word.astype(np.int64) * weight
        weight = weight * np.where(has_dot, 10 ** 7, 10 ** 8)
    return number, places
