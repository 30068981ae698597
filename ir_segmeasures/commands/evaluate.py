"""``ir_segmeasures evaluate``: what the command ``ir_measures`` does, for segments and the campaigns' own files."""

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from math import isnan
from typing import Any

import ir_measures
from ir_measures import Measure, Metric

from ir_segmeasures import formats
from ir_segmeasures.commands.ids import add_ids, with_pattern
from ir_segmeasures.measures import SegmentMeasure
from ir_segmeasures.segments.doubts import SegmentWarning
from ir_segmeasures.segments.table import RowError, SegmentTable

DEFAULT_PLACES = 4
SUMMARY_QID = 'all'


def add_to(commands: Any) -> None:
    parser = commands.add_parser(
        'evaluate', help='measure a run against qrels',
        description='Measure a run against qrels. Measures are written as in ir_measures, such as T2I_AP(tau=15)@10, '
                    "MAgP or MAiSP(user='ret'), and all measures of ir_measures are there too.")
    parser.add_argument('qrels', help='the file of the judgements (.gz is read as it is), or the id of an ir_datasets '
                                      'dataset')
    parser.add_argument('run', help='the file of the run (.gz is read as it is)')
    parser.add_argument('measures', nargs='+', metavar='measure', help='one or more measures, without blanks inside')
    parser.add_argument('--places', '-p', type=_places, metavar='N', default=DEFAULT_PLACES,
                        help=f'decimal places to print (0 to 100), -1 for all (default: {DEFAULT_PLACES})')
    parser.add_argument('--by_query', '-q', action='store_true', help='print the value of each query as well')
    parser.add_argument('--no_summary', '-n', action='store_true', help='with -q: leave out the means')
    parser.add_argument('--output_format', '-o', choices=OUTPUT_FORMATS, default='tsv')
    parser.add_argument('--provider', choices=ir_measures.providers.registry,
                        help='compute all measures with this provider')
    parser.add_argument('--strict', action='store_true', help='make warnings about the qrels and the run errors')
    for kind in ('qrels', 'run'):
        parser.add_argument(f'--{kind}-format', choices=formats.FORMATS, default='trec',
                            help=f'format of the {kind} (default: trec)')
    add_ids(parser, 'run and qrels')
    parser.set_defaults(command=evaluate, parser=parser)


def evaluate(args: argparse.Namespace) -> None:
    if args.no_summary and not args.by_query:
        args.parser.error('--no_summary (-n) only goes with --by_query (-q)')
    if formats.FORMATS[args.run_format].run is None:
        args.parser.error(f'argument --run-format: invalid choice: {args.run_format!r} (it has judgements only)')
    measures = _parse_measures(args)
    source = ir_measures.providers.registry[args.provider] if args.provider else ir_measures
    for measure in measures if args.provider else ():
        if not source.supports(measure):
            conflict = (measure.conflict(args.provider)
                        if isinstance(measure, SegmentMeasure) and args.provider in measure.TOOLS else None)
            reason = f': {conflict}' if conflict else ''
            args.parser.error(f'the provider {args.provider} does not compute {measure}{reason}')
    qrels: Any
    qrels, run_format = _read_qrels(args)
    qrels = with_pattern(qrels, args, args.qrels)
    run: Any = with_pattern(_read_run(args, run_format), args, args.run)
    read = {'qrels': qrels, 'run': run}
    try:
        if all(isinstance(measure, SegmentMeasure) for measure in measures):
            elements = any(getattr(measure, 'ROWS', False) for measure in measures)
            qrels, run = SegmentTable.from_qrels(qrels, elements), SegmentTable.from_run(run, elements)
        else:
            # Measures of documents know nothing but ids.
            unit = formats.FORMATS[args.run_format].unit
            # The judgements of a dataset may have times beside the document: those of ir_datasets have no unit.
            qrels = _with_segment_ids(qrels, formats.FORMATS[args.qrels_format].unit or unit)
            run = _with_segment_ids(run, unit)
            doubt = _doubt_about_ids(measures, qrels, run)
            if doubt and args.strict:
                raise ValueError(doubt)
            if doubt:
                warnings.warn(doubt, SegmentWarning, stacklevel=1)
        with warnings.catch_warnings():
            warnings.simplefilter('error' if args.strict else 'once', SegmentWarning)
            # All values before any output, so that an error leaves no half of it.
            metrics = list(source.iter_calc(measures, qrels, run))
    except SegmentWarning as warning:
        raise ValueError(str(warning)) from None
    except RowError as error:
        path, format = (args.run, args.run_format) if error.kind == 'run' else (args.qrels, args.qrels_format)
        raise formats.in_file(error, path, formats.FORMATS[format], read[error.kind]) from None
    means = {measure: measure.aggregator() for measure in measures}
    queries: dict[str, dict[Measure, Metric]] = {}
    for metric in metrics:
        means[metric.measure].add(metric.value)
        queries.setdefault(metric.query_id, {})[metric.measure] = metric
    output = OUTPUT_FORMATS[args.output_format](args)
    if args.by_query:
        for values in queries.values():
            for measure in measures:
                if measure in values:
                    output(values[measure])
    if not args.no_summary:
        for measure, mean in means.items():
            output(Metric(SUMMARY_QID, measure, mean.result()))


