"""Times of TRECVID's topics, and of the runs of 2001: sums of their parts, such as ``0h12m51s``."""

import re
from fractions import Fraction

from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.segments.quoting import quoted

_PART = re.compile(r'([0-9]{1,9}(?:\.[0-9]{0,20})?)(ms|h|m|s)')
_TIME = re.compile(f'(?:{_PART.pattern})+')
_SECONDS = {'h': Fraction(3600), 'm': Fraction(60), 's': Fraction(1), 'ms': Fraction(1, 1000)}


def parse_hms(text: str) -> Number:
    """Reads a time in its parts, numbers followed by ``h``, ``m``, ``s`` or ``ms``, as seconds: ``1m1.5s`` is 61.5.

    Raises:
        ValueError: not of this form, or a unit is there twice
    """
    parts = _PART.findall(text) if _TIME.fullmatch(text) else []
    units = [unit for _, unit in parts]
    if not units or len(set(units)) < len(units):
        raise ValueError(f'time {quoted(text)} cannot be read, but times are numbers with units of which each is there '
                         'once: h, m, s or ms (12 minutes 51.5 seconds is 12m51.5s)')
    exact = sum(Fraction(number) * _SECONDS[unit] for number, unit in parts)
    return exact.numerator if exact.denominator == 1 else float(exact)


def format_hms(seconds: Number) -> str:
    """Writes seconds, 0 or more, as a time of one part: 61.5 is ``61.5s``.

    Raises:
        ValueError: from 10^9 seconds on, or more than 20 decimals
    """
    from decimal import Decimal
    text = f'{Decimal(str(seconds)):f}'.removesuffix('.0') + 's'
    if not _PART.fullmatch(text):
        raise ValueError(f'time {seconds} cannot be written, since times are below 10^9 seconds and have at most 20 '
                         'decimals: round or correct it')
    return text
