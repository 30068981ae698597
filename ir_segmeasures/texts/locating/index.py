"""The places of quotes in a text: of one quote, or of many by an index of the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike

from ir_segmeasures.segments.arrays import Array
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.texts.locating.alignment import LetterText
from ir_segmeasures.texts.locating.fuzzy import FuzzyText, check_tolerance
from ir_segmeasures.texts.locating.normalisation import NormalForm, dashes_agree, normal_form, unseen_length
from ir_segmeasures.texts.locating.occurrences import Occurrences

__all__ = ['MARK', 'NormalizedText', 'QuoteIndex', 'UnmarkedText', 'locate']

Span = tuple[int, int]


def locate(quote: str, text: str, *, case: bool = True, tolerance: float | None = None) -> list[Span]:
    """The places where a quote stands in a text, as offsets ``(start, end)`` in characters of the text.

    1. All places of exactly these characters, also those that overlap (``'aa'`` stands twice in ``'aaa'``).
    2. If there are none, all places that are equal after normalisation
       (:func:`~ir_segmeasures.texts.locating.normalisation.normal_form`): Unicode's form NFKC (ligatures, ``…`` for
       ``...``), white space, characters that nobody sees, hyphens at line ends, quotation marks, dashes, bullets; and
       letters without case, if ``case`` is False. White space and quotation marks around the quote may be missing in
       the text. A place consists of whole characters: of ``ﬁ``, for a quote that ends with its ``f``.
    3. If there are none and ``tolerance`` is given, the place with the fewest edits to the normalised quote, unless
       another place has as few.

    Words in another order, or with others between them, are not found.

    Args:
        quote: of a quote of white space alone, or of none, there is no place
        text: the whole document
        case: whether small and capital letters differ
        tolerance: how many characters may be inserted, deleted or replaced, as a share of the quote's, in [0, 1);
            rapidfuzz finds the place (``pip install 'ir_segmeasures[chunks]'``)

    Returns:
        the places by their starts; an empty list if the quote is not found

    Raises:
        TypeError: a quote or text that is not a string
        ValueError: a tolerance outside of [0, 1)
        ImportError: a tolerance, where rapidfuzz is not installed

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


MARK = re.compile(r'\[\^?\w{1,3}\]|<sup>\w{1,3}</sup>|[\u00b9\u00b2\u00b3\u2070-\u2079\u2020\u2021]')  # of a footnote


class QuoteIndex:
    """A text prepared for many quotes: it is indexed and normalised once, when a quote first needs it.

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
        self._exact = Occurrences(text)
        self._normalized: dict[bool, NormalizedText] = {}

    def locate(self, quote: str, *, case: bool = True, tolerance: float | None = None) -> list[Span]:
        """The places of a quote, as :func:`locate` gives them."""
        if tolerance is not None:
            check_tolerance(tolerance)
        if not _checked(quote, 'quote').strip():
            return []
        places = self._exact.places(quote)
        if places:
            return [(start, start + len(quote)) for start in places]
        text, form = self.normalized(case), normal_form(quote, case, traced=False)
        found = text.places(form)
        if not found and len(form.text) > 2 and form.text[0] == form.text[-1] == "'" and not form.dashes[[0, -1]].any():
            found = text.places(NormalForm(form.text[1:-1], form.starts[1:-1], form.ends[1:-1], form.dashes[1:-1]))
        if not found and tolerance is not None:
            found = text.closest_place(form, tolerance)
        return found

    def normalized(self, case: bool = True) -> NormalizedText:
        """The normalised text; it is made once."""
        if case not in self._normalized:
            self._normalized[case] = NormalizedText(self.text, case)
        return self._normalized[case]

    @cached_property
    def unmarked(self) -> UnmarkedText:
        """The text without the marks of footnotes."""
        return UnmarkedText(self.text)


class UnmarkedText:
    """A text without the marks of footnotes, such as ``[12]`` or ``¹``, in which chunks are found without theirs.

    Examples:
        >>> from ir_segmeasures.texts.locating.index import UnmarkedText
        >>> UnmarkedText('Bees[12] dance.').locate('Bees dance[a].')
        [(0, 15)]
    """

    def __init__(self, text: str):
        marks = [match.span() for match in MARK.finditer(text)]
        self._starts = [0, *(end for _, end in marks)]  # of the stretches between marks
        kept = [text[start:end] for start, end in zip(self._starts, [*(start for start, _ in marks), len(text)])]
        self._before = [0, *accumulate(map(len, kept))]  # characters that are kept before each stretch
        self._index = QuoteIndex(''.join(kept)) if marks else None

    def locate(self, chunk: str) -> list[Span]:
        """The places of a chunk in the text; none if the text has no marks."""
        found = [] if self._index is None else self._index.locate(MARK.sub('', chunk))
        return [(self._original(start), self._original(end - 1) + 1) for start, end in found]

    def _original(self, place: int) -> int:
        stretch = bisect_right(self._before, place, 0, len(self._starts)) - 1
        return self._starts[stretch] + place - self._before[stretch]


class NormalizedText:
    """The normal form of a text, and where other normal forms agree with it.

    Attributes:
        text: the original text
        form: its normal form
    """

    def __init__(self, text: str, case: bool):
        self.text = text
        self.form = normal_form(text, case)
        self._has_dashes = bool(self.form.dashes.any())
        self._occurrences = Occurrences(self.form.text)

    @cached_property
    def letters(self) -> LetterText:
        """The letters and digits alone."""
        return LetterText(self.form)

    @cached_property
    def _fuzzy(self) -> FuzzyText:
        return FuzzyText(self.form.text)

    def places(self, quote: NormalForm) -> list[Span]:
        """All places in the original text that agree with the normal form of a quote; none if it has no characters."""
        length, dashes = len(quote.text), quote.dashes
        starts = self._occurrences.places(quote.text) if length else []
        if starts and (self._has_dashes or dashes.any()):
            starts = dashes_agree(self.form.dashes, dashes, starts)
        first, last = bool(dashes[0]), bool(dashes[-1])
        return list(dict.fromkeys(self.original(start, start + length, first, last) for start in starts))

    def closest_place(self, quote: NormalForm, tolerance: float) -> list[Span]:
        """The place in the original text with the fewest edits, at most this share of the quote; or none."""
        place = self._fuzzy.closest_place(quote.text, tolerance)
        return [] if place is None else [self.original(*place)]

    def letters_before(self, places: ArrayLike) -> Array[np.int64]:
        """How many of the text's letters and digits stand before each of these places in the original text."""
        return np.searchsorted(self._letter_starts, places)

    @cached_property
    def _letter_starts(self) -> Array[np.int64]:
        return self.form.starts[self.letters.letters.starts]

    def original(self, start: int, end: int, first: bool = False, last: bool = False) -> Span:
        """The place in the original text of characters of the normal form, and of a dash before and behind them."""
        form = self.form
        begin, stop = int(form.starts[start]), int(form.ends[end - 1])
        if first:
            before = self.text[int(form.ends[start - 1]) if start else 0:begin]
            begin -= len(before) - unseen_length(before)
        if last:
            behind = self.text[stop:int(form.starts[end]) if end < len(form.text) else len(self.text)]
            stop += len(behind.rstrip())
        return begin, stop


def _checked(value: str, name: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f'the {name} is {quoted(value)}, which is no string: give its characters')
    return value
