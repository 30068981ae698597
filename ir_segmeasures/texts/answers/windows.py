"""The windows that a model's answer states, read as a person reads them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile

from ir_segmeasures.texts.answers import words
from ir_segmeasures.texts.answers.claims import is_meant, meant_windows
from ir_segmeasures.texts.answers.instants import instant_windows, later_instants, occurrences
from ir_segmeasures.texts.answers.polarity import without_taken_back
from ir_segmeasures.texts.answers.ranges import counts_things, range_window
from ir_segmeasures.texts.answers.sentences import (
    AmbiguousError,
    SaidNumber,
    StatedWindow,
    sentence_after,
    sentence_before,
    word_behind,
)
from ir_segmeasures.texts.answers.statements import stating_parts
from ir_segmeasures.texts.answers.tables import table_windows
from ir_segmeasures.texts.answers.tokens import Token, may_have_times, tokenized

__all__ = ['stated_windows', 'windows_in']

_ALONE = words.FILLERS | words.MARKS | words.SENTENCE_END | {',', ';', '|', '-'}
_GOING_ON = words.FILLERS - words.VIDEO | {'and', 'it'}
_LABEL = 8  # most tokens between two times that have labels
_IN_BRACKETS = words.FILLERS | {'"', "'", '`', '*', '\n', '~', ',', '=', ':'}


def windows_in(text: str) -> list[tuple[float, float]]:
    """The windows of time that a model's answer states, in seconds, in the order in which they stand.

    Read are ranges (``12.3 - 15.6``, ``from 0:12 to 0:15``, *between 12 and 15 s*), lists (``[[12, 15], [20, 25]]``),
    keys and labels (``"start": 12, "end": 15``; *starts at … and ends at …*, *starts at … and lasts …*), *the first
    ten seconds*, lists and tables of starts and ends, and contrasts (*the first frame is at … and the last one at …*).
    Times are numbers with or without unit, some in words, units as in ``start_ms``, clock times and those of ISO 8601.
    Words for units, starts and ends may be in some other languages, as in *von 12,5 bis 15 Sekunden*. A window whose
    end stands first is put in order; one that is stated twice is there once.

    Where nothing else is read, two instants of which each says something else are a window (*is released at 12 s and
    caught at 15 s*), and so are an instant and a length (*stops at 15 s after 3 s of rain*), in the whole answer or in
    each of its paragraphs, lines or sentences; but not instants of one kind (*at 12 s and again at 15 s*). Of four or
    more instants, every two are a window where a new occurrence is marked: *opens at …, closes at …, opens again at …*.

    Of thoughts, guesses and a final answer, the final answer counts; of several windows, those that are stated once
    more at the end. Not read are windows that the answer denies, sets aside, reads off a clock, or takes back before it
    comes to another one (*one might think 3 - 5 s, but …*), what is seen instead of an event that is denied, counts,
    quantities, years, numbers of frames, percentages, scores, the query in quotation marks, the prompt's example, what
    stands behind a refusal, and what stands more than 100,000 characters before the end.

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
    if not may_have_times(text):
        return []
    parts: list[str] = []
    try:
        for part, final in stating_parts(text):
            windows = _windows_of_part(part) if part not in parts else []
            if windows:
                several = occurrences(part)
                return several if set(windows) < set(several) else windows
            parts.append(part)
            if final and _has_time(tokenized(part)):
                break
        else:
            blocks = parts[-1].split('\n\n') if parts else []  # of the last part, which is the longest
            found = [windows for windows in map(_windows_of_part, blocks) if windows] if len(blocks) > 1 else []
            if found:
                return found[0] if len(found) == 1 else []
    except AmbiguousError:
        return []
    return next((found for part in parts[-2:] for found in [instant_windows(part)]
                 if found and _ranges(part).isdisjoint(found)), [])


def _ranges(part: str) -> set[tuple[float, float]]:
    """The windows of a part, be they meant or not."""
    read = tokenized(part)
    return {window[:2] for window in _windows(read, _grouped(read, _numbers(read)))}


def _has_time(read: Sequence[Token]) -> bool:
    """Whether there is a number that does not count the things behind it."""
    return any(token.seconds is not None and (token.unit or not following.text.isalpha()
                                              or following.text in words.FOLLOWING)
               for token, following in pairwise([*read, Token('\n')]))


