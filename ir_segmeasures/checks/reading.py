"""Runs and judgements as far as they can be read, with the lines that their rows stand on.

The line parsers of the formats' own readers are used here, in a walk that goes on after a bad line. Formats in XML have
none: their reader takes the whole file or refuses it, and does not tell lines.
"""

import os
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import Any, NamedTuple

from ir_segmeasures import formats
from ir_segmeasures.formats import genomics, mediaeval, moments, podcasts, trec
from ir_segmeasures.formats.files.reading import LATIN_1, UTF_8, FormatError, Number, StrPath, numbered_rows
from ir_segmeasures.formats.inex import passages as inex
from ir_segmeasures.formats.trecvid import judged_shots as trecvid
from ir_segmeasures.formats.trecvid import vbs
from ir_segmeasures.segments.segment import Segment, format_number, parse_segment

__all__ = ['Item', 'Line', 'Lengths', 'lengths', 'line_of', 'read']

Lengths = dict[tuple[str, str], Number]  # (document, unit) → its length


class Item(NamedTuple):
    """A retrieved or judged segment.

    Attributes:
        line: number of its line, from 1; None where the reader does not tell
        segment: what is retrieved or judged
        row: of the reader
        clock: whether times are shown in ``minutes.seconds``
    """

    line: int | None
    segment: Segment
    row: Any
    clock: bool = False

    def __str__(self) -> str:
        document, _, _, unit, path = self.segment
        element = '' if path is None else f'{path} in '
        times = '' if unit is None else f'{self.times} of '
        return f'{times}{element}{document!r}{self.here}'

    @property
    def query_id(self) -> str:
        """The query, anchor or topic."""
        return self.row.query_id

    @property
    def rank(self) -> int | None:
        """As the reader has it; None in judgements."""
        return getattr(self.row, 'rank', None)

    @property
    def document(self) -> str:
        """The document, for a sentence about it."""
        return f'{self.segment.document!r}{self.here}'

    @property
    def here(self) -> str:
        """Where it is, for the sentence about it: nothing if the line tells."""
        if self.line is not None:
            return ''
        return f' ({self.query_id!r})' if self.rank is None else f' (rank {self.rank} of {self.query_id!r})'

    @property
    def there(self) -> str:
        """Where it is, for the sentence about a later one."""
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
        if position == inf:
            return 'the end'
        return mediaeval.format_time(int(position)) if self.clock else format_number(position)


class Line(NamedTuple):
    """A line that is not blank, or a query where the reader does not tell lines. One that the reader refuses has an
    ``error`` and no ``items``, and its ``query_id`` is what stands in the place of one."""

    line: int | None
    query_id: str
    items: list[Item]
    error: str | None = None


class _Text(NamedTuple):
    """How lines are read.

    Attributes:
        parse: fields of a line → its query and its rows
        split: line → fields
        encoding: of the file
        later: a field that the reader fills in when it has all rows
    """

    parse: Callable[[list[str]], tuple[str, Sequence[Any]]]
    split: Callable[[str], list[str]] = str.split
    encoding: str = UTF_8
    later: str | None = None


def _one(parse: Callable[[list[str]], Any]) -> Callable[[list[str]], tuple[str, Sequence[Any]]]:
    """For lines that are a row."""
    def parse_line(fields: list[str]) -> tuple[str, Sequence[Any]]:
        row = parse(fields)
        return row.query_id, [row]
    return parse_line


def _judged_passages(fields: list[str]) -> tuple[str, Sequence[Any]]:
    rows = list(map(inex.InexQrel._make, inex._qrel(fields)))
    return rows[0].query_id, rows


def _judged_part(fields: list[str]) -> tuple[str, Sequence[Any]]:
    row = vbs._dres(fields)
    return ('', []) if row is None else (row.query_id, [row])


