"""What commands read: judgements from a file or a dataset, runs, standard input; errors with the file and the line."""

import argparse
import atexit
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from subprocess import CalledProcessError
from typing import IO, Any, TextIO

from ir_measures import Measure

from ir_segmeasures import formats
from ir_segmeasures.commands.clip import add_options, cut_off, options_of, ranked_videos
from ir_segmeasures.commands.guarding import guard
from ir_segmeasures.commands.ids import add_ids, with_segments
from ir_segmeasures.formats.files.reading import TooLarge
from ir_segmeasures.measures import RowMeasure, SegmentMeasure
from ir_segmeasures.measures.base import of_documents
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.tables.table import RowError, SegmentTable
from ir_segmeasures.segments.tables.warnings import SegmentWarning, document_measure_warning, warn, with_run_name

__all__ = ['STANDARD_INPUT', 'Runs', 'Source', 'add_formats', 'add_qrels', 'add_runs', 'dataset_of', 'doubt_about_ids',
           'file_of', 'heeded', 'located', 'measured', 'names_of', 'of_standard_input', 'read_qrels', 'read_run',
           'unit_of']

STANDARD_INPUT = 'standard input'


class Source:
    """Rows, and where they are from.

    Attributes:
        rows: judgements or a run
        path, format: what somebody named
        run_format: of judgements: the format of the runs of their dataset
        dataset: the dataset, None for a file
    """

    def __init__(self, rows: Sequence[Any], path: str, format: str, run_format: str = 'trec', dataset: Any = None):
        self.rows, self.path, self.format = rows, path, format
        self.run_format, self.dataset = run_format, dataset

    def at(self, error: RowError) -> Exception:
        """The error with the file and the line of its row."""
        found = formats.in_file(error, file_of(self.path), formats.FORMATS[self.format], self.rows)
        return of_standard_input(found) if self.path == '-' else found


def add_qrels(parser: argparse.ArgumentParser) -> None:
    """Adds the judgements to a command."""
    parser.add_argument('qrels', help='the file of the judgements (.gz is read as it is; - is standard input), or the '
                                      'id of an ir_datasets dataset')


def add_runs(parser: argparse.ArgumentParser,
             help: str = 'the files of two or more runs (- is standard input)') -> None:
    """Adds runs, named by their files, to a command."""
    parser.add_argument('runs', nargs='+', metavar='run', help=help)


def add_formats(parser: argparse.ArgumentParser, kinds: Sequence[str] = ('qrels', 'run')) -> None:
    """Adds the options that say how files are read to a command."""
    for kind in kinds:
        parser.add_argument(f'--{kind}-format', choices=formats.FORMATS, default='trec', metavar='FORMAT',
                            help=f'format of the {kind}: {", ".join(formats.FORMATS)} (default: trec)')
    add_ids(parser, ' and '.join(reversed(kinds)))
    if 'run' in kinds:
        add_options(parser)


def file_of(path: str) -> str:
    """The file of a path; for ``-`` what comes on standard input, in a file that goes with the process."""
    if path == '-' and sys.stdin is None:
        raise ValueError('standard input is closed: give a file, or leave it open')
    return _spooled(sys.stdin.buffer) if path == '-' else path


@lru_cache(1)
def _spooled(stream: IO[bytes]) -> str:
    content = stream.read()
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, 'input.gz' if content.startswith(b'\x1f\x8b') else 'input')
    with open(path, 'wb') as file:
        file.write(content)
    return path


def read_qrels(args: argparse.Namespace) -> Source:
    """The judgements of ``args.qrels``, a file in ``args.qrels_format`` or the id of a dataset."""
    path, format = args.qrels, formats.format_at(args.qrels, args.qrels_format)
    # A file has priority over ir_datasets, as in the command ir_measures.
    if path == '-' or (os.path.exists(path) and (not os.path.isdir(path) or formats.FORMATS[format].folders)):
        rows = ranked_videos(with_segments(_read('qrels', path, format), args, path), args)
        return Source(rows, path, format)
    if args.qrels_format != 'trec':
        args.parser.error(f'--qrels-format is for files, but {path} is none')
    dataset = dataset_of(path, 'no file')
    if not dataset.has_qrels():
        raise ValueError(f'the dataset {path} has no qrels: name one that has')
    try:
        rows = list(dataset.qrels_iter())
    except RuntimeError as error:  # of the host's own datasets, such as downloads that fail
        raise OSError(f'the qrels of {path} cannot be read: {error}') from None
    # Datasets of ir_datasets itself do not tell.
    run_format = getattr(dataset.qrels_handler(), 'run_format', 'trec')
    return Source(ranked_videos(with_segments(rows, args, path), args), path, format, run_format, dataset)


