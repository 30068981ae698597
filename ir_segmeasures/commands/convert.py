"""``ir_segmeasures convert``: a run or qrels of one campaign as a file of another."""

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands.argument_parser import FormatsHelp, UsageError
from ir_segmeasures.commands.inputs import warning_once, within_videos
from ir_segmeasures.commands.options import (
    PACKED,
    add_ids,
    add_quotes,
    add_run_options,
    add_strict,
    add_subset,
    table_of_ids,
)
from ir_segmeasures.commands.outputs import write_out
from ir_segmeasures.commands.standard_input import file_of, with_its_name
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.ids.ties import break_ties


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'convert', help=help,
        formatter_class=FormatsHelp,
        description='Write a run or qrels in the format of another campaign. Queries, segments and their order stay '
                    'what they are:\nwhere the other format cannot hold one of them unchanged, nothing is written. A '
                    'message lists the columns for which the\nother format has no place.',
        epilog='formats:\n{formats}')
    parser.add_argument('input', metavar='IN', help=f'the file to read ({PACKED})')
    parser.add_argument('output', metavar='OUT',
                        help='the file to write (packed if it ends in .gz; standard output as -)')
    parser.add_argument('--from', dest='source', metavar='FORMAT', choices=formats.FORMATS, required=True,
                        help='the format of IN')
    parser.add_argument('--to', dest='target', metavar='FORMAT', choices=formats.FORMATS, required=True,
                        help='the format of OUT')
    parser.add_argument('--parts', type=int, metavar='N',
                        help='with --to parquet: write a folder of N files; all rows of a query are in one of them')
    parser.add_argument('--kind', choices=('run', 'qrels'), default='run', help='what IN is (default: run)')
    parser.add_argument('--round', action='store_true', help='round positions and grades to whole numbers, for formats '
                                                             'that have no others; a message says how many rows this '
                                                             'changes')
    add_quotes(parser)
    add_ids(parser, 'IN')
    add_run_options(
        parser, 'for the format tvr: which predictions are read or written: moments of all videos (VCMR, the '
                'default), moments of one video for each query (SVMR), or videos (VR)',
        'for a run of moments (formats moments, tvr, ego4d-nlq, activitynet, answers): cut off what lies before the '
        'start of the video')
    add_subset(parser)
    add_strict(parser)
    parser.set_defaults(command=_run, parser=parser)


def _run(args: argparse.Namespace) -> None:
    source, target = formats.FORMATS[args.source], formats.FORMATS[args.target]
    given, wanted = source.files(args.kind), target.files(args.kind)
    if args.parts is not None:
        if target.run is None or target.run.write_parts is None:
            raise UsageError('--parts is for --to parquet')
        for name in ('round', 'ids', 'table', 'clip', 'normalised', 'task', 'ties', 'subset', 'texts', 'unlocated'):
            if getattr(args, name):
                raise UsageError(f'--{name} does not go with --parts, which copies row by row: convert to one file '
                                 'first')
        lost = _to_parts(args.input, args.output, args.kind, source, target.run.write_parts, args.parts)
    else:
        if given is None:
            raise UsageError(f'{args.kind} of format {args.source} cannot be read')
        if wanted is None or wanted.write is None:
            raise UsageError(f'{args.kind} of format {args.target} cannot be written')
        if args.task and 'task' not in (*given.options, *wanted.write_options):
            raise UsageError(f'--task is for runs of the format tvr, not of {args.source} and {args.target}')
        if args.clip and 'clip' not in given.options:
            raise UsageError(f'--clip is for runs of moments, not for {args.kind} of {args.source}')
        if args.normalised and 'normalised' not in given.options:
            raise UsageError(f'--normalised is for runs of moments, not for {args.kind} of {args.source}')
        if args.subset and 'subset' not in given.options:
            raise UsageError(f'--subset is for qrels of activitynet, not for {args.kind} of {args.source}')
        request = ReadRequest(file_of(args.input), args.kind, args.source, args.ids,
                              table_of_ids(args.table, args.ids_unit), args.ids_unit,
                              args.task if 'task' in given.options else None, args.clip, args.ties, args.normalised,
                              texts=args.texts, unlocated=args.unlocated, subset=args.subset)
        options: dict[str, Any] = {'task': args.task} if args.task and 'task' in wanted.write_options else {}
        if given.queries is not None and 'queries' in wanted.write_options:
            options['queries'] = given.queries(request.path)
        write = partial(wanted.write, unit=source.unit, **options)
        with warning_once(args.strict):
            lost = _converted(request, write, args.output, args.round)
    if lost:
        sys.stderr.write(f'ir_segmeasures: left out of {args.output}: {", ".join(lost)}\n')


def _converted(request: ReadRequest, write: Callable[..., list[str]], output: str, is_rounded: bool) -> list[str]:
    """Reads and writes one file. Returns what is left out, in words."""
    rows = within_videos(request.read(named=True), request, {})
    rows = request.with_segment_ids(rows)
    if request.ties is not None:
        rows = break_ties(rows, *request.ties)
    try:
        if is_rounded:
            from ir_segmeasures.formats.rounding import rounded
            rows, count = rounded(rows)
            sys.stderr.write(with_its_name(f'ir_segmeasures: {count} of {len(rows)} rows of {request.path} are rounded '
                                           'to whole numbers') + '\n')
        if output != '-':
            return write(rows, output)
        with TemporaryDirectory() as folder:
            whole = os.path.join(folder, 'output')
            lost = write(rows, whole)
            with open(whole, 'rb') as file:
                write_out(file.read(), '-')
        return lost
    except formats.WriteError as error:
        line = formats.line_of(request.path, formats.FORMATS[request.format], request.kind, request.read(), error.row)
        raise formats.FormatError(error.sentence, request.path, line) from None


def _to_parts(path: str, folder: str, kind: str, source: formats.Format,
              write: Callable[..., list[str]], parts: int) -> list[str]:
    """Writes a run as several files, a block of rows in memory at a time. Returns what is left out, in words."""
    if folder == '-':
        raise UsageError('--parts makes a folder of files, and no standard output: name a folder')
    if kind != 'run' or source.run is None:
        raise UsageError(f'{kind} of format {source.name} cannot be written with --parts, which are for runs')
    if parts < 1:
        raise UsageError(f'--parts is {parts}, but a run has 1 file or more')
    file = file_of(path)
    try:
        return write(source.run.read(file), folder, parts, source.unit)
    except formats.WriteError as error:
        raise formats.FormatError(error.sentence, file) from None
