"""Columns of ids, of which each text is looked at once: as codes, or as Arrow holds them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Array, Ints

__all__ = ['ArrowTexts', 'Coded', 'coded', 'codes_of']


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

    def tolist(self) -> list[str]:
        return np.array(self.distinct, object)[self.code].tolist()

    def map(self, function: Callable[[str], Any]) -> list[Any]:
        """The values of a function for all rows; each text is given to it once."""
        values = list(map(function, self.distinct))
        return [values[code] for code in self.code.tolist()]

    def __len__(self) -> int:
        return len(self.code)

    def __iter__(self) -> Iterator[str]:
        return map(self.distinct.__getitem__, self.code.tolist())


class ArrowTexts:
    """A column of texts that Arrow holds; one by one, they would take several times the memory.

    Attributes:
        array: an array or a chunked array of Arrow, of strings or large strings, without missing values
    """

    def __init__(self, array: Any):
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, row: Any) -> Any:
        return self.array[row].as_py()

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def tolist(self) -> list[str]:
        texts: list[str] = self.array.to_pylist()
        return texts


def codes_of(values: Sequence[Any], known: Iterable[Any] = ()) -> tuple[list[Any], Ints]:
    """The distinct values in order of appearance (``known`` first), and for each value its position among them."""
    index: defaultdict[Any, int] = defaultdict()
    index.default_factory = index.__len__  # a new value gets the next number
    for value in known:
        index[value]
    code = np.fromiter(map(index.__getitem__, values), np.intp, len(values))
    return list(index), code


def coded(column: Any) -> Any:
    """A column of texts of Arrow as codes, or as a list of texts where its dictionary has gaps or repeats."""
    import pyarrow
    if not len(column):
        return Coded([], np.zeros(0, np.intp))
    # One block, one dictionary.
    if not pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    if isinstance(column, pyarrow.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pyarrow.ChunkedArray):
        column = column.unify_dictionaries().chunk(0)
    return _by_appearance(column.dictionary.to_pylist(), column.indices.to_numpy(zero_copy_only=False))


def _by_appearance(texts: list[str], code: Array[Any]) -> Coded | list[str]:
    """The texts that appear, in order of appearance: a dictionary of Arrow has any order, and more than appears."""
    if len(set(texts)) < len(texts) or None in texts:
        return [texts[i] for i in code.tolist()]
    code = code.astype(np.intp, copy=False)
    first = np.full(len(texts), len(code), np.intp)
    first[code[::-1]] = np.arange(len(code) - 1, -1, -1)  # of what is written to one place the last stays
    if (first[1:] > first[:-1]).all() and (first < len(code)).all():
        return Coded(texts, code)
    order = np.argsort(first, kind='stable')
    order = order[first[order] < len(code)]
    place = np.empty(len(texts), np.intp)
    place[order] = np.arange(len(order))
    return Coded([texts[i] for i in order.tolist()], place[code])
