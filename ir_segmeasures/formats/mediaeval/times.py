"""Times of MediaEval's and TRECVID's hyperlinking files: ``minutes.seconds``, not decimal numbers.

``17.5`` is 17 min 5 s. Rows have whole seconds.
"""

import functools
import re

from ir_segmeasures.segments.quoting import quoted

__all__ = ['format_time', 'parse_time', 'span']

# Lengths are bounded because Python refuses to convert very long digit strings, in a sentence of its own.
_TIME = re.compile(r'([0-9]{1,9})\.([0-9]{1,2})')
_DIGITS = re.compile(r'[0-9]{1,9}')


@functools.lru_cache(maxsize=1 << 15)
def parse_time(text: str) -> int:
    """Reads ``minutes.seconds``, with one or two digits for the seconds, as whole seconds: ``17.5`` is 1025.

    Raises:
        ValueError: not of this form, or 60 seconds and more
    """
    match = _TIME.fullmatch(text)
    if match:
        minutes, seconds = int(match[1]), int(match[2])
        if seconds < 60:
            return 60 * minutes + seconds
        fault = f'has {seconds} seconds'
        repair = f'{seconds} seconds past {minutes} minutes is written {format_time(60 * minutes + seconds)}'
    elif _DIGITS.fullmatch(text):
        fault = 'has no dot'
        repair = f'{text} seconds is written {format_time(int(text))}, {text} minutes {format_time(60 * int(text))}'
    else:
        fault = 'cannot be read'
        repair = '5 seconds past 17 minutes is written 17.05, without signs, colons or fractions of a second'
    raise ValueError(f'time {quoted(text)} {fault}, but times are minutes.seconds with seconds from 00 to 59: {repair}')


def format_time(seconds: int) -> str:
    """Writes whole seconds, 0 or more, as ``minutes.seconds`` with two digits for the seconds: 1025 is ``17.05``."""
    minutes, rest = divmod(seconds, 60)
    return f'{minutes}.{rest:02d}'


def span(start: str, end: str) -> tuple[int, int]:
    """Start and end in seconds. Raises ``ValueError`` for what is no time, or ends before it starts."""
    try:
        first = parse_time(start)
    except ValueError as error:
        raise ValueError(f'start {error}') from None
    try:
        last = parse_time(end)
    except ValueError as error:
        raise ValueError(f'end {error}') from None
    if last < first:
        raise ValueError(f'end time {quoted(end)} is before start time {quoted(start)}, but a segment cannot end '
                         'before it starts: swap the two, or correct one')
    return first, last
