"""Chunks compared with a text by letters and digits alone: whole chunks, or the largest part that the text has."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ir_segmeasures.texts.locating.normalisation import letter_form
from ir_segmeasures.texts.locating.occurrences import all_occurrences

__all__ = ['LetterText', 'Part']

Span = tuple[int, int]

_GRAM, _STRIDE, _FREQUENT = 16, 8, 64  # letters in a row that begin a block; places of one of them at most
_BLOCKS = 200  # that are put together, at most
_WHOLE, _LEAST = 8, 40  # letters at least of a chunk that is found by them, and of a part
_THIN = 6  # characters of a chunk of which one at least is a letter
_GAP = 200  # letters between two blocks of a part, at most
_MARKS = 8  # letters between a part and the rest of a chunk beside it, at most
_PARTS = 8  # that are compared, at most
_SIGNS = 16  # beside a part that are compared, at most
_SIGNS_BEFORE = re.compile(r'^[^\w\s]+\s+')


class Part(NamedTuple):
    """A part of a chunk that a text has.

    Attributes:
        place: (start, end) in the text
        size: how many letters and digits the two have in common
        added: the stretches of the chunk that the place lacks
    """
    place: Span
    size: int
    added: tuple[str, ...]


class _Block(NamedTuple):
    """Letters that a chunk and a text have in common: ``length`` of them, from ``start`` and from ``place``."""
    start: int
    place: int
    length: int


class LetterText:
    """The letters and digits of a text, by which chunks with other punctuation, markup or additions are found.

    Attributes:
        original: the text
        letters: its letters and digits, with their places in the text
    """

    def __init__(self, text: str):
        self.original, self.letters = text, letter_form(text)

    @cached_property
    def _grams(self) -> dict[str, list[int]]:
        grams: dict[str, list[int]] = {}
        text = self.letters.text
        for place in range(0, len(text) - _GRAM + 1, _STRIDE):
            grams.setdefault(text[place:place + _GRAM], []).append(place)
        return grams

    def places(self, chunk: LetterText) -> list[Span]:
        """All places in the text with the letters of a chunk, and the punctuation around them that both have.

        None of a chunk with fewer than eight letters, or in which less than one character in six is a letter.
        """
        length = len(chunk.letters.text)
        if length < max(_WHOLE, sum(map(len, chunk.original.split())) // _THIN):
            return []
        return [self._around(self.span(start, start + length), chunk.original, *chunk.span(0, length))
                for start in all_occurrences(chunk.letters.text, self.letters.text)]

    def span(self, start: int, end: int) -> Span:
        """The place in the text of its letters from ``start`` to ``end``."""
        return int(self.letters.starts[start]), int(self.letters.ends[end - 1])

    def around(self, chunk: LetterText, place: int, length: int) -> Span:
        """The place in the text of so many letters of a chunk, and of those around them that both have: chunks overlap
        with their neighbours."""
        letters = chunk.letters.text
        start = letters.rfind(self.letters.text[place:place + length])
        block = _whole_words([_maximal(start, place, letters, self.letters.text)], chunk)[0]
        begin, end = min(block.place, place), max(block.place + block.length, place + length)
        first, last = chunk.span(start - place + begin, start - place + end)
        return self._around(self.span(begin, end), chunk.original, first, last)

    def letters_before(self, place: int) -> int:
        """How many letters stand before a place of the text."""
        return int(np.searchsorted(self.letters.starts, place))

    def parts(self, chunk: LetterText, share: float) -> list[Part]:
        """The largest parts of a chunk in the text: several if they have as many letters, to one in fifty.

        A part is made of blocks that both have, in the same order, and of up to 200 letters that one of them has
        between two blocks. It has 40 letters and ``share`` of the chunk's at least.
        """
        letters = chunk.letters.text
        blocks = self._blocks(letters)
        found: list[Part] = []
        for _ in range(_PARTS):
            chain = self._with_ends(_chain(blocks), letters) if blocks else []
            blocks = [block for block in blocks if block not in chain]
            chain = _whole_words(chain, chunk)
            size = sum(block.length for block in chain)
            if size < max(_LEAST, share * len(letters), *(0.98 * part.size for part in found)):
                break
            found = [part for part in found if part.size >= 0.98 * size]
            start, place, length = chain[0]
            same = all_occurrences(letters[start:start + length], self.letters.text) if len(chain) == 1 else [place]
            parts = [self._part(chunk, [_Block(start, other, length), *chain[1:]], size) for other in same]
            found += [part for part in parts if not any(_overlap(part.place, other.place) for other in found)]
        return found

    def _blocks(self, letters: str) -> list[_Block]:
        """The longest blocks that the text has in common with other letters, the longest first."""
        reached: dict[int, int] = {}  # place - start → end of the last block
        blocks = []
        for start in range(len(letters) - _GRAM + 1):
            places = self._grams.get(letters[start:start + _GRAM], ())
            for place in places if len(places) <= _FREQUENT else ():
                if start >= reached.get(place - start, 0):
                    blocks.append(_maximal(start, place, letters, self.letters.text))
                    reached[place - start] = blocks[-1].start + blocks[-1].length
        return sorted(set(blocks), key=lambda block: (-block.length, block))[:_BLOCKS]

    def _with_ends(self, chain: list[_Block], letters: str) -> list[_Block]:
        """The chain with the rest of a chunk before and behind it, if the text has it there."""
        text, first, last = self.letters.text, chain[0], chain[-1]
        if first.start:
            place = text.rfind(letters[:first.start], max(0, first.place - first.start - _MARKS), first.place)
            chain = [_Block(0, place, first.start)] * (place >= 0) + chain
        end = last.start + last.length
        if end < len(letters):
            stop = last.place + last.length
            place = text.find(letters[end:], stop, stop + len(letters) - end + _MARKS)
            chain = chain + [_Block(end, place, len(letters) - end)] * (place >= 0)
        return chain

    def _part(self, chunk: LetterText, chain: list[_Block], size: int) -> Part:
        starts = [int(chunk.letters.starts[block.start]) for block in chain]
        ends = [int(chunk.letters.ends[block.start + block.length - 1]) for block in chain]
        added = [_SIGNS_BEFORE.sub('', stretch) for end, start in zip([0, *ends], [*starts, len(chunk.original)])
                 if any(map(str.isalnum, stretch := chunk.original[end:start].strip()))]
        place = self.span(chain[0].place, chain[-1].place + chain[-1].length)
        return Part(self._around(place, chunk.original, starts[0], ends[-1]), size, tuple(added))

    def _around(self, place: Span, chunk: str, first: int, last: int) -> Span:
        """A place with the signs around it that a chunk has around its part from ``first`` to ``last``."""
        (start, end), text = place, self.original
        before, behind = chunk[max(0, first - _SIGNS):first], chunk[last:last + _SIGNS]
        return (start - _common_signs(reversed(before), text[max(0, start - _SIGNS):start][::-1]),
                end + _common_signs(behind, text[end:end + _SIGNS]))


def _common_signs(chunk: Iterable[str], text: str) -> int:
    """How many characters of a text are punctuation that a chunk has too, maybe with other signs between: ``*.``."""
    signs = next((text[:at] for at, letter in enumerate(text) if letter.isalnum() or letter.isspace()), text)
    count = 0
    for sign in chunk:
        at = signs.find(sign, count)
        if sign.isalnum() or (at < 0 and not sign.isspace()):
            break
        count = max(count, at + 1)
    return count


def _whole_words(chain: list[_Block], chunk: LetterText) -> list[_Block]:
    """A chain without letters of its first and last words of which the chunk has more: these are there by chance."""
    if not chain:
        return []
    letters, text = chunk.letters, chunk.original
    first, last = chain[0], chain[-1]
    before = next((count for count in range(first.length) if not first.start + count or not text[
        letters.starts[first.start + count] - 1].isalnum()), 0)
    end = last.start + last.length
    behind = next((count for count in range(last.length) if end - count == len(letters.text) or not text[
        letters.ends[end - count - 1]].isalnum()), 0)
    chain = [_cut(first, before, 0), *chain[1:]]
    return [*chain[:-1], _cut(chain[-1], 0, behind)]


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _maximal(start: int, place: int, chunk: str, text: str) -> _Block:
    """The block with all equal letters before and behind two places."""
    most = min(start, place)
    before = _common(chunk[start - most:start][::-1], text[place - most:place][::-1])
    behind = _common(chunk[start:], text[place:place + len(chunk) - start])
    return _Block(start - before, place - before, before + behind)


def _common(first: str, second: str) -> int:
    """How many characters two texts have in common at their beginnings, by bisection."""
    return bisect_left(range(1, min(len(first), len(second)) + 1), True,
                       key=lambda length: first[:length] != second[:length])


def _chain(blocks: list[_Block]) -> list[_Block]:
    """The longest block, with the nearest ones before and behind it in both chunk and text, and so on.

    Where a block overlaps with the chain, the chain has the letters.
    """
    chain = [blocks[0]]
    while True:
        last, first = chain[-1], chain[0]
        behind = [_cut(block, max(last.start + last.length - block.start, last.place + last.length - block.place), 0)
                  for block in blocks if block.start > last.start and block.place > last.place]
        before = [_cut(block, 0, max(block.start + block.length - first.start,
                                     block.place + block.length - first.place))
                  for block in blocks if block.start < first.start and block.place < first.place]
        near_behind = [block for block in behind if _is_near(last, block)]
        near_before = [block for block in before if _is_near(block, first)]
        if not near_behind and not near_before:
            return chain
        near_before.sort(key=lambda block: block.start + block.length)
        chain = [*near_before[-1:], *chain, *sorted(near_behind)[:1]]


def _is_near(before: _Block, behind: _Block) -> bool:
    """Tells whether two blocks, of which one may have been cut, belong to one part."""
    gap = max(behind.start - before.start - before.length, behind.place - before.place - before.length)
    shorter = min(before.length, behind.length)
    return shorter >= _GRAM and gap <= min(_GAP, shorter)


def _cut(block: _Block, before: int, behind: int) -> _Block:
    """A block without so many of its first and last letters."""
    before, behind = max(0, before), max(0, behind)
    return _Block(block.start + before, block.place + before, block.length - before - behind)
