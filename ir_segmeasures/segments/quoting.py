"""Values as text: in sentences, in one line and at most 80 characters of each, however long it is; positions, in
sentences as in ids, as decimals.
"""

from collections.abc import Iterable
from typing import Any

__all__ = ['format_number', 'joined', 'truncated', 'abbreviated', 'quoted']

_MOST = 80


def quoted(value: Any) -> str:
    """The value as Python writes it, with ``…`` for what is left out."""
    if isinstance(value, str):
        return repr(truncated(value))
    if isinstance(value, bytes):
        return repr(value[:_MOST])
    try:
        return truncated(' '.join(repr(value).split()))
    except Exception:  # whole numbers of thousands of digits, lists in lists, values that fail to say what they are
        return f'<{type(value).__name__}>'


def joined(names: Iterable[Any]) -> str:
    """Names as they are, which may have line ends in them."""
    return truncated(' '.join(', '.join(map(str, names)).split()))


def truncated(text: str) -> str:
    """The text, with ``…`` for what is left out."""
    return text if len(text) <= _MOST else f'{text[:_MOST - 1]}…'


def format_number(value: float) -> str:
    """The shortest decimal form of a position: no exponent, at most 6 decimals, no ``.0``."""
    if isinstance(value, int):
        return str(value)
    return f'{float(value) + 0.0:.6f}'.rstrip('0').rstrip('.')  # -0.0 + 0.0 is 0.0


def abbreviated(name: str, length: int) -> str:
    """A name for a picture: of one that is longer its beginning and its last eight characters."""
    return name if len(name) <= length else f'{name[:length - 9]}…{name[-8:]}'
