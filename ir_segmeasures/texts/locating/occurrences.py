"""Places where a string occurs in a text, also where it overlaps with itself."""


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
