"""Lines of transcripts, as readers give them and as they are cut into segments.

Times are taken to the microsecond, the precision of segment ids, and compared exactly.
"""

from typing import Any, NamedTuple

Number = int | float

_SECOND = 10 ** 6  # of ticks: ids have at most 6 decimals


class Line(NamedTuple):
    """A line of a transcript: a sentence, a caption, a word.

    Attributes:
        start, end: in seconds from the beginning of the recording; equal where the recogniser says so
        text: what is spoken
        speaker: who speaks, or None
    """
    start: Number
    end: Number
    text: str
    speaker: Any = None


def ticks(time: Number) -> int:
    """A time in seconds as whole microseconds."""
    whole = int(time)
    return whole * _SECOND + round((time - whole) * _SECOND)


def seconds(ticks: int) -> Number:
    """Microseconds as seconds, whole seconds as an integer: the opposite of :func:`ticks`."""
    return ticks / _SECOND if ticks % _SECOND else ticks // _SECOND
