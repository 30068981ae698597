"""Lines of runs and judgements, as far as they can be read, with their items.

Formats in XML have no lines: their reader takes the whole file or refuses it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.format import Format
from ir_segmeasures.formats.files.reading import FormatError
from ir_segmeasures.formats.files.row_types import Number
from ir_segmeasures.formats.lines import FileLine, read_lines
from ir_segmeasures.formats.requests import IdReader, ReadRequest
from ir_segmeasures.segments.quoting import format_number, quoted
from ir_segmeasures.segments.segment import Segment, format_segment, parse_segment

__all__ = ['CheckedLine', 'Item', 'Lengths', 'line_with_items', 'known_lengths', 'known_units', 'read_checked_lines',
           'with_read_ids']

Lengths = dict[tuple[str, str], Number]  # (document, unit) → its length


class Item(NamedTuple):
    """A retrieved or judged segment.

    Attributes:
        line: number of its line, from 1; None where the reader does not tell
        segment: what is retrieved or judged
        row: of the reader
        show: position → as the format writes it
    """

    line: int | None
    segment: Segment
    row: Any
    show: Callable[[Number], str] = format_number

    def __str__(self) -> str:
        document, _, _, unit, path = self.segment
        element = '' if path is None else f'{path} in '
        times = '' if unit is None else f'{self.times} of '
        return f'{times}{element}{quoted(document)}{self.here}'

    @property
    def query_id(self) -> str:
        """The query, anchor or topic."""
        return self.row.query_id

    @property
    def rank(self) -> int | None:
        """The rank that the reader has; None in judgements."""
        return getattr(self.row, 'rank', None)

    @property
    def document(self) -> str:
        """The document, for a sentence about it."""
        return f'{quoted(self.segment.document)}{self.here}'

    @property
    def here(self) -> str:
        """Where the item is, for the sentence about it: nothing if the line tells."""
        if self.line is not None:
            return ''
        return f' ({quoted(self.query_id)})' if self.rank is None else f' (rank {self.rank} of {quoted(self.query_id)})'

    @property
    def there(self) -> str:
        """Where the item is, for the sentence about a later one."""
        if self.line is not None:
            return f' in line {self.line}'
        return '' if self.rank is None else f' at rank {self.rank}'

    @property
    def times(self) -> str:
        """Start and end, as the format writes them; the path of an element without."""
        if self.segment.unit is None:
            return self.segment.path or 'the whole document'
        return f'{self.shown(self.segment.start)}-{self.shown(self.segment.end)}'

    def shown(self, position: Number) -> str:
        """A position, as the format writes it."""
        return 'the end' if position == inf else self.show(position)


class CheckedLine(NamedTuple):
    """A line that is not blank, or a query where the reader does not tell lines.

    Attributes:
        line: its number, from 1; None where the reader does not tell
        query_id: the query, anchor or topic; of a line that cannot be read, its first field
        items: of the line; none if it cannot be read
        error: why it cannot be read; None if it can
        columns: fields of the line that its items lack, by name
        doubt: what the format's reader takes, though it may be a mistake; None if there is nothing
    """

    line: int | None
    query_id: str
    items: list[Item]
    error: str | None = None
    columns: Mapping[str, str] = {}
    doubt: str | None = None


def read_checked_lines(request: ReadRequest, format: Format,
                       ids: IdReader | None) -> tuple[list[CheckedLine], FormatError | None]:
    """The lines of a file, and the fault of the file as a whole, which leaves no lines in formats that are not read
    line by line.

    Args:
        request, format: of the file
        ids: the reader of ids that are no segments yet

    Raises:
        FormatError: the file is no text, in formats that are read line by line
        OSError: the file cannot be opened
    """
    files = format.files(request.kind)
    assert files is not None
    if files.lines is not None:
        lines, error = read_lines(request.path, files.lines)
        # A header is no line of a query.
        return [line_with_items(line, format, ids) for line in lines if line.query_id or line.rows or line.error], error
    try:
        return _by_query(request.read(), format, ids), None
    except FormatError as error:
        return [], error


def line_with_items(line: FileLine, format: Format, ids: IdReader | None) -> CheckedLine:
    """A line of a file with its items, whose ids are read by ``ids`` if they are no segments yet."""
    try:
        items = [Item(line.number, _segment(row, format, ids), row, format.shown) for row in line.rows]
        return CheckedLine(line.number, line.query_id, items, line.error, line.columns, line.doubt)
    except ValueError as error:
        return CheckedLine(line.number, line.query_id, [], str(error))


def _by_query(rows: Sequence[Any], format: Format, ids: IdReader | None) -> list[CheckedLine]:
    queries: dict[str, list[Item]] = {}
    wrong = []
    for row in rows:
        items = queries.setdefault(row.query_id, [])
        try:
            items.append(Item(None, _segment(row, format, ids), row, format.shown))
        except ValueError as error:
            wrong.append(CheckedLine(None, row.query_id, [], str(error)))
    return [CheckedLine(None, query_id, items) for query_id, items in queries.items()] + wrong


def _segment(row: Any, format: Format, ids: IdReader | None) -> Segment:
    if hasattr(row, 'end'):
        return Segment(row.doc_id, row.start, row.end, format.unit)
    return parse_segment(row.doc_id, elements=True) if ids is None else ids(row.doc_id)


def with_read_ids(rows: Sequence[Any], ids: IdReader | None) -> Sequence[Any]:
    """The rows as an evaluation takes them, with segment ids; an id that cannot be read stays as it is."""
    if ids is None:
        return rows

    def with_read_id(row: Any) -> Any:
        with suppress(ValueError):
            return row._replace(doc_id=format_segment(ids(row.doc_id)))
        return row
    return [row if hasattr(row, 'end') else with_read_id(row) for row in rows]


def known_units(rows: Sequence[Any], format: Format) -> dict[tuple[str, str], str]:
    """The units of the segments of each query and document, as far as the rows can be read."""
    found = {}
    for row in rows:
        with suppress(ValueError):
            segment = _segment(row, format, None)
            if segment.unit is not None:
                found[row.query_id, segment.document] = segment.unit
    return found


def known_lengths(rows: Sequence[Any]) -> Lengths:
    """The lengths of documents, as far as the rows tell."""
    return {(row.doc_id, unit): getattr(row, field) for field, unit in (('duration', 't'), ('doc_size', 'char'))
            for row in rows if getattr(row, field, None) is not None}
