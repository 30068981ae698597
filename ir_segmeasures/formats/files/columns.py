"""The fields of a text all at once, by columns: several times as fast as line by line, without a word on what is wrong.

Whoever gets a ``ValueError`` here goes through the lines one by one, to find the line and the sentence.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ['columns_of', 'decimals', 'whole_numbers']


def columns_of(text: str) -> list[list[str]]:
    """The columns of lines that all have the same number of fields. Raises ``ValueError`` if they do not."""
    text = text.rstrip()
    # One split of the whole text costs a quarter of a split a line; what is left is to see that no field went astray.
    fields = text.split()
    width = len(text.partition('\n')[0].split())
    if not _all_lines_have(text, width, len(fields)):
        raise ValueError
    return [fields[column::width] for column in range(width)]


def _all_lines_have(text: str, width: int, fields: int) -> bool:
    text = text.replace(' \n', '\n')  # some files have a blank at the end of their lines
    lines = text.count('\n') + 1
    if fields != lines * width:
        return False
    if text.isascii() and text.count(' ') == fields - lines and width > 1:
        data = np.frombuffer(text.encode(), np.uint8)
        ends = np.flatnonzero(data < 0x20)
        if len(ends) == lines - 1:  # blanks alone split lines, so that none has more fields than blanks and one
            blanks = np.flatnonzero(data == 0x20).reshape(lines, width - 1)
            return bool((blanks[:-1, -1] < ends).all() and (blanks[1:, 0] > ends).all())
    marked = text.replace('\n', ' \0 ').split()
    return marked.count('\0') == marked[width::width + 1].count('\0') == lines - 1


def whole_numbers(texts: Sequence[str], largest: int) -> np.ndarray[Any, Any]:
    """A column of numbers of digits, up to ``largest``. Raises ``ValueError``, without a sentence, for any other."""
    text = ' '.join(texts)
    if not texts or text.encode(errors='replace').translate(None, b'0123456789 '):
        raise ValueError
    numbers = np.fromstring(text, np.int64, sep=' ')  # those that are too large become the largest there is
    if numbers.max() > largest:
        raise ValueError
    return numbers


def decimals(texts: Sequence[str]) -> np.ndarray[Any, Any]:
    """A column of finite numbers. Raises ``ValueError``, without a sentence, for any other text."""
    if '_' in ''.join(texts):  # which Python takes
        raise ValueError
    numbers = np.fromiter(map(float, texts), np.float64, len(texts))
    if not np.isfinite(numbers).all():
        raise ValueError
    return numbers
