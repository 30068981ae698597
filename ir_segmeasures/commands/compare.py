"""``ir_segmeasures compare``: which system is better, by which measure, for which queries, and how sure one can be."""

import argparse
import os
from collections.abc import Mapping
from typing import Any

from ir_measures import Measure

from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.commands.document_measures import measure_groups
from ir_segmeasures.commands.inputs import Runs, naming_files, read_qrels
from ir_segmeasures.commands.measure_arguments import add_measures, named_measures
from ir_segmeasures.commands.options import (
    add_align,
    add_formats,
    add_places,
    add_qrels,
    add_runs,
    requests_of,
)
from ir_segmeasures.commands.outputs import bold
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.segments.quoting import quoted

# Those of study.statistics and study.tables, whose import the other commands have no need of; a test compares them.
TESTS, CORRECTIONS = ('t', 'randomisation'), ('holm', 'bonferroni', 'none')
TABLES = ('text', 'csv', 'markdown', 'latex', 'json')


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'compare', help='compare systems: means, tests, wins and losses',
        description='Compare systems with a baseline, which is the first run unless --baseline names another. The '
                    'table has for each measure and system: the mean; its difference from the baseline; the p-value of '
                    'a paired test over the queries; the same p-value, corrected for the number of systems; and for '
                    'how many queries the system wins, loses and ties. The name of a system is that of its file '
                    'without the suffix.')
    add_qrels(parser)
    add_runs(parser)
    add_measures(parser)
    parser.add_argument('--baseline', metavar='NAME', help='the system that the others are compared with, by its name '
                                                           'or file (default: the first)')
    parser.add_argument('--test', choices=TESTS, default='t', help="Student's paired t-test (default) or a "
                                                                   'randomisation test')
    parser.add_argument('--correction', choices=CORRECTIONS, default='holm',
                        help='how the p-values of a measure are corrected for the number of systems (default: holm)')
    parser.add_argument('--confidence', type=float, metavar='LEVEL',
                        help='add the bootstrap interval of each mean at this level of confidence, such as 0.95')
    parser.add_argument('--top', type=int, metavar='N',
                        help='with -o text: list for each measure and system the N queries whose values differ most '
                             'from those of the baseline')
    parser.add_argument('--output-format', '-o', choices=TABLES, default='text',
                        help='text (the default, with the best values in bold on a terminal), csv, markdown, latex '
                             '(booktabs) or json')
    add_places(parser)
    parser.add_argument('--jobs', type=int, metavar='N', help='number of processes that evaluate runs at the same '
                                                              'time, -1 for one on each core (default: none beside '
                                                              'this one)')
    add_align(parser)
    add_formats(parser)
    parser.set_defaults(command=_run, parser=parser)


def _run(args: argparse.Namespace) -> None:
    names = named_measures(args.measures)
    if args.top is not None and args.output_format != 'text':
        raise UsageError('--top only goes with -o text, since the other formats are one table')
    if args.top is not None and args.top < 1:
        raise UsageError(f'--top is {args.top}, but it is a number of queries from 1 up')
    if args.jobs == 0:
        raise UsageError('--jobs is 0, but it is a number of processes from 1 up, or -1 for all cores')
    from ir_segmeasures.study import comparison, tables
    from ir_segmeasures.study.scores import query_scores
    groups = measure_groups(names, args.align)
    judgements, requests = requests_of(args)
    qrels = read_qrels(judgements)
    all_runs = [Runs(requests, group, qrels, align) for group, align in groups]
    runs = all_runs[0]
    baseline = None if args.baseline is None else _baseline(args.baseline, runs)
    if baseline is not None and baseline not in runs:
        raise UsageError(f'--baseline: there is no run {quoted(args.baseline)}; there is {", ".join(runs)}')
    settings: dict[str, Any] = {'baseline': baseline, 'test': args.test, 'correction': args.correction,
                                'confidence': args.confidence}
    comparison.checked_baseline(runs, **settings)  # before the work
    scores: dict[str, dict[Measure, dict[str, float]]] = {name: {} for name in runs}
    try:
        for (group, _), runs in zip(groups, all_runs):
            with naming_files(qrels, runs):
                found = (query_scores(list(group), runs.judgements, runs, progress=True) if args.jobs is None else
                         _side_by_side(group, runs, args.jobs))
            for name, values in found.items():
                scores[name].update(values)
        compared = comparison.compare_scores(names.values(), scores, **settings)
    except ImportError as error:
        raise ValueError(str(error)) from None
    print(tables.render(compared, args.output_format, args.places, bold), end='')
    if args.top is not None:
        print('\n'.join(comparison.top_lines(compared, args.top, **({} if args.places is None else
                                                                 {'places': args.places}))))


def _baseline(text: str, runs: Runs) -> str:
    """The name of the run that somebody calls by its name, path or file; the text where there is none."""
    files = {file: name for name, path in runs.paths.items() for file in (path, os.path.basename(path))}
    return text if text in runs else files.get(text, text)


def _side_by_side(names: Mapping[Measure, str], runs: Runs, jobs: int) -> dict[str, dict[Measure, dict[str, float]]]:
    """The values of the runs, evaluated in several processes."""
    from ir_segmeasures.study.runs import BrokenRuns, evaluate_runs
    measures = list(names)
    # Files are read by the processes; what measures of documents need is made here.
    plain = all(request.is_plain and request.path != '-' for request in runs.requests.values())
    files = plain and all(isinstance(measure, SegmentMeasure) for measure in measures)
    try:
        frame = evaluate_runs(measures, runs.judgements, runs.paths if files else runs.items(), by_query=True,
                              n_jobs=jobs, format=runs.format)
    except BrokenRuns as error:
        raise ValueError('; '.join(error.errors.values())) from None
    called = {str(measure): measure for measure in measures}
    found: dict[str, dict[Measure, dict[str, float]]] = {name: {measure: {} for measure in measures} for name in runs}
    for name, query, measure, value in frame.itertuples(index=False):
        found[name][called[measure]][query] = float(value)
    return found
