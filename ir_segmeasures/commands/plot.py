"""``ir_segmeasures plot``: pictures of measures and systems for a paper."""

import argparse
import io
import os
from importlib import import_module
from typing import Any

from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.commands.inputs import Runs, durations_of, naming_files, read_qrels, unit_of
from ir_segmeasures.commands.measure_arguments import add_measures, named_measures
from ir_segmeasures.commands.options import PACKED, add_formats, add_qrels, add_runs, add_vary, requests_of
from ir_segmeasures.commands.outputs import write_out

KINDS = ('precision-recall', 'parameter', 'queries', 'groups', 'timeline')
SUFFIXES = ('.pdf', '.png', '.svg')


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'plot', help=help,
        description='Draw a figure as wide as a column of a paper. precision-recall: precision against recall. '
                    'parameter: means over the values of a parameter (--vary). queries: what each query gains from '
                    'the first run to the second. groups: means over queries by the length of their true moment, its '
                    'third of the video, and the number of true moments. timeline: the judged segments and the results '
                    'of one query (--query).')
    parser.add_argument('kind', choices=KINDS, metavar='KIND', help=', '.join(KINDS))
    add_qrels(parser)
    add_runs(parser, f'the files of one or more runs ({PACKED})')
    add_measures(parser, 'the measure; a timeline has none', required=False)
    parser.add_argument('--out', required=True, metavar='FILE',
                        help=f'the file to write; its name ends in {", ".join(SUFFIXES[:-1])} or {SUFFIXES[-1]}')
    add_vary(parser)
    parser.add_argument('--query', metavar='ID', help='for timeline: the query')
    add_formats(parser)
    parser.set_defaults(command=_run, parser=parser)


def _run(args: argparse.Namespace) -> None:
    suffix = os.path.splitext(args.out)[1].lower()
    if suffix not in SUFFIXES:
        raise UsageError(f'--out: {args.out} is no figure that can be drawn: end it in {", ".join(SUFFIXES)}')
    timeline = args.kind == 'timeline'
    for name, given, wanted in (('--measure', args.measures, not timeline), ('--query', args.query, timeline),
                                ('--vary', args.vary, args.kind == 'parameter')):
        if bool(given) != wanted:
            raise UsageError(f'{args.kind} {"needs" if wanted else "has no use for"} {name}')
    # A timeline has no measure.
    names = {} if timeline else named_measures(args.measures, check=args.kind != 'precision-recall')
    if len(names) > 1 or (timeline and len(args.runs) > 1):
        raise UsageError('a figure is of one run: give one' if timeline else 'a figure is of one measure: give one')
    judgements, requests = requests_of(args)
    qrels = read_qrels(judgements)
    runs = Runs(requests, names, qrels)
    try:
        import matplotlib
        matplotlib.use('Agg')
        plots: Any = import_module('ir_segmeasures.study.plots')
        with naming_files(qrels, runs):
            judged = runs.judgements
            if timeline:
                run = next(iter(runs.values()))
                axes = plots.timeline(judged, run, args.query, unit=unit_of(qrels, runs.format))
            elif args.kind == 'parameter':
                axes = plots.parameter(*names.values(), *args.vary, judged, runs)
            elif args.kind == 'groups':
                axes = plots.group_means(*names.values(), judged, runs, durations_of(qrels))
            else:
                draw = plots.query_differences if args.kind == 'queries' else plots.precision_recall
                axes = draw(*names.values(), judged, runs)
    except ImportError as error:
        raise ValueError(f"plots need matplotlib and SciPy ({error}): pip install 'ir_segmeasures[plots]'") from None
    content = io.BytesIO()
    axes.figure.savefig(content, format=suffix[1:], **({'dpi': 300} if suffix == '.png' else {}))
    write_out(content.getvalue(), args.out)
