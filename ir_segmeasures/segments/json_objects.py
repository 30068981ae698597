"""JSON whose objects have each key once. Python's own reader accepts a key that stands twice,
and keeps the last."""

import json
import math
from typing import Any

from ir_segmeasures.segments.quoting import quoted, truncated


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
