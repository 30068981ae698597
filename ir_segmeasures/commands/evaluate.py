"""``ir_segmeasures evaluate``: what the command ``ir_measures`` does, for segments and the campaigns' own files."""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import isnan
from typing import Any

import ir_measures
import numpy as np
from ir_measures import Measure, Metric

from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.commands.document_measures import aligned, measure_groups, warning_about_ids
from ir_segmeasures.commands.inputs import Source, for_measures, naming_files, read_qrels, read_run, warning_once
from ir_segmeasures.commands.measure_arguments import complete_measures, named_measures
from ir_segmeasures.commands.options import (
    PACKED,
    add_align,
    add_formats,
    add_qrels,
    add_runs,
    add_strict,
    decimal_places,
    requests_of,
)
from ir_segmeasures.measures import RowMeasure, SegmentMeasure
from ir_segmeasures.measures.host_measures import values_of_measures
from ir_segmeasures.segments.quoting import cell_of
from ir_segmeasures.segments.tables.table import SegmentTable
from ir_segmeasures.segments.tables.tied_items import about_ties, with_ties_by
from ir_segmeasures.segments.tables.warnings import collected_warnings, warn

__all__ = ['add_to', 'computed']

DEFAULT_PLACES = 4
SUMMARY_QID = 'all'

Rows = Sequence[tuple[Sequence[str], str, float]]  # the query, if queries are printed, the measure and the value


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'evaluate', help=help,
        description='Measure a run against qrels. Measures are written as in ir_measures, such as T2I_AP(tau=15)@10, '
                    "MAgP or MAiSP(user='ret'), and all measures of ir_measures are there too.")
    add_qrels(parser)
    add_runs(parser, f'the file of the run ({PACKED})', 1)
    complete_measures(parser.add_argument('measures', nargs='+', metavar='measure', help='one or more measures'))
    parser.add_argument('--places', '-p', type=decimal_places, metavar='N', default=DEFAULT_PLACES,
                        help=f'decimal places to print (0 to 100), -1 for all (default: {DEFAULT_PLACES})')
    parser.add_argument('--by-query', '-q', action='store_true', help='print the value of each query as well')
    parser.add_argument('--no-summary', '-n', action='store_true', help='with -q: do not print the means')
    parser.add_argument('--output-format', '-o', choices=OUTPUT_FORMATS, default='tsv',
                        help='tsv (the default), csv or jsonl')
    parser.add_argument('--provider', choices=ir_measures.providers.registry, metavar='PROVIDER',
                        help='compute all measures with this provider')
    add_strict(parser)
    add_align(parser)
    add_formats(parser)
    parser.set_defaults(command=_run, parser=parser)


def _run(args: argparse.Namespace) -> None:
    if args.no_summary and not args.by_query:
        raise UsageError('--no-summary (-n) only goes with --by-query (-q)')
    names = named_measures(args.measures)
    provider = _provider(args.provider, names) if args.provider else ir_measures
    measure_groups(names, args.align)  # for its error
    judgements, (run,) = requests_of(args)
    places = DEFAULT_PLACES if args.output_format == 'jsonl' else args.places

    def printed(names: Mapping[Measure, str], metrics: Iterable[Metric]) -> list[str]:
        return [' '.join((*query, name, _decimals(value, places)))
                for query, name, value in _figures(names, metrics, args.by_query, not args.no_summary)]

    with warning_once(args.strict):
        qrels = read_qrels(judgements)
        # All values before any output, so that an error leaves no half of it.
        metrics = computed(names, qrels, read_run(run, qrels), args.strict, provider, printed, args.align)
    rows = _figures(names, metrics, args.by_query, not args.no_summary)
    OUTPUT_FORMATS[args.output_format](rows, args.by_query, args.places)


def _figures(names: Mapping[Measure, str], metrics: Iterable[Metric], by_query: bool = False,
             summary: bool = True) -> Rows:
    """The figures of measures that are asked for, of their values for all queries."""
    means = {measure: measure.aggregator() for measure in names}
    queries: dict[str, dict[Measure, float]] = {}
    for metric in metrics:
        means[metric.measure].add(metric.value)
        queries.setdefault(metric.query_id, {})[metric.measure] = metric.value
    rows = [([query], names[measure], values[measure]) for query, values in queries.items() if by_query
            for measure in names if measure in values]
    query = [SUMMARY_QID] if by_query else []
    return rows + [(query, names[measure], mean.result()) for measure, mean in means.items() if summary]


