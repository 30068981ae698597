"""Amounts of time with halves and quarters, ordinals in words and misspelt units, as numbers with a unit."""

import re
from difflib import get_close_matches
from functools import lru_cache

from ir_segmeasures.texts.answers.tokens import SPELLED

__all__ = ['with_plain_amounts']

_TENTHS = ('twent', 'thirt', 'fort', 'fift', 'sixt', 'sevent', 'eight', 'ninet')
_ORDER = ('', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth', 'eleventh',
        'twelfth', 'thirteenth', 'fourteenth', 'fifteenth', 'sixteenth', 'seventeenth', 'eighteenth', 'nineteenth')
_ORDINALS = {word: number for number, word in enumerate(_ORDER) if number > 2}  # the first second may be a length
_ORDINALS.update({f'{stem}y-{word}' if word else f'{stem}ieth': 10 * tens + number
                  for tens, stem in enumerate(_TENTHS, 2) for number, word in enumerate(_ORDER[:10])})
_UNIT = '(?P<unit>seconds?|minutes?|hours?)'
_NUMBER = rf'\b(?P<number>[0-9]{{1,4}}|an?|{"|".join(sorted(SPELLED, key=len, reverse=True))})'
_PART = '(?:(?P<three>three)[ -]|an?[ -])?(?P<part>half|quarters?)'
# One hundred and five seconds, 1 1/2 minutes, and a minute as a time rather than a length: from a minute to 80 seconds.
_SMALL = '|'.join(sorted(SPELLED, key=len, reverse=True))
_HUNDREDS = re.compile(rf'\b(?P<hundreds>an?|{"|".join(list(SPELLED)[1:10])}) hundred'
                       rf'(?:(?: and|-and)?[ -](?P<rest>{_SMALL}))?\b(?=[ -](?:to|and|until|till|through|seconds?)\b)')
_COMPOUND = re.compile(rf'\b((?:{"|".join(_TENTHS)})y) ({"|".join(list(SPELLED)[1:10])})\b')
_BROKEN = re.compile(r'\b(?P<whole>[0-9]{1,3}) (?P<over>[1-9])[/⁄](?P<under>[2-9])(?=[ -](?:sec|min|hour|[smh]\b))')
_MINUTE = re.compile(r'(?:(?<=\bbetween )|(?<=\bfrom )|(?<=\buntil )|(?<=\btill )|(?<=\bat ))a minute'
                     r'(?= (?:and|to|until|till)\b)'
                     rf'|\ba minute(?= and (?:[0-9]{{1,2}}|{_SMALL})[ -]sec)')
_AMOUNTS = tuple(map(re.compile, (
    rf'{_NUMBER}[ -]and[ -]{_PART}(?P<dash>[ -]){_UNIT}\b',  # two and a half minutes
    rf'{_NUMBER}(?P<dash>[ -]){_UNIT} and {_PART}\b(?! (?:an?|of|seconds?|minutes?|hours?)\b)',
    rf'\b{_PART}[ -](?:of[ -])?(?P<number>an?)(?P<dash>[ -]){_UNIT}\b')))
_NTH = f'(?:{"|".join(sorted(_ORDINALS, key=len, reverse=True))})'
_NTH_SECOND = re.compile(rf'\b{_NTH}(?= (?:(?:and|to|till|through|until) (?:the )?{_NTH} )?(?:second|minute)\b)')
_HALF_MARK = re.compile(r'\bhalf-minute(?= (?:mark|point))')
_BEHIND_NUMBER = re.compile('(?<=[0-9] )[a-z]{5,8}(?![a-z])')
_BEFORE_NUMBER = re.compile('(?<![a-z])[a-z]{6,8}(?= [0-9])')
_BETWEEN_NUMBERS = re.compile(r'(?<=[0-9s]) (?P<word>[a-z]{2,6}) (?=[0-9])')
_UNITS = ('second', 'seconds', 'minute', 'minutes')
_LINKS = ('to', 'and', 'until')
_OTHER_LINKS = {'do', 'go', 'no', 'so', 'two'}


def with_plain_amounts(text: str) -> str:
    """The text, in lower case, with amounts of time that later rules know.

    Examples:
        >>> from ir_segmeasures.texts.answers.amounts import with_plain_amounts
        >>> with_plain_amounts('from half a minute to the two-and-a-half-minute mark, the tenth second, 5 secnods')
        'from 30 seconds to the 150-second mark, the 10th second, 5 seconds'
    """
    if 'hundred' in text:
        text = _HUNDREDS.sub(_in_digits, text)
    if '/' in text or '⁄' in text:
        text = _BROKEN.sub(_mixed, text)
    if 'ty ' in text:
        text = _COMPOUND.sub(r'\1-\2', text)  # twenty five
    if ' minute' in text:
        text = _MINUTE.sub('1 minute', text)
    if 'half' in text or 'quarter' in text:
        for pattern in _AMOUNTS:
            text = pattern.sub(_plain, text)
    if ' second' in text or ' minute' in text or 'half' in text:
        text = _NTH_SECOND.sub(lambda nth: f'{_ORDINALS[nth[0]]}th', _HALF_MARK.sub('30-second', text))
    text = _BEHIND_NUMBER.sub(lambda word: _meant(word[0], _UNITS, .83), text)
    text = _BEFORE_NUMBER.sub(lambda word: _meant(word[0], ('between',), .84), text)
    return _BETWEEN_NUMBERS.sub(
        lambda link: f' {link["word"] if link["word"] in _OTHER_LINKS else _meant(link["word"], _LINKS, .79)} ', text)


def _plain(said: re.Match[str]) -> str:
    number = said['number']
    whole = int(number) if number.isdigit() else SPELLED.get(number, 1)
    if said.start('part') < said.start('number'):  # half a minute
        whole = 0
    part = .75 if said['three'] else .5 if said['part'] == 'half' else .25
    seconds = (whole + part) * {'s': 1, 'm': 60, 'h': 3600}[said['unit'][0]]
    return f'{seconds:g}-second' if said['dash'] == '-' else f'{seconds:g} seconds'


def _in_digits(said: re.Match[str]) -> str:
    return f'{100 * SPELLED.get(said["hundreds"], 1) + SPELLED.get(said["rest"], 0):g}'


def _mixed(said: re.Match[str]) -> str:
    return f'{int(said["whole"]) + int(said["over"]) / int(said["under"]):g}'


@lru_cache(maxsize=4096)
def _meant(word: str, known: tuple[str, ...], likeness: float) -> str:
    """The known word that a word is with a slip of the keys, or the word itself."""
    swapped = next((meant for meant in known if sorted(meant) == sorted(word)), word)
    return next(iter(get_close_matches(word, known, 1, likeness)), swapped)
