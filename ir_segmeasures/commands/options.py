"""Options that several commands have, each declared once, and the requests to read files that they make."""

import argparse
import os
import re
from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import ir_measures
from ir_measures import Measure

from ir_segmeasures import formats
from ir_segmeasures.commands.inputs import read_qrels
from ir_segmeasures.commands.parser import IDS, SOME_FORMATS, Command, UsageError, argument, option
from ir_segmeasures.commands.runs import Runs, is_measure
from ir_segmeasures.commands.streams import bold
from ir_segmeasures.formats.requests import ReadRequest
from ir_segmeasures.segments.basics import plain_number, quoted
from ir_segmeasures.segments.segment import UNITS, Segment

PACKED = 'also packed as .gz; - is standard input'
OTHER_KIND = {'run': 'add --kind qrels', 'qrels': 'leave --kind out'}  # for a file of the other kind
TABLES = ('text', 'csv', 'markdown', 'latex', 'json')


def written_as(pattern: str, read: Callable[[str], Any], sentence: str) -> Callable[[str], Any]:
    """The reader of values that are written as a regular expression says; the sentence says what others are not."""
    def value(text: str) -> Any:
        if not re.fullmatch(pattern, text):
            raise argparse.ArgumentTypeError(f'{quoted(text)} is not {sentence}')
        return read(text)
    return value


_places = written_as('-1|[0-9]{1,2}|100', int, 'a number of decimal places: write 0 to 100, or -1 for all')
count = written_as('[1-9][0-9]{0,8}', int, 'a number from 1 up')
_jobs = written_as('-1|[1-9][0-9]{0,4}', int, 'a number of processes: write 1 or more, or -1 for one on each core')
_seed = written_as('[0-9]{1,18}', int, 'a seed: write a whole number from 0 up')
_first = written_as('[01]', int, 'the number of the first line: write 0 or 1')
_iou = written_as(r'0?\.0*[1-9][0-9]*|1|1\.0*', float,
                  'an intersection over union: write a number above 0 and at most 1, such as 0.5')
_ties = written_as('id|order|random|random:[0-9]{1,9}', lambda text: (text.partition(':')[0], int(text[7:] or 0)),
                   'what decides: write id, order, random or random:SEED, with a whole number as the seed')


def _no_file(text: str) -> str:
    if '.' in text:
        raise argparse.ArgumentTypeError(f'{quoted(text)} is a file, but this is the format of what is printed: write '
                                         f'> {text} at the end of the line')
    return text


_Declaration = Callable[..., Any]  # of a field, whose settings a command may change
qrels: _Declaration = partial(argument, metavar='QRELS',
                              help=f'the judgements: a file ({PACKED}), or the id of a dataset')
runs: _Declaration = partial(argument, nargs='+', metavar='RUN', help=f'one or more runs ({PACKED})')
kind: _Declaration = partial(option, choices=('run', 'qrels'))
measures: _Declaration = partial(
    option, default=(), names=('-m', '--measure'), metavar='MEASURE', more=is_measure,
    complete=lambda: ir_measures.measures.registry, help='a measure, such as T2I_MAP@10; may be given several times')
several: _Declaration = partial(option, nargs='+', action='extend', more=lambda word: not os.path.isfile(word))
places: _Declaration = partial(option, names=('--places', '-p'), type=_places, metavar='N')
table: _Declaration = partial(option, default='text', names=('-o', '--output-format'), choices=TABLES, metavar='FORMAT',
                              type=_no_file, help='of the table: %(choices)s (default: %(default)s)')
out: _Declaration = partial(option, required=True, metavar='FILE')
vary: _Declaration = partial(option, type=written_as('[^=]+=.+', lambda text: _vary(text), (
    'a parameter and its values: write it as tau=5:60:5 or user=rel,ret')), metavar='NAME=VALUES', help=(
        'a parameter and its values: tau=5:60:5 (5, 10 and so on to 60) or user=rel,ret'))


