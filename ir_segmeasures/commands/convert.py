"""``ir_segmeasures convert``: a run or qrels of one campaign as a file of another."""

import argparse
import sys
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands.help import FormatsHelp
from ir_segmeasures.commands.ids import add_ids, with_pattern


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'convert', help='write a run or qrels in the format of another campaign',
        formatter_class=FormatsHelp,
        description='Write a run or qrels in the format of another campaign. Queries, segments and their order stay '
                    'what they are:\nwhere the other format would change them, nothing is written; which columns it '
                    'has no place for is said.',
        epilog='formats:\n{formats}')
    parser.add_argument('input', metavar='IN', help='the file to read (.gz is read as it is)')
    parser.add_argument('output', metavar='OUT', help='the file to write (.gz is packed)')
    parser.add_argument('--from', dest='source', metavar='FORMAT', choices=formats.FORMATS, required=True,
                        help='the format of IN')
    parser.add_argument('--to', dest='target', metavar='FORMAT', choices=[*formats.FORMATS, 'parquet'], required=True,
                        help='the format of OUT; parquet makes a folder of Parquet files')
    parser.add_argument('--parts', type=int, metavar='N', help='with parquet: how many files, each query whole in one '
                                                               '(default: 1)')
    parser.add_argument('--kind', choices=('run', 'qrels'), default='run', help='what IN is (default: run)')
    add_ids(parser, 'IN')
    parser.set_defaults(command=convert, parser=parser)


def convert(args: argparse.Namespace) -> None:
    if args.target == 'parquet':
        return _to_parts(args)
    if args.parts is not None:
        args.parser.error('--parts is for --to parquet')
    source, target = formats.FORMATS[args.source], formats.FORMATS[args.target]
    parser: argparse.ArgumentParser = args.parser
    given, wanted = source.files(args.kind), target.files(args.kind)
    if given is None:
        parser.error(f'{args.kind} of format {args.source} cannot be read')
    if wanted is None or wanted.write is None:
        parser.error(f'{args.kind} of format {args.target} cannot be written')
    rows = with_pattern(given.read(args.input), args, args.input)
    try:
        lost = [*wanted.write(rows, args.output, source.unit), *given.unread]
    except formats.WriteError as error:
        line = formats.line_of(args.input, source, args.kind, rows, error.row)
        raise formats.FormatError(error.sentence, args.input, line) from None
    if lost:
        sys.stderr.write(f'ir_segmeasures: left out of {args.output}: {", ".join(lost)}\n')


def _to_parts(args: argparse.Namespace) -> None:
    from ir_segmeasures.formats import parquet
    source, parts = formats.FORMATS[args.source], 1 if args.parts is None else args.parts
    runs, parser = source.run, args.parser
    assert isinstance(parser, argparse.ArgumentParser)
    if args.kind != 'run' or runs is None:
        parser.error(f'{args.kind} of format {args.source} cannot be written as parquet, which is for runs')
    if parts < 1:
        parser.error(f'--parts is {parts}, but a run has 1 file or more')
    lost = [*parquet.write_parts(formats.walk_rows(args.input, source, 'run'), args.output, parts), *runs.unread]
    if lost:
        sys.stderr.write(f'ir_segmeasures: left out of {args.output}: {", ".join(lost)}\n')
