"""Windows in the files of moment retrieval: those of judgements, and predicted ones as models give them."""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec

from ir_segmeasures.formats.files.row_types import Number, SegmentScoredDoc
from ir_segmeasures.segments.json_objects import is_number, shown_value
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.segments.segment import clock_seconds
from ir_segmeasures.segments.tables.warnings import warn

__all__ = ['Duration', 'Id', 'MomentQrel', 'Time', 'Window', 'WindowFault', 'checked_window', 'fault_warnings',
           'judged_windows', 'predicted_windows', 'ranked_rows', 'refuse_other_grades', 'warn_of_empty']

LARGEST = 10 ** 15  # as in segment ids

Id = Annotated[str, msgspec.Meta(min_length=1)]
Duration = Annotated[int, msgspec.Meta(ge=0)] | Annotated[float, msgspec.Meta(ge=0, lt=1e300)]
Time = Annotated[int, msgspec.Meta(ge=0, lt=LARGEST)] | Annotated[float, msgspec.Meta(ge=0, lt=float(LARGEST))]
Window = tuple[Time, Time]

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


class WindowFault(NamedTuple):
    """A window that a model hardly meant as it stands: as it is in the file, and what the reader makes of it."""
    window: str
    what: str

    def __str__(self) -> str:
        return f'window {self.window} {self.what}'


def judged_windows(query_id: str, doc_id: str, windows: Iterable[Sequence[Number]],
                   duration: Number | None = None) -> list[MomentQrel]:
    """The judgements of windows [start, end] of a query. Raises ``ValueError`` for one that ends before it starts."""
    rows = []
    for start, end in windows:
        if end < start:
            raise _reversed([start, end])
        rows.append(MomentQrel(query_id, doc_id, start, end, int(start < end), '0', duration))
    return rows


def warn_of_empty(path: str, rows: Sequence[MomentQrel]) -> Sequence[MomentQrel]:
    """The rows. A :class:`~ir_segmeasures.SegmentWarning` says how many windows have no content."""
    empty = [row.query_id for row in rows if not row.relevance]
    if empty:
        warn([f'{path}: {len(empty)} of {len(rows)} windows end where they start (such as that of {quoted(empty[0])}), '
              'and are judged 0, as nobody can find them: check that this is meant'])
    return rows


def predicted_windows(windows: Sequence[Sequence[Any]], clip: bool = False) -> tuple[list[Any], list[WindowFault]]:
    """The windows of a model, [start, end, score] or [start, end], and the faults of some: a window whose end stands
    first is put in order, and one without numbers left out. Times are seconds, or text such as ``'01:05'`` and
    ``'1:02:03.5'``.

    Args:
        windows: as they are listed
        clip: whether windows may start before 0

    Raises:
        ValueError: a window has another shape, or starts before 0; some have a score and some have none
    """
    found: list[Any] = []
    faults = []
    for window in windows:
        values = [_time(value) if isinstance(value, str) else value for value in window[:2]] + list(window[2:])
        if not values or any(value is None or value != value for value in values):
            faults.append(WindowFault(shown_value(window), 'has no number (it is empty, NaN or null) where a time or '
                                                           'its score stands: it is left out'))
            continue
        if not (1 < len(values) < 4 and all(map(is_number, values))):
            raise ValueError(f'window {shown_value(window)} is not [start, end, score] in finite numbers: correct '
                             'it, or take it out')
        if values[1] < values[0]:
            faults.append(WindowFault(shown_value(window), 'ends before it starts: its times are put in order'))
            values[:2] = values[1], values[0]
        checked_window(values, clip)
        if found and len(found[0]) != len(values):
            raise ValueError(f'window {shown_value(window)} is listed with others of its query, of which some have a '
                             'score and some have none, but scores put windows in order: give all of them one, or none')
        found.append(values)
    return found, faults


def ranked_rows(query_id: str, doc_id: str, windows: Sequence[Sequence[Number]]) -> list[SegmentScoredDoc]:
    """The rows of the windows of a query, in the order in which they are listed. ``rank`` is by descending score, ties
    as listed; windows without score rank as listed, and minus the rank is their score."""
    scores = [window[2] if len(window) > 2 else 0 for window in windows]
    ranks = [0] * len(windows)
    for rank, place in enumerate(sorted(range(len(windows)), key=scores.__getitem__, reverse=True), 1):
        ranks[place] = rank
    return [SegmentScoredDoc(query_id, doc_id, start, end, score, rank, score, None, None)
            for (start, end, *given), rank in zip(windows, ranks) for score in [given[0] if given else -rank]]


def refuse_other_grades(row: Any, empty: bool, format: str) -> None:
    """Raises ``ValueError`` for a judgement that lists of true windows do not have: 1, or 0 of a window without
    content."""
    if row.relevance != int(not empty):
        raise ValueError(f'relevance {quoted(row.relevance)} cannot be written, since {format} lists what is relevant, '
                         'without grades: take the row out, or judge it 1 (0 where it has no content)')


def fault_warnings(path: str, faults: Iterable[tuple[int, Sequence[WindowFault]]]) -> list[str]:
    """The sentences about the faults of a file, one for each kind, of the number of each line and its faults."""
    kinds: dict[str, list[tuple[int, str]]] = {}
    for line, those in faults:
        for fault in those:
            kinds.setdefault(fault.what, []).append((line, fault.window))
    return [f'{path}, line {found[0][0]}: window {found[0][1]} {what}' if len(found) == 1 else
            f'{path}: each of {len(found)} windows, such as {found[0][1]} in line {found[0][0]}, {what}'
            for what, found in kinds.items()]


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
