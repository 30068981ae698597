"""Where strings occur in a text: one string at a time, or many by an index of the text."""

from functools import cached_property

__all__ = ['Occurrences', 'all_occurrences']

_FREQUENT = 64


def all_occurrences(string: str, text: str) -> list[int]:
    """The places where a string that is not empty occurs in a text, also those that overlap; in linear time."""
    places: list[int] = []
    place, period, tail = text.find(string), 0, ''
    while place >= 0:
        if not period and places and place - places[-1] < len(string):
            period = _period(string)
            tail = string[-period:]
        places.append(place)
        if period and text.startswith(tail, place + len(string)):
            place += period
        else:  # where the string does not go on with its period, it occurs again at the last of its periods at most
            place = text.find(string, place + (len(string) - period + 1 if period else 1))
    return places


def _period(string: str) -> int:
    """The least distance at which a string can overlap with itself, by the failure function of Knuth, Morris, Pratt."""
    failures, length = [0], 0
    for character in string[1:]:
        while length and character != string[length]:
            length = failures[length - 1]
        length += character == string[length]
        failures.append(length)
    return len(string) - length


class Occurrences:
    """The occurrences of many strings in one text.

    An index holds every ``STRIDE``-th of the text's stretches of ``SIZE`` characters. A string of 23 characters or
    more contains one of them wherever it occurs, so that few places are compared.
    """
    SIZE, STRIDE = 16, 8
    _FEW = 4  # searches are sooner done than the index

    def __init__(self, text: str):
        self.text = text
        self._searches = 0

    @cached_property
    def _grams(self) -> dict[str, list[int]]:
        grams: dict[str, list[int]] = {}
        for place in range(0, len(self.text) - self.SIZE + 1, self.STRIDE):
            grams.setdefault(self.text[place:place + self.SIZE], []).append(place)
        return grams

    def places(self, string: str) -> list[int]:
        """All places where the string occurs, as :func:`all_occurrences` finds them."""
        self._searches += 1
        if self._searches > self._FEW and len(string) >= self.SIZE + self.STRIDE - 1:
            candidates = [self._grams.get(string[shift:shift + self.SIZE], ()) for shift in range(self.STRIDE)]
            if sum(map(len, candidates)) <= _FREQUENT:
                return sorted(place - shift for shift, places in enumerate(candidates) for place in places
                              if place >= shift and self.text.startswith(string, place - shift))
        return all_occurrences(string, self.text)

    def seeds(self, string: str) -> list[tuple[int, int]]:
        """Places in the string and in the text at which ``SIZE`` equal characters begin, without frequent ones."""
        pairs = []
        for start in range(len(string) - self.SIZE + 1):
            places = self._grams.get(string[start:start + self.SIZE], ())
            if len(places) <= _FREQUENT:
                pairs += [(start, place) for place in places]
        return pairs
