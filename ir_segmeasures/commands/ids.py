"""``--ids PATTERN`` and ``--table FILE``: ids that are no segments yet, read as segments."""

import argparse
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ir_segmeasures.segments.segment import UNITS, Segment

__all__ = ['add_ids', 'table_of', 'with_segments']


def add_ids(parser: argparse.ArgumentParser, of: str) -> None:
    """Adds the options to a command; ``of`` says whose ids they are about."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument('--ids', metavar='PATTERN',
                       help=f'read the ids of {of} as segments by a pattern, such as {{doc}}_{{start}}-{{end}}-{{}}: '
                            'each id must be of this form, or a segment already')
    where.add_argument('--table', metavar='PATH',
                       help=f'look the ids of {of} up in a table, a file with lines: id document start end (or: id '
                            'segment), or a folder of XML documents, in which ids are elements: each id must be there, '
                            'or be a segment already')
    parser.add_argument('--ids-unit', choices=UNITS, help='with --ids: what the numbers count (default: char); with '
                                                          '--table: what start and end of its lines count (default: t)')


def table_of(args: argparse.Namespace) -> Mapping[str, Segment] | None:
    """The table that the command line names, if it does."""
    if args.table is None:
        return None
    if os.path.isdir(args.table) and args.ids_unit is not None:
        args.parser.error('--ids-unit is not for a --table of XML documents, whose elements have characters')
    return _read(args.table, args.ids_unit or 't')


@lru_cache(1)
def _read(path: str, unit: str) -> Mapping[str, Segment]:
    if os.path.isdir(path):
        from ir_segmeasures.texts.elements import Elements
        return Elements(path)
    from ir_segmeasures.formats.extents import read_extents
    return read_extents(path, unit)


def with_segments(rows: Sequence[Any], args: argparse.Namespace, file: str) -> Sequence[Any]:
    """The rows with segment ids, where the command line says how these are found."""
    if args.ids is None and args.table is None:
        return rows
    from ir_segmeasures.ids.resolving import resolve
    table = table_of(args)
    try:
        if table is not None and len(rows) and hasattr(rows[0], 'end'):  # passages, which tell where they lie
            return rows
        if table is not None:
            return resolve(rows, table, repair=f'add them to {args.table}')
        return resolve(rows, ids=args.ids, unit=args.ids_unit, repair='give the pattern of all ids with --ids')
    except ValueError as error:
        raise ValueError(f'{file}: {error}') from None
