"""Options that several commands have, and the requests to read files that they make."""

import argparse
import os
import re
from ast import literal_eval
from collections.abc import Mapping, Sequence
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands.argument_parser import UsageError
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.ids.ties import ORDERS
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import UNITS, Segment

__all__ = ['add_align', 'add_formats', 'add_ids', 'add_places', 'add_qrels', 'add_quotes', 'add_run_options',
           'add_runs', 'add_strict', 'add_vary', 'decimal_places', 'requests_of', 'table_of_ids']

PACKED = 'packed too, as .gz; standard input as -'


def add_qrels(parser: argparse.ArgumentParser, number: str | None = None) -> None:
    """Adds the judgements to a command."""
    parser.add_argument('qrels', nargs=number,
                        help=f'the file of the judgements ({PACKED}), or the id of a dataset of ir_datasets')


def add_runs(parser: argparse.ArgumentParser, help: str = f'the files of two or more runs ({PACKED})',
             number: str | int = '+') -> None:
    """Adds runs, named by their files, to a command."""
    parser.add_argument('runs', nargs=number, metavar='run', help=help)


def add_formats(parser: argparse.ArgumentParser, kinds: Sequence[str] = ('qrels', 'run')) -> None:
    """Adds the options that say how files are read to a command; :func:`requests_of` makes requests of them."""
    for kind in kinds:
        parser.add_argument(f'--{kind}-format', choices=formats.FORMATS, default='trec', metavar='FORMAT',
                            help=f'format of the {kind}: {", ".join(formats.FORMATS)} (default: '
                                 'that of the ending .csv, .tsv, .xlsx or .parquet, else trec)')
    add_quotes(parser)
    add_subset(parser)
    add_ids(parser, ' and '.join(reversed(kinds)))
    if 'run' in kinds:
        add_run_options(parser)
    else:
        parser.set_defaults(runs=(), run_format='trec', task=None, clip=False, ties=None, normalised=False)


def add_quotes(parser: argparse.ArgumentParser) -> None:
    """Adds the options for files with quotes, which become spans of texts, to a command."""
    parser.add_argument('--texts', metavar='PATH',
                        help='for formats of evidence: the texts in which quotes are looked for, a folder of text '
                             'files or JSON lines with doc_id and text')
    parser.add_argument('--unlocated', choices=('error', 'warn', 'first'),
                        help='for formats of evidence: whether quotes without a single place in their texts are an '
                             'error (the default), or left out with a warning that lists them, or (first) have '
                             'the first of several places')


def add_strict(parser: argparse.ArgumentParser) -> None:
    """Adds the option that makes warnings about files errors to a command."""
    parser.add_argument('--strict', action='store_true',
                        help='stop with an error where one of the files would get a warning')


def add_subset(parser: argparse.ArgumentParser) -> None:
    """Adds the option for formats whose judgements have several subsets to a command."""
    parser.add_argument('--subset', metavar='NAME',
                        help='for qrels in the format activitynet: of which videos the windows are read (default: '
                             'validation)')


def add_ids(parser: argparse.ArgumentParser, where: str) -> None:
    """Adds the options for ids that are no segments yet to a command; ``where`` says in which files these are."""
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument('--ids', metavar='PATTERN',
                       help=f'a pattern that makes segments of the ids of {where}, such as {{doc}}_{{start}}-{{end}}-'
                            '{}, where {} is any text: each id must have this form, or be a segment already')
    kinds.add_argument('--table', metavar='PATH',
                       help=f'where the segments of the ids of {where} are looked up: a file with lines "id document '
                            'start end" or "id segment", or a folder of XML documents, if the ids are elements of '
                            'these: each id must be there, or be a segment already')
    parser.add_argument('--ids-unit', choices=UNITS,
                        help='what numbers count (t is seconds): with --ids, those of the ids (default: char); with '
                             '--table, start and end in its lines (default: t)')


def add_run_options(
        parser: argparse.ArgumentParser,
        task: str = 'for a run in the format tvr: which of its predictions are read, VCMR (moments of all videos, the '
                    'default), SVMR (moments of one video for each query) or VR (videos)',
        clip: str = 'for a run of moments (formats moments, tvr, ego4d-nlq, activitynet, answers): cut off what lies '
                    'before the start of the video, or after its end, if the qrels or their dataset have the durations '
                    'of videos') -> None:
    """Adds the options for formats with several tasks, with windows beyond their videos or in parts of them, and for
    ties, to a command."""
    parser.add_argument('--task', choices=('VCMR', 'SVMR', 'VR'), help=task)
    parser.add_argument('--clip', action='store_true', help=clip)
    parser.add_argument('--normalised', action='store_true',
                        help='for a run in the format moments, ego4d-nlq or activitynet: times are fractions of the '
                             'duration of their video, or percentages where most of the windows end after 1; the qrels '
                             'or their dataset have the durations, or the lines of the run')
    parser.add_argument('--ties', type=_ties, metavar='BY',
                        help='what decides between items of a query with one score: id, the last one first, as in '
                             'trec_eval; random or random:SEED; or order, that of the lines (the default), which '
                             'measures of documents have too then')