def _means(names: Mapping[Measure, str], metrics: Iterable[Metric]) -> list[str]:
    return [f'{name} {_decimals(value, DEFAULT_PLACES)}' for _, name, value in _figures(names, metrics)]


def _provider(name: str, names: Mapping[Measure, str]) -> Any:
    """The provider of a name, which has to compute all measures."""
    provider = ir_measures.providers.registry[name]
    for measure, written in names.items():
        if not provider.supports(measure):
            conflict = (measure.conflict(name)
                        if isinstance(measure, SegmentMeasure) and name in measure.TOOLS else None)
            reason = f': {conflict}' if conflict else ''
            raise UsageError(f'the provider {name} does not compute {written}{reason}')
    return provider


def computed(names: Mapping[Measure, str], qrels: Source, run: Source, strict: bool = False,
             provider: Any = ir_measures,
             printed: Callable[[Mapping[Measure, str], Iterable[Metric]], list[str]] = _means,
             align: Mapping[str, Any] | None = None) -> list[Metric]:
    """The values of measures. ``names`` says what each measure is called; with ``strict``, a warning is an error;
    ``printed`` gives the figures as they are shown, of which a warning says whether the order of ties moves one;
    ``align`` says how the run is aligned for measures of documents, and None that it is not."""
    metrics: list[Metric] = []
    with naming_files(qrels, run, strict):
        for group, by in measure_groups(names, align):
            measures = list(group)
            judged = for_measures(qrels, measures, run.request.true_format)
            found = for_measures(run, measures)
            if by is None:
                warn([warning_about_ids(group, judged, found)])
            else:
                found = aligned(found, judged, by)
            metrics += values_of_measures(measures, provider.iter_calc(measures, judged, found))
            ours: dict[Measure, str] = {
                measure: name for measure, name in group.items() if isinstance(measure, SegmentMeasure)}
            if ours:
                warn([_moved_by_ties(ours, judged, found, provider, partial(printed, ours), metrics)])
        return metrics


def _moved_by_ties(names: Mapping[Measure, str], judged: Any, found: Any, provider: Any,
                   printed: Callable[[Iterable[Metric]], list[str]], metrics: Iterable[Metric]) -> str | None:
    """Says how many items of a run are tied, if another order of ties moves a printed figure of a measure of segments;
    in others, the ids decide between them."""
    table = SegmentTable.from_run(found, any(isinstance(measure, RowMeasure) for measure in names))
    sentence = about_ties(table)
    if sentence is None:
        return None
    figures = printed(metric for metric in metrics if metric.measure in names)
    for key in (-np.arange(len(table)), np.random.default_rng(0).random(len(table))):
        with collected_warnings(wanted=False):
            others = printed(provider.iter_calc(list(names), judged, with_ties_by(table, key)))
        for figure, other in zip(figures, others):
            if figure != other:
                return (f'{sentence}: another order gives {other} in the place of {figure.rpartition(" ")[2]}; give '
                        'scores that differ, or say with --ties what decides')
    return None


def _print_tsv(rows: Rows, by_query: bool, places: int) -> None:
    for query, name, value in rows:
        print(*query, name, _decimals(value, places), sep='\t')


def _print_csv(rows: Rows, by_query: bool, places: int) -> None:
    import csv
    writer = csv.writer(sys.stdout, lineterminator='\n')
    writer.writerow([*(['query_id'] if by_query else []), 'measure', 'value'])
    writer.writerows([*map(cell_of, [*query, name]), _decimals(value, places)] for query, name, value in rows)


def _print_jsonl(rows: Rows, by_query: bool, places: int) -> None:
    import json
    if places != DEFAULT_PLACES:
        sys.stderr.write('--places is ignored when using --output-format jsonl\n')
    for query, name, value in rows:  # JSON has no NaN
        print(json.dumps({**dict(zip(['query_id'], query)), 'measure': name, 'value': None if isnan(value) else value}))


def _decimals(value: float, places: int) -> str:
    return str(value) if places == -1 else f'{value:.{places}f}'


OUTPUT_FORMATS: dict[str, Callable[[Rows, bool, int], None]] = {
    'tsv': _print_tsv,
    'csv': _print_csv,
    'jsonl': _print_jsonl,
}
