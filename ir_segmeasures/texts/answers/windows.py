"""The windows that a model's answer states, read as a person reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ir_segmeasures.texts.answers import words
from ir_segmeasures.texts.answers.statements import stating_parts
from ir_segmeasures.texts.answers.tables import table_windows
from ir_segmeasures.texts.answers.tokens import Token, tokenized

__all__ = ['stated_windows', 'windows_in']

_SENTENCE = 60  # tokens that are looked at before a window
_AFTER = 10  # tokens that are looked at behind a range
_NEAR = 4  # words before a range that can say what it is
_ALONE = words.FILLERS | words.MARKS | words.SENTENCE_END | {',', ';', '|', '-'}
_IN_BRACKETS = words.FILLERS | {'"', "'", '`', '*', '\n', '~', ',', '=', ':'}
_LASTS = {'goes', 'is', 'lasts', 'runs', 'spans'}


def windows_in(text: str) -> list[tuple[float, float]]:
    """The windows of time that a model's answer states, in seconds, in the order in which they stand.

    Read are ranges (``12.3 - 15.6``, ``from 0:12 to 0:15``, *between 12 and 15 s*), lists (``[[12, 15], [20, 25]]``),
    keys and labels (``"start": 12, "end": 15``; *starts at … and ends at …*, *starts at … and lasts …*), *the first ten
    seconds*, and tables with columns of start and end. Times are numbers with or without unit, some in words, and clock
    times. A window whose end stands first is put in order; one that is stated twice is there once.

    Of thoughts, guesses and a final answer, the final answer counts. Not read are counts, numbers of frames,
    percentages, scores, the query in quotation marks, the prompt's example, and what stands more than 100,000
    characters before the end.

    Returns:
        (start, end) of each window, start <= end; none where the text states none, or where it can be taken in two ways

    Examples:
        >>> from ir_segmeasures import windows_in
        >>> windows_in('The event "2 men sit" starts at 00:18 and ends at 00:23.5.')
        [(18.0, 23.5)]
        >>> windows_in('<think>3 - 8? No.</think> [[11, 20], [31.5, 40]]')
        [(11.0, 20.0), (31.5, 40.0)]
        >>> windows_in('I see 2 people, but not the event.')
        []
    """
    return list(dict.fromkeys((min(window), max(window)) for window in stated_windows(text)))


def stated_windows(text: str) -> list[tuple[float, float]]:
    """The windows of :func:`windows_in` with their times in the order of the answer, in which the end may stand first.
    """
    seen = set()
    for part, final in stating_parts(text):
        if part not in seen:
            try:
                windows = table_windows(part) or [(one.start, one.end) for one in _stated(tokenized(part))]
            except _AmbiguousError:
                break
            if windows:
                return windows
        if final and any(token.seconds is not None for token in tokenized(part)):
            break
        seen.add(part)
    return []


class _Number(NamedTuple):
    """A number of an answer, with what the words before it say: see :mod:`ir_segmeasures.texts.answers.words`.

    Attributes:
        token: the number
        place: of the token
        link: to the number before it
        role: by the nearest word
        edge: whether a start or an end is named before it
    """
    token: Token
    place: int
    link: str
    role: str
    edge: str

    @property
    def seconds(self) -> float:
        return self.token.seconds or 0.0


class _Window(NamedTuple):
    """A window that is stated from the token at ``place`` to that at ``last``, with a unit or as clock times if it is
    ``timed``."""
    start: float
    end: float
    place: int
    last: int
    timed: bool = True


class _AmbiguousError(Exception):
    """An answer can be taken in two ways."""


def _stated(read: Sequence[Token]) -> list[_Window]:
    """The windows that are neither denied nor examples.

    Raises:
        _AmbiguousError: one or the other is stated, or a start or an end is one
    """
    groups = _grouped(read, _numbers(read))
    windows = [window for window in _windows(read, groups) if _meant(read, window.place)]
    for window, following in pairwise(windows):
        between = {token.text for token in read[window.last + 1:following.place]}
        if 'or' in between and between <= words.FILLERS | words.MARKS | words.MAYBE:
            raise _AmbiguousError
    return _of_times(read, windows) or list(_pairs(read, groups))


def _of_times(read: Sequence[Token], windows: Sequence[_Window]) -> list[_Window]:
    """The windows without ranges of bare numbers, such as a score of 3 - 1, where others have units, unless they are
    listed with these: 3-5, 8-10 s."""
    if not any(window.timed for window in windows):
        return list(windows)
    listed = words.FILLERS | words.MARKS | words.LISTED | {'', '-', '.', 'and'}
    found: list[_Window] = []
    for window in reversed(windows):
        if window.timed or (found and {token.text for token in read[window.last + 1:found[-1].place]} <= listed):
            found.append(window)
    return found[::-1]


def _numbers(read: Sequence[Token]) -> list[_Number]:
    found: list[_Number] = []
    places = [place for place, token in enumerate(read) if token.number]
    for before, place, after in zip([-1, *places], places, [*places[1:], len(read)]):
        gap = read[before + 1:place]
        role = words.later_role(gap, read[place + 1:after]) or words.role(gap)
        found.append(_Number(read[place], place, words.link(gap) if found else '', role, words.edge(gap)))
    return found


def _grouped(read: Sequence[Token], numbers: Iterable[_Number]) -> list[list[_Number]]:
    """The numbers in order, those of a range or of a list in brackets together."""
    runs: list[list[list[_Number]]] = []  # each of ranges and single numbers, in a list if there are several
    for number in numbers:
        last = runs[-1][-1] if runs else []
        between = len(last) == 1 and last[0].role == words.BETWEEN
        if last and (number.link == 'to' or (number.link == 'and' and between)):
            last.append(number)
            if len(runs[-1]) > 1:  # a range is in no list
                runs.append([runs[-1].pop()])
        elif len(last) == 1 and number.link == 'list':
            runs[-1].append([number])
        else:
            runs.append([[number]])
    groups: list[list[_Number]] = []
    for run in runs:
        joined = [number for group in run for number in group]
        groups += [joined] if len(run) > 1 and _in_brackets(read, joined) else run
    return groups


def _in_brackets(read: Sequence[Token], group: Sequence[_Number]) -> bool:
    first, last = group[0].place - 1, group[-1].place + 1
    while first >= 0 and read[first].text in _IN_BRACKETS:
        first -= 1
    while last < len(read) and read[last].text in _IN_BRACKETS:
        last += 1
    return first >= 0 and last < len(read) and read[first].text in words.OPENING and read[last].text in words.CLOSING


def _windows(read: Sequence[Token], groups: Iterable[list[_Number]]) -> list[_Window]:
    """The windows of ranges and lists, and of starts and ends (or lengths) that stand apart."""
    found: list[_Window] = []
    start = end = None
    named = ''  # the edge that the last range is
    for group in groups:
        number = group[0]
        if len(group) > 1:
            window = _range(read, group)
            if window is not None:
                if number.edge == 'end' and (start or named == 'start'):  # starts at 3 and ends between 5 and 6
                    raise _AmbiguousError
                named = number.edge
                found.append(window)
        elif number.token.seconds is None or number.token.ordinal or number.role == 'none' or _counts(read, number):
            continue
        elif number.role == 'first' and number.token.unit:
            found.append(_Window(0.0, number.seconds, number.place, number.place))
        elif start is not None and (number.role in ('length', 'duration') or _next(read, number) in words.LATER):
            found.append(_Window(start.seconds, start.seconds + number.seconds, start.place, number.place))
            start = None
        elif start is not None and number.role in ('end', 'to', 'and' if start.role == words.BETWEEN else 'end'):
            found.append(_Window(start.seconds, number.seconds, start.place, number.place))
            start = None
        elif number.role == 'end':
            if named == 'start':  # starts at 3 - 5 and ends at 8
                raise _AmbiguousError
            end = number
        elif number.role == 'start' and end is not None:
            found.append(_Window(number.seconds, end.seconds, end.place, number.place))
            end = None
        elif number.role in ('start', 'from', words.BETWEEN):
            start = number
    return found


def _range(read: Sequence[Token], group: list[_Number]) -> _Window | None:
    """The window of a range, or of a list of two numbers, if these are times."""
    if len(group) == 3 and _numbers_thing(read, group[0]) and not any(number.token.whole for number in group[1:]):
        group = group[1:]  # Event 1 - 12.3 to 15.6
    if len(group) == 3 and group[2].link == 'list' and not group[2].token.unit and group[2].seconds <= 1:
        group = group[:2]  # [start, end, score]
    if len(group) != 2:
        return None
    one, other = (number.token for number in group)
    no_times = {'length'} if other.unit else {'length', 'none'}
    if (one.seconds is None or other.seconds is None or (one.unit >= 60 and not other.unit)  # 1 minute to 2
            or ((one.ordinal or other.ordinal) and not other.unit)
            or not no_times.isdisjoint((group[0].role, group[1].role)) or _next(read, group[1]) in words.LATER
            or _is_length(read, *group) or _is_read_off(read, group[0])
            or (one.whole and other.whole and _range_counts(read, *group))
            or (not (one.unit or other.unit) and (_is_change(read, *group) or _is_relative(read, *group)))):
        return None
    start = one.seconds if one.unit else one.seconds * (other.unit or 1)
    if not start and _of_video(read, group[0].place):
        return None
    return _Window(start, other.seconds, group[0].place, group[1].place,
                   bool(one.unit or other.unit) or not (one.whole and other.whole))


def _next(read: Sequence[Token], number: _Number) -> str:
    return read[number.place + 1].text if number.place + 1 < len(read) else ''


def _before(read: Sequence[Token], number: _Number) -> str:
    return read[number.place - 1].text if number.place else '\n'


def _numbers_thing(read: Sequence[Token], number: _Number) -> bool:
    """Whether a number is that of a thing or of a line: Event 1."""
    before = _before(read, number)
    return number.token.whole and (before == '\n' or before in words.NUMBERED)


def _counts(read: Sequence[Token], number: _Number) -> bool:
    """Whether a number that stands alone counts what is named behind it, or is that of what is named before it."""
    following, before = _next(read, number), _before(read, number)
    return not number.token.unit and (
        (following[:1].isalpha() and following not in words.FOLLOWING and not words.label(following))
        or (number.token.whole and before in words.NUMBERED - words.VIDEO))


def _range_counts(read: Sequence[Token], one: _Number, other: _Number) -> bool:
    """Whether a range of whole numbers counts or numbers things: 2 to 3 men, scenes 2 to 3, 1990 to 1995, $2 - $3."""
    following, before = _next(read, other), _before(read, one)
    return ((before[:1].isalpha() and before not in words.FILLERS and (not one.role or before in words.NUMBERED))
            or following in words.COUNTED
            or (following[:1].isalpha() and len(following) > 2 and following.endswith('s')
            and following not in words.FOLLOWING)
            or {one.seconds // 100, other.seconds // 100} <= {19, 20}
            or {before, _before(read, other)} <= words.MONEY)


def _is_change(read: Sequence[Token], one: _Number, other: _Number) -> bool:
    """Whether a range is what a quantity goes through: The score changes from 2 to 3; or a result: It ends 21 to 19."""
    before = _sentence_before(read, one.place)
    return (one.role == 'end' and one.seconds > other.seconds) or (
        one.role in ('', 'from') and not (words.SCALES | words.CHANGES).isdisjoint(before[:_NEAR]))


def _is_length(read: Sequence[Token], one: _Number, other: _Number) -> bool:
    """Whether a range says how long something takes: 5-10 minutes of cooking; a 5-10 minute
    wait; it rests 20-30 minutes."""
    first, second, *_ = [*(token.text for token in read[other.place + 1:other.place + 3]), '', '']
    before = _before(read, one)
    return other.token.unit > 0 and (
        (first == 'of' and second.isalpha() and second not in words.FILLERS)
        or (before in ('a', 'an') and first.isalpha() and first not in words.FOLLOWING)
        or (other.token.unit >= 60 > one.token.unit and not one.role
            and before.isalpha() and before not in words.FILLERS))


def _is_read_off(read: Sequence[Token], number: _Number) -> bool:
    """Whether a range that begins with a number is what something in the picture shows: The clock shows 3:05 - 3:10."""
    said = [text for text in _sentence_before(read, number.place) if text not in words.MARKS]
    subject = next((place for place, text in enumerate(said)
                    if text not in words.READING and (text not in words.FILLERS or text in words.DISPLAYS)
                    and text != 'from'), len(said))
    return (subject < len(said) and said[subject] in words.DISPLAYS
            and not words.READING.isdisjoint(said[:subject]))


def _is_relative(read: Sequence[Token], one: _Number, other: _Number) -> bool:
    """Whether a range is one of parts of the duration: 0.1 - 0.3 of the video."""
    if max(one.seconds, other.seconds) > 1:
        return False
    after = [token.text for token in read[other.place + 1:other.place + _AFTER]]
    end = next((place for place, text in enumerate(after) if text in words.SENTENCE_END), len(after))
    sentence = [*_sentence_before(read, one.place), *after[:end]]
    return after[:2] == ['of', 'the'] or not words.RELATIVE.isdisjoint(sentence)


def _pairs(read: Sequence[Token], groups: Sequence[Sequence[_Number]]) -> Iterator[_Window]:
    """The windows of two times behind words for start and end (*the start and end times are 3 and 5*), or of two times
    that are all that is there."""
    for one, other, beyond in zip(groups, groups[1:], [*groups[2:], ()]):
        if len(one) > 1 or len(other) > 1 or one[0].token.seconds is None or other[0].token.seconds is None:
            continue
        (start,), (end,) = one, other
        if start.link in ('list', 'and') or (beyond and beyond[0].link in ('list', 'and')):
            continue
        before = _sentence_before(read, start.place)
        named = {'start', 'end'} <= set(map(words.label, before)) or any(
            name in words.ENDS and verb in ('are', ':') for verb, name in pairwise(before))
        alone = len(groups) == 2 and all(token.number or token.text in _ALONE for token in read)
        if (named and end.link in ('list', 'and') and _meant(read, start.place)) or (alone and end.link == 'list'):
            yield _Window(start.seconds, end.seconds, start.place, end.place)


def _meant(read: Sequence[Token], place: int) -> bool:
    """Whether the sentence before a window neither denies it nor gives it as an example."""
    before = _sentence_before(read, place)
    clause = before[:next((n for n, text in enumerate(before) if text in (',', ';', ':', 'but')), len(before))]
    said = [text for text in clause if text not in words.MARKS]
    return before[:2] != ['as', 'such'] and words.EXAMPLE.isdisjoint(before) and words.NONE.isdisjoint(said) and not (
        any(map(words.denies, said[:4]))
        or any(found in words.FIND and words.denies(negation) for found, negation in pairwise(said)))


def _of_video(read: Sequence[Token], place: int) -> bool:
    """Whether a range is said to be that of the video: The video runs from 0 to 60 s."""
    said = [text for text in _sentence_before(read, place) if text not in words.MARKS]
    subject = next((n for n, text in enumerate(said)
                    if text not in _LASTS and words.label(text) not in ('start', 'from')), len(said))
    return 0 < subject < len(said) and said[subject] in words.VIDEO


def _sentence_before(read: Sequence[Token], place: int) -> list[str]:
    """The words and marks of the same sentence before a place, the nearest first."""
    before: list[str] = []
    for token in reversed(read[max(0, place - _SENTENCE):place]):
        if token.text in words.SENTENCE_END and (token.text != '\n' or before[-1:] != [':']):
            break
        before.append(token.text)
    return before
