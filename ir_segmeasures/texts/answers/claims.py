"""The windows of an answer that are meant: without what it denies, guesses, gives as an example or says again."""

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise, takewhile

from ir_segmeasures.texts.answers import words
from ir_segmeasures.texts.answers.polarity import without_taken_back
from ir_segmeasures.texts.answers.sentences import (
    AmbiguousError,
    StatedWindow,
    clause,
    sentence_after,
    sentence_before,
)
from ir_segmeasures.texts.answers.tokens import Token

__all__ = ['is_meant', 'meant_windows']

_STATING = words.ENDS | words.SEGMENTS | {'answer', 'are', 'happens', 'is', 'occurs', 'query'}
_LATER_ONES = {'afterwards', 'again', 'finally', 'later'}
_JUDGED = ('that', 'this', 'it', 'which')
_NOT_FLAWED = words.FILLERS | words.ENDS | words.AND  # what a verdict on the window can stand before
# Up to what a denial reaches: he never looks up while he writes from 3 to 5 s
_DENIABLE = words.CLAUSE_END | {'and', 'as', 'because', 'while'}
_CLAUSE = 3  # words that say what happens
_VERDICTS = words.ENDS | words.THOUGHT | {
    'action', 'event', 'it', 'match', 'moment', 'query', 'right', 'that', 'this', 'what'}
_ANY = frozenset(('a', 'any', 'find', 'found', 'here', 'in', 'once', 'one', 'see', 'seen', 'there'))  # not a single one
_LISTING = words.FILLERS | words.MARKS | words.LISTED | words.AND | words.ADDING | {'', '-', '.', 'from', words.BETWEEN}
_BARE = words.MARKS | words.LISTED | words.UNTIL | {'', '-', 'to'}
_UNSURE = frozenset(('bad', 'certain', 'entirely', 'exactly', 'fully', 'only', 'quite', 'sure'))  # Not sure: 3 - 5 s
_DISCARDED = ('discarded', 'dismissed', 'excluded', 'ignored', 'non-', 'rejected')
_OTHER_ONES = frozenset(('', 'fourth', 'other', 'others', 'rest', 'third'))
_RIGHT = frozenset(('answer', 'best', 'correct', 'match', 'one', 'right'))
_TURNS = frozenset(('but', 'however', 'yet'))
_AUXILIARIES = frozenset(f'{verb}{denial}' for verb in ('do', 'does', 'did') for denial in ('', "n't", 'n’t'))
_UNABLE = ('can', 'could')
_CLAUSES = frozenset((',', ';', 'but', 'while', 'whereas'))
_SET_ASIDE = words.MARKS | words.AND | words.FILLERS - {'at'} | {
    '', '-', 'earlier', 'i', 'my', 'out', 'previous', 'said', 'the', 'what'}
_DEGREES = frozenset(('all', 'just', 'only', 'so', 'very'))
_BEFORE_THAT = {(text, 'before') for text in ('it', 'that', 'this')}
_OF_OTHER = re.compile('which is (?:another|a different|not the) ')
_GIVING = frozenset(('describe', 'give', 'provide', 'send', 'share', 'upload'))
_REQUESTS = {('you', verb) for verb in ('can', 'could', 'would')} | {
    ('need', 'would'), ('need', "i'd")}  # Could you look from 0 to 10 s?


def meant_windows(read: Sequence[Token], windows: Iterable[StatedWindow]) -> list[StatedWindow]:
    """The windows that an answer stands by, of all windows in it.

    Raises:
        AmbiguousError: one or the other is stated, or only guesses are
    """
    stated = list(windows)
    if _are_captions(read, stated):
        return stated
    found = [window for window in stated if is_meant(read, window)]
    for one, other in pairwise(tuple(found)):
        if _restates(read, one, other):
            found.remove(one if read[one.last].unit == 60 else other)
    found = without_taken_back(read, found)
    if len(found) > 1:
        bounds = [window for window in found if _says_bounds(read, window)]
        adds = not words.ADDING.isdisjoint(token.text for token in read)
        for is_beside in (partial(_is_aside, adds=adds), _is_on_clock, partial(_is_rejected, stated=stated),
                          partial(_is_detail, bounds=bounds)):
            found = [window for window in found if not is_beside(read, window)] or found
    if len(found) > 1:
        found = _concluded(read, [window for window in found if not _is_guess(read, window)])
        is_choice = any(token.text in words.CHOICES for token in read)
        found = [window for window in found if _is_affirmed(read, window, is_choice)] or found
        if not found or (len(found) > 1 and any(token.text in words.CHOICES for token in read[:found[0].place])):
            raise AmbiguousError
    for window, following in pairwise(found):
        between = {token.text for token in read[window.last + 1:following.place]}
        if 'or' in between and between <= words.FILLERS | words.MARKS | words.MAYBE:
            raise AmbiguousError
    return _of_times(read, found)


