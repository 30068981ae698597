"""``ir_segmeasures check``: every line of a run or of qrels that breaks a rule of its campaign."""

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ir_measures import Measure

from ir_segmeasures import formats
from ir_segmeasures.commands.asked import add_measures, asked_measures
from ir_segmeasures.commands.evaluate import computed
from ir_segmeasures.commands.help import FormatsHelp
from ir_segmeasures.commands.ids import add_ids, table_of
from ir_segmeasures.commands.reading import STANDARD_INPUT, file_of, of_standard_input, read_qrels, read_run
from ir_segmeasures.segments.tables.warnings import SegmentWarning

EXAMPLES = 3  # of the warnings of a rule


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'check', help='check a run or qrels against the rules of their campaign',
        formatter_class=FormatsHelp,
        description='Check a run, before it is submitted, or qrels against the rules of their campaign. Every line '
                    'that breaks one is\nprinted, then how many; the exit code is 1 if there is a violation. What only '
                    'may be a mistake is a warning,\nof which a rule prints three and how many more there are. Rules '
                    'that need a file that is not given are left out.',
        epilog='formats:\n{formats}')
    parser.add_argument('file', metavar='FILE', help='the file to check (.gz is read as it is; - is standard input)')
    parser.add_argument('--format', choices=formats.FORMATS, metavar='FORMAT', required=True,
                        help='the format of FILE and of the qrels')
    parser.add_argument('--kind', choices=('run', 'qrels'), default='run', help='what FILE is (default: run)')
    parser.add_argument('--qrels', metavar='FILE', help='for a run: its judgements')
    parser.add_argument('--videos', metavar='FILE', help='the list of all videos, with lines: id HH:MM:SS')
    known = parser.add_mutually_exclusive_group()
    known.add_argument('--queries', metavar='FILE',
                       help='the list of all queries, XML of Search & Hyperlinking, or the topics of FORMAT')
    known.add_argument('--anchors', metavar='FILE', help='the list of all anchors, XML of hyperlinking')
    parser.add_argument('--task', metavar='TASK',
                        help='for a run of INEX: focused, thorough, relevant-in-context or best-in-context, whose '
                             'rules are no warnings then; of TVR: VCMR (the default), SVMR or VR')
    add_measures(parser, 'with --qrels: measures, of which what evaluate refuses or warns of is told too',
                 required=False)
    parser.add_argument('--all', action='store_true', help='print every warning, not three a rule')
    add_ids(parser, 'FILE')
    parser.set_defaults(command=check, parser=parser)


def check(args: argparse.Namespace) -> None:
    from ir_segmeasures import checks  # other commands have no need of it
    if formats.FORMATS[args.format].files(args.kind) is None:
        args.parser.error(f'{args.kind} of format {args.format} cannot be read')
    options = {name: getattr(args, name) for name in ('qrels', *checks.OPTIONS) if getattr(args, name) is not None}
    try:
        checks.refuse_options(args.format, args.kind, options)
    except ValueError as error:
        args.parser.error(f'--{error}')
    if args.measures and args.qrels is None:
        args.parser.error('--measure (-m) only goes with --qrels')
    names = asked_measures(args.measures, args.parser) if args.measures else {}
    path = file_of(args.file)
    try:
        found = checks.check(path, args.format, args.kind, **options, ids=args.ids, ids_unit=args.ids_unit,
                             table=table_of(args))
    except formats.FormatError as error:
        raise (of_standard_input(error) if args.file == '-' and error.path == path else error) from None
    if names and all(finding.is_warning for finding in found):  # else the file is refused for what is said already
        known = {finding.sentence for finding in found}
        found += [checks.Finding(None, sentence, is_doubt, path, 'evaluate')
                  for sentence, is_doubt in _of_measures(args, names) if sentence not in known]
    if args.file == '-':
        found = [finding._replace(path=STANDARD_INPUT) for finding in found]
    of_rule = Counter(finding.rule for finding in found if finding.is_warning)
    printed: Counter[str] = Counter()
    for finding in found:
        if finding.is_warning and not args.all:
            if printed[finding.rule] == EXAMPLES:
                continue
            printed[finding.rule] += 1
        print(finding)
        if printed[finding.rule] == EXAMPLES < of_rule[finding.rule] and finding.is_warning:
            print(f'{finding.path}: warning: {of_rule[finding.rule] - EXAMPLES:,} more of this kind, '
                  f'{of_rule[finding.rule]:,} together (--all prints each)')
    warnings = sum(finding.is_warning for finding in found)
    violations = len(found) - warnings
    of_kinds = f' of {_count(len(of_rule), "kind")}' if not args.all and warnings > sum(printed.values()) else ''
    print(_count(violations, 'violation') + (f', {_count(warnings, "warning")}{of_kinds}' if warnings else ''))
    if violations:
        sys.stdout.flush()  # while whoever started this handles a closed pipe
        sys.exit(1)


def _of_measures(args: argparse.Namespace, names: Mapping[Measure, str]) -> list[tuple[str, bool]]:
    """What an evaluation says, and whether it is no more than a doubt."""
    from ir_segmeasures import checks
    qrels_format = checks.format_of_qrels(args.qrels, args.format)
    reading = vars(args) | {'qrels_format': qrels_format, 'run_format': args.format, 'clip': False,
                            'task': None if args.format.startswith('inex') else args.task}
    as_evaluate = argparse.Namespace(**reading)
    qrels = read_qrels(as_evaluate)
    run = read_run(args.file, as_evaluate, qrels)
    error = []
    with warnings.catch_warnings(record=True) as said:
        try:
            computed(names, qrels, run)
        except ValueError as refused:
            error = [(str(refused), False)]
    return error + [(str(doubt.message), True) for doubt in said if issubclass(doubt.category, SegmentWarning)]


def _count(number: int, what: str) -> str:
    return f'{number or "no"} {what}{"s" if number != 1 else ""}'
