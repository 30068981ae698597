"""Times of MediaEval's and TRECVID's hyperlinking files: ``minutes.seconds``, not decimal numbers.

``17.5`` is 17 min 5 s. Rows have whole seconds.
"""

import functools
import re
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.fields import anywhere, nine_digits
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.text_columns import TextColumn

__all__ = ['format_minutes', 'parse_minutes', 'span']

# Lengths are bounded because Python refuses to convert very long digit strings, in a sentence of its own.
_TIME = re.compile(r'([0-9]{1,9})\.([0-9]{1,2})')


def parse_minutes(text: Any) -> Any:
    """Reads ``minutes.seconds``, with one or two digits for the seconds, as whole seconds: ``17.5`` is 1025.

    Args:
        text: a time, or a column of times

    Raises:
        ValueError: not of this form, or 60 seconds and more
    """
    return _column(text) if isinstance(text, TextColumn) else _parse(text)


@functools.lru_cache(maxsize=1 << 15)
def _parse(text: str) -> int:
    match = _TIME.fullmatch(text)
    if match:
        minutes, seconds = int(match[1]), int(match[2])
        if seconds < 60:
            return 60 * minutes + seconds
        fault = f'has {seconds} seconds'
        repair = f'{seconds} seconds past {minutes} minutes is written {format_minutes(60 * minutes + seconds)}'
    elif nine_digits(text) is not None:
        fault = 'has no dot'
        repair = (f'{text} seconds is written {format_minutes(int(text))}, {text} minutes '
                  f'{format_minutes(60 * int(text))}')
    else:
        fault = 'cannot be read'
        repair = '5 seconds past 17 minutes is written 17.05, without signs, colons or fractions of a second'
    raise ValueError(f'time {quoted(text)} {fault}, but times are minutes.seconds with seconds from 00 to 59: {repair}')


def _column(texts: TextColumn) -> Any:
    digits, places = texts.fixed_point()
    if places is None or places.min() < 1 or places.max() > 2:
        raise ValueError
    before = texts.end - texts.start - 1 - places
    minutes, seconds = divmod(digits, np.where(places == 1, 10, 100))
    if before.min() < 1 or before.max() > 9 or seconds.max() > 59:
        raise ValueError
    return 60 * minutes + seconds


def format_minutes(seconds: int) -> str:
    """Writes whole seconds, 0 or more, as ``minutes.seconds`` with two digits for the seconds: 1025 is ``17.05``."""
    minutes, rest = divmod(seconds, 60)
    return f'{minutes}.{rest:02d}'


def _minutes(text: Any, what: str) -> Any:
    try:
        return parse_minutes(text)
    except ValueError as error:
        raise ValueError(f'{what} {error}') from None


def span(start: Any, end: Any) -> tuple[Any, Any]:
    """Start and end in seconds, of texts or of columns. Raises ``ValueError`` for what is no time, or ends before it
    starts."""
    first, last = _minutes(start, 'start'), _minutes(end, 'end')
    if anywhere(last < first):
        raise ValueError(f'end time {quoted(end)} is before start time {quoted(start)}, but a segment cannot end '
                         'before it starts: swap the two, or correct one')
    return first, last
