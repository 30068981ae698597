"""``ir_segmeasures compare``: which system is better, by which measure, for which queries, and how sure one can be."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ir_measures import Measure

from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.commands.document_measures import measure_groups
from ir_segmeasures.commands.inputs import Runs, durations_of, naming_files, read_qrels
from ir_segmeasures.commands.measure_arguments import add_measures, named_measures
from ir_segmeasures.commands.options import add_align, add_formats, add_places, add_qrels, add_runs, requests_of
from ir_segmeasures.commands.outputs import bold, write_out
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.segments.quoting import quoted

# Those of study.statistics and study.tables, whose import the other commands have no need of; a test compares them.
TESTS, CORRECTIONS = ('t', 'randomisation'), ('holm', 'bonferroni', 'none')
TABLES = ('text', 'csv', 'markdown', 'latex', 'json')


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'compare', help=help,
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
    parser.add_argument('--diagnose', action='store_true',
                        help='print the means over groups of queries as well (with -o other than text: instead): by '
                             'the length of the true moment, its third of the video, where the qrels or their dataset '
                             'have the durations of videos, and the number of true moments; see also plot groups')
    parser.add_argument('--output-format', '-o', choices=TABLES, default='text',
                        help='text (the default, with the best values in bold on a terminal), csv, markdown, latex '
                             '(booktabs) or json')
    parser.add_argument('--fail-if-worse', nargs='*', metavar='MEASURE',
                        help='exit with 1 if a system is worse than the baseline by one of these measures (default: '
                             'all), significantly or by more than --tolerance, and with 2 for errors; a message says '
                             'why. The p-values are corrected for all systems and measures that count')
    parser.add_argument('--alpha', type=float, metavar='LEVEL',
                        help='with --fail-if-worse: the level of significance (default: 0.05)')
    parser.add_argument('--tolerance', type=float, metavar='DIFFERENCE',
                        help='with --fail-if-worse: fail also if a mean is worse by more than this, significant or not')
    parser.add_argument('--summary', metavar='FILE',
                        help='write the result as Markdown, for the page of a pull request (standard output as -)')
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
    gated: list[str] = []
    if args.fail_if_worse is not None:
        args.error_code = 2
        gated = _gated(args.fail_if_worse, names, len(args.runs))
    elif args.alpha is not None or args.tolerance is not None:
        raise UsageError('--alpha and --tolerance only go with --fail-if-worse')
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
    for (group, _), runs in zip(groups, all_runs):
        with naming_files(qrels, runs):
            found = (query_scores(list(group), runs.judgements, runs, progress=True) if args.jobs is None else
                     _side_by_side(group, runs, args.jobs))
        for name, values in found.items():
            scores[name].update(values)
    compared = comparison.compare_scores(names.values(), scores, **settings)
    worse, verdict = [], ''
    if gated:
        from ir_segmeasures.study.gate import regressions
        worse = regressions(compared, gated, **_given(alpha=args.alpha, tolerance=args.tolerance),
                            correction=args.correction)
        verdict = '; '.join(map(str, worse)) or (
            f'nothing is worse than {compared.baseline} by {", ".join(map(str, gated))}')
    if not args.diagnose or args.output_format == 'text':
        print(tables.render(compared, args.output_format, args.places, bold), end='')
    if args.diagnose:
        from ir_segmeasures.study.diagnosis import diagnose
        with naming_files(qrels, all_runs[0]):
            diagnosis = diagnose(compared, all_runs[0].judgements, durations_of(qrels))
        print('\n' * (args.output_format == 'text')
              + tables.render(diagnosis, args.output_format, args.places, bold), end='')
    if args.top is not None:
        print('\n'.join(comparison.top_lines(compared, args.top, **_given(places=args.places))))
    if args.summary is not None:
        from ir_segmeasures.study.gate import summary
        write_out(summary(compared, verdict, args.places), args.summary)
    if verdict:
        sys.stdout.flush()  # the reason stands last
        sys.stderr.write(f'ir_segmeasures: {verdict}\n')
    if worse:
        sys.exit(1)


def _given(**settings: Any) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}


def _gated(texts: Sequence[str], names: Mapping[Measure, str], runs: int) -> list[str]:
    """The names of the measures by which no system may be worse: those of some texts, or all."""
    if runs < 2:
        raise UsageError('--fail-if-worse takes two runs or more, the baseline and others: name them')
    wanted = named_measures(texts) if texts else names
    for measure, text in wanted.items():
        if measure not in names:
            raise UsageError(f'--fail-if-worse: {text} is none of the measures that are compared: add it to -m')
    return [names[measure] for measure in wanted]


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
