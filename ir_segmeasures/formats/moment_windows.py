"""Windows in the files of moment retrieval: the rows of true and of predicted ones, and how they are written."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec

from ir_segmeasures.formats.files.lines import ranks_by_score
from ir_segmeasures.formats.files.reading import StrPath
from ir_segmeasures.formats.files.row_types import FileRows, Number, SegmentScoredDoc
from ir_segmeasures.formats.files.writing import decimal, judged_lines, left_out, segment_of, write_text
from ir_segmeasures.formats.json_files import read_object
from ir_segmeasures.segments.basics import is_number, plain_number, quoted, shown_value
from ir_segmeasures.segments.records import Time as Time
from ir_segmeasures.segments.segment import TOO_LARGE
from ir_segmeasures.segments.user_warnings import SegmentNote, SegmentWarning, warn
from ir_segmeasures.texts.answers import time_of

Id = Annotated[str, msgspec.Meta(min_length=1)]
Score = Annotated[int, msgspec.Meta(ge=-10 ** 18, le=10 ** 18)] | Annotated[float, msgspec.Meta(ge=-1e300, le=1e300)]
Duration = Time
Window = tuple[Time, Time]
Notes = list[tuple[str, str]]  # what is odd in a file, and an example

_EMPTY = 'windows have no number (they are empty, NaN or null) where a time or its score stands, and are left out'
NO_CONTENT = 'windows end where they start, and are judged 0, as nobody can find them'
_BACKWARDS = 'windows end before they start, and are judged 0, as the programs of their benchmarks find none of them'
_EARLY = 'windows start before 0, and are cut off there'
NO_WINDOWS = 'queries have no true windows, and count 0 in measures without silence=True'
_REPAIRS = {NO_WINDOWS: 'take their lines out for means without them, such as those that official prints'}
_SWAPPED = 'windows end before they start, and their times are put in order'


class MomentQrel(NamedTuple):
    """A true window of a query.

    Attributes:
        query_id: the query; ``qid`` as text
        doc_id: the query's one video
        start, end: seconds from the beginning of the video, half-open
        relevance: 1; 0 for a window that ends where it starts
        iteration: always ``'0'``; the file has no such column
        duration: the video's, in seconds; None if the file does not tell
    """

    query_id: str
    doc_id: str
    start: Number
    end: Number
    relevance: Number = 1
    iteration: str = '0'
    duration: Number | None = None


def object_reader(row_type: Any, kind: Any, name: str, parts: Callable[..., Iterable[Sequence[Any]]]) -> Any:
    """The reader of files that are one value of JSON: path, options → the rows in file order, ranks by descending
    score, ties as listed. It raises a ``FormatError`` about a file of another form or a window that is not a part of a
    video, and an ``OSError``.

    Args:
        row_type: of the rows, a named tuple
        kind: the type of the value
        name: of what the file has, in words
        parts: value, notes, options → the rows in parts, such as queries; raises ``ValueError`` with a sentence, and
            adds to the notes what is odd
    """
    def read(path: StrPath, **options: Any) -> FileRows[Any]:
        notes: Notes = []
        rows = read_object(path, name, lambda content: rows_of(row_type, parts(content, notes, **options)), kind)
        warn_of(path, notes)
        return rows
    return read


def judged_windows(query_id: str, doc_id: str, windows: Iterable[Sequence[Number]], duration: Number | None,
                   notes: Notes, backwards: bool = False) -> list[MomentQrel]:
    """The judgements of windows [start, end] of a query; those that end where they start are judged 0, and noted.
    So are those that end before they start if they may be ``backwards``; otherwise they raise ``ValueError``. A start
    before 0 is noted, too."""
    rows = []
    for start, end in windows:
        if not backwards:
            checked_window([start, end], query_id)
        odd = {NO_CONTENT: start == end, _BACKWARDS: end < start, _EARLY: start < 0}
        notes += [(what, f'[{start}, {end}] of query {quoted(query_id)}') for what, is_so in odd.items() if is_so]
        start, end = max(start, 0), max(start, end, 0)
        rows.append(MomentQrel(query_id, doc_id, start, end, int(start < end), '0', duration))
    return rows


def warn_of(path: StrPath, notes: Notes) -> None:
    """Warns of what a reader noted about a file: one :class:`~ir_segmeasures.SegmentWarning` for each kind."""
    for what, examples in of_kinds(notes).items():
        warn([f'{os.fspath(path)}: {len(examples)} {what} (such as {examples[0]}): '
              + _REPAIRS.get(what, 'check that this is meant')],
             category=SegmentNote if what in (NO_CONTENT, NO_WINDOWS, _BACKWARDS, _EARLY) else SegmentWarning)


def of_kinds(notes: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The examples of each oddity."""
    kinds: dict[str, list[str]] = {}
    for what, example in notes:
        kinds.setdefault(what, []).append(example)
    return kinds


def checked_window(window: Sequence[Any], query_id: str | None = None, clip: bool = False) -> Sequence[Any]:
    """A window of a query. Raises a ValueError where it is not part of a video; with ``clip`` it may start before 0."""
    start, end = window[:2]
    if (-TOO_LARGE if clip else 0) <= start <= end < TOO_LARGE:
        return window
    shown = f'window {shown_value(window)}{"" if query_id is None else f" of query {quoted(query_id)}"}'
    if end < start:
        raise ValueError(f'{shown} ends before it starts, but a segment cannot: swap the two, or correct one')
    raise ValueError(f'{shown} starts before 0 or ends after 10^15, but times are seconds from the beginning of the '
                     'video: cut it off there, or all windows with --clip')


