"""Options that several commands have, each declared once, and the requests to read files that they make."""

import argparse
import os
import re
from ast import literal_eval
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ir_segmeasures import formats
from ir_segmeasures.commands.parser import IDS, SOME_FORMATS, Command, UsageError, argument, option
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.ids.ties import ORDERS
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import UNITS, Segment

__all__ = ['PACKED', 'TABLES', 'Aligning', 'Reading', 'decimal_places', 'docs', 'jobs', 'lengths', 'media', 'names',
           'out', 'places', 'qrels', 'queries', 'runs', 'seed', 'strict', 'table', 'table_of_ids', 'vary']

PACKED = 'also packed as .gz; - is standard input'
TABLES = ('text', 'csv', 'markdown', 'latex', 'json')


def qrels(**settings: Any) -> Any:
    """The judgements, as a field of a command."""
    return argument(f'the judgements: a file ({PACKED}), or the id of a dataset', metavar='QRELS', **settings)


def runs(help: str = f'two or more runs ({PACKED})', many: str = '+', **settings: Any) -> Any:
    """Runs, named by their files."""
    return argument(help, many=many, metavar='RUN', **settings)


def decimal_places(text: str) -> int:
    """A number of decimal places, -1 for all."""
    places = int(text)
    if not -1 <= places <= 100:
        raise ValueError
    return places


decimal_places.__name__ = 'number of decimal places'  # in argparse's sentence


def places(help: str = 'decimal places (0 to 100), -1 for all (default: all in csv and json, else 4)',
           default: int | None = None) -> Any:
    """The option for decimal places."""
    return option('--places', '-p', type=decimal_places, metavar='N', default=default, help=help)


def table(choices: Sequence[str] = TABLES, default: str = 'text') -> Any:
    """The option for the format of a table."""
    return option('-o', '--output-format', choices=choices, default=default, metavar='FORMAT',
                  help=f'the format of the table: {", ".join(choices)} (default: {default})')


def out(help: str, required: bool = True, metavar: str = 'FILE') -> Any:
    """The option for the file that is written."""
    return option('--out', required=required, metavar=metavar, help=help)


def strict() -> Any:
    """The option that makes warnings errors."""
    return option('--strict', default=False, help='stop with an error where there would be a warning')


def jobs() -> Any:
    """The option for the number of processes."""
    return option('--jobs', type=_jobs, metavar='N', help='processes that evaluate at the same time, -1 for one on '
                                                          'each core (default: this one)')


def seed(help: str) -> Any:
    """The option for a seed."""
    return option('--seed', type=_seed, metavar='N', default=0, help=f'{help} (default: 0)')


def queries(help: str = 'the texts of the queries: lines of an id, a tab and a text') -> Any:
    """The option for the texts of queries."""
    return option('--queries', metavar='FILE', help=help)


def docs(help: str = 'the texts of the documents: a folder of text files or transcripts that have the names of the '
                     'documents, JSON lines with doc_id and text, or the id of a dataset') -> Any:
    """The option for texts and transcripts."""
    return option('--docs', metavar='SOURCE', also=('--texts', '--transcripts'), help=help)


def media(help: str = 'where the recordings are, such as videos/{document}.mp4') -> Any:
    """The option for the addresses of recordings."""
    return option('--media', metavar='URL', help=help)


def lengths(what: str = 'the lengths of the documents') -> Any:
    """The option for the lengths of documents; ``what`` says what they are for."""
    return option('--lengths', also=('--sizes',), metavar='SOURCE',
                  help=f'{what}: a file with lines "document length", a folder of transcripts, or the id of a dataset '
                       '(default: those that the qrels or their dataset have)')


def names() -> Any:
    """The option for the names of systems."""
    return option('--names', many='+', metavar='NAME', help='the names of the systems, in the order of the runs '
                                                            '(default: those of the files)')


