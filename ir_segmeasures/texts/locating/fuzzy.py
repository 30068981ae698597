"""Quotes with a few edits: the closest place in a text, by rapidfuzz."""

from functools import cached_property
from importlib import import_module
from numbers import Real
from typing import Any

import numpy as np

from ir_segmeasures.segments.arrays import Array
from ir_segmeasures.segments.quoting import quoted

__all__ = ['FuzzyText', 'check_tolerance']

Span = tuple[int, int]

_GRAM = 4
_REGIONS = 16  # that are compared with a quote, at most
_LONG = 1000  # characters, of quotes that are compared with fewer regions
_SHIFTS = 64  # of an end of a place, at most


def check_tolerance(tolerance: float) -> None:
    """Raises a ValueError for what is no share of edits, and an ImportError if rapidfuzz is not installed."""
    if not isinstance(tolerance, Real) or isinstance(tolerance, bool) or not 0 <= tolerance < 1:
        raise ValueError(f'the tolerance is {quoted(tolerance)}, but it is a share of edits in [0, 1): give 0.1 for '
                         'one character in ten')
    _rapidfuzz('fuzz')


def _rapidfuzz(module: str) -> Any:
    try:
        return import_module(f'rapidfuzz.{module}')
    except ImportError as error:
        raise ImportError(f"a tolerance needs rapidfuzz, which cannot be imported ({error}): install "
                          "'ir_segmeasures[chunks]'") from None


class FuzzyText:
    """A text in which quotes with a few edits are looked for.

    A quote is compared only with stretches of its length that share the most stretches of four characters with it,
    16 of them at most: the time is linear in the text, also in one that repeats itself.
    """

    def __init__(self, text: str):
        self._text = text

    @cached_property
    def _grams(self) -> Array[np.uint16]:
        return _hashes(self._text)

    def closest_place(self, quote: str, tolerance: float) -> Span | None:
        """The place with the fewest insertions, deletions and replacements, and none if two places have as few.

        Args:
            quote: a text
            tolerance: how many edits there may be, as a share of the quote's characters
        """
        edits = int(tolerance * len(quote))
        if not edits or not self._text:
            return None
        found = sorted({place for begin, stop in self._regions(quote, edits)
                        for place in self._places(begin, stop, quote, edits)})
        if not found:
            return None
        fewest, start, end = found[0]
        if any(distance == fewest and (other_end <= start or end <= other) for distance, other, other_end in found):
            return None
        return start, end

    def _regions(self, quote: str, edits: int) -> list[Span]:
        """Stretches of the text that share four characters in a row with the quote, those that share the most."""
        length, text = len(quote), len(self._text)
        slack = length // 2 + 2 * edits + _GRAM
        if text <= length + slack or length < _GRAM:
            return [(0, text)]
        known = np.zeros(1 << 16, np.bool_)
        known[_hashes(quote)] = True
        sums = np.concatenate([[0], np.cumsum(known[self._grams])])
        window = min(length - _GRAM + 1, len(sums) - 1)
        shared = sums[window:] - sums[:-window]
        # An edit changes four of the stretches at most.
        least = max(1, length - _GRAM + 1 - _GRAM * edits)
        regions: list[Span] = []
        while len(regions) < max(2, _REGIONS * _LONG // max(length, _LONG)):
            start = int(shared.argmax())
            if shared[start] < least:
                break
            regions.append((max(0, start - slack), min(text, start + length + slack)))
            # A place that begins here lies in the region, too.
            shared[max(0, start - length // 2):start + length // 2 + 1] = 0
        return regions

    def _places(self, begin: int, stop: int, quote: str, edits: int) -> list[tuple[int, int, int]]:
        """The closest places in a region: one, and one before and one behind it."""
        found = self._closest(begin, stop, quote, edits)
        for _, start, end in tuple(found):
            for region in ((begin, start), (end, stop)):
                if region[1] - region[0] >= len(quote) - edits:
                    found += self._closest(*region, quote, edits)
        return found

    def _closest(self, begin: int, stop: int, quote: str, edits: int) -> list[tuple[int, int, int]]:
        """The closest place in a region as (edits, start, end), or none if it has more edits than these."""
        # A place of e edits, cut or filled up to the quote's length, differs by 3 e insertions and deletions at most.
        found = _rapidfuzz('fuzz').partial_ratio_alignment(quote, self._text[begin:stop],
                                                           score_cutoff=max(0, 100 * (1 - 1.5 * edits / len(quote))))
        if found is None:
            return []
        place = self._text[begin + found.dest_start:begin + found.dest_end]
        start = begin + found.dest_start + len(place) - len(place.lstrip())
        end = start + max(1, len(place.strip()))
        distance = _rapidfuzz('distance.Levenshtein').distance
        shifts = range(-min(edits, _SHIFTS), min(edits, _SHIFTS) + 1)

        def measured(start: int, end: int) -> tuple[int, int, int, int]:
            edge = ' ' in (self._text[start], self._text[end - 1])  # no place begins or ends with white space
            edited = edits + 1 if edge else distance(quote, self._text[start:end], score_cutoff=edits)
            return edited, abs(end - start - len(quote)), start, end

        best = measured(start, end)
        while True:  # one end after the other, since the alignment's places are all as long as the quote
            _, _, start, end = best
            best = min(measured(start, moved) for shift in shifts if start < (moved := end + shift) <= stop)
            end = best[3]
            best = min(measured(moved, end) for shift in shifts if begin <= (moved := start + shift) < end)
            if best[2:] == (start, end):
                break
        return [(best[0], best[2], best[3])] if best[0] <= edits else []


def _hashes(text: str) -> Array[np.uint16]:
    """A number below 65,536 for every four characters in a row."""
    codes = np.frombuffer(text.encode('utf-32-le', 'surrogatepass'), np.uint32)
    hashed = np.zeros(max(0, len(codes) - _GRAM + 1), np.uint32)
    for shift in range(_GRAM):
        hashed = hashed * np.uint32(0x9E3779B1) + codes[shift:shift + len(hashed)]
    return ((hashed * np.uint32(0x85EBCA6B)) >> np.uint32(16)).astype(np.uint16)