def predicted_windows(query_id: str, windows: Sequence[Sequence[Any]], notes: Notes, clip: bool = False) -> list[Any]:
    """The windows of a model, [start, end, score] or [start, end]. One whose end stands first is put in order, and one
    without numbers left out; both are noted. Times are seconds, or text such as ``'01:05'`` and ``'1:02:03.5'``.

    Args:
        query_id: of the windows
        windows: as they are listed
        notes: to add to
        clip: whether windows may start before 0

    Raises:
        ValueError: a window has another shape, or starts before 0; some have a score and some have none
    """
    found: list[Any] = []
    for window in windows:
        values = [time if isinstance(value, str) and (time := time_of(value)) is not None else value
                  for value in window[:2]] + list(window[2:])
        if not values or any(value is None or value != value for value in values):
            notes.append((_EMPTY, shown_value(window)))
            continue
        if not (1 < len(values) < 4 and all(map(is_number, values))):
            raise ValueError(f'window {shown_value(window)} is not [start, end, score] in finite numbers: correct '
                             'it, or take it out')
        if values[1] < values[0]:
            notes.append((_SWAPPED, shown_value(window)))
            values[:2] = values[1], values[0]
        if found and len(found[0]) != len(values):
            raise ValueError(f'window {shown_value(window)} is listed with others of its query, of which some have a '
                             'score and some have none, but scores put windows in order: give all of them one, or none')
        found.append(checked_window(values, query_id, clip))
    return found


def ranked_windows(query_id: str, doc_id: str, windows: Sequence[Sequence[Number]]) -> list[SegmentScoredDoc]:
    """The rows of the windows of a query, in the order in which they are listed, without ranks; minus the place is the
    score of those without one."""
    return [SegmentScoredDoc(query_id, doc_id, window[0], window[1], score, 0, score, None, None)
            for place, window in enumerate(windows, 1) for score in [window[2] if len(window) > 2 else -place]]


def rows_of(row_type: Any, parts: Iterable[Sequence[Any]], lines: Sequence[int] | None = None) -> FileRows[Any]:
    """The rows of parts, such as queries, with ranks by descending score, ties as listed; as columns at once, since a
    million tuples are work for the garbage collector at every turn."""
    columns: list[list[Any]] = [[] for _ in row_type._fields]
    for part in parts:
        for column, more in zip(columns, zip(*part)):
            column += more
    rows = FileRows(row_type, columns, lines)
    if 'rank' in rows.columns:
        rows.columns['rank'] = ranks_by_score(rows.columns['query_id'], rows.columns['score'])
    return rows


def each_once(parts: Iterable[tuple[str, Any]],
              rule: str = 'all its predictions stand in one list: join the two') -> Iterator[Any]:
    """The rows of queries. Raises ``ValueError``, with the rule, for a query that is there twice."""
    known: set[str] = set()
    for query_id, rows in parts:
        if query_id in known:
            raise ValueError(f'query {quoted(query_id)} is there twice, but {rule}')
        known.add(query_id)
        yield rows


def _video_and_window(row: Any, unit: str | None, format: str) -> tuple[str, list[Number]]:
    """The video of a row, and its window as files have it. Raises ``ValueError`` for a row that lists of windows in
    videos do not have, and for a judgement other than 1, or 0 of a window without content."""
    segment = segment_of(row, unit, 't', format)
    if not row.query_id or not segment.document:
        raise ValueError('an id is empty, but queries and videos are told apart by them: give both an id')
    if getattr(row, 'relevance', 1) != int(not hasattr(row, 'relevance') or segment.start < segment.end):
        raise ValueError(f'relevance {quoted(row.relevance)} cannot be written, since {format} lists what is relevant, '
                         'without grades: take the row out, or judge it 1 (0 where it has no content)')
    return segment.document, [plain_number(segment.start), plain_number(segment.end)]


def score_in_json(value: Any) -> Any:
    """A score as a number of JSON. Raises ``ValueError`` for one that is not finite."""
    return json.loads(decimal(value, 'score'))


def write_records(rows: Sequence[Any], path: StrPath, unit: str | None = None, *, format: str, add: Callable[..., None],
                  lines: Callable[[dict[str, Any]], Iterable[Any]], held: tuple[str, ...] = (),
                  walk: Callable[..., Any] = judged_lines) -> list[str]:
    """Writes windows in records of JSON.

    Args:
        rows, path, unit: as in :class:`~ir_segmeasures.formats.files.format.Writer`
        format: the name of the format
        add: adds a row with its video and its window to the records that there are; raises ``ValueError`` with a
            sentence
        lines: records → the values of the lines of the file
        held: the fields of rows that the file holds
        walk: over the rows, such as :func:`~ir_segmeasures.formats.files.writing.ranked_lines`

    Returns, Raises:
        as there
    """
    records: dict[str, Any] = {}
    walk(rows, lambda row, *_: add(records, row, *_video_and_window(row, unit, format)))
    write_text(list(map(json.dumps, lines(records))), path)
    return left_out(rows, held)


def record_in(records: dict[str, dict[str, Any]], key: str, fields: dict[str, Any], rule: str) -> dict[str, Any]:
    """The record of a key, made where it is new, of those fields that are not None. Raises ``ValueError`` with the
    rule where the record has others of these, but for lists."""
    record = records.setdefault(key, {name: value for name, value in fields.items() if value is not None})
    for name, value in fields.items():
        if value is not None and not isinstance(value, list) and record.get(name) != value:
            raise ValueError(f'rows of {quoted(key)} before have {name} {quoted(record.get(name))}, not '
                             f'{quoted(value)}, but {rule}')
    return record
