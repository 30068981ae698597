"""A file whose lines are rows, field by field, is a declaration, from which its reader and its writer follow.

All lines are parsed at once, by columns, where they are well-formed. Where one is not, they are gone through one by
one, to find it and its sentence.
"""

from codecs import BOM_UTF8
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.blocks import buffer_of, columns_of, joined_blocks, read_blocks, rows_of_lines
from ir_segmeasures.formats.files.fields import wrong_fields
from ir_segmeasures.formats.files.format import Files, Lines
from ir_segmeasures.formats.files.parts import line_blocks, plain_lines, refuse_known
from ir_segmeasures.formats.files.reading import UTF_8, FormatError, StrPath, decode_text, numbered_rows_of, read_bytes
from ir_segmeasures.formats.files.row_types import Rows
from ir_segmeasures.formats.files.writing import judged_lines, left_out, ranked_lines, write_text
from ir_segmeasures.segments.tables.text_columns import PADDING, TextColumn

__all__ = ['ColumnFile', 'Numbers', 'header_first']

Numbers = Callable[[], list[int]]  # of the lines of rows, from 1; seldom needed


class ColumnFile(NamedTuple):
    """The judgements or the runs of a format whose lines are rows, field by field.

    Attributes:
        kind: what a line is one of, for the error about the number of its fields: ``'a passage run'``
        fields: the names of the fields in their order, for the same error
        counts: how many fields a line has, and how many it may have without the last
        parse: the fields of a line → its row; raises ``ValueError`` with a sentence. It consists of functions that
            take columns as well (:mod:`ir_segmeasures.formats.files.fields`), so that whole columns become one row of
            columns, and of values that are the same in all rows
        line: row, unit (in a run also its rank, from 1) → the line; raises ``ValueError`` with a sentence. None for a
            file that is written in another way, or not at all
        held: the fields of rows that a line holds, beside query, segment and score or relevance
        paths: whether a line holds the path of an element
        ranked: whether rows are written query by query in the order by score
        separator: of fields, which may then be empty and hold blanks; white space if it is not given
        encoding: of the file
        header: the fields of the first line, where that is no row; ``refuse`` then says where it is missing
        arrange: path, rows in the order of the lines, the lines' numbers → the rows that the reader gives; raises
            :class:`~ir_segmeasures.formats.files.reading.FormatError` for lines that do not go together
        judged: how many of a row's fields say what is judged, where ``arrange`` does nothing but to look at rows in
            which these are the same
        wrong: the error for a line with another number of fields, where that is not the usual one
        late, columns, refuse, together: as in :class:`~ir_segmeasures.formats.files.format.Lines`

    Examples:
        >>> import pathlib, tempfile
        >>> from ir_segmeasures import formats
        >>> from ir_segmeasures.formats.files.fields import interned, parse_score
        >>> def parse(query, video, start, end):
        ...     return formats.SegmentQrel(interned(query), interned(video), parse_score(start), parse_score(end), 1)
        >>> qrels = formats.ColumnFile('my judgements', 'query video start end', (4,), parse,
        ...                            lambda row, unit: f'{row.query_id} {row.doc_id} {row.start} {row.end}')
        >>> mine = formats.Format('mine', 'judgements of mine, in seconds', 't', qrels.files())
        >>> path = pathlib.Path(tempfile.mkdtemp()) / 'qrels.txt'
        >>> mine.write_qrels([formats.SegmentQrel('q1', 'talk', 60, 90.5, 1)], path)
        []
        >>> mine.read_qrels(path)[0]
        SegmentQrel(query_id='q1', doc_id='talk', start=60.0, end=90.5, relevance=1, iteration='0')
    """

    kind: str
    fields: str
    counts: tuple[int, ...]
    parse: Callable[..., Any]
    line: Callable[..., str] | None = None
    held: tuple[str, ...] = ()
    paths: bool = False
    ranked: bool = False
    separator: str = ''
    encoding: str = UTF_8
    header: str = ''
    arrange: Callable[[StrPath, Any, Numbers], Sequence[Any]] | None = None
    judged: int = 0
    wrong: Callable[[Sequence[Any]], ValueError] | None = None
    late: str | None = None
    columns: Mapping[str, int] = {}
    refuse: Callable[[StrPath, Any], None] | None = None
    together: bool = False

    def read(self, path: StrPath) -> Sequence[Any]:
        """The rows of a file.

        Raises:
            FormatError: the sentence about a line, with the file and the number of the line
            OSError: the file cannot be opened
        """
        rows, numbers = self.read_numbered(path)
        return rows if self.arrange is None or not rows else self.arrange(path, rows, numbers)

    def read_numbered(self, path: StrPath) -> tuple[Any, Numbers]:
        """The rows in the order of the lines, and the numbers of these, as :meth:`read` has them before it arranges
        the rows."""
        data = read_bytes(path, lines=True)
        try:
            buffer = buffer_of(data, self.encoding, self.separator)
            first = self._behind_header(buffer)
            rows: Any = read_blocks(buffer, self.parse_fields, first, self.separator)
            return rows, partial(self._numbers, buffer)
        except ValueError:
            numbers, found = numbered_rows_of(decode_text(data, path, self.encoding), path, self._rows, self.split)
            if self.header and self.refuse is not None:
                self.refuse(path, found)
            return rows_of_lines(list(chain.from_iterable(found))), lambda: numbers[bool(self.header):]

    def read_columns(self, path: StrPath) -> Rows[Any]:
        """The rows in the order of the lines, with the columns and texts that
        :class:`~ir_segmeasures.formats.files.format.Lines` adds.

        Raises:
            ValueError: a line is wrong or not plain
            OSError: the file cannot be opened
        """
        buffer = buffer_of(read_bytes(path), self.encoding, self.separator)
        row_type: Any = namedtuple

        def parse(fields: Sequence[Any]) -> Any:
            row = self.parse_fields(fields)
            names = (*row._fields, *self.columns, 'line')
            lines = TextColumn(fields[0].signs, fields[0].start, fields[-1].end)
            return row_type('Row', names)(*row, *map(fields.__getitem__, self.columns.values()), lines)
        return read_blocks(buffer, parse, self._behind_header(buffer), self.separator)

    def read_parts(self, path: StrPath) -> Iterator[Sequence[Any]]:
        """The rows in the order of the lines: that of the first line, then those of more and more lines.

        Raises:
            ValueError: a line is wrong or not plain, or there is none; rows have to be arranged, or something is judged
                twice: :meth:`read` finds out
            OSError: the file cannot be opened
        """
        if self.arrange is not None and not self.judged:
            raise ValueError
        known: set[Any] = set()
        header, first = bool(self.header), True
        for data in line_blocks(path, alone=1 + header):
            if header:
                if self.split(plain_lines(data, self.encoding)) != self.header.split():
                    raise ValueError
                header = False
                continue
            rows: Sequence[Any]
            if first:  # NumPy takes longer for a line than Python
                fields, first = self.split(plain_lines(data, self.encoding)), False
                if not fields:
                    raise ValueError
                rows = [self.parse_fields(fields)]
                keys: Iterable[Any] = [rows[0][:self.judged]]
            else:
                if data.startswith(BOM_UTF8):  # which only a file may begin with
                    raise ValueError
                columns = columns_of(buffer_of(data, self.encoding, self.separator), separator=self.separator)
                rows = joined_blocks([self.parse_fields(columns)], [len(columns[0])])
                keys = zip(*(column.tolist() for column in list(rows.columns.values())[:self.judged]))
            if self.judged:
                refuse_known(list(keys), known)
            yield rows
        if first:
            raise ValueError

    def write(self, rows: Sequence[Any], path: StrPath, unit: str | None = None) -> list[str]:
        """Writes rows of any reader, as :class:`~ir_segmeasures.formats.files.format.Writer` says."""
        line: Any = self.line
        lines = ranked_lines(rows, lambda row, rank: line(row, unit, rank)) if self.ranked else judged_lines(
            rows, lambda row: line(row, unit))
        if self.header:
            lines = [(self.separator or ' ').join(self.header.split()), *lines]
        write_text(lines, path, self.encoding)
        return left_out(rows, self.held, self.paths)

    def files(self, read: Callable[..., Sequence[Any]] | None = None, write: Any = None, **others: Any) -> Files:
        """All that commands, checks and datasets ask about these files.

        Args:
            read, write: what users call, where that is more than :meth:`read` and :meth:`write`
            others: fields of :class:`~ir_segmeasures.formats.files.format.Files`
        """
        lines = Lines(self._parse_line, self.split, self.encoding, self.late, self.columns, self.refuse,
                      together=self.together)
        if self.arrange is None and self.late is None and self.refuse is None:
            lines = lines._replace(read_columns=self.read_columns)
        if self.late is None and self.refuse is None and not self.together:
            others.setdefault('read_parts', self.read_parts)
        return Files(read or self.read, write or (None if self.line is None else self.write), lines, **others)

    def split(self, line: str) -> list[str]:
        """The fields of a line, none of a blank one."""
        if not self.separator:
            return line.split()
        return line.split(self.separator) if line.strip() else []

    def parse_fields(self, fields: Sequence[Any]) -> Any:
        """The row of the fields of a line, or the row of columns of whole columns. Raises ``ValueError``."""
        if len(fields) in self.counts:
            return self.parse(*fields)
        if not isinstance(fields[0], str):  # columns, which need no sentence
            raise ValueError
        if self.wrong is not None:
            raise self.wrong(fields)
        most, *fewer = self.counts
        raise wrong_fields(fields, self.kind, self.fields, f'{most}, or {fewer[0]} without the last' if fewer else
                           str(most))

    def _rows(self, fields: list[str]) -> Sequence[Any]:
        return [] if self.header and fields == self.header.split() else [self.parse_fields(fields)]

    def _parse_line(self, fields: list[str]) -> tuple[str, Sequence[Any]]:
        rows = self._rows(fields)
        return rows[0].query_id if rows else '', rows

    def _behind_header(self, buffer: bytes) -> int:
        first = len(PADDING)
        if not self.header:
            return first
        end = buffer.index(b'\n', first)
        if self.split(buffer[first:end].decode()) != self.header.split():
            raise ValueError
        return end + 1

    def _numbers(self, buffer: bytes) -> list[int]:
        lines = buffer.decode()[len(PADDING):].split('\n')
        return [number for number, line in enumerate(lines, 1) if self.split(line)][bool(self.header):]


def header_first(header: str, what: str) -> Callable[[StrPath, Any], None]:
    """The ``refuse`` of a file that begins with a header; ``what`` is in it, for the error."""
    def refuse(path: StrPath, lines: Sequence[Sequence[Any] | None]) -> None:
        if [number for number, rows in enumerate(lines) if rows is not None and not rows] != [0]:
            raise FormatError(f'the header {header!r} is not the first line alone, but {what} begin with it: add it, '
                              'or check that the file is of the kind that is being read', path)
    return refuse