def _is_verdict(said: Sequence[str]) -> bool:
    """Whether the words behind a window deny that it is the one: *no*, *not the event*, but not *nobody is there*."""
    return any(text in words.NONE | words.REFUSING or words.denies(text) for text in said) and (
        len(said) < _CLAUSE or not _VERDICTS.isdisjoint(said))


def _are_captions(read: Sequence[Token], windows: Sequence[StatedWindow]) -> bool:
    """Whether each of several windows leads a line that says in some words what is seen then, be it nobody."""
    if len(windows) < 2 or len({window[:2] for window in windows}) != len(windows) or any(
            _is_verdict(sentence_after(read, window.last)) for window in windows):
        return False
    before = (takewhile('\n'.__ne__, (read[place].text for place in range(window.place - 1, -1, -1)))
              for window in windows)
    return all(text in words.MARKS for texts in before for text in texts)


def is_meant(read: Sequence[Token], window: StatedWindow) -> bool:
    """Whether neither the clause of a window denies it, nor the sentence before it gives it as an example."""
    before, after = sentence_before(read, window.place), sentence_after(read, window.last)
    if (not words.SEARCHED.isdisjoint(before) or 'so' in after) and (  # I looked from 0 to 5 s and found nothing
            any(text in words.NONE or text in words.REFUSING or text == 'without' for text in after)
            or (not words.SEARCHED.isdisjoint(takewhile(':'.__ne__, before)) and any(
                words.denies(text) and following in _ANY for text, following in pairwise(after)))):
        return False
    next_one = window.last + len(after) + 2
    judged = read[next_one:next_one + 1] and sentence_after(read, next_one - 1)
    if judged and judged[0] in _JUDGED and len(judged) <= len(_JUDGED) and not words.NONE.isdisjoint(judged):
        return False  # it was 3 - 5 s. That is wrong.
    if not words.SEARCHED.isdisjoint(before) and judged and judged[0] in words.NONE and '' not in judged:
        return False  # I watched it from 0 to 60 s. No bicycle.
    verdict = list(takewhile(')'.__ne__, after[1:])) if after[:1] == ['('] else []
    if len(verdict) <= _CLAUSE and not words.NONE.isdisjoint(verdict) and not _VERDICTS.isdisjoint(verdict):
        return False  # 3 - 5 s (no match)
    if next((text for text in before if text not in words.FILLERS | words.MARKS), '') == 'outside':
        return False
    return (before[:2] != ['as', 'such'] and not _is_example(before)
            and words.REFUSING.isdisjoint(takewhile(lambda text: text not in _TURNS, before))
            and not _is_set_aside(read, window)
            and not ('which' in before and _OF_OTHER.search(' '.join(reversed(before))))
            and _REQUESTS.isdisjoint(pairwise(before))
            and not ('if' in before and not _GIVING.isdisjoint(before))  # if you describe 3 - 5 s
            and not _denies(read, window))


def _denies(read: Sequence[Token], window: StatedWindow) -> bool:
    """Whether the clause of a window denies it or says that it is wrong, not: he takes the wrong bus from 3 to 5 s."""
    if _has_denying_label(read, window):
        return True
    said = clause(read, window, _DENIABLE)
    denials = [text for text in said if text in words.NONE or words.denies(text)]
    if not words.FLAWS.issuperset(denials):
        return True
    near = read[max(0, window.place - len(said)):window.last + len(said) + 2] if denials else []
    return any(one.text in words.FLAWS and (not other.text.isalpha() or other.text in _NOT_FLAWED)
               for one, other in pairwise(near))


def _has_denying_label(read: Sequence[Token], window: StatedWindow) -> bool:
    """Whether a window is listed behind a label such as *Not relevant:* or *Rejected:*."""
    before = sentence_before(read, window.place)
    if ':' not in before:
        return False
    label = list(takewhile(lambda text: text not in _CLAUSES and text != '.', before[before.index(':') + 1:]))
    said = [text for text in reversed(label) if text not in words.MARKS]
    return 0 < len(said) <= _CLAUSE and (
        (said[0] == 'not' and _UNSURE.isdisjoint(said)) or (
        len(said) == 1 and (said[0] in words.FLAWS or said[0].startswith(_DISCARDED))))


