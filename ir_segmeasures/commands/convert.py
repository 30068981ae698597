"""``ir_segmeasures convert``: a run or qrels of one campaign as a file of another."""

import argparse
import os
import sys
from collections.abc import Sequence
from tempfile import TemporaryDirectory
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands.clip import add_options, cut_off
from ir_segmeasures.commands.help import FormatsHelp
from ir_segmeasures.commands.ids import add_ids, with_segments
from ir_segmeasures.commands.output import write_out
from ir_segmeasures.commands.reading import file_of, of_standard_input
from ir_segmeasures.formats.files.format import Files


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'convert', help='write a run or qrels in the format of another campaign',
        formatter_class=FormatsHelp,
        description='Write a run or qrels in the format of another campaign. Queries, segments and their order stay '
                    'what they are:\nwhere the other format would change them, nothing is written; which columns it '
                    'has no place for is said.',
        epilog='formats:\n{formats}')
    parser.add_argument('input', metavar='IN', help='the file to read (.gz is read as it is; - is standard input)')
    parser.add_argument('output', metavar='OUT', help='the file to write (.gz is packed; - is standard output)')
    parser.add_argument('--from', dest='source', metavar='FORMAT', choices=formats.FORMATS, required=True,
                        help='the format of IN')
    parser.add_argument('--to', dest='target', metavar='FORMAT', choices=formats.FORMATS, required=True,
                        help='the format of OUT')
    parser.add_argument('--parts', type=int, metavar='N',
                        help='with parquet: make a folder of so many files, each query whole in one')
    parser.add_argument('--kind', choices=('run', 'qrels'), default='run', help='what IN is (default: run)')
    parser.add_argument('--round', action='store_true', help='round positions and grades to whole numbers, for formats '
                                                             'that have no others; how many rows change is said')
    add_ids(parser, 'IN')
    add_options(parser, 'which predictions IN has that are read from the format tvr, or how they are written in it: '
                        'moments of all videos (VCMR, the default) or of one a query (SVMR), or videos (VR)', 'at 0')
    parser.set_defaults(command=convert, parser=parser)


def convert(args: argparse.Namespace) -> None:
    if args.parts is not None:
        return _to_parts(args)
    source, target = formats.FORMATS[args.source], formats.FORMATS[args.target]
    parser: argparse.ArgumentParser = args.parser
    given, wanted = source.files(args.kind), target.files(args.kind)
    if given is None:
        parser.error(f'{args.kind} of format {args.source} cannot be read')
    if wanted is None or wanted.write is None:
        parser.error(f'{args.kind} of format {args.target} cannot be written')
    if args.task and 'task' not in (*given.options, *wanted.write_options):
        parser.error(f'--task is for runs of the format tvr, not of {args.source} and {args.target}')
    if args.clip and 'clip' not in given.options:
        parser.error(f'--clip is for runs of the formats moments and tvr, not for {args.kind} of {args.source}')
    try:
        lost = _converted(args, given, wanted, source.unit)
    except formats.FormatError as error:
        raise (of_standard_input(error) if args.input == '-' else error) from None
    if lost:
        sys.stderr.write(f'ir_segmeasures: left out of {args.output}: {", ".join(lost)}\n')


def _converted(args: argparse.Namespace, given: Files, wanted: Files, unit: str | None) -> list[str]:
    """Reads and writes; what is left out, in words."""
    write: Any = wanted.write
    path = file_of(args.input)
    reading = {name: value for name in given.options if (value := getattr(args, name))}
    writing = {name: value for name in wanted.write_options if (value := getattr(args, name))}
    rows = cut_off(given.read(path, **reading), args, args.input)
    rows = with_segments(rows, args, args.input)
    try:
        if args.round:
            rows = _rounded(rows, args.input)
        if args.output != '-':
            return [*write(rows, args.output, unit, **writing), *given.unread]
        with TemporaryDirectory() as folder:
            whole = os.path.join(folder, 'output')
            lost = write(rows, whole, unit, **writing)
            with open(whole, 'rb') as file:
                write_out(file.read(), '-')
        return [*lost, *given.unread]
    except formats.WriteError as error:
        line = formats.line_of(path, formats.FORMATS[args.source], args.kind, rows, error.row)
        raise formats.FormatError(error.sentence, path, line) from None


def _rounded(rows: Sequence[Any], file: str) -> Sequence[Any]:
    from ir_segmeasures.formats.rounding import rounded
    found, count = rounded(rows)
    sys.stderr.write(f'ir_segmeasures: {count} of {len(found)} rows of {file} are rounded to whole numbers\n')
    return found


def _to_parts(args: argparse.Namespace) -> None:
    """A run as several files, a block of rows in memory at a time."""
    source, target, parser = formats.FORMATS[args.source], formats.FORMATS[args.target], args.parser
    assert isinstance(parser, argparse.ArgumentParser)
    if target.run is None or target.run.write_parts is None:
        parser.error('--parts is for --to parquet')
    for name in ('round', 'ids', 'table', 'clip', 'task'):
        if getattr(args, name):
            parser.error(f'--{name} does not go with --parts, which copies row by row: convert to one file first')
    if args.output == '-':
        parser.error('--parts makes a folder of files, and no standard output: name a folder')
    if args.kind != 'run' or source.run is None:
        parser.error(f'{args.kind} of format {args.source} cannot be written with --parts, which are for runs')
    if args.parts < 1:
        parser.error(f'--parts is {args.parts}, but a run has 1 file or more')
    try:
        rows = formats.walk_rows(file_of(args.input), source, 'run')
        lost = [*target.run.write_parts(rows, args.output, args.parts, source.unit), *source.run.unread]
    except formats.WriteError as error:
        raise formats.FormatError(error.sentence, args.input) from None
    except formats.FormatError as error:
        raise (of_standard_input(error) if args.input == '-' else error) from None
    if lost:
        sys.stderr.write(f'ir_segmeasures: left out of {args.output}: {", ".join(lost)}\n')
