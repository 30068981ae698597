"""``ir_segmeasures study``: what measures and their parameters do, on the runs at hand."""

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ir_measures import Measure

from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.commands.compare import TABLES, TESTS
from ir_segmeasures.commands.document_sizes import add_sizes, sizes_of
from ir_segmeasures.commands.inputs import Runs, Source, for_measures, naming_files, read_qrels
from ir_segmeasures.commands.measure_arguments import add_measures, named_measures
from ir_segmeasures.commands.options import add_formats, add_places, add_qrels, add_runs, add_vary, requests_of
from ir_segmeasures.commands.plot import check_figure, write_figure
from ir_segmeasures.segments.tables.table import SegmentTable

KINDS = {
    'fidelity': 'which expected orders of simulated runs a measure keeps (Pehcevski & Thom 2007)',
    'agreement': "Pearson's r and Kendall's tau between measures (Racca & Jones 2015), or how two files of judgements "
                 'agree on the order of the systems',
    'sensitivity': 'how the values of a parameter change the means, and the order of the systems',
    'power': 'how many pairs of systems a measure tells apart, and its ASL curve (Sakai 2006)',
    'holes': 'how values, the order of the systems and significance move where judgements are missing (Buckley & '
             'Voorhees 2004)',
}

Records = list[dict[str, Any]]


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser('study', help=help, description='Study measures on judgements and runs.')
    kinds = parser.add_subparsers(metavar='STUDY', required=True)
    for kind, question in KINDS.items():
        action = kinds.add_parser(kind, help=question, description=f'{question[0].upper()}{question[1:]}.')
        add_qrels(action)
        if kind != 'fidelity':
            add_runs(action)
        add_measures(action)
        if kind == 'fidelity':
            add_sizes(action)
        if kind == 'agreement':
            action.add_argument('--over', choices=('rankings', 'systems'), default='rankings',
                                help='which values are correlated: those of each query of each system (rankings, the '
                                     'default), or the means of the systems (systems)')
            action.add_argument('--other', metavar='QRELS',
                                help="other judgements of the same queries, such as a language model's: for each "
                                     "measure, Kendall's tau and tau_ap between the orders of the systems by both, "
                                     'with bootstrap intervals')
        if kind == 'sensitivity':
            add_vary(action, required=True)
        if kind == 'holes':
            _add_holes(action)
        if kind in ('power', 'holes'):
            action.add_argument('--test', choices=TESTS, default='t', help='the paired test (default: t)')
            action.add_argument('--level', type=float, default=.05,
                                help='two systems are told apart if p is below it (default: 0.05)')
        action.add_argument('--output-format', '-o', choices=TABLES, default='text',
                            help='text (the default), csv, markdown, latex (booktabs) or json')
        add_places(action)
        add_formats(action, ('qrels',) if kind == 'fidelity' else ('qrels', 'run'))
        action.set_defaults(command=_run, parser=action, kind=kind)


def _add_holes(action: argparse.ArgumentParser) -> None:
    what = action.add_mutually_exclusive_group()
    what.add_argument('--drop', type=float, nargs='+', metavar='SHARE',
                      help='the shares of the judgements that are dropped (default: 0.1 0.2 … 0.9)')
    what.add_argument('--leave-out-teams', action='store_true',
                      help='drop what one team alone returned, one team after the other')
    action.add_argument('--team', metavar='PATTERN',
                        help="with --leave-out-teams: the part of a run's name that its team is called by, as a "
                             "regular expression, such as '[^-]+' (default: each run is a team of its own)")
    action.add_argument('--depth', type=int, metavar='K',
                        help='with --leave-out-teams: how many results of a run went into the pool (default: all)')
    action.add_argument('--repeats', type=int, default=20, metavar='N',
                        help='how many samples are drawn for each share (default: 20)')
    action.add_argument('--seed', type=int, default=0, metavar='N', help='of the samples (default: 0)')
    action.add_argument('--jobs', type=int, metavar='N',
                        help='number of processes that evaluate samples at the same time, -1 for one on each core '
                             '(default: none beside this one)')
    action.add_argument('--plot', metavar='FILE', help='draw the table, too; the name ends in .pdf, .png or .svg')


