"""The last resort for an answer in which no window has been found: two instants, or an instant and a length.

What says start and end is open: *is released at … and caught at …*, *curtain up … curtain down*. So two times of which
each says something else are a window, unless a short list of words says that they are not.
"""

import re
from collections.abc import Sequence
from itertools import dropwhile, pairwise, takewhile
from typing import NamedTuple

from ir_segmeasures.texts.answers import words
from ir_segmeasures.texts.answers.tokens import UNITS, Token, may_have_times, tokenized

__all__ = ['instant_windows', 'later_instants', 'occurrences']


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PREPOSITIONS = _set('@ about after around as at before between by from in into near of on onto past since through '
                     'throughout till to toward towards until up upon within')
_BEFORE_LENGTHS = _set('another every for further lasted lasting lasts requires spanning spans take takes taken '
                       'taking took total within')
_BEHIND_LENGTHS = _set('afterwards afterward ago apart each earlier later long of')
# Words that say nothing of what happens then.
_SAY_NOTHING = frozenset().union(
    words.ADDING, words.FILLERS, words.MARKS, words.HEDGES, words.AND, words.LISTED, _PREPOSITIONS) | _set(
    'first second third fourth fifth last next other another again also too more once then now only already just still '
    'be been being am are is was were has have had having he her him his i its me my our she that their them there '
    'these they this those we which who whose you your but so or nor than while when where bit little much '
    'even very right yet one two three four time same with without both all each every')
_TO = words.UNTIL | _set('- through to')
_OBJECTS = _set('her him it me them us')
_LENGTHS = _set('duration length total')
_BEHIND_INSTANTS = _set('as in into mark point when')
_PARTICLES = _set('away back down off out over up')
_REFLEXIVES = _set('se si sich zich')
_SEPARATE = _set('also both each every if instants occasions moments or respectively separate thrice timestamps '
                 'times too twice either question ?')
_EXCLUDING = _SEPARATE | words.CLOCKS | words.EXAMPLE | words.REFUSING | words.NONE - {'apart'}
_DENYING = words.REFUSING | words.NONE
_HARMLESS = {('if', 'you'), ('they', 'both'), ('we', 'both')}  # if you go to 5 s
# What marks that something happens once more; some of it can also stand beside its end: It turns back to green.
_ONCE_MORE = _set('again anew another finally last lastly later more next second third fourth fifth')
_BACK = _ONCE_MORE | {'back'}
_ORDER = _set('second third next other another')
_BREAKS = words.SENTENCE_END | _set(
    ', ; : - ( ) [ ] and & but then while whereas until till after before that which who when as because since once')
_CLAUSE_BREAKS = words.SENTENCE_END | words.AND | {',', ';'}
_QUOTES = _set('" \' ` * _ “ ‘')
_POSSESSIVES = _set('her his my their')
_VIDEO = words.VIDEO | _set('movie film recording')
_SPLITS = ('\n\n', '\n', r'(?<=[.!?])\s', r';|(?<=[.!?])\s|\n')
_FEWEST, _MOST = 4, 20  # times in an answer; more are a transcript
_NEAR = 6  # words before a time that can say what it is
_SHORT = 3  # letters of a word that is likely a preposition in any language


class _Time(NamedTuple):
    place: int
    seconds: float
    is_length: bool