def unit_of(args: argparse.Namespace, qrels: Source) -> str | None:
    """The unit of bare columns, where a format tells: for what people read, it changes no value."""
    named = [args.qrels_format, args.run_format, *([qrels.run_format] if qrels.dataset is not None else [])]
    return next((unit for unit in (formats.FORMATS[name].unit for name in named) if unit), None)


def dataset_of(id: str, what: str) -> Any:
    """The dataset; ``what`` says what else ``id`` could have been, and is not."""
    try:
        from ir_segmeasures import datasets
    except ImportError:
        raise ValueError(f'{id} is {what}, and ir_datasets is not installed, of which it could be a dataset: check the '
                         "path, or pip install 'ir_segmeasures[datasets]'") from None
    try:
        return datasets.load(id.removeprefix('irds:').removeprefix('segments:'))  # as PyTerrier calls them
    except ValueError as error:
        raise ValueError(f'{id} is {what}, and {error}') from None


def read_run(path: str, args: argparse.Namespace, qrels: Source) -> Source:
    """A run in ``args.run_format``, with what ``--task``, ``--clip`` and ``--ids`` ask for."""
    run_format, format = qrels.run_format, formats.format_at(path, args.run_format)
    if path == qrels.path == '-':
        args.parser.error('- is standard input, and has either the judgements or a run: name a file for the other')
    if formats.FORMATS[args.run_format].run is None:
        args.parser.error(f'argument --run-format: invalid choice: {quoted(args.run_format)} (it has judgements only)')
    try:
        rows = _read('run', path, format, options_of(args))
        rows = with_segments(cut_off(rows, args, path, qrels.rows), args, path)
        return Source(ranked_videos(rows, args), path, format)
    except formats.FormatError as error:
        # A format is named, never guessed.
        if args.run_format != 'trec' or run_format == 'trec' or not error.sentence.startswith('the line has '):
            raise
        sentence = error.sentence.partition('; it looks like ')[0]
        raise formats.FormatError(f'{sentence}; runs of {args.qrels} are in the format {run_format}: if this is '
                                  f'one, add --run-format {run_format}', error.path, error.line) from None


def _read(kind: str, path: str, format: str, options: dict[str, Any] | None = None) -> Sequence[Any]:
    file = file_of(path)
    try:
        return (formats.read_qrels(file, format) if kind == 'qrels' else
                formats.read_run(file, format, **(options or {})))
    except TooLarge as error:  # in any format
        raise (of_standard_input(error) if path == '-' else error) from None
    except formats.FormatError as error:
        like = _fitting(kind, file)
        if len(like) == 1:
            error = formats.FormatError(f'{error.sentence}; it looks like {like[0]}: add --{kind}-format {like[0]}',
                                        error.path, error.line)
        raise (of_standard_input(error) if path == '-' else error) from None


def _fitting(kind: str, file: str) -> list[str]:
    """The formats that the file can be read in; of those that read the same the first."""
    found: dict[str, Any] = {}
    for name, format in formats.FORMATS.items():
        files = format.files(kind)
        try:
            rows = None if files is None else list(files.read(file))
        except (OSError, ValueError, ImportError):
            continue
        if rows and rows not in found.values():
            found[name] = rows
    return list(found)


def of_standard_input(error: Any) -> Any:
    """The error of a format about what came on standard input."""
    return formats.FormatError(error.sentence, STANDARD_INPUT, error.line)


def names_of(paths: Sequence[str]) -> dict[str, str]:
    """What runs are called: their files' names without the ending, or the paths where these are the same.

    Raises:
        ValueError: a file is there twice
    """
    for path in paths:
        if paths.count(path) > 1:
            raise ValueError(f'the run {path} is named twice, but each is one system: name it once')
    names = [os.path.basename(path).removesuffix('.gz') for path in paths]
    stems = [os.path.splitext(name)[0] for name in names]
    for called in (stems, names):
        if len(set(called)) == len(paths):
            return dict(zip(called, paths))
    return {path: path for path in paths}


