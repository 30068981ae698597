"""JSON in files and in their lines, and the values in it, with a sentence for what is missing or wrong."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from ir_segmeasures.formats.files.reading import FormatError, StrPath, decode_text, errors_in, read_text
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.moment_windows import LARGEST, checked_window
from ir_segmeasures.segments.arrays import Floats
from ir_segmeasures.segments.json_objects import TwiceError, is_number, loads, shown_value, value_of

__all__ = ['NOT_PLAIN', 'json_value', 'number_at', 'plain_floats', 'read_object', 'refuse_other_types',
           'refuse_other_windows', 'window_of']

# What is raised, without a sentence, where values are looked at all at once, and one is wrong or not plain: where it is
# will be found one by one.
NOT_PLAIN = AttributeError, LookupError, OverflowError, TypeError, ValueError

Found = TypeVar('Found')


def read_object(path: StrPath, name: str, parse: Callable[[Any], Found], form: str = 'one JSON object',
                data: bytes | None = None) -> Found:
    """The content of a file that is one JSON object, as ``parse`` makes it of its value. An empty file has none.

    Args:
        path: of the file, ``.gz`` by suffix
        name: of what the file has, such as ``'the predictions of TVR'``
        parse: raises ``ValueError`` with a sentence
        form: of such files, in words
        data: what the file has, if it has been read already

    Raises:
        FormatError: the file is not JSON; the sentence of ``parse``
        OSError: the file cannot be opened
    """
    text = read_text(path) if data is None else decode_text(data, path)
    content = json_value(text, f'{name} are {form}: write it once more', path)
    with errors_in(path):
        return parse(content)


def json_value(text: str, wanted: str = 'each line is one JSON object: correct it', path: StrPath | None = None) -> Any:
    """The value of a JSON text: a line of a file, or all of it.

    Args:
        text: of the line or the file
        wanted: what such lines or files are, and the repair, in words
        path: of the file, if the text is all of it

    Raises:
        ValueError: the text is not JSON, or one of its objects has a key twice; of a whole file a FormatError
    """
    what, line = 'the line' if path is None else 'the file', None
    try:
        return loads(text)
    except TwiceError as error:
        sentence = str(error)
    except json.JSONDecodeError as error:
        sentence, line = f'{what} is not JSON at column {error.colno} ({error.msg}), but {wanted}', error.lineno
    except ValueError as error:
        sentence = f'{what} cannot be read as JSON: {error}, but {wanted}'
    raise ValueError(sentence) if path is None else FormatError(sentence, path, line)


def number_at(record: Any, key: str, where: str) -> Number:
    """The finite number of a key of an object. Raises ``ValueError`` for another value."""
    value: Number = value_of(record, key, (int, float), 'a finite number', where)
    return value


def window_of(value: Any, where: str, clip: bool | None = None) -> tuple[Number, Number]:
    """The start and the end of ``[start, end]``.

    Args:
        value: to be such a list
        where: it stands, in words
        clip: as for :func:`~ir_segmeasures.formats.moment_windows.checked_window`

    Raises:
        ValueError: it is none, or no part of a video
    """
    if not (isinstance(value, list) and len(value) == 2 and all(map(is_number, value))):
        raise ValueError(f'{where} has the window {shown_value(value)}, but a window is [start, end] in finite '
                         'numbers: correct it')
    try:
        checked_window(value, clip)
    except ValueError as error:
        raise ValueError(f'{where}: {error}') from None
    return value[0], value[1]


def plain_floats(values: Sequence[Any], below: float = 1e300) -> Floats:
    """Values of JSON as floats. Raises an error of ``NOT_PLAIN`` where one is no number, or not between ``-below`` and
    ``below``."""
    refuse_other_types(values, int, float)
    floats = np.array(values, np.float64)
    if not (abs(floats) < below).all():
        raise ValueError
    return floats


def refuse_other_types(values: Iterable[Any], *types: type) -> None:
    """Raises a ValueError where a value is of none of these types."""
    if not set(types).issuperset(map(type, values)):
        raise ValueError


def refuse_other_windows(starts: Sequence[Any], ends: Sequence[Any]) -> None:
    """Raises an error of ``NOT_PLAIN`` where :func:`window_of` does, or would have to look, for one of the windows."""
    start, end = plain_floats(starts), plain_floats(ends, LARGEST)  # below it, whole numbers are the same as floats
    if not ((start >= 0) & (start <= end)).all():
        raise ValueError
