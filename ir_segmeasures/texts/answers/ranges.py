"""Ranges and lists of two numbers in an answer that are windows of time, and those that count, number or change
something else."""

from collections.abc import Sequence
from itertools import dropwhile, pairwise, takewhile

from ir_segmeasures.texts.answers import words
from ir_segmeasures.texts.answers.sentences import (
    SaidNumber,
    StatedWindow,
    sentence_after,
    sentence_before,
    word_before,
    word_behind,
)
from ir_segmeasures.texts.answers.tokens import MONEY, Token

__all__ = ['counts_things', 'range_window']

_NEAR = 4  # words before a range that can say what it is
_YEARS = 1000, 2100
_OF_YEARS = ('from', 'in', 'of', 'since')
_OF_VIDEO = words.ENDS | words.SEGMENTS | words.VIDEO | {'answer', 'happens', 'occurs', 'query'}
_AT_TIME = {'at', 'from'}
_TIMES = {'', 'time', 'times', 'timestamp', 'timestamps'}
_LASTS = {'covers', 'goes', 'only', 'is', 'lasts', 'runs', 'spans'}
_SEEN = {'appears', 'displayed', 'seen', 'shown', 'visible'}
# What has a time rather than a quantity: The second one is 28 to 40.
_SUBJECTS = words.FILLERS | words.ENDS | words.SEGMENTS | {
    'action', 'activity', 'description', 'first', 'instance', 'last', 'next', 'occurrence', 'one', 'other', 'query',
    'question', 'second', 'third'}
_ROUND_RANGES = (words.FILLERS - words.HAS) | words.HEDGES | {'from', words.BETWEEN}


def range_window(read: Sequence[Token], group: list[SaidNumber]) -> StatedWindow | None:
    """The window of a range, or of a list of two numbers, if these are times."""
    if len(group) == 3 and _numbers_thing(read, group[0]) and not any(number.token.whole for number in group[1:]):
        group = group[1:]  # Event 1 - 12.3 to 15.6
    if len(group) == 4 and not group[1].token.unit and group[3].token.unit:  # frames 360 - 450 -> 12 s - 15 s
        group = group[2:]
    if len(group) == 3 and group[2].link == 'list' and not group[2].token.unit and group[2].seconds <= 1:
        group = group[:2]  # [start, end, score]
    if len(group) != 2:
        return None
    one, other = (number.token for number in group)
    no_times = {'length'} if other.unit else {'length', 'none'}
    if (one.seconds is None or other.seconds is None
            # 1 minute to 2; 1:15-22
            or (one.unit and not other.unit and (one.unit >= 60 or other.seconds < one.seconds))
            or ((one.ordinal or other.ordinal) and not other.unit)
            or not no_times.isdisjoint((group[0].role, group[1].role)) or word_behind(read, group[1]) in words.LATER
            or (word_before(read, group[0]) == 'to' and _then_to(read, *group))
            or _is_length(read, *group) or _is_read_off(read, group[0])
            or (one.whole and other.whole and _range_counts(read, *group))
            or (not (one.unit or other.unit) and (_is_quantity(read, *group) or _is_relative(read, *group)))):
        return None
    start = one.seconds if one.unit else one.seconds * (other.unit or 1)
    if not start and _of_video(read, group[0].place):
        return None
    return StatedWindow(start, other.seconds, group[0].place, group[1].place,
                        bool(one.unit or other.unit) or (other.seconds > 1 and not (one.whole and other.whole)))


def _then_to(read: Sequence[Token], one: SaidNumber, other: SaidNumber) -> bool:
    """Whether something is set to one time and later to another: set to 10 s, then to 20 s."""
    return not {',', 'then'}.isdisjoint(token.text for token in read[one.place:other.place])


def counts_things(read: Sequence[Token], number: SaidNumber) -> bool:
    """Whether a number that stands alone counts what is named behind it, or is that of what is named before it."""
    following, before = word_behind(read, number), word_before(read, number)
    if before in (':', '=') and number.role in ('start', 'end'):  # start=3 end=5 score=0.9
        return False
    if before in _OF_YEARS and number.token.whole and not number.token.unit and number.seconds // 100 in (19, 20):
        return True
    return not number.token.unit and (
        (following[:1].isalpha() and following not in words.FOLLOWING and not words.label(following))
        or (number.token.whole and (before in words.NUMBERED - words.VIDEO or (
            following in _AT_TIME and before[:1].isalpha() and before not in words.FILLERS | words.HEDGES
            and not words.label(before)))))  # starts unboxing the phone 15 at 3 s


def _numbers_thing(read: Sequence[Token], number: SaidNumber) -> bool:
    """Whether a number is that of a thing or of a line: Event 1."""
    before = word_before(read, number)
    return number.token.whole and (before == '\n' or before in words.NUMBERED)


