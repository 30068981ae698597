"""JSON whose objects have each key once. Python's own reader accepts a key that stands twice, and keeps the last."""

import json
from typing import Any

from ir_segmeasures.segments.quoting import quoted

__all__ = ['TwiceError', 'loads']


class TwiceError(ValueError):
    """An object has a key twice; the sentence says which."""


def loads(text: str | bytes) -> Any:
    """The value of a JSON text in which no object has a key twice.

    Raises:
        TwiceError: an object has a key twice
        ValueError, RecursionError: as :func:`json.loads`
    """
    if isinstance(text, str) and not text.startswith('\ufeff'):
        return _DECODER.decode(text)
    return json.loads(text, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        key = next(key for key in keys if keys.count(key) > 1)
        raise TwiceError(f'the key {quoted(key)} is there twice in one JSON object, but only one value can be meant: '
                         'take one of the two out')
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_once)