def vary(required: bool = False) -> Any:
    """The option for the values of one parameter."""
    return option('--vary', type=_vary, required=required, metavar='NAME=VALUES',
                  help='a parameter and its values: tau=5:60:5 (5, 10 and so on to 60) or user=rel,ret')


@dataclass(frozen=True, kw_only=True)
class Reading(Command):
    """Options that say how judgements and runs are read; :meth:`requests` makes requests of them."""
    source_format: str | None = option(
        '--from', also=('--format',), choices=formats.FORMATS, metavar='FORMAT',
        help="the format of the files, one that 'ir_segmeasures formats' lists (default: that of the ending .csv, "
             '.tsv, .xlsx or .parquet, else trec)')
    qrels_format: str | None = option('--qrels-format', choices=formats.FORMATS, metavar='FORMAT',
                                      help='that of the qrels, where it is another')
    run_format: str | None = option('--run-format', choices=formats.FORMATS, metavar='FORMAT',
                                    help='that of the runs, where it is another')
    ids: str | None = option(
        '--ids', metavar='PATTERN', group=IDS, either='ids',
        help='a pattern that makes segments of ids, such as {doc}_{start}-{end}-{}, where {} is any text: each id has '
             'this form, or is a segment already')
    table: str | None = option(
        '--table', metavar='PATH', group=IDS, either='ids',
        help='where the segments of ids are looked up: lines "id document start end" or "id segment", or a folder of '
             'XML documents whose elements they are')
    ids_unit: str | None = option('--ids-unit', choices=UNITS, group=IDS, metavar='UNIT',
                                  help=f'what the numbers of --ids (default: char) or --table (default: t) count: '
                                       f'{", ".join(UNITS)}; t is seconds')
    ties: tuple[str, int] | None = option(
        '--ties', type=lambda text: _ties(text), metavar='BY', group=IDS,
        help='what decides between items of a query with one score: id (the last first, as trec_eval does), random, '
             'random:SEED, or order (that of the lines, the default)')
    docs: str | None = option(
        '--docs', metavar='SOURCE', also=('--texts',), group=SOME_FORMATS,
        help='for evidence: the texts in which quotes are looked for, a folder of text files or JSON lines with doc_id '
             'and text')
    unlocated: str | None = option(
        '--unlocated', choices=('error', 'warn', 'first'), metavar='HOW', group=SOME_FORMATS,
        help='for evidence: quotes without a single place in their texts are an error (error, the default), left out '
             'with a warning (warn), or have the first of several places (first)')
    subset: str | None = option('--subset', metavar='NAME', group=SOME_FORMATS,
                                help='for qrels of activitynet: the videos that count (default: validation)')
    task: str | None = option(
        '--task', metavar='TASK', group=SOME_FORMATS,
        help='for runs of tvr: the predictions that are read, VCMR (moments of all videos, the default), SVMR (of one '
             'video) or VR (videos)')
    clip: bool = option('--clip', default=False, group=SOME_FORMATS,
                        help='for runs of moments: cut off what lies before the start of a video, or after its end, '
                             'if its duration is known')
    normalised: bool = option('--normalised', default=False, group=SOME_FORMATS,
                              help='for runs of moments: times are fractions of the duration of their video, or '
                                   'percentages where most windows end after 1')

    def format_of(self, kind: str) -> str:
        """The name of the format in which qrels or runs are read."""
        given = self.qrels_format if kind == 'qrels' else self.run_format
        return given or self.source_format or 'trec'

    def request(self, path: str, kind: str) -> ReadRequest:
        """The request to read one file of judgements (``'qrels'``) or of a run (``'run'``)."""
        format = self.format_of(kind)
        files = formats.FORMATS[format].files(kind)
        own = {'texts': self.docs, 'unlocated': self.unlocated, **(
            {'subset': self.subset} if kind == 'qrels' else
            {'task': self.task, 'clip': self.clip, 'normalised': self.normalised, 'ties': self.ties})}
        quotes = {name for name in ('texts', 'unlocated') if files is None or name not in files.options}
        return ReadRequest(path, kind, format, self.ids, table_of_ids(self.table, self.ids_unit), unit=self.ids_unit,
                           **{name: value for name, value in own.items() if value and name not in quotes})

    def requests(self, qrels: str, runs: Sequence[str]) -> tuple[ReadRequest, list[ReadRequest]]:
        """The requests to read the judgements and the runs.

        Raises:
            UsageError: standard input is both, or an option is for formats that are not read
        """
        if qrels == '-' and '-' in runs:
            raise UsageError('- is standard input, and has either the judgements or a run: name a file for the other')
        kinds = ('qrels', 'run') if runs else ('qrels',)
        for name, given in (('docs', self.docs), ('unlocated', self.unlocated)):
            files = [formats.FORMATS[self.format_of(kind)].files(kind) for kind in kinds]
            if given and not any('texts' in found.options for found in files if found):
                raise UsageError(f'--{name} is for quotes, which neither the qrels nor the runs are: leave it out, or '
                                 'name their format with --from')
        return self.request(qrels, 'qrels'), [self.request(path, 'run') for path in runs]