def _range_counts(read: Sequence[Token], one: SaidNumber, other: SaidNumber) -> bool:
    """Whether a range of whole numbers counts or numbers things: 2 to 3 men, scenes 2 to 3, 1990 to 1995, $2 - $3."""
    following, before = word_behind(read, other), word_before(read, one)
    return ((before[:1].isalpha() and before not in words.FILLERS | words.ADDING
             and (not one.role or before in words.NUMBERED))
            or following in words.MEASURED or before in MONEY
            or (following[:1].isalpha() and following not in words.FOLLOWING and not words.label(following))
            or (other.link == 'to' and one.seconds > other.seconds and (words.ENDS | words.VIDEO).isdisjoint(
                [*sentence_before(read, one.place), *sentence_after(read, other.place)]))  # a score
            or (before == '.' and not words.ABBREVIATIONS.isdisjoint(sentence_before(read, one.place - 1)[:1]))
            or {one.seconds // 100, other.seconds // 100} <= {19, 20} or one.seconds == other.seconds
            or (_YEARS[0] <= one.seconds < other.seconds < _YEARS[1] and read[other.place - 1].text == '-'
                and before.isalpha() and not _says_time(read, one, other)))


def _says_time(read: Sequence[Token], one: SaidNumber, other: SaidNumber) -> bool:
    """Whether a word of the sentence of a range names a part of a video, a start or an end."""
    said = [*sentence_before(read, one.place), *sentence_after(read, other.place)]
    return any(text in _OF_VIDEO or words.label(text) in ('start', 'end') for text in said)


def _is_quantity(read: Sequence[Token], one: SaidNumber, other: SaidNumber) -> bool:
    """Whether a range of bare numbers is that of a thing: The ratio is 3 to 4; the score changes from 2 to 3; it ends
    21 to 19."""
    before = [text for text in sentence_before(read, one.place) if text not in words.MARKS]
    said = list(dropwhile(lambda text: text in _ROUND_RANGES, before))
    thing = next((text for text in said if text not in words.HAS), '')
    is_in_part = 'in' in before[:len(before) - len(said)]  # the jump is in the interval 3 to 5
    return (one.role == 'end' and one.seconds > other.seconds) or (
        one.role in ('', 'from', words.BETWEEN) and (
            not words.CHANGES.isdisjoint(before[:_NEAR]) or not words.MOVES.isdisjoint(said[:1])
                or 'none' in map(words.label, takewhile(lambda text: text not in _TIMES, before[:_NEAR]))
            or (one.token.whole and other.token.whole and said[:1] != [thing] and thing[:1].isalpha()
                and thing.removesuffix('s') not in _SUBJECTS and words.label(thing) in ('', 'none')
                and not is_in_part)))


def _is_length(read: Sequence[Token], one: SaidNumber, other: SaidNumber) -> bool:
    """Whether a range says how long something takes: 5-10 minutes of cooking; a 5-10 minute
    wait; it rests 20-30 minutes."""
    first, second, *_ = [*(token.text for token in read[other.place + 1:other.place + 3]), '', '']
    before, earlier, *_ = [*sentence_before(read, one.place)[:2], '\n', '\n']
    near = list(takewhile(lambda text: text and text not in ',:', sentence_before(read, one.place)[:_NEAR]))
    return other.token.unit > 0 and (
        before in ('her', 'his', 'last', 'their')
        or (first == 'of' and second.isalpha() and second not in words.FILLERS)
        or before == 'after' or first in ('apiece', 'each')
        or (before == 'from' and earlier in ('take', 'takes', 'took'))
        or (before == 'of' and (earlier not in words.FILLERS | words.ENDS | words.NUMBERED
                                or (earlier in words.NUMBERED and earlier.endswith('s'))))  # clips of 5 - 10 s
        or (before == 'in' and one.token.whole and earlier not in words.FILLERS | words.SENTENCE_END and (
            other.token.unit >= 60 or not earlier or words.label(earlier) == 'end'))
        or (not one.role and before != 'in' and 'length' in map(words.label, near) and words.TAKEN.isdisjoint(near))
        or (before in ('a', 'an') and first.isalpha() and first not in words.FOLLOWING)
        or (other.token.unit >= 60 > one.token.unit and one.role in ('', 'to')
            and before.isalpha() and before not in words.FILLERS))


def _is_read_off(read: Sequence[Token], number: SaidNumber) -> bool:
    """Whether a range that begins with a number is what something in the picture shows, or hours of a day: The clock
    shows 3:05 - 3:10; open 8:00 - 12:00 daily."""
    before = sentence_before(read, number.place)
    said = [text for text in before if text not in words.MARKS]
    subject = next((place for place, text in enumerate(said)
                    if text not in words.READING and (text not in words.FILLERS or text in words.DISPLAYS)
                    and text != 'from'), len(said))
    reading = words.READING - ({'is'} if 'up' in said[:subject] else set())  # the banner is up from 5 to 9 s
    return ((subject < len(said) and said[subject] in words.DISPLAYS and not reading.isdisjoint(said[:subject]))
            or any(verb in words.SAYS and thing in words.DISPLAYS
                   for verb, thing in pairwise(takewhile(lambda text: text not in words.LISTED | _SEEN, said)))
            or {'counts', 'down'} <= set(takewhile(bool, said))
            or not words.OF_DAYS.isdisjoint([*said, *sentence_after(read, number.place)]))


def _is_relative(read: Sequence[Token], one: SaidNumber, other: SaidNumber) -> bool:
    """Whether a range is one of parts of the duration: 0.1 - 0.3 of the video."""
    if max(one.seconds, other.seconds) > 1:
        return False
    after = sentence_after(read, other.place)
    sentence = [*sentence_before(read, one.place), *after]
    return after[:2] == ['of', 'the'] or not words.RELATIVE.isdisjoint(sentence)


def _of_video(read: Sequence[Token], place: int) -> bool:
    """Whether a range is said to be that of the video: The video runs from 0 to 60 s."""
    said = [text for text in sentence_before(read, place) if text not in words.MARKS]
    relative = said.index('which') if 'which' in said else len(said)
    said[relative:relative + 2] = []  # the video, which runs from
    subject = next((n for n, text in enumerate(said)
                    if text not in _LASTS and words.label(text) not in ('start', 'from', 'duration')), len(said))
    return 0 < subject < len(said) and said[subject] in words.VIDEO and (
        words.ENDS.isdisjoint(said[subject:subject + 4]))  # the part of the video from 0 to 12 s
