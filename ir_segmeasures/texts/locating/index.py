"""The places of quotes in a text: of exactly these characters, after normalisation, or with a few edits; and chunks
compared with a text by letters and digits alone: whole chunks, or the largest part that the text has."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import Match, SequenceMatcher
from functools import cached_property
from numbers import Real
from typing import NamedTuple

import numpy as np

from ir_segmeasures.segments.basics import Array, quoted
from ir_segmeasures.texts.locating import normalisation
from ir_segmeasures.texts.locating.normalisation import NormalForm, Span, all_occurrences, normal_form


def locate(quote: str, text: str, *, case: bool = True, tolerance: float | None = None) -> list[Span]:
    """The places where a quote stands in a text, as offsets ``(start, end)`` in characters of the text.

    1. All places of exactly these characters, also those that overlap (``'aa'`` stands twice in ``'aaa'``).
    2. If there are none, all places that are equal after normalisation
       (:func:`~ir_segmeasures.texts.locating.normalisation.normal_form`): Unicode's form NFKC (ligatures, ``…`` for
       ``...``), white space, characters that nobody sees, hyphens at line ends, quotation marks, dashes, bullets; and
       letters without case, if ``case`` is False. White space and quotation marks around the quote may be missing in
       the text. A place consists of whole characters, such as ``ﬁ`` for a quote that ends with ``f``.
    3. If there are none and ``tolerance`` is given, the place with the fewest edits to the normalised quote, unless
       another place has as few.

    Words in another order, or with others between them, are not found.

    Args:
        quote: nothing is found for an empty one, or one of white space alone
        text: the whole document
        case: whether small and capital letters differ
        tolerance: how many characters may be inserted, deleted or replaced, as a share of the quote's, in [0, 1);
            the time grows with the product of both lengths

    Returns:
        the places by their starts; an empty list if the quote is not found

    Raises:
        TypeError: a quote or text that is not a string
        ValueError: a tolerance outside of [0, 1)

    The time grows with the length of the text. Many quotes of one text are found faster by :class:`QuoteIndex`.

    Examples:
        >>> from ir_segmeasures import locate
        >>> locate('the “same” words', 'Find the "same"\\n  words. Find them.')
        [(5, 23)]
        >>> locate('an example', 'With an exam-\\nple.')
        [(5, 17)]
        >>> locate('words the same', 'Find the same words.')
        []
    """
    return QuoteIndex(text).locate(quote, case=case, tolerance=tolerance)


class QuoteIndex:
    """A text prepared for many quotes: it is normalised once, when a quote first needs it.

    Attributes:
        text: the text

    Examples:
        >>> from ir_segmeasures.texts.locating.index import QuoteIndex
        >>> index = QuoteIndex('To be, or not to be')
        >>> index.locate('not')
        [(10, 13)]
        >>> index.locate('TO BE', case=False)
        [(0, 5), (14, 19)]
    """

    def __init__(self, text: str):
        self.text = _checked(text, 'text')
        self._forms: dict[bool, NormalForm] = {}

    def locate(self, quote: str, *, case: bool = True, tolerance: float | None = None) -> list[Span]:
        """The places of a quote, as :func:`locate` gives them."""
        if tolerance is not None and (
                not isinstance(tolerance, Real) or isinstance(tolerance, bool) or not 0 <= tolerance < 1):
            raise ValueError(f'the tolerance is {quoted(tolerance)}, but it is a share of edits in [0, 1): give 0.1 '
                             'for one character in ten')
        if not _checked(quote, 'quote').strip():
            return []
        places = all_occurrences(quote, self.text)
        if places:
            return [(start, start + len(quote)) for start in places]
        form = normal_form(quote, case)
        found = self.places(form, case)
        if not found and len(form.text) > 2 and form.text[0] == form.text[-1] == "'" and not form.dashes[[0, -1]].any():
            found = self.places(NormalForm._make(part[1:-1] for part in form), case)
        if not found and tolerance is not None:
            text = self._form(case)
            place = _closest_place(form.text, text.text, int(tolerance * len(form.text)))
            found = [] if place is None else [self._original(text, *place)]
        return found

    def places(self, quote: NormalForm, case: bool = True) -> list[Span]:
        """All places that agree with the normal form of a quote; none if it has no characters."""
        form, length, dashes = self._form(case), len(quote.text), quote.dashes
        starts = all_occurrences(quote.text, form.text) if length else []
        if starts and (form.dashes.any() or dashes.any()):
            starts = normalisation.dashes_agree(form.dashes, dashes, starts)
        first, last = bool(dashes[0]), bool(dashes[-1])
        return list(dict.fromkeys(self._original(form, start, start + length, first, last) for start in starts))

    def _form(self, case: bool) -> NormalForm:
        if case not in self._forms:
            self._forms[case] = normal_form(self.text, case)
        return self._forms[case]

    def _original(self, form: NormalForm, start: int, end: int, first: bool = False, last: bool = False) -> Span:
        """The place in the text of characters of its normal form, and of a dash before and behind them."""
        begin, stop = int(form.starts[start]), int(form.ends[end - 1])
        if first:
            before = self.text[int(form.ends[start - 1]) if start else 0:begin]
            begin -= len(before) - normalisation.unseen_length(before)
        if last:
            behind = self.text[stop:int(form.starts[end]) if end < len(form.text) else len(self.text)]
            stop += len(behind.rstrip())
        return begin, stop

    @cached_property
    def letters(self) -> LetterText:
        """The letters and digits alone."""
        return LetterText(self.text)


def _closest_place(quote: str, text: str, edits: int) -> Span | None:
    """The place with the fewest edits in a normalised text, of so many at most; none if two places have as few."""
    costs = _edits(quote, text, np.zeros(len(text) + 1, np.int32))
    least = int(costs.min())
    ends = [end for end in np.flatnonzero(costs == least).tolist() if end and text[end - 1] != ' ']
    if not edits or least > edits or not ends:
        return None

    def place(end: int) -> Span:
        """The place with this end, as long as the quote if there are several."""
        low = max(0, end - len(quote) - edits)
        backwards = _edits(quote[::-1], text[low:end][::-1], np.arange(end - low + 1, dtype=np.int32))
        starts = [end - length for length in np.flatnonzero(backwards == least).tolist()]
        return min((start for start in starts if text[start] != ' '),
                   key=lambda start: abs(end - start - len(quote))), end

    if place(ends[-1])[0] >= ends[0]:
        return None
    return min(map(place, ends), key=lambda place: abs(place[1] - place[0] - len(quote)))


def _edits(quote: str, text: str, row: Array[np.int32]) -> Array[np.int32]:
    """The least edits between a quote and what ends at each place of a text, by the row for an empty quote."""
    codes = normalisation.codes_of(text)
    steps = np.arange(len(row), dtype=np.int32)
    for character in map(ord, quote):
        row = np.append(row[:1] + 1, np.minimum(row[:-1] + (codes != character), row[1:] + 1)) - steps
        row = np.minimum.accumulate(row) + steps
    return row


def _checked(value: str, name: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f'the {name} is {quoted(value)}, which is not a string: give its characters')
    return value


_WORDS = 3  # in a row that chunk and text have in common, at least
_GAP = 30  # words between two blocks of a part, at most
_WHOLE, _LEAST = 8, 40  # letters at least of a chunk that is found by them, and of a part
_THIN = 6  # characters of a chunk of which one at least is a letter
_AS_LARGE = 0.98  # of the letters of the largest part
_PARTS = 8  # that are compared, at most
_SIGNS = 16  # beside a part that are compared, at most
_WORD = re.compile(r'[!-~\w]+')  # with the signs in it, as of an address
_SIGNS_BEFORE = re.compile(r'^[^\w\s]+\s+')


class Part(NamedTuple):
    """A part of a chunk that a text has.

    Attributes:
        place: (start, end) in the text
        size: how many letters and digits the two have in common
        added: the stretches of the chunk that the place lacks
        words: the place in words of the text
    """
    place: Span
    size: int
    added: tuple[str, ...]
    words: Span


class LetterText:
    """The letters and digits of a text, by which chunks with other punctuation, markup or additions are found.

    Attributes:
        original: the text
        letters: its letters and digits, with their places in the text
        bounds: the letters at which its words begin, and their number
    """

    def __init__(self, text: str):
        self.original, self.letters = text, normalisation.letter_form(text)
        words = [match.start() for match in _WORD.finditer(text)]
        self.bounds = np.unique([*np.searchsorted(self.letters.starts, words), len(self.letters.text)]).tolist()

    @cached_property
    def _rows(self) -> list[str]:
        """Each three words in a row."""
        return [self.letters.text[start:end] for start, end in zip(self.bounds, self.bounds[_WORDS:])]

    @cached_property
    def _matcher(self) -> SequenceMatcher[str]:
        return SequenceMatcher(None, '', self._rows, autojunk=False)

    def places(self, chunk: LetterText) -> list[Span]:
        """All places in the text with the letters of a chunk, and the punctuation around them that both have.

        None of a chunk with fewer than eight letters, or in which less than one character in six is a letter.
        """
        length = len(chunk.letters.text)
        if length < max(_WHOLE, sum(map(len, chunk.original.split())) // _THIN):
            return []
        return [self.at(chunk, start, length) for start in all_occurrences(chunk.letters.text, self.letters.text)]

    def at(self, chunk: LetterText, place: int, length: int) -> Span:
        """The place in the text of so many letters that a chunk has too, of the words before that both have, as where
        chunks overlap, and of the punctuation around them."""
        letters, text = chunk.letters.text, self.letters.text
        start = letters.rfind(text[place:place + length])
        most = min(start, place)
        same = next((count for count in range(most) if letters[start - count - 1] != text[place - count - 1]), most)
        first = min(start, *(bound for bound in chunk.bounds if bound >= start - same))
        return self._around(self.span(place - start + first, place + length), chunk.original,
                            *chunk.span(first, start + length))

    def span(self, start: int, end: int) -> Span:
        """The place in the text of its letters from ``start`` to ``end``."""
        return int(self.letters.starts[start]), int(self.letters.ends[end - 1])

    def parts(self, chunk: LetterText, share: float) -> list[Part]:
        """The largest parts of a chunk in the text: several if they have as many letters, to one in fifty.

        A part is made of blocks of three words or more that both have, in the same order, and of up to 30 words that
        one of them has between two blocks, as many as the shorter of these has. It has 40 letters and ``share`` of the
        chunk's at least.
        """
        self._matcher.set_seq1(chunk._rows)
        rest = [(0, len(self._rows))]
        found: list[Part] = []
        while rest and len(found) < _PARTS:
            longest = max((self._matcher.find_longest_match(0, len(chunk._rows), *stretch) for stretch in rest),
                          key=lambda match: match.size)
            part = self._part(chunk, longest)
            if part.size < max(_LEAST, share * len(chunk.letters.text), *(_AS_LARGE * one.size for one in found)):
                break
            if not any(part.place[0] < one.place[1] and one.place[0] < part.place[1] for one in found):
                found = [*(one for one in found if one.size >= _AS_LARGE * part.size), part]
            first, last = part.words
            rest = [stretch for low, high in rest for stretch in ((low, min(high, first)), (max(low, last), high))
                    if stretch[0] < stretch[1]]
        return found

    def _part(self, chunk: LetterText, longest: Match) -> Part:
        """The part with a block of words, and those before and behind it."""
        start, place, size = longest
        if not size:
            return Part((0, 0), 0, (), (0, 0))
        reach = len(chunk._rows) + _GAP
        low, end = max(0, place - reach), start + size
        blocks = [*_blocks(chunk._rows[:start], self._rows[low:place], 0, low), (start, place, size + _WORDS - 1),
                  *_blocks(chunk._rows[end:], self._rows[place + size:place + size + reach], end, place + size)]
        first = last = next(number for number, block in enumerate(blocks) if block[:2] == (start, place))
        while first > 0 and _is_near(blocks[first - 1], blocks[first]):
            first -= 1
        while last + 1 < len(blocks) and _is_near(blocks[last], blocks[last + 1]):
            last += 1
        blocks = blocks[first:last + 1]
        common = sorted({word for start, _, length in blocks for word in range(start, start + length)})
        spans = [chunk.span(chunk.bounds[word], chunk.bounds[word + 1]) for word in common]
        stretches = zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(chunk.original)])
        added = [_SIGNS_BEFORE.sub('', stretch) for end, start in stretches
                 if any(map(str.isalnum, stretch := chunk.original[end:start].strip()))]
        words = blocks[0][1], blocks[-1][1] + blocks[-1][2]
        there = self.span(self.bounds[words[0]], self.bounds[words[1]])
        return Part(self._around(there, chunk.original, spans[0][0], spans[-1][1]),
                    sum(chunk.bounds[word + 1] - chunk.bounds[word] for word in common), tuple(added), words)

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


def _blocks(chunk: list[str], text: list[str], start: int, place: int) -> list[tuple[int, int, int]]:
    """The blocks of words that a chunk from ``start`` and a text from ``place`` have in common, in order: where each
    begins in both, and how many words it has."""
    matches = SequenceMatcher(None, chunk, text, autojunk=False).get_matching_blocks()
    return [(match.a + start, match.b + place, match.size + _WORDS - 1) for match in matches if match.size]


def _is_near(before: tuple[int, int, int], behind: tuple[int, int, int]) -> bool:
    """Tells whether two blocks belong to one part."""
    gap = max(behind[0] - before[0], behind[1] - before[1]) - before[2]
    return gap <= min(_GAP, before[2], behind[2])
