"""``--vary NAME=VALUES``: the values of one parameter."""

import argparse
from ast import literal_eval
from typing import Any

from ir_segmeasures.segments.quoting import quoted

__all__ = ['add_vary']


def add_vary(parser: argparse.ArgumentParser, required: bool = False) -> None:
    """Adds the option to a command."""
    parser.add_argument('--vary', type=_vary, required=required, metavar='NAME=VALUES',
                        help='the parameter and its values: tau=5:60:5 (from 5 to 60 by 5) or user=rel,ret')


def _vary(text: str) -> tuple[str, list[Any]]:
    name, _, values = text.partition('=')
    if not name or not values:
        raise argparse.ArgumentTypeError(f'{quoted(text)} has no name and values: write it as tau=5:60:5 or '
                                         'user=rel,ret')
    if ':' not in values:
        return name, [_value(value) for value in values.split(',')]
    try:
        low, high, step = map(_value, values.split(':'))
        steps = int((high - low) / step + 1e-9)
        if step <= 0 or high < low or steps >= 10_000:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f'{quoted(values)} is no range of at most 10,000 values: write low:high:step, '
                                         'such as 5:60:5') from None
    return name, [round(low + place * step, 10) for place in range(steps + 1)]


def _value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (MemoryError, RecursionError, SyntaxError, ValueError):  # the first two of many brackets
        return text