def _doubt_about_ids(measures: Sequence[Measure], qrels: Sequence[Any], run: Sequence[Any]) -> str | None:
    """What is wrong with measures of documents, which compare ids, where no segment of the run is a judged one."""
    judged = {(row.query_id, row.doc_id) for row in qrels}
    segments = [row.doc_id for row in run if '#' in row.doc_id and (row.query_id, row.doc_id) not in judged]
    if not segments or len(segments) < len(run):
        return None
    measure = next(measure for measure in measures if not isinstance(measure, SegmentMeasure))
    return (f'{measure} compares ids, and none of the {len(run)} segments of the run is a judged one by its id, '
            f'such as {segments[0]!r}, so that it is 0: give them the ids of the judged segments that '
            'they meet with align(), or measure documents with to_documents()')


def _places(text: str) -> int:
    places = int(text)
    if not -1 <= places <= 100:
        raise ValueError
    return places


def _parse_measures(args: argparse.Namespace) -> list[Measure]:
    measures: list[Measure] = []
    errors = []
    for text in ' '.join(args.measures).split():
        try:
            measure = ir_measures.parse_measure(text)
            measure.validate_params()
        except NameError:
            errors.append(f'unknown measure: {text} (ir_segmeasures measures lists those of segments)')
        except (ValueError, AssertionError) as error:
            errors.append(f'{text}: {error}')
        except AttributeError:
            if sys.version_info < (3, 14):
                raise
            # The host reads them with what Python 3.14 has no more.
            errors.append(f'{text}: this release of ir_measures cannot read parameters on Python {sys.version_info[0]}.'
                          f'{sys.version_info[1]}: use Python 3.13 or a newer ir_measures')
        else:
            measures += [measure] if measure not in measures else []
    if errors:
        args.parser.error('\n'.join(errors))
    return measures


def _read_qrels(args: argparse.Namespace) -> tuple[Sequence[Any], str]:
    """The judgements, and the format that the runs of their dataset are in."""
    # A file has priority over ir_datasets, as in the command ir_measures.
    if not os.path.exists(args.qrels) or (os.path.isdir(args.qrels) and not formats.FORMATS[args.qrels_format].folders):
        if args.qrels_format != 'trec':
            args.parser.error(f'--qrels-format is for files, but {args.qrels} is none')
        try:
            from ir_segmeasures import datasets
        except ImportError:
            raise ValueError(f'{args.qrels} is no file, and ir_datasets is not installed, of which it could be a '
                             "dataset: check the path, or pip install 'ir_segmeasures[datasets]'") from None
        try:
            dataset = datasets.load(args.qrels)
        except ValueError as error:
            raise ValueError(f'{args.qrels} is no file, and {error}') from None
        if not dataset.has_qrels():
            raise ValueError(f'the dataset {args.qrels} has no qrels: name one that has')
        try:
            rows = list(dataset.qrels_iter())
        except RuntimeError as error:  # of the host's own datasets, such as downloads that fail
            raise OSError(f'the qrels of {args.qrels} cannot be read: {error}') from None
        # Datasets of ir_datasets itself do not tell.
        return rows, getattr(dataset.qrels_handler(), 'run_format', 'trec')
    return formats.read_qrels(args.qrels, args.qrels_format), 'trec'


def _read_run(args: argparse.Namespace, run_format: str) -> Sequence[Any]:
    try:
        return formats.read_run(args.run, args.run_format)
    except formats.FormatError as error:
        # A format is named, never guessed.
        if args.run_format != 'trec' or run_format == 'trec' or not error.sentence.startswith('the line has '):
            raise
        raise formats.FormatError(f'{error.sentence}; runs of {args.qrels} are in the format {run_format}: if this is '
                                  f'one, add --run-format {run_format}', error.path, error.line) from None


def _with_segment_ids(rows: Sequence[Any], unit: str | None) -> Sequence[Any]:
    # Other fields stay: measures of segments need some of them.
    if not (len(rows) and hasattr(rows[0], 'start')):
        return rows
    from ir_segmeasures.ids.encoding import with_ids  # measures of segments do without
    return with_ids(rows, unit or 't')


def _tsv_output(args: argparse.Namespace) -> Callable[[Metric], None]:
    places = '' if args.places == -1 else f'.{args.places}f'

    def output(metric: Metric) -> None:
        query = f'{metric.query_id}\t' if args.by_query else ''
        print(f'{query}{metric.measure}\t{metric.value:{places}}')
    return output


def _jsonl_output(args: argparse.Namespace) -> Callable[[Metric], None]:
    import json
    if args.places != DEFAULT_PLACES:
        sys.stderr.write('--places is ignored when using --output_format jsonl\n')

    def output(metric: Metric) -> None:
        query = {'query_id': metric.query_id} if args.by_query else {}
        value = None if isnan(metric.value) else metric.value  # JSON has no NaN
        print(json.dumps({**query, 'measure': str(metric.measure), 'value': value}))
    return output


OUTPUT_FORMATS: dict[str, Callable[[argparse.Namespace], Callable[[Metric], None]]] = {
    'tsv': _tsv_output,
    'jsonl': _jsonl_output,
}