class Reading(Command):
    """Options that say how judgements and runs are read; :meth:`requests` makes requests of them.

    Args:
        source_format: the format of the files (default: by the ending, else trec)
        qrels_format: that of the qrels, where it is another
        run_format: that of the runs, where it is another
        ids: a pattern that all ids have: {doc}_{start}-{end}-{}, where {} is any text
        table: lines "id document start end" or "id segment", or a folder of XML
        ids_unit: that of --ids (default: char) or --table (t): t, char, word, line, page
        lines_from: starts and ends are lines (or what --ids-unit says), the first is 0 or 1
        inclusive: the line that the end names belongs to the segment
        ties: equal scores go by order (default), id (as trec_eval), random, random:SEED
        docs: for evidence: a folder of texts, or JSON lines with doc_id and text
        unlocated: quotes without one place are an error (error), left out (warn) or first
        subset: for qrels of activitynet: the videos that count (default: validation)
        task: for tvr: VCMR (moments of all videos, default), SVMR (of one), VR (videos)
        clip: for moments: cut off times before the start or after the end of a video
        normalised: for moments: times are fractions of a duration, or percentages
    """
    source_format: str | None = option(names=('--from',), also=('--format',), choices=formats.FORMATS, metavar='FORMAT')
    qrels_format: str | None = option(choices=formats.FORMATS, metavar='FORMAT')
    run_format: str | None = option(choices=formats.FORMATS, metavar='FORMAT')
    ids: str | None = option(metavar='PATTERN', group=IDS, either='ids')
    table: str | None = option(metavar='PATH', group=IDS, either='ids')
    ids_unit: str | None = option(choices=UNITS, group=IDS, metavar='UNIT')
    lines_from: int | None = option(type=_first, metavar='N', group=IDS)
    inclusive: bool = option(False, group=IDS)
    ties: tuple[str, int] | None = option(type=_ties, metavar='BY', group=IDS)
    docs: str | None = option(metavar='SOURCE', also=('--texts',), group=SOME_FORMATS)
    unlocated: str | None = option(choices=('error', 'warn', 'first'), metavar='HOW', group=SOME_FORMATS)
    subset: str | None = option(metavar='NAME', group=SOME_FORMATS)
    task: str | None = option(metavar='TASK', group=SOME_FORMATS)
    clip: bool = option(False, group=SOME_FORMATS)
    normalised: bool = option(False, group=SOME_FORMATS)

    def format_of(self, kind: str) -> str:
        """The name of the format in which qrels or runs are read."""
        given = self.qrels_format if kind == 'qrels' else self.run_format
        return given or self.source_format or 'trec'

    def with_kind(self, path: str) -> Any:
        """The command with the kind of its file where none is given: a run, or qrels in a format without runs."""
        kind = 'run' if formats.FORMATS[formats.format_at(path, self.format_of('run'))].run else 'qrels'
        return replace(self, kind=kind)  # type: ignore[call-arg]

    def request(self, path: str, kind: str) -> ReadRequest:
        """The request to read one file of judgements (``'qrels'``) or of a run (``'run'``)."""
        format = self.format_of(kind)
        taken = getattr(formats.FORMATS[format].files(kind), 'options', ())
        return ReadRequest(path, kind, format, self.ids, self._extents, self.ids_unit, self.task, self.clip, self.ties,
                           self.normalised, None, self.docs if 'texts' in taken else None,
                           self.unlocated if 'unlocated' in taken else None, self.subset, self.lines_from,
                           self.inclusive)

    @cached_property
    def _extents(self) -> Mapping[str, Segment] | None:
        from ir_segmeasures.formats.extents import read_extents  # most command lines name no table
        return None if self.table is None else read_extents(self.table, self.ids_unit)

    def requests(self, qrels: str, runs: Sequence[str], shows_docs: bool = False) -> tuple[
            ReadRequest, list[ReadRequest]]:
        """The requests to read the judgements and the runs; with ``shows_docs``, texts are not for quotes alone.

        Raises:
            UsageError: an option is for formats that are not read
        """
        if formats.FORMATS[self.format_of('run')].run is None and not self.run_format:  # it is that of the qrels alone
            return replace(self, run_format='trec').requests(qrels, runs, shows_docs)  # type: ignore[call-arg]
        judgements, found = self.request(qrels, 'qrels'), [self.request(path, 'run') for path in runs]
        for name, taken in (('docs', 'texts'), ('unlocated', 'unlocated'))[shows_docs:]:
            if getattr(self, name) and not any(getattr(request, taken) for request in (judgements, *found)):
                raise UsageError(f'--{name} is for quotes: name their format with --from, or leave it out')
        return judgements, found

    def runs_beside(self, qrels: str, runs: Sequence[str], measures: Mapping[Measure, str],
                    align: Mapping[str, Any] | None = None, names: Sequence[str] | None = None,
                    shows_docs: bool = False) -> Runs:
        """The judgements, which are read, and the runs beside them, each of which is read when it is asked for; the
        arguments as for :meth:`requests` and :class:`~ir_segmeasures.commands.runs.Runs`."""
        judgements, requests = self.requests(qrels, runs, shows_docs)
        return Runs(requests, measures, read_qrels(judgements), align, names)