def instant_windows(text: str) -> list[tuple[float, float]]:
    """The windows of the instants in a text that has no other windows, (earlier, later) in seconds: one if the whole
    text states two instants, else one for each paragraph, line, sentence or clause with times.

    Examples:
        >>> from ir_segmeasures.texts.answers.instants import instant_windows
        >>> instant_windows('the ball is released at 0:12. by 0:15 it is caught.')
        [(12.0, 15.0)]
        >>> instant_windows('he sneezes at 0:12 and at 0:15.')
        []
    """
    everything = tokenized(text)
    if sum(token.unit > 0 for token in everything) > _MOST or not _may_state(everything):
        return []
    numbers = [token.seconds for token in everything if token.number and not token.whole]
    if len(numbers) == 2 and all(
            token.number or token.text in words.OPENING | words.CLOSING for token in everything):  # <3.1><4.2>
        return [(start, end) for start, end in [numbers] if start is not None and end is not None and start < end]
    for split in ('', *_SPLITS):
        pieces = re.split(split, text) if split else [text]
        timed = [read for read in map(tokenized, filter(may_have_times, pieces))
                 if any(token.number and token.unit for token in read)]
        found = [_windows(read) for read in timed]
        if found and all(found):
            return [window for windows in found for window in windows]
    return occurrences(text)


def later_instants(read: Sequence[Token], begin: int) -> tuple[float, float, int, int] | None:
    """The window of two instants behind a place, and the places of these: You say 3 - 5 s, but he comes at 9 s and goes
    at 12 s."""
    rest = read[begin:]
    places = [place for place, token in enumerate(rest, begin) if token.number and token.unit]
    found = _windows(rest) if 1 < len(places) < _MOST and _may_state(rest) else []
    return (*found[0], places[0], places[-1]) if len(found) == 1 else None


