"""``ir_segmeasures compare``: which system is better, by which measure, for which queries, and how sure one can be."""

import argparse
import os
from collections.abc import Mapping
from typing import Any

from ir_measures import Measure

from ir_segmeasures.commands.asked import add_measures, asked_measures
from ir_segmeasures.commands.output import add_places, bold
from ir_segmeasures.commands.reading import (
    Runs,
    Source,
    add_formats,
    add_qrels,
    add_runs,
    located,
    measured,
    read_qrels,
)
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.segments.quoting import quoted

# Those of study.statistics and study.tables, whose import the other commands have no need of; a test compares them.
TESTS, CORRECTIONS = ('t', 'randomisation'), ('holm', 'bonferroni', 'none')
TABLES = ('text', 'csv', 'markdown', 'latex', 'json')


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'compare', help='compare systems: means, tests, wins and losses',
        description='Compare systems to a baseline, the first run unless another is named: mean, difference, p-value '
                    'of a paired test by query and the same corrected for the number of systems, and for how many '
                    'queries a system wins, loses and ties. A system is called as its file is without the suffix.')
    add_qrels(parser)
    add_runs(parser)
    add_measures(parser)
    parser.add_argument('--baseline', metavar='NAME', help='the system that the others are compared to, by its name '
                                                           'or file (default: the first)')
    parser.add_argument('--test', choices=TESTS, default='t', help="Student's paired t-test (default) or a "
                                                                   'randomisation test')
    parser.add_argument('--correction', choices=CORRECTIONS, default='holm',
                        help='of p over the systems of a measure (default: holm)')
    parser.add_argument('--confidence', type=float, metavar='LEVEL',
                        help='add the bootstrap interval of each mean, such as of 0.95')
    parser.add_argument('--top', type=int, metavar='N', help='as text: add the N queries that differ most, by measure '
                                                             'and system')
    parser.add_argument('--output-format', '-o', choices=TABLES, default='text',
                        help='text (the default: the best in bold on a terminal), csv, markdown, latex (booktabs) or '
                             'json')
    add_places(parser)
    parser.add_argument('--jobs', type=int, metavar='N', help='processes that evaluate runs side by side, -1 for all '
                                                              'cores (default: this one)')
    add_formats(parser)
    parser.set_defaults(command=compare, parser=parser)


def compare(args: argparse.Namespace) -> None:
    names = asked_measures(args.measures, args.parser)
    if args.top is not None and args.output_format != 'text':
        args.parser.error('--top only goes with -o text, since the other formats are one table')
    if args.top is not None and args.top < 1:
        args.parser.error(f'--top is {args.top}, but it is a number of queries from 1 up')
    if args.jobs == 0:
        args.parser.error('--jobs is 0, but it is a number of processes from 1 up, or -1 for all cores')
    from ir_segmeasures.study import comparison, tables
    qrels = read_qrels(args)
    runs = Runs(args, names, qrels)
    baseline = None if args.baseline is None else _baseline(args.baseline, runs)
    if baseline is not None and baseline not in runs:
        args.parser.error(f'--baseline: there is no run {quoted(args.baseline)}; there is {", ".join(runs)}')
    settings: dict[str, Any] = {'baseline': baseline, 'test': args.test, 'correction': args.correction,
                                'confidence': args.confidence}
    try:
        with located(qrels, runs):
            judged = measured(qrels, 'qrels', list(names), args.run_format)
            found = (comparison.compare(names.values(), judged, runs, **settings, progress=True)
                     if args.jobs is None else
                     comparison.compare_scores(names.values(), _side_by_side(args, names, judged, qrels, runs),
                                               **settings))
    except ImportError as error:
        raise ValueError(str(error)) from None
    print(tables.render(found, args.output_format, args.places, bold), end='')
    if args.top is not None:
        print('\n'.join(comparison.top_lines(found, args.top, **({} if args.places is None else
                                                                 {'places': args.places}))))


def _baseline(text: str, runs: Runs) -> str:
    """The name of the run that somebody calls by its name, path or file; the text where there is none."""
    files = {file: name for name, path in runs.paths.items() for file in (path, os.path.basename(path))}
    return text if text in runs else files.get(text, text)


def _side_by_side(args: argparse.Namespace, names: Mapping[Measure, str], judged: Any, qrels: Source,
                  runs: Runs) -> dict[str, dict[Measure, dict[str, float]]]:
    """The values of the runs, evaluated in several processes."""
    from ir_segmeasures.study.runs import BrokenRuns, evaluate_runs
    measures = list(names)
    # Files are read by the processes; what measures of documents need is made here.
    files = (all(isinstance(measure, SegmentMeasure) for measure in measures) and '-' not in args.runs
             and not (args.ids or args.table or args.clip or args.task))
    try:
        frame = evaluate_runs(measures, judged, runs.paths if files else runs.items(), by_query=True,
                              n_jobs=args.jobs, format=args.run_format)
    except BrokenRuns as error:
        raise ValueError('; '.join(error.errors.values())) from None
    called = {str(measure): measure for measure in measures}
    found: dict[str, dict[Measure, dict[str, float]]] = {name: {measure: {} for measure in measures} for name in runs}
    for name, query, measure, value in frame.itertuples(index=False):
        found[name][called[measure]][query] = float(value)
    return found
