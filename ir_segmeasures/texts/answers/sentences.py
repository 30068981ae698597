"""Numbers and windows in an answer, and the words of the sentence around them."""

from collections.abc import Collection, Sequence
from itertools import dropwhile, takewhile
from typing import NamedTuple

from ir_segmeasures.texts.answers import words
from ir_segmeasures.texts.answers.tokens import Token

__all__ = ['AmbiguousError', 'SaidNumber', 'StatedWindow', 'clause', 'sentence_after', 'sentence_before', 'word_before',
           'word_behind']

_SENTENCE = 60  # tokens that are looked at before a window


class SaidNumber(NamedTuple):
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


class StatedWindow(NamedTuple):
    """A window that is stated from the token at ``place`` to that at ``last``, with a unit or as clock times if it is
    ``timed``."""
    start: float
    end: float
    place: int
    last: int
    timed: bool = True


class AmbiguousError(Exception):
    """An answer can be taken in two ways."""


def word_behind(read: Sequence[Token], number: SaidNumber) -> str:
    return read[number.place + 1].text if number.place + 1 < len(read) else ''


def word_before(read: Sequence[Token], number: SaidNumber) -> str:
    return read[number.place - 1].text if number.place else '\n'


def sentence_before(read: Sequence[Token], place: int) -> list[str]:
    """The words and marks of the same sentence before a place, the nearest first."""
    before: list[str] = []
    for token in reversed(read[max(0, place - _SENTENCE):place]):
        if token.text in words.SENTENCE_END and (token.text != '\n' or before[-1:] != [':']):
            break
        before.append(token.text)
    return before


def sentence_after(read: Sequence[Token], place: int) -> list[str]:
    """The words and marks of the same sentence behind a place."""
    after: list[str] = []
    for token in read[place + 1:place + _SENTENCE]:
        if token.text in words.SENTENCE_END:
            break
        after.append(token.text)
    return after


def clause(read: Sequence[Token], window: StatedWindow, ends: Collection[str] = words.CLAUSE_END) -> list[str]:
    """The words and marks around a window, up to marks and words that end a clause."""
    before, after = sentence_before(read, window.place), sentence_after(read, window.last)
    return [*takewhile(lambda text: text not in ends and text != ')', before),
            *takewhile(lambda text: text not in ends and text != '(',
                       dropwhile((words.MARKS - words.OPENING).__contains__, after))]
