"""Lines of fields: one declaration of a format's fields reads its files, names what is wrong in them and writes them.

Blocks of lines are converted a column at a time. Where a block cannot be converted, its halves are, and theirs, down to
the single line whose sentence says what is wrong.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from typing import Any

import numpy as np

from ir_segmeasures.formats.files import reading, writing
from ir_segmeasures.formats.files.fields import codes_of_column, id_of, wrong_fields
from ir_segmeasures.formats.files.format import Files
from ir_segmeasures.formats.files.reading import UTF_8, FormatError, StrPath, numbered_rows, refuse
from ir_segmeasures.formats.files.row_types import FileRows, TrecQrel, column_of
from ir_segmeasures.segments.basics import Array, Ints

_BLOCK = 1 << 10  # lines that are split at once; more do not stay in the processor's cache
_END = '\0'  # of a line among fields, which no file holds


@dataclass(frozen=True)
class Lines:
    """The judgements or the runs of a format whose lines are rows, field by field.

    Attributes:
        kind: what a line is one of, for the error about the number of its fields: ``'a passage run'``
        fields: the names of the fields in their order
        row: a column of texts for each field → the row of columns: a named tuple of lists, arrays, and values that are
            the same in all rows. It is made of converters (:mod:`ir_segmeasures.formats.files.fields`) and raises
            ``ValueError`` if a value is wrong; given a single line, with the sentence about it
        line: row, unit (in a run also its rank, from 1) → the fields of its line; raises ``ValueError`` with a
            sentence. None for a file that is written in another way, or not at all
        optional: how many of the last fields may be missing; they are then ``''``
        beside: the fields that are kept beside the rows, as ``'rank'`` and ``'run'`` are for checks
        held: the fields of rows that a line holds, beside query, segment and score or relevance
        paths: whether a line holds ids of segments and elements, which have six decimals
        ranked: ``'rank'`` writes rows query by query in the order by score; ``'score'`` does so too, and lowers tied
            scores as little as trec_eval sees, so that it keeps the order of the rows; ``'rows'`` lowers them as well,
            and writes the rows in their own order
        separator: of fields, which may then be empty and hold blanks; white space if it is not given
        between: the white space that is written where there is no separator
        encoding: of the file
        header: whether ``fields`` stand in the first line
        finish: path, rows in the order of the lines → the rows that the reader gives, in their order and with their
            ranks; raises ``FormatError`` for lines that do not go together

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures import formats
        >>> from ir_segmeasures.formats.files.fields import interned, scores
        >>> def row(query, video, start, end):
        ...     return formats.SegmentQrel(interned(query), interned(video), scores(start), scores(end), 1)
        >>> qrels = formats.Lines('my judgements', 'query video start end', row,
        ...                       lambda row, unit: [row.query_id, row.doc_id, str(row.start), str(row.end)])
        >>> mine = formats.Format('mine', 'judgements of mine, in seconds', 't', qrels.files())
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'qrels.txt'
        >>> mine.qrels.write([formats.SegmentQrel('q1', 'talk', 60, 90.5, 1)], path)
        []
        >>> mine.qrels.read(path)[0]
        SegmentQrel(query_id='q1', doc_id='talk', start=60.0, end=90.5, relevance=1, iteration='0')
    """

    kind: str
    fields: str
    row: Callable[..., Any]
    line: Callable[..., list[str]] | None = None
    optional: int = 0
    beside: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    paths: bool = False
    ranked: str = ''
    separator: str = ''
    between: str = ' '
    encoding: str = UTF_8
    header: bool = False
    finish: Callable[[StrPath, FileRows[Any]], FileRows[Any]] | None = None

    def read(self, path: StrPath) -> Sequence[Any]:
        """The rows of a file, in their order and with their ranks: as :meth:`readable` and :meth:`finished`."""
        return self.finished(path, self.readable(path))

    def finished(self, path: StrPath, rows: FileRows[Any]) -> Sequence[Any]:
        """The rows in their order and with their ranks. Raises ``FormatError`` for lines that do not go together."""
        return [] if not len(rows) else rows if self.finish is None else self.finish(path, rows)

    def write(self, rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
        """Writes rows of any reader, as :class:`~ir_segmeasures.formats.files.format.Writer` says."""
        names, line = self.fields.split(), self.line
        assert line is not None

        def text(row: Any, *rank: int) -> str:
            return (self.separator or self.between).join([
                writing.word(cell, name, self.encoding, self.separator)
                for name, cell in zip(names, line(row, unit, *rank))])
        rows = writing.scored_in_order(rows) if self.ranked in ('score', 'rows') else rows
        lines = (writing.ranked_lines(rows, text, self.ranked == 'rows') if self.ranked else
                 writing.judged_lines(rows, text))
        head = [(self.separator or ' ').join(names)] if self.header else []
        writing.write_text(head + lines, path, self.encoding)
        return writing.left_out(rows, self.held, self.paths) + (writing.lost_decimals(rows) if self.paths else [])

    def files(self, read: Callable[..., Sequence[Any]] | None = None, write: Any = None, **others: Any) -> Files:
        """All that commands, checks and datasets ask about these files.

        Args:
            read, write: what users call, where that is more than :meth:`read` and :meth:`write`
            others: attributes of :class:`~ir_segmeasures.formats.files.format.Files`
        """
        return Files(read or self.read, write or (self.line and self.write), self.readable, self, **others)

    def rows_of(self, lines: list[str]) -> FileRows[Any]:
        """The rows of lines. Raises ``ValueError`` if one of them is wrong."""
        row, _ = self._columns(lines)
        return FileRows(type(row), row)

    def split(self, line: str) -> list[str]:
        """The fields of a line, without the white space around them; none of a blank one."""
        return [field.strip() for field in line.split(self.separator or None)] if line.strip() else []

    def readable(self, path: StrPath, faults: list[FormatError] | None = None) -> FileRows[Any]:
        """The rows that can be read, in the order of the lines.

        Raises:
            FormatError: the sentence about a line, with the file and the number of the line; where there are
                ``faults``, it is added to these
            OSError: the file cannot be opened
        """
        lines, names = reading.read_text(path, self.encoding).split('\n'), self.fields.split()
        if self.header:
            head = next((number for number, line in enumerate(lines) if line.strip()), 0)
            if self.split(lines[head]) != names:
                refuse(FormatError(f'the header {self.fields!r} is not the first line: add it', path, 1), faults)
            else:
                lines[head] = ''
        parts: list[Any] = []
        for first in range(0, len(lines), _BLOCK):
            block = lines[first:first + _BLOCK]
            numbers: Sequence[int] = range(first + 1, first + len(block) + 1)
            filled = list(map(str.strip, block))
            if not all(filled):
                numbers, block = list(compress(numbers, filled)), list(compress(block, filled))
            parts += self._converted(path, numbers, block, faults) if block else []
        if not parts:
            return FileRows.of(TrecQrel, ())
        rows = [part[1] for part in parts]
        beside = {name: np.concatenate([part[2][name] for part in parts]) for name in self.beside}
        return FileRows(type(rows[0]), map(np.concatenate, zip(*rows)), [n for part in parts for n in part[0]], beside)

    def _converted(self, path: StrPath, numbers: Sequence[int], lines: list[str],
                   faults: list[FormatError] | None) -> list[Any]:
        try:
            return [(numbers, *self._columns(lines))]
        except ValueError as error:
            if len(lines) == 1:
                refuse(FormatError(str(error), path, numbers[0]), faults)
            halves = (slice(len(lines) // 2), slice(len(lines) // 2, None)) if len(lines) > 1 else ()
            return [part for half in halves for part in self._converted(path, numbers[half], lines[half], faults)]

    def _columns(self, lines: list[str]) -> tuple[Any, dict[str, Any]]:
        names, between = self.fields.split(), self.separator or ' '
        count, least = len(names), len(names) - self.optional
        # All lines at once: a list for each would take longer, above all the garbage collector's time.
        fields = f'{between}{_END}{between}'.join([*lines, '']).removesuffix(between).split(self.separator or None)
        if self.separator:
            fields = list(map(str.strip, fields))
        columns = [fields[place::count + 1] for place in range(count + 1)]
        if columns.pop() != [_END] * len(lines) or '#' in columns[0]:
            rows = list(map(self.split, lines))
            if any(not least <= len(row) <= count or row[0] == '#' for row in rows):
                tabs = ', separated by tabs' if self.separator == '\t' else ''
                fewer = f', or {least} without the last' if self.optional else ''
                raise wrong_fields(rows[0], self.kind, f'{self.fields}{tabs}', f'{count}{fewer}')
            columns = list(map(list, zip(*(row + [''] * (count - len(row)) for row in rows))))
        row = self.row(*columns)
        row = type(row)(*(column if isinstance(column, np.ndarray) else column_of(
            column if isinstance(column, list) else [column] * len(lines)) for column in row))
        return row, {name: column_of(columns[names.index(name)]) for name in self.beside}


def rows_of_lines(path: StrPath, parse: Callable[[list[str]], Sequence[Any]], row_type: Any,
                  faults: list[FormatError] | None = None,
                  split: Callable[[str], list[str]] = str.split) -> FileRows[Any]:
    """The rows of a file whose lines are several rows each.

    Args:
        path: of the file
        parse: the fields of a line → its rows; raises ``ValueError`` with a sentence
        row_type: of the rows
        faults: where to put the errors of lines that cannot be read; not given: the first one is raised
        split: line → fields, none of a blank one
    """
    numbers, found = numbered_rows(path, parse, split, faults=faults)
    return FileRows.of(row_type, chain(*found), np.repeat(numbers, list(map(len, found))))


def pairs_of_lines(path: StrPath, kind: str, fields: str, value: Callable[[str], Any],
                   split: Callable[[str], list[str]] = str.split) -> list[tuple[str, Any]]:
    """The ids and the values of a file with lines of an id and a value, each id once.

    Args:
        path: of the file
        kind: what the ids are of
        fields: the names of the two fields, for the error about another number of them
        value: the second field → its value; raises ``ValueError`` with a sentence
        split: line → fields, none of a blank one
    """
    def pair(cells: list[str]) -> tuple[str, Any]:
        if len(cells) != 2:
            raise wrong_fields(cells, f'a list of {kind} ids', fields, '2')
        return id_of(cells[0], f'the {kind}'), value(cells[1])
    numbers, pairs = numbered_rows(path, pair, split)
    reading.refuse_twice(path, numbers, (id for id, _ in pairs), kind)
    return pairs


def ordered_by(rows: FileRows[Any], *keys: Array[Any]) -> FileRows[Any]:
    """The rows query by query, as the queries first appear, within each by the first key, then by the second …, ties in
    the order of the rows."""
    return rows.taken(np.lexsort((*keys[::-1], codes_of_column(rows.columns['query_id']))))


def places_in_queries(query: Ints) -> Ints:
    """The place of each row among those of its query, from 1; rows of a query stand together."""
    first = np.flatnonzero(np.append(True, query[1:] != query[:-1]))
    return np.arange(1, len(query) + 1) - np.repeat(first, np.diff(np.append(first, len(query))))


def ranks_by_score(query_id: Any, score: Any) -> Ints:
    """The rank of each row among those of its query, from 1: by descending score, ties in the order of the rows. It
    takes columns of rows."""
    query = codes_of_column(query_id)
    order = np.lexsort((-np.asarray(score, np.float64), query))
    rank = np.empty(len(order), np.intp)
    rank[order] = places_in_queries(query[order])
    return rank


def in_file_order(path: StrPath, rows: FileRows[Any]) -> FileRows[Any]:
    """The rows with minus their position in the file as ``score``."""
    rows.columns['score'] = -np.arange(1, len(rows) + 1)
    return rows


def by_rank_column(path: StrPath, rows: FileRows[Any]) -> FileRows[Any]:
    """The rows query by query in the order of their ``rank``. Raises ``FormatError`` where a query repeats one."""
    assert rows.lines is not None
    items = zip(rows.columns['query_id'], rows.columns['rank'])
    reading.refuse_twice(path, rows.lines.tolist(), (f'{rank} of {query}' for query, rank in items), 'rank',
                         'every item of a query has a rank of its own: number the items 1, 2, 3 and so on')
    return ordered_by(rows, rows.columns['rank'])
