"""``ir_segmeasures plot``: pictures of measures and systems for a paper."""

import argparse
import io
import os
from importlib import import_module
from typing import Any

from ir_segmeasures.commands.asked import add_measures, asked_measures
from ir_segmeasures.commands.output import write_out
from ir_segmeasures.commands.reading import (
    Runs,
    add_formats,
    add_qrels,
    add_runs,
    located,
    measured,
    read_qrels,
    unit_of,
)
from ir_segmeasures.commands.varying import add_vary

KINDS = ('precision-recall', 'parameter', 'queries', 'timeline')
SUFFIXES = ('.pdf', '.png', '.svg')


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'plot', help='draw figures for a paper',
        description='Draw precision against recall, means over a parameter (--vary), what queries gain from the first '
                    'run to the second, or the timeline of one query (--query), in the width of a column.')
    parser.add_argument('kind', choices=KINDS, metavar='KIND', help=', '.join(KINDS))
    add_qrels(parser)
    add_runs(parser, 'the files of one or more runs (- is standard input)')
    add_measures(parser, 'the measure; not for timeline', required=False)
    parser.add_argument('--out', required=True, metavar='FILE', help=f'the figure, {", ".join(SUFFIXES)}')
    add_vary(parser)
    parser.add_argument('--query', metavar='ID', help='for timeline: the query')
    add_formats(parser)
    parser.set_defaults(command=plot, parser=parser)


def plot(args: argparse.Namespace) -> None:
    suffix = os.path.splitext(args.out)[1].lower()
    if suffix not in SUFFIXES:
        args.parser.error(f'--out: {args.out} is no figure that can be drawn: end it in {", ".join(SUFFIXES)}')
    timeline = args.kind == 'timeline'
    for name, given, wanted in (('--measure', args.measures, not timeline), ('--query', args.query, timeline),
                                ('--vary', args.vary, args.kind == 'parameter')):
        if bool(given) != wanted:
            args.parser.error(f'{args.kind} {"needs" if wanted else "has no use for"} {name}')
    # A timeline has no measure.
    names = {} if timeline else asked_measures(args.measures, args.parser, check=args.kind != 'precision-recall')
    if len(names) > 1 or (timeline and len(args.runs) > 1):
        args.parser.error('a figure is of one run: give one' if timeline else 'a figure is of one measure: give one')
    qrels = read_qrels(args)
    runs = Runs(args, names, qrels)
    try:
        import matplotlib
        matplotlib.use('Agg')
        plots: Any = import_module('ir_segmeasures.study.plots')
        with located(qrels, runs):
            judged = measured(qrels, 'qrels', list(names), args.run_format)
            if timeline:
                run = next(iter(runs.values()))
                axes = plots.timeline(judged, run, args.query, unit=unit_of(args, qrels))
            elif args.kind == 'parameter':
                axes = plots.parameter(*names.values(), *args.vary, judged, runs)
            else:
                draw = plots.query_differences if args.kind == 'queries' else plots.precision_recall
                axes = draw(*names.values(), judged, runs)
    except ImportError as error:
        raise ValueError(f"plots need matplotlib and SciPy ({error}): pip install 'ir_segmeasures[plots]'") from None
    content = io.BytesIO()
    axes.figure.savefig(content, format=suffix[1:], **({'dpi': 300} if suffix == '.png' else {}))
    write_out(content.getvalue(), args.out)
