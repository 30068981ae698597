"""``ir_segmeasures check``: every line of a run or of qrels that breaks a rule of its campaign."""

import argparse
import sys
from typing import Any

from ir_segmeasures import formats


def add_to(commands: Any) -> None:
    names = '\n'.join(f'  {name:14} {format.description}' for name, format in formats.FORMATS.items())
    parser = commands.add_parser(
        'check', help='check a run or qrels against the rules of their campaign',
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description='Check a run, before it is submitted, or qrels against the rules of their campaign. Every line '
                    'that breaks one is\nprinted, then how many; the exit code is 1 if there is a violation. Rules '
                    'that need a file that is not given are left out.',
        epilog=f'formats:\n{names}')
    parser.add_argument('file', metavar='FILE', help='the file to check (.gz is read as it is)')
    parser.add_argument('--format', choices=formats.FORMATS, required=True, help='the format of FILE and of the qrels')
    parser.add_argument('--kind', choices=('run', 'qrels'), default='run', help='what FILE is (default: run)')
    parser.add_argument('--qrels', metavar='FILE', help='for a run: its judgements')
    parser.add_argument('--videos', metavar='FILE', help='the list of all videos, with lines: id HH:MM:SS')
    known = parser.add_mutually_exclusive_group()
    known.add_argument('--queries', metavar='FILE', help='the list of all queries, XML of Search & Hyperlinking')
    known.add_argument('--anchors', metavar='FILE', help='the list of all anchors, XML of hyperlinking')
    parser.set_defaults(command=check, parser=parser)


def check(args: argparse.Namespace) -> None:
    from ir_segmeasures import checks  # other commands have no need of it
    if (args.format, args.kind) not in checks.RULES:
        args.parser.error(f'{args.kind} of format {args.format} cannot be read')
    if args.kind == 'qrels' and args.qrels:
        args.parser.error('--qrels only goes with a run (--kind run)')
    if args.videos and formats.FORMATS[args.format].unit == 'char':
        args.parser.error(f'--videos does not go with format {args.format}, which has passages of texts')
    found = checks.check(args.file, args.format, args.kind, qrels=args.qrels, videos=args.videos, queries=args.queries,
                         anchors=args.anchors)
    for finding in found:
        print(f'{args.file}, line {finding.line}: {"warning: " if finding.is_warning else ""}{finding.sentence}')
    warnings = sum(finding.is_warning for finding in found)
    violations = len(found) - warnings
    print(_count(violations, 'violation') + (f', {_count(warnings, "warning")}' if warnings else ''))
    if violations:
        sys.stdout.flush()  # while whoever started this handles a closed pipe
        sys.exit(1)


def _count(number: int, what: str) -> str:
    return f'{number or "no"} {what}{"s" if number != 1 else ""}'
