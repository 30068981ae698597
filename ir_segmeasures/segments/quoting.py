"""Values as texts of one line and at most 80 characters, for sentences; positions as decimals."""

from collections.abc import Iterable
from typing import Any

_MOST = 80
_FORMULAS = ('=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠')  # how they begin in spreadsheets


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
    if not text.lstrip("'").startswith(_FORMULAS):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def bare_cell(cell: str) -> str:
    """The text of a cell of :func:`cell_of`."""
    return cell[1:] if cell[:1] == "'" and cell_of(cell[1:]) == cell else cell
