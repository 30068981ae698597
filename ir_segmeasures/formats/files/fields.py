"""Fields of lines as values: converters take the texts of a column and give the column of their values.

A converter raises ``ValueError`` if one of the texts is wrong. Its sentence is about the first, which is the wrong one
where the column is a single line.
"""

import math
import re
from collections.abc import Callable, Container, Sequence
from functools import partial
from sys import intern
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.row_types import column_of
from ir_segmeasures.segments.basics import Array, Floats, plain_number, quoted

_INTEGER = re.compile(r'-?[0-9]{1,9}')
LARGEST = 10 ** 9 - 1  # of whole numbers in files


def wrong_fields(fields: Sequence[Any], kind: str, expected: str, count: str) -> ValueError:
    """The error for a line with too few or too many fields, for the line parser to raise."""
    line = ' '.join(map(str, fields))
    what, repair = next((what, repair) for is_so, what, repair in (
        (line.startswith(('#', ';;')), 'is a comment, or has a wrong number of fields', 'take comments out'),
        (line.startswith(('{', '[')), 'is JSON',
         "name the format of the file, such as 'moments', one of 'ir_segmeasures formats'"),
        (any(line.count(sign) >= 2 for sign in ',;') and line[0] != '<', 'is CSV',
         'read it as csv, with names of columns in the first line'),
        (True, f'has {len(fields)} field{"s" * (len(fields) != 1)}',
         'add or remove fields; white space inside an id splits it')) if is_so)
    return ValueError(f'the line {what}, but a line of {kind} has {count}: {expected}: {repair}')


def converter(convert: Callable[[list[str]], Any], sentence: str) -> Callable[[list[str]], Any]:
    """A converter with a sentence, in which ``{}`` stands for the text."""
    def converted(texts: list[str]) -> Any:
        try:
            return convert(texts)
        except ValueError:
            raise ValueError(sentence.format(quoted(texts[0]))) from None
    return converted


def each_text(convert: Callable[[str], Any]) -> Callable[[list[str]], Any]:
    """The converter of a function of one text. Each distinct text is converted once."""
    def converted(texts: list[str]) -> Any:
        values = {text: convert(text) for text in dict.fromkeys(texts)}
        return column_of(list(map(values.__getitem__, texts)))
    return converted


def interned(texts: list[str]) -> list[str]:
    """Texts that repeat on many lines, each kept once."""
    return list(map(intern, texts))


def finite_number(text: str) -> float | None:
    """The number, or None for anything else, such as ``nan``, ``inf`` and Python's own ``1_000``."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and '_' not in text else None


def finite_numbers(texts: list[str]) -> Floats:
    """Numbers, as :func:`finite_number` has them."""
    column = np.fromiter(map(float, texts), np.float64, len(texts))
    if not np.isfinite(column).all() or '_' in ''.join(texts):
        raise ValueError
    return column


scores = converter(finite_numbers, 'score {} is not a finite number, but scores rank items: write 12.5 or 1e-3')


def numbers(texts: list[str]) -> Any:
    """Numbers, integers where they are whole."""
    whole = all_whole(finite_numbers(texts))
    return whole if whole.dtype == np.int64 else list(map(plain_number, whole.tolist()))


def positions(texts: list[str]) -> Array[Any]:
    """Numbers from 0 up, integers where all of them are whole."""
    column = finite_numbers(texts)
    if (column < 0).any():
        raise ValueError
    return all_whole(column)


seconds = converter(positions, 'time {} is not a number from 0 up, but times are seconds of the recording: correct it')


def refuse_backwards(backwards: Any, start: str, end: str) -> None:
    """Raises a ValueError that shows the texts of a start and of an end, if the end is before the start."""
    if backwards:
        raise ValueError(f'end {quoted(end)} is before start {quoted(start)}, where it cannot be: swap the two')


def refuse_empty(empty: Any) -> None:
    """Raises a ValueError for a relevant segment, if it is one without content."""
    if empty:
        raise ValueError('a relevant judgement needs content: move its end, or take it out')


def all_whole(column: Array[Any]) -> Array[Any]:
    """The column as integers, if all of its numbers are whole: those of documents' measures are not others."""
    whole = (column == np.rint(column)).all() and np.abs(column).max(initial=0) < 1e15
    return column.astype(np.int64) if whole else column


def whole_number(text: str, what: str, rule: str, least: int = 0, most: int = LARGEST) -> int:
    """A whole number within two bounds, which may be reached. Raises ``ValueError`` for anything else."""
    if _INTEGER.fullmatch(text) and least <= (number := int(text)) <= most:
        return number
    raise ValueError(f'{what} {quoted(text)} is not a whole number from {least} to {most} ({rule}): correct it')


def whole_numbers(what: str, rule: str, least: int = 0, most: int = LARGEST) -> Callable[[list[str]], Any]:
    """The converter of :func:`whole_number`."""
    return each_text(partial(whole_number, what=what, rule=rule, least=least, most=most))


def nine_digits(text: str) -> int | None:
    """A whole number of at most nine digits; None for any other text."""
    return int(text) if _INTEGER.fullmatch(text) and text[0] != '-' else None


def codes_of_column(column: Any) -> Array[Any]:
    """A number for each value of a column, the same for the same value, in the order of their first appearance."""
    values = column.tolist() if isinstance(column, np.ndarray) else column
    known = {value: code for code, value in enumerate(dict.fromkeys(values))}
    return np.fromiter(map(known.__getitem__, values), np.intp, len(values))


def refuse_again(topic: str, topics: Container[str],
                 rule: str = 'every topic has an id of its own: correct it') -> None:
    """Raises a ValueError, with the rule, for a topic that is one of those before."""
    if topic in topics:
        raise ValueError(f'topic {quoted(topic)} is already there, but {rule}')


def id_of(text: str, what: str) -> str:
    """The text, if it is an id. Raises ``ValueError`` if it is empty or holds white space."""
    if text.split() != [text]:
        raise ValueError(f'{what} {quoted(text)} is empty or holds white space, at which lines are split: write it as '
                         'runs and judgements do')
    return text