def _windows_of_part(part: str) -> list[tuple[float, float]]:
    if not may_have_times(part):
        return []
    return table_windows(part) or [(one.start, one.end) for one in _stated(tokenized(part))]


def _stated(read: Sequence[Token]) -> list[StatedWindow]:
    """The windows that are meant.

    Raises:
        AmbiguousError: one or the other is stated, or a start or an end is one
    """
    groups = _grouped(read, _numbers(read))
    found = meant_windows(read, _windows(read, groups)) or list(_pairs(read, groups))
    later = later_instants(read, found[-1].last + 1) if found and groups[-1][-1].place > found[-1].last + 1 else None
    corrected = StatedWindow(*later) if later else None
    return [corrected] if corrected and without_taken_back(read, [*found, corrected]) == [corrected] else found


def _numbers(read: Sequence[Token]) -> list[SaidNumber]:
    found: list[SaidNumber] = []
    places = [place for place, token in enumerate(read) if token.number]
    claimed, coupled = 0, False  # tokens behind the last number that say what it is
    for before, place, after in zip([-1, *places], places, [*places[1:], len(read)]):
        gap, following = read[before + 1 + claimed:place], read[place + 1:after]
        edge, role = words.edge(gap), words.role(gap)
        later, claimed = words.later_role(gap, read[place], following, after == len(read))
        if found and found[-1].role == 'none' and gap and {token.text for token in gap} <= {',', '(', ')', '[', ']'}:
            role = 'none'  # bbox: (1, 2), (3, 4)
        if coupled:
            role, coupled = 'end', False
        elif after < len(read) and words.couples(gap, following):
            role, coupled = 'start', True
        elif later or (role == 'none' and read[place].unit):  # the start frame is at 12 s
            role = later or edge or role
        role = words.offset_role(following) or role
        link = words.link(read[before + 1:place], read[before].unit > 0) if found else ''
        found.append(SaidNumber(read[place], place, link, role, edge))
    return found


def _grouped(read: Sequence[Token], numbers: Iterable[SaidNumber]) -> list[list[SaidNumber]]:
    """The numbers in order, those of a range or of a list in brackets together."""
    runs: list[list[list[SaidNumber]]] = []  # each of ranges and single numbers, in a list if there are several
    for number in numbers:
        last = runs[-1][-1] if runs else []
        between = len(last) == 1 and last[0].role == words.BETWEEN
        if last and (number.link == 'to' or (number.link == 'and' and between)):
            if len(runs[-1]) > 1 and _is_behind_list(read, last[0], number):  # [12, 15] -> 0.88
                runs.append([[number]])
                continue
            last.append(number)
            if len(runs[-1]) > 1:  # a range is in no list
                runs.append([runs[-1].pop()])
        elif len(last) == 1 and number.link == 'list':
            runs[-1].append([number])
        else:
            runs.append([[number]])
    groups: list[list[SaidNumber]] = []
    for run in runs:
        joined = [number for group in run for number in group]
        groups += [joined] if len(run) > 1 and _in_brackets(read, joined) else run
    return groups


def _is_behind_list(read: Sequence[Token], last: SaidNumber, number: SaidNumber) -> bool:
    """Whether the brackets of a list are closed between its last number and one that follows."""
    return any(token.text in words.CLOSING for token in read[last.place + 1:number.place])


def _in_brackets(read: Sequence[Token], group: Sequence[SaidNumber]) -> bool:
    first, last = group[0].place - 1, group[-1].place + 1
    while first >= 0 and read[first].text in _IN_BRACKETS:
        first -= 1
    while last < len(read) and read[last].text in _IN_BRACKETS:
        last += 1
    return first >= 0 and read[first].text in words.OPENING and (
        last == len(read) or read[last].text in words.CLOSING)  # an answer can be cut off


