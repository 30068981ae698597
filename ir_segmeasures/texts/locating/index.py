"""The places of quotes in a text: of exactly these characters, after normalisation, or with a few edits."""

from __future__ import annotations

from functools import cached_property
from numbers import Real

import numpy as np

from ir_segmeasures.segments.arrays import Array
from ir_segmeasures.segments.quoting import quoted
from ir_segmeasures.texts.locating.alignment import LetterText
from ir_segmeasures.texts.locating.normalisation import NormalForm, dashes_agree, normal_form, unseen_length
from ir_segmeasures.texts.locating.occurrences import all_occurrences

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
        if tolerance is not None:
            _check_tolerance(tolerance)
        if not _checked(quote, 'quote').strip():
            return []
        places = all_occurrences(quote, self.text)
        if places:
            return [(start, start + len(quote)) for start in places]
        form = normal_form(quote, case)
        found = self.places(form, case)
        if not found and len(form.text) > 2 and form.text[0] == form.text[-1] == "'" and not form.dashes[[0, -1]].any():
            inside = NormalForm(form.text[1:-1], form.starts[1:-1], form.ends[1:-1], form.dashes[1:-1])
            found = self.places(inside, case)
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
            starts = dashes_agree(form.dashes, dashes, starts)
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
            begin -= len(before) - unseen_length(before)
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
    codes = np.frombuffer(text.encode('utf-32-le', 'surrogatepass'), np.uint32)
    steps = np.arange(len(row), dtype=np.int32)
    for character in map(ord, quote):
        row = np.append(row[:1] + 1, np.minimum(row[:-1] + (codes != character), row[1:] + 1)) - steps
        row = np.minimum.accumulate(row) + steps
    return row


def _check_tolerance(tolerance: float) -> None:
    if not isinstance(tolerance, Real) or isinstance(tolerance, bool) or not 0 <= tolerance < 1:
        raise ValueError(f'the tolerance is {quoted(tolerance)}, but it is a share of edits in [0, 1): give 0.1 for '
                         'one character in ten')


def _checked(value: str, name: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f'the {name} is {quoted(value)}, which is not a string: give its characters')
    return value
