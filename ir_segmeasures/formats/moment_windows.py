"""Windows in the files of moment retrieval: those of judgements, and predicted ones as models give them."""

from collections.abc import Iterable, Sequence
from math import isnan
from typing import Any, NamedTuple

from ir_segmeasures.formats.files.row_types import Number, SegmentScoredDoc
from ir_segmeasures.segments.json_objects import is_number, shown_value
from ir_segmeasures.segments.quoting import quoted

__all__ = ['LARGEST', 'QRELS_WINDOWS', 'Doubt', 'MomentQrel', 'WindowList', 'checked_window', 'doubts_of_file',
           'judged_windows', 'predicted_windows', 'ranked_rows']

LARGEST = 10 ** 15  # as in segment ids
QRELS_WINDOWS = 'relevant_windows'  # the key of judgements
_NUMBERS = {int, float}
_SWAPPED = 'ends before it starts: its times are put in order'
_NO_NUMBER = 'has no number (it is empty, NaN or null) where a time or its score stands: it is left out'


class MomentQrel(NamedTuple):
    """A true window of a query.

    Attributes:
        query_id: the query; ``qid`` as text
        doc_id: the query's one video
        start, end: seconds from the beginning of the video, half-open
        relevance: always 1
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


class Doubt(NamedTuple):
    """A window that a model hardly meant as it stands.

    Attributes:
        window: as in the file
        what: is odd, and what the reader makes of it
    """
    window: str
    what: str

    def __str__(self) -> str:
        return f'window {self.window} {self.what}'


class WindowList(NamedTuple):
    """The predicted windows of a query, in the order in which they are listed.

    Attributes:
        windows: [start, end, score] of each, or [start, end] if none has a score
        doubts: about windows that were changed or left out
    """
    windows: Sequence[Sequence[Number]]
    doubts: Sequence[Doubt] = ()


def judged_windows(windows: Sequence[Any], key: str) -> Sequence[Sequence[Number]]:
    """The windows [start, end] of judgements, as they are.

    Args:
        windows: the value of ``key``

    Raises:
        ValueError: one is not two numbers, ends before it starts, or goes outside of 0 to 10^15
    """
    for window in windows:
        if not _is_plain(window, 2):
            if not (isinstance(window, list) and len(window) == 2 and all(map(is_number, window))):
                raise _not_shaped(window, '[start, end]', key)
            checked_window(window)
    return windows


def predicted_windows(windows: Sequence[Any], key: str, clip: bool = False) -> WindowList:
    """The windows of a model: [start, end, score] or [start, end], with times in seconds, or as text such as
    ``'01:05'`` and ``'1:02:03.5'``. A window whose end stands first is put in order, and one without numbers left out.

    Args:
        windows: the value of ``key``
        clip: whether windows may start before 0

    Raises:
        ValueError: a window has another shape, or starts before 0; some have a score and some have none
    """
    if all(_is_plain(window, 3) for window in windows):
        return WindowList(windows)
    found: list[list[Number]] = []
    doubts = []
    for window in windows:
        if not (isinstance(window, list) and len(window) in (0, 2, 3)):
            raise _not_shaped(window, '[start, end, score]', key)
        values = [*map(_time, window[:2]), *window[2:]]
        if not values or any(value is None or (isinstance(value, float) and isnan(value)) for value in values):
            doubts.append(Doubt(shown_value(window), _NO_NUMBER))
            continue
        if not all(map(is_number, values)):
            raise _not_shaped(window, '[start, end, score]', key)
        if values[1] < values[0]:
            doubts.append(Doubt(shown_value(window), _SWAPPED))
            values[:2] = values[1], values[0]
        checked_window(values, clip)
        if found and len(found[0]) != len(values):
            raise ValueError(f'window {shown_value(window)} is listed with others of its query, of which some have a '
                             'score and some have none, but scores put windows in order: give all of them one, or none')
        found.append(values)
    return WindowList(found, doubts)


def ranked_rows(query_id: str, doc_id: str, windows: Sequence[Sequence[Number]]) -> list[SegmentScoredDoc]:
    """The rows of the windows of a query, in the order in which they are listed. ``rank`` is by descending score, ties
    as listed; windows without score rank as listed, and minus the rank is their score."""
    scores = [window[2] if len(window) > 2 else 0 for window in windows]
    ranks = [0] * len(windows)
    for rank, place in enumerate(sorted(range(len(windows)), key=scores.__getitem__, reverse=True), 1):
        ranks[place] = rank
    return [SegmentScoredDoc(query_id, doc_id, start, end, score, rank, score, None, None)
            for (start, end, *given), rank in zip(windows, ranks) for score in [given[0] if given else -rank]]


def doubts_of_file(path: str, doubts: Iterable[tuple[int, Sequence[Doubt]]]) -> list[str]:
    """The sentences about the doubts of a file, one for each kind.

    Args:
        path: of the file
        doubts: the number of each line, and the doubts about its windows
    """
    kinds: dict[str, list[tuple[int, str]]] = {}
    for line, those in doubts:
        for doubt in those:
            kinds.setdefault(doubt.what, []).append((line, doubt.window))
    return [f'{path}, line {found[0][0]}: window {found[0][1]} {what}' if len(found) == 1 else
            f'{path}: each of {len(found)} windows, such as {found[0][1]} in line {found[0][0]}, {what}'
            for what, found in kinds.items()]


def checked_window(window: Sequence[Any], clip: bool | None = None) -> None:
    """Raises a ValueError for a window that is no part of a video; ``clip`` is whether predictions may start before 0,
    None for judgements, which never do."""
    start, end = window[:2]
    if clip is False and -LARGEST < start < 0:
        raise ValueError(f'window {shown_value(window)} starts before 0, but times are seconds from the beginning of '
                         'the video: cut it off there, or all windows with --clip')
    if not (-LARGEST if clip else 0) <= start < LARGEST or end >= LARGEST:
        raise ValueError(f'window {shown_value(window)} goes outside of 0 to below 10^15, but times are seconds from '
                         'the beginning of the video: cut it off there')
    if end < start:
        raise ValueError(f'window {shown_value(window)} ends before it starts, but a segment cannot: swap the two, or '
                         'correct one')


def _time(value: Any) -> Any:
    """The seconds of a time that stands as text; other values as they are."""
    if not isinstance(value, str):
        return value
    from ir_segmeasures.texts.answers import time_of  # few files have times as text
    seconds = time_of(value)
    return value if seconds is None else seconds


def _is_plain(window: Any, size: int) -> bool:
    """Whether a window, start and end first, is so many numbers and plainly right: most are, and need no other look."""
    return (type(window) is list and len(window) == size and _NUMBERS.issuperset(map(type, window))
            and 0 <= window[0] <= window[1] < LARGEST and -1e300 < window[-1] < 1e300)


def _not_shaped(window: Any, shape: str, key: str) -> ValueError:
    return ValueError(f'window {shown_value(window)} is not {shape} in finite numbers, but every one of {quoted(key)} '
                      'is: correct it, or take it out')