def _ties(text: str) -> tuple[str, int]:
    by, sign, seed = text.partition(':')
    if by not in ORDERS or (sign and (by != 'random' or not re.fullmatch('[0-9]{1,9}', seed))):
        raise argparse.ArgumentTypeError(f'{quoted(text)} says not what decides: write id, order, random or '
                                         'random:SEED, with a whole number as the seed')
    return by, int(seed or 0)


def add_align(parser: argparse.ArgumentParser) -> None:
    """Adds the options for measures of documents on segments to a command: ``align`` is then the arguments of
    :func:`~ir_segmeasures.ids.documents.align`, and None where nobody asks for it."""
    parser.add_argument('--align', action='store_const', const={},
                        help='for measures of documents, such as nDCG@10: give each item the id of the judged segment '
                             'with which it shares most content, the best item first, each segment once; measures of '
                             'segments take the run as it is')
    parser.add_argument('--align-iou', type=_by_iou, metavar='IOU', dest='align',
                        help='as --align, by the highest intersection over union, which is at least IOU, such as 0.5')


def _by_iou(text: str) -> dict[str, Any]:
    try:
        iou = float(text)
    except ValueError:
        iou = 0.
    if not 0 < iou <= 1:
        raise argparse.ArgumentTypeError(f'{quoted(text)} is no intersection over union: write a number above 0 and at '
                                         'most 1, such as 0.5')
    return {'by': 'iou', 'threshold': iou}


def requests_of(args: argparse.Namespace) -> tuple[ReadRequest, list[ReadRequest]]:
    """The requests to read the judgements and the runs of a command, by its options of :func:`add_formats`."""
    if args.qrels == '-' and '-' in args.runs:
        raise UsageError('- is standard input, and has either the judgements or a run: name a file for the other')
    ids = {'ids': args.ids, 'table': table_of_ids(args.table, args.ids_unit), 'unit': args.ids_unit, 'task': args.task}
    quotes = _of_quotes({'texts': args.texts, 'unlocated': args.unlocated}, args.qrels_format, args.run_format)
    return (ReadRequest(args.qrels, 'qrels', args.qrels_format, **ids, **quotes['qrels'],
                        subset=args.subset),
            [ReadRequest(path, 'run', args.run_format, **ids, clip=args.clip, ties=args.ties,
                         normalised=args.normalised, **quotes['run']) for path in args.runs])


def _of_quotes(given: Mapping[str, Any], qrels_format: str, run_format: str) -> dict[str, dict[str, Any]]:
    """The options for quotes of the qrels and of the runs: the ones may be quotes where the others are none."""
    found = {kind: {name: value for name, value in given.items() if value is not None and files is not None
                    and name in files.options} for kind, files in (
        ('qrels', formats.FORMATS[qrels_format].qrels), ('run', formats.FORMATS[run_format].run))}
    for name, value in given.items():
        if value is not None and not any(name in options for options in found.values()):
            raise UsageError(f'--{name} is for quotes, which neither the qrels nor the runs are: leave it out, or name '
                             'their format')
    return found


def table_of_ids(path: str | None, unit: str | None) -> Mapping[str, Segment] | None:
    """The table that ``--table`` names, if it is there, with the unit that ``--ids-unit`` names."""
    if path is not None and os.path.isdir(path) and unit is not None:
        raise UsageError('--ids-unit is not for a --table of XML documents, whose elements have characters')
    if path is None:
        return None
    from ir_segmeasures.formats.extents import read_extents  # most command lines name no table
    return read_extents(path, unit)


def add_places(parser: argparse.ArgumentParser) -> None:
    """Adds ``--places`` to a command with several formats of output."""
    parser.add_argument('--places', '-p', type=decimal_places, metavar='N',
                        help='decimal places (0 to 100), -1 for all (default: all in csv and json, else 4)')


def decimal_places(text: str) -> int:
    """A number of decimal places, -1 for all."""
    places = int(text)
    if not -1 <= places <= 100:
        raise ValueError
    return places


decimal_places.__name__ = 'number of decimal places'  # in argparse's sentence


def add_vary(parser: argparse.ArgumentParser, required: bool = False) -> None:
    """Adds the values of one parameter to a command."""
    parser.add_argument('--vary', type=_vary, required=required, metavar='NAME=VALUES',
                        help='a parameter and its values: tau=5:60:5 (5, 10 and so on to 60) or user=rel,ret')


def _vary(text: str) -> tuple[str, list[Any]]:
    name, _, values = text.partition('=')
    if not name or not values:
        raise argparse.ArgumentTypeError(f'{quoted(text)} has no name and values: write it as tau=5:60:5 or '
                                         'user=rel,ret')
    if ':' not in values:
        return name, [_value(value) for value in values.split(',')]
    try:
        low, high, step = map(_value, values.split(':'))
        steps = int((high - low) / step + 1e-9)
        if step <= 0 or high < low or steps >= 10_000:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f'{quoted(values)} is no range of at most 10,000 values: write low:high:step, '
                                         'such as 5:60:5') from None
    return name, [round(low + place * step, 10) for place in range(steps + 1)]


def _value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (MemoryError, RecursionError, SyntaxError, ValueError):  # the first two of many brackets
        return text
