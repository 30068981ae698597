"""``ir_segmeasures study``: what measures and their parameters do, on the runs at hand."""

import argparse
from collections.abc import Iterator
from typing import Any

from ir_segmeasures.commands.asked import add_measures, asked_measures
from ir_segmeasures.commands.compare import TABLES, TESTS
from ir_segmeasures.commands.output import add_places
from ir_segmeasures.commands.reading import Runs, add_formats, add_qrels, add_runs, located, measured, read_qrels
from ir_segmeasures.commands.sizes import add_sizes, sizes_of
from ir_segmeasures.commands.varying import add_vary

KINDS = {
    'fidelity': 'which expected orderings of simulated runs measures keep (Pehcevski & Thom 2007)',
    'agreement': "Pearson's r and Kendall's tau between measures (Racca & Jones 2015)",
    'sensitivity': 'what a parameter changes: means, and the order of the systems',
    'power': 'how many pairs of systems measures separate, and the ASL curve (Sakai 2006)',
}


def add_to(commands: Any) -> None:
    parser = commands.add_parser('study', help='study measures: fidelity, agreement, sensitivity, power',
                                 description='Study measures on judgements and runs.')
    kinds = parser.add_subparsers(metavar='STUDY', required=True)
    for kind, help in KINDS.items():
        action = kinds.add_parser(kind, help=help, description=f'{help[0].upper()}{help[1:]}.')
        add_qrels(action)
        if kind != 'fidelity':
            add_runs(action)
        add_measures(action)
        if kind == 'fidelity':
            add_sizes(action)
        if kind == 'agreement':
            action.add_argument('--over', choices=('rankings', 'systems'), default='rankings',
                                help='what a point is: the ranking of a query by a system (default), or a system')
        if kind == 'sensitivity':
            add_vary(action, required=True)
        if kind == 'power':
            action.add_argument('--test', choices=TESTS, default='t', help='the paired test (default: t)')
            action.add_argument('--level', type=float, default=.05, help='p below it separates (default: 0.05)')
        action.add_argument('--output-format', '-o', choices=TABLES, default='text',
                            help='text (the default), csv, markdown, latex (booktabs) or json')
        add_places(action)
        add_formats(action, ('qrels',) if kind == 'fidelity' else ('qrels', 'run'))
        action.set_defaults(command=study, parser=action, kind=kind)


def study(args: argparse.Namespace) -> None:
    names = asked_measures(args.measures, args.parser)
    from ir_segmeasures import study as library
    from ir_segmeasures.study.tables import render
    qrels = read_qrels(args)
    if args.kind == 'fidelity':
        args.runs, args.run_format = [], args.qrels_format
    runs = Runs(args, names, qrels)
    try:
        with located(qrels, runs):
            judged = (qrels.rows if args.kind == 'fidelity' else  # the simulation needs the documents' sizes
                      measured(qrels, 'qrels', list(names), args.run_format))
            sizes = sizes_of(args, qrels) if args.kind == 'fidelity' else {}
            records = list(_records(args, library, names, judged, runs, sizes))
    except ImportError as error:
        raise ValueError(str(error)) from None
    if args.kind == 'fidelity' and args.output_format == 'text':
        lines = dict.fromkeys(f'{row["measure"]}: {row["separated"]} of {row["pairs"]} pairs of runs differ '
                              'significantly (paired t-test, p < 0.05)' for row in records)
    else:
        lines = {}
    if args.output_format not in ('csv', 'json'):
        # A curve is no cell, and a number that all rows of a measure share is no column.
        left_out = ('separated', 'pairs') if args.kind == 'fidelity' else ('asl',)
        records = [{name: value for name, value in record.items() if name not in left_out} for record in records]
    print(render(records, args.output_format, args.places), *(f'{line}\n' for line in lines), sep='', end='')


def _records(args: argparse.Namespace, library: Any, names: Any, judged: Any, runs: Runs,
             sizes: dict[str, float]) -> Iterator[dict[str, Any]]:
    measures = list(names)
    if args.kind == 'fidelity':
        yield from library.fidelity(names.values(), judged, sizes=sizes, progress=True).records()
    elif args.kind == 'agreement':
        for row in library.agreement(measures, judged, runs, args.over, progress=True):
            yield {'first': names[row.first], 'second': names[row.second], 'pearson': row.pearson,
                   'kendall': row.kendall, 'n': row.n}
    elif args.kind == 'power':
        for row in library.power(measures, judged, runs, args.test, args.level, progress=True):
            yield {'measure': names[row.measure], 'share': row.share, 'separated': row.separated, 'pairs': row.pairs,
                   'asl': row.asl}
    else:
        parameter, values = args.vary
        for measure in measures:
            for row in library.sensitivity(measure, parameter, values, judged, runs, progress=True):
                yield {'measure': names[measure], parameter: row.value,
                       **{f'{name} (run)' if name in ('measure', parameter, 'p', 'kendall') else name: value
                          for name, value in row.means.items()}, 'kendall': row.kendall}
