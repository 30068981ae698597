"""An answer as words, marks and times, in order: one grammar of what a time is.

A time is a clock time (``1:05``, ``00:01:05.2``), a number with a unit (``65 s``, ``1m05s``, ``1 minute and 5
seconds``, ``ten seconds``, ``the 12th second``) or a plain number. Frames, percentages, negative numbers and numbers
that are parts of names are numbers, but no times.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

__all__ = ['MONEY', 'SPELLED', 'UNITS', 'Token', 'may_have_times', 'time_of', 'tokenized']


class Token(NamedTuple):
    """A word, a mark or a number.

    Attributes:
        text: in lower case; ``''`` of a number
        seconds: of a time; None of a number that is none, and of words and marks
        unit: seconds in the unit that is written, 1 of clock times; 0 without one
        whole: whether it is a plain whole number, which may also be a count
        ordinal: whether it is a number in an order, which is a time only beside one with a unit
        clock: whether it is a clock time
    """
    text: str
    seconds: float | None = None
    unit: float = 0
    whole: bool = False
    ordinal: bool = False
    clock: bool = False

    @property
    def number(self) -> bool:
        """Whether this is a number, be it a time or not."""
        return not self.text


UNITS = {name: seconds for seconds, names in {
    1: 's sec secs second seconds seonds secound secounds sek sekund sekunda sekunde sekunden sekunder sekundy sekundę '
    'sekundzie seg segundo segundos secondi secondo seconde seconden secondes detik giây saniye saniyede saniyeden '
    'saniyeler saniyeye с сек секунда секунде секунду секунды секунд ثانية الثانية ثواني ثوان सेकंड सेकेंड 秒 秒钟 초',
    60: 'm min mins minute minutes minuta minuten minuti minuto minutos minutę minuty dakika menit phút мин минута '
    'минуту минуты минут دقيقة الدقيقة मिनट 分 分钟 분',
    3600: 'h hr hrs hour hours 小时', .001: 'ms msec msecs millisecond milliseconds'}.items() for name in names.split()}
# Words of other languages, read as English ones.
_ENGLISH = {word: english for english, those in {
    'from': 'ab dal dalle dari de del desde du fran od từ van vom von с من 从',
    'to': "ai al alle ao aos au bis hasta hingga jusque jusqu'à jusqu’à sampai tot à đến до по إلى الى से 到 至 から "
    '부터 에서',
    'between': 'antara entre mellan między tra tussen zwischen между بين', 'and': 'e en et och und ve và y и و 和 と',
    'the': 'dem der die el il la las le les lo los o os zum zur 目 第', 'not': 'kein keine nicht pas не нет 不 没',
    ',': '、', 'time': 'tiempo temps zeit время 时间 時間',
    'start': 'anfang başlar başlıyor beginn begint beginnt comeca comienza commence debut debute empieza inicia inicio '
    'inizia inizio startet zaczyna начало начинается 始 开始 開始 시작',
    'end': 'acaba biter bitiyor eindigt ende endet fim fin finisce finit hort kończy stoppt termina termine '
    'закончится заканчивается конец 结束 終 終了 끝 종료'
}.items() for word in those.split()}
_BRACKETS = {'Ps': '[', 'Pe': ']'}
_NO_UNITS = ('frames', 'frame', 'fps', 'hz', 'percent', 'per cent', '%', '°c', '°f', '°', 'x', 'px', 'p', 'k', 'bpm',
             'cm', 'degree', 'degrees', 'dollars', 'feet', 'grams', 'inches', 'kg', 'km', 'meters', 'metres', 'miles',
             'ml', 'mph', 'pounds', 'years')
_NAMES = '|'.join(sorted((*UNITS, *_NO_UNITS), key=len, reverse=True)).replace(' ', '[ ]')
_ONES = ('zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve',
         'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen')
_TENS = ('twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety')
SPELLED = {word: float(number) for number, word in enumerate(_ONES)}
SPELLED.update({f'{word}-{one}' if one else word: 10.0 * ten + SPELLED.get(one, 0)
                 for ten, word in enumerate(_TENS, 2) for one in ('', *_ONES[1:10])})
_TIME_LIKE = re.compile(r'\d|sec|min|hour|<time_', re.IGNORECASE)
_MOST_DIGITS = 9
MONEY = frozenset('$€£¥')
_DECADE = re.compile('the 1[0-9]{2}0s$')
_FRACTION = re.compile('[0-9]/')
_UNIT_OF_KEY = re.compile('(?:(?<=_)|(?<=start)|(?<=begin)|(?<=end)|(?<=time)|^)'
                          rf'(?:{"|".join(unit for unit in UNITS if len(unit) > 1)})$|(?<=_)[hms]$')
_AFTER_NAMES = set('"\':=()[]`*')
_NEGATIVE = {f'{before}-' for before in ('', 'to', *'[({=:,')}
_NAME = re.compile('[a-z]|(?<!_)_(?!_)')
_OF_FRAMES = (':', '=', '#', 'frame', 'frames', 'image', 'images')
_TO_OR_AND = ('to', 'and', 'until', 'till')
_BEFORE_SECOND = ('from', 'between', 'to', 'until', 'at', '-', 'through')
_MARKS = ('mark', 'point')
_ROUND = 15  # seconds by which a number of minutes can be rounded
_JOINING, _RESTATING = ('and', ',', 'second', 'seconds'), ('≈', '~', '=', 'or', 'about', 'i.e.', 'i.e', 'at')

# No part of a pattern can match a stretch of text in two ways: the time is linear in the text.
_TOKEN = re.compile(rf"""
    (?P<clock>[0-9]{{1,3}}(?::[0-9]{{1,2}}){{1,2}}(?:[.,][0-9]{{1,6}})?)
         (?![0-9]|:[0-9]|;[0-9]{{2}}(?![:0-9])|[ ]?[ap]\.?m\b)(?:s(?![a-z]))?
    | (?P<minutes>[0-9]{{1,3}})['’′][ ]?(?P<seconds>[0-9]{{1,2}}(?:\.[0-9]{{1,6}})?)(?:["”″]|['’′]{{2}})
    | (?P<key>(?<![\w’.])(?<!\w')(?:[se]|[set]t|t_?[se0-2])(?=["']?\s?[:=]))
    | (?P<clocklike>[0-9]+(?:[:;][0-9]+)+)
    | (?:(?P<number>(?<![\[({{<,.0-9])[0-9]{{1,7}},[0-9]{{1,2}}(?![0-9:]|[.,][0-9])
                    | (?<![,.0-9])[0-9]{{1,7}},[0-9]{{1,2}}(?![0-9:]|[.,][0-9]|[ ]?[\])}}>])
                    | [0-9]+(?:\.[0-9]+)? | (?<![0-9a-z])\.[0-9]+)
         (?P<dots>(?:\.[0-9]+)*)
         (?P<ordinal>-?(?:st|nd|rd|th|(?:[eè]m)?e)(?![a-z0-9]))?
         (?:(?:[ ]{{0,2}}|-)(?P<unit>{_NAMES})(?![a-zß-ÿа-яё]|_(?!_)))?)
    | (?P<word>[ei]\.[ge](?![a-z])\.? | [开開]始|结束|終了|[时時][间間]|[一-鿿]
               | [^\W\d_一-鿿]+(?:[_'’-][^\W\d_一-鿿]+)*)
    | (?P<dash>[-‐‑‒–—―−]+>? | =+> | >>+ | [→-⇿➔-➾⟰-⟿⤀-⥿⬀-⯿] | \.\.+ | …+ | [〜∼])
    | (?P<end>\n\s*)
    | (?P<mark>[^\s\w])
    """, re.VERBOSE)


def may_have_times(text: str) -> bool:
    """Whether a text has a digit or the name of a unit, without which there is no time in it."""
    return _TIME_LIKE.search(text) is not None


@lru_cache(maxsize=4)  # the same part of an answer is read for ranges and for instants
def tokenized(text: str) -> tuple[Token, ...]:
    """The tokens of a text in lower case, without its white space; line ends are marks.

    Examples:
        >>> from ir_segmeasures.texts.answers.tokens import tokenized
        >>> [token.seconds for token in tokenized('from 1:05 to 1 minute 15.5 seconds, frame 12') if token.number]
        [65.0, 75.5, 12.0]
    """
    return tuple(_without_restated(_joined(_read(text))))


def time_of(text: str) -> float | None:
    """The seconds of a text that is one time, None if it is anything else.

    Examples:
        >>> from ir_segmeasures.texts.answers.tokens import time_of
        >>> time_of('1:05'), time_of('12.5 s'), time_of('frame 12')
        (65.0, 12.5, None)
    """
    read = tokenized.__wrapped__(text.lower())
    return read[0].seconds if len(read) == 1 else None


def _read(text: str) -> Iterator[Token]:
    before, unit_end, named = '', 0, 0.0
    for match in _TOKEN.finditer(text):
        word = match['word']
        if word:
            token = Token(_ENGLISH.get(word, word) if word.isascii() else _without_accents(word))
        elif match['clock']:
            token = _clock(match['clock'])
        elif match['minutes']:
            token = Token('', int(match['minutes']) * 60 + float(match['seconds']), 1)
        elif match['number']:
            token = _number(match)
        elif match['clocklike']:
            token = Token('')
        elif match['key']:
            token = Token(match['key'].replace('_', ''))
        else:
            mark = (match['dash'] and '-') or (match['end'] and '\n') or match['mark']
            token = Token(mark if mark.isascii() else _without_accents(mark))
        if not token.text and match.start() != unit_end and _attached(text, match, before):
            token = Token('')
        if named and token.seconds is not None and not token.unit:
            token = Token('', round(token.seconds * named, 9), named)
        unit_end = match.end() if token.unit else 0
        if token.text not in _AFTER_NAMES:
            named = _named_unit(token.text)
        before = f'{before[:3]}-' if match[0] == '-' else match['dash'] or token.text or '0'
        yield token


def _without_accents(word: str) -> str:
    """A word in English, as far as it is known with or without its accents; brackets of any script as square ones."""
    plain = ''.join(letter for letter in unicodedata.normalize('NFD', word) if not unicodedata.combining(letter))
    kind = _BRACKETS.get(unicodedata.category(word[0])) if len(word) == 1 else None
    stems = (word[:2], word[0]) if word[0] >= '가' else ()  # 시작되어
    return kind or next((_ENGLISH[known] for known in (word, plain, *stems) if known in _ENGLISH), word)


@lru_cache(maxsize=4096)
def _named_unit(word: str) -> float:
    """The seconds of the unit that a word before a number says, 0 if it says none: ``start_ms``, *minute* 2."""
    unit = _UNIT_OF_KEY.search(word)
    return UNITS[unit[0]] if unit else 0


def _attached(text: str, match: re.Match[str], before: str) -> bool:
    """Whether a number is part of a name, such as in ``take2``, ``v_12`` and ``3d``, or negative, or money."""
    start, end = match.span()
    return bool((start and (text[start - 1] in MONEY or _NAME.match(text, start - 1))) or _NAME.match(text, end)
                or (before in _NEGATIVE and text[start - 1] == '-')
                or (match['number'] and _FRACTION.match(text, start - 2)))


def _clock(text: str) -> Token:
    *hours, minutes, seconds = text.replace(',', '.').split(':')
    if float(seconds) >= 60 or len(seconds) < 2 or (hours and int(minutes) >= 60):
        return Token('')
    return Token('', int(hours[0] if hours else 0) * 3600 + int(minutes) * 60 + float(seconds), 1, clock=True)


def _number(match: re.Match[str]) -> Token:
    number, unit = match['number'].replace(',', '.'), match['unit']
    no_time = (unit in _NO_UNITS or match[0].endswith(' m') or number.startswith('00.')  # metres, minutes and seconds
               or (unit == 's' and _DECADE.search(match.string, max(0, match.start() - 4), match.end()) is not None))
    if match['dots'] or no_time or len(number.partition('.')[0].lstrip('0')) > _MOST_DIGITS:
        return Token('')
    if unit:
        return Token('', round(float(number) * UNITS[unit], 9), UNITS[unit])
    return Token('', float(number), whole=number.isdigit(), ordinal=match['ordinal'] is not None)


def _joined(read: Iterable[Token]) -> list[Token]:
    """The tokens, with numbers in words made times where they have a unit, and with the minutes and the seconds of one
    time joined."""
    found: list[Token] = []
    for token, following in pairwise([*read, Token('\n')]):
        if found and found[-1].unit == 60 and (following.text in _TO_OR_AND or not (
                following.number or following.text[0].isalpha())):  # 1 minute 10
            seconds = SPELLED.get(token.text, token.seconds if token.whole else None)
            token = Token('', seconds, 1) if seconds is not None else token
        if token.text in SPELLED and len(found) > 1 and found[-1].text == 'second' and (
                found[-2].text in _BEFORE_SECOND or (  # between second two and second ten
                    found[-2].text == 'and' and any(one.unit for one in found[-3:-2]))):
            token = Token('', SPELLED[token.text], 1)
            found.pop()
        if token.text in UNITS and found and found[-1].text in SPELLED:
            unit = UNITS[token.text]
            token = Token('', SPELLED[found.pop().text] * unit, unit)
            if len(found) > 1 and found[-1].text in ('to', 'and', '-') and found[-2].text in SPELLED:
                found[-2] = Token('', SPELLED[found[-2].text])  # ten to twenty seconds
        elif token.unit and len(found) > 1 and found[-2].text in SPELLED and (  # ninety to 105 seconds
                found[-1].text in ('to', '-') or (found[-1].text == 'and' and found[-3:-2] == [Token('between')])):
            found[-2] = Token('', SPELLED[found[-2].text] * token.unit, token.unit)
        if token.unit:
            between = 1 if found and found[-1].text in _JOINING else 0
            larger = found[-1 - between] if len(found) > between else token
            seconds = token.seconds or 0.0
            if larger.unit > token.unit and (larger.unit >= 60 > seconds / token.unit or seconds < 1):
                del found[-1 - between:]
                token = Token('', (larger.seconds or 0.0) + seconds, token.unit)
        found.append(token)
    return found


def _without_restated(read: Sequence[Token]) -> list[Token]:
    """The tokens with one time for two numbers that say the same: ``0:12 (12.3 s)``, ``frame 360 (12 s)``."""
    found: list[Token] = []
    place = 0
    while place < len(read):
        token, second = read[place], place + 2
        if token.unit and second < len(read) and read[place + 1].text in _MARKS:
            second += 1
        if token.number and second < len(read) and read[second - 1].text == '(':
            second += read[second].text in _RESTATING
            if second + 1 < len(read) and read[second].number and read[second + 1].text == ')':
                while token.whole and found and found[-1].text in _OF_FRAMES:
                    found.pop()
                earlier = next((one.seconds for one in reversed(found) if one.number), None)
                token, place = _one_time(token, read[second], earlier), second + 1
        found.append(token)
        place += 1
    return found


def _one_time(one: Token, other: Token, earlier: float | None) -> Token:
    """The time that a number and another in brackets behind it stand for; no time if they differ, unless the other is
    the length from an earlier time on: ``0:30 to 0:50 (20 s)``."""
    if not other.unit:
        return one
    if one.seconds is None or other.seconds is None:
        return other
    if earlier is not None and abs(one.seconds - earlier - other.seconds) < 1 <= other.seconds:
        return one
    if one.whole:  # the number of a frame or of an event stands first
        return other
    if one.unit == 60 and abs(one.seconds - other.seconds) < _ROUND:  # around the two-minute mark (2:01)
        return other
    if abs(one.seconds - other.seconds) >= 1:
        return Token('')
    return one if one.seconds % 1 or not other.seconds % 1 else other
