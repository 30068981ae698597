"""``ir_segmeasures plot``: pictures of measures and systems for a paper."""

import argparse
import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.commands.document_sizes import add_sizes, sizes_of
from ir_segmeasures.commands.inputs import Runs, durations_of, naming_files, read_qrels, unit_of
from ir_segmeasures.commands.measure_arguments import add_measures, named_measures
from ir_segmeasures.commands.options import PACKED, add_formats, add_qrels, add_runs, add_vary, requests_of
from ir_segmeasures.commands.outputs import write_out
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import RowError

KINDS = ('precision-recall', 'parameter', 'queries', 'groups', 'timeline')
FORMATS = ('pdf', 'png', 'svg', 'pgf')
WIDTHS = {'mm': 1, 'cm': 10, 'in': 25.4, 'pt': 25.4 / 72.27}  # in millimetres; points are those of TeX


def add_to(commands: Any, help: str) -> None:
    parser = commands.add_parser(
        'plot', help=help,
        description='Draw a figure as wide as a column of a paper. precision-recall: precision against recall. '
                    'parameter: means over the values of a parameter (--vary). queries: what each query gains from '
                    'the first run to the second. groups: means over queries by the length of their true moment, its '
                    'third of the video, and the number of true moments. timeline: the judged segments and the results '
                    'of one query (--query), one run below the other.')
    parser.add_argument('kind', choices=KINDS, metavar='KIND', help=', '.join(KINDS))
    add_qrels(parser)
    add_runs(parser, f'the files of one or more runs ({PACKED})')
    add_measures(parser, 'the measure; a timeline has none', required=False)
    parser.add_argument('--out', required=True, metavar='FILE',
                        help='the file to write; its name ends in .pdf (with TrueType fonts), .png, .svg or .pgf (for '
                             'LaTeX), or --format says what it is')
    parser.add_argument('--format', choices=FORMATS, help='the format of the file (default: the ending of its name)')
    parser.add_argument('--width', type=_width, default='85mm', metavar='WIDTH',
                        help='the width of the figure: 85mm (the default, one column), 17.5cm, 3.35in, or 240pt as '
                             "LaTeX's \\the\\columnwidth tells it")
    parser.add_argument('--names', nargs='+', metavar='NAME',
                        help='the names of the systems, in the order of the runs (default: those of the files)')
    add_vary(parser)
    parser.add_argument('--query', metavar='ID', help='for timeline: the query')
    add_sizes(parser, 'for timeline: where documents end')
    add_formats(parser)
    parser.set_defaults(command=_run, parser=parser)


def check_figure(option: str, path: str, format: str | None = None) -> str:
    """The format of a figure in a file. Raises a usage error where there is none."""
    format = format or os.path.splitext(path)[1][1:].lower()
    if format not in FORMATS:
        raise UsageError(f'{option}: {path} is no figure that can be drawn: end it in .{", .".join(FORMATS)}')
    return format


def write_figure(draw: Callable[[], Any], path: str, format: str) -> None:
    """Writes the figure of the Axes that ``draw`` gives, which imports what draws.

    Raises:
        ValueError: matplotlib or SciPy is not installed, or the file cannot be written
    """
    try:
        import matplotlib
        matplotlib.use('Agg')
        axes, content = draw(), io.BytesIO()
        import_module('ir_segmeasures.study.plots').save(axes, content, format)
    except ImportError as error:
        raise ValueError(f"plots need matplotlib and SciPy ({error}): pip install 'ir_segmeasures[plots]'") from None
    write_out(content.getvalue(), path)


def _run(args: argparse.Namespace) -> None:
    format = check_figure('--out', args.out, args.format)
    timeline = args.kind == 'timeline'
    for name, given, wanted in (('--measure', args.measures, not timeline), ('--query', args.query, timeline),
                                ('--vary', args.vary, args.kind == 'parameter'),
                                ('--sizes', args.sizes, timeline and bool(args.sizes))):
        if bool(given) != wanted:
            raise UsageError(f'{args.kind} {"needs" if wanted else "has no use for"} {name}')
    # A timeline has no measure.
    names = {} if timeline else named_measures(args.measures, check=args.kind != 'precision-recall')
    if len(names) > 1:
        raise UsageError('a figure is of one measure: give one')
    if args.names and (len(args.names) != len(args.runs) or len(set(args.names)) < len(args.names)):
        raise UsageError(f'--names: {len(args.runs)} runs have the names {", ".join(map(quoted, args.names))}: give '
                         'each run one name, and no two the same')
    judgements, requests = requests_of(args)
    qrels = read_qrels(judgements)
    runs = Runs(requests, names, qrels, names=args.names)

    def draw() -> Any:
        plots: Any = import_module('ir_segmeasures.study.plots')
        with naming_files(qrels, runs):
            judged = runs.judgements
            unit = unit_of(qrels, runs.format)
            if timeline:
                lengths = {**durations_of(qrels), **sizes_of(args.sizes, qrels)}
                with _reading_again(runs):
                    return plots.timeline(judged, dict(runs), args.query, unit=unit, width=args.width, lengths=lengths)
            if args.kind == 'parameter':
                return plots.parameter(*names.values(), *args.vary, judged, runs, width=args.width, unit=unit)
            if args.kind == 'groups':
                return plots.group_means(*names.values(), judged, runs, durations_of(qrels), width=args.width)
            of_kind = plots.query_differences if args.kind == 'queries' else plots.precision_recall
            return of_kind(*names.values(), judged, runs, width=args.width)

    write_figure(draw, args.out, format)


@contextmanager
def _reading_again(runs: Runs) -> Iterator[None]:
    """A context in which all runs were read before an error about a row of one: this one is read again, so that the
    error names its file."""
    try:
        yield
    except RowError as error:
        for name in runs:
            if error.sentence.startswith(f'run {quoted(name)}: '):
                runs[name]
        raise


def _width(text: str) -> float:
    """A width in millimetres."""
    found = re.fullmatch(r'(\d{1,4}(?:\.\d*)?) ?(mm|cm|in|pt)?', text)
    width = float(found[1]) * WIDTHS[found[2] or 'mm'] if found else 0
    if not 40 <= width <= 1000:
        raise argparse.ArgumentTypeError(f'{quoted(text)} is no width from 40mm to 1000mm: write it as 85mm, 8.5cm, '
                                         '3.35in or 240pt')
    return width