_STRATA = _Text(_one(trecvid._stratum))
_TEXTS: dict[tuple[str, str], _Text] = {
    ('trec', 'run'): _Text(_one(trec._scored_doc)),
    ('trec', 'qrels'): _Text(_one(trec._qrel)),
    ('sh-search', 'run'): _Text(_one(mediaeval._search_result)),
    ('sh-search', 'qrels'): _Text(_one(mediaeval._qrel)),
    ('sh-linking', 'run'): _Text(_one(mediaeval._linking_result)),
    ('sh-linking', 'qrels'): _Text(_one(mediaeval._qrel)),
    ('sh-known-item', 'qrels'): _Text(_one(mediaeval._known_item)),
    ('genomics', 'run'): _Text(_one(genomics._scored_doc), encoding=LATIN_1, later='score'),
    ('genomics', 'qrels'): _Text(_one(genomics._qrel), genomics._tabs, LATIN_1),
    ('moments', 'run'): _Text(moments._results, moments._whole_line),
    ('moments', 'qrels'): _Text(moments._qrels, moments._whole_line),
    ('inex-fol', 'run'): _Text(_one(inex._scored_doc), later='score'),
    ('inex-fol', 'qrels'): _Text(_judged_passages),
    ('trecvid-shots', 'qrels'): _Text(_one(trecvid._shot)),
    ('trecvid-strata', 'qrels'): _STRATA,
    ('trecvid-avs', 'qrels'): _STRATA,
    ('vbs-dres', 'qrels'): _Text(_judged_part),
    ('podcasts', 'run'): _Text(_one(podcasts._scored_doc), later='rank'),
    ('podcasts', 'qrels'): _Text(_one(podcasts._qrel)),
}


def read(path: StrPath, format: str, kind: str) -> tuple[list[Line], FormatError | None]:
    """The lines of a file, and what is wrong with the file as a whole, which leaves no lines in formats that are not
    read line by line.

    Raises:
        FormatError: the file is no text, in formats that are read line by line
        OSError: the file cannot be opened
    """
    text = _TEXTS.get((format, kind))
    if text is None:
        try:
            return _by_query(getattr(formats, f'read_{kind}')(path, format), format), None
        except FormatError as error:
            return [], error
    lines = _walk(text, path, partial(_segment, format), format.startswith('sh-'))
    try:
        if (format, kind) == ('vbs-dres', 'qrels'):
            return _without_header(path, lines), None
        if (format, kind) == ('inex-fol', 'run') and lines and not any(line.error for line in lines):
            rows = [item.row for line in lines for item in line.items]
            inex._refuse_ends(path, dict(zip(inex.InexScoredDoc._fields, zip(*rows))))
    except FormatError as error:
        return lines, error
    return lines, None


def _by_query(rows: Sequence[Any], format: str) -> list[Line]:
    queries: dict[str, list[Item]] = {}
    wrong = []
    for row in rows:
        items = queries.setdefault(row.query_id, [])
        try:
            items.append(Item(None, _segment(format, row), row))
        except ValueError as error:
            wrong.append(Line(None, row.query_id, [], str(error)))
    return [Line(None, query_id, items) for query_id, items in queries.items()] + wrong


def _walk(text: _Text, path: StrPath, segment: Callable[[Any], Segment], clock: bool = False) -> list[Line]:
    number = 0

    def split(line: str) -> list[str]:  # every line, also a blank one
        nonlocal number
        number += 1
        return text.split(line)

    def attempt(fields: list[str]) -> Line:
        try:
            query_id, rows = text.parse(fields)
            return Line(number, query_id, [Item(number, segment(row), row, clock) for row in rows])
        except ValueError as error:
            return Line(number, fields[0].strip(), [], str(error))
    return numbered_rows(path, attempt, split, text.encoding)[1]


def _segment(format: str, row: Any) -> Segment:
    if hasattr(row, 'end'):
        return Segment(row.doc_id, row.start, row.end, formats.FORMATS[format].unit)
    return parse_segment(row.doc_id, elements=True)


def _without_header(path: StrPath, lines: list[Line]) -> list[Line]:
    headers = [place for place, line in enumerate(lines) if line.error is None and not line.items]
    if headers != [0]:
        raise vbs.wrong_header(path)
    return lines[1:]


def lengths(rows: Sequence[Any]) -> Lengths:
    """Those of documents, as far as the rows tell."""
    return {(row.doc_id, unit): getattr(row, field) for field, unit in (('duration', 't'), ('doc_size', 'char'))
            for row in rows if getattr(row, field, None) is not None}


def line_of(path: StrPath, format: str, kind: str, rows: Sequence[Any], row: int) -> int | None:
    """The number, from 1, of the line that a row of a reader stands on; None where that cannot be told.

    Args:
        path, format, kind: of the file
        rows: what the format's reader made of it
        row: position of the row, from 0
    """
    text = _TEXTS.get((format, kind))
    if text is None or not os.path.isfile(path):  # a pipe is read once
        return None

    def told(row: Any) -> Any:  # what the line itself tells
        return row if text.later is None else row._replace(**{text.later: None})
    wanted = told(rows[row])
    before = sum(told(other) == wanted for other in rows[:row])
    lines = _walk(text, path, lambda row: Segment(row.doc_id))  # ids may be what is wrong
    places = [line.line for line in lines for item in line.items if told(item.row) == wanted]
    return places[before] if before < len(places) else None
