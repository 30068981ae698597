"""``ir_segmeasures evaluate``: what the command ``ir_measures`` does, for segments and the campaigns' own files."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any

import ir_measures
from ir_measures import Measure, Metric

from ir_segmeasures import formats
from ir_segmeasures.commands.asked import asked_measures, complete_measures
from ir_segmeasures.commands.output import decimals
from ir_segmeasures.commands.reading import (
    Source,
    add_formats,
    add_qrels,
    doubt_about_ids,
    heeded,
    located,
    measured,
    read_qrels,
    read_run,
)
from ir_segmeasures.formats.files.parts import NotByQuery, is_large
from ir_segmeasures.measures import SegmentMeasure, SpanMeasure
from ir_segmeasures.segments.tables.warnings import SegmentWarning, warn

DEFAULT_PLACES = 4
SUMMARY_QID = 'all'


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'evaluate', help='measure a run against qrels',
        description='Measure a run against qrels. Measures are written as in ir_measures, such as T2I_AP(tau=15)@10, '
                    "MAgP or MAiSP(user='ret'), and all measures of ir_measures are there too.")
    add_qrels(parser)
    parser.add_argument('run', help='the file of the run (.gz is read as it is; - is standard input)')
    complete_measures(parser.add_argument('measures', nargs='+', metavar='measure',
                                          help='one or more measures'))
    parser.add_argument('--places', '-p', type=decimals, metavar='N', default=DEFAULT_PLACES,
                        help=f'decimal places to print (0 to 100), -1 for all (default: {DEFAULT_PLACES})')
    parser.add_argument('--by-query', '-q', action='store_true', help='print the value of each query as well')
    parser.add_argument('--no-summary', '-n', action='store_true', help='with -q: leave out the means')
    parser.add_argument('--output-format', '-o', choices=OUTPUT_FORMATS, default='tsv',
                        help='tsv (the default), csv or jsonl')
    parser.add_argument('--provider', choices=ir_measures.providers.registry, metavar='PROVIDER',
                        help='compute all measures with this provider')
    parser.add_argument('--strict', action='store_true', help='make warnings about the qrels and the run errors')
    add_formats(parser)
    parser.set_defaults(command=evaluate, parser=parser)


def evaluate(args: argparse.Namespace) -> None:
    if args.no_summary and not args.by_query:
        args.parser.error('--no-summary (-n) only goes with --by-query (-q)')
    names = asked_measures(args.measures, args.parser)
    measures = list(names)
    provider = ir_measures.providers.registry[args.provider] if args.provider else ir_measures
    for measure in measures if args.provider else ():
        if not provider.supports(measure):
            conflict = (measure.conflict(args.provider)
                        if isinstance(measure, SegmentMeasure) and args.provider in measure.TOOLS else None)
            reason = f': {conflict}' if conflict else ''
            args.parser.error(f'the provider {args.provider} does not compute {names[measure]}{reason}')
    with heeded(args.strict):
        qrels = read_qrels(args)
        # All values before any output, so that an error leaves no half of it.
        metrics = _of_large(args, qrels, measures) or computed(
            names, qrels, read_run(args.run, args, qrels), args.strict, provider)
    means = {measure: measure.aggregator() for measure in measures}
    queries: dict[str, dict[Measure, Metric]] = {}
    for metric in metrics:
        means[metric.measure].add(metric.value)
        queries.setdefault(metric.query_id, {})[metric.measure] = metric
    output = OUTPUT_FORMATS[args.output_format](args, names)
    if args.by_query:
        for values in queries.values():
            for measure in measures:
                if measure in values:
                    output(values[measure])
    if not args.no_summary:
        for measure, mean in means.items():
            output(Metric(SUMMARY_QID, measure, mean.result()))


def computed(names: Mapping[Measure, str], qrels: Source, run: Source, strict: bool = False,
             provider: Any = ir_measures) -> list[Metric]:
    """The values of measures, by what they are called; with ``strict``, what is doubtful is an error."""
    measures = list(names)
    with located(qrels, run, strict):
        judged, found = measured(qrels, 'qrels', measures, run.format), measured(run, 'run', measures)
        warn([doubt_about_ids(names, judged, found)])
        return list(provider.iter_calc(measures, judged, found))


def _of_large(args: argparse.Namespace, qrels: Source, measures: Sequence[Measure]) -> list[Metric]:
    """The values for a large run, read some queries at a time; none where it has to be read whole."""
    if (args.run == '-' or args.provider or args.ids or args.table or args.clip or args.task
            or not all(isinstance(measure, SpanMeasure) for measure in measures) or not is_large(args.run)):
        return []
    from ir_segmeasures.study.runs.tasks import tables_by_query
    from ir_segmeasures.study.runs.worker import Job
    format = formats.format_at(args.run, args.run_format)
    tables = tables_by_query(args.run, format)
    if tables is None:
        return []
    try:
        judged = measured(qrels, 'qrels', measures, format)
        values, _ = Job(list(measures), judged, True).values_by_query(tables)
    except NotByQuery:
        sys.stderr.write(f'{args.run}: the lines of a query do not stand together, so that the file is read whole, '
                         'which takes more memory: sort it by query\n')
        return []
    except (ValueError, SegmentWarning):  # where it is, is found when all lines are read
        return []
    return [Metric(query, measure, value) for query, row in values.items()
            for measure, value in zip(measures, row) if query is not None and value is not None]


def _tsv_output(args: argparse.Namespace, names: Mapping[Measure, str]) -> Callable[[Metric], None]:
    places = '' if args.places == -1 else f'.{args.places}f'

    def output(metric: Metric) -> None:
        query = f'{metric.query_id}\t' if args.by_query else ''
        print(f'{query}{names[metric.measure]}\t{metric.value:{places}}')
    return output


def _csv_output(args: argparse.Namespace, names: Mapping[Measure, str]) -> Callable[[Metric], None]:
    import csv
    places = '' if args.places == -1 else f'.{args.places}f'
    writer = csv.writer(sys.stdout, lineterminator='\n')
    writer.writerow([*(['query_id'] if args.by_query else []), 'measure', 'value'])

    def output(metric: Metric) -> None:
        query = [metric.query_id] if args.by_query else []
        writer.writerow([*query, names[metric.measure], f'{metric.value:{places}}'])
    return output


def _jsonl_output(args: argparse.Namespace, names: Mapping[Measure, str]) -> Callable[[Metric], None]:
    import json
    if args.places != DEFAULT_PLACES:
        sys.stderr.write('--places is ignored when using --output-format jsonl\n')

    def output(metric: Metric) -> None:
        query = {'query_id': metric.query_id} if args.by_query else {}
        value = None if isnan(metric.value) else metric.value  # JSON has no NaN
        print(json.dumps({**query, 'measure': names[metric.measure], 'value': value}))
    return output


OUTPUT_FORMATS: dict[str, Callable[[argparse.Namespace, Mapping[Measure, str]], Callable[[Metric], None]]] = {
    'tsv': _tsv_output,
    'csv': _csv_output,
    'jsonl': _jsonl_output,
}
