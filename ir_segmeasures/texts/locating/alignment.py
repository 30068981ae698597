"""Chunks aligned with a text by letters and digits alone: whole chunks, or their largest part that the text has."""

from bisect import bisect_left
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from ir_segmeasures.texts.locating.normalisation import DASH, NormalForm, TracedText, letter_form, normal_form
from ir_segmeasures.texts.locating.occurrences import Occurrences

__all__ = ['LetterText', 'Part']

Span = tuple[int, int]

_WHOLE = 8  # letters at least of what is found whatever is between its letters
_THIN = 6  # of so many characters one is a letter, at least: the blanks of a form tell its order
_LEAST, _SHARE = 40, 5  # letters of a part, and of the chunk one in so many
_WORDS = 8  # of a part at least: two long ones stay side by side by chance where words were shuffled
_CLOSE = 0.5  # of the largest part's letters
_GAP = 32  # letters between two blocks of one part, at most
_INSERTED = 400  # letters between two blocks on one side, such as a header of a page, at most
_MARKS = 8  # letters of footnote marks and the like between two blocks, at most
_CITATION = 48  # letters of a citation, a link and the like between two blocks, at most
_NEXT = 12  # letters behind a citation that are compared
_BLOCKS = 200  # that are put together, at most
_SIGNS = 16  # between letters, at most
_OPENING, _CLOSING = '([{<#*$\u20ac\u00a3', '.,;:!?)]}>'
_WORD = 16  # letters of a part of a word, at most
_UNSPACED = '\u0e00'  # From Thai on, many scripts have no blanks between words.


class Part(NamedTuple):
    """A part of a chunk that a text has.

    Attributes:
        start, end: its place in the normal form of the text
        blocks: (start, end) in the chunk, of what the two have in common, in order
        size: how many letters and digits they have in common
        foreign: how many others the text has between these
    """
    start: int
    end: int
    blocks: list[Span]
    size: int
    foreign: int


class _Block(NamedTuple):
    """Letters that a chunk and a text have in common: ``length`` of them, from ``start`` and from ``place``."""
    start: int
    place: int
    length: int