def _windows(read: Sequence[Token], groups: Sequence[list[SaidNumber]]) -> list[StatedWindow]:
    """The windows of ranges and lists, and of starts and ends (or lengths) that stand apart."""
    for starts, ends in pairwise(_edge_lists(read, groups)):
        if starts[0].edge == 'start' and ends[0].edge == 'end' and len(starts) == len(ends) > 1:
            return [StatedWindow(start.seconds, end.seconds, start.place, end.place)
                    for start, end in zip(starts, ends)]
    found: list[StatedWindow] = []
    start = end = at = length = None
    named = ''  # the edge that the last range is
    scores = _scores(groups)
    for group in groups:
        number = group[0]
        if number.place in scores:
            continue
        if len(group) > 1:
            window = range_window(read, group)
            if window is not None:
                if number.edge == 'end' and (start or named == 'start'):  # starts at 3 and ends between 5 and 6
                    raise AmbiguousError
                named, at = number.edge, None
                found.append(window)
        elif (number.token.seconds is None or number.token.ordinal or counts_things(read, number)
              or (number.role == 'none' and not number.token.unit)):
            continue
        elif number.role == 'first' and number.token.unit:
            found.append(StatedWindow(0.0, number.seconds, number.place, number.place))
        elif at is not None and start is None and end is None and _lasts_to(read, at, number):
            last = at.seconds + number.seconds if number.role == 'length' else number.seconds
            found.append(StatedWindow(at.seconds, last, at.place, number.place))
            at = None
        elif start is not None and (number.role in ('length', 'duration') or word_behind(read, number) in words.LATER):
            found.append(StatedWindow(start.seconds, start.seconds + number.seconds, start.place, number.place))
            start = None
        elif start is not None and (number.role in ('end', 'to', 'and' if start.role == words.BETWEEN else 'end')
                                    or _is_by(read, start, number)):
            found.append(StatedWindow(start.seconds, number.seconds, start.place, number.place))
            start = None
        elif number.role == 'end':
            if named == 'start':  # starts at 3 - 5 and ends at 8
                raise AmbiguousError
            end = number
        elif end is not None and number.role in ('start', 'from') and number.seconds < end.seconds:
            found.append(StatedWindow(number.seconds, end.seconds, end.place, number.place))
            end = None
        elif number.role in ('start', 'from', words.BETWEEN):
            start = number
            if length is not None and _in_one_clause(read, length, start):  # for 8 s from 14 s on
                found.append(StatedWindow(start.seconds, start.seconds + length.seconds, length.place, start.place))
                start = length = None
        elif start is not None and number.role in ('', 'and') and number.link in ('and', 'list'):  # starts at 3 and 8
            raise AmbiguousError
        elif number.token.unit and _is_point(read, number):
            at = number
        elif number.token.unit and (number.role == 'length' or word_behind(read, number) in words.SEGMENTS
                                    or not sentence_before(read, number.place)):
            length = number
    if start is not None and length is not None and not found and _in_one_sentence(read, length, start):
        found.append(StatedWindow(start.seconds, start.seconds + length.seconds, length.place, start.place))
    return found


def _scores(groups: Sequence[list[SaidNumber]]) -> set[int]:
    """The places of ranges of bare whole numbers that are listed with one that falls: she won 6-4, 3-6, 7-5."""
    found: set[int] = set()
    chain: list[list[SaidNumber]] = []
    for group in [*groups, []]:
        is_bare = len(group) == 2 and group[1].link == 'to' and all(one.token.whole for one in group)
        if chain and not (is_bare and group[0].link in ('list', 'and')):
            if len(chain) > 1 and any(one.seconds > other.seconds for one, other in chain):
                found.update(one.place for one, _ in chain)
            chain = []
        chain += [group] if is_bare else []
    return found


def _edge_lists(read: Sequence[Token], groups: Iterable[list[SaidNumber]]) -> list[list[SaidNumber]]:
    """The numbers that are listed behind words for a start or an end: Starts: 3 s, 8 s."""
    lists: list[list[SaidNumber]] = []
    for number in (number for group in groups for number in group):
        first = lists[-1][0].place if lists else 0
        labelled = words.labelled([token.text for token in read[max(0, first - _LABEL):first]])
        links = ('list', 'and') if labelled else ('list',)
        if lists and number.link in links and number.role in ('', 'and') and number.token.seconds is not None:
            lists[-1].append(number)
        else:
            lists.append([number])
    return lists


def _in_one_sentence(read: Sequence[Token], one: SaidNumber, other: SaidNumber) -> bool:
    return one.place < other.place and words.SENTENCE_END.isdisjoint(
        token.text for token in read[one.place:other.place])