def _is_example(before: Sequence[str]) -> bool:
    """Whether the words before a window give it as an example: *e.g. 3 - 5 s*; not *e.g. 3 - 5 s, the answer is*."""
    near = list(takewhile(';'.__ne__, before))
    if words.EXAMPLE.isdisjoint(near):
        return False
    said = near[:next((place for place, text in enumerate(near) if text in words.EXAMPLE), 0)]
    since = list(takewhile(bool, said))  # what has been said since the last number
    return len(since) == len(said) or not any(text in _STATING for text in since)


def _is_aside(read: Sequence[Token], window: StatedWindow, adds: bool) -> bool:
    """Whether a window stands in round brackets, or is said to be before the one that counts: He comes (30 s to 41 s)
    and sits from 41 s to 58 s; before that, from 0 to 30 s, he is away. Brackets count if the
    answer adds to its windows."""
    before = sentence_before(read, window.place)
    return (not adds and before.count('(') > before.count(')')) or (
        'also' not in before and _says_before_that(before))


def _says_before_that(before: Sequence[str]) -> bool:
    """Whether *before that* opens the clause before a window, not: *oil before that, 3 - 5 s*."""
    place = next((place for place, couple in enumerate(pairwise(before)) if couple in _BEFORE_THAT), None)
    return place is not None and before[place + 2:place + 3] in ([], *([text] for text in words.CLAUSE_EDGES))


def _said_before(read: Sequence[Token], window: StatedWindow) -> list[str]:
    """The words of the clause before a window, without what stands in brackets: *Ruling out 3 - 6 s (dark) and*."""
    depth, said = 0, []
    for text in sentence_before(read, window.place):
        depth = max(0, depth + (text == ')') - (text == '('))
        if not depth and text in words.CLAUSE_END:
            break
        if not depth:
            said.append(text)
    return said


def _is_set_aside(read: Sequence[Token], window: StatedWindow) -> bool:
    """Whether the window is the object of a verb of rejecting: *I discard 3 - 5 s*, not *he discards a card*."""
    said = _said_before(read, window)
    verb = next((place for place, text in enumerate(said) if text.startswith(words.REJECTS)), len(said))
    return verb < len(said) and all(
        text in _SET_ASIDE for text in said[:verb])


def _is_rejected(read: Sequence[Token], window: StatedWindow, stated: Iterable[StatedWindow]) -> bool:
    """Whether the last window of a sentence is denied in a clause behind it: At 3 - 5 s he waves, but it isn't he."""
    after = sentence_after(read, window.last)
    last = window.last + len(after)
    if _speaks_of_another(after):
        return False
    is_denied = any(text.startswith('else') or (not (following.endswith('ly') or following in _DEGREES) and (
        text == 'not' or (text.endswith(("n't", 'n’t')) and not text.startswith(_UNABLE))))
        for text, following in pairwise([*after[:_new_predicate(after)], '.']))
    return is_denied and not any(window.last < other.place <= last for other in stated) and words.ADDING.isdisjoint(
        token.text for token in read[last:])


def _speaks_of_another(after: Sequence[str]) -> bool:
    """Whether the clause that denies something has a subject with a number, or another: ..., chef #3 doesn't sit."""
    denial = next((place for place, text in enumerate(after) if words.denies(text)), 0)
    subject = list(takewhile(lambda text: text not in _CLAUSES, reversed(after[:denial])))
    begin = denial - len(subject) - 1
    return begin >= 0 and after[begin] in (',', ';') and not _OTHER_ONES.isdisjoint(subject)


def _new_predicate(after: Sequence[str]) -> int:
    """The place from which something else is said of the same subject: he waits from 3 to 5 s and does not speak."""
    return next((place for place, (link, verb) in enumerate(pairwise(after))
                 if link in words.AND and verb in _AUXILIARIES), len(after))


def _is_on_clock(read: Sequence[Token], window: StatedWindow) -> bool:
    """Whether the clause of a window says that it is read off a clock, or is in another time than the video's."""
    said = clause(read, window, _CLAUSES)
    other_times = ((one, other) for one, other in pairwise(said) if not {'time', 'times'}.isdisjoint((one, other)))
    return read[window.place].clock and (not words.CLOCKS.isdisjoint(said) or any(
        not words.OTHER_TIMES.isdisjoint(couple) for couple in other_times))


