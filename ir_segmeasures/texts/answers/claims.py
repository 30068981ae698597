"""The windows of an answer that are meant: without what it denies, guesses, gives as an example or says again."""

from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile

from ir_segmeasures.texts.answers import words
from ir_segmeasures.texts.answers.sentences import (
    AmbiguousError,
    StatedWindow,
    clause,
    sentence_after,
    sentence_before,
)
from ir_segmeasures.texts.answers.tokens import Token

__all__ = ['is_meant', 'meant_windows']

_BEFORE_THAT = {(text, 'before') for text in ('it', 'that', 'this')}
_REQUESTS = {('you', verb) for verb in ('can', 'could', 'if', 'would')} | {
    ('need', 'would'), ('need', "i'd")}  # Could you look from 0 to 10 s?


def meant_windows(read: Sequence[Token], windows: Iterable[StatedWindow]) -> list[StatedWindow]:
    """The windows that an answer stands by, of all windows in it.

    Raises:
        AmbiguousError: one or the other is stated, or only guesses are
    """
    found = [window for window in windows if is_meant(read, window)]
    for one, other in pairwise(tuple(found)):
        if _restates(read, one, other):
            found.remove(one if read[one.last].unit == 60 else other)
    found = [window for window in found if not _is_aside(read, window)] or found
    if len(found) > 1:
        found = _concluded([window for window in found if not _is_guess(read, window)])
        if not found or (len(found) > 1 and any(token.text in words.CHOICES for token in read[:found[0].place])):
            raise AmbiguousError
    for window, following in pairwise(found):
        between = {token.text for token in read[window.last + 1:following.place]}
        if 'or' in between and between <= words.FILLERS | words.MARKS | words.MAYBE:
            raise AmbiguousError
    return _of_times(read, found)


def is_meant(read: Sequence[Token], window: StatedWindow) -> bool:
    """Whether neither the clause of a window denies it, nor the sentence before it gives it as an example."""
    before, after = sentence_before(read, window.place), sentence_after(read, window.last)
    if (not words.SEARCHED.isdisjoint(before) or 'so' in after) and (  # I looked from 0 to 5 s and found nothing
            any(text in words.NONE or text in words.REFUSING or text == 'without' for text in after)):
        return False
    if next((text for text in before if text not in words.FILLERS | words.MARKS), '') == 'outside':
        return False
    return (before[:2] != ['as', 'such'] and words.EXAMPLE.isdisjoint(takewhile(';'.__ne__, before))
            and words.REFUSING.isdisjoint(takewhile('but'.__ne__, before))
            and _REQUESTS.isdisjoint(pairwise(before))
            and not any(text in words.NONE or words.denies(text) for text in clause(read, window)))


def _is_aside(read: Sequence[Token], window: StatedWindow) -> bool:
    """Whether a window stands in round brackets, or is said to be before the one that counts: He comes (30 s to 41 s)
    and sits from 41 s to 58 s; before that, from 0 to 30 s, he is away."""
    before = sentence_before(read, window.place)
    return before.count('(') > before.count(')') or (
        'also' not in before and not _BEFORE_THAT.isdisjoint(pairwise(before)))


def _is_guess(read: Sequence[Token], window: StatedWindow) -> bool:
    """Whether a window is asked about, or is said to be less than another."""
    after = window.last + 1 + len(sentence_after(read, window.last))
    said = set(clause(read, window, words.CLAUSE_END - {':'}))
    if not {'also', 'one'}.isdisjoint(said):  # the first one is at 3 - 5 s and the other one at 8 - 9 s
        said -= {'earlier', 'other'}
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


def _concluded(windows: list[StatedWindow]) -> list[StatedWindow]:
    """The last windows if these have been stated before: At 0-5 s, a man; at 5-9 s, a dog. So the dog is at 5-9 s."""
    stated = [(window.start, window.end) for window in windows]
    place = len(stated)
    while place and stated[place - 1] in stated[:place - 1]:
        place -= 1
    return windows[place:] or windows


def _of_times(read: Sequence[Token], windows: Sequence[StatedWindow]) -> list[StatedWindow]:
    """The windows without ranges of bare numbers, such as a score of 3 - 1, where others have units, unless they are
    listed with these: 3-5, 8-10 s."""
    if not any(window.timed for window in windows):
        return list(windows)
    listed = words.FILLERS | words.MARKS | words.LISTED | words.AND | {'', '-', '.', 'from', words.BETWEEN}
    found: list[StatedWindow] = []
    chain: list[StatedWindow] = []
    for window, following in zip(windows, [*windows[1:], None]):
        chain.append(window)
        if following is None or not {token.text for token in read[window.last + 1:following.place]} <= listed:
            found += chain if any(window.timed for window in chain) else []
            chain = []
    return found
