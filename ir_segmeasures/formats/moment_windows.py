"""Windows in the files of moment retrieval: those of judgements, and predicted ones as models give them."""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec

from ir_segmeasures.formats.files.row_types import FileRows, Number, column_of
from ir_segmeasures.segments.json_objects import is_number, shown_value
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import clock_seconds
from ir_segmeasures.segments.warnings import warn

__all__ = ['Duration', 'Id', 'MomentQrel', 'Notes', 'RowColumns', 'Time', 'Window', 'checked_window', 'judged_windows',
           'predicted_windows', 'ranked_columns', 'refuse_other_grades', 'warn_of']

LARGEST = 10 ** 15  # as in segment ids

Id = Annotated[str, msgspec.Meta(min_length=1)]
Time = Annotated[int, msgspec.Meta(ge=0, lt=LARGEST)] | Annotated[float, msgspec.Meta(ge=0, lt=float(LARGEST))]
Duration = Time
Window = tuple[Time, Time]
Notes = list[tuple[str, str]]  # what is odd in a file, and an example

_EMPTY = 'windows have no number (they are empty, NaN or null) where a time or its score stands, and are left out'
_SWAPPED = 'windows end before they start, and their times are put in order'
_SECONDS = re.compile(r'(\d+(?:\.\d+)?)\s*(?:s|sec|seconds?)?')


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


def judged_windows(query_id: str, doc_id: str, windows: Iterable[Sequence[Number]], duration: Number | None,
                   notes: Notes) -> list[MomentQrel]:
    """The judgements of windows [start, end] of a query; those that end where they start are judged 0, and noted.
    Raises ``ValueError`` for one that ends before it starts."""
    rows = []
    for start, end in windows:
        if end < start:
            raise _reversed([start, end])
        if start == end:
            notes.append(('windows end where they start, and are judged 0, as nobody can find them',
                          f'[{start}, {end}] of query {quoted(query_id)}'))
        rows.append(MomentQrel(query_id, doc_id, start, end, int(start < end), '0', duration))
    return rows


def warn_of(path: str, notes: Notes) -> None:
    """Warns of what a reader noted about a file: one :class:`~ir_segmeasures.SegmentWarning` for each kind."""
    kinds: dict[str, list[str]] = {}
    for what, example in notes:
        kinds.setdefault(what, []).append(example)
    warn([f'{path}: {len(examples)} {what} (such as {examples[0]}): check that this is meant'
          for what, examples in kinds.items()])


def predicted_windows(windows: Sequence[Sequence[Any]], notes: Notes, clip: bool = False) -> list[Any]:
    """The windows of a model, [start, end, score] or [start, end]. One whose end stands first is put in order, and one
    without numbers left out; both are noted. Times are seconds, or text such as ``'01:05'`` and ``'1:02:03.5'``.

    Args:
        windows: as they are listed
        notes: to add to
        clip: whether windows may start before 0

    Raises:
        ValueError: a window has another shape, or starts before 0; some have a score and some have none
    """
    found: list[Any] = []
    for window in windows:
        if len(window) == 3 and _is_right(*window) and (not found or len(found[0]) == 3):  # as most are
            found.append(window)
            continue
        values = [_time(value) if isinstance(value, str) else value for value in window[:2]] + list(window[2:])
        if not values or any(value is None or value != value for value in values):
            notes.append((_EMPTY, shown_value(window)))
            continue
        if not (1 < len(values) < 4 and all(map(is_number, values))):
            raise ValueError(f'window {shown_value(window)} is not [start, end, score] in finite numbers: correct '
                             'it, or take it out')
        if values[1] < values[0]:
            notes.append((_SWAPPED, shown_value(window)))
            values[:2] = values[1], values[0]
        checked_window(values, clip)
        if found and len(found[0]) != len(values):
            raise ValueError(f'window {shown_value(window)} is listed with others of its query, of which some have a '
                             'score and some have none, but scores put windows in order: give all of them one, or none')
        found.append(values)
    return found


def ranked_columns(query_id: str, doc_id: str, windows: Sequence[Sequence[Number]]) -> tuple[list[Any], ...]:
    """The columns of the rows of the windows of a query, in the order in which they are listed. ``rank`` is by
    descending score, ties as listed; windows without score rank as listed, and minus the rank is their score."""
    count = len(windows)
    scores = [window[2] for window in windows] if count and len(windows[0]) > 2 else list(range(-1, -count - 1, -1))
    ranks = [0] * count
    for rank, place in enumerate(sorted(range(count), key=scores.__getitem__, reverse=True), 1):
        ranks[place] = rank
    return ([query_id] * count, [doc_id] * count, [window[0] for window in windows], [window[1] for window in windows],
            scores, ranks, scores, [None] * count, [None] * count)


class RowColumns:
    """Rows to be, as columns that grow."""

    def __init__(self, row_type: Any) -> None:
        self._row_type, self._columns = row_type, [list[Any]() for _ in row_type._fields]

    def add(self, columns: Iterable[Iterable[Any]]) -> None:
        """Adds rows, given as columns."""
        for column, more in zip(self._columns, columns):
            column.extend(more)

    def rows(self, lines: Sequence[int] | None = None) -> FileRows[Any]:
        """All rows, with the numbers of their lines."""
        return FileRows(self._row_type, map(column_of, self._columns), lines)


def refuse_other_grades(row: Any, empty: bool, format: str) -> None:
    """Raises ``ValueError`` for a judgement that lists of true windows do not have: 1, or 0 of a window without
    content."""
    if row.relevance != int(not empty):
        raise ValueError(f'relevance {quoted(row.relevance)} cannot be written, since {format} lists what is relevant, '
                         'without grades: take the row out, or judge it 1 (0 where it has no content)')


def _is_right(start: Any, end: Any, score: Any) -> bool:
    try:
        return bool(0 <= start <= end < LARGEST and -1e300 < score < 1e300)
    except TypeError:  # times as text, or null
        return False


def checked_window(window: Sequence[Any], clip: bool = False) -> Sequence[Any]:
    """A predicted window. Raises a ValueError for one that is no part of a video; with ``clip`` it may start before 0.
    """
    start, end = window[:2]
    if end < start:
        raise _reversed(window)
    if not clip and -LARGEST < start < 0:
        raise ValueError(f'window {shown_value(window)} starts before 0, but times are seconds from the beginning of '
                         'the video: cut it off there, or all windows with --clip')
    if not (-LARGEST < start and end < LARGEST):
        raise ValueError(f'window {shown_value(window)} goes outside of 0 to below 10^15, but times are seconds from '
                         'the beginning of the video: cut it off there')
    return window


def _reversed(window: Sequence[Any]) -> ValueError:
    return ValueError(f'window {shown_value(window)} ends before it starts, but a segment cannot: swap the two, or '
                      'correct one')


def _time(text: str) -> Any:
    """The seconds of a time that stands as text; another text as it is."""
    seconds = _SECONDS.fullmatch(text.strip())
    if seconds:
        return float(seconds[1])
    try:
        clock = clock_seconds(text.strip())
    except ValueError:
        return text
    return text if clock is None else clock