def _run(args: argparse.Namespace) -> None:
    asked = _Holes(*(getattr(args, name) for name in _Holes._fields)) if args.kind == 'holes' else None
    if asked is not None:
        asked.check()
    names = named_measures(args.measures)
    judgements, requests = requests_of(args)
    qrels = read_qrels(judgements)
    if args.kind == 'fidelity':
        from ir_segmeasures.study import fidelity
        with naming_files(qrels, qrels):
            records = fidelity(names.values(), qrels.rows, sizes=sizes_of(args.sizes, qrels),
                               progress=True).records()
    else:
        runs = Runs(requests, names, qrels)
        with naming_files(qrels, runs):
            if args.kind == 'agreement' and args.other is not None:
                records = _order_agreement(names, runs, read_qrels(replace(judgements, path=args.other)))
            elif args.kind == 'agreement':
                records = _agreement(names, runs, args.over)
            elif asked is not None:
                records = _hole_records(names, runs, asked)
            elif args.kind == 'power':
                records = _power(names, runs, args.test, args.level)
            else:
                records = _sensitivity(names, runs, *args.vary)
    from ir_segmeasures.study.tables import render
    lines: dict[str, None] = {}
    if args.kind == 'fidelity' and args.output_format == 'text':
        lines = dict.fromkeys(f'{row["measure"]}: {row["separated"]} of {row["pairs"]} pairs of runs differ '
                              'significantly (paired t-test, p < 0.05)' for row in records)
    if args.output_format not in ('csv', 'json'):
        # A curve is no cell, and a number that all rows of a measure share is no column.
        left_out = ('separated', 'pairs') if args.kind == 'fidelity' else ('asl',)
        records = [{name: value for name, value in record.items() if name not in left_out} for record in records]
    print(render(records, args.output_format, args.places), *(f'{line}\n' for line in lines), sep='', end='')


def _agreement(names: Mapping[Measure, str], runs: Runs, over: str) -> Records:
    from ir_segmeasures.study import agreement
    return [{'first': names[row.first], 'second': names[row.second], 'pearson': row.pearson, 'kendall': row.kendall,
             'n': row.n} for row in agreement(list(names), runs.judgements, runs, over, progress=True)]


def _order_agreement(names: Mapping[Measure, str], runs: Runs, other: Source) -> Records:
    from ir_segmeasures.study import order_agreement
    with naming_files(other, other):
        judged = for_measures(other, list(names), runs.format)
        SegmentTable.from_qrels(judged)  # an error about a row names this file
    rows = order_agreement(list(names), runs.judgements, judged, runs, progress=True)
    return [{**row._asdict(), 'measure': names[row.measure]} for row in rows]


def _power(names: Mapping[Measure, str], runs: Runs, test: str, level: float) -> Records:
    from ir_segmeasures.study import power
    return [{'measure': names[row.measure], 'share': row.share, 'separated': row.separated, 'pairs': row.pairs,
             'asl': row.asl} for row in power(list(names), runs.judgements, runs, test, level, progress=True)]


class _Holes(NamedTuple):
    """The request of ``study holes``, under the names of its options."""
    drop: list[float] | None
    leave_out_teams: bool
    team: str | None
    depth: int | None
    repeats: int
    test: str
    level: float
    seed: int
    jobs: int | None
    plot: str | None

    def check(self) -> None:
        """Raises a usage error for options that cannot be, or do not go together."""
        if not self.leave_out_teams and (self.team, self.depth) != (None, None):
            raise UsageError('--team and --depth only go with --leave-out-teams')
        if self.jobs == 0:
            raise UsageError('--jobs is 0, but it is a number of processes from 1 up, or -1 for all cores')
        if self.seed < 0:
            raise UsageError(f'--seed is {self.seed}, but it is a whole number from 0 up')
        if self.plot is not None:
            check_figure('--plot', self.plot)
        try:
            re.compile(self.team or '')
        except re.error as error:
            raise UsageError(f'--team: {self.team} is no regular expression ({error}): correct it') from None


def _hole_records(names: Mapping[Measure, str], runs: Runs, asked: _Holes) -> Records:
    from ir_segmeasures.study import holes
    from ir_segmeasures.study.missing_judgements import SHARES
    teams = {name: found[0] for name in runs if asked.team and (found := re.search(asked.team, name))}
    effects = holes(list(names), runs.judgements, runs, 'teams' if asked.leave_out_teams else asked.drop or SHARES,
                    asked.repeats, teams, asked.depth, asked.test, asked.level, seed=asked.seed, n_jobs=asked.jobs,
                    progress=True)
    if asked.plot is not None:
        def draw() -> Any:
            from ir_segmeasures.study.plots import hole_effects
            return hole_effects(effects, names)
        write_figure(draw, asked.plot, check_figure('--plot', asked.plot))
    unused = ['left_out', 'ranks_lost'] if not asked.leave_out_teams else ['lowest']
    return [{name: value for name, value in {**row._asdict(), 'measure': names[row.measure]}.items()
             if name not in unused} for row in effects]


def _sensitivity(names: Mapping[Measure, str], runs: Runs, parameter: str, values: Sequence[Any]) -> Records:
    from ir_segmeasures.study import sensitivity
    return [{'measure': name, parameter: row.value,
             **{f'{run} (run)' if run in ('measure', parameter, 'p', 'kendall') else run: value
                for run, value in row.means.items()}, 'kendall': row.kendall}
            for measure, name in names.items()
            for row in sensitivity(measure, parameter, values, runs.judgements, runs, progress=True)]
