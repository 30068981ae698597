"""JSON in files and in their lines, read as the records that a format declares."""

from collections.abc import Callable
from json import JSONDecodeError
from typing import Any, TypeVar

import msgspec

from ir_segmeasures.formats.files.reading import FormatError, StrPath, errors_in, numbered_rows, read_text
from ir_segmeasures.segments.basics import TwiceError, loads
from ir_segmeasures.segments.records import converted as converted

Found = TypeVar('Found')

_LINE = 'each line is one JSON object: correct it'


def read_object(path: StrPath, name: str, parse: Callable[[Any], Found], kind: Any = Any) -> Found:
    """The content of a file that is one JSON value, as ``parse`` makes it. An empty file has none.

    Args:
        path: of the file, ``.gz`` by suffix
        name: of what the file has, such as ``'the predictions of TVR'``
        parse: makes it of the record, and raises ``ValueError`` with a sentence
        kind: the type of the record

    Raises:
        FormatError: the file is not JSON, or of another form; the sentence of ``parse``
        OSError: the file cannot be opened
    """
    text = read_text(path)
    with errors_in(path):
        try:
            content = msgspec.json.decode(text, type=kind)  # which takes 2 s for a million windows, Python's reader 6 s
        except (msgspec.MsgspecError, RecursionError):
            content = converted(json_value(text, f'{name} are one value of JSON: write it once more', path), kind,
                                f'the file ({name})')
        return parse(content)


def json_lines(path: StrPath, parse: Callable[[str], Found], text: str | None = None,
               faults: list[FormatError] | None = None) -> list[tuple[int, Found]]:
    """The number, from 1, of each line that is not blank, and what ``parse`` makes of it.

    Args:
        path: of the file
        parse: raises ``ValueError`` with a sentence
        text: of the file, if it has been read already
        faults: where the errors about lines belong; the first is raised if it is not given

    Raises:
        FormatError: the sentence of ``parse``, with the line
        OSError: the file cannot be opened
    """
    return list(zip(*numbered_rows(path, lambda fields: parse(fields[0]), lambda line: [line] if line.strip() else [],
                                   faults=faults, text=text)))


def record_of(line: str, kind: Any) -> Any:
    """The record of a line, of a type. Raises ``ValueError`` with a sentence for another line."""
    return converted(json_value(line), kind, 'the line')


def json_value(text: str, wanted: str = _LINE, path: StrPath | None = None) -> Any:
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
    except JSONDecodeError as error:
        sentence, line = f'{what} is not JSON at column {error.colno} ({error.msg}), but {wanted}', error.lineno
    except ValueError as error:
        sentence = f'{what} cannot be read as JSON: {error}, but {wanted}'
    raise ValueError(sentence) if path is None else FormatError(sentence, path, line)


def json_values(text: str) -> list[Any]:
    """The values of JSON, a list or one value, or of JSON lines; a byte order mark before them is skipped.

    Examples:
        >>> from ir_segmeasures.formats.json_files import json_values
        >>> json_values('[1, 2]'), json_values('1'), json_values('1\\n2\\n')
        ([1, 2], [1], [1, 2])

    Raises:
        ValueError: the text is neither
    """
    text = text.removeprefix('\ufeff')
    try:
        value = loads(text)
    except ValueError:
        return [json_value(line) for line in text.split('\n') if line.strip()]
    return value if isinstance(value, list) else [value]