class Runs(Mapping[str, Any]):
    """Runs by name, each read when it is asked for, in the shape that the measures want.

    Attributes:
        paths: name → file
        last, name: the run that was read last, and its name; its rows are what a row's error is about
    """

    def __init__(self, args: argparse.Namespace, measures: Mapping[Measure, str], qrels: Source):
        self._args, self._names, self._qrels = args, measures, qrels
        self.paths = names_of(args.runs)
        self.last: Source | None = None
        self.name = ''

    def __getitem__(self, name: str) -> Any:
        self.last, self.name = read_run(self.paths[name], self._args, self._qrels), name
        rows = measured(self.last, 'run', list(self._names))
        if of_documents(self._names):
            warn([doubt_about_ids(self._names, self._judged, rows)])
        return rows

    @cached_property
    def _judged(self) -> Any:
        return measured(self._qrels, 'qrels', list(self._names), self._args.run_format)

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


def measured(source: Source, kind: str, measures: Sequence[Measure], run_format: str = 'trec') -> Any:
    """The rows as measures want them: a table for those of segments, rows with ids where one is of documents."""
    if all(isinstance(measure, SegmentMeasure) for measure in measures):
        elements = any(isinstance(measure, RowMeasure) for measure in measures)
        make = SegmentTable.from_run if kind == 'run' else SegmentTable.from_qrels
        return make(source.rows, elements)
    # Measures of documents know nothing but ids. The judgements of a dataset may have times beside the document: those
    # of ir_datasets have no unit.
    unit = formats.FORMATS[source.format].unit
    guard(source.rows, kind, measures)
    return _with_segment_ids(source.rows, unit or formats.FORMATS[run_format].unit)


def doubt_about_ids(names: Mapping[Measure, str], qrels: Sequence[Any], run: Sequence[Any]) -> str | None:
    """What is doubtful about measures of documents, by what they are called, if one is among the measures."""
    measure = of_documents(names)
    if measure is None:
        return None
    pairs = ([(row.query_id, row.doc_id) for row in rows] for rows in (qrels, run))
    return document_measure_warning(names[measure], *pairs)


def _with_segment_ids(rows: Sequence[Any], unit: str | None) -> Sequence[Any]:
    # Other fields stay: measures of segments need some of them.
    if not (len(rows) and hasattr(rows[0], 'start')):
        return rows
    from ir_segmeasures.ids.encoding import with_ids  # measures of segments do without
    return with_ids(rows, unit or 't')


@contextmanager
def heeded(strict: bool) -> Iterator[None]:
    """A warning comes once, or is an error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('error' if strict else 'once', SegmentWarning)
            yield
    except SegmentWarning as warning:
        raise ValueError(str(warning)) from None


def _name_runs(runs: Runs) -> None:
    """Let what is doubtful about a run name it, until the filters of warnings are what they were."""
    show, shown_already = warnings.showwarning, set[str]()

    def named(message: Warning | str, category: type[Warning], filename: str, lineno: int, file: TextIO | None = None,
              line: str | None = None) -> None:
        sentence = with_run_name(str(message), runs.name) if issubclass(category, SegmentWarning) else str(message)
        if sentence not in shown_already:
            shown_already.add(sentence)
            show(sentence, category, filename, lineno, file, line)
    warnings.simplefilter('always', SegmentWarning)  # two runs may have the same doubt
    warnings.showwarning = named


@contextmanager
def located(qrels: Source, runs: Runs | Source, strict: bool = False) -> Iterator[None]:
    """Errors about a row name its file and its line; a warning comes once, or is an error. Those about one of several
    runs name it.
    """
    try:
        with heeded(strict):
            if isinstance(runs, Runs) and len(runs) > 1:
                _name_runs(runs)
            yield
    except RowError as error:
        source = qrels if error.kind != 'run' else runs.last if isinstance(runs, Runs) else runs
        assert source is not None
        raise source.at(error) from None
    except CalledProcessError as error:
        raise ValueError(f'a program that ir_measures runs for one of the measures failed with the code '
                         f'{error.returncode}: leave out the measure, or give it what its own words ask for') from None
