"""A format is one object with all that commands, checks and datasets ask about the files of a campaign."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ir_segmeasures.formats.files.reading import UTF_8, StrPath
from ir_segmeasures.formats.files.row_types import Number, Rows
from ir_segmeasures.segments.quoting import format_number

__all__ = ['Files', 'Format', 'Lines', 'Reader', 'Writer', 'one_row']

Reader = Callable[..., Sequence[Any]]  # of a path, and maybe options
LineParser = Callable[[list[str]], tuple[str, Sequence[Any]]]


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


class Lines(NamedTuple):
    """How the lines of a file become rows, one line at a time: a check goes on after a line that cannot be read.

    Attributes:
        parse: fields of a line → its query and its rows, which a header has not; raises ``ValueError`` with a sentence
        split: line → fields, none of a blank line
        encoding: of the file
        late: a field that the reader fills in when it has all rows; None if it has no such field
        columns: names of fields that a check looks at and rows lack, → their positions: ``'rank'``, ``'run'``
        refuse: the path and the rows of every line, None for a line that cannot be read; raises ``FormatError`` for a
            fault of the file as a whole
        doubt: fields of a line that can be read → what may be a mistake there, or None
        together: whether lines that can be read alone may not go together, such as two with the same rank
        records: path → the number and the fields of each row, where these do not follow from one line alone, but from
            the first line too; ``split`` and ``encoding`` are then not used. It raises ``FormatError``
        read_columns: path → the rows of all lines, with those of ``columns`` and with the texts of the lines, ``line``,
            as columns of texts; it raises a ValueError where a line is wrong or not plain. None where rows come in
            another way
    """

    parse: LineParser
    split: Callable[[str], list[str]] = str.split
    encoding: str = UTF_8
    late: str | None = None
    columns: Mapping[str, int] = {}
    refuse: Callable[[StrPath, list[Sequence[Any] | None]], None] | None = None
    doubt: Callable[[list[str]], str | None] | None = None
    together: bool = False
    records: Callable[[StrPath], Iterable[tuple[int, list[str]]]] | None = None
    read_columns: Callable[[StrPath], Rows[Any]] | None = None


class Files(NamedTuple):
    """The judgements or the runs of a format.

    Attributes:
        read: path → rows
        write: None where files can only be read
        lines: how lines become rows; None for XML
        unread: what the reader leaves out of the rows, in words
        read_named: as ``read``, each row with the name of its run, where ``read`` leaves that out
        options: keyword arguments of ``read`` that people choose: ``'task'``, ``'clip'``, ``'videos'``, of
            judgements ``'subset'``, of quotes ``'texts'`` and ``'unlocated'``;
            ``'normalised'`` says that times may be parts of durations, which whoever asks for the rows makes seconds
        write_options: those of ``write``
        lacks: path → what a submission needs and the file has not, in sentences; None where rows are all that is needed
        place: a folder and the number of a row → the file in it and the row's number there; None where there are lines
        read_by_query: path → rows, some queries at a time; None where files are always read whole
        read_parts: path → the rows that ``read`` has, some at a time and the first at once; it raises a ValueError
            where something is not plain, which ``read`` looks at; None where rows need each other
        queries: path of a run → its queries and the video of each, also of those without items; None if it names none
        durations: path of a run → durations of videos, in seconds, that the file tells; None where it tells none
        write_parts: rows, a folder, how many files, unit → what the files have not; None where a run is one file
    """

    read: Reader
    write: Writer | None = None
    lines: Lines | None = None
    unread: tuple[str, ...] = ()
    read_named: Reader | None = None
    options: tuple[str, ...] = ()
    write_options: tuple[str, ...] = ()
    lacks: Callable[[StrPath], Sequence[str]] | None = None
    place: Callable[[StrPath, int], tuple[StrPath, int]] | None = None
    read_by_query: Callable[[StrPath], Iterator[Sequence[Any]]] | None = None
    read_parts: Callable[[StrPath], Iterator[Sequence[Any]]] | None = None
    queries: Callable[[StrPath], Mapping[str, str]] | None = None
    durations: Callable[[StrPath], Mapping[str, Number]] | None = None
    write_parts: Callable[[Iterable[Any], StrPath, int, str | None], list[str]] | None = None


class Format(NamedTuple):
    """A format of judgements and runs.

    Attributes:
        name: for people who choose
        description: one line for them
        unit: of starts and ends, ``'t'`` (seconds) or ``'char'``; None where the ids tell
        qrels: its judgements
        run: its runs; None if the format has judgements only
        folders: whether the judgements may be a folder of files
        elements: whether the judgements are elements, which need no offsets
        dataset_row: the type of the judgements of its datasets, with the segment in ``doc_id``; None for the four
            columns of TREC
        lists: what may be listed beside its files: ``'queries'``, ``'anchors'``, ``'videos'``
        read_queries: reader of its list of queries; None for the XML of Search & Hyperlinking
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

    @property
    def read_qrels(self) -> Reader:
        """Path → judgements."""
        return self.qrels.read

    @property
    def read_run(self) -> Reader | None:
        """Path → retrieved items; None if the format has judgements only."""
        return self.run and self.run.read

    @property
    def write_qrels(self) -> Writer | None:
        """Judgements of any format, path, unit → what the file cannot hold; None if judgements can only be read."""
        return self.qrels.write

    @property
    def write_run(self) -> Writer | None:
        """Retrieved items of any format, path, unit → what the file cannot hold; None if runs cannot be written."""
        return self.run and self.run.write


def one_row(parse: Callable[[list[str]], Any]) -> LineParser:
    """The ``parse`` of :class:`Lines` for a format whose lines are one row each.

    Examples:
        >>> from ir_measures import Qrel
        >>> from ir_segmeasures import formats
        >>> formats.one_row(lambda fields: Qrel(fields[0], fields[1], 1))(['q1', 'talk#t=60,90'])
        ('q1', [Qrel(query_id='q1', doc_id='talk#t=60,90', relevance=1, iteration='0')])
    """
    def parse_line(fields: list[str]) -> tuple[str, Sequence[Any]]:
        row = parse(fields)
        return row.query_id, [row]
    return parse_line
