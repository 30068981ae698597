"""The lines of moment retrieval's files: each is a JSON object of one query in one video."""

from collections.abc import Callable
from typing import Any, TypeVar

from ir_segmeasures.formats.files.reading import StrPath, numbered_rows_of, read_text, refuse_twice
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.json_files import json_value
from ir_segmeasures.segments.json_objects import is_number, shown_value, value_of
from ir_segmeasures.segments.quoting import quoted

__all__ = ['duration_in', 'query_lines_of', 'read_query_lines', 'record_in', 'value_in', 'whole_line']

Row = TypeVar('Row')


def read_query_lines(path: StrPath, parse: Callable[[list[str]], tuple[str, Row]]) -> list[tuple[int, str, Row]]:
    """The number of each line, its query, and what else is in it."""
    return query_lines_of(read_text(path, lines=True), path, parse)


def query_lines_of(text: str, path: StrPath, parse: Callable[[list[str]], tuple[str, Row]],
                   ) -> list[tuple[int, str, Row]]:
    """The queries of the lines of a text, as :func:`read_query_lines` has them; ``path`` is for the error."""
    numbers, queries = numbered_rows_of(text, path, parse, whole_line)
    refuse_twice(path, numbers, (query_id for query_id, _ in queries), 'query',
                 'all windows of a query stand on one line: join the two')
    return [(number, query_id, found) for number, (query_id, found) in zip(numbers, queries)]


def whole_line(line: str) -> list[str]:
    """The fields of a line: the line itself, none of a blank line."""
    return [line] if line.strip() else []


def record_in(fields: list[str], make: Callable[[str, str, dict[str, Any]], Row]) -> tuple[str, Row]:
    """The query of a line, and what ``make`` makes of its query, its video and its object.

    Raises:
        ValueError: the line is no JSON object of a query and a video
    """
    record = json_value(fields[0])
    if not isinstance(record, dict):
        raise ValueError(f'the line is {shown_value(record)}, but every line is a JSON object of one query: write '
                         '{"qid": …, "vid": …, …}')
    tvr = 'desc_id' in record
    query_id = value_in(record, 'desc_id' if tvr else 'qid', (int, str), 'a number or text')
    doc_id = value_in(record, 'vid_name' if tvr else 'vid', (str,), 'text')
    return str(query_id), make(str(query_id), doc_id, record)


def duration_in(record: dict[str, Any]) -> Number | None:
    """The duration of the video of an object, in seconds; None if it does not tell. Raises a ValueError for others."""
    duration = record.get('duration')
    if duration is not None and not (is_number(duration) and 0 <= duration):
        raise ValueError(f'duration {shown_value(duration)} is not a number from 0 up, but it is in seconds: correct '
                         'it, or leave the key out')
    return duration


def value_in(record: dict[str, Any], key: str, kinds: tuple[type, ...], wanted: str) -> Any:
    """The value of a key of a line's object, which is not empty; otherwise as :func:`.json_files.value_of`."""
    value = value_of(record, key, kinds, wanted, 'the line')
    if value == '':
        raise ValueError(f'{quoted(key)} of the line is "", but it has to be {wanted}: correct it')
    return value
