"""Times of MediaEval's and TRECVID's hyperlinking files: ``minutes.seconds``, not decimal numbers.

``17.5`` is 17 min 5 s. Rows have whole seconds.
"""

import re
from typing import Any

import numpy as np

from ir_segmeasures.formats.files.fields import each_text, refuse_backwards
from ir_segmeasures.segments.quoting import quoted

# Lengths are bounded because Python refuses to convert very long digit strings, in a sentence of its own.
_TIME = re.compile(r'([0-9]{1,9})\.([0-9]{1,2})')


def parse_minutes(text: str) -> int:
    """Reads ``minutes.seconds``, with one or two digits for the seconds, as whole seconds: ``17.5`` is 1025.

    Raises:
        ValueError: not of this form, or 60 seconds and more
    """
    match = _TIME.fullmatch(text)
    if match is None or int(match[2]) > 59:
        raise ValueError(f'time {quoted(text)} cannot be read, but times are minutes.seconds with seconds from 00 to '
                         '59: 5 seconds past 17 minutes is written 17.05')
    return 60 * int(match[1]) + int(match[2])


each_time = each_text(parse_minutes)


def format_minutes(seconds: int) -> str:
    """Writes whole seconds, 0 or more, as ``minutes.seconds`` with two digits for the seconds: 1025 is ``17.05``."""
    minutes, rest = divmod(seconds, 60)
    return f'{minutes}.{rest:02d}'


def spans(starts: list[str], ends: list[str]) -> tuple[Any, Any]:
    """Columns of starts and ends in seconds. Raises ``ValueError`` for what is no time, or ends before it starts."""
    found = []
    for what, texts in (('start', starts), ('end', ends)):
        try:
            found.append(each_time(texts))
        except ValueError as error:
            raise ValueError(f'{what} {error}') from None
    refuse_backwards(np.less(found[1], found[0]).any(), starts[0], ends[0])
    return found[0], found[1]
