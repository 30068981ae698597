"""Values as texts of one line and at most 80 characters, for sentences; positions as decimals; and JSON whose objects
have each key once, where Python's own reader accepts a key that stands twice, and keeps the last."""

import json
import math
from collections.abc import Iterable
from typing import Any

_MOST = 80


def quoted(value: Any) -> str:
    """A value as Python writes it, for sentences: in one line, of at most 80 characters, with ``…`` for the rest."""
    if isinstance(value, str):
        return repr(truncated(value))
    if isinstance(value, bytes):
        return repr(value[:_MOST])
    try:
        return truncated(' '.join(repr(value).split()))
    except Exception:  # whole numbers of thousands of digits, lists in lists, values that fail to say what they are
        return f'<{type(value).__name__}>'


def joined(names: Iterable[Any]) -> str:
    """Names with commas between them, for sentences: in one line, of at most 80 characters, with ``…`` for the rest."""
    return truncated(' '.join(', '.join(map(str, names)).split()))


def truncated(text: str) -> str:
    """A text of at most 80 characters: the beginning of a longer one, with ``…`` for the rest."""
    return text if len(text) <= _MOST else f'{text[:_MOST - 1]}…'


def format_number(value: float) -> str:
    """The shortest decimal form of a position: no exponent, at most 6 decimals, no ``.0``.

    Examples:
        >>> from ir_segmeasures.segments.quoting import format_number
        >>> format_number(12.50), format_number(60.0), format_number(1e-7)
        ('12.5', '60', '0')
    """
    if isinstance(value, int):
        return str(value)
    return f'{float(value) + 0.0:.6f}'.rstrip('0').rstrip('.')  # -0.0 + 0.0 is 0.0


def abbreviated(name: str, length: int) -> str:
    """A name of at most ``length`` characters, for pictures: the beginning and the last eight of a longer name."""
    return name if len(name) <= length else f'{name[:length - 9]}…{name[-8:]}'


def cell_of(text: str) -> str:
    """A text as a cell of a table for spreadsheets: with ``'`` before it where these would run it as a formula.

    Examples:
        >>> from ir_segmeasures.segments.quoting import cell_of
        >>> cell_of('=1+1'), cell_of('-0.5'), cell_of('q1')
        ("'=1+1", '-0.5', 'q1')
    """
    if not text.lstrip("'").startswith(('=', '+', '-', '@', '\t', '\r')):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def bare_cell(cell: str) -> str:
    """The text of a cell of :func:`cell_of`."""
    return cell[1:] if cell[:1] == "'" and cell_of(cell[1:]) == cell else cell


class TwiceError(ValueError):
    """An object has a key twice; the sentence says which."""


def loads(text: str | bytes) -> Any:
    """The value of a JSON text in which no object has a key twice.

    Raises:
        TwiceError: an object has a key twice
        json.JSONDecodeError: as :func:`json.loads`
        ValueError: lists are too deep or a number is too long for Python
    """
    try:
        if isinstance(text, str) and not text.startswith('\ufeff'):
            return _DECODER.decode(text)
        return json.loads(text, object_pairs_hook=_once)
    except (RecursionError, ValueError) as error:
        if isinstance(error, TwiceError | UnicodeDecodeError | json.JSONDecodeError):
            raise
        raise ValueError('its lists are too deep or a number is too long') from None  # Python names its own settings


def is_number(value: Any) -> bool:
    """Tells whether a value of JSON is a finite number."""
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) < _LONGEST
    return isinstance(value, float) and math.isfinite(value)


def shown_value(value: Any) -> str:
    """A value as in the file, cut where it is long."""
    return truncated(json.dumps(value, ensure_ascii=False))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        key = next(key for key in keys if keys.count(key) > 1)
        raise TwiceError(f'the key {quoted(key)} is there twice in one JSON object, but only one value can be meant: '
                         'take one of the two out')
    return found


_LONGEST = 10 ** 300  # a longer number is no float
_DECODER = json.JSONDecoder(object_pairs_hook=_once)