def _is_affirmed(read: Sequence[Token], window: StatedWindow, is_choice: bool) -> bool:
    """Whether the words behind a window say that it is the one of a choice, or the best: *B (3 - 5 s) is correct*."""
    after = [text for text in sentence_after(read, window.last) if text not in words.MARKS | words.HEDGES]
    verdict = after[1:3] if after[:1] in (['is'], ['was']) else []
    if not is_choice:
        return verdict[:1] == ['best']
    return after[:1] in (['matches'], ['fits']) or (not _RIGHT.isdisjoint(verdict) and 'not' not in verdict)


def _is_detail(read: Sequence[Token], window: StatedWindow, bounds: Iterable[StatedWindow]) -> bool:
    """Whether a window is a part of an earlier one, of which start and end are said: The start time is 5 s and the end
    time is 9 s. He falls at 6 - 8 s."""
    return any(one.last < window.place and one.start <= window.start and window.end <= one.end
               for one in bounds) and not _says_start(read, window)


def _says_bounds(read: Sequence[Token], window: StatedWindow) -> bool:
    return _says_start(read, window) and 'end' in (
        words.label(token.text) for token in read[window.place:window.last])


def _says_start(read: Sequence[Token], window: StatedWindow) -> bool:
    return 'start' in map(words.label, sentence_before(read, window.place))


def _is_guess(read: Sequence[Token], window: StatedWindow) -> bool:
    """Whether a window is asked about, or is said to be less than another."""
    before = sentence_before(read, window.place)
    after = window.last + 1 + len(sentence_after(read, window.last))
    said = set(clause(read, window, words.CLAUSE_END - {':'}))
    if 'other' not in before:  # 3 - 5 s: they hug each other
        said -= {'other'}
    if not {'also', 'one', 'two'}.isdisjoint([*said, *before]):
        said -= {'earlier', 'other'}  # one is at 3 - 5 s and the other at 8 - 9 s
    if words.THOUGHT.isdisjoint(said):
        said -= {'initially', 'previously'}  # initially he stands from 3 to 5 s
        if 'earlier' in said and not _LATER_ONES.isdisjoint(token.text for token in read):
            said -= {'earlier'}  # the earlier one is at 3 - 5 s, the later one at 8 - 9 s
    elif 'first' in said:  # at first I had 3 to 5 s in mind
        return True
    return (after < len(read) and read[after].text == '?') or not words.LESSER.isdisjoint(said)


def _restates(read: Sequence[Token], one: StatedWindow, other: StatedWindow) -> bool:
    """Whether a window says another one again, rounded or in minutes, or stands twice in a list: 80.2-95.4 s
    (1:20-1:35); [[3, 5], [3, 5]]."""
    between = {token.text for token in read[one.last + 1:other.place]}
    if one[:2] == other[:2] and between <= words.MARKS | {','}:
        return True
    return (abs(one.start - other.start) < 1 and abs(one.end - other.end) < 1
            and not between.isdisjoint(words.RESTATING)
            and between <= words.RESTATING | words.FILLERS | words.MARKS | {','})


def _concluded(read: Sequence[Token], windows: list[StatedWindow]) -> list[StatedWindow]:
    """The last windows if these have been stated before: At 0-5 s, a man; at 5-9 s, a dog. So the dog is at 5-9 s. Not
    of a bare list."""
    if windows and all(token.text in _BARE for token in read[windows[0].place:windows[-1].last]):
        return windows
    stated = [(window.start, window.end) for window in windows]
    place = len(stated)
    while place and stated[place - 1] in stated[:place - 1]:
        place -= 1
    return windows[place:] or windows


def _of_times(read: Sequence[Token], windows: Sequence[StatedWindow]) -> list[StatedWindow]:
    """The windows without ranges of bare numbers, such as a score of 3 - 1, where others have units, unless they are
    listed with these: 3-5, 8-10 s."""
    if len(windows) < 2 or not any(window.timed for window in windows):
        return list(windows)
    found: list[StatedWindow] = []
    chain: list[StatedWindow] = []
    for window, following in zip(windows, [*windows[1:], None]):
        chain.append(window)
        if following is None or not {token.text for token in read[window.last + 1:following.place]} <= _LISTING:
            found += [one for one in chain if one.timed] if any(read[one.place].clock for one in chain) else (
                chain if any(one.timed for one in chain) else [])
            chain = []
    return found
