"""``ir_segmeasures release``: the folder that a campaign gives out."""

import argparse
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from tempfile import mkdtemp
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands.agree import assessors_of, pool_content
from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.commands.inputs import read_qrels, warning_once, with_segments
from ir_segmeasures.commands.options import PACKED, add_formats, requests_of
from ir_segmeasures.segments.tables.table import RowError


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'release', help=help,
        description='Write what a campaign gives out to a new folder: the judgements in each format, the topics, the '
                    'lengths of the documents, checksums, and a README with counts, the agreement of the assessors and '
                    'the line that makes a dataset of the files. The judgements are checked before: where check finds '
                    'a violation or a warning, there is no release.')
    parser.add_argument('name', metavar='NAME', help='the id of the dataset, in lower case, such as track/2026')
    parser.add_argument('--qrels', required=True, metavar='QRELS', help=f'the judgements ({PACKED})')
    parser.add_argument('--topics', required=True, metavar='FILE', help='the topics: lines of id, tab, text')
    parser.add_argument('--lengths', required=True, metavar='FILE',
                        help='the lengths of the documents: lines "document length", such as 12.5 or hh:mm:ss')
    parser.add_argument('--pool', metavar='QRELS', help='the pool, in csv, trec or jsonl: its counts are in the README')
    parser.add_argument('--assessors', nargs='+', metavar='QRELS', default=[],
                        help='the judgements of each assessor, or one file of all: their agreement is in the README')
    parser.add_argument('--formats', nargs='+', choices=formats.FORMATS, default=['trec'], metavar='FORMAT',
                        help='the formats of the judgements that are written; the first is that of the dataset '
                             '(default: trec)')
    parser.add_argument('--out', required=True, metavar='FOLDER', help='the folder, which is not there yet')
    add_formats(parser, ('qrels',))
    parser.set_defaults(command=_run, parser=parser)


def _run(args: argparse.Namespace) -> None:
    from ir_segmeasures.datasets.list_formats import QUERIES_FORMATS
    from ir_segmeasures.datasets.local import NAME
    if not NAME.fullmatch(args.name):
        raise UsageError(f'{args.name} is no name of a dataset, which has lower-case letters, digits, ".", "-" and '
                         '"_", and "/" between its parts: give it another')
    if os.path.lexists(args.out):
        raise UsageError(f'--out: {args.out} is there already: name another folder')
    request, _ = requests_of(args)
    from ir_segmeasures.formats.extents import read_sizes
    from ir_segmeasures.study import agreement_of, write_release
    pool = None if args.pool is None else with_segments(pool_content(replace(request, format='trec'), args.pool))
    agreement = None
    if args.assessors:
        with warning_once():
            agreement = agreement_of(assessors_of(request, args.assessors), extent='judged' if pool is None else pool)
    source = read_qrels(request)
    topics = {topic.query_id: topic.text for topic in QUERIES_FORMATS['tsv'].read(args.topics)}
    lengths = read_sizes(args.lengths)
    parent = os.path.dirname(os.path.abspath(args.out))
    if not os.path.isdir(parent):
        raise ValueError(f'{args.out} cannot be made, since there is no folder {parent}: make it, or name another')
    folder = mkdtemp(dir=parent, prefix='.release')
    try:
        try:
            files = write_release(folder, args.name, with_segments(source), topics, lengths, pool, agreement,
                                  args.formats)
        except RowError as error:
            raise source.in_file(error) from None
        _check(folder, args.formats)
        os.chmod(folder, 0o755)
        os.rename(folder, args.out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for file in files:
        print(os.path.join(args.out, file))


def _check(folder: str, names: Sequence[str]) -> None:
    """Raises the first finding of a check of the files of judgements."""
    from ir_segmeasures.checks import check
    for name in names:
        path = os.path.join(folder, f'qrels.{name}')
        for finding in check(path, name, 'qrels'):
            line = '' if finding.line is None else f', line {finding.line}'
            raise ValueError(f'there is no release, since check finds something in qrels.{name}{line}: '
                             f'{finding.sentence}')
