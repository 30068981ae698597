"""``--ids PATTERN``: ids of other tools that tell their offsets, read as segments."""

import argparse
from collections.abc import Sequence
from typing import Any

from ir_segmeasures.segments.segment import UNITS

__all__ = ['add_ids', 'with_pattern']


def add_ids(parser: argparse.ArgumentParser, of: str) -> None:
    """Adds the options to a command; ``of`` says whose ids they are about."""
    parser.add_argument('--ids', metavar='PATTERN',
                        help=f'read the ids of {of} as segments by a pattern, such as {{doc}}_{{start}}-{{end}}-{{}}: '
                             'each id must be of this form, or a segment already')
    parser.add_argument('--ids-unit', choices=UNITS, default='char', help='with --ids: what the numbers count '
                                                                          '(default: char)')


def with_pattern(rows: Sequence[Any], args: argparse.Namespace, file: str) -> Sequence[Any]:
    """The rows with segment ids, where the command line has a pattern."""
    if args.ids is None:
        return rows
    from ir_segmeasures.ids.resolving import resolve
    try:
        return resolve(rows, ids=args.ids, unit=args.ids_unit, repair='give the pattern of all ids with --ids')
    except ValueError as error:
        raise ValueError(f'{file}: {error}') from None
