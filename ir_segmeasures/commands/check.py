"""``ir_segmeasures check``: every line of a run or of qrels that breaks a rule of its campaign."""

import argparse
import os
import sys
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ir_measures import Measure

from ir_segmeasures import formats
from ir_segmeasures.commands.argument_parser import FormatsHelp, UsageError
from ir_segmeasures.commands.evaluate import computed
from ir_segmeasures.commands.inputs import read_qrels, read_run
from ir_segmeasures.commands.measure_arguments import add_measures, named_measures
from ir_segmeasures.commands.options import PACKED, add_ids, add_subset, table_of_ids
from ir_segmeasures.commands.standard_input import file_of, with_its_name
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.segments.warnings import SegmentWarning

EXAMPLES = 3  # of the warnings of a rule


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'check', help=help,
        formatter_class=FormatsHelp,
        description='Check a run before it is submitted, or qrels, against the rules of their campaign. Every line '
                    'that breaks a rule is\nprinted, and at the end how many there are; the exit code is 1 if there is '
                    'one. A line that may be a mistake gets a\nwarning; of each kind of warning, three are printed and '
                    'the others are counted. Some rules need a further file, such as\nthe list of all videos: they '
                    'are checked only if it is given.',
        epilog='formats:\n{formats}')
    parser.add_argument('file', metavar='FILE', help=f'the file to check ({PACKED})')
    parser.add_argument('--format', choices=formats.FORMATS, metavar='FORMAT', required=True,
                        help='the format of FILE and of the qrels')
    parser.add_argument('--kind', choices=('run', 'qrels'), default='run', help='what FILE is (default: run)')
    parser.add_argument('--qrels', metavar='FILE', help='for a run: its judgements')
    parser.add_argument('--videos', metavar='FILE', help='the list of all videos, with lines "id HH:MM:SS"')
    known = parser.add_mutually_exclusive_group()
    known.add_argument('--queries', metavar='FILE',
                       help='the list of all queries: XML of Search & Hyperlinking, or the topics of the campaign')
    known.add_argument('--anchors', metavar='FILE', help='the list of all anchors: XML of hyperlinking')
    parser.add_argument('--task', metavar='TASK',
                        help='for a run of INEX: its task, which is focused, thorough, relevant-in-context or '
                             'best-in-context; a line that breaks a rule of the task is then a violation, and no '
                             'warning. For a run of TVR: VCMR (the default), SVMR or VR')
    add_measures(parser, 'with --qrels: one or more measures; the errors and warnings of the command evaluate with '
                         'these measures are printed too', required=False)
    parser.add_argument('--all', action='store_true', help='print every warning, not only three of each kind')
    parser.add_argument('--fix', metavar='OUT',
                        help='write FILE to OUT with what can be mended without a decision (order, ranks, white space, '
                             'repeated lines, line ends, percent-encoded ids, decimals), print how many lines of each '
                             'kind were, and check OUT')
    add_subset(parser)
    add_ids(parser, 'FILE')
    parser.set_defaults(command=_run, parser=parser)


def _run(args: argparse.Namespace) -> None:
    from ir_segmeasures import checks  # other commands have no need of it
    files = formats.FORMATS[args.format].files(args.kind)
    if files is None:
        raise UsageError(f'{args.kind} of format {args.format} cannot be read')
    options = {name: getattr(args, name) for name in ('qrels', *checks.OPTIONS) if getattr(args, name) is not None}
    try:
        checks.refuse_options(args.format, args.kind, options)
    except ValueError as error:
        raise UsageError(f'--{error}') from None
    if args.measures and args.qrels is None:
        raise UsageError('--measure (-m) only goes with --qrels')
    names = named_measures(args.measures) if args.measures else {}
    path, table = file_of(args.file), table_of_ids(args.table, args.ids_unit)
    if args.fix is not None:
        path = _mended(path, args.fix, args.format, args.kind)
    found = checks.check(path, args.format, args.kind, **options, ids=args.ids, ids_unit=args.ids_unit, table=table)
    if names and all(finding.is_warning for finding in found):  # else the file is refused for what is said already
        run = ReadRequest(path, 'run', args.format, args.ids, table, args.ids_unit,
                          args.task if 'task' in files.options else None)
        qrels = replace(run, path=args.qrels, kind='qrels', subset=args.subset,
                        format=checks.format_of_qrels(args.qrels, args.format))
        known = {finding.sentence for finding in found}
        found += [checks.Finding(None, sentence, is_warning, path, 'evaluate')
                  for sentence, is_warning in _of_evaluation(qrels, run, names) if sentence not in known]
    ties = [finding for finding in found if finding.rule == 'tied_scores']
    found = [finding for finding in found if finding not in ties]
    if not names and all(finding.is_warning for finding in found):
        for finding in ties:  # which are a warning where they move a figure
            print(with_its_name(f'{finding.path}: note: {finding.sentence}'))
    violations = _print(found, args.all)
    if violations:
        sys.stdout.flush()  # while whoever started this handles a closed pipe
        sys.exit(1)


def _mended(path: str, out: str, format: str, kind: str) -> str:
    """Writes the file as it is mended, says how, and returns the path of what was written."""
    from ir_segmeasures.checks.mending import mend
    from ir_segmeasures.formats.files.writing import write_text
    if out == '-' or (os.path.exists(out) and os.path.samefile(path, out)):
        raise UsageError(f'--fix is {out}, but what is mended is written to another file: name one')
    mended = mend(path, format, kind)
    write_text(mended.lines, out, mended.encoding)
    for name, number in mended.counts.items():
        print(f'{out}: mended: {name}, {_count(number, "line") if name != "byte order mark" else "one"}')
    if not mended.counts:
        print(f'{out}: there is nothing that can be mended without a decision')
    return out


def _print(found: Sequence[Any], all_warnings: bool) -> int:
    """Prints the findings and how many there are. Returns the number of violations."""
    of_rule = Counter(finding.rule for finding in found if finding.is_warning)
    printed: Counter[str] = Counter()
    for finding in found:
        if finding.is_warning and not all_warnings:
            if printed[finding.rule] == EXAMPLES:
                continue
            printed[finding.rule] += 1
        print(with_its_name(str(finding)))
        if printed[finding.rule] == EXAMPLES < of_rule[finding.rule] and finding.is_warning:
            print(with_its_name(f'{finding.path}: warning: {of_rule[finding.rule] - EXAMPLES:,} more of this kind, '
                                f'{of_rule[finding.rule]:,} together (--all prints each)'))
    warnings = sum(finding.is_warning for finding in found)
    violations = len(found) - warnings
    of_kinds = f' of {_count(len(of_rule), "kind")}' if not all_warnings and warnings > sum(printed.values()) else ''
    print(_count(violations, 'violation') + (f', {_count(warnings, "warning")}{of_kinds}' if warnings else ''))
    return violations


def _of_evaluation(qrels: ReadRequest, run: ReadRequest, names: Mapping[Measure, str]) -> list[tuple[str, bool]]:
    """The error and the warnings of an evaluation, each with whether it is a warning."""
    judged = read_qrels(qrels)
    found = read_run(run, judged)
    error = []
    with warnings.catch_warnings(record=True) as heard:
        try:
            computed(names, judged, found)
        except ValueError as refused:
            error = [(str(refused), False)]
    return error + [(str(warning.message), True) for warning in heard if issubclass(warning.category, SegmentWarning)]


def _count(number: int, what: str) -> str:
    return f'{number or "no"} {what}{"s" if number != 1 else ""}'
