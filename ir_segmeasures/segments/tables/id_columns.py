"""Columns of ids as codes: each text once, and for each row which it is."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Ints

__all__ = ['Coded', 'codes_of']


class Coded:
    """A column of texts that repeat.

    Attributes:
        distinct: the texts, in order of appearance
        code: for each row, the position of its text in ``distinct``
    """

    def __init__(self, distinct: list[str], code: Ints):
        self.distinct, self.code = distinct, code

    def __getitem__(self, row: int) -> str:
        return self.distinct[self.code[row]]

    def __len__(self) -> int:
        return len(self.code)

    def tolist(self) -> list[str]:
        return list(map(self.distinct.__getitem__, self.code.tolist()))


def codes_of(values: Sequence[Any], known: Iterable[Any] = ()) -> tuple[list[Any], Ints]:
    """The distinct values in order of appearance (``known`` first), and for each value its position among them."""
    index: defaultdict[Any, int] = defaultdict()
    index.default_factory = index.__len__  # a new value gets the next number
    for value in known:
        index[value]
    code = np.fromiter(map(index.__getitem__, values), np.intp, len(values))
    return list(index), code
