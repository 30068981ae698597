"""A format is one declaration of all that readers, writers, checks, commands and datasets ask about its files.

Its module makes one :class:`Format`, which stands in a line of the registry (:mod:`ir_segmeasures.formats.registry`),
or, in a package of somebody else, under the entry point group ``ir_segmeasures.formats``. No other module knows
formats by their names.

Judgements and runs are each a :class:`Files`: a reader and a writer of one of three kinds (or functions of their own),
and what the campaign asks of such a file.

* *Lines of fields*: :class:`~ir_segmeasures.formats.files.lines.Lines`, names of the fields and converters of columns.
* *JSON and XML*: functions ``read(path, **options)`` and ``write(rows, path, unit)``.
* *Tables*: :mod:`ir_segmeasures.formats.spreadsheets` and :mod:`ir_segmeasures.formats.parquet`, columns by name.

A reader gives :class:`~ir_segmeasures.formats.files.row_types.FileRows`, columns with the number of each row's line,
so that an error about a row names its line. It raises ``FormatError`` for the first line that cannot be read.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ir_segmeasures.formats.files.reading import FormatError, StrPath
from ir_segmeasures.formats.files.row_types import FileRows, Number
from ir_segmeasures.segments.basics import format_number
from ir_segmeasures.segments.tables.columns import RowError

Reader = Callable[..., Sequence[Any]]  # of a path, and maybe options
Rule = str | Callable[..., Any]  # the name of a function of ir_segmeasures.checks.rules, or such a function


class Writer(Protocol):
    """Writes judgements or a run.

    Args:
        rows: of any reader; with ``start`` and ``end``, or with segment ids
        path: of the file, packed if it ends in ``.gz``; it appears as a whole
        unit: of the rows' ``start`` and ``end``, where these are not in the ids; that of the format if it is None

    Returns:
        what the rows have and the file has not, in words

    Raises:
        WriteError: a row that the format cannot hold; nothing is written
        OSError: the file cannot be written
    """

    def __call__(self, rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]: ...


@dataclass(frozen=True)
class Rules:
    """The rules of a campaign for a file.

    Attributes:
        violations: the rules whose breach is a violation
        warnings: the rules whose breach is a warning
        tasks: name of a task → the rules that are violations in its runs; where a task is named, those of all tasks are
            no warnings
        most: items of a query that the campaign takes
        ids: the regular expression of its documents' ids, and an example
        measured: whether evaluation refuses what its measures cannot take; files of shots have no times
    """

    violations: tuple[Rule, ...] = ()
    warnings: tuple[Rule, ...] = ()
    tasks: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)
    most: int | None = None
    ids: tuple[str, str] | None = None
    measured: bool = True


JUDGED = Rules(('judged_once', 'judged_without_contradiction', 'known_query', 'known_video'),
               ('overlap', 'within_the_document'))
RETRIEVED = Rules(('retrieved_once', 'known_query', 'known_video'),
                  ('one_run', 'scores_follow_ranks', 'judged_query', 'answered_queries', 'overlap',
                   'within_the_document'))


@dataclass(frozen=True)
class Files:
    """The judgements or the runs of a format.

    Attributes:
        read: path, options → rows
        write: None where files can only be read
        readable: path, faults → the rows that can be read, in the order of the lines; it adds a ``FormatError`` for
            each line that cannot. None where ``read`` is all there is, which stops at the first
        lines: the declaration (:class:`~ir_segmeasures.formats.files.lines.Lines`), where lines of fields are read
        rules: of submission; :data:`JUDGED` or :data:`RETRIEVED` if they are not given
        order: what ranks the items of a run: ``'score'``, ``'rank'`` (the rank column) or ``'line'`` (as listed)
        listed: the official program that takes items as they are listed, not by score; None if there is none
        mended: what ``check --fix`` puts right beside white space and repeated lines → the field of the lines:
            ``'score'`` (decimal commas) and ``'rank'`` (order and ranks)
        options: keyword arguments of ``read`` that people choose: ``'task'``, ``'clip'``, ``'videos'``, of
            judgements ``'subset'``, of quotes ``'texts'`` and ``'unlocated'``;
            ``'normalised'`` says that times may be parts of durations, which whoever asks for the rows makes seconds
        write_options: those of ``write``
        lacks: path → what a submission needs and the file has not, in sentences; None where rows are all that is needed
        queries: path of a run → its queries and the video of each, also of those without items; None if it names none
        texts: path → the texts of the queries that the file has itself, by their ids; None where it has none
        durations: path of a run → durations of videos, in seconds, that the file tells; None where it tells none
    """

    read: Reader
    write: Writer | None = None
    readable: Callable[..., FileRows[Any]] | None = None
    lines: Any = None
    rules: Rules | None = None
    order: str = 'score'
    listed: str | None = None
    mended: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    write_options: tuple[str, ...] = ()
    lacks: Callable[[StrPath], Sequence[str]] | None = None
    queries: Callable[[StrPath], Mapping[str, str]] | None = None
    texts: Callable[[StrPath], Mapping[str, str]] | None = None
    durations: Callable[[StrPath], Mapping[str, Number]] | None = None

    def check(self, path: StrPath) -> tuple[Sequence[Any], list[FormatError]]:
        """The rows that can be read, in the order of the lines, and the errors of all other lines."""
        faults: list[FormatError] = []
        return () if self.readable is None else self.readable(path, faults=faults), faults


@dataclass(frozen=True)
class Format:
    """A format of judgements and runs.

    Attributes:
        name: by which it is chosen
        description: what its files are, in one line
        unit: of starts and ends, ``'t'`` (seconds) or ``'char'``; None where the ids say it
        qrels: its judgements
        run: its runs; None if the format has judgements only
        folders: whether the judgements may be a folder of files
        elements: whether the judgements are elements, which need no offsets
        dataset_row: the type of the judgements of its datasets, with the segment in ``doc_id``; None for the four
            columns of TREC
        lists: what may be listed beside its files: ``'queries'``, ``'anchors'``, ``'videos'``
        read_queries: reader of its list of queries; None for lines of ids and texts, or XML of Search & Hyperlinking
        read_video: id of a video in a list → as the rows have it
        shown: position → as the files write it
    """

    name: str
    description: str
    unit: str | None
    qrels: Files
    run: Files | None = None
    folders: bool = False
    elements: bool = False
    dataset_row: Any = None
    lists: tuple[str, ...] = ()
    read_queries: Reader | None = None
    read_video: Callable[[str], str] = str
    shown: Callable[[Number], str] = format_number

    def files(self, kind: str) -> Files | None:
        """The judgements (``'qrels'``) or the runs (``'run'``); None if the format has no runs."""
        return self.run if kind == 'run' else self.qrels

    def rules(self, kind: str) -> Rules | None:
        """The rules of its judgements or of its runs; None if the format has no such files."""
        files = self.files(kind)
        return None if files is None else files.rules or (RETRIEVED if kind == 'run' else JUDGED)


def in_file(error: RowError, path: StrPath, format: Format, rows: Sequence[Any]) -> FormatError:
    """The error about a row of a file, with the line of the row, or with its number from 1 where no line is told.

    Args:
        error: about a row
        path, format: of the file
        rows: what the format's reader made of it; other segments may stand in them since

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures import SegmentTable, formats
        >>> from ir_segmeasures.segments.tables.table import RowError
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'my.run'
        >>> _ = path.write_text('q1 Q0 talk#t=60,90 1 2.5 me\\n\\nq1 Q0 talk#t=90,60 2 1.5 me\\n')
        >>> run = formats.read_run(path)
        >>> try:
        ...     table = SegmentTable.from_run(run)
        ... except RowError as error:
        ...     formats.in_file(error, path, formats.FORMATS['trec'], run).line
        3
    """
    found: Any = rows
    files = format.files(error.kind)
    if not isinstance(found, FileRows) and files is not None and os.path.exists(path):
        found = files.read(path)  # since rows with other ids or times have no lines
    is_same = isinstance(found, FileRows) and len(found) == len(rows)
    name, line, row = found.place(error.row, path) if is_same else (path, None, error.row)
    return FormatError(error.sentence if line else f'row {row + 1}: {error.sentence}', name, line)
