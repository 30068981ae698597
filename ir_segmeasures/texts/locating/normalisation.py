"""Normal forms of texts: two texts are equal after normalisation if their normal forms agree.

Each character of a normal form knows the place in the original text that it stands for.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable
from itertools import chain, zip_longest
from typing import Any, NamedTuple

import numpy as np

from ir_segmeasures.segments.basics import Array

Span = tuple[int, int]

# Characters that nobody sees. A soft hyphen before white space stays for now: it says that a line ended in a word.
_INVISIBLE = re.compile('[\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff'
                        '\U000e0000-\U000e0fff]+|\u00ad(?!\\s)')
_UNSEEN = re.compile(rf'(?:\s|{_INVISIBLE.pattern})*')
_SAME = {
    "'": '"`\u00ab\u00b4\u00bb\u02b9\u02ba\u02bb\u02bc\u02bd\u2018-\u201f\u2032-\u2037\u2039\u203a\u2057\u275b-\u275e'
         '\u300c-\u300f\u301d-\u301f\u1fbd\u1fbf',
    '-': '\u2010\u2011',
    '\u2013': '\u2012-\u2015\u2043\u2212\u2e3a\u2e3b\u2e40',
    '*': '\u2022\u2023\u2219\u22c5\u25aa\u25ab\u25cb\u25cf\u25e6\u25fe\u25a0\u25a1\u00b7\uf0a7\uf0b7',
    '/': '\u2044\u2215',
    ' ': '\t-\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000',
}
_SIGNS = {character: sign for sign, ranges in _SAME.items()
          for first, last in re.findall('(.)(?:-(.))?', ranges, re.DOTALL)
          for character in map(chr, range(ord(first), ord(last or first) + 1))}
# Punctuation and symbols, and the scripts of East Asia, which have no blanks between words.
_UNSPACED = ('!-/:-@\\[-`{-~\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u055a-\u055f\u0589\u05be'
             '\u05c0\u05c3\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2010-\u2bff\u3000-\u9fff\uf900-\ufaff'
             '\ufffc\ufffd\U0001f000-\U0003ffff')
_LETTER = r'[^\W\d_]'
_SPACING = re.compile(rf"""(?=[ '\-–\xad])(?:
    (?P<quotation> ''+ )
  | (?P<hyphenation> (?<={_LETTER})(?:-\xad*|\xad+)[ ]+(?={_LETTER}) )
  | (?P<dash> [ ]*[-–](?:[ ]*[-–])*[ ]* )
  | (?P<nothing> \A[ ]+ | (?<=[{_UNSPACED}])[ ]+ | [ ]+(?=[{_UNSPACED}]|\Z) | \xad )
  | (?P<blank> [ ]{{2,}} ) )""", re.VERBOSE)
_SPACED = {'quotation': "'", 'hyphenation': '\u00ad', 'dash': '-', 'nothing': '', 'blank': ' '}
# Marks of footnotes, tags of HTML, the targets of Markdown's links, entities, escapes of JSON; of a normal form, which
# has ' for " and no blank after (.
_MARKUP = re.compile(r"""\[\^?\w{1,3}\](?!\() | <sup>\w{1,3}</sup> | <[A-Za-z/!?][^<>]{0,300}>
    | \]\((?:[^()\s]|\([^()\s]*\))*?(?:'[^'()]*')?\) | &\#?\w{2,31}; | \\(?:u[0-9a-f]{4}|[nrt])""", re.VERBOSE)
_NO_LETTERS = re.compile(r'[\W_]+')

_NOTHING, DASH, _HYPHENATION = 0, 1, 2


class TracedText:
    """A text that was made from another one, and where in the other one each of its characters comes from.

    Attributes:
        text: the text
        starts, ends: the character ``i`` stands for ``original[starts[i]:ends[i]]``
    """

    def __init__(self, text: str, starts: Array[np.int64] | None = None, ends: Array[np.int64] | None = None):
        self.text = text
        self.starts = np.arange(len(text)) if starts is None else starts
        self.ends = self.starts + 1 if ends is None else ends

    def replaced(self, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]) -> TracedText:
        """The text with another string for each match; each character of the string stands for the whole match."""
        found = [(*match.span(), replacement(match)) for match in pattern.finditer(self.text)]
        if not found:
            return self
        firsts, lasts, strings = zip(*found)
        between = [self.text[start:end] for start, end in zip((0, *lasts), (*firsts, len(self.text)))]
        first, last = np.array(firsts), np.array(lasts)
        change = np.zeros(len(self.text) + 1, np.int64)
        change[first] += 1
        change[last] -= 1
        copies = 1 - np.cumsum(change[:-1])
        copies[first] = list(map(len, strings))
        ends = self.ends.copy()
        ends[first] = ends[last - 1]
        return TracedText(''.join(chain.from_iterable(zip_longest(between, strings, fillvalue=''))),
                          np.repeat(self.starts, copies), np.repeat(ends, copies))

    def mapped(self, change: Callable[[str], str]) -> TracedText:
        """The text with each character changed into others."""
        letters: dict[str, Any] = {character: change(character) for character in set(self.text)}
        longer = re.escape(''.join(character for character, changed in letters.items() if len(changed) > 1))
        traced = self.replaced(re.compile(f'[{longer}]'), lambda match: letters[match[0]]) if longer else self
        return TracedText(traced.text.translate(str.maketrans(letters)), traced.starts, traced.ends)


class NormalForm(NamedTuple):
    """The normal form of a text: what has to be equal in two texts that are equal after normalisation.

    Attributes:
        text: the characters that count, without dashes
        starts, ends: the character ``i`` stands for ``original[starts[i]:ends[i]]``
        dashes: one number more than characters; the number ``i`` says what stands before the character ``i``: nothing
            (0), a dash (1), or a hyphen at the end of a line (2), which agrees with both
    """
    text: str
    starts: Array[np.int64]
    ends: Array[np.int64]
    dashes: Array[np.uint8]


def normal_form(text: str, case: bool = True) -> NormalForm:
    """The normal form of a text.

    - Characters are in Unicode's form NFKC: ligatures, full-width letters and ``…`` are written out. Those that
      nobody sees (of no width, soft hyphens, marks of direction) are left out.
    - All quotation marks are one sign, also several in a row. So are all bullets, and all dashes.
    - White space counts, however much of it there is, between two words. It does not beside punctuation and symbols.
    - A hyphen at the end of a line is part of the word or not: ``exam-\\nple`` agrees with ``example`` and with
      ``exam-ple``.
    - Without ``case`` letters are case-folded (``ß`` is ``ss``); ``i`` with and without its dot is one letter.
    """
    form = _compatible(TracedText(text).replaced(_INVISIBLE, lambda match: ''))
    if not case:
        form = form.mapped(lambda character: character.casefold().replace('i\u0307', 'i').replace('ı', 'i'))
    form = form.mapped(lambda character: _SIGNS.get(character, character))
    form = form.replaced(_SPACING, lambda match: _SPACED[match.lastgroup or 'blank'])
    return _without_dashes(form)


def dashes_agree(text: Array[np.uint8], quote: Array[np.uint8], starts: list[int]) -> list[int]:
    """The starts at which the dashes of a quote agree with those of the text.

    A dash before the quote's first character and one behind its last count only where the quote has them.

    Args:
        text, quote: ``dashes`` of their normal forms
        starts: places of the quote's characters in the normal form of the text
    """
    clashing = quote == _NOTHING, quote == DASH
    clashing[0][[0, -1]] = False
    return [start for start in starts
            if not (clashing[0] & ((there := text[start:start + len(quote)]) == DASH)).any()
            and not (clashing[1] & (there == _NOTHING)).any()]


def unseen_length(text: str) -> int:
    """How many characters at the beginning of a text are white space, or ones that nobody sees."""
    match = _UNSEEN.match(text)
    return match.end() if match else 0


def letter_form(text: str) -> TracedText:
    """The letters and digits alone of a text, without case and accents, and without those of tags, links and marks of
    footnotes; they stand for characters of the text.
    """
    form = normal_form(text)
    traced = TracedText(form.text, form.starts, form.ends)
    traced = traced.replaced(_MARKUP, _unescaped).replaced(_NO_LETTERS, lambda match: '')
    return traced.mapped(_plain)


def _plain(letter: str) -> str:
    """A letter without case and accents: one letter, or two for ``ß`` and its like."""
    folded = letter.casefold()
    without = ''.join(filter(str.isalnum, unicodedata.normalize('NFKD', folded)))
    return without if len(without) == 1 else folded


def _compatible(traced: TracedText) -> TracedText:
    """The text in NFKC, by pieces that do not act on each other: a character and the marks that follow it."""
    joining = re.escape(''.join(filter(_joins, set(traced.text))))
    if joining:  # thousands of marks in a row would be sorted in quadratic time
        traced = traced.replaced(re.compile(f'[^{joining}]?[{joining}]{{1,31}}'), lambda match: _nfkc(match[0]))
    return traced.mapped(_nfkc)


def _nfkc(characters: str) -> str:
    written = unicodedata.normalize('NFKC', characters)
    # Accents that stand alone, as ´, are not white space with an accent.
    return characters if written[0] == ' ' and not characters[0].isspace() else written


def _joins(character: str) -> bool:
    """Tells whether it may be composed with the character before it: a mark, or a part of a Hangul syllable."""
    first = unicodedata.normalize('NFKD', character)[0]
    return unicodedata.category(first)[0] == 'M' or '\u1160' <= first <= '\u11ff'


def _without_dashes(traced: TracedText) -> NormalForm:
    codes = codes_of(traced.text)
    kinds = np.where(codes == ord('-'), DASH, np.where(codes == ord('\u00ad'), _HYPHENATION, _NOTHING))
    kept = kinds == _NOTHING
    dashes = np.zeros(np.count_nonzero(kept) + 1, np.uint8)
    dashes[np.cumsum(kept)[~kept]] = kinds[~kept]
    bare = traced.text.replace('\u00ad', '').replace('-', '')
    return NormalForm(bare, traced.starts[kept], traced.ends[kept], dashes)


def codes_of(text: str) -> Array[np.uint32]:
    """The code points of a text."""
    return np.frombuffer(text.encode('utf-32-le', 'surrogatepass'), np.uint32)


def _unescaped(match: re.Match[str]) -> str:
    if match[0].startswith('\\u'):
        return chr(int(match[0][2:], 16))
    return html.unescape(match[0]) if match[0][0] == '&' else ''


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