@dataclass(frozen=True, kw_only=True)
class Aligning(Command):
    """Options for measures of documents on segments."""
    align_overlap: bool = option(
        '--align', default=False,
        help='for measures of documents, such as nDCG@10: give each item the id of the judged segment with which it '
             'shares most content, the best item first, each segment once')
    align_iou: float | None = option('--align-iou', type=lambda text: _iou(text), metavar='IOU',
                                     help='as --align, by the highest intersection over union, at least IOU')

    @property
    def align(self) -> Mapping[str, Any] | None:
        """The arguments of :func:`~ir_segmeasures.ids.documents.align`, None where nobody asks for it."""
        if self.align_iou is not None:
            return {'by': 'iou', 'threshold': self.align_iou}
        return {} if self.align_overlap else None


def table_of_ids(path: str | None, unit: str | None) -> Mapping[str, Segment] | None:
    """The table that ``--table`` names, if it is there, with the unit that ``--ids-unit`` names."""
    if path is not None and os.path.isdir(path) and unit is not None:
        raise UsageError('--ids-unit is not for a --table of XML documents, whose elements have characters')
    if path is None:
        return None
    from ir_segmeasures.formats.extents import read_extents  # most command lines name no table
    return read_extents(path, unit)


def _ties(text: str) -> tuple[str, int]:
    by, sign, seed = text.partition(':')
    if by not in ORDERS or (sign and (by != 'random' or not re.fullmatch('[0-9]{1,9}', seed))):
        raise argparse.ArgumentTypeError(f'{quoted(text)} does not say what decides: write id, order, random or '
                                         'random:SEED, with a whole number as the seed')
    return by, int(seed or 0)


def _iou(text: str) -> float:
    try:
        iou = float(text)
    except ValueError:
        iou = 0.
    if not 0 < iou <= 1:
        raise argparse.ArgumentTypeError(f'{quoted(text)} is not an intersection over union: write a number above 0 '
                                         'and at most 1, such as 0.5')
    return iou


def _jobs(text: str) -> int:
    if not re.fullmatch('-1|[1-9][0-9]{0,4}', text):
        raise argparse.ArgumentTypeError(f'{quoted(text)} is not a number of processes: write 1 or more, or -1 for one '
                                         'on each core')
    return int(text)


def _seed(text: str) -> int:
    if not re.fullmatch('[0-9]{1,18}', text):
        raise argparse.ArgumentTypeError(f'{quoted(text)} is not a seed: write a whole number from 0 up')
    return int(text)


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
        raise argparse.ArgumentTypeError(f'{quoted(values)} is not a range of at most 10,000 values: write '
                                         'low:high:step, such as 5:60:5') from None
    return name, [round(low + place * step, 10) for place in range(steps + 1)]


def _value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (MemoryError, RecursionError, SyntaxError, ValueError):  # the first two of many brackets
        return text
