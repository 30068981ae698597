"""Files that are one JSON object, and the values in it, looked up with a sentence for what is missing or wrong."""

from collections.abc import Callable
from typing import Any, TypeVar

from ir_segmeasures.formats.files.fields import is_number
from ir_segmeasures.formats.files.reading import FormatError, StrPath, decode_text, read_text
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.moment_windows import checked_window, shown_value
from ir_segmeasures.segments.json_objects import TwiceError, loads
from ir_segmeasures.segments.quoting import quoted

__all__ = ['number_at', 'read_object', 'value_of', 'window_of']

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
    try:
        content = loads(text)
    except TwiceError as error:
        raise FormatError(str(error), path) from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f'the file is not JSON ({error}), but {name} are {form}: write it once more', path) from None
    try:
        return parse(content)
    except ValueError as error:
        raise FormatError(str(error), path) from None


def value_of(record: Any, key: str, kinds: Any, wanted: str, where: str) -> Any:
    """The value of a key of an object.

    Args:
        record: the object
        key, kinds: of the value
        wanted: what the value is, in words
        where: what the object is, in words

    Raises:
        ValueError: it is not there, or of another kind
    """
    if not isinstance(record, dict) or key not in record:
        raise ValueError(f'{where} has no {quoted(key)}, which is {wanted}: add it, or check that this is the right '
                         'file')
    if not isinstance(record[key], kinds) or isinstance(record[key], bool):
        raise ValueError(f'{quoted(key)} of {where} is not {wanted}: correct it')
    return record[key]


def number_at(record: Any, key: str, where: str) -> Number:
    """The finite number of a key of an object. Raises ``ValueError`` for another value."""
    value: Number = value_of(record, key, (int, float), 'a number', where)
    if not is_number(value):
        raise ValueError(f'{quoted(key)} of {where} is {shown_value(value)}, but it has to be a finite number: correct '
                         'it')
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