def _windows(read: Sequence[Token]) -> list[tuple[float, float]]:
    """The window of tokens with two instants, or with an instant and a length; those of some such pairs."""
    times = [_time(read, place) for place, token in enumerate(read)
             if token.number and token.unit and not _is_beside(read, place)]
    known = [time for time in times if time is not None]
    if len(known) < len(times):
        return []
    kinds = [time.is_length for time in known]
    if len(kinds) > 2 and kinds == [False, True] * (len(kinds) // 2):  # 0:10 for 5 s, 0:30 for 8 s
        return [(start.seconds, start.seconds + length.seconds) for start, length in zip(known[::2], known[1::2])]
    points = [time for time in known if not time.is_length]
    lengths = [time for time in known if time.is_length]
    if len(points) == 2 and points[0].seconds != points[1].seconds:
        start, end = sorted(time.seconds for time in points)
        fits = all(abs(end - start - length.seconds) < 1 for length in lengths)
        return [(start, end)] if fits and _are_counterparts(read, *points) else []
    if len(points) == len(lengths) == 1:
        return _with_length(read, points[0], lengths[0])
    return [(0.0, points[0].seconds)] if len(points) == 1 and not lengths and _is_from_start(read, points[0]) else []


def occurrences(text: str) -> list[tuple[float, float]]:
    """The windows of four or more instants in order, of which every second one from the third on is marked as a new
    occurrence.

    Examples:
        >>> from ir_segmeasures.texts.answers.instants import occurrences
        >>> occurrences('the door opens at 5 s. it closes by 11 s. then at 26 s it opens again. it shuts at 31 s.')
        [(5.0, 11.0), (26.0, 31.0)]
    """
    read = tokenized(text)
    places = [place for place, token in enumerate(read) if token.number and token.unit]
    if not _FEWEST <= len(places) <= _MOST or len(places) % 2 or not _may_state(read):
        return []
    points = [time for time in (_time(read, place) for place in places) if time and not time.is_length]
    if len(points) < len(places) or any(one.seconds >= other.seconds for one, other in pairwise(points)):
        return []
    for before, one, other in zip([None, *points[1::2]], points[::2], points[1::2]):
        begin = before.place if before else one.place
        said = {*_texts(read[begin:one.place]),
                *takewhile(lambda text: text not in _CLAUSE_BREAKS, _texts(read[one.place + 1:other.place]))}
        if (before and _BACK.isdisjoint(said)) or not _says(_texts(read[one.place + 1:other.place])) or (
                not _ONCE_MORE.isdisjoint(_said_of(read, one.place, other.place))) or _is_of_other(
                read, one.place, other.place):
            return []
    return [(one.seconds, other.seconds) for one, other in zip(points[::2], points[1::2])]


def _said_of(read: Sequence[Token], one: int, other: int) -> list[str]:
    """The words before a time, from the clause on that begins behind another time."""
    return list(dropwhile(lambda text: text not in _CLAUSE_BREAKS, _texts(read[one + 1:other])))


def _is_of_other(read: Sequence[Token], one: int, other: int) -> bool:
    """Whether a time is that of something that has not been named before: The bell rings at 3 s, a dog barks at 5 s.
    """
    said = [*_said_of(read, one, other), *_texts(read[other + 1:other + 3])]
    return next((text for text in said if text and text not in _CLAUSE_BREAKS | _PREPOSITIONS), '') in ('a', 'an')


def _is_from_start(read: Sequence[Token], point: _Time) -> bool:
    """Whether what goes on up to an instant does so *from the start*, in any language."""
    before = [token.text for token in read[:point.place] if token.text not in words.HEDGES]
    return before[-1:] in (['to'], ['until'], ['till'], ['through']) and any(
        one == 'from' and words.label(other) == 'start' for one, other in pairwise(before))


def _may_state(read: Sequence[Token]) -> bool:
    """Whether no word of the sentences with times says that these are times of separate events, or of none."""
    sentence: list[Token] = []
    for token in [*read, Token('\n')]:
        if token.text not in words.SENTENCE_END:
            sentence.append(token)
            continue
        if not any(one.unit for one in sentence):
            sentence = []
            continue
        said = {one.text for one in sentence} | {token.text}
        if any(one.unit and _is_read_off([text.text for text in reversed(sentence[:place])])
               for place, one in enumerate(sentence)):  # the clock says 10:10 when he comes in at 5 s
            said -= words.CLOCKS
        denied = {text for part in _parts(sentence) if any(one.unit for one in part) for text in _texts(part)}
        said -= _DENYING - denied
        couples = set(pairwise(_texts(sentence)))
        said -= {text for couple in _HARMLESS & couples for text in couple}
        if not _EXCLUDING.isdisjoint(said) or any(map(words.denies, denied)) or (
                'without' in said and not words.SEARCHED.isdisjoint(said)):
            return False
        sentence = []
    return True


def _parts(sentence: Sequence[Token]) -> list[list[Token]]:
    """A sentence, cut where another main clause begins: Nobody wins, and they let go at 34 s."""
    parts: list[list[Token]] = [[]]
    for token, following in pairwise([*sentence, Token('\n')]):
        if token.text == ';' or (token.text == ',' and following.text == 'and'):
            parts.append([])
        parts[-1].append(token)
    return parts


def _texts(read: Sequence[Token]) -> list[str]:
    return [token.text for token in read]


def _time(read: Sequence[Token], place: int) -> _Time | None:
    """The time that a number with a unit is, an instant or a length; None if it can be either."""
    seconds = read[place].seconds
    if seconds is None:
        return None
    before = [one.text for one in reversed(read[max(0, place - _NEAR):place])]
    behind = [*(one.text for one in read[place + 1:place + 4]), '\n', '\n']
    is_length = bool(words.offset_role(read[place + 1:])) or _is_length(before, behind)
    return _Time(place, seconds, is_length) if is_length or _is_instant(read[place], before, behind) else None


def _is_length(before: Sequence[str], behind: Sequence[str]) -> bool:
    """Whether the words before a time, the nearest first, and those behind it say how long something takes."""
    near = next((text for text in before if text not in words.HEDGES | words.MARKS | words.EXACTLY | _OBJECTS), '')
    is_adjective = before[:1] in (['a'], ['this']) and behind[0].isalpha() and (  # a 10-second dance
        behind[0] not in _SAY_NOTHING - words.SEGMENTS)
    takes_to = near in _BEFORE_LENGTHS and behind[0] == 'to' and behind[1].isalpha() and behind[1] not in words.HEDGES
    if (behind[0] in _TO and not takes_to) or (  # it spans 3 s to 5 s; at 70 s of it
            behind[0] == 'of' and not _VIDEO.isdisjoint(behind)):
        return False
    return (behind[0] in _BEHIND_LENGTHS or before[:1] == ['another'] or near in _BEFORE_LENGTHS or is_adjective
            or (behind[0] == 'after' and behind[1].endswith('ing') and _PREPOSITIONS.isdisjoint(before[:2]))
            or words.label(near) in ('length', 'duration') or (behind[0] == 'in' and behind[1] in _LENGTHS)
            or (near == 'of' and not (_LENGTHS | words.SEGMENTS | _VIDEO).isdisjoint(before)))


def _is_instant(time: Token, before: Sequence[str], behind: Sequence[str]) -> bool:
    """Whether the words and marks beside a time say that something happens then."""
    near = next((text for text in before if text not in words.HEDGES | _QUOTES), '\n')
    return (near in _PREPOSITIONS | _PARTICLES or near in UNITS or not near.isalpha() or bool(words.label(near))
            or behind[0] in _BEHIND_INSTANTS or before[:1] == ['around']
            or before[:2] == ['the', 'a']  # a los 5 segundos, in Spanish
            or (before[1:2] in ([], [','], [';'], ['.'], ['\n']) and not behind[0].isalpha())  # arrival 18 s
            or (time.clock and (not behind[0].isalpha() or before[:1] == ['a']))  # a 1:07, in Italian
            or (len(near) <= _SHORT and near not in words.AND))


def _is_beside(read: Sequence[Token], place: int) -> bool:
    """Whether a time is the length of the video, or an age: in the 60-second clip; the video is 60 s long."""
    before = [one.text for one in reversed(read[max(0, place - 8):place])]
    behind = [one.text for one in read[place + 1:place + 4]]
    if before[:1] and before[0] in _POSSESSIVES:  # in her 20s
        return True
    said = [text for text in takewhile(lambda text: text and text not in words.SENTENCE_END, before)
            if text not in words.HEDGES]
    if 'start' in map(words.label, behind):  # a clip of 5 s that starts at 9 s
        return False
    clause = [*takewhile(lambda text: text not in _BREAKS, said), *behind[:1]]
    if 'still' in clause or _is_read_off(said) or (  # 8:15 on her watch
            behind[:1] == ['on'] and not words.DISPLAYS.isdisjoint(behind)):
        return True
    return any(text in _VIDEO for text in behind[:1]) or (
        len(said) > 1 and said[0] in ('is', 'lasts', 'runs', 'of', 'only') and not _VIDEO.isdisjoint(said[1:4]))


def _is_read_off(said: Sequence[str]) -> bool:
    """Whether the words before a time, the nearest first, say that a clock shows it."""
    shown = list(takewhile(lambda text: text not in _BREAKS, said))
    return shown[:1] != [] and shown[0] in words.READING | words.SAYS and not words.CLOCKS.isdisjoint(shown)


def _clauses(read: Sequence[Token], one: int, other: int) -> tuple[list[str], list[str]]:
    """The words that say what happens at each of two places in the text, in order."""
    between = [token.text for token in read[one + 1:other]]
    leads = [next((place for place in range(time - 1, -1, -1) if read[place].text not in UNITS), time)
             for time in (one, other)]
    last = read[leads[0]].text if read[leads[0]].text == read[leads[1]].text else ''  # both at, or bei Sekunde
    while between and (between[-1] in UNITS or between[-1] == last):  # second 12, the same preposition
        del between[-1]
    begin = max((place + 1 for place in range(one) if read[place].text in words.SENTENCE_END), default=0)
    before = [token.text for token in read[begin:leads[0] if last else one]]
    behind = list(dropwhile(lambda text: text in _BREAKS, (token.text for token in read[other + 1:])))
    behind = list(takewhile(lambda text: text not in words.SENTENCE_END, behind))
    cut = len(between)  # 0:12 he sits; 0:15 he stands
    stops = [place for place, text in enumerate(between) if text in words.SENTENCE_END]
    if stops:
        cut = next((place for place in reversed(stops) if _says([*between[place:], *behind])), stops[0])
    elif _says(before) or not _says(behind):
        cut = next((place for place in reversed(range(len(between)))
                    if between[place] in _BREAKS and _says(between[place:])), 0 if _says(before) else cut)
    return [*before, *between[:cut]], [*between[cut:], *behind]


def _says(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if text in _PARTICLES or (
        text[:1].isalpha() and text not in _SAY_NOTHING and not text.endswith('ly'))]


def _end_alike(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two clauses say the same last, but for a particle or a reflexive pronoun: *picks it up*, *hangs up*."""
    one, other = _says(first), _says(second)
    while len(one) > 1 < len(other) and one[-1] == other[-1] and one[-1] in _PARTICLES | _REFLEXIVES:
        one.pop()
        other.pop()
    return one[-1:] == other[-1:]


def _are_counterparts(read: Sequence[Token], one: _Time, other: _Time) -> bool:
    """Whether something else is said of the second of two instants than of the first, and nothing that makes the
    earlier one an end or the later one a start."""
    first, second = _clauses(read, one.place, other.place)
    labels = [{words.label(text) for text in texts} & {'start', 'end'} for texts in (first, second)]
    earlier, later = labels if one.seconds < other.seconds else labels[::-1]
    if earlier == {'end'} or later == {'start'} or not _ORDER.isdisjoint(second) or _are_listed(read, one, other):
        return False
    nearest = next((token.text for token in reversed(read[:other.place]) if token.text not in words.HEDGES), '')
    between = {token.text for token in read[one.place:other.place]}
    is_range = 'from' in {token.text for token in read[:one.place]} and 'to' in between
    if (nearest in words.UNTIL or is_range) and one.seconds < other.seconds:
        return True
    new = [text for text in _says(second) if text not in first]
    subject = next((text for text in second if text not in _BREAKS), '')
    return bool(new) and (earlier != later or (
        not _end_alike(first, second) and subject not in ('a', 'an')))


def _are_listed(read: Sequence[Token], one: _Time, other: _Time) -> bool:
    """Whether two instants are told one after the other: At 3 s he sits, at 5 s he stands; person 1 comes at 3 s,
    person 2 goes at 5 s."""
    begin = max((place + 1 for place in range(one.place) if read[place].text in words.SENTENCE_END), default=0)
    between = [token.text for token in read[one.place + 1:other.place]]
    link = next((text for text in reversed(between) if text not in _PREPOSITIONS | words.HEDGES), '')
    leads = not _says([token.text for token in read[begin:one.place]])
    return (leads and link == ',' and words.SENTENCE_END.isdisjoint(between)) or any(
        thing in words.NUMBERED and not number for thing, number in pairwise(between))


def _with_length(read: Sequence[Token], point: _Time, length: _Time) -> list[tuple[float, float]]:
    """The window from an instant on, or up to it if it is an end: It stops at 40 s after 8 s of rain."""
    before = [token.text for token in read[max(0, length.place - 2):length.place]]
    offset = words.offset_role(read[length.place + 1:])
    labels = {words.label(token.text) for token in read}
    is_after = 'after' in {*before, *(token.text for token in read[point.place:length.place + 2])}
    is_end = 'end' in labels and 'start' not in labels
    if offset == 'length' or before[-1:] == ['another'] or not (offset or is_after or is_end):
        return [(point.seconds, point.seconds + length.seconds)]
    start = point.seconds - length.seconds
    ends = offset or 'end' in labels or point.place < length.place  # not: after 8 s of rain, he comes at 40 s
    return [(start, point.seconds)] if ends and start >= 0 else []