def _in_one_clause(read: Sequence[Token], one: SaidNumber, other: SaidNumber) -> bool:
    return words.CLAUSE_EDGES.isdisjoint(token.text for token in read[one.place:other.place])


def _is_point(read: Sequence[Token], number: SaidNumber) -> bool:
    """Whether a time is the one *at* which something happens."""
    before = sentence_before(read, number.place)
    return word_behind(read, number) in ('in', 'into') or next(
        (text for text in before if text not in words.HEDGES | words.MARKS), '') == 'at'


def _is_by(read: Sequence[Token], start: SaidNumber, number: SaidNumber) -> bool:
    """Whether something that has started is said to be so, or over, *by* a time of the same sentence."""
    before = sentence_before(read, number.place)
    return number.token.unit > 0 and len(before) > number.place - start.place - 1 and next(
        (text for text in before if text not in words.HEDGES), '') == 'by'


def _lasts_to(read: Sequence[Token], point: SaidNumber, number: SaidNumber) -> bool:
    """Whether a number is the end or the length of what happens at a point: At 5 s he sits until 8 s, or for 3 s."""
    between = {token.text for token in read[point.place + 1:number.place]}
    said = list(takewhile(lambda text: text and text != ',', sentence_before(read, number.place)))
    goes_on = not {'it', 'this'}.isdisjoint(said) and all(  # … . It lasts until 8 s.
        text in _GOING_ON or words.label(text) in ('end', 'length') for text in said)
    if number.role in ('end', 'to'):
        return between.isdisjoint(words.SENTENCE_END) or goes_on
    return number.role == 'length' and (between <= words.LASTING or goes_on)


def _pairs(read: Sequence[Token], groups: Sequence[Sequence[SaidNumber]]) -> Iterator[StatedWindow]:
    """The windows of two times behind words for start and end (*the start and end times are 3 and 5*), or of two times
    that are all that is there."""
    timed = sum(group[0].token.unit > 0 for group in groups)
    for one, other, beyond in zip(groups, groups[1:], [*groups[2:], ()]):
        if len(one) > 1 or len(other) > 1 or one[0].token.seconds is None or other[0].token.seconds is None:
            continue
        (start,), (end,) = one, other
        if start.link in ('list', 'and') or (beyond and beyond[0].link in ('list', 'and')):
            continue
        before = sentence_before(read, start.place)
        named = {'start', 'end'} <= set(map(words.label, [*before, *sentence_after(read, end.place)])) or any(
            name in words.ENDS and verb in ('are', 'lie', ':') for verb, name in pairwise(
                text for text in before if text != 'at'))
        slashed = [token.text for token in read[start.place + 1:end.place]] == ['/']
        window = StatedWindow(start.seconds, end.seconds, start.place, end.place)
        body = read[2:] if read[1].text == ':' and not _is_plural(read[0].text) else read  # prediction: 3.5 8.5
        alone = len(groups) == 2 and all(token.number or token.text in _ALONE for token in body)
        stated = named and end.role not in ('length', 'none') and (slashed or end.link in ('list', 'and'))
        if (timed == 2 and start.token.unit and end.token.unit) or len(groups) == 2:
            stated |= _are_counterparts(read, start, end)
        if (alone and end.link == 'list' and not end.role) or (stated and is_meant(read, window)):
            yield window


def _is_plural(word: str) -> bool:
    """Whether a word names several things that have no length: Goals: 5:12, 19:40."""
    return word.endswith('s') and not word.endswith('ss') and word not in words.ENDS | words.FILLERS


def _are_counterparts(read: Sequence[Token], one: SaidNumber, other: SaidNumber) -> bool:
    """Whether one of two times with labels is a start or an end, so that the other is the end or the start, whatever
    its label: Start: 3 s, Conclusion: 5 s."""
    between = [token.text for token in read[one.place + 1:other.place]]
    return (one.seconds < other.seconds and len(between) <= _LABEL and words.labelled(between)
            and words.labelled([token.text for token in read[:one.place]])
            and (one.edge, other.edge) in (('start', ''), ('', 'end'))
            and {one.role, other.role} <= {'start', 'end', ''})