class LetterText:
    """The letters and digits of a text, by which chunks with other punctuation, markup or additions are found.

    Attributes:
        form: the normal form of the text
        letters: its letters and digits, which stand for characters of the normal form
    """

    def __init__(self, form: NormalForm):
        self.form = form
        self.letters = letter_form(form)
        self._occurrences = Occurrences(self.letters.text)

    def parts(self, chunk: str) -> list[Part]:
        """The places of a chunk's letters, and of its largest parts.

        A part has eight words, 40 letters and a fifth of all letters at least. Between its blocks, up to 32 letters may
        be missing on either side, and half as many as the blocks have, or more where one side has all letters of the
        other and up to eight more; on one side alone up to 400, and twice as many as the blocks have: a header of a
        page, a link. Parts with half of the largest one's letters are returned, too.
        """
        form = normal_form(chunk)
        letters = letter_form(form)
        length = len(letters.text)
        visible = sum(map(len, chunk.split()))
        whole = self._occurrences.places(letters.text) if length >= max(_WHOLE, visible // _THIN) else []
        chains = {_Block(0, place, length): [_Block(0, place, length)] for place in whole}
        blocks = self._blocks(letters.text)
        for chain in _chains(blocks, max(_LEAST, length // _SHARE), letters.text, self.letters.text):
            chains.setdefault(chain[0], self._by_words(chain, form, letters))
        most = max(map(_size, chains.values()), default=0)
        parts = [self._part(chain, form, letters) for chain in chains.values() if _size(chain) >= _CLOSE * most]
        return [part for part in parts
                if whole or sum(_words(chunk[start:end]) for start, end in part.blocks) >= _WORDS]

    def parts_between(self, chunks: list[str], first: int, last: int) -> list[Part] | None:
        """The parts of chunks that have, one after the other, the text's letters from ``first`` to ``last``.

        None if letters are left, or if a chunk has fewer than eight and they are not its first or last ones.
        """
        parts = []
        for chunk in chunks:
            form = normal_form(chunk)
            letters = letter_form(form)
            length = _longest(self.letters.text[first:last], letters.text)
            found = self.letters.text[first:first + length]
            if not found or not (length >= _WHOLE or letters.text.startswith(found) or letters.text.endswith(found)):
                return None
            start = letters.text.rfind(found)
            # Chunks overlap with their neighbours.
            block = _maximal(_Block(start, first, length), letters.text, self.letters.text)
            parts.append(self._part(self._by_words([block], form, letters), form, letters))
            first += length
        return parts if first == last else None

    def _blocks(self, letters: str) -> list[_Block]:
        text = self.letters.text
        reached: dict[int, int] = {}  # place - start → end of the last block
        blocks = []
        for start, place in self._occurrences.seeds(letters):
            if start < reached.get(place - start, 0):
                continue
            blocks.append(_maximal(_Block(start, place, 0), letters, text))
            reached[place - start] = blocks[-1].start + blocks[-1].length
        found = dict.fromkeys(sorted(blocks, key=lambda block: -block.length)[:_BLOCKS])
        for block in tuple(found):
            for step in (1, -1):
                following = _behind_marks(block, letters, text, step)
                while following is not None and following not in found:
                    found[following] = None
                    following = _behind_marks(following, letters, text, step)
        return sorted(found, key=lambda block: block.place)

    def _by_words(self, chain: list[_Block], form: NormalForm, letters: TracedText) -> list[_Block]:
        """The chain without parts of words at its ends."""
        first, here, there = chain[0], (form, letters), (self.form, self.letters)
        skipped = _in_word(there, first.place, here, first.start, 1)
        if skipped < first.length:
            chain[0] = _Block(first.start + skipped, first.place + skipped, first.length - skipped)
        last = chain[-1]
        skipped = _in_word(there, last.place + last.length, here, last.start + last.length, -1)
        if skipped < last.length:
            chain[-1] = last._replace(length=last.length - skipped)
        return chain

    def _part(self, chain: list[_Block], form: NormalForm, letters: TracedText) -> Part:
        """The part that a chain of blocks is, with the punctuation around it that both have."""
        text, chunk, there = self.form.text, form.text, self.letters
        first, last = chain[0].place, chain[-1].place + chain[-1].length
        bounds = [(block.start, block.start + block.length) for block in chain]
        head, tail = letters.text[:bounds[0][0]][::-1], letters.text[bounds[-1][1]:]
        before = _reached_beside(head, there.text[max(0, first - 2 * len(head)):first][::-1])
        behind = _reached_beside(tail, there.text[last:last + 2 * len(tail)])
        size = _size(chain)
        if before:
            first, bounds[0], size = first - before, (0, bounds[0][1]), size + len(head)
        if behind:
            last, bounds[-1], size = last + behind, (bounds[-1][0], len(letters.text)), size + len(tail)
        start, end = int(there.starts[first]), int(there.ends[last - 1])
        blocks = [(int(letters.starts[begin]), int(letters.ends[stop - 1])) for begin, stop in bounds]
        begin, stop = blocks[0][0], blocks[-1][1]
        opening = _signs(reversed(text[max(0, start - _SIGNS):start]), chunk[:begin][::-1], _CLOSING)
        closing = _signs(text[end:end + _SIGNS], chunk[stop:], _OPENING)
        blocks[0] = begin - opening[1], blocks[0][1]
        blocks[-1] = blocks[-1][0], stop + closing[1]
        return Part(start - opening[0], end + closing[0],
                    [(int(form.starts[begin]), int(form.ends[stop - 1])) for begin, stop in blocks],
                    size, max(0, last - first - size))


def _size(chain: list[_Block]) -> int:
    """How many letters the blocks of a chain have; those that overlap count once."""
    return sum(block.length for block in chain) - sum(_overlap(*pair) for pair in pairwise(chain))


def _words(text: str) -> int:
    """How many words a text has; in scripts without blanks, each letter is one."""
    return len(text.split()) + sum(letter >= _UNSPACED for letter in text)


def _longest(text: str, chunk: str) -> int:
    """How many characters from the beginning of a text stand in a chunk, by bisection."""
    return bisect_left(range(1, min(len(text), len(chunk)) + 1), True, key=lambda length: text[:length] not in chunk)


def _maximal(block: _Block, chunk: str, text: str) -> _Block:
    """The block with all equal letters before and behind it."""
    start, place, length = block
    most = min(start, place)
    before = _common(chunk[start - most:start][::-1], text[place - most:place][::-1])
    behind = _common(chunk[start + length:], text[place + length:place + len(chunk) - start])
    return _Block(start - before, place - before, before + length + behind)


def _behind_marks(block: _Block, chunk: str, text: str, step: int) -> _Block | None:
    """The block behind (``step`` 1) or before (-1) a block, with a few more letters between them on one side."""
    size = _CITATION + _NEXT
    if step == 1:
        here, there = block.start + block.length, block.place + block.length
        rest, text_rest = chunk[here:here + size], text[there:there + size]
    else:
        here, there = block.start, block.place
        rest, text_rest = chunk[max(0, here - size):here][::-1], text[max(0, there - size):there][::-1]
    found = _near_marks(rest, text_rest) or _far_marks(rest, text_rest)
    if found is None:
        return None
    return _maximal(_Block(here + step * found[0], there + step * found[1], 0), chunk, text)


def _near_marks(rest: str, text_rest: str) -> Span | None:
    """How many letters chunk and text have before they go on alike: up to eight on one side, none on the other."""
    whole = rest[:_WHOLE]
    other = text_rest.find(whole, 1, _MARKS + len(whole)) if len(whole) >= _WHOLE // 2 else -1
    for skipped in range(1, min(_MARKS if other < 0 else other - 1, len(rest) - _WHOLE // 2) + 1):
        if text_rest.startswith(rest[skipped:skipped + _WHOLE]):
            return skipped, 0
    return (0, other) if other > 0 else None


def _far_marks(rest: str, text_rest: str) -> Span | None:
    """The numbers of letters as ``_near_marks`` has them, more than eight on one side."""
    if min(len(rest), len(text_rest)) < _NEXT:
        return None
    other = text_rest.find(rest[:_NEXT])
    skipped = rest.find(text_rest[:_NEXT])
    return (0, other) if other > 0 else (skipped, 0) if skipped > 0 else None


def _common(first: str, second: str) -> int:
    """How many characters two texts have in common at their beginnings, by bisection."""
    return bisect_left(range(1, min(len(first), len(second)) + 1), True,
                       key=lambda length: first[:length] != second[:length])


def _signs(text: Iterable[str], chunk: str, foreign: str) -> tuple[int, int]:
    """How many characters the punctuation is long that a chunk has, in the text and in the chunk.

    The text may have more: ``**.`` for ``.``. If the chunk goes on with letters, ``foreign`` signs belong to these.
    """
    here = there = 0
    if not any(map(str.isalnum, chunk)):
        foreign = ''
    for number, character in enumerate(text, 1):
        wanted = chunk[there:there + 1]
        if character.isalnum() or wanted.isalnum() or not wanted.strip() or wanted in foreign:
            break
        if character == wanted:
            here, there = number, there + 1
    return here, there


def _in_word(text: tuple[NormalForm, TracedText], place: int, chunk: tuple[NormalForm, TracedText], start: int,
             step: int) -> int:
    """How many letters from this place on belong to a word of which text and chunk have only these in common."""
    letters = text[1].text
    if not 0 < place < len(letters) or letters[place] >= _UNSPACED:
        return 0
    return next((count for count in range(_WORD)
                 if _begins_word(*text, place + count * step) or _begins_word(*chunk, start + count * step)), 0)


def _begins_word(form: NormalForm, letters: TracedText, number: int) -> bool:
    """Whether something is between a letter and the one before it."""
    if not 0 < number < len(letters.text):
        return True
    return bool(letters.starts[number] > letters.ends[number - 1] or form.dashes[letters.starts[number]] == DASH)


def _chains(blocks: list[_Block], least: int, chunk: str, text: str) -> list[list[_Block]]:
    """Chains of blocks in the order of chunk and text, the ones with the most letters first.

    Each block is in one of them. Chains with fewer letters than ``least`` are left out.

    Args:
        blocks: by their places in the text
        least: letters of a chain
        chunk, text: the letters of which the blocks are made
    """
    sizes: list[int] = []
    before: list[int | None] = []
    reach = _INSERTED + max((block.length for block in blocks), default=0)
    for number, block in enumerate(blocks):
        size, previous = block.length, None
        for other in range(number - 1, -1, -1):
            if blocks[other].place + reach < block.place:
                break
            joined = sizes[other] + block.length - _overlap(blocks[other], block)
            if joined > size and _follows(blocks[other], block, chunk, text):
                size, previous = joined, other
        sizes.append(size)
        before.append(previous)
    chains: list[list[_Block]] = []
    used: set[int] = set()
    for last in sorted(range(len(blocks)), key=lambda number: -sizes[number]):
        if sizes[last] < least:
            break
        chain: list[_Block] = []
        step: int | None = last
        while step is not None and step not in used:
            used.add(step)
            chain.insert(0, blocks[step])
            step = before[step]
        if step is None:
            chains.append(chain)
    return chains


def _overlap(block: _Block, following: _Block) -> int:
    return max(0, block.start + block.length - following.start, block.place + block.length - following.place)


def _follows(block: _Block, following: _Block, chunk: str, text: str) -> bool:
    """Whether two blocks may be of one part, by the letters between them in chunk and text."""
    shorter = min(block.length, following.length)
    if 2 * _overlap(block, following) >= shorter:
        return False
    sizes = following.start - block.start - block.length, following.place - block.place - block.length
    gap = max(sizes)
    if gap <= min(_GAP, shorter // 2):
        return True
    if min(sizes) <= _MARKS and gap <= min(_INSERTED, 2 * shorter):
        return True
    less, more = sorted((chunk[block.start + block.length:following.start],
                         text[block.place + block.length:following.place]), key=len)
    return gap <= _INSERTED and 2 * len(more) <= 3 * len(less) + 2 * _MARKS and _reached(less, more) > 0


def _reached_beside(letters: str, others: str) -> int:
    """``_reached`` for the end of a chunk beside its part: four letters at least, and half as many between them."""
    return _reached(letters, others[:len(letters) * 3 // 2]) if len(letters) >= _WHOLE // 2 else 0


def _reached(letters: str, others: str) -> int:
    """How many of the other letters are needed until they contain the letters in their order, but for one in twenty.

    It is 0 if they never do.

    The longest common subsequence is counted by the bits of a number (Hyyrö 2004).
    """
    where: dict[str, int] = {}
    for number, letter in enumerate(letters):
        where[letter] = where.get(letter, 0) | 1 << number
    every = missing = (1 << len(letters)) - 1
    most = len(letters) // 20
    for number, letter in enumerate(others, 1):
        found = missing & where.get(letter, 0)
        missing = (missing + found | missing - found) & every
        if found and missing.bit_count() <= most:
            return number
    return 0


