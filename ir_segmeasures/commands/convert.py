"""``ir_segmeasures convert``: a run or qrels of one campaign as a file of another."""

import argparse
import sys
from typing import Any

from ir_segmeasures import formats


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'convert', help='write a run or qrels in the format of another campaign',
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description='Write a run or qrels in the format of another campaign. Queries, segments and their order stay '
                    'what they are:\nwhere the other format would change them, nothing is written; which columns it '
                    'has no place for is said.',
        epilog=f'formats:\n{formats.described()}')
    parser.add_argument('input', metavar='IN', help='the file to read (.gz is read as it is)')
    parser.add_argument('output', metavar='OUT', help='the file to write (.gz is packed)')
    parser.add_argument('--from', dest='source', metavar='FORMAT', choices=formats.FORMATS, required=True,
                        help='the format of IN')
    parser.add_argument('--to', dest='target', metavar='FORMAT', choices=formats.FORMATS, required=True,
                        help='the format of OUT')
    parser.add_argument('--kind', choices=('run', 'qrels'), default='run', help='what IN is (default: run)')
    parser.set_defaults(command=convert, parser=parser)


def convert(args: argparse.Namespace) -> None:
    source, target = formats.FORMATS[args.source], formats.FORMATS[args.target]
    read, write = getattr(source, f'read_{args.kind}'), getattr(target, f'write_{args.kind}')
    if read is None or write is None:
        name, does = (args.source, 'read') if read is None else (args.target, 'written')
        args.parser.error(f'{args.kind} of format {name} cannot be {does}')
    rows = read(args.input)
    try:
        lost = write(rows, args.output, source.unit)
    except formats.WriteError as error:
        from ir_segmeasures.checks.reading import line_of
        line = line_of(args.input, args.source, args.kind, rows, error.row)
        raise formats.FormatError(error.sentence, args.input, line) from None
    if args.kind == 'run' and args.source == 'trec':
        lost = [*lost, "the run's name"]  # its reader is ir-measures' and leaves it out
    if lost:
        sys.stderr.write(f'ir_segmeasures: left out of {args.output}: {", ".join(lost)}\n')