class Tabled(Command):
    """Options of commands that print a table.

    Args:
        places: decimals (0 to 100), -1 for all (default: 4, all in csv and json)
    """
    output_format: str = table()
    places: int | None = places()

    def show(self, result: Any, note: str = '') -> None:
        """Print a result as a table, with a note below it."""
        from ir_segmeasures.study.tables import render
        print(render(result, self.output_format, self.places, bold, note), end='')


class Writing(Command):
    """The option of commands that write a file.

    Args:
        force: replace a file that is there also where it is of another kind
    """
    force: bool = option(False)


class Named(Command):
    """The option of commands for several systems.

    Args:
        names: the names of the systems (default: those of the files)
    """
    names: tuple[str, ...] | None = several(metavar='NAME')


class Sized(Command):
    """The option of commands that need to know where documents end.

    Args:
        lengths: the lengths of the documents: a file with lines "document length", a folder of transcripts, or the id
            of a dataset (default: those that the qrels or their dataset have)
    """
    lengths: str | None = option(also=('--sizes',), metavar='SOURCE')


class Queried(Command):
    """The option of commands that show the texts of queries.

    Args:
        queries: the texts of the queries: lines of an id, a tab and a text, or .csv with qid and query
    """
    queries: str | None = option(metavar='FILE')


class Strict(Command):
    """The option of commands that warn.

    Args:
        strict: stop with an error where there would be a warning
    """
    strict: bool = option(False)


class Parallel(Command):
    """The option of commands that evaluate many runs.

    Args:
        jobs: processes that evaluate at once, -1 for one on each core
    """
    jobs: int | None = option(type=_jobs, metavar='N')


class Seeded(Command):
    """The option of commands that draw at random.

    Args:
        seed: of the random samples
    """
    seed: int = option(0, type=_seed, metavar='N')


class Aligning(Command):
    """Options for measures of documents on segments.

    Args:
        align_overlap: for measures of documents (nDCG@10): give each item the id of the judged segment
            with which it shares most content, each segment once
        align_iou: as --align, by intersection over union of at least IOU, for Set… optimally
    """
    align_overlap: bool = option(False, names=('--align',))
    align_iou: float | None = option(type=_iou, metavar='IOU')

    @property
    def align(self) -> Mapping[str, Any] | None:
        """The arguments of :func:`~ir_segmeasures.ids.documents.align`, None where nobody asks for it."""
        if self.align_iou is not None:
            return {'by': 'iou', 'threshold': self.align_iou}
        return {} if self.align_overlap else None


def _vary(text: str) -> tuple[str, list[Any]]:
    name, _, values = text.partition('=')
    if ':' not in values:
        return name, [_value(value) for value in values.split(',')]
    try:
        low, high, step = map(float, values.split(':'))
        steps = int((high - low) / step + 1e-9)
        if step <= 0 or high < low or steps >= 10_000:
            raise ValueError
    except (ArithmeticError, ValueError):
        raise argparse.ArgumentTypeError(f'{quoted(values)} is not a range of at most 10,000 values, low:high:step: '
                                         'write it as 5:60:5') from None
    return name, [plain_number(round(low + place * step, 10)) for place in range(steps + 1)]


def _value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (MemoryError, RecursionError, SyntaxError, ValueError):  # the first two of many brackets
        return text
